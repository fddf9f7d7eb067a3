package record

import (
	"errors"
	"io"
	"os"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// FramesIn returns the frames at the positions from ≤ i < to, as Frame gives
// them, but read from the file at once. They share memory. It returns none
// where they are more than most bytes of the file, or not all of them are in
// the file yet.
func (r *Recording) FramesIn(from, to int, most int64) ([]wire.Frame, error) {
	r.mu.Lock()
	in := r.index.n
	if r.live {
		in = min(in, r.base)
	}
	switch {
	case r.closed:
		r.mu.Unlock()
		return nil, ErrClosed
	case from < 0 || from >= to || to > in:
		r.mu.Unlock()
		return nil, nil
	}
	entries := make([]entry, to-from)
	for i := range entries {
		entries[i] = r.index.at(from + i)
	}
	r.mu.Unlock()
	off, last := entries[0].off, entries[len(entries)-1]
	size := last.off + int64(last.size) - off
	if size > most {
		return nil, nil
	}
	buf := make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(r.file, off, size), buf); err != nil {
		if errors.Is(err, os.ErrClosed) {
			return nil, ErrClosed
		}
		return nil, ends(err)
	}
	frames := make([]wire.Frame, len(entries))
	for i, e := range entries {
		at := int(e.off - off)
		var err error
		if frames[i], err = r.frame(from+i, e, buf[at:at+int(e.size):at+int(e.size)]); err != nil {
			return nil, err
		}
	}
	return frames, nil
}

// frame makes the frame at position i of its line.
func (r *Recording) frame(i int, e entry, line []byte) (wire.Frame, error) {
	var p parsed
	if why := r.format.parse(line, trust, e.flags(), &p); why != "" {
		return wire.Frame{}, errors.New("the file has changed: " + why)
	}
	f, why := p.frame(e.flags())
	if why != "" {
		return wire.Frame{}, errors.New("the file has changed: " + why)
	}
	if f.Seq == 0 {
		f.Seq = int64(i) + 1
	}
	if c := e.conn(); c > 0 {
		f.Conn = c
	}
	f.T = time.Duration(e.us) * time.Microsecond
	return f, nil
}

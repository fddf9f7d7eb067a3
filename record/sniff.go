package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

const (
	// sniffBytes is how much of a file is looked at to tell what it is, and
	// sniffLine how much more where its first line has no end in that.
	sniffBytes = 64 << 10
	sniffLine  = 16 << 20
)

var bom = []byte("\xef\xbb\xbf")

// verdict is what a file turned out to be.
type verdict struct {
	format     format
	header     Header
	headerLine int // 0: it has none that can be read
	firstLine  int // the first line that is not blank
	bom        bool
}

// explain says why a line is skipped.
func (v verdict) explain(no int, line []byte, why string) string {
	switch {
	case v.headerLine == 0 && no == v.firstLine:
		return "the header cannot be read: " + why
	case no > v.headerLine && bytes.HasPrefix(line, []byte(`{"mcpl_recording"`)):
		return "it is a second header: two recordings in one file"
	}
	return why
}

// sniff reads as much as it takes to tell what the source is.
func (x *indexer) sniff() (verdict, error) {
	for {
		b := x.buf[:x.to]
		v, ok, err := recognise(b, x.end != nil)
		switch {
		case err != nil:
			return v, fmt.Errorf("%s %w", x.src.name, err)
		case ok:
			return v, nil
		case x.end != nil:
			return v, x.refuse(b)
		case len(b) >= sniffBytes && (len(b) >= sniffLine || bytes.IndexByte(b, '\n') >= 0 || !mayBeLines(b)):
			return v, x.refuse(b)
		}
		x.fill()
	}
}

// mayBeLines reports whether b, which has no line's end yet, can be the
// beginning of a long line of JSON.
func mayBeLines(b []byte) bool {
	b = bytes.TrimLeft(bytes.TrimPrefix(b, bom), " \t\r\n")
	return len(b) == 0 || b[0] == '{'
}

func (x *indexer) refuse(b []byte) error {
	if x.end != nil && !errors.Is(x.end, io.EOF) && len(b) == 0 {
		if x.src.packed != "" {
			return fmt.Errorf("%s begins like %s, but cannot be unpacked: %w", x.src.name, x.src.packed, x.end)
		}
		return fmt.Errorf("read %s: %w", x.src.name, x.end)
	}
	what := looksLike(b, x.end != nil)
	if x.src.packed != "" {
		what = x.src.packed + "-packed: " + what
	}
	return fmt.Errorf("%s is %w (*.mcpl.jsonl): it is %s", x.src.name, ErrNotRecording, what)
}

// recognise looks for the first line by which a file is known: its header, or
// a frame where the header is missing or damaged. whole says that b is all.
func recognise(b []byte, whole bool) (v verdict, ok bool, err error) {
	v.bom = bytes.HasPrefix(b, bom)
	b = bytes.TrimPrefix(b, bom)
	for no := 1; len(b) > 0; no++ {
		n := bytes.IndexByte(b, '\n')
		if n < 0 && !whole {
			return v, false, nil
		}
		line := b
		if b = nil; n >= 0 {
			line, b = line[:n], line[n+1:]
		}
		if line = bytes.Trim(line, " \t\r"); len(line) == 0 {
			continue
		}
		if v.firstLine == 0 {
			v.firstLine = no
		}
		if known, err := v.know(no, line); known || err != nil {
			return v, known, err
		}
	}
	return v, false, nil
}

// know reports whether the line tells what the file is.
func (v *verdict) know(no int, line []byte) (bool, error) {
	if line[0] != '{' || !wire.Valid(line) {
		return false, nil
	}
	if h := readHeader(line); h.Version > 0 {
		if h.Version > Version {
			return false, fmt.Errorf("was written in %w (%d; this program reads %d): a newer mcpl-tui can read it", ErrNewer, h.Version, Version)
		}
		v.header, v.headerLine = h, no
		return true, nil
	}
	var p parsed
	if parseLine(line, verify, 0, &p) == "" && (p.timed || p.seq > 0) {
		v.header = Header{Version: Version}
		return true, nil
	}
	if s, h, ok := newSnoop(line); ok {
		// Its first line names the session; one that is damaged is no header.
		v.format.foreign, v.header, v.firstLine = s, h, 0
		return true, nil
	}
	return false, nil
}

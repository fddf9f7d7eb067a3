package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// What is said of lines that are no frames, or of the first that is one.
const (
	noHeader = "there is no header: when it began, and with whom, is not known"
	tooLong  = "it is longer than 2 GB"
)

const (
	readSize = 256 << 10
	// maxLine is the longest line that is read: the longest message of a link
	// with every byte of it escaped, and more.
	maxLine = 1<<31 - 1
)

// indexer reads a source line by line into the index of a recording, and into
// its spool where it has one.
type indexer struct {
	src   *source
	spool file // nil for a plain file
	r     *Recording
	found verdict

	buf        []byte // what was read and is not yet indexed: buf[from:to]
	from, to   int
	seen       int   // buf[from:seen] has no line's end
	off        int64 // of buf[from] in the unpacked file
	line       int   // lines before buf[from]
	limit      int   // of a line
	overlong   bool  // in the middle of a line that is too long
	last       int64 // time of the last frame, in microseconds
	batch      []entry
	skipped    []Skipped
	end        error // io.EOF, or why reading ended
	spoolError error
}

// start indexes what was read already, so that the first frames are there at
// once, and leaves the rest to a goroutine.
func (x *indexer) start(r *Recording, v verdict) {
	x.r, x.found = r, v
	if !x.src.plain {
		x.spool = r.file
		x.save(x.buf[x.from:x.to])
	}
	if v.bom {
		x.from, x.off = x.from+len(bom), x.off+int64(len(bom))
	}
	x.consume()
	x.publish()
	go x.run()
}

func (x *indexer) run() {
	defer close(x.r.done)
	if x.src.unpack != nil {
		defer x.src.unpack()
	}
	for x.end == nil && x.spoolError == nil && !x.stopped() {
		x.fill()
		x.consume()
		x.publish()
	}
	x.finish()
}

func (x *indexer) stopped() bool {
	select {
	case <-x.r.stop:
		return true
	default:
		return false
	}
}

// fill reads on. The buffer grows only for a line that does not fit.
func (x *indexer) fill() {
	if x.from > 0 && (x.from == x.to || len(x.buf)-x.to < readSize/2) {
		x.to = copy(x.buf, x.buf[x.from:x.to])
		x.seen -= x.from
		x.from = 0
	}
	if len(x.buf)-x.to < readSize/2 {
		grown := make([]byte, max(readSize, 2*len(x.buf)))
		copy(grown, x.buf[:x.to])
		x.buf = grown
	}
	n, err := x.src.Read(x.buf[x.to:])
	if x.spool != nil && n > 0 {
		x.save(x.buf[x.to : x.to+n])
	}
	x.to += n
	x.end = err
}

// save keeps what was unpacked. It comes in order.
func (x *indexer) save(b []byte) {
	if _, err := x.spool.Write(b); err != nil && x.spoolError == nil {
		x.spoolError = fmt.Errorf("unpack into a temporary file: %w", inWords("cannot write", err))
	}
}

// consume indexes all whole lines that were read.
func (x *indexer) consume() {
	for x.spoolError == nil {
		x.seen = max(x.seen, x.from)
		n := bytes.IndexByte(x.buf[x.seen:x.to], '\n')
		if n < 0 {
			break
		}
		x.add(x.buf[x.from:x.seen+n], true)
		x.advance(x.seen + n + 1)
		x.line++
	}
	x.seen = x.to
	if x.to-x.from > x.limit || x.overlong {
		x.overlong = true
		x.advance(x.to)
	}
}

// trim takes white space off a line; most have none.
func trim(line []byte) []byte {
	if n := len(line); n > 0 && line[0] == '{' && line[n-1] == '}' {
		return line
	}
	return bytes.Trim(line, " \t\r\n")
}

func (x *indexer) advance(to int) {
	x.off += int64(to - x.from)
	x.from = to
}

// add indexes one line, whose end was there or not.
func (x *indexer) add(line []byte, ended bool) {
	no := x.line + 1
	if x.overlong {
		x.overlong = false
		x.skipped = append(x.skipped, Skipped{no, tooLong})
		return
	}
	b := trim(line)
	if len(b) == 0 || no == x.found.headerLine {
		return
	}
	p := parsed{}
	why := x.r.format.parse(b, verify, 0, &p)
	switch {
	case why != "" && !ended && !wire.Valid(b):
		x.r.mu.Lock()
		x.r.state.Cut = true
		x.r.mu.Unlock()
		return
	case why != "":
		x.skipped = append(x.skipped, Skipped{no, x.found.explain(no, b, why)})
		return
	}
	if x.found.headerLine == 0 && no == x.found.firstLine {
		x.skipped = append(x.skipped, Skipped{no, noHeader})
	}
	if p.timed {
		x.last = max(x.last, p.us)
	}
	e := entry{us: x.last, size: uint32(len(b)), meta: uint32(p.flags)}
	e.off = x.off + int64(cap(line)-cap(b))
	if s := x.found.format.foreign; s != nil {
		e.meta |= uint32(s.number(p.session)) << 8
	}
	x.batch = append(x.batch, e)
}

// publish makes what was indexed readable.
func (x *indexer) publish() {
	r := x.r
	r.mu.Lock()
	r.settle(x.batch, r.index.n+len(x.batch))
	for _, s := range x.skipped {
		r.state.skip(s.Line, s.Why)
	}
	r.state.Bytes = x.off
	news := len(x.batch) > 0 || len(x.skipped) > 0
	r.mu.Unlock()
	x.batch, x.skipped = x.batch[:0], x.skipped[:0]
	if news {
		r.signal()
	}
}

// finish takes the last line, where it has no end, and says how it all ended.
func (x *indexer) finish() {
	if x.end != nil && !errors.Is(x.end, fs.ErrClosed) && x.spoolError == nil && x.to > x.from {
		x.add(x.buf[x.from:x.to], false)
		x.advance(x.to)
		x.publish()
	}
	r := x.r
	r.mu.Lock()
	r.state.ended(x)
	r.state.Loading = 1
	r.mu.Unlock()
	x.buf = nil
	r.signal()
}

// ended says how reading ended.
func (s *Status) ended(x *indexer) {
	if x.overlong {
		s.Cut = true
	}
	switch {
	case x.spoolError != nil:
		s.Err = x.spoolError
	case x.end == nil || errors.Is(x.end, fs.ErrClosed):
		// Close stopped it.
	case errors.Is(x.end, io.ErrUnexpectedEOF):
		s.Cut = true
	case !errors.Is(x.end, io.EOF):
		s.Cut = true
		s.Err = fmt.Errorf("read after line %d: %w", x.line, x.end)
		if x.src.packed != "" {
			s.Err = fmt.Errorf("the %s data are damaged after line %d: %w", x.src.packed, x.line, x.end)
		}
	}
}

// patience is how long Close waits for an indexer that reads from something
// that cannot be woken.
const patience = time.Second

func waitFor(done <-chan struct{}) {
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	}
}

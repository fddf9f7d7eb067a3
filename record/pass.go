package record

import (
	"bytes"
	"context"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Pass reads a recording once, from its beginning to its end, and keeps
// nothing: no index is made, and nothing is unpacked into a file. It takes the
// same files as Open, and gives the same frames.
type Pass struct {
	// Header is the recording's first line, as Recording.Header gives it.
	Header Header

	path  string
	x     *indexer // which has read the beginning, to tell what the file is
	found verdict
	state Status
	last  int64 // time of the last frame, in microseconds
	n     int   // frames so far
	line  int   // lines so far
	read  bool  // it was, or is being
}

// Begin opens a recording for one pass. It refuses what Open refuses.
func Begin(path string) (*Pass, error) {
	x, v, err := sniffFile(path)
	if err != nil {
		return nil, err
	}
	p := &Pass{Header: v.header, path: path, x: x, found: v}
	if v.bom {
		x.from = len(bom)
		p.state.Bytes = int64(len(bom))
	}
	return p, nil
}

// Batch is some frames in a row. It is valid, with all that its frames show,
// only until the function that it was given to returns: its memory is used
// again.
type Batch struct {
	Frames []wire.Frame
	// Lines is the line of the file, counted from 1, on which each frame
	// stands.
	Lines []int
	// Ahead is what was made of the batch before, nil for nothing. There
	// Slots[i] is the place of frame i.
	Ahead Ahead
	Slots []int
}

// Ahead is work on messages that can be done before their turn, on another
// goroutine. One is for one batch at a time, and is used again for later ones.
type Ahead interface {
	// Inspect is wire.Inspect of the message that is to become the frame in
	// slot i. Mostly each message is inspected once, in order; what comes in
	// an unusual line is not inspected here at all.
	Inspect(i int, body []byte, head *wire.Head) (form wire.Form, valid, one bool)
	// Ready is called when all frames of the batch are there, those of the
	// slots in order.
	Ready(frames []wire.Frame)
}

// Each reads all frames and gives them to do, a batch at a time, in order, on
// the goroutine of the caller; what do returns other than nil ends the pass.
// ahead, where it is not nil, makes what works on batches before their turn.
// Each is called once, and closes the recording.
//
// A file that could be read only in part is no error: the status says what
// became of it, as that of a Recording does.
func (p *Pass) Each(ctx context.Context, ahead func() Ahead, do func(*Batch) error) (Status, error) {
	p.read = true
	l := newBelt(p, ahead)
	defer l.end()
	for c := range l.inOrder {
		l.wait(ctx, c)
		if ctx.Err() != nil {
			return p.state, ctx.Err()
		}
		p.place(c)
		if len(c.Frames) > 0 {
			if err := do(&c.Batch); err != nil {
				return p.state, err
			}
		}
		l.free <- c
	}
	p.finish()
	return p.state, ctx.Err()
}

// Close lets go of a recording that is not read after all. After Each it does
// nothing.
func (p *Pass) Close() {
	if !p.read {
		p.read = true
		p.x.src.discard()
	}
}

// place gives the frames of a chunk what depends on the lines before them.
func (p *Pass) place(c *chunk) {
	frames, skips := 0, c.skips
	for i := range c.Frames {
		no := p.line + c.Lines[i]
		for len(skips) > 0 && skips[0].line < c.Lines[i] {
			skips = p.skip(skips)
		}
		if no == p.found.headerLine {
			continue
		}
		if p.found.headerLine == 0 && no == p.found.firstLine {
			p.state.skip(no, noHeader)
		}
		f := &c.Frames[frames]
		c.Lines[frames], c.Slots[frames] = no, i
		if frames < i {
			*f = c.Frames[i]
		}
		if at := &c.places[i]; at.timed {
			p.last = max(p.last, at.us)
		}
		f.T = time.Duration(p.last) * time.Microsecond
		if s := p.found.format.foreign; s != nil {
			f.Conn = s.number(c.places[i].session)
		}
		if f.Seq == 0 {
			f.Seq = int64(p.n) + 1
		}
		frames++
		p.n++
	}
	for len(skips) > 0 {
		skips = p.skip(skips)
	}
	c.Frames, c.Lines, c.Slots = c.Frames[:frames], c.Lines[:frames], c.Slots[:frames]
	p.line += c.lines
	p.state.Bytes += int64(c.size)
}

// skip takes the first of the lines that are no frames.
func (p *Pass) skip(skips []skippedLine) []skippedLine {
	s, no := &skips[0], p.line+skips[0].line
	switch {
	case no == p.found.headerLine:
	case s.cut:
		p.state.Cut = true
	case s.bytes == nil:
		p.state.skip(no, s.why)
	default:
		p.state.skip(no, p.found.explain(no, s.bytes, s.why))
	}
	return skips[1:]
}

// finish says how reading ended.
func (p *Pass) finish() {
	x := p.x
	x.line = p.line
	p.state.ended(x)
	p.state.Loading = 1
	if p.path != "-" {
		p.state.Path = p.path
	}
}

// chunkBytes is how much of a file is read, and made frames of, at once.
const chunkBytes = 32 << 10

// chunk is a piece of the file that ends where a line does.
type chunk struct {
	Batch
	data   []byte
	lines  int  // that begin in it
	size   int  // bytes of the file, also those that were left out
	long   bool // it stands for one line that is too long
	heads  []wire.Head
	places []placed
	skips  []skippedLine
	ready  chan struct{}
}

// placed is what of a frame's place depends on what came before.
type placed struct {
	us      int64
	timed   bool
	session []byte
}

// skippedLine is a line that is no frame.
type skippedLine struct {
	line  int
	why   string
	bytes []byte
	cut   bool // the file ends in the middle of it
}

// read makes frames of the lines.
func (c *chunk) read(fm format) {
	c.Frames, c.Lines, c.Slots = c.Frames[:0], c.Lines[:0], c.Slots[:0]
	c.places, c.skips = c.places[:0], c.skips[:0]
	c.lines = 0
	if c.long {
		c.lines = 1
		c.skips = append(c.skips, skippedLine{line: 1, why: tooLong})
		return
	}
	if n := bytes.Count(c.data, []byte{'\n'}) + 1; cap(c.heads) < n {
		c.heads = make([]wire.Head, n+n/4)
		c.Frames, c.places = make([]wire.Frame, 0, n+n/4), make([]placed, 0, n+n/4)
		c.Lines, c.Slots = make([]int, 0, n+n/4), make([]int, 0, n+n/4)
	}
	for rest := c.data; len(rest) > 0; {
		n, ended := bytes.IndexByte(rest, '\n'), true
		line := rest
		if n < 0 {
			rest, ended = nil, false
		} else {
			line, rest = rest[:n], rest[n+1:]
		}
		c.lines++
		c.add(fm, trim(line), ended)
	}
}

// add makes a frame of one line.
func (c *chunk) add(fm format, line []byte, ended bool) {
	if len(line) == 0 {
		return
	}
	p := parsed{head: &c.heads[len(c.Frames)], ahead: c.Ahead, slot: len(c.Frames)}
	why := fm.parse(line, verify, 0, &p)
	n := len(c.Frames)
	c.Frames = append(c.Frames, wire.Frame{})
	f := &c.Frames[n]
	if why == "" {
		why = p.into(f, p.flags)
	}
	if why != "" {
		c.Frames = c.Frames[:n]
		c.skips = append(c.skips, skippedLine{c.lines, why, line, !ended && !wire.Valid(line)})
		return
	}
	if b := f.Body; f.IsMessage() && f.Form == wire.Msg && !p.peeked && b[0] == '{' {
		*p.head = wire.Peek(b)
		f.Peek(p.head)
	}
	c.Lines, c.Slots = append(c.Lines, c.lines), append(c.Slots, 0)
	c.places = append(c.places, placed{p.us, p.timed, p.session})
}

// fill reads whole lines into the chunk, after what is left of the piece
// before. It returns what it read of the next line, and whether there is more.
// The last chunk may end in a line without an end.
func (c *chunk) fill(x *indexer, rest []byte) (next []byte, more bool) {
	c.long = false
	if need := max(chunkBytes, 2*len(rest)); cap(c.data) < need || cap(c.data) > 8*need {
		c.data = make([]byte, need)
	}
	c.data = c.data[:cap(c.data)]
	n := copy(c.data, rest)
	whole := bytes.LastIndexByte(c.data[:n], '\n') + 1
	for x.end == nil && (whole == 0 || len(c.data)-n > len(c.data)/4) {
		if n == len(c.data) {
			if n > x.limit {
				return c.skipLine(x)
			}
			c.data = append(c.data, make([]byte, len(c.data))...)
		}
		var got int
		got, x.end = x.src.Read(c.data[n:])
		if i := bytes.LastIndexByte(c.data[n:n+got], '\n'); i >= 0 {
			whole = n + i + 1
		}
		n += got
	}
	if x.end != nil {
		whole = n
	}
	x.buf = append(x.buf[:0], c.data[whole:n]...)
	c.data, c.size = c.data[:whole], whole
	return x.buf, x.end == nil
}

// skipLine reads on to the end of a line that is too long.
func (c *chunk) skipLine(x *indexer) (next []byte, more bool) {
	c.size = len(c.data)
	for x.end == nil {
		var got int
		got, x.end = x.src.Read(c.data)
		if i := bytes.IndexByte(c.data[:got], '\n'); i >= 0 {
			c.size += i + 1
			c.long = true
			x.buf = append(x.buf[:0], c.data[i+1:got]...)
			return x.buf, true
		}
		c.size += got
	}
	x.overlong, c.data = true, c.data[:0]
	return nil, false
}

package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// ErrTooLong is returned for a line that does not end within the limit.
var ErrTooLong = errors.New("line too long")

// MaxLine is the longest line that a link accepts, in bytes.
const MaxLine = 128 << 20

// Lines cuts a stream into lines of any length up to a limit. A last line
// without an end is a line too. The end of a line, LF or CRLF, is not part of
// it. Lines is for one goroutine.
type Lines struct {
	r     *bufio.Reader
	limit int
}

// NewLines reads lines of r, none longer than limit bytes (0: MaxLine).
func NewLines(r io.Reader, limit int) *Lines {
	if limit <= 0 {
		limit = MaxLine
	}
	return &Lines{r: bufio.NewReaderSize(r, 64<<10), limit: limit}
}

// Next returns the next line in memory of its own, or io.EOF after the last.
// Whatever was read before another error is returned together with it. A line
// over the limit gives ErrTooLong with the bytes read so far.
func (l *Lines) Next() ([]byte, error) {
	var long pieces
	for {
		part, err := l.r.ReadSlice('\n')
		switch {
		case err == nil:
			return trimEnd(long.with(part)), nil
		case errors.Is(err, bufio.ErrBufferFull):
			if long.add(part); long.n > l.limit {
				return long.with(nil), fmt.Errorf("%w: %d bytes without an end", ErrTooLong, long.n)
			}
		case errors.Is(err, io.EOF):
			if long.n+len(part) == 0 {
				return nil, io.EOF
			}
			return trimEnd(long.with(part)), nil
		default:
			return long.with(part), err
		}
	}
}

// pieces is a line that is longer than the buffer. It is put together once,
// at its end: growing one slice would need several times its memory.
type pieces struct {
	done [][]byte
	last []byte
	n    int
}

const pieceSize = 4 << 20

func (p *pieces) add(part []byte) {
	if len(p.last)+len(part) > pieceSize {
		p.done, p.last = append(p.done, p.last), nil
	}
	p.last = append(p.last, part...)
	p.n += len(part)
}

// with returns the whole line with its last part.
func (p *pieces) with(part []byte) []byte {
	out := make([]byte, 0, p.n+len(part))
	for _, d := range p.done {
		out = append(out, d...)
	}
	return append(append(out, p.last...), part...)
}

func trimEnd(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'})
}

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
const MaxLine = 256 << 20

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
	var long []byte
	for {
		part, err := l.r.ReadSlice('\n')
		switch {
		case err == nil:
			return trimEnd(append(long, part...)), nil
		case errors.Is(err, bufio.ErrBufferFull):
			long = append(long, part...)
			if len(long) > l.limit {
				return long, fmt.Errorf("%w: %d bytes without an end", ErrTooLong, len(long))
			}
		case errors.Is(err, io.EOF):
			if long = append(long, part...); len(long) == 0 {
				return nil, io.EOF
			}
			return trimEnd(long), nil
		default:
			return append(long, part...), err
		}
	}
}

func trimEnd(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'})
}

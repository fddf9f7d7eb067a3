package wire

import (
	"errors"
	"fmt"
	"io"
)

// ReadWhole reads r to its end: the body of one message that something else
// than a line delimits. limit is the most bytes that it may have (0: MaxLine).
// Whatever was read before an error is returned together with it; over the
// limit that is ErrTooLong, with the size reached.
func ReadWhole(r io.Reader, limit int) ([]byte, error) {
	if limit <= 0 {
		limit = MaxLine
	}
	var body pieces
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		if errors.Is(err, io.EOF) {
			return body.with(buf[:n]), nil
		}
		body.add(buf[:n])
		switch {
		case body.n > limit:
			return body.with(nil), fmt.Errorf("%w: %d bytes without an end", ErrTooLong, body.n)
		case err != nil:
			return body.with(nil), err
		}
	}
}

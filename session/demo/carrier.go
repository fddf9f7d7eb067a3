package demo

import (
	"errors"
	"io"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// carrier brings messages from a client and takes messages to it, whatever
// they travel in. receive and send are called by one goroutine each.
type carrier interface {
	// receive returns the next message: io.EOF after the last one,
	// wire.ErrTooLong in the place of one that is too long to be read.
	receive() ([]byte, error)
	// send writes one message.
	send(msg []byte) error
	// end closes what can be closed, which wakes whoever still receives or
	// sends. why is nil where the stream ended in order.
	end(why error)
}

// lineCarrier has a message a line.
type lineCarrier struct {
	r     io.Reader
	w     io.Writer
	lines *wire.Lines
}

func newLineCarrier(r io.Reader, w io.Writer) *lineCarrier {
	return &lineCarrier{r, w, wire.NewLines(r, maxLine)}
}

func (l *lineCarrier) receive() ([]byte, error) {
	line, err := l.lines.Next()
	if !errors.Is(err, wire.ErrTooLong) {
		return line, err
	}
	for rest := err; errors.Is(rest, wire.ErrTooLong); { // the rest of the line
		_, rest = l.lines.Next()
	}
	return nil, err
}

func (l *lineCarrier) send(msg []byte) error {
	_, err := l.w.Write(append(msg, '\n'))
	return err
}

// end closes both ends where they can be. An error here says nothing: the
// stream is over.
func (l *lineCarrier) end(error) {
	for _, end := range []any{l.r, l.w} {
		if c, ok := end.(io.Closer); ok {
			_ = c.Close()
		}
	}
}

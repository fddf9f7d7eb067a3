package session

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// sseEvent is one event of a stream of server-sent events (WHATWG HTML,
// "Server-sent events").
type sseEvent struct {
	name  string // the member event, "" means message
	id    string
	hasID bool
	retry time.Duration // how long to wait before connecting again, -1: not said
	data  []byte        // in memory of its own; lines are joined with LF
	whole bool          // the empty line that ends an event was there
}

// sseReader reads server-sent events. Memory is bounded by limit, for a line
// and for the data of an event.
type sseReader struct {
	r     *bufio.Reader
	limit int
	begun bool // the first line was read: no byte order mark any more
	skip  bool // the last line ended in CR: a LF that follows belongs to it
	err   error
}

func newSSEReader(r io.Reader, limit int) *sseReader {
	return &sseReader{r: bufio.NewReaderSize(r, 64<<10), limit: limit}
}

// next returns the next event that says anything. At the end of the stream an
// event without its empty line is given too, for its bytes have come; then
// comes io.EOF, or what broke the stream.
func (s *sseReader) next() (sseEvent, error) {
	e := sseEvent{retry: -1}
	said, hasData := false, false
	for s.err == nil {
		line, err := s.line()
		if len(line) > 0 {
			isData, fieldErr := s.field(&e, line, hasData)
			hasData = hasData || isData
			said = said || e.hasID || e.retry >= 0 || hasData
			err = cmp.Or(err, fieldErr)
		}
		if s.err = err; errors.Is(err, wire.ErrTooLong) {
			e.data = bytes.Clone(e.data[:min(len(e.data), maxGarbage)])
		}
		switch {
		case err != nil && hasData:
			return e, nil // the error comes with the next call
		case err != nil:
		case len(line) == 0 && said:
			e.whole = true
			return e, nil
		case len(line) == 0:
			e = sseEvent{retry: -1} // an event without data: its name is forgotten
		}
	}
	return sseEvent{}, s.err
}

// field takes one line of an event. isData tells that it was data.
func (s *sseReader) field(e *sseEvent, line []byte, hasData bool) (isData bool, err error) {
	name, value, _ := bytes.Cut(line, []byte{':'})
	value = bytes.TrimPrefix(value, []byte{' '})
	switch string(name) {
	case "data":
		if hasData {
			e.data = append(append(e.data, '\n'), value...)
		} else {
			e.data = value
		}
		if len(e.data) > s.limit {
			return true, tooLong(len(e.data))
		}
		return true, nil
	case "event":
		e.name = string(value)
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			e.id, e.hasID = string(value), true
		}
	case "retry":
		if ms, err := strconv.ParseUint(string(value), 10, 32); err == nil {
			e.retry = time.Duration(ms) * time.Millisecond
		}
	}
	return false, nil
}

func tooLong(n int) error {
	return fmt.Errorf("%w: %d bytes without an end", wire.ErrTooLong, n)
}

// line reads a line that ends in LF, CR or CRLF, in memory of its own and
// without its end. What stands before an error is returned with it. It never
// waits for more than the line's own end.
func (s *sseReader) line() ([]byte, error) {
	var line []byte
	for {
		if _, err := s.r.Peek(1); err != nil {
			return line, err
		}
		part, _ := s.r.Peek(s.r.Buffered())
		if s.skip && part[0] == '\n' {
			s.skip = false
			_, _ = s.r.Discard(1)
			continue
		}
		s.skip = false
		i := bytes.IndexAny(part, "\r\n")
		if i < 0 {
			line = append(line, part...)
			_, _ = s.r.Discard(len(part))
			if len(line) > s.limit+len("data: ") {
				return line[:min(len(line), maxGarbage)], tooLong(len(line))
			}
			continue
		}
		if line = append(line, part[:i]...); len(line) > s.limit+len("data: ") {
			return line[:min(len(line), maxGarbage)], tooLong(len(line))
		}
		s.skip = part[i] == '\r'
		_, _ = s.r.Discard(i + 1)
		if !s.begun {
			s.begun = true
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		return line, nil
	}
}

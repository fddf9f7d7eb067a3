package session

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// events reads a stream in pieces of one byte, to its end.
func readEvents(t testing.TB, stream string, limit int) (events []sseEvent, err error) {
	t.Helper()
	r := newSSEReader(iotest.OneByteReader(strings.NewReader(stream)), limit)
	for {
		e, err := r.next()
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
}

func TestEventsAreReadAsTheStandardSays(t *testing.T) {
	for name, c := range map[string]struct {
		stream string
		want   []string
	}{
		"one":                    {"data: a\n\n", []string{"a"}},
		"two":                    {"data: a\n\ndata: b\n\n", []string{"a", "b"}},
		"no blank":               {"data:a\n\n", []string{"a"}},
		"one blank only":         {"data:  a\n\n", []string{" a"}},
		"several lines":          {"data: {\ndata: }\n\n", []string{"{\n}"}},
		"an empty line of data":  {"data: a\ndata\n\n", []string{"a\n"}},
		"comments":               {": ping\n\ndata: a\n: x\n\n", []string{"a"}},
		"CRLF":                   {"data: a\r\n\r\ndata: b\r\n\r\n", []string{"a", "b"}},
		"CR":                     {"data: a\r\rdata: b\r\r", []string{"a", "b"}},
		"a mark":                 {"\xef\xbb\xbfdata: a\n\n", []string{"a"}},
		"an unknown field":       {"x: 1\ndata: a\n\n", []string{"a"}},
		"a name without data":    {"event: x\n\ndata: a\n\n", []string{"a"}},
		"no empty line at last":  {"data: a\n\ndata: b\n", []string{"a", "b"}},
		"no end of line at last": {"data: a\n\ndata: b", []string{"a", "b"}},
		"nothing":                {"", nil},
	} {
		events, err := readEvents(t, c.stream, 100)
		var got []string
		for _, e := range events {
			got = append(got, string(e.data))
		}
		if !errors.Is(err, io.EOF) || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestAnEventTellsItsNameItsPlaceAndHowLongToRest(t *testing.T) {
	events, _ := readEvents(t, "id: 7\nretry: 1500\ndata:\n\nevent: endpoint\ndata: /x\n\nid: a\x00b\nretry: soon\ndata: y\n\n", 100)
	if len(events) != 3 {
		t.Fatalf("%+v", events)
	}
	if e := events[0]; e.id != "7" || !e.hasID || e.retry != 1500*time.Millisecond || len(e.data) != 0 {
		t.Errorf("%+v", e)
	}
	if e := events[1]; e.name != "endpoint" || e.hasID || e.retry != -1 {
		t.Errorf("%+v", e)
	}
	if e := events[2]; e.hasID || e.retry != -1 {
		t.Errorf("%+v", e)
	}
}

func TestAnEventIsGivenBeforeTheNextByteComes(t *testing.T) {
	for _, end := range []string{"\n\n", "\r\r", "\r\n\r\n"} {
		r, w := io.Pipe()
		go func() { _, _ = io.WriteString(w, "data: a"+end) }()
		if e, err := newSSEReader(r, 100).next(); err != nil || string(e.data) != "a" {
			t.Errorf("%q: %+v, %v", end, e, err)
		}
		_ = r.Close()
	}
}

func TestWhatIsTooLongEndsTheStream(t *testing.T) {
	for name, stream := range map[string]string{
		"a line":   "data: " + strings.Repeat("x", 200<<10),
		"an event": strings.Repeat("data: x\n", 100<<10),
		"no field": strings.Repeat("x", 200<<10),
	} {
		events, err := readEvents(t, stream, 100<<10)
		if !errors.Is(err, wire.ErrTooLong) {
			t.Errorf("%s: %v", name, err)
		}
		for _, e := range events {
			if len(e.data) > maxGarbage {
				t.Errorf("%s: %d bytes are kept", name, len(e.data))
			}
		}
	}
}

func FuzzEvents(f *testing.F) {
	f.Add("id: 1\nretry: 10\nevent: m\ndata: a\ndata: b\r\n\r\n: c\r\rdata", 10)
	f.Fuzz(func(t *testing.T, stream string, limit int) {
		limit = max(1, min(limit, 1<<20))
		var whole []sseEvent
		r := newSSEReader(strings.NewReader(stream), limit)
		var wholeErr error
		for wholeErr == nil {
			var e sseEvent
			if e, wholeErr = r.next(); wholeErr == nil {
				whole = append(whole, e)
			}
		}
		pieces, err := readEvents(t, stream, limit)
		if errors.Is(err, io.EOF) != errors.Is(wholeErr, io.EOF) {
			t.Fatalf("%v in pieces, %v at once", err, wholeErr)
		}
		if !errors.Is(err, io.EOF) {
			return
		}
		if len(pieces) != len(whole) {
			t.Fatalf("%d events in pieces, %d at once", len(pieces), len(whole))
		}
		for i := range whole {
			if !bytes.Equal(whole[i].data, pieces[i].data) || whole[i].id != pieces[i].id {
				t.Fatalf("%+v at once, %+v in pieces", whole[i], pieces[i])
			}
		}
	})
}

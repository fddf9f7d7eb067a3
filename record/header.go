package record

import (
	"crypto/rand"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Version is the version of the recording format.
const Version = 1

// Header is the first line of a recording.
type Header struct {
	Version  int       // of the format: the member mcpl_recording
	ID       string    // one of its own for each recording
	Started  time.Time // when frame time 0 was; whole microseconds
	Tool     string    // what wrote it: "mcpl-tui 0.1.0"
	Target   Target
	Redacted bool // values of messages were masked
}

// Target is what a session was connected to, without any secret.
type Target struct {
	Kind    string // stdio, http, sse, ws, demo
	Command []string
	Cwd     string
	URL     string
}

// stamp is how times stand in a header: RFC 3339, UTC, with microseconds.
const stamp = "2006-01-02T15:04:05.000000Z"

// MarshalJSON writes the header as it stands in a recording.
func (h Header) MarshalJSON() ([]byte, error) { return h.append(nil), nil }

// UnmarshalJSON reads a header as leniently as Open does: unknown members are
// ignored, and so are known ones of another type.
func (h *Header) UnmarshalJSON(b []byte) error {
	*h = readHeader(b)
	return nil
}

func (h Header) append(b []byte) []byte {
	b = append(b, `{"mcpl_recording":`...)
	b = strconv.AppendInt(b, int64(h.Version), 10)
	b = append(b, `,"id":`...)
	b = appendString(b, []byte(h.ID))
	b = append(b, `,"started":"`...)
	b = h.Started.UTC().AppendFormat(b, stamp)
	b = append(b, `","tool":`...)
	b = appendString(b, []byte(h.Tool))
	b = append(b, `,"target":`...)
	b = h.Target.append(b)
	b = append(b, `,"redacted":`...)
	b = strconv.AppendBool(b, h.Redacted)
	return append(b, '}')
}

// MarshalJSON writes the target as it stands in a recording's header.
func (t Target) MarshalJSON() ([]byte, error) { return t.append(nil), nil }

// UnmarshalJSON reads a target, leniently.
func (t *Target) UnmarshalJSON(b []byte) error {
	*t = readTarget(b)
	return nil
}

func (t Target) append(b []byte) []byte {
	b = append(b, `{"kind":`...)
	b = appendString(b, []byte(t.Kind))
	if len(t.Command) > 0 {
		b = append(b, `,"command":[`...)
		for i, arg := range t.Command {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendString(b, []byte(arg))
		}
		b = append(b, ']')
	}
	if t.Cwd != "" {
		b = append(b, `,"cwd":`...)
		b = appendString(b, []byte(t.Cwd))
	}
	if t.URL != "" {
		b = append(b, `,"url":`...)
		b = appendString(b, []byte(t.URL))
	}
	return append(b, '}')
}

// complete fills in what every header has: the version, an id, a start in
// whole microseconds, and a target without secrets.
func (h Header) complete() Header {
	h.Version = Version
	if h.ID == "" {
		h.ID = newID()
	}
	if h.Started.IsZero() {
		h.Started = time.Now()
	}
	h.Started = h.Started.UTC().Truncate(time.Microsecond)
	h.Target = RedactTarget(h.Target)
	return h
}

func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// readHeader reads a header of valid JSON. Version is 0 where the member is
// missing or no whole number above 0.
func readHeader(b []byte) Header {
	var h Header
	wire.EachMember(b, func(key string, v []byte) bool {
		switch key {
		case "mcpl_recording":
			h.Version = int(min(wholeNumber(v), 1<<30))
		case "id":
			h.ID = wire.StringOf(v)
		case "started":
			h.Started = time.Time{}
			if t, err := time.Parse(time.RFC3339Nano, wire.StringOf(v)); err == nil {
				h.Started = t.UTC().Truncate(time.Microsecond)
			}
		case "tool":
			h.Tool = wire.StringOf(v)
		case "target":
			h.Target = readTarget(v)
		case "redacted":
			h.Redacted = string(v) == "true"
		}
		return true
	})
	return h
}

func readTarget(b []byte) Target {
	var t Target
	wire.EachMember(b, func(key string, v []byte) bool {
		switch key {
		case "kind":
			t.Kind = wire.StringOf(v)
		case "command":
			t.Command = nil
			wire.EachElement(v, func(arg []byte) bool {
				t.Command = append(t.Command, wire.StringOf(arg))
				return true
			})
		case "cwd":
			t.Cwd = wire.StringOf(v)
		case "url":
			t.URL = wire.StringOf(v)
		}
		return true
	})
	return t
}

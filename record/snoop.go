package record

import (
	"hash/maphash"
	"strconv"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// snoop is the log of mcpsnoop, a proxy for MCP: an object a line,
//
//	{"session_id","server_label","seq","ts","direction":"c2s|s2c|stderr|meta",
//	 "transport","raw":<message>}
//
// with "text" instead of "raw" for what is no JSON. Its frames are numbered
// by their place in the file, since its own numbers start again in each
// session; each session becomes a connection, in the order of appearance.
type snoop struct {
	base time.Time // the first line's time
	seed maphash.Seed
	ids  map[uint64]int // session → connection, while indexing
}

func (s *snoop) parse(line []byte, how trustIn, p *parsed) string {
	if how == verify && !wire.Valid(line) {
		return "it is no JSON"
	}
	var direction, label string
	var raw []byte
	wire.EachMember(line, func(key string, v []byte) bool {
		switch key {
		case "session_id":
			p.session = v
		case "server_label":
			label = wire.StringOf(v)
		case "ts":
			if t, err := time.Parse(time.RFC3339Nano, wire.StringOf(v)); err == nil {
				p.us, p.timed = t.Sub(s.base).Microseconds(), true
			}
		case "direction":
			direction = wire.StringOf(v)
		case "transport":
			p.via = snoopVia(wire.StringOf(v))
		case "raw":
			if raw = v; string(v) == "null" {
				raw = nil
			}
		case "text":
			p.text = v
		case "status":
			if n := wholeNumber(v); n > 0 {
				p.http = strconv.AppendInt([]byte(`{"status":`), n, 10)
				p.http = append(p.http, '}')
			}
		}
		return true
	})
	p.msg = raw
	switch {
	case raw != nil:
		p.text = nil
	case p.text == nil:
		p.text = []byte(`""`) // an empty text is left out
	}
	switch direction {
	case "c2s":
		p.dir = wire.Out
	case "s2c":
		p.dir = wire.In
	case "stderr":
		p.dir, p.via = wire.Err, "stdio"
	case "meta":
		// What it says of the session stands in "raw"; label is what it calls
		// the server.
		p.dir, p.via, p.name = wire.Note, "", "connect"
		p.data, p.msg, p.text = snoopMeta(raw, label), nil, nil
	default:
		p.word = direction
	}
	if how == trust {
		return ""
	}
	return p.check()
}

// snoopVia gives a stream its name. On HTTP the log does not say which stream
// a message came by, so it is told as one without order, number 0.
func snoopVia(transport string) string {
	if transport == "http" {
		return "http:post:0"
	}
	return intern([]byte(transport))
}

func snoopMeta(raw []byte, label string) []byte {
	if len(raw) > 0 && raw[0] == '{' {
		return raw
	}
	if label == "" {
		return nil
	}
	return append(appendString([]byte(`{"server":`), []byte(label)), '}')
}

// number returns the connection of a session.
func (s *snoop) number(session []byte) int {
	key := maphash.Bytes(s.seed, session)
	n, ok := s.ids[key]
	if !ok {
		n = min(len(s.ids)+1, maxConn)
		s.ids[key] = n
	}
	return n
}

// newSnoop recognises the log by one of its lines, and makes up the header
// that it lacks.
func newSnoop(line []byte) (*snoop, Header, bool) {
	s := &snoop{seed: maphash.MakeSeed(), ids: map[uint64]int{}}
	var p parsed
	if s.parse(line, verify, &p) != "" || p.session == nil || !p.timed {
		return nil, Header{}, false
	}
	s.base, _ = time.Parse(time.RFC3339Nano, wire.StringOf(wire.Member(line, "ts")))
	h := Header{Version: Version, ID: wire.StringOf(p.session), Started: s.base.UTC().Truncate(time.Microsecond), Tool: "mcpsnoop"}
	h.Target.Kind = "stdio"
	if wire.StringOf(wire.Member(line, "transport")) == "http" {
		h.Target.Kind = "http"
	}
	if label := wire.StringOf(wire.Member(line, "server_label")); label != "" && h.Target.Kind == "stdio" {
		h.Target.Command = []string{label}
	}
	if p.dir == wire.Note {
		meta := readTarget(p.data)
		if len(meta.Command) > 0 {
			h.Target.Command, h.Target.Cwd = meta.Command, meta.Cwd
		}
	}
	h.Target = RedactTarget(h.Target)
	return s, h, true
}

package record

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// format reads the lines of one kind of file: of a foreign one, or else of our
// own. It is no interface, so that p can stay on the stack.
type format struct{ foreign *snoop }

// parse reads the envelope of a line into p; why is "" or says in a few words
// why the line is no frame. With verify the line must be proved to be JSON;
// with trust it was, and flags are what parse then said of it.
func (f format) parse(line []byte, how trustIn, flags uint8, p *parsed) (why string) {
	if f.foreign != nil {
		return f.foreign.parse(line, how, p)
	}
	return parseLine(line, how, flags, p)
}

// trustIn says whether a line is known to be valid JSON.
type trustIn bool

const (
	verify trustIn = false
	trust  trustIn = true
)

// parsed is the envelope of a line. Its slices are views of the line.
type parsed struct {
	seq   int64 // 0: missing or odd
	us    int64
	timed bool // us was there
	conn  int  // 0: missing or odd
	dir   wire.Dir
	word  string // dir, where it is no known one
	via   string
	name  string
	data  []byte
	http  []byte

	msg, text, b64 []byte // raw
	// head, where it is set, takes the head of a message that is one object;
	// peeked says that it did.
	head   *wire.Head
	peeked bool
	ahead  Ahead // inspects the message, nil: nobody does
	slot   int   // its place there
	flags  uint8

	session []byte // of a foreign line: which session it belongs to
}

// frame makes a frame of the envelope, all but its place in the order. why
// says what makes it none.
func (p *parsed) frame(flags uint8) (f wire.Frame, why string) {
	why = p.into(&f, flags)
	return f, why
}

// into is frame into f.
func (p *parsed) into(f *wire.Frame, flags uint8) (why string) {
	*f = wire.Frame{Seq: p.seq, Conn: max(p.conn, 1), Dir: p.dir, Via: p.via, HTTP: p.http}
	if p.dir == wire.Note {
		f.Name, f.Data = p.name, p.data
	}
	switch {
	case p.msg != nil && (p.text == nil && p.b64 == nil || string(p.msg) != "null"):
		f.Form, f.Body = wire.Msg, p.msg
		if flags&flagRaw != 0 {
			f.Form = wire.Binary
		} else if p.peeked {
			f.Peek(p.head)
		}
	case p.text != nil:
		body, ok := unquote(p.text)
		if !ok {
			return "its text is no string"
		}
		f.Form, f.Body = wire.Text, body
	case p.b64 != nil:
		body, ok := unbase64(p.b64)
		if !ok {
			return "its b64 is no base64"
		}
		f.Form, f.Body = wire.Binary, body
	case p.dir != wire.Note:
		return "it has no message: neither msg, text nor b64"
	}
	return ""
}

// check says why a line that is valid JSON is no frame, or "". Unlike frame
// it decodes no text: that any JSON string can be decoded is known.
func (p *parsed) check() (why string) {
	switch {
	case p.dir == 0 && p.word == "":
		return "it has no direction (dir)"
	case p.dir == 0:
		return fmt.Sprintf("its direction %q is none of out, in, err, note", short(p.word))
	case p.msg == nil && p.text != nil && p.text[0] == '"':
		return ""
	case p.msg != nil && string(p.msg) != "null":
		if !utf8.Valid(p.msg) {
			p.flags |= flagRaw
		}
		return ""
	}
	_, why = p.frame(p.flags)
	return why
}

func short(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}

// unquote returns the value of a raw JSON string in memory of its own, where
// it has escapes, else a view.
func unquote(raw []byte) ([]byte, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return nil, false
	}
	in := raw[1 : len(raw)-1]
	if bytes.IndexByte(in, '\\') < 0 && utf8.Valid(in) {
		return in[:len(in):len(in)], true
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return nil, false
	}
	return []byte(s), true
}

// unbase64 decodes a raw JSON string of base64, padded or not.
func unbase64(raw []byte) ([]byte, bool) {
	s, ok := unquote(raw)
	if !ok {
		return nil, false
	}
	s = bytes.TrimRight(s, "=")
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(s)))
	n, err := base64.RawStdEncoding.Decode(out, s)
	return out[:n], err == nil
}

// parseLine reads a line of our own format (outputs.md, "Recording").
func parseLine(line []byte, how trustIn, flags uint8, p *parsed) string {
	s := scan{b: line, how: how, flags: flags}
	if how == verify {
		if s.usual(p) {
			return ""
		}
		s.i, s.loose, *p = 0, false, parsed{head: p.head, ahead: p.ahead, slot: p.slot}
	}
	if !s.object(p) {
		if how == verify && wire.Valid(line) {
			return "it is no JSON object"
		}
		return "it is no JSON"
	}
	if how == trust {
		return ""
	}
	return p.check()
}

// member reads the value of one member of a frame's line. What is unknown is
// stepped over (outputs.md: a reader ignores unknown members).
func (s *scan) member(key []byte, colon int, p *parsed) bool {
	switch string(key) {
	case "seq":
		return s.whole(&p.seq)
	case "conn":
		var n int64
		ok := s.whole(&n)
		if p.conn = int(n); n > maxConn {
			p.conn = 0
		}
		return ok
	case "t":
		return s.seconds(p)
	case "dir":
		v, ok := s.word()
		if p.dir, p.word = direction(v), ""; p.dir == 0 {
			p.word = string(v)
		}
		return ok
	case "via":
		v, ok := s.word()
		p.via = intern(v)
		return ok
	case "note":
		v, ok := s.word()
		p.name = string(v)
		return ok
	case "data":
		return s.part(&p.data)
	case "http":
		return s.part(&p.http)
	case "msg":
		return s.message(colon, p)
	case "text":
		return s.part(&p.text)
	case "b64":
		return s.part(&p.b64)
	}
	return s.value() != nil
}

func direction(v []byte) wire.Dir {
	switch string(v) {
	case "in":
		return wire.In
	case "out":
		return wire.Out
	case "err":
		return wire.Err
	case "note":
		return wire.Note
	}
	return 0
}

// intern spares a copy of the names that most frames have.
func intern(v []byte) string {
	switch string(v) {
	case "stdio":
		return "stdio"
	case "inproc":
		return "inproc"
	case "ws":
		return "ws"
	case "sse":
		return "sse"
	case "http:get:1":
		return "http:get:1"
	}
	return string(v)
}

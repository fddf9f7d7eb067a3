package conform

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

var (
	jsonInvalid = &Rule{
		ID: "json-invalid", Level: Error,
		Meaning: "Everything on the wire is a JSON-RPC 2.0 message.",
		Source:  "JSON-RPC 2.0; MCP, transports, over stdio “MUST NOT write anything to its stdout that is not a valid MCP message”",
		Mend:    "Write logs to stderr, each message on one line, and “jsonrpc”:“2.0” into each.",
	}
	jsonDuplicateKey = &Rule{
		ID: "json-duplicate-key", Level: Warning,
		Meaning: "No object has a key twice: readers differ in which one counts.",
		Source:  "RFC 8259 §4, “The names within an object SHOULD be unique”",
		Mend:    "Write each key once.",
	}
	jsonUTF8 = &Rule{
		ID: "json-utf8", Level: Warning,
		Meaning: "Messages are UTF-8.",
		Source:  "RFC 8259 §8.1; MCP, transports, “MUST be UTF-8 encoded”",
		Mend:    "Encode text as UTF-8.",
	}
	textControl = &Rule{
		ID: "text-control", Level: Warning,
		Meaning: "Text of a server has no characters that a terminal obeys, or that turn the direction of text.",
		Source:  "toolhints.md §7, “show it as data, with control characters made visible”",
		Mend:    "Take the characters out of the text.",
	}
)

// answersPost reports whether a body has to be a message: of an HTTP response
// that is no plain 200, it has not (MCP, Streamable HTTP).
func answersPost(f *wire.Frame) bool {
	if len(f.HTTP) == 0 {
		return true
	}
	status := wire.Member(f.HTTP, "status")
	return status == nil || string(status) == "200"
}

// unreadable judges a body that is no message.
func (j *Judge) unreadable(f *wire.Frame, c *conn) {
	at := j.here()
	who := sender(f)
	if f.Dir == wire.In && mayBeMessage(f.Body) {
		j.mayHaveSaid(c, f.Body)
	}
	if f.Form == wire.Binary {
		fixed := bytes.ToValidUTF8(f.Body, []byte("\uFFFD"))
		if wire.Valid(fixed) {
			if e := j.found(jsonUTF8, at, thing{}, who); e != nil {
				e.Message = fmt.Sprintf("A message of the %s is not UTF-8; it was skipped.", who)
				e.Expected = "UTF-8"
				e.Seen = quote(fixed)
			}
			return
		}
	}
	what := "no JSON"
	if b := bytes.TrimSpace(f.Body); b[0] == '{' || b[0] == '[' {
		what = "JSON that is broken or cut"
		if tooDeep(b) {
			what = "JSON that nests deeper than 10,000 levels"
		}
	}
	j.invalid(at, who, what, f.Body)
}

// tooDeep reports whether that is what keeps bytes from being read.
func tooDeep(b []byte) bool {
	depth, text := 0, false
	for i := 0; i < len(b) && depth <= 10_000; i++ {
		switch c := b[i]; {
		case c == '"':
			text = !text
		case text && c == '\\':
			i++
		case text:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return depth > 10_000
}

func sender(f *wire.Frame) string {
	if f.Dir == wire.Out {
		return "host"
	}
	return "server"
}

func (j *Judge) invalid(at spot, who, what string, raw []byte) {
	e := j.found(jsonInvalid, at, thing{}, who+" "+what)
	if e == nil {
		return
	}
	e.Seen = quote(bytes.ToValidUTF8(raw, []byte("\uFFFD")))
	e.Expected = `{"jsonrpc":"2.0",…}`
	e.Message = fmt.Sprintf("The %s sent what is no JSON-RPC message: %s. It says %s", who, what, strconv.Quote(cut(e.Seen, 60)))
}

// cutShort tells of a message that can be read, and was cut all the same: who
// reads by the rules of its transport drops it.
func (j *Judge) cutShort(at spot, why, seen string) {
	e := j.found(jsonInvalid, at, thing{}, "cut")
	if e == nil {
		return
	}
	e.Seen = quote([]byte(seen))
	e.Expected = "the message to its end"
	e.Message = fmt.Sprintf("A message of the server was cut: %s. It says %s", cut(why, 160), strconv.Quote(cut(e.Seen, 60)))
}

// mayBeMessage reports whether bytes that cannot be read may stand for a
// message, or hold one: cut, or behind what another writer left on the line. A
// line of a log does not, so that it puts nothing in doubt that was said before.
func mayBeMessage(body []byte) bool {
	b := bytes.TrimSpace(body)
	return len(b) == 0 || b[0] == '{' || b[0] == '[' || bytes.Contains(b, []byte(`"jsonrpc"`))
}

// mayHaveSaid takes in what can be guessed of a message that could not be
// read: which request it answered, and which rev it had. What it said is
// lost, and that is found already.
func (j *Judge) mayHaveSaid(c *conn, body []byte) {
	c.doubt = true
	if id := valueAfter(body, `"id"`); id != nil {
		if call, _ := c.calls.get([]byte(wire.ID(id).Key())); call != nil {
			c.answered(call)
		}
	}
	if rev, err := strconv.ParseInt(string(valueAfter(body, `"rev"`)), 10, 64); err == nil {
		c.unreadRev(rev)
	}
}

// blanks are the bytes that may stand between the values of JSON.
const blanks = " \t\r\n"

// valueAfter returns the number or the string after a key and a colon.
func valueAfter(body []byte, key string) []byte {
	i := bytes.Index(body, []byte(key))
	if i < 0 {
		return nil
	}
	v, colon := bytes.CutPrefix(bytes.TrimLeft(body[i+len(key):], blanks), []byte(":"))
	if !colon {
		return nil
	}
	if v = bytes.TrimLeft(v, blanks); len(v) > 0 && v[0] == '"' {
		if k := bytes.IndexByte(v[1:], '"'); k >= 0 && k < maxName {
			return v[:k+2]
		}
		return nil
	}
	end := 0
	for end < len(v) && (v[end]-'0' <= 9 || v[end] == '-') {
		end++
	}
	if end == 0 || end == len(v) { // cut off, it may go on
		return nil
	}
	return v[:end]
}

// wellFormed judges a message as JSON-RPC. It reports whether it is one, or
// near enough to be taken for one.
func (j *Judge) wellFormed(m *message, at spot) bool {
	if m.fault != "" {
		j.invalid(at, sender(j.f), m.fault, j.tree.Raw(m.Root))
	}
	return !m.none
}

// bytesOf judges the bytes of the frame's body, beyond its being JSON.
func (j *Judge) bytesOf(at spot) {
	t := j.tree
	if t.Twice != nil {
		name := cut(string(t.Twice), 80)
		if f := j.found(jsonDuplicateKey, at, thing{}, sender(j.f)+" "+name); f != nil {
			f.Message = fmt.Sprintf("An object in a message of the %s has the key %s twice; of two, the last one counts here.", sender(j.f), quoteJSON(name))
			f.Expected = "each key once"
			f.Seen = quote(t.Bytes)
		}
	}
	if j.f.Dir != wire.In {
		return
	}
	if t.Control >= 0 {
		where, th := j.saidIn()
		if f := j.found(textControl, at, th, where); f != nil {
			f.Message = fmt.Sprintf("Text in %s has the character U+%04X, which a terminal obeys; it is shown escaped.", place(where, th), t.Control)
			f.Expected = "text without control characters, but tab and line break"
			f.Seen = quote(bytes.ToValidUTF8(around(t.Bytes, t.ControlAt), []byte("\uFFFD")))
		}
	}
	j.secrets(t.Bytes, t.Long, at)
}

// saidIn names the first message of the frame, and what it is about.
func (j *Judge) saidIn() (string, thing) {
	switch {
	case j.f.Dir == wire.Err:
		return "stderr", thing{}
	case len(j.msgs) == 0:
		return "a message", thing{}
	}
	m := &j.msgs[0]
	switch {
	case len(m.name) > 0:
		return cut(string(m.name), 80), thing{}
	case m.call != nil:
		return "the answer to " + cut(m.call.name, 80), m.call.about()
	}
	return "an answer", thing{}
}

// place is where something was said, with what it was about.
func place(where string, th thing) string {
	if s := th.cut().words(); s != "" {
		return where + " (" + s + ")"
	}
	return where
}

// around is a piece of bytes with some before and after a place.
func around(b []byte, at int) []byte {
	return b[max(0, at-60):min(len(b), at+120)]
}

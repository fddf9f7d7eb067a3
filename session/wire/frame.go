// Package wire holds what every other package speaks of: the Frame, one
// message of a connection with its bytes, direction, time and place in the
// order; the scanner that cuts a byte stream into lines of any length; Peek,
// which reads kind, method and id off raw bytes without decoding the rest; and
// the Tree, for those who ask more of a message than that.
//
// It keeps bytes as they were: nothing here re-encodes, reorders or
// normalises a message. It knows JSON-RPC, and nothing of MCP or MCPL.
package wire

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"
)

// Dir says which way a frame went.
type Dir uint8

// The directions of a frame, as in a recording's "dir" member.
const (
	Out  Dir = iota + 1 // host to server
	In                  // server to host
	Err                 // a line that the server wrote to stderr
	Note                // the debugger's own: connect, closed, mark, …
)

var dirNames = [...]string{Out: "out", In: "in", Err: "err", Note: "note"}

// String returns the name that a recording uses: out, in, err or note.
func (d Dir) String() string {
	if int(d) < len(dirNames) && dirNames[d] != "" {
		return dirNames[d]
	}
	return "unknown"
}

// ParseDir is the inverse of String; ok is false for any other word.
func ParseDir(s string) (d Dir, ok bool) {
	for i, n := range dirNames {
		if n != "" && n == s {
			return Dir(i), true
		}
	}
	return 0, false
}

// Form says how a frame's body can stand in a recording.
type Form uint8

// The forms of a body.
const (
	None   Form = iota // no body (notes)
	Msg                // valid JSON on one line: kept byte for byte as "msg"
	Text               // any other UTF-8: kept as a string, "text"
	Binary             // not UTF-8: kept as base64, "b64"
)

// FormOf returns the form in which body is recorded.
func FormOf(body []byte) Form {
	var p proof
	return p.form(body, p.whole(body))
}

// form returns the form of a body that was proved to be JSON, or not to be.
func (p *proof) form(body []byte, valid bool) Form {
	switch {
	case (p.high || !valid) && !utf8.Valid(body):
		return Binary
	case valid && (!p.breaks || bytes.IndexByte(body, '\n') < 0 && bytes.IndexByte(body, '\r') < 0):
		return Msg
	default:
		return Text
	}
}

// Inspect is FormOf, Valid and, where the body is one JSON object, Peek into
// head, in one pass over its bytes. one is false, and head is not to be used,
// where the body is anything else.
func Inspect(body []byte, head *Head) (form Form, valid, one bool) {
	*head = Head{}
	var p proof
	valid, one = p.head(body, head)
	return p.form(body, valid), valid, one
}

// Frame is one message of the wire, one line of stderr, or one event of the
// debugger's own, with its place in the order of a session. Frames are
// immutable once made: Body, Data and HTTP are never written to.
type Frame struct {
	Seq  int64         // 1, 2, 3, … within the session
	T    time.Duration // since the session started, whole microseconds, never falling
	Conn int           // connection number within the session, from 1
	Dir  Dir
	Via  string // stdio, ws, inproc, sse, http:post:N, http:get:N; empty for most notes
	Form Form
	Body []byte // the bytes as they were on the wire, without the line's end
	Name string // for notes: connect, connected, closed, hold-expired, mark, …
	Data []byte // for notes: a JSON object, or nil
	HTTP []byte // {"status":…,"headers":…} with secrets taken out, or nil

	head *Head // of the one message in Body, where it was read already
}

// Peeked returns the frame with the head of its body, which must be one
// message, so that Messages need not read it again. h must stay as it is for
// as long as the frame is used.
func (f Frame) Peeked(h *Head) Frame {
	f.head = h
	return f
}

// Peek is Peeked for a frame that is being made.
func (f *Frame) Peek(h *Head) { f.head = h }

// Ordered reports whether frames of this stream arrive in the order in which
// the server sent them (toolhints.md §7): true for everything but Streamable
// HTTP, whose messages travel on several streams.
func (f Frame) Ordered() bool { return !strings.HasPrefix(f.Via, "http:") }

// Head returns the head that Peeked was given, nil where none was.
func (f *Frame) Head() *Head { return f.head }

// IsMessage reports whether the frame is something that stood on the wire as
// a message (rather than stderr or a note), readable or not.
func (f Frame) IsMessage() bool { return f.Dir == In || f.Dir == Out }

// Messages calls yield for each JSON-RPC message of the frame: once for an
// ordinary message, once for each member of a batch, never for stderr, notes
// and bytes that are no JSON. A pretty-printed body (form Text) counts.
func (f Frame) Messages(yield func(Head) bool) {
	if !f.IsMessage() || (f.Form != Msg && f.Form != Text) {
		return
	}
	if f.head != nil {
		yield(*f.head)
		return
	}
	if f.Form == Text && !Valid(f.Body) {
		return
	}
	eachMessage(f.Body, yield)
}

package session

import (
	"bytes"
	"fmt"
	"sync"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// instead is what came of the server while its first answer was waited for:
// where that does not come, it says more than the silence does.
type instead struct {
	mu       sync.Mutex
	echo     bool    // the host's own first request came back
	answer   wire.ID // of the first answer to something else, "": none
	accepted bool    // HTTP 202
	binary   string  // bytes of a binary frame, as its note has them
	noJSON   []byte  // the first line that is no JSON
	noRPC    []byte  // the first JSON that is no message
}

// errEcho ends a connection to a program that only repeats what it reads.
const errEcho = protocolError("the program sends back what it is sent, as cat does: it is no MCP server")

// take looks at one thing that came. h is its message where it is one.
func (in *instead) take(f wire.Frame, h wire.Head, one, valid bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	switch {
	case one:
		in.message(f, h)
	case valid:
		for h := range f.Messages {
			in.message(f, h)
		}
	case in.noJSON == nil:
		in.noJSON = begins(f.Body)
	}
}

func (in *instead) message(f wire.Frame, h wire.Head) {
	switch {
	case h.Kind == wire.Request && (h.Method == mcpl.MethodInitialize || h.Method == mcpl.MethodDiscover):
		in.echo = true // no server asks that
	case (h.Kind == wire.Result || h.Kind == wire.Error) && in.answer == "":
		if in.answer = wire.ID(begins([]byte(h.ID))); in.answer == "" {
			in.answer = "null"
		}
	case h.Kind == wire.Invalid && in.noRPC == nil:
		in.noRPC = begins(f.Body)
	}
}

// noted looks at what a link tells in a note.
func (in *instead) noted(name string, data []byte) {
	in.mu.Lock()
	defer in.mu.Unlock()
	switch {
	case name == "binary" && in.binary == "":
		in.binary = string(wire.Member(data, "bytes"))
	case name == "stream" && wire.StringOf(wire.Member(data, "state")) == streamAccepted:
		in.accepted = true
	}
}

// begins is enough of a text to be told, in memory of its own.
func begins(body []byte) []byte { return bytes.Clone(body[:min(len(body), 4*maxQuoted)]) }

// echoed reports whether the host's own request came back.
func (in *instead) echoed() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.echo
}

// words say what came, "" where nothing did. left is a line that has no end
// so far.
func (in *instead) words(r *request, left unfinished) string {
	in.mu.Lock()
	defer in.mu.Unlock()
	switch {
	case in.echo:
		return "its own request came back, as from cat"
	case in.answer == "null":
		return "an answer without an id came"
	case wire.ID(in.answer.String()).Key() == r.key():
		return fmt.Sprintf("an answer came with the id %s, a text, where the request has the number %s", cutText(string(in.answer)), r.key())
	case in.answer != "":
		return fmt.Sprintf("an answer came with the id %s, where the request has the id %s", cutText(string(in.answer)), r.key())
	case in.accepted:
		return "HTTP 202 came, which is for messages that want no answer"
	case in.binary != "":
		return "a binary frame of " + in.binary + " bytes came, where messages are text frames"
	case left.n > 0:
		return fmt.Sprintf("%d bytes came of a line without its end (a newline): %s", left.n, quoted(left.head))
	case in.noJSON != nil:
		return "what came is no JSON: " + quoted(in.noJSON)
	case in.noRPC != nil:
		return "what came is JSON, but no message of JSON-RPC: " + quoted(in.noRPC)
	}
	return ""
}

// expect begins to look at what comes in place of the first answer.
func (c *conn) expect() *instead {
	in := &instead{}
	c.instead.Store(in)
	return in
}

// unansweredYet notes that the first answer did not come in time, with what
// came instead, and returns the sentence for the user.
func (c *conn) unansweredYet(r *request, in *instead, limit time.Duration) error {
	var left unfinished
	if link, ok := c.link.(interface{ Unfinished() unfinished }); ok {
		left = link.Unfinished()
	}
	words := in.words(r, left)
	about := []member{{"id", []byte(r.key())}}
	if words != "" {
		about = append(about, member{"instead", encode(words)})
	}
	c.note("timeout", obj(about...))
	if words == "" {
		return timeoutError(r.method, limit)
	}
	return fmt.Errorf("no answer to %s within %s, but %s; --timeout changes the limit", r.method, limit, words)
}

// unfinished is a line that has come without its end so far.
type unfinished struct {
	n    int    // bytes of it
	head []byte // its first bytes
}

// lastLine follows where the last line of a stream stands. The reader of the
// stream feeds it, others may look.
type lastLine struct {
	mu   sync.Mutex
	left unfinished
}

func (l *lastLine) read(p []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := bytes.LastIndexByte(p, '\n'); i >= 0 {
		p = p[i+1:]
		l.left = unfinished{head: l.left.head[:0]}
	}
	l.left.n += len(p)
	l.left.head = append(l.left.head, p[:min(len(p), 4*maxQuoted-len(l.left.head))]...)
}

func (l *lastLine) get() unfinished {
	l.mu.Lock()
	defer l.mu.Unlock()
	return unfinished{l.left.n, bytes.Clone(l.left.head)}
}

package session

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// webPeer is a Streamable HTTP server that is written by hand.
type webPeer struct {
	t       testing.TB
	srv     *httptest.Server
	session string // handed out with the answer to initialize
	// post and get answer first; post returns true where it did. Without get
	// there is no listening stream.
	post func(c *webCall) bool
	get  func(c *webCall)

	mu    sync.Mutex
	calls []*webCall
}

// webCall is one HTTP request.
type webCall struct {
	p    *webPeer
	w    http.ResponseWriter
	r    *http.Request
	body []byte
	head wire.Head
}

func newWebPeer(t testing.TB, set func(*webPeer)) *webPeer {
	t.Helper()
	p := &webPeer{t: t, session: "session-0123456789"}
	p.srv = httptest.NewUnstartedServer(p)
	if set != nil {
		set(p)
	}
	p.srv.Start()
	t.Cleanup(func() {
		p.srv.CloseClientConnections()
		p.srv.Close()
	})
	return p
}

func (p *webPeer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	c := &webCall{p: p, w: w, r: r, body: body, head: wire.Peek(orNull(body))}
	p.mu.Lock()
	p.calls = append(p.calls, c)
	p.mu.Unlock()
	switch {
	case r.Method == http.MethodPost && (p.post == nil || !p.post(c)):
		c.usual()
	case r.Method == http.MethodGet && p.get != nil:
		p.get(c)
	case r.Method == http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func orNull(b []byte) []byte {
	if wire.Valid(b) {
		return b
	}
	return []byte("null")
}

// usual answers as a good server does, in one JSON body.
func (c *webCall) usual() {
	if c.head.Kind != wire.Request {
		c.w.WriteHeader(http.StatusAccepted)
		return
	}
	c.json(c.answer())
}

// answer is what a good server says to the request.
func (c *webCall) answer() string {
	var b bytes.Buffer
	(&peerEnd{w: &b}).usual(hintManifest, c.head)
	return strings.TrimSpace(b.String())
}

func (c *webCall) json(body string) {
	c.header("application/json")
	_, _ = io.WriteString(c.w, body)
}

func (c *webCall) header(kind string) {
	c.w.Header().Set("Content-Type", kind)
	if c.head.Method == mcpl.MethodInitialize && c.p.session != "" {
		c.w.Header().Set("Mcp-Session-Id", c.p.session)
	}
}

// stream begins a stream of events.
func (c *webCall) stream() {
	c.header("text/event-stream")
	c.w.WriteHeader(http.StatusOK)
	c.flush()
}

func (c *webCall) flush() { c.w.(http.Flusher).Flush() }

// say sends one event.
func (c *webCall) say(format string, args ...any) {
	_, _ = fmt.Fprintf(c.w, "data: "+format+"\n\n", args...) // the host may be gone
	c.flush()
}

// raw sends bytes as they are.
func (c *webCall) raw(text string) {
	_, _ = io.WriteString(c.w, text)
	c.flush()
}

// cut breaks the connection off.
func (c *webCall) cut() { panic(http.ErrAbortHandler) }

// hold keeps the response open until the host, or the test, is gone.
func (c *webCall) hold() { <-c.r.Context().Done() }

// seen returns the requests of a method so far: POST, or a method of MCP.
func (p *webPeer) seen(method string) []*webCall {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []*webCall
	for _, c := range p.calls {
		if c.r.Method == method || c.head.Method == method {
			out = append(out, c)
		}
	}
	return out
}

// at lets the session connect to an address.
func at(kind, url string) option {
	return func(c *Config) { c.Target = Target{Kind: kind, URL: url} }
}

// overHTTP connects to a peer, with its handshake done.
func overHTTP(t testing.TB, set func(*webPeer), opts ...option) (*Session, *sink, *webPeer) {
	t.Helper()
	p := newWebPeer(t, set)
	s, frames := ready(t, append([]option{at(KindHTTP, p.srv.URL+"/mcp")}, opts...)...)
	return s, frames, p
}

// onCall is a post that takes the calls of a tool, and leaves the rest.
func onCall(take func(*webCall)) func(*webCall) bool {
	return func(c *webCall) bool {
		if c.head.Method != mcpl.MethodToolsCall {
			return false
		}
		take(c)
		return true
	}
}

// noteHas matches a note by its name and a part of its data.
func noteHas(name, part string) func(wire.Frame) bool {
	return func(f wire.Frame) bool {
		return f.Dir == wire.Note && f.Name == name && bytes.Contains(f.Data, []byte(part))
	}
}

package session

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// ssePeer is a server of the older transport that is written by hand.
type ssePeer struct {
	*webPeer
	stream atomic.Pointer[webCall]
}

// newSSEPeer answers on the stream, as a good server does, what on does not
// take.
func newSSEPeer(t testing.TB, on func(p *ssePeer, c *webCall) bool) *ssePeer {
	t.Helper()
	p := &ssePeer{}
	p.webPeer = newWebPeer(t, func(w *webPeer) {
		w.session = ""
		w.get = func(c *webCall) {
			p.mu.Lock()
			c.stream()
			c.raw("event: endpoint\ndata: /messages?sessionId=hunter2hunter2\n\n")
			p.stream.Store(c)
			p.mu.Unlock()
			c.hold()
		}
		w.post = func(c *webCall) bool {
			if on != nil && on(p, c) {
				return true
			}
			p.take(c)
			return true
		}
	})
	return p
}

func (p *ssePeer) take(c *webCall) {
	c.w.WriteHeader(http.StatusAccepted)
	_, _ = io.WriteString(c.w, "Accepted")
	c.flush()
	if c.head.Kind == wire.Request {
		p.say("%s", c.answer())
	}
}

// say sends an event on the stream.
func (p *ssePeer) say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stream.Load().say(format, args...)
}

func (p *ssePeer) address() option { return at(KindSSE, "sse+"+p.srv.URL+"/sse") }

func TestOverSSEEveryRequestOfTheServerReachesTheTapAndIsAnswered(t *testing.T) {
	p := newSSEPeer(t, func(p *ssePeer, c *webCall) bool {
		if c.head.Method == mcpl.MethodToolsCall {
			p.say(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, c.head.ID) // the id of the call itself
			p.say(`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`)
			p.say(`{"jsonrpc":"2.0","id":1e2,"method":"strange"}`)
		}
		return false
	})
	s, frames := ready(t, p.address())
	if o := s.Run(t.Context(), "call status"); !o.OK {
		t.Fatalf("the call: %s", o.JSON())
	}
	call := frames.wait(t, "the call", has(wire.Out, `"tools/call"`))
	for _, id := range []string{string(wire.Peek(call.Body).ID), "9007199254740993", "1e2"} {
		answering(t, frames, id)
		waitUntil(t, func() bool {
			for _, c := range p.seen(http.MethodPost) {
				if c.head.Kind != wire.Request && string(c.head.ID) == id {
					return true
				}
			}
			return false
		})
	}
	for _, f := range frames.all() {
		if f.IsMessage() && f.Via != "sse" {
			t.Errorf("%s came via %s", f.Body, f.Via)
		}
		if strings.Contains(fmt.Sprintf("%s %s", f.Data, f.HTTP), "hunter2") {
			t.Errorf("the session is recorded: %s", f.Data)
		}
	}
	frames.wait(t, "the address to post to", noteHas("connected", `/messages?sessionId=***`))
	for _, c := range p.seen(http.MethodPost) {
		if c.r.URL.RequestURI() != "/messages?sessionId=hunter2hunter2" {
			t.Errorf("a message was posted to %s", c.r.URL)
		}
	}
}

func TestAnSSEServerOfMCPGoIsSpokenTo(t *testing.T) {
	var handler atomic.Pointer[server.SSEServer]
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.Load().ServeHTTP(w, r) }))
	handler.Store(server.NewSSEServer(libraryServer(), server.WithBaseURL(srv.URL)))
	t.Cleanup(srv.Close)
	t.Cleanup(srv.CloseClientConnections)
	tryLibrary(t, KindSSE, "sse+"+srv.URL+"/sse")
}

func TestAnSSEStreamThatEndsEndsTheConnectionAndItsCalls(t *testing.T) {
	for name, end := range map[string]func(*ssePeer){
		"killed": func(p *ssePeer) { _ = p.srv.Listener.Close(); p.srv.CloseClientConnections() },
		"cut":    func(p *ssePeer) { p.srv.CloseClientConnections() },
	} {
		t.Run(name, func(t *testing.T) {
			called := make(chan struct{})
			p := newSSEPeer(t, func(_ *ssePeer, c *webCall) bool {
				if c.head.Method != mcpl.MethodToolsCall {
					return false
				}
				c.w.WriteHeader(http.StatusAccepted)
				close(called)
				return true
			})
			s, frames := ready(t, p.address())
			go func() { <-called; end(p) }()
			failsWith(t, s, "`reconnect` connects again")
			frames.wait(t, "the end", noteIs("closed"))
		})
	}
}

func TestAPostThatIsRefusedOverSSEFailsItsCallAlone(t *testing.T) {
	p := newSSEPeer(t, func(_ *ssePeer, c *webCall) bool {
		if c.head.Method != mcpl.MethodToolsCall {
			return false
		}
		http.Error(c.w, "not so fast", http.StatusTooManyRequests)
		return true
	})
	s, frames := ready(t, p.address())
	failsWith(t, s, "the server answered 429 Too Many Requests: not so fast")
	frames.wait(t, "the body", has(wire.In, "not so fast"))
	goesOn(t, s)
}

func TestAnSSEStartThatFailsIsToldInWords(t *testing.T) {
	for name, c := range map[string]struct {
		get  func(*webCall)
		want string
	}{
		"401":             {func(c *webCall) { http.Error(c.w, "no", http.StatusUnauthorized) }, "the server answered 401 Unauthorized: no"},
		"no stream":       {func(c *webCall) { c.json("{}") }, "and no stream of events"},
		"another origin":  {func(c *webCall) { c.stream(); c.raw("event: endpoint\ndata: http://127.0.0.1:1/x\n\n"); c.hold() }, "which is another origin"},
		"it ends":         {func(c *webCall) { c.stream() }, "before it said where to post to"},
		"it says nothing": {func(c *webCall) { c.stream(); c.hold() }, "did not say within 50ms where to post to"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newWebPeer(t, func(p *webPeer) { p.get = c.get })
			s, _ := open(t, at(KindSSE, "sse+"+p.srv.URL+"/sse"), func(cfg *Config) { cfg.Timeout = 50 * time.Millisecond })
			if err := s.WaitReady(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if n := len(p.seen(http.MethodPost)); n > 0 {
				t.Errorf("%d messages were posted", n)
			}
		})
	}
}

package session

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
)

// relay carries connections to an address. Those that are frozen stay open
// and carry nothing any more, in either direction: what a network that went
// away, or a machine that sleeps, leaves behind.
type relay struct {
	l  net.Listener
	to string

	mu     sync.Mutex
	conns  []net.Conn
	frozen map[net.Conn]bool
}

func newRelay(t testing.TB, address string) (r *relay, through string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r = &relay{l: l, to: u.Host, frozen: map[net.Conn]bool{}}
	var work sync.WaitGroup
	work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			work.Go(func() { r.carry(c) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		r.mu.Lock()
		for _, c := range r.conns {
			_ = c.Close()
		}
		r.mu.Unlock()
		work.Wait()
	})
	u.Host = l.Addr().String()
	return r, u.String()
}

func (r *relay) carry(in net.Conn) {
	out, err := net.Dial("tcp", r.to)
	if err != nil {
		_ = in.Close()
		return
	}
	r.mu.Lock()
	r.conns = append(r.conns, in, out)
	r.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { r.copy(out, in, in) })
	both.Go(func() { r.copy(in, out, in) })
	both.Wait()
}

func (r *relay) copy(to, from, key net.Conn) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if r.isFrozen(key) {
			_, _ = io.Copy(io.Discard, from) // it is taken, and goes nowhere
			return
		}
		if n > 0 {
			_, _ = to.Write(buf[:n])
		}
		if err != nil {
			_ = to.Close()
			_ = from.Close()
			return
		}
	}
}

func (r *relay) isFrozen(c net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.frozen[c]
}

// freeze stops what is carried now; what is opened later is carried.
func (r *relay) freeze() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.conns {
		r.frozen[c] = true
	}
}

// A connection that is half open tells nobody. A call on it ends with its time
// limit, the bytes so far are kept, and the user goes on by another one.
func TestAConnectionThatIsHalfOpenHoldsUpNoCallForEverAndCanBeReplaced(t *testing.T) {
	streamable := newWebPeer(t, func(p *webPeer) { p.get = func(c *webCall) { c.stream(); c.hold() } })
	older := newSSEPeer(t, nil)
	socket := wsServer(t, nil, func(c *websocket.Conn, _ *http.Request) { good(wsPeerEnd(c)) })
	for kind, c := range map[string]struct{ address, path string }{
		KindHTTP: {streamable.srv.URL, "/mcp"}, KindSSE: {"sse+" + older.srv.URL, "/sse"}, KindWS: {socket, ""},
	} {
		t.Run(kind, func(t *testing.T) {
			r, through := newRelay(t, c.address)
			s, frames := ready(t, at(kind, through+c.path))
			if o := s.Run(t.Context(), "raw ping"); !o.OK {
				t.Fatalf("%s", o.JSON())
			}
			r.freeze()
			o := s.Run(t.Context(), "timeout 300ms raw ping")
			if o.OK || o.Err == nil || !strings.Contains(o.Err.Message, "within 300ms") {
				t.Errorf("the call on a dead connection ended with %s", o.JSON())
			}
			frames.wait(t, "the time-out", noteIs("timeout"))
			if o := s.Run(t.Context(), "reconnect"); !o.OK {
				t.Fatalf("%s", o.JSON())
			}
			if o := s.Run(t.Context(), "raw ping"); !o.OK {
				t.Errorf("the new connection: %s", o.JSON())
			}
		})
	}
}

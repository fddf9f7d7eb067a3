package session

import (
	"compress/gzip"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// onSSECall is what a peer does with the calls of a tool.
func onSSECall(f func(p *ssePeer, c *webCall)) func(*ssePeer, *webCall) bool {
	return func(p *ssePeer, c *webCall) bool {
		if c.head.Method != mcpl.MethodToolsCall {
			return false
		}
		c.w.WriteHeader(http.StatusAccepted)
		c.flush()
		f(p, c)
		return true
	}
}

func TestOverSSEAThousandCallsInFlightAreAllAnswered(t *testing.T) {
	const calls = 1000
	var mu sync.Mutex
	var waiting []*webCall
	p := newSSEPeer(t, onSSECall(func(p *ssePeer, c *webCall) {
		mu.Lock()
		defer mu.Unlock()
		if waiting = append(waiting, c); len(waiting) < calls {
			return
		}
		for i := range waiting {
			p.say("%s", waiting[calls-1-i].answer())
		}
	}))
	s, frames := ready(t, p.address())
	for range calls {
		if o := s.Run(t.Context(), "call status &"); !o.OK {
			t.Fatalf("%s", o.JSON())
		}
	}
	if o := s.Run(t.Context(), "wait calls"); !o.OK {
		t.Fatalf("%s", o.JSON())
	}
	if n := count(frames.all(), has(wire.In, `"result":{}`)); n < calls {
		t.Errorf("%d answers are recorded", n)
	}
}

func TestOverSSEAMessageThatNeverEndsIsRefusedWithTheSizeThatWasReached(t *testing.T) {
	called := make(chan struct{})
	p := &ssePeer{}
	p.webPeer = newWebPeer(t, func(w *webPeer) {
		w.session = ""
		w.get = func(c *webCall) {
			p.mu.Lock()
			c.stream()
			c.raw("event: endpoint\ndata: /messages\n\n")
			p.stream.Store(c)
			p.mu.Unlock()
			select {
			case <-called:
			case <-c.r.Context().Done():
				return
			}
			c.raw(`data: {"jsonrpc":"2.0","id":1,"result":"`)
			junk := []byte(strings.Repeat("x", 64<<10))
			for {
				if _, err := c.w.Write(junk); err != nil {
					return
				}
			}
		}
		w.post = func(c *webCall) bool {
			if !onSSECall(func(*ssePeer, *webCall) { close(called) })(p, c) {
				p.take(c)
			}
			return true
		}
	})
	s, frames := ready(t, p.address(), func(c *Config) { c.longest = 1 << 20 })
	failsWith(t, s, "more than 1 MiB came")
	frames.wait(t, "the end of the connection, which has no other stream", noteIs("closed"))
	for _, f := range frames.all() {
		if len(f.Body) > 1<<20+64<<10 {
			t.Errorf("a frame of %d bytes is kept", len(f.Body))
		}
	}
}

func TestOverSSEAnotherOriginGetsNoCredentialsByARedirect(t *testing.T) {
	other := newSSEPeer(t, nil)
	home := newWebPeer(t, func(p *webPeer) {
		p.get = func(c *webCall) {
			http.Redirect(c.w, c.r, other.srv.URL+"/sse", http.StatusTemporaryRedirect)
		}
	})
	s, _ := open(t, at(KindSSE, "sse+"+home.srv.URL+"/sse"), func(c *Config) {
		c.Token = "hunter2"
		c.Header = []Header{{"X-Api-Key", "hunter2"}, {"Cookie", "hunter2"}}
	})
	_ = s.WaitReady(t.Context()) // whether it is followed is not the point
	if asked := home.seen(http.MethodGet); len(asked) == 0 || asked[0].r.Header.Get("Authorization") != "Bearer hunter2" {
		t.Fatalf("the address itself was asked %d times, or without its token", len(asked))
	}
	for _, c := range append(other.seen(http.MethodGet), other.seen(http.MethodPost)...) {
		for name, values := range c.r.Header {
			if strings.Contains(strings.Join(values, " "), "hunter2") {
				t.Errorf("another origin gets %s", name)
			}
		}
	}
}

func TestOverSSEAStreamThatIsPackedThoughNobodyAskedIsUnpacked(t *testing.T) {
	var mu sync.Mutex
	var z *gzip.Writer
	say := func(c *webCall, text string) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = z.Write([]byte(text))
		_ = z.Flush()
		c.flush()
	}
	var stream *webCall
	p := newWebPeer(t, func(p *webPeer) {
		p.session = ""
		p.get = func(c *webCall) {
			c.w.Header().Set("Content-Encoding", "gzip")
			c.stream()
			mu.Lock()
			z, stream = gzip.NewWriter(c.w), c
			mu.Unlock()
			say(c, "event: endpoint\ndata: /messages\n\n")
			c.hold()
		}
		p.post = func(c *webCall) bool {
			c.w.WriteHeader(http.StatusAccepted)
			c.flush()
			if c.head.Kind == wire.Request {
				say(stream, "data: "+c.answer()+"\n\n")
			}
			return true
		}
	})
	s, _ := ready(t, at(KindSSE, "sse+"+p.srv.URL+"/sse"))
	if o := s.Run(t.Context(), "call status"); !o.OK {
		t.Errorf("the call: %s", o.JSON())
	}
}

func TestOverSSEAServerThatDoesNotReadHoldsNobodyForEver(t *testing.T) {
	release := make(chan struct{})
	p := newSSEPeer(t, nil)
	inner := p.srv.Config.Handler
	p.srv.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > 8<<20 {
			<-release // without reading a byte
		}
		inner.ServeHTTP(w, r)
	})
	s, frames := ready(t, p.address())
	big := `call status {"x":"` + strings.Repeat("z", 16<<20) + `"} &`
	if o := s.Run(t.Context(), big); !o.OK {
		t.Fatal("it was not sent")
	}
	p.say(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":77}}`)
	frames.wait(t, "what the server says meanwhile", has(wire.In, `"rev":77`))
	close(release)
	if o := s.Run(t.Context(), "wait calls"); !o.OK {
		t.Errorf("%.200s", o.JSON())
	}
	goesOn(t, s)
}

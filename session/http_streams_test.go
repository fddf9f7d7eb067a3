package session

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestTheListeningStreamIsOpenedKeptAndResumedWhereItBroke(t *testing.T) {
	var opened atomic.Int32
	_, frames, p := overHTTP(t, func(p *webPeer) {
		p.get = func(c *webCall) {
			n := opened.Add(1)
			c.stream()
			if n == 1 {
				c.raw("retry: 10\nid: first\ndata:\n\n")
				c.raw("id: second\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"one\"}\n\n")
				c.raw("id: third\ndata: {\"jsonrpc\":\"2.0\",\"meth") // cut: its place does not count
				c.cut()
			}
			c.say(`{"jsonrpc":"2.0","id":"q","method":"ping"}`)
			c.hold()
		}
	})
	one := frames.wait(t, "what the server says of itself", has(wire.In, `"method":"one"`))
	if one.Via != "http:get:1" {
		t.Errorf("it came via %s", one.Via)
	}
	if id := wire.StringOf(wire.Member(one.HTTP, "status")); id != "" {
		t.Errorf("%s", one.HTTP)
	}
	answering(t, frames, `"q"`)
	gets := p.seen(http.MethodGet)
	if len(gets) != 2 || gets[0].r.Header.Get("Last-Event-ID") != "" || gets[1].r.Header.Get("Last-Event-ID") != "second" {
		t.Errorf("%d streams were opened, the last from %q", len(gets), gets[len(gets)-1].r.Header.Get("Last-Event-ID"))
	}
	if gets[1].r.Header.Get("Mcp-Session-Id") != p.session || gets[1].r.Header.Get("Accept") != "text/event-stream" {
		t.Errorf("it was opened with %v", gets[1].r.Header)
	}
	var states []string
	for _, f := range frames.all() {
		if f.Name == "stream" {
			states = append(states, wire.StringOf(wire.Member(f.Data, "via"))+" "+wire.StringOf(wire.Member(f.Data, "state")))
		}
	}
	want := []string{"http:get:1 open", "http:get:1 closed", "http:get:1 waiting", "http:get:2 open"}
	if !slices.Equal(states, want) {
		t.Errorf("the notes tell %v, want %v", states, want)
	}
	frames.wait(t, "the rest that the server asked for", noteHas("stream", `"seconds":0.01`))
}

func TestAServerWithoutListeningStreamIsToldToHaveNone(t *testing.T) {
	s, frames, _ := overHTTP(t, nil)
	f := frames.wait(t, "the note", noteHas("stream", `"state":"none"`))
	if string(wire.Path(f.Data, "http", "status")) != "405" {
		t.Errorf("%s", f.Data)
	}
	goesOn(t, s)
}

func TestAPostsStreamThatEndsBeforeItsAnswerGoesOnWithAGet(t *testing.T) {
	for name, end := range map[string]func(*webCall){
		"ended by the server": func(*webCall) {},
		"cut":                 func(c *webCall) { c.cut() },
	} {
		t.Run(name, func(t *testing.T) {
			var call atomic.Pointer[webCall]
			s, frames, p := overHTTP(t, func(p *webPeer) {
				p.post = onCall(func(c *webCall) {
					call.Store(c)
					c.stream()
					c.raw("id: place\nretry: 5\ndata: \n\n")
					end(c)
				})
				p.get = func(c *webCall) {
					c.stream()
					if c.r.Header.Get("Last-Event-ID") == "" {
						c.hold() // the listening stream
						return
					}
					c.say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, call.Load().head.ID)
				}
			})
			if o := s.Run(t.Context(), "call status"); !o.OK {
				t.Fatalf("the call: %s", o.JSON())
			}
			var from []string
			for _, g := range p.seen(http.MethodGet) {
				if id := g.r.Header.Get("Last-Event-ID"); id != "" {
					from = append(from, id)
				}
			}
			if !slices.Equal(from, []string{"place"}) {
				t.Errorf("it was taken up at %v", from)
			}
			frames.wait(t, "the note", noteHas("stream", `"state":"resumed"`))
			answer := frames.wait(t, "the answer", has(wire.In, `"result":{"content":[]}`))
			if !strings.HasPrefix(answer.Via, "http:get:") {
				t.Errorf("it came via %s", answer.Via)
			}
		})
	}
}

func TestAStreamThatBringsNothingHoweverOftenItIsResumedFailsItsCall(t *testing.T) {
	s, _, p := overHTTP(t, func(p *webPeer) {
		p.post = onCall(func(c *webCall) { c.stream(); c.raw("id: place\nretry: 1\ndata: \n\n") })
		p.get = func(c *webCall) {
			c.stream()
			if c.r.Header.Get("Last-Event-ID") == "" {
				c.hold()
			}
		}
	})
	failsWith(t, s, "the server ended the stream before it answered")
	if n := len(p.seen(http.MethodGet)); n != 1+maxAttempts {
		t.Errorf("%d attempts", n-1)
	}
}

func TestARedirectKeepsTheMessageAndAnotherOriginGetsNoCredentials(t *testing.T) {
	var away atomic.Pointer[http.Request]
	other := newWebPeer(t, func(p *webPeer) {
		p.post = func(c *webCall) bool { away.Store(c.r); c.json(c.answer()); return true }
	})
	var home atomic.Pointer[http.Request]
	s, frames, _ := overHTTP(t, func(p *webPeer) {
		p.post = onCall(func(c *webCall) {
			switch c.r.URL.Path {
			case "/mcp":
				http.Redirect(c.w, c.r, "/moved", http.StatusTemporaryRedirect)
			case "/moved":
				home.Store(c.r)
				http.Redirect(c.w, c.r, other.srv.URL+"/elsewhere?key=hunter2", http.StatusPermanentRedirect)
			}
		})
	}, func(c *Config) {
		c.Token = "hunter2"
		c.Header = []Header{{"X-Api-Key", "hunter2"}, {"Cookie", "hunter2"}}
	})
	if o := s.Run(t.Context(), "call status"); !o.OK {
		t.Fatalf("the call: %s", o.JSON())
	}
	if h := home.Load().Header; h.Get("Authorization") != "Bearer hunter2" || h.Get("X-Api-Key") != "hunter2" || h.Get("Mcp-Session-Id") == "" {
		t.Errorf("on the same origin the redirect carries %v", h)
	}
	for name, values := range away.Load().Header {
		if strings.Contains(strings.Join(values, " "), "hunter2") || name == "Mcp-Session-Id" || name == "Authorization" || name == "Referer" {
			t.Errorf("another origin gets %s: %v", name, values)
		}
	}
	if n := count(frames.all(), noteIs("redirect")); n != 2 {
		t.Errorf("%d redirects are told", n)
	}
	for _, f := range frames.all() {
		if strings.Contains(string(f.Data)+string(f.HTTP), "hunter2") {
			t.Errorf("a secret is recorded: %s %s", f.Data, f.HTTP)
		}
	}
}

func TestFromHTTPSARedirectToHTTPIsNotFollowed(t *testing.T) {
	plain := newWebPeer(t, nil)
	secure := httptest.NewTLSServer(http.RedirectHandler(plain.srv.URL, http.StatusTemporaryRedirect))
	t.Cleanup(secure.Close)
	w, err := newWeb(Config{}, secure.URL, 1000)
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	trusting := secure.Client().Transport.(*http.Transport).TLSClientConfig
	w.client.Transport.(*http.Transport).TLSClientConfig = trusting
	_, err = w.do(t.Context(), webRequest{method: http.MethodPost, url: w.target, body: []byte("{}")})
	if err == nil || !strings.Contains(err.Error(), "where others can read along") {
		t.Errorf("%v", err)
	}
	if n := len(plain.seen(http.MethodPost)); n > 0 {
		t.Errorf("the message went out in the clear %d times", n)
	}
}

func TestUserAndPasswordOfAnAddressAreSentAndNeverShown(t *testing.T) {
	p := newWebPeer(t, nil)
	_, frames := ready(t, at(KindHTTP, strings.Replace(p.srv.URL, "http://", "http://me:hunter2@", 1)))
	user, password, ok := p.seen(http.MethodPost)[0].r.BasicAuth()
	if !ok || user != "me" || password != "hunter2" {
		t.Errorf("%q %q", user, password)
	}
	for _, f := range frames.all() {
		if strings.Contains(fmt.Sprintf("%s %s %s", f.Data, f.HTTP, f.Body), "hunter2") {
			t.Errorf("it is recorded: %s", f.Data)
		}
	}
}

func TestTheListeningStreamStandsBeforeTheServerIsAskedForMore(t *testing.T) {
	p := newWebPeer(t, func(p *webPeer) {
		p.get = func(c *webCall) { c.stream(); c.hold() }
	})
	ready(t, at(KindHTTP, p.srv.URL+"/mcp"))
	p.mu.Lock()
	defer p.mu.Unlock()
	var order []string
	for _, c := range p.calls {
		order = append(order, c.r.Method+" "+c.head.Method)
	}
	if len(order) < 4 || order[1] != "POST notifications/initialized" || order[2] != "GET " {
		t.Errorf("the server was asked for %q", order)
	}
}

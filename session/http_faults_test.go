package session

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// failsWith runs a call that fails, and checks the sentence.
func failsWith(t *testing.T, s *Session, want string) {
	t.Helper()
	o := s.Run(t.Context(), "call status")
	if o.OK || o.Err == nil || !strings.Contains(o.Err.Message, want) {
		t.Errorf("the call ended with %s, want %q", o.JSON(), want)
	}
}

// goesOn checks that the link still carries messages.
func goesOn(t *testing.T, s *Session) {
	t.Helper()
	if o := s.Run(t.Context(), "tools"); !o.OK {
		t.Errorf("the link does not go on: %s", o.JSON())
	}
}

func TestAServerThatIsKilledMidCallEndsTheLinkAndTheCall(t *testing.T) {
	called := make(chan struct{})
	s, frames, p := overHTTP(t, func(p *webPeer) {
		p.post = onCall(func(c *webCall) { close(called); c.hold() })
	})
	go func() {
		<-called
		_ = p.srv.Listener.Close()
		p.srv.CloseClientConnections()
	}()
	failsWith(t, s, "closed the connection before it answered")
	closed := frames.wait(t, "the end", noteIs("closed"))
	if by := wire.StringOf(wire.Member(closed.Data, "by")); by != "link" || !bytes.Contains(closed.Data, []byte("nothing answers at")) {
		t.Errorf("it ended with %s", closed.Data)
	}
}

func TestABodyThatIsCutInTheMiddleIsKeptAndFailsItsCallAlone(t *testing.T) {
	s, frames, _ := overHTTP(t, func(p *webPeer) {
		p.post = onCall(func(c *webCall) {
			c.w.Header().Set("Content-Length", "1000")
			c.json(`{"jsonrpc":"2.0","id":`)
			c.flush()
			c.cut()
		})
	})
	failsWith(t, s, "the answer was cut after 22 bytes")
	frames.wait(t, "what came of it", func(f wire.Frame) bool {
		return f.Dir == wire.In && f.Form == wire.Text && string(f.Body) == `{"jsonrpc":"2.0","id":`
	})
	frames.wait(t, "the failure", noteHas("failed", "cut after 22 bytes"))
	goesOn(t, s)
}

func TestAStreamThatIsCutInTheMiddleOfAnEventKeepsWhatCame(t *testing.T) {
	s, frames, _ := overHTTP(t, func(p *webPeer) {
		p.post = onCall(func(c *webCall) {
			c.stream()
			c.raw("data: {\"jsonrpc\":\"2.0\",\"method\":\"cut he")
			c.cut()
		})
	})
	failsWith(t, s, "the stream was cut before the answer")
	frames.wait(t, "what came of it", func(f wire.Frame) bool {
		return f.Dir == wire.In && f.Form == wire.Text && string(f.Body) == `{"jsonrpc":"2.0","method":"cut he`
	})
	goesOn(t, s)
}

func TestAStreamThatEndsWithoutItsAnswerFailsTheCall(t *testing.T) {
	s, _, _ := overHTTP(t, func(p *webPeer) { p.post = onCall(func(c *webCall) { c.stream() }) })
	failsWith(t, s, "the server ended the stream before it answered")
	goesOn(t, s)
}

func TestAMessageThatNeverEndsIsRefusedWithTheSizeThatWasReached(t *testing.T) {
	endless := func(c *webCall) {
		junk := bytes.Repeat([]byte("x"), 64<<10)
		for {
			if _, err := c.w.Write(junk); err != nil {
				return
			}
		}
	}
	for name, begin := range map[string]func(*webCall){
		"a body": func(c *webCall) { c.json(`{"jsonrpc":"2.0","id":1,"result":"`) },
		"a line": func(c *webCall) { c.stream(); c.raw(`data: {"jsonrpc":"2.0","id":1,"result":"`) },
		"an event": func(c *webCall) {
			c.stream()
			for {
				if _, err := io.WriteString(c.w, "data: "+strings.Repeat("y", 8000)+"\n"); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, frames, _ := overHTTP(t, func(p *webPeer) {
				p.post = onCall(func(c *webCall) { begin(c); endless(c) })
			}, func(c *Config) { c.longest = 1 << 20 })
			failsWith(t, s, "more than 1 MiB came")
			for _, f := range frames.all() {
				if len(f.Body) > 1<<20+64<<10 {
					t.Errorf("a frame of %d bytes is kept", len(f.Body))
				}
			}
			goesOn(t, s)
		})
	}
}

func TestAnAnswerThatIsPackedThoughNobodyAskedIsUnpackedAndSaidToBe(t *testing.T) {
	s, frames, _ := overHTTP(t, func(p *webPeer) {
		p.post = onCall(func(c *webCall) {
			c.w.Header().Set("Content-Encoding", "gzip")
			c.header("application/json")
			z := gzip.NewWriter(c.w)
			_, _ = io.WriteString(z, c.answer())
			_ = z.Close()
		})
	})
	if o := s.Run(t.Context(), "call status"); !o.OK {
		t.Fatalf("the call: %s", o.JSON())
	}
	frames.wait(t, "the answer", func(f wire.Frame) bool {
		return f.Form == wire.Msg && bytes.Contains(f.HTTP, []byte(`"Content-Encoding":"gzip"`))
	})
}

func TestStatusesAreShownWithTheirBody(t *testing.T) {
	for name, c := range map[string]struct {
		status     int
		kind, body string
		want       string
	}{
		"a page":         {500, "text/html", "<h1>Oops</h1>\n<p>it broke", "the server answered 500 Internal Server Error: <h1>Oops</h1> <p>it broke"},
		"nothing":        {503, "", "", "the server answered 503 Service Unavailable"},
		"an error by id": {400, "application/json", `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"bad argument"}}`, "bad argument"},
		"an error, null": {400, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no session"}}`, "the server answered 400 Bad Request: no session"},
		"any JSON":       {400, "application/json", `{"detail":"nope"}`, `the server answered 400 Bad Request: {"detail":"nope"}`},
		"a page as 200":  {200, "text/html", `<html>log in`, `the server answered 200 with text/html that holds no answer to this request: <html>log in`},
		"a wrong id":     {200, "application/json", `{"jsonrpc":"2.0","id":424242,"result":{}}`, `that holds no answer to this request`},
		"an empty 200":   {200, "application/json", ``, `the server answered 200 with an empty body`},
		"a 204":          {204, "", ``, `the server answered 204 with an empty body`},
	} {
		t.Run(name, func(t *testing.T) {
			s, frames, _ := overHTTP(t, func(p *webPeer) {
				p.post = onCall(func(call *webCall) {
					if c.kind != "" {
						call.w.Header().Set("Content-Type", c.kind)
					}
					call.w.WriteHeader(c.status)
					body := c.body
					if strings.Contains(body, "%s") {
						body = fmt.Sprintf(body, call.head.ID)
					}
					_, _ = io.WriteString(call.w, body)
				})
			})
			failsWith(t, s, c.want)
			if c.body != "" {
				frames.wait(t, "the body with its status", func(f wire.Frame) bool {
					return f.Dir == wire.In && string(wire.Member(f.HTTP, "status")) == fmt.Sprint(c.status) && strings.HasPrefix(f.Via, "http:post:")
				})
			}
			goesOn(t, s)
		})
	}
}

func TestAStartThatIsRefusedIsToldWithStatusAndBody(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(*webCall)
		want   []string
	}{
		"401": {func(c *webCall) {
			c.w.Header().Set("WWW-Authenticate", `Bearer realm="x"`)
			c.w.WriteHeader(401)
			_, _ = io.WriteString(c.w, `{"error":"invalid_token","error_description":"log in first"}`)
		}, []string{"the server answered 401 Unauthorized: log in first", `WWW-Authenticate: Bearer realm="x"`, "--token-env"}},
		"500":      {func(c *webCall) { http.Error(c.w, "kaputt", 500) }, []string{"the server answered 500 Internal Server Error: kaputt"}},
		"404":      {func(c *webCall) { http.NotFound(c.w, c.r) }, []string{"the server answered 404 Not Found: 404 page not found"}},
		"cut":      {func(c *webCall) { c.cut() }, []string{"the server closed the connection before it answered"}},
		"redirect": {func(c *webCall) { http.Redirect(c.w, c.r, "/other?token=hunter2", http.StatusFound) }, []string{"the server redirects to http://", "/other?token=*** with 302, which loses the message"}},
		"circle":   {func(c *webCall) { http.Redirect(c.w, c.r, "/mcp", http.StatusTemporaryRedirect) }, []string{"redirects in a circle"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newWebPeer(t, func(p *webPeer) {
				p.post = func(call *webCall) bool { c.answer(call); return true }
			})
			s, frames := open(t, at(KindHTTP, p.srv.URL+"/mcp"))
			err := s.WaitReady(t.Context())
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%v, want %q", err, want)
				}
			}
			closed := frames.wait(t, "the end", noteIs("closed"))
			if !strings.Contains(wire.StringOf(wire.Member(closed.Data, "reason")), c.want[0]) {
				t.Errorf("it ended with %s", closed.Data)
			}
		})
	}
}

func TestAnAddressWhereNothingAnswersIsToldInWords(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := l.Addr().String()
	_ = l.Close()
	plain := newWebPeer(t, nil)
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	for name, c := range map[string]struct{ url, want string }{
		"nothing":           {"http://user:hunter2@" + free + "/mcp?token=hunter2", "nothing answers at " + free + " (connection refused): check that the server runs"},
		"no such machine":   {"http://no-such-machine.invalid/mcp", "there is no machine no-such-machine.invalid: check the address"},
		"no TLS there":      {strings.Replace(plain.srv.URL, "http://", "https://", 1), "does not speak TLS: try the address with http://"},
		"a certificate":     {secure.URL, "is signed by nobody that this machine trusts"},
		"only TLS is there": {strings.Replace(secure.URL, "https://", "http://", 1), "the server answered 400 Bad Request"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := open(t, at(KindHTTP, c.url))
			err := s.WaitReady(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestAServerThatNeverAnswersIsGivenUpAndCanBeLeft(t *testing.T) {
	s, frames, _ := overHTTP(t, func(p *webPeer) {
		p.post = func(c *webCall) bool {
			if c.head.Method == mcpl.MethodToolsCall || c.head.Method == mcpl.MethodCancelled {
				c.hold()
				return true
			}
			return false
		}
	}, func(c *Config) { c.Grace = 100 * time.Millisecond })
	done(t, s, "timeout 50ms")
	failsWith(t, s, "no answer to tools/call within 50ms")
	frames.wait(t, "the word to the server", has(wire.Out, `"notifications/cancelled"`))
	s.Close(context.Background())
	if n := count(frames.all(), noteIs("failed")); n > 0 {
		t.Errorf("what was given up is told to have failed:\n%s", dump(frames.all()))
	}
}

func TestAServerThatDoesNotReadHoldsUpNobodyElse(t *testing.T) {
	release := make(chan struct{})
	p := newWebPeer(t, nil)
	inner := p.srv.Config.Handler
	p.srv.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > 8<<20 {
			<-release // without reading a byte
		}
		inner.ServeHTTP(w, r)
	})
	s, _ := ready(t, at(KindHTTP, p.srv.URL))
	big := `call status {"x":"` + strings.Repeat("z", 16<<20) + `"} &`
	if o := s.Run(t.Context(), big); !o.OK {
		t.Fatal("it was not sent")
	}
	goesOn(t, s)
	close(release)
	if o := s.Run(t.Context(), "wait calls"); !o.OK {
		t.Errorf("%.200s", o.JSON())
	}
}

func TestASessionThatExpiredEndsTheConnectionAndSaysSo(t *testing.T) {
	s, frames, p := overHTTP(t, func(p *webPeer) {
		p.post = onCall(func(c *webCall) { http.Error(c.w, "unknown session", 404) })
	})
	failsWith(t, s, "the session has expired at the server")
	closed := frames.wait(t, "the end", noteIs("closed"))
	if wire.StringOf(wire.Member(closed.Data, "by")) != "server" {
		t.Errorf("it ended with %s", closed.Data)
	}
	frames.wait(t, "the body", has(wire.In, "unknown session"))
	if err := s.Reconnect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	inits := p.seen(mcpl.MethodInitialize)
	if len(inits) != 2 || inits[1].r.Header.Get("Mcp-Session-Id") != "" {
		t.Errorf("%d sessions were begun", len(inits))
	}
}

package session

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
)

func TestARedirectToAnotherOriginIsNotFollowedAndLearnsNothing(t *testing.T) {
	var reached atomic.Int64
	other := httpServer(t, func(http.ResponseWriter, *http.Request) { reached.Add(1) })
	front := httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other+"/mcpl?token="+r.URL.Query().Get("token"), http.StatusTemporaryRedirect)
	})
	s, _ := open(t, over("ws"+strings.TrimPrefix(front, "http")), func(c *Config) { c.Token = "hunter2" })
	err := s.WaitReady(t.Context())
	if err == nil || !strings.Contains(err.Error(), "redirects to "+strings.TrimPrefix(other, "http://")+", another server, which is not followed") ||
		strings.Contains(err.Error(), "hunter2") {
		t.Errorf("WaitReady: %v", err)
	}
	if reached.Load() != 0 {
		t.Error("the other server was spoken to")
	}
}

func TestARedirectWithinTheOriginIsFollowed(t *testing.T) {
	url := httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/new" {
			http.Redirect(w, r, "/new", http.StatusTemporaryRedirect)
			return
		}
		c, err := websocket.Accept(w, r, nil)
		if err == nil {
			defer func() { _ = c.CloseNow() }()
			good(wsPeerEnd(c))
		}
	})
	ready(t, over("ws"+strings.TrimPrefix(url, "http")+"/old"))
}

func TestWhatIsNoWebSocketIsToldWithStatusBodyAndWhatToDo(t *testing.T) {
	for name, c := range map[string]struct {
		serve http.HandlerFunc
		final bool
		want  []string
	}{
		"401": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="x"`)
			http.Error(w, "who are\nyou", http.StatusUnauthorized)
		}, true, []string{"the server answered 401 Unauthorized: who are you", `WWW-Authenticate: Bearer realm="x"`, "--token-env", "--token-as"}},
		"404":      {http.NotFound, true, []string{"404 Not Found: 404 page not found", "check the path"}},
		"200":      {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, true, []string{"the server answered 200 OK: <html>, and opened no WebSocket"}},
		"overload": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "busy", http.StatusServiceUnavailable) }, false, []string{"503 Service Unavailable: busy"}},
		"a wrong key": {func(w http.ResponseWriter, _ *http.Request) {
			if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
				_, _ = c.Write([]byte("HTTP/1.1 101 \r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n"))
				_ = c.Close()
			}
		}, true, []string{"is no WebSocket as it should be", "Sec-WebSocket-Accept"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := open(t, over("ws"+strings.TrimPrefix(httpServer(t, c.serve), "http")))
			err := s.WaitReady(t.Context())
			if err == nil || strings.Contains(err.Error(), "\n") {
				t.Fatalf("WaitReady: %v", err)
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not say %q", err, w)
				}
			}
			if errors.Is(err, ErrFinal) != c.final {
				t.Errorf("%q: final is %v", err, !c.final)
			}
		})
	}
}

func TestAnAddressWhereNobodyAnswersIsToldSo(t *testing.T) {
	url := httpServer(t, nil)
	for name, c := range map[string]struct{ url, want string }{
		"nobody":  {"ws://127.0.0.1:1/", "nothing answers at 127.0.0.1:1 (connection refused): check that the server runs"},
		"no TLS":  {"wss" + strings.TrimPrefix(url, "http"), "does not speak TLS: try the address with ws://"},
		"mcpl":    {"mcpl" + strings.TrimPrefix(url, "http"), "does not speak TLS"},
		"no mcpl": {"mcpl:///x", "names no host"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := open(t, over(c.url))
			if err := s.WaitReady(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("WaitReady: %v", err)
			}
		})
	}
}

func TestAServerThatNeverAnswersTheUpgradeIsGivenUp(t *testing.T) {
	release := make(chan struct{})
	url := httpServer(t, func(http.ResponseWriter, *http.Request) { <-release })
	defer close(release)
	s, _ := open(t, over("ws"+strings.TrimPrefix(url, "http")), func(c *Config) { c.Timeout = 50 * time.Millisecond })
	if err := s.WaitReady(t.Context()); err == nil || !strings.Contains(err.Error(), "did not open a WebSocket within 50ms; --timeout changes") {
		t.Errorf("WaitReady: %v", err)
	}
}

package demo

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// The links over which a Handler serves, and the path of each.
const (
	LinkHTTP = "http" // Streamable HTTP
	LinkSSE  = "sse"  // HTTP with server-sent events, as in MCP 2024-11-05
	LinkWS   = "ws"   // WebSocket, a text frame a message

	PathHTTP = "/mcp"
	PathSSE  = "/sse"
	PathWS   = "/ws"
	pathPost = "/message" // where a client of PathSSE posts
)

// Links are all of them.
var Links = []string{LinkHTTP, LinkSSE, LinkWS}

// Bounds of what clients can pile up.
const (
	maxGuests   = 100 // principals
	maxSessions = 256 // of Streamable HTTP and of SSE, each
	maxIdle     = time.Hour
	keepAlive   = 25 * time.Second // a silent stream shows that it lives
)

// errFull refuses a client.
var errFull = errors.New("too many clients are here already: try again later")

// Handler serves the arcade to many clients at once, each link at its path.
//
// Who they are is told by a token: `Authorization: Bearer …`, the query
// parameter token, on a WebSocket also a subprotocol or a first message
// {"type":"auth","token":"…"}. All connections with one token are one
// principal, which sees on each what it does on another; all without a token
// are one principal, too. A principal outlives its connections, so that a
// client which comes back finds open what it had opened.
//
// Only loopback names are accepted as Host and Origin: a page in a browser,
// whatever its name resolves to, cannot reach the server through its user.
type Handler struct {
	opts Options
	mux  *http.ServeMux
	ctx  context.Context // ends with Close
	stop context.CancelFunc

	mu       sync.Mutex
	closed   bool
	running  sync.WaitGroup
	guests   map[string]*guest
	sessions map[string]*httpSession
	posts    map[string]*sseCarrier
}

// guest is a principal that is served.
type guest struct {
	p    *Principal
	used int       // connections that it has
	last time.Time // when it had its last one
}

// NewHandler serves over the links, over all of them where none is named.
// opts.Principal is who clients without a token are, nil for a fresh one.
func NewHandler(opts Options, links ...string) *Handler {
	h := &Handler{
		opts: opts, mux: http.NewServeMux(),
		guests: map[string]*guest{}, sessions: map[string]*httpSession{}, posts: map[string]*sseCarrier{},
	}
	h.ctx, h.stop = context.WithCancel(context.Background())
	if opts.Principal != nil {
		h.guests[""] = &guest{p: opts.Principal}
	}
	if len(links) == 0 {
		links = Links
	}
	var paths []string
	for _, l := range links {
		switch l {
		case LinkHTTP:
			h.mux.HandleFunc(PathHTTP, h.serveStreamable)
			paths = append(paths, PathHTTP+" (Streamable HTTP)")
		case LinkSSE:
			h.mux.HandleFunc(PathSSE, h.serveSSE)
			h.mux.HandleFunc(pathPost, h.servePost)
			paths = append(paths, PathSSE+" (legacy SSE)")
		case LinkWS:
			h.mux.HandleFunc(PathWS, h.serveWS)
			paths = append(paths, PathWS+" (WebSocket)")
		}
	}
	h.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "arcade, the demo server of mcpl-tui, is at "+list(paths), http.StatusNotFound)
	})
	return h
}

// ServeHTTP serves a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := onlyLoopback(r); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		http.Error(w, "the server ends", http.StatusServiceUnavailable)
		return
	}
	h.running.Add(1)
	h.mu.Unlock()
	defer h.running.Done()
	h.mux.ServeHTTP(w, r)
}

// Close ends all connections in order, and returns when they are gone.
func (h *Handler) Close() {
	h.mu.Lock()
	h.closed = true
	var sessions []*httpSession
	for _, s := range h.sessions {
		sessions = append(sessions, s)
	}
	h.mu.Unlock()
	for _, s := range sessions {
		h.drop(s)
	}
	h.stop()
	h.running.Wait()
	for _, g := range h.guests {
		if g.p != h.opts.Principal {
			g.p.Close()
		}
	}
}

// onlyLoopback refuses what a browser was talked into: a name that was made
// to point here, or a page of another origin.
func onlyLoopback(r *http.Request) error {
	if !isLoopback(r.Host) {
		return fmt.Errorf("this server answers to localhost and loopback addresses alone, and was asked for another host")
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return nil
	}
	if u, err := url.Parse(origin); err != nil || !isLoopback(u.Host) {
		return fmt.Errorf("pages of another origin may not speak to this server")
	}
	return nil
}

// isLoopback reports whether a host, with its port or without, is this
// machine by a name that cannot point elsewhere.
func isLoopback(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// tokenOf is the token that a request brings, "" where there is none.
func tokenOf(r *http.Request) string {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token)
	}
	return r.URL.Query().Get("token")
}

// enter finds the principal of a token; leave tells that a connection of it
// is over.
func (h *Handler) enter(token string) (p *Principal, leave func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, nil, errFull
	}
	g := h.guests[token]
	if g == nil {
		if err := h.makeRoom(); err != nil {
			return nil, nil, err
		}
		g = &guest{p: NewPrincipal(h.opts)}
		h.guests[token] = g
	}
	g.used++
	var once sync.Once
	return g.p, func() {
		once.Do(func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			g.used--
			g.last = time.Now()
		})
	}, nil
}

// makeRoom forgets the principals that were away for long, and, where there
// are too many, the one that was away longest.
func (h *Handler) makeRoom() error {
	var away []string
	for token, g := range h.guests {
		if g.used == 0 && g.p != h.opts.Principal {
			away = append(away, token)
		}
	}
	slices.SortFunc(away, func(a, b string) int { return h.guests[a].last.Compare(h.guests[b].last) })
	for _, token := range away {
		g := h.guests[token]
		if len(h.guests) < maxGuests && time.Since(g.last) < maxIdle {
			break
		}
		delete(h.guests, token)
		// Its timers want the principal alone, never this handler.
		g.p.Close()
	}
	if len(h.guests) >= maxGuests {
		return errFull
	}
	return nil
}

package demo

import (
	crand "crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// newID is the name of a session: it cannot be guessed.
func newID() string {
	var b [16]byte
	_, _ = crand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// sseCarrier sends messages as events of one long response, and takes them
// from POSTs of their own (MCP 2024-11-05).
type sseCarrier struct {
	events
	token string
	in    chan []byte
	gone  <-chan struct{} // the client hung up
	over  chan struct{}
	once  sync.Once
}

// serveSSE serves the stream of a session, which ends with it.
func (h *Handler) serveSSE(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		notAllowed(w, "GET")
		return
	}
	token := tokenOf(r)
	p, leave, err := h.enter(token)
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer leave()
	id := newID()
	c := &sseCarrier{
		events: newEvents(w, h.opts.stall()), token: token,
		in: make(chan []byte), gone: r.Context().Done(), over: make(chan struct{}),
	}
	if !h.addPost(id, c) {
		http.Error(w, errFull.Error(), http.StatusServiceUnavailable)
		return
	}
	defer h.removePost(id)
	beginEvents(w)
	where := pathPost + "?" + url.Values{"sessionId": {id}}.Encode()
	if c.write("event: endpoint\ndata: "+where+"\n\n") != nil {
		return
	}
	stop := c.stayAlive()
	defer stop()
	// How it ended is the client's to see; there is nobody else to tell.
	_ = newStream(c, h.opts.stall()).serve(h.ctx, p)
}

func (h *Handler) addPost(id string, c *sseCarrier) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.posts) >= maxSessions {
		return false
	}
	h.posts[id] = c
	return true
}

func (h *Handler) removePost(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.posts, id)
}

// servePost takes a message for the stream of a session.
func (h *Handler) servePost(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		notAllowed(w, "POST")
		return
	}
	h.mu.Lock()
	c := h.posts[r.URL.Query().Get("sessionId")]
	h.mu.Unlock()
	if c == nil || tokenOf(r) != c.token {
		http.Error(w, "there is no such session: open "+PathSSE+" first", http.StatusNotFound)
		return
	}
	body, ok := readBody(w, r)
	if !ok {
		return
	}
	select {
	case c.in <- body:
		w.WriteHeader(http.StatusAccepted)
	case <-c.over:
		http.Error(w, "the session is over", http.StatusNotFound)
	case <-r.Context().Done():
	}
}

// readBody reads the body of a POST, or answers why it is not taken.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxLine))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		http.Error(w, fmt.Sprintf("a message of more than %d MiB is not read", maxLine>>20), http.StatusRequestEntityTooLarge)
		return nil, false
	case err != nil:
		http.Error(w, "the body was cut off", http.StatusBadRequest)
		return nil, false
	}
	return body, true
}

func notAllowed(w http.ResponseWriter, methods string) {
	w.Header().Set("Allow", methods)
	http.Error(w, "this is for "+methods, http.StatusMethodNotAllowed)
}

func (c *sseCarrier) receive() ([]byte, error) {
	select {
	case msg := <-c.in:
		return msg, nil
	case <-c.gone:
	case <-c.over:
	}
	return nil, io.EOF
}

func (c *sseCarrier) send(msg []byte) error {
	return c.write("event: message\ndata: " + string(msg) + "\n\n")
}

func (c *sseCarrier) end(error) { c.once.Do(func() { close(c.over) }) }

// events writes server-sent events to a response, and shows in between that
// it lives.
type events struct {
	w     http.ResponseWriter
	rc    *http.ResponseController
	stall time.Duration
	mu    *sync.Mutex
}

func newEvents(w http.ResponseWriter, stall time.Duration) events {
	return events{w, http.NewResponseController(w), stall, &sync.Mutex{}}
}

func beginEvents(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
}

// write writes text and sees that it goes out, within the time that a client
// may take to read it.
func (e events) write(text string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	// Not every writer has deadlines; without one the stream's own time holds.
	_ = e.rc.SetWriteDeadline(time.Now().Add(e.stall))
	defer func() { _ = e.rc.SetWriteDeadline(time.Time{}) }()
	if _, err := io.WriteString(e.w, text); err != nil {
		return errGone
	}
	if e.rc.Flush() != nil {
		return errGone
	}
	return nil
}

// stayAlive writes comments until it is stopped.
func (e events) stayAlive() (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(keepAlive)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = e.write(": still here\n\n") // the stream itself notices who is gone
			case <-done:
				return
			}
		}
	}()
	return func() { close(done); <-ended }
}

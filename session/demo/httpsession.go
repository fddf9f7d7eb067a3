package demo

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// keepStreams is how many streams of POSTs are kept for clients that lost
// them on the way.
const keepStreams = 64

// httpSession is a session of Streamable HTTP: a connection to a principal
// whose messages travel on several streams. What answers a POST goes on its
// stream, the rest on that of the GET.
type httpSession struct {
	h     *Handler
	id    string
	token string
	conn  *Conn
	get   *eventLog
	left  func() // tells that the principal has a connection less

	handling sync.Mutex // one body after the other, as on an ordered link

	mu     sync.Mutex
	over   bool
	active int       // requests that are served
	seen   time.Time // when the last one was over
	posts  int
	logs   []*eventLog // of POSTs, oldest first
	now    *eventLog   // of the body that is handled
	// asked has who waits for an answer, by the key of the request's id: more
	// than one where a client uses an id twice. tokens has who waits for
	// progress, by the key of its token.
	asked  map[string][]*eventLog
	tokens map[string]*eventLog
	lost   sync.Once // the client has lost the session
}

// begin opens a session for a client, or answers why not.
func (h *Handler) begin(w http.ResponseWriter, r *http.Request) *httpSession {
	token := tokenOf(r)
	p, left, err := h.enter(token)
	if err == nil && !h.sessionRoom() {
		left()
		err = errFull
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return nil
	}
	s := &httpSession{
		h: h, id: newID(), token: token, get: newEventLog("get", -1), left: left, active: 1,
		asked: map[string][]*eventLog{}, tokens: map[string]*eventLog{},
	}
	s.conn = NewConn(p, s.emit)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sessions[s.id] = s
	return s
}

// sessionRoom ends the sessions that nobody used for long, and the one unused
// for longest where there are too many.
func (h *Handler) sessionRoom() bool {
	h.mu.Lock()
	var unused []*httpSession
	for _, s := range h.sessions {
		if s.unused() >= 0 {
			unused = append(unused, s)
		}
	}
	n := len(h.sessions)
	h.mu.Unlock()
	slices.SortFunc(unused, func(a, b *httpSession) int { return int(b.unused() - a.unused()) })
	for _, s := range unused {
		if n < maxSessions && s.unused() < maxIdle {
			break
		}
		h.drop(s)
		n--
	}
	return n < maxSessions
}

// unused is for how long no request of the session was served, negative while
// one is.
func (s *httpSession) unused() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active > 0 {
		return -1
	}
	return time.Since(s.seen)
}

// session finds the session of a request, or answers that there is none. The
// caller has it until it leaves.
func (h *Handler) session(w http.ResponseWriter, r *http.Request) *httpSession {
	id := r.Header.Get(headerSession)
	if id == "" {
		http.Error(w, headerSession+" is missing: send initialize first", http.StatusBadRequest)
		return nil
	}
	h.mu.Lock()
	s := h.sessions[id]
	h.mu.Unlock()
	if s == nil || s.token != tokenOf(r) {
		http.Error(w, "there is no such session, or it is over: send initialize", http.StatusNotFound)
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active++
	return s
}

// leave says that a request is served.
func (s *httpSession) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active--
	s.seen = time.Now()
}

// drop ends a session. What it still says is said first.
func (h *Handler) drop(s *httpSession) {
	h.mu.Lock()
	delete(h.sessions, s.id)
	h.mu.Unlock()
	s.conn.Close()
	s.mu.Lock()
	s.over = true
	logs := append(slices.Clone(s.logs), s.get)
	for _, waiting := range s.asked {
		logs = append(logs, waiting...)
	}
	s.mu.Unlock()
	for _, l := range logs {
		l.end()
	}
	s.left()
}

// handle hands a body to the connection, and returns the stream of what
// answers it.
func (s *httpSession) handle(body []byte, heads []wire.Head, streams bool) *eventLog {
	s.handling.Lock()
	defer s.handling.Unlock()
	log := s.open(heads, streams)
	log.batch = len(body) > 0 && body[0] == '['
	s.conn.Handle(body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = nil
	if log.complete() {
		s.settle(log)
	}
	for _, h := range heads {
		// A call that was cancelled gets no answer (toolhints.md §7).
		if h.Method != mcpl.MethodCancelled {
			continue
		}
		key := wire.ID(wire.Member(h.Params, "requestId")).Key()
		for _, l := range s.asked[key] {
			if l.giveUp() {
				s.settle(l)
			}
		}
		delete(s.asked, key)
	}
	return log
}

// settle forgets who waits for answers on a stream: all are there.
func (s *httpSession) settle(log *eventLog) {
	for key, waiting := range s.asked {
		if waiting = slices.DeleteFunc(waiting, func(l *eventLog) bool { return l == log }); len(waiting) == 0 {
			delete(s.asked, key)
		} else {
			s.asked[key] = waiting
		}
	}
	for token, l := range s.tokens {
		if l == log {
			delete(s.tokens, token)
		}
	}
}

// open begins the stream that answers a body.
func (s *httpSession) open(heads []wire.Head, streams bool) *eventLog {
	asked := 0
	for _, h := range heads {
		if h.Kind == wire.Request {
			asked++
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.posts++
	log := newEventLog("post"+strconv.Itoa(s.posts), asked)
	log.asked = asked
	s.now = log
	if asked == 0 {
		return log
	}
	for _, h := range heads {
		if h.Kind != wire.Request {
			continue
		}
		s.asked[h.ID.Key()] = append(s.asked[h.ID.Key()], log)
		if token := wire.Path(h.Params, "_meta", "progressToken"); token != nil && streams {
			s.tokens[wire.ID(token).Key()] = log
		}
	}
	s.logs = append(s.logs, log)
	s.logs = slices.Delete(s.logs, 0, max(len(s.logs)-keepStreams, 0))
	if s.over {
		log.end()
	}
	return log
}

// stream returns a stream by its name, nil where it is not kept.
func (s *httpSession) stream(name string) *eventLog {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.logs {
		if l.name == name {
			return l
		}
	}
	if name == s.get.name {
		return s.get
	}
	return nil
}

// forget drops the stream of a POST that was answered at once.
func (s *httpSession) forget(log *eventLog) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.logs = slices.DeleteFunc(s.logs, func(l *eventLog) bool { return l == log })
}

// emit puts a message of the connection on the stream that it belongs to. It
// is called under the principal's lock and does not block.
func (s *httpSession) emit(msg []byte) {
	log, answer := s.route(wire.Peek(msg))
	if log.add(msg, answer) {
		return
	}
	// A client that listens and does not read has lost its session, as it
	// would its pipe; one that never listens misses what it would have heard.
	if log.wasRead() {
		s.lost.Do(func() { go s.h.drop(s) }) // the principal is locked here
		return
	}
	log.forget()
}

// route finds the stream of a message, and whether it is an awaited answer.
func (s *httpSession) route(h wire.Head) (log *eventLog, answer bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch h.Kind {
	case wire.Result, wire.Error:
		key := h.ID.Key()
		waiting := s.asked[key]
		if len(waiting) == 0 {
			if s.now != nil {
				return s.now, true // what could not be read is answered without its id
			}
			break
		}
		i := max(slices.Index(waiting, s.now), 0)
		log = waiting[i]
		if s.asked[key] = slices.Delete(waiting, i, i+1); len(waiting) == 1 {
			delete(s.asked, key)
		}
		if log.lastAwaited() {
			s.settle(log)
		}
		return log, true
	case wire.Notification:
		if token := wire.Member(h.Params, "progressToken"); token != nil {
			if log = s.tokens[wire.ID(token).Key()]; log != nil {
				return log, false
			}
		}
	}
	return s.get, false
}

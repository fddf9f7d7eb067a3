package demo

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// The headers of Streamable HTTP.
const (
	headerSession  = "Mcp-Session-Id"
	headerProtocol = "Mcp-Protocol-Version"
	headerLastID   = "Last-Event-Id"
)

// primed is the first version of MCP whose clients take an event without data
// at the head of a stream.
const primed = "2025-11-25"

// serveStreamable serves Streamable HTTP: POST says something, GET listens,
// DELETE ends the session.
func (h *Handler) serveStreamable(w http.ResponseWriter, r *http.Request) {
	if v := r.Header.Get(headerProtocol); v != "" && !slices.Contains(mcp.ValidProtocolVersions, v) {
		http.Error(w, headerProtocol+" names no version of MCP that is spoken here", http.StatusBadRequest)
		return
	}
	switch r.Method {
	case http.MethodPost:
		h.post(w, r)
	case http.MethodGet:
		h.listen(w, r)
	case http.MethodDelete:
		if s := h.session(w, r); s != nil {
			defer s.leave()
			h.drop(s)
			w.WriteHeader(http.StatusNoContent)
		}
	default:
		notAllowed(w, "GET, POST, DELETE")
	}
}

// accepts reports whether the client takes a media type.
func accepts(r *http.Request, kind string) bool {
	group, _, _ := strings.Cut(kind, "/")
	for _, line := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(line, ",") {
			part, _, _ = strings.Cut(part, ";")
			switch strings.ToLower(strings.TrimSpace(part)) {
			case kind, group + "/*", "*/*":
				return true
			}
		}
	}
	return false
}

const (
	typeJSON   = "application/json"
	typeEvents = "text/event-stream"
)

// listen serves the stream of what the server says by itself, or resumes any
// stream after the last event that the client has.
func (h *Handler) listen(w http.ResponseWriter, r *http.Request) {
	if !accepts(r, typeEvents) {
		http.Error(w, "this is an MCP server: a GET must accept "+typeEvents, http.StatusNotAcceptable)
		return
	}
	s := h.session(w, r)
	if s == nil {
		return
	}
	defer s.leave()
	log, last := s.get, -1
	if id := r.Header.Get(headerLastID); id != "" {
		name, n, ok := readEventID(id)
		if log = s.stream(name); !ok || log == nil {
			http.Error(w, headerLastID+" names no event of this session that is kept", http.StatusBadRequest)
			return
		}
		last = n
	}
	s.serve(w, r, log, last)
}

// serve writes a stream as the response.
func (s *httpSession) serve(w http.ResponseWriter, r *http.Request, log *eventLog, last int) {
	beginEvents(w)
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	defer context.AfterFunc(s.h.ctx, stop)()
	log.serve(ctx, newEvents(w, s.h.opts.stall()), last, r.Header.Get(headerProtocol) >= primed)
}

// post takes what the client says.
func (h *Handler) post(w http.ResponseWriter, r *http.Request) {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	switch {
	case !strings.EqualFold(strings.TrimSpace(kind), typeJSON):
		http.Error(w, "a message is posted as "+typeJSON, http.StatusUnsupportedMediaType)
		return
	case !accepts(r, typeJSON) && !accepts(r, typeEvents):
		http.Error(w, "a POST must accept "+typeJSON+" and "+typeEvents, http.StatusNotAcceptable)
		return
	}
	body, ok := readBody(w, r)
	if !ok {
		return
	}
	heads := headsOf(body)
	var s *httpSession
	fresh := len(heads) == 1 && heads[0].Method == mcpl.MethodInitialize && r.Header.Get(headerSession) == ""
	if fresh {
		s = h.begin(w, r)
	} else {
		s = h.session(w, r)
	}
	if s == nil {
		return
	}
	defer s.leave()
	log := s.handle(body, heads, accepts(r, typeEvents))
	if fresh {
		if !s.conn.isGreeted() {
			h.drop(s)
		} else {
			w.Header().Set(headerSession, s.id)
		}
	}
	s.reply(w, r, log)
}

// headsOf are the messages of a body.
func headsOf(body []byte) (heads []wire.Head) {
	f := wire.Frame{Dir: wire.In, Form: wire.FormOf(body), Body: bytes.TrimSpace(body)}
	f.Messages(func(h wire.Head) bool { heads = append(heads, h); return true })
	return heads
}

// reply answers a POST: with nothing where nothing is to be said, with JSON
// where everything is said already, else with a stream.
func (s *httpSession) reply(w http.ResponseWriter, r *http.Request, log *eventLog) {
	msgs, complete := log.all()
	switch {
	case len(msgs) == 0 && (complete || log.asked == 0):
		w.WriteHeader(http.StatusAccepted)
		return
	case log.asked == 0:
		writeJSON(w, http.StatusBadRequest, msgs, false)
		return
	case accepts(r, typeEvents) && (!complete || len(msgs) > 1 || !accepts(r, typeJSON)):
		s.serve(w, r, log, -1)
		return
	case !complete:
		log.await(r.Context())
		if msgs, complete = log.all(); !complete || len(msgs) == 0 {
			http.Error(w, "the session is over, or the call was cancelled", http.StatusNotFound)
			return
		}
	}
	writeJSON(w, http.StatusOK, msgs, log.batch)
	s.forget(log)
}

func writeJSON(w http.ResponseWriter, status int, msgs [][]byte, asArray bool) {
	body := bytes.Join(msgs, []byte(","))
	if asArray || len(msgs) > 1 {
		body = slices.Concat([]byte("["), body, []byte("]"))
	}
	w.Header().Set("Content-Type", typeJSON)
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that is gone learns nothing
}

package session

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// httpLink is Streamable HTTP (MCP, transports): each message is a POST of
// its own, whose answer is a body or a stream of events; a GET stream brings
// what the server says of itself.
//
// It stands on net/http and not on a library's transport, for a debugger has
// to see each byte of each stream: those that follow a response, answers with
// a strange id, bodies with an error; and what it sends must be the bytes
// that it shows.
type httpLink struct {
	webLink
	gets      int // GET streams so far; guarded by mu, as what follows
	listening bool
	heard     chan struct{} // closed when the first GET was answered
}

func newHTTPLink(cfg Config) *httpLink {
	l := &httpLink{heard: make(chan struct{})}
	l.init(cfg, postVia, l.exchange)
	return l
}

func postVia(n int) string { return fmt.Sprintf("http:post:%d", n) }

// Start makes ready. The first connection is made by the first message.
func (l *httpLink) Start(_ context.Context, to Receiver) (json.RawMessage, error) {
	return nil, l.begin(to, l.cfg.Target.URL)
}

// Close lets what is queued go out, gives the session back, and ends.
func (l *httpLink) Close(ctx context.Context) {
	polite, stop := context.WithTimeout(ctx, l.cfg.Grace)
	defer stop()
	l.leave(polite)
	l.giveBack(polite)
	l.finish(End{By: "host"})
	select {
	case <-l.gone:
	case <-ctx.Done():
	}
}

// giveBack ends the session at the server (MCP, "Session Management"). A
// server may refuse that.
func (l *httpLink) giveBack(ctx context.Context) {
	session, _ := l.agreed()
	if session == "" || l.ctx.Err() != nil {
		return
	}
	resp, err := l.web.once(ctx, webRequest{method: http.MethodDelete, url: l.web.target, header: l.headers("")}, l.web.authorization(ctx))
	if err != nil {
		l.to.Note("session", obj(member{"ended", []byte("false")}, member{"reason", encode(l.web.failure(ctx, err).Error())}))
		return
	}
	take(resp, maxErrorBody)
	l.to.Note("session", encode(map[string]any{"ended": resp.StatusCode < 300, "status": resp.StatusCode}))
}

package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// viaSSE is the name of the one stream of the older transport.
const viaSSE = "sse"

// sseLink is HTTP with server-sent events (MCP 2024-11-05, transports): one
// GET stream brings all that the server says, its first event names the
// address that messages are posted to.
type sseLink struct {
	webLink
	endpoint *url.URL // read after Start
}

func newSSELink(cfg Config) *sseLink {
	l := &sseLink{}
	l.init(cfg, func(int) string { return viaSSE }, l.exchange)
	return l
}

// Start opens the stream and waits for the address to post to.
func (l *sseLink) Start(ctx context.Context, to Receiver) (json.RawMessage, error) {
	address := l.cfg.Target.URL
	if scheme, rest, ok := strings.Cut(address, "+"); ok && strings.EqualFold(scheme, "sse") {
		address = rest
	}
	if err := l.begin(to, address); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, l.cancel)
	defer stop()
	data, err := l.connect()
	if err != nil {
		l.cancel()
		l.out.finish()
		<-l.out.done
		l.web.close()
		return nil, err
	}
	return data, nil
}

func (l *sseLink) connect() (json.RawMessage, error) {
	resp, err := l.web.do(l.ctx, webRequest{method: http.MethodGet, url: l.web.target, header: l.headers(typeEvents)})
	if resp == nil {
		return nil, lasting(err)
	}
	if err == nil && (resp.StatusCode != http.StatusOK || !isEvents(resp)) {
		body := take(resp, maxErrorBody)
		if err = statusError(resp, body); resp.StatusCode == http.StatusOK {
			err = &linkError{text: fmt.Sprintf("the server answered with %s, and no stream of events: is it Streamable HTTP? Then it is connected to without sse+",
				orWord(resp.Header.Get("Content-Type"), "a body")), final: true}
		}
	}
	if err != nil {
		_ = resp.Body.Close()
		return nil, lasting(err)
	}
	r := newSSEReader(resp.Body, l.limit)
	if l.endpoint, err = l.firstEvent(r, resp); err != nil {
		_ = resp.Body.Close()
		return nil, err
	}
	l.spawn(func() {
		defer resp.Body.Close()
		l.read(r, resp)
	})
	return obj(member{"endpoint", encode(maskedURL(l.endpoint))}, member{"http", metaOf(resp)}), nil
}

// lasting marks an error that another try would meet again.
func lasting(err error) error {
	var known *linkError
	if errors.As(err, &known) && known.final {
		return Final(err)
	}
	return err
}

// firstEvent reads the address to post to. It must be of the same origin: it
// is given the same credentials.
func (l *sseLink) firstEvent(r *sseReader, resp *http.Response) (*url.URL, error) {
	timer := time.AfterFunc(l.cfg.Timeout, func() { _ = resp.Body.Close() })
	defer timer.Stop()
	for {
		e, err := r.next()
		switch {
		case err != nil && !timer.Stop():
			return nil, &linkError{text: fmt.Sprintf("the server opened a stream and did not say within %s where to post to (event endpoint)", l.cfg.Timeout)}
		case err != nil:
			return nil, &linkError{text: "the server ended the stream before it said where to post to (event endpoint)"}
		case e.name != "endpoint":
			continue
		}
		u, err := l.web.target.Parse(string(e.data))
		if err != nil {
			return nil, &linkError{text: "what the server gave as the address to post to is none", final: true}
		}
		if originOf(u) != originOf(l.web.target) {
			return nil, Final(&linkError{text: "the server wants messages to be posted to " + originOf(u) + ", which is another origin: that is not done"})
		}
		return u, nil
	}
}

// read delivers what comes on the stream, until it ends: the link ends with
// it, for this transport cannot take a stream up again.
func (l *sseLink) read(r *sseReader, resp *http.Response) {
	meta := metaOf(resp)
	for {
		e, err := r.next()
		switch {
		case l.ctx.Err() != nil:
			return
		case errors.Is(err, io.EOF):
			l.finish(End{By: "server", Reason: "the server closed the stream"})
			return
		case errors.Is(err, wire.ErrTooLong):
			l.finish(End{By: "link", Reason: endless(l.limit).Error()})
			return
		case err != nil:
			l.finish(End{By: "link", Reason: "the stream was cut: " + innermost(err)})
			return
		}
		if meta == nil {
			meta = eventMeta(resp.StatusCode, e)
		}
		l.deliver(Received{Via: viaSSE, Body: e.data, HTTP: meta})
		if !e.whole {
			l.cutShort(viaSSE, e.data, cutEvent)
		}
		meta = nil
	}
}

// exchange posts a message. Its answer comes on the stream; the body of the
// response says at most that it was taken.
func (l *sseLink) exchange(p *post) {
	defer p.done()
	r := webRequest{method: http.MethodPost, url: l.endpoint, body: p.body, header: l.posting(p, "")}
	if len(p.ids) > 0 {
		r.wrote = p.done
	}
	resp, err := l.web.do(l.ctx, r)
	if resp == nil {
		l.fail(p, err)
		return
	}
	defer resp.Body.Close()
	if err != nil {
		l.fail(p, err)
		return
	}
	if resp.StatusCode >= 300 {
		l.refused(p, resp)
		return
	}
	if body := take(resp, int64(l.limit)); len(body) > 0 {
		l.deliver(Received{Via: viaSSE, Body: body, HTTP: metaOf(resp)})
	}
}

// Close lets what is queued go out and ends the stream.
func (l *sseLink) Close(ctx context.Context) {
	polite, stop := context.WithTimeout(ctx, l.cfg.Grace)
	defer stop()
	l.leave(polite)
	l.finish(End{By: "host"})
	select {
	case <-l.gone:
	case <-ctx.Done():
	}
}

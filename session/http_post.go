package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

const (
	typeJSON   = "application/json"
	typeEvents = "text/event-stream"
)

// exchange posts a message and takes all that comes of it.
func (l *httpLink) exchange(p *post) {
	defer p.done()
	session, _ := l.agreed()
	r := webRequest{method: http.MethodPost, url: l.web.target, body: p.body, header: l.posting(p, typeJSON+", "+typeEvents)}
	if p.version != "" {
		l.stateless(p, r.header)
	}
	if len(p.ids) > 0 {
		r.wrote = p.done
	}
	resp, err := l.web.do(p.ctx, r)
	if resp == nil {
		l.fail(p, err)
		return
	}
	defer resp.Body.Close()
	if p.head.Method != mcpl.MethodInitialized {
		p.done()
	}
	switch {
	case err != nil: // refused, and so by the user or the one who grants
		l.deliver(Received{Via: p.via, Body: take(resp, maxErrorBody), HTTP: metaOf(resp)})
		l.fail(p, err)
	case resp.StatusCode == http.StatusNotFound && session != "":
		l.expired(p.via, resp)
	case resp.StatusCode >= 300:
		l.refused(p, resp)
	case isEvents(resp):
		l.adopt(p, resp)
		l.follow(p, resp)
	default:
		l.adopt(p, resp)
		l.whole(p, resp)
	}
	if err == nil && p.head.Method == mcpl.MethodInitialized && resp.StatusCode < 300 {
		l.listen()
	}
}

func isEvents(resp *http.Response) bool {
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return err == nil && kind == typeEvents
}

// adopt takes the session that the server begins with its answer to
// initialize.
func (l *httpLink) adopt(p *post, resp *http.Response) {
	if p.head.Method != mcpl.MethodInitialize {
		return
	}
	id := headerSafe(resp.Header.Get("Mcp-Session-Id"))
	l.mu.Lock()
	l.session = id
	l.mu.Unlock()
	if id != "" {
		l.to.Note("session", encode(map[string]string{"id": maskedID(id)}))
	}
}

// expired: the server has forgotten the session, and the host must begin a
// new one (MCP, "Session Management").
func (l *httpLink) expired(via string, resp *http.Response) {
	body := take(resp, maxErrorBody)
	l.deliver(Received{Via: via, Body: body, HTTP: metaOf(resp)})
	l.finish(End{By: "server", Reason: "the session has expired at the server (404)", Next: NextNow})
}

// whole takes an answer that is one body.
func (l *httpLink) whole(p *post, resp *http.Response) {
	body, err := wire.ReadWhole(resp.Body, l.limit)
	if errors.Is(err, wire.ErrTooLong) {
		err = endless(l.limit)
		body = bytes.Clone(body[:min(len(body), maxGarbage)])
	}
	l.deliver(Received{Via: p.via, Body: body, HTTP: metaOf(resp)})
	if err != nil && !errors.Is(err, errEndless) {
		l.cutShort(p.via, body, fmt.Sprintf("the body ended after %d bytes, %s", len(body), lengthWords(resp)))
	}
	switch {
	case !l.waits(p):
	case errors.Is(err, errEndless):
		l.fail(p, &linkError{text: err.Error()})
	case err != nil:
		l.fail(p, &linkError{text: fmt.Sprintf("the answer was cut after %d bytes: %s", len(body), innermost(err)), broken: true})
	case resp.StatusCode == http.StatusAccepted:
		l.to.Note("stream", streamNote(p.via, streamAccepted, resp, "", ""))
	case len(body) == 0:
		l.fail(p, &linkError{text: fmt.Sprintf("the server answered %d with an empty body", resp.StatusCode)})
	default:
		l.fail(p, &linkError{text: fmt.Sprintf("the server answered %d with %s that holds no answer to this request: %s",
			resp.StatusCode, orWord(resp.Header.Get("Content-Type"), "a body"), quoted(body))})
	}
}

// lengthWords say how long a body was to be.
func lengthWords(resp *http.Response) string {
	if resp.ContentLength > 0 {
		return fmt.Sprintf("and Content-Length says %d", resp.ContentLength)
	}
	return "before its last chunk"
}

func orWord(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return cutText(s)
}

// errEndless is what a message ends with that is longer than can be taken.
var errEndless = errors.New("a message without an end")

func endless(limit int) error {
	return fmt.Errorf("%w: more than %s came; the first %d KiB are kept", errEndless, mib(limit), maxGarbage>>10)
}

func mib(n int) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// follow takes an answer that is a stream: to its end, also beyond the
// answer. A stream that ends before the answer is resumed where the server
// gave it a place to go on from (MCP, "Resumability and Redelivery").
func (l *httpLink) follow(p *post, resp *http.Response) {
	place := place{}
	err := l.events(p.via, resp, &place)
	if !l.waits(p) || l.ctx.Err() != nil {
		return
	}
	// From MCP 2026-07-28 on no stream is resumed.
	if place.id == "" || p.version != "" || errors.Is(err, errEndless) {
		l.fail(p, cutOff(err))
		return
	}
	l.resume(p, &place, err)
}

func cutOff(err error) error {
	switch {
	case errors.Is(err, errEndless):
		return &linkError{text: err.Error()}
	case err != nil:
		return &linkError{text: "the stream was cut before the answer: " + innermost(err), broken: true}
	default:
		return &linkError{text: "the server ended the stream before it answered"}
	}
}

// place is where a stream can be taken up again.
type place struct {
	id    string
	retry time.Duration // 0: the server said nothing
	via   string        // the stream that rested last
	any   bool          // something came since the stream was opened
}

// defaultRetry is how long a broken stream rests where the server does not
// say.
const defaultRetry = time.Second

const (
	maxRetry    = 5 * time.Minute // longer is not waited, whatever a server asks for
	maxAttempts = 5               // attempts in a row that bring nothing
)

// wait returns how long the stream rests before attempt n, from 0.
func (at *place) wait(n int) time.Duration {
	d := defaultRetry
	if at.retry > 0 {
		d = at.retry
	}
	return min(d<<min(n, 5), maxRetry)
}

// events delivers the events of a stream until it ends; nil is a regular end.
func (l *httpLink) events(via string, resp *http.Response, at *place) error {
	r := newSSEReader(resp.Body, l.limit)
	meta := metaOf(resp)
	at.any = false
	for {
		e, err := r.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, wire.ErrTooLong):
			return endless(l.limit)
		case err != nil:
			return err
		}
		at.any = true
		if e.hasID && e.whole {
			at.id = headerSafe(e.id)
		}
		if e.retry >= 0 {
			at.retry = e.retry
		}
		if len(e.data) == 0 {
			continue // a place to resume from, and nothing to say
		}
		if meta == nil {
			meta = eventMeta(resp.StatusCode, e)
		}
		l.deliver(Received{Via: via, Body: e.data, HTTP: meta})
		if !e.whole {
			l.cutShort(via, e.data, cutEvent)
		}
		meta = nil
	}
}

// cutEvent is said of a message whose event has no end.
const cutEvent = "the stream ended within an event: the empty line after its data is missing"

// get opens a stream with GET, from a place on.
func (l *httpLink) get(ctx context.Context, at *place) (via string, resp *http.Response, err error) {
	l.mu.Lock()
	l.gets++
	via = fmt.Sprintf("http:get:%d", l.gets)
	l.mu.Unlock()
	r := webRequest{method: http.MethodGet, url: l.web.target, header: l.headers(typeEvents)}
	if at.id != "" {
		r.header.Set("Last-Event-ID", at.id)
	}
	resp, err = l.web.do(ctx, r)
	return via, resp, err
}

package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
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
	cfg   Config
	web   *web
	to    Receiver
	out   *outbox
	limit int // the longest message

	ctx    context.Context // ends with the link
	cancel context.CancelFunc
	// streams ends sooner, when the host begins to leave: no stream is opened
	// or taken up any more.
	streams     context.Context
	stopStreams context.CancelFunc
	work        sync.WaitGroup // whatever may still deliver
	gone        chan struct{}  // End was called

	mu        sync.Mutex
	end       *End
	session   string           // Mcp-Session-Id
	protocol  string           // MCP-Protocol-Version
	posts     int              // POSTs so far
	sending   int              // the number of the one that is sent next
	gets      int              // GET streams so far
	open      map[string]*post // requests without an answer, by the key of their id
	listening bool
}

// post is one message on its way.
type post struct {
	n      int
	via    string
	body   []byte
	head   wire.Head
	ids    []wire.ID // of the requests in it
	handed sync.Once
	taken  chan struct{} // it is the server's: the next message may follow
}

// handOver is how long the next message waits for this one to arrive: until a
// request is written, until the server has taken a notification or an answer.
const handOver = 2 * time.Second

func newHTTPLink(cfg Config) *httpLink {
	l := &httpLink{cfg: cfg, limit: cfg.longest, gone: make(chan struct{}), open: map[string]*post{}}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.streams, l.stopStreams = context.WithCancel(l.ctx)
	return l
}

// Start makes ready. The first connection is made by the first message.
func (l *httpLink) Start(_ context.Context, to Receiver) (json.RawMessage, error) {
	var err error
	if l.web, err = newWeb(l.cfg, l.cfg.Target.URL, l.limit); err != nil {
		return nil, err
	}
	l.to, l.web.note = to, func(name string, data []byte) { to.Note(name, data) }
	l.out = newOutboxVia(l.nextVia, httpWriter{l}, to.Broken)
	return nil, nil
}

// nextVia names the stream of the message that is queued next.
func (l *httpLink) nextVia() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.posts++
	return postVia(l.posts)
}

func postVia(n int) string { return fmt.Sprintf("http:post:%d", n) }

// Send queues a message for a POST of its own.
func (l *httpLink) Send(msg []byte, record func(via string)) error { return l.out.send(msg, record) }

// httpWriter posts the messages of an outbox.
type httpWriter struct{ l *httpLink }

// Close does nothing: each message had a stream of its own.
func (httpWriter) Close() error { return nil }

// WriteMessage begins the POST of a message and returns when the next one may
// follow.
func (w httpWriter) WriteMessage(msg []byte) error {
	l := w.l
	l.mu.Lock()
	l.sending++
	p := &post{n: l.sending, via: postVia(l.sending), body: msg, head: wire.Peek(msg), taken: make(chan struct{})}
	wire.Frame{Dir: wire.Out, Form: wire.Msg, Body: msg}.Messages(func(h wire.Head) bool {
		if h.Kind == wire.Request {
			p.ids = append(p.ids, h.ID)
			l.open[h.ID.Key()] = p
		}
		return true
	})
	l.mu.Unlock()
	if !l.spawn(func() { l.exchange(p) }) {
		return errLinkClosing
	}
	timer := time.NewTimer(handOver)
	defer timer.Stop()
	select {
	case <-p.taken:
	case <-timer.C:
	case <-l.ctx.Done():
	}
	return nil
}

func (p *post) done() { p.handed.Do(func() { close(p.taken) }) }

// spawn runs f as work of the link, unless that has ended.
func (l *httpLink) spawn(f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.end != nil {
		return false
	}
	l.work.Go(f)
	return true
}

// finish ends the link; the first cause counts.
func (l *httpLink) finish(e End) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.end != nil {
		return
	}
	l.end = &e
	l.cancel()
	l.out.finish()
	go func() {
		<-l.out.done
		l.work.Wait()
		l.web.close()
		l.to.End(e)
		close(l.gone)
	}()
}

// Close lets what is queued go out, gives the session back, and ends.
func (l *httpLink) Close(ctx context.Context) {
	l.out.finish()
	polite, stop := context.WithTimeout(ctx, l.cfg.Grace)
	defer stop()
	select {
	case <-l.out.done:
	case <-l.ctx.Done():
	case <-polite.Done():
	}
	l.stopStreams()
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

func (l *httpLink) agreed() (session, protocol string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.session, l.protocol
}

// headers are what every request of the session carries.
func (l *httpLink) headers(accept string) http.Header {
	session, protocol := l.agreed()
	h := http.Header{}
	for name, value := range map[string]string{"Accept": accept, "Mcp-Session-Id": session, "Mcp-Protocol-Version": protocol} {
		if value != "" {
			h.Set(name, value)
		}
	}
	return h
}

// deliver hands on a message after it has taken from it what the link itself
// needs to know: which requests are answered, which version was agreed on.
func (l *httpLink) deliver(m Received) {
	if len(bytes.TrimSpace(m.Body)) == 0 {
		return
	}
	if bytes.Contains(m.Body, []byte(`"result"`)) || bytes.Contains(m.Body, []byte(`"error"`)) || bytes.Contains(m.Body, []byte(`\u`)) {
		wire.Frame{Dir: wire.In, Form: wire.FormOf(m.Body), Body: m.Body}.Messages(func(h wire.Head) bool {
			if h.Kind == wire.Result || h.Kind == wire.Error {
				l.answered(h)
			}
			return true
		})
	}
	l.to.Receive(m)
}

func (l *httpLink) answered(h wire.Head) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.open[h.ID.Key()]
	if p == nil {
		return
	}
	delete(l.open, h.ID.Key())
	if p.head.Method == mcpl.MethodInitialize && h.Kind == wire.Result {
		l.protocol = headerSafe(wire.StringOf(wire.Member(h.Result, "protocolVersion")))
	}
}

// headerSafe is a value of the server's that can stand in a header field.
func headerSafe(s string) string {
	for _, r := range s {
		if r < ' ' || r > '~' {
			return ""
		}
	}
	return s
}

// waits reports whether a request of the message still has no answer.
func (l *httpLink) waits(p *post) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range p.ids {
		if l.open[id.Key()] == p {
			return true
		}
	}
	return false
}

// fail tells that a message came to nothing. Before the handshake's answer
// nothing can follow, so the link ends with it; and where nothing answers at
// the address any more.
func (l *httpLink) fail(p *post, err error) {
	if l.ctx.Err() != nil {
		return
	}
	if len(p.ids) == 0 {
		l.to.Failed(Failure{Via: p.via, Err: err})
	}
	for _, id := range p.ids {
		l.mu.Lock()
		open := l.open[id.Key()] == p
		if open {
			delete(l.open, id.Key())
		}
		l.mu.Unlock()
		if open {
			l.to.Failed(Failure{ID: id, Via: p.via, Err: err})
		}
	}
	var known *linkError
	if errors.As(err, &known) && known.broken {
		if cannot := l.web.reach(l.ctx); errors.As(cannot, &known) && known.gone {
			err = cannot
		}
	}
	if known != nil && known.gone || p.head.Method == mcpl.MethodInitialize {
		e := End{By: "link", Reason: err.Error()}
		if known != nil && known.final {
			e.Next = NextNever
		}
		l.finish(e)
	}
}

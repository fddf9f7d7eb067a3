package session

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// webLink is what the links over HTTP have in common: each message of the
// host is a POST of its own, sent in order and never waited for longer than
// it takes to arrive.
type webLink struct {
	cfg   Config
	web   *web
	to    Receiver
	out   *outbox
	limit int         // the longest message
	carry func(*post) // posts a message and takes what comes of it
	via   func(n int) string

	ctx    context.Context // ends with the link
	cancel context.CancelFunc
	// streams ends sooner, when the host begins to leave: no stream is opened
	// or taken up any more.
	streams     context.Context
	stopStreams context.CancelFunc
	work        sync.WaitGroup // whatever may still deliver
	gone        chan struct{}  // End was called

	mu       sync.Mutex
	end      *End
	session  string            // Mcp-Session-Id
	protocol string            // MCP-Protocol-Version
	posts    int               // POSTs so far
	sending  int               // the number of the one that is sent next
	open     map[string]*post  // requests without an answer, by the key of their id
	given    map[string]bool   // ids of requests that were given up before they went out
	mirrored map[string][]byte // schemas of tools with x-mcp-header, by their name
	keys     map[int]string    // Idempotency-Key of what is queued, by the number of its POST
}

// post is one message on its way.
type post struct {
	n    int
	via  string
	body []byte
	head wire.Head
	// version is what it says of itself, of MCP 2026-07-28: "" before that.
	version string
	ctx     context.Context // ends with the link, or when the request is given up
	stop    context.CancelFunc
	key     string    // its Idempotency-Key, "": none
	ids     []wire.ID // of the requests in it
	handed  sync.Once
	taken   chan struct{} // it is the server's: the next message may follow
}

// handOver is how long the next message waits for this one to arrive: until a
// request is written, until the server has taken a notification or an answer.
const handOver = 2 * time.Second

// init makes the link as it is before it is started.
func (l *webLink) init(cfg Config, via func(n int) string, carry func(*post)) {
	l.cfg, l.limit, l.via, l.carry = cfg, cfg.longest, via, carry
	l.gone, l.open, l.keys = make(chan struct{}), map[string]*post{}, map[int]string{}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.streams, l.stopStreams = context.WithCancel(l.ctx)
}

// begin makes ready to send to the address.
func (l *webLink) begin(to Receiver, address string) error {
	w, err := newWeb(l.cfg, address, l.limit)
	if err != nil {
		return err
	}
	w.note = func(name string, data []byte) { to.Note(name, data) }
	l.to, l.web = to, w
	l.out = newOutboxVia(l.nextVia, webWriter{l}, to.Broken)
	return nil
}

// nextVia names the stream of the message that is queued next.
func (l *webLink) nextVia() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.posts++
	return l.via(l.posts)
}

// Send queues a message for a POST of its own.
func (l *webLink) Send(msg []byte, record func(via string)) error { return l.out.send(msg, record) }

// SendKeyed is Send with the header Idempotency-Key on the POST.
func (l *webLink) SendKeyed(msg []byte, key string, record func(via string)) error {
	return l.out.send(msg, func(via string) {
		l.mu.Lock()
		l.keys[l.posts] = key // the outbox has just numbered it
		l.mu.Unlock()
		record(via)
	})
}

// webWriter posts the messages of an outbox.
type webWriter struct{ l *webLink }

// Close does nothing: each message had a stream of its own.
func (webWriter) Close() error { return nil }

// WriteMessage begins the POST of a message and returns when the next one may
// follow.
func (w webWriter) WriteMessage(msg []byte) error {
	l := w.l
	l.mu.Lock()
	l.sending++
	p := &post{n: l.sending, via: l.via(l.sending), body: msg, head: wire.Peek(msg), key: l.keys[l.sending], taken: make(chan struct{})}
	delete(l.keys, l.sending)
	wire.Frame{Dir: wire.Out, Form: wire.Msg, Body: msg}.Messages(func(h wire.Head) bool {
		if h.Kind == wire.Request {
			p.ids = append(p.ids, h.ID)
			l.open[h.ID.Key()] = p
		}
		return true
	})
	p.version = versionIn(p.head)
	ctx, stop := context.WithCancel(l.ctx)
	p.ctx, p.stop = ctx, stop
	var given []wire.ID
	for _, id := range p.ids {
		if l.given[id.Key()] {
			delete(l.given, id.Key())
			given = append(given, id)
		}
	}
	l.mu.Unlock()
	for _, id := range given {
		l.Abandon(id)
	}
	if !l.spawn(func() { defer stop(); l.carry(p) }) {
		stop()
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
func (l *webLink) spawn(f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.end != nil {
		return false
	}
	l.work.Go(f)
	return true
}

// finish ends the link; the first cause counts.
func (l *webLink) finish(e End) {
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

// WaitsForUser reports whether a person is logging in meanwhile.
func (l *webLink) WaitsForUser() bool { return l.cfg.auth != nil && l.cfg.auth.asking.Load() }

// leave lets what is queued go out, for as long as ctx allows.
func (l *webLink) leave(ctx context.Context) {
	l.out.finish()
	select {
	case <-l.out.done:
	case <-l.ctx.Done():
	case <-ctx.Done():
	}
	l.stopStreams()
}

func (l *webLink) agreed() (session, protocol string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.session, l.protocol
}

// headers are what every request of the session carries.
func (l *webLink) headers(accept string) http.Header {
	session, protocol := l.agreed()
	h := http.Header{}
	for name, value := range map[string]string{"Accept": accept, "Mcp-Session-Id": session, "Mcp-Protocol-Version": protocol} {
		if value != "" {
			h.Set(name, value)
		}
	}
	return h
}

// posting are the headers of a message's POST.
func (l *webLink) posting(p *post, accept string) http.Header {
	h := l.headers(accept)
	h.Set("Content-Type", typeJSON)
	if p.key != "" {
		h.Set(idempotencyKey, p.key)
	}
	return h
}

// deliver hands on a message after it has taken from it what the link itself
// needs to know: which requests are answered, which version was agreed on.
func (l *webLink) deliver(m Received) {
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

func (l *webLink) answered(h wire.Head) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.open[h.ID.Key()]
	if p == nil {
		return
	}
	delete(l.open, h.ID.Key())
	if p.head.Method == mcpl.MethodToolsList {
		l.learn(h.Result)
	}
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
func (l *webLink) waits(p *post) bool {
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
func (l *webLink) fail(p *post, err error) {
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

// rest waits before a stream is taken up again; false means that the link
// ended.
func (l *webLink) rest(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-l.streams.Done():
		return false
	}
}

// refused takes a response that is no success, with its body.
func (l *webLink) refused(p *post, resp *http.Response) {
	body := take(resp, maxErrorBody)
	l.show(p.via, resp, body)
	if len(p.ids) == 0 || l.waits(p) {
		l.fail(p, statusError(resp, body))
	}
}

// show delivers a body, or says in a note that there was none.
func (l *webLink) show(via string, resp *http.Response, body []byte) {
	if len(body) == 0 {
		l.to.Note("stream", streamNote(via, "refused", resp, "", ""))
		return
	}
	l.deliver(Received{Via: via, Body: body, HTTP: metaOf(resp)})
}

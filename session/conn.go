package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// conn is one connection: a link, the requests that are open on it, and what
// the two sides agreed on. It is the link's receiver.
type conn struct {
	s      *Session
	n      int    // its number within the session
	about  []byte // data of its note "connect"
	began  time.Time
	host   host
	link   Link
	ctx    context.Context // ends when the connection is to be closed
	cancel context.CancelFunc

	opened chan struct{} // the note "connected" is written: messages may follow
	// isOpened spares each message the look at the channel.
	isOpened atomic.Bool
	started  chan struct{} // link.Start has returned
	up       bool          // it succeeded; read after started
	done     chan struct{} // the end was dispatched
	work     sync.WaitGroup
	queue    queue
	// stateless: each request says its version of MCP, and who asks
	// (MCP 2026-07-28).
	stateless atomic.Bool
	inquiring atomic.Bool // there are inquiries
	// instead looks at what comes while the first answer is waited for.
	instead atomic.Pointer[instead]

	// sendMu makes the order of ids, frames and bytes one, and is held while
	// the closing note is written: nothing of this connection follows it.
	sendMu sync.Mutex
	closed bool
	nextID int64

	mu        sync.Mutex
	pending   map[string]*request // by the key of their id
	sent      []*request          // those of the user, oldest first
	end       *End
	failure   error  // why the link could not be started
	because   string // why the host closes the connection, where nobody asked for that
	peer      peer
	grant     grantState
	waiting   []*ask
	inquiries []*inquiry     // answers that ask for input
	late      []*lateAnswer  // answers that are held back, oldest first
	leaving   bool           // the host closes the connection: nothing waits any more
	seen      map[event]bool // events that were pushed, and whether each was accepted
	kept      kept
	news      news
	turns     turns // what hooks were told of

	ready    chan struct{} // the handshake is over, one way or the other
	readyErr error
	settled  chan struct{} // the handshake's goroutine has ended

	listing   chan struct{} // held while a list is read, page by page
	templates atomic.Bool   // resources/templates/list was asked for
	lists     coalescer
	manifests coalescer
}

// host is what a connection is opened as.
type host struct {
	hints    bool            // it advertises toolHints
	manifest json.RawMessage // what it advertises of MCPL
	paths    []string        // the capabilities in that
	sampling bool            // a person answers as the model
	pages    bool            // a person is asked about pages to visit
}

// newHost is the host as the rules for answers stand: what nobody would
// answer is not advertised. The session's lock is held.
func (s *Session) newHost() host {
	h := host{hints: s.hints, sampling: s.policies[policySampling].policy == Ask, pages: s.policies[policyElicit].policy == Ask}
	h.manifest = mcpl.HostManifest(mcpl.HostOptions{ToolHints: h.hints, Inference: h.sampling})
	h.paths = mcpl.HostPaths(h.manifest)
	return h
}

// newConn makes a connection; the session's lock is held.
func newConn(s *Session, n int, link Link, about []byte) *conn {
	c := &conn{
		s: s, n: n, link: link, about: about, began: s.cfg.Now(), host: s.newHost(),
		opened: make(chan struct{}), started: make(chan struct{}), done: make(chan struct{}),
		ready: make(chan struct{}), settled: make(chan struct{}), listing: make(chan struct{}, 1),
		pending: map[string]*request{}, seen: map[event]bool{},
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.queue.init()
	c.news.init()
	c.lists = coalescer{gap: listGap, most: mostListGap, run: c.rereadLists}
	c.manifests = coalescer{gap: manifestGap, run: c.rereadManifest}
	return c
}

// run opens the link and goes through the handshake.
func (c *conn) run() {
	c.note("connect", c.about)
	c.noteMode(nil)
	c.work.Go(c.guarded(c.dispatch))
	data, err := c.link.Start(c.ctx, c)
	if err != nil {
		close(c.opened)
		c.mu.Lock()
		c.failure = err
		c.mu.Unlock()
		e := End{By: "link", Reason: err.Error()}
		if errors.Is(err, ErrFinal) {
			e.Next = NextNever
		}
		c.End(e)
		c.setReady(err)
		close(c.settled)
		close(c.started)
		return
	}
	c.note("connected", data)
	if limit := c.s.Timeout(); limit != c.s.cfg.Timeout {
		c.note("limit", limitData(limit)) // `timeout` changed it on an earlier connection
	}
	close(c.opened)
	c.up = true
	close(c.started)
	c.work.Go(c.guarded(func() {
		defer close(c.settled)
		err := c.handshake()
		c.setReady(err)
		if errors.Is(err, errNoCommonProtocol) {
			c.closeBecause(err)
		}
	}))
}

// close answers what waits and ends the link; it returns when all of the
// connection is over, or ctx is.
func (c *conn) close(ctx context.Context) {
	c.cancel()
	<-c.started
	if c.up {
		c.declineWaiting()
		c.catchUp() // what has come is answered while it can be
		c.giveUpCalls()
		c.link.Close(ctx)
	}
	over := make(chan struct{})
	go func() { c.work.Wait(); close(over) }()
	select {
	case <-over:
	case <-ctx.Done():
	}
}

// spawn runs f as work of the connection, unless that has ended.
func (c *conn) spawn(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end != nil {
		return false
	}
	c.work.Go(c.guarded(f))
	return true
}

// guarded is f with its panics told to who runs the session, so that a
// terminal can be given back before the process ends.
func (c *conn) guarded(f func()) func() {
	told := c.s.cfg.Panicked
	if told == nil {
		return f
	}
	return func() {
		defer func() {
			if v := recover(); v != nil {
				told(v, debug.Stack())
			}
		}()
		f()
	}
}

// Receive takes a message off the wire: the tap first, then, where somebody
// has to act on it, the queue. A flood of hints costs no more than the tap.
func (c *conn) Receive(m Received) {
	c.untilOpened()
	f := wire.Frame{Conn: c.n, Dir: wire.In, Via: m.Via, Body: m.Body, HTTP: m.HTTP}
	var h wire.Head
	var one, valid bool
	f.Form, valid, one = wire.Inspect(m.Body, &h)
	f = c.s.tap.put(f)
	if in := c.instead.Load(); in != nil {
		in.take(f, h, one, valid)
	}
	switch {
	case f.Form == wire.Binary: // it is no message
	case one:
		c.act(h, f.Seq)
	case valid:
		for h := range f.Messages {
			c.act(h, f.Seq)
		}
	}
}

// act queues a message where the session has to act on it.
func (c *conn) act(h wire.Head, seq int64) {
	if concerns(h) {
		c.queue.push(item{head: h, seq: seq})
	}
}

// untilOpened waits until the note "connected" is written.
func (c *conn) untilOpened() {
	if !c.isOpened.Load() {
		<-c.opened
		c.isOpened.Store(true)
	}
}

// Stderr takes a line of the server's stderr.
func (c *conn) Stderr(line []byte) {
	c.untilOpened()
	c.s.tap.put(frame(c.n, wire.Err, viaStdio, line))
}

// Note writes an event of the link's own.
func (c *conn) Note(name string, data json.RawMessage) {
	c.note(name, data)
	if in := c.instead.Load(); in != nil {
		in.noted(name, data)
	}
}

// Failed is told that a message came to nothing. Of a request that nobody
// waits for any more there is nothing to say.
func (c *conn) Failed(f Failure) {
	by := "link"
	var known *linkError
	if errors.As(f.Err, &known) {
		by = known.by()
	}
	about := []member{{"via", encode(f.Via)}, {"by", encode(by)}, {"reason", encode(f.Err.Error())}}
	if f.ID == "" {
		c.note("failed", obj(about...))
		return
	}
	c.mu.Lock()
	open := c.pending[f.ID.Key()] != nil
	c.mu.Unlock()
	if open {
		c.note("failed", obj(append([]member{{"id", []byte(f.ID)}}, about...)...))
		c.queue.push(item{failed: &f})
	}
}

// Broken is told that nothing can be sent any more. Mostly the end of the
// process is about to be noticed, and says more; so open requests are failed
// only where it does not come soon.
func (c *conn) Broken(err error) {
	c.spawn(func() {
		timer := time.NewTimer(time.Second)
		defer timer.Stop()
		select {
		case <-c.done:
		case <-timer.C:
			c.failPending(err)
		}
	})
}

// End writes the note "closed", the last frame of the connection.
func (c *conn) End(e End) {
	c.untilOpened()
	c.sendMu.Lock()
	c.mu.Lock()
	if e.By == "host" && e.Reason == "" {
		e.Reason = cmp.Or(c.grant.closing, c.because)
	}
	c.end = &e
	c.mu.Unlock()
	c.closed = true
	c.s.tap.put(wire.Frame{Conn: c.n, Dir: wire.Note, Name: "closed", Data: e.data()})
	c.sendMu.Unlock()
	c.cancel()
	c.queue.push(item{end: true})
	c.s.ended(c, e)
}

// note writes an event of the debugger's own, unless the connection is over.
func (c *conn) note(name string, data []byte) int64 {
	c.sendMu.Lock()
	defer c.sendMu.Unlock()
	if c.closed {
		return 0
	}
	return c.put(name, data)
}

// put is note with sendMu held, on a connection that is not over.
func (c *conn) put(name string, data []byte) int64 {
	return c.s.tap.put(wire.Frame{Conn: c.n, Dir: wire.Note, Name: name, Data: data}).Seq
}

// endError says in a sentence why nothing can be sent, and what to do.
func (c *conn) endError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.failure != nil:
		return fmt.Errorf("%w; `reconnect` tries again", c.failure)
	case c.end == nil:
		return errLinkClosing
	case c.end.By == "host" && c.grant.closing != "":
		return fmt.Errorf("%s; `grant` it more, then `reconnect`", c.grant.closing)
	case c.end.By == "host":
		return fmt.Errorf("%s; `reconnect` opens it again", c.end)
	case c.s.cfg.Target.Kind == KindStdio:
		return fmt.Errorf("%s; `reconnect` starts it again", c.end)
	default: // what is at an address is started elsewhere
		return fmt.Errorf("%s; `reconnect` connects again", c.end)
	}
}

// refusedGrant waits for the end of a connection that is closed because the
// server refused its grant, and says so; it is nil where that is not so.
func (c *conn) refusedGrant() error {
	c.mu.Lock()
	closing := c.grant.closing != ""
	c.mu.Unlock()
	if !closing {
		return nil
	}
	<-c.done
	return c.endError()
}

// isReady reports whether the handshake is over and went well.
func (c *conn) isReady() bool {
	select {
	case <-c.ready:
	default:
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.readyErr == nil
}

// setReady tells that the handshake is over. The first call ends the waiting;
// a later one, after an answer that came late, may take an error back.
func (c *conn) setReady(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.readyErr = err
	select {
	case <-c.ready:
	default:
		close(c.ready)
	}
}

// concerns reports whether the session has to act on a message.
func concerns(h wire.Head) bool {
	switch h.Kind {
	case wire.Request, wire.Result, wire.Error:
		return true
	case wire.Notification:
		_, ok := notified[h.Method]
		return ok
	}
	return false
}

// notified are the notifications that the session acts on.
var notified = map[string]func(*conn, wire.Head){
	mcpl.MethodCancelled:        (*conn).withdrawn,
	mcpl.MethodToolsChanged:     (*conn).toolsChanged,
	mcpl.MethodResourcesChanged: (*conn).resourcesChanged,
	mcpl.MethodPromptsChanged:   (*conn).promptsChanged,
	mcpl.MethodManifestChanged:  (*conn).manifestChanged,
	mcpl.MethodChannelsChanged:  (*conn).channelsNoted,
}

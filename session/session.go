// Package session is the live end of a connection: it is the MCPL host. It
// opens links (a child process, a server in this process), taps every byte of
// them, goes through the handshake, answers what the server asks, and runs
// the lines of the command language.
//
// What can be relied on:
//   - The tap comes first. Each message, in both directions, gets its number
//     and its time and goes to the Sink under one lock, before anything
//     decodes or queues it. Nothing is shown or done that is not in a frame.
//   - The bytes that are recorded are the bytes on the wire. A message of ours
//     is recorded before it is written, so no answer precedes its request.
//   - The reader of the wire waits for nothing but the Sink.
//   - Every request of the server gets exactly one answer, with its id byte
//     for byte, unless the server withdraws it, the link is gone, or the user
//     wants a host that is silent (Answers).
//   - A connection ends with the frame "closed"; no message of it follows. No
//     process is left behind once Done is closed.
//
// A session outlives its connections: Reconnect opens the next one in the
// same tap, and over a network the session does so by itself (Config.Retry).
// Two connections can stand side by side (ConnectAgain): commands go to the
// active one. How far a connection has come, and when the next try is, is told
// by frames alone.
package session

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"sync"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// ErrClosed is returned where a session was closed or never started.
var ErrClosed = errors.New("the session is closed")

// The defaults of a Config.
const (
	DefaultTimeout = 30 * time.Second
	DefaultWait    = 10 * time.Second
	DefaultGrace   = 2 * time.Second
	DefaultModel   = "human-at-the-keyboard"
)

// Config says what to connect to, and how the host behaves.
type Config struct {
	Target Target
	Env    []string // K=V, added to this process's environment (stdio)
	Dir    string   // working directory of the server (stdio), "": ours
	InProc Serve    // the server of a demo target
	Header []Header // sent with each request to an address
	Token  string   // bearer token for an address, "": none; never recorded
	// TokenAs is how the token travels to a WebSocket: one of TokenWays, "":
	// the first of them.
	TokenAs string

	ToolHints bool // advertise toolHints (not with Plain)
	// NoToolHints tells that the user wants no ToolHints, so that the
	// recording says it.
	NoToolHints bool
	Plain       bool // connect as a plain MCP host, without MCPL
	// Protocol is the version of MCP that is asked for: one of
	// mcpl.Protocols, or ProtocolAuto; "": mcpl.Protocol.
	Protocol string
	Deny     []string // patterns of capability paths that are not granted
	Grant    []string // exceptions from Deny

	Push     Policy // Accept (default), Refuse, Ask
	Elicit   Policy // Decline (default), Accept, Ask
	Sampling Policy // Decline (default), Ask: a person answers as the model
	Channels Policy // Accept (default), Decline, Ask
	Model    string // the id that model/info gives, "": DefaultModel
	Roots    []Root // what roots/list answers

	Answers     Answers // when the server's requests are answered, zero: at once
	IgnoreHints bool    // advertise toolHints, but use the plain list alone

	Timeout     time.Duration // of a request, 0: DefaultTimeout; the command timeout changes it
	WaitTimeout time.Duration // of the command wait, 0: DefaultWait
	Grace       time.Duration // of each step of a polite end, 0: DefaultGrace

	// Keyed sends each call with an Idempotency-Key of its own (HTTP).
	Keyed bool

	ClientName    string
	ClientVersion string

	// OAuth lets a person log in where a server wants that and neither Token
	// nor an Authorization header is given; nil: a 401 is an error.
	OAuth *OAuth
	auth  *oauth

	// patience is how long the handshake waits for the answer to the policy
	// before it goes on to the lists.
	patience time.Duration
	// InputLimit is how long the questions that an answer asks wait for a
	// person, 0: as long as that takes.
	InputLimit time.Duration
	// probe is how long ProtocolAuto waits for an answer to server/discover.
	probe time.Duration
	// longest is how many bytes a message of the server may have.
	longest int

	wsPing, wsSilence time.Duration // of a WebSocket, 0: what MCPL says

	// Retry are the waits before a connection that was lost is opened again,
	// for as long as it stays lost; the last one is repeated. Empty: a
	// connection is opened again by Reconnect alone.
	Retry []time.Duration
	// after makes the timers of Retry, nil: time.After.
	after func(time.Duration) <-chan time.Time
	// link makes the links, nil: those that Target asks for.
	link func() Link

	// About is what the note "connect" says of the target: a JSON object
	// without secrets, or nil.
	About json.RawMessage

	// Panicked is called when something of this session broke down, which is
	// a defect of this program, with the panic's value and the stack. The
	// session is of no use then, but can be closed. nil: the process ends.
	Panicked func(value any, stack []byte)

	Sink    Sink             // takes the frames; required
	View    View             // what commands know of the state, nil: nothing
	Now     func() time.Time // nil: time.Now
	Started time.Time        // when frame time 0 is, zero: when New is called
}

// The policies that commands change.
const (
	policyPush = iota
	policyElicit
	policySampling
	policyChannels
	policyCount
)

type policySetting struct {
	policy Policy
	reason string
}

// Session is a host with its connections: one after the other, or two side by
// side. Its methods are safe for use by several goroutines.
type Session struct {
	cfg       Config
	tap       *tap
	done      chan struct{}
	closeOnce sync.Once
	ctx       context.Context // ends when the session is closed
	cancel    context.CancelFunc
	retrying  sync.WaitGroup
	again     sync.Mutex // held while the second connection is opened

	mu       sync.Mutex
	hints    bool // the next connection advertises toolHints
	sides    []*side
	active   *side
	last     int // number of the connection that began last
	started  bool
	closed   bool
	wishes   wishes
	policies [policyCount]policySetting
	roots    []Root
	answers  Answers
	ignores  bool // hints are not used
	calls    []*background
	limit    time.Duration // of a request
	lastCall *sentCall     // what `again` sends, nil: nothing yet
}

// New makes a session. Nothing happens before Start.
func New(cfg Config) *Session {
	cfg = cfg.withDefaults()
	s := &Session{cfg: cfg, done: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.limit = cfg.Timeout
	s.cfg.auth = cfg.authorizer()
	s.tap = newTap(cfg.Sink, cfg.Now, cfg.Started)
	s.hints, s.roots, s.answers, s.ignores = cfg.ToolHints, cfg.Roots, cfg.Answers, cfg.IgnoreHints
	for _, p := range cfg.Deny {
		s.wishes.rules = append(s.wishes.rules, mcpl.Rule{Pattern: p})
	}
	for _, p := range cfg.Grant {
		s.wishes.rules = append(s.wishes.rules, mcpl.Rule{Pattern: p, Allow: true})
	}
	s.policies = [...]policySetting{
		policyPush: {policy: cfg.Push}, policyElicit: {policy: cfg.Elicit},
		policySampling: {policy: cfg.Sampling}, policyChannels: {policy: cfg.Channels},
	}
	return s
}

func (cfg Config) withDefaults() Config {
	or(&cfg.Push, Accept)
	or(&cfg.Elicit, Decline)
	or(&cfg.Sampling, Decline)
	or(&cfg.Channels, Accept)
	or(&cfg.Model, DefaultModel)
	or(&cfg.Timeout, DefaultTimeout)
	or(&cfg.WaitTimeout, DefaultWait)
	or(&cfg.Grace, DefaultGrace)
	or(&cfg.patience, 5*time.Second)
	or(&cfg.probe, probeTime)
	or(&cfg.Protocol, mcpl.Protocol)
	or(&cfg.longest, wire.MaxLine)
	or(&cfg.ClientName, "mcpl-tui")
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	// On the monotonic clock, whatever clock Started was read from.
	now := cfg.Now()
	if cfg.Started.IsZero() {
		cfg.Started = now
	}
	cfg.Started = now.Add(-now.Sub(cfg.Started))
	if cfg.after == nil {
		cfg.after = time.After
	}
	if cfg.View == nil {
		cfg.View = blind{}
	}
	if cfg.Plain {
		cfg.ToolHints = false
	}
	return cfg
}

// authorizer is who gets tokens, or nil where the user gave credentials, or
// none are to be had.
func (cfg Config) authorizer() *oauth {
	if cfg.OAuth == nil || cfg.Token != "" || cfg.Target.Kind != KindHTTP && cfg.Target.Kind != KindSSE {
		return nil
	}
	for _, h := range cfg.Header {
		if h.Name == "Authorization" {
			return nil
		}
	}
	if u, err := url.Parse(cfg.Target.URL); err != nil || u.User != nil {
		return nil
	}
	o, err := newOAuth(*cfg.OAuth, cfg.ClientName, cfg.Target.URL)
	if err != nil {
		return nil
	}
	return o
}

func or[T comparable](v *T, otherwise T) {
	var zero T
	if *v == zero {
		*v = otherwise
	}
}

// Started returns when frame time 0 is.
func (s *Session) Started() time.Time { return s.cfg.Started }

// Start opens the first connection and returns at once; what comes of it is
// told by the frames, Ready and WaitReady. When ctx ends, the session is
// closed politely: Done tells when that is over, and the process must wait
// for it, or it may leave a child behind.
func (s *Session) Start(ctx context.Context) {
	s.mu.Lock()
	if s.started || s.closed {
		s.mu.Unlock()
		return
	}
	s.started = true
	s.active = s.newSide()
	s.open(s.active, member{})
	s.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { s.Close(context.Background()) })
	go func() { <-s.done; stop() }()
}

// newLink makes the link that the target asks for.
func (s *Session) newLink() Link {
	if s.cfg.link != nil {
		return s.cfg.link()
	}
	switch s.cfg.Target.Kind {
	case KindDemo:
		return newInProcLink(s.cfg.InProc, s.cfg.Grace)
	case KindWS:
		return newWSLink(s.cfg)
	case KindHTTP:
		return newHTTPLink(s.cfg)
	case KindSSE:
		return newSSELink(s.cfg)
	default:
		return newStdioLink(s.cfg.Target, s.cfg.Env, s.cfg.Dir, s.cfg.Grace)
	}
}

func (s *Session) current() (*conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active == nil || s.closed {
		return nil, ErrClosed
	}
	return s.active.conn, nil
}

// Ready is closed when the handshake of the active connection is over: done,
// or failed, or beyond its time limit.
func (s *Session) Ready() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active == nil {
		return s.done
	}
	return s.active.conn.ready
}

// WaitReady waits for the handshake of the active connection. Its error is a
// sentence that says what happened.
func (s *Session) WaitReady(ctx context.Context) error {
	c, err := s.current()
	if err != nil {
		return err
	}
	select {
	case <-c.ready:
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.readyErr
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ReconnectAs is Reconnect as a host that advertises toolHints, or does not,
// whatever the earlier connections did. What comes after it does the same.
func (s *Session) ReconnectAs(ctx context.Context, toolHints bool) error {
	s.mu.Lock()
	s.hints = toolHints && !s.cfg.Plain
	s.mu.Unlock()
	return s.Reconnect(ctx)
}

// Close answers what waits, ends the connections politely and then firmly,
// and returns when nothing of the session is left, or ctx is over. It may be
// called more than once.
func (s *Session) Close(ctx context.Context) {
	s.closeOnce.Do(func() {
		s.mu.Lock()
		s.closed = true
		sides := s.sides
		s.mu.Unlock()
		s.cancel()
		go func() {
			defer close(s.done)
			var closing sync.WaitGroup
			for _, d := range sides {
				closing.Go(func() { s.closeSide(ctx, d) })
			}
			closing.Wait()
			s.retrying.Wait()
		}()
	})
	select {
	case <-s.done:
	case <-ctx.Done():
	}
}

// Done is closed when Close is over.
func (s *Session) Done() <-chan struct{} { return s.done }

// Lost re-reads toolsets/list and tools/list, because a rev of the connection
// was lost (toolhints.md §7). Losses in a burst are one reading.
func (s *Session) Lost(conn int) {
	if c := s.numbered(conn); c != nil && c.usesHints() {
		c.lost()
	}
}

// HoldExpired writes the note that the time is over for which revs of the
// connection were held (state.md, "Revs", 6).
func (s *Session) HoldExpired(conn int) {
	if c := s.numbered(conn); c != nil {
		c.note("hold-expired", nil)
	}
}

func (s *Session) policy(which int) (Policy, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.policies[which].policy, s.policies[which].reason
}

// mark leaves a note in the recording, on a connection that is over too.
func (s *Session) mark(c *conn, text string) int64 {
	return s.tap.put(wire.Frame{Conn: c.n, Dir: wire.Note, Name: "mark", Data: obj(member{"text", encode(text)})}).Seq
}

package session

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// patience is how long a test waits for what must happen. Only a test that
// fails waits that long.
const patience = 60 * time.Second

// serverEnv, set for this very test binary, makes it a server instead.
const serverEnv = "SESSION_TEST_SERVER"

func TestMain(m *testing.M) {
	if mode := os.Getenv(serverEnv); mode != "" {
		os.Exit(childServer(mode))
	}
	os.Exit(m.Run())
}

// sink keeps all frames.
type sink struct {
	mu     sync.Mutex
	frames []wire.Frame
	more   chan struct{}
}

func newSink() *sink { return &sink{more: make(chan struct{})} }

func (s *sink) Append(f wire.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frames = append(s.frames, f)
	close(s.more)
	s.more = make(chan struct{})
}

func (s *sink) all() []wire.Frame {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]wire.Frame(nil), s.frames...)
}

// wait returns the first frame that matches, as soon as there is one.
func (s *sink) wait(t testing.TB, what string, match func(wire.Frame) bool) wire.Frame {
	t.Helper()
	deadline := time.After(patience)
	for from := 0; ; {
		s.mu.Lock()
		frames, more := s.frames, s.more
		s.mu.Unlock()
		for ; from < len(frames); from++ {
			if match(frames[from]) {
				return frames[from]
			}
		}
		select {
		case <-more:
		case <-deadline:
			t.Fatalf("no frame: %s; there are:\n%s", what, dump(frames))
		}
	}
}

func dump(frames []wire.Frame) string {
	var b strings.Builder
	for i, f := range frames {
		if i == 60 {
			fmt.Fprintf(&b, "… %d more\n", len(frames)-i)
			break
		}
		fmt.Fprintf(&b, "%d %d %s %s %s%s %.300s\n", f.Seq, f.Conn, f.Dir, f.Via, f.Name, f.Data, f.Body)
	}
	return b.String()
}

// has matches frames of a direction whose body has a part.
func has(dir wire.Dir, part string) func(wire.Frame) bool {
	return func(f wire.Frame) bool { return f.Dir == dir && bytes.Contains(f.Body, []byte(part)) }
}

func noteIs(name string) func(wire.Frame) bool {
	return func(f wire.Frame) bool { return f.Dir == wire.Note && f.Name == name }
}

func count(frames []wire.Frame, match func(wire.Frame) bool) int {
	n := 0
	for _, f := range frames {
		if match(f) {
			n++
		}
	}
	return n
}

// checkFrames checks what holds for the frames of every session.
func checkFrames(t testing.TB, frames []wire.Frame) {
	t.Helper()
	closed := map[int]bool{}
	for i, f := range frames {
		if f.Seq != int64(i)+1 {
			t.Fatalf("frame %d has number %d", i+1, f.Seq)
		}
		if f.T%time.Microsecond != 0 || i > 0 && f.T < frames[i-1].T {
			t.Fatalf("frame %d has time %v", f.Seq, f.T)
		}
		if closed[f.Conn] && f.Name != "mark" && f.Name != "retry" && f.Name != "changed" {
			t.Fatalf("frame %d follows the end of connection %d:\n%s", f.Seq, f.Conn, dump(frames))
		}
		closed[f.Conn] = closed[f.Conn] || f.Name == "closed"
	}
}

// ended returns what the note "closed" says.
func ended(t testing.TB, frames *sink) map[string]any {
	t.Helper()
	f := frames.wait(t, "closed", noteIs("closed"))
	var data map[string]any
	if err := json.Unmarshal(f.Data, &data); err != nil {
		t.Fatal(err)
	}
	return data
}

// options for a session under test.
type option func(*Config)

// open starts a session, closes it at the end of the test, and checks that
// its frames are in order and that no goroutine of it is left.
func open(t testing.TB, opts ...option) (*Session, *sink) {
	t.Helper()
	frames := newSink()
	cfg := Config{
		ToolHints: true, Timeout: patience, WaitTimeout: patience, Grace: 2 * time.Second,
		ClientName: "test", ClientVersion: "1", Sink: frames,
	}
	for _, o := range opts {
		o(&cfg)
	}
	s := New(cfg)
	t.Cleanup(func() {
		s.Close(context.Background())
		checkFrames(t, frames.all())
		checkGoroutines(t)
	})
	s.Start(context.Background())
	return s, frames
}

// ready starts a session and waits for its handshake.
func ready(t testing.TB, opts ...option) (*Session, *sink) {
	t.Helper()
	s, frames := open(t, opts...)
	if err := s.WaitReady(t.Context()); err != nil {
		t.Fatalf("the handshake: %v\n%s", err, dump(frames.all()))
	}
	return s, frames
}

// child lets the session start this test binary as a server.
func child(mode string) option {
	return func(c *Config) {
		c.Target = Target{Kind: KindStdio, Command: []string{os.Args[0]}}
		// A server that was built to find races would take a second to end.
		c.Env = append(c.Env, serverEnv+"="+mode, "GORACE=atexit_sleep_ms=0")
	}
}

// inproc lets the session serve itself.
func inproc(serve func(*peerEnd)) option {
	return func(c *Config) {
		c.Target = Target{Kind: KindDemo}
		c.InProc = func(_ context.Context, r io.Reader, w io.Writer) error {
			serve(newPeer(r, w))
			return nil
		}
	}
}

var ownGoroutine = regexp.MustCompile(`session\.\(\*(conn|Session|outbox|stdioLink|inProcLink|wsLink|tcpLink|httpLink|sseLink|oauth|coalescer)\)`)

// checkGoroutines waits until no goroutine runs in a session any more.
func checkGoroutines(t testing.TB) {
	t.Helper()
	deadline := time.Now().Add(patience)
	buf := make([]byte, 4<<20)
	for {
		stacks := string(buf[:runtime.Stack(buf, true)])
		if !ownGoroutine.MatchString(stacks) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("goroutines are left:\n%s", stacks)
		}
		time.Sleep(time.Millisecond)
	}
}

// peerEnd is the other end of a connection: a server written by hand.
type peerEnd struct {
	r *bufio.Reader
	w io.Writer
}

func newPeer(r io.Reader, w io.Writer) *peerEnd { return &peerEnd{bufio.NewReader(r), w} }

// next reads a message; false is the end of the input.
func (p *peerEnd) next() (wire.Head, bool) {
	line, err := p.r.ReadBytes('\n')
	if err != nil {
		return wire.Head{}, false
	}
	return wire.Peek(bytes.TrimSpace(line)), true
}

func (p *peerEnd) say(format string, args ...any) {
	_, _ = fmt.Fprintf(p.w, format+"\n", args...) // the host may be gone
}

func (p *peerEnd) result(h wire.Head, result string) {
	p.say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, h.ID, result)
}

const (
	hintManifest = `{"version":"0.5","toolHints":true,"pushEvents":true,"channels":true,"modelInfo":true,"inferenceRequest":true,` +
		`"featureSets":{"play":{"description":"d","uses":["pushEvents"]},"broken":{"description":"d"}},` +
		`"toolsets":{"game":{"title":"Go","instances":true},"radio":{"title":"Radio"}}}`
	hintTools = `[{"name":"status"},{"name":"move","_meta":{"mcpl/toolset":"game"}}]`
)

// host answers the host as a good server does. on answers what it names
// first; it returns true where it did.
func (p *peerEnd) host(manifest string, on func(wire.Head) bool) {
	for {
		h, ok := p.next()
		if !ok {
			return
		}
		if on != nil && on(h) {
			continue
		}
		p.usual(manifest, h)
	}
}

func (p *peerEnd) usual(manifest string, h wire.Head) {
	if h.Kind != wire.Request {
		return
	}
	switch h.Method {
	case mcpl.MethodInitialize:
		caps := `{"tools":{}}`
		if manifest != "" {
			caps = `{"tools":{},"experimental":{"mcpl":` + manifest + `}}`
		}
		p.result(h, `{"protocolVersion":"2025-11-25","serverInfo":{"name":"hand","version":"1"},"capabilities":`+caps+`}`)
	case mcpl.MethodFeatureSets:
		p.result(h, `{"accepted":true}`)
	case mcpl.MethodToolsList:
		p.result(h, `{"tools":`+hintTools+`}`)
	case mcpl.MethodToolsetsList:
		p.result(h, `{"open":[],"ended":[],"_meta":{"mcpl/hints":{"rev":1}}}`)
	default:
		p.result(h, `{}`)
	}
}

// good is a server that only does what is usual.
func good(p *peerEnd) { p.host(hintManifest, nil) }

// answering waits for the answer to a request of the server, by its raw id.
func answering(t testing.TB, frames *sink, id string) wire.Head {
	t.Helper()
	f := frames.wait(t, "an answer to "+id, func(f wire.Frame) bool {
		h := wire.Peek(f.Body)
		return f.Dir == wire.Out && h.Method == "" && string(h.ID) == id
	})
	return wire.Peek(f.Body)
}

// atReady calls then once the host has read its lists.
func atReady(p *peerEnd, manifest string, then func(), on func(wire.Head) bool) {
	p.host(manifest, func(h wire.Head) bool {
		if h.Method == mcpl.MethodToolsetsList {
			p.usual(manifest, h)
			then()
			return true
		}
		return on != nil && on(h)
	})
}

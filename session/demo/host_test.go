package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// What hosts say of themselves in initialize.
const (
	hintsHost = `{"experimental":{"mcpl":{"version":"0.5","toolHints":true,"pushEvents":true,"featureSets":true}}}`
	mcplHost  = `{"experimental":{"mcpl":{"version":"0.5","pushEvents":true,"featureSets":true}}}`
	plainHost = `{}`
)

// host speaks to a server over a real pipe, and lets the reference watch.
type host struct {
	t      *testing.T
	pipe   net.Conn
	cancel context.CancelFunc
	served chan error // what Serve returned
	once   sync.Once

	mu      sync.Mutex
	ref     *reference
	lines   []string // what the server sent
	log     []logged // what went both ways
	waiting map[string]chan wire.Head
	pushes  []wire.Head
	hints   []wire.Head
	accept  string // how pushes are answered
	next    int
	out     chan []byte
	ended   chan struct{} // the server closed its side
}

// logged is a line of the log.
type logged struct {
	out bool
	raw string
}

// dial connects a host to a principal, without a word.
func dial(t *testing.T, opts Options) *host {
	t.Helper()
	return dialKnowing(t, opts, map[string]string{})
}

// dialKnowing connects a host that remembers ended records.
func dialKnowing(t *testing.T, opts Options, ended map[string]string) *host {
	t.Helper()
	ours, theirs := net.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	h := &host{
		t: t, pipe: ours, cancel: cancel, served: make(chan error, 1),
		waiting: map[string]chan wire.Head{}, accept: `"result":{"accepted":true}`,
		out: make(chan []byte, 1024), ended: make(chan struct{}),
	}
	h.ref = newReference(func(rule, message string) { t.Errorf("%s: %s", rule, message) }, ended)
	go func() { h.served <- Serve(ctx, theirs, theirs, opts) }()
	go h.write()
	go h.read()
	t.Cleanup(func() {
		h.leave() // after a failure; else it was called already
		cancel()
	})
	return h
}

func (h *host) write() {
	for line := range h.out {
		if _, err := h.pipe.Write(append(line, '\n')); err != nil {
			for range h.out { // the server is gone: nobody listens
			}
			return
		}
	}
}

func (h *host) read() {
	defer close(h.ended)
	lines := bufio.NewReader(h.pipe)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		h.take([]byte(strings.TrimSuffix(line, "\n")))
	}
}

func (h *host) take(line []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, string(line))
	h.log = append(h.log, logged{false, string(line)})
	h.ref.in(line)
	m := wire.Peek(line)
	switch m.Kind {
	case wire.Request:
		h.pushes = append(h.pushes, m)
		if h.accept != "" {
			h.sendLocked([]byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, h.accept)))
		}
	case wire.Notification:
		h.hints = append(h.hints, m)
	default:
		if c := h.waiting[m.ID.Key()]; c != nil {
			delete(h.waiting, m.ID.Key())
			c <- m
		}
	}
}

// send sends raw bytes as a line.
func (h *host) send(raw string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sendLocked([]byte(raw))
}

func (h *host) sendLocked(raw []byte) {
	h.log = append(h.log, logged{true, string(raw)})
	h.ref.out(raw)
	h.out <- raw
}

// ask sends a request without waiting, and returns its id and its answer to
// come.
func (h *host) ask(method, params string) (id int, answer chan wire.Head) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.next++
	answer = make(chan wire.Head, 1)
	h.waiting[fmt.Sprint(h.next)] = answer
	h.sendLocked([]byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%s,"params":%s}`, h.next, encode(method), params)))
	return h.next, answer
}

// request sends a request and returns its answer.
func (h *host) request(method, params string) wire.Head {
	h.t.Helper()
	_, answer := h.ask(method, params)
	return h.await(answer)
}

func (h *host) await(answer chan wire.Head) wire.Head {
	h.t.Helper()
	select {
	case a := <-answer:
		return a
	case <-h.ended:
	}
	select {
	case a := <-answer:
		return a
	default:
		h.t.Fatal("the server ended without an answer")
		return wire.Head{}
	}
}

// result is request for what must succeed.
func (h *host) result(method, params string) []byte {
	h.t.Helper()
	a := h.request(method, params)
	if a.Kind != wire.Result {
		h.t.Fatalf("%s %s: %s", method, params, a.Raw)
	}
	return a.Result
}

// refused is request for what must fail with a code and words.
func (h *host) refused(method, params string, code int, words ...string) {
	h.t.Helper()
	a := h.request(method, params)
	if a.Kind != wire.Error || string(wire.Member(a.Error, "code")) != fmt.Sprint(code) {
		h.t.Fatalf("%s %s: %s, want an error %d", method, params, a.Raw, code)
	}
	has(h.t, wire.StringOf(wire.Member(a.Error, "message")), words...)
}

// call calls a tool (of an instance, as tool@instance) and returns what it
// says.
func (h *host) call(tool, args string) (words string, isError bool) {
	h.t.Helper()
	r := h.result("tools/call", callParams(tool, args))
	return said(r), string(wire.Member(r, "isError")) == "true"
}

func callParams(tool, args string) string {
	name, instance, named := strings.Cut(tool, "@")
	meta := ""
	if named {
		meta = fmt.Sprintf(`,"_meta":{"mcpl/instance":%q}`, instance)
	}
	return fmt.Sprintf(`{"name":%q,"arguments":%s%s}`, name, args, meta)
}

// does is call for what must succeed.
func (h *host) does(tool, args string, words ...string) string {
	h.t.Helper()
	got, isError := h.call(tool, args)
	if isError {
		h.t.Fatalf("%s %s is refused: %s", tool, args, got)
	}
	has(h.t, got, words...)
	return got
}

// wont is call for what must be refused as a tool error.
func (h *host) wont(tool, args string, words ...string) {
	h.t.Helper()
	got, isError := h.call(tool, args)
	if !isError {
		h.t.Fatalf("%s %s succeeds: %s", tool, args, got)
	}
	has(h.t, got, words...)
}

func has(t *testing.T, got string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(got, w) {
			t.Errorf("%q does not say %q", got, w)
		}
	}
}

// said joins the texts of a content.
func said(result []byte) string {
	var words []string
	wire.EachElement(wire.Member(result, "content"), func(v []byte) bool {
		words = append(words, wire.StringOf(wire.Member(v, "text")))
		return true
	})
	return strings.Join(words, "\n")
}

// greet does the handshake up to the first lists. What is denied is not
// granted.
func (h *host) greet(capabilities string, granted ...string) *host {
	h.t.Helper()
	h.result("initialize", `{"protocolVersion":"2025-06-18","clientInfo":{"name":"test","version":"1"},"capabilities":`+capabilities+`}`)
	h.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if capabilities != plainHost {
		h.policy(granted...)
	}
	h.result("tools/list", `{}`)
	if capabilities == hintsHost {
		h.result("toolsets/list", `{}`)
	}
	return h
}

func (h *host) policy(granted ...string) {
	h.t.Helper()
	raw, _ := json.Marshal(append([]string{}, granted...))
	h.result("featureSets/update", `{"effectiveCapabilities":`+string(raw)+`}`)
}

// pushesAre says how pushes are answered from now on; empty: not at all.
func (h *host) pushesAre(answered string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.accept = answered
}

// lists reads both lists again: the reference compares them with what hints
// have told.
func (h *host) lists() {
	h.t.Helper()
	h.result("tools/list", `{}`)
	h.result("toolsets/list", `{}`)
}

// hangUp closes the host's side and checks that the server ended in order.
func (h *host) hangUp() {
	h.t.Helper()
	h.mu.Lock()
	h.ref.finish()
	h.mu.Unlock()
	h.leave()
	if err := <-h.served; err != nil {
		h.t.Errorf("Serve: %v", err)
	}
}

// leave closes the host's side, as often as it is called.
func (h *host) leave() {
	h.once.Do(func() {
		_ = h.pipe.Close()
		<-h.ended
		close(h.out)
	})
}

// took returns the pushes and notifications that came since the last time.
func (h *host) took() (pushes, notes []wire.Head) {
	h.mu.Lock()
	defer h.mu.Unlock()
	pushes, notes = h.pushes, h.hints
	h.pushes, h.hints = nil, nil
	return pushes, notes
}

// onePush returns the one push that came since the last time.
func (h *host) onePush() wire.Head {
	h.t.Helper()
	pushes, notes := h.took()
	if len(pushes) != 1 || len(notes) != 0 {
		h.t.Fatalf("%d pushes and %d notifications came, want one push", len(pushes), len(notes))
	}
	return pushes[0]
}

func pushText(p wire.Head) string { return said(wire.Member(p.Params, "payload")) }

// usable lists the tools that the reference holds usable in an instance.
func (h *host) usable(instance string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var names []string
	for i := range arcadeTools {
		t := h.ref.tools[arcadeTools[i].Name]
		if t != nil && t.presence == "dynamic" && h.ref.toolsets[t.toolset].instances == (instance != "") &&
			h.ref.visible(t, instance) {
			names = append(names, arcadeTools[i].Name)
		}
	}
	return strings.Join(names, " ")
}

func (h *host) definition(tool, instance, member string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.ref.tools[tool]
	if d, ok := t.defs[instance][member]; ok {
		return d
	}
	return t.declared[member]
}

// beats lets time pass, in beats of the default pace, and everything settle.
func beats(n float64) {
	time.Sleep(time.Duration(n * float64(time.Second)))
	synctest.Wait()
}

// show runs a test on fake time.
func show(t *testing.T, test func(t *testing.T)) { synctest.Test(t, test) }

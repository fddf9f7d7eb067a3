package session

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// sent lists the methods that the host sent, answers as their id.
func sent(frames []wire.Frame) string {
	var out []string
	for _, f := range frames {
		if h := wire.Peek(f.Body); f.Dir == wire.Out && h.Method != "" {
			out = append(out, h.Method)
		}
	}
	return strings.Join(out, " ")
}

func bodyOf(t testing.TB, frames *sink, method string) string {
	t.Helper()
	return string(frames.wait(t, method, func(f wire.Frame) bool {
		return f.Dir == wire.Out && wire.Peek(f.Body).Method == method
	}).Body)
}

func TestTheHandshakeGoesStepByStep(t *testing.T) {
	_, frames := ready(t, inproc(good))
	want := "initialize notifications/initialized featureSets/update tools/list toolsets/list"
	if got := sent(frames.all()); got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
	for method, want := range map[string]string{
		mcpl.MethodInitialize: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{}},` +
			`"experimental":{"mcpl":{"version":"0.5","toolHints":true,"pushEvents":true,"featureSets":true,` +
			`"channels":{"acknowledge":true,"incoming":true,"lifecycle":true,"publish":true,"register":true,"typing":true},"contextHooks":{"beforeInference":true},` +
			`"inferenceLifecycle":true,"modelInfo":true}},"roots":{"listChanged":true}},"clientInfo":{"name":"test","version":"1"}}}`,
		mcpl.MethodInitialized: `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		mcpl.MethodFeatureSets: `{"jsonrpc":"2.0","id":2,"method":"featureSets/update","params":{"effectiveCapabilities":["tools","pushEvents","modelInfo",` +
			`"channels.register","channels.lifecycle","channels.publish","channels.incoming","channels.acknowledge","channels.typing"],` +
			`"deniedCapabilities":["inferenceRequest","inferenceRequest.streaming","channels.streaming"],` +
			`"enabled":["play"],"disabled":["broken"]}}`,
		mcpl.MethodToolsList:    `{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{}}`,
		mcpl.MethodToolsetsList: `{"jsonrpc":"2.0","id":4,"method":"toolsets/list","params":{}}`,
	} {
		if got := bodyOf(t, frames, method); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", method, got, want)
		}
	}
	all := frames.all()
	if all[0].Name != "connect" || all[1].Name != "connected" || all[2].Via != "inproc" {
		t.Errorf("the first frames:\n%s", dump(all[:3]))
	}
}

func TestAPlainServerIsSentNothingOfMCPL(t *testing.T) {
	_, frames := ready(t, inproc(func(p *peerEnd) { p.host("", nil) }))
	if got := sent(frames.all()); got != "initialize notifications/initialized tools/list" {
		t.Errorf("sent %s", got)
	}
}

func TestWithoutToolHintsTheListOfToolsetsIsNotRead(t *testing.T) {
	_, frames := ready(t, inproc(good), func(c *Config) { c.ToolHints = false })
	if got := sent(frames.all()); got != "initialize notifications/initialized featureSets/update tools/list" {
		t.Errorf("sent %s", got)
	}
	if body := bodyOf(t, frames, "initialize"); strings.Contains(body, "toolHints") || !strings.Contains(body, `"mcpl"`) {
		t.Errorf("initialize: %s", body)
	}
}

func TestAPlainHostSpeaksNoMCPL(t *testing.T) {
	_, frames := ready(t, inproc(good), func(c *Config) { c.Plain = true })
	if got := sent(frames.all()); got != "initialize notifications/initialized tools/list" {
		t.Errorf("sent %s", got)
	}
	if body := bodyOf(t, frames, "initialize"); strings.Contains(body, "experimental") {
		t.Errorf("initialize: %s", body)
	}
}

func TestDeniedPathsAreLeftOutOfTheGrant(t *testing.T) {
	_, frames := ready(t, inproc(good), func(c *Config) {
		c.Deny, c.Grant = []string{"*", "channels.*"}, []string{"channels.publish"}
	})
	body := bodyOf(t, frames, mcpl.MethodFeatureSets)
	if !strings.Contains(body, `"effectiveCapabilities":["channels.publish"]`) || !strings.Contains(body, `"disabled":["play","broken"]`) {
		t.Errorf("the policy: %s", body)
	}
}

func TestARefusedInitializeIsToldInTheServersWords(t *testing.T) {
	s, _ := open(t, inproc(func(p *peerEnd) {
		h, _ := p.next()
		p.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"Unsupported protocol version"}}`, h.ID)
		p.next()
	}))
	err := s.WaitReady(t.Context())
	if err == nil || err.Error() != "the server refused initialize: Unsupported protocol version (-32602)" {
		t.Errorf("WaitReady: %v", err)
	}
}

func TestAListThatTheServerRefusesDoesNotEndTheHandshake(t *testing.T) {
	s, frames := ready(t, inproc(func(p *peerEnd) {
		p.host(hintManifest, func(h wire.Head) bool {
			if h.Method == mcpl.MethodToolsList || h.Method == mcpl.MethodFeatureSets {
				p.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, h.ID)
				return true
			}
			return false
		})
	}))
	if got := sent(frames.all()); !strings.HasSuffix(got, "tools/list toolsets/list") {
		t.Errorf("sent %s", got)
	}
	if o := s.Run(t.Context(), "call status"); !o.OK {
		t.Errorf("a call: %+v", o.Err)
	}
}

func TestAllPagesOfTheToolListAreRead(t *testing.T) {
	s, frames := ready(t, inproc(func(p *peerEnd) {
		p.host("", func(h wire.Head) bool {
			if h.Method != mcpl.MethodToolsList {
				return false
			}
			switch cursor := wire.StringOf(wire.Member(h.Params, "cursor")); cursor {
			case "":
				p.result(h, `{"tools":[{"name":"a"}],"nextCursor":"<&2>","_meta":{"mcpl/rev":4}}`)
			case "<&2>":
				p.result(h, `{"tools":[{"name":"b", "n":1e400}],"nextCursor":"3"}`)
			default:
				p.result(h, `{"tools":[{"name":"c"}]}`)
			}
			return true
		})
	}))
	o := s.Run(t.Context(), "tools")
	if want := `{"tools":[{"name":"a"},{"name":"b", "n":1e400},{"name":"c"}],"_meta":{"mcpl/rev":4}}`; string(o.Result) != want {
		t.Errorf("tools: %s, want %s", o.Result, want)
	}
	if n := count(frames.all(), has(wire.Out, `"params":{"cursor":"<&2>"}`)); n != 2 {
		t.Errorf("the cursor was sent %d times", n)
	}
}

func TestAListWithoutEndIsGivenUp(t *testing.T) {
	for name, cursor := range map[string]string{
		"the same cursor": `"again"`, "ever new cursors": `"%d"`,
		"huge cursors": `"%d` + strings.Repeat("x", maxListBytes/8) + `"`,
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			s, frames := ready(t, inproc(func(p *peerEnd) {
				p.host("", func(h wire.Head) bool {
					if h.Method != mcpl.MethodToolsList {
						return false
					}
					n++
					p.result(h, `{"tools":[],"nextCursor":`+strings.ReplaceAll(cursor, "%d", fmt.Sprint(n))+`}`)
					return true
				})
			}))
			if n := count(frames.all(), has(wire.Out, "tools/list")); n > maxPages {
				t.Errorf("%d pages were read", n)
			}
			if o := s.Run(t.Context(), "tools"); o.OK || !strings.Contains(o.Err.Message, "does not end") {
				t.Errorf("tools: %+v", o)
			}
		})
	}
}

func TestAnEmptyOrOddCursorIsTheEndOfAList(t *testing.T) {
	for _, cursor := range []string{`""`, `null`, `5`} {
		t.Run(cursor, func(t *testing.T) {
			s, frames := ready(t, inproc(func(p *peerEnd) {
				p.host("", func(h wire.Head) bool {
					if h.Method != mcpl.MethodToolsList {
						return false
					}
					p.result(h, `{"tools":[],"nextCursor":`+cursor+`}`)
					return true
				})
			}))
			if o := s.Run(t.Context(), "tools"); !o.OK {
				t.Errorf("the list cannot be read: %+v", o)
			}
			if n := count(frames.all(), has(wire.Out, "tools/list")); n != 2 {
				t.Errorf("%d pages were asked for; one at the start and one now are all", n)
			}
		})
	}
}

func TestALateAnswerToInitializeIsTakenUp(t *testing.T) {
	late := make(chan struct{})
	s, frames := open(t, func(c *Config) { c.Timeout = 30 * time.Millisecond }, inproc(func(p *peerEnd) {
		h, _ := p.next()
		<-late
		p.usual(hintManifest, h)
		good(p)
	}))
	if err := s.WaitReady(t.Context()); err == nil {
		t.Fatal("the handshake is over before it began")
	}
	close(late)
	frames.wait(t, "the last list", has(wire.In, `"ended":[]`))
	waitUntil(t, func() bool { return s.WaitReady(t.Context()) == nil })
}

// waitUntil waits for what nothing tells.
func waitUntil(t testing.TB, over func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !over(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it never came to be")
		}
	}
}

func TestAPolicyWithoutAnswerGrantsNothingAndDoesNotHoldUpTheLists(t *testing.T) {
	_, frames := ready(t, inproc(func(p *peerEnd) {
		atReady(p, hintManifest, func() {
			p.say(`{"jsonrpc":"2.0","id":"early","method":"push/event","params":{"featureSet":"play","eventId":"1","payload":{"content":[]}}}`)
		}, func(h wire.Head) bool { return h.Method == mcpl.MethodFeatureSets })
	}), func(c *Config) { c.patience = time.Millisecond })
	h := answering(t, frames, `"early"`)
	if e := errorOf(h.Error); e.Code != mcpl.CodeDenied || string(e.Data) != `{"capability":"pushEvents"}` || !strings.Contains(e.Message, "not been answered") {
		t.Errorf("the answer: %s", h.Raw)
	}
}

func TestListsAreReadAgainOnceForABurst(t *testing.T) {
	begun, release := make(chan struct{}, 100), make(chan struct{}, 100)
	s, frames := ready(t, inproc(func(p *peerEnd) {
		p.host(hintManifest, func(h wire.Head) bool {
			if h.Method == mcpl.MethodToolsList && h.ID != "3" {
				begun <- struct{}{}
				<-release
			}
			return false
		})
	}))
	s.Lost(1)
	<-begun // it is being read: all that comes now is one more reading
	for range 50 {
		s.Lost(1)
	}
	s.Lost(7) // no such connection
	release <- struct{}{}
	<-begun
	release <- struct{}{}
	if o := s.Run(t.Context(), "raw ping"); !o.OK { // what is to be sent was sent by now
		t.Fatal(o.Err)
	}
	c, _ := s.current()
	waitUntil(t, func() bool { c.lists.mu.Lock(); defer c.lists.mu.Unlock(); return !c.lists.running })
	if got := sent(frames.all()); strings.Count(got, "toolsets/list") != 3 || strings.Count(got, " tools/list") != 3 {
		t.Errorf("sent %s", got)
	}
}

func TestAToolListThatChangedIsReadAgain(t *testing.T) {
	_, frames := ready(t, inproc(func(p *peerEnd) {
		atReady(p, hintManifest, func() {
			for range 10 {
				p.say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			}
		}, nil)
	}))
	frames.wait(t, "the second reading", has(wire.Out, `"id":5,"method":"tools/list"`))
}

func TestAManifestThatChangedIsFetchedAndTheGrantFollows(t *testing.T) {
	fetched := 0
	_, frames := ready(t, inproc(func(p *peerEnd) {
		atReady(p, hintManifest, func() {
			for i := range 20 {
				p.say(`{"jsonrpc":"2.0","method":"mcpl/manifestChanged","params":{"revision":"r%d","domains":["toolsets"]}}`, i)
			}
		}, func(h wire.Head) bool {
			if h.Method != mcpl.MethodManifest {
				return false
			}
			fetched++
			p.result(h, `{"version":"0.5","toolHints":true,"toolsets":{}}`)
			return true
		})
	}))
	frames.wait(t, "a narrower grant", has(wire.Out, `"effectiveCapabilities":["tools"]`))
	frames.wait(t, "the second list", func(f wire.Frame) bool {
		return f.Dir == wire.Out && strings.Contains(string(f.Body), "toolsets/list") && wire.Peek(f.Body).ID != "4"
	})
	if fetched > 2 {
		t.Errorf("the manifest was fetched %d times for one burst", fetched)
	}
}

func TestAManifestThatDropsToolHintsEndsThem(t *testing.T) {
	s, frames := ready(t, inproc(func(p *peerEnd) {
		atReady(p, hintManifest, func() {
			p.say(`{"jsonrpc":"2.0","method":"mcpl/manifestChanged","params":{}}`)
		}, func(h wire.Head) bool {
			if h.Method != mcpl.MethodManifest {
				return false
			}
			p.result(h, `{"version":"0.5","pushEvents":true}`)
			return true
		})
	}))
	frames.wait(t, "the new manifest", has(wire.In, `{"version":"0.5","pushEvents":true}`))
	frames.wait(t, "the new grant", has(wire.Out, `"effectiveCapabilities":["tools","pushEvents"]`))
	if o := s.Run(t.Context(), "open game"); o.OK || !strings.Contains(o.Err.Message, "toolHints is not agreed on") {
		t.Errorf("open: %+v", o)
	}
}

func TestHoldExpiredIsANoteOfItsConnection(t *testing.T) {
	s, frames := ready(t, inproc(good))
	s.HoldExpired(2) // no such connection
	s.HoldExpired(1)
	if n := count(frames.all(), noteIs("hold-expired")); n != 1 {
		t.Errorf("%d notes", n)
	}
}

func TestAServerInThisProcessThatFailsIsToldSo(t *testing.T) {
	for name, serve := range map[string]func(*peerEnd){
		"the server panicked: oops":                                      func(*peerEnd) { panic("oops") },
		"the server closed the connection before it answered initialize": func(*peerEnd) {},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := open(t, inproc(serve))
			if err := s.WaitReady(t.Context()); err == nil || !strings.HasPrefix(err.Error(), name) {
				t.Errorf("WaitReady: %v, want %q", err, name)
			}
		})
	}
}

func TestAServerInThisProcessThatWillNotEndDoesNotHoldUpTheEnd(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	s, frames := ready(t, func(c *Config) { c.Grace = 20 * time.Millisecond }, inproc(func(p *peerEnd) {
		good(p)
		<-stop
	}))
	s.Close(context.Background())
	if f := frames.wait(t, "closed", noteIs("closed")); string(f.Data) != `{"by":"host"}` {
		t.Errorf("closed: %s", f.Data)
	}
}

func TestASessionThatWasClosedOrNeverStartedSaysSo(t *testing.T) {
	s := New(Config{Sink: newSink()})
	if o := s.Run(t.Context(), "tools"); o.OK || o.Err.Message != ErrClosed.Error() {
		t.Errorf("before the start: %+v", o)
	}
	s.Close(context.Background())
	s.Start(t.Context())
	if err := s.WaitReady(t.Context()); err != ErrClosed {
		t.Errorf("after the end: %v", err)
	}
	if err := s.Reconnect(t.Context()); err != ErrClosed {
		t.Errorf("reconnect after the end: %v", err)
	}
	<-s.Ready()
}

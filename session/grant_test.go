package session

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// lastPolicy is the params of the featureSets/update that was sent last.
func lastPolicy(frames *sink) string {
	params := ""
	for _, f := range frames.all() {
		if h := wire.Peek(f.Body); f.Dir == wire.Out && h.Method == mcpl.MethodFeatureSets {
			params = string(h.Params)
		}
	}
	return params
}

func TestTheGrantIsEditedByPathSubtreeAndFeatureSet(t *testing.T) {
	s, frames := ready(t, inproc(good))
	for _, c := range []struct {
		line, has, hasNot string
	}{
		{"deny channels.**", `"effectiveCapabilities":["tools","pushEvents","modelInfo"],`, `"tools","channels`},
		{"grant channels.publish channels.incoming deny pushEvents", `"effectiveCapabilities":["tools","modelInfo","channels.publish","channels.incoming"]`, `"enabled"`},
		{"grant play", `"effectiveCapabilities":["tools","pushEvents"`, `"disabled":["play"`},
		{"deny play", `"disabled":["play","broken"]`, `"deniedCapabilities":["pushEvents"`},
		{`grant "play"`, `"enabled":["play"]`, `"disabled":["play"`},
	} {
		preview, err := s.Preview(c.line)
		if err != nil || preview == nil {
			t.Fatalf("%s: preview %s, %v", c.line, preview, err)
		}
		o := s.Run(t.Context(), c.line)
		if !o.OK || string(o.Result) != `{"accepted":true}` {
			t.Fatalf("%s: %+v", c.line, o)
		}
		got := lastPolicy(frames)
		if h := wire.Peek(preview); string(h.Params) != got {
			t.Errorf("%s: sent\n%s\npreview\n%s", c.line, got, h.Params)
		}
		if !strings.Contains(got, c.has) || strings.Contains(got, c.hasNot) {
			t.Errorf("%s: told %s", c.line, got)
		}
	}
}

func TestAWordThatIsNoPathIsRefusedWithWhatIsNear(t *testing.T) {
	s, frames := ready(t, inproc(good))
	before := len(frames.all())
	for line, want := range map[string]string{
		"grant pushEvent":     `no capability path matches "pushEvent". Did you mean pushEvents?`,
		"deny publish":        "Did you mean channels.publish?",
		"deny plya":           "Did you mean play?",
		"deny channels":       "channels.** for all of them: channels.register, ",
		"grant broken":        "invalid_uses",
		"grant xyzzyxyzzyxyz": "they are: tools, pushEvents, ",
		"deny":                "a path is missing",
		"deny grant":          "a path is missing",
	} {
		if o := s.Run(t.Context(), line); o.OK || !strings.Contains(o.Err.Message, want) {
			t.Errorf("%s: %+v, want %q", line, o.Err, want)
		}
	}
	if now := len(frames.all()); now != before {
		t.Errorf("%d frames were added by what was refused", now-before)
	}
}

func TestGrantAndDenyAreCompletedWithPathsSubtreesAndFeatureSets(t *testing.T) {
	s, _ := ready(t, inproc(good))
	for line, want := range map[string]string{
		"deny push": "deny pushEvents", "grant pl": "grant play", "deny pushEvents grant channels.p": "deny pushEvents grant channels.publish",
		"deny channels.*": "deny channels.**",
	} {
		if got := s.Complete(line); len(got) == 0 || got[0].Text != want {
			t.Errorf("%q is completed by %v, want %q first", line, got, want)
		}
	}
}

func TestAFeatureSetThatIsDeniedIsRefusedAtOnceAndEnabledWithTheReceipt(t *testing.T) {
	push, receipt := make(chan string), make(chan struct{})
	policies := 0
	s, frames := ready(t, inproc(func(p *peerEnd) {
		atReady(p, hintManifest, func() {
			go func() {
				for l := range push {
					p.say("%s", l)
				}
			}()
		}, func(h wire.Head) bool {
			if h.Method != mcpl.MethodFeatureSets {
				return false
			}
			if policies++; policies == 1 {
				return false
			}
			go func() { <-receipt; p.result(h, `{"accepted":true}`) }()
			return true
		})
	}))
	defer close(push)
	ask := func(id string) string {
		push <- req(id, "push/event", fmt.Sprintf(`{"featureSet":"play","eventId":%q}`, id))
		return string(answering(t, frames, id).Raw)
	}
	for i, c := range []struct{ line, pending, after string }{
		{"deny play", "-32001", "-32001"},
		{"grant play", "-32001", `"accepted":true`},
	} {
		done := make(chan Outcome, 1)
		sent := s.tap.newest()
		go func() { done <- s.Run(t.Context(), c.line) }()
		frames.wait(t, "the policy", func(f wire.Frame) bool { return f.Seq > sent && has(wire.Out, "featureSets/update")(f) })
		if got := ask(fmt.Sprint(10 * (i + 1))); !strings.Contains(got, c.pending) {
			t.Errorf("%s, before the receipt: %s", c.line, got)
		}
		receipt <- struct{}{}
		if o := <-done; !o.OK {
			t.Fatalf("%s: %+v", c.line, o)
		}
		if got := ask(fmt.Sprint(10*(i+1) + 1)); !strings.Contains(got, c.after) {
			t.Errorf("%s, after the receipt: %s", c.line, got)
		}
	}
}

// refusing is a server that refuses each policy but the first with an answer.
func refusing(from int, answer string) func(*peerEnd) {
	return func(p *peerEnd) {
		policies := 0
		p.host(hintManifest, func(h wire.Head) bool {
			if h.Method != mcpl.MethodFeatureSets {
				return false
			}
			if policies++; policies < from {
				return false
			}
			p.result(h, answer)
			return true
		})
	}
}

func TestARefusedGrantIsToldAgainWhenItIsAskedForAgain(t *testing.T) {
	s, frames := ready(t, inproc(refusing(2, `{"accepted":false,"fallback":"mcp-only","reason":"no"}`)))
	for range 2 {
		if o := s.Run(t.Context(), "deny pushEvents"); !o.OK || !strings.Contains(string(o.Result), `"mcp-only"`) {
			t.Fatalf("deny: %+v", o)
		}
	}
	if n := count(frames.all(), has(wire.Out, "featureSets/update")); n != 3 {
		t.Errorf("the grant was told %d times, want 3", n)
	}
	if o := s.Run(t.Context(), "tools"); !o.OK {
		t.Errorf("after a refusal with mcp-only, tools go on: %+v", o)
	}
}

func TestARefusalThatAsksToCloseIsFollowed(t *testing.T) {
	const refusal = `{"accepted":false,"fallback":"close","reason":"I need pushEvents"}`
	s, frames := open(t, inproc(refusing(1, refusal)))
	err := s.WaitReady(t.Context())
	if err == nil || !strings.Contains(err.Error(), "refused its grant and asked to close: I need pushEvents") {
		t.Errorf("the handshake: %v", err)
	}
	if got := ended(t, frames); got["by"] != "host" || !strings.Contains(fmt.Sprint(got["reason"]), "I need pushEvents") {
		t.Errorf("closed: %v", got)
	}
	// What is wished now is told to the next connection.
	if o := s.Run(t.Context(), "deny modelInfo"); !o.OK {
		t.Fatalf("deny after the end: %+v", o)
	}
	_ = s.Reconnect(t.Context())
	frames.wait(t, "the policy of the second", func(f wire.Frame) bool {
		return f.Conn == 2 && has(wire.Out, `"deniedCapabilities":["modelInfo"`)(f)
	})
}

func TestTheManifestIsFetchedByHand(t *testing.T) {
	answers := []string{`{"version":"0.5","toolHints":true,"modelInfo":true}`, `"nothing"`, ""}
	s, frames := ready(t, inproc(func(p *peerEnd) {
		p.host(hintManifest, func(h wire.Head) bool {
			if h.Method != mcpl.MethodManifest {
				return false
			}
			answer := answers[0]
			if answers = answers[1:]; answer == "" {
				p.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"no manifest today"}}`, h.ID)
			} else {
				p.result(h, answer)
			}
			return true
		})
	}))
	if o := s.Run(t.Context(), "manifest"); !o.OK || string(o.Result) != `{"version":"0.5","toolHints":true,"modelInfo":true}` {
		t.Fatalf("manifest: %+v", o)
	}
	if got := lastPolicy(frames); got != `{"effectiveCapabilities":["tools","modelInfo"]}` {
		t.Errorf("the grant that followed: %s", got)
	}
	frames.wait(t, "toolsets/list, for the toolsets are gone", func(f wire.Frame) bool {
		return has(wire.Out, "toolsets/list")(f) && count(frames.all(), has(wire.Out, "toolsets/list")) > 1
	})
	told := count(frames.all(), has(wire.Out, "featureSets/update"))
	for _, want := range []string{"is no manifest", "no manifest today"} {
		if o := s.Run(t.Context(), "manifest"); o.OK || !strings.Contains(o.Err.Message, want) {
			t.Errorf("manifest: %+v, want %q", o, want)
		}
	}
	if n := count(frames.all(), has(wire.Out, "featureSets/update")); n != told {
		t.Errorf("a manifest that was none changed the grant")
	}
	if o := s.Run(t.Context(), "open radio"); !o.OK {
		t.Errorf("the manifest before it stays in force: %+v", o)
	}
}

func TestFeatureSetsThatChangeAreToldAlthoughTheGrantIsTheSame(t *testing.T) {
	s, frames := ready(t, inproc(func(p *peerEnd) {
		p.host(`{"version":"0.5","pushEvents":true,"featureSets":{"a":{"uses":["pushEvents"]}}}`, func(h wire.Head) bool {
			if h.Method == mcpl.MethodManifest {
				p.result(h, `{"version":"0.5","pushEvents":true,"featureSets":{"a":{"uses":["pushEvents"]},"b":{"uses":["pushEvents"]}}}`)
			}
			return h.Method == mcpl.MethodManifest
		})
	}))
	if o := s.Run(t.Context(), "manifest"); !o.OK {
		t.Fatalf("manifest: %+v", o)
	}
	if got := lastPolicy(frames); !strings.Contains(got, `"enabled":["a","b"]`) {
		t.Errorf("told: %s", got)
	}
}

func TestHintsThatBeginWithAManifestReadToolsAndThenToolsets(t *testing.T) {
	s, frames := ready(t, inproc(func(p *peerEnd) {
		p.host(`{"version":"0.5"}`, func(h wire.Head) bool {
			if h.Method == mcpl.MethodManifest {
				p.result(h, hintManifest)
			}
			return h.Method == mcpl.MethodManifest
		})
	}))
	if o := s.Run(t.Context(), "manifest"); !o.OK {
		t.Fatalf("manifest: %+v", o)
	}
	list := frames.wait(t, "toolsets/list", has(wire.Out, `"toolsets/list"`))
	var tools int64
	for _, f := range frames.all() {
		if has(wire.Out, `"tools/list"`)(f) {
			tools = f.Seq
		}
	}
	answer := frames.wait(t, "the manifest", has(wire.In, `"radio"`))
	if tools < answer.Seq || tools > list.Seq {
		t.Errorf("tools/list is frame %d, toolsets/list %d, the manifest %d", tools, list.Seq, answer.Seq)
	}
}

func TestAFloodOfAnnouncementsIsOneFetchEachTwoSecondsAndTheLastIsNeverLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const lastAnnounced = 5000
		var announced atomic.Int64
		var mu sync.Mutex
		var fetches []time.Time
		seen := int64(-1) // announcements before the newest fetch
		s, _ := ready(t, inproc(func(p *peerEnd) {
			atReady(p, hintManifest, func() {
				go func() {
					for announced.Add(1) <= lastAnnounced {
						p.say(`{"jsonrpc":"2.0","method":"mcpl/manifestChanged","params":{"domains":["capabilities"]}}`)
						time.Sleep(time.Millisecond)
					}
				}()
			}, func(h wire.Head) bool {
				if h.Method != mcpl.MethodManifest {
					return false
				}
				mu.Lock()
				fetches, seen = append(fetches, time.Now()), announced.Load()
				mu.Unlock()
				p.result(h, hintManifest)
				return true
			})
		}))
		time.Sleep(20 * time.Second) // of the test's own clock
		mu.Lock()
		defer mu.Unlock()
		for i := 1; i < len(fetches); i++ {
			if gap := fetches[i].Sub(fetches[i-1]); gap < manifestGap {
				t.Errorf("fetch %d came %v after the one before", i, gap)
			}
		}
		if seen <= lastAnnounced || len(fetches) < 2 || len(fetches) > 5 {
			t.Errorf("%d fetches, the last after announcement %d of %d", len(fetches), seen-1, lastAnnounced)
		}
		s.Close(t.Context())
	})
}

func TestAHundredThousandFeatureSetsAreToldAndLookedUp(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"version":"0.5","pushEvents":true,"featureSets":{`)
	for i := range 100_000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"set.%d":{"uses":["pushEvents"]}`, i)
	}
	b.WriteString("}}")
	_, frames := ready(t, inproc(func(p *peerEnd) {
		p.host(b.String(), func(h wire.Head) bool {
			if h.Method == mcpl.MethodToolsList {
				p.usual("", h)
				for i := range 1000 {
					p.say("%s", req(fmt.Sprint(i+1), "push/event", fmt.Sprintf(`{"featureSet":"set.%d"}`, 99_000+i)))
				}
				return true
			}
			return false
		})
	}))
	if got := string(answering(t, frames, "1000").Raw); !strings.Contains(got, `"accepted":true`) {
		t.Errorf("a push of the last set: %s", got)
	}
	if got := lastPolicy(frames); !strings.Contains(got, `"set.99999"]`) {
		t.Errorf("the sets are not all told: …%s", got[max(len(got)-100, 0):])
	}
}

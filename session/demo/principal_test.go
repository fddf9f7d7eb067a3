package demo

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestAChangeOnOneConnectionReachesTheOthersOnTheirOwnRevs(t *testing.T) {
	show(t, func(t *testing.T) {
		p := NewPrincipal(Options{Seed: 1})
		defer p.Close()
		a, b := gamers(t, Options{Principal: p}), gamers(t, Options{Principal: p})
		a.result("toolsets/open", adaOn5)
		beats(0)
		pushes, notes := b.took()
		if len(pushes) != 0 || len(notes) != 1 || string(wire.Member(notes[0].Params, "rev")) != "2" {
			t.Fatalf("an open elsewhere: %d pushes, %d notifications", len(pushes), len(notes))
		}
		if a.usable("vs-ada") != b.usable("vs-ada") || a.usable("vs-ada") == "" {
			t.Errorf("%q on one, %q on the other", a.usable("vs-ada"), b.usable("vs-ada"))
		}
		b.does("play", `{"at":"C3"}`)
		beats(0)
		if a.usable("vs-ada") != "resign board" {
			t.Errorf("a move elsewhere leaves usable: %s", a.usable("vs-ada"))
		}
		beats(1)
		for _, h := range []*host{a, b} { // both are pushed the answer, under one eventId
			if !strings.Contains(h.usable("vs-ada"), "play") {
				t.Errorf("usable after the answer: %s", h.usable("vs-ada"))
			}
		}
		pa, _ := a.took()
		pb, _ := b.took()
		if len(pa) != 1 || len(pb) != 1 || string(wire.Member(pa[0].Params, "eventId")) != string(wire.Member(pb[0].Params, "eventId")) {
			t.Errorf("%d and %d pushes", len(pa), len(pb))
		}
		a.result("toolsets/close", `{"toolset":"game","instance":"vs-ada"}`)
		beats(0)
		if b.usable("vs-ada") != "" {
			t.Errorf("a close elsewhere leaves usable: %s", b.usable("vs-ada"))
		}
		a.lists()
		b.lists()
		a.hangUp()
		b.hangUp()
	})
}

func TestAfterAReconnectTheListSaysWhatIsOpenAndHowItIs(t *testing.T) {
	show(t, func(t *testing.T) {
		p := NewPrincipal(Options{Seed: 1})
		defer p.Close()
		ended := map[string]string{}
		h := dialKnowing(t, Options{Principal: p}, ended).greet(hintsHost, "pushEvents")
		h.result("toolsets/open", adaOn5)
		h.result("toolsets/open", kaiOn5)
		h.result("toolsets/open", `{"toolset":"chat"}`)
		h.does("tune", `{"station":"chip"}`)
		h.does("play@vs-ada", `{"at":"C3"}`)
		h.does("resign@vs-kai", `{}`)
		h.hangUp()
		beats(20) // Ada answers, Kai's table is cleared; nobody listens

		h = dialKnowing(t, Options{Principal: p}, ended)
		h.result("initialize", `{"protocolVersion":"2025-06-18","clientInfo":{"name":"t","version":"1"},"capabilities":`+hintsHost+`}`)
		h.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		h.policy("pushEvents")
		h.result("tools/list", `{}`)
		r := h.result("toolsets/list", `{}`)
		if got := string(wire.Member(r, "open")); got !=
			`[{"toolset":"radio"},{"toolset":"game","instance":"vs-ada","title":"Go 5x5"},{"toolset":"chat"}]` {
			t.Errorf("open: %s", got)
		}
		has(t, string(wire.Member(r, "ended")), `"instance":"vs-kai","reason":"the game is over: Black wins by resignation"`)
		if got := string(wire.Path(r, "_meta", "mcpl/hints", "rev")); got != "1" {
			t.Errorf("revs of a new connection begin at %s", got)
		}
		if got := h.usable("vs-ada"); got != "play pass resign board" {
			t.Errorf("usable: %s", got)
		}
		if !strings.Contains(h.definition("play", "vs-ada", "description"), "move 3") ||
			!strings.Contains(h.definition("now_playing", "", "description"), "chip") {
			t.Error("the statement lacks a definition")
		}
		adopted := h.result("toolsets/open", `{"toolset":"game","instance":"vs-ada","options":{"opponent":"ada"}}`)
		if string(wire.Member(adopted, "adopted")) != "true" {
			t.Errorf("a kept instance is not adopted: %s", adopted)
		}
		h.lists()
		h.hangUp()
	})
}

func TestADefaultOpenToolsetThatWasClosedStaysClosedAfterAReconnect(t *testing.T) {
	show(t, func(t *testing.T) {
		p := NewPrincipal(Options{Seed: 1})
		defer p.Close()
		h := gamers(t, Options{Principal: p})
		h.result("toolsets/close", `{"toolset":"radio"}`)
		h.hangUp()
		h = gamers(t, Options{Principal: p})
		h.wont("now_playing", `{}`, "radio is closed")
		h.lists()
		h.hangUp()
	})
}

func TestAHostThatReadsNoListIsToldEverythingWithTheFirstChange(t *testing.T) {
	show(t, func(t *testing.T) {
		p := NewPrincipal(Options{Seed: 1})
		defer p.Close()
		first := gamers(t, Options{Principal: p}, adaOn5)
		first.result("toolsets/close", `{"toolset":"radio"}`)
		h := dial(t, Options{Principal: p})
		h.result("initialize", `{"protocolVersion":"2025-06-18","clientInfo":{"name":"t","version":"1"},"capabilities":`+hintsHost+`}`)
		h.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		h.policy("pushEvents")
		h.result("tools/list", `{}`)
		h.result("toolsets/open", kaiOn5)
		if got := h.usable("vs-ada"); got != "play pass resign board" {
			t.Errorf("usable in the game that it never heard of: %s", got)
		}
		h.wont("now_playing", `{}`, "radio is closed")
		h.result("toolsets/list", `{}`)
		h.lists()
		h.hangUp()
		first.hangUp()
	})
}

func TestEndedRecordsAreKeptForAnHourAndIDsAreNeverUsedAgain(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		ids := map[string]bool{}
		for range 3 { // the same name each time
			h.result("toolsets/open", adaOn5)
			h.does("resign@vs-ada", `{}`)
			beats(15)
			ended := wire.Member(h.result("toolsets/list", `{}`), "ended")
			wire.EachElement(ended, func(e []byte) bool {
				ids[string(wire.Member(e, "id"))] = true
				return true
			})
		}
		if len(ids) != 3 {
			t.Errorf("%d ids for three ends", len(ids))
		}
		time.Sleep(59 * time.Minute)
		if got := wire.Member(h.result("toolsets/list", `{}`), "ended"); strings.Count(string(got), `"id"`) != 3 {
			t.Errorf("after 59 minutes: %s", got)
		}
		time.Sleep(2 * time.Minute)
		if got := string(wire.Member(h.result("toolsets/list", `{}`), "ended")); got != `[]` {
			t.Errorf("after an hour: %s", got)
		}
		h.hangUp()
	})
}

func TestIDsOfTwoPrincipalsDiffer(t *testing.T) {
	a, b := NewPrincipal(Options{}), NewPrincipal(Options{Seed: 2})
	defer a.Close()
	defer b.Close()
	if a.id("ev") == b.id("ev") {
		t.Error("two principals use one id")
	}
	c, d := NewPrincipal(Options{Seed: 7}), NewPrincipal(Options{Seed: 7})
	defer c.Close()
	defer d.Close()
	if c.id("ev") != d.id("ev") {
		t.Error("one seed does not give the same ids")
	}
}

func TestRefusedPushesChangeNothingAndAreNotRestated(t *testing.T) {
	for name, accept := range map[string]string{
		"refused":    `"result":{"accepted":false,"reason":"not now"}`,
		"error":      `"error":{"code":-32002,"message":"capability denied"}`,
		"unanswered": ``,
	} {
		t.Run(name, func(t *testing.T) {
			show(t, func(t *testing.T) {
				h := gamers(t, Options{Seed: 1})
				h.pushesAre(accept)
				h.result("toolsets/open", adaOn5)
				h.does("play", `{"at":"C3"}`)
				beats(1)
				p := h.onePush()
				if !strings.Contains(h.usable("vs-ada"), "play") {
					t.Errorf("the hints of the push do not bring play back: %s", p.Params)
				}
				beats(30)
				if pushes, notes := h.took(); len(pushes)+len(notes) != 0 {
					t.Error("it is restated")
				}
				h.does("play", `{"at":"B2"}`)
				h.lists()
				h.hangUp()
			})
		})
	}
}

func TestWithoutTheGrantItSendsToolsHintsInstead(t *testing.T) {
	for name, policy := range map[string]string{
		"nothing granted":   `{"effectiveCapabilities":[]}`,
		"something else":    `{"effectiveCapabilities":["tools","modelInfo"]}`,
		"set disabled":      `{"effectiveCapabilities":["pushEvents"],"disabled":["game.moves"]}`,
		"set disabled by *": `{"effectiveCapabilities":["pushEvents"],"disabled":["game.*"]}`,
		"set not enabled":   `{"effectiveCapabilities":["pushEvents"],"enabled":["chat.lines"]}`,
		"none enabled":      `{"effectiveCapabilities":["pushEvents"],"enabled":[]}`,
	} {
		t.Run(name, func(t *testing.T) {
			show(t, func(t *testing.T) {
				h := gamers(t, Options{Seed: 1})
				h.result("featureSets/update", policy)
				h.result("toolsets/open", adaOn5)
				h.does("play", `{"at":"C3"}`)
				beats(1)
				pushes, notes := h.took()
				if len(pushes) != 0 || len(notes) != 1 || notes[0].Method != "tools/hints" {
					t.Fatalf("%d pushes, %d notifications", len(pushes), len(notes))
				}
				has(t, string(wire.Member(notes[0].Params, "suggest")), "chat")
				if !strings.Contains(h.usable("vs-ada"), "play") {
					t.Errorf("usable: %s", h.usable("vs-ada"))
				}
				h.lists()
				h.hangUp()
			})
		})
	}
}

func TestAGrantThatIsNarrowedOrWidenedHoldsAtOnce(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn9)
		h.result("featureSets/update", `{"effectiveCapabilities":[]}`)
		beats(1)
		if pushes, notes := h.took(); len(pushes) != 0 || len(notes) != 1 {
			t.Fatalf("narrowed: %d pushes, %d notifications", len(pushes), len(notes))
		}
		h.result("featureSets/update", `{"effectiveCapabilities":["pushEvents"],"enabled":["game.moves"]}`)
		h.does("play", `{"at":"C3"}`)
		beats(1)
		h.onePush()
		h.hangUp()
	})
}

func TestLinesOfTheChatNeedNoHintsWhereNothingChanges(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, `{"toolset":"chat"}`)
		h.policy() // no pushes: a line is words alone, and is not told at all
		beats(3)
		if pushes, notes := h.took(); len(pushes)+len(notes) != 0 {
			t.Errorf("%d pushes, %d notifications", len(pushes), len(notes))
		}
		h.lists()
		h.hangUp()
	})
}

func TestAClosedPrincipalMovesNoMore(t *testing.T) {
	show(t, func(t *testing.T) {
		p := NewPrincipal(Options{Seed: 1})
		h := gamers(t, Options{Principal: p}, adaOn5)
		p.Close()
		beats(60)
		if pushes, notes := h.took(); len(pushes)+len(notes) != 0 {
			t.Errorf("%d pushes, %d notifications", len(pushes), len(notes))
		}
		h.does("play", `{"at":"C3"}`) // can be asked, and is not answered
		beats(60)
		if pushes, notes := h.took(); len(pushes)+len(notes) != 0 {
			t.Error("the opponent of a closed principal plays on")
		}
		h.hangUp()
		p.Close()
	})
}

func TestNothingIsPushedBeforeTheListIsRead(t *testing.T) {
	show(t, func(t *testing.T) {
		p := NewPrincipal(Options{Seed: 1})
		defer p.Close()
		first := gamers(t, Options{Principal: p}, adaOn5)
		h := dial(t, Options{Principal: p})
		h.result("initialize", `{"protocolVersion":"2025-06-18","clientInfo":{"name":"t","version":"1"},"capabilities":`+hintsHost+`}`)
		h.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		h.policy("pushEvents")
		h.result("tools/list", `{}`)
		beats(1) // Ada sits down in a game that this host has not heard of
		if pushes, notes := h.took(); len(pushes)+len(notes) != 0 {
			t.Errorf("%d pushes, %d notifications", len(pushes), len(notes))
		}
		h.result("toolsets/list", `{}`)
		first.does("play", `{"at":"C3"}`)
		beats(1)
		if pushes, notes := h.took(); len(pushes) != 1 || len(notes) != 1 {
			t.Errorf("%d pushes, %d notifications after the list", len(pushes), len(notes))
		}
		first.hangUp()
		h.hangUp()
	})
}

func TestAListSaysWhetherALooseToolHasMoved(t *testing.T) {
	show(t, func(t *testing.T) {
		p := NewPrincipal(Options{Seed: 1})
		defer p.Close()
		first := gamers(t, Options{Principal: p})
		h := dial(t, Options{Principal: p})
		h.result("initialize", `{"protocolVersion":"2025-06-18","clientInfo":{"name":"t","version":"1"},"capabilities":`+hintsHost+`}`)
		h.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		h.policy("pushEvents")
		h.result("tools/list", `{}`)
		first.does("pin_tool", `{"tool":"advice","pinned":true}`) // between the two lists
		h.result("toolsets/list", `{}`)
		h.mu.Lock()
		got := h.ref.tools["advice"].presence
		h.mu.Unlock()
		if got != "static" {
			t.Errorf("advice is %s", got)
		}
		h.lists()
		first.hangUp()
		h.hangUp()
	})
}

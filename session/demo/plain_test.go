package demo

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestPlainHostsAreSentNothingUnasked(t *testing.T) {
	show(t, func(t *testing.T) {
		h := dial(t, Options{Seed: 1}).greet(plainHost)
		h.does("toolset_open", `{"toolset":"game","options":{"opponent":"ada","size":5}}`, "vs-ada", "Go 5x5", "your move")
		h.does("say", `{"text":"hello"}`)
		h.does("play", `{"at":"C3"}`, "You play C3")
		beats(3)
		h.does("board", `{}`, "Last: White")
		h.does("resign", `{}`)
		beats(60)
		if pushes, notes := h.took(); len(pushes)+len(notes) != 0 {
			t.Fatalf("%d pushes, %d notifications", len(pushes), len(notes))
		}
		h.refused("featureSets/update", `{"effectiveCapabilities":[]}`, -32601, "MCPL was not negotiated")
		h.refused("toolsets/list", `{}`, -32601, "toolHints was not negotiated")
		for _, line := range h.lines[1:] {
			if strings.Contains(line, `"mcpl/`) {
				t.Errorf("a plain host is sent %s", line)
			}
		}
		h.hangUp()
	})
}

func TestHostWithoutToolHintsGetsNoHintsAndPlainToolsInstead(t *testing.T) {
	show(t, func(t *testing.T) {
		h := dial(t, Options{Seed: 1}).greet(mcplHost, "pushEvents")
		list := string(h.result("tools/list", `{}`))
		has(t, list, `"toolset_open"`, `"toolset_close"`, `"mcpl/class":["comms"]`)
		for _, key := range []string{"mcpl/rev", "mcpl/presence", "mcpl/visible", "mcpl/toolset"} {
			if strings.Contains(list, key) {
				t.Errorf("tools/list has %s", key)
			}
		}
		h.does("toolset_open", `{"toolset":"game","options":{"opponent":"ada"}}`)
		beats(1)
		h.onePush() // in words alone: the reference objects to hints
		h.does("play", `{"at":"C3"}`)
		beats(1)
		has(t, pushText(h.onePush()), "White plays")
		for _, method := range []string{"toolsets/list", "toolsets/open", "toolsets/close"} {
			h.refused(method, `{"toolset":"chat"}`, -32601, "toolHints was not negotiated", "toolset_open")
		}
		h.hangUp()
	})
}

func TestToolsetsWithoutInstancesJustWorkForHostsWithoutToolHints(t *testing.T) {
	for name, capabilities := range map[string]string{"mcpl": mcplHost, "plain": plainHost} {
		t.Run(name, func(t *testing.T) {
			show(t, func(t *testing.T) {
				h := dial(t, Options{Seed: 1}).greet(capabilities, "pushEvents")
				h.does("say", `{"text":"hello"}`)
				h.does("react", `{"with":"wow"}`)
				h.does("tune", `{"station":"folk"}`)
				h.does("now_playing", `{}`, "folk")
				h.wont("dump_board", `{}`, "no game is open")
				h.hangUp()
			})
		})
	}
}

func TestPlainToolsOpenCloseAndChoose(t *testing.T) {
	show(t, func(t *testing.T) {
		h := dial(t, Options{Seed: 1}).greet(plainHost)
		h.wont("board", `{}`, "no game is open")
		h.does("toolset_open", `{"toolset":"game","instance":"one","options":{"opponent":"ada","size":5}}`, "one: Go 5x5")
		h.does("toolset_open", `{"toolset":"game","instance":"two","options":{"opponent":"kai","size":7}}`, "two: Go 7x7")
		h.does("board", `{}`, "7 .") // the one opened last
		h.does("toolset_open", `{"toolset":"game","instance":"one"}`, "open already")
		h.does("play", `{"at":"E5"}`, "Ada is thinking")
		h.does("toolset_close", `{"toolset":"game","instance":"one"}`, "one is closed")
		h.does("board", `{}`, "7 .") // the only one
		h.wont("toolset_close", `{"toolset":"game","instance":"one"}`, "no game", "open is two")
		h.wont("toolset_open", `{"toolset":"chat"}`, "always open")
		h.wont("toolset_open", `{"toolset":"game","options":{"opponent":"nobody"}}`, "ada, eve, kai and bot")
		h.wont("toolset_open", `{}`, "toolset must be there")
		h.hangUp()
	})
}

func TestTwoGamesAndNoChoiceAreAmbiguousForAPlainHostToo(t *testing.T) {
	show(t, func(t *testing.T) {
		p := NewPrincipal(Options{Seed: 1})
		defer p.Close()
		first := dial(t, Options{Principal: p}).greet(hintsHost)
		first.result("toolsets/open", `{"toolset":"game","instance":"one","options":{"opponent":"ada"}}`)
		first.result("toolsets/open", `{"toolset":"game","instance":"two","options":{"opponent":"ada"}}`)
		h := dial(t, Options{Principal: p}).greet(plainHost)
		h.wont("board", `{}`, "one", "two")
		h.does("toolset_open", `{"toolset":"game","instance":"two"}`)
		h.does("board", `{}`)
		if string(wire.Member(h.result("tools/call", callParams("board@one", `{}`)), "isError")) == "true" {
			t.Error("a plain host that names the instance is refused")
		}
		first.hangUp()
		h.hangUp()
	})
}

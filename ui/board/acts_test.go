package board

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

func TestActsSpeakOfTheSelection(t *testing.T) {
	for _, tc := range []struct {
		name      string
		instances int
		sel       Selection
		key       string
		want      view.Intent
	}{
		{
			"call a cell", 2,
			Selection{Kind: OnTool, Toolset: "game", Tool: "move1", Instance: "g1"},
			"c",
			view.Intent{Kind: view.CallForm, Tool: "move1", Toolset: "game", Instance: "g1"},
		},
		{
			"call on an instance: its first usable tool", 2,
			Selection{Kind: OnInstance, Toolset: "game", Instance: "g1"},
			"c",
			view.Intent{Kind: view.CallForm, Tool: "move0", Toolset: "game", Instance: "g1"},
		},
		{
			"open more of a toolset", 2,
			Selection{Kind: OnTool, Toolset: "game", Tool: "move1", Instance: "g1"},
			"o",
			view.Intent{Kind: view.OpenForm, Toolset: "game"},
		},
		{
			"open on a static tool: the first toolset", 2,
			Selection{Kind: OnStatic},
			"o",
			view.Intent{Kind: view.OpenForm, Toolset: "game"},
		},
		{
			"close the instance of the cell", 2,
			Selection{Kind: OnTool, Toolset: "game", Tool: "move1", Instance: "g1"},
			"x",
			view.Intent{Kind: view.AskClose, Toolset: "game", Instance: "g1"},
		},
		{
			"close the only instance from the head", 1,
			Selection{Kind: OnToolset, Toolset: "game"},
			"x",
			view.Intent{Kind: view.AskClose, Toolset: "game", Instance: "g0"},
		},
		{"close one of several from the head", 2, Selection{Kind: OnToolset, Toolset: "game"}, "x", view.Intent{Kind: view.Say}},
		{"close what is closed", 2, Selection{Kind: OnToolset, Toolset: "chat"}, "x", view.Intent{Kind: view.Say}},
		{"close nothing", 2, Selection{Kind: OnStatic}, "x", view.Intent{Kind: view.Say}},
		{"call nothing", 2, Selection{Kind: OnDynamic}, "c", view.Intent{Kind: view.Say}},
		{"answer what waits", 2, Selection{Kind: OnStatic}, "a", view.Intent{Kind: view.AnswerForm}},
		{
			"copy a call", 2,
			Selection{Kind: OnTool, Toolset: "game", Tool: "move1", Instance: "g1"},
			"Y",
			view.Intent{Kind: view.Copy, Line: "call move1@g1"},
		},
		{"copy an open", 2, Selection{Kind: OnToolset, Toolset: "chat"}, "Y", view.Intent{Kind: view.Copy, Line: "open chat"}},
		{
			"copy a close", 2,
			Selection{Kind: OnInstance, Toolset: "game", Instance: "g0"},
			"Y",
			view.Intent{Kind: view.Copy, Line: "close game g0"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b, c := hand(games(tc.instances), revRows(3), 2, 20)
			drawn(b, c)
			b.sel = tc.sel
			wantIntent(t, uitest.Press(b, c, tc.key), tc.want)
		})
	}
	t.Run("an open undeclared group is closed here alone", func(t *testing.T) {
		board := games(1)
		board.Toolsets[2].Open = true
		b, c := hand(board, revRows(3), 2, 20)
		drawn(b, c)
		b.sel = Selection{Kind: OnToolset, Toolset: "debug"}
		wantIntent(t, uitest.Press(b, c, "x"), view.Intent{Kind: view.Run, Line: "close debug"})
	})
	t.Run("with the focus on a rev they speak of the cursor of TOOLS", func(t *testing.T) {
		b, c := hand(games(2), revRows(3), 2, 20)
		drawn(b, c)
		uitest.Press(b, c, "k", "shift+tab")
		wantIntent(t, uitest.Press(b, c, "c"), view.Intent{Kind: view.CallForm, Tool: "move2", Toolset: "game", Instance: "g0"})
	})
}

func TestARecordingAndAnEndedSessionOfferNoActs(t *testing.T) {
	for _, replay := range []bool{true, false} {
		b, c := hand(games(2), revRows(3), 2, 20)
		c.Replay, c.Ended = replay, !replay
		text := drawn(b, c)
		for _, key := range []string{"c", "o", "x", "a"} {
			if do := uitest.Press(b, c, key); do.Kind != view.Say || do.Text == "" {
				t.Errorf("%s: %+v", key, do)
			}
		}
		if do := uitest.Press(b, c, "enter"); do.Kind != view.Nothing {
			t.Errorf("enter on a closed toolset: %+v", do)
		}
		uitest.Press(b, c, "esc")
		if help := helpText(b, c); strings.Contains(help, "open") || strings.Contains(help, "c call") {
			t.Errorf("help offers %q", help)
		}
		if strings.Contains(text, "o opens") {
			t.Errorf("a key is offered:\n%s", text)
		}
	}
}

func TestACallOfThePastIsEditedAndSentAgain(t *testing.T) {
	c := uitest.GobanLive(t)
	c = uitest.MomentOf(t, c.Log, c.Log.IndexOf(66), c.Now)
	b := New()
	drawn(b, c)
	uitest.Press(b, c, "shift+tab")
	wantIntent(t, uitest.Press(b, c, "r"), view.Intent{Kind: view.CallForm, Tool: "play", Instance: "vs-ada", Args: []byte(`{"at":"E7"}`)})
	if do := uitest.Press(b, c, "Y"); do.Line != `call play@vs-ada {"at":"E7"}` {
		t.Errorf("as a command: %+v", do)
	}
	if do := uitest.Press(b, c, "y"); do.Kind != view.Copy || !strings.HasPrefix(do.Text, `{"jsonrpc":"2.0"`) || !strings.HasPrefix(do.What, "frame 66, ") {
		t.Errorf("copied: %+v", do)
	}
	c = uitest.MomentOf(t, c.Log, c.Log.IndexOf(67), c.Now)
	if _, handled := b.Key("r", c); handled {
		t.Error("on a push r belongs to the root")
	}
}

func TestYCopiesTheDefinitionInEffect(t *testing.T) {
	c := uitest.GobanLive(t)
	b := New()
	drawn(b, c)
	b.Select(c, Selection{Kind: OnTool, Toolset: "game", Tool: "play", Instance: "vs-ada"})
	do := uitest.Press(b, c, "y")
	if do.Kind != view.Copy || !strings.Contains(do.Text, "You are Black, move 21.") || !strings.HasPrefix(do.What, "definition of play @ vs-ada") {
		t.Errorf("copied: %+v", do)
	}
}

func TestEnterOpensAndSendsNothing(t *testing.T) {
	board := games(2)
	board.Toolsets[0].Tools[0].Cells[1].Visible = false
	board.Suggestions = []timeline.Suggestion{
		{Toolset: "chat", Action: "open", Options: []byte(`{"a":1}`), By: timeline.By{Rev: 2, Index: 4}},
		{Toolset: "game", Instance: "g1", Action: "close", By: timeline.By{Rev: 3, Index: 6}},
	}
	for _, tc := range []struct {
		name string
		sel  Selection
		verb string
		want view.Intent
	}{
		{
			"a usable cell",
			Selection{Kind: OnTool, Toolset: "game", Tool: "move0", Instance: "g0"},
			"call…",
			view.Intent{Kind: view.CallForm, Tool: "move0", Toolset: "game", Instance: "g0"},
		},
		{
			"a hidden cell",
			Selection{Kind: OnTool, Toolset: "game", Tool: "move0", Instance: "g1"},
			"call anyway…",
			view.Intent{Kind: view.CallForm, Tool: "move0", Toolset: "game", Instance: "g1"},
		},
		{
			"a tool of a closed toolset",
			Selection{Kind: OnTool, Toolset: "chat", Tool: "say1"},
			"call anyway…",
			view.Intent{Kind: view.CallForm, Tool: "say1", Toolset: "chat"},
		},
		{
			"a closed toolset, as suggested",
			Selection{Kind: OnToolset, Toolset: "chat"},
			"open…",
			view.Intent{Kind: view.OpenForm, Toolset: "chat", Args: []byte(`{"a":1}`)},
		},
		{
			"an undeclared group",
			Selection{Kind: OnToolset, Toolset: "debug"},
			"open here, nothing is sent",
			view.Intent{Kind: view.Run, Line: "open debug"},
		},
		{"an open toolset", Selection{Kind: OnToolset, Toolset: "game"}, "read it", view.Intent{}},
		{"the name of an instance", Selection{Kind: OnInstance, Toolset: "game", Instance: "g1"}, "read it", view.Intent{}},
		{"the head of STATIC", Selection{Kind: OnStatic}, "read it", view.Intent{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b, c := hand(board, revRows(3), 2, 20)
			b.folds["set chat"], b.folds["static"] = false, false
			drawn(b, c)
			b.sel = tc.sel
			if got := b.Help(c)[0].Verb; got != tc.verb {
				t.Errorf("help says %q, want %q", got, tc.verb)
			}
			wantIntent(t, uitest.Press(b, c, "enter"), tc.want)
			if read := tc.verb == "read it"; (b.focus == paneInspect) != read {
				t.Errorf("focus is on %v", paneNames[b.focus])
			}
		})
	}
	t.Run("suggestions", func(t *testing.T) {
		b, c := hand(board, revRows(3), 2, 20)
		drawn(b, c)
		uitest.Press(b, c, "tab", "tab")
		wantIntent(t, uitest.Press(b, c, "enter"), view.Intent{Kind: view.OpenForm, Toolset: "chat", Args: []byte(`{"a":1}`)})
		uitest.Press(b, c, "j")
		wantIntent(t, uitest.Press(b, c, "a"), view.Intent{Kind: view.AskClose, Toolset: "game", Instance: "g1"})
	})
}

func TestANameThatWouldBeAnotherCommandIsNotRun(t *testing.T) {
	for _, name := range []string{"debug\ncall pay", "debug as x", "\x1b[31m"} {
		board := games(0)
		board.Toolsets[2].Name = name
		b, c := hand(board, revRows(3), 2, 20)
		drawn(b, c)
		b.sel = Selection{Kind: OnToolset, Toolset: name}
		if do := uitest.Press(b, c, "enter"); do.Kind != view.Say {
			t.Errorf("%q: %+v", name, do)
		}
	}
}

func TestWhileSomethingLiesOverItNoPaneLooksFocused(t *testing.T) {
	b, c := hand(games(2), revRows(3), 2, 20)
	c.Focus = false
	if text := drawn(b, c); strings.ContainsAny(text, "━▌┮┭") {
		t.Errorf("it looks focused:\n%s", text)
	}
}

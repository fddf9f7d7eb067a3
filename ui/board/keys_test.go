package board

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// In these tests the body has 100 × 25 cells unless it says otherwise.
func drawn(b *Board, c *view.Context) string { return uitest.Screen(b, c, 100, 25) }

func wantIntent(t *testing.T, got, want view.Intent) {
	t.Helper()
	if got.Kind != want.Kind || got.Index != want.Index || got.Tool != want.Tool || got.Toolset != want.Toolset ||
		got.Instance != want.Instance || string(got.Args) != string(want.Args) || got.Line != want.Line {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func helpText(b *Board, c *view.Context) string {
	var s []string
	for _, h := range b.Help(c) {
		s = append(s, strings.TrimSpace(h.Key+" "+h.Verb))
	}
	return strings.Join(s, " · ")
}

func TestTheCursorOfRevsIsThePlayhead(t *testing.T) {
	rows := revRows(41)
	for _, tc := range []struct {
		key    string
		cur    int
		replay bool
		want   view.Intent
	}{
		{"k", 20, false, view.Intent{Kind: view.GoTo, Index: rows[19].Index}},
		{"j", 20, false, view.Intent{Kind: view.GoTo, Index: rows[21].Index}},
		{"up", 40, false, view.Intent{Kind: view.GoTo, Index: rows[39].Index}},
		{"j", 39, false, view.Intent{Kind: view.GoLive}},
		{"j", 39, true, view.Intent{Kind: view.GoTo, Index: rows[40].Index}},
		{"[", 40, false, view.Intent{Kind: view.GoTo, Index: rows[39].Index}},
		{"K", 5, false, view.Intent{Kind: view.GoTo, Index: rows[4].Index}},
		{"]", 5, false, view.Intent{Kind: view.GoTo, Index: rows[6].Index}},
		{"J", 5, false, view.Intent{Kind: view.GoTo, Index: rows[6].Index}},
		{"g", 30, false, view.Intent{Kind: view.GoTo, Index: rows[0].Index}},
		{"G", 3, false, view.Intent{Kind: view.GoLive}},
		{"ctrl+d", 3, false, view.Intent{Kind: view.GoTo, Index: rows[10].Index}},
		{"ctrl+u", 3, false, view.Intent{Kind: view.GoTo, Index: rows[0].Index}},
		{"pgdown", 0, false, view.Intent{Kind: view.GoTo, Index: rows[14].Index}},
		{"pgup", 40, false, view.Intent{Kind: view.GoTo, Index: rows[26].Index}},
		{"end", 0, false, view.Intent{Kind: view.GoLive}},
	} {
		b, c := hand(games(2), rows, tc.cur, 90)
		c.Replay = tc.replay
		drawn(b, c)
		uitest.Press(b, c, "shift+tab")
		wantIntent(t, uitest.Press(b, c, tc.key), tc.want)
	}
}

func TestBeyondTheFirstAndTheLastRevThePlayheadStaysAndSaysSo(t *testing.T) {
	rows := revRows(3)
	b, c := hand(games(2), rows, 0, 20)
	drawn(b, c)
	if do := uitest.Press(b, c, "["); do.Kind != view.Say {
		t.Errorf("before the first rev: %+v", do)
	}
	b, c = hand(games(2), rows, 2, 20)
	c.Replay = true
	drawn(b, c)
	if do := uitest.Press(b, c, "]"); do.Kind != view.Say {
		t.Errorf("after the last rev of a recording: %+v", do)
	}
	b, c = hand(games(2), nil, -1, 20)
	if do := uitest.Press(b, c, "]"); do.Kind != view.Say {
		t.Errorf("without a rev: %+v", do)
	}
}

func TestRevsOfOneFrameAreOneStep(t *testing.T) {
	rows := revRows(6)
	rows[2].Index, rows[3].Index, rows[4].Index = 8, 8, 8 // a batch
	b, c := hand(games(2), rows, 4, 20)
	drawn(b, c)
	wantIntent(t, uitest.Press(b, c, "["), view.Intent{Kind: view.GoTo, Index: rows[1].Index})
	b, c = hand(games(2), rows, 1, 20)
	drawn(b, c)
	wantIntent(t, uitest.Press(b, c, "]"), view.Intent{Kind: view.GoTo, Index: 8})
}

func TestTheFirstSelectionIsTheFirstClosedToolset(t *testing.T) {
	b, c := hand(games(0), revRows(1), 0, 20)
	drawn(b, c)
	if got := b.Selected(c); got.Kind != OnToolset || got.Toolset != "game" {
		t.Errorf("selected: %+v", got)
	}
	if got := b.Help(c)[0]; got != (view.Help{Key: "enter", Verb: "open…"}) {
		t.Errorf("help begins with %+v", got)
	}
	b, c = hand(games(1), revRows(1), 0, 20)
	drawn(b, c)
	if got := b.Selected(c); got.Toolset != "chat" {
		t.Errorf("game is open, selected: %+v", got)
	}
}

func TestEscGoesBackStepByStepAndNeverQuits(t *testing.T) {
	b, c := hand(games(2), revRows(3), 2, 20)
	uitest.Screen(b, c, 80, 19)
	uitest.Press(b, c, "/", "m", "enter", "z", "i")
	if b.focus != paneInspect || !b.over || !b.zoom || b.filter.Text != "m" {
		t.Fatalf("not where it should be: %+v", b)
	}
	for _, left := range []string{"over", "zoom", "filter"} {
		if _, handled := b.Key("esc", c); !handled {
			t.Errorf("esc did not leave %s", left)
		}
		uitest.Screen(b, c, 80, 19)
	}
	if b.over || b.zoom || b.filter.Text != "" || b.focus != paneTools {
		t.Errorf("esc left something behind: over %v, zoom %v, filter %q", b.over, b.zoom, b.filter.Text)
	}
	if _, handled := b.Key("esc", c); handled {
		t.Error("esc with nothing to leave belongs to the root")
	}
}

func TestTabGoesThroughThePanesThatAreThere(t *testing.T) {
	for _, tc := range []struct {
		w, h int
		want []pane
	}{
		{160, 43, []pane{paneOpen, paneSuggested, paneInspect, paneRevs, paneTools}},
		{100, 25, []pane{paneOpen, paneSuggested, paneInspect, paneRevs, paneTools}},
		{100, 19, []pane{paneOpen, paneSuggested, paneRevs, paneTools}},
		{80, 19, []pane{paneRevs, paneTools}},
		{40, 7, []pane{paneRevs, paneTools}},
	} {
		b, c := hand(games(2), revRows(3), 2, 20)
		uitest.Screen(b, c, tc.w, tc.h)
		for _, want := range tc.want {
			uitest.Press(b, c, "tab")
			uitest.Screen(b, c, tc.w, tc.h)
			if b.focus != want {
				t.Errorf("%d×%d: tab leads to %s, want %s", tc.w, tc.h, paneNames[b.focus], paneNames[want])
			}
		}
		for i := len(tc.want) - 2; i >= 0; i-- {
			uitest.Press(b, c, "shift+tab")
			if want := tc.want[i]; b.focus != want {
				t.Errorf("%d×%d: shift+tab leads to %s, want %s", tc.w, tc.h, paneNames[b.focus], paneNames[want])
			}
		}
	}
}

func TestInstancesAreChosenSidewaysAndRemembered(t *testing.T) {
	b, c := hand(games(2), revRows(3), 2, 20)
	drawn(b, c)
	uitest.Press(b, c, "k") // the last tool of game
	if got := b.sel; got.Tool != "move2" || got.Instance != "g0" {
		t.Fatalf("on %+v", got)
	}
	uitest.Press(b, c, "l")
	if b.sel.Instance != "g1" {
		t.Errorf("l: on %+v", b.sel)
	}
	uitest.Press(b, c, "right", "k")
	if b.sel.Tool != "move1" || b.sel.Instance != "g1" {
		t.Errorf("one tool up the instance is kept: on %+v", b.sel)
	}
	uitest.Press(b, c, "k", "k")
	if b.sel.Kind != OnToolset {
		t.Fatalf("on %+v", b.sel)
	}
	uitest.Press(b, c, "l")
	if b.sel.Kind != OnInstance || b.sel.Instance != "g0" {
		t.Errorf("right of a toolset's name stand its instances: on %+v", b.sel)
	}
	uitest.Press(b, c, "h")
	if b.sel.Kind != OnToolset {
		t.Errorf("and left of the first the toolset: on %+v", b.sel)
	}
	uitest.Press(b, c, "h")
	if text := drawn(b, c); !strings.Contains(text, "▸ game") {
		t.Errorf("left of that it folds:\n%s", text)
	}
	uitest.Press(b, c, "l")
	if text := drawn(b, c); !strings.Contains(text, "▾ game") {
		t.Errorf("l unfolds:\n%s", text)
	}
	uitest.Press(b, c, "j", "h", "h")
	if b.sel.Kind != OnToolset {
		t.Errorf("left of a tool's first cell is its toolset: on %+v", b.sel)
	}
}

func TestTheSelectionIsAnIdentity(t *testing.T) {
	sel := Selection{Kind: OnTool, Toolset: "game", Tool: "move1", Instance: "g1"}
	at := func(board *timeline.Board) Selection {
		b, c := hand(games(3), revRows(3), 2, 20)
		drawn(b, c)
		b.sel = sel
		drawn(b, c)
		c.Board, c.Newest = board, board
		drawn(b, c)
		return b.sel
	}
	moved := games(3)
	slices.Reverse(moved.Toolsets)
	slices.Reverse(moved.Toolsets[2].Tools)
	slices.Reverse(moved.Toolsets[2].Instances)
	if got := at(moved); got != sel {
		t.Errorf("the lists were reordered: %+v", got)
	}
	fewer := games(1)
	if got := at(fewer); got.Tool != "move1" || got.Instance != "g0" {
		t.Errorf("its instance was closed: %+v", got)
	}
	if got := at(games(0)); got.Kind != OnToolset || got.Toolset != "game" {
		t.Errorf("its toolset was closed and folds: %+v", got)
	}
	without := games(3)
	without.Toolsets = without.Toolsets[1:]
	if got := at(without); got.Kind == OnNothing {
		t.Errorf("its toolset is gone: %+v", got)
	}
	if got := at(&timeline.Board{Index: -1, ListAt: -1}); got.Kind != OnNothing {
		t.Errorf("everything is gone: %+v", got)
	}
}

func TestSelectPutsTheFocusOnTheNewColumn(t *testing.T) {
	b, c := hand(games(2), revRows(3), 2, 20)
	drawn(b, c)
	uitest.Press(b, c, "tab")
	b.Select(c, Selection{Kind: OnInstance, Toolset: "game", Instance: "g1"})
	drawn(b, c)
	if b.sel != (Selection{Kind: OnTool, Toolset: "game", Tool: "move0", Instance: "g1"}) || b.focus != paneTools {
		t.Errorf("focus on %s, %+v", paneNames[b.focus], b.sel)
	}
	if got := b.Help(c)[0].Verb; got != "call…" {
		t.Errorf("enter would %q", got)
	}
}

func TestSelectWaitsForWhatWasJustOpened(t *testing.T) {
	b, c := hand(games(1), revRows(3), 2, 20)
	drawn(b, c)
	b.Select(c, Selection{Kind: OnInstance, Toolset: "game", Instance: "g1"})
	drawn(b, c)
	c.Board = games(2)
	drawn(b, c)
	if b.sel.Tool != "move0" || b.sel.Instance != "g1" {
		t.Errorf("on %+v", b.sel)
	}
	b.Select(c, Selection{Kind: OnToolset, Toolset: "chat"})
	c.Board = games(2)
	c.Board.Toolsets[1].Open = true
	drawn(b, c)
	if b.sel.Tool != "say0" {
		t.Errorf("on %+v", b.sel)
	}
}

func TestTheFilterLeavesToolsAndGroupsThatHaveIt(t *testing.T) {
	b, c := hand(games(2), revRows(3), 2, 20)
	drawn(b, c)
	uitest.Press(b, c, "/", "S", "a", "y", "1")
	text := drawn(b, c)
	if !strings.Contains(text, "TOOLS  /Say1_") || !strings.Contains(text, "say1") || strings.Contains(text, "say0") || strings.Contains(text, "move0") {
		t.Errorf("filtered by say1:\n%s", text)
	}
	uitest.Press(b, c, "backspace", "backspace", "backspace", "backspace", "c", "h", "a", "t", "enter")
	if text := drawn(b, c); !strings.Contains(text, "say0") || strings.Contains(text, "move0") {
		t.Errorf("filtered by the group's name:\n%s", text)
	}
	uitest.Press(b, c, "/", "q", "q")
	if text := drawn(b, c); !strings.Contains(text, "0 of 8 match chatqq.") {
		t.Errorf("filtered by nonsense:\n%s", text)
	}
	uitest.Press(b, c, "esc")
	if text := drawn(b, c); !strings.Contains(text, "move0") {
		t.Errorf("esc clears:\n%s", text)
	}
	if !b.Paste("", c) {
		uitest.Press(b, c, "/")
	}
	if !b.Paste("mo\x1b[31mve1\nq", c) || b.filter.Text != "mo[31mve1 q" {
		t.Errorf("pasted: %q", b.filter.Text)
	}
}

func TestWhereNamesThePlace(t *testing.T) {
	c := uitest.GobanLive(t)
	b := New()
	drawn(b, c)
	b.Select(c, Selection{Kind: OnTool, Toolset: "game", Tool: "play", Instance: "vs-ada"})
	if got := b.Where(c); got != "Board, Tools, on play @ vs-ada" {
		t.Error(got)
	}
	uitest.Press(b, c, "shift+tab")
	if got := b.Where(c); got != "Board, Revs, on rev 41" {
		t.Error(got)
	}
}

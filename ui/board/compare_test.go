package board

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

func TestDComparesTheToolUnderTheCursorAndElseTheBoard(t *testing.T) {
	for _, tc := range []struct {
		name, keys string
		want       view.Intent
	}{
		{"a cell", "k k k k k", view.Intent{Kind: view.Compare, Toolset: "game", Instance: "vs-ada", Tool: "play"}},
		{"the cell beside it", "k k k k k l", view.Intent{Kind: view.Compare, Toolset: "game", Instance: "vs-bot", Tool: "play"}},
		{"a closed toolset", "", view.Intent{Kind: view.Compare}},
		{"a header row", "home", view.Intent{Kind: view.Compare}},
		{"a rev that redefined a tool", "shift+tab", view.Intent{Kind: view.Compare, Toolset: "game", Instance: "vs-ada", Tool: "play"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := uitest.GobanLive(t)
			b := bare()
			uitest.Screen(b, c, 80, 19)
			uitest.Press(b, c, strings.Fields(tc.keys)...)
			do, ok := b.Key("d", c)
			if !ok || do.Kind != tc.want.Kind || do.Tool != tc.want.Tool || do.Instance != tc.want.Instance || do.Toolset != tc.want.Toolset {
				t.Errorf("%+v, want %+v", do, tc.want)
			}
		})
	}
	c := uitest.Moment(t, "goban", 0, 73) // rev 30 redefined nothing
	b := bare()
	uitest.Press(b, c, "shift+tab")
	if do, _ := b.Key("d", c); do.Kind != view.Compare || do.Tool != "" {
		t.Errorf("%+v", do)
	}
	c = uitest.Moment(t, "goban", 4, -1)
	if do, _ := bare().Key("d", c); do.Kind != view.Say {
		t.Errorf("nothing is listed yet: %+v", do)
	}
}

func TestRevsAreDrawnAloneBesideAnotherPage(t *testing.T) {
	c := uitest.Moment(t, "goban", 0, 74)
	c.Replay, c.Follow = true, false
	b := bare()
	whole := strings.Split(uitest.Screen(b, c, 160, 43), "\n")
	canvas := kit.NewCanvas(44, 43)
	b.DrawRevs(canvas.All(), c)
	for y, line := range strings.Split(strings.TrimSuffix(canvas.Plain(), "\n"), "\n") {
		want := strings.TrimRight(string([]rune(whole[y] + strings.Repeat(" ", 44))[:44]), " ")
		if line != want {
			t.Fatalf("row %d: %q, want %q", y, line, want)
		}
	}
	if do := b.ClickRevs(1, 43, 0, c); do.Kind != view.GoTo || do.Index != 11 {
		t.Errorf("a click on rev 1: %+v", do)
	}
	if do := b.ClickRevs(0, 43, 0, c); do.Kind != view.Nothing {
		t.Errorf("a click on the head line: %+v", do)
	}
	b.ClickRevs(5, 20, 1, c)
	canvas = kit.NewCanvas(44, 20)
	b.DrawRevs(canvas.All(), c)
	if first := strings.Split(canvas.Plain(), "\n")[1]; strings.Contains(first, "  1 0:00") {
		t.Errorf("the wheel did not scroll: %q", first)
	}
}

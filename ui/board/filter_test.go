package board

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// driven is a board over a log whose playhead goes where the board asks.
type driven struct {
	t   testing.TB
	b   *Board
	log *timeline.Log
	c   *view.Context
}

func drive(t testing.TB, log *timeline.Log) *driven {
	t.Helper()
	d := &driven{t: t, b: bare(), log: log}
	d.at(log.Len() - 1)
	d.draw()
	return d
}

func gobanDriven(t testing.TB) *driven {
	t.Helper()
	return drive(t, uitest.NewSource(t, uitest.Frames(uitest.Goban()).Cut(uitest.BoardFrames)).Log())
}

func (d *driven) at(i int) {
	d.t.Helper()
	d.c = uitest.MomentOf(d.t, d.log, i, d.log.Entry(i).T)
}

func (d *driven) draw() string { return uitest.Screen(d.b, d.c, 160, 43) }

func (d *driven) press(keys ...string) (last view.Intent) {
	d.t.Helper()
	for _, k := range keys {
		last, _ = d.b.Key(k, d.c)
		switch last.Kind {
		case view.GoTo:
			d.at(last.Index)
		case view.GoLive:
			d.at(d.log.Len() - 1)
		}
		d.draw()
	}
	return last
}

func (d *driven) typed(text string) {
	for _, r := range text {
		d.press(string(r))
	}
}

// finish lets the board do all its work, as the root does beside the screen.
func (d *driven) finish() {
	d.t.Helper()
	for n := 0; ; n++ {
		piece := d.b.Work(d.c)
		if piece == nil {
			return
		}
		if n > 10_000 {
			d.t.Fatal("the search does not end")
		}
		if do := piece()(d.c); do.Kind == view.GoTo {
			d.at(do.Index)
		}
	}
}

// revs are the revs that the filter of REVS leaves.
func (d *driven) revs() string {
	d.finish()
	var out []string
	for k := range d.b.found.Count() {
		out = append(out, fmt.Sprint(d.log.RowHead(d.b.found.At(k)).Rev))
	}
	return strings.Join(out, " ")
}

// tools are the tools that TOOLS lists.
func (d *driven) tools() string {
	var out []string
	m := d.b.moment(d.c)
	d.b.settle(m)
	for i := range m.rows {
		if m.rows[i].kind == rowTool {
			out = append(out, m.rows[i].tool.Name)
		}
	}
	return strings.Join(out, " ")
}

func TestTheFilterOfRevsFindsWhatItSays(t *testing.T) {
	d := gobanDriven(t)
	d.press("shift+tab")
	for text, want := range map[string]string{
		"tool:undo":                     "39",
		"rev:39":                        "39",
		"rev:39-":                       "39 40 41",
		"kind:open":                     "2 11 23",
		"kind:close":                    "24",
		"kind:hints":                    "18 25 36",
		"kind:standalone":               "18 25 36",
		"method:toolsets/":              "1 2 11 23 24",
		"dir:in -kind:push":             "18 25 36",
		"toolset:chat":                  "23 24 38",
		"toolset:debug":                 "",
		"instance:vs-bot kind:call":     "12 16 21 28 32 40",
		"tool:score":                    "36",
		"status:applied rev:1-3":        "1 2 3",
		"-status:applied":               "",
		"takeback":                      "39",
		"HELLO":                         "38",
		`"takes two"`:                   "31",
		"hints-instance-missing":        "39",
		"id:s16":                        "39",
		"id:27":                         "40",
		"id:#27":                        "40",
		"pass@":                         "40",
		"colour:red":                    "",
		"-kind:call -kind:push -rev:1-": "",
	} {
		d.press("/")
		d.typed(text)
		d.press("enter")
		if got := d.revs(); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
		if d.press("esc"); d.b.found != nil {
			t.Fatal("esc clears")
		}
	}
}

func TestTheFilterOfRevsCountsAndMovesFromMatchToMatch(t *testing.T) {
	d := gobanDriven(t)
	d.press("shift+tab", "/")
	d.typed("kind:hints")
	if text := d.draw(); !strings.Contains(text, "3 of 41 match") || !strings.Contains(text, "/kind:hints_") {
		t.Errorf("while it is typed:\n%s", text)
	}
	d.press("enter")
	if sel := d.b.Selected(d.c); sel.Kind != OnRow || sel.Row != 35 {
		t.Errorf("marked is the last match before the playhead, not %+v", sel)
	}
	for _, c := range []struct {
		key string
		rev int
	}{{"k", 36}, {"k", 25}, {"N", 18}, {"N", 18}, {"n", 25}, {"]", 26}, {"]", 27}, {"j", 36}, {"[", 35}, {"g", 18}, {"pgdown", 36}, {"n", 36}, {"G", 41}} {
		d.press(c.key)
		if got := d.c.Row.Rev; int(got) != c.rev {
			t.Fatalf("%s: at rev %d, want %d", c.key, got, c.rev)
		}
	}
	d.press("g", "[")
	if sel := d.b.Selected(d.c); sel.Kind != OnNothing {
		t.Errorf("before the first match nothing is marked, not %+v", sel)
	}
	if text := d.draw(); strings.Contains(text, "▌") {
		t.Errorf("a mark on what is not shown:\n%s", text)
	}
	if do := d.press("N"); do.Kind != view.Say || !strings.Contains(do.Text, "no rev before this") {
		t.Errorf("%+v", do)
	}
}

func TestAFilterOfRevsWithoutMatchSaysWhatThereIs(t *testing.T) {
	d := gobanDriven(t)
	d.press("shift+tab")
	for text, want := range map[string]string{
		"tool:undoo":   "0 of 41 match tool:undoo. Tools here: play, pass, undo,",
		"kind:request": "Kinds here: call, open, close, list, push, standalone, hints. esc clears.",
		"status:ok":    "Statuses here: applied, held,",
		"dir:up":       "Directions here: in, out.",
		"qwertz":       "Words with a colon are tool, toolset,",
	} {
		d.press("/")
		d.typed(text)
		d.press("enter")
		var left []string // REVS alone
		for _, line := range strings.Split(d.draw(), "\n") {
			left = append(left, strings.Fields(string([]rune(line + strings.Repeat(" ", 44))[:44]))...)
		}
		if got := strings.Join(left, " "); !strings.Contains(got, want) {
			t.Errorf("%s: %s\nwant %s", text, got, want)
		}
		d.press("esc")
	}
	d.press("/")
	d.typed("takeback -dir:up")
	if do := d.press("enter"); do.Kind != view.Say || !strings.Contains(do.Text, "dir:up") || !strings.Contains(do.Text, "Directions here: in, out.") {
		t.Errorf("%+v", do)
	}
}

func TestTheFilterOfToolsFindsWhatItSays(t *testing.T) {
	d := gobanDriven(t)
	for text, want := range map[string]string{
		"tool:undo":                       "undo",
		"toolset:game -tool:p":            "undo score resign",
		"toolset:chat":                    "say react",
		"instance:vs-bot status:visible":  "score resign",
		"instance:vs-bot -status:visible": "play pass undo",
		"status:usable":                   "status login lobby help play pass score resign",
		"status:hidden":                   "rematch play pass undo score say react dump_board seed_game",
		"-status:visible":                 "rematch undo say react dump_board seed_game",
		"status:redefined":                "play",
		"status:static":                   "status login lobby help",
		"status:undeclared":               "dump_board seed_game",
		"status:closed":                   "say react dump_board seed_game",
		"place a stone":                   "play",
		"loose":                           "rematch",
		"static -help":                    "status login lobby",
		`"go games"`:                      "play pass undo score resign",
	} {
		d.press("/")
		d.typed(text)
		d.press("enter")
		if got := d.tools(); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
		if n := len(strings.Fields(want)); !strings.Contains(d.draw(), fmt.Sprintf("%d of 14 match", n)) {
			t.Errorf("%s: no count of %d:\n%s", text, n, d.draw())
		}
		d.press("esc")
	}
}

func TestTheCursorOfToolsStaysOnWhatIsShownAndComesBack(t *testing.T) {
	d := gobanDriven(t)
	d.b.Select(d.c, Selection{Kind: OnTool, Toolset: "game", Instance: "vs-ada", Tool: "undo"})
	d.press("/")
	d.typed("static")
	if sel := d.b.Selected(d.c); sel.Toolset != "" {
		t.Errorf("the cursor is on %+v, which is not shown", sel)
	}
	if d.press("esc"); d.b.sel.Tool != "undo" {
		t.Errorf("the cursor came back to %+v", d.b.sel)
	}
	d.press("/")
	d.typed("toolset:game")
	d.press("enter", "n", "n")
	if d.b.sel.Tool != "undo" && d.b.sel.Tool != "resign" {
		t.Errorf("n goes to the next tool, not to %+v", d.b.sel)
	}
	at := d.b.sel.Tool
	d.press("N")
	if d.b.sel.Tool == at {
		t.Error("N goes back")
	}
	d.press("esc", "tab")
	if d.b.focus != paneOpen {
		t.Fatal("not in OPEN")
	}
	if d.press("/"); d.b.focus != paneTools || !d.b.filter.Typing {
		t.Error("OPEN shares the filter of TOOLS")
	}
	d.typed("tool:undoo")
	if text := d.draw(); !strings.Contains(text, "0 of 14 match tool:undoo. Tools here: play,") {
		t.Errorf("nothing is told:\n%s", text)
	}
	d.press("esc", "/")
	d.typed("undo -dir:in")
	if do := d.press("enter"); do.Kind != view.Say || !strings.Contains(do.Text, "dir: says nothing in TOOLS") {
		t.Errorf("%+v", do)
	}
}

func TestWithoutRevsThereIsNothingToFilter(t *testing.T) {
	b, c := hand(games(2), nil, -1, 20)
	drawn(b, c)
	uitest.Press(b, c, "shift+tab")
	if do := uitest.Press(b, c, "/"); do.Kind != view.Say || !strings.Contains(do.Text, "nothing to filter") || b.line() != nil {
		t.Errorf("%+v", do)
	}
}

func TestWhatIsHeldIsJudgedAgainWhenItTakesEffect(t *testing.T) {
	rows := revRows(3)
	rows[2].Status, rows[2].Taken = timeline.Held, -1
	state := games(1)
	state.Held = []int64{3}
	b, c := hand(state, rows, 2, 20)
	drawn(b, c)
	uitest.Press(b, c, "shift+tab", "/", "t", "o", "o", "l", ":", "m", "o", "v", "e", "enter")
	drawn(b, c)
	if b.found.Count() != 0 {
		t.Fatalf("%d revs changed move", b.found.Count())
	}
	rows[2].Taken, rows[2].Changes = 8, []timeline.Change{{Kind: timeline.Shown, Toolset: "game", Tool: "move0"}}
	now := games(1)
	c.Board, c.Newest = now, now
	drawn(b, c)
	if b.found.Count() != 1 {
		t.Errorf("%d revs changed move", b.found.Count())
	}
}

// Whatever is typed into whichever filter, nothing panics, and the cursor is
// on something that is shown.
func TestAnyFilterCanBeTypedIntoTheBoard(t *testing.T) {
	words := []string{"tool:", "toolset:", "instance:", "status:", "kind:", "rev:", "dir:", "play", "-", `"`, " ", "hidden", "1-3", "push", "囲", "\x1b", "x"}
	rapid.Check(t, func(t *rapid.T) {
		rows := genRows(t)
		b, c := hand(genBoard(t), rows, rapid.IntRange(-1, len(rows)-1).Draw(t, "cur"), 170)
		w, h := uitest.AnySize(t)
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				b.Paste(rapid.SampledFrom(words).Draw(t, "word"), c)
			case 1:
				b.Key(rapid.SampledFrom([]string{"/", "/", "tab", "enter", "esc", "backspace", "n", "N", "j", "k", "g", "up", "down", "pgup", "d", "y"}).Draw(t, "key"), c)
			case 2:
				if len(rows) > 0 {
					n := rapid.IntRange(0, len(rows)-1).Draw(t, "to")
					c.Row, c.At = &rows[n], rows[n].Index
				}
			default:
				c.Board = genBoard(t)
				c.Newest = c.Board
			}
			uitest.InPlace(t, b, c, w, h)
			b.Help(c)
			b.Narrow(c, w, h)
			switch sel := b.Selected(c); {
			case sel.Kind == OnTool:
				if m := b.moment(c); b.filter.Text != "" && !shown(b, m, sel.Tool) {
					t.Fatalf("%q: the cursor is on %+v", b.filter.Text, sel)
				}
			case sel.Kind == OnRow && b.found != nil:
				if k := b.found.Last(sel.Row); k < 0 || b.found.At(k) != sel.Row {
					t.Fatalf("%q: the cursor is on row %d", b.find.Text, sel.Row)
				}
			}
		}
	})
}

func shown(b *Board, m *moment, tool string) bool {
	b.settle(m)
	for i := range m.rows {
		if m.rows[i].kind == rowTool && m.rows[i].tool.Name == tool {
			return true
		}
	}
	return false
}

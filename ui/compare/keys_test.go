package compare

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

func wantText(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
}

func press(v *View, c *view.Context, keys ...string) (do view.Intent, handled bool) {
	for _, k := range keys {
		do, handled = v.Key(k, c)
	}
	return do, handled
}

func TestTheBaselineGoesRoundAndTheTitleSaysWhich(t *testing.T) {
	c := rev31(t)
	v := beside(c, playAda)
	for _, want := range []string{
		"before, rev 30  against  here, rev 31     3 members differ", "declared, frame 10  against  here, rev 31",
		"your mark “second game”, 1:00, rev 10  against  here, rev 31", "before, rev 30  against",
	} {
		wantText(t, strings.SplitN(uitest.Screen(v, c, 160, 43), "\n", 2)[0], want)
		press(v, c, "d")
	}
	c.Mark = -1 // as on a session without one
	wantText(t, uitest.Screen(v, c, 160, 43), "declared, frame 10  against", "before ▸ declared (frame 10)   m marks a point to compare with")
	press(v, c, "d")
	wantText(t, uitest.Screen(v, c, 160, 43), "before, rev 30  against")
}

func TestTheWholeBoardBeginsWithTheMarkAndWithoutOneWithBefore(t *testing.T) {
	c := rev31(t)
	wantText(t, uitest.Screen(beside(c, Target{}), c, 160, 43), "your mark “second game”, 1:00, rev 10  against  here, rev 31     2 things differ")
	c.Mark = -1
	wantText(t, uitest.Screen(beside(c, Target{}), c, 160, 43), "before, rev 30  against  here, rev 31     3 things differ")
}

func TestEnterLeadsToTheFrameThatCarriedIt(t *testing.T) {
	c := rev31(t)
	v := beside(c, playAda)
	uitest.Screen(v, c, 160, 43)
	if do, ok := press(v, c, "enter"); !ok || do.Kind != view.ShowAt || do.View != 3 || do.Index != 74 {
		t.Errorf("%+v", do)
	}
	v = beside(c, Target{Tool: "status"})
	if do, _ := press(v, c, "enter"); do.Kind != view.Say || !strings.Contains(do.Text, "no frame redefined it") {
		t.Errorf("%+v", do)
	}
}

func TestOnTheWholeBoardEnterComparesWhatWasRedefinedAndEscComesBack(t *testing.T) {
	c := gobanAt(t, 102)
	v := beside(c, Target{})
	uitest.Screen(v, c, 160, 43)
	if do, _ := press(v, c, "enter"); do.Kind != view.ShowAt || do.Index != 35 {
		t.Errorf("what was opened leads to its frame: %+v", do)
	}
	if help := v.Help(c); help[0].Verb != "the frame" {
		t.Errorf("%+v", help)
	}
	press(v, c, "j")
	if help := v.Help(c); help[0].Verb != "compare it" {
		t.Errorf("%+v", help)
	}
	if do, ok := press(v, c, "enter"); !ok || do.Kind != view.Nothing {
		t.Errorf("%+v", do)
	}
	wantText(t, uitest.Screen(v, c, 160, 43), "COMPARE play @ vs-ada", "your mark “second game”")
	if do, ok := press(v, c, "esc"); !ok || do.Kind != view.Nothing {
		t.Errorf("%+v", do)
	}
	wantText(t, uitest.Screen(v, c, 160, 43), "COMPARE the board", "▌  ~  play @ vs-ada")
	if do, ok := press(v, c, "esc"); !ok || do.Kind != view.Leave {
		t.Errorf("%+v", do)
	}
}

func TestWhatBelongsToTheRootIsLeftToIt(t *testing.T) {
	c := rev31(t)
	v := beside(c, playAda)
	uitest.Screen(v, c, 160, 43)
	for _, k := range []string{"[", "]", "K", "J", "e", "E", "g", "G", " ", "<", ">", "m", ":", "?", "q", "1", "3", "c", "o", "x", "a", "t", "ctrl+c", "/", "tab"} {
		if do, ok := v.Key(k, c); ok {
			t.Errorf("%q is taken: %+v", k, do)
		}
	}
}

func TestAMovedPlayheadComparesWhatIsThere(t *testing.T) {
	log := rev31(t).Log
	c := contextAt(t, log, 76) // rev 31 stands on: the frames after it brought none
	v := beside(c, playAda)
	wantText(t, uitest.Screen(v, c, 160, 43), "before, rev 30  against  here, rev 31", "▲ here")
	c = contextAt(t, log, 73)
	wantText(t, uitest.Screen(v, c, 160, 43), "before, rev 26  against  here, rev 30", "HERE   rev 30, hidden", "mv-0086")
	c = contextAt(t, log, 8) // before the list
	wantText(t, uitest.Screen(v, c, 160, 43), "neither side has a definition", "the server lists no such tool here")
}

func TestAClickOnTheTrackGoesToItsRevAndOnAFactToItsFrame(t *testing.T) {
	c := rev31(t)
	v := beside(c, playAda)
	lines := strings.Split(uitest.Screen(v, c, 160, 43), "\n")
	at := func(text string) (x, y int) {
		for y, line := range lines {
			if i := strings.Index(line, text); i >= 0 {
				return kit.Width(line[:i]), y
			}
		}
		t.Fatalf("no %q", text)
		return 0, 0
	}
	x, y := at("10        20")
	if do := v.Click(x, y+1, 0, c); do.Kind != view.GoTo || c.Log.Entry(do.Index).Seq != 31 {
		t.Errorf("rev 10 is frame 31: %+v", do)
	}
	x, y = at("CARRIED BY")
	if do := v.Click(x, y, 0, c); do.Kind != view.ShowAt || do.Index != 74 {
		t.Errorf("%+v", do)
	}
	if do := v.Click(3, 5, 0, c); do.Kind != view.GoTo || c.Log.Entry(do.Index).Row != 4 {
		t.Errorf("REVS stays REVS: %+v", do)
	}
	if do := v.Click(100, 3, 0, c); do.Kind != view.Nothing {
		t.Errorf("%+v", do)
	}
}

func TestAClickOnTheWholeBoardChooses(t *testing.T) {
	c := gobanAt(t, 102)
	v := beside(c, Target{})
	for y, line := range strings.Split(uitest.Screen(v, c, 160, 43), "\n") {
		if strings.Contains(line, "open chat") {
			v.Click(60, y, 0, c)
		}
	}
	wantText(t, uitest.Screen(v, c, 160, 43), "▌  ?  open chat")
}

func TestTheWheelScrollsWhereThePointerIs(t *testing.T) {
	c := rev31(t)
	v := beside(c, playAda)
	first := uitest.Screen(v, c, 100, 25)
	v.Click(60, 5, 1, c)
	second := uitest.Screen(v, c, 100, 25)
	wantText(t, second, "↑3 ↓")
	if left(first) != left(second) {
		t.Error("REVS moved")
	}
	v.Click(5, 5, -1, c)
	third := uitest.Screen(v, c, 100, 25)
	if left(second) == left(third) {
		t.Error("REVS did not move")
	}
}

func left(s string) string {
	var out []string
	for _, line := range strings.Split(s, "\n") {
		out = append(out, string([]rune(line + strings.Repeat(" ", 40))[:36]))
	}
	return strings.Join(out, "\n")
}

func TestZoomGivesTheComparisonTheWholeBody(t *testing.T) {
	c := rev31(t)
	v := beside(c, playAda)
	uitest.Screen(v, c, 100, 25)
	press(v, c, "z")
	if text := uitest.Screen(v, c, 100, 25); strings.Contains(text, "REVS") || !strings.Contains(text, "┴") {
		t.Errorf("REVS is still there, or the sides are not:\n%s", text)
	}
	press(v, c, "z")
	wantText(t, uitest.Screen(v, c, 100, 25), "REVS")
	uitest.Screen(v, c, 80, 19)
	press(v, c, "z") // there is but one pane
	wantText(t, uitest.Screen(v, c, 160, 43), "REVS")
}

func TestTheComparisonIsCopiedAsText(t *testing.T) {
	c := rev31(t)
	do, _ := press(beside(c, playAda), c, "y")
	if do.Kind != view.Copy {
		t.Fatalf("%+v", do)
	}
	wantText(
		t, do.Text, "play @ vs-ada: before, rev 30 against here, rev 31\n", "- Place a stone. You are Black, move 15.\n",
		"~       enum  67 points   - D5   + D4\n", "+     comment\n", "      at\n",
	)
	do, _ = press(beside(c, Target{}), c, "y")
	wantText(t, do.Text, "REDEFINED\n  ~ play @ vs-ada  description, inputSchema, annotations  rev 31, this frame\n")
}

func TestANarrowScreenNamesThePane(t *testing.T) {
	c := rev31(t)
	v := beside(c, playAda)
	if got := v.Narrow(c, 40, 7); !strings.HasPrefix(got, "COMPARE play ↓") {
		t.Errorf("%q", got)
	}
	if got := v.Narrow(c, 80, 19); got != "" {
		t.Errorf("%q", got)
	}
	if got := v.Where(c); got != "Board, Compare, play @ vs-ada" {
		t.Errorf("%q", got)
	}
	if got := New(Target{}).Where(c); got != "Board, Compare, the whole board" {
		t.Errorf("%q", got)
	}
}

func TestWithoutASessionThereIsNothingToCompare(t *testing.T) {
	c := &view.Context{Mark: -1, At: -1}
	for _, target := range []Target{{}, playAda} {
		v := New(target)
		wantText(t, uitest.Screen(v, c, 100, 25), "Nothing to compare yet.")
		for _, k := range []string{"d", "enter", "j", "y", "z"} {
			v.Key(k, c)
		}
		v.Help(c)
		v.Narrow(c, 40, 7)
		if do, _ := v.Key("esc", c); do.Kind != view.Leave {
			t.Errorf("%+v", do)
		}
	}
}

func TestAFindingOfThisRevIsNamed(t *testing.T) {
	c := gobanAt(t, 90) // rev 39
	v := beside(c, Target{Toolset: "game", Instance: "vs-ada", Tool: "undo"})
	wantText(t, uitest.Screen(v, c, 160, 43), "FINDINGS        ✗ hints-instance-missing: undo")
	v.Findings = nil
	wantText(t, uitest.Screen(v, c, 160, 43), "FINDINGS        none at this rev")
}

func TestTheHelpBeginsWithTheVerbOfEnter(t *testing.T) {
	c := rev31(t)
	v := beside(c, playAda)
	uitest.Screen(v, c, 160, 43)
	text := ""
	for _, h := range v.Help(c) {
		text += h.Key + " " + h.Verb + "|"
	}
	if want := "enter the frame|d against|[ ] rev|G end| |m mark| |z zoom|esc the board|"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
}

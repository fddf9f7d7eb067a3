package model

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

func TestTheCursorIsThePlayheadAndFiguresCountUpToIt(t *testing.T) {
	d := drive(t, uitest.GobanLive(t)).sees("▌ 41", "39, ~2 177 tok", "38 of 41 revs")
	d.press("k").sees("▌ 40", "· 41", "38, ~2 014 tok", "37 of 40 revs", "37 × ~610 = ~22 570 tok")
	d.press("g").sees("▌  1", "The one rev so far changes neither", "━ none ━")
	d.press("k")
	if d.do.Kind != view.Say {
		t.Errorf("above the first rev: %+v", d.do)
	}
	d.press("j").sees("▌  2", "1 of 2 revs changes", "1 × ~610 = ~610 tok")
	if d.press("G"); d.do.Kind != view.GoLive {
		t.Errorf("G: %+v", d.do)
	}
}

func TestEnterGoesToTheFrameInTheWire(t *testing.T) {
	d := drive(t, uitest.GobanLive(t)).press("k", "k", "enter")
	if d.do.Kind != view.ShowAt || d.do.View != 3 || d.c.Log.Entry(d.do.Index).Seq != 91 {
		t.Errorf("enter on rev 39: %+v", d.do)
	}
	none := drive(t, uitest.Moment(t, "plain", 0, -1)).press("enter")
	if none.do.Kind != view.Say {
		t.Errorf("enter without a rev: %+v", none.do)
	}
}

func TestYCopiesWhatIsCounted(t *testing.T) {
	d := drive(t, uitest.GobanLive(t)).press("y")
	text := d.do.Text
	if d.do.Kind != view.Copy || !strings.HasPrefix(text, "game vs-ada: play, pass usable again; play redefined.\nplay: {\"description\":\"Place a stone.") {
		t.Errorf("y: %+v", d.do)
	}
	if row := d.c.Row; len(text) != row.Told.Bytes || (len(text)+2)/4 != row.Told.Tokens() {
		t.Errorf("%d bytes are copied, %d counted as %d tok", len(text), row.Told.Bytes, row.Told.Tokens())
	}
	d.press("k", "k", "y")
	if d.do.Kind != view.Say || !strings.Contains(d.do.Text, "rev 39 tells the model nothing: the entry was ignored") {
		t.Errorf("y on a rev that says nothing: %+v", d.do)
	}
}

func TestAFilterLeavesTheRevsThatPass(t *testing.T) {
	d := drive(t, uitest.GobanLive(t)).press("/").sees("ANNOUNCED  /_")
	if !d.v.line.Typing {
		t.Fatal("/ opens no line")
	}
	d.press(strings.Split("suggests", "")...).sees("1 of 41 match", "38   16")
	d.press("enter", "k").sees("▌ 38")
	d.press("N")
	if d.do.Kind != view.Say {
		t.Errorf("before the only match: %+v", d.do)
	}
	if d.press("esc").sees("▌ 38", "40"); d.v.found != nil {
		t.Error("esc leaves the filter")
	}
	d.press("/", "z", "z", "z").sees("0 of 41 match zzz")
	d.press("esc", "/")
	if d.v.Paste("tool:score", d.c); d.v.found.Count() != 1 {
		t.Errorf("%d revs pass what was pasted", d.v.found.Count())
	}
}

func TestTabWalksThePanesAndEscComesBack(t *testing.T) {
	d := drive(t, uitest.GobanLive(t)).press("tab").sees("━ STABLE HEAD", "▌  status")
	if d.press("j", "enter"); d.do.Kind != view.Show || d.do.View != 1 || d.do.Tool != "login" {
		t.Errorf("enter on a tool: %+v", d.do)
	}
	d.press("tab").sees("━ WOULD HAVE BEEN REBUILT").press("tab").sees("━ ANNOUNCED")
	d.press("shift+tab", "shift+tab", "esc").sees("━ ANNOUNCED")
	d.press("z")
	if s := uitest.Screen(d.v, d.c, 100, 25); strings.Contains(s, "STABLE HEAD") {
		t.Errorf("z leaves other panes\n%s", s)
	}
	d.press("esc").sees("STABLE HEAD")
	if d.press("esc"); d.do.Text != "not handled" {
		t.Error("esc has nothing left to do here")
	}
}

func TestIShowsWhatARevSaysOverTheBody(t *testing.T) {
	d := drive(t, uitest.GobanLive(t)).press("i").sees("━ INSPECT", "~ PLAY @ VS-ADA")
	d.press("esc").sees("━ ANNOUNCED")
}

func TestTheChangesOfTheHeadAreListedNewestFirstAndLeadToTheirFrames(t *testing.T) {
	d := drive(t, uitest.Moment(t, "plain", 0, -1)).press("tab").sees("rebuilt 1 time", "It changed, newest first:", "frame ", "+ remove_note")
	d.press("end").sees("▌  frame")
	if d.press("enter"); d.do.Kind != view.ShowAt || d.do.View != 3 || d.c.Log.CostAt(d.do.Index).Rebuilds != 1 || d.c.Log.CostAt(d.do.Index-1).Rebuilds != 0 {
		t.Errorf("enter on a change: %+v", d.do)
	}
	d.press("k", "k", "j")
	if l := d.v.moment(d.c).headLine(d.v.head.at); l.change < 0 && l.tool < 0 {
		t.Error("the cursor stands on a blank")
	}
}

func TestHelpNamesTheFrameAndWhatIsCopied(t *testing.T) {
	v, c := New(), uitest.GobanLive(t)
	uitest.Screen(v, c, 100, 25)
	var words []string
	for _, h := range v.Help(c) {
		words = append(words, strings.TrimSpace(h.Key+" "+h.Verb))
	}
	if got := strings.Join(words, ", "); got != "enter its frame, j k [ ] rev, tab pane, y copy what it is told, │, / filter, i inspect" {
		t.Error(got)
	}
	if got := v.Where(c); got != "Model, on rev 41" {
		t.Error(got)
	}
	for pane, want := range []string{"TOLD 39, ~2 177 tok", "HEAD ~610 tok", "REBUILDS 38"} {
		if v.focus = v.focus % numPanes; int(v.focus) != pane || v.Narrow(c, 40, 7) != want {
			t.Errorf("pane %d is called %q", pane, v.Narrow(c, 40, 7))
		}
		v.Key("tab", c)
	}
}

func TestAClickSelectsAndTheWheelScrolls(t *testing.T) {
	v, c := New(), uitest.GobanLive(t)
	uitest.Screen(v, c, 100, 25)
	if do := v.Click(50, 3, 0, c); do.Kind != view.GoTo || c.Log.Entry(do.Index).Row != 28 {
		t.Errorf("a click on rev 29: %+v", do)
	}
	v.Click(50, 3, -1, c)
	if s := uitest.Screen(v, c, 100, 25); !strings.Contains(s, " 25    5") || strings.Contains(s, "▌ 41") {
		t.Errorf("scrolled up\n%s", s)
	}
	v.Click(10, 6, 0, c)
	if s := uitest.Screen(v, c, 100, 25); !strings.Contains(s, "▌  lobby") {
		t.Errorf("a click on a tool\n%s", s)
	}
}

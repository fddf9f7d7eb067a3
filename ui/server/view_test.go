package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

func sees(t *testing.T, got string, wants ...string) {
	t.Helper()
	for _, w := range wants {
		if !strings.Contains(got, w) {
			t.Errorf("%q is not on the screen:\n%s", w, got)
		}
	}
}

func seesNot(t *testing.T, got string, nots ...string) {
	t.Helper()
	for _, w := range nots {
		if strings.Contains(got, w) {
			t.Errorf("%q is on the screen:\n%s", w, got)
		}
	}
}

// goTo moves the playhead of a context to a frame, as the root does.
func goTo(t testing.TB, c *view.Context, at int) *view.Context {
	t.Helper()
	d := *c
	b, err := c.Log.Board(at)
	if err != nil {
		t.Fatal(err)
	}
	d.At, d.Board, d.Now, d.Follow, d.Ended = at, b, b.T, at == c.Len-1, b.Link.Phase == timeline.Closed
	return &d
}

func TestEnterOnAStepGoesToItsFrameOnTheWire(t *testing.T) {
	v, c := recorded(t, "goban")
	screen(v, c, 100, 30)
	for i, frame := range []int{0, 1, 2, 4, 5, 7, 10} {
		do := uitest.Press(v, c, "j", "enter")
		if do.Kind != view.ShowAt || do.View != 3 || do.Index != frame {
			t.Errorf("step %d leads to %+v, want the frame at %d", i+1, do, frame)
		}
		if h := v.Help(c)[0]; h.Key != "enter" || h.Verb != fmt.Sprintf("frame %d", frame+1) {
			t.Errorf("the help says %+v", h)
		}
	}
}

func TestASectionFoldsAndUnfolds(t *testing.T) {
	v, c := recorded(t, "goban")
	sees(t, screen(v, c, 100, 30), "▾ HANDSHAKE", "▸ MANIFEST", "→ initialize")
	if h := v.Help(c)[0]; h.Verb != "fold" {
		t.Errorf("enter does %q", h.Verb)
	}
	uitest.Press(v, c, "enter")
	got := screen(v, c, 100, 30)
	sees(t, got, "▌▸ HANDSHAKE       7 steps, 35 ms")
	seesNot(t, got, "→ initialize")
	// → unfolds; ← within a section goes to its head and folds it.
	uitest.Press(v, c, "right", "j", "j", "j")
	sees(t, screen(v, c, 100, 30), "▌    0.010 s  → initialize")
	uitest.Press(v, c, "left")
	sees(t, screen(v, c, 100, 30), "▌▸ HANDSHAKE")
	// What the user folded stays so at any size, and at every moment.
	seesNot(t, screen(v, goTo(t, c, 40), 160, 48), "→ initialize")
	if where := v.Where(c); where != "Server, handshake" {
		t.Errorf("the place is called %q", where)
	}
}

// What is unfolded at the foot of a pane comes into sight.
func TestUnfoldingShowsWhatWasFolded(t *testing.T) {
	v, c := recorded(t, "goban")
	screen(v, c, 40, 12)
	uitest.Press(v, c, "j", "j", "j", "j", "j", "enter")
	sees(t, screen(v, c, 40, 12), "▌▾ FEATURE SETS", "talk", "What people say to you")
	uitest.Press(v, c, "left", "j", "j", "right")
	sees(t, screen(v, c, 40, 12), "▌▾ GRANT", "✓ pushEvents  granted")
}

func TestTabGoesFromColumnToColumnAndToStderr(t *testing.T) {
	v, c := recorded(t, "goban")
	sees(t, screen(v, c, 160, 48), "━ SERVER ━", "─ DECLARED AND GRANTED ─", "─ STDERR ─", "┭")
	uitest.Press(v, c, "tab")
	sees(t, screen(v, c, 160, 48), "─ SERVER ─", "━ DECLARED AND GRANTED ━", "┮", "▌▾ SERVER", "▏▾ HANDSHAKE")
	uitest.Press(v, c, "tab")
	sees(t, screen(v, c, 160, 48), "─ DECLARED AND GRANTED ─", "━ STDERR ━", "▌┆ 90")
	if where := v.Where(c); where != "Server, stderr" {
		t.Errorf("the place is called %q", where)
	}
	uitest.Press(v, c, "tab")
	sees(t, screen(v, c, 160, 48), "━ SERVER ━")
	uitest.Press(v, c, "shift+tab")
	sees(t, screen(v, c, 160, 48), "━ STDERR ━")
	// In one column there are two panes; what is narrower shows one.
	uitest.Press(v, c, "tab")
	sees(t, screen(v, c, 100, 30), "━ SERVER ━", "─ STDERR ─")
	uitest.Press(v, c, "tab")
	sees(t, screen(v, c, 100, 30), "─ SERVER ─", "━ STDERR ━")
	sees(t, screen(v, c, 40, 12), "▌┆ 90  takeback allowed")
	seesNot(t, screen(v, c, 40, 12), "HANDSHAKE")
	if got := v.Narrow(c, 40, 7); got != "STDERR 3 lines, following" {
		t.Errorf("the root says %q", got)
	}
	uitest.Press(v, c, "tab")
	sees(t, screen(v, c, 40, 12), "▌▸ HANDSHAKE")
	if got := v.Narrow(c, 40, 7); got != "SERVER ↓4" {
		t.Errorf("the root says %q", got)
	}
}

func TestAPaneWithoutLinesTakesNoFocus(t *testing.T) {
	v, c := recorded(t, "plain")
	sees(t, screen(v, c, 100, 30), "STDERR", "none", "Nothing on stderr so far.")
	uitest.Press(v, c, "tab")
	sees(t, screen(v, c, 100, 30), "━ SERVER ━")
}

func TestZShowsAPaneAlone(t *testing.T) {
	v, c := recorded(t, "goban")
	screen(v, c, 160, 48)
	uitest.Press(v, c, "tab", "z")
	got := screen(v, c, 160, 48)
	sees(t, got, "DECLARED AND GRANTED")
	seesNot(t, got, "HANDSHAKE", "STDERR")
	uitest.Press(v, c, "esc")
	sees(t, screen(v, c, 160, 48), "HANDSHAKE", "STDERR")
	if _, handled := v.Key("esc", c); handled {
		t.Error("esc is taken although there is nothing to leave")
	}
}

func TestCopyTakesTheSectionOfTheCursor(t *testing.T) {
	v, c := recorded(t, "goban")
	screen(v, c, 40, 12)
	do := uitest.Press(v, c, "j", "y")
	if do.Kind != view.Copy || do.What != "the section PROCESS" || !strings.Contains(do.Text, "folder        /home/dev/goban") ||
		!strings.Contains(do.Text, "frame 2") {
		t.Errorf("copied %+v", do)
	}
	uitest.Press(v, c, "tab")
	do = uitest.Press(v, c, "k", "y")
	if do.Kind != view.Copy || do.What != "2 lines of stderr" || do.Text != "lobby connected, 3 online\nbot engine started game=vs-bot level=3\n" {
		t.Errorf("copied %+v", do)
	}
}

func TestASearchFindsWhatIsFoldedAndGoesAround(t *testing.T) {
	v, c := recorded(t, "goban")
	screen(v, c, 100, 30)
	uitest.Press(v, c, "/")
	if !v.Paste("HANDI", c) {
		t.Error("a search takes no pasted text")
	}
	sees(t, screen(v, c, 100, 30), "/HANDI")
	uitest.Press(v, c, "x", "backspace", "c", "enter")
	sees(t, screen(v, c, 100, 30), "▌                  handicap    integer", "▾ TOOLSETS", "/HANDIc  n next")
	uitest.Press(v, c, "esc", "/", "g", "a", "m", "e", ".", "enter")
	sees(t, screen(v, c, 100, 30), "▌    game.moves")
	uitest.Press(v, c, "n")
	sees(t, screen(v, c, 100, 30), "▌    enabled       game.moves, talk")
	uitest.Press(v, c, "n")
	sees(t, screen(v, c, 100, 30), "▌    game.moves")
	uitest.Press(v, c, "N")
	sees(t, screen(v, c, 100, 30), "▌    enabled       game.moves, talk")
	uitest.Press(v, c, "/", "x", "y", "z", "z", "y", "enter")
	sees(t, screen(v, c, 100, 30), "not found. esc clears")
	uitest.Press(v, c, "esc")
	seesNot(t, screen(v, c, 100, 30), "xyzzy")
	if v.Paste("text", c) {
		t.Error("pasted text is taken although nothing is typed")
	}
}

func TestAtTheEndOfAConnectionEnterDoesWhatCanBeDoneNow(t *testing.T) {
	v, c := recorded(t, "ended")
	sees(t, screen(v, c, 100, 30), "▾ WHAT NOW        ! The server ended the connection.", "▌    r  try again", "exit code 137")
	if do := uitest.Press(v, c, "enter"); do.Line != "reconnect" {
		t.Errorf("enter asks %+v", do)
	}
	uitest.Press(v, c, "j")
	if _, handled := v.Key("enter", c); handled || v.Pick(c) != "t" {
		t.Errorf("the root is asked for %q", v.Pick(c))
	}
	if do := uitest.Press(v, c, "j", "enter"); do.Kind != view.Show || do.View != 3 {
		t.Errorf("enter asks %+v", do)
	}
	// Who reads something else is not torn away from it.
	v, c = recorded(t, "ended")
	past := goTo(t, c, c.Len-2)
	screen(v, past, 100, 30)
	uitest.Press(v, past, "j", "j")
	sees(t, screen(v, c, 100, 30), "▌    0.009 s  connected")
	c.Replay, c.Ended = true, false
	v.Set(gobanFacts(false))
	got := screen(v, c, 100, 30)
	seesNot(t, got, "try again")
	sees(t, got, "3  see the wire")
}

func TestADamagedFileIsToldOf(t *testing.T) {
	v, c := recorded(t, "goban")
	f := gobanFacts(false)
	f.Skipped, f.Cut = []string{"line 7: no JSON"}, true
	v.Set(f)
	sees(t, screen(v, c, 160, 48), "THE FILE", "! line 7: no JSON", "ends in the middle of a line")
}

// G is live in the past, as row 1 says; in the present it is the end.
func TestGGoesToTheEndAndInThePastToThePresent(t *testing.T) {
	v, c := recorded(t, "goban")
	screen(v, c, 100, 30)
	if do := uitest.Press(v, c, "G"); do.Kind != view.Nothing {
		t.Errorf("G in the present asks %+v", do)
	}
	sees(t, screen(v, c, 100, 30), "▌▸ CONNECTIONS")
	past := goTo(t, c, 60)
	if do := uitest.Press(v, past, "G"); do.Kind != view.GoLive {
		t.Errorf("G in the past asks %+v", do)
	}
	past.Replay = true
	uitest.Press(v, past, "g")
	if do := uitest.Press(v, past, "G"); do.Kind != view.Nothing {
		t.Errorf("the first G in a recording asks %+v", do)
	}
	if do := uitest.Press(v, past, "G"); do.Kind != view.GoLive {
		t.Errorf("the second G in a recording asks %+v", do)
	}
}

func TestThePastIsToldAsItWas(t *testing.T) {
	v, c := recorded(t, "changed")
	now := screen(v, c, 160, 105)
	sees(t, now, "✗ revision differs", "polls", "3, the last not answered so far", "frame 19", "error: nobody is listening")
	then := screen(v, goTo(t, c, 13), 160, 105)
	sees(t, then, "3 of 4 granted", "admin", "accepted", "CHANGES         none")
	seesNot(t, then, "polls", "frame 19", "nobody is listening")
	sees(t, then, "1 line, 1 later")
	// While the handshake goes on it is the page of a start.
	sees(t, screen(v, goTo(t, c, 6), 100, 30), "STARTED    ./chat-server --quiet", "starting")
}

func TestTheMouseChoosesFoldsAndScrolls(t *testing.T) {
	v, c := recorded(t, "goban")
	screen(v, c, 100, 30)
	v.Click(5, 4, 0, c)
	sees(t, screen(v, c, 100, 30), "▌    0.010 s  → initialize")
	v.Click(5, 10, 0, c) // the head of PROCESS
	sees(t, screen(v, c, 100, 30), "▌▾ PROCESS", "folder        /home/dev/goban")
	v.Click(5, 5, 1, c)
	sees(t, screen(v, c, 100, 30), "↑3")
	v.Click(5, 23, 0, c) // a line of stderr
	sees(t, screen(v, c, 100, 30), "━ STDERR ━", "▌┆ 35", "line 2 of 3, G follows")
}

func TestOnAScreenOfAnySizeTheCursorIsInSight(t *testing.T) {
	for _, name := range []string{"goban", "changed", "ended", "reconnect"} {
		for _, size := range [][2]int{{160, 48}, {141, 20}, {100, 30}, {80, 24}, {60, 16}, {40, 12}, {40, 10}} {
			v, c := recorded(t, name)
			screen(v, c, size[0], size[1])
			for i := range 120 {
				uitest.Press(v, c, []string{"j", "j", "enter", "j", "right", "tab", "ctrl+d", "j"}[i%8])
				if got := screen(v, c, size[0], size[1]); strings.Count(got, "▌") != 1 {
					t.Fatalf("%s at %v, after %d keys: %d cursors\n%s", name, size, i+1, strings.Count(got, "▌"), got)
				}
			}
		}
	}
}

func TestANewSessionBeginsAnew(t *testing.T) {
	v, c := recorded(t, "goban")
	screen(v, c, 160, 48)
	uitest.Press(v, c, "enter", "tab", "z", "/", "x", "enter")
	_, d := recorded(t, "plain")
	sees(t, screen(v, d, 160, 48), "▌▾ HANDSHAKE", "notes 1.3.0", "STDERR")
}

// While nothing was sent yet there is nothing to tell.
func TestBeforeTheFirstFrameThereIsAPageAllTheSame(t *testing.T) {
	log := timeline.NewLog(uitest.Frames(session()).Cut(0))
	b, err := log.Board(-1)
	if err != nil {
		t.Fatal(err)
	}
	v, c := New(), &view.Context{Log: log, At: -1, Board: b, Newest: b}
	sees(t, screen(v, c, 100, 30), "SERVER")
	for _, k := range []string{"j", "enter", "tab", "y", "/", "n", "G"} {
		v.Key(k, c)
	}
	v.Help(c)
	v.Where(c)
	v.Narrow(c, 40, 7)
}

func TestAnAddressIsNotSaidToBeConnectedBeforeItAnswers(t *testing.T) {
	for kind, want := range map[string]string{"stdio": "s    connected", "ws": "s    connected", "http": "s    ready; each message is an HTTP request of its own"} {
		recording := strings.Replace(string(uitest.Recordings()["failed"]), "\n{", "\n"+`{"seq":1,"t":0.001,"conn":1,"dir":"note","note":"connected"}`+"\n{", 1)
		tape := uitest.Frames([]byte(recording))
		v, c := New(), of(t, tape)
		c.Ended = true
		v.Set(Facts{Kind: kind, Title: "x", File: "x.mcpl.jsonl", Recording: true, CanAct: true})
		if got := screen(v, c, 100, 30); !strings.Contains(got, want) {
			t.Errorf("%s: no %q in\n%s", kind, want, got)
		}
	}
}

package ui

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

func TestAnUnknownCommandIsNeverSilence(t *testing.T) {
	d := live(t, 100, 30).press(":").typed("opne game").press("enter")
	d.sees("no command “opne”. Did you mean open?", ":opne game")
	d.press("esc", ":").typed("xyzzy").press("enter").sees("no command “xyzzy”. tab shows what there is")
	if got := d.act.ran(); len(got) > 0 {
		t.Fatalf("ran %q", got)
	}
}

func TestThePromptCompletes(t *testing.T) {
	d := live(t, 100, 30).press(":").typed("op").sees("tab completes", "help of open")
	d.press("tab").typed("game").press("enter").run() // a completion that is the only one ends with a blank
	if got := strings.Join(d.act.ran(), "|"); got != "open game" {
		t.Fatalf("ran %q", got)
	}
	d.press(":").typed("the").press("tab").typed("light").press("enter")
	if d.m.theme.Name != "light" && d.m.choice != "light" {
		t.Fatalf("the theme is %s", d.m.choice)
	}
	d.press(":", "up").sees(":theme light").press("up").sees(":open game").press("down", "down").misses(":theme light")
}

func TestThePromptIsEdited(t *testing.T) {
	d := live(t, 100, 30).press(":").typed("mark ab").press("left", "backspace").typed("x").press("home").typed("  ")
	d.press("end", "ctrl+w").typed("日本語").press("backspace", "enter").run()
	if got := strings.Join(d.act.ran(), "|"); got != "mark 日本" {
		t.Fatalf("ran %q", got)
	}
}

func TestGotoTakesFramesRevsAndTimes(t *testing.T) {
	for _, c := range []struct{ line, sees string }{
		{"goto 41", "frame 41 of 103"},
		{"goto rev 12", "rev 12 of 41"},
		{"goto rev12", "rev 12 of 41"},
		{"goto rev 1.12", "rev 12 of 41"},
		{"goto 1:00", "1:00.000 of 3:24"},
		{"goto 61.28s", "1:01.280 of 3:24"},
		{"goto 99:00", "frame 103 of 103"},
		{"goto 400", "no frame 400; the last one is 103"},
		{"goto rev 99", "rev 99 was never applied; there are 41"},
		{"goto rev 7.1", "rev 7.1 was never applied"},
		{"goto", "goto takes a frame (41), a rev (rev 12, rev 2.7) or a time (1:23.5)"},
		{"goto the end", "goto takes a frame"},
	} {
		replay(t, 160, 30).press(":").typed(c.line).press("enter").sees(c.sees)
	}
}

func TestResultsAreToldInOneLine(t *testing.T) {
	d := live(t, 100, 30)
	d.act.answer = func(string) Outcome { return Outcome{OK: true, Result: json.RawMessage(`{"a":1}`), Answer: 96} }
	d.press(":").typed("raw ping").press("enter").run().sees(`raw ping: ok, {"a":1}, frame 96`, "[1 Board]")
	d.act.answer = func(string) Outcome { return Outcome{Code: -32602, Message: "no such\ntoolset"} }
	d.press(":").typed("open nope").press("enter").run().sees("open nope: error -32602: no such toolset")
	long := `{"a":"` + strings.Repeat("x", 500) + `"}`
	d.act.answer = func(string) Outcome { return Outcome{OK: true, Result: json.RawMessage(long), Answer: 96} }
	d.press(":").typed("tools").press("enter").run().sees("tools: ok, 508 B, frame 96: 3 shows it", "[1 Board]")
	said := `{"content":[{"type":"text","text":"hello\u001b[31m there"}],"isError":true}`
	d.act.answer = func(string) Outcome { return Outcome{OK: true, Result: json.RawMessage(said), Answer: 96} }
	d.press(":").typed("call echo").press("enter").run().sees("call echo: ! tool error “hello␛[31m there”, frame 96")
}

func TestACallThatWasCancelledIsNotOpen(t *testing.T) {
	d := drive(t, newSource(t, uitest.Goban(), uitest.WireFrames, gobanStatus(true)), 160, 48).sees("1 call open")
	if n := len(d.m.cx.Newest.Waiting()); n != 1 {
		t.Fatalf("%d wait", n)
	}
}

func TestPausingWhatWasPlayingFromTheStartStaysInItsPlace(t *testing.T) {
	playing := func(o *Options) { o.StartPaused = false }
	d := replay(t, 160, 48, playing)
	d.show(103)
	d.now = d.now.Add(50 * time.Second)
	d.m.refresh()
	at := d.m.head.at
	d.press(" ").sees("REPLAY, PAUSED")
	d.m.refresh()
	if d.m.head.at < at || d.m.player.playing {
		t.Fatalf("it played to %d and stands at %d", at, d.m.head.at)
	}
}

func TestRereadAsksForBothLists(t *testing.T) {
	d := live(t, 100, 30).press("R").run()
	if got := strings.Join(d.act.ran(), "|"); got != "tools|toolsets" {
		t.Fatalf("ran %q", got)
	}
}

// keeper is an Actions that can save and change the target.
type keeper struct {
	*actions
	saved, target string
	err           error
}

func (k *keeper) Save(_ context.Context, file string) (int64, error) {
	k.saved = file
	return 12_300, k.err
}

func (k *keeper) Target(_ context.Context, target string) error {
	k.target = target
	return k.err
}

func TestSaveAndTargetAskTheActions(t *testing.T) {
	d := live(t, 100, 30)
	d.press(":").typed("save x.jsonl").press("enter").sees("this session is not recorded, so there is nothing to save")
	d.press("esc", ":").typed("target demo").press("enter").sees("this screen keeps its target")
	k := &keeper{actions: d.act}
	d.m.act = k
	d.press("esc", ":").typed("save x.jsonl").press("enter").run().sees("saved the recording to x.jsonl, 12.3 kB")
	k.err = errors.New("x.jsonl is there already")
	d.press(":").typed("save x.jsonl").press("enter").run().sees("not saved: x.jsonl is there already")
	d.press("t").sees(":target -- node dist/server.js").press("enter").sees("2 instances are open here").press("n").run()
	if k.target != "" {
		t.Fatalf("went to %q without a yes", k.target)
	}
	d.press("t", "enter", "y").run().sees("not connected: x.jsonl is there already")
	if k.target != "-- node dist/server.js" {
		t.Fatalf("target %q", k.target)
	}
}

func TestLanesAreDrawnOverRevsAndOverTime(t *testing.T) {
	d := live(t, 100, 30).press(":").typed("lanes time").press("enter").sees("[2 Lanes]", "over time", "5 s a cell")
	d.press(":").typed("lanes 4").press("enter").sees("4 revs a cell")
	d.press(":").typed("lanes sideways").press("enter").sees("lanes takes revs, time, or a number of revs a cell")
}

func TestALaneLeadsToTheBoardOnItsTool(t *testing.T) {
	live(t, 160, 48).press("2", "j", "[", "enter").sees("[1 Board]", "INSPECT  play @ vs-ada", "◂ PAST, rev 40")
}

func TestDComparesWhatIsSelectedUntilEsc(t *testing.T) {
	d := replay(t, 160, 48).press(":").typed("goto rev 31").press("enter")
	d.press("j", "d").sees("COMPARE play @ vs-ada", "BEFORE", "TRACK OF").press("esc").misses("COMPARE", "TRACK OF")
	d.press("3", "d").sees("[1 Board]", "COMPARE").press("enter").sees("[3 Wire").press("1").sees("COMPARE")
	d.press(":").typed("goto 12").press("enter").press("esc").misses("COMPARE")
}

func TestViewFiveTellsWhatAModelKnewAtThePlayhead(t *testing.T) {
	d := live(t, 100, 30).press("5").sees("[5 Model]", "39, ~2 177 tok", "▌ 41", "enter its frame")
	d.press("i").sees("INSPECT", "rev 41", "~ PLAY @ VS-ADA").press("esc")
	d.press("[").sees("◂ PAST, rev 40", "▌ 40", "· 41", "38, ~2 014 tok", "37 of 40 revs")
	d.press("E").sees("▌ 39    -  ✗ nothing: the entry was ignored", "changes no list; nothing is announced")
	d.press("enter").sees("[3 Wire").press("5", "G").sees("● LIVE", "▌ 41")
	d.press("y").sees("copied what a model is told of rev 41, 652 B")
	d.press("tab", "enter").sees("[1 Board]", "INSPECT  STATIC")
}

func TestTheKeysPageFindsAKey(t *testing.T) {
	d := live(t, 80, 24).press("?", "/").typed("scrub").sees("no key is named so")
	d.press("esc", "/").typed("cancel").sees("ctrl-c", "cancel a call; twice quits").misses("open a toolset")
	d.press("enter", "esc", "esc").misses("━ KEYS")
	live(t, 100, 30).press("?", "/").typed("text as JSON").sees("v", "INSPECT: text as JSON")
	live(t, 40, 12).press("?").sees("KEYS", "HERE", "ACT").press("pgdown").sees("FIND").misses("HERE")
}

func TestAnOutcomeOfAnotherSessionIsNotTold(t *testing.T) {
	d := live(t, 100, 30)
	d.send(outcomeMsg{line: "open game", out: Outcome{OK: true}, generation: 7}).misses("open game: ok")
}

func TestCopyWritesTheClipboardSequence(t *testing.T) {
	var out strings.Builder
	d := live(t, 100, 30)
	d.m.out = &out
	cmd := d.m.copy("some text", "a text, 9 B")
	cmd()
	if want := "\x1b]52;c;c29tZSB0ZXh0\x07"; out.String() != want {
		t.Errorf("wrote %q, want %q", out.String(), want)
	}
	d.sees("copied a text, 9 B")
	out.Reset()
	d.m.opt.Env = func(n string) string { return map[string]string{"TMUX": "/tmp/x"}[n] }
	d.m.copy("some text", "")()
	if want := "\x1b]52;c;c29tZSB0ZXh0\x07\x1bPtmux;\x1b\x1b]52;c;c29tZSB0ZXh0\x07\x1b\\"; out.String() != want {
		t.Errorf("in tmux: %q, want %q", out.String(), want)
	}
	if cmd := d.m.copy(strings.Repeat("x", mostCopy+1), "frame 41"); cmd != nil {
		t.Error("a text beyond every limit was sent")
	}
	d.sees("not copied: frame 41, 1.0 MB; too much for a terminal. :save message FILE")
	d.m.copy("some text", "the command")
	d.sees("copied the command, 9 B")
	d.m.copy(strings.Repeat("x", safeCopy+1), "frame 41")
	d.sees("copied frame 41, 74.0 kB; some terminals take no more than 74.0 kB")
}

func TestSuspendAndResumeDrawAnew(t *testing.T) {
	d := live(t, 100, 30).press("ctrl+z")
	if _, ok := d.last()().(tea.SuspendMsg); !ok {
		if b, ok := d.last()().(tea.BatchMsg); !ok || len(b) == 0 {
			t.Fatal("ctrl-z does not suspend")
		}
	}
	d.m.screen.show("x", d.now)
	d.send(tea.ResumeMsg{})
	d.now = d.now.Add(time.Second)
	if d.m.View() == "x" {
		t.Fatal("after fg the screen is not drawn anew")
	}
}

func TestParseTime(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"1:23.5": 83500 * time.Millisecond, "1:02:03": 3723 * time.Second, "83.5s": 83500 * time.Millisecond, "0:00": 0,
	} {
		if got, err := parseTime(s); err != nil || got != want {
			t.Errorf("%s: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "12", "1:x", "-1:00", "s", "1e99s", ":"} {
		if got, err := parseTime(s); err == nil {
			t.Errorf("%q was taken as %v", s, got)
		}
	}
}

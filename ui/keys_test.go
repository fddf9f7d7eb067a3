package ui

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

func live(t testing.TB, w, h int) *driver {
	return drive(t, newSource(t, uitest.Goban(), uitest.BoardFrames, gobanStatus(true)), w, h)
}

func replay(t testing.TB, w, h int, options ...func(*Options)) *driver {
	return drive(t, newSource(t, uitest.Goban(), 0, gobanStatus(false)), w, h, options...)
}

func TestLettersThatArriveTogetherAreSingleKeys(t *testing.T) {
	runes := func(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }
	for _, c := range []struct {
		name string
		msg  tea.KeyMsg
		want []stroke
	}{
		{"a burst", runes("jjjjj"), []stroke{{key: "j"}, {key: "j"}, {key: "j"}, {key: "j"}, {key: "j"}}},
		{"one letter", runes("é"), []stroke{{key: "é"}}},
		{"esc and a letter", tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q"), Alt: true}, []stroke{{key: "esc"}, {key: "q"}}},
		{"esc twice", tea.KeyMsg{Type: tea.KeyEscape, Alt: true}, []stroke{{key: "esc"}, {key: "esc"}}},
		{"esc and an arrow", tea.KeyMsg{Type: tea.KeyUp, Alt: true}, []stroke{{key: "esc"}, {key: "up"}}},
		{"a paste", tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("qqq\nq"), Paste: true}, []stroke{{paste: "qqq\nq"}}},
		{"space", tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(" ")}, []stroke{{key: " "}}},
	} {
		if got := strokes(c.msg); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestABurstOfKeysCountsEachOfThem(t *testing.T) {
	d := live(t, 160, 48).press("[[[[[")
	d.sees("◂ PAST, rev 36", "5 newer, G is live")
	d.press("]]").sees("◂ PAST, rev 38")
}

func TestEscWithAKeyBehindItIsBoth(t *testing.T) {
	d := live(t, 100, 30).press("?")
	d.sees("━ KEYS ")
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("3"), Alt: true})
	d.misses("━ KEYS ").sees("[3 Wire 96]")
}

func TestEscNeverQuits(t *testing.T) {
	d := live(t, 100, 30)
	for range 5 {
		d.press("esc")
	}
	for _, cmd := range d.cmd {
		if isQuit(cmd) {
			t.Fatal("esc quit")
		}
	}
	d.sees("● LIVE")
}

func TestQAsksWhileConnected(t *testing.T) {
	d := live(t, 100, 30).press("q").sees("! quit?", "any other key stays")
	if isQuit(d.last()) {
		t.Fatal("q quit without asking")
	}
	d.press("n").misses("! quit?").sees("● LIVE")
	d.press("q").sees("enter y q quits").press("q")
	if !isQuit(d.last()) {
		t.Fatal("q a second time did not quit")
	}
	d.press("q", "y")
	if !isQuit(d.last()) {
		t.Fatal("y did not quit")
	}
}

func TestQQuitsARecordingAtOnce(t *testing.T) {
	if d := replay(t, 100, 30).press("q"); !isQuit(d.last()) {
		t.Fatal("q did not quit")
	}
}

func TestCtrlCTwiceQuitsWhereNoCallIsOpen(t *testing.T) {
	d := live(t, 100, 30).press("ctrl+c").sees("ctrl-c once more quits")
	if isQuit(d.last()) {
		t.Fatal("the first ctrl-c quit")
	}
	d.wait(3 * time.Second).press("ctrl+c")
	if isQuit(d.last()) {
		t.Fatal("two that lie far apart quit")
	}
	d.press("ctrl+c")
	if !isQuit(d.last()) {
		t.Fatal("two in a row did not quit")
	}
}

func TestCtrlCCancelsTheNewestOpenCall(t *testing.T) {
	s := gobanStatus(true)
	s.Now = uitest.WireAt
	d := drive(t, newSource(t, uitest.Goban(), uitest.WireFrames, s), 160, 48)
	d.sees("⋯ 1 call open", "⋯ 1 CALL OPEN ── #29 score @ vs-bot, 3.4 s of 30 s")
	d.press("ctrl+c").run()
	if got := d.act.ran(); !reflect.DeepEqual(got, []string{"cancel last"}) {
		t.Fatalf("ran %q", got)
	}
}

func TestAPasteIsNeverKeys(t *testing.T) {
	d := live(t, 100, 30)
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("qy"), Paste: true})
	d.sees("● LIVE", "nothing here takes pasted text")
	if isQuit(d.last()) {
		t.Fatal("a paste quit")
	}
}

func TestTheMouseClicksViewsAndScrubber(t *testing.T) {
	d := replay(t, 100, 30)
	x := strings.Index(d.row(1), "3 Wire")
	d.click(x+2, 1).sees("[3 Wire")
	d.click(50, 28)
	from := d.m.head.at
	if from < 10 || from > 90 {
		t.Fatalf("a click in the middle of the time line went to frame %d of %d", from, d.m.pull.n)
	}
	d.click(90, 28)
	if d.m.head.at <= from {
		t.Fatalf("a click further right went back from %d to %d", from, d.m.head.at)
	}
}

func TestTheMouseClicksTheKeysOfTheLastRows(t *testing.T) {
	d := live(t, 100, 30)
	d.click(len([]rune(d.row(-2)))-8, 28).sees("OPEN chat")
	d.press("esc").misses("OPEN chat").click(3, 29).sees("OPEN chat") // enter open…
	d.press("esc").misses("OPEN chat").click(98, 29).sees("! quit?")
}

func (d *driver) click(x, y int) *driver {
	return d.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
}

// last is the command of the last key.
func (d *driver) last() tea.Cmd { return d.cmd[len(d.cmd)-1] }

// isQuit reports whether a command, or one of a batch of them, quits.
func isQuit(cmd tea.Cmd) bool {
	if cmd == nil {
		return false
	}
	switch msg := cmd().(type) {
	case tea.QuitMsg:
		return true
	case tea.BatchMsg:
		return slices.ContainsFunc(msg, isQuit)
	}
	return false
}

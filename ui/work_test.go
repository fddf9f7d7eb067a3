package ui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

// long is a screen over a long session, of which what is done beside it is
// done when the test says so.
type long struct {
	t      *testing.T
	m      *Model
	beside []tea.Cmd
}

func longScreen(t *testing.T, frames int) *long {
	t.Helper()
	src := endlessSource{log: timelinetest.Log(t, endless(frames)), changed: make(chan struct{})}
	now := time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC)
	m := New(src, nil, Options{Theme: ThemeNone, Unicode: true, StartPaused: true, Now: func() time.Time { return now }, Env: func(string) string { return "" }})
	m.still = true
	t.Cleanup(m.Close)
	l := &long{t: t, m: m}
	l.send(tea.WindowSizeMsg{Width: 160, Height: 40})
	return l
}

func (l *long) send(msg tea.Msg) {
	_, cmd := l.m.Update(msg)
	l.beside = append(l.beside, cmd)
}

func (l *long) press(keys ...string) {
	for _, k := range keys {
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
		if kt, named := keyTypes[k]; named {
			msg = tea.KeyMsg{Type: kt}
		}
		l.send(msg)
	}
}

// finish does what is to be done beside the screen, and returns how many
// pieces of a view's work that was.
func (l *long) finish() (pieces int) {
	for len(l.beside) > 0 {
		cmd := l.beside[0]
		l.beside = l.beside[1:]
		if cmd == nil {
			continue
		}
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			l.beside = append(l.beside, msg...)
		case workedMsg:
			pieces++
			l.send(msg)
		default:
			l.send(msg)
		}
	}
	return pieces
}

func (l *long) sees(texts ...string) {
	l.t.Helper()
	screen := l.m.Draw().Plain()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			l.t.Fatalf("%q is not on the screen:\n%s", text, screen)
		}
	}
}

func TestAFilterThatTakesLongShowsHowFarItIsAndTakesKeysMeanwhile(t *testing.T) {
	l := longScreen(t, 20_000)
	l.press("3", "/", "z", "z", "q", "enter")
	l.sees("0 of 20005 match", "% looked at", "so far")
	l.press("n")
	l.sees("looking for it; another key gives it up", "% looked at")
	l.press("1")
	l.sees("[1 Board]")
	l.press("3")
	l.sees("% looked at")
	if l.finish() == 0 {
		t.Error("nothing was looked at beside the screen")
	}
	l.sees("0 of 20005 match zzq. Words with a colon")
}

func TestEscEndsAFilterThatTakesLong(t *testing.T) {
	l := longScreen(t, 20_000)
	l.press("3", "/", "z", "z", "q", "enter", "esc")
	l.sees("all 20005")
	if n := l.finish(); n > 4 { // those that were under way, one for each letter
		t.Errorf("%d pieces of work were done for nobody", n)
	}
	l.sees("all 20005")
}

func TestAMatchFarAwayIsGoneToWhenItIsFound(t *testing.T) {
	l := longScreen(t, 20_000)
	l.press("3", "/")
	for _, r := range "19998" {
		l.press(string(r))
	}
	l.press("enter", "n")
	l.sees("looking for it")
	l.finish()
	l.sees("Wire 20002/20005")
}

func TestRevsAreFilteredBesideTheScreen(t *testing.T) {
	l := longScreen(t, 20_000)
	l.press("1", "shift+tab", "/")
	l.sees("━ REVS  /")
	for _, r := range "instance:none" {
		l.press(string(r))
	}
	l.sees("0/20001, ", "0 of 20001 match instance:none so far")
	if l.finish() == 0 {
		t.Error("nothing was looked at beside the screen")
	}
	l.sees("0 of 20001 match instance:none. Instances", "here: a, b. esc clears.")
}

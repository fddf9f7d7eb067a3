package ui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// lagging is a screen over a flood, of which the log takes what the test lets
// it take.
type lagging struct {
	t   *testing.T
	src *flooded
	m   *Model
	now time.Time
}

func newLagging(t *testing.T, w, h int) *lagging {
	t.Helper()
	frames := newFlood(t)
	l := &lagging{t: t, now: time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC)}
	l.src = &flooded{frames: frames, log: uitest.Log(t, frames), changed: make(chan struct{}, 1)}
	l.m = New(l.src, &actions{}, Options{Theme: ThemeNone, Unicode: true, Now: func() time.Time { return l.now }})
	l.m.still = true
	t.Cleanup(l.m.Close)
	l.m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return l
}

// reduce lets the log take n frames.
func (l *lagging) reduce(n int) {
	l.t.Helper()
	if _, err := l.src.log.Advance(n); err != nil {
		l.t.Fatal(err)
	}
}

// after lets time pass and the screen look at the session again.
func (l *lagging) after(d time.Duration) {
	l.now = l.now.Add(d)
	l.m.refresh()
}

func (l *lagging) row(n int) string {
	return strings.Split(l.m.Draw().Plain(), "\n")[n-1]
}

func TestAFloodThatIsAheadOfTheScreenIsSaidInRow1(t *testing.T) {
	for _, c := range []struct {
		w             int
		present, past string
	}{
		{160, "! 12 300 frames behind", "! live is 12 300 behind"},
		{100, "! 12 300 behind", "! live is 12 300 behind"},
		{80, "! 12 300 behind", "! live is 12 300 behind"},
		{40, "! 12 300 behind", "! 12 300 behind"},
	} {
		l := newLagging(t, c.w, 24)
		l.src.frames.n.Add(12_345)
		l.after(0)
		if row := l.row(1); strings.Contains(row, "behind") {
			t.Errorf("%d: said at once: %s", c.w, row)
		}
		l.after(lagTime)
		if row := l.row(1); !strings.Contains(row, "● LIVE") || !strings.Contains(row, c.present) {
			t.Errorf("%d: %s", c.w, row)
		}
		l.m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("[")})
		if row := l.row(1); !strings.Contains(row, "◂ PAST") || !strings.Contains(row, c.past) {
			t.Errorf("%d: %s", c.w, row)
		}
	}
}

func TestInAFloodRow1SaysThatItIsRecorded(t *testing.T) {
	for _, w := range []int{160, 140, 120, 100, 80} {
		l := newLagging(t, w, 24)
		l.src.frames.n.Add(712_345)
		l.after(0)
		l.after(lagTime)
		if row := l.row(1); !strings.Contains(row, "● REC 1:03:12") || !strings.Contains(row, "behind") {
			t.Errorf("%d: %s", w, row)
		}
	}
}

func TestWhatIsSaidOfAFloodChangesSeldomAndEndsWithIt(t *testing.T) {
	l := newLagging(t, 100, 24)
	l.src.frames.n.Add(20_000)
	l.after(0)
	l.after(lagTime)
	l.reduce(8000)
	l.after(lagTime / 2)
	if row := l.row(1); !strings.Contains(row, "! 20 000 behind") {
		t.Errorf("changed too soon: %s", row)
	}
	l.after(lagTime / 2)
	if row := l.row(1); !strings.Contains(row, "! 12 000 behind") {
		t.Errorf("did not change: %s", row)
	}
	l.reduce(8000) // fewer than it begins with
	l.after(lagTime)
	if row := l.row(1); !strings.Contains(row, "! 4 000 behind") {
		t.Errorf("went away before it was over: %s", row)
	}
	l.reduce(20_000)
	if l.m.pace() > lagTime {
		t.Errorf("nobody looks for another %v", l.m.pace())
	}
	l.after(lagTime)
	if row := l.row(1); strings.Contains(row, "behind") {
		t.Errorf("stays: %s", row)
	}
}

func TestABurstThatNobodyNoticesIsNotSaid(t *testing.T) {
	l := newLagging(t, 100, 24)
	l.src.frames.n.Add(12_000)
	l.after(0)
	l.reduce(12_000)
	l.after(lagTime / 5)
	l.src.frames.n.Add(12_000)
	l.after(lagTime)
	if row := l.row(1); strings.Contains(row, "behind") {
		t.Errorf("two bursts are no flood: %s", row)
	}
}

// What is reduced between a look at the session and the drawing is not drawn.
func TestADrawingShowsOneMoment(t *testing.T) {
	l := newLagging(t, 160, 48)
	l.src.frames.n.Add(10)
	l.reduce(10)
	l.after(0)
	l.src.frames.n.Add(500)
	l.reduce(500)
	for n, want := range map[int]string{1: "rev 51   frame 106", 2: "3 Wire 106 ", 3: "LAST    rev 51, "} {
		if row := l.row(n); !strings.Contains(row, want) {
			t.Errorf("row %d is not of that moment: %s", n, row)
		}
	}
	if screen := l.m.Draw().Plain(); !strings.Contains(screen, " 51 ─") || strings.Contains(screen, "  52 3:10") {
		t.Errorf("the revs are not of that moment:\n%s", screen)
	}
}

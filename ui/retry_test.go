package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

func lost(t testing.TB, w, h int) *driver {
	s := gobanStatus(true)
	s.Now, s.Kind, s.Command = uitest.LostAt, "http", nil
	return drive(t, newSource(t, uitest.Lost(), 0, s), w, h)
}

func TestTheNextTryIsCountedDown(t *testing.T) {
	d := lost(t, 100, 30)
	d.golden("lost-100x30")
	for seconds, want := range map[time.Duration]string{0: "next try in 3 s", 1200: "next try in 2 s", 2900: "next try in 1 s", 3000: "trying again"} {
		d.src.set(func(s *Status) { s.Now = uitest.LostAt + seconds*time.Millisecond })
		d.m.ticked()
		if row := d.row(0); !strings.Contains(row, "○ ENDED") || !strings.Contains(row, want) {
			t.Errorf("after %d ms row 1 says %q", seconds, row)
		}
		if inbox := d.row(-2); !strings.Contains(inbox, "◌ RECONNECTING") || !strings.Contains(inbox, want) {
			t.Errorf("after %d ms the row above the help says %q", seconds, inbox)
		}
	}
	for _, size := range [][2]int{{160, 48}, {80, 24}, {40, 12}} {
		d := lost(t, size[0], size[1])
		if !strings.Contains(d.row(0)+d.row(-2), "next try in 3 s") || !strings.Contains(d.row(-2), "ctrl-c") {
			t.Errorf("%v: %q, %q", size, d.row(0), d.row(-2))
		}
	}
}

func TestTheWaitingIsHastenedAndStopped(t *testing.T) {
	d := lost(t, 100, 30)
	d.press("a")
	if row := d.row(-2); !strings.Contains(row, "lost, next try in 3 s; r tries at once") {
		t.Errorf("a call while the link is lost: %q", row)
	}
	d.press("ctrl+c").run()
	d.press("r").run()
	if got := strings.Join(d.act.ran(), "; "); got != "reconnect stop; reconnect" {
		t.Errorf("ran %s", got)
	}
}

// What was selected, and a form that is open with what was typed into it,
// outlive the break.
func TestSelectionAndFormsOutliveAReconnect(t *testing.T) {
	tape := uitest.Frames(uitest.Reconnect())
	closed := 0
	for i := range tape.Len() {
		if f, err := tape.Frame(i); err == nil && f.Name == "closed" {
			closed = i
		}
	}
	onScore := func(t *testing.T) *driver {
		s := gobanStatus(true)
		s.Now, s.Kind = uitest.LostAt, "http"
		d := drive(t, newSource(t, uitest.Reconnect(), closed, s), 100, 30)
		for range 30 {
			if strings.Contains(d.where(viewBoard), "score @ vs-ada") {
				return d
			}
			d.press("k")
		}
		t.Fatalf("the cursor stands on %s", d.where(viewBoard))
		return nil
	}
	for _, view := range []int{viewBoard, viewLanes} {
		d := onScore(t).press(itoa(view))
		d.screen()
		before := d.where(view)
		for n := closed + 1; n <= tape.Len(); n++ {
			d.src.Show(n)
			d.changed().screen()
		}
		if got := d.where(view); got != before {
			t.Errorf("the cursor stood on %s and stands on %s", before, got)
		}
	}
	d := onScore(t).press("c")
	form := d.m.over
	for n := closed + 1; n <= tape.Len(); n++ {
		d.src.Show(n)
		if d.changed().screen(); d.m.over != form {
			t.Fatal("the form is gone")
		}
	}
}

// where names the place of the cursor of a view.
func (d *driver) where(view int) string { return d.m.views[view].Where(&d.m.cx) }

// A try that found nobody leaves an empty board: what the connection before had
// is one key away, and nothing is said to have been lost or not to have started
// that never was.
func TestATryThatFoundNobodyLeadsBackToWhatWasThere(t *testing.T) {
	s := gobanStatus(true)
	s.Now, s.Kind, s.Command = 33*time.Second, "http", nil
	tries := `{"seq":900,"t":31,"conn":2,"dir":"note","note":"connect"}
{"seq":901,"t":31.1,"conn":2,"dir":"note","note":"closed","data":{"by":"link","reason":"nothing answers at localhost:8420"}}
`
	d := drive(t, newSource(t, append(uitest.Lost(), tries...), 0, s), 100, 30)
	if row := d.row(0); !strings.Contains(row, "○ NOT CONNECTED") || strings.Contains(row, "lost") || strings.Contains(row, "started") {
		t.Errorf("row 1: %q", row)
	}
	d.press("1").sees("this connection listed no tools. [").press("[").sees("vs-ada").misses("The board is empty")
}

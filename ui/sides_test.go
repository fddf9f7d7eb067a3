package ui

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// beside is the session of two connections, of which the given one is active.
func beside(t testing.TB, active, w, h int) *driver {
	s := gobanStatus(true)
	s.Now, s.Kind, s.Command, s.Active = uitest.BesideAt, "http", nil, active
	return drive(t, newSource(t, uitest.Beside(), 0, s), w, h)
}

func besideReplayed(t testing.TB, w, h int) *driver {
	s := gobanStatus(false)
	s.Kind, s.Command, s.File = "http", nil, "goban-1129-1130.mcpl.jsonl"
	return drive(t, newSource(t, uitest.Beside(), 0, s), w, h)
}

func TestTwoConnectionsStandOneAboveTheOther(t *testing.T) {
	for _, size := range [][2]int{{160, 48}, {100, 30}, {80, 24}, {40, 12}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		beside(t, 2, size[0], size[1]).golden("beside-" + name)
		besideReplayed(t, size[0], size[1]).press(":").typed("goto rev 2.2").press("enter").golden("beside-replay-" + name)
	}
	beside(t, 1, 100, 30).press("3").golden("beside-wire-100x30")
}

// Whatever else there is to say.
func TestWithTwoConnectionsRow1SaysThatItIsRecorded(t *testing.T) {
	named := bytes.ReplaceAll(uitest.Beside(), []byte(`"serverInfo":{"name":"goban"`), []byte(`"serverInfo":{"name":"a-go-server-with-quite-a-name"`))
	s := gobanStatus(true)
	s.Now, s.Kind, s.Command, s.Active = uitest.BesideAt, "http", nil, 2
	d := drive(t, newSource(t, named, 0, s), 100, 30)
	d.sees("a-go-server-with-quite-a-name")
	for _, keys := range [][]string{nil, {"["}, {"G"}} {
		d.press(keys...)
		for w := 40; w <= 170; w++ {
			if row := d.size(w, 30).row(0); !strings.Contains(row, "● REC 0:21") || !strings.Contains(row, "a-go-se") && w > 48 {
				t.Errorf("%d columns, %v: %q", w, keys, row)
			}
		}
	}
}

func TestOneKeyGoesToTheOtherConnection(t *testing.T) {
	d := beside(t, 2, 100, 30)
	d.sees("connection 2 beside 1, rev 2.4", "REVS  connection 1", "REVS  connection 2")
	d.press("s").run()
	if got := strings.Join(d.act.ran(), "; "); got != "on 1" {
		t.Errorf("ran %s", got)
	}
	d.src.set(func(s *Status) { s.Active = 1 })
	d.changed().sees("connection 1 beside 2, rev 1.5")

	d = besideReplayed(t, 100, 30)
	d.press("G").sees("rev 1.5 of 5")
	d.press("s").sees("rev 2.4 of 4", "connection 2 is shown")
	if len(d.act.ran()) > 0 {
		t.Errorf("a recording ran %v", d.act.ran())
	}
	d.press(":").typed("on 1").press("enter").sees("rev 1.5 of 5")
	d.press(":").typed("on 9").press("enter").sees("on takes the number of a connection")
}

func TestThePlayheadIsOneForBothConnections(t *testing.T) {
	d := besideReplayed(t, 100, 30).press(":").typed("goto rev 2.2").press("enter")
	b, o := d.m.cx.Board, d.m.cx.Other.Board
	if b.Conn != 2 || len(b.Toolsets[0].Instances) != 2 || o.Conn != 1 || len(o.Toolsets[0].Instances) != 1 {
		t.Fatalf("vs-bot is opened on 2: %d has %v, %d has %v", b.Conn, b.Toolsets[0].Instances, o.Conn, o.Toolsets[0].Instances)
	}
	d.press("s", "]") // where it arrives on the other
	if b := d.m.cx.Board; b.Conn != 1 || b.LastRev != 3 || len(b.Toolsets[0].Instances) != 2 {
		t.Errorf("rev %d of %d has %v", b.LastRev, b.Conn, b.Toolsets[0].Instances)
	}
	d.press("[", "[", "[")
	if b, o := d.m.cx.Board, d.m.cx.Other.Board; b.LastRev != 1 || o.Conn != 0 {
		t.Errorf("at the first rev: %d, and the other connection is %d", b.LastRev, o.Conn)
	}
	d.press("s").sees("REVS  connection 2") // which has not begun there
}

// What the user closed on one connection did not end by itself on the other.
func TestWhatIsClosedOnOneConnectionDidNotEndByItselfOnTheOther(t *testing.T) {
	beside(t, 1, 160, 48).sees("ENDED    by itself: none so far")
}

func TestWhatWaitsOnTheOtherConnectionIsInSight(t *testing.T) {
	d := beside(t, 1, 100, 30)
	d.m.sides.other.Newest.Asks = []timeline.Call{{Method: "elicitation/create", T: uitest.BesideAt - time.Second}}
	if row := d.row(-2); !strings.Contains(row, "connection 2: ? 1 waits") || !strings.Contains(row, "s  show it") {
		t.Errorf("a question there: %q", row)
	}
	d.m.sides.other.Newest.Asks = nil
	d.m.sides.other.Newest.Link.Phase = timeline.Closed
	d.m.sides.other.Newest.Link.Retry = &timeline.Retry{T: uitest.BesideAt, In: 4 * time.Second}
	if row := d.row(-2); !strings.Contains(row, "connection 2: next try in 4 s") {
		t.Errorf("a lost link there: %q", row)
	}
}

func TestWithOneConnectionThereIsNoOther(t *testing.T) {
	d := live(t, 100, 30).press("s")
	d.sees("there is one connection; :connect again opens a second one beside it")
	if d.m.cx.Sides != 1 || d.m.cx.Other != nil {
		t.Errorf("%d sides", d.m.cx.Sides)
	}
}

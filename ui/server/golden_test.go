package server

import (
	"fmt"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// screen draws the body of a screen of w × h: row 3 is there from 12 rows.
func screen(v *View, c *view.Context, w, h int) string {
	rows := h - 5
	if h < 12 {
		rows = h - 4
	}
	return uitest.Screen(v, c, w, rows)
}

var sizes = [][2]int{{160, 48}, {100, 30}, {80, 24}, {40, 12}}

// gobanFacts are what is true of the goban session beside its frames.
func gobanFacts(live bool) Facts {
	f := Facts{
		Kind: "stdio", Title: "stdio: node dist/server.js", Command: []string{"node", "dist/server.js"}, Dir: "/home/dev/goban",
		EnvSet: uitest.EnvSet(), File: "goban-1129-1000.mcpl.jsonl", Recording: live, CanAct: live,
	}
	return f
}

// The recordings at the sizes of the screens, each as it is after all of its
// frames. Of a connection that is over the choice of what to do comes first.
func TestTheServerIsDrawnAtEverySize(t *testing.T) {
	for _, name := range []string{"goban", "reconnect", "ended", "failed", "nohints", "plain", "changed"} {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				v, c := recorded(t, name)
				uitest.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), screen(v, c, size[0], size[1]))
			})
		}
	}
}

// What has to be scrolled to or unfolded: the grant and its receipts, the
// changes of a manifest, stderr on a narrow screen.
func TestWhatLiesDeeperIsDrawnToo(t *testing.T) {
	for _, g := range []struct {
		name string
		w, h int
		keys []string
	}{
		{"grant-160x48", 160, 48, []string{"tab", "/", "G", "R", "A", "N", "T", "enter", "G", "k", "k", "k", "k", "k", "k", "k", "k"}},
		{"changes-100x30", 100, 30, []string{"left", "/", "C", "H", "A", "N", "G", "E", "S", "enter", "right", "esc", "ctrl+d"}},
		{"receipts-80x24", 80, 24, []string{"z", "/", "R", "E", "C", "E", "I", "P", "T", "S", "enter", "enter", "esc", "ctrl+d"}},
		{"host-40x12", 40, 12, []string{"G", "k", "enter", "j", "j", "j", "j"}},
		{"stderr-40x12", 40, 12, []string{"tab", "k", "/", "e", "r", "r", "o", "r", "enter"}},
	} {
		t.Run(g.name, func(t *testing.T) {
			v, c := recorded(t, "changed")
			for _, k := range g.keys {
				screen(v, c, g.w, g.h)
				uitest.Press(v, c, k)
			}
			uitest.Golden(t, g.name, screen(v, c, g.w, g.h))
		})
	}
}

// recorded is a view over a recording, live at its end; goban as it is on the
// drawn screens, while it goes on.
func recorded(t testing.TB, name string) (*View, *view.Context) {
	t.Helper()
	recording := uitest.Recordings()[name]
	if name == "changed" {
		recording = changedSession()
	}
	tape := uitest.Frames(recording)
	v := New()
	if name == "goban" {
		tape = tape.Cut(uitest.BoardFrames)
	}
	switch name {
	case "goban", "ended", "failed", "nohints":
		v.Set(gobanFacts(true))
	case "reconnect":
		v.Set(Facts{Kind: "http", Title: "http://localhost:8420/mcp", File: "x.mcpl.jsonl", Recording: true, CanAct: true})
	default:
		v.Set(Facts{Kind: "stdio", File: "x.mcpl.jsonl"})
	}
	c := of(t, tape)
	c.Ended = c.Board.Link.Phase == timeline.Closed
	return v, c
}

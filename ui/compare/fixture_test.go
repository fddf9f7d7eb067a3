package compare

import (
	"sort"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/board"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// contextAt is the moment of a replay at which the playhead stands at frame
// position at of a log (-1: the last), with the log's last mark.
func contextAt(t testing.TB, log *timeline.Log, at int) *view.Context {
	t.Helper()
	if at < 0 {
		at = log.Len() - 1
	}
	c := uitest.MomentOf(t, log, at, log.Entry(max(at, 0)).T)
	c.Replay, c.Follow = true, false
	for _, m := range log.Marks() {
		c.Mark = m.Index
	}
	return c
}

// rev31 is the moment of screen (e): the whole recording, at rev 31.
func rev31(t testing.TB) *view.Context {
	t.Helper()
	return gobanAt(t, 74)
}

func gobanAt(t testing.TB, at int) *view.Context {
	t.Helper()
	return contextAt(t, uitest.NewSource(t, uitest.Frames(uitest.Goban())).Log(), at)
}

// beside is a comparison with the board's REVS, and the findings of the rows.
func beside(c *view.Context, target Target) *View {
	v := New(target)
	v.Revs = board.New()
	v.Findings = func(c *view.Context) (here []string, before, after int) {
		rows, err := c.Log.Rows(0, c.Log.RowCount())
		if err != nil {
			return nil, -1, -1
		}
		var at []int
		for i := range rows {
			if inspector.RowFlag(&rows[i]) != "✗" {
				continue
			}
			at = append(at, rows[i].Index)
			for _, d := range rows[i].Dropped {
				if rows[i].Index == c.At {
					here = append(here, d.Rule+": "+d.Tool)
				}
			}
		}
		before, after = -1, -1
		if k := sort.SearchInts(at, c.At+1); k < len(at) {
			after = at[k]
		}
		if k := sort.SearchInts(at, c.At) - 1; k >= 0 {
			before = at[k]
		}
		return here, before, after
	}
	return v
}

var playAda = Target{Toolset: "game", Instance: "vs-ada", Tool: "play"}

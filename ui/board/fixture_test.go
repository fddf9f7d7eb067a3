package board

import (
	"fmt"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// fakeLog is a log made by hand. It counts the rows that it is asked for.
type fakeLog struct {
	rows    []timeline.Row
	entries []timeline.Entry
	asked   int
}

func (f *fakeLog) Rows(from, to int) ([]timeline.Row, error) {
	from, to = max(from, 0), min(to, len(f.rows))
	f.asked += max(to-from, 0)
	return append([]timeline.Row(nil), f.rows[from:max(to, from)]...), nil
}

func (f *fakeLog) Entry(i int) timeline.Entry {
	if i < len(f.entries) {
		return f.entries[i]
	}
	return timeline.Entry{Seq: int64(i) + 1, T: time.Duration(i) * time.Second, Row: -1, Pair: -1}
}

// hand returns a board view and a moment made of hand-made state: the
// playhead stands at row cur (-1: before the first), the log has frames
// frames.
func hand(state *timeline.Board, rows []timeline.Row, cur, frames int) (*Board, *view.Context) {
	b := New()
	b.Explain, b.Inspect = nil, nil
	b.src = &fakeLog{rows: rows}
	c := &view.Context{
		Len: frames, At: frames - 1, Follow: true, Board: state, Newest: state, Rows: len(rows),
		Now: time.Duration(frames) * time.Second, Limit: 30 * time.Second, Mark: -1, Focus: true,
	}
	if cur >= 0 && cur < len(rows) {
		c.Row = &rows[cur]
		if cur < len(rows)-1 {
			c.At, c.Follow = rows[cur].Index, false
		}
	}
	return b, c
}

// revRows makes n rows of revs 1 to n, in frames 2, 4, 6, …
func revRows(n int) []timeline.Row {
	rows := make([]timeline.Row, n)
	for i := range rows {
		rows[i] = timeline.Row{
			N: i, Index: 2*i + 2, Seq: int64(2*i + 3), Rev: int64(i + 1), Conn: 1, Taken: 2*i + 2,
			T: time.Duration(i) * time.Second, Carrier: timeline.CarrierPush, Status: timeline.Applied,
			Text: fmt.Sprintf("push %d", i+1), Counts: timeline.Counts{Shown: 1},
		}
	}
	return rows
}

func tools(n, cells int, visible bool, prefix string) []timeline.Tool {
	out := make([]timeline.Tool, n)
	for i := range out {
		name := fmt.Sprintf("%s%d", prefix, i)
		out[i] = timeline.Tool{Name: name, Declared: []byte(`{"name":"` + name + `","title":"Title of ` + name + `"}`)}
		for range cells {
			out[i].Cells = append(out[i].Cells, timeline.Cell{Visible: visible, FlagBy: timeline.By{Index: -1}})
		}
	}
	return out
}

// games is a board with one toolset with n instances, a closed toolset
// without, and an undeclared group.
func games(n int) *timeline.Board {
	game := timeline.Toolset{
		Name: "game", Title: "Games", Declared: true, HasInstances: true, Open: n > 0,
		ClosedBy: timeline.By{Index: -1}, Tools: tools(3, n, true, "move"),
	}
	for i := range n {
		game.Instances = append(game.Instances, timeline.Instance{
			Name: fmt.Sprintf("g%d", i), Title: fmt.Sprintf("Game %d", i), OpenedBy: timeline.By{Rev: int64(i + 1), Index: i + 1},
		})
	}
	return &timeline.Board{
		Index: 9, Seq: 10, Conn: 1, ToolHints: true, HostHints: true, ServerHints: true, MCPL: "0.5", ListAt: 5, ManifestAt: 2,
		Link:   timeline.Link{Phase: timeline.Live},
		Static: tools(2, 1, true, "static"),
		Toolsets: []timeline.Toolset{
			game,
			{Name: "chat", Title: "Talk", Declared: true, ClosedBy: timeline.By{Index: -1}, Tools: tools(2, 1, false, "say")},
			{Name: "debug", ClosedBy: timeline.By{Index: -1}, Tools: tools(1, 1, false, "dump")},
		},
		LastRev: 4,
	}
}

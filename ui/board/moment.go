package board

import (
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/revs"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// moment is what one drawing, or one key, works with: the context, and what
// is derived from it once.
type moment struct {
	c    *view.Context
	b    *timeline.Board // never nil
	src  revs.Source     // nil: no log
	cur  int             // the row at the playhead, -1: none
	mark int             // the row that REVS marks: cur, or the last before it that the filter leaves; -1: none
	acts bool            // something can be sent: neither a file nor a closed connection

	ends    []timeline.Ended             // what ended by itself, oldest first
	signs   map[label.CellKey]label.Sign // what the row at the playhead did
	flagged map[string]bool              // tools of which a finding speaks, where flagTool is nil
	rows    []row                        // of TOOLS
	doc     inspector.Doc                // of the selection, where INSPECT is in sight

	cache    *revs.Cache
	flagTool func(c *view.Context, toolset, tool string) bool
	flagCell func(c *view.Context, toolset, instance, tool string) bool
}

func (b *Board) moment(c *view.Context) *moment {
	m := &moment{c: c, b: c.Board, cur: -1, acts: !c.Replay && !c.Ended, cache: &b.cache, flagTool: b.FlagTool, flagCell: b.FlagCell}
	if m.b == nil {
		m.b = &timeline.Board{Index: -1, ListAt: -1}
	}
	m.ends = m.elsewhere(m.b.Ends())
	switch {
	case b.src != nil:
		m.src = b.src
	case c.Log != nil:
		m.src = c.Log
	}
	if c.Row != nil {
		m.cur = c.Row.N
		m.signs = label.Signs(c)
	}
	m.flagged = b.flaggedTools(m)
	m.mark = m.cur
	if b.found != nil {
		if !b.found.Of(m.src, m.c.Rows) { // another session
			b.found.Drop()
			b.found, b.find = nil, filter.Line{}
		} else {
			m.mark = b.found.Mark(m.cur)
		}
	}
	return m
}

// lookBack is how many rows before the playhead are asked for tools of which
// a finding speaks.
const lookBack = 64

// flaggedTools returns the names of the tools that carry ✗: those named by
// entries which a message at, or shortly before, the playhead stated in vain.
func (b *Board) flaggedTools(m *moment) map[string]bool {
	if b.FlagTool != nil || m.cur < 0 {
		return nil
	}
	var out map[string]bool
	for n := max(m.cur-lookBack+1, 0); n <= m.cur; n++ { // forwards, as the log reads them best
		row := m.row(n)
		if row == nil || row.Conn != m.b.Conn || row.Status == timeline.Ignored {
			continue
		}
		for _, d := range row.Dropped {
			if d.Tool == "" {
				continue
			}
			if out == nil {
				out = map[string]bool{}
			}
			out[d.Tool] = true
		}
	}
	return out
}

// flag is the last sign of a row in REVS: "✗", "?" or "".
func (b *Board) flag(m *moment, row *timeline.Row) string {
	switch {
	case b.Flag == nil:
		return inspector.RowFlag(row)
	case b.Flag(m.c, row):
		return "✗"
	case row.Counts.Suggested > 0:
		return "?"
	}
	return ""
}

// row returns row n of the log, or nil where there is none.
func (m *moment) row(n int) *timeline.Row {
	return m.cache.Row(m.src, m.c.Newest, n, m.c.Rows)
}

// entry returns the index entry of the frame at position i; its Seq is 0
// where there is no such frame.
func (m *moment) entry(i int) timeline.Entry {
	if m.src == nil || i < 0 || i >= m.c.Len {
		return timeline.Entry{Row: -1, Pair: -1}
	}
	return m.src.Entry(i)
}

// toolset returns the toolset of that name, or nil.
func (m *moment) toolset(name string) *timeline.Toolset { return label.Toolset(m.b, name) }

// pending returns the first suggestion that waits for an answer about a
// toolset, or nil.
func (m *moment) pending(toolset, action string) *timeline.Suggestion {
	return label.Pending(m.b, toolset, action)
}

// revCount is how many revs there are, or, in the past, "31 of 41".
func (m *moment) revCount(of string) string {
	n := m.c.Rows
	if n > 0 && m.cur >= 0 && m.cur < n-1 {
		return fmt.Sprintf("%d%s%d", m.cur+1, of, n)
	}
	return fmt.Sprint(n)
}

// usable is how many of all tools are usable, "" before the first list.
func (m *moment) usable(of string) string {
	if m.b.ListAt < 0 {
		return ""
	}
	n, all := usableOf(m.b.Static)
	d, dall := m.dynamicCount()
	return fmt.Sprintf("%d%s%d", n+d, of, all+dall)
}

func (m *moment) dynamicCount() (n, all int) { return label.Dynamic(m.b) }

func usableOf(tools []timeline.Tool) (n, all int) { return label.Usable(tools) }

func cellOf(ts *timeline.Toolset, t *timeline.Tool, instance string) *timeline.Cell {
	return label.CellOf(ts, t, instance)
}

func instanceIndex(ts *timeline.Toolset, name string) int { return label.Instance(ts, name) }

func revName(conn int, rev int64) string { return label.Rev(conn, rev) }

// by names the message that brought something about: "rev 2", "frame 16"
// where it carried no rev, "" where nothing did.
func (m *moment) by(by timeline.By) string {
	switch {
	case by.Rev > 0:
		return "rev " + revName(m.b.Conn, by.Rev)
	case by.Index >= 0:
		if seq := m.entry(by.Index).Seq; seq > 0 {
			return fmt.Sprintf("frame %d", seq)
		}
	}
	return ""
}

func arrows(above, below int) string { return label.Arrows(above, below) }

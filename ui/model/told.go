package model

import (
	"fmt"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/revs"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// toldScroll is the scroll of the announcements. Their cursor is the playhead.
type toldScroll struct {
	top  int
	cur  int  // where the playhead stood when the scroll was last brought to it
	all  int  // and how many rows there were
	row  int  // the row of the first line, -1: none
	free bool // scrolled away from the playhead
	rows int  // lines in sight
	y    int  // where they begin in the pane
}

// lines is how many rows the list has: all, or those that pass the filter.
func (v *View) lines(m *moment) int {
	if v.found != nil {
		return v.found.Count()
	}
	return m.c.Rows
}

// rowAt returns the row that stands in a line.
func (v *View) rowAt(line int) int {
	if v.found != nil {
		return v.found.At(line)
	}
	return line
}

// cursor returns the line of the playhead, or of the last match before it;
// -1: none.
func (v *View) cursor(m *moment) int {
	if v.found != nil {
		return v.found.Last(m.cur)
	}
	return m.cur
}

// settle brings the playhead into sight where it moved, in h lines.
func (v *View) settle(m *moment, h int) {
	s, n, cur := &v.told, v.lines(m), v.cursor(m)
	if s.cur != m.cur || s.all != n && !s.free {
		s.free = false
	}
	s.cur, s.all, s.rows = m.cur, n, h
	if s.free && v.found != nil && s.row >= 0 { // what is found above moves the lines down
		s.top = max(v.found.Last(s.row), 0)
	}
	if s.free {
		cur = -1
	}
	s.top = window(s.top, cur, n, h)
	s.row = -1
	if s.top < n {
		s.row = v.rowAt(s.top)
	}
}

// columns is where the columns of the announcements stand.
type columns struct{ rev, tok, text int }

// drawTold draws the rows in sight.
func (v *View) drawTold(r kit.Region, m *moment) {
	if v.lines(m) == 0 {
		v.drawNoneTold(r, m)
		return
	}
	head := 0
	if r.H > 4 && r.W >= 30 {
		head = 1
	}
	live := !m.c.Replay && v.found == nil && r.H > 8
	h := r.H - head
	if live {
		h--
	}
	v.settle(m, h)
	v.told.y = head
	rows, col := v.inSight(m, h)
	if head > 0 {
		r.PutRight(col.rev, 0, kit.As(kit.Dim), "REV")
		r.PutRight(col.tok, 0, kit.As(kit.Dim), "TOK")
		r.Put(col.text, 0, kit.As(kit.Dim), "TO THE MODEL, IN ORDER")
	}
	here := v.cursor(m)
	for i, row := range rows {
		if row == nil {
			r.Put(col.text, head+i, kit.As(kit.Dim), "…")
			continue
		}
		v.drawRow(r, head+i, m, row, col, v.told.top+i == here)
	}
	y := head + len(rows)
	if v.found != nil || y >= r.H || v.told.top+len(rows) < v.lines(m) {
		return
	}
	switch {
	case m.cost.Told == 0:
		drawWrapped(r.Sub(0, y+1, r.W, r.H-y-1), 1, 0, v.noneTold(m))
	case live && m.c.Follow:
		r.PutCut(col.text, y, r.W-col.text, kit.As(kit.Dim), "newest below; [ and g go back")
	case live:
		r.PutCut(col.text, y, r.W-col.text, kit.As(kit.Dim), "newest below; G goes there, and is live")
	}
}

// inSight returns the rows of h lines, nil for those that wait for the next
// drawing, and columns that hold them.
func (v *View) inSight(m *moment, h int) ([]*timeline.Row, columns) {
	var rows []*timeline.Row
	rev, tok := 2, 3
	for line := v.told.top; line < min(v.told.top+h, v.lines(m)); line++ {
		n := v.rowAt(line)
		var row *timeline.Row
		if v.found != nil {
			row = v.found.Row(m.c, &v.cache, n)
		} else {
			row = v.row(m, n)
		}
		if row != nil {
			kept := *row // the cache may let go of it while the others are read
			row = &kept
			rev = max(rev, kit.Width(revWords(row)))
			tok = max(tok, len(timeline.Grouped(row.Told.Tokens())))
		}
		rows = append(rows, row)
	}
	return rows, columns{rev: 2 + rev, tok: 2 + rev + 2 + tok, text: 2 + rev + 2 + tok + 2}
}

// revWords is the rev of a row as the list shows it.
func revWords(row *timeline.Row) string {
	switch {
	case row.Rev > 0:
		return label.Rev(row.Conn, row.Rev)
	case row.RawRev == nil:
		return "none"
	}
	return kit.Cut(label.Peer(string(row.RawRev)), 8)
}

func (v *View) drawRow(r kit.Region, y int, m *moment, row *timeline.Row, col columns, here bool) {
	later := row.Index > m.c.At
	style := func(role kit.Role) kit.Style {
		if later {
			return kit.As(kit.Dim)
		}
		return kit.Style{Role: role, Bold: here}
	}
	switch {
	case later:
		r.Put(0, y, kit.As(kit.Dim), "·")
	case here && v.focus == onTold && m.c.Focus:
		r.Put(0, y, kit.As(kit.Bright), "▌")
	case here:
		r.Put(0, y, kit.As(kit.Normal), "▏")
	}
	r.PutRight(col.rev, y, style(kit.Dim), revWords(row))
	x, text := col.text, row.Told.Text
	why := inspector.Untold(row, max(m.c.At, row.Index))
	if why != "" {
		text = why
		r.PutRight(col.tok, y, style(kit.Dim), "-")
	} else {
		r.PutRight(col.tok, y, style(kit.Normal), timeline.Grouped(row.Told.Tokens()))
	}
	if v.flagged(m.c, row) {
		x = r.Put(x, y, style(kit.Bad), "✗") + 1
	}
	role := kit.Normal
	if why != "" {
		role = kit.Dim
	}
	r.Put(x, y, style(role), cutQuoted(kit.Clean(text), r.W-x))
}

func (v *View) flagged(c *view.Context, row *timeline.Row) bool {
	if v.Flag != nil {
		return v.Flag(c, row)
	}
	return inspector.RowFlag(row) == "✗"
}

// cutQuoted cuts a text to w cells. One that ends with a closing quotation
// mark keeps it.
func cutQuoted(s string, w int) string {
	if strings.HasSuffix(s, "”") && kit.Width(s) > w && w > 2 {
		return kit.Cut(s, w-1) + "”"
	}
	return kit.Cut(s, w)
}

// drawNoneTold says why nothing is announced, and what would fill the list.
func (v *View) drawNoneTold(r kit.Region, m *moment) {
	drawWrapped(r, 1, 1, v.noneTold(m))
}

func (v *View) noneTold(m *moment) string {
	tools := inspector.Count(len(m.b.Static), "tool") + ", " + inspector.HeadTokens(m.b)
	switch {
	case v.found != nil:
		return v.found.None(m.c)
	case m.b.ListAt < 0:
		return m.c.Unlisted() + " 6 says how far the server came."
	case !m.b.ToolHints:
		text := "Nothing is announced: this server does not offer toolHints, so a model sees all tools in its prompt, " + tools +
			", and each change of one builds all of it anew."
		switch {
		case m.b.Mode.IgnoresHints:
			text = "Nothing is announced: this host ignores hints, so a model sees all tools in its prompt, " + tools + "."
		case m.b.ServerHints && !m.b.HostHints:
			text = "Nothing is announced: this host did not offer toolHints, so a model sees all tools in its prompt, " + tools + "."
		}
		if saved := m.cost.Rebuilds - m.cost.WithHints; saved > 0 {
			text += fmt.Sprintf(" Hints would have saved %d of %s.", saved, inspector.Count(m.cost.Rebuilds, "rebuild"))
		}
		return text
	}
	text := "Nothing announced yet. The head stands at " + tools + "."
	if !m.c.Replay && !m.c.Ended && len(m.b.Toolsets) > 0 {
		text += " o opens a toolset, c calls a tool."
	}
	return text
}

// search sets the filter.
func (v *View) search(m *moment, text string) {
	v.line.Text, v.told.free = text, false
	q := filter.Parse(text)
	v.found.Drop()
	if v.found = nil; q.Empty() || m.c.Log == nil {
		return
	}
	v.found = revs.Search(paneNames[onTold], m.c, m.c.Log, m.cur, q, func(row *timeline.Row) []string {
		return []string{row.Told.Text, inspector.Untold(row, row.Index), row.Text, row.Reason}
	})
}

// drawWrapped draws a text from line y on, broken into lines.
func drawWrapped(r kit.Region, x, y int, text string) {
	if r.H < 4 {
		y = 0
	}
	for _, line := range kit.Wrap(kit.Clean(text), r.W-2*x) {
		r.Put(x, y, kit.As(kit.Normal), line)
		y++
	}
}

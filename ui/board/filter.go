package board

import (
	"fmt"
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/revs"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// line returns the filter that is being typed, or nil.
func (b *Board) line() *filter.Line {
	switch {
	case b.filter.Typing:
		return &b.filter
	case b.find.Typing:
		return &b.find
	}
	return nil
}

// filterOf returns the filter that a pane is under: OPEN and SUGGESTED are
// short and have none of their own.
func (b *Board) filterOf(p pane) *filter.Line {
	if p == paneRevs {
		return &b.find
	}
	return &b.filter
}

// beginFilter begins to type the filter of REVS where that has the focus, else
// the one of TOOLS.
func (b *Board) beginFilter(m *moment) view.Intent {
	if b.focus == paneRevs {
		if m.c.Rows == 0 {
			return view.Saying("no rev yet, so there is nothing to filter")
		}
		b.find.Typing = true
		return view.Intent{}
	}
	if b.filter.Text == "" {
		b.before = b.sel
	}
	b.focus, b.filter.Typing = paneTools, true
	return view.Intent{}
}

// clearFilter takes a pane's filter away. The cursor of TOOLS goes back to
// where it was, unless it was moved since.
func (b *Board) clearFilter(p pane) {
	if p == paneRevs {
		b.found.Drop()
		b.find, b.found, b.revs.free = filter.Line{}, nil, false
		return
	}
	b.filter, b.kept, b.free = filter.Line{}, toolMatch{}, false
	if b.before.Kind != OnNothing {
		b.sel, b.before = b.before, Selection{}
	}
}

// typed handles a key while a filter is typed. It leaves alone those that a
// program must always obey.
func (b *Board) typed(key string, m *moment) (view.Intent, bool) {
	line, revs := b.line(), b.find.Typing
	switch line.Key(key) {
	case filter.NotMine:
		return view.Intent{}, false
	case filter.Changed:
		b.retyped(m)
	case filter.Cleared:
		if revs {
			b.clearFilter(paneRevs)
		} else {
			b.clearFilter(paneTools)
		}
	case filter.Kept:
		return b.told(m, revs), true
	case filter.Up:
		return b.stepMatch(m, revs, -1), true
	case filter.Down:
		return b.stepMatch(m, revs, 1), true
	}
	return view.Intent{}, true
}

func (b *Board) stepMatch(m *moment, revs bool, n int) view.Intent {
	switch {
	case !revs:
		b.moveTools(m, n)
	case b.found != nil:
		return b.toMatch(m, n)
	}
	return view.Intent{}
}

// retyped follows a filter that is another one now.
func (b *Board) retyped(m *moment) {
	if !b.find.Typing {
		b.toFirstTool(m)
		return
	}
	b.revs.free = false
	q := filter.Parse(b.find.Text)
	b.found.Drop()
	if b.found = nil; q.Empty() {
		return
	}
	b.found = revs.Search(paneNames[paneRevs], m.c, m.src, m.cur, q, rowWords)
}

// rowWords are what a word is looked for in, in REVS.
func rowWords(row *timeline.Row) []string {
	return []string{label.RowText(row, true), row.Text, row.Reason, inspector.CarrierWord(row.Carrier)}
}

// toMatch asks for the playhead to stand n matches further.
func (b *Board) toMatch(m *moment, n int) view.Intent {
	b.revs.free = false
	if n == 1 || n == -1 {
		return b.seek(m, m.cur, n)
	}
	count := b.found.Count()
	if count == 0 {
		return view.Intent{}
	}
	return revs.GoTo(m.c, m.row, b.found.At(max(min(b.found.Last(m.cur)+n, count-1), 0)))
}

// seek goes to the first match after row n, or before it by -1.
func (b *Board) seek(m *moment, n, by int) view.Intent {
	at, text := b.found.Step(m.c, m.cache, m.cur, n, by)
	switch {
	case at >= 0:
		return revs.GoTo(m.c, m.row, at)
	case text != "":
		return view.Saying(text)
	}
	return view.Intent{}
}

// revRow returns row n of REVS to be drawn.
func (b *Board) revRow(m *moment, n int) *timeline.Row {
	if b.found == nil || n < 0 {
		return m.row(n)
	}
	return b.found.Row(m.c, m.cache, n)
}

// toFirstTool brings the cursor of TOOLS to a tool that the filter leaves:
// where it stood before it was typed, else the first.
func (b *Board) toFirstTool(m *moment) {
	b.free = false
	if b.before.Kind != OnNothing {
		b.sel = b.before
	}
	b.settle(m)
	if b.filter.Text == "" || b.sel.Kind == OnTool {
		return
	}
	for i := range m.rows {
		if m.rows[i].kind == rowTool {
			b.lastAt, b.sel = i, b.on(&m.rows[i], Selection{})
			return
		}
	}
}

// told says of a filter that is kept which part of it means nothing here,
// where the list is not empty and says so itself.
func (b *Board) told(m *moment, ofRevs bool) view.Intent {
	text := ""
	switch {
	case ofRevs && b.found != nil && b.found.Count() > 0:
		l := b.found.List(m.c.Newest)
		text = l.Said(&b.found.Query, b.found.Count())
	case !ofRevs && b.filter.Text != "":
		if n := len(b.matchTools(m)); n > 0 {
			l := toolList(m)
			text = l.Said(&b.kept.query, n)
		}
	}
	if text == "" {
		return view.Intent{}
	}
	return view.Saying(text)
}

// matchKey handles n and N: the next and the previous match of the filter that
// the pane with the focus is under.
func (b *Board) matchKey(key string, m *moment) (view.Intent, bool) {
	by := map[string]int{"n": 1, "N": -1}[key]
	switch {
	case key == "g" && b.focus == paneRevs && b.found != nil:
		b.revs.free = false
		return b.seek(m, -1, 1), true
	case by == 0 || b.focus == paneInspect:
		return view.Intent{}, false
	case b.focus == paneRevs && b.found != nil:
		return b.toMatch(m, by), true
	case b.focus == paneTools && b.filter.Text != "":
		b.nextTool(m, by)
		return view.Intent{}, true
	}
	return view.Intent{}, false
}

// nextTool moves the cursor to the next tool, past heads.
func (b *Board) nextTool(m *moment, by int) {
	for i := find(m.rows, b.sel) + by; i >= 0 && i < len(m.rows); i += by {
		if m.rows[i].kind == rowTool {
			b.free, b.lastAt, b.before = false, i, Selection{}
			b.sel = b.on(&m.rows[i], Selection{})
			return
		}
	}
}

// revHead is the head line of REVS, in w columns.
func (b *Board) revHead(m *moment, w int) (title, right string) {
	title = paneNames[paneRevs] + m.ofConn(w)
	if b.found == nil {
		return title + b.find.Words(w-18), m.revCount(" of ")
	}
	n, all := b.found.Count(), m.c.Rows
	words := min(kit.Width(b.find.Text)+4, 16)
	for _, right = range []string{b.found.Words(all, false), b.found.Words(all, true), fmt.Sprintf("%d/%d", n, all)} {
		if kit.Width(right)+words+12 <= w {
			break
		}
	}
	return title + b.find.Words(w-kit.Width(right)-12), right
}

// toolHead is the head line of TOOLS, in w columns.
func (b *Board) toolHead(m *moment, w int) (title, right string) {
	title = paneNames[paneTools]
	if right = m.usable(" of "); right != "" {
		right += " usable"
	}
	if b.filter.Text != "" && m.allTools() > 0 {
		right = filter.Count(len(b.matchTools(m)), m.allTools())
	}
	return title + b.filter.Words(w-kit.Width(right)-18), right
}

// narrowWords is what a pane without head line is called: "TOOLS 8/14",
// "TOOLS /say 2/14".
func (b *Board) narrowWords(m *moment, p pane) string {
	count := m.usable("/")
	switch {
	case p == paneRevs && b.found != nil:
		count = fmt.Sprintf("%d/%d", b.found.Count(), m.c.Rows)
	case p == paneRevs:
		count = m.revCount("/")
	case b.filter.Text != "":
		count = fmt.Sprintf("%d/%d", len(b.matchTools(m)), m.allTools())
	}
	words := paneNames[p] + " "
	if p == paneRevs && m.c.Sides > 1 {
		words += strconv.Itoa(m.conn()) + ": "
	}
	if f := b.filterOf(p).Words(18); f != "" {
		words += f[2:] + " "
	}
	return words + count
}

// Busy reports whether another drawing would show more without anything
// having happened: matches in sight are read a few at a time.
func (b *Board) Busy(*view.Context) bool { return b.found != nil && b.found.Short() }

// Work returns the next piece of what the filter of REVS has to look at, nil
// where there is none.
func (b *Board) Work(c *view.Context) view.Work {
	return revs.Work(c, b.searched, func(c *view.Context, n, by int) view.Intent { return b.seek(b.moment(c), n, by) })
}

// searched returns what the filter of REVS found, nil where there is none.
func (b *Board) searched(c *view.Context) *revs.Found {
	if b.found != nil {
		b.moment(c) // which lets go of the filter of another session
	}
	return b.found
}

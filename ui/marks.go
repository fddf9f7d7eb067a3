package ui

import (
	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/board"
	"github.com/mcpl-tui/mcpl-tui/ui/lanes"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
	"github.com/mcpl-tui/mcpl-tui/ui/wireview"
)

// markFindings makes the views carry ✗ where a finding stands, and say so in INSPECT.
func (m *Model) markFindings(b *board.Board, l *lanes.View, w *wireview.View) {
	book := m.judging.book
	b.Flag = func(_ *view.Context, row *timeline.Row) bool {
		return book.Marked(row.Index) && len(m.ofRow(row.N)) > 0
	}
	b.FlagTool = func(c *view.Context, toolset, tool string) bool {
		for _, f := range book.OfTool(c.Board.Conn, c.At, tool) {
			if in := deref(f.Instance); in == "" || !isOpen(c.Board, toolset, in) {
				return true
			}
		}
		return false
	}
	b.FlagCell = func(c *view.Context, _, instance, tool string) bool {
		for _, f := range book.OfTool(c.Board.Conn, c.At, tool) {
			if deref(f.Instance) == instance {
				return true
			}
		}
		return false
	}
	b.Explain = func(c *view.Context, sel board.Selection) inspector.Doc {
		return m.explainOnBoard(c, sel)
	}
	l.Flags = func(_ *view.Context, row int) []lanes.Flag { return m.flagsOf(row) }
	w.Flag = book.Marked
	w.Findings = func(c *view.Context, doc inspector.Doc) inspector.Doc {
		return book.Explained(c, doc, book.At(c.At), "")
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// isOpen reports whether an instance of a toolset has a column on a board.
func isOpen(b *timeline.Board, toolset, instance string) bool {
	t := toolsetOf(b, toolset)
	if t == nil || !t.HasInstances {
		return false
	}
	for i := range t.Instances {
		if t.Instances[i].Name == instance {
			return true
		}
	}
	return false
}

// ofRow returns the findings that a row of the timeline shows. Where a frame
// has several rows, one that names the rev of another is that row's.
func (m *Model) ofRow(n int) []*conform.Finding {
	log := m.log()
	head := log.RowHead(n)
	of := m.judging.book.At(head.Index)
	e := log.Entry(head.Index)
	if e.Rows < 2 {
		return of
	}
	var out []*conform.Finding
	for _, f := range of {
		if f.Index == head.Index && f.Rev != nil && *f.Rev != head.Rev && m.hasRow(e, *f.Rev) {
			continue
		}
		out = append(out, f)
	}
	return out
}

// hasRow reports whether a frame has a row with that rev.
func (m *Model) hasRow(e timeline.Entry, rev int64) bool {
	for n := e.Row; n < e.Row+e.Rows; n++ {
		if m.log().RowHead(n).Rev == rev {
			return true
		}
	}
	return false
}

// flagsOf returns what findings between a row and the next one speak of: a
// finding at a frame without a rev stands at the rev before it, one before all
// revs at the first.
func (m *Model) flagsOf(row int) []lanes.Flag {
	log, book := m.log(), m.judging.book
	from, to := log.RowIndex(row), log.Len()
	if row+1 < log.RowCount() {
		to = log.RowIndex(row + 1)
	}
	if row == 0 {
		from = 0
	}
	var out []lanes.Flag
	add := func(f *conform.Finding, at int) {
		out = append(out, lanes.Flag{Toolset: deref(f.Toolset), Instance: deref(f.Instance), Tool: deref(f.Tool), Rule: f.Rule, At: at})
	}
	if from == to { // another row of this frame comes after it
		for _, f := range m.ofRow(row) {
			add(f, from)
		}
		return out
	}
	for i := book.Next(from-1, 1); i >= 0 && i < to && len(out) < maxFlags; i = book.Next(i, 1) {
		of := book.At(i)
		if i == log.RowIndex(row) {
			of = m.ofRow(row)
		}
		for _, f := range of {
			add(f, i)
		}
	}
	return out
}

// maxFlags is how many findings stand at one rev of the lanes; they share its
// cell.
const maxFlags = 256

// explainOnBoard is the explanation of what is selected on the board, with
// what findings say of it.
func (m *Model) explainOnBoard(c *view.Context, sel board.Selection) inspector.Doc {
	doc := board.Explain(c, sel)
	if c.Log == nil || c.Board == nil || len(doc.Blocks) == 0 {
		return doc
	}
	book, conn := m.judging.book, c.Board.Conn
	var of []*conform.Finding
	none := "none of it so far"
	switch sel.Kind {
	case board.OnRow:
		of, none = m.ofRow(sel.Row), "none at this rev"
	case board.OnTool:
		for _, f := range book.OfTool(conn, c.At, sel.Tool) {
			if in := deref(f.Instance); in == "" || in == sel.Instance {
				of = append(of, f)
			}
		}
	case board.OnToolset, board.OnInstance:
		of = book.OfPlace(conn, c.At, sel.Toolset, sel.Instance)
	default:
		return doc
	}
	return book.Explained(c, doc, of, none)
}

// sameFindings is a command that finds what view 4 lists, "" where nothing
// keeps the frames.
func (m *Model) sameFindings() string {
	if m.status.File == "" {
		return ""
	}
	return "mcpl-tui check " + inspector.ShellWord(m.status.File)
}

package compare

import (
	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// boardMemo is the comparison of the whole board, kept while neither point
// moved; the board of the baseline is kept by itself, because reading one
// reduces frames again.
type boardMemo struct {
	baseKey baseKey
	base    *timeline.Board
	point   inspector.Point
	board   *timeline.Board
	cmp     inspector.BoardComparison
	items   []*inspector.Item // all of them, in their order
}

// baseKey tells whether the baseline is still the one that would be read.
type baseKey struct {
	log     *timeline.Log
	against inspector.Baseline
	mark    int
	conn    int
	listAt  int
	row     int // of the rev before which the board is read
	at      int // where there is no row
}

func (v *View) compareBoards(c *view.Context) *inspector.BoardComparison {
	m := &v.all
	k := baseKey{log: c.Log, against: v.baseline(c), mark: c.Mark, conn: c.Board.Conn, listAt: c.Board.ListAt, row: -1, at: -1}
	if k.against == inspector.AgainstBefore {
		if k.row = c.Log.RowAt(c.Board.Index); k.row < 0 || c.Log.RowHead(k.row).Conn != k.conn {
			k.at = c.At
		}
	}
	if k != m.baseKey || m.base == nil {
		m.baseKey, m.board = k, nil
		m.base, m.point = inspector.BaselineBoard(c.Log, c.Board, k.against, k.mark)
	}
	if m.board != c.Board {
		m.board, m.items = c.Board, nil
		m.cmp = inspector.CompareWith(c.Log, c.Board, m.base, m.point)
		for i := range m.cmp.Groups {
			g := &m.cmp.Groups[i]
			for n := range g.Items {
				m.items = append(m.items, &g.Items[n])
			}
		}
	}
	v.cursor = max(min(v.cursor, len(m.items)-1), 0)
	return &m.cmp
}

func (v *View) boardTitle(c *view.Context) (title string, notes []string) {
	m := v.compareBoards(c)
	return "COMPARE the board", titleNotes(m.From, m.To, m.Differ, "thing")
}

// boardRows is all of the comparison of the board: what differs, group by
// group, each with who did it.
func (v *View) boardRows(c *view.Context, w int) []vrow {
	m := v.compareBoards(c)
	rows := factRows("AGAINST", v.againstLine(c), w, noHit)
	usable := inspector.Line{Spans: []inspector.Span{{Text: m.Usable}}}
	rows = append(rows, factRows("USABLE", &usable, w, noHit)...)
	for i := range m.Notes {
		rows = append(rows, lineRows(&m.Notes[i], signX, w, true)...)
	}
	width := 0
	for _, it := range v.all.items {
		width = max(width, kit.Width(kit.Clean(it.Name)))
	}
	width = min(width, max(w/3, 12))
	n := 0
	for i := range m.Groups {
		g := &m.Groups[i]
		head := vrow{hit: noHit}
		end := put(&head.left, signX, kit.As(kit.Title), g.Head)
		put(&head.left, end+2, kit.As(kit.Dim), g.Note)
		rows = append(rows, vrow{hit: noHit}, head)
		for k := range g.Items {
			rows = append(rows, v.itemRow(&g.Items[k], n, width, w, c.Focus))
			n++
		}
		if g.More > 0 {
			rows = append(rows, text(textX, kit.Dim, "… "+itoa(g.More)+" more"))
		}
	}
	if len(m.Groups) == 0 {
		rows = append(rows, vrow{hit: noHit}, text(signX, kit.Normal, "Nothing differs between the two points."))
	}
	return rows
}

// itemRow is one thing that differs. The row of the cursor is marked.
func (v *View) itemRow(it *inspector.Item, n, width, w int, focus bool) vrow {
	row := vrow{hit: n}
	st := kit.As(kit.Normal)
	if n == v.cursor {
		mark := "▏"
		if focus {
			mark, st = "▌", kit.As(kit.Bright)
		}
		put(&row.left, 0, kit.As(kit.Bright), mark)
	}
	put(&row.left, textX, signStyle(it.Sign), it.Sign)
	put(&row.left, textX+3, st, kit.CutMiddle(kit.Clean(it.Name), width))
	put(&row.left, textX+3+width+3, kit.As(kit.Dim), it.Words)
	if by := kit.Clean(it.By); by != "" && w >= narrow {
		row.note = by
	}
	return row
}

// item is the one under the cursor, nil where there is none.
func (v *View) item(c *view.Context) *inspector.Item {
	v.compareBoards(c)
	if v.cursor < 0 || v.cursor >= len(v.all.items) {
		return nil
	}
	return v.all.items[v.cursor]
}

// open follows an item: a tool is compared member by member, anything else
// leads to the frame that did it.
func (v *View) open(c *view.Context) view.Intent {
	it := v.item(c)
	switch {
	case it == nil:
		return view.Saying("nothing differs here; d compares against another point")
	case it.Target.Tool != "" && it.Sign == "~":
		against := v.baseline(c)
		v.whole = &back{v.cursor, v.top}
		v.target, v.against, v.chose, v.top = it.Target, against, true, 0
		return view.Intent{}
	case it.Index >= 0:
		return view.Intent{Kind: view.ShowAt, View: wireView, Index: it.Index}
	}
	return view.Saying("no frame between the two points did this alone; [ ] goes through them rev by rev")
}

// close returns from a tool to the whole board, and reports whether it was
// chosen there.
func (v *View) close() bool {
	if v.whole == nil {
		return false
	}
	v.target, v.cursor, v.top, v.whole = Target{}, v.whole.cursor, v.whole.top, nil
	return true
}

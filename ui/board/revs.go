package board

import (
	"fmt"
	"sort"
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/revs"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// revScroll is the scroll of REVS. Its cursor is the playhead and belongs to
// the root.
type revScroll struct {
	top  int // first line in sight
	cur  int // where the playhead stood when the scroll was last brought to it
	all  int // and how many rows there were
	free bool
	// topRow is the row in the first line, -1: none or the rule.
	topRow int
}

// revView is what of the list is in sight. Lines are rows, with some more: the
// rule of now, below the playhead's row where revs come after it, and a seam
// above the first row of each connection that took the place of another.
type revView struct {
	list         revList
	seams        []timeline.Seam // ascending; none where a filter leaves rows out
	top, n       int             // lines top ≤ i < top+n
	rule         int             // line of the rule, -1: none
	above, below int
}

// revList is the rows that REVS has: all, or those that its filter leaves.
type revList struct {
	found *revs.Found
	n     int // how many
	cur   int // which of them is the playhead's, or the last before it; -1: none
}

func (b *Board) revList(m *moment) revList {
	if b.found == nil {
		return revList{n: m.c.Rows, cur: m.cur}
	}
	return revList{found: b.found, n: b.found.Count(), cur: b.found.Last(m.cur)}
}

// at returns the k-th of the rows.
func (l *revList) at(k int) int {
	if l.found != nil {
		return l.found.At(k)
	}
	return k
}

// revView brings the scroll to the playhead where that moved, and returns
// what is in sight in h lines.
func (b *Board) revView(m *moment, h int) revView {
	v := revView{list: b.revList(m), rule: -1}
	if b.found == nil {
		v.seams = m.seams()
	}
	all, cur := v.list.n, v.list.cur
	lines := all + len(v.seams)
	if all > 0 && cur < all-1 {
		v.rule = v.lineOf(cur) + 1
		lines++
	}
	s := &b.revs
	if s.cur != m.cur || s.all != all && !s.free {
		s.free = false
	}
	s.cur, s.all = m.cur, all
	if s.free && b.found != nil && s.topRow >= 0 { // what is found above moves the lines down
		if k := b.found.Last(s.topRow); k >= 0 {
			s.top = k
			if v.rule >= 0 && k >= v.rule {
				s.top++
			}
		}
	}
	if !s.free {
		at := v.lineOf(max(cur, 0))
		if at < s.top {
			s.top = at
		}
		if v.rule >= 0 {
			at = v.rule
		}
		if at >= s.top+h {
			s.top = at - h + 1
		}
	}
	s.top = max(min(s.top, lines-h), 0)
	v.top, v.n = s.top, max(min(h, lines-s.top), 0)
	v.above, v.below = v.top, lines-v.top-v.n
	s.topRow = -1
	if v.n > 0 {
		s.topRow, _ = v.row(v.top)
	}
	return v
}

// lineOf returns the line of the k-th row, before the rule is put in: -1 for
// none.
func (v *revView) lineOf(k int) int {
	return k + sort.Search(len(v.seams), func(i int) bool { return v.seams[i].Row > k })
}

// row returns the row that stands in a line, -1 for the rule and for a seam,
// which it returns.
func (v *revView) row(line int) (row int, begins *timeline.Seam) {
	switch {
	case line == v.rule:
		return -1, nil
	case v.rule >= 0 && line > v.rule:
		line--
	}
	// The i-th seam stands in line Row + i, with i lines of seams above.
	n := sort.Search(len(v.seams), func(i int) bool { return v.seams[i].Row+i > line })
	if n > 0 && v.seams[n-1].Row+n-1 == line {
		return -1, &v.seams[n-1]
	}
	return v.list.at(line - n), nil
}

// seams are the places at which connections begin in REVS.
func (m *moment) seams() []timeline.Seam {
	if m.c.Log == nil {
		return nil
	}
	return m.c.Log.Seams()
}

// drawSeam draws the line above the first row of a connection.
func (m *moment) drawSeam(r kit.Region, y int, s *timeline.Seam) {
	role := kit.Normal
	if s.Row > m.cur {
		role = kit.Dim
	}
	r.Fill(1, y, r.W-2, kit.As(kit.Rule), "─")
	text := " connection " + strconv.Itoa(s.Conn)
	if row := m.row(s.Row); row != nil && r.W >= 36 {
		text += ", " + inspector.ClockShort(row.T)
	}
	r.Put(3, y, kit.As(role), kit.Cut(text, r.W-6)+" ")
}

func (b *Board) drawRevs(r kit.Region, m *moment) {
	if m.c.Rows == 0 {
		drawWrapped(r, 1, 0, m.noRevs())
		return
	}
	if b.found != nil && b.found.Count() == 0 {
		drawWrapped(r, 1, 0, b.found.None(m.c))
		return
	}
	v := b.revView(m, r.H)
	cols := b.revColumns(m, v, r.W)
	for y := 0; y < v.n; y++ {
		n, begins := v.row(v.top + y)
		switch {
		case begins != nil:
			m.drawSeam(r, y, begins)
			continue
		case n < 0:
			m.drawNotYet(r, y)
			continue
		}
		if row := b.revRow(m, n); row != nil {
			b.drawRev(r, y, m, row, cols)
		} else if b.found != nil {
			r.Put(cols.text, y, kit.As(kit.Dim), "…")
		}
	}
	if v.n < r.H && m.acts && b.found == nil {
		x := cols.num + 1
		for _, s := range []string{"newest below; G goes there, and is live", "newest below; G goes there", "newest below"} {
			if x+kit.Width(s) <= r.W {
				r.Put(x, v.n, kit.As(kit.Dim), s)
				break
			}
		}
	}
}

// DrawRevs draws REVS, its head line included, without the focus: beside a
// page that lies over the rest of the board.
func (b *Board) DrawRevs(r kit.Region, c *view.Context) {
	quiet := *c
	quiet.Focus = false
	m := b.moment(&quiet)
	title, right := b.revHead(m, r.W)
	drawHead(r.Sub(0, 0, r.W, 1), title, right, false)
	b.drawRevs(r.Sub(0, 1, r.W, r.H-1), m)
}

// ClickRevs handles a click into what DrawRevs drew, h rows high, or a turn of
// the wheel there.
func (b *Board) ClickRevs(y, h, wheel int, c *view.Context) view.Intent {
	m := b.moment(c)
	if wheel != 0 {
		b.revView(m, h-1)
		b.revs.free = true
		b.revs.top = max(b.revs.top+wheel*wheelLines, 0)
		return view.Intent{}
	}
	if y < 1 {
		return view.Intent{} // its head line
	}
	return b.clickRev(m, h-1, y-1)
}

// noRevs is the empty state of REVS.
func (m *moment) noRevs() string { return label.NoRevs(m.b, m.acts) }

// drawNotYet draws the rule between what was and what is still to come.
func (m *moment) drawNotYet(r kit.Region, y int) {
	text := " not yet: " + inspector.Count(m.c.Rows-1-m.cur, "rev")
	if m.c.Newest != nil {
		text += ", " + inspector.ClockShort(m.c.Newest.T-m.b.T)
	}
	text += " "
	w := r.W - 2
	text = kit.Cut(text, w)
	left := (w - kit.Width(text)) / 2
	r.Fill(1, y, w, kit.As(kit.Dim), "╌")
	r.Put(1+left, y, kit.As(kit.Dim), text)
}

// revColumns is where the parts of a row of REVS stand.
type revColumns struct {
	num     int // the number ends before this column
	time    int // the time begins here, -1: no times
	arrow   int
	carrier int // -1: no carrier words
	text    int
}

// revColumns makes room for the widest number and time in sight, so that rows
// of one screen stand in one grid.
func (b *Board) revColumns(m *moment, v revView, w int) revColumns {
	num, tw := 3, 4
	for y := 0; y < v.n; y++ {
		n, _ := v.row(v.top + y)
		if row := b.revRow(m, n); row != nil {
			num = max(num, min(kit.Width(revLabel(row)), 8))
			tw = max(tw, len(inspector.ClockShort(row.T)))
		}
	}
	c := revColumns{num: num + 1, time: -1, carrier: -1}
	if w >= 44 {
		c.time = c.num + 1
		c.arrow = c.time + tw + 2
	} else {
		c.arrow = c.num + 1
	}
	c.text = c.arrow + 2
	if w >= 36 {
		c.carrier = c.text
		c.text += 6
	}
	return c
}

// revLabel is the number of a row, as the server wrote it where it is none.
func revLabel(row *timeline.Row) string {
	switch {
	case row.Rev > 0:
		return revName(row.Conn, row.Rev)
	case row.RawRev == nil:
		return "none"
	default:
		return kit.Cut(peer(string(row.RawRev)), 8)
	}
}

func (b *Board) drawRev(r kit.Region, y int, m *moment, row *timeline.Row, c revColumns) {
	later, here := row.N > m.cur, row.N == m.mark
	style := func(role kit.Role) kit.Style {
		if later {
			return kit.As(kit.Dim)
		}
		return kit.Style{Role: role, Bold: here}
	}
	switch {
	case later:
		r.Put(0, y, kit.As(kit.Dim), "·")
	case here:
		b.drawMark(r, y, m, paneRevs)
	}
	r.PutRight(c.num, y, style(kit.Dim), revLabel(row))
	if c.time >= 0 {
		r.Put(c.time, y, style(kit.Dim), inspector.ClockShort(row.T))
	}
	arrow := kit.Server
	if revs.Mine(row) {
		arrow = kit.Normal
	}
	r.Put(c.arrow, y, style(arrow), inspector.CarrierArrow(row.Carrier))
	if c.carrier >= 0 {
		r.Put(c.carrier, y, style(kit.Normal), inspector.CarrierWord(row.Carrier))
	}
	w := r.W - 12 - c.text
	if row.Counts.Opened+row.Counts.Closed > 0 {
		w--
	}
	text := b.revText(row, c.carrier >= 0)
	if revs.Mine(row) && took(row) {
		text = cutName(text, w)
	}
	r.PutCut(c.text, y, w, style(kit.Normal), text)
	b.drawRevSigns(r, y, m, row, style)
}

// revText says in a few words what a row is: the target of the user's own
// request, or the server's words, after what became of hints that were not
// taken.
func (b *Board) revText(row *timeline.Row, carrier bool) string {
	text := label.RowText(row, carrier)
	if took(row) {
		return text
	}
	if text == "" {
		return row.Status.String()
	}
	return row.Status.String() + ": " + text
}

// took reports whether the hints of a row took effect.
func took(row *timeline.Row) bool {
	switch row.Status {
	case timeline.Applied, timeline.Gap:
		return true
	case timeline.Held:
		return row.Taken >= 0
	}
	return false
}

// drawRevSigns draws the signs of a row, each kind in its own columns: ◆ +n
// -n ~n and the flag, counted from the right edge.
func (b *Board) drawRevSigns(r kit.Region, y int, m *moment, row *timeline.Row, style func(kit.Role) kit.Style) {
	n := row.Counts
	switch {
	case n.Opened > 0:
		r.Put(r.W-12, y, style(kit.Bright), "◆")
	case n.Closed > 0:
		r.Put(r.W-12, y, style(kit.Bright), "◇")
	}
	count := func(fromRight int, role kit.Role, sign string, n uint16, most int) {
		if n == 0 {
			return
		}
		s := fmt.Sprint(n)
		if len(s) > most {
			s = "…" // INSPECT says how many
		}
		r.Put(r.W-fromRight, y, style(role), sign+s)
	}
	count(10, kit.Good, "+", n.Shown, 2)
	count(7, kit.Normal, "-", n.Hidden, 2)
	count(4, kit.Changed, "~", n.Redefined, 1)
	role := kit.Ask
	flag := b.flag(m, row)
	if flag == "✗" {
		role = kit.Bad
	}
	r.Put(r.W-2, y, style(role), flag)
}

// lit reports whether keys go to a pane: it has the focus, and nothing lies
// over the view.
func (b *Board) lit(m *moment, p pane) bool { return b.focus == p && m.c.Focus }

// drawMark marks a selected line: ▌ in the pane with the focus, else ▏.
func (b *Board) drawMark(r kit.Region, y int, m *moment, p pane) {
	if b.lit(m, p) {
		r.Put(0, y, kit.As(kit.Bright), "▌")
	} else {
		r.Put(0, y, kit.As(kit.Normal), "▏")
	}
}

// drawWrapped writes a sentence over as many lines as it needs.
func drawWrapped(r kit.Region, x, y int, text string) int {
	for _, line := range kit.Wrap(text, r.W-x-1) {
		r.Put(x, y, kit.As(kit.Dim), line)
		y++
	}
	return y
}

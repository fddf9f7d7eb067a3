package wireview

import (
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// columns is where the parts of a row stand; -1 is a part that there is no
// room for. Values end before num, clock, took, size and rev, and begin at
// what, id and signs.
type columns struct {
	num   int
	clock int
	arrow int
	conn  int // the connection's number, where two stand side by side
	what  int
	wide  int // cells of WHAT
	id    int
	ids   int // cells of id
	took  int
	size  int
	rev   int
	signs int
}

// The widths of the columns, with the blanks in front of them.
const (
	leastID   = 2 + 4
	tookWide  = 1 + 7
	sizeWide  = 1 + 7
	leastRev  = 2 + 3
	mostWide  = 2 + 7 // of ID and REV, which grow with the session
	signsWide = 2 + 11 + 1
	leastWhat = 30 // WHAT has at least so many cells, or other columns go
)

// fitColumns makes room for w columns. What can be done without goes first:
// CHANGED, SIZE, REV, ID, TOOK, and last TIME.
func fitColumns(w int, c *view.Context) columns {
	num, clock, idWide, revWide := 5, 8, leastID, leastRev
	if c.Len > 0 {
		last := c.Log.Entry(c.Len - 1)
		num = max(num, len(strconv.FormatInt(last.Seq, 10)))
		clock = max(clock, len(inspector.Clock(last.T)))
		idWide = min(max(idWide, 2+1+len(strconv.Itoa(c.Len))), mostWide)
		if c.Newest != nil {
			revWide = min(max(revWide, 2+len(strconv.FormatInt(c.Newest.LastRev, 10))), mostWide)
		}
	}
	on := [...]bool{true, true, true, true, true, true} // as below
	wide := [...]int{signsWide, sizeWide, revWide, idWide, tookWide, clock + 1}
	if w < 60 {
		num = max(3, len(strconv.Itoa(c.Len)))
	}
	left := func() int {
		n := w - 2 - num - 4
		for i, have := range on {
			if have {
				n -= wide[i]
			}
		}
		return n
	}
	for i := range on {
		if left() >= leastWhat {
			break
		}
		on[i] = false
	}
	col := columns{num: 2 + num, clock: -1, conn: -1, id: -1, took: -1, size: -1, rev: -1, signs: -1}
	x := col.num
	if on[5] {
		x += clock + 1
		col.clock = x
	}
	col.arrow = x + 2
	if !on[5] {
		col.arrow = x + 1
	}
	col.what = col.arrow + 2
	col.wide = max(left(), 0)
	if c.Sides > 1 && c.Len > 0 {
		col.conn = col.what
		n := len(strconv.Itoa(max(c.Newest.Conn, c.Other.Newest.Conn))) + 1
		col.what, col.wide = col.what+n, max(col.wide-n, 0)
	}
	if !on[5] {
		col.wide++
	}
	x = col.what + col.wide
	if on[3] {
		col.id, col.ids = x+2, idWide-2
		x += idWide
	}
	if on[4] {
		x += tookWide
		col.took = x
	}
	if on[1] {
		x += sizeWide
		col.size = x
	}
	if on[2] {
		x += revWide
		col.rev = x
	}
	if on[0] {
		col.signs = x + 2
	}
	return col
}

// drawHeads draws the names of the columns.
func (col *columns) drawHeads(r kit.Region, y int) {
	st := kit.As(kit.Dim)
	r.PutRight(col.num, y, st, "#")
	if col.clock >= 0 {
		r.PutRight(col.clock, y, st, "TIME")
	}
	r.Put(col.what+2, y, st, "WHAT")
	if col.id >= 0 {
		r.Put(col.id+2, y, st, "ID")
	}
	if col.took >= 0 {
		r.PutRight(col.took, y, st, "TOOK")
	}
	if col.size >= 0 {
		r.PutRight(col.size, y, st, "SIZE")
	}
	if col.rev >= 0 {
		r.PutRight(col.rev, y, st, "REV")
	}
	if col.signs >= 0 {
		r.Put(col.signs, y, st, "CHANGED")
	}
}

// drawSigns draws what a frame changed, each kind in a place of its own.
func drawSigns(r kit.Region, x, y int, n timeline.Counts, flag string, style func(kit.Role) kit.Style) {
	switch {
	case n.Opened > 0:
		r.Put(x, y, style(kit.Good), "◆")
	case n.Closed > 0:
		r.Put(x, y, style(kit.Normal), "◇")
	}
	count := func(end int, role kit.Role, sign string, n uint16) {
		if n == 0 {
			return
		}
		s := sign + strconv.Itoa(int(n))
		if len(s) > 3 {
			s = sign + "9…"
		}
		r.PutRight(end, y, style(role), s)
	}
	count(x+4, kit.Good, "+", n.Shown)
	count(x+7, kit.Normal, "-", n.Hidden)
	count(x+10, kit.Changed, "~", n.Redefined)
	switch flag {
	case "✗":
		r.Put(x+10, y, style(kit.Bad), flag)
	case "?":
		r.Put(x+10, y, style(kit.Ask), flag)
	}
}

package board

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Where two connections stand side by side, REVS is two lists, one above the
// other, and always in the same order: the first connection's above. The one
// that is shown has the cursor; the other stands where it was at the same
// moment, so that an open on one is seen to arrive on the other. Where there
// is no room for both, only the one that is shown has its list.

// other is the board of which the second list is drawn: it owns its scroll.
func (b *Board) other() *Board {
	if b.second == nil {
		b.second = New()
		b.second.Explain, b.second.Inspect = nil, nil
		b.second.focus = paneRevs
	}
	b.second.Flag = b.Flag
	return b.second
}

// leastSplit is the least height of REVS that is worth being two lists.
const leastSplit = 9

// split gives the lower or the upper half of REVS to the other connection.
func (l *layout) split(m *moment) {
	at := &l.at[paneRevs]
	if m.c.Other == nil || !at.on || !at.head || l.w < middleColumns || at.body.h < leastSplit {
		return
	}
	all := at.body
	upper := (all.h - 1) / 2
	first := rect{all.x, all.y, all.w, upper}
	second := rect{all.x, all.y + upper + 1, all.w, all.h - upper - 1}
	l.other.on, l.other.head = true, true
	if at.body, l.other.body = first, second; m.c.Side > 0 {
		at.body, l.other.body = second, first
	}
}

// drawOther draws the list of the other connection below its head line, and
// returns that.
func (b *Board) drawOther(r kit.Region, m *moment, l layout) head {
	at := l.other.body
	o := b.other()
	om := o.moment(m.c.Other)
	title, right := o.revHead(om, at.w)
	if at.w >= 44 {
		title += ", s shows it"
	}
	hd := drawHead(r.Sub(at.x, at.y-1, at.w, 1), title, right, false)
	o.drawRevs(r.Sub(at.x, at.y, at.w, at.h), om)
	hd.y, hd.x, hd.end = at.y-1, at.x, at.x+at.w
	hd.left, hd.right = hd.left+at.x, hd.right+at.x
	return hd
}

// clickOther handles a click into that list, or a turn of the wheel there; ok
// is false where x, y is not in it.
func (b *Board) clickOther(l layout, x, y, wheel int, c *view.Context) (do view.Intent, ok bool) {
	at := l.other.body
	at.y, at.h = at.y-1, at.h+1
	if !l.other.on || c.Other == nil || !at.has(x, y) {
		return view.Intent{}, false
	}
	return b.other().ClickRevs(y-at.y, at.h, wheel, c.Other), true
}

// elsewhere leaves out of what ended by itself what the user closed on the
// other connection: it reaches this one as hints (toolhints.md §5).
func (m *moment) elsewhere(ends []timeline.Ended) []timeline.Ended {
	o := m.c.Other
	if o == nil || o.Log == nil || o.Board == nil {
		return ends
	}
	return slices.DeleteFunc(ends, func(e timeline.Ended) bool {
		k := timeline.LaneKey{Conn: o.Board.Conn, Toolset: e.Toolset, Instance: e.Instance}
		by, ok := o.Log.LaneBefore(k, o.At, timeline.ClosedIt)
		if !ok || by.Row < 0 || !strings.HasPrefix(e.ID, " ") { // the server has a record of its own
			return false
		}
		rows, err := o.Log.Rows(by.Row, by.Row+1)
		return err == nil && len(rows) == 1 && rows[0].Carrier == timeline.CarrierClose
	})
}

// ofConn says whose revs a list has, where there are two.
func (m *moment) ofConn(w int) string {
	switch {
	case m.c.Sides < 2:
		return ""
	case w < 36:
	case m.c.Newest != nil && m.c.Newest.Link.Phase == timeline.Closed && m.c.Newest.Conn == m.conn():
		return "  connection " + strconv.Itoa(m.conn()) + " ended"
	default:
		return "  connection " + strconv.Itoa(m.conn())
	}
	return " of " + strconv.Itoa(m.conn())
}

// conn is the connection of the list, at the playhead or, before it began, at
// the end.
func (m *moment) conn() int {
	if m.b.Conn == 0 && m.c.Newest != nil {
		return m.c.Newest.Conn
	}
	return m.b.Conn
}

package wireview

import (
	"strconv"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// lines is how many lines the list has: frames, or those that pass the
// filter.
func (v *View) lines(c *view.Context) int {
	if v.found != nil {
		return v.found.Count()
	}
	return c.Len
}

// frameAt returns the position of the frame that stands in a line.
func (v *View) frameAt(line int) int {
	if v.found != nil {
		return v.found.At(line)
	}
	return line
}

// cursor returns the line of the playhead, or of the last match before it;
// -1: none.
func (v *View) cursor(c *view.Context) int {
	if v.found != nil {
		return v.found.Last(c.At)
	}
	return c.At
}

// settle brings the playhead into sight where it moved, in a list of h lines.
func (v *View) settle(c *view.Context, h int) {
	n, cur := v.lines(c), v.cursor(c)
	// What arrives does not take a list away from who scrolls in it.
	arrived := c.Follow && v.followed
	if (c.At != v.wasAt && !arrived) || (v.found == nil) != v.wasAll {
		v.free = false
	}
	v.followed = c.Follow
	if v.found != nil { // what is found above moves the lines down
		if v.free && v.found.Count() > 0 && v.topFrame >= 0 {
			v.top = max(v.found.Last(v.topFrame), 0)
		}
	}
	v.wasAt, v.wasAll = c.At, v.found == nil
	if !v.free && cur >= 0 {
		switch below := cur - (v.top + h - 1); {
		case cur < v.top-3:
			v.top = cur - h/3
		case cur < v.top:
			v.top = cur
		case below > 3 && cur < n-1:
			v.top = cur - 2*h/3
		case below > 0:
			v.top += below
		}
	}
	v.top = max(min(v.top, n-h), 0)
	v.topFrame = -1
	if v.top < n {
		v.topFrame = v.frameAt(v.top)
	}
}

// drawList draws the rows in sight, and nothing of the others is asked for.
func (v *View) drawList(r kit.Region, c *view.Context, head bool) {
	col := fitColumns(r.W, c)
	if head {
		col.drawHeads(r, 0)
		r = r.Sub(0, 1, r.W, r.H-1)
	}
	v.rows = r.H
	v.settle(c, r.H)
	n := v.lines(c)
	if n == 0 {
		v.drawEmpty(r, c)
		return
	}
	v.memo.begin(c)
	to := min(v.top+r.H, n)
	var rows []int
	for line := v.top; line < to; line++ {
		if e := c.Log.Entry(v.frameAt(line)); e.Row >= 0 {
			for k := 0; k < min(e.Rows, 64); k++ {
				rows = append(rows, e.Row+k)
			}
		}
	}
	v.memo.need(rows)
	first, last := v.pair(c)
	cur := v.cursor(c)
	for line := v.top; line < to; line++ {
		d := drawing{v: v, c: c, col: &col, r: r, y: line - v.top, i: v.frameAt(line), here: line == cur}
		d.bracket(first, last)
		d.row()
	}
}

// pair returns the request and the answer that the playhead stands on, or
// -1, -1.
func (v *View) pair(c *view.Context) (first, last int) {
	if c.At < 0 || c.At >= c.Len {
		return -1, -1
	}
	p := c.Log.Entry(c.At).Pair
	if p < 0 {
		return -1, -1
	}
	return min(p, c.At), max(p, c.At)
}

// drawing draws one row.
type drawing struct {
	v    *View
	c    *view.Context
	col  *columns
	r    kit.Region
	y, i int
	here bool
}

// style dims what comes after the playhead and what the debugger or stderr
// says, and makes the row at the playhead bold.
func (d *drawing) style(role kit.Role) kit.Style {
	if d.i > d.c.At {
		return kit.As(kit.Dim)
	}
	return kit.Style{Role: role, Bold: d.here}
}

// bracket binds the pair of the selection.
func (d *drawing) bracket(first, last int) {
	glyph := ""
	switch {
	case first < 0 || d.i < first || d.i > last:
		return
	case d.i == first:
		glyph = "┌"
	case d.i == last:
		glyph = "└"
	default:
		glyph = "│"
	}
	d.r.Put(1, d.y, kit.As(kit.Rule), glyph)
}

func (d *drawing) row() {
	e := d.c.Log.Entry(d.i)
	h := d.v.memo.headline(d.i, e)
	switch {
	case d.i > d.c.At:
		d.r.Put(0, d.y, kit.As(kit.Dim), "·")
	case d.here && d.v.focus == onList && d.c.Focus:
		d.r.Put(0, d.y, kit.As(kit.Bright), "▌")
	case d.here:
		d.r.Put(0, d.y, kit.As(kit.Normal), "▏")
	}
	col := d.col
	d.r.PutRight(col.num, d.y, d.style(kit.Dim), strconv.FormatInt(e.Seq, 10))
	if col.clock >= 0 {
		d.r.PutRight(col.clock, d.y, d.style(kit.Dim), inspector.Clock(e.T))
	}
	d.what(h, e)
	if col.id >= 0 {
		d.r.PutCut(col.id, d.y, col.ids, d.style(kit.Normal), h.ID)
	}
	if col.took >= 0 {
		d.took(h)
	}
	if col.size >= 0 && (h.Size > 0 || e.Dir != timeline.Note) {
		d.r.PutRight(col.size, d.y, d.style(kit.Normal), inspector.Size(int64(e.Size)))
	}
	d.changed(h, e)
}

// what draws the arrow and what the frame says; an answer stands under what
// it answers.
func (d *drawing) what(h inspector.Headline, e timeline.Entry) {
	role := kit.Normal
	switch e.Dir {
	case timeline.In:
		role = kit.Server
	case timeline.Err, timeline.Note:
		role = kit.Dim
	}
	d.r.Put(d.col.arrow, d.y, d.style(role), h.Arrow)
	if d.col.conn >= 0 {
		d.r.PutCut(d.col.conn, d.y, d.col.what-d.col.conn-1, d.style(kit.Dim), strconv.Itoa(e.Conn))
	}
	x, room := d.col.what, d.col.wide
	if h.Indent {
		x, room = x+2, room-2
	}
	role = kit.Normal
	switch {
	case e.Dir == timeline.Note && strings.HasPrefix(h.What, "connect "): // the seam
		role = kit.Title
	case e.Dir == timeline.Err, e.Dir == timeline.Note && !strings.HasPrefix(h.What, "mark"):
		role = kit.Dim
	case strings.HasPrefix(h.What, "!"):
		role = kit.Bright
	}
	text := h.Text()
	if w := d.fate(h, e); w != "" {
		text += "  " + w
	}
	what := kit.Clean(h.What)
	text = kit.Cut(kit.Clean(text), room)
	if role == kit.Bright && strings.HasPrefix(text, what) {
		d.r.Put(d.r.Put(x, d.y, d.style(kit.Bright), what), d.y, d.style(kit.Normal), text[len(what):])
		return
	}
	d.r.Put(x, d.y, d.style(role), text)
}

// open returns how long a request has been open at the moment that is shown;
// ok is false where it is not. In a recording the moment is the playhead's.
func (d *drawing) open(h inspector.Headline) (age time.Duration, ok bool) {
	conn := d.c.Log.Entry(d.i).Conn
	b := d.c.NewestOf(conn)
	if d.c.Replay {
		b = d.boardOf(conn)
		if d.i > d.c.At {
			return 0, false
		}
	}
	if !h.Asked || b == nil || b.Link.Closed != nil {
		return 0, false
	}
	for _, list := range [][]timeline.Call{b.Calls, b.Asks} {
		for k := range list {
			if call := &list[k]; call.Index == d.i && !call.Cancelled && !call.TimedOut && !call.Failed {
				return d.c.Now - call.T, true
			}
		}
	}
	return 0, false
}

// fate says what became of a request that has no answer and waits for none.
func (d *drawing) fate(h inspector.Headline, e timeline.Entry) string {
	if !h.Asked || e.Pair >= 0 {
		return ""
	}
	if d.c.Newest == nil {
		return ""
	}
	b := d.c.NewestOf(e.Conn)
	if b != nil {
		for k := range b.Calls {
			switch call := &b.Calls[k]; {
			case call.Index != d.i:
			case call.TimedOut: // which the debugger cancels then
				return "timed out"
			case call.Cancelled:
				return "cancelled"
			case call.Failed:
				return "failed"
			}
		}
	}
	if b == nil || b.Link.Closed != nil {
		return "no answer"
	}
	return ""
}

// boardOf is the state at the playhead of a connection that stands there, nil
// for others.
func (d *drawing) boardOf(conn int) *timeline.Board {
	switch o := d.c.Other; {
	case d.c.Board != nil && d.c.Board.Conn == conn:
		return d.c.Board
	case o != nil && o.Board != nil && o.Board.Conn == conn:
		return o.Board
	}
	return nil
}

// took draws how long an answer took, or how long a request has been open.
func (d *drawing) took(h inspector.Headline) {
	if h.HasTook {
		d.r.PutRight(d.col.took, d.y, d.style(kit.Normal), inspector.Took(h.Took))
		return
	}
	if age, ok := d.open(h); ok {
		st := kit.As(kit.Bright)
		if d.i > d.c.At {
			st = kit.As(kit.Normal)
		}
		d.r.PutRight(d.col.took, d.y, st, "⋯ "+inspector.Took(age))
	}
}

// changed draws REV and CHANGED.
func (d *drawing) changed(h inspector.Headline, e timeline.Entry) {
	if d.col.rev < 0 {
		return
	}
	flag := ""
	if d.flagged(h, e) {
		flag = "✗"
	}
	if e.Row < 0 {
		if d.col.signs >= 0 {
			drawSigns(d.r, d.col.signs, d.y, timeline.Counts{}, flag, d.style)
		}
		return
	}
	s := d.v.memo.rows[e.Row]
	rev := "–"
	if s.rev > 0 {
		rev = strconv.FormatInt(s.rev, 10)
	}
	if e.Rows > 1 {
		rev += "…"
	}
	d.r.PutRight(d.col.rev, d.y, d.style(kit.Bright), rev)
	if d.col.signs < 0 {
		return
	}
	n := s.counts
	for k := 1; k < min(e.Rows, 64); k++ {
		more := d.v.memo.rows[e.Row+k]
		add(&n, more.counts)
	}
	if flag == "" && n.Suggested > 0 {
		flag = "?"
	}
	drawSigns(d.r, d.col.signs, d.y, n, flag, d.style)
}

// flagged reports whether a finding speaks of the frame.
func (d *drawing) flagged(h inspector.Headline, e timeline.Entry) bool {
	if d.v.Flag != nil {
		return d.v.Flag(d.i)
	}
	if h.Outcome == inspector.Broken && e.Dir == timeline.In {
		return true
	}
	for k := 0; k < min(e.Rows, 64) && e.Row >= 0; k++ {
		if d.v.memo.rows[e.Row+k].flag == "✗" {
			return true
		}
	}
	return false
}

func add(n *timeline.Counts, m timeline.Counts) {
	n.Opened += m.Opened
	n.Closed += m.Closed
	n.Shown += m.Shown
	n.Hidden += m.Hidden
	n.Redefined += m.Redefined
	n.Suggested += m.Suggested
}

package findings

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// columns are the right edges of the numbers of a list.
type columns struct {
	frame, count, rev int
}

// columns fits the columns to a width, and to the highest count.
func (v *View) columns(w int) columns {
	c := columns{frame: w - 8, count: w - 6, rev: w - 1}
	for i := range v.rows {
		if r := &v.rows[i]; r.finding >= 0 && r.n > 1 {
			c.frame = min(c.frame, c.count-len(strconv.Itoa(r.n))-2)
		}
	}
	if w < narrow-20 { // one narrow column
		c.frame = 0
	}
	return c
}

// drawList draws the list, and what was looked at below it.
func (v *View) drawList(r kit.Region, c *view.Context) {
	col := v.columns(r.W)
	v.head = 0
	if len(v.book.all) == 0 || v.findings() == 0 && v.query.Empty() || len(v.rows) == 0 {
		v.drawEmpty(r, c)
		if len(v.rows) == 0 {
			return
		}
		r = r.Sub(0, v.head, r.W, max(r.H-v.head, 0))
	}
	roomy := r.H >= airy && r.W >= 36
	if r.H >= 8 && r.W >= 36 {
		y := 0
		if roomy && v.head == 0 {
			y = 1
		}
		r.Put(1, y, kit.As(kit.Dim), "RULE")
		r.PutRight(col.count, y, kit.As(kit.Dim), "COUNT")
		r.PutRight(col.rev, y, kit.As(kit.Dim), "REV")
		if y++; roomy {
			y++
		}
		v.head += y
		r = r.Sub(0, y, r.W, r.H-y)
	}
	foot := v.footRows()
	if !roomy && (r.W < 36 || len(v.rows)+foot > r.H) {
		foot = 0
	}
	h := max(r.H-foot, 1)
	y := v.drawRows(r.Sub(0, 0, r.W, h), c, col, roomy)
	if foot > 0 {
		v.drawFoot(r.Sub(0, min(y, h), r.W, foot), c, col)
	}
}

// drawRows draws the rows in sight, and returns the line after the last.
func (v *View) drawRows(r kit.Region, c *view.Context, col columns, roomy bool) int {
	gap := func(i int) int {
		if roomy && v.rows[i].apart {
			return 1
		}
		return 0
	}
	h := r.H
	for i := range v.rows {
		h -= gap(i) // at most one
	}
	cur := v.selected()
	if !v.free && cur >= 0 {
		v.top = max(min(v.top, cur), cur-h+1)
		if cur < 3 {
			v.top = 0
		}
	}
	v.top = max(min(v.top, len(v.rows)-h), 0)
	y := 0
	for i := v.top; i < len(v.rows) && y < r.H; i++ {
		if i > v.top {
			y += gap(i)
		}
		if y >= r.H {
			break
		}
		v.drawRow(r, y, c, col, &v.rows[i], i == cur)
		y++
	}
	return y
}

func (v *View) drawRow(r kit.Region, y int, c *view.Context, col columns, w *row, here bool) {
	switch {
	case here && v.focus == onList && c.Focus:
		r.Put(0, y, kit.As(kit.Bright), "▌")
	case here:
		r.Put(0, y, kit.As(kit.Normal), "▏")
	}
	st := kit.Style{Role: kit.Normal, Bold: here}
	if !w.loud {
		st.Role = kit.Dim
	}
	switch {
	case w.finding >= 0:
		v.drawFinding(r, y, c, col, w, st)
	case w.rule != "":
		if w.n > 0 {
			r.Put(2, y, kit.As(kit.Dim), label.FoldSign(w.folded))
		}
		r.PutCut(4, y, col.count-8, st, w.rule)
		r.PutRight(col.count, y, st, none(w.n))
	default:
		r.Put(1, y, kit.As(kit.Dim), label.FoldSign(w.folded))
		x := r.Put(3, y, st, string(w.chapter))
		if at := 12; r.W >= 36 && x < at {
			r.PutRight(at+8, y, kit.As(kit.Dim), fmt.Sprintf("%d rules", w.rules))
		}
		count := none(w.n)
		if w.n > 0 && !w.loud {
			count = none(w.things) + " info"
			if w.quiet {
				count = none(w.n)
			}
		}
		r.PutRight(col.count, y, st, count)
	}
}

func none(n int) string {
	if n == 0 {
		return "none"
	}
	return strconv.Itoa(n)
}

// drawFinding draws the row of one finding: what it is about, its frame, how
// often it was seen, and its rev.
func (v *View) drawFinding(r kit.Region, y int, c *view.Context, col columns, w *row, st kit.Style) {
	f := &v.book.all[w.finding]
	later, muted := f.Index > c.At, v.book.muted[identOf(f)]
	sign := kit.As(kit.Bad)
	if later || muted {
		st.Role, sign = kit.Dim, kit.As(kit.Dim)
	}
	if f.Level == conform.Info {
		sign = kit.As(kit.Dim)
	}
	if later {
		r.Put(3, y, kit.As(kit.Dim), "·")
	}
	r.Put(5, y, sign, "✗")
	end := col.count - 3
	if col.frame > 0 {
		frame := "frame " + strconv.FormatInt(f.Seq, 10)
		r.PutRight(col.frame, y, kit.Style{Role: kit.Dim, Bold: st.Bold}, frame)
		end = col.frame - len(frame) - 1
	}
	if f.Count > 1 {
		r.PutRight(col.count, y, st, strconv.Itoa(f.Count))
	}
	name := v.name(f)
	if muted {
		name = "muted: " + name
	}
	r.PutCut(7, y, max(end-7, 4), st, name)
	if f.Rev != nil {
		r.PutRight(col.rev, y, st, label.Rev(f.Conn, *f.Rev))
	}
}

// name says in a few words what a finding is about: the thing, or, where it
// names none, the frame that shows it.
func (v *View) name(f *conform.Finding) string {
	if s := Name(f); s != "" {
		return s
	}
	if text, ok := v.names[f.Index]; ok {
		return text
	}
	text := ""
	if v.log != nil && f.Index >= 0 && f.Index < v.log.Len() {
		h := inspector.HeadlineOf(v.log, f.Index)
		if text = label.FirstLine(strings.TrimPrefix(h.Text(), "! ")); h.Indent && h.Method != "" {
			text = "answer to " + label.Peer(h.Method)
		}
	}
	if len(v.names) > 1024 {
		v.names = map[int]string{}
	}
	v.names[f.Index] = text
	return text
}

// Name names the thing that a finding is about, "" for none: "game, undo".
func Name(f *conform.Finding) string {
	set, in, tool := deref(f.Toolset), deref(f.Instance), deref(f.Tool)
	switch {
	case set != "" && tool != "":
		return label.Peer(set) + ", " + label.Name("", in, tool)
	case set+in+tool != "":
		return strings.TrimSpace(label.Name(set, in, tool))
	}
	return ""
}

// levels are the levels with what they mean.
var levels = []struct {
	level conform.Level
	means string
}{{conform.Error, "breaks a rule"}, {conform.Warning, "risks harm"}, {conform.Info, "worth knowing"}}

// footRows is how many rows stand below the list.
func (v *View) footRows() int {
	n := 7
	if v.book.n.muted > 0 {
		n++
	}
	if v.book.times > len(v.book.marks) {
		n++
	}
	if v.book.inPart > 0 {
		n++
	}
	return n
}

// drawFoot draws how many findings there are of each level, and what was
// looked at.
func (v *View) drawFoot(r kit.Region, c *view.Context, col columns) {
	n := v.book.n
	r.Put(1, 1, kit.As(kit.Title), "LEVELS")
	y := 2
	for _, l := range levels {
		r.Put(3, y, kit.As(kit.Normal), l.level.String())
		r.Put(13, y, kit.As(kit.Dim), l.means)
		r.PutRight(col.count, y, kit.As(kit.Normal), strconv.Itoa(n.level[l.level]))
		y++
	}
	if n.muted > 0 {
		r.Put(3, y, kit.As(kit.Normal), "muted")
		words := ". shows them"
		if v.muted {
			words = ". hides them"
		}
		r.Put(13, y, kit.As(kit.Dim), words)
		r.PutRight(col.count, y, kit.As(kit.Normal), strconv.Itoa(n.muted))
		y++
	}
	r.Put(1, y+1, kit.As(kit.Title), "LOOKED AT")
	r.PutCut(13, y+1, r.W-14, kit.As(kit.Normal), v.lookedAt(c))
	y += 2
	if k := v.book.inPart; k > 0 {
		r.Put(1, y, kit.As(kit.Title), "IN PART")
		r.PutCut(13, y, r.W-14, kit.As(kit.Normal), inspector.Count(k, "frame")+" of very many values")
		y++
	}
	if k := len(v.book.marks); v.book.times > k {
		r.Put(1, y, kit.As(kit.Title), "MARKED")
		r.PutCut(13, y, r.W-14, kit.As(kit.Normal), fmt.Sprintf("the first %d of %d", k, v.book.times))
	}
}

// lookedAt says what was judged: "96 frames, 41 revs".
func (v *View) lookedAt(c *view.Context) string {
	if b := v.book; b.looked < b.there {
		return fmt.Sprintf("%d of %s", b.looked, inspector.Count(b.there, "frame"))
	}
	return inspector.Count(c.Len, "frame") + ", " + inspector.Count(c.Rows, "rev")
}

// drawEmpty says why the list is empty, and what would fill it.
func (v *View) drawEmpty(r kit.Region, c *view.Context) {
	n := v.book.n
	text := fmt.Sprintf("None in %s and %s. mcpl-tui check judges by the same rules.", inspector.Count(c.Len, "frame"), inspector.Count(c.Rows, "rev"))
	switch {
	case !v.query.Empty():
		l := v.list()
		text = l.NoMatch(&v.query, v.findings())
	case v.book.failed != "":
		text = "Frames cannot be judged: " + v.book.failed
	case v.book.looked < v.book.there:
		text = fmt.Sprintf("None so far: %d of %s are judged.", v.book.looked, inspector.Count(v.book.there, "frame"))
	case n.muted > 0:
		text = fmt.Sprintf("All %d are muted. . shows them, M unmutes one.", n.muted)
	}
	y := 1
	if r.H < 8 {
		y = 0
	}
	for _, line := range kit.Wrap(text, max(r.W-2, 8)) {
		r.Put(1, y, kit.As(kit.Normal), line)
		y++
	}
	v.head = min(y+1, r.H)
}

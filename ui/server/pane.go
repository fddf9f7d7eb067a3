package server

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/search"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// place is a row of a pane: a section by its key, and a row of it, -1 for its
// head.
type place struct {
	key string
	n   int
}

// blankRow is the place of a row that parts two sections.
const blankRow = -2

// column is a pane of sections: one of the two columns, or both in one. Its
// cursor stands on a row; it is kept by section, so that it stays on its row
// whatever comes before it.
type column struct {
	keys  []string // of the sections that may stand here
	at    place
	moved bool // the cursor was moved by hand
	// follows says that the last row is where the cursor rests, for new ones
	// come at the end; atEnd that it is there.
	follows, atEnd bool
	pinned         bool // the row of the cursor stands at the top, whatever comes below
	top            int
	free           bool // scrolled by the wheel, away from the cursor
	// reveal is set when the section of the cursor was unfolded: as much of
	// it as there is room for comes into sight.
	reveal bool
	w, h   int
	list   []place // what was drawn last
	find   search.Line
}

// airFrom is how many rows a column needs for blank ones between sections.
const airFrom = 20

// lay lists the rows of the column: heads, and the rows of what is unfolded.
func (p *column) lay(v *View, c *view.Context) {
	p.list = p.list[:0]
	for _, key := range p.keys {
		sec := v.sheet.told[key]
		if sec == nil {
			continue
		}
		if len(p.list) > 0 && p.h >= airFrom && p.list[len(p.list)-1].n >= 0 {
			p.list = append(p.list, place{key, blankRow})
		}
		p.list = append(p.list, place{key, -1})
		if v.folded(key) {
			continue
		}
		for n := range v.sheet.rows(v, c, key, p.w) {
			p.list = append(p.list, place{key, n})
		}
	}
}

// cursor returns which row of the list the cursor is on, -1 for none. Where
// its row is gone it is on the one that is left of its section.
func (p *column) cursor() int {
	best := -1
	for i, at := range p.list {
		if at.n == blankRow {
			continue
		}
		if at.key == p.at.key && at.n <= p.at.n {
			best = i
		}
		if best < 0 {
			best = i // the first row, until there is a better one
		}
	}
	return best
}

// rest puts the cursor of a column that was not moved yet where it is of most
// use: on the first thing that can be done, else on the first head.
func (p *column) rest() {
	if p.follows && len(p.list) > 0 && (p.atEnd || !p.moved) {
		p.at = p.list[len(p.list)-1]
		return
	}
	if p.moved || len(p.list) == 0 {
		return
	}
	p.at = p.list[0]
	if _, connection := connectionKeys[p.at.key]; !connection && len(p.list) > 1 && p.list[1].n >= 0 {
		p.at = p.list[1] // what enter has a use for
	}
	if p.at.key == keyEnd && len(p.list) > 1 && p.list[1].key == keyEnd {
		p.at = p.list[1]
	}
}

func (p *column) draw(r kit.Region, v *View, c *view.Context, focus bool) {
	p.w, p.h = r.W, r.H
	rows := r.H
	if p.find.Shown() && r.H > 1 {
		rows--
		p.find.Draw(r, rows, focus)
	}
	p.lay(v, c)
	p.rest()
	p.scroll(rows)
	cur := p.cursor()
	p.atEnd = p.follows && cur == len(p.list)-1
	for y := 0; y < rows && p.top+y < len(p.list); y++ {
		i := p.top + y
		p.row(r, y, v, c, p.list[i])
		if i == cur {
			mark := "▏"
			if focus {
				mark = "▌"
			}
			r.Put(0, y, kit.As(kit.Bright), mark)
		}
	}
}

// scroll keeps the cursor in sight.
func (p *column) scroll(rows int) {
	if cur := p.cursor(); cur >= 0 && !p.free {
		if cur < p.top {
			p.top = cur
		}
		if cur >= p.top+rows {
			p.top = cur - rows + 1
		}
		if p.reveal {
			last := cur
			for last+1 < len(p.list) && p.list[last+1].key == p.at.key {
				last++
			}
			p.top = max(p.top, min(cur, last-rows+1))
		}
	}
	if cur := p.cursor(); p.pinned && cur >= 0 {
		p.top = cur
	}
	p.reveal = false
	p.top = max(min(p.top, len(p.list)-rows), 0)
}

func (p *column) row(r kit.Region, y int, v *View, c *view.Context, at place) {
	switch {
	case at.n == blankRow:
	case at.n < 0:
		p.head(r, y, v, v.sheet.told[at.key])
	default:
		rows := v.sheet.rows(v, c, at.key, p.w)
		rows[at.n].draw(r, y)
		mark(&p.find, r, y, rows[at.n].pieces...)
	}
}

// The columns of a section's note, behind the longest head.
const (
	noteX       = 19
	noteXNarrow = 16
)

// head draws the head of a section: whether it is folded, its name, and the
// whole of it in a few words.
func (p *column) head(r kit.Region, y int, v *View, sec *inspector.ServerSection) {
	glyph := "▾"
	if v.folded(sec.Key) {
		glyph = "▸"
	}
	r.Put(1, y, kit.As(kit.Normal), glyph)
	x := r.PutCut(3, y, r.W-3, kit.As(kit.Title), sec.Head)
	from := noteX
	if r.W < narrowFrom {
		from = noteXNarrow
	}
	x = max(x+1, from)
	p.find.Mark(r, 3, y, sec.Head)
	if x < r.W-4 {
		r.PutCut(x, y, r.W-x-1, noteStyle(sec.Note), sec.Note)
	}
}

func noteStyle(note string) kit.Style {
	switch {
	case strings.Contains(note, "✗"):
		return kit.As(kit.Bad)
	case strings.HasPrefix(note, "!"), strings.HasPrefix(note, "◌"):
		return kit.As(kit.Bright)
	}
	return kit.As(kit.Dim)
}

// above and below count the rows out of sight.
func (p *column) above() int { return p.top }

func (p *column) below() int {
	rows := p.h
	if p.find.Shown() && p.h > 1 {
		rows--
	}
	return max(len(p.list)-p.top-rows, 0)
}

// move moves the cursor by some rows; blank ones do not count.
func (p *column) move(by int) {
	p.free, p.moved, p.atEnd, p.pinned = false, true, false, false
	i, step := p.cursor(), 1
	if by < 0 {
		step, by = -1, -by
	}
	for ; by > 0 && i >= 0; by-- {
		k := i + step
		for k >= 0 && k < len(p.list) && p.list[k].n == blankRow {
			k += step
		}
		if k < 0 || k >= len(p.list) {
			break
		}
		i = k
	}
	if i >= 0 {
		p.at = p.list[i]
	}
}

// selected returns the row under the cursor: its place, and, where it is no
// head, the row.
func (p *column) selected(v *View, c *view.Context) (at place, r *row) {
	i := p.cursor()
	if i < 0 {
		return place{}, nil
	}
	at = p.list[i]
	if rows := v.sheet.rows(v, c, at.key, p.w); at.n >= 0 && at.n < len(rows) {
		r = &rows[at.n]
	}
	return at, r
}

// text is a section as text, for copying.
func (v *View) text(c *view.Context, key string) string {
	sec := v.sheet.told[key]
	var b strings.Builder
	b.WriteString(kit.Clean(sec.Head) + "   " + kit.Clean(sec.Note) + "\n")
	rows := v.sheet.rows(v, c, key, copiedWidth)
	for i := range rows {
		b.WriteString(strings.TrimRight(rows[i].plain(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

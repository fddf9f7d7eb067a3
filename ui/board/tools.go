package board

import (
	"fmt"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// grid is where the columns of TOOLS stand: one dot column for all groups.
type grid struct {
	c0   int // where the first cell begins: its signs; its dot is two further
	cw   int // columns from one cell to the next
	n    int // cells in sight
	desc bool
	form cellForm
}

// cellForm is how wide a cell is set.
type cellForm struct {
	step   int // columns from one sign to the next
	words  int // where words beside it begin, from its first column
	indent int // of tools, in addition
}

// The forms of a cell: "+~●", and, on a stage, "+ ~ ●".
var (
	closeCell  = cellForm{step: 1, words: 5}
	spacedCell = cellForm{step: 2, words: 7}
	wideCell   = cellForm{step: 2, words: 9, indent: 2}
)

// dot is the column of the dot, from the cell's first one.
func (f cellForm) dot() int { return 2 * f.step }

// Columns of TOOLS. A name begins at 5, its ✗ stands at 3.
const (
	nameX      = 5
	markX      = 3
	descX      = 17 // of tools
	groupX     = 4
	groupDescX = 11
	sectX      = 3
	sectDescX  = 13
)

// gridOf lays the columns out for what is declared, not for what is open, so
// that cells do not move when something opens.
func (m *moment) gridOf(l layout, w int) grid {
	g := grid{desc: l.desc && w >= 54, cw: 10, form: closeCell}
	if l.stage {
		g.form = spacedCell
	}
	switch {
	case g.desc && l.stage && w >= aloneColumns:
		g.form, g.cw, g.c0 = wideCell, 15, 46
	case g.desc:
		if w >= 60 || l.stage {
			g.cw = 11
		}
		g.c0 = min(w-2*g.cw, 44)
	default:
		g.c0 = min(20, max(w-15, 8))
		room := w - g.cw
		for i := range m.b.Toolsets {
			if m.b.Toolsets[i].HasInstances {
				room = w - 2*g.cw
				break
			}
		}
		if long := nameX + m.longest() + 2; long > g.c0 {
			g.c0 = max(g.c0, min(long, room))
		}
	}
	g.n = max((w-g.c0+1)/g.cw, 1)
	return g
}

// longest is the width of the longest name of a tool.
func (m *moment) longest() int {
	n := 0
	each := func(tools []timeline.Tool) {
		for i := range tools {
			n = max(n, kit.Width(tools[i].Name))
		}
	}
	each(m.b.Static)
	each(m.b.Loose)
	for i := range m.b.Toolsets {
		each(m.b.Toolsets[i].Tools)
	}
	return n
}

// x returns where cell k begins.
func (g grid) x(k int) int { return g.c0 + k*g.cw }

// toolView is what of TOOLS is in sight: the heads of the section and the
// group that the first line belongs to stay at the top.
type toolView struct {
	sticky       []int
	top, end     int // lines top ≤ i < end below the sticky ones
	above, below int // lines out of sight, blank ones not counted
}

// toolView brings the scroll to the cursor, unless it was scrolled away from
// it, and returns what is in sight in h lines.
func (b *Board) toolView(m *moment, l layout, h int) toolView {
	rows := m.rows
	cur := find(rows, b.sel)
	if len(rows) <= h {
		b.top = 0
	}
	if cur >= 0 && !b.free {
		if cur < b.top {
			b.top = cur
		}
		for b.top < cur && cur >= b.view(rows, h).end {
			b.top++
		}
	}
	b.top = max(min(b.top, len(rows)-1), 0)
	for b.top > 0 && b.view(rows, h).end >= len(rows) && b.fits(rows, b.top-1, h) {
		b.top--
	}
	v := b.view(rows, h)
	for i := range rows {
		switch {
		case rows[i].kind == rowBlank || rows[i].kind == rowTitles:
		case i < v.top && !contains(v.sticky, i):
			v.above++
		case i >= v.end:
			v.below++
		}
	}
	return v
}

// fits reports whether all lines from top on can be seen in h lines.
func (b *Board) fits(rows []row, top, h int) bool {
	return len(stickyAt(rows, top, h))+len(rows)-top <= h
}

func (b *Board) view(rows []row, h int) toolView {
	v := toolView{sticky: stickyAt(rows, b.top, h), top: b.top}
	v.end = min(v.top+max(h-len(v.sticky), 0), len(rows))
	return v
}

// stickyAt returns the heads that stay above line top. They leave at least
// one line to what scrolls.
func stickyAt(rows []row, top, h int) []int {
	if top <= 0 || top >= len(rows) {
		return nil
	}
	var out []int
	for _, i := range []int{rows[top].sect, rows[top].group} {
		if i >= 0 && i < top && len(out)+2 <= h {
			out = append(out, i)
		}
	}
	return out
}

func contains(list []int, i int) bool {
	for _, k := range list {
		if k == i {
			return true
		}
	}
	return false
}

func (b *Board) drawTools(r kit.Region, m *moment, l layout) {
	g := m.gridOf(l, r.W)
	v := b.toolView(m, l, r.H)
	cur := find(m.rows, b.sel)
	y := 0
	draw := func(i int) {
		b.drawToolRow(r, y, m, l, g, &m.rows[i], i == cur)
		y++
	}
	for _, i := range v.sticky {
		draw(i)
	}
	for i := v.top; i < v.end; i++ {
		draw(i)
	}
	if v.above == 0 && v.below == 0 && m.b.ListAt >= 0 && !(l.air > noAir && drawCaption(r, y)) {
		drawLegend(r, l, y)
	}
}

func (b *Board) drawToolRow(r kit.Region, y int, m *moment, l layout, g grid, w *row, selected bool) {
	if selected && b.last == paneTools {
		b.drawMark(r, y, m, paneTools)
	}
	selected = selected && b.last == paneTools
	switch w.kind {
	case rowSection:
		b.drawSection(r, y, m, l, g, w)
	case rowGroup:
		b.drawGroup(r, y, m, g, w, selected)
	case rowTitles:
		b.drawTitles(r, y, m, g, w)
	case rowTool:
		b.drawTool(r, y, m, g, w, selected)
	case rowEnded:
		m.drawEndedRow(r, y, g, w)
	case rowNote:
		r.PutCut(groupX, y, r.W-groupX, kit.As(kit.Dim), w.text)
	}
}

func (b *Board) drawSection(r kit.Region, y int, m *moment, l layout, g grid, w *row) {
	r.Put(1, y, kit.As(kit.Dim), label.FoldSign(w.folded))
	if w.sel.Kind == OnDynamic {
		r.Put(sectX, y, kit.As(kit.Title), "DYNAMIC")
		if g.desc && l.tall {
			r.PutCut(sectDescX, y, g.c0-1-sectDescX, kit.As(kit.Dim), "told rev by rev")
		}
		n, all := m.dynamicCount()
		r.PutCut(g.c0, y, r.W-g.c0, kit.As(kit.Normal), fmt.Sprintf("%d of %d usable", n, all))
		return
	}
	r.Put(sectX, y, kit.As(kit.Title), "STATIC")
	if !w.folded {
		if g.desc && l.tall {
			r.PutCut(sectDescX, y, g.c0-1-sectDescX, kit.As(kit.Dim), "in every prompt")
		}
		r.PutCut(g.c0, y, r.W-g.c0, kit.As(kit.Dim), m.headCost(r.W-g.c0))
		return
	}
	if g.desc {
		r.PutCut(groupDescX, y, g.c0-1-groupDescX, kit.As(kit.Normal), names(w.tools))
	}
	if len(w.tools) > 0 {
		m.drawFoldedCell(r, y, g, w)
	}
	cost := m.headCost(r.W - g.c0 - g.form.words + 1)
	x := min(r.W-kit.Width(cost), g.c0+g.form.words)
	r.PutCut(x, y, r.W-x, kit.As(kit.Dim), cost)
}

// headCost says what the head costs in each prompt, and how often it was
// built anew, in the longest words that fit into w cells.
func (m *moment) headCost(w int) string {
	cost := inspector.HeadTokens(m.b)
	if m.c.Log == nil {
		return cost
	}
	n := m.c.Log.CostAt(m.c.At).Rebuilds
	for _, words := range []string{fmt.Sprintf("%s, %d rebuilt", cost, n), fmt.Sprintf("%s %d rebuilt", cost, n)} {
		if kit.Width(words) <= w {
			return words
		}
	}
	return cost
}

// drawEndedRow draws ENDED where OPEN has no place of its own.
func (m *moment) drawEndedRow(r kit.Region, y int, g grid, w *row) {
	x := g.c0 + g.form.dot()
	if w.ended == nil {
		r.Put(groupX, y, kit.As(kit.Dim), "ENDED")
		r.PutCut(x, y, r.W-x, kit.As(kit.Dim), noneEnded)
		return
	}
	if y == 0 || w.ended == &m.ends[len(m.ends)-1] {
		r.Put(groupX, y, kit.As(kit.Normal), "ENDED")
	}
	r.PutCut(x, y, r.W-x, kit.As(kit.Normal), m.endedText(w.ended))
}

const noneEnded = "by itself: none so far"

// legendRows is the whole legend of a tall board, below its rule.
var legendRows = [...][2]string{
	{"●  usable now", "○  not now"},
	{"+  -  came, went", "~  redefined   (this rev)"},
	{"≠  not as declared", "✗  a finding"},
	{"?  the server suggests", "◆ ◇  opened, closed"},
}

// stageLegend is the legend of TOOLS on a stage, in one line; its end goes
// where it does not fit.
var stageLegend = [...]string{
	"● usable", "○ not now", "+ - came, went", "~ redefined by this rev", "≠ not as declared", "✗ a finding",
}

// captionRows is what it takes, with the blank line above it.
const captionRows = 2

// drawCaption puts the legend of a stage below the rows, with air above. It
// reports false where there is no room for it.
func drawCaption(r kit.Region, y int) bool {
	if y+1 >= r.H {
		return false
	}
	x := 3
	for _, words := range stageLegend {
		if x+kit.Width(words) > r.W-3 {
			break
		}
		x = r.Put(x, y+1, kit.As(kit.Dim), words) + 3
	}
	return true
}

// drawLegend fills spare lines from y on with what the signs mean.
func drawLegend(r kit.Region, l layout, y int) {
	spare, dim := r.H-y, kit.As(kit.Dim)
	if l.tall && spare > len(legendRows)+1 && r.W >= 52 {
		at := r.H - len(legendRows) - 1
		r.Fill(1, at, r.W-2, dim, "┄")
		for i, words := range legendRows {
			r.Put(2, at+1+i, dim, words[0])
			r.Put(27, at+1+i, dim, words[1])
		}
		return
	}
	first, second := "● usable  ○ not now  + - ~ changed by this rev", "≠ not as declared   ✗ finding   ? suggestion"
	if r.W < kit.Width(first)+2 || spare < 2 || l.single && l.tight {
		return
	}
	if more := "  ? suggestion"; r.W >= kit.Width(first+more)+2 {
		first += more
		second = strings.TrimSuffix(second, "   ? suggestion")
	}
	if spare < 3 {
		r.Put(2, r.H-1, dim, first)
		return
	}
	r.Put(2, r.H-2, dim, first)
	r.Put(2, r.H-1, dim, second)
}

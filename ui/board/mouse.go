package board

import (
	"github.com/mcpl-tui/mcpl-tui/ui/revs"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// wheelLines is how far one turn of the wheel scrolls.
const wheelLines = 3

// Click handles a click at cell x, y of the body, or a turn of the wheel
// there. A click selects, as moving there would; it opens nothing.
func (b *Board) Click(x, y, wheel int, c *view.Context) view.Intent {
	m := b.moment(c)
	l := b.settle(m)
	if do, ok := b.clickOther(l, x, y, wheel, c); ok {
		return do
	}
	p, ok := l.paneAt(x, y)
	if !ok {
		return view.Intent{}
	}
	at := l.at[p].body
	if wheel != 0 {
		b.wheel(m, l, p, wheel)
		return view.Intent{}
	}
	b.focus = p
	if p != paneInspect {
		b.last = p
	}
	x, y = x-at.x, y-at.y
	if y < 0 {
		return view.Intent{} // its head line
	}
	switch p {
	case paneRevs:
		return b.clickRev(m, at.h, y)
	case paneTools:
		b.clickTool(m, l, at, x, y)
	case paneOpen:
		b.open.click(m.openLines(at.w, l), y)
	case paneSuggested:
		b.sugg.click(m.suggestedLines(at.w), y)
	}
	return view.Intent{}
}

func (b *Board) clickRev(m *moment, h, y int) view.Intent {
	v := b.revView(m, h)
	if y >= v.n {
		return view.Intent{}
	}
	n, _ := v.row(v.top + y)
	if n < 0 || n == m.cur {
		return view.Intent{}
	}
	return revs.GoTo(m.c, m.row, n)
}

// clickTool selects a line, the column that was hit, or, on the sign of a
// group, folds it.
func (b *Board) clickTool(m *moment, l layout, at rect, x, y int) {
	v := b.toolView(m, l, at.h)
	i := v.top + y - len(v.sticky)
	if y < len(v.sticky) {
		i = v.sticky[y]
	}
	if i < 0 || i >= v.end || m.rows[i].sel.Kind == OnNothing {
		return
	}
	b.free = false
	r := &m.rows[i]
	b.lastAt, b.sel, b.before = i, b.on(r, Selection{}), Selection{}
	if (r.kind == rowGroup && x <= groupX-1) || (r.kind == rowSection && x <= sectX-1) {
		b.folds[foldKey(r)] = !r.folded
		return
	}
	if r.set == nil || !r.set.HasInstances || r.folded {
		return
	}
	g := m.gridOf(l, at.w)
	k := (x - g.c0 + 1) / g.cw
	if x < g.c0-1 || k >= g.n {
		return
	}
	if k += b.columnTop(r.set, g); k < len(r.set.Instances) {
		name := r.set.Instances[k].Name
		b.chosen[r.set.Name] = name
		b.sel.Instance = name
		if r.kind == rowGroup {
			b.sel.Kind = OnInstance
		}
	}
}

func (l *list) click(lines []line, y int) {
	if i := l.top + y; i < len(lines) && lines[i].sel.Kind != OnNothing {
		l.sel, l.free = lines[i].sel, false
	}
}

// wheel scrolls the pane under the pointer; the cursor stays where it is.
func (b *Board) wheel(m *moment, l layout, p pane, n int) {
	by := n * wheelLines
	switch p {
	case paneRevs:
		b.revView(m, l.at[p].body.h)
		b.revs.free = true
		b.revs.top = max(b.revs.top+by, 0)
	case paneTools:
		b.toolView(m, l, l.at[p].body.h)
		b.free = true
		b.top = max(b.top+by, 0)
	case paneOpen:
		b.open.free = true
		b.open.top = max(b.open.top+by, 0)
	case paneSuggested:
		b.sugg.free = true
		b.sugg.top = max(b.sugg.top+by, 0)
	case paneInspect:
		if b.Inspect != nil {
			b.Inspect.Wheel(n)
		}
	}
}

package board

import (
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/revs"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Key handles one key.
func (b *Board) Key(key string, c *view.Context) (do view.Intent, handled bool) {
	m := b.moment(c)
	l := b.settle(m)
	b.want = Selection{}
	if b.found != nil {
		b.found.GiveUp()
	}
	if b.line() != nil {
		return b.typed(key, m)
	}
	if in := b.inspecting(); in != nil && (in.Typing() || key == "esc") {
		if typing := in.Typing(); in.Key(key) || typing {
			return view.Intent{}, true
		}
	}
	if key == "/" && b.focus != paneInspect {
		return b.beginFilter(m), true
	}
	if b.placeKey(key, l) {
		return view.Intent{}, true
	}
	if do, ok := b.matchKey(key, m); ok {
		return do, true
	}
	if do, ok := b.timeKey(key, m); ok {
		return do, true
	}
	if in := b.inspecting(); in != nil && in.Key(key) {
		return view.Intent{}, true
	}
	if do, ok := b.moveKey(key, m, l); ok {
		return do, true
	}
	return b.actKey(key, m)
}

// inspecting returns the pane of INSPECT while it has the focus, else nil.
func (b *Board) inspecting() Inspector {
	if b.focus != paneInspect {
		return nil
	}
	return b.Inspect
}

// placeKey handles the keys that choose what has the focus.
func (b *Board) placeKey(key string, l layout) bool {
	switch key {
	case "tab":
		b.nextPane(l, 1)
	case "shift+tab":
		b.nextPane(l, -1)
	case "i":
		b.toInspect(l)
	case "z":
		if l.single {
			return true // there is but one pane
		}
		b.zoom = !b.zoom
	case "esc":
		return b.back()
	default:
		return false
	}
	return true
}

// nextPane puts the focus onto the pane n further. Where one pane is alone,
// the next comes in its place.
func (b *Board) nextPane(l layout, n int) {
	if b.over {
		b.back()
		return
	}
	panes := []pane{paneRevs, paneTools}
	if !l.single {
		all := l
		if b.zoom { // what there would be without it
			all = layout{}
			for p := range all.at {
				all.at[p].on = true
			}
		}
		panes = panes[:0]
		for p := pane(0); p < numPanes; p++ {
			if all.at[p].on {
				panes = append(panes, p)
			}
		}
	}
	at := 0
	for i, p := range panes {
		if p == b.focus {
			at = i
		}
	}
	b.focus = panes[(at+n+len(panes))%len(panes)]
}

// toInspect puts the focus into INSPECT, which lies over the body where it
// has no place of its own.
func (b *Board) toInspect(l layout) {
	if b.focus == paneInspect {
		b.back()
		return
	}
	if !l.at[paneInspect].on {
		b.over = true
	}
	b.focus = paneInspect
}

// back leaves what was entered last. It reports false where nothing was.
func (b *Board) back() bool {
	switch {
	case b.over:
		b.over, b.focus = false, b.last
	case b.focus == paneInspect && !b.zoom:
		b.focus = b.last
	case b.zoom:
		b.zoom = false
	case b.filterOf(b.focus).Text != "":
		b.clearFilter(b.focus)
	case b.filter.Text != "":
		b.clearFilter(paneTools)
	case b.find.Text != "":
		b.clearFilter(paneRevs)
	default:
		return false
	}
	return true
}

// Paste takes pasted text into the line that is typed, if there is one.
func (b *Board) Paste(text string, c *view.Context) bool {
	if in := b.inspecting(); in != nil {
		return in.Paste(text)
	}
	line := b.line()
	if line == nil {
		return false
	}
	if line.Paste(text) == filter.Changed {
		b.retyped(b.moment(c))
	}
	return true
}

// timeKey handles the keys that move the playhead, in every pane.
func (b *Board) timeKey(key string, m *moment) (view.Intent, bool) {
	switch key {
	case "[", "K":
		return revs.Step(m.c, m.row, m.cur, -1), true
	case "]", "J":
		return revs.Step(m.c, m.row, m.cur, 1), true
	case "g":
		return revs.GoTo(m.c, m.row, 0), true
	case "G":
		return view.Intent{Kind: view.GoLive}, true
	}
	return view.Intent{}, false
}

// moveKey handles the keys that move within the pane with the focus.
func (b *Board) moveKey(key string, m *moment, l layout) (view.Intent, bool) {
	page := max(l.at[b.focus].body.h-1, 1)
	n := 0
	switch key {
	case "j", "down":
		n = 1
	case "k", "up":
		n = -1
	case "ctrl+d":
		n = max(page/2, 1)
	case "ctrl+u":
		n = -max(page/2, 1)
	case "pgdown":
		n = page
	case "pgup":
		n = -page
	case "home":
		n = -1 << 20
	case "end":
		n = 1 << 20
	case "h", "left":
		return view.Intent{}, b.sideways(m, l, -1)
	case "l", "right":
		return view.Intent{}, b.sideways(m, l, 1)
	default:
		return view.Intent{}, false
	}
	switch b.focus {
	case paneRevs:
		b.revs.free = false
		if b.found != nil {
			return b.toMatch(m, n), true
		}
		if n == 1 || n == -1 {
			return revs.Step(m.c, m.row, m.cur, n), true
		}
		return revs.GoFar(m.c, m.row, m.cur, n), true
	case paneTools:
		b.moveTools(m, n)
	case paneOpen:
		b.open.move(m.openLines(l.at[paneOpen].body.w, l), n)
	case paneSuggested:
		b.sugg.move(m.suggestedLines(l.at[paneSuggested].body.w), n)
	}
	return view.Intent{}, true
}

func sgn(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// moveTools moves the cursor of TOOLS by n lines that can be selected.
func (b *Board) moveTools(m *moment, n int) {
	b.free, b.away = false, Selection{}
	i := find(m.rows, b.sel)
	for step := sgn(n); n != 0; n -= step {
		k := i + step
		for k >= 0 && k < len(m.rows) && m.rows[k].sel.Kind == OnNothing {
			k += step
		}
		if k < 0 || k >= len(m.rows) {
			break
		}
		i = k
	}
	if i < 0 {
		return
	}
	if b.sel.Kind == OnInstance { // from a column's head into the column
		b.chosen[b.sel.Toolset] = b.sel.Instance
	}
	b.lastAt, b.before = i, Selection{}
	b.sel = b.on(&m.rows[i], Selection{})
}

// sideways chooses the instance beside, on a head line also the toolset
// itself, and folds and unfolds where there is nothing beside.
func (b *Board) sideways(m *moment, l layout, n int) bool {
	if b.focus != paneTools {
		return false
	}
	b.free, b.before = false, Selection{}
	i := find(m.rows, b.sel)
	if i < 0 {
		return false
	}
	r := &m.rows[i]
	if r.set != nil && r.set.HasInstances && !r.folded && b.column(r, n) {
		return true
	}
	switch {
	case r.kind == rowTool && n < 0: // out of the group
		b.lastAt = i
		if r.group >= 0 {
			b.sel = m.rows[r.group].sel
		} else if r.sect >= 0 {
			b.sel = m.rows[r.sect].sel
		}
	case r.kind == rowGroup || r.kind == rowSection:
		if r.folded != (n < 0) {
			b.folds[foldKey(r)] = n < 0
		}
	}
	return true
}

// column moves the cursor to the instance n further in a line of a toolset
// with instances. It reports false where there is none.
func (b *Board) column(r *row, n int) bool {
	at := instanceIndex(r.set, b.sel.Instance) + n
	if b.sel.Kind == OnToolset { // left of the first instance
		at = 0
		if n < 0 {
			return false
		}
	}
	switch {
	case at >= len(r.set.Instances):
		return len(r.set.Instances) > 0 // at the last one already
	case at < 0 && r.kind == rowGroup:
		b.sel = r.sel
		return true
	case at < 0:
		return false
	}
	name := r.set.Instances[at].Name
	b.chosen[r.set.Name] = name
	b.sel.Instance = name
	if r.kind == rowGroup {
		b.sel.Kind = OnInstance
	}
	return true
}

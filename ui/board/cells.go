package board

import (
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// drawGroup draws the head line of LOOSE, a toolset or an undeclared group.
func (b *Board) drawGroup(r kit.Region, y int, m *moment, g grid, w *row, selected bool) {
	name, title := "LOOSE", "in no toolset"
	if w.set != nil {
		name, title = w.set.Name, w.set.Title
		switch {
		case !w.set.Declared:
			title = "not in the manifest"
		case title == "":
			title = w.set.Summary
		}
	}
	st := kit.As(kit.Normal)
	if w.set != nil && !w.set.Open {
		st = kit.As(kit.Dim)
	}
	r.Put(groupX-2, y, kit.As(kit.Dim), label.FoldSign(w.folded))
	end := g.c0 - 1 // the brackets' column stays free
	heads := !w.folded && w.set != nil && w.set.HasInstances && len(w.set.Instances) > 0
	if heads {
		end = b.drawHeads(r, y, m, g, w, selected)
	}
	x := r.Put(groupX, y, st, cutName(name, end-groupX))
	switch {
	case w.folded:
		b.drawFoldedGroup(r, y, m, g, w, x)
		return
	case !heads:
		b.drawState(r, y, m, g, w)
	}
	if at := max(groupDescX+g.form.indent/2, x+2); g.desc && end-at >= 4 {
		r.PutCut(at, y, end-at, kit.As(kit.Dim), firstLine(title))
	}
}

// drawState says what is true of an unfolded group that has no instances.
func (b *Board) drawState(r kit.Region, y int, m *moment, g grid, w *row) {
	set := w.set
	switch {
	case set == nil:
		n, all := usableOf(w.tools)
		r.Put(g.c0, y, kit.As(kit.Normal), fmt.Sprintf("%d of %d usable", n, all))
	case !set.Declared && set.Open:
		r.Put(g.c0, y, kit.As(kit.Normal), "UNDECLARED, open")
	case !set.Declared:
		r.Put(g.c0, y, kit.As(kit.Dim), "UNDECLARED, closed")
	default:
		word, st := "closed", kit.As(kit.Dim)
		switch {
		case set.Open:
			word, st = "open", kit.As(kit.Normal)
		case set.HasInstances:
			word = "none open"
		}
		x := r.Put(g.c0, y, st, word)
		if s := m.suggestion(set); s != "" {
			x = max(x+2, g.c0+g.form.words+5)
			r.PutCut(x, y, r.W-x, kit.As(kit.Ask), "? "+s+" it")
		}
	}
}

// suggestion returns what the server suggests about a toolset as a whole:
// "open", "close", or "".
func (m *moment) suggestion(set *timeline.Toolset) string { return label.Suggested(m.b, set) }

// drawFoldedGroup draws what stands for a group in one line: the names of
// its tools and one cell.
func (b *Board) drawFoldedGroup(r kit.Region, y int, m *moment, g grid, w *row, x int) {
	m.drawFoldedCell(r, y, g, w)
	state := ""
	asks := ""
	if set := w.set; set != nil {
		asks = m.suggestion(set)
		switch {
		case !set.Declared && set.Open:
			state = "UNDECLARED, open"
		case !set.Declared:
			state = "UNDECLARED"
		case !set.Open && set.HasInstances:
			state = "none open"
		case !set.Open:
			state = "closed"
		case set.HasInstances:
			state = fmt.Sprintf("%d open", len(set.Instances))
		default:
			state = "open"
		}
	}
	if asks != "" {
		r.Put(g.c0+g.form.dot()+1, y, kit.As(kit.Ask), "?")
	}
	at := g.c0 + g.form.words
	if !g.desc {
		text := names(w.tools)
		if state != "" {
			text = state + ": " + text
		}
		r.PutCut(at, y, r.W-1-at, kit.As(kit.Dim), text)
		return
	}
	if from := max(groupDescX, x+2); g.c0-1-from >= 4 {
		r.PutCut(from, y, g.c0-1-from, kit.As(kit.Dim), names(w.tools))
	}
	if asks != "" {
		long := state + ", " + asks + " it?"
		if state += ", " + asks + "?"; kit.Width(long) <= r.W-at {
			state = long
		}
	}
	r.PutCut(at, y, r.W-at, kit.As(kit.Dim), state)
}

// drawFoldedCell draws one cell that stands for all cells of a folded group.
func (m *moment) drawFoldedCell(r kit.Region, y int, g grid, w *row) {
	var all label.Sign
	visible, redefined := false, false
	for i := range w.tools {
		t := &w.tools[i]
		for k := range t.Cells {
			c := &t.Cells[k]
			s := m.signs[label.CellKey{Tool: t.Name, Instance: instanceName(w.set, k)}]
			all = all.Add(s)
			visible, redefined = visible || c.Visible, redefined || c.Redefined
		}
	}
	label.DrawSpaced(r, g.c0, y, g.form.step, visible, redefined, all)
	for i := range w.tools {
		if m.flaggedTool(w.set, w.tools[i].Name) {
			r.Put(g.c0-1, y, kit.As(kit.Bad), "✗")
			return
		}
	}
}

func instanceName(set *timeline.Toolset, k int) string {
	if set == nil || !set.HasInstances || k >= len(set.Instances) {
		return ""
	}
	return set.Instances[k].Name
}

func (m *moment) flaggedTool(set *timeline.Toolset, tool string) bool {
	if m.flagTool != nil {
		name := ""
		if set != nil {
			name = set.Name
		}
		return m.flagTool(m.c, name, tool)
	}
	return m.flagged[tool]
}

// drawTool draws the line of one tool with its cells.
func (b *Board) drawTool(r kit.Region, y int, m *moment, g grid, w *row, selected bool) {
	t := w.tool
	st := kit.As(kit.Dim)
	for k := range t.Cells {
		if t.Cells[k].Visible {
			st = kit.As(kit.Normal)
		}
	}
	if selected {
		st = kit.As(kit.Bright)
	}
	if m.flaggedTool(w.set, t.Name) {
		r.Put(markX+g.form.indent, y, kit.As(kit.Bad), "✗")
	}
	end, from := g.c0-1, nameX+g.form.indent
	x := r.Put(from, y, st, cutName(t.Name, end-1-from))
	if at := max(descX, x+2); g.desc && end-1-at >= 4 {
		if d := description(t); d != "" {
			r.PutCut(at, y, end-1-at, kit.As(kit.Dim), d)
		}
	}
	if len(t.Cells) == 0 {
		label.DrawSpaced(r, g.c0, y, g.form.step, false, false, label.Sign{})
		if selected {
			drawBrackets(r, g, g.c0, y)
		}
		return
	}
	top, n := 0, len(t.Cells)
	if w.set != nil && w.set.HasInstances {
		top = b.columnTop(w.set, g)
	}
	for k := top; k < n && k < top+g.n; k++ {
		c, instance := &t.Cells[k], instanceName(w.set, k)
		label.DrawSpaced(r, g.x(k-top), y, g.form.step, c.Visible, c.Redefined, m.signs[label.CellKey{Tool: t.Name, Instance: instance}])
		if m.flagCell != nil && instance != "" && m.flagCell(m.c, w.set.Name, instance, t.Name) {
			r.Put(g.x(k-top)+g.form.dot()+1, y, kit.As(kit.Bad), "✗")
		}
		if selected && (w.set == nil || !w.set.HasInstances || instance == b.sel.Instance) {
			drawBrackets(r, g, g.x(k-top), y)
		}
	}
}

// drawBrackets marks the cell that begins at x: a column stays free behind its
// dot, for ✗.
func drawBrackets(r kit.Region, g grid, x, y int) {
	r.Put(x-1, y, kit.As(kit.Bright), "[")
	r.Put(x+g.form.dot()+2, y, kit.As(kit.Bright), "]")
}

// columnTop returns the first instance in sight: the one that is chosen in
// the toolset is always among the n columns that there are.
func (b *Board) columnTop(set *timeline.Toolset, g grid) int {
	top := b.colTop[set.Name]
	name := b.chosen[set.Name]
	if b.sel.Toolset == set.Name && b.sel.Instance != "" {
		name = b.sel.Instance
	}
	if i := instanceIndex(set, name); i >= 0 {
		top = min(top, i)
		top = max(top, i-g.n+1)
	}
	top = max(min(top, len(set.Instances)-g.n), 0)
	if len(set.Instances) > g.n || b.colTop[set.Name] != 0 {
		b.colTop[set.Name] = top
	}
	return top
}

// drawHeads draws the names of a toolset's instances over their columns. It
// returns where the group's title must end.
func (b *Board) drawHeads(r kit.Region, y int, m *moment, g grid, w *row, selected bool) int {
	set, end := w.set, g.c0-1
	top := b.columnTop(set, g)
	more := len(set.Instances) - top - g.n
	right := ""
	if more > 0 {
		right = fmt.Sprintf("%d ›", more)
		r.PutRight(r.W, y, kit.As(kit.Dim), right)
	}
	if top > 0 {
		left := fmt.Sprintf("‹ %d", top)
		r.PutRight(g.c0-1, y, kit.As(kit.Dim), left)
		end -= kit.Width(left) + 1
	}
	for k := top; k < len(set.Instances) && k < top+g.n; k++ {
		x := g.x(k - top)
		width := min(g.cw-1, r.W-x)
		if right != "" && k == top+g.n-1 {
			width = min(width, r.W-kit.Width(right)-1-x)
		}
		in := &set.Instances[k]
		ask := m.asksInstance(set.Name, in.Name)
		here := selected && b.sel.Kind == OnInstance && b.sel.Instance == in.Name
		if here || ask {
			width--
		}
		at := r.Put(x, y, kit.As(kit.Normal), cutName(in.Name, width))
		if here {
			r.Put(x-1, y, kit.As(kit.Bright), "[")
			r.Put(at, y, kit.As(kit.Bright), "]")
		} else if ask {
			r.Put(at, y, kit.As(kit.Ask), "?")
		}
	}
	return end
}

// asksInstance reports whether the server suggests to close an instance.
func (m *moment) asksInstance(toolset, instance string) bool {
	for i := range m.b.Suggestions {
		s := &m.b.Suggestions[i]
		if !s.Taken && s.Action == "close" && s.Toolset == toolset && s.Instance == instance {
			return true
		}
	}
	return false
}

// drawTitles draws the line below a toolset's head: how many are open, what
// opens one, and the instances' titles.
func (b *Board) drawTitles(r kit.Region, y int, m *moment, g grid, w *row) {
	set := w.set
	x := groupX
	if g.desc {
		x = groupDescX + g.form.indent/2
	}
	text, st := fmt.Sprintf("%d open", len(set.Instances)), kit.As(kit.Dim)
	switch {
	case len(set.Instances) == 0:
		text = "o opens one"
	case m.pending(set.Name, "open") != nil:
		text, st = text+", ? open one more", kit.As(kit.Ask)
	case g.desc && m.acts:
		text += ", o opens more"
	}
	r.PutCut(x, y, g.c0-1-x, st, text)
	top := b.columnTop(set, g)
	for k := top; k < len(set.Instances) && k < top+g.n; k++ {
		at := g.x(k - top)
		r.PutCut(at, y, min(g.cw-1, r.W-at), kit.As(kit.Dim), firstLine(set.Instances[k].Title))
	}
}

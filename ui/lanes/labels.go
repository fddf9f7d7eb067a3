package lanes

import (
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// Columns of the labels. A cell is two signs and a dot, and a fourth column
// for ? or a bracket.
const (
	sectionX  = 3
	groupX    = 4
	instanceX = 5
	toolX     = 5
	toolInX   = 7 // of a tool in an instance; on narrow labels 6

	groupDesc    = 12
	instanceDesc = 14
	toolDesc     = 18
	toolInDesc   = 16
)

// drawLabel draws the label of one lane: what it is of, and its cell on the
// board at the playhead.
func (v *View) drawLabel(r kit.Region, y int, m *moment, w *row) {
	l := v.lane(w)
	selected := l == v.sel
	if selected {
		mark, st := "▏", kit.As(kit.Normal)
		if m.c.Focus {
			mark, st = "▌", kit.As(kit.Bright)
		}
		r.Fill(0, y, 1, st, mark)
	}
	cell := m.cellOf(v, w, l)
	c0 := m.cellX()
	end := c0 - 1
	if m.at.wide && w.kind != onInstance && w.inst < 0 && !selected {
		end = c0
	}
	if !cell.on {
		end = r.W - 1
	}
	x, desc := v.labelAt(m, w)
	switch w.kind {
	case onTool, onNothing:
	default:
		r.Fill(x-2, y, 1, kit.As(kit.Dim), label.FoldSign(w.folded))
	}
	if w.kind == onDynamic {
		v.drawDynamic(r, y, m, cell.on)
	}
	x = r.Put(x, y, nameStyle(selected, v.dim(m, w, l)), label.CutName(l.nameAlone(), end-1-x))
	if text := v.describe(m, w, l); desc > 0 && text != "" && end-max(desc, x+1) >= 4 {
		r.PutCut(max(desc, x+1), y, end-max(desc, x+1), kit.As(kit.Dim), text)
	}
	if cell.on {
		label.DrawCell(r, c0, y, cell.visible, cell.redefined, cell.sign)
		if cell.asks {
			r.Fill(c0+3, y, 1, kit.As(kit.Ask), "?")
		}
		if selected && m.at.wide {
			r.Fill(c0-1, y, 1, kit.As(kit.Bright), "[")
			r.Fill(c0+3, y, 1, kit.As(kit.Bright), "]")
			if cell.asks {
				r.Fill(c0+3, y, 2, kit.As(kit.Ask), "?")
				r.Fill(c0+4, y, 1, kit.As(kit.Bright), "]")
			}
		}
	}
}

// cellX is where the cells of the label column begin.
func (m *moment) cellX() int {
	if m.at.wide {
		return wideLabels - 5
	}
	return m.at.border - 4
}

// labelAt returns where a lane's name begins, and its description, 0: none.
func (v *View) labelAt(m *moment, w *row) (x, desc int) {
	switch w.kind {
	case onStatic, onDynamic:
		x, desc = sectionX, groupDesc
	case onLoose, onToolset:
		x, desc = groupX, groupDesc
	case onInstance:
		x, desc = instanceX, instanceDesc
	default:
		x, desc = toolX, toolDesc
		if w.inst >= 0 {
			x, desc = toolInX, toolInDesc
			if !m.at.wide {
				x--
			}
		}
	}
	if !m.at.wide {
		desc = 0
	}
	return x, desc
}

// nameAlone is a lane's name where what it stands in is seen above it.
func (l lane) nameAlone() string {
	switch l.kind {
	case onInstance:
		return l.instance
	case onTool:
		return l.tool
	}
	return l.name()
}

func nameStyle(selected, dim bool) kit.Style {
	switch {
	case selected:
		return kit.As(kit.Bright)
	case dim:
		return kit.As(kit.Dim)
	}
	return kit.As(kit.Normal)
}

// dim reports whether a lane is of something closed, or not usable, at the
// playhead.
func (v *View) dim(m *moment, w *row, l lane) bool {
	switch w.kind {
	case onToolset, onInstance:
		ts := label.Toolset(m.b, l.toolset)
		return ts == nil || !ts.Open || (l.instance != "" && label.Instance(ts, l.instance) < 0)
	case onTool:
		_, c := m.toolCell(l)
		return c == nil || !c.Visible
	}
	return false
}

// drawDynamic says how many dynamic tools are usable: "4 of 10 usable", on
// narrow labels "4/10".
func (v *View) drawDynamic(r kit.Region, y int, m *moment, cell bool) {
	if m.b.ListAt < 0 || (cell && !m.at.wide) {
		return
	}
	n, all := label.Dynamic(m.b)
	if m.at.wide {
		r.Put(groupDesc, y, kit.As(kit.Normal), fmt.Sprintf("%d of %d usable", n, all))
		return
	}
	r.PutRight(r.W, y, kit.As(kit.Normal), fmt.Sprintf("%d/%d", n, all))
}

// describe is the rest of a label, in the board's words.
func (v *View) describe(m *moment, w *row, l lane) string {
	ts := label.Toolset(m.b, l.toolset)
	switch w.kind {
	case onStatic:
		if w.folded {
			return label.Names(m.b.Static)
		}
		return "in every prompt"
	case onLoose:
		if w.folded {
			return label.Names(m.b.Loose)
		}
		return "in no toolset"
	case onInstance:
		if title := instanceTitle(ts, l.instance); title != "" {
			return title
		}
		return instanceTitle(label.Toolset(m.newest, l.toolset), l.instance)
	case onTool:
		if t, _ := m.toolCell(l); t != nil {
			return label.Description(t)
		}
		return ""
	case onToolset:
		return describeSet(ts, v.things.groups[w.group].declared, w.folded)
	}
	return ""
}

func instanceTitle(ts *timeline.Toolset, instance string) string {
	if ts == nil {
		return ""
	}
	if i := label.Instance(ts, instance); i >= 0 {
		return label.FirstLine(ts.Instances[i].Title)
	}
	return ""
}

func describeSet(ts *timeline.Toolset, declared, folded bool) string {
	switch {
	case ts == nil && !declared, ts != nil && !ts.Declared:
		return "UNDECLARED"
	case ts == nil:
		return ""
	case folded:
		return label.Names(ts.Tools)
	case ts.Title != "":
		return label.FirstLine(ts.Title)
	}
	return label.FirstLine(ts.Summary)
}

// dot is a cell of the label column.
type dot struct {
	on        bool // there is one
	visible   bool
	redefined bool
	asks      bool
	sign      label.Sign
}

// cellOf returns the cell of a lane on the board at the playhead. A folded
// lane has one for all of its tools.
func (m *moment) cellOf(v *View, w *row, l lane) dot {
	if w.kind == onTool {
		_, c := m.toolCell(l)
		if c == nil {
			return dot{}
		}
		return dot{on: true, visible: c.Visible, redefined: c.Redefined, sign: m.signs[label.CellKey{Tool: l.tool, Instance: l.instance}]}
	}
	if !w.folded || m.b.ListAt < 0 {
		return dot{}
	}
	d := dot{on: true}
	ts := label.Toolset(m.b, l.toolset)
	switch w.kind {
	case onStatic:
		d.add(m, m.b.Static, nil, "")
	case onLoose:
		d.add(m, m.b.Loose, nil, "")
	case onDynamic:
		d.add(m, m.b.Loose, nil, "")
		for i := range m.b.Toolsets {
			d.add(m, m.b.Toolsets[i].Tools, &m.b.Toolsets[i], "")
		}
	default:
		if ts == nil {
			return d
		}
		d.add(m, ts.Tools, ts, l.instance)
		d.asks = l.instance == "" && label.Suggested(m.b, ts) != ""
	}
	return d
}

// add takes in the cells of tools: those in one instance, or all. Which of
// them are not as declared is seen when they are unfolded.
func (d *dot) add(m *moment, tools []timeline.Tool, ts *timeline.Toolset, instance string) {
	for i := range tools {
		for k := range tools[i].Cells {
			name := ""
			if ts != nil && ts.HasInstances && k < len(ts.Instances) {
				name = ts.Instances[k].Name
			}
			if instance != "" && name != instance {
				continue
			}
			c := &tools[i].Cells[k]
			d.visible = d.visible || c.Visible
			d.sign = d.sign.Add(m.signs[label.CellKey{Tool: tools[i].Name, Instance: name}])
		}
	}
}

// toolCell returns a tool and its cell on the board at the playhead, nil
// where it has none there.
func (m *moment) toolCell(l lane) (*timeline.Tool, *timeline.Cell) {
	lists := [][]timeline.Tool{m.b.Static, m.b.Loose}
	ts := label.Toolset(m.b, l.toolset)
	if l.toolset != "" {
		if lists = nil; ts != nil {
			lists = [][]timeline.Tool{ts.Tools}
		}
	}
	for _, tools := range lists {
		for i := range tools {
			if tools[i].Name == l.tool {
				return &tools[i], label.CellOf(ts, &tools[i], l.instance)
			}
		}
	}
	return nil, nil
}

// scrollLanes brings the cursor into the h lanes in sight.
func (v *View) scrollLanes(h int) {
	if !v.free {
		v.top = min(v.top, v.lastAt)
		v.top = max(v.top, v.lastAt-h+1)
	}
	v.top = max(min(v.top, len(v.rows)-h), 0)
}

package lanes

import (
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// laneFilter judges lanes by what they are, and by the state at the playhead.
type laneFilter struct {
	q    filter.Query
	m    *moment
	sets map[string]*timeline.Toolset         // at the playhead
	of   map[string]map[string]*timeline.Tool // its tools; "" has STATIC and LOOSE
}

// newFilter returns what the lanes are judged by, nil where all of them stand.
func (v *View) newFilter(m *moment) *laneFilter {
	q := filter.Parse(v.filter.Text)
	if q.Empty() {
		return nil
	}
	f := &laneFilter{q: q, m: m}
	if !q.Asks("status") {
		return f
	}
	f.sets, f.of = map[string]*timeline.Toolset{}, map[string]map[string]*timeline.Tool{}
	add := func(set string, tools []timeline.Tool) {
		if f.of[set] == nil {
			f.of[set] = make(map[string]*timeline.Tool, len(tools))
		}
		for i := range tools {
			f.of[set][tools[i].Name] = &tools[i]
		}
	}
	add("", m.b.Static)
	add("", m.b.Loose)
	for i := range m.b.Toolsets {
		f.sets[m.b.Toolsets[i].Name] = &m.b.Toolsets[i]
		add(m.b.Toolsets[i].Name, m.b.Toolsets[i].Tools)
	}
	return f
}

// passes reports whether a lane stands, and counts it.
func (t *rowMaker) passes(r row) bool {
	if t.filter == nil {
		return true
	}
	v := t.v
	v.match.all++
	facts := t.filter.facts(v.lane(&r), &v.things.groups[r.group])
	if !t.filter.q.Matches(&facts) {
		return false
	}
	v.match.n++
	return true
}

// facts is what there is to know of a lane of a tool, or of an instance or
// toolset that has none.
func (f *laneFilter) facts(l lane, g *group) filter.Facts {
	x := filter.Facts{Words: []string{l.tool, l.instance, groupName(g)}}
	switch {
	case l.tool != "":
		x.Tools = []string{l.tool}
	case l.instance == "": // none was ever open: the toolset stands for its tools
		x.Tools = g.tools
		x.Words = append(x.Words, g.tools...)
	}
	if l.instance != "" {
		x.Instances = []string{l.instance}
	}
	if l.toolset != "" {
		x.Toolsets = []string{l.toolset}
	}
	if f.sets != nil {
		x.Statuses = f.statuses(l, g)
	}
	return x
}

func (f *laneFilter) statuses(l lane, g *group) []string {
	out := []string{"dynamic"}
	set, tool := f.sets[l.toolset], f.of[l.toolset][l.tool]
	if g.kind == onStatic || tool != nil && tool.Presence == "static" {
		out[0] = "static"
	}
	if g.kind == onToolset {
		open := set != nil && set.Open
		if open && l.instance != "" {
			open = label.Instance(set, l.instance) >= 0
		}
		if open {
			out = append(out, "open")
		} else {
			out = append(out, "closed")
		}
		if !g.declared {
			out = append(out, "undeclared")
		}
	}
	if l.tool == "" {
		return out
	}
	visible := false
	if tool != nil {
		if cell := label.CellOf(set, tool, l.instance); cell != nil {
			visible = cell.Visible
			if cell.Redefined {
				out = append(out, "redefined")
			}
		}
	}
	if visible {
		return append(out, "visible", "usable")
	}
	return append(out, "hidden")
}

// list is what LANES says of itself to a filter.
func (v *View) list(m *moment) filter.List {
	return filter.List{
		Name: "LANES", Keys: []string{"tool", "toolset", "instance", "status"},
		Values: func(key string) (noun string, values []string) {
			seen := map[string]bool{}
			add := func(s string) {
				if s != "" && !seen[s] {
					seen[s] = true
					values = append(values, s)
				}
			}
			groups := v.things.groups
			switch key {
			case "status":
				return "Statuses", []string{"visible", "usable", "hidden", "redefined", "static", "dynamic", "undeclared", "open", "closed"}
			case "tool":
				for i := range groups { // those that come and go first
					for _, t := range groups[(i+looseGroup)%len(groups)].tools {
						add(t)
					}
				}
				return "Tools", values
			case "toolset":
				for i := range groups {
					add(groups[i].name)
				}
				return "Toolsets", values
			case "instance":
				for i := range groups {
					for k := range groups[i].insts {
						add(groups[i].insts[k].name)
					}
				}
				return "Instances", values
			}
			return "", nil
		},
	}
}

// typed handles a key while the filter is typed. It leaves alone those that a
// program must always obey.
func (v *View) typed(key string, m *moment) (view.Intent, bool) {
	switch v.filter.Key(key) {
	case filter.NotMine:
		return view.Intent{}, false
	case filter.Changed:
		v.toFirstTool(m.c)
	case filter.Cleared:
		v.clearFilter()
	case filter.Up:
		v.move(-1)
	case filter.Down:
		v.move(1)
	case filter.Kept:
		if v.filter.Text == "" || v.match.n == 0 {
			break
		}
		q, l := filter.Parse(v.filter.Text), v.list(m)
		if text := l.Said(&q, v.match.n); text != "" {
			return view.Saying(text), true
		}
	}
	return view.Intent{}, true
}

// toFirstTool brings the cursor to a tool that the filter leaves: where it
// stood before it was typed, else the first.
func (v *View) toFirstTool(c *view.Context) {
	v.free = false
	if v.before.kind != onNothing {
		v.sel = v.before
	}
	v.look(c)
	if v.filter.Text == "" || v.sel.kind == onTool {
		return
	}
	for i := range v.rows {
		if v.rows[i].kind == onTool {
			v.lastAt, v.sel = i, v.lane(&v.rows[i])
			return
		}
	}
}

// clearFilter takes the filter away. The cursor goes back to where it was,
// unless it was moved since.
func (v *View) clearFilter() {
	v.filter, v.free = filter.Line{}, false
	if v.before.kind != onNothing {
		v.sel, v.before = v.before, lane{}
	}
}

// nextTool moves the cursor to the next lane of a tool, past heads.
func (v *View) nextTool(by int) {
	for i := v.lastAt + by; i >= 0 && i < len(v.rows); i += by {
		if v.rows[i].kind == onTool {
			v.free, v.lastAt, v.before = false, i, lane{}
			v.sel = v.lane(&v.rows[i])
			return
		}
	}
}

// Paste takes pasted text into the filter that is typed, if there is one.
func (v *View) Paste(text string, c *view.Context) bool {
	if v.filter.Typing && v.filter.Paste(text) == filter.Changed {
		v.toFirstTool(c)
	}
	return v.filter.Typing
}

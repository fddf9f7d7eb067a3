package board

import (
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// rowKind says what a line of TOOLS is.
type rowKind uint8

const (
	rowBlank   rowKind = iota
	rowSection         // STATIC, DYNAMIC
	rowGroup           // LOOSE, a toolset, an undeclared group
	rowTitles          // below an unfolded toolset with instances: their titles
	rowTool
	rowEnded // ENDED, at the end of TOOLS where OPEN has no place
	rowNote  // a sentence
)

// row is one line of TOOLS.
type row struct {
	kind  rowKind
	sel   Selection // what is selected on it; OnNothing: it cannot be
	sect  int       // line of the section it stands in, -1: none
	group int       // line of the group it stands in, -1: none

	set    *timeline.Toolset // of a toolset and its tools
	tools  []timeline.Tool   // of a section or a group
	tool   *timeline.Tool
	ended  *timeline.Ended
	folded bool
	text   string
}

// toolRows lists the lines of TOOLS.
func (b *Board) toolRows(m *moment, l layout) []row {
	t := &rowMaker{b: b, m: m, l: l, sect: -1, group: -1}
	w := l.at[paneTools].body.w
	if m.b.ListAt < 0 && (len(m.b.Toolsets) == 0 || m.b.Link.Phase != timeline.Live) {
		return m.unlisted(w)
	}
	if _, all := m.dynamicCount(); m.b.ListAt >= 0 && all+len(m.b.Static) == 0 {
		t.rows = m.emptyList(w)
	}
	if len(t.rows) == 0 {
		t.static()
	}
	if len(t.rows) == 0 || t.rows[0].kind != rowNote || len(m.b.Toolsets) > 0 {
		t.dynamic()
	}
	if b.filter.Text != "" && !t.anyTool() && (m.b.ListAt >= 0 || len(m.b.Toolsets) > 0) {
		t.rows = notes(b.noTool(m), w)
	}
	if l.ended {
		t.ended()
	}
	return t.rows
}

func (t *rowMaker) anyTool() bool {
	for i := range t.rows {
		if t.rows[i].kind == rowTool {
			return true
		}
	}
	return false
}

type rowMaker struct {
	b           *Board
	m           *moment
	l           layout
	rows        []row
	sect, group int
}

func (t *rowMaker) add(r row) {
	r.sect, r.group = t.sect, t.group
	t.rows = append(t.rows, r)
}

// blank puts air above what follows, where there is room for it.
func (t *rowMaker) blank() {
	n := len(t.rows)
	if !t.l.tight && (n > 0 || t.l.air == fullAir) && (n == 0 || t.rows[n-1].kind != rowBlank) {
		t.add(row{kind: rowBlank})
	}
}

func (t *rowMaker) section(r row) {
	t.group = -1
	r.kind = rowSection
	t.sect = len(t.rows)
	t.add(r)
}

func (t *rowMaker) static() {
	tools := t.m.b.Static
	if t.filtered() {
		if tools = t.matching(tools); len(tools) == 0 {
			return
		}
	}
	// Without hints STATIC is all there is, and stays unfolded.
	if t.l.air == fullAir {
		t.blank()
	}
	folded := t.fold("static", !t.l.tall && t.m.b.ToolHints && oneState(nil, tools))
	t.section(row{sel: Selection{Kind: OnStatic}, tools: tools, folded: folded})
	if !folded {
		t.list(nil, tools)
	}
}

func (t *rowMaker) dynamic() {
	t.sect, t.group = -1, -1
	if t.filtered() && !t.anyDynamic() {
		return
	}
	t.blank()
	folded := t.fold("dynamic", false)
	t.section(row{sel: Selection{Kind: OnDynamic}, folded: folded})
	if folded {
		return
	}
	if !t.m.b.ToolHints && t.m.b.ListAt >= 0 {
		for _, r := range notes(t.m.noDynamic(), t.l.at[paneTools].body.w) {
			t.add(r)
		}
		return
	}
	if loose := t.matching(t.m.b.Loose); len(loose) > 0 {
		folded := t.fold("loose", !t.l.tall && oneState(nil, loose))
		t.groupOf(row{sel: Selection{Kind: OnLoose}, tools: loose, folded: folded})
	}
	for i := range t.m.b.Toolsets {
		set := &t.m.b.Toolsets[i]
		tools := t.matching(set.Tools)
		if t.filtered() && len(tools) == 0 {
			continue
		}
		folded := t.fold("set "+set.Name, !t.l.tall && !set.Open && oneState(set, tools))
		t.groupOf(row{sel: Selection{Kind: OnToolset, Toolset: set.Name}, set: set, tools: tools, folded: folded})
	}
}

// noDynamic says why nothing is dynamic on a connection without hints.
func (m *moment) noDynamic() string {
	switch {
	case m.b.Mode.IgnoresHints:
		return "none: this host ignores hints"
	case m.b.Mode.Plain:
		return "none: this is a plain MCP host"
	case m.b.MCPL == "":
		return "none: this server speaks MCP without MCPL"
	case m.b.ServerHints:
		return "none: this host did not offer toolHints"
	default:
		return "none: this server does not offer toolHints"
	}
}

func (t *rowMaker) groupOf(r row) {
	if (t.l.tall || t.l.air > noAir) && len(t.rows) > 0 && t.rows[len(t.rows)-1].kind != rowSection {
		t.group = -1
		t.blank()
	}
	t.group = len(t.rows)
	r.kind = rowGroup
	t.add(r)
	if r.folded {
		return
	}
	if r.set != nil && r.set.HasInstances && !t.l.tight && (len(r.set.Instances) > 0 || t.m.acts) {
		t.add(row{kind: rowTitles, set: r.set})
		if t.l.air == fullAir {
			t.add(row{kind: rowBlank})
		}
	}
	t.list(r.set, r.tools)
}

func (t *rowMaker) list(set *timeline.Toolset, tools []timeline.Tool) {
	for i := range tools {
		sel := Selection{Kind: OnTool, Tool: tools[i].Name}
		if set != nil {
			sel.Toolset = set.Name
		}
		t.add(row{kind: rowTool, sel: sel, set: set, tool: &tools[i]})
	}
}

func (t *rowMaker) ended() {
	t.sect, t.group = -1, -1
	if n := len(t.rows); n > 0 {
		t.blank()
	}
	ends := t.m.ends
	if len(ends) == 0 {
		t.add(row{kind: rowEnded})
	}
	for i := len(ends) - 1; i >= 0; i-- {
		t.add(row{kind: rowEnded, ended: &ends[i], sel: endedSelection(&ends[i])})
	}
}

func endedSelection(e *timeline.Ended) Selection {
	return Selection{Kind: OnEnded, ID: e.ID, Toolset: e.Toolset, Instance: e.Instance}
}

// fold returns what the user chose for a group, else what the height says.
func (t *rowMaker) fold(key string, byHeight bool) bool {
	if t.filtered() {
		return false
	}
	if f, ok := t.b.folds[key]; ok {
		return f
	}
	return byHeight
}

func foldKey(r *row) string {
	switch r.sel.Kind {
	case OnStatic:
		return "static"
	case OnDynamic:
		return "dynamic"
	case OnLoose:
		return "loose"
	}
	if r.set != nil {
		return "set " + r.set.Name
	}
	return ""
}

// filtered reports whether only some tools are listed.
func (t *rowMaker) filtered() bool { return t.b.filter.Text != "" }

// matching returns the tools that the filter leaves.
func (t *rowMaker) matching(tools []timeline.Tool) []timeline.Tool {
	if !t.filtered() {
		return tools
	}
	keep := t.b.matchTools(t.m)
	var out []timeline.Tool
	for i := range tools {
		if keep[&tools[i]] {
			out = append(out, tools[i])
		}
	}
	return out
}

func (t *rowMaker) anyDynamic() bool {
	if len(t.matching(t.m.b.Loose)) > 0 {
		return true
	}
	for i := range t.m.b.Toolsets {
		if len(t.matching(t.m.b.Toolsets[i].Tools)) > 0 {
			return true
		}
	}
	return false
}

// oneState reports whether all cells of tools say the same, so that one dot
// can stand for them.
func oneState(set *timeline.Toolset, tools []timeline.Tool) bool {
	first, seen := false, false
	for i := range tools {
		cells := tools[i].Cells
		if len(cells) == 0 {
			cells = []timeline.Cell{{}}
		}
		for k := range cells {
			if seen && cells[k].Visible != first {
				return false
			}
			first, seen = cells[k].Visible, true
		}
	}
	return true
}

// resolve returns the selection that stands for sel among the lines there
// are: itself where it still is, else what is nearest to it.
func (b *Board) resolve(rows []row, sel Selection) Selection {
	i := find(rows, sel)
	switch {
	case i >= 0:
	case sel.Kind == OnNothing:
		i = first(rows)
	case sel.Toolset != "" || sel.Tool != "": // folded or gone: the group it was in
		if i = b.home(rows, sel); i < 0 {
			i = nearest(rows, b.lastAt)
		}
	default:
		i = nearest(rows, b.lastAt)
	}
	if i < 0 {
		return Selection{}
	}
	b.lastAt = i
	return b.on(&rows[i], sel)
}

// find returns the line that sel stands on, or -1.
func find(rows []row, sel Selection) int {
	for i := range rows {
		s := rows[i].sel
		switch {
		case s.Kind == OnNothing:
		case s.Kind == OnTool && sel.Kind == OnTool && s.Tool == sel.Tool:
			return i
		case s.Kind == OnToolset && (sel.Kind == OnToolset || sel.Kind == OnInstance) && s.Toolset == sel.Toolset:
			return i
		case s.Kind == sel.Kind && s.Kind != OnTool && s.Kind != OnToolset && s.ID == sel.ID:
			return i
		}
	}
	return -1
}

// home returns the line of the group that a lost selection was in.
func (b *Board) home(rows []row, sel Selection) int {
	for i := range rows {
		r := &rows[i]
		switch {
		case sel.Toolset != "" && r.kind == rowGroup && r.set != nil && r.set.Name == sel.Toolset:
			return i
		case sel.Toolset == "" && r.folded && hasTool(r.tools, sel.Tool):
			return i
		}
	}
	return -1
}

func hasTool(tools []timeline.Tool, name string) bool {
	for i := range tools {
		if tools[i].Name == name {
			return true
		}
	}
	return false
}

// on returns the selection on a line, with the instance that sel names, or
// the one last chosen in that toolset.
func (b *Board) on(r *row, sel Selection) Selection {
	s := r.sel
	if r.set == nil || !r.set.HasInstances {
		return s
	}
	name := b.chosen[r.set.Name]
	if sel.Toolset == s.Toolset && sel.Instance != "" {
		name = sel.Instance
	}
	if instanceIndex(r.set, name) < 0 {
		name = ""
		if len(r.set.Instances) > 0 {
			name = r.set.Instances[0].Name
		}
	}
	switch {
	case s.Kind == OnTool:
		s.Instance = name
	case sel.Kind == OnInstance && sel.Toolset == s.Toolset && name != "" && !r.folded:
		s.Kind, s.Instance = OnInstance, name
	}
	return s
}

// first returns the line that is selected before the user chose one: the
// first closed toolset, else the first tool, else whatever can be selected.
func first(rows []row) int {
	for i := range rows {
		if r := &rows[i]; r.kind == rowGroup && r.set != nil && r.set.Declared && !r.set.Open {
			return i
		}
	}
	for i := range rows {
		if rows[i].kind == rowTool {
			return i
		}
	}
	return nearest(rows, 0)
}

// nearest returns the line closest to i that can be selected, or -1.
func nearest(rows []row, i int) int {
	for d := 0; d < len(rows)+max(i, 0)+1; d++ {
		for _, k := range []int{i - d, i + d} {
			if k >= 0 && k < len(rows) && rows[k].sel.Kind != OnNothing {
				return k
			}
		}
	}
	return -1
}

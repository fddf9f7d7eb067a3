package lanes

import (
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// laneKind says what a lane is of.
type laneKind uint8

const (
	onNothing laneKind = iota
	onStatic
	onDynamic
	onLoose
	onToolset
	onInstance
	onTool
)

// lane names a lane. It is an identity: it stays what it is while lanes come
// around it.
type lane struct {
	kind                    laneKind
	toolset, instance, tool string
}

// name names a lane in words: "score @ vs-bot", "game vs-bot", "STATIC".
func (l lane) name() string {
	switch l.kind {
	case onStatic:
		return "STATIC"
	case onDynamic:
		return "DYNAMIC"
	case onLoose:
		return "LOOSE"
	}
	return label.Name(l.toolset, l.instance, l.tool)
}

// row is one lane as it stands in the list.
type row struct {
	kind   laneKind
	folded bool
	group  int32 // in the roster, -1: DYNAMIC
	inst   int32 // -1: none
	tool   int32 // -1: none
}

// lane returns what a row is of.
func (v *View) lane(r *row) lane {
	l := lane{kind: r.kind}
	if r.group < 0 {
		return l
	}
	g := &v.things.groups[r.group]
	l.toolset = g.name
	if r.inst >= 0 {
		l.instance = g.insts[r.inst].name
	}
	if r.tool >= 0 {
		l.tool = g.tools[r.tool]
	}
	return l
}

// foldKey names what can be folded.
func (l lane) foldKey() string {
	switch l.kind {
	case onTool, onNothing:
		return ""
	case onInstance:
		return "in " + l.toolset + "\x00" + l.instance
	}
	return "set " + l.name()
}

// rowMaker lists the lanes.
type rowMaker struct {
	v      *View
	tall   bool
	filter *laneFilter // nil: all
}

// makeRows lists all lanes. tall unfolds what is open; else only the instance
// under the cursor is.
func (v *View) makeRows(m *moment, tall bool) {
	t := rowMaker{v: v, tall: tall, filter: v.newFilter(m)}
	v.rows, v.match.n, v.match.all = v.rows[:0], 0, 0
	if m.c.Log == nil || v.things.groups == nil || v.things.base.ListAt < 0 && v.things.lanes == 0 {
		return
	}
	g := v.things.groups
	t.group(staticGroup, t.fold(lane{kind: onStatic}, true))
	at := len(v.rows)
	folded := t.fold(lane{kind: onDynamic}, false)
	t.add(row{kind: onDynamic, folded: folded, group: -1, inst: -1, tool: -1})
	if folded {
		return
	}
	if len(g[looseGroup].tools) > 0 {
		t.group(looseGroup, t.fold(lane{kind: onLoose}, !tall))
	}
	for i := looseGroup + 1; i < len(g); i++ {
		folded := !tall || g[i].closed
		if g[i].instances {
			folded = g[i].closed && len(g[i].insts) == 0
		}
		t.group(i, t.fold(lane{onToolset, g[i].name, "", ""}, folded))
	}
	if t.filter != nil && len(v.rows) == at+1 {
		v.rows = append(v.rows[:at], v.rows[at+1:]...) // nothing below DYNAMIC
	}
}

func (t *rowMaker) add(r row) { t.v.rows = append(t.v.rows, r) }

// fold returns what the user chose, else what is usual.
func (t *rowMaker) fold(l lane, usual bool) bool {
	if t.filter != nil {
		return false
	}
	if f, ok := t.v.folds[l.foldKey()]; ok {
		return f
	}
	return usual
}

// group lists a group's own lane and, unfolded, those in it.
func (t *rowMaker) group(i int, folded bool) {
	g := &t.v.things.groups[i]
	head := row{kind: g.kind, folded: folded, group: int32(i), inst: -1, tool: -1}
	all := t.filter == nil || g.noTools() && t.passes(head)
	at := len(t.v.rows)
	t.add(head)
	switch {
	case folded:
	case g.instances:
		for k := range g.insts {
			t.instance(i, k)
		}
	default:
		t.tools(head, g.tools)
	}
	if !all && len(t.v.rows) == at+1 {
		t.v.rows = t.v.rows[:at]
	}
}

// noTools reports whether a group has no lane of a tool: it then stands for
// itself.
func (g *group) noTools() bool {
	return g.kind == onToolset && (len(g.tools) == 0 || g.instances) && len(g.insts) == 0
}

func groupName(g *group) string {
	switch g.kind {
	case onStatic:
		return "STATIC"
	case onLoose:
		return "LOOSE"
	}
	return g.name
}

func (t *rowMaker) instance(i, k int) {
	v := t.v
	g := &v.things.groups[i]
	l := lane{onInstance, g.name, g.insts[k].name, ""}
	folded := g.insts[k].closed
	if !t.tall {
		folded = v.sel.toolset != l.toolset || v.sel.instance != l.instance
	}
	if f, chosen := v.folds[l.foldKey()]; t.filter == nil && chosen && (t.tall || f) {
		folded = f
	}
	head := row{kind: onInstance, folded: folded && t.filter == nil, group: int32(i), inst: int32(k), tool: -1}
	at := len(v.rows)
	t.add(head)
	if !head.folded {
		t.tools(head, g.tools)
	}
	if t.filter != nil && len(v.rows) == at+1 && !(len(g.tools) == 0 && t.passes(head)) {
		v.rows = v.rows[:at]
	}
}

func (t *rowMaker) tools(head row, tools []string) {
	head.kind, head.folded = onTool, false
	for i := range tools {
		head.tool = int32(i)
		if t.passes(head) {
			t.add(head)
		}
	}
}

// find returns the row of a lane, -1: it is not listed.
func (v *View) find(l lane) int {
	if l.kind == onNothing {
		return -1
	}
	for i := range v.rows {
		if v.rows[i].kind == l.kind && v.lane(&v.rows[i]) == l {
			return i
		}
	}
	return -1
}

// settle puts the cursor on a lane that is listed: itself where it still is,
// else what it was in, else what is nearest. It reports whether there is one.
func (v *View) settle() bool {
	if len(v.rows) == 0 {
		return false
	}
	if v.sel.kind == onNothing {
		v.lastAt = v.first()
		v.sel = v.lane(&v.rows[v.lastAt])
		return true
	}
	for l := v.sel; ; {
		if i := v.find(l); i >= 0 {
			v.lastAt, v.sel = i, l
			return true
		}
		switch {
		case l.kind == onTool && l.instance != "":
			l = lane{onInstance, l.toolset, l.instance, ""}
		case l.toolset != "" && l.kind != onToolset:
			l = lane{onToolset, l.toolset, "", ""}
		case l.kind == onTool && v.things.has(staticGroup, l.tool):
			l = lane{kind: onStatic}
		case l.kind == onTool:
			l = lane{kind: onLoose}
		case l.kind == onToolset || l.kind == onLoose:
			l = lane{kind: onDynamic}
		default:
			v.lastAt = max(min(v.lastAt, len(v.rows)-1), 0)
			v.sel = v.lane(&v.rows[v.lastAt])
			return true
		}
	}
}

func (r *roster) has(group int, tool string) bool {
	if group >= len(r.groups) {
		return false
	}
	_, ok := r.groups[group].toolAt[tool]
	return ok
}

// first returns the row of the cursor before the user chose one: the first
// tool, else the first instance or toolset.
func (v *View) first() int {
	for _, kind := range []laneKind{onInstance, onTool, onToolset} {
		for i := range v.rows {
			if v.rows[i].kind == kind {
				return i
			}
		}
	}
	return 0
}

// unfoldTo unfolds what hides a tool.
func (v *View) unfoldTo(l lane) {
	delete(v.folds, lane{kind: onDynamic}.foldKey())
	switch {
	case l.instance != "":
		v.folds[lane{onInstance, l.toolset, l.instance, ""}.foldKey()] = false
		fallthrough
	case l.toolset != "":
		v.folds[lane{onToolset, l.toolset, "", ""}.foldKey()] = false
	default:
		v.folds[lane{kind: onStatic}.foldKey()] = !v.things.has(staticGroup, l.tool)
		v.folds[lane{kind: onLoose}.foldKey()] = false
	}
}

// move moves the cursor by n lanes.
func (v *View) move(n int) {
	if len(v.rows) == 0 {
		return
	}
	v.free, v.before = false, lane{}
	v.lastAt = max(min(v.lastAt+n, len(v.rows)-1), 0)
	v.sel = v.lane(&v.rows[v.lastAt])
}

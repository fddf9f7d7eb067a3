package lanes

import (
	"hash/maphash"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// group is a part of TOOLS with its lanes: STATIC, LOOSE, a toolset or an
// undeclared group.
type group struct {
	kind      laneKind // onStatic, onLoose, onToolset
	name      string
	declared  bool
	instances bool
	closed    bool // at the newest frame; of one with instances: all are
	tools     []string
	insts     []inst
	toolAt    map[string]int
	instAt    map[string]int
	hinted    []string // instances that were suggested and never opened
}

// inst is an instance that is open, or was at some time.
type inst struct {
	name   string
	closed bool // at the newest frame
}

// roster is everything that has a lane, in the order and grouping of TOOLS as
// it is at the newest frame; what is not there any more stands at the end of
// its group. It does not hang on the playhead, so that lanes stay where they
// are when time is moved through.
type roster struct {
	groups []group // STATIC, LOOSE, then toolsets
	at     map[string]int
	lanes  int    // lanes of the log that were looked at
	shape  uint64 // of the board that it was made from
	base   *timeline.Board
	all    []timeline.LaneKey
}

const (
	staticGroup = 0
	looseGroup  = 1
)

// update makes the roster anew where something came that it does not have.
func (r *roster) update(m *moment) {
	base := m.newest
	if base.ListAt < 0 && r.base != nil {
		base = r.base // a connection that begins has no tools yet
	}
	if base.ListAt < 0 && m.b.ListAt >= 0 {
		base = m.b
	}
	n := m.c.Log.LaneCount()
	shape := shapeOf(base)
	if n == r.lanes && shape == r.shape && r.groups != nil {
		r.open(base)
		return
	}
	all := append(r.all, m.c.Log.LanesFrom(r.lanes)...)
	*r = roster{lanes: n, shape: shape, base: base, all: all, at: map[string]int{}}
	r.board(base)
	for _, k := range all {
		r.key(k, m)
	}
	r.open(base)
}

var seed = maphash.MakeSeed()

// shapeOf tells boards apart that have other groups or tools.
func shapeOf(b *timeline.Board) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	tools := func(name string, tools []timeline.Tool) {
		_, _ = h.WriteString(name)
		_ = h.WriteByte(0)
		for i := range tools {
			_, _ = h.WriteString(tools[i].Name)
			_ = h.WriteByte(1)
		}
	}
	tools("static", b.Static)
	tools("loose", b.Loose)
	for i := range b.Toolsets {
		ts := &b.Toolsets[i]
		tools(ts.Name, ts.Tools)
		if ts.HasInstances {
			_ = h.WriteByte(2)
		}
		if ts.Declared {
			_ = h.WriteByte(3)
		}
	}
	return h.Sum64()
}

func (r *roster) board(b *timeline.Board) {
	add := func(g group, tools []timeline.Tool) {
		g.toolAt, g.instAt = map[string]int{}, map[string]int{}
		for i := range tools {
			g.tool(tools[i].Name)
		}
		r.groups = append(r.groups, g)
	}
	add(group{kind: onStatic}, b.Static)
	add(group{kind: onLoose}, b.Loose)
	for i := range b.Toolsets {
		ts := &b.Toolsets[i]
		r.at[ts.Name] = len(r.groups)
		add(group{kind: onToolset, name: ts.Name, declared: ts.Declared, instances: ts.HasInstances}, ts.Tools)
	}
}

func (g *group) tool(name string) {
	if _, ok := g.toolAt[name]; !ok {
		g.toolAt[name] = len(g.tools)
		g.tools = append(g.tools, name)
	}
}

// key adds what a lane of the log is of, where it is not there yet.
func (r *roster) key(k timeline.LaneKey, m *moment) {
	if k.Toolset == "" {
		if _, ok := r.groups[staticGroup].toolAt[k.Tool]; ok || k.Tool == "" {
			return
		}
		for i := range m.b.Static {
			if m.b.Static[i].Name == k.Tool {
				r.groups[staticGroup].tool(k.Tool)
				return
			}
		}
		r.groups[looseGroup].tool(k.Tool)
		return
	}
	i, ok := r.at[k.Toolset]
	if !ok {
		i = len(r.groups)
		r.at[k.Toolset] = i
		ts := label.Toolset(m.b, k.Toolset)
		r.groups = append(r.groups, group{
			kind: onToolset, name: k.Toolset, declared: ts != nil && ts.Declared,
			toolAt: map[string]int{}, instAt: map[string]int{},
		})
	}
	g := &r.groups[i]
	if k.Tool != "" {
		g.tool(k.Tool)
	}
	if k.Instance == "" {
		return
	}
	if _, ok := g.instAt[k.Instance]; ok {
		return
	}
	g.instances = true
	own := timeline.LaneKey{Conn: k.Conn, Toolset: k.Toolset, Instance: k.Instance}
	if _, opened := m.c.Log.LaneBefore(own, m.c.Len, timeline.Opened); opened {
		g.inst(k.Instance)
	} else if k.Tool == "" && len(g.hinted) < mostHinted {
		g.hinted = append(g.hinted, k.Instance)
	}
}

// mostHinted is how many instances that never were are kept.
const mostHinted = 256

func (g *group) inst(name string) {
	if _, ok := g.instAt[name]; !ok {
		g.instAt[name] = len(g.insts)
		g.insts = append(g.insts, inst{name: name})
	}
}

// open brings up to date what is open and closed at the newest frame.
func (r *roster) open(b *timeline.Board) {
	for i := range r.groups {
		g := &r.groups[i]
		if g.kind != onToolset {
			continue
		}
		ts := label.Toolset(b, g.name)
		g.closed = ts == nil || !ts.Open
		for k := range g.insts {
			g.insts[k].closed = true
		}
		for k := 0; ts != nil && k < len(ts.Instances); k++ {
			g.inst(ts.Instances[k].Name)
			g.insts[g.instAt[ts.Instances[k].Name]].closed = false
		}
	}
}

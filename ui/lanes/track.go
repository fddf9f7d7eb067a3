package lanes

import (
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// sum is what one cell of a lane says, put together from the lanes that it
// stands for: its own and those that are folded into it.
type sum struct {
	open   bool // its own: it is open
	there  bool // a tool is there
	usable bool // a tool is usable
	first  timeline.MessageID
	last   timeline.MessageID
	own    timeline.Kinds // what one message did to the lane itself
	kinds  timeline.Kinds // and to the tools in it
	tools  int            // how many of them it changed
}

// take adds a cell of one lane.
func (s *sum) take(c *timeline.LaneSpan, own, tool bool) {
	if tool {
		s.there = s.there || c.There
		s.usable = s.usable || c.Usable
	} else if own {
		s.open = c.Open
	}
	if c.First == 0 {
		return
	}
	if s.first == 0 {
		s.first, s.last = c.First, c.Last
	} else {
		s.first, s.last = min(s.first, c.First), max(s.last, c.Last)
	}
	if own {
		s.own |= c.Kinds
		return
	}
	s.kinds |= c.Kinds
	s.tools++
}

// full reports whether no further lane can change what the cell shows.
func (s *sum) full() bool { return s.usable && s.first != s.last }

// member is a lane that a row stands for.
type member struct {
	key  timeline.LaneKey
	own  bool // the row's own
	tool bool
}

// mostFolded is how many lanes are folded into one. Where there are more the
// row says so instead.
const mostFolded = 2048

// members lists the lanes that a row stands for on a connection. more is
// their number where it is too high.
func (v *View) members(r *row, conn int) (out []member, more int) {
	if r.group < 0 {
		if !r.folded {
			return nil, 0
		}
		n := 0
		for i := looseGroup; i < len(v.things.groups); i++ {
			g := &v.things.groups[i]
			n += len(g.tools)*max(len(g.insts), 1) + len(g.insts)
		}
		if n > mostFolded {
			return nil, n
		}
		for i := looseGroup; i < len(v.things.groups); i++ {
			sub, _ := v.members(&row{kind: v.things.groups[i].kind, folded: true, group: int32(i), inst: -1, tool: -1}, conn)
			for k := range sub {
				sub[k].own = false
			}
			out = append(out, sub...)
		}
		return out, 0
	}
	g := &v.things.groups[r.group]
	l := v.lane(r)
	if n := len(g.tools) * max(len(g.insts), 1); r.folded && r.kind != onInstance && n > mostFolded {
		return nil, n
	}
	key := timeline.LaneKey{Conn: conn, Toolset: l.toolset, Instance: l.instance, Tool: l.tool}
	switch r.kind {
	case onTool:
		return []member{{key, true, true}}, 0
	case onInstance:
		out = append(out, member{key, true, false})
		if r.folded {
			out = g.addTools(out, key)
		}
	case onToolset:
		out = append(out, member{key, true, false})
		for _, name := range g.hinted {
			out = append(out, member{timeline.LaneKey{Conn: conn, Toolset: g.name, Instance: name}, true, false})
		}
		if r.folded {
			out = g.addAll(out, key)
		}
	default:
		if r.folded {
			out = g.addTools(out, key)
		}
	}
	return out, 0
}

func (g *group) addTools(out []member, k timeline.LaneKey) []member {
	for _, name := range g.tools {
		k.Tool = name
		out = append(out, member{k, false, true})
	}
	return out
}

func (g *group) addAll(out []member, k timeline.LaneKey) []member {
	if !g.instances {
		return g.addTools(out, k)
	}
	for i := range g.insts {
		k.Instance = g.insts[i].name
		out = append(g.addTools(out, k), member{k, false, false})
	}
	return out
}

// sums computes the cells of a row that are in sight; they are good until the
// next call. more is the number of
// lanes where they are too many to be folded into one.
func (v *View) sums(r *row, st *strip) (out []sum, more int) {
	members, more := v.members(r, st.sec.conn)
	if cap(v.sum) < len(st.cells) {
		v.sum = make([]sum, len(st.cells))
	}
	out = v.sum[:len(st.cells)]
	clear(out)
	for _, m := range members {
		v.spans = v.reader.Cells(m.key, st.base, st.cuts, v.spans[:0])
		full := true
		for i := range v.spans {
			out[i].take(&v.spans[i], m.own, m.tool)
			full = full && out[i].full()
		}
		if full && len(members) > 1 {
			break
		}
	}
	return out, more
}

// glyph is what a cell shows: the sign in its first column, and its state in
// the others.
type glyph struct {
	sign  string
	fill  string
	style kit.Style // of the sign
	quiet kit.Style // of the fill
}

// shape is how the cells of a row are drawn.
type shape struct {
	wide    bool // three columns
	toolset bool // its own state is that it is open: an instance, a toolset without instances
	tools   bool // its state is whether tools are usable
}

// state is the fill of a cell: usable or not, open, or blank.
func (p shape) state(s *sum) (string, kit.Style) {
	switch {
	case p.tools && s.usable && p.wide:
		return "▄", kit.As(kit.Good)
	case p.tools && s.usable:
		return "●", kit.As(kit.Good)
	case p.tools && s.there:
		return "·", kit.As(kit.Dim)
	case p.toolset && s.open:
		return "═", kit.As(kit.Normal)
	}
	return " ", kit.As(kit.Normal)
}

// draw says what a cell shows. ✗ and ? win over all else, and a hole over the
// state; what happened is one sign, ≈ where it is more.
func (p shape) draw(s *sum, t *tick, flagged bool) glyph {
	state, quiet := p.state(s)
	g := glyph{sign: state, fill: state, style: quiet, quiet: quiet}
	sign, role := p.sign(s)
	switch {
	case flagged:
		sign, role = "✗", kit.Bad
	case (s.own | s.kinds).Has(timeline.Suggested):
		sign, role = "?", kit.Ask
	case t.gap == allGap:
		return glyph{"░", "░", kit.As(kit.Dim), kit.As(kit.Dim)}
	case t.gap == someGap && sign == "" && s.first == 0:
		sign, role = "░", kit.Dim
	case t.gap == someGap:
		sign, role = "≈", kit.Changed
	}
	switch {
	case t.gap == allGap:
		g.fill, g.quiet = "░", kit.As(kit.Dim)
	case sign == "◇":
		g.fill = " "
	}
	if sign != "" {
		g.sign, g.style = sign, kit.Style{Role: role, Bold: role != kit.Dim}
	}
	return g
}

// sign is what happened in a cell, "" for nothing that is drawn: that a tool
// came or went shows by where its state begins and ends.
func (p shape) sign(s *sum) (string, kit.Role) {
	kinds := s.own | s.kinds
	switch {
	case s.first == 0:
		return "", kit.Normal
	case s.first != s.last:
		return "≈", kit.Changed
	case kinds.Has(timeline.Opened) && (s.open || !kinds.Has(timeline.ClosedIt)):
		return "◆", kit.Bright // and what came with it
	case kinds.Has(timeline.ClosedIt):
		return "◇", kit.Bright
	case kinds.Has(timeline.Retitled):
		return "~", kit.Changed
	case s.tools > 1:
		return "≈", kit.Changed
	}
	if kinds.Has(timeline.Redefined) || kinds.Has(timeline.Moved) {
		if p.wide || s.usable {
			return "~", kit.Changed
		}
	}
	return "", kit.Normal
}

// shapeOf returns how a row is drawn.
func (v *View) shapeOf(r *row, wide bool) shape {
	p := shape{wide: wide}
	switch r.kind {
	case onTool:
		p.tools = true
	case onInstance:
		p.toolset, p.tools = !r.folded, r.folded
	case onToolset:
		instances := v.things.groups[r.group].instances
		p.toolset, p.tools = !instances, instances && r.folded
	default:
		p.tools = r.folded
	}
	return p
}

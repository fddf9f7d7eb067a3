package timeline

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// board returns the board of the connection that the last frame was of.
func (s *State) board() *Board {
	c := s.conns[s.current]
	if c == nil {
		return nowhere()
	}
	return c.board()
}

// Board returns the state right after the last frame that was applied, of that
// frame's connection.
func (s *State) Board() *Board {
	b := s.board()
	if b.Index = s.next - 1; b.Index >= 0 {
		b.Seq, b.T = s.seq, s.t
	}
	return b
}

// OnRev has do called right after a rev of a connection was applied, which may
// be in the middle of a frame: a frame that fills a hole applies what was held
// after it. board returns the state as it is then.
func (s *State) OnRev(do func(conn int, rev int64, board func() *Board)) {
	s.applied = func(c *conn, rev int64) {
		do(c.n, rev, func() *Board {
			b := c.board()
			b.Index, b.Seq, b.T = s.next, s.seq, s.t
			return b
		})
	}
}

// board copies the state of a connection; place and time of the frame are the
// caller's to fill in.
func (c *conn) board() *Board {
	b := &Board{
		Conn: c.n, Link: c.link, Server: c.server, Protocol: c.protocol,
		HostHints: c.hostHints, ToolHints: c.negotiated() && !c.mode.IgnoresHints, Mode: c.mode,
		ManifestAt: c.manifestAt, ListAt: c.listAt, LastRev: c.last,
		Calls: openCalls(c.calls), Asks: openCalls(c.asks),
	}
	b.Calls, b.Listening = apart(b.Calls)
	b.Link.Steps = slices.Clone(c.link.Steps)
	if c.manifest != nil {
		b.MCPL, b.ServerHints, b.Manifest = c.manifest.Version, c.manifest.ToolHints, c.manifest.Raw
	}
	for _, t := range c.tools {
		switch {
		case !b.ToolHints || t.isStatic():
			v := c.toolView(t, nil)
			v.Presence = "static"
			b.Static = append(b.Static, v)
		case t.toolset == "":
			b.Loose = append(b.Loose, c.toolView(t, nil))
		}
	}
	if !c.mode.IgnoresHints {
		b.Ended, b.Gone, b.Suggestions = slices.Clone(c.ended), slices.Clone(c.gone), slices.Clone(c.suggest)
		for _, m := range c.held {
			b.Held = append(b.Held, m.rev)
		}
	}
	if b.ToolHints {
		b.Toolsets = c.toolsetViews()
	}
	return b
}

// apart takes the subscriptions out of the open requests.
func apart(calls []Call) (others, listening []Call) {
	others = calls[:0]
	for _, c := range calls {
		if c.Method == mcpl.MethodListen {
			listening = append(listening, c)
		} else {
			others = append(others, c)
		}
	}
	return others, listening
}

func openCalls(m map[string]openCall) []Call {
	out := make([]Call, 0, len(m))
	for _, o := range m {
		call := o.request.call()
		call.Cancelled, call.TimedOut, call.Failed, call.HeldBack = o.cancelled, o.timedOut, o.failed, o.heldBack
		call.Limit = o.limit
		out = append(out, call)
	}
	slices.SortFunc(out, func(a, b Call) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.ID.Key(), b.ID.Key()))
	})
	return out
}

// toolsetViews: the toolsets in the order of the manifest, then undeclared
// groups by first listing (outputs.md, "state").
func (c *conn) toolsetViews() []Toolset {
	members := map[string][]*tool{}
	for _, t := range c.tools {
		if t.toolset != "" {
			members[t.toolset] = append(members[t.toolset], t)
		}
	}
	var out []Toolset
	for _, d := range c.manifest.Decls() {
		v := c.toolsetView(d.Name, members[d.Name])
		v.Declared, v.HasInstances, v.DefaultOpen = true, d.Instances, d.DefaultOpen
		v.Summary, v.Options = d.Summary, d.Options
		out = append(out, v)
	}
	var groups []*set
	for name := range members {
		if !c.declared(name) {
			groups = append(groups, c.set(name))
		}
	}
	slices.SortFunc(groups, func(a, b *set) int { return cmp.Compare(a.group, b.group) })
	for _, s := range groups {
		out = append(out, c.toolsetView(s.name, members[s.name]))
	}
	return out
}

func (c *conn) toolsetView(name string, members []*tool) Toolset {
	v := Toolset{
		Name: name, Title: c.titleOf(name), Open: c.isOpen(name),
		OpenedBy: By{Index: -1}, ClosedBy: By{Index: -1}, Changed: By{Index: -1},
	}
	s := c.sets[name]
	if s != nil {
		v.OpenedBy, v.ClosedBy, v.Changed = s.openedBy, s.closedBy, s.changed
		for _, in := range s.instances {
			v.Instances = append(v.Instances, Instance{
				Name: in.name, Title: in.title, OpenedBy: in.openedBy, Changed: in.changed, Redefined: in.redefined,
			})
		}
	}
	for _, t := range members {
		if !c.hasInstances(name) {
			v.Tools = append(v.Tools, c.toolView(t, nil))
			continue
		}
		tv := Tool{Name: t.name, Presence: t.presence(), Declared: t.declared.raw}
		for _, in := range c.instancesOf(name) {
			tv.Cells = append(tv.Cells, c.cellView(t, in))
		}
		v.Tools = append(v.Tools, tv)
	}
	return v
}

func (c *conn) toolView(t *tool, in *instance) Tool {
	return Tool{Name: t.name, Presence: t.presence(), Declared: t.declared.raw, Cells: []Cell{c.cellView(t, in)}}
}

func (c *conn) cellView(t *tool, in *instance) Cell {
	if c.mode.IgnoresHints { // as the list gave it, whatever hints said
		return Cell{Visible: true, FlagBy: By{Index: -1}, Definition: t.declared.raw}
	}
	flag, def, defBy := t.flag, t.def, t.defBy
	if in != nil {
		flag = cellFlag{}
		if cell := in.stated(t); cell != nil {
			flag = cell.flag
			if cell.def != nil {
				def, defBy = cell.def, cell.defBy
			}
		}
	}
	v := Cell{
		Visible: c.visible(t, in), Flag: flag.on, Stated: flag.stated, FlagBy: flag.by, DefBy: defBy,
		Definition: t.declared.raw,
	}
	if !flag.stated {
		v.FlagBy = By{Index: -1}
	}
	if def != nil && c.redefined(t, in) {
		v.Redefined, v.Definition = true, merged(t.declared, def)
	}
	return v
}

// merged writes the definition in effect: the declared bytes, member by
// member, with those that hints replaced, in their place or, where the
// declared definition lacks them, at its end.
func merged(declared, hint *definition) []byte {
	var keys []string
	members := map[string][]byte{}
	put := func(key string, v []byte) {
		if _, twice := members[key]; !twice {
			keys = append(keys, key)
		}
		members[key] = v
	}
	wire.EachMember(declared.raw, func(key string, v []byte) bool { put(key, v); return true })
	for _, m := range []struct {
		key string
		v   []byte
	}{{"description", hint.description}, {"inputSchema", hint.schema}, {"annotations", hint.annotations}} {
		if m.v != nil {
			put(m.key, m.v)
		}
	}
	out := []byte{'{'}
	for i, key := range keys {
		if i > 0 {
			out = append(out, ',')
		}
		name, _ := json.Marshal(key) // a string always has a JSON form
		out = append(append(append(out, name...), ':'), members[key]...)
	}
	return append(out, '}')
}

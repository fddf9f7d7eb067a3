package timeline

import (
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// set is what is known of a toolset or an undeclared group.
type set struct {
	name      string
	group     int  // place among groups, in the order of their first listing
	open      bool // declared and without instances: it is open
	user      bool // undeclared: the user has it open
	title     string
	hasTitle  bool
	openedBy  By
	closedBy  By
	changed   By
	instances []*instance // open ones, in the order of opening
}

// instance is one open instance.
type instance struct {
	name, title string
	openedBy    By
	changed     By
	redefined   bool
	cells       []*cell // by the tool's place in the list, nil: nothing was stated
}

// cell is a tool in an instance: what was stated for it there.
type cell struct {
	flag  cellFlag
	def   *definition
	defBy By
}

func (s *set) clone() *set {
	d := *s
	d.instances = make([]*instance, len(s.instances))
	for i, in := range s.instances {
		copied := *in
		copied.cells = make([]*cell, len(in.cells))
		slab := make([]cell, 0, len(in.cells))
		for order, was := range in.cells {
			if was != nil {
				slab = append(slab, *was)
				copied.cells[order] = &slab[len(slab)-1]
			}
		}
		d.instances[i] = &copied
	}
	return &d
}

func (c *conn) set(name string) *set {
	s := c.known(name)
	if s == nil {
		s = &set{name: name, openedBy: By{Index: -1}, closedBy: By{Index: -1}, changed: By{Index: -1}}
		c.sets[name] = s
	}
	return s
}

// known returns what is known of a toolset, nil: nothing. Mostly it is asked
// for the same one several times.
func (c *conn) known(name string) *set {
	if s := c.recent; s != nil && s.name == name {
		return s
	}
	s := c.sets[name]
	if s != nil {
		c.recent = s
	}
	return s
}

func (c *conn) hasInstances(toolset string) bool {
	d := c.manifest.Toolset(toolset)
	return d != nil && d.Instances
}

func (c *conn) declared(toolset string) bool { return c.manifest.Toolset(toolset) != nil }

func (c *conn) instancesOf(toolset string) []*instance {
	if s := c.known(toolset); s != nil {
		return s.instances
	}
	return nil
}

func (c *conn) instance(toolset, name string) *instance {
	for _, in := range c.instancesOf(toolset) {
		if in.name == name {
			return in
		}
	}
	return nil
}

func (c *conn) isOpen(toolset string) bool {
	s := c.known(toolset)
	switch {
	case s == nil:
		return false
	case !c.declared(toolset):
		return s.user
	case c.hasInstances(toolset):
		return len(s.instances) > 0
	default:
		return s.open
	}
}

// openSet opens a toolset or an instance of it. A toolset that the manifest
// does not declare is never opened; where there are no instances a named one
// is left out of account, where there are some, an open that names none
// changes nothing (state.md, "Hint entries").
func (c *conn) openSet(toolset, name string, title *string, by By) {
	d := c.manifest.Toolset(toolset)
	if d == nil {
		return
	}
	s := c.set(toolset)
	if !d.Instances {
		c.journal.set(c, toolset, "")
		if !s.open {
			s.open, s.openedBy = true, by
			c.taken(toolset, "", "open", by)
		}
		if title != nil {
			s.title, s.hasTitle = *title, true
		}
		return
	}
	if name == "" {
		return
	}
	c.journal.set(c, toolset, name)
	in := c.instance(toolset, name)
	if in == nil {
		in = &instance{name: name, openedBy: by, changed: By{Index: -1}}
		s.instances = append(s.instances, in)
		c.taken(toolset, name, "open", by)
	}
	if title != nil {
		in.title = *title
	}
}

// closeSet is the counterpart of openSet, and reports whether anything was
// open. Closing an instance drops its flags and definitions.
func (c *conn) closeSet(toolset, name string, by By) (closed bool) {
	d := c.manifest.Toolset(toolset)
	if d == nil {
		return false
	}
	s := c.set(toolset)
	if !d.Instances {
		if s.open {
			c.journal.set(c, toolset, "")
			s.open, s.closedBy = false, by
			s.title, s.hasTitle = "", false // a title is of what is open
			c.taken(toolset, "", "close", by)
			return true
		}
		return false
	}
	i := slices.IndexFunc(s.instances, func(in *instance) bool { return in.name == name })
	if name == "" || i < 0 {
		return false
	}
	c.journal.set(c, toolset, name)
	s.instances = slices.Delete(s.instances, i, i+1)
	s.closedBy = by
	c.taken(toolset, name, "close", by)
	return true
}

// retitle gives a new title to what is open.
func (c *conn) retitle(toolset, name, title string) {
	d := c.manifest.Toolset(toolset)
	if d == nil {
		return
	}
	if !d.Instances {
		if s := c.set(toolset); s.open {
			c.journal.set(c, toolset, "")
			s.title, s.hasTitle = title, true
		}
		return
	}
	if in := c.instance(toolset, name); in != nil {
		c.journal.set(c, toolset, name)
		in.title = title
	}
}

// titleOf returns the title of a toolset: what hints said last, else the
// manifest's.
func (c *conn) titleOf(toolset string) string {
	if s := c.sets[toolset]; s != nil && s.hasTitle {
		return s.title
	}
	if d := c.manifest.Toolset(toolset); d != nil {
		return d.Title
	}
	return ""
}

// openResult returns the effect of a toolsets/open result.
func (c *conn) openResult(st *step, r *request) func(By, *conn) {
	name := wire.StringOf(wire.Member(st.head.Result, "instance"))
	if name == "" {
		name = r.instance
	}
	toolset := r.toolset
	return func(by By, c *conn) { c.openSet(toolset, name, nil, by) }
}

func (c *conn) closeResult(r *request) func(By, *conn) {
	toolset, name := r.toolset, r.instance
	return func(by By, c *conn) { c.closeSet(toolset, name, by) }
}

type openItem struct {
	toolset, instance string
	title             *string
}

// listResult returns the effect of a toolsets/list result: exactly what it
// lists is open, and what ended is kept by its id.
func (c *conn) listResult(st *step) func(By, *conn) {
	var open []openItem
	wire.EachElement(wire.Member(st.head.Result, "open"), func(raw []byte) bool {
		e, ok := mcpl.DecodeToolsetHint(raw)
		if ok {
			c.ownNames(&e.Toolset, &e.Instance, &e.Title)
			it := openItem{toolset: e.Toolset, instance: e.Instance}
			if e.HasTitle {
				it.title = &e.Title
			}
			open = append(open, it)
		}
		return true
	})
	ended := decodeEnded(wire.Member(st.head.Result, "ended"))
	return func(by By, c *conn) {
		c.keepOpen(open, by)
		for _, it := range open {
			c.openSet(it.toolset, it.instance, it.title, by)
		}
		for _, e := range ended {
			if !slices.ContainsFunc(c.ended, func(k Ended) bool { return k.ID == e.ID }) {
				e.By = by
				c.ended = append(c.ended, e)
			}
		}
	}
}

// keepOpen closes what is open and not listed.
func (c *conn) keepOpen(open []openItem, by By) {
	listed := func(toolset, name string) bool {
		return slices.ContainsFunc(open, func(it openItem) bool {
			return it.toolset == toolset && (name == "" || it.instance == name)
		})
	}
	for _, d := range c.manifest.Decls() {
		s := c.sets[d.Name]
		switch {
		case s == nil:
		case !d.Instances:
			if s.open && !listed(d.Name, "") {
				c.closeSet(d.Name, "", by)
			}
		default:
			for _, in := range slices.Clone(s.instances) {
				if !listed(d.Name, in.name) {
					c.closeSet(d.Name, in.name, by)
				}
			}
		}
	}
}

func decodeEnded(raw []byte) []Ended {
	var out []Ended
	wire.EachElement(raw, func(v []byte) bool {
		var e Ended
		wire.EachMember(v, func(key string, v []byte) bool {
			switch key {
			case "id":
				if e.ID = wire.StringOf(v); e.ID == "" && v[0] != '"' && v[0] != 'n' {
					e.ID = string(v)
				}
			case "toolset":
				e.Toolset = wire.StringOf(v)
			case "instance":
				e.Instance = wire.StringOf(v)
			case "reason":
				e.Reason = wire.StringOf(v)
			}
			return true
		})
		if e.ID != "" {
			out = append(out, e)
		}
		return true
	})
	return out
}

// initialized applies an initialize result.
func (c *conn) initialized(st *step) {
	res := st.head.Result
	c.protocol = wire.StringOf(wire.Member(res, "protocolVersion"))
	info := wire.Member(res, "serverInfo")
	c.server = mcpl.Implementation{
		Name: wire.StringOf(wire.Member(info, "name")), Version: wire.StringOf(wire.Member(info, "version")),
	}
	var m *mcpl.Manifest
	if raw := wire.Path(res, "capabilities", "experimental", "mcpl"); raw != nil && string(raw) != "null" {
		m = mcpl.DecodeManifest(slices.Clone(raw))
	}
	c.setManifest(m, st)
	for _, d := range c.manifest.Decls() {
		if d.DefaultOpen && !d.Instances {
			if s := c.set(d.Name); !s.open {
				s.open, s.openedBy = true, st.by(0)
			}
		}
	}
}

// setManifest makes m the manifest. What it no longer declares, or declares
// otherwise, is closed (toolhints.md §4).
func (c *conn) setManifest(m *mcpl.Manifest, st *step) {
	old := c.manifest
	c.manifest, c.manifestAt = m, st.at.frame
	for _, d := range old.Decls() {
		now := m.Toolset(d.Name)
		s := c.sets[d.Name]
		if s == nil || (now != nil && now.Instances == d.Instances) {
			continue
		}
		if s.open || len(s.instances) > 0 {
			s.closedBy = st.by(0)
		}
		s.open, s.instances, s.title, s.hasTitle = false, nil, "", false
	}
}

// group opens or closes an undeclared group, which the user alone does
// (toolhints.md §3).
func (c *conn) group(st *step, toolset string, open bool) {
	if toolset == "" || c.declared(toolset) {
		return
	}
	s := c.set(toolset)
	if s.user == open {
		return
	}
	s.user = open
	if open {
		s.openedBy = st.by(0)
		c.taken(toolset, "", "open", st.by(0))
	} else {
		s.closedBy = st.by(0)
		c.taken(toolset, "", "close", st.by(0))
	}
}

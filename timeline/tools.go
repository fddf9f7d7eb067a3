package timeline

import (
	"bytes"
	"crypto/sha256"
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// tool is one tool of the current list.
type tool struct {
	name     string
	order    int
	declared *definition
	toolset  string // "" where it belongs to none
	static   bool   // what was last said by list or hints; see isStatic
	flag     cellFlag
	def      *definition // what hints said of the tool itself, nil: nothing
	defBy    By
}

// cellFlag is a visible flag with who stated it.
type cellFlag struct {
	on, stated bool
	by         By
}

// definition is a tool's definition, or the part of it that hints replace.
// It is never changed once made.
type definition struct {
	raw                              []byte
	description, schema, annotations []byte // raw JSON, nil where it is lacking
}

func decodeDefinition(raw []byte) *definition {
	d := &definition{raw: raw}
	wire.EachMember(raw, func(key string, v []byte) bool {
		switch key {
		case "description":
			d.description = v
		case "inputSchema":
			d.schema = v
		case "annotations":
			d.annotations = v
		}
		return true
	})
	return d
}

// under returns the definition in effect where hint replaces parts of d: a
// member that the hint lacks stays as declared (state.md, "Tools").
func (d *definition) under(hint *definition) definition {
	e := *d
	if hint == nil {
		return e
	}
	if hint.description != nil {
		e.description = hint.description
	}
	if hint.schema != nil {
		e.schema = hint.schema
	}
	if hint.annotations != nil {
		e.annotations = hint.annotations
	}
	return e
}

func (d *definition) same(e *definition) bool {
	if d == e {
		return true
	}
	return sameJSON(d.description, e.description) && sameJSON(d.schema, e.schema) && sameJSON(d.annotations, e.annotations)
}

// isStatic: a tool of a toolset, declared or not, is dynamic whatever it says
// (toolhints.md §3).
func (t *tool) isStatic() bool { return t.toolset == "" && t.static }

func (t *tool) presence() string {
	if t.isStatic() {
		return "static"
	}
	return "dynamic"
}

// listing is a tools/list that is half read.
type listing struct {
	tools  []*tool
	seen   map[string]bool
	rev    int64 // of the first page
	hasRev bool
}

// listed applies one page of a tools/list: it takes effect with the last.
func (c *conn) listed(st *step, r *request) {
	l := &listing{seen: map[string]bool{}}
	if r.cursor != "" {
		if l = c.listings[r.cursor]; l == nil {
			return // its first page was not seen
		}
		delete(c.listings, r.cursor)
	} else if v := wire.Path(st.head.Result, "_meta", mcpl.MetaRev); v != nil {
		l.rev, l.hasRev = mcpl.DecodeRev(v), true
	}
	// The tools are kept, the rest of the message is not.
	wire.EachElement(slices.Clone(wire.Member(st.head.Result, "tools")), func(raw []byte) bool {
		t := decodeTool(raw)
		if t.name != "" && !l.seen[t.name] { // of a name listed twice the first counts
			l.seen[t.name] = true
			l.tools = append(l.tools, t)
		}
		return true
	})
	if next := cursorKey(wire.StringOf(wire.Member(st.head.Result, "nextCursor"))); next != "" {
		if c.listings == nil {
			c.listings = map[string]*listing{}
		}
		c.listings[next] = l
		return
	}
	c.whole(st, func() { c.replaceTools(l, st.by(0)) })
	c.listAt = st.at.frame
}

// cursorKey stands for a cursor: a long one, which a server may make as long
// as it likes, is kept as its digest.
func cursorKey(cursor string) string {
	if len(cursor) <= 64 {
		return cursor
	}
	sum := sha256.Sum256([]byte(cursor))
	return string(sum[:])
}

// decodeTool reads a tool of a tools/list result (toolhints.md §3).
func decodeTool(raw []byte) *tool {
	t := &tool{static: true, defBy: By{Index: -1}}
	t.flag.on = true
	wire.EachMember(raw, func(key string, v []byte) bool {
		switch key {
		case "name":
			t.name = wire.StringOf(v)
		case "_meta":
			wire.EachMember(v, func(key string, v []byte) bool {
				switch key {
				case mcpl.MetaPresence:
					t.static = wire.StringOf(v) != "dynamic"
				case mcpl.MetaVisible:
					t.flag.on = string(v) != "false"
				case mcpl.MetaToolset:
					t.toolset = wire.StringOf(v)
				}
				return true
			})
		}
		return true
	})
	t.declared = decodeDefinition(raw)
	return t
}

// replaceTools makes the listing the current list (state.md, "Tools").
func (c *conn) replaceTools(l *listing, by By) {
	old := c.byName
	c.tools, c.byName, c.asked = l.tools, make(map[string]*tool, len(l.tools)), [8]*tool{}
	c.reorder(old)
	// A list that speaks of an earlier rev than the last must not undo what
	// came since; of tools that it brings anew it is all there is.
	late := l.hasRev && l.rev < c.last
	for _, t := range l.tools {
		c.byName[t.name] = t
		was := old[t.name]
		t.flag.stated, t.flag.by = true, by
		if was != nil {
			t.def, t.defBy = was.def, was.defBy
			if late {
				t.static, t.flag = was.static, was.flag
			}
		}
		if c.hasInstances(t.toolset) {
			// The list says nothing of single instances.
			t.flag = cellFlag{}
			if was != nil {
				t.flag = was.flag
			}
		}
		if t.isStatic() {
			c.dropDefinitions(t)
		}
		if t.toolset != "" && c.set(t.toolset).group == 0 {
			c.groups++
			c.set(t.toolset).group = c.groups
		}
	}
}

// tool returns the listed tool of that name, nil for none.
func (c *conn) tool(name string) *tool {
	if name == "" {
		return nil
	}
	// Mostly it was asked for before: by an entry of hints, and by who judges
	// that.
	at := &c.asked[name[len(name)-1]%8]
	if t := *at; t != nil && t.name == name {
		return t
	}
	t := c.byName[name]
	if t != nil {
		*at = t
	}
	return t
}

// toolOf is tool for a name that is a view of a message.
func (c *conn) toolOf(name []byte) *tool {
	if len(name) == 0 {
		return nil
	}
	if t := c.asked[name[len(name)-1]%8]; t != nil && t.name == string(name) {
		return t
	}
	return c.tool(string(name))
}

// reorder gives the tools of a new list their places, and what was stated for
// them in instances the same ones. old are those of the list before.
func (c *conn) reorder(old map[string]*tool) {
	for i, t := range c.tools {
		t.order = i
	}
	for _, s := range c.sets {
		for _, in := range s.instances {
			cells := make([]*cell, len(c.tools))
			for i, t := range c.tools {
				if was := old[t.name]; was != nil {
					cells[i] = in.stated(was)
				}
			}
			in.cells = cells
		}
	}
}

// dropDefinitions forgets what hints changed of a tool's definition.
func (c *conn) dropDefinitions(t *tool) {
	t.def, t.defBy = nil, By{Index: -1}
	for _, in := range c.instancesOf(t.toolset) {
		if cell := in.stated(t); cell != nil && cell.def != nil {
			cell.def, cell.defBy = nil, By{Index: -1}
		}
	}
}

// visible says whether a tool is usable now (the table in state.md, "Tools").
// in is the open instance that is asked about, nil outside of instances.
func (c *conn) visible(t *tool, in *instance) bool {
	return c.visibleAs(t, in, in.stated(t))
}

// visibleAs is visible where the cell of the tool in the instance is known.
func (c *conn) visibleAs(t *tool, in *instance, stated *cell) bool {
	switch {
	case !c.negotiated():
		return true
	case t.toolset == "":
		return t.flag.on
	case in != nil:
		return stated.on()
	case c.hasInstances(t.toolset):
		return false
	default:
		return c.isOpen(t.toolset) && t.flag.on
	}
}

// stated returns what was stated for a tool in the instance, nil: nothing.
func (in *instance) stated(t *tool) *cell {
	if in == nil || t.order >= len(in.cells) {
		return nil
	}
	return in.cells[t.order]
}

func (e *cell) on() bool { return e != nil && e.flag.on }

// hinted returns what hints said of the definition, nil: nothing. stated is
// the tool's cell in the instance that is asked about.
func (t *tool) hinted(stated *cell) *definition {
	if stated != nil && stated.def != nil {
		return stated.def
	}
	return t.def
}

// effective returns the definition in effect.
func (c *conn) effective(t *tool, in *instance) definition {
	return t.declared.under(t.hinted(in.stated(t)))
}

func (c *conn) redefined(t *tool, in *instance) bool {
	if t.hinted(in.stated(t)) == nil {
		return false
	}
	e := c.effective(t, in)
	return !e.same(t.declared)
}

// sameJSON compares two raw values by what they mean: blanks, the order of
// members and the way a number is written do not count.
func sameJSON(a, b []byte) bool {
	if (a == nil) != (b == nil) {
		return false
	}
	return bytes.Equal(a, b) || mcpl.SameJSON(a, b)
}

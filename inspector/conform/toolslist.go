package conform

import (
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// listing is a tools/list that is half read.
type listing struct {
	req   int             // position of the request of its first page
	names map[string]bool // whether it has an outputSchema
}

// seenTool is what is remembered of a tool that was listed.
type seenTool struct {
	listed     bool
	output     bool // it has an outputSchema, as it was listed last
	first      bool // it was in the head from the beginning
	came, went int  // how often the head changed by it
}

// maxTools is how many tools are remembered by name.
const maxTools = 1 << 14

// listedTools judges a page of tools/list, and with the last page the whole
// list.
func (j *Judge) listedTools(c *conn, m *message, at spot) {
	if m.Kind != wire.Result {
		return
	}
	t := j.tree
	j.listRev(c, m, at)
	l := &listing{req: m.call.at.index, names: map[string]bool{}}
	if m.call.cursor != "" {
		if l = c.pages[m.call.cursor]; l == nil {
			return // its first page was not seen
		}
		delete(c.pages, m.call.cursor)
	}
	tools := t.Get(m.Result, "tools")
	if t.isArray(tools) {
		for v := t.First(tools); v != 0; v = t.Next(v) {
			j.tool(at, v, l)
		}
	}
	if next := t.memberStr(m.Result, "nextCursor"); next != "" {
		if c.pages == nil {
			c.pages = map[string]*listing{}
		}
		if len(c.pages) < maxThings {
			c.pages[next] = l
		}
		return
	}
	j.wholeList(c, l, at)
}

// tool judges one tool of a page. The same bytes are judged once, where all is
// well with them.
func (j *Judge) tool(at spot, v value, l *listing) {
	t := j.tree
	name := t.memberStr(v, "name")
	if name == "" {
		return
	}
	if _, twice := l.names[name]; twice {
		if f := j.found(toolsListDuplicate, at, thing{tool: name}, ""); f != nil {
			f.Message = fmt.Sprintf("tools/list names two tools %s; the first one counts.", f.tool())
			f.Expected = "one tool of that name"
			f.Seen = quote(t.Raw(v))
		}
		return
	}
	l.names[name] = t.Get(v, "outputSchema") != 0
	h := maphash.Bytes(j.schemas.seed, t.Raw(v))
	if j.view.Negotiated() {
		h++ // then there is more to be judged
	}
	if !j.schemas.clean[h] && j.definedWell(at, name, v) {
		j.schemas.noteClean(h)
	}
}

// definedWell judges a tool's definition, and reports whether all is well.
func (j *Judge) definedWell(at spot, name string, v value) bool {
	t := j.tree
	before := j.store.total
	schema := t.Get(v, "inputSchema")
	th := thing{tool: name}
	meta := t.Get(v, "_meta")
	if set := t.memberStr(meta, mcpl.MetaToolset); set != "" {
		th.toolset = set
		j.nameGrammar(at, "a toolset", set, thing{toolset: set})
	}
	j.inputSchema(at, th, t, schema, t.Raw(v))
	if out := t.Get(v, "outputSchema"); out != 0 {
		j.outputSchema(at, th, out)
	}
	j.meta(at, meta, name)
	if class := t.Get(meta, mcpl.MetaClass); class != 0 {
		j.toolClass(at, name, class)
	}
	if j.view.Negotiated() {
		static := t.is(t.Get(meta, mcpl.MetaPresence), "static")
		dynamic := th.toolset != "" || t.is(t.Get(meta, mcpl.MetaPresence), "dynamic")
		if static && th.toolset != "" {
			j.toolsetStatic(at, th, t.Raw(meta))
		}
		if !dynamic && t.Kind(t.Get(meta, mcpl.MetaVisible)) == 'f' {
			j.visibleOnStatic(at, name, t.Raw(meta))
		}
	}
	return j.store.total == before
}

func (j *Judge) visibleOnStatic(at spot, tool string, raw []byte) {
	if f := j.found(hintsVisibleOnStatic, at, thing{tool: tool}, ""); f != nil {
		f.Message = fmt.Sprintf(`%s is static, so it is in every prompt, and is listed with "mcpl/visible":false.`, f.tool())
		f.Expected = `"mcpl/presence":"dynamic"`
		f.Seen = quote(raw)
	}
}

// wholeList takes a list of which all pages have come.
func (j *Judge) wholeList(c *conn, l *listing, at spot) {
	explained := c.changed > c.listReq
	for name, s := range c.tools {
		if _, still := l.names[name]; s.listed && !still {
			s.listed = false
			if !explained && c.lists > 0 {
				c.hidden = append(c.hidden, name)
			}
		}
	}
	if len(c.hidden) > 0 {
		slices.Sort(c.hidden)
		for _, name := range c.hidden {
			j.hides(c, name, at)
		}
		c.hidden = c.hidden[:0]
	}
	if c.tools == nil {
		c.tools = map[string]*seenTool{}
	}
	for name, output := range l.names {
		s := c.tools[name]
		if s == nil && len(c.tools) < maxTools {
			s = &seenTool{}
			c.tools[name] = s
		}
		if s != nil {
			s.listed, s.output = true, output
		}
	}
	c.listReq = l.req
	c.lists++
}

// hides: a tool is gone from the list. What announces it may come within two
// seconds.
func (j *Judge) hides(c *conn, name string, at spot) {
	changed := c.changed
	j.later(pending{
		conn: c, until: j.now + grace,
		drop: func() bool { return c.changed > changed },
		tell: func() {
			if f := j.found(toolsListHides, at, thing{tool: name}, ""); f != nil {
				f.Message = fmt.Sprintf("%s was listed before and is missing now, and no tools/list_changed came: tools/list names every tool, visible or not.", f.tool())
				f.Expected = f.tool() + " in the list, or notifications/tools/list_changed"
				f.Seen = "a list without " + f.tool()
			}
		},
	})
}

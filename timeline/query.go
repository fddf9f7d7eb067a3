package timeline

import (
	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
)

// View is one connection of a State, to be read between two frames by those
// who judge what the next one says. It is a window, not a copy: it shows what
// the State holds, and must not be kept beyond the next Apply. Raw JSON that
// it returns is never written to.
type View struct{ c *conn }

// nobody is the connection of which nothing is known. It is never written to.
var nobody = newConn(0, newHistory())

// View returns connection n. One that has no frame yet knows nothing.
func (s *State) View(n int) View {
	if c := s.conn(n); c != nil {
		return View{c}
	}
	return View{nobody}
}

// Negotiated reports whether both sides advertised toolHints (toolhints.md
// §2).
func (v View) Negotiated() bool { return v.c.negotiated() }

// HostHints reports whether the host advertised toolHints.
func (v View) HostHints() bool { return v.c.hostHints }

// Manifest returns the manifest in force, nil for a plain MCP server.
func (v View) Manifest() *mcpl.Manifest { return v.c.manifest }

// LastRev returns the last rev that was applied, 0 before the first.
func (v View) LastRev() int64 { return v.c.last }

// Held returns how many revs are held (state.md, "Revs", 6).
func (v View) Held() int { return len(v.c.held) }

// ListAt returns the position of the frame that completed the last
// tools/list, -1 before the first.
func (v View) ListAt() int { return v.c.listAt }

// EventSeen reports whether a push with that eventId (its raw JSON value) came
// on the connection before the last frame.
func (s *State) EventSeen(conn int, id []byte) bool {
	first := s.history.of(conn).events.get(string(eventKey(id)))
	return first != (mark{}) && int(first.frame) < s.next-1
}

// ListedTool is a tool of the list, as the View that it comes from shows it,
// for as long as that. The zero value is one that is not listed.
type ListedTool struct {
	c *conn
	t *tool
}

// Tool returns the listed tool of that name.
func (v View) Tool(name string) ListedTool { return ListedTool{v.c, v.c.tool(name)} }

// ToolOf is Tool for a name that is a view of a message.
func (v View) ToolOf(name []byte) ListedTool { return ListedTool{v.c, v.c.toolOf(name)} }

// Listed reports whether the last list has the tool.
func (l ListedTool) Listed() bool { return l.t != nil }

// Name returns its name, "" where it is not listed.
func (l ListedTool) Name() string {
	if l.t == nil {
		return ""
	}
	return l.t.name
}

// OpenInstance returns the name of an open instance of its toolset, given as a
// view of a message; "" where none of that name is open.
func (l ListedTool) OpenInstance(name []byte) string {
	if l.t == nil {
		return ""
	}
	for _, in := range l.c.instancesOf(l.t.toolset) {
		if in.name == string(name) {
			return in.name
		}
	}
	return ""
}

// Toolset returns the toolset that the tool belongs to, "" where it belongs to
// none.
func (l ListedTool) Toolset() string {
	if l.t == nil {
		return ""
	}
	return l.t.toolset
}

// HasInstances reports whether its toolset has instances.
func (l ListedTool) HasInstances() bool { return l.t != nil && l.c.hasInstances(l.t.toolset) }

// Static reports whether it is static, in effect: a tool of a toolset never
// is (toolhints.md §3).
func (l ListedTool) Static() bool { return l.t != nil && l.t.isStatic() }

// Declared returns the tool as the last tools/list gave it.
func (l ListedTool) Declared() []byte {
	if l.t == nil {
		return nil
	}
	return l.t.declared.raw
}

// Flag returns whether the tool was last stated to be visible in an open
// instance, or by itself where instance is "".
func (l ListedTool) Flag(instance string) bool {
	switch {
	case l.t == nil:
		return false
	case instance == "":
		return l.t.flag.on
	default:
		return l.c.instance(l.t.toolset, instance).stated(l.t).on()
	}
}

// InputSchema returns the schema in effect of its arguments, in an open
// instance, or by itself where instance is ""; nil where it has none.
func (l ListedTool) InputSchema(instance string) []byte {
	if l.t == nil {
		return nil
	}
	if hint := l.t.hinted(l.c.instance(l.t.toolset, instance).stated(l.t)); hint != nil && hint.schema != nil {
		return hint.schema
	}
	return l.t.declared.schema
}

// Declared reports whether the manifest declares the toolset.
func (v View) Declared(toolset string) bool { return v.c.declared(toolset) }

// HasInstances reports whether the manifest declares the toolset to have
// instances.
func (v View) HasInstances(toolset string) bool { return v.c.hasInstances(toolset) }

// IsOpen reports whether a declared toolset is open, or the instance of it
// that is named; of a toolset with instances, without a name, whether any is.
// Where there are no instances a name is left out of account.
func (v View) IsOpen(toolset, instance string) bool {
	if !v.c.declared(toolset) {
		return false
	}
	if instance != "" && v.c.hasInstances(toolset) {
		return v.c.instance(toolset, instance) != nil
	}
	return v.c.isOpen(toolset)
}

// Instances returns how many instances of a toolset are open.
func (v View) Instances(toolset string) int { return len(v.c.instancesOf(toolset)) }

// InstanceNames returns the open instances of a toolset in the order of
// opening.
func (v View) InstanceNames(toolset string) []string {
	var out []string
	for _, in := range v.c.instancesOf(toolset) {
		out = append(out, in.name)
	}
	return out
}

// EachOpen calls yield with all that is open of declared toolsets, in the
// order of the manifest: once for a toolset without instances, once for each
// open instance of one with instances.
func (v View) EachOpen(yield func(toolset, instance string) bool) {
	for _, d := range v.c.manifest.Decls() {
		if !d.Instances {
			if v.c.isOpen(d.Name) && !yield(d.Name, "") {
				return
			}
			continue
		}
		for _, in := range v.c.instancesOf(d.Name) {
			if !yield(d.Name, in.name) {
				return
			}
		}
	}
}

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
	if c := s.conns[n]; c != nil {
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
	first := s.history.of(conn).events.get(string(id))
	return first != (mark{}) && int(first.frame) < s.next-1
}

// ToolState is one tool of the list as it is now.
type ToolState struct {
	Name     string
	Toolset  string // "" where it belongs to none
	Static   bool   // in effect: a tool of a toolset never is
	Flag     bool   // visible, as it was last stated of the tool itself
	Declared []byte // the tool as the last tools/list gave it
	// Description, InputSchema and Annotations are the declared ones, nil
	// where they are lacking.
	Description, InputSchema, Annotations []byte
}

func (t *tool) state() ToolState {
	return ToolState{
		Name: t.name, Toolset: t.toolset, Static: t.isStatic(), Flag: t.flag.on, Declared: t.declared.raw,
		Description: t.declared.description, InputSchema: t.declared.schema, Annotations: t.declared.annotations,
	}
}

// Tool returns the listed tool of that name.
func (v View) Tool(name string) (ToolState, bool) {
	if t := v.c.byName[name]; t != nil {
		return t.state(), true
	}
	return ToolState{}, false
}

// ToolsetOf returns the toolset of a listed tool, "" where it has none, and
// whether that toolset has instances.
func (v View) ToolsetOf(tool []byte) (toolset string, instances, listed bool) {
	t := v.c.byName[string(tool)]
	if t == nil {
		return "", false, false
	}
	return t.toolset, v.c.hasInstances(t.toolset), true
}

// EachTool calls yield with each listed tool, in list order.
func (v View) EachTool(yield func(ToolState) bool) {
	for _, t := range v.c.tools {
		if !yield(t.state()) {
			return
		}
	}
}

// Flag returns whether the tool was last stated to be visible in an open
// instance, or by itself where instance is "".
func (v View) Flag(tool, instance string) bool {
	t := v.c.byName[tool]
	if t == nil {
		return false
	}
	if instance == "" {
		return t.flag.on
	}
	in := v.c.instance(t.toolset, instance)
	return in.stated(t).on()
}

// InputSchema returns the schema in effect of a tool's arguments, in an open
// instance, or by itself where instance is ""; nil where it has none.
func (v View) InputSchema(tool, instance string) []byte {
	t := v.c.byName[tool]
	if t == nil {
		return nil
	}
	d := v.c.effective(t, v.c.instance(t.toolset, instance))
	return d.schema
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

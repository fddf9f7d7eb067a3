package timeline

import (
	"cmp"
	"slices"
	"strings"
)

// journal notes what stood before a message touched it, so that a row's
// changes are the difference between the state before and after, at the cost
// of what the message speaks of and not of the whole state.
type journal struct {
	on        bool
	sets      []setBefore
	tools     []toolBefore
	have      map[toolKey]bool // of tools, where there are many
	suggested []Change
}

type setBefore struct {
	toolset, instance string
	open              bool
	title             string
}

// toolBefore is what a tool was. Definitions never change once they are made,
// so that they are told apart by where they are.
type toolBefore struct {
	t              *tool
	instance       string
	in             *instance // nil: none of that name
	stated         *cell     // of the tool in it, nil: there was none
	visible        bool
	static         bool
	declared, hint *definition
}

type toolKey struct {
	t        *tool
	instance string
}

func (j *journal) begin() {
	j.on, j.sets, j.tools, j.have, j.suggested = true, j.sets[:0], j.tools[:0], nil, j.suggested[:0]
}

// fewTools is how many tools are looked through one by one.
const fewTools = 16

// noted reports whether a tool was noted already, and takes it as noted.
func (j *journal) noted(t *tool, instance string) bool {
	if len(j.tools) < fewTools {
		return slices.ContainsFunc(j.tools, func(b toolBefore) bool { return b.t == t && b.instance == instance })
	}
	if j.have == nil {
		j.have = map[toolKey]bool{}
		for i := range j.tools {
			j.have[toolKey{j.tools[i].t, j.tools[i].instance}] = true
		}
	}
	key := toolKey{t, instance}
	if j.have[key] {
		return true
	}
	j.have[key] = true
	return false
}

// set notes a toolset or an instance before it changes, and with it the tools
// whose being usable hangs on it.
func (j *journal) set(c *conn, toolset, name string) {
	if !j.on || slices.ContainsFunc(j.sets, func(b setBefore) bool { return b.toolset == toolset && b.instance == name }) {
		return
	}
	b := setBefore{toolset: toolset, instance: name}
	b.open, b.title = c.openAndTitle(toolset, name)
	j.sets = append(j.sets, b)
	in := c.instance(toolset, name)
	for _, t := range c.tools {
		if t.toolset == toolset {
			j.note(c, t, in, name)
		}
	}
}

func (c *conn) openAndTitle(toolset, name string) (open bool, title string) {
	if c.hasInstances(toolset) {
		in := c.instance(toolset, name)
		if in == nil {
			return false, ""
		}
		return true, in.title
	}
	return c.isOpen(toolset), c.titleOf(toolset)
}

// tool notes a tool, in an instance or by itself, before it changes.
func (j *journal) tool(c *conn, t *tool, in *instance) {
	if !j.on {
		return
	}
	name := ""
	if in != nil {
		name = in.name
	} else if c.hasInstances(t.toolset) {
		return // outside of instances there is nothing to see of it
	}
	j.note(c, t, in, name)
}

func (j *journal) note(c *conn, t *tool, in *instance, name string) {
	if j.noted(t, name) {
		return
	}
	stated := in.stated(t)
	j.tools = append(j.tools, toolBefore{
		t: t, instance: name, in: in, stated: stated, static: t.isStatic(), visible: c.visibleAs(t, in, stated),
		declared: t.declared, hint: t.hinted(stated),
	})
}

// end appends the changes since begin to out, and returns them: toolsets and
// instances, then tools in list order, then suggestions.
func (j *journal) end(c *conn, by By, out []Change) []Change {
	j.on = false
	from := len(out)
	for _, b := range j.sets {
		open, title := c.openAndTitle(b.toolset, b.instance)
		ch := Change{Toolset: b.toolset, Instance: b.instance}
		switch {
		case open && !b.open:
			ch.Kind = Opened
		case !open && b.open:
			ch.Kind = ClosedIt
		case open && title != b.title:
			ch.Kind = Retitled
		default:
			continue
		}
		out = append(out, ch)
	}
	inOrder := func(a, b toolBefore) int {
		return cmp.Or(a.t.order-b.t.order, strings.Compare(a.instance, b.instance))
	}
	if !slices.IsSortedFunc(j.tools, inOrder) {
		slices.SortStableFunc(j.tools, inOrder)
	}
	for i := range j.tools {
		out = j.tools[i].changes(c, out)
	}
	c.noteChanged(out[from:], by)
	return append(out, j.suggested...)
}

func (b *toolBefore) changes(c *conn, out []Change) []Change {
	in := c.instance(b.t.toolset, b.instance)
	if b.instance != "" && in == nil {
		return out // what closes gives closed alone
	}
	stated := b.stated
	if stated == nil || in != b.in {
		stated = in.stated(b.t)
	}
	ch := Change{Toolset: b.t.toolset, Instance: b.instance, Tool: b.t.name}
	if b.static != b.t.isStatic() {
		ch.Kind = Moved
		out = append(out, ch)
	}
	switch visible := c.visibleAs(b.t, in, stated); {
	case visible && !b.visible:
		ch.Kind = Shown
		out = append(out, ch)
	case !visible && b.visible && (b.t.toolset == "" || c.isOpen(b.t.toolset)):
		ch.Kind = Hidden
		out = append(out, ch)
	}
	if b.redefined(stated) {
		ch.Kind = Redefined
		out = append(out, ch)
	}
	return out
}

func (b *toolBefore) redefined(stated *cell) bool {
	hint := b.t.hinted(stated)
	if b.declared == b.t.declared && b.hint == hint {
		return false
	}
	before, now := b.declared.under(b.hint), b.t.declared.under(hint)
	return !now.same(&before)
}

// noteChanged remembers for each toolset and instance by which rev a tool of
// it last changed.
func (c *conn) noteChanged(changes []Change, by By) {
	for _, ch := range changes {
		if ch.Tool == "" || ch.Toolset == "" {
			continue
		}
		s := c.set(ch.Toolset)
		s.changed = by
		in := c.instance(ch.Toolset, ch.Instance)
		if in == nil {
			continue
		}
		if in.changed != by {
			in.changed, in.redefined = by, false
		}
		in.redefined = in.redefined || ch.Kind == Redefined
	}
}

func count(changes []Change) Counts {
	var n Counts
	for _, ch := range changes {
		if p := n.of(ch.Kind); *p < 1<<16-1 {
			*p++
		}
	}
	return n
}

func (n *Counts) of(k ChangeKind) *uint16 {
	switch k {
	case Opened:
		return &n.Opened
	case ClosedIt:
		return &n.Closed
	case Shown:
		return &n.Shown
	case Hidden:
		return &n.Hidden
	case Redefined:
		return &n.Redefined
	case Moved:
		return &n.Moved
	case Retitled:
		return &n.Retitled
	default:
		return &n.Suggested
	}
}

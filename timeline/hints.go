package timeline

import (
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
)

// hints are those of one message. The definitions in them are kept beyond it:
// where the message was read ahead, they were copied there as well.
type hints struct {
	mcpl.Hints
	copied []*definition // by the entries of Tools, nil: not yet
}

// copyDefinitions makes the definitions that are to be kept.
func (h *hints) copyDefinitions() {
	h.copied = h.copied[:0]
	for i := range h.Tools {
		var def *definition
		if raw := h.Tools[i].Definition; raw != nil {
			def = decodeDefinition(slices.Clone(raw))
		}
		h.copied = append(h.copied, def)
	}
}

// definition returns that of an entry of Tools, in memory of its own; nil
// where it has none.
func (h *hints) definition(i int) *definition {
	switch raw := h.Tools[i].Definition; {
	case raw == nil:
		return nil
	case i < len(h.copied):
		return h.copied[i]
	default:
		return decodeDefinition(slices.Clone(raw))
	}
}

// apply applies the entries of hints: toolsets, then tools, then suggest. A
// statement, the hints of a toolsets/list result, first clears what hints
// said before (state.md, "Opens, closes, lists").
func (c *conn) apply(by By, h *hints, statement bool) []Dropped {
	if statement {
		c.clearDynamic(by)
	}
	for i := range h.Toolsets {
		e := &h.Toolsets[i]
		c.ownNames(&e.Toolset, &e.Instance, &e.Title, &e.Reason)
		title := &e.Title
		if !e.HasTitle {
			title = nil
		}
		switch {
		case e.State == "open":
			c.openSet(e.Toolset, e.Instance, title, by)
		case e.State == "closed":
			if c.closeSet(e.Toolset, e.Instance, by) {
				c.ends(Ended{Toolset: e.Toolset, Instance: e.Instance, Reason: e.Reason, By: by})
			}
		case title != nil:
			c.retitle(e.Toolset, e.Instance, e.Title)
		}
	}
	var dropped []Dropped
	for i := range h.Tools {
		e := &h.Tools[i]
		if rule := c.applyTool(by, e, h.definition(i)); rule != "" {
			d := Dropped{Rule: rule, Entry: slices.Clone(e.Raw), Tool: c.history.name(e.Name)}
			if t := c.tool(e.Name); t != nil {
				d.Toolset = t.toolset
			}
			dropped = append(dropped, d)
		}
	}
	for i := range h.Suggest {
		c.suggested(by, &h.Suggest[i])
	}
	return dropped
}

// ownNames makes of views of a message names that may be kept.
func (c *conn) ownNames(views ...*string) {
	for _, v := range views {
		*v = c.history.name(*v)
	}
}

// maxGone bounds what is remembered of ends without a record.
const maxGone = 256

// ends remembers what the server closed by itself. Where a close asked for
// it, its result has closed it before the hints in it are applied.
func (c *conn) ends(e Ended) {
	if !c.hasInstances(e.Toolset) {
		e.Instance = ""
	}
	c.gone = append(c.gone, e)
	if len(c.gone) > maxGone {
		c.gone = slices.Delete(c.gone, 0, 1)
	}
}

// clearDynamic: all flags of dynamic tools become false, and what hints
// changed of definitions is forgotten.
func (c *conn) clearDynamic(by By) {
	off := cellFlag{stated: true, by: by}
	for _, t := range c.tools {
		if t.isStatic() {
			continue
		}
		c.journal.tool(c, t, nil)
		t.flag, t.def, t.defBy = off, nil, By{Index: -1}
		for _, in := range c.instancesOf(t.toolset) {
			c.journal.tool(c, t, in)
			*in.cell(t) = cell{flag: off, defBy: By{Index: -1}}
		}
	}
}

// applyTool applies one entry, with the definition in it, and returns the rule
// by which the entry, or the definition, was ignored, or "".
func (c *conn) applyTool(by By, e *mcpl.ToolHint, def *definition) string {
	t := c.tool(e.Name)
	if t == nil {
		return "hints-unknown-tool"
	}
	var in *instance
	if c.hasInstances(t.toolset) {
		if e.Instance == "" {
			return "hints-instance-missing"
		}
		if in = c.instance(t.toolset, e.Instance); in == nil {
			return "hints-unknown-instance"
		}
	}
	c.journal.tool(c, t, in)
	if e.Presence != "" && t.toolset == "" {
		t.static = e.Presence == "static"
		if t.static {
			c.dropDefinitions(t)
		}
	}
	if e.HasVisible {
		flag := cellFlag{on: e.Visible, stated: true, by: by}
		if in == nil {
			t.flag = flag
		} else {
			in.cell(t).flag = flag
		}
	}
	if def == nil {
		return ""
	}
	if t.isStatic() {
		return "hints-static-definition"
	}
	if in == nil {
		t.def, t.defBy = def, by
		return ""
	}
	cell := in.cell(t)
	cell.def, cell.defBy = def, by
	return ""
}

// cell returns what was stated for a tool in the instance, to be changed.
func (in *instance) cell(t *tool) *cell {
	e := in.stated(t)
	if e == nil {
		e = &cell{defBy: By{Index: -1}}
		for len(in.cells) <= t.order {
			in.cells = append(in.cells, nil)
		}
		in.cells[t.order] = e
	}
	return e
}

// suggested keeps a suggestion, one for each (toolset, instance, action): a
// later one takes the earlier one's place at the end of the list.
func (c *conn) suggested(by By, e *mcpl.SuggestHint) {
	c.ownNames(&e.Toolset, &e.Instance, &e.Action, &e.Reason)
	s := Suggestion{
		Toolset: e.Toolset, Instance: e.Instance, Action: e.Action,
		Options: slices.Clone(e.Options), Reason: e.Reason, By: by, TakenBy: By{Index: -1},
	}
	if !c.hasInstances(s.Toolset) {
		s.Instance = ""
	}
	c.suggest = slices.DeleteFunc(c.suggest, func(o Suggestion) bool {
		return o.Toolset == s.Toolset && o.Instance == s.Instance && o.Action == s.Action
	})
	c.suggest = append(c.suggest, s)
	c.journal.suggested = append(c.journal.suggested, Change{Kind: Suggested, Toolset: s.Toolset, Instance: s.Instance})
}

// taken marks the suggestions that come true when a toolset or an instance
// really opens or closes.
func (c *conn) taken(toolset, name, action string, by By) {
	for i := range c.suggest {
		s := &c.suggest[i]
		if s.Taken || s.Toolset != toolset || s.Action != action {
			continue
		}
		if s.Instance == name || (s.Instance == "" && action == "open") {
			s.Taken, s.TakenBy = true, by
		}
	}
}

package board

import (
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// bar divides the keys of the help line into groups: a Help without a key.
var bar view.Help

// Help returns the keys of this row, the verb of enter first.
func (b *Board) Help(c *view.Context) []view.Help {
	m := b.moment(c)
	l := b.settle(m)
	switch {
	case b.line() != nil:
		out := []view.Help{{Key: "enter", Verb: "keep it"}, {Key: "esc", Verb: "clear"}}
		if b.find.Typing {
			out = append(out, view.Help{Key: "↓ ↑", Verb: "match"})
		}
		return out
	case b.focus == paneInspect:
		out := []view.Help{{Key: "esc", Verb: "back"}}
		if p, ok := b.Inspect.(interface{ Help() []view.Help }); ok {
			out = append(out, p.Help()...)
		}
		return append(out, view.Help{Key: "j k", Verb: "line"}, bar,
			view.Help{Key: "[ ]", Verb: "rev"}, view.Help{Key: "z", Verb: b.zoomVerb()})
	}
	sel := b.selected(m)
	if sel.Kind == OnNothing {
		out := []view.Help{{Key: "tab", Verb: "pane"}}
		if b.filterOf(b.focus).Text != "" {
			out = append([]view.Help{{Key: "esc", Verb: "clear the filter"}, {Key: "/", Verb: "filter"}}, out...)
		}
		return out
	}
	enter := view.Help{Key: "enter", Verb: m.enterVerb(sel)}
	rev := view.Help{Key: "[ ]", Verb: "rev"}
	other := "revs"
	if b.focus == paneRevs {
		other = "tools"
	}
	if l.single {
		return []view.Help{enter, {Key: "tab", Verb: other}, rev}
	}
	out := []view.Help{enter}
	if b.filterOf(b.focus).Text != "" && (b.focus == paneRevs || b.focus == paneTools) {
		out = append(out, view.Help{Key: "n N", Verb: "match"}, view.Help{Key: "esc", Verb: "clear"})
	}
	if set := m.toolset(sel.Toolset); b.focus == paneTools && set != nil && len(set.Instances) > 1 && sel.Instance != "" {
		out = append(out, view.Help{Key: "← →", Verb: "instance"})
	}
	acts := b.actHelp(m, sel)
	switch {
	case b.stage && b.zoom:
		return append([]view.Help{enter, {Key: "d", Verb: "before/after"}, bar, rev, {Key: "z", Verb: "all panes"}}, acts...)
	case b.stage:
		return append([]view.Help{enter, {Key: "d", Verb: "compare"}, bar, rev, {Key: "z", Verb: "alone"}}, acts...)
	case b.zoom:
		out = append(append(out, view.Help{Key: "d", Verb: "before/after"}, bar, rev), acts...)
		return append(out, bar, view.Help{Key: "z", Verb: "all panes"})
	case l.w >= wideColumns:
		out = append(append(out, rev, view.Help{Key: "d", Verb: "compare"}, view.Help{Key: "m", Verb: "mark"}), acts...)
		return append(out, bar, view.Help{Key: "tab", Verb: "pane"}, view.Help{Key: "/", Verb: "filter"})
	case l.w >= middleColumns:
		out = append(append(out, view.Help{Key: "i", Verb: "inspect"}), acts...)
		return append(out, bar, rev, view.Help{Key: "/", Verb: "filter"})
	default:
		return append(append(out, view.Help{Key: "i", Verb: "inspect"}, rev), acts...)
	}
}

func (b *Board) zoomVerb() string {
	if b.zoom {
		return "all panes"
	}
	return "alone"
}

// enterVerb is what enter does on a selection.
func (m *moment) enterVerb(sel Selection) string {
	if !m.acts {
		return "read it"
	}
	switch sel.Kind {
	case OnTool:
		if m.usableCell(sel) {
			return "call…"
		}
		return "call anyway…"
	case OnToolset:
		switch set := m.toolset(sel.Toolset); {
		case set == nil || set.Open:
		case set.Declared:
			return "open…"
		default:
			return "open here, nothing is sent"
		}
	case OnSuggestion:
		if s := m.find(sel); s != nil && !s.Taken {
			return s.Action + "…"
		}
	}
	return "read it"
}

func (m *moment) usableCell(sel Selection) bool {
	for i := range m.rows {
		r := &m.rows[i]
		if r.kind == rowTool && r.tool.Name == sel.Tool {
			c := cellOf(r.set, r.tool, sel.Instance)
			return c != nil && c.Visible
		}
	}
	return false
}

// actHelp is the group of the keys that act; a key that enter stands for, or
// that nothing answers to here, is left out.
func (b *Board) actHelp(m *moment, sel Selection) []view.Help {
	if !m.acts {
		return nil
	}
	out := []view.Help{bar}
	if b.focus != paneTools || sel.Kind != OnTool {
		out = append(out, view.Help{Key: "c", Verb: "call"})
	}
	if len(m.b.Toolsets) > 0 { // else there is nothing to open
		out = append(out, view.Help{Key: "o", Verb: "open"}, view.Help{Key: "x", Verb: closeVerb(sel)})
	}
	if b.focus != paneTools || sel.Kind != OnTool {
		out = append(out, view.Help{Key: "a", Verb: "answer"})
	}
	return out
}

func closeVerb(sel Selection) string {
	if sel.Instance != "" && (sel.Kind == OnTool || sel.Kind == OnInstance) {
		return "close " + cutName(sel.Instance, 16)
	}
	return "close"
}

// Where names the place for the page of keys: "Board, Tools, on play @ vs-ada".
func (b *Board) Where(c *view.Context) string {
	m := b.moment(c)
	b.settle(m)
	text := "Board, " + paneWords[b.focus]
	if on := m.on(b.selected(m)); on != "" {
		text += ", on " + on
	}
	return text
}

// on names a selection in words.
func (m *moment) on(sel Selection) string {
	switch sel.Kind {
	case OnRow:
		if row := m.row(sel.Row); row != nil {
			return "rev " + revLabel(row)
		}
	case OnStatic:
		return "STATIC"
	case OnDynamic:
		return "DYNAMIC"
	case OnLoose:
		return "LOOSE"
	case OnSuggestion:
		return sel.Action + " " + nameOf(sel)
	}
	return nameOf(sel)
}

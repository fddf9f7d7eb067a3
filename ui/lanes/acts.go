package lanes

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// boardView is the number of the board.
const boardView = 1

// actKey handles enter and the keys that act on the lane under the cursor, as
// on the board. An act speaks of the present, wherever the playhead stands.
func (v *View) actKey(key string, m *moment) (view.Intent, bool) {
	switch key {
	case "enter":
		return v.enter(m), true
	case "c", "o", "x", "a":
	default:
		return view.Intent{}, false
	}
	switch {
	case m.c.Replay:
		return view.Saying("this is a recording; t connects to its server"), true
	case m.c.Ended:
		return view.Saying(m.c.Over()), true
	}
	switch key {
	case "c":
		return v.call(m), true
	case "o":
		return v.open(m), true
	case "x":
		return v.shut(m), true
	}
	return view.Intent{Kind: view.AnswerForm}, true
}

// enter leads to the board at this rev, on this tool; what can be folded is
// folded or unfolded.
func (v *View) enter(m *moment) view.Intent {
	if len(v.rows) == 0 {
		return view.Intent{}
	}
	if v.sel.kind == onTool {
		return view.Intent{
			Kind: view.Show, View: boardView,
			Toolset: v.sel.toolset, Instance: v.sel.instance, Tool: v.sel.tool,
		}
	}
	v.fold(m, &v.rows[v.lastAt])
	return view.Intent{}
}

// fold folds a row, or unfolds it.
func (v *View) fold(m *moment, r *row) {
	v.free = false
	key := v.lane(r).foldKey()
	if r.kind == onInstance && m.at.h < tallBody && r.folded {
		delete(v.folds, key) // under the cursor it unfolds by itself
		return
	}
	v.folds[key] = !r.folded
}

// runLine asks for a line of the command language to be run.
func runLine(line string) view.Intent {
	if kit.Clean(line) != line || strings.Count(line, " ") > 1 {
		return view.Saying("this name cannot stand in a command: it has blanks or control characters")
	}
	return view.Intent{Kind: view.Run, Line: line}
}

func (v *View) call(m *moment) view.Intent {
	in := view.Intent{Kind: view.CallForm, Tool: v.sel.tool, Toolset: v.sel.toolset, Instance: v.sel.instance}
	if ts := label.Toolset(m.newest, v.sel.toolset); in.Tool == "" && ts != nil {
		if in.Instance == "" && len(ts.Instances) > 0 {
			in.Instance = ts.Instances[0].Name
		}
		in.Tool = firstTool(ts, in.Instance)
	}
	if in.Tool == "" {
		return view.Saying("choose the lane of a tool; c calls it")
	}
	return in
}

// firstTool names the first tool of a toolset that is usable in instance, or
// the first of all where none is.
func firstTool(ts *timeline.Toolset, instance string) string {
	for i := range ts.Tools {
		if c := label.CellOf(ts, &ts.Tools[i], instance); c != nil && c.Visible {
			return ts.Tools[i].Name
		}
	}
	if len(ts.Tools) > 0 {
		return ts.Tools[0].Name
	}
	return ""
}

func (v *View) open(m *moment) view.Intent {
	if ts := label.Toolset(m.newest, v.sel.toolset); ts != nil {
		if ts.Open && !ts.HasInstances {
			return view.Saying(label.Peer(ts.Name) + " is open already; x closes it")
		}
		return v.openSet(m, ts)
	}
	for i := range m.newest.Toolsets {
		if ts := &m.newest.Toolsets[i]; ts.Declared && (!ts.Open || ts.HasInstances) {
			return v.openSet(m, ts)
		}
	}
	return view.Saying("there is no toolset to open")
}

// openSet opens a toolset: with a form where the server is asked, at once
// where it is an undeclared group (toolhints.md §3). An instance that is
// closed is proposed by its name.
func (v *View) openSet(m *moment, ts *timeline.Toolset) view.Intent {
	if !ts.Declared {
		return runLine("open " + ts.Name)
	}
	in := view.Intent{Kind: view.OpenForm, Toolset: ts.Name}
	if s := label.Pending(m.newest, ts.Name, "open"); s != nil {
		in.Instance, in.Args = s.Instance, s.Options
	}
	if v.sel.toolset == ts.Name && v.sel.instance != "" && label.Instance(ts, v.sel.instance) < 0 {
		in.Instance, in.Args = v.sel.instance, nil
	}
	return in
}

// shut asks whether to close.
func (v *View) shut(m *moment) view.Intent {
	ts := label.Toolset(m.newest, v.sel.toolset)
	switch {
	case ts == nil:
		return view.Saying("choose the lane of a toolset or an instance; x closes it")
	case !ts.Open:
		return view.Saying(label.Peer(ts.Name) + " is not open")
	case !ts.Declared:
		return runLine("close " + ts.Name)
	case v.sel.instance != "" && label.Instance(ts, v.sel.instance) < 0:
		return view.Saying(label.Peer(v.sel.instance) + " is not open")
	case ts.HasInstances && v.sel.instance == "" && len(ts.Instances) > 1:
		return view.Saying("several are open; j k choose the one that x closes")
	}
	in := view.Intent{Kind: view.AskClose, Toolset: ts.Name, Instance: v.sel.instance}
	if ts.HasInstances && in.Instance == "" {
		in.Instance = ts.Instances[0].Name
	}
	return in
}

// bar divides the keys of the help line into groups.
var bar view.Help

// Help returns the keys of this row, the verb of enter first.
func (v *View) Help(c *view.Context) []view.Help {
	m := v.look(c)
	if v.filter.Typing {
		return []view.Help{{Key: "enter", Verb: "keep it"}, {Key: "esc", Verb: "clear"}}
	}
	if len(v.rows) == 0 && v.filter.Text != "" {
		return []view.Help{{Key: "esc", Verb: "clear the filter"}, {Key: "/", Verb: "filter"}}
	}
	if len(v.rows) == 0 {
		return []view.Help{{Key: "1", Verb: "the board"}, {Key: "3", Verb: "the wire"}}
	}
	wide := m.at.w >= wideColumns
	enter := view.Help{Key: "enter", Verb: "the board"}
	switch {
	case v.sel.kind != onTool && v.rows[v.lastAt].folded:
		enter.Verb = "unfold"
	case v.sel.kind != onTool:
		enter.Verb = "fold"
	case wide:
		enter.Verb = "the board here"
	}
	rev, zoom := view.Help{Key: "[ ]", Verb: "rev"}, view.Help{Key: "z", Verb: "zoom"}
	if m.at.w < narrowColumns {
		return []view.Help{enter, {Key: "j k", Verb: "lane"}, rev, zoom}
	}
	out := []view.Help{enter, {Key: "j k", Verb: "lane"}}
	if v.filter.Text != "" {
		out = append(out, view.Help{Key: "n N", Verb: "match"}, view.Help{Key: "esc", Verb: "clear"})
	}
	if wide {
		out = append(out, view.Help{Key: "← →"})
	}
	out = append(out, rev)
	if !wide {
		out = append(out, zoom, bar)
	}
	if len(v.marks.all) > 0 {
		out = append(out, view.Help{Key: "e E", Verb: "finding"})
	}
	if !wide {
		return out
	}
	if m.acts {
		out = append(out, bar, view.Help{Key: "c", Verb: "call"}, view.Help{Key: "o", Verb: "open"},
			view.Help{Key: "x", Verb: "close"}, view.Help{Key: "a", Verb: "answer"})
	}
	return append(out, bar, zoom, view.Help{Key: "/", Verb: "filter"})
}

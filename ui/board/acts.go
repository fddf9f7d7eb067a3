package board

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// actKey handles enter and the keys that act on the selection.
func (b *Board) actKey(key string, m *moment) (view.Intent, bool) {
	switch key {
	case "enter":
		return b.enter(m), true
	case "d":
		return b.compare(m), true
	case "c", "o", "x", "a":
		if text := m.cannotAct(); text != "" {
			return view.Saying(text), true
		}
	case "y":
		return b.copySelection(m), true
	case "Y":
		return b.copyCommand(m), true
	case "r":
		return b.again(m)
	}
	switch key {
	case "c":
		return b.call(m), true
	case "o":
		return b.openKey(m), true
	case "x":
		return b.closeKey(m), true
	case "a":
		if sel := b.selected(m); sel.Kind == OnSuggestion {
			if s := m.find(sel); s != nil && !s.Taken {
				return m.takeUp(s), true
			}
		}
		return view.Intent{Kind: view.AnswerForm}, true
	}
	return view.Intent{}, false
}

// run asks for a line of the command language to be run.
func run(line string) view.Intent {
	if !oneCommand(line) {
		return view.Saying("this name cannot stand in a command: it has blanks or control characters")
	}
	return view.Intent{Kind: view.Run, Line: line}
}

// oneCommand reports whether a line made with a peer's names is still one
// line of printable text. Names of two words would be other arguments, so
// none of its words may have brought a blank of its own.
func oneCommand(line string) bool {
	return kit.Clean(line) == line && strings.Count(line, " ") <= 1
}

// cannotAct says why nothing can be sent, "" where something can.
func (m *moment) cannotAct() string {
	switch {
	case m.c.Replay:
		return "this is a recording; t connects to its server"
	case m.c.Ended:
		return m.c.Over()
	}
	return ""
}

// enter opens what is selected; it sends nothing by itself, except that an
// undeclared group, which is the host's own affair, is opened here at once.
func (b *Board) enter(m *moment) view.Intent {
	sel := b.selected(m)
	if m.acts && b.focus != paneInspect {
		switch sel.Kind {
		case OnTool:
			return view.Intent{Kind: view.CallForm, Tool: sel.Tool, Toolset: sel.Toolset, Instance: sel.Instance}
		case OnToolset:
			if set := m.toolset(sel.Toolset); set != nil && !set.Open {
				return m.openSet(set)
			}
		case OnSuggestion:
			if s := m.find(sel); s != nil && !s.Taken {
				return m.takeUp(s)
			}
		}
	}
	if b.focus != paneInspect && sel.Kind != OnNothing {
		b.toInspect(b.lay(m, b.w, b.h))
	}
	return view.Intent{}
}

// compare asks for the comparison of what is selected: of a tool, of the tool
// that a rev redefined, else of the whole board.
func (b *Board) compare(m *moment) view.Intent {
	if m.b.ListAt < 0 {
		return view.Saying("nothing is listed yet, so there is nothing to compare")
	}
	in := view.Intent{Kind: view.Compare}
	switch sel := b.selected(m); sel.Kind {
	case OnTool:
		in.Toolset, in.Instance, in.Tool = sel.Toolset, sel.Instance, sel.Tool
	case OnRow:
		row := m.row(sel.Row)
		if row == nil {
			break
		}
		for _, ch := range row.Changes {
			if ch.Kind != timeline.Redefined {
				continue
			}
			mine := ch.Tool == b.sel.Tool && ch.Instance == b.sel.Instance
			if in.Tool == "" || mine { // the one under the cursor of TOOLS comes first
				in.Toolset, in.Instance, in.Tool = ch.Toolset, ch.Instance, ch.Tool
			}
		}
	}
	return in
}

// find returns the suggestion that is selected, or nil.
func (m *moment) find(sel Selection) *timeline.Suggestion {
	for _, s := range m.suggestions() {
		if m.suggestionSelection(s) == sel {
			return s
		}
	}
	return nil
}

// takeUp asks for the form of what the server suggests.
func (m *moment) takeUp(s *timeline.Suggestion) view.Intent {
	in := view.Intent{Kind: view.OpenForm, Toolset: s.Toolset, Instance: s.Instance, Args: s.Options}
	if s.Action == "close" {
		in.Kind, in.Args = view.AskClose, nil
	}
	return in
}

// openSet opens a toolset: with a form where the server is asked, at once
// where it is an undeclared group (toolhints.md §3).
func (m *moment) openSet(set *timeline.Toolset) view.Intent {
	if !set.Declared {
		return run("open " + set.Name)
	}
	in := view.Intent{Kind: view.OpenForm, Toolset: set.Name}
	if s := m.pending(set.Name, "open"); s != nil {
		in.Instance, in.Args = s.Instance, s.Options
	}
	return in
}

// target is what the keys of acting speak of: the selection, or the cursor of
// TOOLS where the selection is a rev.
func (b *Board) target(m *moment) Selection {
	if sel := b.selected(m); sel.Kind != OnRow && sel.Kind != OnNothing {
		return sel
	}
	return b.sel
}

func (b *Board) call(m *moment) view.Intent {
	sel := b.target(m)
	in := view.Intent{Kind: view.CallForm, Tool: sel.Tool, Toolset: sel.Toolset, Instance: sel.Instance}
	if set := m.toolset(sel.Toolset); in.Tool == "" && set != nil {
		if in.Instance == "" && len(set.Instances) > 0 {
			in.Instance = set.Instances[0].Name
		}
		in.Tool = firstTool(set, in.Instance)
	}
	if in.Tool == "" {
		return view.Saying("choose a tool in TOOLS; c calls it")
	}
	return in
}

func (b *Board) openKey(m *moment) view.Intent {
	sel := b.target(m)
	if set := m.toolset(sel.Toolset); set != nil {
		if set.Open && !set.HasInstances {
			return view.Saying(set.Name + " is open already; x closes it")
		}
		return m.openSet(set)
	}
	var closed *timeline.Toolset
	for i := range m.b.Toolsets {
		set := &m.b.Toolsets[i]
		if closed == nil && set.Declared && (!set.Open || set.HasInstances) {
			closed = set
		}
	}
	if closed == nil {
		return view.Saying("there is no toolset to open")
	}
	return m.openSet(closed)
}

func (b *Board) closeKey(m *moment) view.Intent {
	sel := b.target(m)
	set := m.toolset(sel.Toolset)
	switch {
	case set == nil:
		return view.Saying("choose a toolset or an instance; x closes it")
	case !set.Open:
		return view.Saying(set.Name + " is not open")
	case !set.Declared:
		return run("close " + set.Name)
	case set.HasInstances && sel.Instance == "" && len(set.Instances) > 1:
		return view.Saying("several are open; ← → choose the one that x closes")
	}
	in := view.Intent{Kind: view.AskClose, Toolset: set.Name, Instance: sel.Instance}
	if set.HasInstances && sel.Instance == "" {
		in.Instance = set.Instances[0].Name
	}
	return in
}

// again opens the form of a past call, filled with its arguments. On anything
// but a call the key is the root's.
func (b *Board) again(m *moment) (view.Intent, bool) {
	sel := b.selected(m)
	row := m.row(sel.Row)
	if !m.acts || sel.Kind != OnRow || row == nil || row.Carrier != timeline.CarrierCall {
		return view.Intent{}, false
	}
	return view.Intent{
		Kind: view.CallForm, Tool: row.Cause.Tool, Instance: row.Cause.Instance, Args: m.arguments(row),
	}, true
}

// arguments are those of the call that a row answers, nil where there are none.
func (m *moment) arguments(row *timeline.Row) []byte {
	f, ok := m.frame(row.Cause.Index)
	if !ok {
		return nil
	}
	var call struct {
		Params struct {
			Arguments json.RawMessage `json:"arguments"`
		} `json:"params"`
	}
	if json.Unmarshal(f.Body, &call) != nil {
		return nil // one of a batch: nothing to fill in
	}
	var line bytes.Buffer // the body may be spread over lines
	if json.Compact(&line, call.Params.Arguments) != nil {
		return nil
	}
	return line.Bytes()
}

func (m *moment) frame(i int) (timeline.Frame, bool) {
	if m.c.Log == nil || i < 0 || i >= m.c.Len {
		return timeline.Frame{}, false
	}
	f, err := m.c.Log.Frame(i)
	return f, err == nil
}

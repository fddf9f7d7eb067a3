package board

import (
	"bytes"
	"encoding/json"
	"fmt"
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

// copySelection copies what is selected, as it stood on the wire where there
// is such a thing.
func (b *Board) copySelection(m *moment) view.Intent {
	in := view.Intent{Kind: view.Copy}
	switch sel := b.selected(m); sel.Kind {
	case OnRow:
		row := m.row(sel.Row)
		if row == nil {
			return view.Saying("nothing to copy here")
		}
		f, ok := m.frame(row.Index)
		if !ok {
			return view.Saying("this frame cannot be read")
		}
		in.Text, in.What = string(f.Body), fmt.Sprintf("frame %d, %d B", f.Seq, len(f.Body))
	case OnTool:
		def := m.definition(sel)
		in.Text, in.What = string(def), fmt.Sprintf("definition of %s, %d B", nameOf(sel), len(def))
	case OnSuggestion, OnEnded:
		if in.Text = m.reason(sel); in.Text != "" {
			in.What = "the server's reason"
		} else {
			in.Text, in.What = nameOf(sel), nameOf(sel)
		}
	case OnToolset, OnInstance:
		in.Text, in.What = nameOf(sel), nameOf(sel)
	case OnStatic:
		in.Text, in.What = names(m.b.Static), "names of the static tools"
	default:
		return view.Saying("nothing to copy here")
	}
	if in.Text == "" {
		return view.Saying("nothing to copy here")
	}
	return in
}

// definition is the one in effect in the cell that is selected.
func (m *moment) definition(sel Selection) []byte {
	for i := range m.rows {
		r := &m.rows[i]
		if r.kind != rowTool || r.tool.Name != sel.Tool {
			continue
		}
		if c := cellOf(r.set, r.tool, sel.Instance); c != nil && len(c.Definition) > 0 {
			return c.Definition
		}
		return r.tool.Declared
	}
	return nil
}

func (m *moment) reason(sel Selection) string {
	if s := m.find(sel); s != nil {
		return s.Reason
	}
	for i := range m.ends {
		if e := &m.ends[i]; sel.Kind == OnEnded && e.ID == sel.ID {
			return e.Reason
		}
	}
	return ""
}

// copyCommand copies the line of the command language that does what enter,
// or x, would do here.
func (b *Board) copyCommand(m *moment) view.Intent {
	line := ""
	switch sel := b.selected(m); sel.Kind {
	case OnTool:
		line = "call " + at(sel.Tool, sel.Instance)
	case OnToolset:
		line = "open " + sel.Toolset
	case OnInstance:
		line = "close " + sel.Toolset
		if sel.Instance != "" {
			line += " " + sel.Instance
		}
	case OnSuggestion:
		line = suggestedLine(sel, m.find(sel))
	case OnRow:
		line = m.rowCommand(m.row(sel.Row))
	}
	if line == "" {
		return view.Saying("there is no command for this; on a tool, a toolset or an own request there is")
	}
	if kit.Clean(line) != line {
		return view.Saying("this cannot be written as a command: a name has control characters")
	}
	return view.Intent{Kind: view.Copy, Line: line, Text: line, What: "command"}
}

func at(tool, instance string) string {
	if instance == "" {
		return tool
	}
	return tool + "@" + instance
}

func suggestedLine(sel Selection, s *timeline.Suggestion) string {
	line := sel.Action + " " + sel.Toolset
	switch {
	case sel.Instance != "" && sel.Action == "open":
		line += " as " + sel.Instance
	case sel.Instance != "":
		line += " " + sel.Instance
	}
	if s != nil && len(s.Options) > 0 && sel.Action == "open" {
		line += " " + string(s.Options)
	}
	return line
}

// rowCommand is the line that repeats the request which a row answers.
func (m *moment) rowCommand(row *timeline.Row) string {
	if row == nil {
		return ""
	}
	c := &row.Cause
	switch row.Carrier {
	case timeline.CarrierCall:
		line := "call " + at(c.Tool, c.Instance)
		if args := m.arguments(row); len(args) > 0 {
			line += " " + string(args)
		}
		return line
	case timeline.CarrierOpen:
		if c.Instance != "" {
			return "open " + c.Toolset + " as " + c.Instance
		}
		return "open " + c.Toolset
	case timeline.CarrierClose:
		if c.Instance != "" {
			return "close " + c.Toolset + " " + c.Instance
		}
		return "close " + c.Toolset
	case timeline.CarrierList:
		return "toolsets"
	}
	return ""
}

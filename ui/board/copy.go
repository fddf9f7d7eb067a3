package board

import (
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

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

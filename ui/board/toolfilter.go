package board

import (
	"github.com/tidwall/gjson"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
)

// toolMatch is what the filter of TOOLS leaves of one board.
type toolMatch struct {
	board *timeline.Board
	query filter.Query
	keep  map[*timeline.Tool]bool
}

// matchTools returns the tools that the filter of TOOLS leaves. A board never
// changes, so each is judged once for each filter.
func (b *Board) matchTools(m *moment) map[*timeline.Tool]bool {
	k := &b.kept
	if k.board == m.b && k.query.Text == b.filter.Text && k.keep != nil {
		return k.keep
	}
	*k = toolMatch{board: m.b, query: filter.Parse(b.filter.Text), keep: map[*timeline.Tool]bool{}}
	each := func(group string, set *timeline.Toolset, tools []timeline.Tool) {
		for i := range tools {
			if k.query.MatchesParts(toolParts(&k.query, group, set, &tools[i])) {
				k.keep[&tools[i]] = true
			}
		}
	}
	each("STATIC", nil, m.b.Static)
	each("LOOSE", nil, m.b.Loose)
	for i := range m.b.Toolsets {
		each("", &m.b.Toolsets[i], m.b.Toolsets[i].Tools)
	}
	return k.keep
}

// toolParts is what there is to know of a tool in each place it stands in.
func toolParts(q *filter.Query, group string, set *timeline.Toolset, tool *timeline.Tool) []filter.Facts {
	f := filter.Facts{Tools: []string{tool.Name}, Statuses: []string{"dynamic"}}
	if tool.Presence == "static" || group == "STATIC" {
		f.Statuses[0] = "static"
	}
	if q.Asks("") {
		f.Words = toolWords(group, set, tool)
	}
	if set == nil {
		f.Statuses = append(f.Statuses, cellStatuses(tool, 0)...)
		return []filter.Facts{f}
	}
	f.Toolsets = []string{set.Name}
	if !set.Declared {
		f.Statuses = append(f.Statuses, "undeclared")
	}
	if !set.HasInstances || len(set.Instances) == 0 {
		f.Statuses = append(f.Statuses, openStatus(set.Open))
		f.Statuses = append(f.Statuses, cellStatuses(tool, 0)...)
		return []filter.Facts{f}
	}
	parts := make([]filter.Facts, len(set.Instances))
	for i := range parts {
		in := &set.Instances[i]
		p := f
		p.Instances = []string{in.Name}
		p.Statuses = append(append([]string{"open"}, f.Statuses...), cellStatuses(tool, i)...)
		if q.Asks("") {
			p.Words = append([]string{in.Name, in.Title}, f.Words...)
		}
		parts[i] = p
	}
	return parts
}

func openStatus(open bool) string {
	if open {
		return "open"
	}
	return "closed"
}

// cellStatuses are the words for a tool's cell i. A tool that has no cell
// there is hidden: nothing can call it.
func cellStatuses(tool *timeline.Tool, i int) []string {
	if i >= len(tool.Cells) || !tool.Cells[i].Visible {
		if i < len(tool.Cells) && tool.Cells[i].Redefined {
			return []string{"hidden", "redefined"}
		}
		return []string{"hidden"}
	}
	if tool.Cells[i].Redefined {
		return []string{"visible", "usable", "redefined"}
	}
	return []string{"visible", "usable"}
}

// wordBytes is how large a definition may be for its words to be looked at.
const wordBytes = 128 << 10

// toolWords are the texts of a tool that words are looked for in.
func toolWords(group string, set *timeline.Toolset, tool *timeline.Tool) []string {
	out := []string{tool.Name, group}
	if set != nil {
		out = append(out, set.Name, set.Title)
	}
	if len(tool.Declared) > wordBytes {
		return out
	}
	for _, v := range gjson.GetManyBytes(tool.Declared, "title", "annotations.title", "description") {
		if v.Type == gjson.String {
			out = append(out, v.Str)
		}
	}
	return out
}

// toolList is what TOOLS says of itself to a filter.
func toolList(m *moment) filter.List {
	return filter.List{
		Name: "TOOLS", Keys: []string{"tool", "toolset", "instance", "status"},
		Values: func(key string) (noun string, values []string) {
			if key == "status" {
				return "Statuses", []string{"visible", "usable", "hidden", "redefined", "static", "dynamic", "undeclared", "open", "closed"}
			}
			return filter.OfBoard(m.b, key)
		},
	}
}

// allTools is how many tools are listed.
func (m *moment) allTools() int {
	_, dynamic := m.dynamicCount()
	return len(m.b.Static) + dynamic
}

// noTool is the empty state of a filter that leaves no tool.
func (b *Board) noTool(m *moment) string {
	b.matchTools(m)
	l := toolList(m)
	return l.NoMatch(&b.kept.query, m.allTools())
}

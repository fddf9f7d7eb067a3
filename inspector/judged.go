package inspector

import (
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// judged says that a refused call was refused by right, where the board says
// so: it was hidden, or closed, when it was sent and when it was answered
// (toolhints.md §3). What it cannot prove it leaves out.
func (d *Doc) judged(x *exchange) {
	if x.askedAt < 0 || x.answerAt < 0 || x.question.Method != "tools/call" || x.asked.Dir != timeline.Out {
		return
	}
	if x.outcome != ToolError || x.words == "" {
		return
	}
	tool, instance := member(x.question.Params, "name"), instanceOf(x.question.Params)
	before, err := x.log.Board(x.askedAt)
	if err != nil || !before.ToolHints {
		return
	}
	p, ok := find(before, tool, instance)
	if !ok || p.usable() || !p.callable(instance) {
		return
	}
	after, err := x.log.Board(x.answerAt)
	if err != nil {
		return
	}
	if q, ok := find(after, tool, instance); !ok || q.usable() {
		return
	}
	state := "was hidden"
	rule := "a call to a hidden tool gets a tool error that says why (toolHints 3)."
	if p.closed() {
		state = "was in a toolset that is not open"
		rule = "such a call gets a tool error that says why (toolHints 3)."
	}
	where := ""
	if instance != "" && !p.closed() {
		where = " in " + oneLine(instance)
	}
	l := say("as it should be: " + oneLine(tool) + " " + state + where + ", and " + rule)
	l.Sign = "✓"
	d.Add(Block{Head: "JUDGED", Body: []Line{l}})
	if why := whyNot(x.log, before, p, false); len(why) > 0 {
		d.Add(Block{Head: "WHY " + oneLine(tool) + " " + "WAS " + p.hiddenWord(), Body: why})
	}
}

// spot is a tool in a place: by itself, or in an instance.
type spot struct {
	set      *timeline.Toolset // nil for a tool of no toolset
	tool     *timeline.Tool
	instance string
	cell     *timeline.Cell // nil where the instance is not open, or none is
	inst     *timeline.Instance
}

// find looks a tool up on a board. instance is left out of account where its
// toolset has none (state.md, "Hint entries").
func find(b *timeline.Board, tool, instance string) (spot, bool) {
	for _, list := range [][]timeline.Tool{b.Static, b.Loose} {
		for i := range list {
			if list[i].Name == tool {
				return spot{tool: &list[i], cell: firstCell(&list[i])}, true
			}
		}
	}
	for i := range b.Toolsets {
		set := &b.Toolsets[i]
		for k := range set.Tools {
			if t := &set.Tools[k]; t.Name == tool {
				return within(set, t, instance), true
			}
		}
	}
	return spot{}, false
}

func firstCell(t *timeline.Tool) *timeline.Cell {
	if len(t.Cells) == 0 {
		return nil
	}
	return &t.Cells[0]
}

func within(set *timeline.Toolset, t *timeline.Tool, instance string) spot {
	p := spot{set: set, tool: t}
	if !set.HasInstances {
		p.cell = firstCell(t)
		return p
	}
	p.instance = instance
	for i := range set.Instances {
		if set.Instances[i].Name == instance && i < len(t.Cells) {
			p.inst, p.cell = &set.Instances[i], &t.Cells[i]
		}
	}
	return p
}

func (p spot) usable() bool { return p.cell != nil && p.cell.Visible }

// closed: the toolset, or the instance that is asked about, is not open.
func (p spot) closed() bool {
	if p.set == nil {
		return false
	}
	if p.set.HasInstances {
		return p.inst == nil
	}
	return !p.set.Open
}

// callable: it is clear which place a call speaks of. Without a name and with
// instances open it may go to one of them (toolhints.md §6).
func (p spot) callable(instance string) bool {
	return p.set == nil || !p.set.HasInstances || instance != "" || len(p.set.Instances) == 0
}

func (p spot) hiddenWord() string {
	if p.closed() {
		return "CLOSED"
	}
	return "HIDDEN"
}

package lanes

import (
	"fmt"
	"sort"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// findings says what findings stand in this lane, and where the next one
// after the playhead is.
func (t *teller) findings() taleLine {
	l := taleLine{head: "FINDINGS", text: "none in this lane"}
	if t.v.marks.behind(t.m.c) {
		l.text += " so far, the rest is being read"
	}
	if mk, n := t.lastMark(); n > 0 {
		l.bad = true
		l.text = fmt.Sprintf("✗ %d, the last at %s", n, t.m.revOfMark(mk))
		if n == 1 {
			l.text = "✗ 1 at " + t.m.revOfMark(mk)
		}
		if rule := t.ruleOf(mk); rule != "" {
			l.text += "," + rule
		}
	}
	all := t.v.marks.all
	i := upTo(all, t.m.c.At)
	if i == len(all) {
		return l
	}
	next := all[i]
	l.right = fmt.Sprintf("later: ✗ %d, the next at %s", len(all)-i, t.m.revOfMark(next))
	if i == len(all)-1 {
		l.right = "later: ✗ 1 at " + t.m.revOfMark(next)
	}
	l.right += ", in the lane of " + t.v.laneOfMark(next)
	return l
}

// lastMark returns the last finding at or before the playhead that speaks of
// the lane, and how many there are. One that names its tool and no instance
// speaks of it in each.
func (t *teller) lastMark() (last mark, n int) {
	r := &t.v.rows[t.v.lastAt]
	last.row = -1
	for i := range t.v.marks.lists {
		l := &t.v.marks.lists[i]
		of := l.of
		ours := t.v.stands(of, r) ||
			(t.s.kind == onTool && of.Tool == t.s.tool && of.Toolset == t.s.toolset && of.Instance == "")
		if !ours {
			continue
		}
		k := upTo(l.marks, t.m.c.At)
		if n += k; k > 0 && l.marks[k-1].row > last.row {
			last = l.marks[k-1]
		}
	}
	return last, n
}

// rules says by which rule an entry was ignored, in a few words.
var rules = map[string]string{
	"hints-instance-missing":  "named no instance, ignored",
	"hints-unknown-instance":  "named an instance that is not open, ignored",
	"hints-unknown-tool":      "named a tool that is not listed, ignored",
	"hints-static-definition": "redefined a static tool, ignored",
}

// ruleOf says which rule a finding is of: " hints-unknown-tool: named a tool
// that is not listed, ignored", "" where that is not known.
func (t *teller) ruleOf(mk mark) string {
	if rule := t.v.marks.ruleName(mk); rule != "" {
		if words := rules[rule]; words != "" {
			return " " + rule + ": " + words
		}
		return " " + rule
	}
	switch h := t.m.c.Log.RowHead(int(mk.row)); h.Status {
	case timeline.Gap:
		return " revs before it never came"
	case timeline.Stale, timeline.Repeat, timeline.Ignored, timeline.BadRev:
		return " " + h.Status.String() + ": not applied"
	}
	return ""
}

// revOfMark names the rev at which a finding stands.
func (m *moment) revOfMark(mk mark) string {
	h := m.c.Log.RowHead(int(mk.row))
	if h.Rev > 0 {
		return "rev " + label.Rev(h.Conn, h.Rev)
	}
	return "frame " + seqOf(m.c.Log.Entry(h.Index))
}

// laneOfMark names the lane in which a finding stands.
func (v *View) laneOfMark(mk mark) string {
	for i := range v.marks.lists {
		l := &v.marks.lists[i]
		k := sort.Search(len(l.marks), func(k int) bool { return l.marks[k].row >= mk.row })
		if k < len(l.marks) && l.marks[k].row == mk.row {
			group, inst, tool := v.things.resolve(l.of)
			switch {
			case group < 0:
				return "DYNAMIC"
			case tool >= 0 && inst >= 0:
				return label.Name(l.of.Toolset, l.of.Instance, l.of.Tool)
			case tool >= 0:
				return label.Peer(l.of.Tool)
			case inst >= 0:
				return label.Name(l.of.Toolset, l.of.Instance, "")
			}
			return groupName(&v.things.groups[group])
		}
	}
	return "DYNAMIC"
}

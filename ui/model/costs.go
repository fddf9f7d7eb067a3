package model

import (
	"fmt"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// costLine is a line of the costs: a name and what is said of it, or a
// sentence alone. A text without name goes on with the one before.
type costLine struct {
	name, text string
	sentence   bool // it begins at the left edge
	dim        bool
	indent     int // column of the text, as laid out
}

// costName is the column at which texts with a name begin.
const costName = 16

// costLines is what the session would have cost without hints, or what it
// costs where there are none, laid out for w columns.
func (v *View) costLines(m *moment, w int) []costLine {
	var facts []costLine
	switch {
	case m.b.ListAt < 0 && m.cost.Since < 0:
		return wrapCosts([]costLine{{text: "No tools were listed yet: there is nothing that could be built anew.", sentence: true}}, w)
	case m.b.ToolHints:
		facts = v.withHints(m, w)
	default:
		facts = v.withoutHints(m)
	}
	note := "Token figures are estimates, the same in every view."
	if w >= 130 {
		note = "Token figures are estimates, the same in every view: a token for four bytes of JSON, of a tool its name, title, description and inputSchema."
	}
	return wrapCosts(append(facts, costLine{text: note, sentence: true, dim: true}), w)
}

// headFacts puts what the rebuilds of the head alone would have cost beside what
// was announced instead, or, where there is no room for both, above it.
func headFacts(alone, instead string, w int) []costLine {
	const aloneWide = 29
	both := kit.Pad(alone, aloneWide) + "  ANNOUNCED INSTEAD   " + instead
	if kit.Width(alone) <= aloneWide && costName+kit.Width(both) <= w {
		return []costLine{{name: "HEAD ALONE", text: both}}
	}
	return []costLine{{name: "HEAD ALONE", text: alone}, {name: "ANNOUNCED", text: instead + ", instead"}}
}

// withHints is the case of a session with hints.
func (v *View) withHints(m *moment, w int) []costLine {
	c := &m.cost
	revs := m.cur + 1
	facts := []costLine{{text: m.lead(revs, w)}}
	if c.WithoutHints == 0 {
		if m.c.Row != nil {
			facts = append(facts, m.thisRev())
		}
		return facts
	}
	rebuilds := timeline.Grouped(c.WithoutHints) + ", each of the head and of all that follows it in the prompt"
	if lists := c.WithoutHints - c.Revs; lists > 0 {
		rebuilds = fmt.Sprintf("%s, with %d that tools/list brought; each of the head and of all that follows it", timeline.Grouped(c.WithoutHints), lists)
	}
	facts = append(facts, costLine{name: "REBUILDS", text: rebuilds})
	facts = append(facts, headFacts(m.headAlone(), timeline.About(c.ToldTokens)+", once each", w)...)
	if m.c.Row != nil {
		facts = append(facts, m.thisRev())
	}
	if text := v.notCounted(m, revs); text != "" {
		facts = append(facts, costLine{name: "NOT COUNTED", text: text})
	}
	if c.Rebuilds > 0 {
		facts = append(facts, costLine{name: "IN FACT", text: fmt.Sprintf("rebuilt %s%s; by hints alone, %s",
			inspector.Count(c.Rebuilds, "time"), v.lastChange(m), inspector.Count(c.WithHints, "time"))})
	}
	return facts
}

// lead says how many revs would have changed the list.
func (m *moment) lead(revs, w int) string {
	n := m.cost.Revs
	switch {
	case revs == 0:
		return "No rev yet: nothing would have changed the list."
	case n == 0 && revs == 1:
		return "The one rev so far changes neither what is usable nor how it is defined: the list would have stayed."
	case n == 0:
		return fmt.Sprintf("None of %s changes what is usable or how it is defined: the list would have stayed.", manyRevs(revs))
	case n == 1:
		return fmt.Sprintf("1 of %s changes what is usable or how it is defined. It would have changed the list:", manyRevs(revs))
	}
	some := fmt.Sprintf("%s of %s change what is usable or ", timeline.Grouped(n), manyRevs(revs))
	long := some + "how it is defined. Each would have changed the list:"
	if kit.Width(long) <= w-3 {
		return long
	}
	return some + "defined; each would change the list:"
}

func manyRevs(n int) string {
	if n == 1 {
		return "1 rev"
	}
	return timeline.Grouped(n) + " revs"
}

// headAlone is what those heads would have cost: "38 × ~610 = ~23 180 tok",
// or, where their sizes differ, "38 heads, ~21 400 tok".
func (m *moment) headAlone() string {
	c := &m.cost
	if c.WithoutTokens == c.WithoutHints*c.Tokens {
		return fmt.Sprintf("%s × ~%s = %s", timeline.Grouped(c.WithoutHints), timeline.Grouped(c.Tokens), timeline.About(c.WithoutTokens))
	}
	return timeline.Grouped(c.WithoutHints) + " heads, " + timeline.About(c.WithoutTokens)
}

// thisRev tells the cost of the rev at the playhead.
func (m *moment) thisRev() costLine {
	row := m.c.Row
	l := costLine{name: "REV " + revWords(row)}
	told := "announced: " + timeline.About(row.Told.Tokens())
	if inspector.Untold(row, m.c.At) != "" {
		told = "nothing is announced"
	}
	switch {
	case m.c.Log.RowHead(row.N).Counted && row.Counts.Moved > 0:
		l.text = "the head was rebuilt, " + timeline.About(m.cost.Tokens) + ", and the prompt after it; " + told
	case m.c.Log.RowHead(row.N).Counted && row.Taken <= m.c.At:
		l.text = "the head, " + timeline.About(m.cost.Tokens) + ", and the prompt after it; " + told
	default:
		l.text = "changes no list; " + told
	}
	return l
}

// lastChange tells the last change of the head: ", last at frame 41: + radio".
func (v *View) lastChange(m *moment) string {
	ch, ok := v.change(m, m.cost.Rebuilds-1)
	if !ok {
		return ""
	}
	return fmt.Sprintf(", last at frame %d: %s", ch.Seq, kit.Cut(kit.Clean(inspector.HeadChange(&ch)), 60))
}

// withoutHints is the case of a session without hints.
func (v *View) withoutHints(m *moment) []costLine {
	c := &m.cost
	text := "Without hints all tools stand in the head, and each change of the list builds it anew:"
	facts := []costLine{
		{text: text},
		{name: "REBUILDS", text: timeline.Grouped(c.Rebuilds) + ", each of the head and of all that follows it in the prompt" + v.lastChange(m)},
		{name: "HEAD ALONE", text: m.headAlone()},
	}
	with := timeline.Grouped(c.WithHints)
	if saved := c.WithoutHints - c.WithHints; saved > 0 {
		with += fmt.Sprintf(", %s saved", timeline.Grouped(saved))
	}
	with += ": one for each list that names a tool for the first time, none for what comes, goes or is redefined"
	return append(facts, costLine{name: "WITH HINTS", text: with})
}

// uncounted is a row that would have changed no list, and why.
type uncounted struct {
	row  int
	text string
}

// How far back rows are looked for that would have changed no list, and how
// many are named.
const (
	lookBack = 4096
	maxNamed = 4
)

// notCounted names the last revs that would have changed no list: "rev 1, the
// first list; 38, a suggestion; 39, ignored. They change no list".
func (v *View) notCounted(m *moment, revs int) string {
	n := revs - m.cost.Revs
	if n <= 0 {
		return ""
	}
	v.findIdle(m)
	var parts []string
	for i := range v.idle {
		parts = append(parts, v.idle[i].text)
	}
	end := ". They change no list"
	if n == 1 {
		end = ". It changes no list"
	}
	if len(parts) == 0 {
		return manyRevs(n) + ", long before" + end
	}
	text := "rev " + strings.Join(parts, "; ")
	if more := n - len(parts); more > 0 {
		text += fmt.Sprintf("; %s before them", timeline.Grouped(more))
	}
	return text + end
}

// findIdle looks for those rows, from the playhead back.
func (v *View) findIdle(m *moment) {
	var at []int
	for n := m.cur; n >= max(0, m.cur-lookBack) && len(at) < maxNamed; n-- {
		if h := m.c.Log.RowHead(n); !h.Counted || h.Taken > m.c.At {
			at = append(at, n)
		}
	}
	idle := make([]uncounted, 0, len(at))
	for i := len(at) - 1; i >= 0; i-- {
		idle = append(idle, v.uncounted(m, at[i]))
	}
	v.idle = idle
}

func (v *View) uncounted(m *moment, n int) uncounted {
	for i := range v.idle {
		if v.idle[i].row == n && !strings.HasSuffix(v.idle[i].text, "held") {
			return v.idle[i]
		}
	}
	row := v.row(m, n)
	if row == nil {
		return uncounted{n, "one that cannot be read"}
	}
	first := n == 0 || m.c.Log.RowHead(n-1).Conn != row.Conn
	why := inspector.Uncounted(row, first)
	if row.Taken > m.c.At {
		why = "held"
	}
	return uncounted{n, revWords(row) + ", " + why}
}

// wrapCosts breaks long texts into lines.
func wrapCosts(lines []costLine, w int) []costLine {
	var out []costLine
	for _, l := range lines {
		l.indent = costIndent(&l, w)
		for _, text := range kit.Wrap(kit.Clean(l.text), max(w-l.indent, 8)) {
			l.text = text
			out = append(out, l)
			l.name = ""
		}
	}
	return out
}

// costIndent is the column at which a line's text begins.
func costIndent(l *costLine, w int) int {
	switch {
	case l.sentence, w < narrow && l.name == "":
		return 1
	case l.name == "":
		return 3
	case w < narrow:
		return 13
	}
	return costName
}

// drawCosts draws the costs, as many lines as there is room for.
func (v *View) drawCosts(r kit.Region, lines []costLine) {
	if v.focus != onCost {
		v.cost = 0
	}
	v.cost = window(v.cost, -1, len(lines), r.H)
	for y := 0; y < r.H && v.cost+y < len(lines); y++ {
		l := &lines[v.cost+y]
		style := kit.As(kit.Normal)
		if l.dim {
			style = kit.As(kit.Dim)
		}
		x := 3
		if r.W < narrow {
			x = 1
		}
		r.Put(x, y, kit.As(kit.Title), l.name)
		r.PutCut(l.indent, y, r.W-l.indent, style, l.text)
	}
	if below := len(lines) - v.cost - r.H; below > 0 && r.H > 0 {
		r.PutRight(r.W-1, r.H-1, kit.As(kit.Dim), fmt.Sprintf(" ↓%d", below))
	}
}

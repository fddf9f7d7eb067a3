package inspector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// rowsBack bounds how many rows an explanation reads to find what spoke of a
// tool.
const rowsBack = 256

// why says why a tool is usable: what is open, and who said visible.
func why(log *timeline.Log, b *timeline.Board, p spot) []Line {
	var out []Line
	switch {
	case !b.ToolHints:
		return []Line{say("toolHints are not negotiated: every tool stands as it is listed.")}
	case p.inst != nil:
		out = append(out, since(log, b, oneLine(p.inst.Name)+" is open", p.inst.OpenedBy))
	case p.set != nil && !p.set.Declared:
		out = append(out, since(log, b, "the group is open, here alone", p.set.OpenedBy))
	case p.set != nil:
		out = append(out, since(log, b, oneLine(p.set.Name)+" is open", p.set.OpenedBy))
	}
	return append(out, flagLine(log, b, p.cell))
}

// since is a line that says what is so, and since which rev and frame.
func since(log *timeline.Log, b *timeline.Board, text string, by timeline.By) Line {
	l := spans(plain(text))
	if w := byFrame(log, b, by); w != "" {
		l.Right = "since " + w
	}
	return l
}

// byFrame names a rev with its frame: "rev 2, frame 16", "rev 41, this frame".
func byFrame(log *timeline.Log, b *timeline.Board, by timeline.By) string {
	if by.Index < 0 || by.Index >= log.Len() {
		return ""
	}
	frame := "frame " + seq(log.Entry(by.Index).Seq)
	if by.Index == b.Index {
		frame = "this frame"
	}
	if by.Rev > 0 {
		return "rev " + seq(by.Rev) + ", " + frame
	}
	return frame
}

// flagLine says what was last said of a tool's being visible, and by whom.
func flagLine(log *timeline.Log, b *timeline.Board, c *timeline.Cell) Line {
	if c == nil || !c.Stated {
		return spans(plain("never said to be visible"))
	}
	l := spans(plain(fmt.Sprintf("last said visible: %v", c.Flag)))
	if c.FlagBy.Rev == 0 && c.FlagBy.Index >= 0 && c.FlagBy.Index == b.ListAt {
		l = spans(plain("listed as visible, no rev said otherwise"))
		if !c.Flag {
			l = spans(plain("listed with mcpl/visible false"))
		}
	}
	if w := byFrame(log, b, c.FlagBy); w != "" {
		l.Right = "by " + w
	}
	return l
}

// whyNot says why a tool is not usable: in a sentence, then which rows spoke
// of it, then the entries that were ignored. full adds the last.
func whyNot(log *timeline.Log, b *timeline.Board, p spot, full bool) []Line {
	rows := spokeOf(log, b, p)
	if !full {
		var out []Line
		for i := range rows {
			out = append(out, ignoredIn(&rows[i], p)...)
		}
		if len(out) == 0 {
			out = []Line{say(hiddenBecause(log, b, p))}
		}
		return out
	}
	out := []Line{say(hiddenBecause(log, b, p))}
	out = append(out, history(p, rows)...)
	if n := len(rows); n > 0 {
		out = append(out, lastDropped(&rows[n-1], p)...)
	}
	return out
}

// hiddenBecause is the sentence of whyNot.
func hiddenBecause(log *timeline.Log, b *timeline.Board, p spot) string {
	name := oneLine(p.tool.Name)
	if p.closed() {
		return closedBecause(log, b, p)
	}
	where := ""
	if p.inst != nil {
		where = " in " + oneLine(p.inst.Name)
	}
	c := p.cell
	switch {
	case c == nil:
		return "nothing is known of " + name + where
	case !c.Stated:
		s := "no rev has made " + name + " visible" + where
		if p.inst != nil && p.inst.OpenedBy.Rev > 0 {
			s += ", open since " + seq(p.inst.OpenedBy.Rev)
		}
		return s
	case c.FlagBy.Rev == 0 && c.FlagBy.Index >= 0 && c.FlagBy.Index == b.ListAt:
		return "it is listed with mcpl/visible false, and no rev has made it visible"
	}
	by := byFrame(log, b, c.FlagBy)
	if r, ok := rowOf(log, c.FlagBy); ok {
		by = revName(&r)
		if r.Carrier == timeline.CarrierList {
			return "the full statement of " + by + " does not say that " + name + " is visible" + where
		}
	}
	return by + " said visible: false" + where
}

// closedBecause says what would have to be open, and since when it is not.
func closedBecause(log *timeline.Log, b *timeline.Board, p spot) string {
	set := oneLine(p.set.Name)
	switch {
	case !p.set.Declared:
		return "the manifest does not declare the group " + set + ", and it is not open here. The user opens it, nothing is sent"
	case p.set.HasInstances && p.instance != "":
		return oneLine(p.instance) + " is not open in " + set
	case p.set.HasInstances && len(p.set.Instances) > 0:
		return set + " has instances, and none is named: " + strings.Join(instanceNames(p.set), ", ")
	case p.set.HasInstances:
		return "no instance of " + set + " is open"
	}
	s := "the toolset " + set + " is closed"
	if p.set.ClosedBy.Index < 0 {
		return s + ", and was never open"
	}
	if w := byFrame(log, b, p.set.ClosedBy); w != "" {
		s += " since " + w
	}
	return s
}

func instanceNames(set *timeline.Toolset) []string {
	var out []string
	for i, in := range set.Instances {
		if i == maxListed {
			return append(out, "…")
		}
		out = append(out, oneLine(in.Name))
	}
	return out
}

// spokeOf returns the rows, oldest first, that opened the place of a tool,
// stated its flag, or had an entry for it that was ignored.
func spokeOf(log *timeline.Log, b *timeline.Board, p spot) []timeline.Row {
	last := log.RowAt(b.Index)
	first := max(0, last-rowsBack+1)
	rows, err := log.Rows(first, last+1)
	if err != nil {
		return nil
	}
	var out []timeline.Row
	add := func(by timeline.By) {
		r, ok := rowOf(log, by)
		if ok && !slices.ContainsFunc(out, func(o timeline.Row) bool { return o.N == r.N }) {
			out = append(out, r)
		}
	}
	if p.inst != nil {
		add(p.inst.OpenedBy)
	}
	switch {
	case p.set != nil && !p.set.HasInstances && p.closed():
		add(p.set.OpenedBy)
		add(p.set.ClosedBy)
	case p.cell != nil && p.cell.Stated && !p.closed():
		add(p.cell.FlagBy)
	}
	for i := range rows {
		r := &rows[i]
		if r.Conn == b.Conn && len(ignored(r, p)) > 0 {
			add(timeline.By{Rev: r.Rev, Index: r.Index})
		}
	}
	slices.SortFunc(out, func(a, b timeline.Row) int { return a.N - b.N })
	return out
}

// ignored returns a row's ignored entries for the tool that name its place,
// or none at all.
func ignored(r *timeline.Row, p spot) []timeline.Dropped {
	var out []timeline.Dropped
	for _, d := range r.Dropped {
		in := member(d.Entry, "instance")
		if d.Tool == p.tool.Name && (in == "" || in == p.instance || p.set == nil || !p.set.HasInstances) {
			out = append(out, d)
		}
	}
	return out
}

// ignoredIn tells which entries for a tool were ignored, in a sentence each.
func ignoredIn(r *timeline.Row, p spot) []Line {
	var out []Line
	for _, d := range ignored(r, p) {
		what := "it"
		if v := scalar(d.Entry, "visible"); v != "" {
			what = "its visible: " + v
		}
		l := say(revName(r) + " " + ignoredWords(d) + ", so " + what + " was ignored")
		l.Right = "✗ " + d.Rule
		out = append(out, l)
	}
	return out
}

func ignoredWords(d timeline.Dropped) string {
	switch d.Rule {
	case "hints-instance-missing":
		return "named no instance"
	case "hints-unknown-instance":
		return "named an instance that is not open"
	case "hints-unknown-tool":
		return "named a tool that is not listed"
	case "hints-static-definition":
		return "redefined a static tool"
	}
	return "broke " + d.Rule
}

// history lists rows with what each did to the place of the tool.
func history(p spot, rows []timeline.Row) []Line {
	width, digits := 0, 0
	for i := range rows {
		width = max(width, len([]rune(shortEvent(&rows[i]))))
		digits = max(digits, len(seq(rows[i].Rev)))
	}
	var out []Line
	for i := range rows {
		r := &rows[i]
		rev := "rev " + fmt.Sprintf("%*s", digits, seq(r.Rev))
		out = append(out, spans(quiet(rev+"  "), plain(pad(shortEvent(r), min(width, 28))+"   "), plain(didTo(r, p))))
	}
	return out
}

// shortEvent is a row's frame where the toolset is understood.
func shortEvent(r *timeline.Row) string {
	if in := opened(r); in != "" && (r.Carrier == timeline.CarrierOpen || r.Carrier == timeline.CarrierClose) {
		return CarrierArrow(r.Carrier) + " " + r.Carrier.String() + " " + oneLine(in)
	}
	return eventOf(r)
}

// didTo says what a row did to the place of the tool.
func didTo(r *timeline.Row, p spot) string {
	if d := ignored(r, p); len(d) > 0 {
		return ignoredWords(d[0]) + ", so was ignored"
	}
	for _, ch := range r.Changes {
		if ch.Kind == timeline.ClosedIt && p.set != nil && ch.Toolset == p.set.Name && ch.Instance == p.instance {
			return "closed it"
		}
		if ch.Tool == p.tool.Name && ch.Instance == p.instance && ch.Kind == timeline.Hidden {
			return "said visible: false"
		}
	}
	var shown []string
	for _, ch := range r.Changes {
		if ch.Kind == timeline.Shown && p.set != nil && ch.Toolset == p.set.Name && ch.Instance == p.instance {
			shown = append(shown, oneLine(ch.Tool))
		}
	}
	switch {
	case len(shown) > 6:
		return strings.Join(shown[:6], ", ") + ", … made visible"
	case len(shown) > 0:
		return strings.Join(shown, ", ") + " made visible"
	case r.Carrier == timeline.CarrierList:
		return "a full statement"
	}
	return "said nothing new of it"
}

// lastDropped shows a row's ignored entries for the tool as they were sent
// and, where the rule leaves no doubt, as they would have been understood.
func lastDropped(r *timeline.Row, p spot) []Line {
	var out []Line
	for _, d := range ignored(r, p) {
		out = append(out, Line{
			Sign: "✗", Diff: true, Wrap: true,
			Spans: []Span{{Text: d.Rule, Tone: Bad}, plain("   " + reason(d))},
		})
		out = append(out, spans(quiet("sent    "), peer(string(d.Entry))))
		if d.Rule == "hints-instance-missing" && p.instance != "" {
			out = append(out, spans(quiet("needed  "), peer(withInstance(d.Entry, p.instance))))
		}
	}
	return out
}

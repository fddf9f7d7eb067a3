package compare

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/findings"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// factX is where the text of a fact begins.
const (
	factX       = 17
	factXNarrow = 12
)

// lowerRows is what stands below the grid: the track, who carried the change
// and what became of it, what a model was told, the calls, the findings.
func (v *View) lowerRows(c *view.Context, w int) []vrow {
	m := v.compare(c)
	rows := v.trackRows(c, w)
	for i := range m.Facts {
		f := &m.Facts[i]
		rows = append(rows, factRows(f.Label, &f.Line, w, f.Index)...)
	}
	rows = append(rows, factRows("AGAINST", v.againstLine(c), w, noHit)...)
	for i := range m.Blocks {
		rows = append(rows, vrow{hit: noHit})
		rows = append(rows, blockRows(&m.Blocks[i], w)...)
	}
	finding := v.finding(c)
	return append(append(rows, vrow{hit: noHit}), factRows("FINDINGS", &finding, w, noHit)...)
}

// factRows lays a labelled line out.
func factRows(label string, l *inspector.Line, w, hit int) []vrow {
	x := factX
	if w < wideBody {
		x = factXNarrow
	}
	rows := lineRows(l, x, w, true)
	for i := range rows {
		rows[i].hit = hit
	}
	head := piece{signX, kit.As(kit.Title), label}
	rows[0].left = append([]piece{head}, rows[0].left...)
	return rows
}

func blockRows(b *inspector.Block, w int) []vrow {
	head := vrow{hit: noHit}
	end := put(&head.left, signX, kit.As(kit.Title), b.Head)
	if note := kit.Clean(b.Note); end+3+kit.Width(note) < w {
		head.note = note
	}
	rows := []vrow{head}
	for i := range b.Body {
		rows = append(rows, lineRows(&b.Body[i], textX, w, true)...)
	}
	return rows
}

// lineRows lays a line out from column x: its sign, its spans, and, where
// there is room, its note. What does not fit is wrapped.
func lineRows(l *inspector.Line, x, w int, wrap bool) []vrow {
	first := vrow{hit: noHit}
	x += 2 * l.Indent
	if l.Sign != "" {
		x = put(&first.left, x, signStyle(l.Sign), l.Sign) + 1
	}
	room := max(w-x-1, 8)
	plain := kit.Clean(l.Plain())
	note := kit.Clean(l.Right)
	if kit.Width(plain) <= room || !wrap {
		at := x
		for _, s := range l.Spans {
			at = put(&first.left, at, kit.As(tones[s.Tone]), s.Text)
		}
		if note != "" && at+2+kit.Width(note) < w {
			first.note = note
		}
		return []vrow{first}
	}
	var rows []vrow
	row, at := first, x
	for _, s := range l.Spans {
		for n, part := range pieces(kit.Clean(s.Text), room, at-x) {
			if n > 0 {
				rows = append(rows, row)
				row, at = vrow{hit: noHit}, x
			}
			at = put(&row.left, at, kit.As(tones[s.Tone]), part)
		}
	}
	return append(rows, row)
}

// pieces breaks a text that goes on in a row of which some cells are taken.
func pieces(s string, room, taken int) []string {
	if taken+kit.Width(s) <= room {
		return []string{s}
	}
	head := kit.Wrap(s, max(room-taken, 1))
	if len(head) == 0 {
		return []string{""}
	}
	if room-taken < 8 || strings.TrimSpace(head[0]) == "" {
		return append([]string{""}, kit.Wrap(trimLeft(s), room)...)
	}
	rest := trimLeft(s[min(len(head[0]), len(s)):])
	if rest == "" {
		return head[:1]
	}
	return append(head[:1], kit.Wrap(rest, room)...)
}

// finding says what the rules say of the rev at the playhead, and where the
// next finding is.
func (v *View) finding(c *view.Context) inspector.Line {
	if v.Findings == nil {
		return inspector.Line{Spans: []inspector.Span{{Text: "none at this rev"}}}
	}
	here, before, after := v.Findings(c)
	var l inspector.Line
	for i, rule := range here {
		if i == maxRules {
			l.Spans = append(l.Spans, inspector.Span{Text: "   … " + itoa(len(here)-i) + " more", Tone: inspector.Bad})
			break
		}
		l.Spans = append(l.Spans, inspector.Span{Text: strings.Repeat(" ", 3*min(i, 1)) + "✗ " + rule, Tone: inspector.Bad})
	}
	if len(here) == 0 {
		l.Spans = append(l.Spans, inspector.Span{Text: "none at this rev"})
	}
	switch {
	case after >= 0:
		l.Spans = append(l.Spans, inspector.Span{Text: "; e goes on to the next, " + findings.Place(c.Log, after)})
	case before >= 0:
		l.Spans = append(l.Spans, inspector.Span{Text: "; E goes back to the last, " + findings.Place(c.Log, before)})
	}
	return l
}

// maxRules is how many rules of one row are named.
const maxRules = 3

package ui

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// measure is how row 3 is set at one width.
type measure struct {
	from   int // the column of the sentence, 0: after the label
	gap    int // before the cause
	before int // before the place
	first  int // between the place and the first effect
	next   int // between effects
	right  int // blank columns at the right edge
}

var measures = [4]measure{
	{from: 9, gap: 3, before: 8, first: 4, next: 4, right: 2},
	{from: 8, gap: 3, before: 3, first: 3, next: 2, right: 2},
	{gap: 1, before: 3, first: 2, next: 2, right: 2},
	{gap: 1, before: 2, first: 1, next: 1, right: 1},
}

// drawRow3 answers: what changed last.
func (m *Model) drawRow3(r kit.Region) {
	s := m.sentence()
	ms := size(r.W, measures[0], measures[1], measures[2], measures[3])
	label := "LAST"
	if m.cx.Replay || m.past() {
		label = "HERE"
	}
	x := r.Put(1, 0, kit.As(kit.Title), label) + 1
	if ms.from > 0 {
		x = ms.from
	}
	if when := size(r.W, s.when, s.when, s.brief, ""); when != "" {
		x = r.Put(x, 0, kit.As(kit.Normal), when) + ms.gap
	}
	tail := m.tail(s, ms, r.W)
	end := r.W - ms.right
	tw := width(tail, 0)
	room := end - x
	if tw > 0 {
		room -= ms.before + tw
		if least := min(20, (end-x)/2-2); room < least {
			room = min(least, kit.Width(cause(s, r.W, 1<<20)))
		}
	}
	x = m.drawCause(r, x, s, room)
	if tw > 0 {
		tail[0].gap = 0
		r = r.Sub(0, 0, end, 1)
		putCut(r, x+ms.before, tail)
	}
}

// cause is lead and words, in at most room cells.
func cause(s sentence, w, room int) string {
	if w < narrowFrom {
		if s.short == "" {
			return kit.Cut(kit.Clean(s.words), room)
		}
		return kit.Cut(kit.Clean(s.short), room)
	}
	lead, words := kit.Clean(s.lead), kit.Clean(s.words)
	if words == "" || lead == "" {
		return kit.Cut(lead+words, room)
	}
	if !s.quoted {
		return kit.Cut(lead+" "+words, room)
	}
	left := room - kit.Width(lead) - 3
	if left < 3 {
		return kit.Cut(lead, room)
	}
	return lead + " “" + kit.Cut(words, left) + "”"
}

func (m *Model) drawCause(r kit.Region, x int, s sentence, room int) int {
	style := kit.As(kit.Bright)
	text := cause(s, r.W, room)
	if strings.HasPrefix(text, "←") { // the server's own doing
		x = r.Put(x, 0, kit.As(kit.Server), "←")
		text = strings.TrimPrefix(text, "←")
	}
	return r.Put(x, 0, style, text)
}

// tail is the place and the effects.
func (m *Model) tail(s sentence, ms measure, w int) []part {
	var out []part
	if place := size(w, s.place, s.place, s.inside, s.inside); place != "" {
		out = append(out, part{text: place, style: kit.As(kit.Normal), gap: ms.before})
	}
	most := size(w, w/2, w/2, w/2, w)
	for i, e := range s.effects {
		text := e.sign + " " + e.text
		if w < narrowFrom || e.sign == "" {
			text = e.sign + e.text
		}
		gap := ms.next
		if i == 0 {
			gap = ms.first
		}
		p := part{text: text, style: kit.Style{Role: e.role, Bold: e.sign != ""}, gap: gap}
		if i > 0 && width(append(out, p), 0) > most {
			return append(out, part{text: "… " + itoa(len(s.effects)-i) + " more", style: kit.As(kit.Normal), gap: ms.next})
		}
		out = append(out, p)
	}
	return out
}

// putCut draws parts one after the other and cuts the one that does not fit.
func putCut(r kit.Region, x int, parts []part) {
	for i, p := range parts {
		if i > 0 {
			x += p.gap
		}
		if x >= r.W {
			return
		}
		x = r.PutCut(x, 0, r.W-x, p.style, p.text)
	}
}

package ui

import (
	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// losses says what of the session is not here. It never goes.
func (m *Model) losses() []part {
	s := m.status
	var parts []part
	bad := kit.Style{Role: kit.Changed, Bold: true}
	if s.Lost > 0 {
		parts = append(parts, part{text: "! " + inspector.Count(int(s.Lost), "frame") + " LOST", style: bad})
	}
	switch {
	case len(s.Skipped) > 0 && s.Cut:
		parts = append(parts, part{text: "! " + inspector.Count(len(s.Skipped), "line") + " skipped, cut", style: bad})
	case len(s.Skipped) > 0:
		parts = append(parts, part{text: "! " + inspector.Count(len(s.Skipped), "line") + " skipped", style: bad})
	case s.Cut:
		parts = append(parts, part{text: "! cut at the end", style: bad})
	}
	return parts
}

// manyQueued is how many bytes may wait for the disk unsaid.
const manyQueued = 1 << 20

// kept says whether the session is recorded. That it is not never goes.
func (m *Model) kept(w int) []part {
	s := m.status
	bad := kit.Style{Role: kit.Changed, Bold: true}
	gap := 0
	if w >= wideFrom {
		gap = 6
		if m.past() {
			gap = 5
		}
	}
	switch {
	case s.RecordErr != "":
		return []part{{text: "! NOT RECORDED, " + s.RecordErr, style: bad}}
	case !s.Recording:
		return []part{{text: "not recorded", style: kit.As(kit.Dim), rank: 2}}
	}
	text, file, style := "● REC "+inspector.ClockShort(s.Now), "", kit.As(kit.Normal)
	switch {
	case m.starting() || m.failed():
		text = "● REC " + inspector.Count(m.cx.Len, "frame")
	case m.cx.Ended:
		text = "kept " + inspector.ClockShort(m.length())
	case w >= wideFrom && s.File != "":
		file = s.File
	}
	rank := 3 + 4*b2i(w >= narrowFrom)
	switch {
	case m.sides.n > 1: // with two it is asked twice, and the other words are longer
		rank = 0
	case len(m.strictParts(w)) > 0, m.pull.lag.n > 0 && w >= narrowFrom:
		rank = 2 // what fits beside that word: whether it is kept, before what was agreed
	}
	parts := []part{{text: text, style: style, rank: rank, gap: gap}}
	if file != "" {
		parts = append(parts, part{text: file, style: style, rank: 8, gap: 1})
	}
	if s.Queued >= manyQueued {
		wait := "! " + inspector.Size(s.Queued) + size(w, " wait for the disk", " wait for the disk", " queued", " queued")
		parts = append(parts, part{text: wait, style: bad})
	}
	return parts
}

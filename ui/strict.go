package ui

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// strictParts say in row 1 that the host behaves otherwise than it should, at
// the frame that is shown: a word at least, at every width.
func (m *Model) strictParts(w int) []part {
	b := m.cx.Board
	if !m.cx.Replay && !m.past() {
		b = m.cx.Newest
	}
	modes := inspector.ModeParts(b.Mode)
	if len(modes) == 0 {
		return nil
	}
	all := "STRICT: " + strings.Join(modes, ", ")
	first := "STRICT: " + modes[0]
	if more := len(modes) - 1; more > 0 {
		first += " +" + itoa(more)
	}
	if kit.Width(all) > w/3 {
		all = first
	}
	return []part{{text: size(w, all, all, first, "STRICT"), style: kit.Style{Role: kit.Ask, Bold: true}}}
}

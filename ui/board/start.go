package board

import (
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// unlisted is what TOOLS says before the first list of tools: the handshake
// as it goes on, or that there will be none.
func (m *moment) unlisted(w int) []row {
	link := &m.b.Link
	if link.Phase == timeline.Closed || (m.c.Ended && link.Phase != timeline.Live) {
		return notes(m.c.Unlisted()+" 6 says what happened.", w)
	}
	if len(link.Steps) == 0 {
		return notes("◌ connecting", w)
	}
	var rows []row
	for i := range link.Steps {
		rows = append(rows, row{kind: rowNote, sect: -1, group: -1, text: m.step(&link.Steps[i])})
	}
	return rows
}

// notes makes lines of a sentence for a TOOLS of width w.
func notes(text string, w int) []row {
	var rows []row
	for _, line := range kit.Wrap(text, max(w-groupX-1, 12)) {
		rows = append(rows, row{kind: rowNote, sect: -1, group: -1, text: line})
	}
	return rows
}

// step is one line of the handshake: "initialize     ✓ 12 ms  14 tools".
func (m *moment) step(s *timeline.Step) string {
	text := fmt.Sprintf("%-15s", s.Name)
	switch {
	case s.Answered < 0:
		text += fmt.Sprintf("◌ sent, %.1f s", max(m.c.Now-s.SentAt, 0).Seconds())
		if m.c.Limit > 0 {
			text += fmt.Sprintf(" of %.0f s", m.c.Limit.Seconds())
		}
		return text
	case s.OK:
		text += "✓ "
	default:
		text += "! "
	}
	text += inspector.Took(s.Took)
	if s.Note != "" {
		text += "  " + firstLine(s.Note)
	}
	return text
}

// emptyList is what TOOLS says of a list without tools.
func (m *moment) emptyList(w int) []row {
	text := "tools/list came back empty"
	if seq := m.entry(m.b.ListAt).Seq; seq > 0 {
		text += fmt.Sprintf(", frame %d", seq)
	}
	text += "."
	if m.acts {
		text += " R asks again."
	}
	return notes(text, w)
}

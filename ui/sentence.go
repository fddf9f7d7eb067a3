package ui

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// sentence is row 3 as it is set: what changed last, by whom, with what
// effect.
type sentence struct {
	when    string // "rev 41, 2 s ago"
	brief   string // the same for a narrow screen
	lead    string // "← push"
	words   string // the sender's own words
	quoted  bool
	short   string   // lead and words for the narrowest screen
	place   string   // "game vs-ada"
	inside  string   // the same for a narrow screen: "vs-ada"
	effects []effect // "+ play"
}

// effect is one change, with its sign.
type effect struct {
	sign, text string
	role       kit.Role
}

// said is what the inspector said last, and of what. Telling reads frames,
// which may be large, so it is asked again only when something moved.
type said struct {
	about saidAbout
	is    inspector.Sentence
}

type saidAbout struct {
	log     *timeline.Log
	n, at   int
	present bool
	row     int // -1: the frame itself
}

// sentence tells what row 3 says at this moment: the present's last change,
// or what stands at the playhead.
func (m *Model) sentence() sentence {
	if m.cx.Len == 0 {
		return sentence{words: "nothing was sent yet"}
	}
	about := saidAbout{log: m.log(), n: m.cx.Len, at: m.head.at, present: !m.cx.Replay && !m.past(), row: -1}
	if m.cur != viewWire && m.cx.Row != nil {
		about.row = m.cx.Row.N
	} else if m.cur == viewWire && !about.present {
		about.log = m.pull.log // whichever connection the frame is of
	}
	if m.said.about != about {
		m.said = said{about: about, is: m.tell(about)}
	}
	return m.set(m.said.is)
}

func (m *Model) tell(of saidAbout) inspector.Sentence {
	switch {
	case of.present:
		if s, ok := m.manifests.Sentence(of.log, of.n); ok {
			return s
		}
		return inspector.Latest(of.log, of.n, m.cx.Newest)
	case of.row >= 0:
		return inspector.RowSentence(of.log, of.row)
	}
	if s, ok := m.manifests.SentenceAt(of.log, of.at); ok {
		return s
	}
	return inspector.Here(of.log, of.at)
}

// shortWords is what the narrowest screen says of a rev: the reason that its
// hints give is shorter than the text of the message.
func (m *Model) shortWords(in inspector.Sentence) string {
	if row := m.cx.Row; in.Kind == inspector.OfRow && in.Words != "" && row != nil && row.T == in.T && row.Reason != "" {
		return oneLine(row.Reason)
	}
	return in.Words
}

// set makes row 3 of what the inspector says.
func (m *Model) set(in inspector.Sentence) sentence {
	age := age(m.cx.Now - in.T)
	switch in.Kind {
	case inspector.OfEnd:
		parts := append([]string{in.About, age + " ago"}, in.Notes...)
		if m.cx.Replay {
			parts[1] = "at " + inspector.Clock(in.T)
		}
		return sentence{words: strings.Join(parts, ", ")}
	case inspector.OfStart:
		return sentence{words: in.About + ": " + strings.Join(in.Notes, ", ")}
	}
	s := sentence{
		lead: strings.TrimSpace(in.Arrow + " " + in.Carrier), words: in.Words, quoted: in.Quoted,
		place: strings.TrimSpace(in.Toolset + " " + in.Place), inside: in.Place,
	}
	s.when, s.brief = in.About+", "+age+" ago", in.About+", "+age
	if m.cx.Replay {
		s.when, s.brief = in.About, in.About
		if m.screen.w >= wideFrom {
			s.when += ", at " + inspector.Clock(in.T)
		}
	}
	if s.inside == "" {
		s.inside = in.Toolset
	}
	s.short = s.lead
	if w := m.shortWords(in); w != "" {
		s.short = strings.TrimSpace(in.Arrow + " " + w)
	}
	for _, c := range in.Changes {
		s.effects = append(s.effects, effect{sign: c.Sign, text: c.Name, role: changeRole(c.Kind)})
	}
	for _, n := range in.Notes {
		e := effect{text: n, role: kit.Dim}
		if text, ok := strings.CutPrefix(n, "✗ "); ok {
			if e.role = kit.Bad; !m.found(in.Kind) { // the judge knows better
				e.text, e.role = text, kit.Normal
			}
		}
		s.effects = append(s.effects, e)
	}
	return s
}

func changeRole(k timeline.ChangeKind) kit.Role {
	switch k {
	case timeline.Shown, timeline.Opened:
		return kit.Good
	case timeline.Redefined, timeline.Moved, timeline.Retitled:
		return kit.Changed
	case timeline.Suggested:
		return kit.Ask
	}
	return kit.Bright
}

// maxWords is how many bytes of a peer's words a row looks at.
const maxWords = 1000

// oneLine bounds text of a peer and puts it on one line.
func oneLine(s string) string {
	if len(s) > maxWords {
		s = strings.ToValidUTF8(s[:maxWords], "") + "…"
	}
	if !strings.ContainsAny(s, "\n\r\t") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// openStep names the step of the handshake that has no answer, "" if all have
// one.
func openStep(b *timeline.Board) string {
	for _, s := range b.Link.Steps {
		if s.Answered < 0 {
			return s.Name
		}
	}
	return ""
}

// found reports whether a finding speaks of what the sentence tells.
func (m *Model) found(kind inspector.SentenceKind) bool {
	of, log := m.said.about, m.log()
	if kind != inspector.OfRow {
		return m.judging.book.Marked(of.at)
	}
	row := of.row
	switch {
	case of.present:
		row = m.cx.Rows - 1
	case row < 0:
		row = log.RowAt(of.at)
	}
	return row >= 0 && len(m.ofRow(row)) > 0
}

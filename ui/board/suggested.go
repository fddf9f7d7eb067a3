package board

import (
	"fmt"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// takenFor is for how many revs a suggestion that was taken stays in sight.
const takenFor = 10

// suggestions lists what SUGGESTED shows: what is pending, then what was
// taken within the last revs.
func (m *moment) suggestions() []*timeline.Suggestion {
	var pending, taken []*timeline.Suggestion
	for i := range m.b.Suggestions {
		s := &m.b.Suggestions[i]
		switch {
		case !s.Taken:
			pending = append(pending, s)
		case m.b.LastRev-max(s.TakenBy.Rev, s.By.Rev) < takenFor:
			taken = append(taken, s)
		}
	}
	return append(pending, taken...)
}

func (m *moment) pendingCount() string {
	n := 0
	for i := range m.b.Suggestions {
		if !m.b.Suggestions[i].Taken {
			n++
		}
	}
	if n == 0 {
		return "none pending"
	}
	return fmt.Sprintf("%d pending", n)
}

func (m *moment) suggestionSelection(s *timeline.Suggestion) Selection {
	return Selection{
		Kind: OnSuggestion, Toolset: s.Toolset, Instance: s.Instance, Action: s.Action,
		Row: m.entry(s.By.Index).Row,
	}
}

// suggestedLines lays SUGGESTED out for a width.
func (m *moment) suggestedLines(w int) []line {
	var out []line
	for _, s := range m.suggestions() {
		sel := m.suggestionSelection(s)
		out = append(out,
			line{sel: sel, draw: func(r kit.Region, y int, here bool) { m.drawSuggestion(r, y, s, here) }})
		if s.Reason != "" {
			out = append(out, line{sel: sel, more: true, draw: func(r kit.Region, y int, _ bool) {
				r.PutCut(openName, y, r.W-openName-1, kit.As(kit.Normal), "“"+firstLine(s.Reason)+"”")
			}})
		}
	}
	if len(out) == 0 {
		for _, t := range kit.Wrap("None. When the server suggests to open or close something, it stands here.", w-openName-1) {
			out = append(out, line{draw: func(r kit.Region, y int, _ bool) {
				r.Put(openName, y, kit.As(kit.Dim), t)
			}})
		}
	}
	return out
}

func (m *moment) drawSuggestion(r kit.Region, y int, s *timeline.Suggestion, here bool) {
	sign := kit.As(kit.Ask)
	if s.Taken {
		sign = kit.As(kit.Dim)
	}
	r.Put(1, y, sign, "?")
	what := s.Action + " " + nameOf(m.suggestionSelection(s))
	wide := r.W >= openWide
	when, end := 39, r.W-4
	if !wide {
		when = 19
	}
	room := when - 1 - openName
	if wide {
		room = 29 - 1 - openName
		r.PutCut(29, y, when-1-29, kit.As(kit.Dim), suggestionStatus(s))
	}
	r.PutCut(openName, y, room, nameStyle(here), what)
	r.PutCut(when, y, end-when, kit.As(kit.Dim), m.suggestedWhen(s, wide))
	if !s.Taken && m.acts {
		r.Put(r.W-2, y, kit.As(kit.Key), "a")
	}
}

func suggestionStatus(s *timeline.Suggestion) string {
	if s.Taken {
		return "taken"
	}
	return "pending"
}

// suggestedWhen says by which rev, and how long ago; in the narrow strip what
// became of it, where it waits no more.
func (m *moment) suggestedWhen(s *timeline.Suggestion, wide bool) string {
	if s.Taken && !wide {
		return strings.TrimSuffix("taken, "+m.by(s.TakenBy), ", ")
	}
	text := m.by(s.By)
	if e := m.entry(s.By.Index); e.Seq > 0 {
		text += ", " + inspector.Age(m.c.Now-e.T)
		if wide {
			text += " ago"
		}
	}
	return text
}

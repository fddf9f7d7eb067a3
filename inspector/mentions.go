package inspector

import (
	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
)

// Mention is one thing that the hints of a frame speak of; parts that are not
// named are "".
type Mention struct{ Tool, Toolset, Instance string }

// maxMentions bounds what is read of one frame's hints.
const maxMentions = 1000

// Mentions returns what the hints of the frame at position i speak of, none
// where it carries none.
func Mentions(log Source, i int) []Mention {
	if log.Entry(i).Row < 0 {
		return nil
	}
	f, err := log.Frame(i)
	if err != nil {
		return nil
	}
	var out []Mention
	for m := range f.Messages {
		raw := hintsIn(m)
		if raw == nil || len(out) > maxMentions {
			continue
		}
		h := mcpl.DecodeHints(raw)
		for _, e := range h.Tools {
			out = append(out, Mention{Tool: e.Name, Instance: e.Instance})
		}
		for _, e := range h.Toolsets {
			out = append(out, Mention{Toolset: e.Toolset, Instance: e.Instance})
		}
		for _, e := range h.Suggest {
			out = append(out, Mention{Toolset: e.Toolset, Instance: e.Instance})
		}
	}
	return out[:min(len(out), maxMentions)]
}

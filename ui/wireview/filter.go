package wireview

import (
	"bytes"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
)

// judge decides a filter on one frame at a time, reading of it no more than
// the terms ask for.
type judge struct {
	src   inspector.Source
	board *timeline.Board // to know which toolset a tool is of
	i     int
	entry timeline.Entry
	head  *inspector.Headline
	hints []inspector.Mention
	asked bool // hints were read
}

// matches reports whether the frame at position i passes.
func (j *judge) matches(q *filter.Query, i int) bool {
	j.i, j.entry, j.head, j.hints, j.asked = i, j.src.Entry(i), nil, nil, false
	return q.Matches(j)
}

func (j *judge) headline() *inspector.Headline {
	if j.head == nil {
		h := inspector.HeadlineOf(j.src, j.i)
		j.head = &h
	}
	return j.head
}

func (j *judge) mentions() []inspector.Mention {
	if !j.asked {
		j.hints, j.asked = inspector.Mentions(j.src, j.i), true
	}
	return j.hints
}

// Holds reports whether a term holds for the frame.
func (j *judge) Holds(t filter.Term) bool {
	switch t.Key {
	case "":
		return j.word(t.Value)
	case "dir":
		return filter.Begins(j.entry.Dir.String(), t.Value)
	case "kind":
		return filter.Begins(j.kind(), t.Value)
	case "id":
		return filter.IsID(j.headline().ID, t.Value)
	case "method":
		return filter.Has(j.headline().Method, t.Value)
	case "status":
		return filter.Begins(j.status(), t.Value)
	case "rev":
		return j.rev(t.Value)
	default:
		return j.about(t)
	}
}

func (j *judge) kind() string {
	switch j.entry.Dir {
	case timeline.Err:
		return "stderr"
	case timeline.Note:
		return "note"
	}
	return j.entry.Kind.String()
}

func (j *judge) status() string {
	h := j.headline()
	if h.Open {
		return "open"
	}
	switch h.Outcome {
	case inspector.OK:
		return "ok"
	case inspector.ToolError:
		return "tool-error"
	case inspector.RPCError:
		return "error"
	case inspector.Refused:
		return "refused"
	case inspector.Broken:
		return "broken"
	}
	return ""
}

// rev: of the revs that a frame carried.
func (j *judge) rev(value string) bool {
	if j.entry.Row < 0 {
		return false
	}
	return value == "" || filter.InRevs(value, inspector.Revs(j.src, j.i)...)
}

// about: tool, toolset and instance, of a request, its answer, or of hints.
func (j *judge) about(t filter.Term) bool {
	h := j.headline()
	switch t.Key {
	case "tool":
		if filter.Has(h.Tool, t.Value) {
			return true
		}
	case "toolset":
		if filter.Has(h.Toolset, t.Value) || filter.Has(j.toolsetOf(h.Tool), t.Value) {
			return true
		}
	case "instance":
		if filter.Has(h.Instance, t.Value) {
			return true
		}
	}
	for _, m := range j.mentions() {
		switch {
		case t.Key == "tool" && filter.Has(m.Tool, t.Value),
			t.Key == "toolset" && (filter.Has(m.Toolset, t.Value) || filter.Has(j.toolsetOf(m.Tool), t.Value)),
			t.Key == "instance" && filter.Has(m.Instance, t.Value):
			return true
		}
	}
	return false
}

func (j *judge) toolsetOf(tool string) string {
	if tool == "" || j.board == nil {
		return ""
	}
	for i := range j.board.Toolsets {
		for k := range j.board.Toolsets[i].Tools {
			if j.board.Toolsets[i].Tools[k].Name == tool {
				return j.board.Toolsets[i].Name
			}
		}
	}
	return ""
}

// word looks for a word in a frame's line, and in its bytes.
func (j *judge) word(word string) bool {
	if filter.Has(j.headline().Text(), word) {
		return true
	}
	f, err := j.src.Frame(j.i)
	if err != nil {
		return false
	}
	body := f.Body
	if f.Dir == timeline.Note {
		body = f.Data
	}
	return containsFold(body, []byte(word))
}

// containsFold is bytes.Contains without regard to the case of ASCII letters;
// word is in small letters.
func containsFold(b, word []byte) bool {
	if len(word) == 0 {
		return true
	}
	first, upper := word[0], word[0]
	if first >= 'a' && first <= 'z' {
		upper = first - 32
	}
	for len(b) >= len(word) {
		near := b[:min(len(b), 4096)]
		k := bytes.IndexByte(near, first)
		if u := bytes.IndexByte(near, upper); u >= 0 && (k < 0 || u < k) {
			k = u
		}
		switch {
		case k < 0:
			b = b[len(near):]
			continue
		case len(b)-k < len(word):
			return false
		case equalLower(b[k:k+len(word)], word):
			return true
		}
		b = b[k+1:]
	}
	return false
}

func equalLower(b, word []byte) bool {
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 32
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

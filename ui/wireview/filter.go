package wireview

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
)

// judge decides a filter on one frame at a time, reading of it no more than
// the terms ask for.
type judge struct {
	log   *timeline.Log
	src   *timeline.Stretch // where frames are read
	board *timeline.Board   // to know which toolset a tool is of

	needles map[string]*needle // by the value of a term
	i       int
	entry   timeline.Entry
	head    *inspector.Headline
	names   *inspector.Headline // head, or at least what it names
	hints   []inspector.Mention
	asked   bool // hints were read
}

// matches reports whether the frame at position i passes.
func (j *judge) matches(q *filter.Query, i int) bool {
	j.i, j.entry, j.head, j.names, j.hints, j.asked = i, j.src.Entry(i), nil, nil, nil, false
	return q.Matches(j)
}

func (j *judge) headline() *inspector.Headline {
	if j.head == nil {
		h := inspector.HeadlineOf(j.src, j.i)
		j.head, j.names = &h, &h
	}
	return j.head
}

// named is what the frame, or the request that it answers, names.
func (j *judge) named() *inspector.Headline {
	if j.names == nil {
		h := inspector.NamesOf(j.src, j.i)
		j.names = &h
	}
	return j.names
}

// needle is what looks for a value in bytes.
type needle struct {
	filter.Needle
	own inspector.Own // where it is looked for in what is said of a frame
}

func (j *judge) needle(value string) *needle {
	n := j.needles[value]
	if n == nil {
		if j.needles == nil {
			j.needles = map[string]*needle{}
		}
		n = &needle{filter.NewNeedle(value), inspector.NewOwn(value)}
		j.needles[value] = n
	}
	return n
}

// lacks reports whether it is sure that neither the frame nor its pair says a
// value in any of its strings, so that they need not be taken apart.
func (j *judge) lacks(value string) bool {
	n := j.needle(value)
	for _, i := range [...]int{j.i, j.entry.Pair} {
		if i < 0 {
			continue
		}
		f, err := j.src.Bare(i)
		if err != nil || f.Dir == timeline.Note || !n.Lacks(f.Body) {
			return false
		}
	}
	return true
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
		// It is shown with a sign in front of it.
		return !j.lacks(strings.TrimLeft(t.Value, "#s")) && filter.IsID(j.named().ID, t.Value)
	case "method":
		return !j.lacks(t.Value) && filter.Has(j.named().Method, t.Value)
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
	for k := range j.entry.Rows {
		if value == "" || filter.InRevs(value, j.log.RowHead(j.entry.Row+k).Rev) {
			return true
		}
	}
	return false
}

// about: tool, toolset and instance, of a request, its answer, or of hints.
func (j *judge) about(t filter.Term) bool {
	if t.Key != "toolset" && j.lacks(t.Value) { // a tool's toolset is not in its bytes
		return false
	}
	h := j.named()
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

// word looks for a word in a frame's line, and in its bytes. Most frames have
// it in neither, and their bytes alone tell.
func (j *judge) word(word string) bool {
	if f, err := j.src.Bare(j.i); err == nil {
		n, body := j.needle(word), f.Body
		if f.Dir == timeline.Note {
			body = f.Data
		}
		if n.In(body) {
			return true
		}
		if f.Dir != timeline.Note && n.Sure(body) && !n.own.May(j.entry, body) {
			return false
		}
	}
	return filter.Has(j.headline().Text(), word)
}

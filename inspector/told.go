package inspector

import (
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Told is what a model is told of a row (toolhints.md §8): the tools that
// changed, in a sentence or two, and with them the definitions that did. The
// head of its prompt is not touched by it.
type Told struct {
	Text string // "game vs-ada: play, pass usable again; play redefined."; "" for nothing
	// Members are the parts of definitions that come with it: description,
	// inputSchema, annotations.
	Members []string
	// Bytes is the size of all of it: Text, and the members as the server
	// sent them.
	Bytes int
}

// Tokens estimates the size in tokens: one for four bytes.
func (t Told) Tokens() int { return tokensOf(t.Bytes) }

func tokensOf(bytes int) int { return (bytes + 2) / 4 }

// HeadTokens estimates what the static tools cost in every prompt: "~610
// tok". It is rounded to tens, as an estimate should.
func HeadTokens(b *timeline.Board) string {
	n := 0
	for i := range b.Static {
		n += len(b.Static[i].Declared)
	}
	if n = tokensOf(n); n >= 100 {
		n = (n + 5) / 10 * 10
	}
	return "~" + grouped(n) + " tok"
}

// grouped writes a number with a blank between thousands.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// ToldBy returns what a model is told of a row.
func ToldBy(log *timeline.Log, r *timeline.Row) Told {
	var t Told
	if r.Taken < 0 {
		return t
	}
	var places []string
	of := map[string][]timeline.Change{}
	for _, ch := range r.Changes {
		w := place(ch.Toolset, ch.Instance)
		if of[w] == nil {
			places = append(places, w)
		}
		of[w] = append(of[w], ch)
	}
	var parts []string
	for n, w := range places {
		if n == maxListed {
			parts = append(parts, "…")
			break
		}
		if s := placeSentence(log, r, w, of[w]); s != "" {
			parts = append(parts, s)
		}
	}
	parts = append(parts, suggestedSentences(log, r)...)
	if t.Text = strings.Join(parts, " "); t.Text == "" {
		return t
	}
	t.Bytes = len(t.Text)
	t.definitions(log, r)
	return t
}

// placeSentence tells what changed in one place: "game vs-ada: play, pass
// usable again; play redefined."
func placeSentence(log *timeline.Log, r *timeline.Row, where string, changes []timeline.Change) string {
	var opened string
	var shown, again, hidden, redefined, moved []string
	for _, ch := range changes {
		tool := oneLine(ch.Tool)
		switch ch.Kind {
		case timeline.Opened:
			opened = " opened"
		case timeline.ClosedIt:
			opened = " closed"
		case timeline.Shown:
			if shownBefore(log, r, ch) {
				again = append(again, tool)
			} else {
				shown = append(shown, tool)
			}
		case timeline.Hidden:
			hidden = append(hidden, tool)
		case timeline.Redefined:
			redefined = append(redefined, tool)
		case timeline.Moved:
			moved = append(moved, tool)
		}
	}
	var parts []string
	add := func(names []string, words string) {
		if len(names) > 12 {
			names = append(names[:12:12], "…")
		}
		if len(names) > 0 {
			parts = append(parts, strings.Join(names, ", ")+" "+words)
		}
	}
	add(shown, "usable")
	add(again, "usable again")
	add(hidden, "not usable")
	add(redefined, "redefined")
	add(moved, "moved between static and dynamic")
	what := strings.Join(parts, "; ")
	switch {
	case what == "" && opened == "":
		return ""
	case what == "":
		return oneLine(where) + opened + "."
	case where == "":
		return what + "."
	}
	return oneLine(where) + opened + ": " + what + "."
}

// shownBefore: the tool was usable in its place before it became so now.
func shownBefore(log *timeline.Log, r *timeline.Row, ch timeline.Change) bool {
	k := timeline.LaneKey{Conn: r.Conn, Toolset: ch.Toolset, Instance: ch.Instance, Tool: ch.Tool}
	_, ok := log.LaneBefore(k, r.Taken-1, timeline.Shown)
	return ok
}

func suggestedSentences(log *timeline.Log, r *timeline.Row) []string {
	if r.Counts.Suggested == 0 {
		return nil
	}
	var out []string
	wire.EachElement(wire.Member(hintsOfRow(log, r.N), "suggest"), func(v []byte) bool {
		s := "The server suggests: "
		action := orElse(member(v, "action"), "open")
		s += oneLine(action) + " " + oneLine(place(orElse(member(v, "toolset"), member(v, "name")), member(v, "instance")))
		if reason := member(v, "reason"); reason != "" {
			s += ", " + Quote(reason)
		}
		out = append(out, s)
		return len(out) < 8
	})
	return out
}

// definitions adds the definitions that a row changed, as the server sent
// them.
func (t *Told) definitions(log *timeline.Log, r *timeline.Row) {
	changed := map[[2]string]bool{}
	for _, ch := range r.Changes {
		if ch.Kind == timeline.Redefined {
			changed[[2]string{ch.Tool, ch.Instance}] = true
		}
	}
	if len(changed) == 0 {
		return
	}
	seen := map[string]bool{}
	wire.EachElement(wire.Member(hintsOfRow(log, r.N), "tools"), func(v []byte) bool {
		name, in := wire.StringOf(wire.Member(v, "name")), wire.StringOf(wire.Member(v, "instance"))
		if !changed[[2]string{name, in}] && !changed[[2]string{name, ""}] {
			return true
		}
		def := wire.Member(v, "definition")
		for _, key := range definitionMembers {
			if m := wire.Member(def, key); m != nil {
				t.Bytes += len(m)
				seen[key] = true
			}
		}
		return true
	})
	for _, key := range definitionMembers {
		if seen[key] {
			t.Members = append(t.Members, key)
		}
	}
}

// told says in a row's explanation what a model is told of it.
func (d *Doc) told(log *timeline.Log, r *timeline.Row) {
	t := ToldBy(log, r)
	if t.Text == "" {
		return
	}
	l := say(t.Text)
	d.Add(Block{
		Head: "WHAT THE MODEL IS TOLD", Note: "~" + grouped(t.Tokens()) + " tok, head untouched", Body: []Line{l},
	})
}

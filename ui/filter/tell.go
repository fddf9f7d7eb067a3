package filter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// List is what a list says of itself, so that a filter that finds nothing can
// be answered with what would be found.
type List struct {
	Name string   // as its head line has it: "TOOLS"
	Keys []string // the keys that say something of its rows
	// Values returns what there is of a key: a noun ("Tools") and the values.
	Values func(key string) (noun string, values []string)
	// Past is true where rows may be of tools, toolsets and instances that are
	// gone, which Values does not list.
	Past bool
}

// Count is the live count of a list: "3 of 41 match".
func Count(n, all int) string { return fmt.Sprintf("%d of %d match", n, all) }

// NoMatch is the empty state of a list of all rows: what there is instead.
func (l *List) NoMatch(q *Query, all int) string {
	text := fmt.Sprintf("0 of %d match %s. ", all, q.Text)
	if why := l.Doubt(q); why != "" {
		return text + why + " esc clears."
	}
	for _, t := range q.Terms {
		if t.Not {
			continue
		}
		if why := l.there(t); why != "" {
			return text + why + " esc clears."
		}
	}
	return text + l.keys() + " esc clears."
}

func (l *List) keys() string { return "Words with a colon are " + strings.Join(l.Keys, ", ") + "." }

// Doubt tells of the first term that can match nothing here, whatever else
// was found: a key that says nothing of this list's rows, a value that there
// is not, a word that looks like a key. It is "" where there is none.
func (l *List) Doubt(q *Query) string {
	for _, t := range q.Terms {
		switch {
		case t.Key == "":
			if key, _, ok := strings.Cut(t.Value, ":"); ok && isWord(key) && !strings.Contains(t.Value, "://") {
				return l.keys()
			}
		case !slices.Contains(l.Keys, t.Key):
			return fmt.Sprintf("%s: says nothing in %s. %s", t.Key, l.Name, l.keys())
		case t.Value != "" && !l.can(t):
			return l.there(t)
		}
	}
	return ""
}

// Said is Doubt for the row above the help, with the term that it speaks of.
// found is how many rows passed.
func (l *List) Said(q *Query, found int) string {
	for i := range q.Terms {
		if l.Past && found > 0 && !q.Terms[i].Not {
			continue
		}
		one := Query{Terms: q.Terms[i : i+1]}
		if why := l.Doubt(&one); why != "" {
			t := q.Terms[i]
			text := t.Value
			if t.Key != "" {
				text = t.Key + ":" + t.Value
			}
			return "nothing here now is " + text + ". " + why
		}
	}
	return ""
}

func isWord(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}

// can reports whether a value may be found. Of ids, revs and methods there is
// no list to look it up in.
func (l *List) can(t Term) bool {
	_, values := l.Values(t.Key)
	switch t.Key {
	case "id", "method":
		return true
	case "rev":
		_, _, ok := span(t.Value)
		return ok
	case "kind", "dir", "status", "level":
		return slices.ContainsFunc(values, func(v string) bool { return Begins(v, t.Value) })
	}
	return slices.ContainsFunc(values, func(v string) bool { return Has(v, t.Value) })
}

// mostNames is how many values are listed.
const mostNames = 12

// there lists the values that a term could have had.
func (l *List) there(t Term) string {
	if t.Key == "" || !slices.Contains(l.Keys, t.Key) {
		return ""
	}
	noun, values := l.Values(t.Key)
	switch {
	case noun == "":
		return ""
	case len(values) == 0:
		return noun + " here: none."
	case len(values) > mostNames:
		values = append(nearest(values, t.Value), "…")
	}
	return noun + " here: " + strings.Join(values, ", ") + "."
}

// nearest returns the values that are most like what was typed, in their
// order.
func nearest(values []string, typed string) []string {
	type scored struct{ at, far int }
	all := make([]scored, len(values))
	for i, v := range values {
		all[i] = scored{i, far(v, typed)}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return a.far - b.far })
	near := all[:mostNames]
	slices.SortFunc(near, func(a, b scored) int { return a.at - b.at })
	out := make([]string, 0, mostNames+1)
	for _, s := range near {
		out = append(out, values[s.at])
	}
	return out
}

// far says how unlike a value is to what was typed: 0 where one begins with
// the first half of the other, else more.
func far(value, typed string) int {
	value = strings.ToLower(value)
	n := 0
	for n < len(value) && n < len(typed) && value[n] == typed[n] {
		n++
	}
	return max(len(typed)/2+1-n, 0)
}

// ToolNames lists the tools of a board, those that come and go first.
func ToolNames(b *timeline.Board) []string {
	if b == nil {
		return nil
	}
	var out []string
	for i := range b.Toolsets {
		for k := range b.Toolsets[i].Tools {
			out = append(out, b.Toolsets[i].Tools[k].Name)
		}
	}
	for _, tools := range [][]timeline.Tool{b.Loose, b.Static} {
		for i := range tools {
			out = append(out, tools[i].Name)
		}
	}
	return out
}

// SetNames lists the toolsets of a board, InstanceNames its open instances.
func SetNames(b *timeline.Board) (out []string) {
	for i := 0; b != nil && i < len(b.Toolsets); i++ {
		out = append(out, b.Toolsets[i].Name)
	}
	return out
}

// InstanceNames lists the open instances of a board.
func InstanceNames(b *timeline.Board) (out []string) {
	for i := 0; b != nil && i < len(b.Toolsets); i++ {
		for k := range b.Toolsets[i].Instances {
			out = append(out, b.Toolsets[i].Instances[k].Name)
		}
	}
	return out
}

// OfBoard returns what a board has of tool, toolset, instance and rev, for a
// List's Values; noun is "" for other keys.
func OfBoard(b *timeline.Board, key string) (noun string, values []string) {
	switch key {
	case "tool":
		return "Tools", ToolNames(b)
	case "toolset":
		return "Toolsets", SetNames(b)
	case "instance":
		return "Instances", InstanceNames(b)
	case "rev":
		if b != nil && b.LastRev > 0 {
			return "Revs", []string{fmt.Sprintf("up to %d", b.LastRev), fmt.Sprintf("as rev:%d or rev:1-%d", b.LastRev, b.LastRev)}
		}
		return "Revs", nil
	}
	return "", nil
}

// Package filter is the language by which every list is filtered: one way to
// write it, to judge by it, to type it, to search a long list for it, and to
// tell what would have matched.
//
// A filter is terms that all must hold. A term is KEY:VALUE with one of Keys,
// or a word that is looked for in what is shown of a thing. A term with - in
// front must not hold; "…" holds blanks.
package filter

import (
	"slices"
	"strconv"
	"strings"
)

// FrameKeys are the words before a colon that say something of messages and
// revs.
var FrameKeys = []string{"tool", "toolset", "instance", "method", "kind", "dir", "id", "rev", "status"}

// Keys are the words that may stand before a colon: also those of findings.
var Keys = append(slices.Clone(FrameKeys), "rule", "level")

// Term is one part of a filter.
type Term struct {
	Key   string // "" for a word
	Value string // in small letters; "" holds for whatever has something of Key
	Not   bool
}

// Query is a filter that was read. The zero value holds for everything.
type Query struct {
	Text  string // as it was written
	Terms []Term
}

// Parse reads a filter. There is no wrong one: KEY: with an unknown key is a
// word like any other, for a word may well have a colon.
func Parse(text string) Query {
	q := Query{Text: text}
	for _, w := range split(text) {
		var t Term
		w, t.Not = strings.CutPrefix(w, "-")
		if w == "" {
			continue
		}
		t.Value = strings.ToLower(w)
		if key, value, ok := strings.Cut(t.Value, ":"); ok && slices.Contains(Keys, key) {
			t.Key, t.Value = key, value
		}
		if t.Key == "" && (t.Value == "err" || t.Value == "stderr") {
			t.Key, t.Value = "dir", "err"
		}
		t.Value = strings.ReplaceAll(t.Value, `"`, "")
		q.Terms = append(q.Terms, t)
	}
	return q
}

// split cuts a text at blanks that stand outside of quotation marks.
func split(text string) []string {
	quoted := false
	return strings.FieldsFunc(text, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
}

// Empty reports whether everything passes.
func (q *Query) Empty() bool { return len(q.Terms) == 0 }

// Only reports whether all terms have one of the keys.
func (q *Query) Only(keys ...string) bool {
	for _, t := range q.Terms {
		if !slices.Contains(keys, t.Key) {
			return false
		}
	}
	return true
}

// Asks reports whether a term has the key; "" asks for words.
func (q *Query) Asks(key string) bool {
	return slices.ContainsFunc(q.Terms, func(t Term) bool { return t.Key == key })
}

// Subject is a thing that a filter judges.
type Subject interface {
	// Holds reports whether a term holds, its Not left aside.
	Holds(t Term) bool
}

// Matches reports whether a thing passes.
func (q *Query) Matches(s Subject) bool {
	for _, t := range q.Terms {
		if s.Holds(t) == t.Not {
			return false
		}
	}
	return true
}

// MatchesParts judges a thing that stands in several places, as a tool does in
// the instances of its toolset. The terms on instances choose the places; then
// one of those must have all that is asked for, and none what must not be.
func (q *Query) MatchesParts(parts []Facts) bool {
	some := false
	for i := range parts {
		all, not, here := true, false, true
		for _, t := range q.Terms {
			switch holds := parts[i].Holds(t); {
			case t.Not:
				not = not || holds
			case t.Key == "instance":
				here = here && holds
			default:
				all = all && holds
			}
		}
		if !here {
			if q.notInstance(&parts[i]) {
				return false
			}
			continue
		}
		if not {
			return false
		}
		some = some || all
	}
	return some
}

// notInstance: a place that must not be counts, whichever ones were chosen.
func (q *Query) notInstance(f *Facts) bool {
	for _, t := range q.Terms {
		if t.Not && t.Key == "instance" && f.Holds(t) {
			return true
		}
	}
	return false
}

// Has reports whether s has value, in small letters, in it. An empty value
// holds for whatever there is.
func Has(s, value string) bool {
	return s != "" && strings.Contains(strings.ToLower(s), value)
}

// Begins reports whether a word of the language begins with value.
func Begins(word, value string) bool {
	return value != "" && strings.HasPrefix(word, value)
}

// IsID reports whether value is an id, as it is shown or without its #.
func IsID(id, value string) bool {
	id = strings.ToLower(id)
	return value != "" && (id == value || strings.TrimPrefix(id, "#") == value)
}

// InRevs reports whether one of revs is the number that value names, or lies
// in its span: "39", "1-12", "39-". Without value any rev will do.
func InRevs(value string, revs ...int64) bool {
	if value == "" {
		return len(revs) > 0
	}
	lo, hi, ok := span(value)
	if !ok {
		return false
	}
	return slices.ContainsFunc(revs, func(r int64) bool { return r >= lo && r <= hi })
}

func span(value string) (lo, hi int64, ok bool) {
	from, to, isSpan := strings.Cut(value, "-")
	lo, err := strconv.ParseInt(from, 10, 64)
	if err != nil {
		return 0, 0, false
	}
	hi = lo
	if isSpan {
		if hi, err = strconv.ParseInt(to, 10, 64); err != nil {
			hi = 1<<63 - 1
		}
	}
	return lo, hi, true
}

// Facts is what there is to know of a small thing. It is a Subject.
type Facts struct {
	Tools, Toolsets, Instances []string
	Method                     string
	Kinds, Dirs, Statuses      []string
	ID                         string
	Revs                       []int64
	Rules, Levels              []string
	Words                      []string // texts that words are looked for in
}

// Holds reports whether a term holds.
func (f *Facts) Holds(t Term) bool {
	has := func(s string) bool { return Has(s, t.Value) }
	begins := func(s string) bool { return Begins(s, t.Value) }
	switch t.Key {
	case "tool":
		return slices.ContainsFunc(f.Tools, has)
	case "toolset":
		return slices.ContainsFunc(f.Toolsets, has)
	case "instance":
		return slices.ContainsFunc(f.Instances, has)
	case "method":
		return has(f.Method)
	case "kind":
		return slices.ContainsFunc(f.Kinds, begins)
	case "dir":
		return slices.ContainsFunc(f.Dirs, begins)
	case "status":
		return slices.ContainsFunc(f.Statuses, begins)
	case "id":
		return IsID(f.ID, t.Value)
	case "rule":
		return slices.ContainsFunc(f.Rules, has)
	case "level":
		return slices.ContainsFunc(f.Levels, begins)
	case "rev":
		return InRevs(t.Value, f.Revs...)
	}
	return slices.ContainsFunc(f.Words, has)
}

package start

import (
	"strings"

	"github.com/sahilm/fuzzy"
)

// match finds the entries that the filter leaves, and puts the cursor on the
// best of them.
func (l *List) match() {
	l.shown = l.shown[:0]
	best, score := "", -1
	var keep bool
	for i, e := range l.places.Entries {
		s := rank(l.filter, e)
		if s < 0 {
			continue
		}
		l.shown = append(l.shown, i)
		if s > score {
			best, score = e.Line, s
		}
		keep = keep || e.Line == l.sel
	}
	l.follow = true
	switch {
	case l.moved && keep:
	case l.bare || l.moved:
		l.sel = ""
	default:
		l.sel = best
	}
}

// How well an entry matches.
const (
	anything = 1 << iota // no filter
	inside               // the text stands in its command, or where it is
	letters              // its letters stand in the name, in their order
	part                 // it is a part of the name
	head                 // the name begins with it
	exact                // it is the name
)

// rank says how well an entry matches, -1 for not at all.
func rank(text string, e Entry) int {
	text = strings.ToLower(strings.TrimSpace(text))
	name := strings.ToLower(e.Name)
	switch {
	case text == "":
		return anything
	case text == name || text == strings.ToLower(e.Line):
		return exact
	case strings.HasPrefix(name, text):
		return head
	case strings.Contains(name, text):
		return part
	case len(fuzzy.FindNoSort(text, []string{name})) > 0:
		return letters
	case strings.Contains(strings.ToLower(e.What+"\n"+e.Where+"\n"+e.Line+"\n"+e.Server), text):
		return inside
	}
	return -1
}

package ui

import "github.com/mcpl-tui/mcpl-tui/ui/kit"

// part is a piece of a row. What has a high rank goes first where room is
// short; rank 0 never goes.
type part struct {
	text  string
	rank  int
	style kit.Style
	gap   int // blanks before it, 0: as all
}

// put draws parts from column x on. What is not the present has one style.
func put(r kit.Region, x, gap int, parts []part, amber bool) int {
	for i, p := range parts {
		if i > 0 {
			if p.gap > 0 {
				x += p.gap
			} else {
				x += gap
			}
		}
		if amber {
			p.style = kit.As(kit.Past)
		}
		x = r.Put(x, 0, p.style, p.text)
	}
	return x
}

func width(parts []part, gap int) int {
	w := 0
	for i, p := range parts {
		if i > 0 {
			w += max(p.gap, gap*b2i(p.gap == 0))
		}
		w += kit.Width(kit.Clean(p.text))
	}
	return w
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// dropOne takes away the part with the highest rank of both sides.
func dropOne(sides ...*[]part) bool {
	var from *[]part
	at, rank := -1, 0
	for _, s := range sides {
		for i, p := range *s {
			if p.rank > rank {
				from, at, rank = s, i, p.rank
			}
		}
	}
	if from == nil {
		return false
	}
	*from = append((*from)[:at:at], (*from)[at+1:]...)
	return true
}

// drop takes out parts that say nothing.
func drop(parts []part) []part {
	out := parts[:0]
	for _, p := range parts {
		if p.text != "" {
			out = append(out, p)
		}
	}
	return out
}

package server

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/search"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// mark underlines what is searched for in a row in sight.
func mark(l *search.Line, r kit.Region, y int, pieces ...piece) {
	for _, p := range pieces {
		l.Mark(r, p.x, y, p.text)
	}
}

// next goes to the next row with the word, by 1 or -1, and around at the end.
// What is folded is looked through too, and unfolded where it has the word.
func (p *column) next(v *View, c *view.Context, by int) {
	word := search.Fold(p.find.Word)
	if word == "" {
		return
	}
	all := p.everything(v, c)
	from := 0
	for i, at := range all {
		if at == p.at {
			from = i
		}
	}
	for k := 1; k <= len(all); k++ {
		at := all[((from+k*by)%len(all)+len(all))%len(all)]
		if !strings.Contains(search.Fold(p.words(v, c, at)), word) {
			continue
		}
		if at.n >= 0 {
			v.fold(at.key, false)
		}
		p.at, p.moved, p.free, p.find.Says = at, true, false, ""
		return
	}
	p.find.Says = search.NotFound
}

// everything lists the rows of all sections, folded or not.
func (p *column) everything(v *View, c *view.Context) []place {
	var out []place
	for _, key := range p.keys {
		if v.sheet.told[key] == nil {
			continue
		}
		out = append(out, place{key, -1})
		for n := range v.sheet.rows(v, c, key, p.w) {
			out = append(out, place{key, n})
		}
	}
	return out
}

func (p *column) words(v *View, c *view.Context, at place) string {
	if at.n < 0 {
		return v.sheet.told[at.key].Head
	}
	rows := v.sheet.rows(v, c, at.key, p.w)
	return rows[at.n].plain()
}

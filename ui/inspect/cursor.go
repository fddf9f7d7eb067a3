package inspect

import (
	"hash/maphash"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// textKey names one JSON text of one document.
type textKey struct {
	title, note string
	size        int
	sum         uint64
}

// maxKept is how many texts the folds are remembered of.
const maxKept = 64

// kept remembers what was folded, so that a document that is come back to is
// as it was left.
type kept struct {
	seed  maphash.Seed
	of    map[textKey]folds
	order []textKey // oldest first
}

func (k *kept) key(title, note string, src []byte) textKey {
	return textKey{title, note, len(src), maphash.Bytes(k.seed, src)}
}

// recall gives the texts of the document their folds back.
func (p *Pane) recall() {
	if len(p.kept.of) == 0 {
		return
	}
	for _, s := range p.parts {
		if j, ok := s.lazy.(*jsonLines); ok && !j.flow {
			j.folds = p.kept.of[p.kept.key(p.doc.Title, p.doc.Note, j.src)]
		}
	}
}

// keep makes a text one whose folds are remembered.
func (p *Pane) keep(j *jsonLines) {
	if j.folds != nil {
		return
	}
	if p.kept.of == nil {
		p.kept = kept{seed: maphash.MakeSeed(), of: make(map[textKey]folds)}
	}
	k := p.kept.key(p.doc.Title, p.doc.Note, j.src)
	if len(p.kept.order) >= maxKept {
		delete(p.kept.of, p.kept.order[0])
		p.kept.order = p.kept.order[1:]
	}
	j.folds = make(folds)
	p.kept.of[k], p.kept.order = j.folds, append(p.kept.order, k)
}

// place is the JSON that the cursor stands on, and the line in it.
type place struct {
	l       *jsonLines
	line    int
	section int // the line of the document at which the JSON begins
}

func (p *Pane) here() (at place, ok bool) {
	part, line := p.placeOf(p.cur)
	if part < 0 {
		return place{}, false
	}
	j, isJSON := p.parts[part].lazy.(*jsonLines)
	if n, _ := p.parts[part].known(); !isJSON || j.flow || line >= n {
		return place{}, false
	}
	return place{j, line, p.cur - line}, true
}

// foldKey folds, unfolds, or goes out to the line that can be folded, and
// reports whether there was something to do.
func (p *Pane) foldKey(key string) bool {
	at, ok := p.here()
	if !ok {
		return false
	}
	folded := at.l.foldOf(at.line)
	open, _, _ := at.l.opener(at.line)
	switch {
	case folded >= 0 && (key == "right" || key == "enter"):
		at.l.unfold(at.line, folded)
		p.cur = at.section + at.l.lineAt(folded)
	case folded < 0 && open >= 0 && (key == "left" || key == "enter"):
		p.keep(at.l)
		at.l.fold(at.line, open)
		p.cur = at.section + at.l.lineAt(open)
	case key == "left":
		out := at.l.outer(at.line)
		if out < 0 {
			return false
		}
		p.cur = at.section + out
	default:
		return false
	}
	p.follow()
	return true
}

// Help returns what keys do on the line under the cursor, beyond scrolling:
// for the help line of whoever owns the pane. It is empty where they do
// nothing.
func (p *Pane) Help() []view.Help {
	if p.find.Typing {
		return []view.Help{{Key: "enter", Verb: "find"}, {Key: "esc", Verb: "leave it"}}
	}
	var out []view.Help
	if at, ok := p.here(); ok {
		open, _, _ := at.l.opener(at.line)
		switch {
		case at.l.foldOf(at.line) >= 0:
			out = append(out, view.Help{Key: "→", Verb: "unfold"})
		case open >= 0:
			out = append(out, view.Help{Key: "←", Verb: "fold"})
		case at.line > 0:
			out = append(out, view.Help{Key: "←", Verb: "out"})
		}
	}
	switch {
	case p.packed && p.unpack:
		out = append(out, view.Help{Key: unpackKey, Verb: "text as sent"})
	case p.packed:
		out = append(out, view.Help{Key: unpackKey, Verb: "text as JSON"})
	}
	return out
}

// Click moves the cursor to a row of the pane. A click on the sign of a line
// folds or unfolds it.
func (p *Pane) Click(x, y int) {
	if y < 0 || y >= p.rows() || !p.fresh {
		return
	}
	n, _ := p.count()
	p.cur = max(min(p.top+y, n-1), 0)
	if at, ok := p.here(); ok && x == body+int(at.l.spans[at.line].indent)-1 {
		p.foldKey("enter")
	}
}

// Mouse handles a notch of the wheel (wheel not 0), or else a click on a row
// of the pane; it reports whether it was a click.
func (p *Pane) Mouse(x, y, wheel int) (click bool) {
	if wheel != 0 {
		p.Wheel(wheel)
		return false
	}
	p.Click(x, y)
	return true
}

// rows is how many lines of the document are in sight.
func (p *Pane) rows() int {
	h := p.room()
	if n, all := p.count(); n > p.top+h || !all {
		return max(h-1, 1)
	}
	return h
}

// room is the rows of the pane without the search line.
func (p *Pane) room() int {
	if p.find.Shown() {
		return max(p.h-1, 1)
	}
	return p.h
}

// move moves the cursor by some lines.
func (p *Pane) move(by int) {
	p.cur = max(p.cur+by, 0)
	p.follow()
}

// follow scrolls so that the cursor is in sight, with some lines around it.
func (p *Pane) follow() {
	p.need(p.cur + p.h + lookAhead)
	n, _ := p.count()
	p.cur = max(min(p.cur, n-1), 0)
	h := p.room()
	around := max(h-2, 0) / 3
	p.top = max(min(p.top, p.cur-around), p.cur-max(h-2-around, 0))
	p.clamp(h)
}

// hold keeps the cursor among the lines in sight.
func (p *Pane) hold() {
	n, _ := p.count()
	p.cur = max(min(p.cur, p.top+p.rows()-1, n-1), p.top, 0)
}

// drawCursor draws the sign of the cursor, and what its line can do.
func (p *Pane) drawCursor(r kit.Region) {
	y := p.cur - p.top
	r.Put(0, y, kit.As(kit.Bright), "▌")
	at, ok := p.here()
	if !ok {
		return
	}
	if open, _, _ := at.l.opener(at.line); open >= 0 && at.l.foldOf(at.line) < 0 {
		r.Put(body+int(at.l.spans[at.line].indent)-1, y, kit.As(kit.Key), openSign)
	}
}

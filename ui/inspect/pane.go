// Package inspect lays an inspector.Doc out in a region of the screen, and
// lets one scroll and search in it.
//
// A message of any size may stand in a document. It is laid out and coloured
// only as far as it is looked at: a drawing costs what its rows cost, and
// what is kept is an index of the lines of the one document that is shown.
package inspect

import (
	"bytes"
	"reflect"
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/search"
)

// Pane shows one document. The zero value is ready to use. It owns the place
// to which it was scrolled, the cursor, what is searched for and what is
// folded, and the layout of the document that it showed last.
type Pane struct {
	doc   inspector.Doc
	w, h  int
	full  bool
	fresh bool // the layout below is of doc, w, h and full
	parts []*section
	ink   ink
	top   int
	cur   int // the line under the cursor
	find  search.Line
	gone  bool // a match of it was gone to
	kept  kept
	// unpack shows texts that are JSON as JSON; packed: there is such a text.
	unpack, packed bool
}

// Draw draws doc into r. While focused all of it can be read and scrolled;
// else long texts are cut, so that each part of the document has its place.
// Another document (by title and note) begins at its top.
func (p *Pane) Draw(r kit.Region, doc inspector.Doc, focused bool) {
	p.set(doc)
	if r.W != p.w || r.H != p.h || focused != p.full {
		p.w, p.h, p.full, p.fresh = r.W, r.H, focused, false
	}
	if r.W < 4 || r.H < 1 {
		return
	}
	h := r.H
	if p.find.Shown() {
		h--
		p.find.Draw(r, r.H-1, focused)
	}
	p.layout(h)
	p.draw(r, h)
}

// Reset goes back to the top, and forgets the search and what was folded.
func (p *Pane) Reset() {
	p.top, p.cur, p.find, p.kept = 0, 0, search.Line{}, kept{}
	p.fresh = false
}

// set takes a document. One that is the same costs a comparison, one that is
// about the same thing keeps its place.
func (p *Pane) set(doc inspector.Doc) {
	if same(&p.doc, &doc) {
		return
	}
	if doc.Title != p.doc.Title || doc.Note != p.doc.Note {
		p.top, p.cur = 0, 0
		p.gone = false
	}
	p.doc, p.fresh = doc, false
}

func same(a, b *inspector.Doc) bool {
	if a.Title != b.Title || a.Note != b.Note || len(a.Blocks) != len(b.Blocks) {
		return false
	}
	for i := range a.Blocks {
		x, y := &a.Blocks[i], &b.Blocks[i]
		if x.Head != y.Head || x.Sign != y.Sign || x.Note != y.Note || x.Fold != y.Fold || x.Flow != y.Flow ||
			(x.JSON == nil) != (y.JSON == nil) || (x.Text == nil) != (y.Text == nil) ||
			!bytes.Equal(x.JSON, y.JSON) || !bytes.Equal(x.Text, y.Text) || !reflect.DeepEqual(x.Body, y.Body) {
			return false
		}
	}
	return true
}

// layout composes the document, and deals out the rows.
func (p *Pane) layout(h int) {
	if !p.fresh {
		p.parts = compose(p.shown(), p.w, p.h < tightH, p.full, &p.ink)
		p.fresh = true
		p.recall()
		p.deal(h)
	}
}

// deal says how many lines each text may show. Read in full, only what is
// short stays so. Else texts share the rows that are left.
func (p *Pane) deal(h int) {
	if p.full {
		for _, s := range p.parts {
			if s.short {
				s.limit = fewRows
				s.extend(fewRows + 1)
			}
		}
		return
	}
	var texts []*section
	left := h
	for _, s := range p.parts {
		if s.lazy == nil {
			left -= len(s.rows)
			continue
		}
		s.limit = 0
		s.extend(h + 1)
		texts = append(texts, s)
	}
	for len(texts) > 0 {
		// Who needs less than a fair share takes it; the rest share anew.
		share, served := max(left/len(texts), atLeast), false
		rest := texts[:0:0]
		for _, s := range texts {
			if n, all := s.lazy.known(); all && n <= share {
				left, served = left-n, true
				continue
			}
			rest = append(rest, s)
		}
		if texts = rest; !served {
			for _, s := range texts {
				s.limit = max(left/len(texts), atLeast)
			}
			return
		}
	}
}

// count returns how many lines the document has as far as that is known, and
// whether that is all.
func (p *Pane) count() (n int, all bool) {
	all = true
	for _, s := range p.parts {
		k, whole := s.known()
		n += k
		if !whole {
			return n, false
		}
	}
	return n, all
}

// need lays out until n lines are known, or all.
func (p *Pane) need(n int) {
	before := 0
	for _, s := range p.parts {
		s.extend(n - before)
		k, whole := s.known()
		before += k
		if before >= n || !whole {
			return
		}
	}
}

// lookAhead is how many lines beyond those in sight are laid out, to tell how
// many there are.
const lookAhead = 500

// clamp keeps the top where a full screen can be shown.
func (p *Pane) clamp(h int) {
	p.top = max(p.top, 0)
	p.need(p.top + h + lookAhead)
	if n, all := p.count(); all {
		p.top = min(p.top, max(n-h, 0))
	}
}

func (p *Pane) draw(r kit.Region, h int) {
	p.clamp(h)
	p.hold()
	n, all := p.count()
	rows := h
	if below := n - p.top - h; below > 0 || !all {
		rows = max(h-1, 1)
	}
	y := 0
	p.each(p.top, func(s *section, i int) bool {
		if y >= rows {
			return false
		}
		s.draw(r, y, i)
		p.mark(r, y, s, i)
		y++
		return true
	})
	if p.full && p.cur < n {
		p.drawCursor(r)
	}
	if rows < h {
		p.more(r, rows, n-p.top-rows, all)
	}
}

// more says how much lies below.
func (p *Pane) more(r kit.Region, y, below int, all bool) {
	text := "↓ " + strconv.Itoa(below)
	if !all {
		text += "+"
	}
	text += " more"
	if p.top > 0 {
		text = "↑ " + strconv.Itoa(p.top) + "   " + text
	}
	r.PutRight(r.W-1, y, kit.As(kit.Dim), text)
}

// each calls f with the section and the line in it of each line from top on,
// until f says stop.
func (p *Pane) each(top int, f func(s *section, i int) bool) {
	for _, s := range p.parts {
		n, _ := s.known()
		for i := max(top, 0); i < n; i++ {
			if !f(s, i) {
				return
			}
		}
		top = max(top-n, 0)
	}
}

// Key moves the cursor, folds and searches, and reports whether it had a use for the key.
func (p *Pane) Key(key string) bool {
	if p.find.Typing {
		return p.typed(key)
	}
	page := max(p.h-2, 1)
	switch key {
	case "j", "down":
		p.move(1)
	case "k", "up":
		p.move(-1)
	case "h", "left":
		return p.foldKey("left")
	case "l", "right":
		return p.foldKey("right")
	case "enter":
		return p.foldKey("enter")
	case unpackKey:
		if !p.packed {
			return false
		}
		p.unpack, p.fresh = !p.unpack, false
	case "ctrl+d":
		p.scroll(max(page/2, 1))
	case "ctrl+u":
		p.scroll(-max(page/2, 1))
	case "pgdown", "ctrl+f":
		p.scroll(page)
	case "pgup", "ctrl+b":
		p.scroll(-page)
	case "g", "home":
		p.top, p.cur = 0, 0
	case "G", "end":
		p.bottom()
	case "/":
		p.find.Open()
	case "n":
		p.next(1)
	case "N":
		p.next(-1)
	case "esc":
		return p.find.Close()
	default:
		return false
	}
	return true
}

// Wheel scrolls by some lines, n notches down or, below 0, up.
func (p *Pane) Wheel(n int) {
	p.top += 3 * n
	p.clamp(p.room())
	p.hold()
}

// scroll scrolls; the cursor keeps its place on the screen.
func (p *Pane) scroll(by int) {
	p.top += by
	p.cur = max(p.cur+by, 0)
	p.clamp(p.room())
	p.hold()
}

func (p *Pane) bottom() {
	for n, all := p.count(); !all; n, all = p.count() {
		p.need(n + 1<<14)
	}
	n, _ := p.count()
	p.top, p.cur = n, n
	p.clamp(p.room())
	p.hold()
}

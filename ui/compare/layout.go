package compare

import (
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// The sizes at which the layout changes (screens.md, "Layout rules").
const (
	wide      = 140 // columns from which both sides stand beside REVS
	middle    = 96  // from which REVS stays
	narrow    = 60  // under which there is no head line
	wideRevs  = 44
	revs      = 37
	twoSides  = 90 // columns of the body from which it has two sides
	wideBody  = 100
	gridValue = 19 // the column of values
	tightBody = 14 // rows of the body under which nothing is spaced
)

// layout is where the parts stand in the body.
type layout struct {
	revs int // columns of REVS, 0: it is not there
	x, w int // of the comparison
	head int // rows of its head line
	side int // columns of the first side, 0: both sides share the column
	// tight: too few rows for blank ones.
	tight bool
}

func (v *View) place(w, h int) layout {
	l := layout{w: w, head: 1, tight: h < tightBody}
	switch {
	case v.Revs == nil || v.zoom:
	case w >= wide:
		l.revs = wideRevs
	case w >= middle:
		l.revs = revs
	}
	if l.revs > 0 {
		l.x, l.w = l.revs+1, w-l.revs-1
	}
	if w < narrow || h < 2 {
		l.head = 0
	}
	if l.w >= twoSides {
		l.side = (l.w - 1) / 2
	}
	return l
}

// drawHead draws the head line: of the words for its right end the first that
// fit, and how many rows are out of sight.
func drawHead(r kit.Region, title string, notes []string, arrows string, heavy bool) {
	title = kit.Clean(title)
	right := ""
	for _, n := range append(notes, "") {
		right = strings.TrimSpace(kit.Clean(n) + arrows)
		if kit.Width(title)+kit.Width(right)+8 <= r.W {
			break
		}
	}
	label.DrawHead(r, title, right, heavy)
}

// rowKind is what a row of the comparison is made of.
type rowKind uint8

const (
	fullRow rowKind = iota
	gridRow         // both sides
	ruleRow         // the line below the grid
)

// noHit is a row that leads nowhere.
const noHit = -1

// vrow is one finished row.
type vrow struct {
	kind  rowKind
	left  []piece // the whole row, or the first side
	right []piece // the second side
	note  string  // at the right edge
	hit   int     // the frame, or the item, that it leads to, or noHit
}

type piece struct {
	x    int
	st   kit.Style
	text string
}

// put adds a piece at column x and returns the column after it.
func put(to *[]piece, x int, st kit.Style, text string) int {
	text = kit.Clean(text)
	*to = append(*to, piece{x, st, text})
	return x + kit.Width(text)
}

func text(x int, role kit.Role, s string) vrow {
	w := vrow{hit: noHit}
	put(&w.left, x, kit.As(role), s)
	return w
}

func (w *vrow) draw(r kit.Region, y int, l *layout) {
	switch w.kind {
	case ruleRow:
		r.Fill(0, y, r.W, kit.As(kit.Rule), "─")
		if l.side > 0 {
			r.Put(l.side, y, kit.As(kit.Rule), "┴")
		}
		return
	case gridRow:
		if l.side > 0 {
			drawPieces(r.Sub(0, y, l.side, 1), w.left)
			drawPieces(r.Sub(l.side+1, y, r.W-l.side-1, 1), w.right)
			r.Put(l.side, y, kit.As(kit.Rule), "│")
			return
		}
	}
	end := r.W
	if w.note != "" {
		end = r.W - 1 - kit.Width(w.note)
		r.Put(end, y, kit.As(kit.Dim), w.note)
		end--
	}
	if end > 0 {
		drawPieces(r.Sub(0, y, end, 1), w.left)
	}
}

func drawPieces(r kit.Region, all []piece) {
	for _, p := range all {
		r.PutCut(p.x, 0, r.W-p.x, p.st, p.text)
	}
}

// tones are the roles of a line's tones.
var tones = map[inspector.Tone]kit.Role{
	inspector.Plain: kit.Normal, inspector.Quiet: kit.Dim, inspector.Loud: kit.Bright, inspector.Peer: kit.Normal,
	inspector.Good: kit.Good, inspector.Changed: kit.Changed, inspector.Bad: kit.Bad,
}

var signs = map[string]kit.Role{
	"+": kit.Good, "~": kit.Changed, "✗": kit.Bad, "?": kit.Ask, "◆": kit.Good, "←": kit.Server,
}

func signStyle(sign string) kit.Style {
	if role, ok := signs[sign]; ok {
		return kit.As(role)
	}
	return kit.As(kit.Normal)
}

func itoa(n int) string { return strconv.Itoa(n) }

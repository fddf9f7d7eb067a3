package model

// box is a rectangle of the body.
type box struct{ x, y, w, h int }

func (b box) has(x, y int) bool { return x >= b.x && x < b.x+b.w && y >= b.y && y < b.y+b.h }

// place is where a pane stands; no height: it is not in sight.
type place struct{ title, body box }

// layout is where the panes stand in the body.
type layout struct {
	w, h    int
	of      [numPanes]place
	divider int // column between the two upper panes, -1: one is in sight
}

// The sizes at which the layout changes (screens.md, "Layout rules").
const (
	twoColumns = 96 // columns from which head and announcements stand side by side
	narrow     = 60 // columns under which a pane has no head line
	underBoth  = 16 // rows of the body from which the costs stand below
	airyFrom   = 22 // rows of the body from which they have air
	leastUpper = 9  // rows that the upper panes keep
)

// place lays out a body of w × h, with costs lines of costs.
func (v *View) place(w, h, costs int) layout {
	l := layout{w: w, h: h, divider: -1}
	top := 1
	if w < narrow {
		top = 0
	}
	whole := place{title: box{0, 0, w, top}, body: box{0, top, w, max(h-top, 0)}}
	if v.alone || h < underBoth && (w < twoColumns || v.focus == onCost) || w < narrow {
		l.of[v.focus] = whole
		return l
	}
	upper := h
	if h >= underBoth {
		upper = max(h-1-costs, leastUpper)
		if h >= airyFrom && upper > leastUpper {
			upper-- // a blank line below the costs
		}
		l.of[onCost] = place{title: box{0, upper, w, 1}, body: box{0, upper + 1, w, h - upper - 1}}
	}
	if w < twoColumns {
		p := onTold
		if v.focus == onHead {
			p = onHead
		}
		l.of[p] = place{title: box{0, 0, w, 1}, body: box{0, 1, w, upper - 1}}
		return l
	}
	left := 35 + (w-100)/4
	l.divider = left
	l.of[onHead] = place{title: box{0, 0, left, 1}, body: box{0, 1, left, upper - 1}}
	l.of[onTold] = place{title: box{left + 1, 0, w - left - 1, 1}, body: box{left + 1, 1, w - left - 1, upper - 1}}
	return l
}

// paneAt returns the pane at a cell of the body.
func (l *layout) paneAt(x, y int) (pane, bool) {
	for p := range l.of {
		if l.of[p].body.h > 0 && (l.of[p].body.has(x, y) || l.of[p].title.has(x, y)) {
			return pane(p), true
		}
	}
	return 0, false
}

// window scrolls a list of n lines, h of which are in sight, so that line cur
// is among them.
func window(top, cur, n, h int) int {
	if cur >= 0 {
		top = max(min(top, cur), cur-h+1)
	}
	return max(min(top, n-h), 0)
}

package lanes

import "github.com/mcpl-tui/mcpl-tui/ui/kit"

// rect is a rectangle of the body; without height it is not there.
type rect struct{ x, y, w, h int }

func (b rect) has(x, y int) bool { return x >= b.x && x < b.x+b.w && y >= b.y && y < b.y+b.h }

func (b rect) of(r kit.Region) kit.Region { return r.Sub(b.x, b.y, b.w, b.h) }

// layout is where everything stands at one size.
type layout struct {
	w, h   int
	wide   bool // labels of 33 columns, with descriptions
	border int  // column of the line between labels and track
	track  rect // columns of the track; from the rulers down to the foot
	title  rect
	time   int  // rows of the rulers, -1: not there
	rev    int  // ▼ stands in it, unless it has a row of its own
	mark   int  // row of ▼ alone
	lanes  rect // rows of the lanes, over the full width
	foot   int  // row of ▲

	paneHead rect
	pane     rect // LANE
	legend   rect
}

// Sizes of the layout rules. The body is what is left of the screen below its
// three upper rows and above the two lower ones.
const (
	wideColumns   = 140
	narrowColumns = 60
	wideLabels    = 33
	labels        = 21

	paneBody  = 40 // LANE has 10 rows, and the lanes a legend
	tallBody  = 30 // all that is open is unfolded
	plainBody = 16 // both rulers, and a foot
	smallBody = 10 // LANE has 2 lines

	paneRows   = 10
	legendRows = 3
	emptyRows  = 6
)

// lay computes where things stand, for as many lanes as there are. Without
// revs there is room for a sentence beside them.
func (v *View) lay(w, h int, empty bool) layout {
	l := layout{w: w, h: h, wide: w >= wideColumns, time: -1, rev: -1, mark: -1, foot: -1, border: labels}
	if l.wide {
		l.border = wideLabels
	}
	if w < labels+8 { // at least a glimpse of the track
		l.border = max(w/2, 0)
	}
	y := 0
	row := func() int { y++; return y - 1 }
	if w >= narrowColumns && h >= 6 {
		l.title = rect{0, row(), w, 1}
	}
	if h >= plainBody {
		l.time = row()
	}
	if h >= 3 {
		l.rev = row()
	}
	if h >= paneBody {
		l.mark = row()
	}
	n := len(v.rows)
	if empty || n == 0 {
		n = max(n, emptyRows)
	}
	l.layLower(n, y)
	l.track = rect{l.border + 1, 0, max(w-l.border-1, 0), l.lanes.y + l.lanes.h}
	return l
}

// layLower places n lanes from row y on, and what is below them.
func (l *layout) layLower(n, y int) {
	rest := l.h - y
	switch {
	case l.h >= paneBody:
		rest -= 2 // the foot and the head line of LANE
		lanes := min(n, rest-paneRows)
		l.lanes = rect{0, y, l.w, lanes}
		l.foot = y + lanes
		l.paneHead = rect{0, l.foot + 1, l.w, 1}
		left := rest - lanes
		if left >= paneRows+legendRows {
			left -= legendRows
			l.legend = rect{0, l.h - legendRows, l.w, legendRows}
		}
		l.pane = rect{0, l.foot + 2, l.w, left}
	case l.h >= plainBody:
		lanes := min(n, rest-3)
		l.lanes = rect{0, y, l.w, lanes}
		l.foot = y + lanes
		l.pane = rect{0, l.foot + 1, l.w, 2}
	default:
		lines := 0
		if l.h >= smallBody {
			lines = 2
		} else if l.h >= 5 {
			lines = 1
		}
		l.lanes = rect{0, y, l.w, max(min(n, rest-lines), 0)}
		l.pane = rect{0, y + l.lanes.h, l.w, lines}
	}
}

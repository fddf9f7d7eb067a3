package lanes

import "time"

// zoom is what the user chose. The zero value is revs, at the widest level at
// which all of them fit.
type zoom struct {
	byTime bool
	revs   int64         // revs a cell, 0: not chosen
	cols   int64         // columns of a cell of one rev, 0: three if all fit, else one
	span   time.Duration // time a cell, 0: not chosen
}

// wideCell is how many columns a rev has where there is room: its sign, then
// its state as fill.
const wideCell = 3

// leastCells is how few cells zooming out leaves at the least.
const leastCells = 4

// spans are the times that a cell can have.
var spans = []time.Duration{
	100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 4 * time.Hour, 12 * time.Hour,
	24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour, 365 * 24 * time.Hour,
}

// makeAxis lays the session out at the zoom that was chosen, or at the widest
// at which all of it fits into w columns.
func (v *View) makeAxis(m *moment, w int64) axis {
	a := axis{log: m.c.Log, byTime: v.zoom.byTime}
	a.sections, a.tail = sectionsOf(m, a.byTime)
	z := v.zoom
	switch {
	case a.byTime && z.span > 0, !a.byTime && z.revs > 0:
		a.set(z, w)
	default:
		a.set(a.fitting(w), w)
	}
	return a
}

// set arranges the axis at a zoom for w columns.
func (a *axis) set(z zoom, w int64) {
	a.cellW, a.per, a.span = 1, max(z.revs, 1), z.span
	if !a.byTime && z.revs == 1 && z.cols != 1 {
		a.cellW = wideCell
		a.arrange()
		if z.cols == wideCell || a.width <= w {
			return
		}
		a.cellW = 1
	}
	a.arrange()
}

// fitting returns the widest zoom at which the axis fits.
func (a *axis) fitting(w int64) zoom {
	if a.byTime {
		z := zoom{byTime: true}
		for _, z.span = range spans {
			if a.set(z, w); a.width <= w {
				break
			}
		}
		return z
	}
	z := zoom{revs: 1}
	for a.set(z, w); a.width > w && z.revs < mostRevs; a.set(z, w) {
		z.revs *= 2
	}
	return z
}

// cells counts the cells of the axis.
func (a *axis) cells() (n int64) {
	for i := range a.sections {
		n += a.sections[i].cells
	}
	return n
}

// nextZoom goes one level out, and from the last to the first: three columns
// a rev, one, then 2, 4, 8 … revs a cell; over time from a few spans below
// the one that fits. At the one that fits nothing is chosen any more.
func (v *View) nextZoom(m *moment) {
	a, w := m.axis, int64(m.at.track.w)
	cells := a.cells()
	fits := a
	auto := fits.fitting(w) // moves the sections, which are made anew before the next drawing
	next := zoom{byTime: a.byTime}
	if a.byTime {
		next.span = wider(a.span)
		if next.span == a.span || cells*int64(a.span)/int64(next.span) < leastCells {
			next.span = finest(auto.span)
		}
		if next.span == auto.span {
			next.span = 0
		}
		v.zoom = next
		return
	}
	next.revs, next.cols = 1, 1
	if a.cellW == 1 {
		for next.revs <= a.per {
			next.revs *= 2
		}
		if next.revs > mostRevs || cells*a.per/next.revs < leastCells {
			next.revs, next.cols = 1, wideCell
		}
	}
	if next.revs == fits.per && (next.revs > 1 || next.cols == fits.cellW) {
		next = zoom{}
	}
	v.zoom = next
}

// wider is the next span above one, or the last.
func wider(span time.Duration) time.Duration {
	for _, s := range spans {
		if s > span {
			return s
		}
	}
	return span
}

// finest is the span from which zooming out over time begins.
func finest(auto time.Duration) time.Duration {
	for i, s := range spans {
		if s == auto {
			return spans[max(i-4, 0)]
		}
	}
	return spans[0]
}

// scroll is which columns of the axis are in sight.
type scroll struct{ left int64 }

// follow brings the playhead into w columns: the track scrolls with it, and
// stands while it stands.
func (s *scroll) follow(m *moment, w int64) {
	a := &m.axis
	most := max(a.width-w, 0)
	p := max(m.here.col, 0)
	if m.c.Follow {
		s.left = most
	}
	switch {
	case p < s.left: // what is held may stand far to the right of it
		s.left = p - w/3
	case p+a.cellW > s.left+w:
		s.left = p + a.cellW - 2*w/3
	}
	s.left = max(min(s.left, most), 0)
}

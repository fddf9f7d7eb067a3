package lanes

import (
	"fmt"
	"math"
	"sort"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// axis is the horizontal direction of the lanes: the revs, or the time, of
// one connection after the other. It is counted in columns from the start of
// the session, whatever of it is in sight.
type axis struct {
	log      *timeline.Log
	sections []section
	byTime   bool
	cellW    int64         // columns of a cell
	per      int64         // revs in a cell
	span     time.Duration // time in a cell
	tail     bool          // a connection without revs yet is at the end: its seam
	width    int64
}

// section is what one connection has of the axis.
type section struct {
	conn  int
	x     int64 // its first column
	seam  bool  // the column before x is a seam
	cells int64

	slots int64 // places for revs
	runs  []run
	first int64 // the first rev that was applied, 0: none
	last  int64

	start, end time.Duration
}

// run is a run of slots: revs that all were applied, or all were not.
type run struct {
	timeline.RevSpan
	slot, n int64
}

// gapColumns is how many places the longest hole has: what is lost is shown,
// and one absurd rev does not push everything out of sight.
const gapColumns = 32

// place is a point on the axis.
type place struct {
	section int
	slot    int64 // over revs; -1: before the first rev of the section
	cell    int64
	col     int64 // the first column of its cell, -1: before all of them
}

// sectionsOf makes the sections of an axis over revs or time; columns are
// filled in by arrange.
func sectionsOf(m *moment, byTime bool) (out []section, tail bool) {
	if m.c.Log == nil {
		return nil, false
	}
	all := m.c.Log.Revs()
	newer := m.c.Log.Len() > m.c.Len // it grew since this moment was made
	for i := range all {
		s := section{conn: all[i].Conn, start: all[i].Started, end: all[i].Started}
		if i+1 < len(all) {
			s.end = max(s.start, all[i+1].Started)
		} else if m.c.Len > 0 {
			s.end = max(s.start, m.c.Log.Entry(m.c.Len-1).T)
			if m.acts {
				s.end = max(s.end, m.c.Now)
			}
		}
		if newer {
			all[i].Spans = upToRev(all[i].Spans, m.c.Log.RevAt(s.conn, m.c.Len-1))
		}
		for _, sp := range all[i].Spans {
			s.add(sp)
		}
		tail = s.first == 0
		if s.first > 0 || byTime {
			out = append(out, s)
		}
	}
	return out, tail && len(out) > 0 && !byTime
}

// upToRev cuts spans off after a rev.
func upToRev(spans []timeline.RevSpan, last int64) []timeline.RevSpan {
	for i := range spans {
		if spans[i].To > last {
			if spans[i].To = last; spans[i].From <= last {
				i++
			}
			return spans[:i]
		}
	}
	return spans
}

// add appends revs. A long hole is cut to some columns.
func (s *section) add(sp timeline.RevSpan) {
	r := run{RevSpan: sp, slot: s.slots, n: sp.To - sp.From + 1}
	if sp.Missing {
		r.n = min(r.n, gapColumns)
	} else {
		if s.first == 0 {
			s.first = sp.From
		}
		s.last = sp.To
	}
	s.slots += r.n
	s.runs = append(s.runs, r)
}

// arrange gives each section its columns.
func (a *axis) arrange() {
	a.width = 0
	for i := range a.sections {
		s := &a.sections[i]
		if a.byTime {
			s.cells = int64((s.end-s.start)/a.span) + 1
		} else {
			s.cells = (s.slots + a.per - 1) / a.per
		}
		if s.seam = i > 0; s.seam {
			a.width++
		}
		s.x = a.width
		a.width += s.cells * a.cellW
	}
	if a.tail {
		a.width++
	}
}

// cellWords names what a cell is: "one a cell", "4 a cell", "5 s a cell".
func (a *axis) cellWords() string {
	switch {
	case a.byTime:
		return spanWords(a.span) + " a cell"
	case a.per > 1:
		return fmt.Sprintf("%d a cell", a.per)
	default:
		return "one a cell"
	}
}

// runOf returns the run that a slot is in.
func (s *section) runOf(slot int64) int {
	return sort.Search(len(s.runs), func(i int) bool { return s.runs[i].slot > slot }) - 1
}

// rev returns the rev in a slot, and whether it was applied.
func (s *section) rev(slot int64) (rev int64, applied bool) {
	i := s.runOf(slot)
	if i < 0 || slot >= s.slots {
		return 0, false
	}
	return s.high(slot), !s.runs[i].Missing
}

// low and high are the first and the last rev that a slot stands for: one
// and the same, but at the end of a hole that was cut.
func (s *section) low(slot int64) int64 {
	r := &s.runs[s.runOf(slot)]
	return r.From + slot - r.slot
}

func (s *section) high(slot int64) int64 {
	r := &s.runs[s.runOf(slot)]
	if slot == r.slot+r.n-1 {
		return r.To
	}
	return r.From + slot - r.slot
}

// slotOf returns the slot of a rev; of one in a hole that was cut the
// nearest.
func (s *section) slotOf(rev int64) int64 {
	i := sort.Search(len(s.runs), func(i int) bool { return s.runs[i].From > rev }) - 1
	if i < 0 {
		return -1
	}
	r := &s.runs[i]
	return r.slot + max(min(rev-r.From, r.n-1), 0)
}

// applied returns the last slot at or before slot whose rev was applied, -1:
// none.
func (s *section) applied(slot int64) int64 {
	slot = min(slot, s.slots-1)
	for i := s.runOf(slot); i >= 0; i-- {
		if r := &s.runs[i]; !r.Missing {
			return min(slot, r.slot+r.n-1)
		}
	}
	return -1
}

// cut returns the point right after the rev of a slot.
func (a *axis) cut(s *section, slot int64) timeline.LaneCut {
	rev, _ := s.rev(slot)
	return timeline.LaneCut{Index: a.taken(s, rev), Rev: rev}
}

// taken returns the position of the frame by which a rev was applied.
func (a *axis) taken(s *section, rev int64) int {
	n := a.log.RowOf(s.conn, rev)
	if n < 0 {
		return -1
	}
	return a.log.RowHead(n).Taken
}

// base is the point right before the first rev of a section: the handshake
// before it set things up and changed nothing.
func (a *axis) base(s *section) timeline.LaneCut {
	if s.first == 0 {
		return timeline.LaneCut{Index: math.MaxInt, Rev: timeline.AllRevs}
	}
	return timeline.LaneCut{Index: a.taken(s, s.first), Rev: s.first - 1}
}

// sectionOf returns the section of a connection, -1: it has none.
func (a *axis) sectionOf(conn int) int {
	for i := range a.sections {
		if a.sections[i].conn == conn {
			return i
		}
	}
	return -1
}

// placeOf returns where the playhead stands.
func (a *axis) placeOf(m *moment) place {
	i := a.sectionOf(m.b.Conn)
	if i < 0 {
		return a.seamOf(m.b.Conn)
	}
	s := &a.sections[i]
	p := place{section: i, slot: -1}
	if s.first > 0 && m.b.LastRev > 0 {
		p.slot = s.slotOf(m.b.LastRev)
	}
	switch {
	case a.byTime:
		t := m.b.T
		if m.c.Follow {
			t = max(t, m.c.Now)
		}
		p.cell = max(min(int64((t-s.start)/a.span), s.cells-1), 0)
	case p.slot < 0:
		p.cell, p.col = -1, s.x-1
		return p
	default:
		p.cell = p.slot / a.per
	}
	p.col = s.x + p.cell*a.cellW
	return p
}

// seamOf is the place of a connection that has no revs: the seam before the
// next one that has some.
func (a *axis) seamOf(conn int) place {
	for i := range a.sections {
		if a.sections[i].conn > conn {
			return place{section: i, slot: -1, cell: -1, col: a.sections[i].x - 1}
		}
	}
	p := place{section: len(a.sections), slot: -1, cell: -1, col: -1}
	if a.tail && conn > 0 {
		p.col = a.width - 1
	}
	return p
}

// cellAt returns the place of the cell at a column; of a seam the cell after
// it, of what is beyond the end the last one. ok is false where there are no
// cells.
func (a *axis) cellAt(col int64) (p place, ok bool) {
	i := sort.Search(len(a.sections), func(i int) bool {
		s := &a.sections[i]
		return s.x+s.cells*a.cellW > col
	})
	if i == len(a.sections) {
		i--
	}
	if i < 0 {
		return place{}, false
	}
	s := &a.sections[i]
	cell := max(min((col-s.x)/a.cellW, s.cells-1), 0)
	return place{section: i, cell: cell, col: s.x + cell*a.cellW}, true
}

// step returns the cell n further, over the seams between sections.
func (a *axis) step(p place, n int64) (place, bool) {
	i, cell := p.section, p.cell+n
	for {
		switch {
		case i < 0 || i >= len(a.sections):
			if i >= len(a.sections) && n < 0 && len(a.sections) > 0 {
				i = len(a.sections) - 1
				cell = a.sections[i].cells - 1
				continue
			}
			return place{}, false
		case cell < 0:
			if i--; i >= 0 {
				cell = a.sections[i].cells - 1
			}
		case cell >= a.sections[i].cells:
			i, cell = i+1, 0
		default:
			return place{section: i, cell: cell, col: a.sections[i].x + cell*a.cellW}, true
		}
	}
}

// target returns the position of the frame that shows a cell: the last rev
// that was applied in it, over time the last frame in it. ok is false where
// it has none, as in a gap.
func (a *axis) target(p place) (index int, ok bool) {
	s := &a.sections[p.section]
	if a.byTime {
		t := s.start + time.Duration(p.cell+1)*a.span - time.Microsecond
		if p.cell == s.cells-1 {
			t = s.end
		}
		i := a.log.IndexAt(t)
		return i, i >= 0
	}
	slot := s.applied(min((p.cell+1)*a.per, s.slots) - 1)
	if slot < p.cell*a.per {
		return 0, false
	}
	rev, _ := s.rev(slot)
	i := a.taken(s, rev)
	return i, i >= 0
}

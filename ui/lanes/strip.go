package lanes

import (
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// strip is the cells of one section that are in sight.
type strip struct {
	sec   *section
	base  timeline.LaneCut
	cuts  []timeline.LaneCut // one more than cells: cell i lies between i and i+1
	cells []tick
}

// tick is one cell in sight.
type tick struct {
	x     int   // its first column in the track
	cell  int64 // its number in the section
	from  int64 // slots from ≤ n < to; over time none
	to    int64
	gap   gap
	later bool // it comes after the playhead's
	here  bool
}

// gap says how much of a cell never came.
type gap uint8

const (
	noGap gap = iota
	someGap
	allGap
)

// strips cuts what is in sight into cells.
func (v *View) strips(m *moment) []strip {
	a, w := &m.axis, int64(m.at.track.w)
	left, right := v.track.left, v.track.left+w
	var out []strip
	for i := range a.sections {
		s := &a.sections[i]
		if s.x >= right || s.x+s.cells*a.cellW <= left || s.cells == 0 {
			continue
		}
		from := max((left-s.x)/a.cellW, 0)
		to := min((right-s.x+a.cellW-1)/a.cellW, s.cells)
		st := strip{sec: s, base: a.base(s)}
		st.cuts = append(st.cuts, a.cutAfter(m, i, from-1))
		for cell := from; cell < to; cell++ {
			t := tick{x: int(s.x + cell*a.cellW - left), cell: cell}
			t.later = i > m.here.section || (i == m.here.section && cell > m.here.cell)
			t.here = i == m.here.section && cell == m.here.cell
			if !a.byTime {
				t.from, t.to = cell*a.per, min((cell+1)*a.per, s.slots)
				t.gap = s.gapIn(t.from, t.to)
			}
			st.cells = append(st.cells, t)
			cut := a.cutAfter(m, i, cell)
			if last := st.cuts[len(st.cuts)-1]; before(cut, last) {
				cut = last
			}
			st.cuts = append(st.cuts, cut)
		}
		out = append(out, st)
	}
	return out
}

func before(a, b timeline.LaneCut) bool {
	return a.Index < b.Index || (a.Index == b.Index && a.Rev < b.Rev)
}

// cutAfter returns the point up to which a cell tells: right after its last
// rev. The last rev of a connection stands for all that came after it, the
// one at the playhead for what is shown there.
func (a *axis) cutAfter(m *moment, i int, cell int64) timeline.LaneCut {
	s := &a.sections[i]
	all := func(index int) timeline.LaneCut { return timeline.LaneCut{Index: index, Rev: timeline.AllRevs} }
	if a.byTime {
		switch {
		case cell < 0:
			return all(-1)
		case cell == s.cells-1:
			return all(m.c.Len - 1)
		}
		return all(a.log.IndexAt(s.start + time.Duration(cell+1)*a.span - time.Microsecond))
	}
	if cell < 0 {
		return a.base(s)
	}
	slot := s.applied((cell+1)*a.per - 1)
	switch {
	case slot < 0:
		return a.base(s)
	case i == m.here.section && slot == m.here.slot:
		return all(m.c.At)
	}
	if rev, _ := s.rev(slot); rev == s.last {
		return all(m.c.Len - 1)
	}
	return a.cut(s, slot)
}

// gapIn says how much of the slots from ≤ n < to never came.
func (s *section) gapIn(from, to int64) gap {
	missing := int64(0)
	for i := s.runOf(from); i >= 0 && i < len(s.runs) && s.runs[i].slot < to; i++ {
		if r := &s.runs[i]; r.Missing {
			missing += min(r.slot+r.n, to) - max(r.slot, from)
		}
	}
	switch missing {
	case 0:
		return noGap
	case to - from:
		return allGap
	}
	return someGap
}

// rowsInSight returns the first and the last row of the log that the cells in
// sight tell of.
func (m *moment) rowsInSight() (from, to int) {
	if len(m.strips) == 0 {
		return 0, 0
	}
	first, last := m.strips[0].cuts, m.strips[len(m.strips)-1].cuts
	from = m.c.Log.RowAt(first[0].Index)
	to = m.c.Log.RowAt(last[len(last)-1].Index)
	return max(from, 0), max(to, 0)
}

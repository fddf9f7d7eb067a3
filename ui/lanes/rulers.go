package lanes

import (
	"strconv"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// drawRulers draws TIME, REV and ▼.
func (v *View) drawRulers(r kit.Region, m *moment) {
	l := &m.at
	if l.rev < 0 {
		return
	}
	names := r.Sub(0, 0, l.border, r.H)
	names.Put(1, l.rev, kit.As(kit.Dim), "REV")
	if l.time >= 0 {
		names.Put(1, l.time, kit.As(kit.Dim), "TIME")
	}
	track := r.Sub(l.track.x, 0, l.track.w, r.H)
	here := int(m.here.col - v.track.left)
	mark := l.mark
	if mark < 0 {
		mark = l.rev
	}
	if mark != l.rev {
		here = -10 // it stands in no label's way
	}
	limit := v.drawBeyond(r, m, here)
	end := v.drawLabels(track.Sub(0, 0, limit-l.track.x, r.H), m, here)
	v.drawScale(track, m, max(end, here+1))
	if m.b.Index >= 0 && len(m.axis.sections) > 0 {
		here = int(m.here.col - v.track.left)
		r.Fill(l.track.x+max(here, -1), mark, 1, kit.As(kit.Bright), "▼")
	}
}

// drawLabels writes revs and times over their cells, and returns the column
// after the last of them. What would touch ▼ in column here, or does not fit,
// goes.
func (v *View) drawLabels(track kit.Region, m *moment, here int) int {
	l, a := &m.at, &m.axis
	revEnd, timeEnd, before := -1, -1, ""
	for i := range m.strips {
		st := &m.strips[i]
		step := a.labelStep(st.sec)
		for k := range st.cells {
			t := &st.cells[k]
			if t.x < 0 {
				continue
			}
			rev := a.labelOf(st, k)
			wide := a.cellW > 1
			isRev := a.labelled(t.cell, step)
			if isRev && t.x > revEnd && (t.x > here+1 || t.x+kit.Width(rev) < here) && t.x+kit.Width(rev) <= track.W {
				if rev == before && a.byTime {
					rev = "" // nothing came since
				} else {
					before = rev
				}
				revEnd = track.Put(t.x, l.rev, laterStyle(kit.Normal, t.later), rev)
			} else {
				isRev = false
			}
			if isTime := (isRev && !wide) || (wide && t.cell%wideCell == 0); l.time < 0 || !isTime || t.x <= timeEnd {
				continue
			}
			if at, ok := a.timeOf(st, k); ok && t.x+kit.Width(at) <= track.W {
				timeEnd = track.Put(t.x, l.time, kit.As(kit.Dim), at)
			}
		}
	}
	return max(revEnd, 0)
}

func laterStyle(role kit.Role, later bool) kit.Style {
	if later {
		return kit.As(kit.Dim)
	}
	return kit.As(role)
}

// labelStep is every how many cells a label stands, so that they do not touch.
func (a *axis) labelStep(s *section) int64 {
	need := int64(len(label.Rev(s.conn, max(s.last, 1)))) + 1
	steps := []int64{10, 20, 50, 100, 200}
	switch {
	case a.cellW > 1:
		steps = append([]int64{1, 5}, steps...)
	case a.per > 1 || a.byTime:
		steps = append([]int64{5}, steps...)
	}
	if a.byTime {
		need = max(need, int64(len(inspector.ClockShort(s.end)))+1)
	}
	for _, step := range steps {
		if step*a.cellW >= need {
			return step
		}
	}
	return steps[len(steps)-1]
}

// labelled reports whether a cell has a label: the first, and each that ends
// a step (revs 10, 20, 30) or, where a cell is several, begins one.
func (a *axis) labelled(cell, step int64) bool {
	if cell == 0 || step == 1 {
		return true
	}
	if a.per > 1 || a.byTime {
		return cell%step == 0
	}
	return (cell+1)%step == 0
}

// labelOf names the first rev of a cell, "" where it has none.
func (a *axis) labelOf(st *strip, k int) string {
	t := &st.cells[k]
	if !a.byTime {
		return label.Rev(st.sec.conn, st.sec.low(t.from))
	}
	from := a.log.RevAt(st.sec.conn, st.cuts[k].Index)
	if to := a.log.RevAt(st.sec.conn, st.cuts[k+1].Index); to > from {
		return label.Rev(st.sec.conn, from+1)
	}
	return label.Rev(st.sec.conn, from)
}

// timeOf is the time of the first rev of a cell, or at which the cell begins.
func (a *axis) timeOf(st *strip, k int) (string, bool) {
	t := &st.cells[k]
	if a.byTime {
		return inspector.ClockShort(st.sec.start + a.span*time.Duration(t.cell)), true
	}
	i := a.taken(st.sec, st.sec.low(t.from))
	if i < 0 {
		return "", false
	}
	return inspector.ClockShort(a.log.Entry(i).T), true
}

// drawBeyond says how much of the axis is out of sight: ‹ 12 and 3 ›. It
// makes way for ▼ in column here of the track, and returns the column before
// which there is room for labels.
func (v *View) drawBeyond(r kit.Region, m *moment, here int) int {
	l, a := &m.at, &m.axis
	if n := a.countBefore(v.track.left); n != "" {
		r.PutRight(l.border-1, l.rev, kit.As(kit.Dim), "‹ "+n)
	}
	n := a.countAfter(v.track.left + int64(l.track.w))
	x := r.W - kit.Width(n+" ›")
	if n == "" || l.track.x+here >= x-1 || x-1 < l.track.x {
		return r.W
	}
	r.Put(x, l.rev, kit.As(kit.Dim), n+" ›")
	return x - 1
}

// countBefore counts the revs, or the time, before a column; "" for none.
func (a *axis) countBefore(col int64) string {
	var n, t int64
	for i := range a.sections {
		s := &a.sections[i]
		cells := max(min((col-s.x)/a.cellW, s.cells), 0)
		if col <= s.x {
			break
		}
		n += min(cells*a.per, s.slots)
		t += cells
	}
	return a.amount(n, t)
}

func (a *axis) countAfter(col int64) string {
	var n, t int64
	for i := range a.sections {
		s := &a.sections[i]
		if s.x+s.cells*a.cellW <= col {
			continue
		}
		cells := max((col-s.x+a.cellW-1)/a.cellW, 0)
		n += s.slots - min(cells*a.per, s.slots)
		t += s.cells - min(cells, s.cells)
	}
	return a.amount(n, t)
}

func (a *axis) amount(revs, cells int64) string {
	switch {
	case a.byTime && cells > 0:
		return inspector.ClockShort(a.span * time.Duration(cells))
	case !a.byTime && revs > 0:
		return strconv.FormatInt(revs, 10)
	}
	return ""
}

// drawScale names the zoom behind the last label, where there is room: the
// head line says it too, but not on every screen.
func (v *View) drawScale(track kit.Region, m *moment, end int) {
	a := &m.axis
	if a.per == 1 && !a.byTime {
		return
	}
	text := a.cellWords()
	if !a.byTime {
		text = strconv.FormatInt(a.per, 10) + " revs a cell"
	}
	x := max(end, int(a.width-v.track.left)) + 5
	if x+kit.Width(text) <= track.W {
		track.Put(x, m.at.rev, kit.As(kit.Dim), text)
	}
}

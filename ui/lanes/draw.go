package lanes

import (
	"strconv"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// drawBorder draws the line between the labels and the track.
func (v *View) drawBorder(r kit.Region, m *moment) {
	end := m.at.lanes.y + m.at.lanes.h
	if m.at.foot >= 0 {
		end++
	}
	for y := m.at.title.h; y < end; y++ {
		r.Fill(m.at.border, y, 1, kit.As(kit.Rule), "│")
	}
}

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
	end := v.drawLabels(track, m, here)
	v.drawBeyond(r, m, here)
	v.drawScale(track, m, max(end, here+1))
	if m.b.Index >= 0 && len(m.axis.sections) > 0 {
		here = int(m.here.col - v.track.left)
		r.Fill(l.track.x+max(here, -1), mark, 1, kit.As(kit.Bright), "▼")
	}
}

// drawLabels writes revs and times over their cells, and returns the column
// after the last of them. What would touch ▼ in column here goes.
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
			if isRev && t.x > revEnd && (t.x > here+1 || t.x+kit.Width(rev) < here) {
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
			if at, ok := a.timeOf(st, k); ok {
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
// makes way for ▼ in column here of the track.
func (v *View) drawBeyond(r kit.Region, m *moment, here int) {
	l, a := &m.at, &m.axis
	right := v.track.left + int64(l.track.w)
	if n := a.countBefore(v.track.left); n != "" {
		r.PutRight(l.border-1, l.rev, kit.As(kit.Dim), "‹ "+n)
	}
	if n := a.countAfter(right); n != "" {
		text := n + " ›"
		x := r.W - kit.Width(text)
		if l.track.x+here >= x-1 {
			return
		}
		r.Fill(max(x-1, l.track.x), l.rev, 1, kit.As(kit.Dim), " ")
		r.PutRight(r.W, l.rev, kit.As(kit.Dim), text)
	}
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

// drawLanes draws the labels and the cells of the lanes in sight.
func (v *View) drawLanes(r kit.Region, m *moment) {
	body := m.at.lanes.of(r)
	names := body.Sub(0, 0, m.at.border, body.H)
	track := body.Sub(m.at.track.x, 0, m.at.track.w, body.H)
	if len(v.rows) == 0 {
		v.drawNothing(body, m)
		return
	}
	for y := 0; y < body.H && v.top+y < len(v.rows); y++ {
		w := &v.rows[v.top+y]
		v.drawLabel(names, y, m, w)
		v.drawTrack(track, y, m, w)
	}
	v.drawSeams(track, m)
	if here := int(m.here.col - v.track.left); m.here.cell >= 0 && len(m.strips) > 0 {
		for y := 0; y < body.H; y++ {
			track.Restyle(here, y, int(m.axis.cellW), func(s kit.Style) kit.Style {
				s.Reverse = true
				if s.Role == kit.Dim {
					s.Role = kit.Normal
				}
				return s
			})
		}
	}
	if len(m.strips) == 0 {
		v.drawEmpty(track, m)
	}
}

// drawTrack draws the cells of one lane.
func (v *View) drawTrack(r kit.Region, y int, m *moment, w *row) {
	p := v.shapeOf(w, m.axis.cellW > 1)
	flags := v.covered(w)
	for i := range m.strips {
		st := &m.strips[i]
		sums, more := v.sums(w, st)
		if more > 0 {
			r.PutCut(max(st.cells[0].x, 0), y, r.W, kit.As(kit.Dim), strconv.Itoa(more)+" lanes: enter unfolds them")
			continue
		}
		for k := range sums {
			t := &st.cells[k]
			v.drawTick(r, y, m, t, p.draw(&sums[k], t, m.axis.flagged(flags, st, k)))
		}
	}
}

func (v *View) drawTick(r kit.Region, y int, m *moment, t *tick, g glyph) {
	if t.later {
		g.style, g.quiet = kit.As(kit.Dim), kit.As(kit.Dim)
	}
	if m.axis.cellW == 1 {
		if g.sign != " " {
			r.Fill(t.x, y, 1, g.style, g.sign)
		}
		return
	}
	if g.sign != " " {
		r.Fill(t.x, y, 1, g.style, g.sign)
	}
	switch g.fill {
	case " ":
	case "·":
		if g.sign != "·" {
			r.Fill(t.x+1, y, 1, g.quiet, g.fill)
		}
	default:
		r.Fill(t.x+1, y, int(m.axis.cellW)-1, g.quiet, g.fill)
	}
}

// drawSeams draws a line where a connection begins.
func (v *View) drawSeams(track kit.Region, m *moment) {
	a := &m.axis
	seam := func(col int64) {
		if x := col - v.track.left; x >= 0 && x < int64(track.W) {
			for y := range track.H {
				track.Fill(int(x), y, 1, kit.As(kit.Rule), "│")
			}
		}
	}
	for i := range a.sections {
		if s := &a.sections[i]; s.seam {
			seam(s.x - 1)
		}
	}
	if a.tail {
		seam(a.width - 1)
	}
}

// drawFoot draws ▲ below the lanes.
func (v *View) drawFoot(r kit.Region, m *moment) {
	if m.at.foot < 0 || m.b.Index < 0 || len(m.axis.sections) == 0 {
		return
	}
	words := "here"
	switch {
	case m.c.Follow && !m.c.Replay && !m.c.Ended:
		words = "here, live"
	case m.here.slot < 0 && m.here.cell < 0:
		words = "here, before the first rev"
	}
	x := m.at.track.x + max(int(m.here.col-v.track.left), -1)
	r.Fill(x, m.at.foot, 1, kit.As(kit.Bright), "▲")
	if w := kit.Width(words); x+2+w <= r.W {
		r.Put(x+2, m.at.foot, kit.As(kit.Normal), words)
	} else {
		r.PutRight(x-1, m.at.foot, kit.As(kit.Normal), words)
	}
}

// drawEmpty says why there are no revs.
func (v *View) drawEmpty(track kit.Region, m *moment) {
	y := 0
	for _, line := range kit.Wrap(label.NoRevs(m.b, m.acts), track.W-2) {
		track.Put(1, y, kit.As(kit.Dim), line)
		y++
	}
}

// drawNothing says why there are no lanes.
func (v *View) drawNothing(body kit.Region, m *moment) {
	text := "No tools are listed yet. 6 shows how the connection is made."
	switch {
	case v.filter != "":
		text = "No lane here is named so. esc clears the filter."
	case m.newest.Link.Phase == timeline.Closed || m.c.Ended:
		text = "There are no lanes: no tools were listed. 6 says what happened."
	}
	for y, line := range kit.Wrap(text, body.W-m.at.track.x-2) {
		body.Put(m.at.track.x+1, y, kit.As(kit.Dim), line)
	}
}

// drawLegend says what the signs mean.
func drawLegend(r kit.Region) {
	r.Fill(1, 0, r.W-2, kit.As(kit.Rule), "┄")
	r.Put(2, 1, kit.As(kit.Dim), "▄ ●  usable     ·  there, not usable     blank  not there: closed, or not yet opened     "+
		"◆ ═ ◇  opened, open, closed     ~  redefined     ?  suggested")
	r.Put(2, 2, kit.As(kit.Dim), "✗  a finding     ≈  more than one change in this cell     "+
		"░  gap: a rev that never came, the state before it stands on, unsure     ▼ ▲  here, as on the board")
}

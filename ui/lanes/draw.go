package lanes

import (
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
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
	case v.filter.Text != "" && v.match.all > 0:
		q, l := filter.Parse(v.filter.Text), v.list(m)
		text = l.NoMatch(&q, v.match.all)
	case m.newest.Link.Phase == timeline.Closed || m.c.Ended:
		text = "There are no lanes: no tools were listed. 6 says what happened."
	}
	for y, line := range kit.Wrap(text, body.W-m.at.track.x-2) {
		body.Put(m.at.track.x+1, y, kit.As(kit.Dim), line)
	}
}

// legend is what the signs mean, line by line; the short words are for
// narrower screens.
var legend = [legendRows - 1][]struct{ sign, long, short string }{
	{
		{"▄ ●", "usable", "usable"},
		{"·", "there, not usable", "not usable"},
		{"blank", "not there: closed, or not yet opened", "not there"},
		{"◆ ═ ◇", "opened, open, closed", "opened, open, closed"},
		{"~", "redefined", "redefined"},
		{"?", "suggested", "suggested"},
	},
	{
		{"✗", "a finding", "finding"},
		{"≈", "more than one change in this cell", "more than one change"},
		{"░", "gap: a rev that never came, the state before it stands on, unsure", "gap: it never came"},
		{"▼ ▲", "here, as on the board", "here"},
	},
}

// drawLegend draws the legend, as much of it as fits.
func drawLegend(r kit.Region) {
	r.Fill(1, 0, r.W-2, kit.As(kit.Rule), "┄")
	long := r.W >= 160
	for y, items := range legend {
		x := 2
		for _, it := range items {
			gap, text := 2, it.sign+" "+it.short
			if long {
				gap, text = 5, it.sign+"  "+it.long
			}
			if x+kit.Width(text) > r.W-1 {
				break
			}
			x = r.Put(x, y+1, kit.As(kit.Dim), text) + gap
		}
	}
}

// Package lanes is view 2: a whole session as a picture. Each toolset,
// instance and tool has a lane, revs (or time) run from left to right, and a
// cell says whether the thing was open or usable after its rev, and what
// happened to it there.
//
// The marked column is the playhead, which all views share; the label column
// is the board's TOOLS at that rev. Labels and rulers stand, the rest scrolls.
// A View owns zoom, scroll, folding, filter and cursor. What it draws comes
// from the log: only the cells in sight are asked for, so that a drawing costs
// the same at any length of a session.
package lanes

import (
	"fmt"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// View is the lanes. New makes one; Flags may be set before it is first drawn.
type View struct {
	// Flags returns what findings at a row of the log speak of. It is asked
	// once for each row, in pieces, as rows come; Recheck makes it be asked
	// again. Nil: what the rows themselves show, which are entries of hints
	// that were ignored, and revs that were not next in order.
	Flags func(c *view.Context, row int) []Flag

	log    *timeline.Log // the session that the rest speaks of
	reader *timeline.LaneReader

	zoom  zoom
	track scroll // of the track, in columns

	sel    lane            // the cursor
	away   lane            // where it stood before the connection was lost, until that is back
	wanted lane            // where it goes as soon as there are lanes
	folds  map[string]bool // what the user folded (true) or unfolded
	top    int             // first lane in sight
	free   bool            // scrolled away from the cursor
	lastAt int             // where the cursor stood, should its lane go
	filter filter.Line
	before lane // the cursor before that was typed
	match  struct{ n, all int }

	w, h   int  // size of the body when it was last drawn
	tells  bool // LANE was drawn in full, with the calls
	things roster
	rows   []row // all lanes, at the last look
	marks  flagIndex
	calls  callIndex
	tale   tale

	sum   []sum // room for the cells of one lane
	spans []timeline.LaneSpan
}

// New returns lanes over revs, as wide as they fit.
func New() *View { return &View{folds: map[string]bool{}} }

var _ view.View = (*View)(nil)

// SetZoom puts n revs into a cell and goes back from time to revs. 0 leaves
// the choice to the width: the widest at which all revs fit.
func (v *View) SetZoom(n int) { v.zoom = zoom{revs: int64(min(max(n, 0), mostRevs))} }

// mostRevs is how many revs a cell has at the most.
const mostRevs = 1 << 30

// SetTime makes columns time, or revs again, at the widest zoom at which all
// of the session fits.
func (v *View) SetTime(on bool) { v.zoom = zoom{byTime: on} }

// Select puts the cursor on a tool, an instance or a toolset; parts that it
// does not have are empty.
func (v *View) Select(toolset, instance, tool string) {
	v.free, v.filter = false, filter.Line{}
	switch {
	case tool != "":
		v.sel = lane{onTool, toolset, instance, tool}
	case instance != "":
		v.sel = lane{onInstance, toolset, instance, ""}
	case toolset != "":
		v.sel = lane{onToolset, toolset, "", ""}
	}
	v.wanted = v.sel
}

// Recheck makes Flags be asked again for the rows from n on.
func (v *View) Recheck(n int) { v.marks.forget(n) }

// Busy reports whether another drawing would show more without anything
// having happened: rows are looked at piece by piece.
func (v *View) Busy(c *view.Context) bool { return c.Log != nil && v.marks.behind(c) }

// moment is what one drawing, or one key, works with.
type moment struct {
	c      *view.Context
	b      *timeline.Board // at the playhead, never nil
	newest *timeline.Board // never nil
	acts   bool            // something can be sent: neither a file nor a closed connection
	at     layout
	axis   axis
	here   place // where the playhead stands on the axis
	strips []strip
	signs  map[label.CellKey]label.Sign
}

var noBoard = &timeline.Board{Index: -1, ListAt: -1, ManifestAt: -1}

// look brings everything in line with what there is now.
func (v *View) look(c *view.Context) *moment {
	m := &moment{c: c, b: c.Board, newest: c.Newest, acts: !c.Replay && !c.Ended}
	if m.b == nil {
		m.b = noBoard
	}
	if m.newest == nil {
		m.newest = m.b
	}
	if v.log != c.Log {
		v.forget(c.Log)
	}
	m.signs = label.Signs(c)
	if c.Log != nil {
		v.things.update(m)
	}
	if v.wanted.kind == onTool && len(v.things.groups) > 0 {
		v.sel = v.wanted
		v.unfoldTo(v.sel)
		v.wanted = lane{}
	}
	switch arriving := c.Arriving(); {
	case arriving && v.away.kind == onNothing:
		v.away = v.sel
	case !arriving && v.away.kind != onNothing:
		v.sel, v.away = v.away, lane{}
	}
	w, h := v.w, v.h
	if w <= 0 || h <= 0 {
		w, h = 100, 25
	}
	v.makeRows(m, h >= tallBody)
	if was := v.sel; v.settle() && h < tallBody && v.sel != was {
		v.makeRows(m, false) // another instance is under the cursor, and unfolded
		v.settle()
	}
	m.at = v.lay(w, h, m.c.Rows == 0)
	v.scrollLanes(m.at.lanes.h)
	m.axis = v.makeAxis(m, int64(m.at.track.w))
	m.here = m.axis.placeOf(m)
	v.track.follow(m, int64(m.at.track.w))
	m.strips = v.strips(m)
	return m
}

// forget drops what was known of another session.
func (v *View) forget(log *timeline.Log) {
	v.log, v.reader = log, nil
	if log != nil {
		v.reader = timeline.NewLaneReader(log)
	}
	v.track, v.top, v.free, v.filter = scroll{}, 0, false, filter.Line{}
	v.things, v.marks, v.calls, v.tale = roster{}, flagIndex{}, callIndex{}, tale{}
}

// Draw draws the body.
func (v *View) Draw(r kit.Region, c *view.Context) {
	v.w, v.h = r.W, r.H
	if r.W <= 0 || r.H <= 0 {
		return
	}
	m := v.look(c)
	if c.Log != nil {
		v.marks.work(v, m)
		if v.tells = m.at.paneHead.h > 0; v.tells {
			v.calls.work(c)
		}
	}
	l := &m.at
	if l.title.h > 0 {
		label.DrawHead(l.title.of(r), v.titleWords(), v.titleNote(m), c.Focus)
	}
	v.drawBorder(r, m)
	v.drawRulers(r, m)
	v.drawLanes(r, m)
	v.drawFoot(r, m)
	if l.paneHead.h > 0 || l.pane.h > 0 {
		v.drawTale(r, m)
	}
	if l.legend.h > 0 {
		drawLegend(l.legend.of(r))
	}
}

// titleWords is the left end of the head line.
func (v *View) titleWords() string {
	words := "LANES  rev timelines"
	if v.zoom.byTime {
		words = "LANES  over time"
	}
	return words + v.filter.Words(max(v.w/2-kit.Width(words), 12))
}

// titleNote is its right end: how many revs there are, how many to a cell,
// and what is out of sight.
func (v *View) titleNote(m *moment) string {
	if v.filter.Text != "" {
		note := filter.Count(v.match.n, v.match.all)
		if more := note + "     " + m.axis.cellWords(); m.c.Rows > 0 && m.at.w >= kit.Width(v.titleWords()+more)+16 {
			note = more
		}
		return note + label.Arrows(v.above(), v.below(m))
	}
	if m.c.Rows == 0 {
		return "no revs" + label.Arrows(v.above(), v.below(m))
	}
	note := m.revs() + ", " + m.axis.cellWords()
	if m.at.w >= wideColumns && m.c.Row != nil {
		if n := m.c.Rows - 1 - m.c.Row.N; n > 0 {
			note += fmt.Sprintf("     %d newer than here", n)
		}
	}
	return note + label.Arrows(v.above(), v.below(m))
}

func (m *moment) revs() string {
	if m.c.Rows == 1 {
		return "1 rev"
	}
	return fmt.Sprintf("%d revs", m.c.Rows)
}

// above and below count the lanes out of sight.
func (v *View) above() int { return v.top }

func (v *View) below(m *moment) int { return max(len(v.rows)-v.top-m.at.lanes.h, 0) }

// Narrow returns what the root says of the view on a narrow screen (below 60
// columns), which has no head line of its own: "LANES 41 revs, 4 a cell ↓3".
// It is "" on wider screens. w and h are the size of the body.
func (v *View) Narrow(c *view.Context, w, h int) string {
	if w >= narrowColumns {
		return ""
	}
	v.w, v.h = w, h
	m := v.look(c)
	words := "LANES"
	if f := v.filter.Words(18); f != "" {
		words += f[1:]
		if v.filter.Text != "" {
			words += fmt.Sprintf(" %d/%d", v.match.n, v.match.all)
		}
	}
	if m.axis.per > 1 || m.axis.byTime {
		words += " " + m.axis.cellWords()
	}
	return words + label.Arrows(v.above(), v.below(m))
}

// Where names the place for the page of keys: "Lanes, on score @ vs-bot".
func (v *View) Where(c *view.Context) string {
	v.look(c)
	if name := v.sel.name(); name != "" {
		return "Lanes, on " + name
	}
	return "Lanes"
}

// spanWords writes a span of time for a title: "5 s", "2 min", "200 ms".
func spanWords(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	default:
		return strings.TrimSuffix(fmt.Sprintf("%d h", int(d.Hours())), " ")
	}
}

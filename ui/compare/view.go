// Package compare is before and after: a tool's definition at two points side
// by side, member by member, with the track of the tool and who carried the
// change; or, where no tool is chosen, the whole board at two points.
//
// It lies over the board's body until esc: TOOLS and the right column go, the
// list of revs stays where there is room, and with it the way through time.
// What it compares is told by package inspector; a View keeps that as long as
// nothing moved that it depends on, so that drawing reads no frames.
package compare

import (
	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Target names what is compared: a tool, with its toolset and instance where
// it has them. Without a tool it is the whole board.
type Target = inspector.Target

// Revs is the list of revs that stays at the left, as the board draws it.
type Revs interface {
	// DrawRevs draws the list, its head line included, without the focus.
	DrawRevs(r kit.Region, c *view.Context)
	// ClickRevs handles a click into row y of what was drawn h rows high, or
	// a turn of the wheel there.
	ClickRevs(y, h, wheel int, c *view.Context) view.Intent
}

// View is the comparison. New makes one; its fields may be set before it is
// first drawn.
type View struct {
	// Revs stays at the left where there is room. Nil: nothing does.
	Revs Revs
	// Findings returns what the rules say of the row at the playhead ("rule:
	// thing"), and the positions of the frames of the findings nearest to the
	// playhead, before and after it, -1: none. Nil: they are not known.
	Findings func(c *view.Context) (here []string, before, after int)

	target  Target
	against inspector.Baseline
	chose   bool // the user chose the baseline
	whole   *back
	zoom    bool // alone, without REVS
	top     int  // first row in sight
	cursor  int  // of the whole board's items
	lines   int  // rows there are, as of the last drawing
	h       int  // rows in sight, likewise
	at      layout
	tool    toolMemo
	all     boardMemo
	line    lineMemo
	hits    []int // what stands in the rows in sight: the frame or item of each
}

// back is where esc leads from a tool that was chosen on the whole board.
type back struct {
	cursor, top int
}

// New returns a comparison of what target names.
func New(target Target) *View { return &View{target: target} }

// Alone leaves out REVS until the user asks for all panes.
func (v *View) Alone() { v.zoom = true }

var _ view.View = (*View)(nil)

// Draw draws the body.
func (v *View) Draw(r kit.Region, c *view.Context) {
	v.at = v.place(r.W, r.H)
	l := &v.at
	if r.W <= 0 || r.H <= 0 {
		return
	}
	if l.revs > 0 {
		v.Revs.DrawRevs(r.Sub(0, 0, l.revs, r.H), c)
		label.DrawDivider(r, l.revs, false, c.Focus)
	}
	body := r.Sub(l.x, l.head, l.w, r.H-l.head)
	v.h = body.H
	rows, title, notes := v.content(c, body.W, body.H)
	v.lines = len(rows)
	v.top = max(min(v.top, v.lines-v.h), 0)
	if l.head > 0 {
		drawHead(r.Sub(l.x, 0, l.w, 1), title, notes, v.arrows(), c.Focus)
	}
	v.drawRows(body, rows, r)
}

// content is what is compared, in rows, with the words of the head line.
func (v *View) content(c *view.Context, w, h int) (rows []vrow, title string, notes []string) {
	switch {
	case c.Board == nil || c.Log == nil:
		return []vrow{text(signX, kit.Normal, "Nothing to compare yet.")}, "COMPARE", nil
	case v.target.Tool == "":
		rows = v.boardRows(c, w)
		title, notes = v.boardTitle(c)
	default:
		rows = v.toolRows(c, w, h)
		title, notes = v.toolTitle(c)
	}
	return rows, title, notes
}

// drawRows draws the rows in sight.
func (v *View) drawRows(body kit.Region, rows []vrow, all kit.Region) {
	l := &v.at
	v.hits = v.hits[:0]
	for y := 0; y < body.H && v.top+y < len(rows); y++ {
		w := &rows[v.top+y]
		v.hits = append(v.hits, w.hit)
		w.draw(body, y, l)
		if w.kind == ruleRow && l.revs > 0 {
			all.Put(l.revs, l.head+y, kit.As(kit.Rule), "├")
		}
	}
}

// arrows counts the rows out of sight: " ↑2 ↓3".
func (v *View) arrows() string { return label.Arrows(v.top, max(v.lines-v.top-v.h, 0)) }

// baseline is the one that is compared against: the one that was chosen while
// it is there. A whole board is first compared against the user's mark.
func (v *View) baseline(c *view.Context) inspector.Baseline {
	against := v.against
	if !v.chose && v.target.Tool == "" && c.Mark >= 0 {
		against = inspector.AgainstMark
	}
	if against == inspector.AgainstMark && c.Mark < 0 {
		return inspector.AgainstBefore
	}
	return against
}

// next chooses the baseline after the one that is compared against.
func (v *View) next(c *view.Context) {
	all := inspector.Baselines(c.Mark)
	now := v.baseline(c)
	for i, k := range all {
		if k == now {
			v.against, v.chose = all[(i+1)%len(all)], true
			break
		}
	}
	v.top, v.cursor = 0, 0
}

// lineMemo is the line that names the baselines, kept while they are the same.
type lineMemo struct {
	log     *timeline.Log
	against inspector.Baseline
	mark    int
	listAt  int
	board   bool
	line    inspector.Line
}

func (v *View) againstLine(c *view.Context) *inspector.Line {
	k := lineMemo{log: c.Log, against: v.baseline(c), mark: c.Mark, listAt: c.Board.ListAt, board: v.target.Tool == ""}
	if m := &v.line; m.log != k.log || m.against != k.against || m.mark != k.mark || m.listAt != k.listAt || m.board != k.board {
		k.line = inspector.AgainstLine(c.Log, c.Board, k.against, k.mark, k.board)
		v.line = k
	}
	return &v.line.line
}

// newest is the board at the end of the log.
func newest(c *view.Context) *timeline.Board {
	if c.Newest != nil {
		return c.Newest
	}
	return c.Board
}

// Package model is view 5: what a model has and is told. The stable head of
// its prompt, the announcements in order, a sentence a rev with its size, and
// what the same session would have cost by tools/list_changed.
//
// The cursor of the announcements is the playhead. All figures come from the
// log's index (timeline.Log.CostAt), up to the playhead; only the rows in
// sight are read, so that a session of any length scrolls without a pause.
package model

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/inspect"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/revs"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// pane is one of the three.
type pane uint8

const (
	onTold pane = iota
	onHead
	onCost
	numPanes
)

var paneNames = [numPanes]string{"ANNOUNCED", "STABLE HEAD", "WOULD HAVE BEEN REBUILT"}

// View is the model's page. Its fields may be set before it is first drawn.
type View struct {
	// Flag reports whether a finding speaks of a row. Nil: as the row shows.
	Flag func(c *view.Context, row *timeline.Row) bool
	// Explain returns the explanation of a row that INSPECT shows. Nil: what
	// the row itself says.
	Explain func(c *view.Context, row *timeline.Row) inspector.Doc

	log   *timeline.Log // the session that the rest speaks of
	focus pane
	alone bool // the pane with the focus has the whole body
	over  bool // INSPECT lies over the body
	pane  inspect.Pane

	cache revs.Cache
	line  filter.Line
	found *revs.Found // what passes the filter, nil: no filter

	told toldScroll
	head headScroll
	cost int // first line of the costs in sight
	idle []uncounted
	at   layout
}

// New returns the page with the focus in the announcements.
func New() *View { return &View{} }

var _ view.View = (*View)(nil)

// moment is what one drawing, or one key, works with.
type moment struct {
	c    *view.Context
	b    *timeline.Board // never nil
	cur  int             // the row at the playhead, -1: none
	cost timeline.Cost   // up to the playhead
}

func (v *View) moment(c *view.Context) *moment {
	m := &moment{c: c, b: c.Board, cur: -1, cost: timeline.Cost{Since: -1}}
	if m.b == nil {
		m.b = &timeline.Board{Index: -1, ListAt: -1}
	}
	if v.log != c.Log {
		*v = View{Flag: v.Flag, Explain: v.Explain, log: c.Log, focus: v.focus}
	}
	if c.Log == nil {
		return m
	}
	m.cost = c.Log.CostAt(c.At)
	if c.Row != nil {
		m.cur = c.Row.N
	}
	if v.found != nil {
		if !v.found.Of(c.Log, c.Rows) {
			v.found.Drop()
			v.found, v.line = nil, filter.Line{}
		} else {
			v.found.Look(c, m.cur)
		}
	}
	return m
}

// row returns row n of the log, nil where there is none.
func (v *View) row(m *moment, n int) *timeline.Row {
	if m.c.Log == nil {
		return nil
	}
	return v.cache.Row(m.c.Log, m.c.Newest, n, m.c.Rows)
}

// rowOf is row for those who move among rows.
func (v *View) rowOf(m *moment) func(n int) *timeline.Row {
	return func(n int) *timeline.Row { return v.row(m, n) }
}

// Draw draws the body.
func (v *View) Draw(r kit.Region, c *view.Context) {
	m := v.moment(c)
	v.head.left, v.head.short = drawChanges, false
	costs := v.costLines(m, r.W)
	v.at = v.place(r.W, r.H, len(costs))
	l := &v.at
	if v.over {
		v.drawInspect(r, m)
		return
	}
	if p := &l.of[onHead]; p.body.h > 0 {
		v.drawTitle(r, m, onHead)
		v.drawHead(r.Sub(p.body.x, p.body.y, p.body.w, p.body.h), m)
	}
	if p := &l.of[onTold]; p.body.h > 0 {
		v.drawTitle(r, m, onTold)
		v.drawTold(r.Sub(p.body.x, p.body.y, p.body.w, p.body.h), m)
	}
	if p := &l.of[onCost]; p.body.h > 0 {
		v.drawTitle(r, m, onCost)
		v.drawCosts(r.Sub(p.body.x, p.body.y, p.body.w, p.body.h), costs)
	}
	v.drawJoints(r)
}

// drawTitle draws the head line of a pane.
func (v *View) drawTitle(r kit.Region, m *moment, p pane) {
	t := v.at.of[p].title
	if t.h == 0 {
		return
	}
	title, right := v.titleOf(m, p, t.w)
	label.DrawHead(r.Sub(t.x, t.y, t.w, 1), title, right, v.focus == p)
}

func (v *View) titleOf(m *moment, p pane, w int) (title, right string) {
	title = paneNames[p]
	switch p {
	case onHead:
		if m.b.ListAt >= 0 {
			right = inspector.Count(len(m.b.Static), "tool")
		}
	case onTold:
		right = toldWords(&m.cost)
		if v.found != nil {
			right = v.found.Words(m.c.Rows, w < 50)
		}
		title += v.line.Words(w - kit.Width(right) - 16)
	case onCost:
		switch {
		case m.b.ListAt < 0 && m.cost.Since < 0:
		case m.b.ToolHints:
			right = "by tools/list_changed instead of hints"
		default:
			title, right = "REBUILT", "by tools/list_changed, for want of hints"
		}
	}
	return title, right
}

// toldWords says how much was announced: "39, ~1 896 tok".
func toldWords(c *timeline.Cost) string {
	if c.Told == 0 {
		return "none"
	}
	return timeline.Grouped(c.Told) + ", " + timeline.About(c.ToldTokens)
}

// drawJoints draws the rule between the columns, and where rules meet.
func (v *View) drawJoints(r kit.Region) {
	l := &v.at
	if l.divider < 0 {
		return
	}
	upper := r.Sub(0, 0, r.W, l.of[onTold].body.y+l.of[onTold].body.h)
	label.DrawDivider(upper, l.divider, v.focus == onHead, v.focus == onTold)
	if t := l.of[onCost].title; t.h > 0 {
		joint := "┴"
		if v.focus == onCost {
			joint = "┷"
		}
		r.Put(l.divider, t.y, kit.As(kit.Rule), joint)
	}
}

// Busy reports whether another drawing would show more without anything
// having happened: what is in sight is read a few rows at a time.
func (v *View) Busy(*view.Context) bool {
	return v.head.short || v.found != nil && v.found.Short()
}

// Work returns the next piece of what the filter has to look at, nil where
// there is none.
func (v *View) Work(c *view.Context) view.Work {
	return revs.Work(c, v.searched, func(c *view.Context, n, by int) view.Intent { return v.toMatch(v.moment(c), n, by) })
}

// searched returns what the filter found, nil where there is none.
func (v *View) searched(c *view.Context) *revs.Found {
	if v.found != nil {
		v.moment(c) // which lets go of the filter of another session
	}
	return v.found
}

// Narrow names the pane that a narrow screen shows.
func (v *View) Narrow(c *view.Context, w, h int) string {
	if v.over {
		return "INSPECT"
	}
	m := v.moment(c)
	short := [numPanes]string{"TOLD", "HEAD", "REBUILDS"}[v.focus]
	switch v.focus {
	case onHead:
		return short + " " + timeline.About(m.cost.Tokens)
	case onCost:
		return short + " " + timeline.Grouped(m.cost.WithoutHints)
	}
	if v.found != nil || v.line.Typing {
		words := strings.TrimPrefix(v.line.Words(12), "  ")
		if v.found != nil {
			words += " " + v.found.Words(c.Rows, true)
		}
		return words
	}
	return short + " " + toldWords(&m.cost)
}

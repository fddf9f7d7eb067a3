// Package wireview is view 3: every frame of the session, one row each, and
// beside or below them what the selected one says.
//
// The cursor is the playhead: moving in the list is moving in time. Only the
// rows in sight are read; the filter works in bounded pieces, so that a log
// of any length can be scrolled and filtered without waiting.
package wireview

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/inspect"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// pane is one of the two.
type pane uint8

const (
	onList pane = iota
	onInspect
)

// View is the wire. Its fields may be set before it is first drawn.
type View struct {
	// Target returns the target as arguments of `mcpl-tui do`, quoted for a
	// shell; nil or "" where it is not known.
	Target func() string
	// Flag reports whether a finding speaks of the frame at position i; nil:
	// what the frame alone shows.
	Flag func(i int) bool
	// Findings adds to the explanation of the frame at the playhead what
	// findings say of it; nil: nothing.
	Findings func(c *view.Context, doc inspector.Doc) inspector.Doc

	log   *timeline.Log // the session that is shown
	focus pane
	over  bool // INSPECT lies over the body
	pane  inspect.Pane

	line  filter.Line
	found *found // what passes the filter, nil: no filter

	top      int // first line in sight
	topFrame int // and its frame
	rows     int // lines in sight
	free     bool
	wasAt    int
	wasAll   bool
	followed bool

	memo  memo
	doc   docMemo
	asked requestMemo
	at    layout
}

// New returns a wire with the focus in the list.
func New() *View { return &View{wasAt: -1, wasAll: true} }

var _ view.View = (*View)(nil)

// layout is where the panes stand in the body.
type layout struct {
	w, h          int
	list, inspect box // without their head lines; no height: not there
	title, ititle box // the head lines
	divider       int // column between the two, -1: none
	heads         bool
}

type box struct{ x, y, w, h int }

func (b box) has(x, y int) bool { return x >= b.x && x < b.x+b.w && y >= b.y && y < b.y+b.h }

// The sizes at which the layout changes (screens.md, "Layout rules").
const (
	sideBySide = 140 // columns from which INSPECT stands beside the list
	docked     = 23  // rows of the body from which it stands below it: 28 of the screen
	dockRows   = 8
	narrow     = 60 // columns under which there is one pane without head line
)

// place lays out a body of w × h.
func (v *View) place(w, h int) layout {
	l := layout{w: w, h: h, divider: -1, heads: w >= narrow}
	top := 1
	if w < narrow {
		top = 0
	}
	full := box{0, top, w, max(h-top, 0)}
	switch {
	case v.over:
		l.ititle, l.inspect = box{0, 0, w, top}, full
	case w >= sideBySide:
		side := 55 + (w-160)/2
		l.divider = w - side - 1
		l.title, l.list = box{0, 0, l.divider, top}, box{0, top, l.divider, full.h}
		l.ititle, l.inspect = box{l.divider + 1, 0, side, top}, box{l.divider + 1, top, side, full.h}
	case h >= docked && w >= narrow:
		y := h - dockRows
		l.title, l.list = box{0, 0, w, top}, box{0, top, w, y - 1 - top}
		l.ititle, l.inspect = box{0, y - 1, w, 1}, box{0, y, w, dockRows}
	default:
		l.title, l.list = box{0, 0, w, top}, full
	}
	return l
}

// Draw draws the body.
func (v *View) Draw(r kit.Region, c *view.Context) {
	v.take(c)
	v.at = v.place(r.W, r.H)
	l := &v.at
	if l.inspect.h == 0 {
		v.focus = onList
	}
	if l.list.h > 0 {
		list := r.Sub(l.list.x, l.list.y, l.list.w, l.list.h)
		v.drawList(list, c, l.heads && l.list.h > 3)
		v.drawTitle(r.Sub(l.title.x, l.title.y, l.title.w, l.title.h), c)
	}
	if l.inspect.h > 0 {
		doc := v.explain(c)
		if l.ititle.h > 0 {
			drawHead(r.Sub(l.ititle.x, l.ititle.y, l.ititle.w, 1), "INSPECT", doc.Title, doc.Note, v.focus == onInspect)
		}
		v.pane.Draw(r.Sub(l.inspect.x, l.inspect.y, l.inspect.w, l.inspect.h), doc, v.focus == onInspect)
	}
	if l.divider >= 0 {
		label.DrawDivider(r, l.divider, v.focus == onList, v.focus == onInspect)
	}
}

// take adopts the session that is shown, and lets the filter work.
func (v *View) take(c *view.Context) {
	if v.log != c.Log {
		v.log = c.Log
		v.forget()
		v.line, v.top, v.free = filter.Line{}, 0, false
		v.doc, v.asked = docMemo{}, requestMemo{}
		v.pane.Reset()
	}
	f := v.found
	if f == nil || f.Done(c.Len) {
		return
	}
	if f.next == nil && !f.Near(c.At, nearFrames) { // what is in sight comes first
		f = v.seekFrom(c, c.At+1)
	}
	if c.Len-f.Looked() <= firstFrames { // what has just arrived
		f.first(c.Len)
	}
}

// forget takes the filter away.
func (v *View) forget() {
	if v.found != nil {
		v.found.gone.Store(true)
		v.found = nil
	}
}

// seekFrom begins to look for what passes the filter outwards from frame i.
func (v *View) seekFrom(c *view.Context, i int) *found {
	v.found.gone.Store(true)
	v.found = newFound(c.Log, v.found.q, i, c.Newest)
	v.found.first(c.Len)
	return v.found
}

// Busy reports whether another drawing would show more without anything
// having happened: very large frames are still being read.
func (v *View) Busy(*view.Context) bool { return v.memo.short }

// drawHead draws a head line: a rule with words at both ends. Where both do
// not fit the right ones go.
func drawHead(r kit.Region, name, title, note string, heavy bool) {
	rule, words := "─", kit.As(kit.Normal)
	if heavy {
		rule, words = "━", kit.As(kit.Title)
	}
	r.Fill(0, 0, r.W, kit.As(kit.Rule), rule)
	x := r.Put(1, 0, words, " "+name)
	if title != "" && r.W > x+6 {
		x = r.Put(x, 0, words, "  "+kit.Cut(kit.Clean(title), r.W-x-6))
	}
	x = r.Put(x, 0, words, " ")
	note = kit.Clean(note)
	if w := kit.Width(note); note != "" && x+1+w+3 <= r.W {
		r.Put(r.W-w-3, 0, kit.As(kit.Normal), " "+note+" ")
	}
}

// drawTitle draws the head line of the list: how many there are, and the
// filter.
func (v *View) drawTitle(r kit.Region, c *view.Context) {
	if r.H == 0 {
		return
	}
	heavy := v.focus == onList
	count := v.countWords(c)
	if v.line.Typing {
		drawHead(r, "WIRE", "", "", heavy)
		x := r.Put(6, 0, kit.As(kit.Key), "  / ")
		room := r.W - x - kit.Width(count) - 8
		x = r.Put(x, 0, kit.As(kit.Normal), kit.TakeRight(kit.Clean(v.line.Text), max(room, 4)))
		r.Put(x, 0, kit.Style{Role: kit.Normal, Reverse: true}, " ")
		r.Put(x+1, 0, kit.As(kit.Normal), " ")
		if w := kit.Width(count); x+w+6 < r.W {
			r.Put(r.W-w-3, 0, kit.As(kit.Dim), " "+count+" ")
		}
		return
	}
	notes := []string{count + "     / filters, as:  tool:undo  dir:in  -err", count + "     / filters", count}
	if v.found != nil {
		notes = []string{count + "     esc clears", count}
	}
	for _, n := range notes {
		if kit.Width(n)+16 <= r.W {
			drawHead(r, "WIRE", "", n, heavy)
			return
		}
	}
	drawHead(r, "WIRE", "", "", heavy)
}

// Narrow names the pane that a narrow screen shows.
func (v *View) Narrow(c *view.Context, w, h int) string {
	if v.over {
		return strings.TrimSpace("INSPECT " + inspectNote(c))
	}
	words := "WIRE"
	n := v.lines(c)
	if v.top > 0 {
		words += " ↑" + itoa(v.top)
	}
	if below := n - v.top - h; below > 0 {
		words += " ↓" + itoa(below)
	}
	return words
}

func inspectNote(c *view.Context) string {
	if c.At < 0 || c.At >= c.Len {
		return ""
	}
	return "frame " + itoa(int(c.Log.Entry(c.At).Seq))
}

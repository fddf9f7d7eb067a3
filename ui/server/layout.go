package server

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/view"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

// paneName is one of the panes.
type paneName uint8

const (
	onLeft   paneName = iota // the connection; in one column, everything
	onRight                  // what was declared and granted
	onStderr                 // what it wrote to stderr
)

// box is a rectangle of the body.
type box struct{ x, y, w, h int }

func (b box) has(x, y int) bool { return x >= b.x && x < b.x+b.w && y >= b.y && y < b.y+b.h }
func (b box) in(r kit.Region) kit.Region {
	return r.Sub(b.x, b.y, b.w, b.h)
}

// layout is where the panes stand. Each has its title in the row above it,
// unless the root says it on a narrow screen. A box without rows is not there.
type layout struct {
	panes   [3]box
	titles  bool
	divider int // column between two columns, -1: none
	alone   bool
}

// The sizes at which the layout changes (screens.md, "Layout rules").
const (
	twoColumns = 140 // columns from which there are two
	dockFrom   = 16  // rows of the body from which stderr has its place below
	tallFrom   = 23  // and from which it may have eight rows
)

var (
	leftKeys  = []string{keyEnd, inspector.KeyHandshake, inspector.KeyLink, inspector.KeyConnections, keyFile}
	rightKeys = []string{
		inspector.KeyServer, inspector.KeyManifest, inspector.KeyToolsets, inspector.KeyFeatures, inspector.KeyChanges,
		inspector.KeyGrant, inspector.KeyReceipts, inspector.KeyHost,
	}
	oneColumn = []string{
		keyEnd, inspector.KeyHandshake, inspector.KeyLink, inspector.KeyServer, inspector.KeyManifest, inspector.KeyToolsets,
		inspector.KeyFeatures, inspector.KeyChanges, inspector.KeyGrant, inspector.KeyReceipts, inspector.KeyHost,
		inspector.KeyConnections, keyFile,
	}
)

// place lays out a body of w × h.
func (v *View) place(w, h int) layout {
	l := layout{titles: w >= narrowFrom && h > 1, divider: -1}
	top := 0
	if l.titles {
		top = 1
	}
	full := box{0, top, w, max(h-top, 0)}
	switch {
	case v.alone || w < narrowFrom || h < dockFrom:
		l.alone = true
		if v.focus == onRight && w < twoColumns {
			v.focus = onLeft
		}
		l.panes[v.focus] = full
	case w >= twoColumns:
		left := (w - 1) / 2
		l.divider = left
		l.panes[onLeft], l.panes[onRight] = box{0, top, left, full.h}, box{left + 1, top, w - left - 1, full.h}
		if v.page == pageServer {
			l.dock(v.stderr.n, max(h*9/20, 8))
		}
	default:
		l.panes[onLeft] = full
		most := 5
		if h >= tallFrom {
			most = 8
		}
		if v.page == pageServer {
			l.dock(v.stderr.n, most)
		}
	}
	if l.panes[v.focus].h == 0 || (v.focus == onStderr && v.stderr.n == 0 && !l.alone) {
		v.focus = onLeft
	}
	return l
}

// dock gives stderr its rows below the left pane: as many as it has lines, at
// most some.
func (l *layout) dock(lines, most int) {
	p := &l.panes[onLeft]
	rows := max(min(lines, most), 1)
	p.h -= rows + 1
	l.panes[onStderr] = box{p.x, p.y + p.h + 1, p.w, rows}
}

// drawFull draws the view of a server that is, or was, there.
func (v *View) drawFull(r kit.Region, c *view.Context) {
	v.take(c)
	v.at = v.place(r.W, r.H)
	l := &v.at
	p := &pages[v.page]
	v.left.keys, v.right.keys = p.one, p.right
	if r.W >= twoColumns {
		v.left.keys = p.left
	}
	if b := l.panes[onLeft]; b.h > 0 {
		v.left.draw(b.in(r), v, c, v.focus == onLeft)
	}
	if b := l.panes[onRight]; b.h > 0 {
		v.right.draw(b.in(r), v, c, v.focus == onRight)
	}
	if b := l.panes[onStderr]; b.h > 0 {
		v.stderr.draw(b.in(r), c, v.focus == onStderr)
	}
	if l.titles {
		v.drawTitles(r, c)
	}
}

// take adopts the moment that is shown.
func (v *View) take(c *view.Context) {
	if v.log != c.Log {
		v.log = c.Log
		v.left, v.right, v.folds = column{}, column{}, map[string]bool{}
		v.focus, v.alone, v.kept = onLeft, false, [numPages][2]column{}
		v.right.follows = v.page == pageChannels
		v.sheet.teller = inspector.ServerTeller{}
	}
	v.sheet.take(v, c)
	v.stderr.take(c)
}

// drawTitles draws the titles of the panes and the rules between them.
func (v *View) drawTitles(r kit.Region, c *view.Context) {
	l := &v.at
	if l.divider >= 0 {
		for y := 1; y < r.H; y++ {
			r.Put(l.divider, y, kit.As(kit.Rule), "│")
		}
	}
	titles := [3]string{pages[v.page].titles[0], pages[v.page].titles[1], "STDERR"}
	if alone := pages[v.page].alone; alone != "" && l.divider < 0 {
		titles[0] = alone
	}
	notes := [3]string{v.start.noteOf(c.Board), "", v.stderr.note(c)}
	for i := range l.panes {
		b := l.panes[i]
		if b.h == 0 {
			continue
		}
		note := notes[i]
		switch paneName(i) {
		case onLeft:
			note = sight(note, v.left.above(), v.left.below())
		case onRight:
			note = sight(note, v.right.above(), v.right.below())
		}
		drawTitle(r.Sub(b.x, b.y-1, b.w, 1), titles[i], note, v.focus == paneName(i))
	}
	if l.divider < 0 {
		return
	}
	r.Put(l.divider, 0, kit.As(kit.Rule), label.Joint(v.focus == onLeft, v.focus == onRight))
	if b := l.panes[onStderr]; b.h > 0 {
		joint := "┤"
		if v.focus == onStderr {
			joint = "┥"
		}
		r.Put(l.divider, b.y-1, kit.As(kit.Rule), joint)
	}
}

// sight adds to a note how many rows are out of sight.
func sight(note string, above, below int) string {
	if above > 0 {
		note += " ↑" + itoa(above)
	}
	if below > 0 {
		note += " ↓" + itoa(below)
	}
	return note
}

// drawTitle draws a rule with a pane's name, and a note at its right end.
func drawTitle(r kit.Region, name, note string, heavy bool) {
	rule, words := "─", kit.As(kit.Normal)
	if heavy {
		rule, words = "━", kit.As(kit.Title)
	}
	r.Fill(0, 0, r.W, kit.As(kit.Rule), rule)
	x := r.Put(1, 0, words, " "+name+" ")
	if note = kit.Clean(note); note == "" {
		return
	}
	if w := kit.Width(note) + 2; x+w+1 < r.W {
		r.Put(r.W-1-w, 0, words, " "+note+" ")
	}
}

// Narrow names what a narrow screen shows.
func (v *View) Narrow(c *view.Context, w, h int) string {
	if v.starting(c) {
		return "Server"
	}
	v.stderr.take(c)
	if v.focus == onStderr {
		return "STDERR " + v.stderr.note(c)
	}
	note := ""
	if c.Board.Link.Phase == timeline.Closed {
		note = " ended"
	}
	return strings.ToUpper(pages[v.page].word) + sight(note, v.left.above(), v.left.below())
}

package ui

import (
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// ways are the ways to go on with a line, and which of them stands in it.
type ways struct {
	found []Completion
	pick  int    // the one that stands in the line, -1: what was typed
	typed string // what was typed before one was picked
}

// set takes the ways to go on with what was typed.
func (w *ways) set(found []Completion, typed string) { w.found, w.pick, w.typed = found, -1, typed }

// next puts the next one into the line; past the last stands what was typed.
func (w *ways) next(line *edit, by int) {
	n := len(w.found)
	if n == 0 {
		return
	}
	w.pick = (w.pick+1+by+n+1)%(n+1) - 1
	if w.pick < 0 {
		line.set(w.typed)
		return
	}
	line.set(w.found[w.pick].Text)
}

// mostFound is how many ways are in sight.
const mostFound = 8

// draw draws the ways over the lower end of a region.
func (w *ways) draw(r kit.Region) {
	if len(w.found) == 0 || r.H < 3 {
		return
	}
	n := min(len(w.found), mostFound, r.H-1)
	top := max(min(w.pick-n+1, len(w.found)-n), 0)
	wide := 0
	for _, c := range w.found {
		wide = max(wide, kit.Width(kit.Clean(c.Text)))
	}
	wide = min(wide, r.W*2/3)
	box := r.Sub(0, r.H-n-1, r.W, n+1)
	box.Clear()
	title := " " + itoa(len(w.found)) + " ways to go on, tab takes one "
	if len(w.found) == 1 {
		title = " tab completes "
	}
	box.Fill(0, 0, r.W, kit.As(kit.Rule), "─")
	box.Put(1, 0, kit.As(kit.Dim), title)
	for i := 0; i < n; i++ {
		c := w.found[top+i]
		st := kit.As(kit.Normal)
		if top+i == w.pick {
			st = kit.Style{Role: kit.Bright, Reverse: true}
			box.Put(0, i+1, kit.As(kit.Bright), "▌")
		}
		box.PutCut(1, i+1, wide, st, c.Text)
		box.PutCut(wide+4, i+1, r.W-wide-5, kit.As(kit.Dim), c.Help)
	}
}

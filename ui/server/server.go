// Package server is view 6: what is at the other end, how the connection was
// made, what the two sides said of themselves, what was granted, and how it
// ended. Where a server did not start it is the first page that a user sees:
// what happened, what was run, what was said on stderr, and what can be done
// now.
//
// Everything in it comes from frames, so the same appears when the recording
// is opened again; what the root knows beside them (Facts) only fills in what
// a recording need not hold.
package server

import (
	"reflect"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Facts is what is true of a session beside its frames.
type Facts struct {
	Kind      string   // stdio, http, sse, ws, demo
	Title     string   // the target as a user would name it
	Command   []string // of a stdio target
	Dir       string   // its working directory
	EnvSet    []string // names of the variables that were set for it
	File      string   // of the recording
	Recording bool
	RecordErr string
	Skipped   []string // lines of a file that could not be read, in words
	Cut       bool     // the file ends in the middle of a line
	CanAct    bool     // the connection can be made again
	Watched   bool     // a change of the server's files does so
	Login     string   // the address at which a person has to log in
}

// View is the view of the server. It owns the focus, what is folded, and for
// each pane its cursor, its scroll and its search.
type View struct {
	start   start
	changed int // how often the facts changed

	log         *timeline.Log
	sheet       sheet
	focus       paneName
	alone       bool // the pane with the focus has the whole body
	left, right column
	page        pageName
	kept        [numPages][2]column // the columns of the pages that are not shown
	stderr      stderrPane
	folds       map[string]bool // what the user folded or unfolded
	at          layout
	wide, tall  bool // of what was drawn last: what is folded unless the user says so
}

// New returns the view.
func New() *View { return &View{start: start{began: -1}, folds: map[string]bool{}} }

var _ view.View = (*View)(nil)

// Set tells the view what is true beside the frames.
func (v *View) Set(f Facts) {
	if !reflect.DeepEqual(f, v.start.facts) {
		v.start.facts = f
		v.changed++
	}
}

// starting reports whether the server is not there yet, or never was: whether
// its lists were read decides.
func (v *View) starting(c *view.Context) bool {
	b := c.Board
	return b == nil || b.Index < 0 || c.Log == nil || (b.ListAt < 0 && b.Link.Phase != timeline.Live)
}

// Draw draws the view.
func (v *View) Draw(r kit.Region, c *view.Context) {
	if r.W < 4 || r.H < 1 || c.Board == nil {
		return
	}
	v.wide, v.tall = r.W >= twoColumns, r.H >= tallFrom
	if v.starting(c) {
		v.start.draw(r, c)
		return
	}
	v.drawFull(r, c)
}

// folded reports whether a section shows its head alone. In two columns all
// is unfolded. In one column the heads are an overview of all: only how the
// connection was made stands open, and on a low screen not even that.
func (v *View) folded(key string) bool {
	if f, ok := v.folds[key]; ok {
		return f
	}
	switch {
	case key == keyEnd:
		return false
	case v.wide, v.page != pageServer:
		return false
	}
	return !v.tall || key != inspector.KeyHandshake
}

// fold folds a section, or unfolds it.
func (v *View) fold(key string, folded bool) { v.folds[key] = folded }

// Busy reports whether another drawing would show more without anything
// having happened: a search goes on.
func (v *View) Busy(c *view.Context) bool { return !v.starting(c) && v.stderr.hunt.left > 0 }

// Package view is the contract between the root model and the views: what a
// view is drawn from (Context), and what it can ask of the root (Intent).
//
// A view is a plain struct that owns its scroll, its filter and its selection
// and nothing else. It does no I/O, starts nothing, and keeps nothing of what
// it drew; time and state come from the Context.
package view

import (
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// Context is one moment of a session: what a view is drawn from, and what its
// keys are judged against. The root makes a new one when the log, the
// playhead or the clock moved.
type Context struct {
	Log    *timeline.Log
	Len    int             // frames reduced so far
	At     int             // the playhead: position of the frame that all views show, -1: none yet
	Follow bool            // the playhead is at the end and follows: the screen shows the present
	Replay bool            // a file is looked at: nothing can be sent
	Ended  bool            // the connection is over: nothing can be sent
	Lost   string          // what follows its end, as "next try in 3 s"; "" where nothing does
	Board  *timeline.Board // the state at the playhead
	Row    *timeline.Row   // the last row at or before the playhead, nil: none
	Rows   int             // how many rows there are in all
	Now    time.Duration   // time of the session at the playhead; in the present, the clock
	// Newest is the board at the end of the log: what waits for the user
	// and which calls are open is asked there, wherever the playhead stands.
	Newest *timeline.Board
	Limit  time.Duration // the time limit of a request
	Mark   int           // position of the user's last mark, -1: none
	Found  int           // changes whenever what is known of findings does
	Focus  bool          // the view has the keyboard (no form, prompt or page lies over it)
	// Sides is how many connections stand side by side. Where there are two,
	// Log, Board and the rest are of the one that is shown (Side, from 0), with
	// its own rows, and Other is the same moment on the other one.
	Sides int
	Side  int
	Other *Context
}

// NewestOf is the state at the end of the log of a connection that is the
// newest of its side, nil for others.
func (c *Context) NewestOf(conn int) *timeline.Board {
	switch {
	case c.Newest != nil && c.Newest.Conn == conn:
		return c.Newest
	case c.Other != nil && c.Other.Newest != nil && c.Other.Newest.Conn == conn:
		return c.Other.Newest
	}
	return nil
}

// Over says why nothing can be sent on a connection that is over, and what
// there is to do.
func (c *Context) Over() string {
	if c.Lost != "" {
		return "the connection is lost, " + c.Lost + "; r tries at once"
	}
	return "the connection is over; r connects again"
}

// Unlisted says why nothing is on the board of a connection that ended before
// its lists, and how to get to what one before it had.
func (c *Context) Unlisted() string {
	if c.Row != nil {
		return "The board is empty: this connection listed no tools. [ goes back to what was there before."
	}
	return "The board is empty: no tools were listed."
}

// Arriving reports whether the connection that is shown took the place of
// another and has not come to its lists: what is selected, or open, is about to
// be there again.
func (c *Context) Arriving() bool {
	b := c.Board
	return b != nil && b.Conn > 1 && (b.Link.Phase == timeline.Connecting || b.Link.Phase == timeline.Handshake || b.Link.Phase == timeline.Closed && b.ListAt < 0)
}

// Intent is what a view asks of the root. The zero value asks nothing.
type Intent struct {
	Kind IntentKind

	Index    int    // GoTo, ShowAt: position of the frame
	View     int    // Show, ShowAt: number of the view, 1 to 6
	Tool     string // CallForm; GrantForm, a path; Compare, "" for the whole board; Show: what the cursor goes to
	Toolset  string // OpenForm, AskClose, Compare; Show, likewise
	Instance string // all of them; "" where none is chosen
	Args     []byte // CallForm, OpenForm: arguments to fill in, JSON
	Line     string // Run: a line of the command language
	Text     string // Copy: what to copy; Say: a sentence for the row above the help
	What     string // Copy: what it is, in words ("frame 41, 566 B")
}

// IntentKind says what an Intent asks for.
type IntentKind uint8

// What a view can ask of the root.
const (
	Nothing    IntentKind = iota
	GoTo                  // move the playhead to Index
	GoLive                // move the playhead to the end
	Show                  // change the view
	CallForm              // open the form for calling Tool in Instance
	OpenForm              // open the form for opening Toolset
	AskClose              // ask whether to close Toolset, Instance
	AnswerForm            // look at what waits for the user
	Run                   // run Line
	Copy                  // copy Text to the clipboard
	Say                   // say Text
	Compare               // lay the comparison of Tool in Instance, or of the whole board, over the board
	ShowAt                // move the playhead to Index and change to View
	Leave                 // take away the page that lies over the view
	GrantForm             // open the form of the grant, with the cursor on the path or feature set Tool
	Type                  // open the line for commands with Line typed into it
	Reread                // read again what is shown, as R does
)

// Saying is the intent that says a sentence.
func Saying(text string) Intent { return Intent{Kind: Say, Text: text} }

// Work is a piece of what is too much for a drawing or a key, as to look for
// something in a million frames. It is run beside the screen, and touches
// nothing of the view; what it returns is called by the screen afterwards,
// with the moment as it is then.
type Work func() func(c *Context) Intent

// Help is one key of the help line and its verb: {"enter", "call it…"}.
type Help struct{ Key, Verb string }

// View is one of the six views, or a page that lies over them.
type View interface {
	// Draw draws the view's body, the rows between row 3 and the waiting row.
	Draw(r kit.Region, c *Context)
	// Key handles one key, named as bubbletea names it ("j", "enter",
	// "ctrl+d", "shift+tab"). handled is false for a key that the view has
	// no use for; the root then tries its own.
	Key(key string, c *Context) (do Intent, handled bool)
	// Click handles a click at cell x, y of the body; wheel is -1 or 1 for
	// the wheel, 0 for a click.
	Click(x, y, wheel int, c *Context) Intent
	// Help returns the keys of this very row, the one of enter first.
	Help(c *Context) []Help
	// Where names the place for the page of keys: "Board, Tools, on play @ vs-ada".
	Where(c *Context) string
}

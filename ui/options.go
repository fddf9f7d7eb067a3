package ui

import (
	"io"
	"os"
	"time"
)

// The choices of Options.Theme.
const (
	ThemeAuto  = "auto"  // as dark as the terminal's background, if it says; else dark
	ThemeDark  = "dark"  // for a dark background
	ThemeLight = "light" // for a light background
	ThemeNone  = "none"  // no colours, attributes alone
)

// Options are the settings of a screen. The zero value is what a user gets
// who asks for nothing.
type Options struct {
	Theme   string // one of the Theme choices, "" is ThemeAuto
	ASCII   bool   // draw with ASCII alone
	Unicode bool   // draw with all glyphs even where the locale speaks against it

	// Start is the place at which a recording is first shown, as goto takes
	// it: a frame (41), a rev (rev 12, rev 2.7) or a time; "" for its own.
	Start string

	// StartPaused shows a recording standing still at its start, ReplaySpeed
	// is the pace at which it is played (0: as recorded).
	StartPaused bool
	ReplaySpeed float64

	// Stage draws for a room instead of for one person: no dim text, cells
	// spaced, TOOLS alone at first, the last key echoed; a recording opens at
	// its first mark, and PgDn and PgUp go from mark to mark.
	Stage bool

	// Now is the wall clock, nil for time.Now. It is used to pace the screen
	// and a replay, and never decides what is true of a session.
	Now func() time.Time

	// Input and Output are the terminal; nil for the process's own.
	// Env reads the environment, nil for os.Getenv.
	Input  io.Reader
	Output io.Writer
	Env    func(name string) string

	// CrashDir is the folder that gets a file with the stack if the screen
	// breaks down; "" for the system's temporary folder.
	CrashDir string
}

func (o Options) filled() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Env == nil {
		o.Env = os.Getenv
	}
	if o.Theme == "" {
		o.Theme = ThemeAuto
	}
	if o.ReplaySpeed <= 0 {
		o.ReplaySpeed = 1
	}
	return o
}

// Package ui is the screens of mcpl-tui: one root model with panes that own
// their scroll, filter and selection. It knows neither links nor files: what
// it shows comes from a Source, what a person does goes to Actions.
package ui

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Source is a session that is looked at, live or from a recording.
type Source interface {
	// Log is the session's timeline. It grows by itself.
	Log() *timeline.Log
	// Changed is closed or receives when the log, or the status, changed
	// since the last receive. Changes in a burst may give one signal.
	Changed() <-chan struct{}
	// Status says what is true of the session at this moment.
	Status() Status
}

// Status is what row 1 says of a session beyond its frames.
type Status struct {
	Live    bool      // a connection of this process; false for a recording that was opened
	Empty   bool      // nothing was chosen to look at yet; Title names the program
	Title   string    // the target as a user would name it: "stdio: node server.js", or the recording's name
	Kind    string    // stdio, http, sse, ws, demo
	Command []string  // of a stdio target
	Dir     string    // its working directory
	Watched bool      // a change of its files starts the server anew
	EnvSet  []string  // names of the environment variables that were set for it; never values
	Started time.Time // when frame time 0 was
	Now     time.Duration
	Timeout time.Duration // the limit of a request
	// DoArgs is the target as arguments of `mcpl-tui do`, shell-quoted.
	DoArgs string

	Login Login // what a person has to do in a browser before it goes on

	Recording  bool   // frames are being kept in a file
	File       string // the recording's file name, without its folder
	Path       string
	RecordErr  string // why nothing can be written at the moment: "disk full"; "" while it can
	Queued     int64  // bytes that wait for the disk
	Lost       int64  // frames that could not be kept
	Loading    float64
	Skipped    []string // lines of the file that could not be read, in words
	Cut        bool     // the file ends in the middle of a line
	Before     string   // the recording of the session that was looked at before, "": none
	Generation int      // rises when the source was exchanged for another target
	Active     int      // number of the connection that commands go to, 0: the only one
}

// Loaded reports whether a recording's index is complete.
func (s Status) Loaded() bool { return s.Live || s.Loading >= 1 }

// Actions is what a person can do to the other end. All of it is a line of
// the command language (outputs.md): what forms send they send as the line
// that they show.
type Actions interface {
	// Run runs one line and returns when it is done: the answer arrived, was
	// refused, or ctx ended.
	Run(ctx context.Context, line string) Outcome
	// Preview returns the message that Run would send for the line, byte for
	// byte, without sending it. It is nil where nothing is sent. It answers at
	// once: the screen waits for it.
	Preview(line string) (json.RawMessage, error)
	// Complete returns what can stand at the end of the line. It answers at
	// once, as Preview does.
	Complete(line string) []Completion
}

// Outcome is what became of a line.
type Outcome struct {
	OK      bool
	Result  json.RawMessage
	Code    int    // the JSON-RPC error's code, 0 where there is none
	Message string // what went wrong, in a sentence
	Words   string // what is so now, in a sentence; "": as the result says
	Request int64  // number of the frame that was sent, 0: none
	Answer  int64  // number of the frame that answered it, 0: none
}

// Completion is one way to go on with a line.
type Completion struct {
	Text string // the whole line, completed
	Help string // one line of what it does
}

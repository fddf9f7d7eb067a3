package main

import (
	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui"
)

// nothing lies on the desk until something was chosen.
type nothing struct {
	log   *timeline.Log
	never chan struct{}
}

func newNothing() *nothing {
	n := &nothing{log: judgedLog(noFrames{}), never: make(chan struct{})}
	close(n.never)
	return n
}

func (n *nothing) timeline() *timeline.Log      { return n.log }
func (n *nothing) recording() *record.Recording { return nil }
func (n *nothing) dirtied() <-chan struct{}     { return n.never }
func (n *nothing) close() error                 { return nil }
func (n *nothing) kept() string                 { return "" }

func (n *nothing) status() ui.Status {
	return ui.Status{Empty: true, Title: "mcpl-tui " + version, Timeout: defaultTimeout, Loading: 1}
}

// noFrames is a session without any.
type noFrames struct{}

func (noFrames) Len() int { return 0 }

func (noFrames) Frame(int) (timeline.Frame, error) { return timeline.Frame{}, record.ErrClosed }

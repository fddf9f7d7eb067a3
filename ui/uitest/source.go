package uitest

import (
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

// Source is a session over a tape: the log and the signal of a ui.Source. A
// test of package ui embeds it and adds Status (this package cannot name
// ui.Status without importing what it is a help for).
type Source struct {
	Tape    *Tape
	tb      testing.TB
	log     *timeline.Log
	changed chan struct{}
}

// NewSource returns a source whose log holds all that the tape shows. The
// test fails at once where the log cannot take a frame.
func NewSource(tb testing.TB, t *Tape) *Source {
	tb.Helper()
	return &Source{Tape: t, tb: tb, log: Log(tb, t), changed: make(chan struct{}, 1)}
}

// Log returns a log that holds all of a session, judged.
func Log(tb testing.TB, frames timeline.Frames) *timeline.Log {
	tb.Helper()
	log := timeline.NewLog(frames)
	conform.Attend(log, conform.Options{})
	timelinetest.CatchUp(tb, log)
	return log
}

// Log returns the session's timeline.
func (s *Source) Log() *timeline.Log { return s.log }

// Changed receives after each Show; several in a row may give one signal.
func (s *Source) Changed() <-chan struct{} { return s.changed }

// Show moves the end of the tape on to n frames, as if the ones before it
// had just arrived, and signals. n never falls.
func (s *Source) Show(n int) {
	s.tb.Helper()
	if n < s.Tape.Len() {
		s.tb.Fatalf("a session does not shrink: %d frames after %d", n, s.Tape.Len())
	}
	s.Tape.Show(n)
	timelinetest.CatchUp(s.tb, s.log)
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

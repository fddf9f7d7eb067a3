package uitest

import (
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// MomentOf is what a view is told while the playhead stands at frame position
// at of a log, at the time now of its session. At the last frame it follows,
// as in a live session.
func MomentOf(tb testing.TB, log *timeline.Log, at int, now time.Duration) *view.Context {
	tb.Helper()
	c := &view.Context{Log: log, Now: now, Limit: 30 * time.Second, Mark: -1, Focus: true}
	MovePlayhead(tb, c, at)
	return c
}

// MovePlayhead puts the playhead of a moment at another frame position of its
// log, or at the nearest that there is.
func MovePlayhead(tb testing.TB, c *view.Context, at int) {
	tb.Helper()
	log := c.Log
	c.Len, c.Rows = log.Len(), log.RowCount()
	c.At = max(min(at, c.Len-1), min(0, c.Len-1))
	c.Follow = c.At == c.Len-1
	var err error
	if c.Board, err = log.Board(c.At); err != nil {
		tb.Fatal(err)
	}
	if c.Newest, err = log.Board(c.Len - 1); err != nil {
		tb.Fatal(err)
	}
	c.Row = nil
	if n := log.RowAt(c.At); n >= 0 {
		rows, err := log.Rows(n, n+1)
		if err != nil {
			tb.Fatal(err)
		}
		c.Row = &rows[0]
	}
}

// Moment is the moment after the first n frames (0: all) of one of Recordings,
// with the playhead at position at (-1: the last).
func Moment(tb testing.TB, name string, n, at int) *view.Context {
	tb.Helper()
	tape := Frames(Recordings()[name])
	if n > 0 {
		tape = tape.Cut(n)
	}
	log := NewSource(tb, tape).Log()
	if at < 0 {
		at = log.Len() - 1
	}
	return MomentOf(tb, log, at, log.Entry(max(at, 0)).T)
}

// GobanLive is the moment of the drawn live screens: 96 frames of Goban, 3:12.
func GobanLive(tb testing.TB) *view.Context {
	tb.Helper()
	c := Moment(tb, "goban", BoardFrames, -1)
	c.Now = BoardAt
	return c
}

package lanes

import (
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// contextAt is the moment at which the playhead stands at frame position at
// of a log; at the last one it follows, as in a live session.
func contextAt(t testing.TB, log *timeline.Log, at int, now time.Duration) *view.Context {
	t.Helper()
	c := &view.Context{
		Log: log, Len: log.Len(), At: at, Follow: at == log.Len()-1, Rows: log.RowCount(),
		Now: now, Limit: 30 * time.Second, Mark: -1, Focus: true,
	}
	var err error
	if c.Board, err = log.Board(at); err != nil {
		t.Fatal(err)
	}
	if c.Newest, err = log.Board(log.Len() - 1); err != nil {
		t.Fatal(err)
	}
	if n := log.RowAt(at); n >= 0 {
		rows, err := log.Rows(n, n+1)
		if err != nil {
			t.Fatal(err)
		}
		c.Row = &rows[0]
	}
	return c
}

// recorded is the moment after the first n frames of a recording (0: all), at
// position at (-1: the last).
func recorded(t testing.TB, name string, n, at int) *view.Context {
	t.Helper()
	tape := uitest.Frames(uitest.Recordings()[name])
	if n > 0 {
		tape = tape.Cut(n)
	}
	log := uitest.NewSource(t, tape).Log()
	if at < 0 {
		at = log.Len() - 1
	}
	return contextAt(t, log, at, log.Entry(at).T)
}

// gobanLive is the moment of the drawn live screens: 96 frames, 3:12.
func gobanLive(t testing.TB) *view.Context {
	t.Helper()
	c := recorded(t, "goban", uitest.BoardFrames, -1)
	c.Now = uitest.BoardAt
	return c
}

// gobanAt is the moment of gobanLive with the playhead in the past, at a rev.
func gobanAt(t testing.TB, rev int64) *view.Context {
	t.Helper()
	log := gobanLive(t).Log
	c := contextAt(t, log, log.RowIndex(log.RowOf(1, rev)), uitest.BoardAt)
	c.Follow = false
	return c
}

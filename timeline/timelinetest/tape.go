// Package timelinetest is test support for all that reads a timeline: sessions
// in memory, the lines of recordings, and logs that hold all of a session.
package timelinetest

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Tape is a session in memory.
type Tape []timeline.Frame

var _ timeline.Frames = Tape{}

// Len returns how many frames there are.
func (t Tape) Len() int { return len(t) }

// Frame returns the frame at position i, which must be there.
func (t Tape) Frame(i int) (timeline.Frame, error) { return t[i], nil }

// FramesIn returns the frames from ≤ i < to.
func (t Tape) FramesIn(from, to int, _ int64) ([]timeline.Frame, error) {
	return slices.Clone(t[from:to]), nil
}

// Log returns a log that holds all of a session.
func Log(tb testing.TB, frames timeline.Frames) *timeline.Log {
	tb.Helper()
	log := timeline.NewLog(frames)
	CatchUp(tb, log)
	return log
}

// CatchUp lets a log take all that its session has. The test fails at once
// where it cannot take a frame.
func CatchUp(tb testing.TB, log *timeline.Log) {
	tb.Helper()
	for {
		n, err := log.Advance(1 << 16)
		if err != nil {
			tb.Fatalf("reducing a session: %v", err)
		}
		if n == 0 {
			return
		}
	}
}

// ReadFrame reads a line of a recording that is not the first. It is simpler
// than the reader of package record, which takes what users bring.
func ReadFrame(line []byte) (timeline.Frame, error) {
	var l struct {
		Seq  int64
		T    float64
		Conn int
		Dir  string
		Via  string
		Msg  json.RawMessage
		Text *string
		B64  []byte
		Note string
		Data json.RawMessage
		HTTP json.RawMessage
	}
	if err := json.Unmarshal(line, &l); err != nil {
		return timeline.Frame{}, fmt.Errorf("%w in %s", err, line)
	}
	dir, ok := wire.ParseDir(l.Dir)
	if !ok {
		return timeline.Frame{}, fmt.Errorf("frame %d: no direction %q", l.Seq, l.Dir)
	}
	f := timeline.Frame{
		Seq: l.Seq, T: time.Duration(math.Round(l.T*1e6)) * time.Microsecond, Conn: l.Conn, Dir: dir, Via: l.Via,
		Name: l.Note, Data: l.Data, HTTP: l.HTTP,
	}
	switch {
	case l.Msg != nil:
		f.Form, f.Body = wire.Msg, l.Msg
	case l.Text != nil:
		f.Form, f.Body = wire.Text, []byte(*l.Text)
	case l.B64 != nil:
		f.Form, f.Body = wire.Binary, l.B64
	}
	return f, nil
}

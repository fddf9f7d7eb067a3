package inspector_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

// longSession is a session of n revs whose frames are made when they are
// read: play comes, goes and is redefined, undo is named in vain.
type longSession struct {
	start timelinetest.Tape
	n     int
}

func newLongSession(b testing.TB, n int) *timeline.Log {
	p := newTape(b)
	p.negotiated()
	p.openGame(4, "ada", 2)
	return timelinetest.Log(b, &longSession{p.all, n})
}

func (s *longSession) Len() int { return len(s.start) + s.n }

func (s *longSession) Frame(i int) (timeline.Frame, error) {
	if i < len(s.start) {
		return s.start[i], nil
	}
	rev := i - len(s.start) + 3
	entry := fmt.Sprintf(`{"name":"play","instance":"ada","visible":%v,"definition":{"description":"Place a stone. Move %d."}}`, rev%2 == 0, rev/8)
	if rev%64 == 7 {
		entry = `{"name":"undo","visible":true}`
	}
	body := []byte(fmt.Sprintf(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[%s]}}`, rev, entry))
	return timeline.Frame{
		Seq: int64(i + 1), T: time.Duration(i) * time.Millisecond, Conn: 1, Dir: timeline.In, Via: "stdio", Body: body, Form: wire.Msg,
	}, nil
}

// Explaining costs the same however long the session is.
func BenchmarkExplain(b *testing.B) {
	for _, n := range []int{1_000, 1_000_000} {
		log := newLongSession(b, n)
		for _, at := range []int{log.Len() - 1, log.Len() / 2} {
			board := boardAt(b, log, at)
			name := fmt.Sprintf("%d/at-%d/", n, at)
			undo := inspector.Target{Toolset: "game", Instance: "ada", Tool: "undo"}
			play := inspector.Target{Toolset: "game", Instance: "ada", Tool: "play"}
			b.Run(name+"why-not", func(b *testing.B) {
				for b.Loop() {
					inspector.Tool(log, board, undo.Toolset, undo.Instance, undo.Tool)
				}
			})
			b.Run(name+"why", func(b *testing.B) {
				for b.Loop() {
					inspector.Tool(log, board, play.Toolset, play.Instance, play.Tool)
				}
			})
			b.Run(name+"compare", func(b *testing.B) {
				for b.Loop() {
					inspector.CompareTool(log, board, play, inspector.AgainstBefore, -1)
				}
			})
			b.Run(name+"track", func(b *testing.B) {
				for b.Loop() {
					inspector.TrackOf(log, board, board, play, 73)
				}
			})
			b.Run(name+"track-undo", func(b *testing.B) {
				for b.Loop() {
					inspector.TrackOf(log, board, board, undo, 73)
				}
			})
			b.Run(name+"last-change", func(b *testing.B) {
				for b.Loop() {
					inspector.LastChange(log, board, play)
				}
			})
		}
	}
}

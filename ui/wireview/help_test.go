package wireview

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// screen is a wire with a session and a playhead, driven as the root does.
type screen struct {
	t    testing.TB
	v    *View
	log  *timeline.Log
	c    view.Context
	w, h int
}

func newScreen(t testing.TB, log *timeline.Log, w, h int) *screen {
	t.Helper()
	s := &screen{t: t, v: New(), log: log, w: w, h: h}
	s.v.Target = func() string { return "-- node dist/server.js" }
	s.c = view.Context{Log: log, Limit: 30 * time.Second, Mark: -1, Focus: true, Now: uitest.WireAt}
	s.at(log.Len() - 1)
	return s
}

// goban is the wire as screen (f) has it: 101 frames, the playhead at 99.
func goban(t testing.TB, w, h int) *screen {
	t.Helper()
	s := newScreen(t, uitest.NewSource(t, uitest.Frames(uitest.Goban()).Cut(uitest.WireFrames)).Log(), w, h)
	s.draw()
	s.at(98)
	return s
}

func (s *screen) at(i int) {
	s.t.Helper()
	n := s.log.Len()
	s.c.Len, s.c.At, s.c.Follow, s.c.Rows = n, i, i == n-1 && !s.c.Replay, s.log.RowCount()
	var err error
	if s.c.Board, err = s.log.Board(i); err != nil {
		s.t.Fatal(err)
	}
	if s.c.Newest, err = s.log.Board(n - 1); err != nil {
		s.t.Fatal(err)
	}
	if s.c.Replay && i >= 0 {
		s.c.Now = s.log.Entry(i).T
	}
}

func (s *screen) draw() string {
	c := kit.NewCanvas(s.w, s.h)
	s.v.Draw(c.All(), &s.c)
	return c.Plain()
}

// press presses keys, and does what the root would do about the playhead. It
// returns what the last key asked for.
func (s *screen) press(keys ...string) view.Intent {
	s.t.Helper()
	var last view.Intent
	for _, k := range keys {
		do, _ := s.v.Key(k, &s.c)
		last = do
		s.do(do)
	}
	return last
}

func (s *screen) do(do view.Intent) {
	switch do.Kind {
	case view.GoTo:
		s.at(do.Index)
	case view.GoLive:
		s.at(s.log.Len() - 1)
	}
}

// finish lets the view do all its work, as the root does beside the screen.
func (s *screen) finish() {
	s.t.Helper()
	for n := 0; ; n++ {
		piece := s.v.Work(&s.c)
		if piece == nil {
			return
		}
		if n > 10_000 {
			s.t.Fatal("the work does not end")
		}
		s.do(piece()(&s.c))
	}
}

// filter types a filter after /.
func (s *screen) filter(text string) {
	s.press("/")
	for _, r := range text {
		s.press(string(r))
	}
}

func (s *screen) has(out string, want ...string) {
	s.t.Helper()
	for _, w := range want {
		if !strings.Contains(out, w) {
			s.t.Errorf("lacks %q:\n%s", w, out)
		}
	}
}

func (s *screen) hasNot(out string, not ...string) {
	s.t.Helper()
	for _, w := range not {
		if strings.Contains(out, w) {
			s.t.Errorf("says %q:\n%s", w, out)
		}
	}
}

// seqs returns the numbers of the frames in sight.
func seqs(out string) string {
	var got []string
	for _, l := range strings.Split(out, "\n") {
		r := []rune(l)
		if len(r) < 7 {
			continue
		}
		if n := strings.TrimSpace(string(r[2:7])); n != "" && strings.Trim(n, "0123456789") == "" {
			got = append(got, n)
		}
	}
	return strings.Join(got, " ")
}

// many is a session of n frames that are made when they are read: calls,
// answers with hints, a push now and then.
type many struct {
	n    int
	read atomic.Int64
	pad  string
}

func (m *many) Len() int { return m.n }

func (m *many) Frame(i int) (timeline.Frame, error) {
	m.read.Add(1)
	f := timeline.Frame{Seq: int64(i + 1), Conn: 1, T: time.Duration(i) * time.Millisecond, Via: "stdio", Form: 1}
	switch {
	case i == 0:
		f.Dir = timeline.Out
		f.Body = []byte(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"capabilities":{"experimental":{"mcpl":{"toolHints":true}}}}}`)
	case i == 1:
		f.Dir = timeline.In
		f.Body = []byte(`{"jsonrpc":"2.0","id":"i","result":{"serverInfo":{"name":"s"},"capabilities":{"experimental":{"mcpl":{"version":"0.5","toolHints":true}}}}}`)
	case i == 2:
		f.Dir = timeline.Out
		f.Body = []byte(`{"jsonrpc":"2.0","id":"l","method":"tools/list"}`)
	case i == 3:
		f.Dir = timeline.In
		f.Body = []byte(`{"jsonrpc":"2.0","id":"l","result":{"tools":[{"name":"t","_meta":{"mcpl/presence":"dynamic"}}]}}`)
	case i%2 == 0:
		f.Dir = timeline.Out
		f.Body = fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t%d"}}`, i, i%1000)
	default:
		f.Dir = timeline.In
		f.Body = fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"answer%s"}],"_meta":{"mcpl/hints":{"rev":%d,"tools":[{"name":"t","visible":%v}]}}}}`, i-1, m.pad, (i-3)/2, i%4 == 1)
	}
	return f, nil
}

func manyLog(t testing.TB, n int) (*timeline.Log, *many) {
	t.Helper()
	src := &many{n: n}
	return timelinetest.Log(t, src), src
}

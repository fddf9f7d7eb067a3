package lanes

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// session is a session made by hand. It implements timeline.Frames.
type session struct {
	frames []timeline.Frame
	at     time.Duration
	step   time.Duration // between frames
	conn   int
	via    string
	id     int
	reads  int // how often a frame was read
}

func (s *session) Len() int { return len(s.frames) }

func (s *session) Frame(i int) (timeline.Frame, error) {
	s.reads++
	return s.frames[i], nil
}

func (s *session) add(dir timeline.Dir, body string) {
	s.at += s.step
	s.frames = append(s.frames, timeline.Frame{
		Seq: int64(len(s.frames) + 1), T: s.at, Conn: s.conn, Dir: dir, Via: s.via, Form: 1, Body: []byte(body),
	})
}

func (s *session) ask(method, params, result string) {
	s.id++
	s.add(timeline.Out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, s.id, method, params))
	s.add(timeline.In, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, s.id, result))
}

// connect begins a connection. Its server has a static tool, one of no
// toolset, a toolset with instances, one without, and an undeclared group.
func (s *session) connect(via string) {
	s.conn, s.via = s.conn+1, via
	s.ask("initialize", `{"capabilities":{"experimental":{"mcpl":{"version":"0.5","toolHints":true}}}}`,
		`{"protocolVersion":"2025-06-18","serverInfo":{"name":"s","version":"1"},"capabilities":{"experimental":{"mcpl":`+
			`{"version":"0.5","toolHints":true,"toolsets":{"game":{"title":"Games","instances":true},"chat":{"title":"Talk"}}}}}}`)
	s.list("status", "loose", "move", "undo", "say", "dump")
}

var sessionTools = map[string]string{
	"status": `{"name":"status","title":"Who you are"}`,
	"loose":  `{"name":"loose","_meta":{"mcpl/presence":"dynamic","mcpl/visible":false}}`,
	"move":   `{"name":"move","title":"Move a stone","_meta":{"mcpl/toolset":"game"}}`,
	"undo":   `{"name":"undo","_meta":{"mcpl/toolset":"game"}}`,
	"say":    `{"name":"say","_meta":{"mcpl/toolset":"chat"}}`,
	"dump":   `{"name":"dump","_meta":{"mcpl/toolset":"debug"}}`,
}

func (s *session) list(tools ...string) {
	var all []string
	for _, name := range tools {
		all = append(all, sessionTools[name])
	}
	s.ask("tools/list", "{}", `{"tools":[`+strings.Join(all, ",")+`]}`)
}

func (s *session) hints(rev int64, rest string) {
	s.add(timeline.In, fmt.Sprintf(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d%s}}`, rev, rest))
}

func (s *session) log(t testing.TB) *timeline.Log {
	t.Helper()
	return timelinetest.Log(t, s)
}

func visible(tool, instance string, on bool) string {
	return fmt.Sprintf(`,"tools":[{"name":%q,"instance":%q,"visible":%t}]`, tool, instance, on)
}

func opened(instance string) string {
	return fmt.Sprintf(`,"toolsets":[{"toolset":"game","instance":%q,"state":"open"}]`, instance)
}

// gapSession leaves two revs out, one of which comes late, and then 100.
func gapSession() *session {
	s := &session{step: 500 * time.Millisecond}
	s.connect("stdio")
	s.hints(1, opened("a"))
	s.hints(2, opened("b")+`,"reason":"b begins"`)
	s.hints(3, visible("move", "a", true))
	s.hints(6, visible("move", "b", true)+`,"reason":"two are lost"`)
	s.hints(7, visible("move", "a", false))
	s.hints(5, visible("undo", "a", true)) // stale: too late to be applied
	s.hints(8, visible("undo", "c", true)) // there is no c
	s.hints(9, visible("fly", "", true))   // there is no such tool
	s.hints(110, visible("move", "a", true))
	s.hints(111, visible("move", "b", false))
	return s
}

func gaps(t testing.TB, at int) *view.Context {
	t.Helper()
	l := gapSession().log(t)
	if at < 0 {
		at = l.Len() - 1
	}
	return uitest.MomentOf(t, l, at, l.Entry(l.Len()-1).T)
}

package model

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// session makes the frames of a session by chance: lists that come and go,
// hints that show, hide, redefine and move, reconnects.
type session struct {
	t      *rapid.T
	frames timelinetest.Tape
	conn   int
	id     int
	rev    int
}

func (s *session) add(dir timeline.Dir, body string) {
	s.frames = append(s.frames, timeline.Frame{
		Seq: int64(len(s.frames) + 1), T: time.Duration(len(s.frames)) * time.Second, Conn: max(s.conn, 1),
		Dir: dir, Via: "stdio", Form: 1, Body: []byte(body), // a message (wire.Msg)
	})
}

func (s *session) ask(method, params, result string) {
	s.id++
	s.add(timeline.Out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, s.id, method, params))
	s.add(timeline.In, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, s.id, result))
}

func (s *session) connect() {
	s.conn++
	s.rev = 0
	hints := rapid.SampledFrom([]string{"true", "true", "false"}).Draw(s.t, "hints")
	s.ask("initialize", `{"capabilities":{"experimental":{"mcpl":{"toolHints":true}}}}`,
		`{"protocolVersion":"2025-06-18","serverInfo":{"name":"s"},"capabilities":{"tools":{"listChanged":true},"experimental":{"mcpl":{"toolHints":`+hints+`}}}}`)
	s.list()
	s.ask("toolsets/list", "{}", fmt.Sprintf(`{"open":[],"ended":[],"_meta":{"mcpl/hints":{"rev":%d,"tools":[]}}}`, s.next()))
}

func (s *session) next() int {
	s.rev++
	return s.rev
}

func (s *session) list() {
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}), 0, 5, func(n string) string { return n }).Draw(s.t, "names")
	var tools []string
	for _, n := range names {
		tools = append(tools, fmt.Sprintf(`{"name":%q,"description":%q,"inputSchema":{"type":"object"},"_meta":{"mcpl/presence":%q}}`, n,
			strings.Repeat(n, rapid.SampledFrom([]int{1, 1, 600}).Draw(s.t, "size")), rapid.SampledFrom([]string{"static", "static", "dynamic"}).Draw(s.t, "presence")))
	}
	s.ask("tools/list", "{}", `{"tools":[`+strings.Join(tools, ",")+`]}`)
}

func (s *session) hint() {
	e := fmt.Sprintf(`{"name":%q`, rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "ghost"}).Draw(s.t, "tool"))
	e += rapid.SampledFrom([]string{`,"visible":true`, `,"visible":false`, `,"presence":"static"`, `,"presence":"dynamic"`, `,"definition":{"description":"other"}`, ""}).Draw(s.t, "what")
	s.add(timeline.In, fmt.Sprintf(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[%s}]}}`, s.next(), e))
}

func drawSession(t *rapid.T) timelinetest.Tape {
	s := &session{t: t}
	s.connect()
	for range rapid.IntRange(0, 40).Draw(t, "moves") {
		switch rapid.IntRange(0, 9).Draw(t, "move") {
		case 0:
			s.connect()
		case 1, 2:
			s.add(timeline.In, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			s.list()
		default:
			s.hint()
		}
	}
	return s.frames
}

// The view, what check prints as head, and the findings say the same.
func TestThePageTheJudgeAndTheFindingsAgree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		frames := drawSession(rt)
		run := conform.NewRun(conform.Options{})
		for _, f := range frames {
			run.Frame(f)
		}
		run.End()
		log := timelinetest.Log(t, frames)
		head, cost := run.Judge.Head(), log.CostAt(log.Len()-1)
		if head.HeadCost != cost.HeadCost {
			rt.Fatalf("the judge says %+v, the log %+v", head.HeadCost, cost.HeadCost)
		}
		found := 0
		for _, f := range run.Findings() {
			if f.Rule == "cache-rebuild" {
				found += f.Count
			}
		}
		if found != head.Rebuilds {
			rt.Fatalf("%d findings of cache-rebuild, and %d rebuilds", found, head.Rebuilds)
		}
		for i := range head.Changes {
			if ch, err := log.HeadChange(i); err != nil || ch.Words() != head.Changes[i].Words() || ch.Index != head.Changes[i].Index {
				rt.Fatalf("change %d: %+v, %v; the judge says %+v", i, ch, err, head.Changes[i])
			}
		}
		c := uitest.MomentOf(t, log, log.Len()-1, 0)
		v := New()
		uitest.Screen(v, c, 160, 43)
		s := uitest.Screen(v, c, 160, 60) // again: changes are read a few at a time
		want := []string{fmt.Sprintf("rebuilt %d time", head.Rebuilds)}
		if len(c.Board.Static) > 0 {
			want = append(want, timeline.About(head.Tokens))
		}
		if c.Board.ToolHints && head.WithoutHints > 0 {
			want = append(want, fmt.Sprintf("REBUILDS     %d,", head.WithoutHints), timeline.About(cost.WithoutTokens))
		}
		if !c.Board.ToolHints {
			want = append(want, fmt.Sprintf("WITH HINTS   %d", head.WithHints))
		}
		for _, w := range want {
			if _, all := len(c.Board.Static), c.Board.ListAt; all >= 0 && !strings.Contains(s, w) && !strings.Contains(s, "came back empty") {
				rt.Fatalf("no %q in\n%s", w, s)
			}
		}
	})
}

// At any size and moment the page is drawn within its lines, whatever keys
// were pressed, and the figures are those of the playhead.
func TestThePageIsDrawnAtAnySizeAndMoment(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := timelinetest.Log(t, drawSession(rt))
		c := uitest.MomentOf(t, log, rapid.IntRange(0, log.Len()-1).Draw(rt, "at"), 0)
		d := &driver{t: t, v: New(), c: c}
		for range rapid.IntRange(1, 12).Draw(rt, "keys") {
			w, h := rapid.IntRange(1, 170).Draw(rt, "w"), rapid.IntRange(1, 50).Draw(rt, "h")
			uitest.Screen(d.v, c, w, h)
			d.press(rapid.SampledFrom([]string{"j", "k", "tab", "shift+tab", "enter", "g", "G", "y", "/", "a", "esc", "z", "i", "pgdown", "pgup", "n", "end", "home", "ctrl+d"}).Draw(rt, "key"))
			d.v.Click(rapid.IntRange(0, 170).Draw(rt, "x"), rapid.IntRange(0, 50).Draw(rt, "y"), rapid.IntRange(-1, 1).Draw(rt, "wheel"), c)
			d.v.Help(c)
			d.v.Where(c)
			d.v.Narrow(c, w, h)
			uitest.Screen(d.v, c, w, h)
		}
	})
}

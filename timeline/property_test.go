package timeline_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

// script makes a session by chance: sound and broken messages alike.
type script struct {
	t      *rapid.T
	frames tape
	via    string
	conn   int
	id     int
	rev    int
	at     time.Duration
	open   []string // answers that may come: "id method"
}

func (s *script) add(dir wire.Dir, body string) {
	s.at += time.Duration(rapid.IntRange(0, 900_000).Draw(s.t, "dt")) * time.Microsecond
	f := wire.Frame{Seq: int64(len(s.frames) + 1), T: s.at, Conn: s.conn, Dir: dir, Via: s.via, Body: []byte(body)}
	f.Form = wire.FormOf(f.Body)
	s.frames = append(s.frames, f)
}

func (s *script) note(name, data string) {
	s.frames = append(s.frames, wire.Frame{
		Seq: int64(len(s.frames) + 1), T: s.at, Conn: s.conn, Dir: wire.Note, Name: name, Data: []byte(data),
	})
}

var toolLines = []string{
	`{"name":"status","inputSchema":{"type":"object"}}`,
	`{"name":"help","description":"d","_meta":{"mcpl/visible":false}}`,
	`{"name":"play","inputSchema":{"type":"object"},"_meta":{"mcpl/toolset":"game","mcpl/visible":false}}`,
	`{"name":"score","_meta":{"mcpl/toolset":"game","mcpl/presence":"static"}}`,
	`{"name":"tune","_meta":{"mcpl/toolset":"radio"}}`,
	`{"name":"shout","_meta":{"mcpl/presence":"dynamic"}}`,
	`{"name":"dust","_meta":{"mcpl/toolset":"attic"}}`,
}

const manifestJSON = `{"version":"0.5","toolHints":true,"toolsets":{"game":{"title":"Go","instances":true},"radio":{"title":"Radio","default":"open"}}}`

func (s *script) connect() {
	s.conn++
	s.rev = 0
	s.note("connected", `{}`)
	hints := rapid.SampledFrom([]string{"true", "true", "true", "true", "false"}).Draw(s.t, "hostHints")
	s.request("initialize", `{"capabilities":{"experimental":{"mcpl":{"toolHints":`+hints+`}}}}`)
	s.answer(`{"protocolVersion":"2025-06-18","serverInfo":{"name":"s"},"capabilities":{"experimental":{"mcpl":` + manifestJSON + `}}}`)
	s.list()
}

func (s *script) request(method, params string) {
	s.id++
	s.add(wire.Out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, s.id, method, params))
	s.open = append(s.open, fmt.Sprintf("%d", s.id))
}

func (s *script) answer(result string) {
	if len(s.open) == 0 {
		return
	}
	i := rapid.IntRange(0, len(s.open)-1).Draw(s.t, "which")
	s.add(wire.In, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, s.open[i], result))
	if rapid.IntRange(0, 9).Draw(s.t, "again") > 0 {
		s.open = append(s.open[:i], s.open[i+1:]...)
	}
}

func (s *script) list() {
	s.request("tools/list", `{}`)
	n := rapid.IntRange(1, len(toolLines)).Draw(s.t, "tools")
	tools := rapid.Permutation(toolLines).Draw(s.t, "order")[:n]
	s.open = []string{fmt.Sprintf("%d", s.id)}
	s.answer(fmt.Sprintf(`{"tools":[%s],"_meta":{"mcpl/rev":%d}}`, strings.Join(tools, ","), rapid.IntRange(0, 3).Draw(s.t, "listRev")))
}

func (s *script) hints() string {
	s.rev++
	rev := s.rev + rapid.SampledFrom([]int{0, 0, 0, 0, 0, 1, 2, -1}).Draw(s.t, "skew")
	s.rev = max(s.rev, rev)
	var tools, sets, suggest []string
	for range rapid.IntRange(0, 3).Draw(s.t, "nTools") {
		e := fmt.Sprintf(`{"name":%q`, rapid.SampledFrom([]string{"status", "help", "play", "score", "tune", "shout", "dust", "ghost"}).Draw(s.t, "tool"))
		if in := rapid.SampledFrom([]string{"", "a", "b"}).Draw(s.t, "in"); in != "" {
			e += fmt.Sprintf(`,"instance":%q`, in)
		}
		e += rapid.SampledFrom([]string{"", `,"visible":true`, `,"visible":false`}).Draw(s.t, "visible")
		e += rapid.SampledFrom([]string{"", "", `,"presence":"static"`, `,"presence":"dynamic"`}).Draw(s.t, "presence")
		e += rapid.SampledFrom([]string{"", "", `,"definition":{"description":"now 1"}`, `,"definition":{"description":"d","inputSchema":{"type":"object"}}`}).Draw(s.t, "definition")
		tools = append(tools, e+"}")
	}
	for range rapid.IntRange(0, 2).Draw(s.t, "nSets") {
		e := fmt.Sprintf(`{"toolset":%q`, rapid.SampledFrom([]string{"game", "game", "radio", "attic"}).Draw(s.t, "set"))
		e += rapid.SampledFrom([]string{"", `,"instance":"a"`, `,"instance":"b"`}).Draw(s.t, "setIn")
		e += rapid.SampledFrom([]string{`,"state":"open"`, `,"state":"open"`, `,"state":"closed"`, ""}).Draw(s.t, "state")
		e += rapid.SampledFrom([]string{"", `,"title":"T1"`}).Draw(s.t, "title")
		sets = append(sets, e+"}")
	}
	if rapid.IntRange(0, 4).Draw(s.t, "nSuggest") == 0 {
		suggest = append(suggest, `{"toolset":"game","reason":"why not"}`)
	}
	return fmt.Sprintf(`{"rev":%d,"tools":[%s],"toolsets":[%s],"suggest":[%s]}`, rev,
		strings.Join(tools, ","), strings.Join(sets, ","), strings.Join(suggest, ","))
}

func (s *script) move() {
	in := rapid.SampledFrom([]string{"a", "b"}).Draw(s.t, "instance")
	switch rapid.IntRange(0, 11).Draw(s.t, "move") {
	case 0:
		s.request("toolsets/open", `{"toolset":"game","instance":"`+in+`"}`)
	case 1:
		s.request("toolsets/close", `{"toolset":"game","instance":"`+in+`"}`)
	case 2:
		s.request("toolsets/open", `{"toolset":"radio"}`)
	case 3:
		s.request("tools/call", `{"name":"play","arguments":{},"_meta":{"mcpl/instance":"`+in+`"}}`)
	case 4, 5:
		s.answer(`{"open":[{"toolset":"radio"}],"_meta":{"mcpl/hints":` + s.hints() + `}}`)
	case 6:
		s.request("toolsets/list", `{}`)
	case 7, 8:
		s.add(wire.In, `{"jsonrpc":"2.0","method":"tools/hints","params":`+s.hints()+`}`)
	case 9:
		s.add(wire.In, fmt.Sprintf(`{"jsonrpc":"2.0","id":"s%d","method":"push/event","params":{"eventId":"e%d","hints":%s}}`,
			len(s.frames), rapid.IntRange(0, 20).Draw(s.t, "event"), s.hints()))
	case 10:
		s.note(rapid.SampledFrom([]string{"group-open", "group-close", "hold-expired"}).Draw(s.t, "note"), `{"toolset":"attic"}`)
	case 11:
		switch rapid.IntRange(0, 3).Draw(s.t, "rare") {
		case 0:
			s.list()
		case 1:
			s.connect()
		case 2:
			s.request("mcpl/manifest", `{}`)
			s.open = []string{fmt.Sprintf("%d", s.id)}
			s.answer(rapid.SampledFrom([]string{manifestJSON, `{"toolHints":true,"toolsets":{"game":{}}}`, `{}`}).Draw(s.t, "manifest"))
		case 3:
			s.add(wire.In, `[{"jsonrpc":"2.0","method":"tools/hints","params":`+s.hints()+`},{"jsonrpc":"2.0","method":"tools/hints","params":`+s.hints()+`}]`)
		}
	}
}

func drawSession(t *rapid.T, most int) tape {
	s := &script{t: t, via: rapid.SampledFrom([]string{"stdio", "http:post:1"}).Draw(t, "via")}
	s.connect()
	for range rapid.IntRange(0, most).Draw(t, "moves") {
		s.move()
	}
	return s.frames
}

func TestABoardIsTheSameHoweverOneGotThere(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		frames := drawSession(rt, 60)
		l := timelinetest.Log(t, frames)
		for range 6 {
			i := rapid.IntRange(0, len(frames)-1).Draw(rt, "at")
			got, err := l.Board(i)
			if err != nil {
				rt.Fatal(err)
			}
			fresh := timelinetest.Log(t, frames[:i+1])
			want, _ := fresh.Board(i)
			if !reflect.DeepEqual(got, want) {
				rt.Fatalf("board at %d differs:\n got %+v\nwant %+v", i, got, want)
			}
		}
	})
}

func TestKeyframesChangeNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		frames := drawSession(rt, 80)
		l := timeline.NewLog(frames)
		l.SetKeyEvery(5)
		for n := 1; n > 0; n, _ = l.Advance(100) {
		}
		for range 6 {
			i := rapid.IntRange(0, len(frames)-1).Draw(rt, "at")
			got, err := l.Board(i)
			if err != nil {
				rt.Fatal(err)
			}
			want, _ := timelinetest.Log(t, frames[:i+1]).Board(i)
			if !reflect.DeepEqual(got, want) {
				rt.Fatalf("board at %d differs:\n got %+v\nwant %+v", i, got, want)
			}
			r := rapid.IntRange(0, max(l.RowCount()-1, 0)).Draw(rt, "row")
			a, _ := l.Rows(r, r+3)
			b, _ := timelinetest.Log(t, frames).Rows(r, r+3)
			if !reflect.DeepEqual(a, b) {
				rt.Fatalf("rows from %d differ:\n got %+v\nwant %+v", r, a, b)
			}
		}
	})
}

// TestRowsSayWhatABoardComparisonSays compares the changes of each row that
// was applied by its own frame alone with the difference between the two
// boards, found by looking at everything.
func TestRowsSayWhatABoardComparisonSays(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		frames := drawSession(rt, 80)
		l := timelinetest.Log(t, frames)
		rows, err := l.Rows(0, l.RowCount())
		if err != nil {
			rt.Fatal(err)
		}
		settled := map[int]int{}
		for _, r := range rows {
			settled[r.Taken]++
		}
		for _, r := range rows {
			if e := l.Entry(r.Index); e.Rows != 1 || r.Taken >= 0 && (r.Taken != r.Index || settled[r.Taken] != 1) {
				continue
			}
			before, _ := l.Board(r.Index - 1)
			after, _ := l.Board(r.Index)
			if before.Conn != after.Conn || !after.ToolHints || l.Entry(r.Index).Dir == wire.Note || r.Status == timeline.Held {
				continue
			}
			if len(before.Held) > 0 {
				continue // the frame may first have let go what was held
			}
			want := boardDiff(before, after)
			got := map[string]bool{}
			for _, ch := range r.Changes {
				if ch.Kind != timeline.Suggested {
					got[fmt.Sprint(ch.Kind, " ", ch.Toolset, "/", ch.Instance, "/", ch.Tool)] = true
				}
			}
			// What hints said of the tool itself, before its toolset had
			// instances, holds in a new instance too, and no board shows it.
			for k := range want {
				if in, found := strings.CutPrefix(k, "redefined "); found && want["opened "+in[:strings.LastIndex(in, "/")+1]] {
					delete(want, k)
					delete(got, k)
				}
			}
			if !reflect.DeepEqual(got, want) {
				rt.Fatalf("row of frame %d (%s %s):\n got %v\nwant %v\nbefore %+v", r.Seq, r.Carrier, r.Status, got, want, frames[r.Index])
			}
		}
	})
}

type cellSeen struct {
	visible, static bool
	def             string
}

// boardDiff compares two boards by everything that stands on them.
func boardDiff(a, b *timeline.Board) map[string]bool {
	out := map[string]bool{}
	setsA, cellsA := flat(a)
	setsB, cellsB := flat(b)
	for k, titleB := range setsB {
		if titleA, was := setsA[k]; !was {
			out["opened "+k+"/"] = true
		} else if titleA != titleB {
			out["retitled "+k+"/"] = true
		}
	}
	for k := range setsA {
		if _, is := setsB[k]; !is {
			out["closed "+k+"/"] = true
		}
	}
	for k, now := range cellsB {
		was, ok := cellsA[k]
		set, tool, _ := strings.Cut(k, "\x00")
		if !ok { // an instance that was not open before
			was = cellsA[strings.SplitN(set, "/", 2)[0]+"/\x00"+tool]
			was.visible = false
		}
		key := " " + set + "/" + tool
		if now.visible && !was.visible {
			out["shown"+key] = true
		}
		_, stillOpen := setsB[set]
		if !now.visible && was.visible && (stillOpen || strings.HasPrefix(set, "/")) {
			out["hidden"+key] = true
		}
		if now.static != was.static {
			out["moved"+key] = true
		}
		if now.def != was.def {
			out["redefined"+key] = true
		}
	}
	return out
}

// flat returns what is open with its title, and every cell.
func flat(b *timeline.Board) (map[string]string, map[string]cellSeen) {
	sets, cells := map[string]string{}, map[string]cellSeen{}
	put := func(set string, t timeline.Tool, c timeline.Cell) {
		cells[set+"\x00"+t.Name] = cellSeen{c.Visible, t.Presence == "static", members(c.Definition)}
	}
	for _, t := range append(append([]timeline.Tool{}, b.Static...), b.Loose...) {
		put("/", t, t.Cells[0])
	}
	for _, s := range b.Toolsets {
		if s.Open && !s.HasInstances {
			sets[s.Name+"/"] = s.Title
		}
		for i, in := range s.Instances {
			sets[s.Name+"/"+in.Name] = in.Title
			for _, t := range s.Tools {
				put(s.Name+"/"+in.Name, t, t.Cells[i])
			}
		}
		for _, t := range s.Tools {
			if !s.HasInstances {
				put(s.Name+"/", t, t.Cells[0])
			} else { // what it would be in an instance of which nothing was said
				cells[s.Name+"/\x00"+t.Name] = cellSeen{false, false, members(t.Declared)}
			}
		}
	}
	return sets, cells
}

func members(def []byte) string {
	return fmt.Sprintf("%s|%s|%s", wire.Member(def, "description"), wire.Member(def, "inputSchema"), wire.Member(def, "annotations"))
}

func TestNoFrameIsTooOddToBeReduced(t *testing.T) {
	odd := rapid.SampledFrom([]string{`null`, `[]`, `{}`, `1`, `"x"`, `[[]]`, `{"id":null}`, `true`, `{"name":1}`, `[null]`, `{"toolset":{}}`, `1e999999999`})
	rapid.Check(t, func(rt *rapid.T) {
		frames := drawSession(rt, 10)
		for range rapid.IntRange(1, 20).Draw(rt, "n") {
			method := rapid.SampledFrom([]string{"tools/hints", "push/event", "initialize", "tools/list", "toolsets/open", "notifications/cancelled", ""}).Draw(rt, "method")
			member := rapid.SampledFrom([]string{"params", "result", "error"}).Draw(rt, "member")
			inner := rapid.SampledFrom([]string{"", "rev", "tools", "toolsets", "suggest", "hints", "_meta", "open", "eventId", "name", "cursor", "nextCursor"}).Draw(rt, "inner")
			value := odd.Draw(rt, "value")
			if inner != "" {
				value = fmt.Sprintf(`{%q:%s}`, inner, value)
			}
			body := fmt.Sprintf(`{"id":%s,"method":%q,%q:%s}`, odd.Draw(rt, "id"), method, member, value)
			f := wire.Frame{
				Seq: int64(len(frames) + 1), T: frames[len(frames)-1].T, Conn: 1, Via: "stdio",
				Dir: rapid.SampledFrom([]wire.Dir{wire.In, wire.Out, wire.Err, wire.Note}).Draw(rt, "dir"), Body: []byte(body),
				Name: "closed", Data: []byte(odd.Draw(rt, "data")),
			}
			f.Form = wire.FormOf(f.Body)
			frames = append(frames, f)
		}
		l := timelinetest.Log(t, frames)
		if _, err := l.Rows(0, l.RowCount()); err != nil {
			rt.Fatal(err)
		}
		b, err := l.Board(l.Len() - 1)
		if err != nil {
			rt.Fatal(err)
		}
		if _, err := json.Marshal(b.Export()); err != nil {
			rt.Fatal(err)
		}
	})
}

func TestLanesAgreeWithTheBoardAtEveryFrame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		frames := drawSession(rt, 60)
		l := timelinetest.Log(t, frames)
		for i := range frames {
			b, err := l.Board(i)
			if err != nil {
				rt.Fatal(err)
			}
			if !b.ToolHints || turnedOff(l, b.Conn, i) {
				continue
			}
			check := func(k timeline.LaneKey, c timeline.Cell) {
				if got := l.LaneAt(k, i).Usable; got != c.Visible {
					rt.Fatalf("frame %d, %+v: the lane says %v, the board %v", frames[i].Seq, k, got, c.Visible)
				}
			}
			for _, tool := range append(append([]timeline.Tool{}, b.Static...), b.Loose...) {
				check(timeline.LaneKey{Conn: b.Conn, Tool: tool.Name}, tool.Cells[0])
			}
			for _, s := range b.Toolsets {
				if !s.HasInstances {
					if got := l.LaneAt(timeline.LaneKey{Conn: b.Conn, Toolset: s.Name}, i).Open; got != s.Open {
						rt.Fatalf("frame %d: lane of %s says open %v, the board %v", frames[i].Seq, s.Name, got, s.Open)
					}
				}
				for n, in := range s.Instances {
					for _, tool := range s.Tools {
						check(timeline.LaneKey{Conn: b.Conn, Toolset: s.Name, Instance: in.Name, Tool: tool.Name}, tool.Cells[n])
					}
				}
				for _, tool := range s.Tools {
					if !s.HasInstances {
						check(timeline.LaneKey{Conn: b.Conn, Toolset: s.Name, Tool: tool.Name}, tool.Cells[0])
					}
				}
			}
		}
	})
}

// turnedOff: a manifest ended and perhaps renewed the negotiation, or changed
// what has instances; lanes start anew from there.
func turnedOff(l *timeline.Log, conn, i int) bool {
	b, _ := l.Board(i)
	first, _ := l.Frame(b.ManifestAt)
	return b.ManifestAt >= 0 && wire.Member(first.Body, "result") != nil && wire.Path(first.Body, "result", "serverInfo") == nil
}

package compare

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
	"github.com/mcpl-tui/mcpl-tui/ui/board"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// made is a session whose frames stand in memory, or are made when they are
// read. It counts the reads.
type made struct {
	frames []string // the messages of the server, and, after "> ", of the host
	more   func(i int) string
	n      int
	reads  int
}

func (m *made) Len() int { return len(m.frames) + m.n }

func (m *made) Frame(i int) (timeline.Frame, error) {
	m.reads++
	body := ""
	if i < len(m.frames) {
		body = m.frames[i]
	} else {
		body = m.more(i - len(m.frames))
	}
	f := timeline.Frame{Seq: int64(i + 1), T: time.Duration(i) * time.Millisecond, Conn: 1, Dir: timeline.In, Via: "stdio", Form: 1}
	if msg, mine := strings.CutPrefix(body, "> "); mine {
		f.Dir, body = timeline.Out, msg
	}
	f.Body = []byte(body)
	return f, nil
}

func (m *made) log(t testing.TB) *timeline.Log {
	t.Helper()
	log := timelinetest.Log(t, m)
	m.reads = 0
	return log
}

// handshake opens an instance ada of game; def is play as it is listed.
func handshake(def string) []string {
	return []string{
		`> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"experimental":{"mcpl":{"toolHints":true}}}}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"experimental":{"mcpl":{"version":"0.5","toolHints":true,"toolsets":{"game":{"instances":true}}}}}}}`,
		`> {"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"status"},` + def + `]}}`,
		`> {"jsonrpc":"2.0","id":3,"method":"toolsets/list"}`,
		`{"jsonrpc":"2.0","id":3,"result":{"open":[{"toolset":"game","instance":"ada"}],"_meta":{"mcpl/hints":{"rev":1}}}}`,
	}
}

var evil = []string{
	"play", "a\\u001b[31mred", "対局者と話す囲碁", "👩‍👩‍👧‍👧🎲", "\\u202egnp.exe", "e\u0301\u0301\u0301", "line\\nbreak\\ttab", strings.Repeat("long-", 60),
	strings.Repeat("囲 ", 300), "", " ", "\\u200b", `\"`, "🇦🇶🇦", "ﷺ",
}

func anyDefinition(t *rapid.T, depth int) string {
	word := func() string { return `"` + rapid.SampledFrom(evil).Draw(t, "text") + `"` }
	switch n := rapid.IntRange(0, 7).Draw(t, "kind"); {
	case n < 2 || depth > 4:
		return word()
	case n == 2:
		return rapid.SampledFrom([]string{"1", "true", "null", "[]", "{}", "1e999", "-0.5"}).Draw(t, "scalar")
	case n == 3:
		var parts []string
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			parts = append(parts, word())
		}
		return "[" + strings.Join(parts, ",") + "]"
	case n == 4:
		var parts []string
		for range rapid.IntRange(0, 4).Draw(t, "n") {
			parts = append(parts, anyDefinition(t, depth+1))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	keys := []string{"type", "enum", "properties", "required", "title", "at", "comment", "anyOf", "items"}
	var parts []string
	for range rapid.IntRange(0, 6).Draw(t, "n") {
		key := rapid.SampledFrom(keys).Draw(t, "key")
		if rapid.IntRange(0, 4).Draw(t, "odd") == 0 {
			key = rapid.SampledFrom(evil).Draw(t, "key")
		}
		parts = append(parts, `"`+key+`":`+anyDefinition(t, depth+1))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func anyTool(t *rapid.T, name string) string {
	return `{"name":"` + name + `","description":` + anyDefinition(t, 5) + `,"inputSchema":` + anyDefinition(t, 0) + `,"annotations":` + anyDefinition(t, 3) + `,"_meta":{"mcpl/toolset":"game"}}`
}

// At no size, with no definitions, after no keys does a comparison panic, draw
// outside its region, or let a control character through.
func TestAComparisonStaysInItsPlace(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom(evil).Draw(rt, "name")
		if name == "" {
			name = "x"
		}
		m := &made{frames: handshake(anyTool(rt, name))}
		for rev := 2; rev < rapid.IntRange(2, 8).Draw(rt, "revs"); rev++ {
			m.frames = append(m.frames, fmt.Sprintf(
				`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"reason":%s,"tools":[{"name":"%s","instance":"ada","visible":%v,"definition":%s}]}}`,
				rev, anyDefinition(rt, 5), name, rapid.Bool().Draw(rt, "visible"), anyTool(rt, name),
			))
		}
		log := m.log(t)
		c := contextAt(t, log, rapid.IntRange(0, log.Len()-1).Draw(rt, "at"))
		c.Mark = rapid.IntRange(-1, log.Len()-1).Draw(rt, "mark")
		c.Replay, c.Focus = rapid.Bool().Draw(rt, "replay"), rapid.Bool().Draw(rt, "focus")
		target := Target{}
		if rapid.IntRange(0, 3).Draw(rt, "whole") > 0 {
			target = Target{Toolset: "game", Instance: "ada", Tool: toolName(c.Board, name)}
		}
		v := beside(c, target)
		if rapid.Bool().Draw(rt, "alone") {
			v.Revs, v.Findings = nil, nil
		}
		for range rapid.IntRange(1, 10).Draw(rt, "steps") {
			w, h := uitest.AnySize(rt)
			uitest.InPlace(rt, v, c, w, h)
			if rapid.Bool().Draw(rt, "mouse") {
				v.Click(rapid.IntRange(-2, w+2).Draw(rt, "x"), rapid.IntRange(-2, h+2).Draw(rt, "y"), rapid.IntRange(-1, 1).Draw(rt, "wheel"), c)
			} else {
				v.Key(rapid.SampledFrom([]string{"d", "z", "enter", "j", "k", "end", "home", "pgdown", "pgup", "ctrl+d", "ctrl+u", "y", "é"}).Draw(rt, "key"), c)
			}
			v.Help(c)
			v.Where(c)
			v.Narrow(c, w, h)
			uitest.InPlace(rt, v, c, w, h)
		}
	})
}

// toolName is the name of the tool that is not status, as the list gives it.
func toolName(b *timeline.Board, or string) string {
	for i := range b.Toolsets {
		for k := range b.Toolsets[i].Tools {
			return b.Toolsets[i].Tools[k].Name
		}
	}
	return or
}

// long is a session of n revs, of which each eighth redefines play.
func long(n int) *made {
	points := `"A1"`
	for i := range 360 {
		points += fmt.Sprintf(`,"P%d"`, i)
	}
	return &made{
		frames: handshake(`{"name":"play","description":"Place","inputSchema":{"type":"object","properties":{"at":{"enum":[` + points + `]}}},"_meta":{"mcpl/toolset":"game"}}`),
		n:      n,
		more: func(i int) string {
			return fmt.Sprintf(
				`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"play","instance":"ada","visible":%v,"definition":{"description":"Place a stone. Move %d."}}]}}`,
				i+2, i%2 == 0, i/8,
			)
		},
	}
}

func TestWhatDidNotMoveIsNotReadAgain(t *testing.T) {
	m := long(3000)
	log := m.log(t)
	c := contextAt(t, log, log.Len()-2)
	c.Mark = 100
	for _, target := range []Target{{Toolset: "game", Instance: "ada", Tool: "play"}, {}} {
		v := New(target)
		v.Revs = board.New()
		for range 3 {
			uitest.Screen(v, c, 160, 43)
			m.reads = 0
			uitest.Screen(v, c, 160, 43)
			v.Key("j", c)
			v.Help(c)
			uitest.Screen(v, c, 100, 25)
			if m.reads > 0 {
				t.Errorf("%+v: %d frames were read although nothing moved", target, m.reads)
			}
			v.Key("d", c) // another baseline
		}
	}
}

func TestALiveSessionThatGoesOnElsewhereCostsNoReadingBack(t *testing.T) {
	m := long(3000)
	m.frames = append(m.frames, m.more(0)) // rev 2 redefines play, the others speak of another tool
	more := m.more
	m.more = func(i int) string { return strings.Replace(more(i+1), `"play"`, `"other"`, 1) }
	log := m.log(t)
	v := New(Target{Toolset: "game", Instance: "ada", Tool: "play"})
	for i := range 50 {
		c := contextAt(t, log, log.Len()-100+i)
		m.reads = 0
		wantText(t, uitest.Screen(v, c, 160, 43), "before, rev 1  against  here, rev "+itoa(2903+i))
		if i > 0 && m.reads > 0 {
			t.Fatalf("%d frames were read for a rev of another tool", m.reads)
		}
	}
}

// Drawing costs the same however long the session is: at most 4 ms.
func BenchmarkDraw(b *testing.B) {
	for _, n := range []int{1_000, 1_000_000} {
		log := long(n).log(b)
		c := contextAt(b, log, log.Len()-1)
		c.Mark = 20
		c.Replay = false
		for name, target := range map[string]Target{"tool": {Toolset: "game", Instance: "ada", Tool: "play"}, "board": {}} {
			v := New(target)
			v.Revs = board.New()
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				for b.Loop() {
					canvas := kit.NewCanvas(160, 43)
					v.Draw(canvas.All(), c)
				}
			})
		}
	}
}

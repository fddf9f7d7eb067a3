package wireview

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// The bodies of screens of 160 × 48, 100 × 30, 80 × 24 and 40 × 12, and some
// between.
var bodies = [][2]int{{160, 43}, {100, 25}, {80, 19}, {40, 8}, {140, 43}, {200, 50}, {60, 19}}

func TestTheWireLooksAsDrawn(t *testing.T) {
	states := map[string]func(s *screen){
		"frame-99":   func(*screen) {},
		"inspect":    func(s *screen) { s.press("enter") },
		"live":       func(s *screen) { s.press("G") },
		"at-a-push":  func(s *screen) { s.at(94) },
		"filtered":   func(s *screen) { s.filter("tool:undo"); s.press("enter") },
		"typing":     func(s *screen) { s.filter("dir:err game=vs-ada") },
		"no-match":   func(s *screen) { s.filter("tool:undoo"); s.press("enter") },
		"start":      func(s *screen) { s.press("g") },
		"on-replay":  func(s *screen) { s.c.Replay = true; s.at(99) },
		"unknown-ke": func(s *screen) { s.filter("colour:red"); s.press("enter") },
	}
	for name, act := range states {
		for _, b := range bodies {
			t.Run(fmt.Sprintf("%s-%dx%d", name, b[0], b[1]), func(t *testing.T) {
				s := goban(t, b[0], b[1])
				s.draw()
				act(s)
				golden.RequireEqual(t, []byte(s.draw()))
			})
		}
	}
}

// The list of screen (f) to the letter, but for the sizes of messages whose
// bytes the session fixes otherwise (see uitest.Goban).
func TestTheListIsThatOfTheDrawnScreen(t *testing.T) {
	s := goban(t, 160, 43)
	out := strings.Split(s.draw(), "\n")
	for y, want := range map[int]string{
		0:  "━ WIRE ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ all 101     / filters, as:  tool:undo  dir:in  -err ━┭─ INSPECT ────────────────────────────────── frame 99 ─",
		1:  "      #     TIME      WHAT                                         ID    TOOK    SIZE  REV  CHANGED     │ tools/call undo @ vs-ada     #28   38 ms   tool error",
		2:  "     61 1:46.350  ←   ok  sent                                   #19   150 ms    90 B                   │",
		4:  "     63 1:55.304  ←   ok                                         #20     4 ms   130 B   24  ◇           │   {\"jsonrpc\":\"2.0\",\"id\":28,\"method\":\"tools/call\",",
		7:  "     66 2:04.810  ←   ok  Black E7                               #21   210 ms   268 B   26       -2     │",
		12: "     71 2:14.100  ← push/event mv-0087  “Black plays Q6. Your …  s11            560 B   29    +2    ~1  │      {\"type\":\"text\",",
		29: "     88 2:52.300  ← push/event mv-0091  “Ada says: hello!”       s15            318 B   38            ? │",
		32: "     91 2:58.000  ← push/event mv-0092  “Ada allows a takeback…  s16            301 B   39            ✗ │",
		38: " ┌   97 3:14.020  → tools/call undo@vs-ada                       #28            122 B                   │",
		39: " │   98 3:14.056  ┆ stderr  undo refused game=vs-ada: not perm…                  39 B                   │",
		40: "▌└   99 3:14.058  ←   ! tool error  Ada has not agreed to a ta…  #28    38 ms   122 B                   │",
		41: "·   100 3:16.870  → tools/call score@vs-bot                      #29  ⋯ 3.4 s   123 B                   │",
		42: "·   101 3:16.874  ┆ stderr  scoring 19x19, 214 stones ...                        29 B                   │",
	} {
		if out[y] != want {
			t.Errorf("row %d\n got %s\nwant %s", y, out[y], want)
		}
	}
}

func TestTheCursorIsThePlayhead(t *testing.T) {
	s := goban(t, 100, 25)
	for _, c := range []struct {
		keys string
		at   int
	}{
		{"k", 97},
		{"up", 96},
		{"j", 97},
		{"down", 98},
		{"j j", 100},
		{"j", 100},
		{"g", 0},
		{"k", 0},
		{"G", 100},
		{"ctrl+u", 93},
		{"ctrl+d", 100},
		{"pgup", 87},
		{"pgdown", 100},
		{"home", 0},
		{"end", 100},
	} {
		s.press(strings.Fields(c.keys)...)
		s.draw()
		if s.c.At != c.at {
			t.Errorf("%s: at %d, want %d", c.keys, s.c.At, c.at)
		}
	}
	if do := s.press("k", "j"); do.Kind != view.GoLive {
		t.Errorf("onto the last frame is live: %+v", do)
	}
	if do, _ := s.v.Key("k", &s.c); do.Kind != view.GoTo || do.Index != 99 {
		t.Errorf("%+v", do)
	}
}

func TestThePlayheadIsInSightWhereverItGoes(t *testing.T) {
	s := goban(t, 100, 25)
	rapid.Check(t, func(rt *rapid.T) {
		s.at(rapid.IntRange(0, s.log.Len()-1).Draw(rt, "at"))
		s.w, s.h = rapid.IntRange(60, 170).Draw(rt, "w"), rapid.IntRange(4, 45).Draw(rt, "h")
		if out := s.draw(); !strings.Contains(out, "▌") {
			rt.Fatalf("frame %d is not in sight:\n%s", s.c.At+1, out)
		}
	})
}

func TestAtTheEndTheListFollowsAndElsewhereItStands(t *testing.T) {
	src := uitest.NewSource(t, uitest.Frames(uitest.Goban()).Cut(60))
	s := newScreen(t, src.Log(), 100, 20)
	s.has(s.draw(), "▌    60")
	src.Show(61)
	s.at(60)
	s.has(s.draw(), "▌└   61")
	s.press("k")
	before := seqs(s.draw())
	src.Show(64)
	s.at(59)
	if after := seqs(s.draw()); after != before {
		t.Errorf("the list moved from %s to %s", before, after)
	}
	s.has(s.draw(), "·└   61", "all 64")
}

func TestPercentJumpsBetweenRequestAndAnswer(t *testing.T) {
	s := goban(t, 100, 25)
	s.press("%")
	if s.c.At != 96 {
		t.Errorf("at %d", s.c.At)
	}
	s.press("%")
	if s.c.At != 98 {
		t.Errorf("at %d", s.c.At)
	}
	for at, want := range map[int]string{
		99: "this request has no answer", 97: "only requests and answers come in pairs",
	} {
		s.at(at)
		if do := s.press("%"); do.Kind != view.Say || do.Text != want {
			t.Errorf("frame %d: %+v", at+1, do)
		}
	}
}

func TestRFillsTheFormWithWhatWasSent(t *testing.T) {
	s := goban(t, 100, 25)
	for at, want := range map[int]view.Intent{
		98: {Kind: view.CallForm, Tool: "undo", Instance: "vs-ada", Args: []byte("{}")},
		64: {Kind: view.CallForm, Tool: "play", Instance: "vs-ada", Args: []byte(`{"at":"E7"}`)},
		14: {Kind: view.OpenForm, Toolset: "game", Instance: "vs-ada", Args: []byte(`{"opponent":"ada","size":9}`)},
	} {
		s.at(at)
		do := s.press("r")
		if do.Kind != want.Kind || do.Tool != want.Tool || do.Toolset != want.Toolset || do.Instance != want.Instance || string(do.Args) != string(want.Args) {
			t.Errorf("frame %d: %+v %s", at+1, do, do.Args)
		}
	}
	s.at(61) // a close
	if do := s.press("r"); do.Kind != view.Say {
		t.Errorf("%+v", do)
	}
	s.at(94) // a push: the root's own r
	if _, handled := s.v.Key("r", &s.c); handled {
		t.Error("r on a push belongs to the root")
	}
	s.at(98)
	s.c.Ended = true
	if _, handled := s.v.Key("r", &s.c); handled {
		t.Error("r on a dead server belongs to the root")
	}
}

func TestCopyTakesTheBytesAndTheCommand(t *testing.T) {
	s := goban(t, 100, 25)
	do := s.press("y")
	if do.Kind != view.Copy || !strings.HasPrefix(do.Text, `{"jsonrpc":"2.0","id":28,"result"`) || do.What != "frame 99, 122 B" {
		t.Errorf("%+v", do)
	}
	do = s.press("Y")
	if do.Kind != view.Copy || do.Text != "mcpl-tui do -c 'call undo@vs-ada' -- node dist/server.js" {
		t.Errorf("%+v", do)
	}
	s.at(94)
	if do = s.press("Y"); do.Kind != view.Say {
		t.Errorf("%+v", do)
	}
	s.at(2) // initialize
	if do = s.press("Y"); do.Kind != view.Say || !strings.Contains(do.Text, "handshake") {
		t.Errorf("%+v", do)
	}
	s.at(32)
	if do = s.press("y"); do.Text != `{"text":"second game"}` {
		t.Errorf("%+v", do)
	}
	s.v.Target = nil
	s.at(98)
	if do = s.press("Y"); !strings.HasSuffix(do.Text, " TARGET") {
		t.Errorf("%+v", do)
	}
}

func TestEnterReadsAndEscComesBack(t *testing.T) {
	for _, b := range bodies {
		s := goban(t, b[0], b[1])
		s.draw()
		s.press("enter")
		out := s.draw()
		s.has(out, "ASKED")
		if b[0] >= narrow {
			s.has(out, "━ INSPECT")
		}
		s.press("j", "j")
		if s.c.At != 98 {
			t.Errorf("%v: j scrolls, and does not move in time", b)
		}
		s.press("%")
		if s.c.At != 96 {
			t.Errorf("%v: %% leads from message to message", b)
		}
		if _, handled := s.v.Key("esc", &s.c); !handled {
			t.Errorf("%v: esc comes back", b)
		}
		s.draw()
		s.press("k")
		if s.c.At != 95 {
			t.Errorf("%v: the list has the keys again, at %d", b, s.c.At)
		}
		if _, handled := s.v.Key("esc", &s.c); handled {
			t.Errorf("%v: in the list esc is the root's", b)
		}
	}
}

func TestTabAndIAndZChangeThePane(t *testing.T) {
	s := goban(t, 160, 43)
	s.draw()
	s.press("tab")
	s.has(s.draw(), "━ INSPECT", "┮", "▏└   99")
	s.press("tab")
	s.has(s.draw(), "━ WIRE", "┭", "▌└   99")
	s.press("i", "z")
	s.hasNot(s.draw(), "WIRE")
	s.press("z")
	s.has(s.draw(), "━ INSPECT", "─ WIRE")
	s = goban(t, 80, 19)
	s.draw()
	s.press("i")
	s.hasNot(s.draw(), "WIRE")
	if got := s.v.Narrow(&s.c, 80, 19); got != "INSPECT frame 99" {
		t.Error(got)
	}
	s.press("i")
	s.has(s.draw(), "━ WIRE")
}

func TestAnOpenCallTicksAgainstTheClock(t *testing.T) {
	s := goban(t, 160, 43)
	s.has(s.draw(), "⋯ 3.4 s")
	s.c.Now += 1500 * time.Millisecond
	s.has(s.draw(), "⋯ 4.9 s")
	// In a recording it stands at the recording's own clock, and is open only
	// from its request to its answer.
	s = newScreen(t, uitest.NewSource(t, uitest.Frames(uitest.Goban())).Log(), 160, 43)
	s.c.Replay = true
	s.at(100)
	s.has(s.draw(), "⋯ 4 ms", "5.0 s")
	s.at(101)
	s.hasNot(s.draw(), "⋯")
	s.at(98)
	s.hasNot(s.draw(), "⋯")
}

func TestARequestThatNobodyAnswersSaysWhatBecameOfIt(t *testing.T) {
	msg := func(dir timeline.Dir, body string) timeline.Frame {
		return timeline.Frame{Dir: dir, Via: "stdio", Form: 1, Body: []byte(body)}
	}
	note := func(name, data string) timeline.Frame {
		return timeline.Frame{Dir: timeline.Note, Name: name, Data: []byte(data)}
	}
	ask := msg(timeline.Out, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`)
	for want, frames := range map[string][]timeline.Frame{
		"tools/call t  cancelled": {ask, note("cancelled", `{"id":1}`)},
		"tools/call t  timed out": {ask, note("timeout", `{"id":1}`), msg(timeline.Out, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)},
		"tools/call t  no answer": {ask, note("closed", `{"by":"server"}`)},
	} {
		s := newScreen(t, logOf(t, frames...), 100, 20)
		out := s.draw()
		s.has(out, want)
		s.hasNot(out, "⋯")
	}
}

func logOf(t testing.TB, frames ...timeline.Frame) *timeline.Log {
	t.Helper()
	src := make(timelinetest.Tape, len(frames))
	for i, f := range frames {
		f.Seq, f.Conn, f.T = int64(i+1), max(f.Conn, 1), time.Duration(i)*time.Second
		src[i] = f
	}
	return timelinetest.Log(t, src)
}

func TestEmptySessionsSayWhatFillsThem(t *testing.T) {
	s := newScreen(t, logOf(t), 100, 25)
	out := s.draw()
	s.has(out, "No frame yet. Each message comes here as it is sent or received.", "all 0", "Nothing is selected yet.")
	if h := s.v.Help(&s.c); len(h) != 0 {
		t.Errorf("%v", h)
	}
	for _, k := range []string{"j", "k", "g", "G", "%", "y", "Y", "r", "enter", "i", "/", "x", "enter", "esc", "tab"} {
		s.press(k)
		s.draw()
	}
	s.c.Replay = true
	s.has(s.draw(), "This recording has no frames.")
}

func TestClickAndWheel(t *testing.T) {
	s := goban(t, 160, 43)
	s.draw()
	s.do(s.v.Click(20, 10, 0, &s.c)) // the ninth row of frames
	if s.c.At != 68 {
		t.Errorf("at %d", s.c.At)
	}
	s.v.Click(20, 10, -1, &s.c)
	if got := seqs(s.draw()); !strings.HasPrefix(got, "58 59 60") {
		t.Errorf("the wheel scrolls the list: %s", got)
	}
	if s.c.At != 68 {
		t.Error("the wheel does not move the playhead")
	}
	for range 100 {
		s.v.Click(20, 10, -1, &s.c)
	}
	if got := seqs(s.draw()); !strings.HasPrefix(got, "1 2 3") {
		t.Errorf("%s", got)
	}
	s.v.Click(120, 10, 0, &s.c)
	s.has(s.draw(), "━ INSPECT")
	s.v.Click(120, 10, 1, &s.c)
	s.v.Click(20, 1, 0, &s.c) // the heads of the columns
	s.v.Click(20, 0, 0, &s.c)
	s.v.Click(104, 20, 0, &s.c)
	s.do(s.v.Click(20, 2, 0, &s.c))
	s.press("k")
	s.has(s.draw(), "━ WIRE")
}

func TestHelpNamesTheKeysOfThisRow(t *testing.T) {
	s := goban(t, 160, 43)
	s.draw()
	words := func() string {
		var out []string
		for _, h := range s.v.Help(&s.c) {
			out = append(out, strings.TrimSpace(h.Key+" "+h.Verb))
		}
		return strings.Join(out, ", ")
	}
	for _, c := range []struct {
		at   int
		keys string
		want string
	}{
		{98, "", "enter read it, % request, r send again, y copy, Y as command, │, j k frame, [ ] rev, │, / filter, tab pane"},
		{96, "", "enter read it, % answer, r send again, y copy, Y as command, │, j k frame, [ ] rev, │, / filter, tab pane"},
		{97, "", "enter read it, y copy, │, j k frame, [ ] rev, │, / filter, tab pane"},
		{98, "tab", "esc the list, j k line, / search, % request, r send again, y copy, Y as command, │, [ ] rev"},
		{98, "/", "enter find, esc leave it"},
		{98, "esc esc /", "enter keep it, ↓ ↑ frame, esc clear"},
	} {
		s.at(c.at)
		s.press(strings.Fields(c.keys)...)
		s.draw()
		if got := words(); got != c.want {
			t.Errorf("frame %d after %q\n got %s\nwant %s", c.at+1, c.keys, got, c.want)
		}
	}
	s.press("esc")
	s.c.Replay = true
	if got := words(); strings.Contains(got, "send") {
		t.Errorf("in a file nothing can be sent: %s", got)
	}
	if got := s.v.Where(&s.c); got != "Wire, on frame 99" {
		t.Error(got)
	}
}

func TestAnotherSessionStartsAfresh(t *testing.T) {
	s := goban(t, 100, 25)
	s.filter("tool:undo")
	s.press("enter")
	s.draw()
	s.log = logOf(t, timeline.Frame{Dir: timeline.Note, Name: "connect"})
	s.c.Log = s.log
	s.at(0)
	out := s.draw()
	s.has(out, "all 1", "connect")
	s.hasNot(out, "match")
}

func TestARevOfManyDigitsStandsApartFromTheSize(t *testing.T) {
	frame := func(dir timeline.Dir, body string) timeline.Frame {
		return timeline.Frame{Dir: dir, Via: "stdio", Form: 1, Body: []byte(body)}
	}
	s := newScreen(t, logOf(t,
		frame(timeline.Out, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"experimental":{"mcpl":{"version":"0.5","toolHints":true}}}}}`),
		frame(timeline.In, `{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"s","version":"1"},"capabilities":{"experimental":{"mcpl":{"version":"0.5","toolHints":true}}}}}`),
		frame(timeline.Out, `{"jsonrpc":"2.0","id":2,"method":"toolsets/list"}`),
		frame(timeline.In, `{"jsonrpc":"2.0","id":2,"result":{"open":[],"ended":[],"_meta":{"mcpl/hints":{"rev":65626}}}}`),
	), 110, 30)
	s.has(s.draw(), "TOOK    SIZE    REV  CHANGED", " B  65626")
}

package board

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/revs"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

func wantText(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
}

func TestOnlyTheRowsInSightAreRead(t *testing.T) {
	rows := revRows(100_000)
	b, c := hand(games(2), rows, len(rows)-1, 200_010)
	log := b.src.(*fakeLog)
	uitest.Screen(b, c, 160, 43)
	if first := log.asked; first > 3*revs.ChunkRows {
		t.Errorf("%d rows were read for a screen of 43", first)
	}
	log.asked = 0
	uitest.Screen(b, c, 160, 43)
	b.Help(c)
	if log.asked != 0 {
		t.Errorf("%d rows were read again although nothing moved", log.asked)
	}
	more := append(rows, revRows(100_001)[100_000])
	log.rows, c.Rows, c.Row = more, len(more), &more[len(more)-1]
	if text := uitest.Screen(b, c, 160, 43); !strings.Contains(text, "100001") {
		t.Errorf("the new rev is not in sight:\n%s", text)
	}
	if log.asked > 1 {
		t.Errorf("%d rows were read for one that is new", log.asked)
	}
}

func TestARevThatWasHeldIsReadAgainOnceItIsApplied(t *testing.T) {
	rows := revRows(2)
	rows[1].Status, rows[1].Taken, rows[1].Counts = timeline.Held, -1, timeline.Counts{}
	held, done := games(2), games(2)
	held.Held = []int64{2}
	b, c := hand(held, rows, 1, 20)
	wantText(t, uitest.Screen(b, c, 100, 25), "held: push")
	b.src.(*fakeLog).rows = revRows(2)
	c.Board, c.Newest = done, done
	if text := uitest.Screen(b, c, 100, 25); strings.Contains(text, "held") {
		t.Errorf("still held:\n%s", text)
	}
}

func TestInstancesThatDoNotFitAreCountedAndTheChosenOneIsInSight(t *testing.T) {
	b, c := hand(games(6), revRows(3), 2, 20)
	wantText(t, uitest.Screen(b, c, 100, 25), "g0         g1      4 ›")
	uitest.Press(b, c, "k", "l", "l", "l")
	text := uitest.Screen(b, c, 100, 25)
	wantText(t, text, "‹ 2 g2         g3      2 ›", "[  ● ]")
	uitest.Press(b, c, "l", "l")
	wantText(t, uitest.Screen(b, c, 100, 25), "‹ 4 g4         g5")
}

func TestWhatEndedStandsNewestFirstWithItsReason(t *testing.T) {
	board := games(1)
	board.Ended = []timeline.Ended{
		{ID: "e1", Toolset: "game", Instance: "old", Reason: "timed out", By: timeline.By{Rev: 2, Index: 4}},
		{ID: "e2", Toolset: "chat", Reason: "nobody\nthere", By: timeline.By{Rev: 3, Index: 6}},
	}
	b, c := hand(board, revRows(3), 2, 20)
	wantText(t, uitest.Screen(b, c, 160, 43), "│   ENDED    chat, rev 3 “nobody”", "│            game old, rev 2 “timed out”")
	wantText(t, uitest.Screen(b, c, 80, 19), "    ENDED             chat, rev 3 “nobody”")
	uitest.Press(b, c, "end", "k")
	if got := b.Selected(c); got.Kind != OnEnded || got.ID != "e2" {
		t.Errorf("the record can be selected: %+v", got)
	}
}

func TestOpenSaysSinceWhenAndWhoClosed(t *testing.T) {
	board := games(1)
	chat := &board.Toolsets[1]
	chat.Open, chat.DefaultOpen, chat.OpenedBy = true, true, timeline.By{Index: 2}
	debug := &board.Toolsets[2]
	debug.Open, debug.OpenedBy = true, timeline.By{Index: 8}
	board.Toolsets = append(board.Toolsets, timeline.Toolset{Name: "mail", Declared: true, ClosedBy: timeline.By{Rev: 2, Index: 4}})
	rows := revRows(3)
	b, c := hand(board, rows, 2, 20)
	log := b.src.(*fakeLog)
	for i := range 20 {
		log.entries = append(log.entries, timeline.Entry{Seq: int64(i + 1), Row: -1, Pair: -1})
	}
	log.entries[4].Row = 1
	text := uitest.Screen(b, c, 160, 43)
	wantText(t, text, "─ OPEN ──", " 3 open ─", "   chat     Talk               default   0 of 2", "   debug                       you       0 of 1", "mail, by the server, rev 2")
	log.rows[1].Carrier = timeline.CarrierClose
	b.cache = revs.Cache{}
	wantText(t, uitest.Screen(b, c, 160, 43), "mail, by you, rev 2")
}

func TestASuggestionThatWasTakenStaysForTenRevs(t *testing.T) {
	board := games(1)
	board.Suggestions = []timeline.Suggestion{{
		Toolset: "game", Action: "open", Reason: "play!", By: timeline.By{Rev: 1, Index: 2}, Taken: true, TakenBy: timeline.By{Rev: 2, Index: 4},
	}}
	board.LastRev = 11
	b, c := hand(board, revRows(11), 10, 40)
	wantText(t, uitest.Screen(b, c, 160, 43), "none pending", "? open game                 taken     rev 1")
	board.LastRev = 12
	wantText(t, uitest.Screen(b, c, 160, 43), "None. When the server suggests to open or close")
}

func TestEmptyStatesNameWhatWouldFillThem(t *testing.T) {
	flat := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	empty := &timeline.Board{Index: 9, ListAt: 5, Conn: 1, ToolHints: true, ServerHints: true, HostHints: true, MCPL: "0.5", Link: timeline.Link{Phase: timeline.Live}}
	b, c := hand(empty, nil, -1, 20)
	wantText(t, flat(uitest.Screen(b, c, 160, 43)), "Nothing is open: this server has no toolsets.", "ENDED by itself: none so far")
	uitest.Press(b, c, "z")
	wantText(t, flat(uitest.Screen(b, c, 120, 19)), "tools/list came back empty, frame 6. R asks again.")
	uitest.Press(b, c, "z")
	uitest.Press(b, c, "shift+tab", "z")
	wantText(t, flat(uitest.Screen(b, c, 120, 19)),
		"No rev yet. The server numbers each change of its tools; o opens a toolset, c calls a tool.")
	plain := games(0)
	plain.ToolHints, plain.ServerHints, plain.Toolsets = false, false, nil
	b, c = hand(plain, nil, -1, 20)
	uitest.Press(b, c, "shift+tab", "z")
	wantText(t, flat(uitest.Screen(b, c, 120, 19)), "No revs: this server does not offer toolHints. All tools stand in STATIC. 3 shows the wire.")
	b, c = hand(games(0), revRows(1), 0, 20)
	wantText(t, uitest.Screen(b, c, 160, 43), "▾ game   Games                  none open", "o opens one",
		"None. When the server suggests to open or close")
}

func TestTheHandshakeIsTickedOffInTheBody(t *testing.T) {
	c := uitest.Moment(t, "goban", 8, -1)
	c.Now = c.Board.T + 2*time.Second
	b := New()
	wantText(t, uitest.Screen(b, c, 100, 25), "initialize     ✓ 12 ms", "policy         ✓", "tools/list     ◌ sent, 2.0 s of 30 s")
	c = uitest.Moment(t, "failed", 0, -1)
	c.Ended = true
	wantText(t, uitest.Screen(New(), c, 100, 25), "The board is empty: no tools were listed.")
}

func TestHintsThatWereNotTakenSayWhatBecameOfThem(t *testing.T) {
	rows := revRows(5)
	rows[1].Status, rows[1].Taken = timeline.Stale, -1
	rows[2].Status, rows[2].Taken, rows[2].Rev, rows[2].RawRev = timeline.BadRev, -1, 0, []byte(`"x"`)
	rows[3].Status, rows[3].Taken, rows[3].Rev = timeline.BadRev, -1, 0
	rows[4].Status = timeline.Gap
	b, c := hand(games(1), rows, 4, 40)
	text := uitest.Screen(b, c, 160, 43)
	wantText(t, text, "  2 0:01  ← push  stale: push", `"x" 0:02  ← push  invalid: pu`, "none 0:03  ← push")
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "0:04") && !strings.Contains(line, "✗") {
			t.Errorf("a gap is a finding: %s", line)
		}
	}
}

func TestCountsTooLargeForTheirPlaceAreMarkedAsCut(t *testing.T) {
	rows := revRows(1)
	rows[0].Counts = timeline.Counts{Shown: 120, Hidden: 14, Redefined: 12, Suggested: 1}
	b, c := hand(games(1), rows, 0, 40)
	wantText(t, uitest.Screen(b, c, 160, 43), " +… -14~…? ")
}

func TestOldConnectionsKeepTheirNumbersAndLeaveNoSigns(t *testing.T) {
	c := uitest.Moment(t, "reconnect", 0, -1)
	b := New()
	wantText(t, uitest.Screen(b, c, 160, 43), "   5 0:18", " 2.1 0:31")
	rows := revRows(1)
	rows[0].Changes = []timeline.Change{{Kind: timeline.Hidden, Toolset: "game", Instance: "g0", Tool: "move0"}}
	board := games(1)
	bb, cc := hand(board, rows, 0, 20)
	wantText(t, uitest.Screen(bb, cc, 160, 43), "- ●")
	board.Conn = 2
	if text := uitest.Screen(bb, cc, 160, 43); strings.Contains(text, "- ●") {
		t.Errorf("a rev of connection 1 marks connection 2:\n%s", text)
	}
}

// Names of any width leave the grid where it is.
func TestNamesOfAnyWidthLeaveTheGridWhereItIs(t *testing.T) {
	c := uitest.Moment(t, "many", 0, -1)
	for _, tc := range []struct{ w, h, at int }{{160, 43, 44}, {100, 25, 37}, {80, 19, 30}} {
		b := New()
		canvas := kit.NewCanvas(tc.w, tc.h)
		b.Draw(canvas.All(), c)
		left := kit.NewCanvas(tc.w, tc.h)
		New().Draw(left.All(), c)
		for y, line := range strings.Split(strings.TrimSuffix(canvas.Plain(), "\n"), "\n") {
			if y == 0 || y >= 14 {
				continue
			}
			if got := cellAt(line, tc.at); got != "│" {
				t.Errorf("%d×%d, line %d: %q in the column of the divider: %s", tc.w, tc.h, y, got, line)
			}
		}
	}
}

// cellAt returns the letter in column x of a line.
func cellAt(line string, x int) string {
	for n := range line {
		if kit.Width(line[:n]) == x {
			return string([]rune(line[n:])[:1])
		}
	}
	return ""
}

func TestTheMouseSelectsAndScrolls(t *testing.T) {
	rows := revRows(60)
	b, c := hand(games(2), rows, 59, 130)
	uitest.Screen(b, c, 100, 25)
	if do := b.Click(5, 3, 0, c); do.Kind != view.GoTo || do.Index != rows[47].Index || b.focus != paneRevs {
		t.Errorf("click on a rev: %+v, focus on %s", do, paneNames[b.focus])
	}
	for range 5 {
		if do := b.Click(5, 3, -1, c); do.Kind != view.Nothing {
			t.Errorf("the wheel moved the playhead: %+v", do)
		}
	}
	wantText(t, uitest.Screen(b, c, 100, 25), "  33 ← push")
	if do := b.Click(5, 1, 0, c); do.Kind != view.GoTo || do.Index != rows[30].Index {
		t.Errorf("click on a rev that was scrolled to: %+v", do)
	}
	text := uitest.Screen(b, c, 100, 25)
	y := lineOf(text, "move1")
	b.Click(91, y, 0, c)
	if b.sel != (Selection{Kind: OnTool, Toolset: "game", Tool: "move1", Instance: "g1"}) || b.focus != paneTools {
		t.Errorf("click on a cell: %+v, focus on %s", b.sel, paneNames[b.focus])
	}
	b.Click(40, lineOf(text, "▾ game"), 0, c)
	wantText(t, uitest.Screen(b, c, 100, 25), "▸ game")
	b.Click(70, lineOf(text, "─ OPEN"), 0, c)
	if b.focus != paneOpen {
		t.Errorf("click on a head line: focus on %s", paneNames[b.focus])
	}
	b.Click(70, lineOf(uitest.Screen(b, c, 100, 25), "Game 1")+1, 0, c)
	if got := b.Selected(c); got.Instance != "g1" || got.Kind != OnInstance {
		t.Errorf("click on the second line of an instance: %+v", got)
	}
}

func lineOf(text, part string) int {
	for y, line := range strings.Split(text, "\n") {
		if strings.Contains(line, part) {
			return y
		}
	}
	return -1
}

func TestOnANarrowScreenTheRootSaysWhatIsInSight(t *testing.T) {
	c := uitest.GobanLive(t)
	b := New()
	uitest.Screen(b, c, 40, 7)
	uitest.Press(b, c, "k", "k", "k", "k", "k")
	if got := b.Narrow(c, 40, 7); got != "TOOLS 8/14 ↑2 ↓3" {
		t.Error(got)
	}
	uitest.Press(b, c, "tab")
	if got := b.Narrow(c, 40, 7); got != "REVS 41 ↑34" {
		t.Error(got)
	}
	uitest.Press(b, c, "i")
	if got := b.Narrow(c, 40, 7); got != "INSPECT rev 41" && got != "INSPECT" {
		t.Error(got)
	}
	if got := b.Narrow(c, 100, 25); got != "" {
		t.Errorf("a wide screen has head lines: %q", got)
	}
}

func TestInspectExplainsTheSelection(t *testing.T) {
	c := uitest.GobanLive(t)
	b := New()
	uitest.Screen(b, c, 100, 25)
	for _, tc := range []struct {
		keys string
		want []string
	}{
		{"k k k", []string{"INSPECT  undo @ vs-ada", "not usable", "hints-instance-missing"}},
		{"tab", []string{"INSPECT  game vs-ada"}},
		{"tab", []string{"Ada says hello, answer her?"}},
		{"tab tab", []string{" rev 41 "}},
	} {
		uitest.Press(b, c, strings.Fields(tc.keys)...)
		text := uitest.Screen(b, c, 100, 25)
		_, below, _ := strings.Cut(text, "─ INSPECT")
		wantText(t, "INSPECT"+below, tc.want...)
	}
	for _, sel := range []Selection{{Kind: OnStatic}, {Kind: OnDynamic}, {Kind: OnLoose}, {Kind: OnToolset, Toolset: "debug"}} {
		if doc := Explain(c, sel); doc.Title == "" || len(doc.Blocks) == 0 {
			t.Errorf("%+v is not explained: %+v", sel, doc)
		}
	}
}

func TestInspectTakesKeysWhileItsSearchIsTyped(t *testing.T) {
	c := uitest.GobanLive(t)
	b := New()
	uitest.Screen(b, c, 160, 43)
	uitest.Press(b, c, "i", "/", "i", "z", "G", "tab")
	if b.focus != paneInspect || b.zoom || !b.Inspect.Typing() {
		t.Errorf("a key of the search was taken: focus on %s, zoom %v", paneNames[b.focus], b.zoom)
	}
	uitest.Press(b, c, "esc")
	if b.focus != paneInspect {
		t.Error("esc ends the search first")
	}
	uitest.Press(b, c, "esc")
	if b.focus != paneTools {
		t.Errorf("then it goes back: focus on %s", paneNames[b.focus])
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		log := timelinetest.Log(b, flood(b, n))
		c := uitest.MomentOf(b, log, log.Len()-1, log.Entry(log.Len()-1).T)
		canvas := kit.NewCanvas(160, 43)
		board := New()
		board.Draw(canvas.All(), c)
		b.Run(fmt.Sprintf("revs=%d/nothing-moved", n), func(b *testing.B) {
			for b.Loop() {
				board.Draw(canvas.All(), c)
			}
		})
		b.Run(fmt.Sprintf("revs=%d/one-rev-on", n), func(b *testing.B) {
			// The playhead goes back and forth by a rev, so that what is
			// read is read anew.
			there := uitest.MomentOf(b, log, log.Len()-2, c.Now)
			for i := 0; b.Loop(); i++ {
				board.Draw(canvas.All(), []*view.Context{c, there}[i%2])
			}
		})
		b.Run(fmt.Sprintf("revs=%d/first", n), func(b *testing.B) {
			for b.Loop() {
				New().Draw(canvas.All(), c)
			}
		})
	}
}

// flood is the start of Goban, and n revs after it.
func flood(tb testing.TB, n int) timelinetest.Tape {
	tape := uitest.Frames(uitest.Goban()).Cut(uitest.BoardFrames)
	out := make(timelinetest.Tape, 0, tape.Len()+n)
	for i := range tape.Len() {
		f, err := tape.Frame(i)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, f)
	}
	last := out[len(out)-1]
	for i := range n {
		f := last
		f.Seq += int64(i + 1)
		f.T += time.Duration(i+1) * time.Millisecond
		f.Dir, f.Body = timeline.In, fmt.Appendf(nil,
			`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"score","instance":"vs-ada","visible":%v}]}}`, 42+i, i%2 == 0)
		out = append(out, f)
	}
	return out
}

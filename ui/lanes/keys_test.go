package lanes

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// on returns lanes of a size with the cursor on a lane.
func on(c *view.Context, w, h int, l lane) *View {
	v := New()
	v.Select(l.toolset, l.instance, l.tool)
	if l.kind != onTool {
		v.sel = l
	}
	uitest.Screen(v, c, w, h)
	return v
}

// revAt is the rev at which the playhead would stand after an intent.
func revAt(t *testing.T, c *view.Context, do view.Intent) int64 {
	t.Helper()
	if do.Kind != view.GoTo {
		t.Fatalf("%+v moves no playhead", do)
	}
	b, err := c.Log.Board(do.Index)
	if err != nil {
		t.Fatal(err)
	}
	return b.LastRev
}

var play = lane{onTool, "game", "vs-ada", "play"}

func TestArrowsMoveThePlayheadByACell(t *testing.T) {
	for _, tc := range []struct {
		name string
		rev  int64 // where the playhead stands
		per  int
		key  string
		want int64
	}{
		{"a rev a cell, back", 20, 1, "left", 19},
		{"a rev a cell, on", 20, 1, "l", 21},
		{"to the last rev of the cell before", 20, 4, "h", 16},
		{"from within a cell", 18, 4, "h", 16},
		{"to the last rev of the next cell", 18, 4, "right", 24},
		{"onto the first", 2, 1, "h", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := gobanAt(t, tc.rev)
			v := on(c, 160, 43, play)
			v.SetZoom(tc.per)
			if got := revAt(t, c, uitest.Press(v, c, tc.key)); got != tc.want {
				t.Errorf("from rev %d to %d, want %d", tc.rev, got, tc.want)
			}
		})
	}
}

func TestTheEndOfALiveSessionIsThePresent(t *testing.T) {
	c := gobanAt(t, 40)
	v := on(c, 160, 43, play)
	for _, key := range []string{"l", "]", "J", "G"} {
		if do := uitest.Press(v, c, key); do.Kind != view.GoLive {
			t.Errorf("%s from the last but one rev: %+v", key, do)
		}
	}
	c = gobanAt(t, 1)
	v = on(c, 160, 43, play)
	for _, key := range []string{"h", "[", "K"} {
		if do := uitest.Press(v, c, key); do.Kind != view.Say || !strings.Contains(do.Text, "first rev") {
			t.Errorf("%s at the first rev: %+v", key, do)
		}
	}
}

func TestTheEndOfARecordingIsSaid(t *testing.T) {
	c := uitest.Moment(t, "goban", 0, -1)
	c.Replay, c.Follow = true, false
	v := on(c, 160, 43, play)
	for _, key := range []string{"l", "]"} {
		if do := uitest.Press(v, c, key); do.Kind != view.Say || !strings.Contains(do.Text, "last rev") {
			t.Errorf("%s at the last rev: %+v", key, do)
		}
	}
	if do := uitest.Press(v, c, "c"); do.Kind != view.Say || !strings.Contains(do.Text, "recording") {
		t.Errorf("c in a recording: %+v", do)
	}
}

func TestArrowsPassOverAGapAndAcrossConnections(t *testing.T) {
	c := gaps(t, -1)
	log := c.Log
	at := func(rev int64) *view.Context {
		c := uitest.MomentOf(t, log, log.RowIndex(log.RowOf(1, rev)), c.Now)
		c.Follow = false
		return c
	}
	v := on(c, 100, 25, lane{onTool, "game", "a", "move"})
	if got := revAt(t, c, uitest.Press(v, at(3), "l")); got != 6 {
		t.Errorf("over the hole from 3: %d", got)
	}
	if got := revAt(t, c, uitest.Press(v, at(110), "h")); got != 9 {
		t.Errorf("back over the long hole: %d", got)
	}
	re := uitest.Moment(t, "reconnect", 0, -1)
	first := uitest.MomentOf(t, re.Log, re.Log.RowIndex(re.Log.RowOf(2, 1)), re.Now)
	first.Follow = false
	do := uitest.Press(on(first, 100, 25, play), first, "h")
	if b, err := re.Log.Board(do.Index); err != nil || b.Conn != 1 || b.LastRev != 5 {
		t.Errorf("back from rev 2.1: connection %d, rev %d (%v)", b.Conn, b.LastRev, err)
	}
}

func TestRevsOfOneFrameAreOneStep(t *testing.T) {
	s := &session{step: time.Second}
	s.connect("stdio")
	s.hints(1, opened("a"))
	s.add(timeline.In, `[{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":2}},{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":3}}]`)
	s.hints(4, opened("b"))
	s.hints(5, opened("c"))
	log := s.log(t)
	c := uitest.MomentOf(t, log, log.RowIndex(2), s.at)
	v := on(c, 80, 19, lane{kind: onDynamic})
	if got := revAt(t, c, uitest.Press(v, c, "]")); got != 4 {
		t.Errorf("] from revs 2 and 3: %d", got)
	}
	if got := revAt(t, c, uitest.Press(v, c, "K")); got != 1 {
		t.Errorf("K from revs 2 and 3: %d", got)
	}
}

func TestArrowsMoveOverTimeFromFrameToFrame(t *testing.T) {
	c := gobanAt(t, 12) // 1:05.410
	v := on(c, 160, 43, play)
	v.SetTime(true) // 2 s a cell
	do := uitest.Press(v, c, "l")
	if e := c.Log.Entry(do.Index); do.Kind != view.GoTo || e.T.Seconds() != 66.001 {
		t.Errorf("to the last frame of the next cell: %+v, %s", do, e.T)
	}
	do = uitest.Press(v, c, "h")
	if e := c.Log.Entry(do.Index); do.Kind != view.GoTo || e.T.Seconds() >= 64 || e.T.Seconds() < 60 {
		t.Errorf("to the frame before: %+v, %s", do, e.T)
	}
	if do := uitest.Press(v, uitest.GobanLive(t), "l"); do.Kind != view.GoLive {
		t.Errorf("at the end: %+v", do)
	}
}

func TestKeysGoToTheFirstRevAndToFindings(t *testing.T) {
	c := gobanAt(t, 20)
	v := on(c, 160, 43, play)
	if got := revAt(t, c, uitest.Press(v, c, "g")); got != 1 {
		t.Errorf("g: rev %d", got)
	}
	if got := revAt(t, c, uitest.Press(v, c, "e")); got != 39 {
		t.Errorf("e: rev %d", got)
	}
	end := uitest.MomentOf(t, c.Log, c.Len-1, c.Now)
	if got := revAt(t, c, uitest.Press(v, end, "E")); got != 39 {
		t.Errorf("E from the end: rev %d", got)
	}
	if _, handled := v.Key("e", end); handled {
		t.Error("after the last finding e is left to the root")
	}
}

func TestZGoesThroughTheZooms(t *testing.T) {
	c := gobanAt(t, 20)
	v := on(c, 160, 43, play)
	var got []string
	for range 6 {
		uitest.Press(v, c, "z")
		m := v.look(c)
		got = append(got, m.axis.cellWords())
		if m.axis.cellW > 1 {
			got[len(got)-1] += ", wide"
		}
	}
	want := []string{"one a cell", "2 a cell", "4 a cell", "8 a cell", "one a cell, wide", "one a cell"}
	if !slices.Equal(got, want) {
		t.Errorf("z: %q, want %q", got, want)
	}
	v.SetZoom(5)
	if words := v.look(c).axis.cellWords(); words != "5 a cell" {
		t.Errorf("SetZoom(5): %s", words)
	}
	uitest.Press(v, c, "z")
	if words := v.look(c).axis.cellWords(); words != "8 a cell" {
		t.Errorf("from 5 to %s", words)
	}
	v.SetZoom(0)
	if m := v.look(c); m.axis.cellW != wideCell {
		t.Errorf("nothing chosen at 160 columns: %d columns a rev", m.axis.cellW)
	}
}

// What is not chosen is the widest zoom at which all revs fit, also when they
// no longer do.
func TestTheZoomFollowsTheWidthAndTheSession(t *testing.T) {
	v := New()
	for _, tc := range []struct {
		revs, w int
		cellW   int64
		per     int64
	}{
		{41, 160, 3, 1}, {43, 160, 1, 1}, {41, 80, 1, 1}, {58, 80, 1, 1}, {59, 80, 1, 2}, {117, 80, 1, 4}, {5000, 160, 1, 64},
	} {
		c := floodContext(t, tc.revs-1, -1)
		uitest.Screen(v, c, tc.w, 43)
		if m := v.look(c); m.axis.cellW != tc.cellW || m.axis.per != tc.per {
			t.Errorf("%d revs, %d columns: %d columns a cell, %d revs; want %d, %d", tc.revs, tc.w, m.axis.cellW, m.axis.per, tc.cellW, tc.per)
		}
	}
}

func TestEnterLeadsToTheBoardAndFolds(t *testing.T) {
	c := gobanAt(t, 36)
	v := on(c, 160, 43, lane{onTool, "game", "vs-bot", "score"})
	want := view.Intent{Kind: view.Show, View: 1, Toolset: "game", Instance: "vs-bot", Tool: "score"}
	if do := uitest.Press(v, c, "enter"); do.Kind != want.Kind || do.View != want.View || do.Toolset != want.Toolset || do.Instance != want.Instance || do.Tool != want.Tool {
		t.Errorf("enter on a tool: %+v", do)
	}
	for _, l := range []lane{{kind: onStatic}, {kind: onDynamic}, {kind: onLoose}, {onToolset, "game", "", ""}, {onToolset, "chat", "", ""}, {onInstance, "game", "vs-ada", ""}} {
		for _, h := range []int{19, 43} {
			v := on(c, 160, h, l)
			before := len(v.rows)
			if do := uitest.Press(v, c, "enter"); do.Kind != view.Nothing {
				t.Errorf("enter on %s: %+v", l.name(), do)
			}
			uitest.Screen(v, c, 160, h)
			folded := len(v.rows)
			uitest.Press(v, c, "enter")
			uitest.Screen(v, c, 160, h)
			if folded == before || len(v.rows) != before || v.sel != l {
				t.Errorf("%s in %d rows: %d lanes, %d, %d; cursor %+v", l.name(), h, before, folded, len(v.rows), v.sel)
			}
		}
	}
}

func TestOnlyTheInstanceUnderTheCursorIsUnfoldedInALowBody(t *testing.T) {
	c := uitest.GobanLive(t)
	v := on(c, 80, 19, lane{onTool, "game", "vs-ada", "resign"})
	unfolded := func() (out []string) {
		for i := range v.rows {
			if r := &v.rows[i]; r.kind == onInstance && !r.folded {
				out = append(out, v.lane(r).instance)
			}
		}
		return out
	}
	if got := unfolded(); !slices.Equal(got, []string{"vs-ada"}) {
		t.Errorf("at first: %q", got)
	}
	uitest.Press(v, c, "j")
	uitest.Screen(v, c, 80, 19)
	if got := unfolded(); !slices.Equal(got, []string{"vs-bot"}) || v.sel.kind != onInstance {
		t.Errorf("after j: %q, cursor %+v", got, v.sel)
	}
	uitest.Press(v, c, "j", "j", "k", "k", "k")
	uitest.Screen(v, c, 80, 19)
	if got := unfolded(); !slices.Equal(got, []string{"vs-ada"}) || v.sel.kind != onInstance {
		t.Errorf("back again: %q, cursor %+v", got, v.sel)
	}
}

func TestActsSpeakOfTheLanesTool(t *testing.T) {
	c := uitest.GobanLive(t)
	for _, tc := range []struct {
		on   lane
		key  string
		want view.Intent
	}{
		{play, "c", view.Intent{Kind: view.CallForm, Toolset: "game", Instance: "vs-ada", Tool: "play"}},
		{lane{onTool, "", "", "login"}, "c", view.Intent{Kind: view.CallForm, Tool: "login"}},
		{lane{onInstance, "game", "vs-bot", ""}, "c", view.Intent{Kind: view.CallForm, Toolset: "game", Instance: "vs-bot", Tool: "score"}},
		{lane{onToolset, "chat", "", ""}, "o", view.Intent{Kind: view.OpenForm, Toolset: "chat"}},
		{play, "o", view.Intent{Kind: view.OpenForm, Toolset: "game"}},
		{lane{kind: onStatic}, "o", view.Intent{Kind: view.OpenForm, Toolset: "game"}},
		{play, "x", view.Intent{Kind: view.AskClose, Toolset: "game", Instance: "vs-ada"}},
		{lane{onToolset, "debug", "", ""}, "o", view.Intent{Kind: view.Run, Line: "open debug"}},
		{play, "a", view.Intent{Kind: view.AnswerForm}},
	} {
		do := uitest.Press(on(c, 160, 43, tc.on), c, tc.key)
		do.Args = nil
		if do.Kind != tc.want.Kind || do.Toolset != tc.want.Toolset || do.Instance != tc.want.Instance || do.Tool != tc.want.Tool || do.Line != tc.want.Line {
			t.Errorf("%s on %s: %+v, want %+v", tc.key, tc.on.name(), do, tc.want)
		}
	}
	for _, tc := range []struct {
		on   lane
		key  string
		says string
	}{
		{lane{kind: onDynamic}, "c", "choose the lane of a tool"},
		{lane{kind: onDynamic}, "x", "choose the lane"},
		{lane{onToolset, "game", "", ""}, "x", "several are open"},
		{lane{onToolset, "chat", "", ""}, "x", "chat is not open"},
	} {
		if do := uitest.Press(on(c, 160, 43, tc.on), c, tc.key); do.Kind != view.Say || !strings.Contains(do.Text, tc.says) {
			t.Errorf("%s on %s: %+v, want it to say %q", tc.key, tc.on.name(), do, tc.says)
		}
	}
	c.Ended = true
	if do := uitest.Press(on(c, 160, 43, play), c, "c"); do.Kind != view.Say || !strings.Contains(do.Text, "connection is over") {
		t.Errorf("c when all is over: %+v", do)
	}
}

func TestAnInstanceThatIsClosedCanBeOpenedByItsName(t *testing.T) {
	c := uitest.Moment(t, "reconnect", 0, -1)
	v := on(c, 160, 43, lane{onInstance, "game", "vs-bot", ""})
	if do := uitest.Press(v, c, "o"); do.Kind != view.OpenForm || do.Toolset != "game" || do.Instance != "vs-bot" {
		t.Errorf("o: %+v", do)
	}
	if do := uitest.Press(v, c, "x"); do.Kind != view.Say || !strings.Contains(do.Text, "vs-bot is not open") {
		t.Errorf("x: %+v", do)
	}
}

func TestTheFilterLeavesLanesByName(t *testing.T) {
	c := uitest.GobanLive(t)
	v := on(c, 80, 19, play)
	names := func() (out []string) {
		uitest.Screen(v, c, 80, 19)
		for i := range v.rows {
			out = append(out, v.lane(&v.rows[i]).name())
		}
		return out
	}
	all := len(names())
	uitest.Press(v, c, "/", "u", "n", "d")
	want := []string{"DYNAMIC", "game", "game vs-ada", "undo @ vs-ada", "game vs-bot", "undo @ vs-bot"}
	if got := names(); !slices.Equal(got, want) {
		t.Errorf("und: %q", got)
	}
	uitest.Press(v, c, "x", "x")
	if text := uitest.Screen(v, c, 80, 19); !strings.Contains(text, "match undxx.") {
		t.Errorf("nothing is found, and it says:\n%s", text)
	}
	if uitest.Press(v, c, "enter"); v.filter.Typing {
		t.Error("enter keeps the filter")
	}
	if uitest.Press(v, c, "esc"); len(names()) != all {
		t.Errorf("esc leaves %d of %d lanes", len(names()), all)
	}
	if _, handled := v.Key("esc", c); handled {
		t.Error("without a filter esc is the root's")
	}
	if v.Paste("und", c) {
		t.Error("there is no line to paste into")
	}
	uitest.Press(v, c, "/")
	if !v.Paste("vs-bot\nmore", c) || v.filter.Text != "vs-bot more" {
		t.Errorf("pasted %q", v.filter.Text)
	}
}

func TestHelpBeginsWithTheVerbOfEnter(t *testing.T) {
	c := gobanAt(t, 36)
	for _, tc := range []struct {
		on   lane
		w    int
		want string
	}{
		{play, 160, "the board here"},
		{play, 80, "the board"},
		{lane{onToolset, "chat", "", ""}, 80, "unfold"},
		{lane{kind: onDynamic}, 80, "fold"},
	} {
		help := on(c, tc.w, 19, tc.on).Help(c)
		if help[0].Key != "enter" || help[0].Verb != tc.want {
			t.Errorf("on %s: %+v", tc.on.name(), help)
		}
	}
	if got := on(c, 80, 19, play).Where(c); got != "Lanes, on play @ vs-ada" {
		t.Errorf("Where: %q", got)
	}
}

func TestSelectGoesToATool(t *testing.T) {
	c := uitest.GobanLive(t)
	for _, h := range []int{19, 43} {
		for _, l := range []lane{play, {onTool, "", "", "help"}, {onTool, "", "", "rematch"}, {onTool, "chat", "", "say"}} {
			v := New()
			uitest.Screen(v, c, 80, h)
			v.Select(l.toolset, l.instance, l.tool)
			if uitest.Screen(v, c, 80, h); v.sel != l {
				t.Errorf("%s: the cursor is on %+v", l.name(), v.sel)
			}
		}
	}
}

func TestAClickMovesPlayheadAndCursor(t *testing.T) {
	c := gobanAt(t, 36)
	v := on(c, 160, 43, play)
	m := v.look(c)
	x := m.at.track.x + 3*19 // rev 20
	y := m.at.lanes.y + v.find(lane{onTool, "game", "vs-bot", "pass"})
	if got := revAt(t, c, v.Click(x+1, y, 0, c)); got != 20 || v.sel.tool != "pass" || v.sel.instance != "vs-bot" {
		t.Errorf("on a cell: rev %d, %+v", got, v.sel)
	}
	if got := revAt(t, c, v.Click(x, m.at.rev, 0, c)); got != 20 || v.sel.tool != "pass" {
		t.Errorf("on the ruler: rev %d, %+v", got, v.sel)
	}
	if do := v.Click(m.at.track.x+3*40, m.at.time, 0, c); do.Kind != view.GoLive {
		t.Errorf("on the newest rev: %+v", do)
	}
	if do := v.Click(9, m.at.lanes.y+v.find(play), 0, c); do.Kind != view.Nothing || v.sel != play {
		t.Errorf("on a label: %+v, %+v", do, v.sel)
	}
	before := len(v.rows)
	v.Click(2, m.at.lanes.y+v.find(lane{onToolset, "chat", "", ""}), 0, c)
	if uitest.Screen(v, c, 160, 43); len(v.rows) != before+2 {
		t.Errorf("on the sign of chat: %d lanes, were %d", len(v.rows), before)
	}
	m = v.look(c)
	for _, at := range [][2]int{{50, 0}, {50, m.at.paneHead.y}, {50, m.at.h - 1}, {m.at.border, m.at.rev}} {
		if do := v.Click(at[0], at[1], 0, c); do.Kind != view.Nothing {
			t.Errorf("beside the track, at %v: %+v", at, do)
		}
	}
}

func TestTheWheelScrollsTheLanes(t *testing.T) {
	c := uitest.Moment(t, "many", 0, -1)
	v := on(c, 80, 11, lane{kind: onStatic})
	v.Click(40, 8, 1, c)
	text := uitest.Screen(v, c, 80, 11)
	if v.top != wheelLines || strings.Contains(text, "▸ STATIC") {
		t.Errorf("scrolled to %d:\n%s", v.top, text)
	}
	uitest.Press(v, c, "j")
	if uitest.Screen(v, c, 80, 11); v.top > v.lastAt {
		t.Errorf("a key brings the cursor back: top %d, cursor %d", v.top, v.lastAt)
	}
}

// A session that goes on keeps cursor, folds and scroll.
func TestALiveSessionGrowsAtTheRight(t *testing.T) {
	tape := uitest.Frames(uitest.Recordings()["goban"]).Cut(40)
	src := uitest.NewSource(t, tape)
	v := New()
	v.Select("game", "vs-ada", "play")
	last := ""
	for n := 41; n <= uitest.BoardFrames; n++ {
		src.Show(n)
		log := src.Log()
		c := uitest.MomentOf(t, log, n-1, log.Entry(n-1).T)
		last = uitest.Screen(v, c, 80, 19)
		if v.sel != play || !strings.Contains(last, "here, live") {
			t.Fatalf("frame %d, cursor %+v:\n%s", n, v.sel, last)
		}
	}
	c := uitest.MomentOf(t, src.Log(), uitest.BoardFrames-1, uitest.BoardAt)
	fresh := on(c, 80, 19, play)
	if want := uitest.Screen(fresh, c, 80, 19); last != want {
		t.Errorf("grown step by step:\n%s\nat once:\n%s", last, want)
	}
}

func TestAnotherSessionBeginsAnew(t *testing.T) {
	v := New()
	uitest.Screen(v, uitest.GobanLive(t), 80, 19)
	uitest.Press(v, uitest.GobanLive(t), "/", "p")
	c := uitest.Moment(t, "reconnect", 0, -1)
	if text := uitest.Screen(v, c, 80, 19); v.filter.Text != "" || v.filter.Typing || !strings.Contains(text, "13 revs") {
		t.Errorf("filter %q:\n%s", v.filter.Text, text)
	}
	if uitest.Screen(v, &view.Context{Board: &timeline.Board{Index: -1}, At: -1, Focus: true}, 80, 19); v.log != nil {
		t.Error("without a log nothing is kept")
	}
}

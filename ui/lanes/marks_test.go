package lanes

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// signsIn returns which cells of a lane show a sign, by slot.
func signsIn(v *View, c *view.Context, l lane, sign string) (out []int64) {
	m := v.look(c)
	r := &v.rows[v.find(l)]
	p := v.shapeOf(r, m.axis.cellW > 1)
	lists := v.covered(r)
	for i := range m.strips {
		st := &m.strips[i]
		sums, _ := v.sums(r, st)
		for k := range sums {
			if g := p.draw(&sums[k], &st.cells[k], m.axis.flagged(lists, st, k)); g.sign == sign {
				out = append(out, st.sec.high(st.cells[k].from))
			}
		}
	}
	return out
}

func is(t *testing.T, what string, got []int64, want ...int64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: %v, want %v", what, got, want)
			return
		}
	}
}

// A finding stands in the lane of what it names; where that has no lane, in
// the toolset's; where it names nothing, in DYNAMIC.
func TestFindingsStandInTheLaneOfWhatTheyName(t *testing.T) {
	c := gaps(t, -1)
	v := on(c, 120, 43, lane{kind: onDynamic})
	is(t, "game", signsIn(v, c, lane{onToolset, "game", "", ""}, "✗"), 8)
	is(t, "DYNAMIC", signsIn(v, c, lane{kind: onDynamic}, "✗"), 5, 6, 9, 110)
	is(t, "undo @ a", signsIn(v, c, lane{onTool, "game", "a", "undo"}, "✗"))
	v.folds[lane{kind: onDynamic}.foldKey()] = true
	is(t, "all of DYNAMIC folded", signsIn(v, c, lane{kind: onDynamic}, "✗"), 5, 6, 8, 9, 110)
}

func TestAFindingThatNamesAnInstanceStandsThereAlone(t *testing.T) {
	c := gobanAt(t, 41)
	v := New()
	v.Flags = func(_ *view.Context, row int) []Flag {
		return map[int][]Flag{
			19: {{Toolset: "game", Instance: "vs-ada", Tool: "play"}},
			20: {{Toolset: "game", Instance: "vs-bot"}, {Tool: "help"}},
			21: {{Toolset: "nowhere"}},
		}[row]
	}
	uitest.Screen(v, c, 160, 43)
	for l, want := range map[lane][]int64{
		play:                               {20},
		{onTool, "game", "vs-bot", "play"}: nil,
		{onInstance, "game", "vs-ada", ""}: nil,
		{onInstance, "game", "vs-bot", ""}: {21},
		{onToolset, "game", "", ""}:        nil,
		{kind: onStatic}:                   {21},
		{kind: onDynamic}:                  {22},
		{onTool, "", "", "rematch"}:        nil,
		{onToolset, "chat", "", ""}:        nil,
	} {
		is(t, l.name(), signsIn(v, c, l, "✗"), want...)
	}
}

// A rev that never came keeps its column, in every lane.
func TestAHoleIsDrawnInEveryLane(t *testing.T) {
	c := gaps(t, -1)
	v := on(c, 120, 43, lane{kind: onDynamic})
	for _, l := range []lane{{kind: onStatic}, {onTool, "", "", "loose"}, {onInstance, "game", "a", ""}, {onTool, "game", "b", "undo"}, {onToolset, "chat", "", ""}} {
		got := signsIn(v, c, l, "░")
		if len(got) != 2+gapColumns || got[0] != 4 || got[1] != 5 || got[len(got)-1] != 109 {
			t.Errorf("%s: %v", l.name(), got)
		}
	}
	// Zoomed out it counts as one of the things that happened in a cell.
	v.SetZoom(4)
	is(t, "of b, zoomed", signsIn(v, c, lane{onTool, "game", "b", "move"}, "≈"), 5, 109)
}

// A rev that comes early on HTTP is held: its column and that of the missing
// one are holes until that arrives.
func TestAHoleIsFilledInWhenItsRevArrives(t *testing.T) {
	s := &session{step: 100 * time.Millisecond}
	s.connect("http:get:1")
	s.hints(1, opened("a"))
	s.hints(3, visible("move", "a", true)+`,"suggest":[{"toolset":"chat"}]`)
	at := func() *view.Context {
		l := s.log(t)
		return uitest.MomentOf(t, l, l.Len()-1, s.at)
	}
	move := lane{onTool, "game", "a", "move"}
	c := at()
	v := on(c, 120, 43, move)
	is(t, "while rev 2 is missing", signsIn(v, c, move, "░"), 2, 3)
	s.hints(2, visible("undo", "", true)) // and names no instance
	c = at()
	v = on(c, 120, 43, move)
	is(t, "when it came", signsIn(v, c, move, "░"))
	is(t, "usable", signsIn(v, c, move, "▄"), 3)
	is(t, "suggested", signsIn(v, c, lane{onToolset, "chat", "", ""}, "?"), 3)
	is(t, "its finding", signsIn(v, c, lane{onToolset, "game", "", ""}, "✗"), 2)
}

// What a row that is held shows of itself is looked at again once it took
// effect.
func TestTheFindingsOfAHeldRevAppearWhenItTakesEffect(t *testing.T) {
	s := &session{step: 100 * time.Millisecond}
	s.connect("http:get:1")
	s.hints(1, opened("a"))
	s.hints(3, visible("undo", "", true))
	l := s.log(t)
	v := New()
	uitest.Screen(v, uitest.MomentOf(t, l, l.Len()-1, s.at), 120, 43)
	if len(v.marks.all) != 0 {
		t.Fatalf("held, and flagged: %+v", v.marks.all)
	}
	s.hints(2, "")
	if _, err := l.Advance(10); err != nil {
		t.Fatal(err)
	}
	c := uitest.MomentOf(t, l, l.Len()-1, s.at)
	uitest.Screen(v, c, 120, 43)
	is(t, "game", signsIn(v, c, lane{onToolset, "game", "", ""}, "✗"), 3)
}

func TestFlagsAreAskedOnceForEachRow(t *testing.T) {
	c := floodContext(t, 10_000, -1)
	asked := make([]int, c.Rows)
	v := New()
	v.Flags = func(_ *view.Context, row int) []Flag {
		asked[row]++
		if row%1000 == 500 {
			return []Flag{{Toolset: "game", Instance: "a", Tool: "tool7", Rule: "hints-definition-field"}, {Toolset: "game"}}
		}
		return nil
	}
	draws := 0
	for uitest.Screen(v, c, 160, 43); v.Busy(c); draws++ {
		if draws > 1000 {
			t.Fatal("there is no end to it")
		}
		uitest.Screen(v, c, 160, 43)
	}
	for row, n := range asked {
		if n != 1 {
			t.Fatalf("row %d was asked %d times", row, n)
		}
	}
	if n := len(v.marks.all); n != 10 {
		t.Errorf("%d rows are flagged", n)
	}
	v.Select("game", "a", "tool7")
	if text := uitest.Screen(v, c, 160, 43); !strings.Contains(text, "✗ 10, the last at rev 9501, hints-definition-field") {
		t.Errorf("LANE does not tell of them:\n%s", text)
	}
	v.Recheck(9000)
	for uitest.Screen(v, c, 160, 43); v.Busy(c); {
		uitest.Screen(v, c, 160, 43)
	}
	if asked[8000] != 1 || asked[9500] != 2 || len(v.marks.all) != 10 {
		t.Errorf("asked again: row 8000 %d times, row 9500 %d times; %d flagged", asked[8000], asked[9500], len(v.marks.all))
	}
}

// Rows in sight are looked at first, however many there are before them.
func TestFindingsInSightAreFoundFirst(t *testing.T) {
	c := floodContext(t, 20_000, -1)
	v := New()
	v.zoom = zoom{revs: 1, cols: 1}
	v.Flags = func(_ *view.Context, row int) []Flag {
		if row == c.Rows-3 {
			return []Flag{{Toolset: "game"}}
		}
		return nil
	}
	text := uitest.Screen(v, c, 160, 43)
	if !strings.Contains(text, "✗") || !v.Busy(c) {
		t.Errorf("busy %v:\n%s", v.Busy(c), text)
	}
}

// A drawing reads no frames but the few that LANE tells of, and those once.
func TestADrawingReadsWhatItTells(t *testing.T) {
	s := &session{step: 100 * time.Millisecond}
	s.connect("stdio")
	for i := range int64(20_000) {
		s.hints(i+1, opened("a")+visible([]string{"move", "undo"}[i%2], "a", i%4 < 2))
	}
	l := s.log(t)
	v := New()
	v.Flags = func(*view.Context, int) []Flag { return nil }
	v.Select("game", "a", "move")
	for _, at := range []int{l.Len() - 1, 9000, 100, 15_000} {
		c := uitest.MomentOf(t, l, at, s.at)
		c.Follow = at == l.Len()-1
		for uitest.Screen(v, c, 160, 43); v.Busy(c); {
			uitest.Screen(v, c, 160, 43)
		}
		v.tale = tale{}
		before := s.reads
		uitest.Screen(v, c, 160, 43)
		if n := s.reads - before; n > 60 {
			t.Errorf("at frame %d: %d frames were read", at, n)
		}
		before = s.reads
		uitest.Screen(v, c, 160, 43)
		if n := s.reads - before; n != 0 {
			t.Errorf("at frame %d, drawn again: %d frames were read", at, n)
		}
	}
}

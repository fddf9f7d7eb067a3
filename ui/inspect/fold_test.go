package inspect

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

const nested = `{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"play","inputSchema":{"type":"object","properties":{"at":{"enum":["A1","B2","C3","D4"]}}}},` +
	`{"name":"pass","description":"Pass this turn, and say that it was passed."}],"needle":[1,2]}}`

func jsonDoc(note, src string) inspector.Doc {
	return inspector.Doc{Note: note, Blocks: []inspector.Block{{Head: "J", JSON: []byte(src)}, block("the end")}}
}

func TestALineThatOpensSomethingIsFoldedAndUnfolded(t *testing.T) {
	d := jsonDoc("x", nested)
	var p Pane
	whole := draw(&p, d, 44, 24, true)
	typed(&p, "j", "j", "j", "j") // "result":{ "tools":[ {"name":"play"
	golden.RequireEqual(t, []byte(draw(&p, d, 44, 24, true)))
	for _, keys := range [][2]string{{"h", "l"}, {"left", "right"}, {"enter", "enter"}} {
		typed(&p, keys[0])
		out := draw(&p, d, 44, 24, true)
		contains(t, out, "▸{ … 2 members },", `{"name":"pass"`)
		if strings.Contains(out, "inputSchema") {
			t.Errorf("what is folded is in sight:\n%s", out)
		}
		typed(&p, keys[1])
		if got := draw(&p, d, 44, 24, true); strings.Contains(got, "members }") {
			t.Errorf("it is not unfolded:\n%s", got)
		}
	}
	typed(&p, "g")
	if got := draw(&p, d, 44, 24, true); got != whole {
		t.Errorf("folding and unfolding left a trace:\n%s", got)
	}
}

func TestLeftGoesOutToTheLineThatIsFoldedNext(t *testing.T) {
	d := jsonDoc("x", nested)
	var p Pane
	draw(&p, d, 44, 24, true)
	typed(&p, "j", "j", "j", "j", "j", "h", "h", "h")
	contains(t, draw(&p, d, 44, 24, true), "▸{ … 2 members },")
	typed(&p, "h", "h")
	contains(t, draw(&p, d, 44, 24, true), `▸"tools":[ … 2 values ],`)
	typed(&p, "h", "h")
	contains(t, draw(&p, d, 44, 24, true), `▸"result":{ … 2 members }}`)
	typed(&p, "h", "h")
	contains(t, draw(&p, d, 44, 24, true), "▌ ▸{ … 3 members }")
	if p.Key("h") {
		t.Error("there is nothing further out")
	}
	typed(&p, "l") // what was folded inside still is
	contains(t, draw(&p, d, 44, 24, true), `▸"result":{ … 2 members }}`)
	if p.Key("j"); p.Key("x") {
		t.Error("x belongs to whoever owns the pane")
	}
}

func TestThePaneSaysWhatItsKeysDoHere(t *testing.T) {
	d := jsonDoc("x", nested)
	var p Pane
	if p.Help() != nil || p.Key("h") || p.Key("enter") {
		t.Error("before anything is drawn no key folds")
	}
	draw(&p, d, 44, 24, true)
	want := func(h ...view.Help) {
		t.Helper()
		if got := p.Help(); !slices.Equal(got, h) {
			t.Errorf("help %v, want %v", got, h)
		}
	}
	want()
	if p.Key("l") || p.Key("enter") {
		t.Error("a heading does not fold")
	}
	p.Key("j")
	want(view.Help{Key: "←", Verb: "fold"})
	p.Key("h")
	want(view.Help{Key: "→", Verb: "unfold"})
	typed(&p, "l", "j", "j", "j", "j", "j", "j", "j")
	want(view.Help{Key: "←", Verb: "out"})
	p.Key("/")
	want(view.Help{Key: "enter", Verb: "find"}, view.Help{Key: "esc", Verb: "leave it"})
}

func TestFoldsStayWithTheirDocument(t *testing.T) {
	a, b := jsonDoc("a", nested), jsonDoc("b", nested)
	var p Pane
	draw(&p, a, 44, 24, true)
	typed(&p, "j", "h", "G", "g")
	const label = "{ … 3 members }"
	contains(t, draw(&p, a, 44, 24, true), label)
	if out := draw(&p, b, 44, 24, true); strings.Contains(out, label) {
		t.Errorf("another document is folded:\n%s", out)
	}
	contains(t, draw(&p, a, 60, 12, false), label)
	changed := jsonDoc("a", strings.Replace(nested, "play", "undo", 1))
	if out := draw(&p, changed, 44, 24, true); strings.Contains(out, label) {
		t.Errorf("another text is folded:\n%s", out)
	}
	p.Reset()
	if out := draw(&p, a, 44, 24, true); strings.Contains(out, label) {
		t.Errorf("a fold of another session is remembered:\n%s", out)
	}
}

func TestASearchUnfoldsWhatHidesAMatch(t *testing.T) {
	d := jsonDoc("x", strings.Replace(nested, `"A1"`, `"needle"`, 1))
	var p Pane
	draw(&p, d, 44, 24, true)
	typed(&p, "j", "j", "j", "h", "k", "h", "k", "h") // tools, result, and all
	contains(t, draw(&p, d, 44, 24, true), "{ … 3 members }")
	typed(&p, "/", "n", "e", "e", "d", "l", "e", "enter")
	out := draw(&p, d, 44, 24, true)
	contains(t, out, `["needle",`, `"tools":[`)
	if strings.Contains(out, "…") {
		t.Errorf("something is folded still:\n%s", out)
	}
	typed(&p, "n")
	if at, ok := p.here(); !ok || !strings.Contains(at.l.text(at.line), `"needle":[1,2]`) {
		t.Error("n does not go on to the second match")
	}
	typed(&p, "g", "j", "h", "j", "N") // from behind, into the fold
	if at, ok := p.here(); !ok || !strings.Contains(at.l.text(at.line), `"needle":[1,2]`) {
		t.Error("N finds the last match, in what was folded")
	}
	typed(&p, "g", "j", "h", "n") // from the folded line into it
	if at, ok := p.here(); !ok || !strings.Contains(at.l.text(at.line), `["needle",`) {
		t.Error("n finds the first match, in what was folded")
	}
}

func TestAClickOnTheSignFolds(t *testing.T) {
	d := jsonDoc("x", nested)
	var p Pane
	p.Click(3, 0)
	draw(&p, d, 44, 24, true)
	p.Click(10, 2)
	contains(t, draw(&p, d, 44, 24, true), "▌")
	p.Click(3, 2) // the sign stands left of "result"
	contains(t, draw(&p, d, 44, 24, true), `▸"result":{ … 2 members }}`)
	p.Click(3, 2)
	contains(t, draw(&p, d, 44, 24, true), `▾"result":{`)
	p.Click(3, 99)
}

func TestWhatIsFoldedIsCounted(t *testing.T) {
	for src, want := range map[string]string{
		`{}`: "{ … 0 members }", `[ ]`: "[ … 0 values ]", `{"a":{"b":1,"c":2}}`: "{ … 1 member }",
		`[1,[2,3],"a,]",{"x":[4,5]}]`: "[ … 4 values ]", `[1,2`: "[ … 2 values", `{"a":"`: "{ … 1 member",
	} {
		if got := foldAt([]byte(src), 0).label(src[0]); got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}

// Lines that were laid out before a fold stay, and those after it are laid out
// as if the text had been folded from the start.
func TestFoldingGivesTheLayoutThatThereWouldHaveBeen(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		src := []byte(anyMessage(rt))
		w := rapid.IntRange(20, 60).Draw(rt, "w")
		l := newJSONLines(src, w, false, &ink{})
		l.folds = folds{}
		for range rapid.IntRange(1, 8).Draw(rt, "steps") {
			l.extend(maxLines)
			if len(l.spans) == 0 {
				return
			}
			i := rapid.IntRange(0, len(l.spans)-1).Draw(rt, "line")
			open, _, _ := l.opener(i)
			switch at := l.foldOf(i); {
			case at >= 0:
				l.unfold(i, at)
			case open >= 0:
				l.fold(i, open)
			}
		}
		fresh := newJSONLines(src, w, false, &ink{})
		fresh.folds = l.folds
		got, want := laid(l), laid(fresh)
		if !slices.Equal(got, want) {
			rt.Fatalf("%s\ngot\n%s\nwant\n%s", src, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

func TestFoldingFiveMegabytesLaysOutNoneOfIt(t *testing.T) {
	d := huge(5 << 20)
	var p Pane
	draw(&p, d, 60, 40, true)
	typed(&p, "j", "j", "j") // "content":[
	contains(t, draw(&p, d, 60, 40, true), `▾"content":[`)
	typed(&p, "h")
	out := draw(&p, d, 60, 40, true)
	contains(t, out, `"content":[ … 60964 values ]}}`, "the end")
	for _, s := range p.parts {
		if j, ok := s.lazy.(*jsonLines); ok && len(j.spans) > 4 {
			t.Errorf("%d lines are kept of three", len(j.spans))
		}
	}
	typed(&p, "l")
	draw(&p, d, 60, 40, true)
	for _, s := range p.parts {
		if j, ok := s.lazy.(*jsonLines); ok && j.pos > 128<<10 {
			t.Errorf("%d bytes were laid out to unfold it", j.pos)
		}
	}
}

func BenchmarkFoldingFiveMegabytes(b *testing.B) {
	d := huge(5 << 20)
	var p Pane
	draw(&p, d, 60, 40, true)
	typed(&p, "j", "j", "j")
	for b.Loop() {
		typed(&p, "h", "l")
	}
}

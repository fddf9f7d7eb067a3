package inspect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

func draw(p *Pane, d inspector.Doc, w, h int, focused bool) string {
	c := kit.NewCanvas(w, h)
	p.Draw(c.All(), d, focused)
	return c.Plain()
}

func goban(t testing.TB) (*timeline.Log, *timeline.Board) {
	t.Helper()
	log := uitest.NewSource(t, uitest.Frames(uitest.Goban()).Cut(uitest.WireFrames)).Log()
	b, err := log.Board(uitest.BoardFrames - 1)
	if err != nil {
		t.Fatal(err)
	}
	return log, b
}

// The documents that the screens (a), (b) and (f) draw, at the sizes that
// INSPECT has there, and over the body of the smaller screens.
func TestDocumentsLookAsDrawn(t *testing.T) {
	log, b := goban(t)
	docs := map[string]inspector.Doc{
		"frame-99":        inspector.Frame(log, 98),
		"frame-95":        inspector.Frame(log, 94),
		"frame-100":       inspector.Frame(log, 99),
		"frame-98":        inspector.Frame(log, 97),
		"frame-74":        inspector.Frame(log, 73),
		"rev-31":          inspector.Row(log, 30),
		"tool-rematch":    inspector.Tool(log, b, "", "", "rematch"),
		"rev-41":          inspector.Row(log, 40),
		"rev-39":          inspector.Row(log, 38),
		"rev-2":           inspector.Row(log, 1),
		"tool-undo":       inspector.Tool(log, b, "game", "vs-ada", "undo"),
		"tool-play":       inspector.Tool(log, b, "game", "vs-ada", "play"),
		"tool-say":        inspector.Tool(log, b, "chat", "", "say"),
		"tool-dump":       inspector.Tool(log, b, "debug", "", "dump_board"),
		"tool-status":     inspector.Tool(log, b, "", "", "status"),
		"toolset-game":    inspector.Toolset(log, b, "game"),
		"instance-vs-ada": inspector.Instance(log, b, "game", "vs-ada"),
		"suggestion":      inspector.Suggestion(log, b, b.Suggestions[0]),
	}
	for name, d := range docs {
		for _, s := range [][2]int{{60, 33}, {55, 42}, {63, 8}, {80, 18}, {40, 7}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, s[0], s[1]), func(t *testing.T) {
				var p Pane
				golden.RequireEqual(t, []byte(draw(&p, d, s[0], s[1], false)))
			})
		}
	}
}

func block(lines ...string) inspector.Block {
	b := inspector.Block{Head: "LINES"}
	for _, l := range lines {
		b.Body = append(b.Body, inspector.Line{Spans: []inspector.Span{{Text: l}}})
	}
	return b
}

func numbered(n int) inspector.Doc {
	var lines []string
	for i := 1; i <= n; i++ {
		lines = append(lines, fmt.Sprintf("line %d", i))
	}
	b := block(lines...)
	b.Head = ""
	return inspector.Doc{Note: "numbered", Blocks: []inspector.Block{b}}
}

func TestScrollingStopsAtBothEndsAndSaysHowMuchIsBelow(t *testing.T) {
	var p Pane
	d := numbered(50)
	out := draw(&p, d, 40, 10, true)
	contains(t, out, "▌line 1\n", "↓ 41 more")
	for _, c := range []struct{ keys, first, last string }{
		{"k k k", "line 1\n", "↓ 41 more"},
		{"j j j j j j", "line 1\n", "↓ 41 more"},
		{"j", "line 2\n", "↑ 1   ↓ 40 more"},
		{"ctrl+d", "line 6\n", "↑ 5   ↓ 36 more"},
		{"pgdown", "line 14\n", "↑ 13   ↓ 28 more"},
		{"pgup ctrl+u", "line 2\n", "↑ 1   ↓ 40 more"},
		{"G", "line 41\n", "line 50\n"},
		{"j j pgdown", "line 41\n", "line 50\n"},
		{"g", "line 1\n", "↓ 41 more"},
	} {
		for _, k := range strings.Fields(c.keys) {
			if !p.Key(k) {
				t.Errorf("no use for %s", k)
			}
		}
		out = draw(&p, d, 40, 10, true)
		lines := strings.SplitAfter(strings.TrimSuffix(out, "\n"), "\n")
		if !strings.Contains(lines[0], c.first) || !strings.Contains(lines[9]+"\n", c.last) {
			t.Errorf("after %s: first %q, last %q", c.keys, lines[0], lines[9])
		}
	}
	p.Wheel(2)
	contains(t, draw(&p, d, 40, 10, true), "line 7\n")
	if p.Key("x") || p.Key("esc") {
		t.Error("x and esc belong to whoever owns the pane")
	}
}

func contains(t *testing.T, out string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(out, w) {
			t.Errorf("lacks %q:\n%s", w, out)
		}
	}
}

func TestAnotherDocumentBeginsAtItsTopAndTheSameKeepsItsPlace(t *testing.T) {
	var p Pane
	draw(&p, numbered(50), 40, 10, true)
	p.Key("pgdown")
	contains(t, draw(&p, numbered(60), 40, 10, true), "line 9\n", "↑ 8")
	other := numbered(60)
	other.Note = "another"
	contains(t, draw(&p, other, 40, 10, true), "line 1\n")
	p.Key("G")
	p.Reset()
	contains(t, draw(&p, other, 40, 10, true), "line 1\n")
}

func TestUnfocusedTextsShareTheRowsAndFocusedTheyAreWhole(t *testing.T) {
	long := "[" + strings.Repeat("12345678,", 200) + "0]"
	d := inspector.Doc{Blocks: []inspector.Block{
		{Head: "ONE", JSON: []byte(long)}, {Head: "TWO", JSON: []byte(`{"short":true}`)}, block("the end"),
	}}
	var p Pane
	out := draw(&p, d, 40, 20, false)
	contains(t, out, "TWO", `{"short":true}`, "the end", "…")
	if strings.Contains(out, "more") {
		t.Errorf("all parts fit:\n%s", out)
	}
	out = draw(&p, d, 40, 20, true)
	if strings.Contains(out, "TWO") || !strings.Contains(out, "↓ ") {
		t.Errorf("read in full it is longer than the pane:\n%s", out)
	}
	p.Key("G")
	contains(t, draw(&p, d, 40, 20, true), "TWO", "the end")
}

func TestWhatIsFoldedStaysShortWhenItIsReadInFull(t *testing.T) {
	d := inspector.Doc{Blocks: []inspector.Block{
		{Head: "FOLDED", JSON: []byte("[" + strings.Repeat("12345678,", 900) + "0]"), Fold: true}, block("the end"),
	}}
	var p Pane
	out := draw(&p, d, 40, 30, true)
	contains(t, out, "the end", "…")
	if n := strings.Count(out, "12345678"); n > 3*fewRows {
		t.Errorf("%d numbers in sight", n)
	}
}

func TestALowPaneSetsHeadingsBesideTheirLines(t *testing.T) {
	d := inspector.Doc{Blocks: []inspector.Block{
		{Head: "WHY NOT", Body: []inspector.Line{{Spans: []inspector.Span{{Text: "because"}}}}},
		{Head: "ARGUMENTS", Note: "readOnlyHint false", Body: []inspector.Line{{Spans: []inspector.Span{{Text: "none"}}}}},
		{Head: "RAW", JSON: []byte(`{"a":1}`), Flow: true, Fold: true},
	}}
	var p Pane
	got := draw(&p, d, 40, 4, false)
	want := ` WHY NOT   because
 ARGUMENTS none      readOnlyHint false


`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	contains(t, draw(&p, d, 40, 5, true), "RAW", `{"a":1}`)
}

func TestSearchGoesFromMatchToMatchThroughLinesAndJSON(t *testing.T) {
	d := inspector.Doc{Note: "x", Blocks: []inspector.Block{
		block("a Needle here"),
		{Head: "J", JSON: []byte(`{"pad":[` + strings.Repeat("1111111,", 300) + `0],"NEEDLE":"in json"}`)},
		{Head: "T", Text: []byte(strings.Repeat("hay ", 400) + "needle " + strings.Repeat("hay ", 10))},
	}}
	var p Pane
	draw(&p, d, 40, 12, true)
	typed(&p, "/", "n", "e", "e", "d", "x", "backspace")
	contains(t, draw(&p, d, 40, 12, true), " /need")
	typed(&p, "enter")
	contains(t, draw(&p, d, 40, 12, true), "a Needle here", "/need  n next")
	for range 2 { // around twice
		typed(&p, "n")
		contains(t, draw(&p, d, 40, 12, true), `"NEEDLE"`)
		typed(&p, "n")
		contains(t, draw(&p, d, 40, 12, true), "needle")
		typed(&p, "n")
		contains(t, draw(&p, d, 40, 12, true), "a Needle here")
	}
	typed(&p, "N")
	contains(t, draw(&p, d, 40, 12, true), "needle")
	typed(&p, "N")
	contains(t, draw(&p, d, 40, 12, true), `"NEEDLE"`)
	typed(&p, "esc")
	if strings.Contains(draw(&p, d, 40, 12, true), "/need") {
		t.Error("esc clears the search")
	}
	typed(&p, "/", "z", "q", "enter")
	contains(t, draw(&p, d, 40, 12, true), "/zq  not found. esc clears")
	typed(&p, "/", "enter", "/", "esc", "/", "backspace")
	if p.Typing() {
		t.Error("backspace on an empty line leaves it")
	}
}

func typed(p *Pane, keys ...string) {
	for _, k := range keys {
		p.Key(k)
	}
}

func TestMatchesInSightAreUnderlined(t *testing.T) {
	d := inspector.Doc{Blocks: []inspector.Block{block("日本 needle"), {Head: "J", JSON: []byte(`{"k":"a needle"}`)}}}
	var p Pane
	draw(&p, d, 40, 12, true)
	typed(&p, "/", "n", "e", "e", "d", "l", "e", "enter")
	c := kit.NewCanvas(40, 12)
	p.Draw(c.All(), d, true)
	found := 0
	for y := range 11 {
		c.All().Restyle(0, y, 40, func(s kit.Style) kit.Style {
			if s.Underline {
				found++
			}
			return s
		})
	}
	if found != 2*len("needle") {
		t.Errorf("%d cells are underlined", found)
	}
}

func TestPastedTextGoesIntoTheSearchLineOnly(t *testing.T) {
	var p Pane
	if p.Paste("x") {
		t.Error("nothing takes text")
	}
	p.Key("/")
	if !p.Paste("a\nb\x1b[2J") || p.find.Word != "ab[2J" {
		t.Errorf("%q", p.find.Word)
	}
}

// Whatever stands in a document, at whatever size and after whatever keys: it
// stays inside of its region, and nothing that a terminal would act on gets
// out.
func TestNothingOfADocumentLeavesItsPlace(t *testing.T) {
	keys := []string{"j", "k", "ctrl+d", "ctrl+u", "pgdown", "pgup", "g", "G", "n", "N", "/", "e", "enter", "esc", "backspace", "x", "h", "l", "left", "right"}
	rapid.Check(t, func(rt *rapid.T) {
		var p Pane
		for range rapid.IntRange(1, 4).Draw(rt, "docs") {
			d := anyDoc(rt)
			w, h := rapid.IntRange(0, 70).Draw(rt, "w"), rapid.IntRange(0, 30).Draw(rt, "h")
			for range rapid.IntRange(0, 6).Draw(rt, "keys") {
				p.Key(rapid.SampledFrom(keys).Draw(rt, "key"))
				c := kit.NewCanvas(w+6, h+2)
				for y := range h + 2 {
					c.All().Fill(0, y, w+6, kit.Style{}, "#")
				}
				r := c.All().Sub(3, 1, w, h)
				r.Clear()
				p.Draw(r, d, rapid.Bool().Draw(rt, "focused"))
				inside(rt, c.Plain(), w, h)
			}
		}
	})
}

func inside(t *rapid.T, out string, w, h int) {
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	for y, l := range lines {
		if y == 0 || y == h+1 {
			if strings.Trim(l, "#") != "" {
				t.Fatalf("row %d was drawn on: %q", y, l)
			}
			continue
		}
		if !strings.HasPrefix(l, "###") || !strings.HasSuffix(l, "###") {
			t.Fatalf("row %d was left: %q", y, l)
		}
		for _, r := range l {
			if r < ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) || (r >= 0x202a && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069) {
				t.Fatalf("row %d holds %U", y, r)
			}
		}
	}
}

func anyDoc(t *rapid.T) inspector.Doc {
	text := func(label string) string { return rapid.SampledFrom(words).Draw(t, label) }
	d := inspector.Doc{Title: text("title"), Note: text("note")}
	for range rapid.IntRange(0, 5).Draw(t, "blocks") {
		b := inspector.Block{
			Head: text("head"), Note: text("bnote"), Sign: rapid.SampledFrom([]string{"", "~", "✗"}).Draw(t, "sign"),
			Fold: rapid.Bool().Draw(t, "fold"), Flow: rapid.Bool().Draw(t, "flow"),
		}
		for range rapid.IntRange(0, 4).Draw(t, "lines") {
			l := inspector.Line{
				Sign: rapid.SampledFrom([]string{"", "+", "✓", "r ", "\x1b[m"}).Draw(t, "lsign"), Diff: rapid.Bool().Draw(t, "diff"),
				Indent: rapid.IntRange(0, 3).Draw(t, "indent"), Right: text("right"), Wrap: rapid.Bool().Draw(t, "wrap"),
			}
			for range rapid.IntRange(0, 3).Draw(t, "spans") {
				l.Spans = append(l.Spans, inspector.Span{Text: text("span"), Tone: inspector.Tone(rapid.IntRange(0, 6).Draw(t, "tone"))})
			}
			b.Body = append(b.Body, l)
		}
		switch rapid.IntRange(0, 3).Draw(t, "what") {
		case 0:
			b.JSON = []byte(anyMessage(t))
		case 1:
			b.Text = []byte(text("text") + "\n" + text("more"))
		case 2:
			b.JSON = rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "junk")
		}
		d.Add(b)
	}
	return d
}

// What a drawing costs does not depend on how large the message is: it reads
// no more of it than it shows.
func TestAFrameOfFiveMegabytesIsReadAsFarAsItIsShown(t *testing.T) {
	d := huge(5 << 20)
	var p Pane
	draw(&p, d, 60, 40, true)
	for range 10 {
		p.Key("pgdown")
		draw(&p, d, 60, 40, true)
	}
	for _, s := range p.parts {
		if j, ok := s.lazy.(*jsonLines); ok && j.pos > 128<<10 {
			t.Errorf("%d bytes were laid out for eleven screens", j.pos)
		}
	}
	contains(t, draw(&p, d, 60, 40, true), "+ more")
	p.Key("G")
	out := draw(&p, d, 60, 40, true)
	contains(t, out, "the end")
	if strings.Contains(out, "more") {
		t.Errorf("at the end nothing is below:\n%s", out)
	}
}

func huge(n int) inspector.Doc {
	item := `{"type":"text","text":"a line of some length, as a server might send it","n":[1,2,3]},`
	src := `{"jsonrpc":"2.0","id":1,"result":{"content":[` + strings.Repeat(item, n/len(item)) + `0]}}`
	return inspector.Doc{Note: "huge", Blocks: []inspector.Block{{Head: "ANSWERED", JSON: []byte(src)}, block("the end")}}
}

func BenchmarkDrawingAFrame(b *testing.B) {
	for _, n := range []int{5 << 10, 5 << 20} {
		b.Run(inspector.Size(int64(n)), func(b *testing.B) {
			d := huge(n)
			var p Pane
			c := kit.NewCanvas(60, 40)
			p.Draw(c.All(), d, true)
			b.ResetTimer()
			for i := range b.N {
				p.Key([]string{"j", "k"}[i%2])
				p.Draw(c.All(), d, true)
			}
		})
	}
}

func BenchmarkOpeningAFrameOfFiveMegabytes(b *testing.B) {
	d := huge(5 << 20)
	c := kit.NewCanvas(60, 40)
	for b.Loop() {
		var p Pane
		p.Draw(c.All(), d, false)
	}
}

func BenchmarkGoingToTheEndOfFiveMegabytes(b *testing.B) {
	d := huge(5 << 20)
	c := kit.NewCanvas(60, 40)
	for b.Loop() {
		var p Pane
		p.Draw(c.All(), d, true)
		p.Key("G")
		p.Draw(c.All(), d, true)
	}
}

package inspect

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

func TestJSONIsBrokenAfterACommaAndKeepsItsText(t *testing.T) {
	got := wrapCode(`{"name":"undo","instance":"vs-ada","visible":true}`, 45)
	if want := "{\"name\":\"undo\",\"instance\":\"vs-ada\",\n \"visible\":true}"; strings.Join(got, "\n") != want {
		t.Errorf("%q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := kit.Clean(rapid.StringOf(rapid.SampledFrom([]rune(`{}",: abc長い👩`+"\u200d\u0301"))).Draw(t, "text"))
		w := rapid.IntRange(8, 40).Draw(t, "w")
		var all strings.Builder
		for i, line := range wrapCode(text, w) {
			if kit.Width(line) > w {
				t.Fatalf("%q is wider than %d", line, w)
			}
			if i > 0 {
				line = strings.TrimPrefix(line, " ")
			}
			all.WriteString(line)
		}
		if all.String() != text {
			t.Fatalf("%q became %q", text, all.String())
		}
	})
}

func TestAHeadingStandsBesideItsLinesAndJoinedOnesBelowIt(t *testing.T) {
	text := func(s string) []inspector.Line {
		return []inspector.Line{{Spans: []inspector.Span{{Text: s}}, Wrap: true}}
	}
	var p Pane
	c := kit.NewCanvas(40, 20)
	p.Draw(c.All(), inspector.Doc{Blocks: []inspector.Block{
		{Body: text("intro")},
		{Head: "BY", Body: text("one two three four five six seven eight"), Beside: true},
		{Head: "SEEN", Body: text("\x1b[2J"), Beside: true, Joined: true},
		{Head: "NONE", Beside: true},
	}}, false)
	want := " intro\n\n BY         one two three four five six\n            seven eight\n SEEN       ␛[2J\n\n NONE\n"
	if got := c.Plain(); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

package label

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

func TestTextOfAPeerIsCleanedAndBounded(t *testing.T) {
	long := strings.Repeat("囲", 5000)
	for _, s := range []string{"a\x1b[31mred", "\u202egnp", "\xff\xfe", long, "x" + long, strings.Repeat("\n", 9000)} {
		for name, got := range map[string]string{"Peer": Peer(s), "FirstLine": FirstLine(s), "CutName": CutName(s, 20), "Name": Name(s, s, s)} {
			if kit.Clean(got) != got || !utf8.ValidString(got) || len(got) > 8*keepBytes {
				t.Errorf("%s(%.20q…): %d bytes, %.60q", name, s, len(got), got)
			}
		}
	}
	if got := Peer(long); !strings.HasPrefix(got, "囲") || !strings.HasSuffix(got, "囲") || !strings.Contains(got, "…") {
		t.Errorf("the middle of a long text goes: %.30q", got)
	}
	if got := FirstLine(" \n one \r\ntwo"); got != "one " {
		t.Errorf("first line: %q", got)
	}
}

func TestThingsHaveOneName(t *testing.T) {
	for want, got := range map[string]string{
		"play @ vs-ada": Name("game", "vs-ada", "play"),
		"help":          Name("", "", "help"),
		"game vs-ada":   Name("game", "vs-ada", ""),
		"game":          Name("game", "", ""),
		"7":             Rev(1, 7),
		"2.7":           Rev(2, 7),
		" ↑2 ↓3":        Arrows(2, 3),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSignsAreThoseOfTheRowAtThePlayhead(t *testing.T) {
	row := &timeline.Row{Conn: 1, Taken: 5, Changes: []timeline.Change{
		{Kind: timeline.Shown, Tool: "play", Instance: "a"},
		{Kind: timeline.Redefined, Tool: "play", Instance: "a"},
		{Kind: timeline.Hidden, Tool: "play", Instance: "b"},
		{Kind: timeline.Opened, Toolset: "game", Instance: "a"},
	}}
	c := &view.Context{Row: row, At: 6, Board: &timeline.Board{Conn: 1}}
	got := Signs(c)
	if len(got) != 2 || got[CellKey{"play", "a"}] != (Sign{Shown: true, Redefined: true}) || got[CellKey{"play", "b"}] != (Sign{Hidden: true}) {
		t.Errorf("signs: %+v", got)
	}
	for what, change := range map[string]func(){
		"held beyond the playhead": func() { c.At = 4 },
		"never taken":              func() { c.At, row.Taken = 6, -1 },
		"of another connection":    func() { row.Taken, c.Board.Conn = 5, 2 },
		"no row":                   func() { c.Row = nil },
	} {
		saved, at, taken, conn := c.Row, c.At, row.Taken, c.Board.Conn
		if change(); len(Signs(c)) != 0 {
			t.Errorf("%s: %+v", what, Signs(c))
		}
		c.Row, c.At, row.Taken, c.Board.Conn = saved, at, taken, conn
	}
}

func TestAHeadLineKeepsItsTitleLongest(t *testing.T) {
	for w, want := range map[int]string{
		30: "─ LANE ─────────── at rev 36 ─",
		18: "─ LANE ───────────",
		6:  "─ L… ─",
		3:  "───",
	} {
		canvas := kit.NewCanvas(w, 1)
		DrawHead(canvas.All(), "LANE", "at rev 36", false)
		if got := strings.TrimSuffix(canvas.Plain(), "\n"); got != want {
			t.Errorf("%d columns: %q, want %q", w, got, want)
		}
	}
}

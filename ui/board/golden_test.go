package board

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// bare is a board whose INSPECT is a title and nothing else: what it says is
// tested where it is made.
func bare() *Board {
	b := New()
	b.Inspect = nil
	b.Explain = func(c *view.Context, sel Selection) inspector.Doc {
		if sel.Kind == OnRow {
			return inspector.Doc{Note: (&Board{}).moment(c).on(sel)}
		}
		return inspector.Doc{Title: nameOf(sel), Note: "as it is"}
	}
	return b
}

// The boards of screens (a), (b), (c) and (j), below their three upper rows
// and above their two lower ones; and the sizes between them.
func TestTheBoardStandsAsItIsDrawn(t *testing.T) {
	live := uitest.GobanLive(t)
	past := uitest.Moment(t, "goban", 0, 74)
	past.Replay, past.Follow = true, false
	many := uitest.Moment(t, "many", 0, -1)
	for _, tc := range []struct {
		name string
		c    *view.Context
		w, h int
		keys string
	}{
		{"a-160x48", live, 160, 43, "shift+tab"},
		{"b-100x30", live, 100, 25, "k k k"},
		{"c-80x24", live, 80, 19, ""},
		{"j-40x12", live, 40, 7, "k k k k k"},
		{"e-160x48-past", past, 160, 43, "shift+tab"},
		{"139x48", live, 139, 43, "tab"},
		{"120x24-strip", live, 120, 19, "k tab tab"},
		{"96x19-no-strip", live, 96, 14, ""},
		{"60x24", live, 60, 19, "k k"},
		{"59x48-revs", live, 59, 43, "tab"},
		{"160x16", live, 160, 11, ""},
		{"100x30-tools-alone", live, 100, 25, "k l z"},
		{"80x24-inspect", live, 80, 19, "k i"},
		{"many-160x48", many, 160, 43, "k k k l l l"},
		{"many-100x30", many, 100, 25, "k k k k k k"},
		{"many-80x24", many, 80, 19, ""},
		{"many-40x12", many, 40, 7, ""},
		{"plain-100x30", uitest.Moment(t, "plain", 0, -1), 100, 25, ""},
		{"nohints-80x24", uitest.Moment(t, "nohints", 0, -1), 80, 19, "j"},
		{"empty-100x30", uitest.Moment(t, "empty", 0, -1), 100, 25, ""},
		{"reconnect-160x48", uitest.Moment(t, "reconnect", 0, -1), 160, 43, "tab"},
		{"160x48-revs-filtered", live, 160, 43, "shift+tab / k i n d : h i n t s enter"},
		{"100x30-revs-filtered", past, 100, 25, "shift+tab / i n s t a n c e : v s - b o t"},
		{"100x30-tools-filtered", live, 100, 25, "/ s t a t u s : r e d e f enter"},
		{"80x24-no-tool", live, 80, 19, "/ t o o l : u n d o o"},
		{"40x12-tools-filtered", live, 40, 7, "/ u n d o enter"},
		{"first-80x24", uitest.Moment(t, "goban", 12, -1), 80, 19, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := bare()
			uitest.Screen(b, tc.c, tc.w, tc.h)
			uitest.Press(b, tc.c, strings.Fields(tc.keys)...)
			uitest.Golden(t, tc.name, uitest.Screen(b, tc.c, tc.w, tc.h))
		})
	}
}

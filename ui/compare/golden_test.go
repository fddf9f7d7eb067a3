package compare

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Screen (e), below its three upper rows and above its two lower ones, at
// each size; its other baselines; and the whole board at two points.
func TestAComparisonStandsAsItIsDrawn(t *testing.T) {
	here, end := rev31(t), gobanAt(t, 102)
	early := gobanAt(t, 20) // before the mark
	reconnected := contextAt(t, uitest.NewSource(t, uitest.Frames(uitest.Reconnect())).Log(), -1)
	reconnected.Mark = 12
	for _, tc := range []struct {
		name   string
		c      *view.Context
		target Target
		w, h   int
		keys   string
	}{
		{"e-160x48", here, playAda, 160, 43, ""},
		{"e-100x30", here, playAda, 100, 25, ""},
		{"e-100x30-lower", here, playAda, 100, 25, "end"},
		{"e-80x24", here, playAda, 80, 19, ""},
		{"e-80x24-lower", here, playAda, 80, 19, "end"},
		{"e-40x12", here, playAda, 40, 7, ""},
		{"e-40x12-lower", here, playAda, 40, 7, "end"},
		{"declared-160x48", here, playAda, 160, 43, "d"},
		{"mark-160x48", here, playAda, 160, 43, "d d"},
		{"zoom-100x30", here, playAda, 100, 25, "z"},
		{"later-mark-160x48", early, playAda, 160, 43, "d d"},
		{"never-redefined-160x48", here, Target{Toolset: "game", Instance: "vs-ada", Tool: "undo"}, 160, 43, ""},
		{"closed-100x30", here, Target{Toolset: "chat", Tool: "say"}, 100, 25, ""},
		{"static-160x48", here, Target{Tool: "status"}, 160, 43, ""},
		{"not-listed-100x30", here, Target{Tool: "fly"}, 100, 25, ""},
		{"board-mark-160x48", end, Target{}, 160, 43, ""},
		{"board-before-160x48", here, Target{}, 160, 43, "d"},
		{"board-listed-100x30", here, Target{}, 100, 25, "d d j"},
		{"board-80x24", end, Target{}, 80, 19, "j"},
		{"board-40x12", end, Target{}, 40, 7, "j"},
		{"board-tool-160x48", end, Target{}, 160, 43, "j enter"},
		{"board-reconnect-160x48", reconnected, Target{}, 160, 43, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := beside(tc.c, tc.target)
			uitest.Screen(v, tc.c, tc.w, tc.h)
			for _, k := range strings.Fields(tc.keys) {
				v.Key(k, tc.c)
				uitest.Screen(v, tc.c, tc.w, tc.h)
			}
			uitest.Golden(t, tc.name, uitest.Screen(v, tc.c, tc.w, tc.h))
		})
	}
}

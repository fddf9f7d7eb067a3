package model

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Screen (q), below its three upper rows and above its two lower ones; the
// other sizes; and what goban does not reach.
func TestThePageStandsAsItIsDrawn(t *testing.T) {
	live := uitest.GobanLive(t)
	past := uitest.Moment(t, "goban", 0, 74)
	past.Replay, past.Follow = true, false
	for _, tc := range []struct {
		name string
		c    *view.Context
		w, h int
		keys string
	}{
		{"q-100x30", live, 100, 25, ""},
		{"160x48", live, 160, 43, ""},
		{"80x24", live, 80, 19, ""},
		{"40x12", live, 40, 7, ""},
		{"100x30-head", live, 100, 25, "tab"},
		{"100x30-cost", live, 100, 25, "tab tab"},
		{"100x20", live, 100, 15, ""},
		{"80x24-head", live, 80, 19, "tab"},
		{"40x12-head", live, 40, 7, "tab"},
		{"40x12-cost", live, 40, 7, "tab tab"},
		{"100x30-past", past, 100, 25, ""},
		{"160x48-past-alone", past, 160, 43, "z"},
		{"100x30-filter", live, 100, 25, "/ t o o l : s c o r e enter"},
		{"100x30-no-match", live, 100, 25, "/ t o o l : s c o r e e"},
		{"100x30-inspect", live, 100, 25, "i"},
		{"nohints-100x30", uitest.Moment(t, "nohints", 0, -1), 100, 25, ""},
		{"plain-80x24", uitest.Moment(t, "plain", 0, -1), 80, 19, ""},
		{"plain-80x24-head", uitest.Moment(t, "plain", 0, -1), 80, 19, "tab"},
		{"empty-100x30", uitest.Moment(t, "empty", 0, -1), 100, 25, ""},
		{"failed-100x30", uitest.Moment(t, "failed", 0, -1), 100, 25, ""},
		{"first-100x30", uitest.Moment(t, "goban", 12, -1), 100, 25, ""},
		{"reconnect-100x30", uitest.Moment(t, "reconnect", 0, -1), 100, 25, ""},
		{"many-160x48", uitest.Moment(t, "many", 0, -1), 160, 43, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := New()
			uitest.Screen(v, tc.c, tc.w, tc.h)
			for _, k := range strings.Fields(tc.keys) {
				v.Key(k, tc.c)
			}
			uitest.Golden(t, tc.name, uitest.Screen(v, tc.c, tc.w, tc.h))
		})
	}
}

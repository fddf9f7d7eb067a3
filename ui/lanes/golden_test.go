package lanes

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// The screens (m), (n) and (o), below their three upper rows and above their
// two lower ones; the sizes between them; and what goban does not reach.
func TestTheLanesStandAsTheyAreDrawn(t *testing.T) {
	live := uitest.GobanLive(t)
	for _, tc := range []struct {
		name string
		c    *view.Context
		w, h int
		on   lane
		keys string
	}{
		{"m-160x48", gobanAt(t, 36), 160, 43, lane{onTool, "game", "vs-bot", "score"}, ""},
		{"n-80x24", live, 80, 19, lane{onTool, "game", "vs-ada", "undo"}, ""},
		{"o-80x24", live, 80, 19, lane{onTool, "game", "vs-ada", "undo"}, "z z"},
		{"100x30", live, 100, 25, lane{onTool, "game", "vs-bot", "play"}, ""},
		{"40x12", live, 40, 7, lane{onTool, "game", "vs-ada", "play"}, ""},
		{"40x10", gobanAt(t, 11), 40, 6, lane{onInstance, "game", "vs-bot", ""}, ""},
		{"100x48", gobanAt(t, 31), 100, 43, lane{onTool, "game", "vs-ada", "play"}, ""},
		{"120x36", gobanAt(t, 38), 120, 31, lane{onToolset, "chat", "", ""}, ""},
		{"120x48-wide-scrolled", gobanAt(t, 20), 120, 43, lane{kind: onStatic}, "z z z z"},
		{"160x48-folded", live, 160, 43, lane{onInstance, "game", "vs-bot", ""}, "enter k k k k k k enter k enter"},
		{"160x48-unfolded", gobanAt(t, 24), 160, 43, lane{onToolset, "chat", "", ""}, "enter j j j enter home enter"},
		{"100x30-filter", live, 100, 25, lane{onTool, "game", "vs-ada", "play"}, "/ p l a enter"},
		{"80x24-before-rev-1", uitest.Moment(t, "goban", 0, 4), 80, 19, lane{}, ""},
		{"80x24-first", uitest.Moment(t, "goban", 12, -1), 80, 19, lane{}, ""},
		{"reconnect-160x48", uitest.Moment(t, "reconnect", 0, -1), 160, 43, lane{onTool, "game", "vs-bot", "play"}, ""},
		{"reconnect-80x24-past", uitest.Moment(t, "reconnect", 0, 26), 80, 19, lane{onTool, "game", "vs-bot", "play"}, ""},
		{"gap-100x30", gaps(t, -1), 100, 25, lane{kind: onDynamic}, ""},
		{"gap-80x24-zoomed", gaps(t, 12), 80, 19, lane{onTool, "game", "b", "move"}, "z z"},
		{"many-160x48", uitest.Moment(t, "many", 0, -1), 160, 43, lane{}, ""},
		{"many-80x24", uitest.Moment(t, "many", 0, -1), 80, 19, lane{}, "j j j j j j j j j j j j"},
		{"nohints-80x24", uitest.Moment(t, "nohints", 0, -1), 80, 19, lane{}, ""},
		{"empty-80x24", uitest.Moment(t, "empty", 0, -1), 80, 19, lane{}, ""},
		{"failed-80x24", uitest.Moment(t, "failed", 0, -1), 80, 19, lane{}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := New()
			v.Select(tc.on.toolset, tc.on.instance, tc.on.tool)
			if tc.on.kind != onTool {
				v.sel = tc.on
			}
			uitest.Screen(v, tc.c, tc.w, tc.h)
			uitest.Press(v, tc.c, strings.Fields(tc.keys)...)
			uitest.Golden(t, tc.name, uitest.Screen(v, tc.c, tc.w, tc.h))
		})
	}
}

func TestTheLanesStandOverTime(t *testing.T) {
	for _, tc := range []struct {
		name string
		c    *view.Context
		w, h int
		keys string
	}{
		{"time-160x48", gobanAt(t, 39), 160, 43, ""},
		{"time-80x24", uitest.GobanLive(t), 80, 19, "z"},
		{"time-reconnect-100x30", uitest.Moment(t, "reconnect", 0, -1), 100, 25, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := New()
			v.SetTime(true)
			v.Select("game", "vs-ada", "play")
			uitest.Screen(v, tc.c, tc.w, tc.h)
			uitest.Press(v, tc.c, strings.Fields(tc.keys)...)
			uitest.Golden(t, tc.name, uitest.Screen(v, tc.c, tc.w, tc.h))
		})
	}
}

// The marked column is reversed through all lanes, and what comes after it is
// dim.
func TestTheMarkedColumnIsReversed(t *testing.T) {
	c := gobanAt(t, 36)
	v := New()
	canvas := kit.NewCanvas(160, 43)
	v.Draw(canvas.All(), c)
	m := v.look(c)
	lines := strings.Split(kit.NewMono().Render(canvas), "\n")
	for y := range v.rows {
		line := lines[m.at.lanes.y+y]
		before, after, ok := strings.Cut(line, "\x1b[7m")
		if !ok || strings.Contains(after, "\x1b[7m") {
			t.Errorf("lane %d: not one reversed column: %q", y, line)
			continue
		}
		if x := kit.Width(plain(before)); x != m.at.track.x+3*35 {
			t.Errorf("lane %d: column %d is reversed", y, x)
		}
		if marked, rest, _ := strings.Cut(after, "\x1b[0m"); kit.Width(marked) != wideCell || strings.Contains(rest, "\x1b[1m") {
			t.Errorf("lane %d: %q is marked, then comes %q", y, marked, rest)
		}
	}
}

// plain takes escape sequences out.
func plain(s string) string {
	for {
		before, after, ok := strings.Cut(s, "\x1b[")
		if !ok {
			return s
		}
		_, after, _ = strings.Cut(after, "m")
		s = before + after
	}
}

package lanes

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

var update = flag.Bool("update", false, "write the goldens")

func screen(v *View, c *view.Context, w, h int) string {
	canvas := kit.NewCanvas(w, h)
	v.Draw(canvas.All(), c)
	return canvas.Plain()
}

// press presses keys, one after the other.
func press(v *View, c *view.Context, keys ...string) (do view.Intent) {
	for _, k := range keys {
		do, _ = v.Key(k, c)
	}
	return do
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	wants := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(wants) || line != wants[i] {
			t.Errorf("%s, line %d (-update writes what is drawn now):\n%q\nwant\n%q", name, i+1, line, append(wants, "")[min(i, len(wants))])
			return
		}
	}
}

// The screens (m), (n) and (o), below their three upper rows and above their
// two lower ones; the sizes between them; and what goban does not reach.
func TestTheLanesStandAsTheyAreDrawn(t *testing.T) {
	live := gobanLive(t)
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
		{"80x24-before-rev-1", recorded(t, "goban", 0, 4), 80, 19, lane{}, ""},
		{"80x24-first", recorded(t, "goban", 12, -1), 80, 19, lane{}, ""},
		{"reconnect-160x48", recorded(t, "reconnect", 0, -1), 160, 43, lane{onTool, "game", "vs-bot", "play"}, ""},
		{"reconnect-80x24-past", recorded(t, "reconnect", 0, 26), 80, 19, lane{onTool, "game", "vs-bot", "play"}, ""},
		{"gap-100x30", gaps(t, -1), 100, 25, lane{kind: onDynamic}, ""},
		{"gap-80x24-zoomed", gaps(t, 12), 80, 19, lane{onTool, "game", "b", "move"}, "z z"},
		{"many-160x48", recorded(t, "many", 0, -1), 160, 43, lane{}, ""},
		{"many-80x24", recorded(t, "many", 0, -1), 80, 19, lane{}, "j j j j j j j j j j j j"},
		{"nohints-80x24", recorded(t, "nohints", 0, -1), 80, 19, lane{}, ""},
		{"empty-80x24", recorded(t, "empty", 0, -1), 80, 19, lane{}, ""},
		{"failed-80x24", recorded(t, "failed", 0, -1), 80, 19, lane{}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := New()
			v.Select(tc.on.toolset, tc.on.instance, tc.on.tool)
			if tc.on.kind != onTool {
				v.sel = tc.on
			}
			screen(v, tc.c, tc.w, tc.h)
			press(v, tc.c, strings.Fields(tc.keys)...)
			golden(t, tc.name, screen(v, tc.c, tc.w, tc.h))
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
		{"time-80x24", gobanLive(t), 80, 19, "z"},
		{"time-reconnect-100x30", recorded(t, "reconnect", 0, -1), 100, 25, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := New()
			v.SetTime(true)
			v.Select("game", "vs-ada", "play")
			screen(v, tc.c, tc.w, tc.h)
			press(v, tc.c, strings.Fields(tc.keys)...)
			golden(t, tc.name, screen(v, tc.c, tc.w, tc.h))
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

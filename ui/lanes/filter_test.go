package lanes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// lanesOf are the lanes of tools that are listed.
func lanesOf(v *View, c *view.Context) (out []string) {
	v.look(c)
	for i := range v.rows {
		if v.rows[i].kind == onTool {
			out = append(out, v.lane(&v.rows[i]).name())
		}
	}
	return out
}

func typeIt(v *View, c *view.Context, text string) {
	uitest.Press(v, c, "/")
	for _, r := range text {
		uitest.Press(v, c, string(r))
	}
}

func TestTheFilterOfLanesFindsWhatItSays(t *testing.T) {
	c := uitest.GobanLive(t)
	v := on(c, 100, 25, play)
	for text, want := range map[string]string{
		"tool:undo":                      "undo @ vs-ada, undo @ vs-bot",
		"toolset:game instance:vs-bot":   "play @ vs-bot, pass @ vs-bot, undo @ vs-bot, score @ vs-bot, resign @ vs-bot",
		"instance:vs-bot status:visible": "score @ vs-bot, resign @ vs-bot",
		"status:redefined":               "play @ vs-ada, play @ vs-bot",
		"status:static":                  "status, login, lobby, help",
		"status:undeclared":              "dump_board, seed_game",
		"status:closed -toolset:debug":   "say, react",
		"status:open tool:score":         "score @ vs-ada, score @ vs-bot",
		"loose":                          "rematch",
		"-instance: -static -debug":      "rematch, say, react",
		"vs-ada p":                       "play @ vs-ada, pass @ vs-ada, ",
	} {
		want := strings.Split(strings.TrimSuffix(want, ", "), ", ")
		typeIt(v, c, text)
		uitest.Press(v, c, "enter")
		if got := lanesOf(v, c); !slices.Equal(got, want) {
			t.Errorf("%s\n got %q\nwant %q", text, got, want)
		}
		if out := uitest.Screen(v, c, 100, 25); !strings.Contains(out, fmt.Sprintf("%d of 19 match", len(want))) {
			t.Errorf("%s: no count:\n%s", text, out)
		}
		uitest.Press(v, c, "esc")
	}
}

func TestAFilterOfLanesTellsWhatWouldMatch(t *testing.T) {
	c := uitest.GobanLive(t)
	v := on(c, 100, 25, play)
	for text, want := range map[string]string{
		"tool:undoo":     "0 of 19 match tool:undoo. Tools here:",
		"toolset:gone":   "Toolsets here: game, chat, debug.",
		"instance:vs-cy": "Instances here: vs-ada, vs-bot.",
		"status:great":   "Statuses here: visible, usable,",
		"dir:in":         "dir: says nothing in LANES. Words with a colon are tool, toolset, instance, status.",
	} {
		typeIt(v, c, text)
		out := strings.Join(strings.Fields(strings.ReplaceAll(uitest.Screen(v, c, 100, 25), "│", " ")), " ")
		if !strings.Contains(out, want) {
			t.Errorf("%s: %s", text, out)
		}
		if uitest.Press(v, c, "esc"); v.sel != play {
			t.Errorf("%s: esc leaves the cursor on %+v", text, v.sel)
		}
	}
	typeIt(v, c, "undo -dir:in")
	if do := uitest.Press(v, c, "enter"); do.Kind != view.Say || !strings.Contains(do.Text, "dir: says nothing in LANES") {
		t.Errorf("%+v", do)
	}
	uitest.Press(v, c, "g", "n", "n")
	if v.sel.tool != "undo" || v.sel.instance != "vs-bot" {
		t.Errorf("n goes to the next tool, not to %+v", v.sel)
	}
	if uitest.Press(v, c, "N"); v.sel.instance != "vs-ada" {
		t.Errorf("N goes back, not to %+v", v.sel)
	}
}

func TestAnyFilterCanBeTypedIntoLanes(t *testing.T) {
	c := uitest.GobanLive(t)
	words := []string{"tool:", "toolset:", "instance:", "status:", "rev:", "play", "-", `"`, " ", "hidden", "closed", "囲", "\x1b", "x"}
	rapid.Check(t, func(t *rapid.T) {
		v := New()
		w, h := rapid.IntRange(0, 170).Draw(t, "w"), rapid.IntRange(0, 45).Draw(t, "h")
		for range rapid.IntRange(1, 15).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "word") {
				v.Paste(rapid.SampledFrom(words).Draw(t, "text"), c)
			} else {
				v.Key(rapid.SampledFrom([]string{"/", "/", "enter", "esc", "n", "N", "j", "k", "up", "down", "backspace", "end"}).Draw(t, "key"), c)
			}
			uitest.Screen(v, c, w, h)
			v.Narrow(c, w, h)
			v.Help(c)
			if v.look(c); len(v.rows) > 0 && v.find(v.sel) < 0 {
				t.Fatalf("%q: the cursor is on %+v, which is not shown", v.filter.Text, v.sel)
			}
		}
	})
}

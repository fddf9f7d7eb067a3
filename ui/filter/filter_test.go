package filter_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
)

var undo = filter.Facts{
	Tools: []string{"undo", "Play"}, Toolsets: []string{"game"}, Instances: []string{"vs-ada"},
	Method: "tools/call", Kinds: []string{"request"}, Dirs: []string{"in"}, Statuses: []string{"tool-error", "gap"},
	ID: "#28", Revs: []int64{39}, Words: []string{"Ada allows a takeback", "see http://x"},
}

func TestTheLanguage(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                  true,
		"   ":                               true,
		"-":                                 true,
		"tool:und":                          true,
		"TOOL:UNDO":                         true,
		"tool:play":                         true,
		"tool:undoo":                        false,
		"-tool:undo":                        false,
		"-tool:undoo":                       true,
		"tool:":                             true,
		"-tool:":                            false,
		"toolset:game":                      true,
		"toolset:chat":                      false,
		"instance:ada":                      true,
		"method:call":                       true,
		"method:open":                       false,
		"kind:req":                          true,
		"kind:quest":                        false,
		"kind:":                             false,
		"dir:in":                            true,
		"dir:out":                           false,
		"err":                               false,
		"-err":                              true,
		"-stderr":                           true,
		"id:28":                             true,
		"id:#28":                            true,
		"id:2":                              false,
		"id:":                               false,
		"rev:39":                            true,
		"rev:30-40":                         true,
		"rev:39-":                           true,
		"rev:40-":                           false,
		"rev:-39":                           false,
		"rev:x":                             false,
		"rev:99999999999999999999":          false,
		"rev:1-99999999999999999999":        true,
		"rev:":                              true,
		"status:tool":                       true,
		"status:gap":                        true,
		"status:ok":                         false,
		"takeback":                          true,
		"ADA":                               true,
		`"allows a"`:                        true,
		`"allows the"`:                      false,
		`-"allows a"`:                       false,
		"allows takeback":                   true,
		"allows -takeback":                  false,
		"http://x":                          true,
		"colour:red":                        false,
		"tool:undo dir:in -status:ok rev:3": false,
		"tool:undo dir:in -status:ok":       true,
		`tool:"un`:                          true,
	} {
		q := filter.Parse(text)
		if got := q.Matches(&undo); got != want {
			t.Errorf("%q: %v, want %v: %+v", text, got, want, q.Terms)
		}
	}
}

func TestAThingInSeveralPlacesIsJudgedInThoseThatAreAskedFor(t *testing.T) {
	place := func(instance, status string) filter.Facts {
		return filter.Facts{Tools: []string{"play"}, Instances: []string{instance}, Statuses: []string{status}}
	}
	play := []filter.Facts{place("vs-ada", "visible"), place("vs-bot", "hidden")}
	for text, want := range map[string]bool{
		"tool:play":                              true,
		"status:visible":                         true,
		"status:hidden":                          true,
		"-status:visible":                        false, // it is, in vs-ada
		"instance:vs-bot -status:visible":        true,
		"instance:vs-bot status:visible":         false,
		"instance:vs-ada status:visible":         true,
		"instance:vs-ada -status:visible":        false,
		"instance:vs":                            true,
		"instance:gone":                          false,
		"-instance:vs-ada":                       false,
		"instance:vs-bot -instance:vs-ada":       false,
		"-instance:gone":                         true,
		"tool:undo":                              false,
		"status:visible status:hidden":           false, // nowhere both
		"instance:vs-bot tool:play status:hid":   true,
		"instance:vs-ada instance:vs-bot":        false,
		"-tool:undo instance:vs-ada status:visi": true,
	} {
		q := filter.Parse(text)
		if got := q.MatchesParts(play); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

var board = &timeline.Board{
	LastRev: 41,
	Static:  []timeline.Tool{{Name: "status"}},
	Toolsets: []timeline.Toolset{
		{Name: "game", Tools: []timeline.Tool{{Name: "play"}, {Name: "undo"}}, Instances: []timeline.Instance{{Name: "vs-ada"}}},
		{Name: "chat"},
	},
}

func list() filter.List {
	return filter.List{
		Name: "TOOLS", Keys: []string{"tool", "toolset", "instance", "status", "rev"},
		Values: func(key string) (string, []string) {
			if key == "status" {
				return "Statuses", []string{"visible", "hidden"}
			}
			return filter.OfBoard(board, key)
		},
	}
}

func TestWhatMatchesNothingIsToldWithWhatWould(t *testing.T) {
	l := list()
	for text, want := range map[string]string{
		"tool:undoo":      "0 of 14 match tool:undoo. Tools here: play, undo, status. esc clears.",
		"toolset:gone":    "Toolsets here: game, chat.",
		"instance:nobody": "Instances here: vs-ada.",
		"status:great":    "Statuses here: visible, hidden.",
		"rev:x":           "Revs here: up to 41, as rev:41 or rev:1-41.",
		"rev:99":          "Revs here: up to 41,",
		"dir:in":          "dir: says nothing in TOOLS. Words with a colon are tool, toolset, instance, status, rev.",
		"colour:red":      "Words with a colon are tool,",
		"qwertz":          "0 of 14 match qwertz. Words with a colon are tool,",
		"play tool:undoo": "Tools here: play,",
		"http://x":        "Words with a colon are tool,",
	} {
		q := filter.Parse(text)
		if got := l.NoMatch(&q, 14); !strings.Contains(got, want) || !strings.HasSuffix(got, " esc clears.") {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestATermThatMeansNothingIsToldAlthoughOthersMatch(t *testing.T) {
	l := list()
	for text, want := range map[string]string{
		"-tool:undoo":     "nothing here now is tool:undoo. Tools here: play, undo, status.",
		"play -dir:in":    "nothing here now is dir:in. dir: says nothing in TOOLS.",
		"-colour:red":     "nothing here now is colour:red. Words with a colon are",
		"tool:play":       "",
		"-tool:undo play": "",
		"-status:vis":     "",
		"http://x":        "",
		"":                "",
	} {
		q := filter.Parse(text)
		got := l.Said(&q, 3)
		if (want == "") != (got == "") || !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	l.Past = true // rows may be of tools that are gone
	for text, told := range map[string]bool{"tool:gone": false, "-tool:gone": true} {
		q := filter.Parse(text)
		if got := l.Said(&q, 1); (got != "") != told {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestOfManyValuesTheNearestAreNamed(t *testing.T) {
	var names []string
	for c := 'a'; c <= 'z'; c++ {
		names = append(names, string(c)+"-tool")
	}
	l := filter.List{Name: "X", Keys: []string{"tool"}, Values: func(string) (string, []string) { return "Tools", names }}
	q := filter.Parse("tool:x-toll")
	if got := l.NoMatch(&q, 26); !strings.Contains(got, "x-tool") || !strings.Contains(got, ", …. ") || strings.Contains(got, "w-tool") {
		t.Error(got)
	}
}

func TestTheLineIsEdited(t *testing.T) {
	for _, c := range []struct {
		keys string
		text string
		use  filter.Use
	}{
		{"a b", "ab", filter.Changed},
		{"a space b", "a b", filter.Changed},
		{"é backspace", "", filter.Changed},
		{"backspace", "", filter.Cleared},
		{"a space b space ctrl+w", "a ", filter.Changed},
		{"a b ctrl+u", "", filter.Changed},
		{"ctrl+u", "", filter.Taken},
		{"a enter", "a", filter.Kept},
		{"a esc", "", filter.Cleared},
		{"a up", "a", filter.Up},
		{"a down", "a", filter.Down},
		{"a tab", "a", filter.Taken},
		{"a ctrl+c", "a", filter.NotMine},
		{"a f1", "a", filter.NotMine},
	} {
		l := filter.Line{Typing: true}
		var use filter.Use
		for _, k := range strings.Fields(c.keys) {
			use = l.Key(k)
		}
		if l.Text != c.text || use != c.use {
			t.Errorf("%s: %q, use %d", c.keys, l.Text, use)
		}
	}
	l := filter.Line{Typing: true}
	l.Paste("tool:a\n-b\x1b[2J\xff\u202e")
	if l.Text != "tool:a -b[2J" {
		t.Errorf("pasted %q", l.Text)
	}
	if got := l.Words(10); got != "  /-b[2J_" && len(got) > 10 {
		t.Errorf("%q", got)
	}
	l.Paste(strings.Repeat("x", 5000))
	if len(l.Text) > filter.Most {
		t.Errorf("%d bytes", len(l.Text))
	}
}

// Whatever is typed: nothing panics, what is shown has no control characters,
// and a filter judges the same however its terms are ordered.
func TestAnyFilterCanBeTyped(t *testing.T) {
	keys := []string{"a", ":", "-", `"`, "space", "backspace", "ctrl+w", "up", "é", "\x1b", "\u202e", "囲", "9", "1"}
	rapid.Check(t, func(t *rapid.T) {
		l := filter.Line{Typing: true}
		for range rapid.IntRange(0, 12).Draw(t, "keys") {
			if rapid.Bool().Draw(t, "key") {
				l.Key(rapid.SampledFrom(keys).Draw(t, "k"))
			} else {
				l.Paste(rapid.SampledFrom(filter.Keys).Draw(t, "word") + rapid.SampledFrom([]string{":", "", " ", ":9-"}).Draw(t, "end"))
			}
			l.Typing = true
		}
		if text := rapid.String().Draw(t, "text"); rapid.Bool().Draw(t, "free") {
			l.Text = text
		}
		q := filter.Parse(l.Text)
		got := q.Matches(&undo)
		slices.Reverse(q.Terms)
		if q.Matches(&undo) != got {
			t.Fatalf("%q hangs on the order of its terms", l.Text)
		}
		if one := q.MatchesParts([]filter.Facts{undo}); one != got {
			t.Fatalf("%q: in one place %v, by itself %v", l.Text, one, got)
		}
		of := list()
		of.NoMatch(&q, 3)
		of.Said(&q, 1)
		if words := l.Words(rapid.IntRange(-5, 40).Draw(t, "w")); strings.ContainsAny(words, "\x1b\n\u202e") {
			t.Fatalf("%q", words)
		}
	})
}

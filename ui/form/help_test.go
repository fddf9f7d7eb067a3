package form

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// row is the help as a screen of w columns has room for it, cut as the root
// cuts it.
func (d *driver) row(w, h int) string {
	d.screen(w, h)
	var out string
	list := d.Help()
	for i := range list {
		if list[i] == bar {
			continue
		}
		if helpCells(list[:i+1], w) > w {
			break
		}
		out += strings.TrimSpace(list[i].Key+" "+list[i].Verb) + " | "
	}
	return out
}

func TestTheWayBackIsInTheHelpAtEverySize(t *testing.T) {
	for name, make := range map[string]func(*testing.T) *driver{
		"open": typedGame, "call": destructivePlay, "hidden": hiddenPlay, "running": runningGame, "answered": toolError,
		"json": asJSON, "close": closing, "mark": marking, "elicitation": elicitation, "page": func(t *testing.T) *driver { return typedGame(t).keys("ctrl+v") },
	} {
		for _, z := range [][2]int{{160, 43}, {140, 30}, {100, 25}, {96, 25}, {95, 19}, {80, 19}, {60, 12}, {59, 12}, {40, 7}} {
			d := make(t)
			got := d.row(z[0], z[1])
			if !strings.Contains(got, "esc") {
				t.Errorf("%s at %dx%d: %s", name, z[0], z[1], got)
			}
			if second := d.kind != Close && d.kind != Line && z[0] < wide; second != strings.Contains(got, "ctrl-v") {
				t.Errorf("%s at %dx%d: the second page is not named where there is one, or is where there is none: %s", name, z[0], z[1], got)
			}
		}
	}
}

func TestHelpOfTheOpenFormIsThatOfTheScreen(t *testing.T) {
	for w, want := range map[int]string{
		100: "enter send | tab ↓ ↑ field | ← → choose | ctrl-t JSON | ctrl-o $EDITOR | ctrl-p earlier | esc back | ",
		80:  "enter send | esc back | ctrl-v all of it | tab field | ← → choose | ",
		40:  "enter send | esc back | ctrl-v all | ",
	} {
		if got := typedGame(t).row(w, 25); got != want {
			t.Errorf("at %d columns: %s\nwant %s", w, got, want)
		}
	}
}

func TestCloseOfALongNameLeavesRoomForTheWayBack(t *testing.T) {
	d := drive(t, New(Close, Deps{Toolset: "game", Instance: strings.Repeat("long", 40), Preview: preview}))
	for _, w := range []int{40, 80, 100} {
		if got := d.row(w, 12); !strings.Contains(got, "esc n leave it open") {
			t.Errorf("at %d columns: %s", w, got)
		}
	}
}

func TestHelpInJSONNamesCtrlSOnce(t *testing.T) {
	for name, d := range map[string]*driver{
		"open":        asJSON(t),
		"hidden call": hiddenPlay(t).keys("ctrl+t"),
		"elicitation": elicitation(t).keys("ctrl+t"),
	} {
		d.to(d.whole.name)
		n := 0
		for _, h := range d.Help() {
			if h.Key == "ctrl-s" {
				n++
			}
		}
		if h := d.Help()[0]; n != 1 || h != (view.Help{Key: "ctrl-s", Verb: "send"}) {
			t.Errorf("%s: the help says %+v", name, d.Help())
		}
		d.shows("JSON is sent as it stands, to see what happens.").hides("ctrl-s sends")
	}
}

// What went through JSON and was not changed there is again what was typed.
func TestJSONGivesBackWhatWasTyped(t *testing.T) {
	const props = `{"type":"object","properties":{"s":{"type":"string"},"n":{"type":"number"},"l":{"type":"array"},"any":{},
		"sn":{"type":["string","null"]},"c":{"enum":["a","b"]},"more":{"type":"string"}}}`
	for _, c := range []struct{ field, typed string }{
		{"n", "abc"},
		{"n", " 1.50 "},
		{"n", "07"},
		{"n", `"5"`},
		{"s", "abc"},
		{"s", `"abc"`},
		{"s", "a\\b"},
		{"s", `""`},
		{"any", "abc"},
		{"any", `"abc"`},
		{"any", "12"},
		{"any", `"12"`},
		{"any", `{"a": 1}`},
		{"sn", "null"},
		{"sn", `"null"`},
		{"sn", "12"},
		{"l", "[1,  2]"},
	} {
		for _, between := range []bool{false, true} {
			d := call(t, props).to(c.field).typing(c.typed)
			before, _ := d.Line()
			d.keys("ctrl+t")
			if between { // another member is added in the JSON
				d.keys("right").typing(`"more":"x",`)
			}
			d.keys("ctrl+t").to(c.field)
			if got := d.current().ed.text; got != c.typed {
				t.Errorf("%s: %s comes back as %s", c.field, c.typed, got)
			}
			if after, _ := d.Line(); !between && after != before {
				t.Errorf("%s: %s is sent as %s then, and was as %s", c.field, c.typed, after, before)
			}
		}
	}
}

func TestEarlierTextInANumberStandsThereAsItWouldBeTyped(t *testing.T) {
	deps := tool(words)
	for text, want := range map[string]string{`"abc"`: "abc", `"5"`: `"5"`, `" a"`: `" a"`, `""`: `""`} {
		deps.Prefill = []byte(`{"n":` + text + `}`)
		d := drive(t, New(Call, deps)).to("n")
		if got := d.current().ed.text; got != want {
			t.Errorf("%s stands there as %s", text, got)
		}
		d.typing("x").keys("backspace")
		if got, _ := d.Line(); got != `call say {"n":`+text+`}` {
			t.Errorf("touched, %s is sent by %s", text, got)
		}
	}
}

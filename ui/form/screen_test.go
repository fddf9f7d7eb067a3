package form

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

func typedGame(t *testing.T) *driver {
	d := drive(t, New(Open, game()))
	d.to("opponent").typing("eve")
	d.to("size").keys("right", "right")
	d.to("handicap").typing("12")
	return d
}

func refusedGame(t *testing.T) *driver {
	d := typedGame(t)
	d.refuses("enter")
	return d
}

// play is the form for calling play in one of two games, hidden in vs-bot.
func play() Deps {
	var points []string
	for i := range 67 {
		points = append(points, fmt.Sprintf(`"%c%d"`, 'A'+i%9, i/9+1))
	}
	def := Definition{
		Schema: []byte(`{"type":"object","properties":{
			"at":{"type":"string","enum":[` + strings.Join(points, ",") + `],"title":"Point, column then row"},
			"comment":{"type":"string","maxLength":80},
			"clock":{"type":"object","properties":{"main":{"type":"integer"}},"required":["main"]},
			"who":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}},
			"required":["at"],"additionalProperties":false}`),
		Description: "Place a stone. You are Black, move 21.",
		Annotations: []byte(`{"title":"Play (move 21)","destructiveHint":true}`),
		Source:      "redefined by rev 41", Rev: 41,
	}
	return Deps{
		Tool: "play", Instances: true, Instance: "vs-ada",
		Places: []Place{{Instance: "vs-ada", Title: "Go 9x9", Def: def}, {Instance: "vs-bot", Title: "Go 19x19", Hidden: true, Def: def}},
		Earlier: []Earlier{
			{Name: "vs-ada", T: 183 * time.Second, Args: json.RawMessage(`{"at":"C4"}`)},
			{Name: "vs-ada", T: 103 * time.Second, Args: json.RawMessage(`{"at":"C5","comment":"hm"}`), Note: "! tool error"},
		},
		Preview: preview, DoArgs: "-- node dist/server.js",
	}
}

func destructivePlay(t *testing.T) *driver {
	d := drive(t, New(Call, play()))
	d.typing("E5")
	d.refuses("enter")
	return d
}

func hiddenPlay(t *testing.T) *driver {
	d := drive(t, New(Call, play()))
	d.typing("E5").to("instance").keys("right").to("clock").typing(`{"step":30}`)
	return d
}

func runningGame(t *testing.T) *driver {
	d := typedGame(t)
	d.keys("ctrl+u").typing("2")
	d.sends("enter")
	d.Sent(d.c.Now - 1200*time.Millisecond)
	return d
}

func openedGame(t *testing.T) *driver {
	d := runningGame(t)
	d.Answered(Outcome{OK: true, Took: 212 * time.Millisecond, Request: 97, Answer: 98, Result: json.RawMessage(
		`{"instance":"vs-eve","content":[{"type":"text","text":"A new game against eve.\nYou are White."}],"_meta":{"mcpl/hints":{"rev":42}}}`)})
	return d
}

func refusedByServer(t *testing.T) *driver {
	d := runningGame(t)
	d.Answered(Outcome{Code: -32602, Message: "eve is not in the lobby", Data: json.RawMessage(`{"opponent":"eve"}`), Took: 2 * time.Millisecond, Answer: 98})
	return d
}

func toolError(t *testing.T) *driver {
	d := hiddenPlay(t)
	d.Sent(d.c.Now)
	d.Answered(Outcome{OK: true, Took: 38 * time.Millisecond, Answer: 99, Result: json.RawMessage(
		`{"content":[{"type":"text","text":"Ada has not agreed to a takeback."},{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}],"structuredContent":{"asked":["ada"]},"isError":true}`)})
	return d
}

// drawing is a call that runs and tells of itself.
func drawing(t *testing.T) *driver {
	deps := tool(`{"type":"object","properties":{"what":{"type":"string"}}}`)
	deps.Quiet = false
	deps.Places[0].Def.Annotations = []byte(`{"title":"Draw", "openWorldHint":true}`)
	deps.Places[0].Def.Output = []byte(`{"type":"object","properties":{"n":{"type":"integer"}}}`)
	d := drive(t, New(Call, deps)).typing("a fish")
	d.refuses("enter")
	d.sends("enter")
	d.Sent(d.c.Now - 1200*time.Millisecond)
	d.Hear(inspector.Tale{
		Progress: inspector.Progress{Count: 2, Done: 3, Total: 8, Message: "the tail"},
		Logs:     []inspector.LogLine{{Level: "info", Text: "paper is out"}, {Level: "warning", Text: "low on ink"}}, Logged: 2,
	}, time.Minute)
	return d
}

func drawn(t *testing.T) *driver {
	d := drawing(t)
	d.Answered(Outcome{OK: true, Took: 2 * time.Second, Answer: 98, Result: json.RawMessage(
		`{"content":[{"type":"text","text":"{\"fish\":[1,2]}"},{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="},` +
			`{"type":"resource_link","uri":"file:///fish.svg","name":"fish.svg"}],"structuredContent":{"n":"one"}}`)})
	return d
}

func asJSON(t *testing.T) *driver { return typedGame(t).keys("ctrl+t") }

func redefined(t *testing.T) *driver {
	d := typedGame(t)
	def := d.def
	def.Schema = []byte(strings.Replace(gameOptions, `"maximum":9`, `"maximum":13`, 1))
	def.Source = "from the manifest, frame 101"
	d.Redefined(42, def)
	return d
}

func closing(t *testing.T) *driver {
	return drive(t, New(Close, Deps{
		Toolset: "game", Instance: "vs-ada", Preview: preview,
		Def: Definition{Description: "Go 9x9, open since rev 2, 3 of 5 tools usable."},
	}))
}

func marking(t *testing.T) *driver {
	d := drive(t, New(Line, Deps{
		Title: "Mark this point", Prefix: "mark ", Preview: preview,
		Def: Definition{Description: "The text stands in the recording, and in the time line of a replay."},
	}))
	return d.typing("second game")
}

func elicitation(t *testing.T) *driver {
	d := drive(t, New(Answer, Deps{
		Title: "elicitation/create s18", Request: "s18", Preview: preview,
		Around: [2]string{`{"action":"accept","content":`, `}`},
		Def: Definition{
			Description: "The server asks: who are you, and which colour do you take?",
			Schema: []byte(`{"type":"object","properties":{
				"name":{"type":"string","minLength":2},
				"colour":{"type":"string","oneOf":[{"const":"b","title":"Black, moves first"},{"const":"w","title":"White"}]}},
				"required":["name"]}`),
		},
	}))
	return d.to("name").typing("A").to("colour").keys("right")
}

func longForm(t *testing.T) *driver {
	var props []string
	for i := range 200 {
		props = append(props, fmt.Sprintf(`"field_%03d":{"type":"integer","maximum":%d}`, i, i))
	}
	d := call(t, `{"type":"object","properties":{`+strings.Join(props, ",")+`},"required":["field_150"]}`)
	for range 150 {
		d.keys("down")
	}
	return d.typing("151")
}

func TestForms(t *testing.T) {
	sizes := []struct{ cols, rows, body int }{{160, 48, 43}, {100, 30, 25}, {80, 24, 19}, {40, 12, 7}}
	for _, s := range []struct {
		name string
		make func(*testing.T) *driver
	}{
		{"open", typedGame},
		{"open refused for a bad value", refusedGame},
		{"running", runningGame},
		{"opened", openedGame},
		{"refused by the server", refusedByServer},
		{"call that asks because it is destructive", destructivePlay},
		{"call of a hidden tool", hiddenPlay},
		{"tool error", toolError},
		{"running and telling of itself", drawing},
		{"answered with contents", drawn},
		{"as JSON", asJSON},
		{"redefined", redefined},
		{"close", closing},
		{"mark", marking},
		{"elicitation", elicitation},
		{"200 fields", longForm},
	} {
		for _, z := range sizes {
			t.Run(fmt.Sprintf("%s/%dx%d", s.name, z.cols, z.rows), func(t *testing.T) {
				golden.RequireEqual(t, []byte(s.make(t).screen(z.cols, z.body)))
			})
		}
	}
}

func TestSecondPageOfANarrowForm(t *testing.T) {
	for _, z := range []struct{ cols, body int }{{80, 19}, {40, 7}} {
		t.Run(fmt.Sprintf("%dx%d", z.cols, z.body+5), func(t *testing.T) {
			d := refusedByServer(t)
			first := d.screen(z.cols, z.body)
			d.keys("ctrl+v")
			golden.RequireEqual(t, []byte(d.screen(z.cols, z.body)))
			d.keys("pgdown", "pgdown", "pgdown", "up", "home", "esc")
			if got := d.screen(z.cols, z.body); got != first {
				t.Errorf("esc does not come back to the fields:\n%s", got)
			}
		})
	}
}

func TestFormFitsEverySize(t *testing.T) {
	for _, make := range []func(*testing.T) *driver{refusedGame, toolError, asJSON, closing, marking, elicitation, longForm} {
		d := make(t)
		for w := 0; w <= 170; w += 3 {
			for _, h := range []int{0, 1, 2, 3, 5, 8, 11, 13, 17, 20, 43} {
				d.screen(w, h)
			}
		}
	}
}

func TestFormDrawsNothingOutsideItsRegion(t *testing.T) {
	for _, make := range []func(*testing.T) *driver{refusedGame, closing, elicitation} {
		d := make(t)
		canvas := kit.NewCanvas(120, 40)
		d.Draw(canvas.All().Sub(10, 5, 100, 25), d.c)
		for y, row := range strings.Split(strings.TrimSuffix(canvas.Plain(), "\n"), "\n") {
			if inside := y >= 5 && y < 30; !inside && row != "" {
				t.Errorf("row %d has %q", y, row)
			}
			if !strings.HasPrefix(row, strings.Repeat(" ", 10)) && row != "" {
				t.Errorf("row %d begins too early: %q", y, row)
			}
		}
	}
}

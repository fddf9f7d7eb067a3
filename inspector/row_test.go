package inspector_test

import (
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

func TestARowSaysWhatBecameOfItsRevAndWhatItChanged(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	p.push(1, "mv-1", "Your move.", `{"rev":3,"tools":[{"name":"play","instance":"ada","visible":true,"definition":{"name":"play","description":"Place, move 2","inputSchema":{"type":"object","required":["at"],"properties":{"at":{"type":"string","enum":["A1","C3","D4"]}}}}},{"name":"undo","instance":"ada","visible":true}]}`)
	log := p.log()
	got := print(inspector.Row(log, 2))
	has(
		t, got, "#  | rev 3", "← push/event mv-1    «0:00.090   frame 9»",
		"next in order after 2: applied    «answered accepted, 10 ms»",
		"MESSAGE    «featureSet f»", "text Your move.",
		"CHANGED    «game ada»", "+ undo      was hidden, usable now", "~ play      description, inputSchema",
		"~ PLAY @ ADA    «against rev 2    d: declared»", "description", "- Place", "+ Place, move 2",
		"inputSchema.properties.at.enum", "~ 3 values   - B2   + D4",
		"WHY undo IS USABLE IN ada", "ada is open    «since rev 2, frame 8»", "last said visible: true    «by rev 3, this frame»",
		"RAW    «params.hints, ",
	)
	got = print(inspector.Row(log, 1))
	has(t, got, "← answer to open game ada", "«asked in frame 7, 10 ms»", "◆ game ada", "opened", "+ play")
}

func TestTheArrowOfARowIsThatOfItsFrame(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	has(t, print(inspector.Row(p.log(), 0)), "← answer to toolsets/list", "the first rev: applied", "changes no tool")
}

func TestEachStatusOfARevIsSaidInWords(t *testing.T) {
	hint := func(rev string) string {
		return `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":` + rev + `,"tools":[{"name":"rematch","visible":true}]}}`
	}
	for name, c := range map[string]struct {
		write func(p *tape)
		want  string
		flag  string
	}{
		"a gap of one":     {func(p *tape) { p.in(hint("3")) }, "gap: rev 2 never came. Applied all the same", "✗"},
		"a gap of several": {func(p *tape) { p.in(hint("9")) }, "gap: revs 2 to 8 never came. Applied all the same", "✗"},
		"stale":            {func(p *tape) { p.in(hint("3")); p.in(hint("2")) }, "stale: later revs were applied already", "✗"},
		"a repeat":         {func(p *tape) { p.in(hint("1")) }, "rev 1 was here before: a repeat", "✗"},
		"no rev":           {func(p *tape) { p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{}}`) }, "no rev is named", "✗"},
		"no number":        {func(p *tape) { p.in(hint(`"two"`)) }, "is no rev, so its hints are not applied", "✗"},
		"an event twice": {func(p *tape) {
			p.push(1, "e", "x", `{"rev":2}`)
			p.push(2, "e", "x", `{"rev":3,"tools":[{"name":"rematch","visible":true}]}`)
		}, "event e was seen before: its hints count as empty", ""},
		"held": {func(p *tape) { p.via = "http:get:1"; p.in(hint("3")) }, "came early: held, it waits for the revs before it", ""},
		"held and applied": {func(p *tape) {
			p.via = "http:get:1"
			p.in(hint("3"))
			p.in(hint("2"))
		}, "came early: held, then applied with frame 8", ""},
		"a suggestion": {func(p *tape) {
			p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":2,"suggest":[{"toolset":"chat","reason":"talk"}]}}`)
		}, "? chat", "?"},
		"an entry for no instance": {func(p *tape) {
			p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":2,"tools":[{"name":"undo","visible":true}]}}`)
		}, "✗ hints-instance-missing   a tool of game needs an instance", "✗"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newTape(t)
			p.negotiated()
			c.write(p)
			log := p.log()
			n := log.RowCount() - 1
			if name == "held and applied" {
				n--
			}
			has(t, print(inspector.Row(log, n)), c.want)
			rows, err := log.Rows(n, n+1)
			if err != nil {
				t.Fatal(err)
			}
			if got := inspector.RowFlag(&rows[0]); got != c.flag {
				t.Errorf("flag %q, want %q", got, c.flag)
			}
		})
	}
}

func TestHintsThatWereNotAgreedOnAreIgnored(t *testing.T) {
	p := newTape(t)
	p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":1}}`)
	has(t, print(inspector.Row(p.log(), 0)), "ignored: toolHints are not negotiated", "changed nothing")
}

func TestAReasonStandsAsTheMessageWhereThereIsNoOther(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":2,"reason":"Kai joined","tools":[{"name":"rematch","visible":true}]}}`)
	has(t, print(inspector.Row(p.log(), 1)), "MESSAGE    «a reason in its hints»", "text Kai joined")
}

func TestARevOfALaterConnectionIsNamedWithIt(t *testing.T) {
	p := newTape(t)
	p.conn = 2
	p.negotiated()
	if d := inspector.Row(p.log(), 0); d.Note != "rev 2.1" {
		t.Errorf("note %q", d.Note)
	}
}

func TestARowThatIsNotThereSaysSo(t *testing.T) {
	has(t, print(inspector.Row(newTape(t).log(), 7)), "cannot be read")
}

func TestDefinitionsAreComparedByMember(t *testing.T) {
	for name, c := range map[string]struct {
		a, b      string
		want, not []string
	}{
		"equal but for blanks and order": {
			`{"inputSchema":{"a":1,"b":[1,2]}}`, `{"inputSchema":{ "b":[1, 2], "a":1.0}}`, []string{"nothing differs"}, nil,
		},
		"other members do not count": {`{"name":"a","_meta":{"x":1}}`, `{"name":"b"}`, []string{"nothing differs"}, nil},
		"a member came":              {`{"inputSchema":{}}`, `{"inputSchema":{"x":{"type":"string"}}}`, []string{"inputSchema.x", `+ {"type":"string"}`}, nil},
		"a member went":              {`{"annotations":{"title":"T"}}`, `{}`, []string{"annotations", `- {"title":"T"}`}, nil},
		"short values on one line":   {`{"annotations":{"title":"A"}}`, `{"annotations":{"title":"B"}}`, []string{"annotations.title", "~ - A   + B"}, nil},
		"another order":              {`{"inputSchema":{"required":["a","b"]}}`, `{"inputSchema":{"required":["b","a"]}}`, []string{"~ another order"}, nil},
		"long texts from where they differ": {
			`{"description":"` + long + `one."}`, `{"description":"` + long + `two."}`, []string{"- … ", "one.", "+ … ", "two."}, []string{long},
		},
		"many new values are counted": {
			`{"inputSchema":{"enum":[]}}`, `{"inputSchema":{"enum":[1,2,3,4,5,6,7,8,9,10,11,12]}}`, []string{"12 values   + 1  + 2", "+ 4 more"}, []string{"+ 12 "},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := print(inspector.Doc{Blocks: []inspector.Block{{Body: inspector.Compare([]byte(c.a), []byte(c.b))}}})
			has(t, got, c.want...)
			hasNot(t, got, c.not...)
		})
	}
}

var long = func() string {
	s := ""
	for range 60 {
		s += "the same words "
	}
	return s
}()

func TestACauseIsNamedWithItsTarget(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	p.push(1, "mv-1", "x", `{"rev":3}`)
	p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":4}}`)
	p.out(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"play","_meta":{"mcpl/instance":"ada"}}}`)
	p.in(`{"jsonrpc":"2.0","id":9,"result":{"_meta":{"mcpl/hints":{"rev":5}}}}`)
	log := p.log()
	rows, err := log.Rows(0, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"→ list", "→ open game ada", "← push mv-1", "← hints", "→ call play@ada"} {
		if got := inspector.CarrierArrow(rows[i].Carrier) + " " + inspector.Cause(&rows[i]); got != want {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
	if inspector.CarrierWord(timeline.CarrierStandalone) != "hints" {
		t.Error("a standalone carrier is called hints")
	}
}

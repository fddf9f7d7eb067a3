package form

import (
	"encoding/json"
	"strings"
	"testing"
)

// with gives the form's definition another schema.
func (d *driver) with(schema string, rev int64) Definition {
	def := d.def
	def.Schema, def.Rev = []byte(schema), rev
	return def
}

func TestRedefinitionChangesHintsAndKeepsWhatWasTyped(t *testing.T) {
	d := typedGame(t)
	d.Redefined(42, d.with(strings.Replace(gameOptions, `"maximum":9`, `"maximum":13`, 1), 42))
	d.shows("~ redefined by rev 42 while you typed", "at most 13").hides("breaks the schema")
	if d.current().name != "handicap" {
		t.Errorf("the cursor jumps to %s", d.current().name)
	}
	if got := d.sends("enter"); got != `open game as vs-eve {"opponent":"eve","size":13,"handicap":12}` {
		t.Errorf("it would send %s", got)
	}
	d.Sent(0)
	d.Answered(Outcome{OK: true})
	d.hides("redefined by")
}

func TestRedefinitionToOtherTypesKeepsTheValues(t *testing.T) {
	for _, c := range []struct{ name, before, typed, after, want string }{
		{"a number that becomes text", `{"type":"number"}`, "5", `{"type":"string"}`, `{"x":5}`},
		{"text that becomes a number", `{"type":"string"}`, "five", `{"type":"number"}`, `{"x":"five"}`},
		{"text that becomes a choice of it", `{"type":"string"}`, "a", `{"enum":["b","a"]}`, `{"x":"a"}`},
		{"text that becomes a choice of others", `{"type":"string"}`, "a", `{"enum":["b","c"]}`, `{"x":"a"}`},
		{"a choice that is gone", `{"enum":["b","a"]}`, "a", `{"enum":["b"]}`, `{"x":"a"}`},
		{"a choice that moved", `{"enum":["b","a"]}`, "a", `{"enum":["a","b"]}`, `{"x":"a"}`},
		{"a big number", `{"type":"number"}`, "9007199254740993", `{"type":"integer"}`, `{"x":9007199254740993}`},
		{"JSON that becomes anything", `{"type":"object"}`, `{"a": 1}`, `{}`, `{"x":{"a": 1}}`},
		{"a tick that becomes text", `{"type":"boolean"}`, " ", `{"type":"string"}`, `{"x":true}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := call(t, `{"properties":{"x":`+c.before+`}}`).typing(c.typed)
			d.Redefined(7, d.with(`{"properties":{"y":{},"x":`+c.after+`}}`, 7))
			d.screen(100, 25)
			if got := sent(t, d.sends("ctrl+s"), "arguments"); got != c.want {
				t.Errorf("it sends %s, want %s", got, c.want)
			}
		})
	}
}

func TestRedefinitionKeepsValuesOfFieldsThatAreGone(t *testing.T) {
	d := call(t, `{"properties":{"a":{"type":"string"},"b":{"type":"object"}}}`).typing("one").to("b").typing("{")
	d.Redefined(7, d.with(`{"properties":{"c":{"type":"string"}},"additionalProperties":false}`, 7))
	d.shows("a        ≠  \"one\"", "b        ≠  {")
	d.to("b").typing("}").to("c").typing("x")
	if got := d.sends("ctrl+s"); got != `call say {"c":"x","a":"one","b":{}}` {
		t.Errorf("it sends %s", got)
	}
	d.Redefined(8, d.with(`{"properties":{"b":{"type":"object"},"a":{"type":"string"}}}`, 8))
	if got := d.sends("ctrl+s"); got != `call say {"b":{},"a":"one","c":"x"}` {
		t.Errorf("after another one it sends %s", got)
	}
}

func TestRedefinitionBetweenFieldsAndOneValue(t *testing.T) {
	d := call(t, `{"properties":{"a":{"type":"number"}}}`).typing("1.0")
	d.Redefined(7, d.with(`{"type":"object"}`, 7))
	if got := d.sends("enter"); got != `call say {"a":1.0}` {
		t.Errorf("as one value it sends %s", got)
	}
	d.Redefined(8, d.with(`{"properties":{"a":{"type":"number"},"b":{}}}`, 8))
	if got := d.to("a").sends("enter"); got != `call say {"a":1.0}` {
		t.Errorf("as fields again it sends %s", got)
	}
	d = call(t, `{}`).typing("{half")
	d.Redefined(8, d.with(`{"properties":{"a":{}}}`, 8))
	d.shows("{half")
	d = call(t, words).typing("x").keys("ctrl+t")
	d.Redefined(8, d.with(`{"type":"object"}`, 8))
	if got := d.sends("ctrl+s"); got != `call say {"text":"x"}` {
		t.Errorf("as JSON it sends %s", got)
	}
}

func TestRedefinitionWhileEarlierValuesAreLookedAtKeepsTheDraft(t *testing.T) {
	d := typedGame(t).keys("ctrl+p")
	d.Redefined(42, d.with(`{"properties":{"opponent":{"type":"string"},"handicap":{"type":"number"}}}`, 42))
	d.keys("ctrl+n")
	if got, _ := d.Line(); got != `open game as vs-eve {"opponent":"eve","handicap":12,"size":13}` {
		t.Errorf("what was typed comes back as %s", got)
	}
}

func TestRefreshNoticesARedefinition(t *testing.T) {
	d := drive(t, New(Call, play())).typing("E5")
	deps := play()
	d.Refresh(deps)
	d.hides("redefined by rev 43 while")
	deps.Places[0].Def.Description, deps.Places[0].Def.Rev = "Place a stone. You are Black, move 23.", 43
	d.Refresh(deps)
	d.shows("~ redefined by rev 43 while you typed", "move 23")
	deps.Places[0].Def.Rev = 0
	deps.Places[0].Def.Schema = []byte(`{"properties":{"at":{"type":"string"}}}`)
	d.Refresh(deps)
	d.shows("~ redefined while you typed")
	if got, _ := d.Line(); got != `call play@vs-ada {"at":"E5"}` {
		t.Errorf("it would send %s", got)
	}
}

func TestAnotherInstanceHasItsOwnDefinition(t *testing.T) {
	deps := play()
	deps.Places[1].Def.Schema = []byte(`{"properties":{"at":{"enum":["T19","E5"]},"ko":{"type":"boolean"}}}`)
	deps.Places[1].Def.Description = "Place a stone. You are White."
	d := drive(t, New(Call, deps)).typing("E5").to("comment").typing("hm")
	d.to("instance").keys("right")
	d.shows("You are White", "ko", "comment  ≠").hides("while you typed")
	if got, _ := d.Line(); got != `call play@vs-bot {"at":"E5","comment":"hm"}` {
		t.Errorf("it would send %s", got)
	}
	d.keys("left").shows("at most 80 characters")
	if got, _ := d.Line(); got != `call play@vs-ada {"at":"E5","comment":"hm"}` {
		t.Errorf("back again it would send %s", got)
	}
}

func TestAnInstanceThatClosesWhileOneTypesStaysChosen(t *testing.T) {
	d := drive(t, New(Call, play())).typing("E5").to("instance").keys("right")
	deps := play()
	deps.Places = deps.Places[:1]
	d.Refresh(deps)
	d.shows("(vs-bot)", "not open")
	if got, _ := d.Line(); got != `call play@vs-bot {"at":"E5"}` {
		t.Errorf("it would send %s", got)
	}
	d.keys("right")
	d.Refresh(deps)
	if got, _ := d.Line(); got != `call play {"at":"E5"}` {
		t.Errorf("with none named it would send %s", got)
	}
}

func TestPreviewIsAskedAgainWhenTheLogGrows(t *testing.T) {
	asked, id := 0, "28"
	deps := game()
	deps.Preview = func(string) (json.RawMessage, error) {
		asked++
		return json.RawMessage(`{"jsonrpc":"2.0","id":` + id + `,"method":"toolsets/open","params":{}}`), nil
	}
	d := drive(t, New(Open, deps)).shows("request 28")
	for range 3 {
		d.screen(100, 25)
	}
	if asked != 1 {
		t.Errorf("asked %d times for one line", asked)
	}
	id = `"a"`
	d.c.Len++
	d.shows("request a")
	d.to("komi").typing("7")
	if d.screen(100, 25); asked != 3 {
		t.Errorf("asked %d times, want 3", asked)
	}
}

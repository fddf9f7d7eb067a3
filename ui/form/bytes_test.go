package form

import (
	"encoding/json"
	"strings"
	"testing"
)

// Every value that is typed reaches the message byte for byte.
func TestTypedValuesAreSentByteForByte(t *testing.T) {
	const props = `{"type":"object","properties":{
		"s":{"type":"string"},"n":{"type":"number"},"i":{"type":"integer"},"j":{"type":"object"},"l":{"type":"array"},
		"any":{},"sn":{"type":["string","null"]},"ni":{"type":["integer","null"]},"bn":{"type":["boolean","null"]}}}`
	for _, c := range []struct{ field, typed, want string }{
		{"s", "plain", `"plain"`},
		{"s", `a "b" \c`, `"a \"b\" \\c"`},
		{"s", "<&> é 世 👩‍🚀", `"<&> é 世 👩‍🚀"`},
		{"s", "\u2028\u202e", "\"\u2028\u202e\""},
		{"s", "5", `"5"`},
		{"s", "null", `"null"`},
		{"s", " ", `" "`},
		{"s", `""`, `""`},
		{"n", "9007199254740993", `9007199254740993`},
		{"n", "1e400", `1e400`},
		{"n", "-0.0", `-0.0`},
		{"n", "1.10", `1.10`},
		{"n", "1E+2", `1E+2`},
		{"n", "  7 ", `7`},
		{"n", "07", `"07"`},
		{"n", "many", `"many"`},
		{"n", "null", `null`},
		{"i", "123456789012345678901234567890", `123456789012345678901234567890`},
		{"j", `{"b":1, "a":1e400,"b":2}`, `{"b":1, "a":1e400,"b":2}`},
		{"j", `[1]`, `[1]`},
		{"l", `[ 1.0 , "\u00e9" ]`, `[ 1.0 , "\u00e9" ]`},
		{"any", "free text", `"free text"`},
		{"any", "12", `12`},
		{"any", `{"a":[]}`, `{"a":[]}`},
		{"any", `"12"`, `"12"`},
		{"sn", "12", `"12"`},
		{"sn", "null", `null`},
		{"sn", `"null"`, `"null"`},
		{"ni", "12", `12`},
		{"ni", "null", `null`},
		{"bn", "true", `true`},
	} {
		t.Run(c.field+" "+c.typed, func(t *testing.T) {
			d := call(t, props).to(c.field).typing(c.typed)
			if got := sent(t, d.sends("ctrl+s"), "arguments", c.field); got != c.want {
				t.Errorf("sent %s, want %s", got, c.want)
			}
		})
	}
}

func TestEmptyFieldsAndDefaultsAreNotSent(t *testing.T) {
	d := drive(t, New(Open, game()))
	if got, _ := d.Line(); got != "open game as vs-eve" {
		t.Errorf("an untouched form would send %s", got)
	}
	d.to("komi").typing("7").keys("backspace")
	d.to("rated").keys("right", "backspace")
	d.to("instance").keys("ctrl+u")
	if got, _ := d.Line(); got != "open game" {
		t.Errorf("what was emptied is sent: %s", got)
	}
	d.shows("empty: the server picks a name")
}

func TestEmptyTextIsSentByAPairOfQuotes(t *testing.T) {
	d := call(t, words).shows(`Left empty, it is not sent; "" sends an empty text.`)
	if got := d.sends("enter"); got != "call say" {
		t.Errorf("left empty it sends %s", got)
	}
	d.typing(`""`).shows("An empty text is sent.")
	if got := d.sends("enter"); got != `call say {"text":""}` {
		t.Errorf("sent %s", got)
	}
}

// A call that is sent again untouched has the very bytes of the first one.
func TestPrefilledValuesAreSentAsTheyCame(t *testing.T) {
	const props = `{"type":"object","properties":{"s":{"type":"string"},"e":{"enum":["a","b"]},"n":{"type":"number"},"b":{"type":"boolean"},"any":{},"j":{"type":"array"}}}`
	for _, args := range []string{
		`{"s":"\u00e9\/","n":1.50e1,"j":[1,  2]}`,
		`{"s":"","e":"\u0061","any":"12"}`,
		`{"s":"\"\""}`,
		`{"s":5,"e":"not in the enum","n":"five","b":"yes"}`,
		`{"other":1e400,"x y":"z","":null}`,
		`{"s":1,"s":2}`,
		`[1,2,3]`,
		`"text"`,
		`{}`,
	} {
		deps := tool(props)
		deps.Prefill = json.RawMessage(args)
		want := "call say " + args
		if args == "{}" {
			want = "call say"
		}
		if got, wrong := New(Call, deps).Line(); got != want {
			t.Errorf("%s is sent again as %s (%s)", args, got, wrong)
		}
	}
}

func TestTouchedPrefilledValueIsWhatStandsThere(t *testing.T) {
	deps := tool(words)
	deps.Prefill = json.RawMessage(`{"text":"caf\u00e9","n":5}`)
	d := drive(t, New(Call, deps)).typing("!")
	if got := d.sends("enter"); got != `call say {"text":"café!","n":5}` {
		t.Errorf("sent %s", got)
	}
}

func TestMembersGoInTheOrderOfTheSchema(t *testing.T) {
	d := call(t, `{"properties":{"z":{"type":"number"},"a":{"type":"number"},"m":{"type":"number"}}}`)
	d.to("m").typing("3").to("a").typing("2").to("z").typing("1")
	if got := d.sends("enter"); got != `call say {"z":1,"a":2,"m":3}` {
		t.Errorf("sent %s", got)
	}
}

func TestNamesThatAreNoWordsAreQuoted(t *testing.T) {
	for _, name := range []string{"my tool", "a@b", `q"uo\te`, "line\nbreak", "{", "[1]", "&", "#", "a b &", "\x1b[31m", "caf\u00e9", "x\u202ey", "'"} {
		deps := tool(words)
		deps.Tool = name
		deps.Instances = true
		deps.Places = []Place{{Instance: name + "2", Def: deps.Places[0].Def}}
		line, wrong := New(Call, deps).Line()
		if wrong != "" || strings.ContainsAny(line, "\n\r\x1b") {
			t.Errorf("%q: the line is %q (%s)", name, line, wrong)
			continue
		}
		if got := str([]byte(sent(t, line, "name"))); got != name {
			t.Errorf("%q is sent as %q by %s", name, got, line)
		}
		if got := str([]byte(sent(t, line, "_meta", "mcpl/instance"))); got != name+"2" {
			t.Errorf("the instance of %q is sent as %q by %s", name, got, line)
		}
		open := New(Open, Deps{Toolset: name, Instances: true, Instance: name})
		line, _ = open.Line()
		if got := str([]byte(sent(t, line, "instance"))); got != name {
			t.Errorf("opening %q sends %q by %s", name, got, line)
		}
	}
}

func TestProposedNameIsFree(t *testing.T) {
	for _, c := range []struct {
		open []string
		want string
	}{
		{nil, "game-1"},
		{[]string{"vs-ada"}, "game-2"},
		{[]string{"game-2", "game-3"}, "game-4"},
		{[]string{"game-2"}, "game-3"},
	} {
		deps := game()
		deps.Open, deps.Instance = c.open, ""
		if got := New(Open, deps).where(); got != c.want {
			t.Errorf("with %v open it proposes %s, want %s", c.open, got, c.want)
		}
	}
}

func TestOpeningANameThatIsOpenIsSaidToAdopt(t *testing.T) {
	d := drive(t, New(Open, game())).to("instance").keys("ctrl+u").typing("vs-ada")
	d.shows("open now: adopting it", "adopts vs-ada")
	plain := Deps{Toolset: "chat", Open: []string{"chat"}, Preview: preview}
	drive(t, New(Open, plain)).shows("it is open: this adopts it").hides("instance ")
}

func TestAnOpenedNameIsNotProposedAgain(t *testing.T) {
	d := openedGame(t)
	deps := game()
	deps.Open = append(deps.Open, "vs-eve")
	deps.Instance = ""
	d.Reopen(deps)
	if got, _ := d.Line(); !strings.HasPrefix(got, "open game as game-4 {") {
		t.Errorf("opened again it would send %s", got)
	}
	d.hides("frame 98")
	d.to("instance").keys("ctrl+u").typing("mine")
	d.Reopen(deps)
	if got, _ := d.Line(); !strings.HasPrefix(got, "open game as mine {") {
		t.Errorf("a name that was typed is gone: %s", got)
	}
}

func TestReopenedFormTakesWhatIsAskedFor(t *testing.T) {
	d := drive(t, New(Call, play())).typing("E5")
	deps := play()
	deps.Instance = "vs-bot"
	deps.Prefill = json.RawMessage(`{"at":"C4"}`)
	d.Reopen(deps)
	if got, _ := d.Line(); got != `call play@vs-bot {"at":"C4"}` {
		t.Errorf("it would send %s", got)
	}
}

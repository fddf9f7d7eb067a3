package form

import (
	"encoding/json"
	"strings"
	"testing"
)

const words = `{"type":"object","properties":{"text":{"type":"string"},"n":{"type":"number"},"list":{"type":"array"}}}`

func TestEditingKeysAreThoseOfReadline(t *testing.T) {
	for _, c := range []struct {
		name string
		keys []string
		want string
	}{
		{"typed at the end", []string{"a", "b"}, "one twoab"},
		{"ctrl-a goes to the start", []string{"ctrl+a", "x"}, "xone two"},
		{"home goes to the start", []string{"home", "x"}, "xone two"},
		{"ctrl-e goes to the end", []string{"ctrl+a", "ctrl+e", "x"}, "one twox"},
		{"end goes to the end", []string{"home", "end", "x"}, "one twox"},
		{"left and right", []string{"left", "left", "right", "x"}, "one twxo"},
		{"ctrl-left goes a word back", []string{"ctrl+left", "x"}, "one xtwo"},
		{"ctrl-right goes a word on", []string{"home", "ctrl+right", "x"}, "onex two"},
		{"backspace", []string{"backspace"}, "one tw"},
		{"ctrl-h", []string{"ctrl+h"}, "one tw"},
		{"delete", []string{"home", "delete"}, "ne two"},
		{"ctrl-d", []string{"home", "ctrl+d"}, "ne two"},
		{"ctrl-w takes a word", []string{"ctrl+w"}, "one "},
		{"ctrl-w twice takes two", []string{"ctrl+w", "ctrl+w", "z"}, "z"},
		{"ctrl-u takes all before", []string{"left", "ctrl+u"}, "o"},
		{"ctrl-k takes all behind", []string{"home", "right", "ctrl+k"}, "o"},
		{"space", []string{" "}, "one two "},
		{"wide characters go whole", []string{"世", "界", "backspace"}, "one two世"},
		{"clusters go whole", []string{"👩‍🚀", "e", "\u0301", "left", "x"}, "one twoxe\u0301"},
		{"ctrl-j breaks the line of a text", []string{"ctrl+j", "x"}, "one two\nx"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := call(t, words).typing("one two")
			for _, k := range c.keys {
				if len([]rune(k)) > 1 && k[0] >= 0x80 {
					for _, r := range k { // a cluster comes as single characters
						d.Key(string(r), false)
					}
					d.Key("backspace", false)
					continue
				}
				d.keys(k)
			}
			want := `{"text":` + string(quote(c.want)) + `}`
			if got := sent(t, d.sends("enter"), "arguments"); got != want {
				t.Errorf("sent %s, want %s", got, want)
			}
		})
	}
}

func TestTabAndArrowsGoThroughTheFields(t *testing.T) {
	d := drive(t, New(Open, game()))
	var down []string
	for range 8 {
		down = append(down, d.current().name)
		d.keys("down")
	}
	want := "opponent size color komi handicap rated clock instance"
	if got := strings.Join(down, " "); got != want {
		t.Errorf("down goes through %s, want %s", got, want)
	}
	if d.current().name != "opponent" {
		t.Errorf("after the last field comes %s", d.current().name)
	}
	d.keys("up")
	if d.current().name != "instance" {
		t.Errorf("up from the first field goes to %s", d.current().name)
	}
	d.keys("tab", "tab", "shift+tab")
	if d.current().name != "opponent" {
		t.Errorf("tab, tab, shift-tab goes to %s", d.current().name)
	}
	d.keys("pgdown")
	if d.current().name == "opponent" {
		t.Error("PgDn stays")
	}
	d.keys("pgup", "pgup", "pgup", "pgup", "pgup", "pgup", "pgup", "pgup")
	if d.current().name != "instance" {
		t.Errorf("PgUp ends at %s", d.current().name)
	}
}

func TestChoicesAreChosenByArrowsAndLetters(t *testing.T) {
	d := drive(t, New(Open, game()))
	value := func(name string) string {
		d.to(name)
		raw, _, _ := d.current().value()
		return string(raw)
	}
	d.to("color").keys("right")
	if got := value("color"); got != `"black"` {
		t.Errorf("→ chooses %s first", got)
	}
	d.keys("right", "right", "right")
	if got := value("color"); got != "" {
		t.Errorf("after the last choice comes none, not %s", got)
	}
	d.keys("left")
	if got := value("color"); got != `"random"` {
		t.Errorf("← from none chooses %s", got)
	}
	d.keys("w")
	if got := value("color"); got != `"white"` {
		t.Errorf("w chooses %s", got)
	}
	if d.keys("x"); d.said == "" {
		t.Error("a letter that begins no choice is answered by silence")
	}
	d.keys("backspace")
	if got := value("color"); got != "" {
		t.Errorf("backspace leaves %s", got)
	}
	d.to("size").typing("19")
	if got := value("size"); got != "19" {
		t.Errorf("typing 19 chooses %s", got)
	}
	d.to("rated").keys(" ")
	if got := value("rated"); got != "true" {
		t.Errorf("space ticks %s", got)
	}
	d.shows("[x] yes").keys(" ")
	if got := value("rated"); got != "false" {
		t.Errorf("space again says %s", got)
	}
	d.shows("[ ] no").keys(" ")
	if got := value("rated"); got != "" {
		t.Errorf("a third space leaves %s", got)
	}
}

func TestEnterRefusesWhatBreaksTheSchemaAndCtrlSSendsIt(t *testing.T) {
	d := typedGame(t)
	for range 2 {
		if got := d.refuses("enter"); !strings.Contains(got, "1 value breaks the schema: handicap is 12, at most 9.") ||
			!strings.Contains(got, "Not sent. ctrl-s sends it as it is") {
			t.Errorf("enter says %q", got)
		}
	}
	if got, want := d.sends("ctrl+s"), `open game as vs-eve {"opponent":"eve","size":13,"handicap":12}`; got != want {
		t.Errorf("ctrl-s sends %s, want %s", got, want)
	}
}

func TestWhatIsMissingIsToldOnlyAfterEnter(t *testing.T) {
	d := drive(t, New(Open, game()))
	d.hides("required!", "is missing")
	if got := d.refuses("enter"); !strings.Contains(got, "2 values break the schema: opponent is missing; size is missing.") {
		t.Errorf("enter says %q", got)
	}
	d.shows("! required")
	if d.current().name != "opponent" {
		t.Errorf("the cursor is in %s", d.current().name)
	}
	d.typing("ada")
	d.refuses("enter")
	if d.current().name != "size" {
		t.Errorf("the cursor goes to %s, not to the value that is missing", d.current().name)
	}
	if got, want := d.sends("ctrl+s"), `open game as vs-eve {"opponent":"ada"}`; got != want {
		t.Errorf("ctrl-s sends %s, want %s", got, want)
	}
}

func TestEscLeavesAndKeepsWhatWasTyped(t *testing.T) {
	d := typedGame(t)
	if step := d.Key("esc", false); step.Kind != Leave {
		t.Fatalf("esc asks for %+v", step)
	}
	if New(Open, game()).ID() != d.ID() {
		t.Error("the same form has another identity when it is opened again")
	}
	d.Reopen(game())
	if got, _ := d.Line(); got != `open game as vs-eve {"opponent":"eve","size":13,"handicap":12}` {
		t.Errorf("opened again it would send %s", got)
	}
}

func TestCtrlTTurnsToJSONAndBackWithUnknownMembers(t *testing.T) {
	d := typedGame(t).keys("ctrl+t")
	text := d.current().ed.text
	if want := "{\n  \"opponent\": \"eve\",\n  \"size\": 13,\n  \"handicap\": 12\n}"; text != want {
		t.Fatalf("the JSON is %s", text)
	}
	d.keys("end", "enter").typing(`"extra": [1, 1e400],`).keys("enter").typing(`"komi": 7.50,`)
	if !strings.Contains(d.current().ed.text, "\n\"komi\"") {
		t.Errorf("the JSON is %s", d.current().ed.text)
	}
	d.keys("ctrl+t").shows("extra    ≠", "not in the schema")
	want := `open game as vs-eve {"opponent":"eve","size":13,"komi":7.50,"handicap":12,"extra":[1,1e400]}`
	if got := d.sends("ctrl+s"); got != want {
		t.Errorf("sent %s\nwant %s", got, want)
	}
	d.keys("ctrl+t", "ctrl+t")
	if got := d.sends("ctrl+s"); got != want {
		t.Errorf("after another turn sent %s\nwant %s", got, want)
	}
}

func TestEnterBreaksTheLineInJSONAndCtrlSSends(t *testing.T) {
	d := call(t, words).keys("ctrl+t").typing("{").keys("enter")
	if got := d.refuses("ctrl+s"); !strings.Contains(got, "Not sent: this is no JSON") {
		t.Errorf("ctrl-s of broken JSON says %q", got)
	}
	d.typing(`"text": "a  b",`).keys("ctrl+j").typing(`"n": 1.0 }`)
	if got := d.sends("ctrl+s"); got != `call say {"text":"a  b","n":1.0}` {
		t.Errorf("sent %s", got)
	}
	d.keys("up", "up", "down", "home", "x")
	d.shows("this is no JSON: line 2, column 1")
	if d.keys("ctrl+t"); !d.json || !strings.Contains(d.said, "Mend it first") {
		t.Errorf("broken JSON turns back to fields, and %q is said", d.said)
	}
}

func TestJSONThatFieldsCannotSayStaysJSON(t *testing.T) {
	for text, why := range map[string]string{
		`[1,2]`:                 "fields need a JSON object",
		`{"text":"a","text":1}`: `"text" stands twice`,
	} {
		d := call(t, words).keys("ctrl+t").typing(text)
		if d.keys("ctrl+t"); !d.json || !strings.Contains(d.said, why) {
			t.Errorf("%s: %q is said", text, d.said)
		}
		if got := d.sends("ctrl+s"); got != "call say "+text {
			t.Errorf("%s is sent as %s", text, got)
		}
	}
}

func TestCtrlOGivesTheTextToTheEditorAndTakesItBack(t *testing.T) {
	t.Run("of a text field", func(t *testing.T) {
		d := call(t, words).typing("one")
		if step := d.Key("ctrl+o", false); step.Kind != Edit || step.Text != "one" || step.JSON {
			t.Fatalf("it asks for %+v", step)
		}
		d.Edited("one\ntwo\n")
		if got := d.sends("enter"); got != `call say {"text":"one\ntwo"}` {
			t.Errorf("sent %s", got)
		}
	})
	t.Run("of a JSON field", func(t *testing.T) {
		d := call(t, words).to("list").typing("[1,2]")
		if step := d.Key("ctrl+o", false); step.Kind != Edit || step.Text != "[\n  1,\n  2\n]" || !step.JSON {
			t.Fatalf("it asks for %+v", step)
		}
		d.Edited("[\n  1,\n  2e5\n]\n")
		if got := d.sends("enter"); got != `call say {"list":[1,2e5]}` {
			t.Errorf("sent %s", got)
		}
	})
	t.Run("of the whole form", func(t *testing.T) {
		d := call(t, words).to("n").typing("5")
		if step := d.Key("ctrl+o", false); step.Kind != Edit || step.Text != "{\n  \"n\": 5\n}" || !step.JSON {
			t.Fatalf("it asks for %+v", step)
		}
		d.Edited("{\n  \"n\": 6, \"more\": true\n}")
		if got := d.sends("enter"); got != `call say {"n":6,"more":true}` {
			t.Errorf("sent %s", got)
		}
	})
	t.Run("that comes back broken", func(t *testing.T) {
		d := call(t, words).to("n")
		d.Key("ctrl+o", false)
		d.Edited("{ oops")
		d.shows("{ oops", "this is no JSON")
	})
}

func TestCtrlYCopiesTheCommand(t *testing.T) {
	d := typedGame(t)
	want := `mcpl-tui do -c 'open game as vs-eve {"opponent":"eve","size":13,"handicap":12}' -- node dist/server.js`
	if step := d.Key("ctrl+y", false); step.Kind != Copy || step.Text != want {
		t.Errorf("it copies %+v", step)
	}
	d.to("opponent").typing("'s")
	if step := d.Key("ctrl+y", false); !strings.Contains(step.Text, `"eve'\''s"`) {
		t.Errorf("a quote is copied as %s", step.Text)
	}
	d.to("clock").typing("{")
	if step := d.Key("ctrl+y", false); step.Kind != None || !strings.Contains(d.said, "nothing to copy") {
		t.Errorf("broken JSON copies %+v, and %q is said", step, d.said)
	}
}

func TestCtrlPTakesEarlierValuesAndCtrlNComesBack(t *testing.T) {
	d := typedGame(t)
	own, _ := d.Line()
	for _, c := range []struct{ key, want string }{
		{"ctrl+p", `open game as vs-eve {"opponent":"bot","size":19}`},
		{"ctrl+p", `open game as vs-eve {"opponent":"ada","size":9}`},
		{"ctrl+p", `open game as vs-eve {"opponent":"ada","size":9}`},
		{"ctrl+n", `open game as vs-eve {"opponent":"bot","size":19}`},
		{"ctrl+n", own},
		{"ctrl+n", own},
	} {
		d.keys(c.key)
		if got, _ := d.Line(); got != c.want {
			t.Errorf("%s gives %s, want %s", c.key, got, c.want)
		}
	}
	d.keys("ctrl+p").shows("▏ vs-bot")
	d.to("opponent").typing("x").keys("ctrl+p")
	if got, _ := d.Line(); got != `open game as vs-eve {"opponent":"bot","size":19}` {
		t.Errorf("after a change ctrl-p begins anew: %s", got)
	}
	empty := call(t, words)
	if empty.keys("ctrl+p"); empty.said == "" {
		t.Error("ctrl-p without earlier values is answered by silence")
	}
}

func TestNewerEarlierValuesDoNotMoveTheChosenOne(t *testing.T) {
	d := drive(t, New(Open, game()))
	d.keys("ctrl+p")
	more := game()
	more.Earlier = append([]Earlier{{Name: "vs-eve", Args: json.RawMessage(`{"opponent":"eve","size":13}`)}}, more.Earlier...)
	d.Refresh(more)
	d.shows("▏ vs-bot").keys("ctrl+p")
	if got, _ := d.Line(); got != `open game as vs-eve {"opponent":"ada","size":9}` {
		t.Errorf("the next older one is %s", got)
	}
}

func TestCtrlCCancelsWhatRunsAndElseIsTheRoots(t *testing.T) {
	d := typedGame(t)
	if step := d.Key("ctrl+c", false); step.Kind != Pass {
		t.Errorf("with nothing running it asks for %+v", step)
	}
	d = runningGame(t)
	if got := d.refuses("enter"); !strings.Contains(got, "still runs") {
		t.Errorf("enter while it runs says %q", got)
	}
	if step := d.Key("ctrl+c", false); step.Kind != Cancel {
		t.Errorf("while it runs it asks for %+v", step)
	}
	d.Answered(Outcome{Message: "cancelled"})
	d.shows("! cancelled").hides("ctrl-c cancels")
}

func TestKeysThatMeanNothingHereGoToTheRoot(t *testing.T) {
	d := call(t, words)
	for _, k := range []string{"f1", "alt+x", "ctrl+l", "ctrl+z"} {
		if step := d.Key(k, false); step.Kind != Pass {
			t.Errorf("%s asks for %+v", k, step)
		}
	}
	if got, _ := d.Line(); got != "call say" {
		t.Errorf("they typed %s", got)
	}
	for _, k := range []string{"q", "?", ":", "1", "/"} { // letters are text here
		d.keys(k)
	}
	if got := d.sends("enter"); got != `call say {"text":"q?:1/"}` {
		t.Errorf("typed %s", got)
	}
}

func TestPastedLinesSendNothing(t *testing.T) {
	paste := func(d *driver, s string) *driver {
		if step := d.Key(s, true); step.Kind != None {
			t.Errorf("a paste asks for %+v", step)
		}
		return d
	}
	d := paste(call(t, words), "two\r\nlines\n")
	if got := d.sends("enter"); got != `call say {"text":"two\nlines"}` {
		t.Errorf("text: %s", got)
	}
	d = paste(call(t, words).to("n"), " 5\n")
	if got := d.sends("enter"); got != `call say {"n":5}` {
		t.Errorf("number: %s", got)
	}
	d = paste(call(t, words).to("list"), "[\n\t1,\n\t2\n]\n")
	if got := d.sends("enter"); sent(t, got, "arguments", "list") != "[  1,  2 ]" {
		t.Errorf("list: %s", got)
	}
	d = paste(call(t, words).keys("ctrl+t"), "{\n\t\"text\": \"x\"\n}\n")
	if got := d.sends("ctrl+s"); got != `call say {"text":"x"}` {
		t.Errorf("JSON: %s", got)
	}
	d = paste(drive(t, New(Open, game())).to("size"), "13\n")
	if got, _ := d.Line(); got != `open game as vs-eve {"size":13}` {
		t.Errorf("choice: %s", got)
	}
	if paste(d, "14"); d.said == "" {
		t.Error("a paste that is none of the choices is answered by silence")
	}
	d = paste(marking(t), "\nand\nmore\n")
	if got := d.sends("enter"); got != "mark second gameand more" {
		t.Errorf("line: %s", got)
	}
	paste(closing(t), "y\n")
	d = paste(call(t, words), "enter")
	if got := d.sends("enter"); got != `call say {"text":"enter"}` {
		t.Errorf("a pasted name of a key: %s", got)
	}
	d = paste(call(t, words), strings.Repeat("x", maxText+1))
	if d.said == "" {
		t.Error("a paste that is too long is answered by silence")
	}
}

package form

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// evil are texts of a server that must not reach a terminal as they are.
var evil = []string{
	"\x1b[2J\x1b[H", "\x1b]0;title\x07", "\u009b31m", "\r\nROW", "\t\ttabs", "\u202eright to left", "\u200b\u200d\u2066",
	"a\u0301\u0301\u0301\u0301", strings.Repeat("世界", 400), strings.Repeat("word ", 5000), "\x00", "\xff\xfe", "| │ ┃", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "",
}

func checkScreen(t rapid.TB, f *Form, w, h int) {
	canvas := kit.NewCanvas(w, h)
	f.Draw(canvas.All(), &view.Context{Now: 5 * time.Second, Limit: 30 * time.Second})
	rows := strings.Split(strings.TrimSuffix(canvas.Plain(), "\n"), "\n")
	for y, row := range rows {
		if kit.Width(row) > w {
			t.Fatalf("row %d has %d cells at %dx%d: %q", y, kit.Width(row), w, h, row)
		}
		if kit.Clean(row) != row {
			t.Fatalf("row %d is not clean at %dx%d: %q", y, w, h, row)
		}
	}
	kit.NewTheme(termenv.Ascii, true).Render(canvas)
}

func TestHostileTextsOfAServerAreShownAsSigns(t *testing.T) {
	for i, s := range evil {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			q := string(quote(s))
			schema := `{"type":"object","description":` + q + `,"required":[` + q + `],"properties":{` + q + `:{"type":"string","description":` + q + `,"default":` + q + `},
				"choice":{"enum":[` + q + `,1],"title":` + q + `},"pattern":{"type":"string","pattern":` + q + `,"format":` + q + `},"ref":{"$ref":` + q + `}}}`
			name := strings.ToValidUTF8(s, "?")
			def := Definition{Schema: []byte(schema), Description: s, Source: s, Annotations: []byte(`{"destructiveHint":true}`)}
			fail := func(string) (json.RawMessage, error) { return nil, fmt.Errorf("the host says %s", s) }
			for _, f := range []*Form{
				New(Call, Deps{
					Tool: name, Title: s, Instances: true, Places: []Place{{Instance: name, Title: s, Def: def}}, Preview: preview, DoArgs: s,
					Earlier: []Earlier{{Name: s, Args: json.RawMessage(`{` + q + `:` + q + `}`), Note: s}},
				}),
				New(Open, Deps{Toolset: name, Instances: true, Open: []string{name, s}, Def: def, Preview: fail, Cannot: s}),
				New(Close, Deps{Toolset: name, Instance: name, Def: def, Preview: preview}),
				New(Answer, Deps{Title: s, Request: name, Def: def, Preview: preview, Prefill: json.RawMessage(`{` + q + `:` + q + `}`)}),
				New(Line, Deps{Title: s, Text: s, Lines: []string{s}, Prefix: "mark ", Preview: preview}),
			} {
				for _, key := range []string{"", "ctrl+p", "tab", "right", "enter", "ctrl+s", "ctrl+t", "ctrl+v", "esc", "ctrl+y", "ctrl+o"} {
					if key != "" {
						f.Key(key, false)
					}
					checkScreen(t, f, 100, 25)
					checkScreen(t, f, 40, 7)
				}
				f.Key(s, true)
				f.Edited(s)
				f.Redefined(3, def)
				checkScreen(t, f, 80, 19)
				for _, o := range []Outcome{
					{Message: s},
					{Code: -1, Message: s, Data: json.RawMessage(s)},
					{OK: true, Result: json.RawMessage(`{"isError":true,"instance":` + q + `,"content":[{"type":"text","text":` + q + `},{"type":` + q + `,"data":` + q + `,"mimeType":` + q + `},` + q + `],` + q + `:` + q + `,"_meta":{"mcpl/hints":{"rev":` + q + `}}}`)},
					{OK: true, Result: json.RawMessage(s)},
				} {
					f.Answered(o)
					checkScreen(t, f, 160, 43)
					checkScreen(t, f, 40, 7)
				}
			}
		})
	}
}

func TestLargeAnswersAreCutAndSaidToBe(t *testing.T) {
	d := runningGame(t)
	text := string(quote(strings.Repeat("many words ", 500_000)))
	d.Answered(Outcome{OK: true, Result: json.RawMessage(`{"content":[{"type":"text","text":` + text + `}],"structuredContent":{"a":` + text + `}}`)})
	d.keys("ctrl+v")
	d.screen(100, 25)
	found := false
	for _, l := range d.answerLines(97) {
		for _, s := range l.spans {
			found = found || strings.Contains(s.s, "5.5 MB in all: its frame in view 3 has it")
		}
	}
	if !found {
		t.Error("the answer is not said to be cut")
	}
	if n := len(d.answerLines(97)); n > 4000 {
		t.Errorf("the answer has %d lines", n)
	}
}

// anyJSON draws a JSON value.
func anyJSON(depth int) *rapid.Generator[string] {
	leaf := rapid.OneOf(
		rapid.SampledFrom([]string{"null", "true", "false", "0", "-1", "1e400", "9007199254740993", "0.1", `""`, "{}", "[]", "1e99999"}),
		rapid.Map(rapid.StringN(0, 8, 32), func(s string) string { return string(quote(s)) }),
		rapid.Map(rapid.SampledFrom(evil), func(s string) string { return string(quote(s)) }),
	)
	if depth == 0 {
		return leaf
	}
	return rapid.OneOf(leaf, rapid.Custom(func(t *rapid.T) string {
		list := rapid.SliceOfN(anyJSON(depth-1), 0, 4).Draw(t, "list")
		if rapid.Bool().Draw(t, "array") {
			return "[" + strings.Join(list, ",") + "]"
		}
		for i := range list {
			list[i] = string(quote(rapid.SampledFrom([]string{"a", "b", "type", "x y", "", "\u202e"}).Draw(t, "key"))) + ":" + list[i]
		}
		return "{" + strings.Join(list, ", ") + "}"
	}))
}

// anySchema draws a schema, sensible or not.
func anySchema(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 12).Draw(t, "odd") == 0 {
			return anyJSON(2).Draw(t, "value")
		}
		var parts []string
		add := func(key, val string) { parts = append(parts, string(quote(key))+":"+val) }
		if rapid.Bool().Draw(t, "typed") {
			add("type", rapid.SampledFrom([]string{`"object"`, `"string"`, `"integer"`, `"number"`, `"boolean"`, `"array"`, `["string","null"]`, `["integer","array"]`, `"frob"`, `7`}).Draw(t, "type"))
		}
		for range rapid.IntRange(0, 3).Draw(t, "keywords") {
			key := rapid.SampledFrom([]string{"enum", "const", "default", "title", "description", "minimum", "maximum", "minLength", "pattern", "format", "required", "additionalProperties", "$ref", "anyOf", "oneOf", "allOf", "items", "not", "$defs", "examples", "$id", "$anchor", "$schema"}).Draw(t, "key")
			switch {
			case key == "$ref":
				add(key, rapid.SampledFrom([]string{`"#"`, `"#/$defs/a"`, `"#/properties/a"`, `"#/properties"`, `"#x"`, `"http://x/y"`, `"#/%zz"`, `7`}).Draw(t, "ref"))
			case key == "enum" || key == "examples":
				add(key, "["+strings.Join(rapid.SliceOfN(anyJSON(1), 0, 5).Draw(t, "choices"), ",")+"]")
			case strings.HasSuffix(key, "Of") && depth > 0:
				add(key, "["+strings.Join(rapid.SliceOfN(anySchema(depth-1), 0, 3).Draw(t, "branches"), ",")+"]")
			case (key == "items" || key == "not" || key == "additionalProperties") && depth > 0:
				add(key, anySchema(depth-1).Draw(t, "sub"))
			case key == "$defs" && depth > 0:
				add(key, `{"a":`+anySchema(depth-1).Draw(t, "def")+`}`)
			case key == "required":
				add(key, `["a","b","none"]`)
			default:
				add(key, anyJSON(1).Draw(t, "value"))
			}
		}
		if depth > 0 && rapid.Bool().Draw(t, "with properties") {
			var props []string
			for range rapid.IntRange(0, 5).Draw(t, "properties") {
				name := rapid.SampledFrom([]string{"a", "b", "c", "x y", "", "\u202e", "\x1b[31m", "arguments", "instance"}).Draw(t, "name")
				props = append(props, string(quote(name))+":"+anySchema(depth-1).Draw(t, "property"))
			}
			add("properties", "{"+strings.Join(props, ",")+"}")
		}
		return "{" + strings.Join(parts, ",") + "}"
	})
}

var allKeys = []string{
	"enter", "ctrl+s", "tab", "shift+tab", "up", "down", "left", "right", "home", "end", "ctrl+a", "ctrl+e", "ctrl+b", "ctrl+f", "ctrl+left", "ctrl+right",
	"backspace", "delete", "ctrl+h", "ctrl+d", "ctrl+w", "ctrl+u", "ctrl+k", "ctrl+t", "ctrl+o", "ctrl+y", "ctrl+p", "ctrl+n", "ctrl+v", "ctrl+c", "ctrl+j", "esc",
	"pgup", "pgdown", "f1", "alt+x", " ", "a", "1", "{", "}", "[", "]", `"`, ":", ",", ".", "-", "e", "\\", "n", "y", "世", "\u0301", "\u202e", "\x1b", "\u200d", "👩",
}

// anyForm draws a form of any kind over any schema.
func anyForm(t *rapid.T) *Form {
	text := rapid.OneOf(rapid.SampledFrom(evil), rapid.StringN(0, 12, 40))
	def := func() Definition {
		return Definition{Schema: []byte(anySchema(3).Draw(t, "schema")), Description: text.Draw(t, "description"), Annotations: []byte(anyJSON(1).Draw(t, "annotations"))}
	}
	kind := Kind(rapid.IntRange(0, 4).Draw(t, "kind"))
	name := func(label string) string {
		return strings.ToValidUTF8(rapid.OneOf(rapid.SampledFrom([]string{"game", "vs-ada", "a b", "a@b", "{"}), text).Draw(t, label), "?") + "x"
	}
	deps := Deps{
		Toolset: name("toolset"), Tool: name("tool"), Title: text.Draw(t, "title"), Request: name("request"), Def: def(),
		Instances: rapid.Bool().Draw(t, "instances"), Open: []string{name("open")}, Prefix: "mark ",
		Preview: preview, DoArgs: "demo", Lines: []string{"one", "two"},
		Earlier: []Earlier{{Name: "e", Args: json.RawMessage(anyJSON(2).Draw(t, "earlier"))}, {}},
	}
	if rapid.Bool().Draw(t, "prefilled") {
		deps.Prefill = json.RawMessage(anyJSON(3).Draw(t, "prefill"))
	}
	for range rapid.IntRange(0, 2).Draw(t, "places") {
		deps.Places = append(deps.Places, Place{Instance: name("place"), Def: def(), Hidden: rapid.Bool().Draw(t, "hidden")})
	}
	if !deps.Instances {
		deps.Places = []Place{{Def: def()}}
	}
	return New(kind, deps)
}

func checkStep(t *rapid.T, step Step, f *Form) {
	if step.Kind == Send {
		if step.Line == "" || strings.ContainsAny(step.Line, "\n\r") || !utf8.ValidString(step.Line) {
			t.Fatalf("the line is %q", step.Line)
		}
		if raw, err := preview(step.Line); err != nil || (raw != nil && !json.Valid(raw)) {
			t.Fatalf("the line cannot be read: %q: %v %s", step.Line, err, raw)
		}
	}
	if args, wrong := f.args(); wrong == "" && args != nil && !json.Valid(args) {
		t.Fatalf("the arguments are no JSON: %q", args)
	}
}

func TestAnySchemaAndAnyKeysGiveValidLinesOrNone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyForm(t)
		for range rapid.IntRange(0, 25).Draw(t, "keys") {
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				f.Key(rapid.OneOf(rapid.String(), rapid.SampledFrom(evil), anyJSON(2)).Draw(t, "paste"), true)
			case 1:
				f.Redefined(3, Definition{Schema: []byte(anySchema(2).Draw(t, "redefined"))})
			case 2:
				f.Edited(rapid.OneOf(rapid.String(), anyJSON(2)).Draw(t, "edited"))
			case 3:
				f.Sent(0)
				if rapid.Bool().Draw(t, "answered") {
					f.Answered(Outcome{OK: true, Result: json.RawMessage(anyJSON(3).Draw(t, "result"))})
				}
			case 4:
				d := f.deps
				d.Places, d.Earlier = nil, nil
				if rapid.Bool().Draw(t, "reopened") {
					f.Reopen(d)
				} else {
					f.Refresh(d)
				}
			default:
				checkStep(t, f.Key(rapid.SampledFrom(allKeys).Draw(t, "key"), false), f)
			}
			w, h := rapid.IntRange(0, 170).Draw(t, "w"), rapid.IntRange(0, 45).Draw(t, "h")
			checkScreen(t, f, w, h)
			f.Click(rapid.IntRange(-1, w).Draw(t, "x"), rapid.IntRange(-1, h).Draw(t, "y"), rapid.IntRange(-1, 1).Draw(t, "wheel"))
			f.Help()
			f.Where()
		}
	})
}

// What the form says of a value is what the message says of it: the arguments
// in the message are the very bytes of the line.
func TestMessageHasTheBytesOfTheArguments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		args := anyJSON(3).Draw(t, "args")
		deps := tool(anySchema(2).Draw(t, "schema"))
		deps.Prefill = json.RawMessage(args)
		f := New(Call, deps)
		raw, wrong := f.args()
		if wrong != "" {
			t.Fatalf("%s cannot be sent: %s", args, wrong)
		}
		line, _ := f.Line()
		if raw != nil && !strings.HasSuffix(line, " "+string(raw)) {
			t.Fatalf("the line of %s is %s", raw, line)
		}
		if !sameMembers(string(raw), args) {
			t.Fatalf("%s is sent as %s", args, raw)
		}
	})
}

// sameMembers compares two values by their bytes, their members in any order.
func sameMembers(a, b string) bool {
	if a == "" {
		a = "{}"
	}
	if first([]byte(a)) != '{' || first([]byte(b)) != '{' {
		return string(oneLine([]byte(a))) == string(oneLine([]byte(b)))
	}
	if _, double := twice([]byte(b)); double {
		return a == b
	}
	left := map[string]string{}
	for _, m := range members([]byte(b)) {
		left[m.key] = string(oneLine(m.val))
	}
	for _, m := range members([]byte(a)) {
		if left[m.key] != string(m.val) {
			return false
		}
		delete(left, m.key)
	}
	return len(left) == 0
}

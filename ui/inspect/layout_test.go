package inspect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// laid returns all lines of a layout, with their indents.
func laid(l *jsonLines) []string {
	l.extend(maxLines)
	var out []string
	for i := range l.spans {
		out = append(out, strings.Repeat(" ", int(l.spans[i].indent))+l.text(i))
	}
	return out
}

func layJSON(src string, w int) []string {
	l := newJSONLines([]byte(src), 0, false, &ink{})
	l.w = w
	return laid(l)
}

func TestJSONStaysOnOneLineWhereItFitsAndIsBrokenAtBracketsWhereNot(t *testing.T) {
	for _, c := range []struct {
		src  string
		w    int
		want string
	}{
		{`{ "a": 1, "b": [1, 2] }`, 40, `{"a":1,"b":[1,2]}`},
		{
			`{"jsonrpc":"2.0","id":28,"method":"tools/call","params":{"name":"undo","arguments":{},"_meta":{"mcpl/instance":"vs-ada"}}}`, 51,
			`
{"jsonrpc":"2.0","id":28,"method":"tools/call",
 "params":{"name":"undo","arguments":{},
  "_meta":{"mcpl/instance":"vs-ada"}}}`,
		},
		{
			`{"jsonrpc":"2.0","id":28,"result":{"content":[{"type":"text","text":"Ada has not agreed to a takeback."}],"isError":true}}`, 51,
			`
{"jsonrpc":"2.0","id":28,
 "result":{
  "content":[
   {"type":"text",
    "text":"Ada has not agreed to a takeback."}],
  "isError":true}}`,
		},
		{`[{"a":1},{"b":2},{"c":3}]`, 18, "\n[{\"a\":1},\n {\"b\":2},\n {\"c\":3}]"},
		{`[1,2,3,4,5,6,7,8,9,10]`, 10, "\n[1,2,3,4,\n 5,6,7,8,\n 9,10]"},
		{`{"text":"one two three four five six"}`, 16, "\n{\"text\":\"one two \n  three four \n  five six\"}"},
		{`"0123456789abcdefghij"`, 12, "\n\"0123456789a\n bcdefghij\""},
		{`"0123456789\u00e9\"x"`, 13, "\n\"0123456789\n \\u00e9\\\"x\""},
		{``, 10, ``},
		{`{`, 10, `{`},
		{`}}}`, 10, `}}}`},
		{`nonsense here`, 10, "\nnonsense\nhere"},
	} {
		got := strings.Join(layJSON(c.src, c.w), "\n")
		if want := strings.TrimPrefix(c.want, "\n"); got != want {
			t.Errorf("%s in %d\n got\n%s\nwant\n%s", c.src, c.w, got, want)
		}
	}
}

func TestAFlowingLayoutFillsItsLines(t *testing.T) {
	src := `{"rev":41,"tools":[{"name":"play","instance":"vs-ada","visible":true,"definition":{"name":"play","description":"Place a stone."}}]}`
	got := strings.Join(laid(newJSONLines([]byte(src), 56, true, &ink{})), "\n")
	want := `{"rev":41,"tools":[{"name":"play","instance":"vs-ada",
  "visible":true,"definition":{"name":"play",
  "description":"Place a stone."}}]}`
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

// joined puts the lines of a layout together again.
func joined(l *jsonLines) string {
	l.extend(maxLines)
	var b strings.Builder
	for i := range l.spans {
		b.WriteString(l.text(i))
	}
	return b.String()
}

func TestALayoutLosesNoByteAndKeepsItsWidth(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		src := anyMessage(rt)
		w := rapid.IntRange(minWide, 90).Draw(rt, "w")
		l := newJSONLines([]byte(src), w, rapid.Bool().Draw(rt, "flow"), &ink{})
		var want bytes.Buffer
		if err := json.Compact(&want, []byte(src)); err != nil {
			rt.Fatal(err)
		}
		if got := joined(l); got != want.String() {
			rt.Fatalf("in %d cells\n got %s\nwant %s", w, got, want.String())
		}
		for i := range l.spans {
			cells := int(l.spans[i].indent) + kit.Width(kit.Clean(l.text(i)))
			if cells > w+1 { // a comma may stand in the column that is left free
				rt.Fatalf("line %d takes %d cells of %d: %q", i, cells, w, l.text(i))
			}
		}
	})
}

func anyMessage(t *rapid.T) string {
	b, err := json.Marshal(anyValue(t, 0))
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "indented") {
		var out bytes.Buffer
		if json.Indent(&out, b, "", "  ") == nil {
			return out.String()
		}
	}
	return string(b)
}

var words = []string{
	"", "play", "a text of several words that goes on for a while, so that it does not fit", `"quoted" \ and <tags>`,
	"\u202ereversed", "日本語のテキストはここにあります", "👩‍👩‍👧‍👦 family", "e\u0301\u0301", "\x1b[2J", "\u0000\u0001", "⚠️☺️", "🇩🇪🇫🇷", "ก็ำ", strings.Repeat("long", 60),
}

func anyValue(t *rapid.T, depth int) any {
	kinds := 5
	if depth > 3 {
		kinds = 3
	}
	switch rapid.IntRange(0, kinds).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		return rapid.Int().Draw(t, "n")
	case 3:
		return rapid.SampledFrom(words).Draw(t, "s")
	case 4:
		out := make([]any, rapid.IntRange(0, 6).Draw(t, "len"))
		for i := range out {
			out[i] = anyValue(t, depth+1)
		}
		return out
	default:
		out := map[string]any{}
		for range rapid.IntRange(0, 6).Draw(t, "len") {
			out[rapid.SampledFrom(words).Draw(t, "key")] = anyValue(t, depth+1)
		}
		return out
	}
}

func TestBytesThatAreNoJSONAreLaidOutAllTheSame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		src := rapid.SliceOfN(rapid.OneOf(
			rapid.Byte(), rapid.SampledFrom([]byte(`{}[]",:\ e1`)),
		), 0, 200).Draw(rt, "src")
		l := newJSONLines(src, rapid.IntRange(1, 40).Draw(rt, "w"), rapid.Bool().Draw(rt, "flow"), &ink{})
		l.extend(maxLines)
		if !l.done || l.pos < len(l.src) {
			rt.Fatalf("stopped at %d of %d", l.pos, len(l.src))
		}
		c := kit.NewCanvas(30, 1)
		for i := range l.spans {
			l.draw(c.All(), 0, i)
		}
	})
}

func TestAVeryDeepValueIsLaidOut(t *testing.T) {
	const n = 9000
	l := newJSONLines([]byte(strings.Repeat(`{"a":[`, n/2)+"1"+strings.Repeat("]}", n/2)), 40, false, &ink{})
	if got, want := joined(l), string(l.src); got != want {
		t.Errorf("%d bytes of %d", len(got), len(want))
	}
	for i := range l.spans {
		if int(l.spans[i].indent) > 20 {
			t.Fatalf("an indent of %d leaves no room", l.spans[i].indent)
		}
	}
}

func TestOnlyWhatIsLookedAtIsLaidOut(t *testing.T) {
	item := `{"name":"a name that is long enough","value":[1,2,3]},`
	src := []byte(`{"list":[` + strings.Repeat(item, 100_000) + `1],"text":"` + strings.Repeat("x", 1<<20) + `"}`)
	l := newJSONLines(src, 50, false, &ink{})
	l.extend(40)
	if n, all := l.known(); n > 45 || all {
		t.Errorf("%d lines laid out, all: %v", n, all)
	}
	if l.pos > 10_000 {
		t.Errorf("%d bytes were read for 40 lines", l.pos)
	}
	one := newJSONLines([]byte(`"`+strings.Repeat("x", 8<<20)+`"`), 50, false, &ink{})
	one.extend(40)
	if n, _ := one.known(); n > 45 {
		t.Errorf("%d lines of one long string laid out", n)
	}
}

func TestTextIsWrappedBetweenWordsAndKeepsItsLineBreaks(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"one two three", "one two|three"},
		{"one\ntwo\r\nthree", "one|two|three"},
		{"a\n\nb", "a||b"},
		{"0123456789abc", "01234567|89abc"},
		{"\tat x", "    at x"},
		{"trailing\n", "trailing"},
		{"", ""},
		{"\n", ""},
		{"日本語のテキスト", "日本語の|テキスト"},
	} {
		l := newTextLines([]byte(c.src), 0, kit.Style{})
		l.w = 8
		l.extend(maxLines)
		var got []string
		for i := range l.spans {
			got = append(got, l.text(i))
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q: got %q, want %q", c.src, s, c.want)
		}
	}
}

func TestTextLosesOnlyBlanksAndLineBreaks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		src := rapid.SliceOfN(rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte("ab \t\n\r"))), 0, 300).Draw(rt, "src")
		w := rapid.IntRange(minWide, 60).Draw(rt, "w")
		l := newTextLines(src, w, kit.Style{})
		l.extend(maxLines)
		strip := func(s string) string {
			return strings.NewReplacer(" ", "", "\t", "", "\n", "", "\r", "").Replace(s)
		}
		var got strings.Builder
		for i := range l.spans {
			got.WriteString(l.text(i))
			if n := kit.Width(kit.Clean(l.text(i))); n > w {
				rt.Fatalf("line %d takes %d cells of %d: %q", i, n, w, l.text(i))
			}
		}
		if strip(got.String()) != strip(string(src)) {
			rt.Fatalf("got %q of %q", got.String(), src)
		}
	})
}

func TestAPileOfCombiningLettersIsCutIntoLines(t *testing.T) {
	l := newTextLines([]byte("a"+strings.Repeat("\u0301", 100_000)), 20, kit.Style{})
	l.extend(maxLines)
	for i := range l.spans {
		if n := len(l.text(i)); n > maxLine {
			t.Fatalf("a line of %d bytes", n)
		}
	}
}

func TestColoursOfJSON(t *testing.T) {
	for _, c := range []struct {
		line  string
		flags uint8
		want  string
	}{
		{`{"a":"b",`, 0, "dim:{ key:\"a\" dim:: string:\"b\" dim:,"},
		{`"n":-1.5e3,"w":true}}`, 0, "key:\"n\" dim:: number:-1.5e3 dim:, key:\"w\" dim:: word:true dim:}}"},
		{`the end","k":null`, beginsInString, `string:the end" dim:, key:"k" dim:: word:null`},
		{`"t":"begins here`, endsInString, `key:"t" dim:: string:"begins here`},
		{`"a name that goes on`, endsInString | isKey, `key:"a name that goes on`},
		{`all of it inside`, beginsInString | endsInString, `string:all of it inside`},
		{`\"x\\" ,`, beginsInString, `string:\"x\\" normal:  dim:,`},
		{`nonsense`, 0, "normal:nonsense"},
		{"\xff\xfe", 0, "normal:\xff\xfe"},
	} {
		names := map[kit.Role]string{
			kit.Dim: "dim", kit.JSONKey: "key", kit.JSONString: "string", kit.JSONNumber: "number", kit.JSONWord: "word", kit.Normal: "normal",
		}
		var got []string
		for _, p := range colour(c.line, c.flags) {
			got = append(got, fmt.Sprintf("%s:%s", names[p.role], p.text))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.line, s, c.want)
		}
	}
}

func TestColouringLosesNoByte(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		line := string(rapid.SliceOfN(rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte(`{}[]",:\ e1é`))), 0, 60).Draw(rt, "line"))
		var b strings.Builder
		for _, p := range colour(line, rapid.Uint8Range(0, 7).Draw(rt, "flags")) {
			b.WriteString(p.text)
		}
		if b.String() != line {
			rt.Fatalf("got %q of %q", b.String(), line)
		}
	})
}

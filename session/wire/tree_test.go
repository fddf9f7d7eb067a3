package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// pieces of JSON, and of what is none.
var pieces = []string{
	`{`, `}`, `[`, `]`, `,`, `:`, `"`, ` `, "\n", `"a"`, `"a":`, `"\u0061":`, `"b\"c"`, `"é"`, `"\ud83d\ude00"`, `"\x"`,
	`0`, `-1`, `1.5`, `1e9`, `01`, `1.`, `-`, `true`, `false`, `null`, `tru`, "\x00", "\x7f", "\u009b", "\u202e", `"\b"`, `{}`, `[]`, `{"a":[1,{"b":null}]}`,
}

func TestATreeIsMadeOfExactlyWhatIsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 14).Draw(t, "pieces"), ""))
		var tr wire.Tree
		root, ok := new(wire.Reader).Read(b, &tr)
		if ok != wire.Valid(b) {
			t.Fatalf("%q: a tree: %v, JSON: %v", b, ok, !ok)
		}
		if ok {
			same(t, &tr, root, bytes.TrimSpace(b))
		}
	})
}

// FuzzTree compares what a tree says of bytes with what encoding/json, and the
// rest of this package, say of them.
func FuzzTree(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"play","arguments":{"at":"B2"},"_meta":{"mcpl/instance":"a"}}}`,
		`{"id":"a","result":{"_meta":{"mcpl/hints":{"rev":12,"tools":[{"name":"t","visible":true},{"name":"u"}]}}},"error":null}`,
		`[{"a":1,"a":2},{"\u0061":1,"a":[]},{},[],"é\n\ud800",-0.5e+10,true,false,null]`, ` { "eight888" : "nine99999" , "" : "" } `,
		"\"\x7f\u009b\u202e\"", `{"a":{"b":{"c":[[[[{"d":0}]]]]}}}`, `{"1234567":"12345678","123456789":"1234567890123456789012345"}`,
		`{"1234567":1,"12345678":2,"123456789012345":3,"1234567890123456":4,"1234567":1}`, `{"12345678":1,"1234567\u0038":2}`,
		`{"123456789012345":1,"123456789012345":2}`, `{"1234567890123456":1,"1234567890123456":2}`, `{"aé":1,"aé":2,"":3,"":4}`, `{"ab":1,"ab":2}`,
		`{"id\u0000":1,"me\u0074hod":"m"}`, `{"id":1,"id\u0000":2,"\u0072esult":3}`,
	} {
		f.Add([]byte(s))
	}
	var r wire.Reader
	f.Fuzz(func(t *testing.T, b []byte) {
		var tr wire.Tree
		r.Reset()
		root, ok := r.Read(b, &tr)
		if ok != json.Valid(b) {
			t.Fatalf("%q: a tree: %t, JSON: %t", b, ok, !ok)
		}
		if !ok {
			return
		}
		same(t, &tr, root, bytes.TrimSpace(b))
		if tr.Kind(root) == '{' {
			h := wire.Peek(bytes.TrimLeft(b, " \t\r\n"))
			if tr.Message(root) != tr.Top {
				t.Fatalf("%q: it is %+v, its root %+v", b, tr.Top, tr.Message(root))
			}
			var got wire.Head
			if tr.Peek(&got); !reflect.DeepEqual(got, h) {
				t.Fatalf("%q: %+v, peeked %+v", b, got, h)
			}
		}
		twice := false
		eachObject(bytes.TrimSpace(b), func(raw []byte) {
			seen := map[string]bool{}
			wire.EachMember(raw, func(key string, _ []byte) bool {
				twice = twice || seen[key]
				seen[key] = true
				return true
			})
		})
		if twice != (tr.Twice != nil) {
			t.Fatalf("%q: a key stands twice: %t, found: %q", b, twice, tr.Twice)
		}
	})
}

func eachObject(raw []byte, do func([]byte)) {
	switch raw[0] {
	case '{':
		do(raw)
		wire.EachMember(raw, func(_ string, v []byte) bool { eachObject(v, do); return true })
	case '[':
		wire.EachElement(raw, func(v []byte) bool { eachObject(v, do); return true })
	}
}

// fataler is a *testing.T or a *rapid.T.
type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// same compares a value of a tree with what package wire reads.
func same(t fataler, tr *wire.Tree, v wire.Value, raw []byte) {
	t.Helper()
	if !bytes.Equal(tr.Raw(v), raw) {
		t.Fatalf("%q instead of %q in %q", tr.Raw(v), raw, tr.Bytes)
	}
	switch raw[0] {
	case '{':
		m := tr.First(v)
		last := map[string]int{}
		n := 0
		wire.EachMember(raw, func(key string, _ []byte) bool {
			n++
			last[key] = n
			return true
		})
		n = 0
		wire.EachMember(raw, func(key string, v []byte) bool {
			if n++; last[key] != n {
				return true
			}
			if m == 0 || string(tr.Key(m)) != key {
				t.Fatalf("no member %q in %q", key, raw)
			}
			same(t, tr, m, v)
			m = tr.Next(m)
			return true
		})
		if m != 0 {
			t.Fatalf("a member too many in %q", raw)
		}
	case '[':
		m := tr.First(v)
		wire.EachElement(raw, func(v []byte) bool {
			same(t, tr, m, v)
			m = tr.Next(m)
			return true
		})
		if m != 0 {
			t.Fatalf("an element too many in %q", raw)
		}
	case '"':
		if string(tr.Text(v)) != wire.StringOf(raw) {
			t.Fatalf("%q says %q", raw, string(tr.Text(v)))
		}
	}
}

func TestAKeyThatStandsTwiceIsFoundAmongFewAndAmongMany(t *testing.T) {
	many := ""
	for i := range 3000 {
		many += `"key-that-is-long-` + strings.Repeat("x", i%50) + string(rune('a'+i%26)) + strings.Repeat("y", i/50) + `":{"a":1},`
	}
	for _, c := range []struct {
		json  string
		twice string
	}{
		{`{"a":1,"a":2}`, "a"},
		{`{"a":1,"b":{"c":1,"\u0063":2}}`, "c"},
		{`{"12345678x":1,"12345678y":2}`, ""},
		{`{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}`, ""},
		{`{` + many + `"z":1}`, ""},
		{`{` + many + `"z":1,"z":2}`, "z"},
		{`{` + many + `"z":[{"q":1,"q":2}]}`, "q"},
	} {
		var tr wire.Tree
		if _, ok := new(wire.Reader).Read([]byte(c.json), &tr); !ok {
			t.Fatalf("%.60s is no JSON", c.json)
		}
		if string(tr.Twice) != c.twice {
			t.Errorf("%.60s: %q stands twice, want %q", c.json, tr.Twice, c.twice)
		}
	}
}

func TestControlCharactersAreFoundHoweverTheyAreWritten(t *testing.T) {
	for in, want := range map[string]rune{
		`"plain\ttext\r\nä€שלום👩‍👧"`: -1, `"\u001b[0m"`: 0x1b, `"\u202E"`: 0x202e, "\"\u202e\"": 0x202e, "\"\u009b\"": 0x9b,
		`"\u009b"`: 0x9b, "\"\x7f\"": 0x7f, `"\b"`: 8, `"\f"`: 12, `{"k\u0007":1}`: 7, "\"\u2066\"": 0x2066, `"\u200f\u200d"`: -1, `"\\u001b"`: -1,
	} {
		var tr wire.Tree
		if _, ok := new(wire.Reader).Read([]byte(in), &tr); !ok {
			t.Fatalf("%q is no JSON", in)
		}
		if tr.Control != want {
			t.Errorf("%q: %U, want %U", in, tr.Control, want)
		}
	}
}

func TestABodyBeyondAllBoundsIsReadAsFarAsTheyGo(t *testing.T) {
	var tr wire.Tree
	deep := strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001)
	if _, ok := new(wire.Reader).Read([]byte(deep), &tr); ok {
		t.Error("a body that nests too deep was read")
	}
	wide := `{"a":[` + strings.Repeat(`{"x":1},`, (1<<18)) + `0],"b":1}`
	root, ok := new(wire.Reader).Read([]byte(wide), &tr)
	if !ok {
		t.Fatal("a body with many values is JSON")
	}
	n := 0
	for v := tr.First(tr.Get(root, "a")); v != 0; v = tr.Next(v) {
		n++
	}
	if n == 0 || n > (1<<18) || !tr.Cut {
		t.Errorf("%d elements of it were kept, and more there are: %t", n, tr.Cut)
	}
	if b := tr.Get(root, "b"); string(tr.Raw(b)) != "1" {
		t.Errorf("the member behind them is %q", tr.Raw(b))
	}
}

// What a message says is read whatever it carries beside it, and wherever.
func TestTheMembersOfAMessageAreKeptBesideAnyNumberOfValues(t *testing.T) {
	many := map[string]string{
		"an array":            "[" + strings.Repeat("0,", 300_000) + "0]",
		"arrays":              "[" + strings.Repeat("["+strings.Repeat("0,", 999)+"0],", 400) + "[]]",
		"an array in objects": `{"a":{"b":[` + strings.Repeat("{},", 300_000) + "{}]}}",
		"an object":           "{" + keys(140_000, 140_000) + "}",
		"keys twice":          "{" + keys(140_000, 139_999) + "}",
		"deep":                strings.Repeat("[", 99) + "[" + strings.Repeat("0,", 300_000) + "0]" + strings.Repeat("]", 99),
	}
	message := []string{`"jsonrpc":"2.0"`, `"id":7`, `"params":{"a":1,"b":{"c":[1,2]}}`, `"method":"m"`}
	for name, value := range many {
		for _, at := range []int{0, 3} {
			with := slices.Insert(slices.Clone(message), at, `"x":`+value)
			kept(t, name, "{"+strings.Join(with, ",")+"}")
		}
		kept(t, name+" within", `{"jsonrpc":"2.0","method":"m","params":{"x":`+value+`,"a":1,"b":{"c":[1,2]}},"id":7}`)
	}
	kept(t, "among keys", `{"jsonrpc":"2.0",`+keys(70_000, 70_000)+`,"method":"m","params":{"a":1,"b":{"c":[1,2]}},"x":{},"id":7,`+keys(70_000, 70_000)+"}")
}

// keys are n members, with so many different keys.
func keys(n, different int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"k%d":{"v":%d}`, i%different, i)
	}
	return b.String()
}

func kept(t *testing.T, name, body string) {
	t.Helper()
	var tr wire.Tree
	root, ok := new(wire.Reader).Read([]byte(body), &tr)
	if !ok || !tr.Cut {
		t.Fatalf("%s: read: %v, in part: %v", name, ok, tr.Cut)
	}
	if string(tr.Raw(root)) != body {
		t.Errorf("%s: the root is not the whole body", name)
	}
	m := tr.Message(root)
	if m.Kind != wire.Request || string(tr.Text(m.Method)) != "m" || string(tr.Raw(m.ID)) != "7" || string(tr.Text(m.Version)) != "2.0" {
		t.Errorf("%s: it is a %v, method %s, id %s", name, m.Kind, tr.Raw(m.Method), tr.Raw(m.ID))
	}
	if string(tr.Raw(tr.Get(m.Params, "a"))) != "1" || string(tr.Raw(tr.Get(tr.Get(m.Params, "b"), "c"))) != "[1,2]" {
		t.Errorf("%s: the params are not read", name)
	}
	var head wire.Head
	if tr.Peek(&head); m != tr.Top || !bytes.Equal(head.Params, wire.Peek([]byte(body)).Params) {
		t.Errorf("%s: peeked params and those of the tree differ", name)
	}
	within(t, &tr, root)
}

// within holds each value of a tree that is kept against the bytes of the one
// that it stands in.
func within(t *testing.T, tr *wire.Tree, v wire.Value) {
	t.Helper()
	raw := tr.Raw(v)
	if len(raw) < 1000 && !wire.Valid(raw) {
		t.Fatalf("a value is no JSON: %.80s", raw)
	}
	end := 0
	for m := tr.First(v); m != 0; m = tr.Next(m) {
		if in := tr.Raw(m); len(in) > len(raw) || tr.End(m) <= end || tr.End(m) > tr.End(v) {
			t.Fatalf("%.80s is not in its place in %.80s", in, raw)
		}
		end = tr.End(m)
		within(t, tr, m)
	}
}

var hintMessage = []byte(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":12345,"tools":[{"name":"tool12","instance":"a","visible":true},{"name":"tool30","instance":"b","visible":false}]}}`)

func BenchmarkTree(b *testing.B) {
	var r wire.Reader
	var t wire.Tree
	b.SetBytes(int64(len(hintMessage)))
	for b.Loop() {
		r.Reset()
		if _, ok := r.Read(hintMessage, &t); !ok {
			b.Fatal("no JSON")
		}
	}
}

package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestPeekTellsTheKindOfAMessage(t *testing.T) {
	for raw, want := range map[string]wire.Head{
		`{"jsonrpc":"2.0","id":7,"method":"ping"}`:           {Kind: wire.Request, Method: "ping", ID: "7"},
		`{"method":"x","params":[1]}`:                        {Kind: wire.Notification, Method: "x", Params: []byte("[1]")},
		`{"id":"a","result":{"b":[{}]}}`:                     {Kind: wire.Result, ID: `"a"`, Result: []byte(`{"b":[{}]}`)},
		`{"id":1,"error":{"code":1}}`:                        {Kind: wire.Error, ID: "1", Error: []byte(`{"code":1}`)},
		`{"id":null,"error":{}}`:                             {Kind: wire.Error, ID: "null", Error: []byte(`{}`)},
		`{"id":1,"result":1,"error":null}`:                   {Kind: wire.Result, ID: "1", Result: []byte("1"), Error: []byte("null")},
		`{"id":null,"method":"x"}`:                           {Kind: wire.Request, Method: "x", ID: "null"},
		`{"id":1,"method":5}`:                                {ID: "1"},
		`{"id":1}`:                                           {ID: "1"},
		`{}`:                                                 {},
		`"text"`:                                             {},
		`{"\u006dethod":"a\nb","id":9007199254740993}`:       {Kind: wire.Request, Method: "a\nb", ID: "9007199254740993"},
		`{"method":"first","id":1,"method":"last","id":1e2}`: {Kind: wire.Request, Method: "last", ID: "1e2"},
		"  {\t\"method\" : \"x\"\n}":                         {Kind: wire.Notification, Method: "x"},
	} {
		got := wire.Peek([]byte(raw))
		got.Raw, got.Version = nil, nil
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("Peek(%s) = %+v, want %+v", raw, got, want)
		}
	}
}

func TestIdsAreEqualByTypeAndValue(t *testing.T) {
	for _, same := range [][2]wire.ID{
		{"100", "1e2"}, {"1", "1.0"}, {`"a"`, `"\u0061"`}, {"0", "-0"}, {"9007199254740993", "9007199254740993.0"}, {"0.5", "5e-1"},
	} {
		if same[0].Key() != same[1].Key() {
			t.Errorf("%s and %s are one id, but have the keys %q and %q", same[0], same[1], same[0].Key(), same[1].Key())
		}
	}
	for _, other := range [][2]wire.ID{
		{"1", `"1"`}, {"9007199254740992", "9007199254740993"}, {"null", `"null"`}, {"1", "2"}, {"true", `"true"`}, {"1e999999999", "1e999999998"},
	} {
		if other[0].Key() == other[1].Key() {
			t.Errorf("%s and %s are two ids, but have one key %q", other[0], other[1], other[0].Key())
		}
	}
}

func TestABatchAndAPrettyBodyAreMessagesAndStderrIsNot(t *testing.T) {
	count := func(f wire.Frame) (n int) {
		for range f.Messages {
			n++
		}
		return n
	}
	batch := []byte(`[{"method":"a"},{"id":1,"result":{}}, 5]`)
	if n := count(wire.Frame{Dir: wire.In, Form: wire.Msg, Body: batch}); n != 3 {
		t.Errorf("a batch of three has %d messages", n)
	}
	pretty := []byte("{\n \"method\": \"a\"\n}")
	if n := count(wire.Frame{Dir: wire.In, Form: wire.FormOf(pretty), Body: pretty}); n != 1 {
		t.Errorf("a pretty body has %d messages", n)
	}
	if n := count(wire.Frame{Dir: wire.Err, Form: wire.Text, Body: batch}); n != 0 {
		t.Errorf("a line of stderr has %d messages", n)
	}
	if n := count(wire.Frame{Dir: wire.In, Form: wire.Text, Body: []byte("Listening on port 3000")}); n != 0 {
		t.Errorf("a line of text has %d messages", n)
	}
}

func TestABodyIsRecordedInTheFormThatKeepsItsBytes(t *testing.T) {
	for body, want := range map[string]wire.Form{
		`{"a":1}`: wire.Msg, ` [1] `: wire.Msg, "hello": wire.Text, "{\n}": wire.Text, "{}\r": wire.Text,
		"": wire.Text, "\xff": wire.Binary, "{\"a\":\"\xc3\x28\"}": wire.Binary,
	} {
		if got := wire.FormOf([]byte(body)); got != want {
			t.Errorf("FormOf(%q) = %d, want %d", body, got, want)
		}
	}
}

func TestABodyOfBracketsDoesNotExhaustTheStack(t *testing.T) {
	deep := bytes.Repeat([]byte{'['}, 10<<20)
	if wire.Valid(deep) {
		t.Error("unclosed brackets are valid")
	}
	if closed := append(bytes.Repeat([]byte{'['}, 9000), bytes.Repeat([]byte{']'}, 9000)...); !wire.Valid(closed) {
		t.Error("9,000 levels are refused")
	}
	if closed := append(bytes.Repeat([]byte{'['}, 20000), bytes.Repeat([]byte{']'}, 20000)...); wire.Valid(closed) {
		t.Error("20,000 levels are accepted")
	}
}

func TestLinesOfAnyLengthComeWholeHoweverTheyArrive(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var want []string
		var stream strings.Builder
		for range rapid.IntRange(0, 5).Draw(rt, "n") {
			n := rapid.SampledFrom([]int{0, 1, 10, 65535, 65536, 65537, 200000}).Draw(rt, "len")
			line := strings.Repeat(rapid.StringMatching(`[a-z]`).Draw(rt, "letter"), n)
			want = append(want, line)
			stream.WriteString(line + rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "end"))
		}
		if last := rapid.StringMatching(`[a-z]{0,9}`).Draw(rt, "last"); last != "" {
			want = append(want, last)
			stream.WriteString(last) // a last line without an end
		}
		var r io.Reader = strings.NewReader(stream.String())
		if rapid.Bool().Draw(rt, "halves") {
			r = iotest.HalfReader(r)
		}
		lines := wire.NewLines(r, 0)
		for i := 0; ; i++ {
			got, err := lines.Next()
			if errors.Is(err, io.EOF) {
				if i != len(want) {
					rt.Fatalf("%d lines, want %d", i, len(want))
				}
				return
			}
			if err != nil || i >= len(want) || string(got) != want[i] {
				rt.Fatalf("line %d: %v, %d bytes", i, err, len(got))
			}
		}
	})
}

func TestALineThatNeverEndsIsRefusedWithWhatWasRead(t *testing.T) {
	lines := wire.NewLines(strings.NewReader(strings.Repeat("x", 300000)), 100000)
	got, err := lines.Next()
	if !errors.Is(err, wire.ErrTooLong) || len(got) < 100000 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	broken := wire.NewLines(io.MultiReader(strings.NewReader("half"), iotest.ErrReader(io.ErrUnexpectedEOF)), 0)
	if got, err := broken.Next(); string(got) != "half" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q, %v", got, err)
	}
}

// FuzzPeek holds the fast scanner against encoding/json: what is valid, which
// members there are, and that nothing panics.
func FuzzPeek(f *testing.F) {
	for _, s := range []string{
		`{"id":1,"method":"x"}`, `[{"id":1},2]`, `{"a":"\ud800","b":1e400}`, `{"a":{"b":[1,2,{"c":null}]}}`, "\xef\xbb\xbf{}", `{"a":1,"a":2}`, `-`, `01`, `"\x"`, `{"id" : "\u0000"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		valid := json.Valid(raw)
		if got := wire.Valid(raw); got != valid {
			t.Fatalf("Valid(%q) = %v, encoding/json says %v", raw, got, valid)
		}
		inspected(t, raw, valid)
		if !valid {
			return
		}
		wire.Frame{Dir: wire.In, Form: wire.FormOf(raw), Body: raw}.Messages(func(h wire.Head) bool {
			_ = h.ID.Key()
			return true
		})
		var want map[string]json.RawMessage
		if json.Unmarshal(raw, &want) != nil || want == nil {
			return
		}
		for key, v := range want {
			got := wire.Member(raw, key)
			if strings.ContainsRune(key, '\ufffd') {
				continue // broken surrogates are read in more than one way
			}
			if !bytes.Equal(bytes.TrimSpace(got), bytes.TrimSpace(v)) {
				t.Fatalf("Member(%q, %q) = %s, encoding/json says %s", raw, key, got, v)
			}
		}
	})
}

// inspected holds the one pass of Inspect against what FormOf and Messages
// find by themselves.
func inspected(t *testing.T, raw []byte, valid bool) {
	var head wire.Head
	form, proved, one := wire.Inspect(raw, &head)
	want := wire.Text
	switch {
	case !utf8.Valid(raw):
		want = wire.Binary
	case valid && !bytes.ContainsAny(raw, "\r\n"):
		want = wire.Msg
	}
	if got := wire.FormOf(raw); got != want || form != want {
		t.Fatalf("the form of %q is %d, FormOf says %d and Inspect %d", raw, want, got, form)
	}
	if proved != valid {
		t.Fatalf("Inspect(%q) calls it valid: %v", raw, proved)
	}
	if object := valid && bytes.TrimLeft(raw, " \t\r\n")[0] == '{'; one != object {
		t.Fatalf("Inspect(%q) finds one object: %v", raw, one)
	}
	if !one {
		return
	}
	f := wire.Frame{Dir: wire.In, Form: wire.Text, Body: raw}
	for h := range f.Messages {
		if !reflect.DeepEqual(h, head) {
			t.Fatalf("Inspect(%q) = %+v, Peek says %+v", raw, head, h)
		}
	}
	for h := range f.Peeked(&head).Messages {
		if !reflect.DeepEqual(h, head) {
			t.Fatalf("a frame that was peeked gives %+v", h)
		}
	}
}

func BenchmarkInspect(b *testing.B) {
	raw := []byte(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":12,"tools":[{"name":"play","instance":"a","visible":true}]}}`)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	var head wire.Head
	for b.Loop() {
		wire.Inspect(raw, &head)
	}
}

func BenchmarkPeek(b *testing.B) {
	raw := []byte(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":12,"tools":[{"name":"play","instance":"a","visible":true}]}}`)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		wire.Peek(raw)
	}
}

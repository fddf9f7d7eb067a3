package mcpl

import (
	"bytes"
	"testing"
)

// FuzzSameJSON holds the comparison by bytes against the one by decoded
// values.
func FuzzSameJSON(f *testing.F) {
	for _, s := range [][2]string{
		{`{"a":1,"b":[1,2]}`, `{ "a": 1.0, "b": [1, 2] }`},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`},
		{`{"a":1,"a":2}`, `{"a":2}`},
		{`{"a":1,"a":2}`, `{"a":3,"a":2}`},
		{`"\u0061"`, `"a"`},
		{`["x","y"]`, `["x"]`},
		{"\"\xff\"", "\"\xfe\""},
		{`{"":{}}`, `{}`},
		{`[]`, `{}`},
		{`-1`, `true`},
		{`{`, `{`},
		{`1e9999999`, `1e99999990`},
		{` null`, `null `},
	} {
		f.Add([]byte(s[0]), []byte(s[1]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, errX := decodeAny(a)
		y, errY := decodeAny(b)
		want := bytes.Equal(a, b)
		if errX == nil && errY == nil {
			want = sameValue(x, y)
		}
		if got := SameJSON(a, b); got != want {
			t.Fatalf("SameJSON(%q, %q) = %v, the decoded values say %v", a, b, got, want)
		}
	})
}

func TestARevIsReadByItsValue(t *testing.T) {
	for raw, want := range map[string]int64{
		"": 0, "0": 0, "1": 1, "-1": 0, "12": 12, "1.0": 1, "1e2": 100, "1.5": 0, `"1"`: 0, "null": 0,
		"999999999999999999": 999999999999999999, "9223372036854775807": 9223372036854775807, "9223372036854775808": 0,
	} {
		if got := DecodeRev([]byte(raw)); got != want {
			t.Errorf("DecodeRev(%s) = %d, want %d", raw, got, want)
		}
	}
}

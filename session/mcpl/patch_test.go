package mcpl

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// The examples of RFC 6902, appendix A, and the edges of JSON Pointer.
func TestAPatchAppliesAsRFC6902Says(t *testing.T) {
	for _, c := range [][3]string{
		{`{"foo":"bar"}`, `[{"op":"add","path":"/baz","value":"qux"}]`, `{"foo":"bar","baz":"qux"}`},
		{`{"foo":["bar","baz"]}`, `[{"op":"add","path":"/foo/1","value":"qux"}]`, `{"foo":["bar","qux","baz"]}`},
		{`{"baz":"qux","foo":"bar"}`, `[{"op":"remove","path":"/baz"}]`, `{"foo":"bar"}`},
		{`{"foo":["bar","qux","baz"]}`, `[{"op":"remove","path":"/foo/1"}]`, `{"foo":["bar","baz"]}`},
		{`{"baz":"qux","foo":"bar"}`, `[{"op":"replace","path":"/baz","value":"boo"}]`, `{"baz":"boo","foo":"bar"}`},
		{`{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}`, `[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]`, `{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}`},
		{`{"foo":["all","grass","cows","eat"]}`, `[{"op":"move","from":"/foo/1","path":"/foo/3"}]`, `{"foo":["all","cows","eat","grass"]}`},
		{`{"baz":"qux","foo":["a",2,"c"]}`, `[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]`, `{"baz":"qux","foo":["a",2,"c"]}`},
		{`{"foo":"bar"}`, `[{"op":"add","path":"/child","value":{"grandchild":{}}}]`, `{"foo":"bar","child":{"grandchild":{}}}`},
		{`{"foo":"bar"}`, `[{"op":"add","path":"/baz","value":"qux","xyz":123}]`, `{"foo":"bar","baz":"qux"}`},
		{`{"/":9,"~1":10}`, `[{"op":"test","path":"/~01","value":10}]`, `{"/":9,"~1":10}`},
		{`{"foo":["bar"]}`, `[{"op":"add","path":"/foo/-","value":["abc","def"]}]`, `{"foo":["bar",["abc","def"]]}`},
		{`{"a":1.50}`, `[{"op":"copy","from":"/a","path":"/b"}]`, `{"a":1.50,"b":1.50}`},
		{`[1,2]`, `[{"op":"replace","path":"","value":{"x":[ ]}}]`, `{"x":[ ]}`},
		{`[]`, `[]`, `[]`},
		{`{"":{"":1}}`, `[{"op":"replace","path":"//","value":2}]`, `{"":{"":2}}`},
	} {
		got, err := Patch([]byte(c[0]), []byte(c[1]))
		if err != nil || string(got) != c[2] {
			t.Errorf("%s on %s gives %s, %v; want %s", c[1], c[0], got, err, c[2])
		}
	}
}

func TestAPatchThatDoesNotApplyChangesNothing(t *testing.T) {
	for patch, says := range map[string]string{
		`{"op":"add"}`: "no array",
		`[{"op":"add","path":"/n","value":1},{"op":"test","path":"/n","value":2}]`: "operation 2: the value at /n is another one",
		`[{"op":"add","path":"/a/b","value":1}]`:                                   "nothing at /a",
		`[{"op":"remove","path":"/x"}]`:                                            "nothing at /x",
		`[{"op":"replace","path":"/l/9","value":0}]`:                               "nothing at",
		`[{"op":"add","path":"/l/01","value":0}]`:                                  "nothing at",
		`[{"op":"add","path":"/l/7","value":0}]`:                                   "nothing at",
		`[{"op":"move","from":"/l","path":"/l/0"}]`:                                "into itself",
		`[{"op":"add","path":"l","value":0}]`:                                      "does not begin with /",
		`[{"op":"add","path":"/z"}]`:                                               "has no value",
		`[{"op":"brew","path":"/z"}]`:                                              "is no operation",
		`[{"op":"add","path":"/s/x","value":1}]`:                                   "no place",
		`[{"op":"copy","path":"/z"}]`:                                              "from is missing",
		`[7]`:                                                                      "path is missing",
	} {
		got, err := Patch([]byte(`{"l":[1],"s":"text"}`), []byte(patch))
		if got != nil || !errors.Is(err, ErrPatch) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s gives %s, %v; want an error with %q", patch, got, err, says)
		}
	}
}

// A patch that doubles a document again and again ends in an error.
func TestAPatchCannotGrowWithoutBound(t *testing.T) {
	op := `{"op":"copy","from":"","path":"/-"},`
	patch := "[" + strings.TrimSuffix(strings.Repeat(op, 60), ",") + "]"
	if _, err := Patch([]byte(`["`+strings.Repeat("y", 1000)+`"]`), []byte(patch)); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("it ended with %v", err)
	}
}

func FuzzPatchGivesJSONOrAnError(f *testing.F) {
	f.Add(`{"a":[1,{"b":2}]}`, `[{"op":"move","from":"/a/1/b","path":"/a/-"}]`)
	f.Add(`[]`, `[{"op":"add","path":"/0","value":null},{"op":"copy","from":"/0","path":"/-"}]`)
	f.Fuzz(func(t *testing.T, doc, patch string) {
		if !json.Valid([]byte(doc)) || !json.Valid([]byte(patch)) {
			return
		}
		got, err := Patch([]byte(strings.TrimSpace(doc)), []byte(strings.TrimSpace(patch)))
		if err == nil && !json.Valid(got) {
			t.Errorf("%s on %s gives %q", patch, doc, got)
		}
	})
}

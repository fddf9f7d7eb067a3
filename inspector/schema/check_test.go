package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/inspector/schema"
)

const move = `{"type":"object","required":["at"],"properties":{"at":{"type":"string","enum":["A1","B2"]},` +
	`"n":{"type":"integer","minimum":0,"maximum":9},"who":{"$ref":"#/$defs/name"},"list":{"type":"array","items":{"type":"number"},"maxItems":2}},` +
	`"additionalProperties":false,"$defs":{"name":{"type":"string","minLength":1,"maxLength":3}}}`

func TestAValueIsToldInASentenceWhatBreaksTheSchema(t *testing.T) {
	for value, want := range map[string]string{
		`{"at":"A1"}`:                      "",
		`{"at":"A1","n":3,"who":"ann"}`:    "",
		`{}`:                               "at is missing",
		`{"at":"Z9"}`:                      `at is "Z9", none of the 2 values`,
		`{"at":"A1","n":12}`:               "n is 12, at most 9",
		`{"at":"A1","n":"x"}`:              `n is "x", must be integer`,
		`{"at":"A1","who":""}`:             `who is "", at least 1 character`,
		`{"at":"A1","more":1}`:             "more is not in the schema",
		`{"at":"A1","list":[1,"b"]}`:       `list.1 is "b", must be number`,
		`{"at":"A1","list":[1,2,3]}`:       "list is [1,2,3], at most 2 items",
		`[1]`:                              "the whole is [1], must be object",
		`{"at":"A1","n":12,"n":3}`:         "",
		`{"at":"A1","at":"` + "ä" + `zz"}`: `at is "äzz", none of the 2 values`,
	} {
		c := schema.New([]byte(move))
		got := ""
		for _, p := range c.Check([]byte(value)) {
			got += p.Long
		}
		if got != want || c.Note() != "" {
			t.Errorf("%s: %q, %q, want %q", value, got, c.Note(), want)
		}
	}
}

func TestWhatIsNotCheckedSaysWhy(t *testing.T) {
	doubled := `{"$ref":"#/$defs/a0","$defs":{`
	for i := range 30 {
		doubled += fmt.Sprintf(`"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]},`, i, i+1, i+1)
	}
	doubled += `"a30":{}}}`
	for name, c := range map[string]struct{ schema, value, want string }{
		"no schema":          {``, `{"a":1}`, ""},
		"a broken schema":    {`{"type":"frob"}`, `1`, "the schema cannot be used: type: "},
		"no JSON":            {`{`, `1`, "the schema cannot be used: it is no JSON"},
		"too deep":           {strings.Repeat(`{"not":`, 200) + "{}" + strings.Repeat("}", 200), `1`, "nested too deep"},
		"too many parts":     {`{"enum":[` + strings.Repeat("null,", 4000) + `1]}`, `1`, "more than 3000 parts"},
		"too large":          {`{"description":"` + strings.Repeat("x", 300<<10) + `"}`, `1`, "kB"},
		"a huge number":      {`{"maximum":1e99999}`, `1`, "a number in it is too large"},
		"a huge value":       {move, `{"n":1e99999}`, "a number is too large"},
		"a long value":       {move, `"` + strings.Repeat("x", 2<<20) + `"`, "too long"},
		"a value of no JSON": {move, `{`, "it is no JSON"},
		"too many steps":     {doubled, `1`, "checking it would take too long"},
		"another document":   {`{"$ref":"http://example.com/x.json"}`, `1`, "not fetched"},
	} {
		t.Run(name, func(t *testing.T) {
			k := schema.New([]byte(c.schema))
			if p := k.Check([]byte(c.value)); p != nil {
				t.Errorf("found %v", p)
			}
			if got := k.Note(); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
				t.Errorf("says %q, want %q", got, c.want)
			}
		})
	}
}

func TestNoSchemaAndNoValueBreaksACheck(t *testing.T) {
	words := []string{
		"type", "enum", "properties", "items", "$ref", "#", "#/a", "allOf", "anyOf", "not", "if", "then", "pattern", "(", "string", "object",
		"$defs", "\x1b[2J", strings.Repeat("x", 500), "minimum", "required", "dependentRequired", "uniqueItems", "format",
	}
	var value func(t *rapid.T, depth int) any
	value = func(t *rapid.T, depth int) any {
		n := rapid.IntRange(0, 5).Draw(t, "kind")
		switch {
		case n == 0:
			return rapid.SampledFrom([]any{nil, true, false, 1, -1.5, "x"}).Draw(t, "word")
		case n < 3 || depth > 4:
			return rapid.SampledFrom(words).Draw(t, "text")
		case n == 3:
			var out []any
			for range rapid.IntRange(0, 3).Draw(t, "n") {
				out = append(out, value(t, depth+1))
			}
			return out
		}
		out := map[string]any{}
		for range rapid.IntRange(0, 4).Draw(t, "n") {
			out[rapid.SampledFrom(words).Draw(t, "key")] = value(t, depth+1)
		}
		return out
	}
	rapid.Check(t, func(t *rapid.T) {
		raw, _ := json.Marshal(value(t, 0))
		v, _ := json.Marshal(value(t, 0))
		for _, p := range schema.New(raw).Check(v) {
			if len(p.Long) > 4000 || !utf8.ValidString(p.Long) {
				t.Fatalf("%q", p.Long)
			}
		}
	})
}

package form

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestSchemaZoo: what the fields of a schema are, and what stands beside them.
func TestSchemaZoo(t *testing.T) {
	kinds := map[fieldKind]string{
		textField: "text", numberField: "number", boolField: "bool", choiceField: "choice", jsonField: "json", anyField: "any",
	}
	for _, c := range []struct{ name, prop, kind, hint string }{
		{"string", `{"type":"string"}`, "text", "text"},
		{"string with limits", `{"type":"string","minLength":1,"maxLength":8,"pattern":"^a"}`, "text", "1 to 8 characters · like ^a"},
		{"format", `{"type":"string","format":"email"}`, "text", "email"},
		{"number", `{"type":"number"}`, "number", "number"},
		{"integer", `{"type":"integer"}`, "number", "whole number"},
		{"range", `{"type":"number","minimum":0,"maximum":20,"default":6.5}`, "number", "default · 0 to 20"},
		{"open ranges", `{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1,"multipleOf":0.1}`, "number", "above 0 · below 1 · in steps of 0.1"},
		{"big numbers stay as they are", `{"type":"integer","maximum":9007199254740993}`, "number", "at most 9007199254740993"},
		{"boolean", `{"type":"boolean","default":true}`, "bool", "default: yes"},
		{"enum", `{"enum":["a","b"],"default":"b"}`, "choice", "default: b"},
		{"enum of many types", `{"enum":["a",1,null,{"x":1}]}`, "choice", ""},
		{"const", `{"const":5}`, "choice", ""},
		{"titled choices", `{"oneOf":[{"const":"a","title":"A"},{"const":"b"}]}`, "choice", ""},
		{"object", `{"type":"object","default":{"a":1}}`, "json", "default · JSON"},
		{"array", `{"type":"array","minItems":2}`, "json", "at least 2 items · JSON list"},
		{"description before title", `{"type":"string","title":"T","description":"D"}`, "text", "D"},
		{"title alone", `{"type":"string","title":"T"}`, "text", "T"},
		{"no type", `{}`, "any", "JSON, else text"},
		{"true", `true`, "any", "JSON, else text"},
		{"false", `false`, "any", "JSON, else text"},
		{"properties without type", `{"properties":{"a":{}}}`, "json", "JSON"},
		{"items without type", `{"items":{}}`, "json", "JSON list"},
		{"several types", `{"type":["string","number"]}`, "any", "string · number"},
		{"text or null", `{"type":["string","null"]}`, "any", "or null"},
		{"number or null", `{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}]}`, "number", "at least 1 · or null"},
		{"choice or null", `{"anyOf":[{"enum":["a"]},{"type":"null"}]}`, "choice", "or null"},
		{"number or list", `{"type":["number","array"]}`, "json", "number · JSON list"},
		{"alternatives", `{"oneOf":[{"type":"string"},{"type":"object"}]}`, "any", "string · JSON"},
		{"local $ref", `{"$ref":"#/$defs/size"}`, "choice", "points a side"},
		{"$ref with words of its own", `{"$ref":"#/$defs/size","description":"mine"}`, "choice", "mine"},
		{"$ref through allOf", `{"allOf":[{"$ref":"#/$defs/size"}],"default":9}`, "choice", "default: 9 · points a side"},
		{"$ref with escapes", `{"$ref":"#/$defs/a~1b%20c"}`, "bool", ""},
		{"$ref into nothing", `{"$ref":"#/$defs/none"}`, "json", "(it refers to #/$defs/none, which is not there)"},
		{"$ref to itself", `{"$ref":"#/properties/x"}`, "json", "(it refers to itself)"},
		{"remote $ref", `{"$ref":"http://example.com/s.json"}`, "json", "(it refers to http://example.com/s.json, which is not fetched)"},
		{"wrong shapes", `{"type":5,"enum":"a","minimum":"x","default":[],"description":{},"anyOf":{}}`, "any", "default"},
		{"a type nobody knows", `{"type":"frob"}`, "json", "JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := call(t, `{"type":"object","$defs":{"size":{"enum":[9,13],"description":"points a side"},"a/b c":{"type":"boolean"}},"properties":{"x":`+c.prop+`}}`)
			fd := d.current()
			if fd.name != "x" || kinds[fd.kind] != c.kind {
				t.Fatalf("the field is %s, a %s, want x, a %s", fd.name, kinds[fd.kind], c.kind)
			}
			if got := fd.hint(""); got != c.hint {
				t.Errorf("the hint is %q, want %q", got, c.hint)
			}
			d.screen(100, 25)
		})
	}
}

func TestSchemasOfTheWhole(t *testing.T) {
	for _, c := range []struct{ name, schema, fields, note string }{
		{"no schema", ``, "arguments", ""},
		{"empty", `{}`, "arguments", ""},
		{"true", `true`, "arguments", ""},
		{"false", `false`, "arguments", ""},
		{"any object", `{"type":"object"}`, "arguments", ""},
		{"no arguments", `{"type":"object","properties":{},"additionalProperties":false}`, "", ""},
		{"no object", `{"type":"array","items":{"type":"number"}}`, "arguments", ""},
		{"properties in the order of the bytes", `{"properties":{"b":{},"a":{}}}`, "b a", ""},
		{"a name that stands twice", `{"properties":{"b":{},"a":{},"b":{"type":"number"}}}`, "b a", ""},
		{"by $ref", `{"$ref":"#/$defs/args","$defs":{"args":{"type":"object","properties":{"a":{}}}}}`, "a", ""},
		{"by allOf", `{"allOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}],"properties":{"c":{}}}`, "a b c", ""},
		{"alternatives", `{"type":"object","oneOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}`, "arguments", ""},
		{"no JSON", `{"type":`, "arguments", "it is no JSON"},
		{"broken", `{"type":"object","properties":{"a":{"minimum":"x"}}}`, "a", "properties.a.minimum: must be number"},
		{"a broken pattern", `{"properties":{"a":{"type":"string","pattern":"(x"}}}`, "a", "properties.a.pattern: no regex"},
		{"a pattern of ECMA 262 that Go does not know", `{"properties":{"a":{"type":"string","pattern":"(?<=x)"}}}`, "a", ""},
		{"a draft nobody knows", `{"$schema":"http://example.com/draft","properties":{"a":{}}}`, "a", "is not fetched"},
		{"draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"type":"number"}}}`, "a", ""},
		{"a file", `{"properties":{"a":{"$ref":"file:///etc/hostname"}}}`, "a", "is not fetched"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := call(t, c.schema)
			var names []string
			for _, fd := range d.fields {
				names = append(names, fd.name)
			}
			if got := strings.Join(names, " "); got != c.fields {
				t.Errorf("fields %q, want %q", got, c.fields)
			}
			if got := d.check.note(); (c.note == "") != (got == "") || !strings.Contains(got, c.note) {
				t.Errorf("the note is %q, want %q", got, c.note)
			}
			if c.note != "" { // it is said, and blocks nothing
				d.shows("~ The schema cannot be used, so nothing is checked")
				d.sends("enter")
			}
		})
	}
}

func TestValuesThatBreakTheSchemaAreToldAtTheirField(t *testing.T) {
	for _, c := range []struct{ prop, typed, short, long string }{
		{`{"type":"integer","maximum":9}`, "12", "at most 9", "x is 12, at most 9"},
		{`{"type":"number","minimum":0.5}`, "0", "at least 0.5", "x is 0, at least 0.5"},
		{`{"type":"number","exclusiveMaximum":1}`, "1", "must be below 1", "x is 1, must be below 1"},
		{`{"type":"number","exclusiveMinimum":1}`, "1", "must be above 1", "x is 1, must be above 1"},
		{`{"type":"number","multipleOf":5}`, "7", "must be a multiple of 5", "x is 7, must be a multiple of 5"},
		{`{"type":"integer"}`, "1.5", "must be integer", "x is 1.5, must be integer"},
		{`{"type":"integer"}`, "many", "must be integer", `x is "many", must be integer`},
		{`{"type":"string","maxLength":2}`, "abc", "at most 2 characters", `x is "abc", at most 2 characters`},
		{`{"type":"string","minLength":2}`, "a", "at least 2 characters", `x is "a", at least 2 characters`},
		{`{"type":"string","pattern":"^a"}`, "b", "must be like ^a", `x is "b", must be like ^a`},
		{`{"type":"array","maxItems":1}`, "[1,2]", "at most 1 item", "x is [1,2], at most 1 item"},
		{`{"type":"array","minItems":1}`, "[]", "at least 1 item", "x is [], at least 1 item"},
		{`{"type":"array","uniqueItems":true}`, "[1,1.0]", "items 1 and 2 are equal", "x is [1,1.0], items 1 and 2 are equal"},
		{`{"type":"array","items":{"type":"number"}}`, `["a"]`, `x.0 is "a", must be number`, `x.0 is "a", must be number`},
		{`{"type":"object","required":["a"]}`, `{}`, "x.a is missing", "x.a is missing"},
		{`{"type":"object","required":[""]}`, `{}`, `x."" is missing`, `x."" is missing`},
		{`{"type":"object","additionalProperties":false}`, `{"b":1}`, "x.b is not in the schema", "x.b is not in the schema"},
		{`{"type":"object","minProperties":1}`, `{}`, "at least 1 member", "x is {}, at least 1 member"},
		{`{"anyOf":[{"type":"integer","minimum":5},{"type":"null"}]}`, "2", "at least 5", "x is 2, at least 5"},
		{`{"oneOf":[{"type":"number","minimum":5},{"type":"number","maximum":3}]}`, "4", "fits none of the alternatives", "x is 4, fits none of the alternatives"},
		{`{"oneOf":[{"type":"number"},{"type":"number"}]}`, "4", "fits more than one of the alternatives", "x is 4, fits more than one of the alternatives"},
		{`{"not":{"type":"number"}}`, "4", "is what it must not be", "x is 4, is what it must not be"},
		{`false`, "4", "nothing is allowed here", "x is 4, nothing is allowed here"},
		{`{"type":"number","maximum":1e300}`, "1e400", "at most 1", "x is 1e400, at most 1"},
	} {
		t.Run(c.prop+" "+c.typed, func(t *testing.T) {
			d := call(t, `{"type":"object","properties":{"x":`+c.prop+`}}`).typing(c.typed)
			list := d.told()
			if len(list) != 1 || !strings.HasPrefix(list[0].long, c.long) {
				t.Fatalf("told: %+v, want %s", list, c.long)
			}
			d.screen(160, 43)
			if got := d.wrongAt(0); !strings.HasPrefix(got, c.short) {
				t.Errorf("at the field: %q, want %q", got, c.short)
			}
			d.refuses("enter")
			d.shows("! "+c.short, "1 value breaks the schema")
			if s := d.screen(160, 43); !strings.Contains(s, "│ !   \"x\"") && !strings.Contains(s, "│ !     \"b\"") && !strings.Contains(s, `│ !   "x": ["a"]`) {
				t.Errorf("the message has no mark:\n%s", s)
			}
			d.sends("ctrl+s")
		})
	}
}

func TestProblemsAreToldInTheOrderOfTheFields(t *testing.T) {
	var props, typed []string
	for i := range 20 {
		props = append(props, fmt.Sprintf(`"p%d":{"type":"number","maximum":0}`, 20-i))
		typed = append(typed, fmt.Sprintf(`"p%d":1`, i+1))
	}
	for range 20 {
		deps := tool(`{"properties":{` + strings.Join(props, ",") + `},"required":["p0"]}`)
		deps.Prefill = []byte(`{` + strings.Join(typed, ",") + `}`)
		list := New(Call, deps).problems()
		for i, p := range list[:20] {
			if want := fmt.Sprintf("p%d", 20-i); p.path[0] != want {
				t.Fatalf("problem %d is at %s, want %s", i, p.path[0], want)
			}
		}
	}
}

func TestABrokenValueDoesNotHideTheOthers(t *testing.T) {
	d := typedGame(t).to("clock").typing("{")
	d.shows("! at most 9", "! no JSON: it ends too early", "1 value breaks the schema", "Nothing yet: clock is no JSON")
	for _, k := range []string{"enter", "ctrl+s"} {
		if got := d.refuses(k); !strings.Contains(got, "clock is no JSON") {
			t.Errorf("%s says %q", k, got)
		}
	}
}

// A few hundred bytes of schema, or of value, must not make a key wait.
func TestSchemasThatWouldTakeForEverAreNotChecked(t *testing.T) {
	double := func(levels int) string {
		var defs []string
		for i := range levels {
			defs = append(defs, fmt.Sprintf(`"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1))
		}
		defs = append(defs, fmt.Sprintf(`"d%d":{"type":"null"}`, levels))
		return strings.Join(defs, ",")
	}
	deep := strings.Repeat(`{"x":`, 40) + "1" + strings.Repeat("}", 40)
	for _, c := range []struct{ name, schema, args, note string }{
		{"references that double", `{"$defs":{` + double(60) + `},"properties":{"x":{"$ref":"#/$defs/d0"}}}`, `{"x":1}`, "too long"},
		{"references that double at each level", `{"properties":{"x":{"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]}}}`, deep, "too long"},
		{"names that double", `{"$defs":{"n":{"$anchor":"n","properties":{"x":{"allOf":[{"$ref":"#n"},{"$ref":"#n"},{"$ref":"#n"}]}}}},"$ref":"#n"}`, deep, "too long"},
		{"a number in the schema", `{"properties":{"x":{"maximum":1e999999999}}}`, `{"x":1}`, "a number in it is too large"},
		{"a number in the value", `{"properties":{"x":{"type":"number"}}}`, `{"x":1e999999999}`, "too large to be checked"},
		{"a schema of a megabyte", `{"description":"` + strings.Repeat("x", 1<<20) + `","properties":{"x":{"type":"number"}}}`, `{"x":1}`, "it has 1024 kB"},
		{"an allOf of thousands", `{"allOf":[` + strings.TrimSuffix(strings.Repeat(`true,`, 20000), ",") + `],"properties":{"x":{}}}`, `{"x":1}`, "more than 3000 parts"},
		{"an allOf as long as is read", `{"allOf":[` + strings.TrimSuffix(strings.Repeat(`{},`, 2990), ",") + `],"properties":{"x":{}}}`, `{"x":1}`, ""},
		{"as wide and as deep as is read", `{"allOf":[` + strings.TrimSuffix(strings.Repeat(strings.Repeat(`{"not":`, 90)+"{}"+strings.Repeat("}", 90)+",", 32), ",") + `],"properties":{"x":{}}}`, `{"x":1}`, ""},
		{"alternatives in alternatives", `{"$defs":{` + double(12) + `},"properties":{"x":{"$ref":"#/$defs/d0"}}}`, `{"x":1}`, ""},
		{"a schema as deep as JSON goes", strings.Repeat(`{"not":`, 5000) + "{}" + strings.Repeat("}", 5000), `{"x":1}`, "nested too deep"},
		{"a loop", `{"properties":{"x":{"$ref":"#/properties/y"},"y":{"$ref":"#/properties/x"}}}`, `{"x":1}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			within(t, func() {
				deps := tool(c.schema)
				deps.Prefill = []byte(c.args)
				d := drive(t, New(Call, deps))
				d.screen(100, 25)
				if got := d.check.note(); !strings.Contains(got, c.note) {
					t.Errorf("the note is %q, want %q", got, c.note)
				}
				if got := d.sends("ctrl+s"); got != "call say "+c.args {
					t.Errorf("sent %s", got)
				}
			})
		})
	}
}

// within fails a test that hangs, with a limit that no machine needs.
func within(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(60 * time.Second):
		t.Fatal("it hangs")
	}
}

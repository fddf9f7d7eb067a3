package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl/schema"
)

// told is all that an error says, in its order.
func told(e *jsonschema.ValidationError) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v %T%v(", e.InstanceLocation, e.ErrorKind, e.ErrorKind)
	for _, c := range e.Causes {
		b.WriteString(told(c))
	}
	return b.String() + ")"
}

func TestWhatIsWrongIsToldInTheSameOrderEachTime(t *testing.T) {
	for _, c := range []struct{ schema, value string }{
		{`{"properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"},"d":{"type":"string"}}}`, `{"d":1,"c":2,"b":3,"a":4}`},
		{`{"properties":{"a":true},"additionalProperties":false}`, `{"z":1,"y":2,"x":3,"w":4}`},
		{`{"properties":{"a":true},"unevaluatedProperties":false}`, `{"z":1,"y":2,"x":3,"w":4}`},
		{`{"patternProperties":{"^a":{"type":"string"},"b":{"type":"boolean"},"c$":{"type":"null"},"^abc":{"type":"array"}}}`, `{"abc":1,"abcc":2}`},
		{`{"dependentRequired":{"a":["x"],"b":["y"],"c":["z"],"d":["w"]}}`, `{"a":1,"b":2,"c":3,"d":4}`},
		{`{"dependentSchemas":{"a":{"required":["x"]},"b":{"required":["y"]},"c":{"required":["z"]}}}`, `{"a":1,"b":2,"c":3}`},
		{`{"dependentRequired":{"a":["x"],"b":["y"]},"propertyNames":{"maxLength":1},"required":["q"],"minProperties":9}`, `{"aa":1,"bb":2,"a":3,"b":4}`},
		{`{"propertyNames":{"maxLength":1}}`, `{"aa":1,"bb":2,"cc":3,"dd":4}`},
	} {
		first := ""
		for i := range 40 {
			breaks, fault := schema.Compile([]byte(c.schema)).Check([]byte(c.value))
			if breaks == nil || fault != nil {
				t.Fatalf("%s fits %s: %v", c.value, c.schema, fault)
			}
			if got := told(breaks); i == 0 {
				first = got
			} else if got != first {
				t.Fatalf("%s of %s: once\n%s\nthen\n%s", c.schema, c.value, first, got)
			}
		}
	}
}

func TestWhatIsWrongWithASchemaIsToldInTheSameOrderEachTime(t *testing.T) {
	for _, s := range []string{
		`{"properties":{"a":{"type":"no"},"b":{"type":"no"},"c":{"type":"no"}},"required":1,"minimum":"x"}`,
		`{"properties":{"a":{"pattern":"("},"b":{"pattern":"["},"c":{"pattern":"*"}}}`,
		`{"properties":{"a":{"$ref":"#/x"},"b":{"$ref":"#/y"},"c":{"$ref":"#/z"}}}`,
	} {
		first := ""
		for i := range 40 {
			f := schema.Compile([]byte(s)).Fault()
			if f == nil {
				t.Fatalf("%s is a schema", s)
			}
			got := f.Text
			if f.At != nil {
				got = told(f.At)
			}
			if i == 0 {
				first = got
			} else if got != first {
				t.Fatalf("%s: once\n%s\nthen\n%s", s, first, got)
			}
		}
	}
}

func TestElementsOfAnArrayAreInTheOrderOfTheirNumbers(t *testing.T) {
	value := `[` + strings.Repeat(`1,`, 11) + `1]`
	breaks, _ := schema.Compile([]byte(`{"items":{"type":"string"}}`)).Check([]byte(value))
	var at []string
	for _, c := range breaks.Causes {
		at = append(at, strings.Join(c.InstanceLocation, "."))
	}
	if got := strings.Join(at, " "); got != "0 1 2 3 4 5 6 7 8 9 10 11" {
		t.Errorf("they are told in the order %s", got)
	}
}

package session

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestWhatASchemaRequiresIsMadeUpAndNothingElse(t *testing.T) {
	for schema, want := range map[string]string{
		`{"properties":{"a":{"type":"string"},"b":{"default":1}},"required":["a"]}`:                                                                  `{"a":""}`,
		`{"properties":{"o":{"type":"object","properties":{"x":{"type":"integer","exclusiveMinimum":0},"y":{}},"required":["x"]}},"required":["o"]}`: `{"o":{"x":1}}`,
		`{"properties":{"l":{"type":"array","minItems":2,"items":{"type":"boolean"}}},"required":["l"]}`:                                             `{"l":[false,false]}`,
		`{"properties":{"k":{"const":7},"e":{"type":"string","examples":["go"]}},"required":["k","e"]}`:                                              `{"k":7,"e":"go"}`,
		`{"$defs":{"p/q":{"enum":["d"]}},"properties":{"r":{"$ref":"#/$defs/p~1q"}},"required":["r"]}`:                                               `{"r":"d"}`,
		`{"properties":{"n":{"type":["null","string"]},"u":{"anyOf":[{"type":"number","maximum":-2},{"type":"string"}]}},"required":["n","u"]}`:      `{"n":null,"u":-2}`,
		`{"required":["unknown"]}`: `{"unknown":""}`,
		``:                         `{}`,
		`7`:                        `{}`,
	} {
		if got := string(Required([]byte(schema))); got != want {
			t.Errorf("%s gives %s, want %s", schema, got, want)
		}
	}
}

func TestASchemaThatAsksForTooMuchIsGivenWhatItGets(t *testing.T) {
	for name, schema := range map[string]string{
		"itself":    `{"$ref":"#","properties":{"a":{"$ref":"#"}},"required":["a"]}`,
		"many":      `{"properties":{"a":{"type":"array","minItems":1000000000,"items":{"type":"array","minItems":1000000000,"items":{"type":"array","minItems":1000000}}}},"required":["a"]}`,
		"elsewhere": `{"properties":{"a":{"$ref":"https://example.com/x"}},"required":["a"]}`,
		"deep":      strings.Repeat(`{"type":"object","required":["a"],"properties":{"a":`, 100) + "{}" + strings.Repeat("}}", 100),
	} {
		if got := Required([]byte(schema)); !json.Valid(got) || len(got) > 1<<20 {
			t.Errorf("%s: %d bytes, %.100s", name, len(got), got)
		}
	}
}

package session

import "testing"

func TestAFormIsFilledInWithDefaultsAndThePlainestOfWhatIsRequired(t *testing.T) {
	for prop, want := range map[string]string{
		`{"type":"string","default":"d","enum":["e"]}`:                    `"d"`,
		`{"type":"string","default":null}`:                                `null`,
		`{"type":"string"}`:                                               `""`,
		`{"type":"string","minLength":3}`:                                 `"xxx"`,
		`{"type":"string","minLength":-1}`:                                `""`,
		`{"type":"string","format":"email"}`:                              `"user@example.com"`,
		`{"type":"string","format":"uri"}`:                                `"https://example.com/"`,
		`{"type":"string","format":"date"}`:                               `"2000-01-01"`,
		`{"type":"string","format":"date-time"}`:                          `"2000-01-01T00:00:00Z"`,
		`{"enum":["b","a"]}`:                                              `"b"`,
		`{"oneOf":[{"const":"k","title":"K"}]}`:                           `"k"`,
		`{"type":"boolean"}`:                                              `false`,
		`{"type":"integer","minimum":9}`:                                  `9`,
		`{"type":"number","maximum":-1.50}`:                               `-1.50`,
		`{"type":"number","minimum":-5,"maximum":5}`:                      `0`,
		`{"type":"array","minItems":2,"items":{"enum":["a","b","c"]}}`:    `["a","b"]`,
		`{"type":"array","minItems":1,"items":{"anyOf":[{"const":"x"}]}}`: `["x"]`,
		`{"type":"array","items":{"enum":["a"]}}`:                         `[]`,
		`7`: `""`,
	} {
		got := string(defaults([]byte(`{"properties":{"p":` + prop + `},"required":["p"]}`)))
		if got != `{"p":`+want+`}` {
			t.Errorf("%s is filled in as %s, want %s", prop, got, want)
		}
	}
	if got := string(defaults([]byte(`{"properties":{"a":{"type":"string"},"b":{"default":1}}}`))); got != `{"b":1}` {
		t.Errorf("what is not required: %s", got)
	}
	for _, odd := range []string{``, `null`, `[]`, `{"properties":7,"required":"p"}`} {
		if got := string(defaults([]byte(odd))); got != `{}` {
			t.Errorf("the schema %q gives %s", odd, got)
		}
	}
}

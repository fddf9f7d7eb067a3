package conform

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl/schema"
)

// someSchema draws a schema, mostly a right one.
func someSchema(t *rapid.T, depth int) string {
	word := func(of ...string) string { return rapid.SampledFrom(of).Draw(t, "word") }
	if depth > 2 {
		return word("true", "false", `{"type":"string"}`, `{"type":"integer"}`, "{}")
	}
	sub := func() string { return someSchema(t, depth+1) }
	var parts []string
	seen := map[string]bool{}
	for range rapid.IntRange(0, 4).Draw(t, "keywords") {
		p := word(
			`"type":"object"`, `"type":"string"`, `"type":["integer","null"]`, `"type":"number"`, `"type":"array"`, `"type":"thing"`, `"type":[]`,
			`"properties":{"a":`+sub()+`,"b":`+sub()+`}`, `"required":["a"]`, `"required":["a","a"]`, `"required":"a"`,
			`"additionalProperties":`+sub(), `"items":`+sub(), `"items":[{"type":"string"}]`, `"enum":["x",1,null]`, `"enum":{}`, `"const":"x"`,
			`"minimum":1`, `"maximum":1.5`, `"exclusiveMinimum":1`, `"exclusiveMaximum":true`, `"minLength":2`, `"maxLength":-1`, `"maxItems":1`, `"minItems":1.0`,
			`"pattern":"^x+$"`, `"pattern":"(?!x)"`, `"pattern":"["`, `"anyOf":[`+sub()+`,`+sub()+`]`, `"oneOf":[`+sub()+`,`+sub()+`]`, `"allOf":[`+sub()+`]`, `"anyOf":[]`,
			`"$ref":"#/$defs/d"`, `"$ref":"#/$defs/none"`, `"not":`+sub(), `"format":"email"`, `"title":"t"`, `"title":1`, `"default":{}`, `"examples":1`, `"x-order":1`,
		)
		key, _, _ := strings.Cut(p, ":")
		if !seen[key] {
			seen[key] = true
			parts = append(parts, p)
		}
	}
	if depth == 0 {
		parts = append(parts, `"$defs":{"d":`+sub()+`}`)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func someValue(t *rapid.T, depth int) string {
	if depth > 2 {
		return rapid.SampledFrom([]string{"1", `"x"`, "null"}).Draw(t, "leaf")
	}
	switch rapid.IntRange(0, 4).Draw(t, "value") {
	case 0:
		return fmt.Sprintf(`{"a":%s}`, someValue(t, depth+1))
	case 1:
		return fmt.Sprintf(`{"b":%s,"c":%s}`, someValue(t, depth+1), someValue(t, depth+1))
	case 2:
		return fmt.Sprintf(`[%s,%s]`, someValue(t, depth+1), someValue(t, depth+1))
	}
	return rapid.SampledFrom([]string{"1", "1.0", "1.5", "0", "-3", "2", `"x"`, `"xx"`, `"\u0078"`, `"é"`, `""`, "null", "true", "false", "{}", "[]"}).Draw(t, "leaf")
}

// What the short walk proves, the validator says too.
func TestTheWalkOverASchemaSaysNothingThatTheValidatorDoesNot(t *testing.T) {
	proved := map[answer3]int{}
	well := 0
	rapid.Check(t, func(t *rapid.T) {
		text, v := someSchema(t, 0), someValue(t, 0)
		var s, a reader
		root, ok := s.parse([]byte(text))
		val, ok2 := a.parse([]byte(v))
		if !ok || !ok2 {
			t.Fatalf("no JSON: %s, %s", text, v)
		}
		c := schema.Compile([]byte(text))
		if wellKnown(&s.tree, root, 0) {
			well++
			if why := wrong(c); why != "" {
				t.Fatalf("%s is no schema (%s), and passed for one", text, why)
			}
		}
		if _, fault := c.Check([]byte(v)); fault != nil {
			return // the validator is not asked
		}
		w := walk{schema: &s.tree, v: &a.tree, root: root}
		fits, why := w.fits(root, val, 0), breaks(c, []byte(v))
		proved[fits]++
		if fits == yes && why != "" || fits == no && why == "" {
			t.Fatalf("%s against %s: the walk says %d, the validator %q", v, text, fits, why)
		}
	})
	if proved[yes] == 0 || proved[no] == 0 || well == 0 {
		t.Errorf("the walk proved too little: %v, %d schemas", proved, well)
	}
}

func TestASchemaThatWouldTakeForEverIsNotJudged(t *testing.T) {
	doubling := `{"type":"object","$ref":"#/$defs/d0","$defs":{`
	for i := range 40 {
		doubling += fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	doubling += `"d40":{"type":"object"}}}`
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 200) + "{}" + strings.Repeat("}}", 200)
	wide := `{"type":"object","properties":{` + strings.TrimSuffix(strings.Repeat(`"a":{"not":{}},`, 4000), ",") + "}}"
	for name, text := range map[string]string{
		"doubling": doubling, "deep": deep, "wide": wide, "huge": `{"type":"object","properties":{"a":{"multipleOf":1e99999}}}`,
	} {
		j := New(Options{})
		if why := j.breaks([]byte(text), []byte(`{"a":{"a":1}}`)); why != "" {
			t.Errorf("%s: %s", name, why)
		}
		if why := wrong(schema.Compile([]byte(text))); why != "" {
			t.Errorf("%s is taken for no schema: %s", name, why)
		}
	}
}

func TestOnlyWhatLooksLikeACredentialIsTakenForOne(t *testing.T) {
	for text, want := range map[string]string{
		"ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8":                                      "a GitHub token",
		"export KEY=sk-proj-a8F3kL09zXcVbN12mQwErT45":                                   "an API key",
		"AKIAIOSFODNN7QWERTYU":                                                          "an AWS access key",
		"xoxb-123456789012-abcdefABCDEF":                                                "a Slack token",
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgN":       "",
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3": "a JSON web token",
		"Authorization: Bearer abc123DEF456ghi789JKL012":                                "a bearer token",
		"use Bearer authentication-with-a-token-of-your-own":                            "",
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAE":     "a private key",
		"-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUF":     "",
		"sha256:_YZTS0h1tqTAMZI6eElCszSQE2WNx3xhAhmgUvNI9H4":                            "",
		"e713a95189377e5c1b5a394dc987148aaff2bed5":                                      "",
		"ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx":                                      "",
		"sk-learn-model-viewer-and-more":                                                "",
		"pypi-package-index-mirror-tool":                                                "",
		"whsec_verification_helper_function":                                            "",
		"sk-abcdefghijklmnopqrstuvwxyz":                                                 "an API key",
		"task-list-of-everything-that-was-asked-for":                                    "",
		"iVBORw0KGgoAAAANSUhEUgAAABQAAAAUCAYAAACNiR0NAAAKsGlDQ1BJQ0MgUHJvZmlsZQ":        "",
	} {
		what := ""
		b := []byte(text)
		for i := 0; i < len(b) && what == ""; i++ {
			if !isToken[b[i]] || i > 0 && isToken[b[i-1]] {
				continue
			}
			end := i
			for end < len(b) && isToken[b[end]] {
				end++
			}
			if end-i >= minToken {
				what, _ = tokenIn(b, i, end)
			}
		}
		if what != want {
			t.Errorf("%s: %q, want %q", text, what, want)
		}
	}
	for url, want := range map[string]bool{
		"postgres://admin:hunter2@db.internal/x": true, "https://user:pa55@host": true, `http:\/\/u:secretive@h`: true,
		"https://user@example.com": false, "https://example.com:8080/a@b": false, "https://u:${PASSWORD}@h": false, "https://u:****@h": false, "a:b@c": false,
	} {
		if got := inURL().MatchString(url) && isPassword(url); got != want {
			t.Errorf("%s: %v, want %v", url, got, want)
		}
	}
}

func isPassword(url string) bool {
	m := inURL().FindStringSubmatch(url)
	return m != nil && !standsIn(m[2], false)
}

func TestEveryShapeOfATokenIsAnExpression(t *testing.T) {
	for _, s := range tokenShapes {
		if !strings.HasPrefix(s.shape().String(), "^"+s.prefix) {
			t.Errorf("%s is looked for as %s", s.prefix, s.shape())
		}
	}
	for _, shape := range []func() *regexp.Regexp{privateKey, bearer, inURL} {
		if shape().MatchString("") {
			t.Errorf("%s is in nothing", shape())
		}
	}
}

package conform

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/dlclark/regexp2/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	english "golang.org/x/text/message"
)

// compiled is a schema in the form of the validator.
type compiled struct {
	schema *jsonschema.Schema // nil where it is no schema, or is not judged
	doc    any
	wrong  string // why it is no schema, "" where it is one, or is not judged
}

// Bounds of what is compiled and validated: no server can make the judge
// stand still. What is beyond is not judged.
const (
	maxSchema  = 256 << 10
	maxValue   = 1 << 20
	maxNesting = 100
	maxParts   = 3000 // objects and words: the time to compile grows with their square
	maxVisits  = 200_000
)

const schemaURL = "mem:///schema.json"

// closed refuses to load anything: a schema of a server opens no file and no
// connection.
type closed struct{}

func (closed) Load(url string) (any, error) { return nil, fmt.Errorf("%s is not fetched", url) }

// compile makes a schema ready. One without $schema may be of draft 2020-12,
// as MCP has it, or of draft-07, as many libraries write it.
func compile(raw []byte) (c *compiled) {
	c = &compiled{}
	parts, levels := extent(raw)
	if len(raw) > maxSchema || levels > maxNesting || parts > maxParts || hugeExponent(raw) {
		return c
	}
	defer func() {
		if recover() != nil { // a fault of the validator says nothing of the schema
			c = &compiled{}
		}
	}()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return c
	}
	c.doc = doc
	c.schema, err = compileAs(doc, jsonschema.Draft2020)
	if err == nil {
		return c
	}
	if m, ok := doc.(map[string]any); ok && m["$schema"] == nil {
		if s, err := compileAs(doc, jsonschema.Draft7); err == nil {
			c.schema = s
			return c
		}
	}
	c.schema, c.wrong = nil, whyWrong(err)
	return c
}

func compileAs(doc any, draft *jsonschema.Draft) (*jsonschema.Schema, error) {
	comp := jsonschema.NewCompiler()
	comp.UseLoader(closed{})
	comp.DefaultDraft(draft)
	comp.UseRegexpEngine(ecma)
	for _, name := range formats {
		comp.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
	if err := comp.AddResource(schemaURL, doc); err != nil {
		return nil, err
	}
	return comp.Compile(schemaURL)
}

// formats are no assertions here: drafts differ in it, and so do validators in
// what they take for a date.
var formats = []string{
	"date-time", "date", "time", "duration", "period", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference",
	"iri", "iri-reference", "uuid", "uri-template", "json-pointer", "relative-json-pointer", "semver",
}

// whyWrong says why a schema is none; "" where that is not the schema's
// fault, but that nothing is loaded.
func whyWrong(err error) string {
	var load *jsonschema.LoadURLError
	var draft *jsonschema.UnsupportedDraftError
	var vocabulary *jsonschema.UnsupportedVocabularyError
	var cycle *jsonschema.MetaSchemaCycleError
	var scheme *jsonschema.UnsupportedURLSchemeError
	if errors.As(err, &load) || errors.As(err, &draft) || errors.As(err, &vocabulary) || errors.As(err, &cycle) || errors.As(err, &scheme) {
		return ""
	}
	var invalid *jsonschema.SchemaValidationError
	var at *jsonschema.ValidationError
	if errors.As(err, &invalid) && errors.As(invalid.Err, &at) {
		return leafText(at)
	}
	s, _, _ := strings.Cut(err.Error(), "\n")
	return strings.ReplaceAll(s, schemaURL, "")
}

// breaks returns why a value does not fit, "" where it does or that is not
// judged.
func (c *compiled) breaks(raw []byte) (why string) {
	if c.schema == nil || len(raw) > maxValue || hugeExponent(raw) {
		return ""
	}
	if _, levels := extent(raw); levels > maxNesting {
		return ""
	}
	defer func() {
		if recover() != nil {
			why = ""
		}
	}()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil || !(&visits{root: c.doc, left: maxVisits}).fit(v) {
		return ""
	}
	var at *jsonschema.ValidationError
	if !errors.As(c.schema.Validate(v), &at) {
		return ""
	}
	return leafText(at)
}

var printer = english.NewPrinter(language.English)

// leafText is the first thing that is wrong, and where: "size: maximum: …".
func leafText(e *jsonschema.ValidationError) string {
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	text := e.ErrorKind.LocalizedString(printer)
	if at := strings.Join(e.InstanceLocation, "."); at != "" {
		return at + ": " + text
	}
	return text
}

// anything is a pattern that is one, but not for Go: what it matches is not
// judged.
type anything string

func (a anything) MatchString(string) bool { return true }
func (a anything) String() string          { return string(a) }

// ecma compiles a pattern. Schemas are written for ECMA 262, which knows more
// than Go does.
func ecma(s string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(s)
	if err == nil {
		return re, nil
	}
	for _, o := range []regexp2.RegexOptions{regexp2.ECMAScript | regexp2.Unicode, regexp2.ECMAScript} {
		if _, err := regexp2.Compile(s, o); err == nil {
			return anything(s), nil
		}
	}
	return nil, err
}

// hugeExponent reports whether JSON has a number such as 1e99999, whose value
// would fill the memory.
func hugeExponent(raw []byte) bool {
	inString, digits := false, -1 // digits of an exponent, -1: not in one
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case inString && c == '\\':
			i++
		case c == '"':
			inString, digits = !inString, -1
		case inString:
		case (c == 'e' || c == 'E') && i > 0 && (raw[i-1] == '.' || raw[i-1]-'0' <= 9):
			digits = 0
		case digits >= 0 && c >= '0' && c <= '9':
			if c != '0' || digits > 0 {
				digits++
			}
			if digits > 3 {
				return true
			}
		case c != '+' && c != '-':
			digits = -1
		}
	}
	return false
}

// extent returns how many objects and words (true, false, null) JSON has, and
// how deep its brackets nest.
func extent(raw []byte) (parts, levels int) {
	now, inString := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			now++
			levels = max(levels, now)
			if c == '{' {
				parts++
			}
		case c == '}' || c == ']':
			now--
		case c == 't' || c == 'f' || c == 'n':
			parts++
			i += 3
		}
	}
	return parts, levels
}

// Package schema checks values against the JSON Schema of a peer: the
// arguments of a call against the tool's inputSchema.
//
// A schema is data of a peer. It opens no file and no connection, and it
// cannot make a check take long: what is too large, too deep, or asks for too
// many steps is not checked, and Note says why.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Limits of what is checked.
const (
	maxSchema   = 256 << 10 // bytes of a schema, and of a value
	maxNesting  = 100       // levels of a schema
	maxParts    = 3000      // objects and words in a schema: the time to read it grows with their square
	maxProblems = 100
	maxVisits   = 200_000
)

var errTooMuch = errors.New("checking it would take too long")

// Problem is one value that breaks the schema.
type Problem struct {
	Path    []string // within the value
	Short   string   // what is asked of it: "at most 9"
	Long    string   // in a sentence: "handicap is 12, at most 9"
	Missing bool     // it is not there at all
}

// Checker checks values against one schema, which it reads when it is first
// asked.
type Checker struct {
	raw   []byte
	ready bool
	sch   *jsonschema.Schema
	doc   any
	err   error  // why nothing is checked, nil: all is well
	skip  string // why the last value was not checked
}

// New returns a checker for a schema; nil or empty accepts everything.
func New(raw []byte) *Checker { return &Checker{raw: raw} }

// closed refuses to load anything.
type closed struct{}

func (closed) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is not fetched", url)
}

const name = "peer:///schema.json"

func (c *Checker) compile() {
	if c.ready {
		return
	}
	c.ready = true
	if len(c.raw) == 0 {
		return
	}
	if c.err = bounds(c.raw); c.err != nil {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			c.sch, c.err = nil, errors.New("it cannot be read")
		}
	}()
	c.doc, c.err = jsonschema.UnmarshalJSON(bytes.NewReader(c.raw))
	if c.err != nil {
		return
	}
	comp := jsonschema.NewCompiler()
	comp.UseLoader(closed{})
	if c.err = comp.AddResource(name, c.doc); c.err != nil {
		return
	}
	if c.sch, c.err = comp.Compile(name); c.err != nil {
		c.err = errors.New(plainError(c.err))
	}
}

// bounds says why a schema is not used at all.
func bounds(raw []byte) error {
	if len(raw) > maxSchema {
		return fmt.Errorf("it has %d kB", len(raw)>>10)
	}
	if !json.Valid(raw) {
		return errors.New("it is no JSON")
	}
	parts, levels := extent(raw)
	switch {
	case levels > maxNesting:
		return errors.New("it is nested too deep")
	case parts > maxParts:
		return fmt.Errorf("it has more than %d parts", maxParts)
	case hugeExponent(raw):
		return errors.New("a number in it is too large")
	}
	return nil
}

// plainError says in one line why a schema is broken.
func plainError(err error) string {
	var sv *jsonschema.SchemaValidationError
	if errors.As(err, &sv) {
		var ve *jsonschema.ValidationError
		if errors.As(sv.Err, &ve) {
			leaf := leaves(ve, nil)[0]
			at := strings.Join(leaf.InstanceLocation, ".")
			return strings.TrimPrefix(at+": "+shortText(leaf.ErrorKind), ": ")
		}
	}
	s, _, _ := strings.Cut(err.Error(), "\n")
	return strings.ReplaceAll(s, name, "")
}

// Check returns what is wrong with a value, nil where nothing is or where it
// was not checked, which Note tells apart.
func (c *Checker) Check(value []byte) []Problem {
	c.compile()
	c.skip = ""
	if c.sch == nil {
		return nil
	}
	if len(value) > maxSchema {
		c.skip = errTooMuch.Error()
		return nil
	}
	if hugeExponent(value) {
		c.skip = "a number is too large to be checked"
		return nil
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		c.skip = "it is no JSON"
		return nil
	}
	if !(&cost{root: c.doc, left: maxVisits}).fits(v) {
		c.skip = errTooMuch.Error()
		return nil
	}
	return c.validate(v, value)
}

func (c *Checker) validate(v any, raw []byte) (out []Problem) {
	defer func() {
		if r := recover(); r != nil {
			c.skip = "the schema cannot be applied to it"
			out = nil
		}
	}()
	err := c.sch.Validate(v)
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) {
		if err != nil {
			c.skip = plainError(err)
		}
		return nil
	}
	for _, leaf := range leaves(ve, nil) {
		out = append(out, problems(leaf, raw)...)
		if len(out) >= maxProblems {
			break
		}
	}
	return out
}

// Note says why the last value was not checked; "" where it was.
func (c *Checker) Note() string {
	c.compile()
	if c.err != nil {
		return "the schema cannot be used: " + c.err.Error()
	}
	return c.skip
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

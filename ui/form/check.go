package form

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// Limits of what is checked. A schema or value beyond is sent unchecked, and
// the form says so: no server can make the screen stand still.
const (
	maxSchema   = 256 << 10
	maxNesting  = 100  // levels of a schema
	maxParts    = 3000 // objects and words in a schema: the time to read it grows with their square
	maxProblems = 100
	maxVisits   = 200_000
)

var errTooMuch = errors.New("checking it would take too long")

// problem is one value that breaks the schema.
type problem struct {
	path    []string // within the arguments
	short   string   // beside the field: "at most 9"
	long    string   // in a sentence: "handicap is 12, at most 9"
	missing bool     // it is not there at all
}

// checker checks arguments against a schema. It compiles the schema when it
// is first asked, and remembers the last answer.
type checker struct {
	schema []byte
	ready  bool
	sch    *jsonschema.Schema
	doc    any
	err    error // why nothing is checked, nil: all is well

	last  string
	found []problem
	skip  string // why this value was not checked
}

// closed refuses to load anything: a schema of a server opens no file and no
// connection.
type closed struct{}

func (closed) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is not fetched", url)
}

func (c *checker) compile() {
	if c.ready {
		return
	}
	c.ready = true
	if len(c.schema) == 0 {
		return
	}
	if len(c.schema) > maxSchema {
		c.err = fmt.Errorf("it has %d kB", len(c.schema)>>10)
		return
	}
	if !validJSON(c.schema) {
		c.err = errors.New("it is no JSON")
		return
	}
	parts, levels := extent(c.schema)
	if levels > maxNesting {
		c.err = errors.New("it is nested too deep")
		return
	}
	if parts > maxParts {
		c.err = fmt.Errorf("it has more than %d parts", maxParts)
		return
	}
	if hugeExponent(c.schema) {
		c.err = errors.New("a number in it is too large")
		return
	}
	defer func() {
		if r := recover(); r != nil {
			c.sch, c.err = nil, errors.New("it cannot be read")
		}
	}()
	c.doc, c.err = jsonschema.UnmarshalJSON(bytes.NewReader(c.schema))
	if c.err != nil {
		return
	}
	const name = "form:///schema.json"
	comp := jsonschema.NewCompiler()
	comp.UseLoader(closed{})
	if c.err = comp.AddResource(name, c.doc); c.err != nil {
		return
	}
	if c.sch, c.err = comp.Compile(name); c.err != nil {
		c.err = errors.New(plainError(c.err))
	}
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
	s := err.Error()
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i]
	}
	return strings.ReplaceAll(s, "form:///schema.json", "")
}

// run checks arguments. It returns what is wrong with them, in no order yet.
func (c *checker) run(raw []byte) []problem {
	c.compile()
	if c.sch == nil {
		return nil
	}
	if c.last == string(raw) && c.last != "" {
		return c.found
	}
	c.last, c.found, c.skip = string(raw), nil, ""
	if hugeExponent(raw) {
		c.skip = "a number is too large to be checked"
		return nil
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil
	}
	if !(&cost{root: c.doc, left: maxVisits}).fits(v) {
		c.skip = errTooMuch.Error()
		return nil
	}
	c.found = c.validate(v, raw)
	return c.found
}

func (c *checker) validate(v any, raw []byte) (out []problem) {
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

// note says why nothing, or not this value, is checked; "" where all is.
func (c *checker) note() string {
	c.compile()
	if c.err != nil {
		return "The schema cannot be used, so nothing is checked: " + c.err.Error()
	}
	if c.skip != "" {
		return "Not checked: " + c.skip
	}
	return ""
}

// leaves are the errors at the ends of a validation error's tree. Of
// alternatives it goes into the one that was meant, if only one can be.
func leaves(ve *jsonschema.ValidationError, out []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(out) >= maxProblems || len(ve.Causes) == 0 {
		return append(out, ve)
	}
	switch ve.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		var meant []*jsonschema.ValidationError
		others := 0
		for _, c := range ve.Causes {
			l := leaves(c, nil)
			_, wrongType := l[0].ErrorKind.(*kind.Type)
			if len(l) == 1 && wrongType && len(l[0].InstanceLocation) == len(ve.InstanceLocation) {
				continue
			}
			meant = l
			others++
		}
		if others != 1 {
			return append(out, ve)
		}
		return append(out, meant...)
	}
	for _, c := range ve.Causes {
		out = leaves(c, out)
	}
	return out
}

// problems says what a leaf means: one problem for each value.
func problems(ve *jsonschema.ValidationError, raw []byte) []problem {
	at := ve.InstanceLocation
	below := func(names []string, short, long string, missing bool) (out []problem) {
		slices.Sort(names)
		for _, n := range names {
			p := append(slices.Clone(at), n)
			out = append(out, problem{path: p, short: short, long: strings.Join(p, ".") + long, missing: missing})
		}
		return out
	}
	switch k := ve.ErrorKind.(type) {
	case *kind.Required:
		return below(k.Missing, "required", " is missing", len(at) == 0)
	case *kind.DependentRequired:
		return below(k.Missing, "required with "+k.Prop, " is missing, "+k.Prop+" needs it", true)
	case *kind.Dependency:
		return below(k.Missing, "required with "+k.Prop, " is missing, "+k.Prop+" needs it", true)
	case *kind.AdditionalProperties:
		return below(k.Properties, "not in the schema", " is not in the schema", false)
	}
	name := strings.Join(at, ".")
	if name == "" {
		name = "the whole"
	}
	value := kit.CutMiddle(string(compact(walk(raw, at))), 24)
	short := shortText(ve.ErrorKind)
	return []problem{{path: at, short: short, long: name + " is " + value + ", " + short}}
}

// shortText says what a keyword asks for: "at most 9".
func shortText(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return "must be " + strings.Join(k.Want, " or ")
	case *kind.Maximum:
		return "at most " + ratText(k.Want)
	case *kind.Minimum:
		return "at least " + ratText(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be below " + ratText(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be above " + ratText(k.Want)
	case *kind.MultipleOf:
		return "must be a multiple of " + ratText(k.Want)
	case *kind.MaxLength:
		return "at most " + count(k.Want, "character")
	case *kind.MinLength:
		return "at least " + count(k.Want, "character")
	case *kind.MaxItems:
		return "at most " + count(k.Want, "item")
	case *kind.MinItems:
		return "at least " + count(k.Want, "item")
	case *kind.Pattern:
		return "must be like " + kit.Cut(k.Want, 60)
	case *kind.Enum:
		return "none of the " + count(len(k.Want), "choice")
	}
	return otherText(k)
}

func otherText(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Const:
		return "must be " + kit.Cut(fmt.Sprint(k.Want), 40)
	case *kind.Format:
		return "no " + k.Want
	case *kind.UniqueItems:
		return fmt.Sprintf("items %d and %d are equal", k.Duplicates[0]+1, k.Duplicates[1]+1)
	case *kind.MaxProperties:
		return "at most " + count(k.Want, "member")
	case *kind.MinProperties:
		return "at least " + count(k.Want, "member")
	case *kind.FalseSchema:
		return "nothing is allowed here"
	case *kind.AnyOf:
		return "fits none of the alternatives"
	case *kind.OneOf:
		if len(k.Subschemas) > 1 {
			return "fits more than one of the alternatives"
		}
		return "fits none of the alternatives"
	case *kind.Not:
		return "is what it must not be"
	}
	path := k.KeywordPath()
	if len(path) == 0 {
		return "breaks the schema"
	}
	return "breaks " + path[0]
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return itoa(n) + " " + what + "s"
}

func ratText(r *big.Rat) string {
	if r.IsInt() {
		return kit.CutMiddle(r.Num().String(), 24)
	}
	s := strings.TrimRight(r.FloatString(12), "0")
	return strings.TrimSuffix(s, ".")
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

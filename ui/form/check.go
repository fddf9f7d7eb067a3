package form

import (
	"strings"

	checks "github.com/mcpl-tui/mcpl-tui/inspector/schema"
)

// problem is one value that breaks the schema.
type problem struct {
	path    []string // within the arguments
	short   string   // beside the field: "at most 9"
	long    string   // in a sentence: "handicap is 12, at most 9"
	missing bool     // it is not there at all
}

// checker checks arguments against a schema, and remembers the last answer:
// it is asked at each drawing.
type checker struct {
	schema []byte
	of     *checks.Checker
	last   string
	found  []problem
}

func (c *checker) checks() *checks.Checker {
	if c.of == nil {
		c.of = checks.New(c.schema)
	}
	return c.of
}

// run checks arguments. It returns what is wrong with them, in no order yet.
func (c *checker) run(raw []byte) []problem {
	if c.last == string(raw) && c.last != "" {
		return c.found
	}
	c.last, c.found = string(raw), nil
	for _, p := range c.checks().Check(raw) {
		c.found = append(c.found, problem{p.Path, p.Short, p.Long, p.Missing})
	}
	return c.found
}

// note says why nothing, or not this value, is checked; "" where all is.
func (c *checker) note() string {
	note := c.checks().Note()
	if why, unusable := strings.CutPrefix(note, "the schema cannot be used: "); unusable {
		return "The schema cannot be used, so nothing is checked: " + why
	}
	if note != "" {
		return "Not checked: " + note
	}
	return ""
}

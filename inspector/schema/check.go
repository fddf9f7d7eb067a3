// Package schema tells what is wrong with a value by the JSON Schema of a
// peer, in words and at each place: the arguments of a call by the tool's
// inputSchema.
package schema

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl/schema"
)

// maxProblems is how many problems of a value are told.
const maxProblems = 100

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
	raw      []byte
	compiled *schema.Schema // nil: not yet read, or there is none
	skip     string         // why the last value was not checked
}

// New returns a checker for a schema; nil or empty accepts everything.
func New(raw []byte) *Checker { return &Checker{raw: raw} }

// ready reports whether there is a schema, and reads it.
func (c *Checker) ready() bool {
	if len(c.raw) > 0 && c.compiled == nil {
		c.compiled = schema.Compile(c.raw)
	}
	return c.compiled != nil
}

// Check returns what is wrong with a value, nil where nothing is or where it
// was not checked, which Note tells apart.
func (c *Checker) Check(value []byte) (out []Problem) {
	c.skip = ""
	if !c.ready() {
		return nil
	}
	breaks, fault := c.compiled.Check(value)
	if fault != nil {
		c.skip = fault.Text
	}
	if breaks == nil {
		return nil
	}
	for _, leaf := range leaves(breaks, nil) {
		out = append(out, problems(leaf, value)...)
		if len(out) >= maxProblems {
			break
		}
	}
	return out
}

// Note says why the last value was not checked; "" where it was.
func (c *Checker) Note() string {
	if !c.ready() {
		return ""
	}
	f := c.compiled.Fault()
	switch {
	case f == nil:
		return c.skip
	case f.At == nil:
		return "the schema cannot be used: " + f.Text
	}
	leaf := leaves(f.At, nil)[0]
	at := strings.Join(leaf.InstanceLocation, ".")
	return "the schema cannot be used: " + strings.TrimPrefix(at+": "+shortText(leaf.ErrorKind), ": ")
}

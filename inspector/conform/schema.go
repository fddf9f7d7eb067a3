package conform

import (
	"fmt"
	"hash/maphash"
	"math/bits"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl/schema"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

var (
	schemaInvalid = &Rule{
		ID: "schema-invalid", Level: Error,
		Meaning: "A tool's inputSchema is a JSON Schema for an object, and its results fit its outputSchema.",
		Source:  "MCP, tools, inputSchema, outputSchema and structured content; JSON Schema 2020-12",
		Mend:    `Begin the schema with {"type":"object"}, and check it, and what the tool returns, in the server's own tests.`,
	}
	argsRejected = &Rule{
		ID: "args-rejected", Level: Info,
		Meaning: "Arguments fit the schema of the tool; these were sent although they do not.",
		Source:  "MCP, tools, inputSchema",
		Mend:    "Send arguments that fit, if the refusal is not what is tested.",
	}
)

// schemas judges schemas and values by them. Most are proven well by a short
// walk (see walk.go); the others are handed to a validator, which is never
// let to load anything.
type schemas struct {
	seed  maphash.Seed
	clean map[uint64]bool // definitions that are well, by their bytes
	known map[uint64]*schema.Schema
	spent int // schemas that were compiled
	// fitting are pairs of a schema and a value that fits it, by their bytes.
	fitting map[uint64]bool

	schema, args reader
}

// Bounds of what is kept and compiled. What is beyond is not judged.
const (
	maxClean    = 1 << 14
	maxCompiled = 512
	maxSpent    = 4096
)

func newSchemas() schemas {
	return schemas{seed: maphash.MakeSeed(), clean: map[uint64]bool{}, known: map[uint64]*schema.Schema{}, fitting: map[uint64]bool{}}
}

func (s *schemas) noteClean(h uint64) {
	if len(s.clean) >= maxClean {
		clear(s.clean)
	}
	s.clean[h] = true
}

// compile returns the schema for a validator, nil where it is beyond what is
// compiled.
func (s *schemas) compile(raw []byte) *schema.Schema {
	h := maphash.Bytes(s.seed, raw)
	if c := s.known[h]; c != nil {
		return c
	}
	if s.spent >= maxSpent {
		return nil
	}
	if len(s.known) >= maxCompiled {
		clear(s.known)
	}
	s.spent++
	c := schema.Compile(raw)
	s.known[h] = c
	return c
}

// inputSchema judges a schema of arguments. v is 0 where the definition, seen,
// has none.
func (j *Judge) inputSchema(at spot, th thing, t *tree, v value, seen []byte) {
	why := ""
	switch {
	case v == 0:
		why = "there is none"
	case !t.isObject(v):
		why = "it is no object"
	case !t.is(t.Get(v, "type"), "object"):
		why = `its type is not "object"`
	case wellKnown(t, v, 0):
		return
	default:
		c := j.schemas.compile(t.Raw(v))
		if c == nil || wrong(c) == "" {
			return
		}
		why = wrong(c)
	}
	f := j.found(schemaInvalid, at, th, "input")
	if f == nil {
		return
	}
	if v != 0 {
		seen = t.Raw(v)
	}
	f.Message = fmt.Sprintf("The inputSchema of %s is no valid JSON Schema for an object: %s.", f.thing(), cut(why, 200))
	f.Expected = `{"type":"object",…}`
	f.Seen = quote(seen)
}

// outputSchema judges a schema of results.
func (j *Judge) outputSchema(at spot, th thing, v value) {
	t := j.tree
	if wellKnown(t, v, 0) {
		return
	}
	c := j.schemas.compile(t.Raw(v))
	if c == nil || wrong(c) == "" {
		return
	}
	if f := j.found(schemaInvalid, at, th, "output schema"); f != nil {
		f.Message = fmt.Sprintf("The outputSchema of %s is no valid JSON Schema: %s.", f.thing(), cut(wrong(c), 200))
		f.Expected = "a valid JSON Schema"
		f.Seen = quote(t.Raw(v))
	}
}

// breaks returns why a value does not fit a schema, "" where it does or that
// cannot be told.
func (j *Judge) breaks(by, v []byte) string {
	s := &j.schemas
	pair := maphash.Bytes(s.seed, by) ^ bits.RotateLeft64(maphash.Bytes(s.seed, v), 32)
	if s.fitting[pair] {
		return ""
	}
	root, ok := s.schema.parse(by)
	if !ok {
		return ""
	}
	val, ok := s.args.parse(v)
	if !ok {
		return ""
	}
	w := walk{schema: &s.schema.tree, v: &s.args.tree, root: root}
	if w.fits(root, val, 0) == yes {
		if len(s.fitting) >= maxClean {
			clear(s.fitting)
		}
		s.fitting[pair] = true
		return ""
	}
	c := s.compile(by)
	if c == nil {
		return ""
	}
	return breaks(c, v)
}

// arguments judges the arguments of a call by the schema in effect.
func (j *Judge) arguments(c *conn, call *call, tool timeline.ListedTool, args []byte, at spot) {
	if c.listStale() {
		return
	}
	instance := call.instance
	if instance == "" && j.view.Instances(call.toolset) == 1 {
		instance = j.view.InstanceNames(call.toolset)[0]
	}
	input := tool.InputSchema(instance)
	if input == nil {
		return
	}
	if args == nil {
		args = []byte("{}")
	}
	why := j.breaks(input, args)
	if why == "" {
		return
	}
	call.badArgs = true
	if f := j.found(argsRejected, at, call.about(), ""); f != nil {
		f.Message = fmt.Sprintf("The arguments of %s break its schema, and were sent all the same: %s.", f.thing(), cut(why, 200))
		f.Expected = "arguments that fit " + quote(input)
		f.Seen = quote(args)
	}
}

// output judges the result of a call by the tool's outputSchema.
func (j *Judge) output(c *conn, m *message, at spot) {
	if s := c.tools[m.call.tool]; s == nil || !s.output || c.listStale() || m.call.listAt != j.view.ListAt() || m.call.given {
		return
	}
	output := memberOf(j.view.Tool(m.call.tool).Declared(), "outputSchema")
	if output == nil || output[0] != '{' {
		return
	}
	t := j.tree
	v := m.Structured
	why := "it has no structuredContent"
	if v != 0 {
		why = j.breaks(output, t.Raw(v))
	}
	if why == "" {
		return
	}
	if f := j.found(schemaInvalid, at, m.call.about(), "output"); f != nil {
		f.Message = fmt.Sprintf("The result of %s breaks its outputSchema: %s.", f.thing(), cut(why, 200))
		f.Expected = "structuredContent that fits " + quote(output)
		f.Seen = quote(t.Raw(m.Result))
		if v != 0 {
			f.Seen = quote(t.Raw(v))
		}
	}
}

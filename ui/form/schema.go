package form

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// readBudget bounds the bytes of schema that are read to make one form's
// fields. References that multiply run into it and become JSON fields.
const readBudget = 32 << 20

// maxFields bounds the fields of a form; what a schema has beyond is written
// as JSON.
const maxFields = 2000

// schema reads one JSON Schema as far as a form shows it. It follows
// references inside the schema and none that lead out of it.
type schema struct {
	root   []byte // valid JSON
	budget int
	refs   map[string][]byte
}

// shape is what a (sub)schema says, with its references and allOf merged in.
type shape struct {
	raw      []byte
	kw       map[string][]byte // keyword → value; its own before those it refers to
	props    []member          // of properties, in the order of the bytes
	required map[string]bool
	never    bool   // the schema false
	lost     string // a reference that was not followed, and why
	orNull   bool   // or null, beside what it says
}

func newSchema(raw []byte) *schema {
	return &schema{root: raw, budget: readBudget, refs: map[string][]byte{}}
}

// shape reads a subschema of the schema.
func (s *schema) shape(raw []byte) shape { return s.read(raw, nil) }

func (s *schema) read(raw []byte, seen []string) shape {
	out := shape{raw: raw, kw: map[string][]byte{}, required: map[string]bool{}}
	if s.budget -= len(raw) + 64; s.budget < 0 {
		out.lost = "it is too large to be read"
		return out
	}
	out.never = string(raw) == "false"
	var subs []shape
	for _, m := range members(raw) {
		switch m.key {
		case "properties":
			out.addProps(members(m.val))
		case "required":
			for _, e := range elements(m.val) {
				if name, ok := text(e); ok {
					out.required[name] = true
				}
			}
		case "$ref":
			subs = append(subs, s.follow(str(m.val), seen))
			out.addProps(subs[len(subs)-1].props)
		case "allOf":
			for _, e := range elements(m.val) {
				subs = append(subs, s.read(e, seen))
				out.addProps(subs[len(subs)-1].props)
			}
		default:
			out.kw[m.key] = m.val
		}
	}
	for _, sub := range subs {
		out.merge(sub)
	}
	return out
}

// addProps adds properties behind those that are known. Of a name that stands
// twice the last counts, at the place of the first.
func (sh *shape) addProps(list []member) {
	at := make(map[string]int, len(sh.props))
	for i, p := range sh.props {
		at[p.key] = i
	}
	for _, p := range list {
		if i, ok := at[p.key]; ok {
			sh.props[i].val = p.val
			continue
		}
		if len(sh.props) < maxFields {
			at[p.key] = len(sh.props)
			sh.props = append(sh.props, p)
		}
	}
}

func (sh *shape) merge(sub shape) {
	for k, v := range sub.kw {
		if _, own := sh.kw[k]; !own {
			sh.kw[k] = v
		}
	}
	for name := range sub.required {
		sh.required[name] = true
	}
	sh.never = sh.never || sub.never
	if sh.lost == "" {
		sh.lost = sub.lost
	}
}

// follow reads what a reference leads to.
func (s *schema) follow(ref string, seen []string) shape {
	none := shape{}
	pointer, local := strings.CutPrefix(ref, "#")
	switch {
	case !local:
		none.lost = "it refers to " + ref + ", which is not fetched"
		return none
	case slices.Contains(seen, ref) || len(seen) > 32:
		none.lost = "it refers to itself"
		return none
	}
	target, known := s.refs[ref]
	if !known {
		s.budget -= len(s.root)
		if s.budget > 0 {
			target = s.point(pointer)
		}
		s.refs[ref] = target
	}
	if target == nil {
		none.lost = "it refers to " + ref + ", which is not there"
		return none
	}
	return s.read(target, append(slices.Clip(seen), ref))
}

// point resolves a JSON pointer (RFC 6901) as it stands in a reference.
func (s *schema) point(pointer string) []byte {
	if p, err := url.PathUnescape(pointer); err == nil {
		pointer = p
	}
	if pointer == "" {
		return s.root
	}
	path, ok := strings.CutPrefix(pointer, "/")
	if !ok {
		return nil
	}
	parts := strings.Split(path, "/")
	if len(parts) > 64 {
		return nil
	}
	for i, p := range parts {
		parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(p)
	}
	return walk(s.root, parts)
}

// types returns the types that the schema allows, nil where it does not say.
func (sh *shape) types() []string {
	raw := sh.kw["type"]
	if t, ok := text(raw); ok {
		return []string{t}
	}
	var out []string
	for _, e := range elements(raw) {
		if t, ok := text(e); ok {
			out = append(out, t)
		}
	}
	if out == nil {
		switch {
		case len(sh.props) > 0 || sh.kw["additionalProperties"] != nil:
			out = []string{"object"}
		case sh.kw["items"] != nil || sh.kw["prefixItems"] != nil:
			out = []string{"array"}
		}
	}
	return out
}

// branches returns the alternatives of anyOf or oneOf.
func (s *schema) branches(sh shape) []shape {
	raw := sh.kw["anyOf"]
	if raw == nil {
		raw = sh.kw["oneOf"]
	}
	list := elements(raw)
	if len(list) > 256 {
		return nil
	}
	out := make([]shape, 0, len(list))
	for _, e := range list {
		out = append(out, s.read(e, nil))
	}
	return out
}

// settle takes the usual way to say "this or null" (anyOf with two branches)
// for what it means, and gathers the types of other alternatives.
func (s *schema) settle(sh shape) (out shape, types []string) {
	types = sh.types()
	list := s.branches(sh)
	if len(list) == 0 || types != nil {
		return sh, types
	}
	var rest []shape
	for _, b := range list {
		t := b.types()
		if b.lost != "" || (t == nil && b.kw["enum"] == nil && b.kw["const"] == nil) {
			return sh, nil // one branch may be anything
		}
		for _, name := range t {
			if !slices.Contains(types, name) {
				types = append(types, name)
			}
		}
		if !slices.Equal(t, []string{"null"}) {
			rest = append(rest, b)
		}
	}
	if len(rest) == 1 {
		sh.merge(rest[0])
		sh.addProps(rest[0].props)
		sh.orNull = len(list) > 1
	}
	return sh, types
}

// choice is one of the values that a schema lets one choose from.
type choice struct {
	raw   []byte // the value, on one line
	label string
	title string // what it means, "" where the schema does not say
}

func newChoice(raw []byte, title string) choice {
	raw = oneLine(raw)
	c := choice{raw: raw, label: string(raw), title: cutBytes(title, 200)}
	if s, ok := text(raw); ok && s != "" && strings.TrimSpace(s) == s {
		c.label = s
	}
	c.label = cutBytes(c.label, 400)
	return c
}

// choices returns the values of an enum, a const, or of alternatives that are
// all consts; nil where there is nothing to choose from.
func (s *schema) choices(sh shape) []choice {
	var out []choice
	if list := elements(sh.kw["enum"]); list != nil {
		names := elements(sh.kw["enumNames"])
		for i, e := range list {
			title := ""
			if i < len(names) {
				title = str(names[i])
			}
			out = append(out, newChoice(e, title))
		}
		if sh.orNull && out != nil {
			out = append(out, newChoice([]byte("null"), ""))
		}
		return out
	}
	if c, ok := sh.kw["const"]; ok {
		return []choice{newChoice(c, "")}
	}
	for _, b := range s.branches(sh) {
		if slices.Equal(b.types(), []string{"null"}) && b.kw["const"] == nil {
			out = append(out, newChoice([]byte("null"), ""))
			continue
		}
		c, ok := b.kw["const"]
		if !ok {
			return nil
		}
		title := str(b.kw["title"])
		if title == "" {
			title = str(b.kw["description"])
		}
		out = append(out, newChoice(c, title))
	}
	return out
}

// validJSON reports whether raw is JSON at all.
func validJSON(raw []byte) bool { return len(raw) > 0 && json.Valid(raw) }

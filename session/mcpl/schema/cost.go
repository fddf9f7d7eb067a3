package schema

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// cost follows a schema through a value as a validator would and counts its
// steps. A few hundred bytes of schema can ask for more steps than anyone
// waits for: references that double, applied to each other.
type cost struct {
	root     any
	left     int
	names    map[string]any // what the schema's parts call themselves
	refs     map[string]any // where references lead
	patterns map[string]*regexp.Regexp
}

// fits reports whether the value can be checked within the steps that are
// left.
func (c *cost) fits(v any) bool {
	c.visit(c.root, v, 0)
	return c.left > 0
}

// here are the keywords whose schemas apply to the value itself.
var here = []string{"not", "if", "then", "else"}

// lists are those with a list of schemas that apply to the value itself.
var lists = []string{"allOf", "anyOf", "oneOf"}

func (c *cost) visit(schema, v any, depth int) {
	if c.left--; c.left <= 0 {
		return
	}
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	if depth > 2000 {
		c.left = 0
		return
	}
	for _, k := range here {
		if sub, ok := s[k]; ok {
			c.visit(sub, v, depth+1)
		}
	}
	for _, k := range lists {
		subs, _ := s[k].([]any)
		for _, sub := range subs {
			c.visit(sub, v, depth+1)
		}
	}
	for _, k := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		if ref, ok := s[k].(string); ok {
			c.visit(c.target(ref), v, depth+1)
		}
	}
	if list, ok := s["enum"].([]any); ok {
		c.left -= len(list)
	}
	switch v := v.(type) {
	case map[string]any:
		c.object(s, v, depth)
	case []any:
		c.array(s, v, depth)
	}
}

func (c *cost) object(s, v map[string]any, depth int) {
	props, _ := s["properties"].(map[string]any)
	patterns, _ := s["patternProperties"].(map[string]any)
	for key, val := range v {
		if sub, ok := props[key]; ok {
			c.visit(sub, val, depth+1)
		}
		for pattern, sub := range patterns {
			if c.left--; c.left <= 0 {
				return
			}
			if c.matches(pattern, key) {
				c.visit(sub, val, depth+1)
			}
		}
		for _, k := range []string{"additionalProperties", "unevaluatedProperties"} {
			c.visit(s[k], val, depth+1)
		}
		c.visit(s["propertyNames"], key, depth+1)
	}
	for _, k := range []string{"dependentSchemas", "dependencies"} {
		deps, _ := s[k].(map[string]any)
		for key, sub := range deps {
			if _, ok := v[key]; ok {
				c.visit(sub, v, depth+1)
			}
		}
	}
}

func (c *cost) array(s map[string]any, v []any, depth int) {
	tuple, _ := s["prefixItems"].([]any)
	if list, ok := s["items"].([]any); ok {
		tuple = list
	}
	for i, item := range v {
		if i < len(tuple) {
			c.visit(tuple[i], item, depth+1)
		}
		for _, k := range []string{"items", "additionalItems", "unevaluatedItems", "contains"} {
			c.visit(s[k], item, depth+1)
		}
		if c.left <= 0 {
			return
		}
	}
}

// target is where a reference leads: a pointer, or a name that the schema
// gives one of its parts. What leads nowhere costs nothing: such a schema was
// refused before.
func (c *cost) target(ref string) any {
	at, known := c.refs[ref]
	if !known {
		if c.refs == nil {
			c.refs = map[string]any{}
		}
		at = c.resolve(ref)
		c.refs[ref] = at
	}
	return at
}

func (c *cost) resolve(ref string) any {
	base, frag, _ := strings.Cut(ref, "#")
	at := c.root
	if base != "" {
		at = c.named(base)
	}
	if p, err := url.PathUnescape(frag); err == nil {
		frag = p
	}
	switch {
	case frag == "":
		return at
	case frag[0] != '/':
		return c.named("#" + frag)
	}
	return pointed(at, frag[1:])
}

var pointerEscapes = strings.NewReplacer("~1", "/", "~0", "~")

// pointed returns the part of a document at a JSON pointer, which is given
// without its first slash; nil where there is none.
func pointed(at any, pointer string) any {
	for part := range strings.SplitSeq(pointer, "/") {
		switch x := at.(type) {
		case map[string]any:
			at = x[pointerEscapes.Replace(part)]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(x) {
				return nil
			}
			at = x[i]
		default:
			return nil
		}
	}
	return at
}

// named finds the part of the schema that calls itself so.
func (c *cost) named(name string) any {
	if c.names == nil {
		c.names = map[string]any{}
		c.gather(c.root)
	}
	return c.names[name]
}

func (c *cost) gather(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range []string{"$anchor", "$dynamicAnchor"} {
			if s, ok := v[k].(string); ok {
				c.names["#"+s] = v
			}
		}
		for _, k := range []string{"$id", "id"} {
			if s, ok := v[k].(string); ok {
				c.names[s] = v
			}
		}
		for _, sub := range v {
			c.gather(sub)
		}
	case []any:
		for _, sub := range v {
			c.gather(sub)
		}
	}
}

// matches reports whether a pattern fits; one that is broken fits all.
func (c *cost) matches(pattern, s string) bool {
	re, known := c.patterns[pattern]
	if !known {
		if c.patterns == nil {
			c.patterns = map[string]*regexp.Regexp{}
		}
		re, _ = regexp.Compile(pattern)
		c.patterns[pattern] = re
	}
	return re == nil || re.MatchString(s)
}

package conform

import (
	"bytes"
	"strconv"
)

// Most schemas of tools use a few keywords. For those a walk over the bytes
// proves that a schema is one, or that a value fits, without building
// anything. What it cannot prove the validator decides.

// maxWalk is how deep a schema is walked.
const maxWalk = 40

// wellKnown reports whether a schema uses only what is known here, and uses
// it rightly. false means that it must be looked at more closely.
func wellKnown(t *tree, s value, depth int) bool {
	if t.isBool(s) {
		return true
	}
	if !t.isObject(s) || depth > maxWalk {
		return false
	}
	for v := t.First(s); v != 0; v = t.Next(v) {
		ok := true
		switch string(t.Key(v)) {
		case "type":
			ok = typeNames(t, v)
		case "title", "description", "$comment", "format":
			ok = t.isString(v)
		case "default", "const", "example":
		case "examples":
			ok = t.isArray(v)
		case "deprecated", "readOnly", "writeOnly", "uniqueItems":
			ok = t.isBool(v)
		case "properties", "$defs":
			ok = eachSchema(t, v, '{', depth)
		case "required":
			ok = differentStrings(t, v)
		case "additionalProperties", "items":
			ok = wellKnown(t, v, depth+1)
		case "anyOf", "oneOf", "allOf":
			ok = t.kids(v) > 0 && eachSchema(t, v, '[', depth)
		case "enum":
			ok = t.isArray(v)
		case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
			ok = t.Kind(v) == '0'
		case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
			_, ok = natural(t, v)
		case "pattern":
			ok = t.isString(v) && pattern(t.Text(v)) != nil
		case "$schema":
			ok = depth == 0 && (t.is(v, draft2020) || t.is(v, draft07))
		default:
			return false
		}
		if !ok {
			return false
		}
	}
	return true
}

const (
	draft2020 = "https://json-schema.org/draft/2020-12/schema"
	draft07   = "http://json-schema.org/draft-07/schema#"
)

func typeNames(t *tree, v value) bool {
	if t.isString(v) {
		return isTypeName(t.Text(v))
	}
	if !t.isArray(v) || t.kids(v) == 0 || !differentStrings(t, v) {
		return false
	}
	for e := t.First(v); e != 0; e = t.Next(e) {
		if !isTypeName(t.Text(e)) {
			return false
		}
	}
	return true
}

func isTypeName(s []byte) bool {
	switch string(s) {
	case "object", "string", "number", "integer", "boolean", "array", "null":
		return true
	}
	return false
}

func eachSchema(t *tree, v value, kind byte, depth int) bool {
	if t.Kind(v) != kind {
		return false
	}
	for e := t.First(v); e != 0; e = t.Next(e) {
		if !wellKnown(t, e, depth+1) {
			return false
		}
	}
	return true
}

// differentStrings: an array of strings, none twice. Long ones are left to
// the validator.
func differentStrings(t *tree, v value) bool {
	if !t.isArray(v) || t.kids(v) > 100 {
		return false
	}
	for e := t.First(v); e != 0; e = t.Next(e) {
		if !t.isString(e) {
			return false
		}
		for o := t.First(v); o != e; o = t.Next(o) {
			if bytes.Equal(t.Text(o), t.Text(e)) {
				return false
			}
		}
	}
	return true
}

// natural returns a whole number from 0.
func natural(t *tree, v value) (int, bool) {
	n, err := strconv.Atoi(string(t.Raw(v)))
	return n, err == nil && n >= 0 && t.Kind(v) == '0'
}

package conform

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf8"
)

// answer3 is an answer of a walk.
type answer3 uint8

const (
	unsure answer3 = iota
	yes
	no
)

// and is the answer to two questions at once.
func (a answer3) and(b answer3) answer3 {
	switch {
	case a == no || b == no:
		return no
	case a == unsure || b == unsure:
		return unsure
	}
	return yes
}

// walk fits a value to a schema.
type walk struct {
	schema, v *tree
	root      value
	steps     int
}

// maxSteps is how many steps a walk takes: alternatives can multiply.
const maxSteps = 10_000

// fits reports whether a value fits a schema, as far as the walk can tell.
func (w *walk) fits(s, v value, depth int) answer3 {
	t := w.schema
	switch {
	case t.Kind(s) == 't':
		return yes
	case t.Kind(s) == 'f':
		return no
	case !t.isObject(s) || depth > maxWalk:
		return unsure
	}
	if w.steps++; w.steps > maxSteps {
		return unsure
	}
	all := yes
	for k := t.First(s); k != 0; k = t.Next(k) {
		switch w.keyword(s, k, v, depth) {
		case no:
			if t.Get(s, "$ref") != 0 && string(t.Key(k)) != "$ref" {
				return unsure // in older drafts nothing counts beside a $ref
			}
			return no
		case unsure:
			all = unsure
		}
	}
	return all
}

func is(b bool) answer3 {
	if b {
		return yes
	}
	return no
}

// keyword applies one keyword of a schema.
func (w *walk) keyword(s, k, v value, depth int) answer3 {
	t := w.schema
	switch name := string(t.Key(k)); name {
	case "title", "description", "$comment", "default", "example", "examples", "deprecated", "readOnly", "writeOnly", "$schema", "$defs", "definitions", "required":
		if name == "required" {
			return w.required(k, v)
		}
		return yes
	case "format":
		// It is an assertion in some drafts and not in others.
		if !w.v.isString(v) {
			return yes
		}
		return unsure
	case "type":
		return w.hasType(k, v)
	case "properties":
		return w.properties(k, v, depth)
	case "additionalProperties":
		return w.additional(s, k, v, depth)
	case "items":
		return w.items(k, v, depth)
	case "enum":
		return w.oneOfValues(k, v)
	case "const":
		return w.equal(k, v)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return w.bound(name, k, v)
	case "minLength", "maxLength":
		if !w.v.isString(v) {
			return yes
		}
		return w.count(name == "minLength", k, utf8.RuneCount(w.v.Text(v)))
	case "minItems", "maxItems":
		if !w.v.isArray(v) {
			return yes
		}
		return w.count(name == "minItems", k, w.v.kids(v))
	case "pattern":
		return w.matches(k, v)
	case "anyOf", "allOf", "oneOf":
		return w.alternatives(name, k, v, depth)
	case "$ref":
		return w.ref(k, v, depth)
	}
	return unsure
}

func (w *walk) required(k, v value) answer3 {
	if !w.v.isObject(v) {
		return yes
	}
	for e := w.schema.First(k); e != 0; e = w.schema.Next(e) {
		if w.v.Get(v, string(w.schema.Text(e))) == 0 {
			return no
		}
	}
	return is(w.schema.isArray(k))
}

func (w *walk) hasType(k, v value) answer3 {
	t := w.schema
	if t.isString(k) {
		return w.isType(t.Text(k), v)
	}
	if !t.isArray(k) {
		return unsure
	}
	all := no
	for e := t.First(k); e != 0; e = t.Next(e) {
		switch w.isType(t.Text(e), v) {
		case yes:
			return yes
		case unsure:
			all = unsure
		}
	}
	return all
}

func (w *walk) isType(name []byte, v value) answer3 {
	kind := w.v.Kind(v)
	switch string(name) {
	case "object":
		return is(kind == '{')
	case "array":
		return is(kind == '[')
	case "string":
		return is(kind == '"')
	case "boolean":
		return is(kind == 't' || kind == 'f')
	case "null":
		return is(kind == 'n')
	case "number":
		return is(kind == '0')
	case "integer":
		switch {
		case kind != '0':
			return no
		case bytes.ContainsAny(w.v.Raw(v), ".eE"):
			return unsure
		}
		return yes
	}
	return unsure
}

func (w *walk) properties(k, v value, depth int) answer3 {
	if !w.v.isObject(v) {
		return yes
	}
	all := yes
	for m := w.v.First(v); m != 0 && all != no; m = w.v.Next(m) {
		if sub := w.schema.Get(k, string(w.v.Key(m))); sub != 0 {
			all = all.and(w.fits(sub, m, depth+1))
		}
	}
	return all
}

func (w *walk) additional(s, k, v value, depth int) answer3 {
	if !w.v.isObject(v) || w.schema.isTrue(k) {
		return yes
	}
	if w.schema.Get(s, "patternProperties") != 0 {
		return unsure
	}
	named := w.schema.Get(s, "properties")
	all := yes
	for m := w.v.First(v); m != 0 && all != no; m = w.v.Next(m) {
		if w.schema.Get(named, string(w.v.Key(m))) == 0 {
			all = all.and(w.fits(k, m, depth+1))
		}
	}
	return all
}

func (w *walk) items(k, v value, depth int) answer3 {
	if !w.v.isArray(v) {
		return yes
	}
	all := yes
	for m := w.v.First(v); m != 0 && all != no; m = w.v.Next(m) {
		all = all.and(w.fits(k, m, depth+1))
	}
	return all
}

func (w *walk) oneOfValues(k, v value) answer3 {
	if !w.schema.isArray(k) {
		return unsure
	}
	all := no
	for e := w.schema.First(k); e != 0; e = w.schema.Next(e) {
		switch w.equal(e, v) {
		case yes:
			return yes
		case unsure:
			all = unsure
		}
	}
	return all
}

// equal compares a value of the schema with one of the other tree.
func (w *walk) equal(e, v value) answer3 {
	a, b := w.schema.Kind(e), w.v.Kind(v)
	switch {
	case a != b:
		return no
	case bytes.Equal(w.schema.Raw(e), w.v.Raw(v)):
		return yes
	case a == '"':
		return is(bytes.Equal(w.schema.Text(e), w.v.Text(v)))
	}
	return unsure
}

func (w *walk) bound(name string, k, v value) answer3 {
	if w.v.Kind(v) != '0' {
		return yes
	}
	limit, err := strconv.ParseFloat(string(w.schema.Raw(k)), 64)
	n, err2 := strconv.ParseFloat(string(w.v.Raw(v)), 64)
	// Where floats cannot tell numbers apart, the walk cannot either.
	if err != nil || err2 != nil || limit == n && name[0] != 'm' || math.Abs(n) > 1<<52 || math.Abs(limit) > 1<<52 {
		return unsure
	}
	switch name {
	case "minimum":
		return is(n >= limit)
	case "maximum":
		return is(n <= limit)
	case "exclusiveMinimum":
		return is(n > limit)
	}
	return is(n < limit)
}

func (w *walk) count(least bool, k value, n int) answer3 {
	limit, ok := natural(w.schema, k)
	switch {
	case !ok:
		return unsure
	case least:
		return is(n >= limit)
	}
	return is(n <= limit)
}

func (w *walk) matches(k, v value) answer3 {
	if !w.v.isString(v) {
		return yes
	}
	re := pattern(w.schema.Text(k))
	if re == nil || !w.schema.isString(k) {
		return unsure
	}
	return is(re.Match(w.v.Text(v)))
}

func (w *walk) alternatives(name string, k, v value, depth int) answer3 {
	if !w.schema.isArray(k) {
		return unsure
	}
	fit, doubtful, broken := 0, 0, 0
	for e := w.schema.First(k); e != 0; e = w.schema.Next(e) {
		switch w.fits(e, v, depth+1) {
		case yes:
			fit++
		case unsure:
			doubtful++
		case no:
			broken++
		}
	}
	switch {
	case name == "allOf" && broken > 0:
		return no
	case name == "allOf" && doubtful == 0, name == "anyOf" && fit > 0, name == "oneOf" && fit == 1 && doubtful == 0:
		return yes
	case name != "allOf" && fit == 0 && doubtful == 0, name == "oneOf" && fit > 1:
		return no
	}
	return unsure
}

// ref follows a reference to $defs or definitions.
func (w *walk) ref(k, v value, depth int) answer3 {
	ref := w.schema.Text(k)
	for _, defs := range []string{"$defs", "definitions"} {
		name, ok := bytes.CutPrefix(ref, []byte("#/"+defs+"/"))
		if ok && !bytes.ContainsAny(name, "/~%") {
			return w.fits(w.schema.path(w.root, defs, string(name)), v, depth+1)
		}
	}
	return unsure
}

package form

import (
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// limits says in a few words what a schema asks of a value: "0 to 20".
func limits(sh shape, types []string) string {
	var out []string
	add := func(s string) {
		if s != "" {
			out = append(out, s)
		}
	}
	add(between(number(sh.kw["minimum"]), number(sh.kw["maximum"]), ""))
	if v := number(sh.kw["exclusiveMinimum"]); v != "" {
		add("above " + v)
	}
	if v := number(sh.kw["exclusiveMaximum"]); v != "" {
		add("below " + v)
	}
	if v := number(sh.kw["multipleOf"]); v != "" {
		add("in steps of " + v)
	}
	add(between(number(sh.kw["minLength"]), number(sh.kw["maxLength"]), "characters"))
	add(between(number(sh.kw["minItems"]), number(sh.kw["maxItems"]), "items"))
	add(str(sh.kw["format"]))
	if p := str(sh.kw["pattern"]); p != "" {
		add("like " + cutBytes(p, 200))
	}
	rest := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "null" })
	for _, t := range rest {
		switch {
		case t == "array":
			add("JSON list")
		case t == "object":
			add("JSON")
		case len(rest) > 1:
			add(t)
		}
	}
	if sh.orNull || (len(rest) > 0 && len(rest) < len(types)) {
		add("or null")
	}
	return strings.Join(out, " · ")
}

// number returns a schema's number as it is written there; a word, or
// anything else, is no number.
func number(raw []byte) string {
	if c := first(raw); c == '-' || (c >= '0' && c <= '9') {
		return kit.CutMiddle(string(raw), 24)
	}
	return ""
}

func between(from, to, what string) string {
	s := ""
	switch {
	case from != "" && from == to:
		s = from
	case from != "" && to != "":
		s = from + " to " + to
	case from != "":
		s = "at least " + from
	case to != "":
		s = "at most " + to
	default:
		return ""
	}
	if what != "" {
		s += " " + what
	}
	return s
}

// defaultText is the default as people read it.
func (f *field) defaultText() string {
	if f.def == nil {
		return ""
	}
	if f.kind == boolField {
		switch string(f.def) {
		case "true":
			return "yes"
		case "false":
			return "no"
		}
	}
	if s, ok := text(f.def); ok && s != "" && f.kind != jsonField {
		return cutBytes(s, maxWords)
	}
	return cutBytes(string(f.def), maxWords)
}

// hint is what stands beside the value: what is wrong with it, else what the
// schema says of it.
func (f *field) hint(wrong string) string {
	_, set, _ := f.value()
	var out []string
	add := func(s string) {
		if s != "" {
			out = append(out, s)
		}
	}
	def := f.defaultText()
	switch {
	case wrong != "":
		add("! " + wrong)
	case set && f.choosing() && f.raw == nil && f.pick >= 0:
		add(f.choices[f.pick].title)
	}
	switch {
	case def == "" || set:
	case f.choosing():
		add("default: " + def)
	default:
		add("default")
	}
	if wrong == "" {
		add(f.limits)
		add(f.about)
	}
	if f.stranger && wrong == "" {
		add("not in the schema")
	}
	if def != "" && set {
		add("default " + def)
	}
	if len(out) == 0 {
		add(f.kindText())
	}
	return strings.Join(out, " · ")
}

func (f *field) kindText() string {
	switch f.kind {
	case numberField:
		if slices.Contains(f.types, "integer") {
			return "whole number"
		}
		return "number"
	case jsonField:
		return "JSON"
	case anyField:
		return "JSON, else text"
	case textField:
		return "text"
	}
	return ""
}

// emptyHint tells how the empty string is sent; shown where the cursor is.
func (f *field) emptyHint() string {
	if f.kind != textField || f.raw != nil {
		return ""
	}
	switch f.ed.text {
	case "":
		return `Left empty, it is not sent; "" sends an empty text.`
	case `""`:
		return "An empty text is sent."
	}
	return ""
}

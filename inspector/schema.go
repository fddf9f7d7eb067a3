package inspector

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// arguments lists the properties of an object's JSON Schema, in the order of
// its bytes, each with what the schema says of it.
func arguments(schema []byte) []Line {
	required := map[string]bool{}
	wire.EachElement(wire.Member(schema, "required"), func(v []byte) bool {
		required[wire.StringOf(v)] = true
		return true
	})
	type arg struct {
		name   string
		schema []byte
	}
	var args []arg
	width := 0
	wire.EachMember(wire.Member(schema, "properties"), func(key string, v []byte) bool {
		name := oneLine(cutBytes(key, 60))
		if required[key] {
			name += " *"
		}
		width = max(width, len([]rune(name)))
		args = append(args, arg{name, v})
		return len(args) <= maxListed
	})
	var out []Line
	for i, a := range args {
		if i == maxListed {
			out = append(out, spans(quiet("… more in the definition")))
			break
		}
		l := spans(plain(pad(a.name, min(width, 24))+"  "), quiet(valueWords(a.schema)))
		if text := oneLine(orElse(member(a.schema, "title"), member(a.schema, "description"))); text != "" {
			l.Spans = append(l.Spans, peer("   "+text))
		}
		out = append(out, l)
	}
	return out
}

// valueWords says in a few words what a schema asks of a value: "string",
// "integer, 0 to 9, default 0", "one of black, white".
func valueWords(s []byte) string {
	var parts []string
	add := func(p string) {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if e := wire.Member(s, "enum"); e != nil {
		add("one of " + enumWords(e))
	} else {
		add(typeWords(s))
	}
	if c := wire.Member(s, "const"); c != nil {
		add("always " + short(string(c)))
	}
	add(rangeWords(s))
	if f := scalar(s, "format"); f != "" {
		add(f)
	}
	if p := scalar(s, "pattern"); p != "" {
		add("like " + p)
	}
	if d := wire.Member(s, "default"); d != nil {
		add("default " + oneLine(cutBytes(string(d), 60)))
	}
	if len(parts) == 0 {
		return "any value"
	}
	return strings.Join(parts, ", ")
}

func typeWords(s []byte) string {
	t := wire.Member(s, "type")
	if len(t) > 0 && t[0] == '[' {
		var types []string
		wire.EachElement(t, func(v []byte) bool {
			types = append(types, wire.StringOf(v))
			return len(types) < 8
		})
		return oneLine(strings.Join(types, " or "))
	}
	word := oneLine(wire.StringOf(t))
	if items := wire.Member(s, "items"); word == "array" && items != nil {
		if of := typeWords(items); of != "" {
			return "array of " + of
		}
	}
	return word
}

func enumWords(e []byte) string {
	var words []string
	n := elements(e)
	wire.EachElement(e, func(v []byte) bool {
		w := oneLine(stringHead(v, 40))
		if w == "" {
			w = oneLine(cutBytes(string(v), 40))
		}
		words = append(words, w)
		return len(words) < 6
	})
	list := strings.Join(words, ", ")
	if n > len(words) {
		return Count(n, "value") + ": " + list + ", …"
	}
	return list
}

func rangeWords(s []byte) string {
	for _, r := range [...]struct{ lo, hi, unit string }{
		{"minimum", "maximum", ""},
		{"exclusiveMinimum", "exclusiveMaximum", " (both excluded)"},
		{"minLength", "maxLength", " letters"},
		{"minItems", "maxItems", " items"},
	} {
		lo, hi := scalar(s, r.lo), scalar(s, r.hi)
		switch {
		case lo != "" && hi != "":
			return lo + " to " + hi + r.unit
		case lo != "" && r.lo == "exclusiveMinimum":
			return "above " + lo
		case hi != "" && r.hi == "exclusiveMaximum":
			return "below " + hi
		case lo != "":
			return "at least " + lo + r.unit
		case hi != "":
			return "at most " + hi + r.unit
		}
	}
	return ""
}

// annotationWords writes a tool's annotations on one line: "readOnlyHint
// false".
func annotationWords(a []byte) string {
	var parts []string
	wire.EachMember(a, func(key string, v []byte) bool {
		if key != "title" {
			w := scalar(a, key)
			if w == "" {
				w = oneLine(cutBytes(string(v), 40))
			}
			parts = append(parts, oneLine(cutBytes(key, 40))+" "+oneLine(w))
		}
		return len(parts) < 6
	})
	return strings.Join(parts, "  ")
}

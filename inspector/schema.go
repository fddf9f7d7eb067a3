package inspector

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// arguments is the outline of an object's JSON Schema: its properties, in the
// order of its bytes, each with what the schema says of it, and below it what
// it is made of. required ones have a star.
func arguments(schema []byte) []Line {
	o := outline{root: schema}
	o.inside(schema, 0, nil)
	width := 0
	for _, p := range o.parts {
		width = max(width, 2*p.level+len([]rune(p.name)))
	}
	var out []Line
	for _, p := range o.parts {
		l := spans(plain(pad(p.name, min(width, 24)-2*p.level)+"  "), quiet(p.words))
		l.Indent = p.level
		if p.text != "" {
			l.Spans = append(l.Spans, peer("   "+p.text))
		}
		out = append(out, l)
	}
	if o.cut {
		out = append(out, spans(quiet("… more in the definition")))
	}
	return out
}

// outline collects the parts of a schema, up to maxListed.
type outline struct {
	root  []byte
	parts []outlinePart
	cut   bool
}

type outlinePart struct {
	level             int
	name, words, text string
}

// maxLevels is how deep an outline goes; the definition shows the rest.
const maxLevels = 5

// inside lists what a value of a schema is made of. refs are the references
// that led here: one that leads back to itself ends there.
func (o *outline) inside(s []byte, level int, refs []string) {
	s, refs = o.follow(s, refs)
	if level > maxLevels {
		o.cut = o.cut || wire.Member(s, "properties") != nil
		return
	}
	wire.EachElement(wire.Member(s, "allOf"), func(v []byte) bool {
		o.inside(v, level, refs)
		return !o.cut
	})
	required := map[string]bool{}
	wire.EachElement(wire.Member(s, "required"), func(v []byte) bool {
		required[wire.StringOf(v)] = true
		return true
	})
	wire.EachMember(wire.Member(s, "properties"), func(key string, v []byte) bool {
		name := oneLine(cutBytes(key, 60))
		if required[key] {
			name += " *"
		}
		o.value(name, v, level, refs)
		return !o.cut
	})
	if more := wire.Member(s, "additionalProperties"); len(more) > 2 && more[0] == '{' {
		o.value("any other", more, level, refs)
	}
	o.alternatives(s, level, refs)
}

// value adds a part and what it is made of.
func (o *outline) value(name string, s []byte, level int, refs []string) {
	if o.cut {
		return
	}
	if len(o.parts) == maxListed {
		o.cut = true
		return
	}
	own := s
	s, refs = o.follow(s, refs)
	p := outlinePart{level: level, name: name, words: o.words(s)}
	for _, from := range [][]byte{own, s} {
		if p.text == "" {
			p.text = oneLine(orElse(member(from, "title"), member(from, "description")))
		}
	}
	o.parts = append(o.parts, p)
	if items := wire.Member(s, "items"); len(items) > 0 && items[0] == '{' {
		o.inside(items, level+1, refs)
	}
	o.inside(s, level+1, refs)
}

// alternatives lists the forms that a value may take, where they are more
// than types.
func (o *outline) alternatives(s []byte, level int, refs []string) {
	for _, key := range [...]string{"anyOf", "oneOf"} {
		forms := wire.Member(s, key)
		if forms == nil || !o.rich(forms) {
			continue
		}
		n := 0
		wire.EachElement(forms, func(v []byte) bool {
			n++
			o.value("form "+strconv.Itoa(n), v, level, refs)
			return !o.cut
		})
	}
}

// rich: one of the forms is more than can be said in words on its line.
func (o *outline) rich(forms []byte) bool {
	rich := false
	wire.EachElement(forms, func(v []byte) bool {
		v, _ = o.follow(v, nil)
		rich = wire.Member(v, "properties") != nil || wire.Member(v, "anyOf") != nil || wire.Member(v, "oneOf") != nil
		return !rich
	})
	return rich
}

// follow goes after references within the schema.
func (o *outline) follow(s []byte, refs []string) ([]byte, []string) {
	for range 8 {
		ref := wire.StringOf(wire.Member(s, "$ref"))
		path, local := strings.CutPrefix(ref, "#/")
		if !local || len(ref) > maxShort {
			return s, refs
		}
		for _, r := range refs {
			if r == ref {
				return []byte(`{"$ref":"the same again"}`), refs
			}
		}
		to := o.root
		for _, part := range strings.Split(path, "/") {
			if p, err := url.PathUnescape(part); err == nil {
				part = p
			}
			to = wire.Member(to, strings.NewReplacer("~1", "/", "~0", "~").Replace(part))
		}
		if to == nil {
			return s, refs
		}
		s, refs = to, append(refs[:len(refs):len(refs)], ref)
	}
	return s, refs
}

// words says in a few words what a schema asks of a value: "string",
// "integer, 0 to 9, default 0", "one of black, white".
func (o *outline) words(s []byte) string {
	var parts []string
	add := func(p string) {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if string(s) == "false" {
		return "nothing"
	}
	if e := wire.Member(s, "enum"); e != nil {
		add("one of " + enumWords(e, "value"))
	} else {
		add(o.typeWords(s))
	}
	if c := wire.Member(s, "const"); c != nil {
		add("always " + scalarText(c))
	}
	add(rangeWords(s))
	if f := scalar(s, "format"); f != "" {
		add(oneLine(f))
	}
	if p := scalar(s, "pattern"); p != "" {
		add("like " + oneLine(p))
	}
	if n := scalar(s, "multipleOf"); n != "" {
		add("in steps of " + n)
	}
	if d := wire.Member(s, "default"); d != nil {
		add("default " + oneLine(cutBytes(string(d), 60)))
	}
	if ref := scalar(s, "$ref"); ref != "" {
		add(oneLine(ref))
	}
	if len(parts) == 0 {
		return "any value"
	}
	return strings.Join(parts, ", ")
}

func (o *outline) typeWords(s []byte) string {
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
	if items := wire.Member(s, "items"); (word == "array" || word == "") && len(items) > 0 && items[0] == '{' {
		items, _ = o.follow(items, nil)
		if of := o.typeWords(items); of != "" {
			return "array of " + of
		}
	}
	if word != "" {
		return word
	}
	for _, key := range [...]string{"anyOf", "oneOf"} {
		if forms := wire.Member(s, key); forms != nil {
			return o.formWords(forms)
		}
	}
	if wire.Member(s, "properties") != nil {
		return "object"
	}
	return ""
}

// formWords says which forms a value may take: "string or null", "one of 3
// forms".
func (o *outline) formWords(forms []byte) string {
	n := elements(forms)
	if n > 4 || o.rich(forms) {
		return "one of " + Count(n, "form")
	}
	var words []string
	wire.EachElement(forms, func(v []byte) bool {
		v, _ = o.follow(v, nil)
		words = append(words, o.words(v))
		return true
	})
	return strings.Join(words, " or ")
}

// enumWords lists values, the first few of many.
func enumWords(e []byte, noun string) string {
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
		return Count(n, noun) + ": " + list + ", …"
	}
	return list
}

func rangeWords(s []byte) string {
	for _, r := range [...]struct{ lo, hi, unit string }{
		{"minimum", "maximum", ""},
		{"exclusiveMinimum", "exclusiveMaximum", " (both excluded)"},
		{"minLength", "maxLength", " characters"},
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

// noun names the values of an enum: by the first word of the property's
// title, where that is one word before a comma ("Point, column then row":
// points), else values.
func noun(property []byte) string {
	title, _, _ := strings.Cut(member(property, "title"), ",")
	title = strings.ToLower(strings.TrimSpace(title))
	if len(title) < 2 || len(title) > 16 {
		return "value"
	}
	for _, r := range title {
		if r < 'a' || r > 'z' {
			return "value"
		}
	}
	for _, end := range [...]string{"s", "x", "y", "ch", "sh"} {
		if strings.HasSuffix(title, end) {
			return "value" // its plural would be a guess
		}
	}
	return title
}

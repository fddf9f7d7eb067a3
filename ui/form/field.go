package form

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// fieldKind says how a field is filled in.
type fieldKind uint8

const (
	textField   fieldKind = iota // a string
	numberField                  // a number
	boolField                    // [ ] or [x]
	choiceField                  // one of a few values
	jsonField                    // any JSON, on one line
	anyField                     // JSON, or else a string
	plainField                   // a name, a reason: no JSON at all
)

// role says what a field stands for in the line that is sent.
type role uint8

const (
	argument role = iota // a member of the arguments
	whole                // the arguments as a whole
	instance             // the instance to open
	place                // the instance to call in
	verb                 // answer or decline
	reason               // why it is declined
	entry                // the text of a line form
	grantee              // a line of a grant
)

// field is one row to fill in.
type field struct {
	role     role
	kind     fieldKind
	name     string
	required bool
	stranger bool // not in the schema; came with earlier values or JSON
	raw      []byte
	// raw is the value as it came, from earlier values or from JSON: sent
	// byte for byte until the field is touched.
	ed   editor
	pick int // of choices, -1: none

	schema  []byte   // its own, for reading
	types   []string // allowed, nil: any
	choices []choice
	def     []byte // the default, on one line, nil: none
	limits  string // "0 to 20"
	about   string // description or title
	never   bool
	typed   string // letters typed towards a choice
	grant   int    // of a grantee: which of Deps.Grants, -1: all beneath a path
}

// maxWords bounds the bytes of a server's words that a form shows: more than
// anyone reads beside a field.
const maxWords = 2000

// label is the field's name as far as it is shown.
func (f *field) label() string {
	if f.name == "" {
		return `""` // a name that is empty would not be seen
	}
	return cutBytes(f.name, 200)
}

// newField makes the field of one property.
func newField(s *schema, name string, raw []byte, required bool) field {
	sh, types := s.settle(s.shape(raw))
	f := field{
		name: name, required: required, pick: -1, schema: raw,
		types: types, choices: s.choices(sh), never: sh.never,
	}
	f.kind = kindOf(types, f.choices, sh)
	if f.kind == boolField {
		f.choices = []choice{{raw: []byte("true"), label: "yes"}, {raw: []byte("false"), label: "no"}}
	}
	if d := sh.kw["default"]; d != nil {
		f.def = oneLine(d)
	}
	f.limits = limits(sh, types)
	f.about = str(sh.kw["description"])
	if f.about == "" {
		f.about = str(sh.kw["title"])
	}
	if sh.lost != "" {
		f.about = strings.TrimSpace(f.about + " (" + sh.lost + ")")
	}
	f.about = cutBytes(f.about, maxWords)
	return f
}

func kindOf(types []string, choices []choice, sh shape) fieldKind {
	rest := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "null" })
	nullable := len(rest) < len(types)
	one := ""
	if len(rest) == 1 {
		one = rest[0]
	}
	switch {
	case choices != nil:
		return choiceField
	case one == "boolean" && !nullable:
		return boolField
	case one == "string" && !nullable:
		return textField
	case one == "number" || one == "integer":
		return numberField
	case one == "object" || one == "array":
		return jsonField
	case len(rest) == 2 && slices.Contains(rest, "number") && slices.Contains(rest, "integer"):
		return numberField
	case types == nil && sh.lost != "":
		return jsonField
	case types == nil, slices.Contains(rest, "string"):
		return anyField
	}
	return jsonField
}

// choosing reports whether ← and → choose a value here.
func (f *field) choosing() bool { return f.kind == choiceField || f.kind == boolField }

// touch forgets the bytes that a value came with: what is typed counts now.
func (f *field) touch() { f.raw = nil }

// clear empties the field: nothing is sent for it.
func (f *field) clear() {
	f.raw, f.pick, f.typed = nil, -1, ""
	f.ed.set("")
}

// value returns the JSON that the field stands for. set is false where it is
// left empty, wrong says why what was typed cannot be sent at all.
func (f *field) value() (raw []byte, set bool, wrong string) {
	if f.raw != nil {
		return f.raw, true, ""
	}
	s := f.ed.text
	switch f.kind {
	case boolField, choiceField:
		if f.pick < 0 || f.pick >= len(f.choices) {
			return nil, false, ""
		}
		return f.choices[f.pick].raw, true, ""
	case textField, plainField:
		switch s {
		case "":
			return nil, false, ""
		case `""`: // the one way to say "empty, and sent all the same"
			return []byte(s), true, ""
		}
		return quote(s), true, ""
	}
	t := strings.TrimSpace(s)
	if t == "" {
		return nil, false, ""
	}
	if f.reads(t) {
		return oneLine([]byte(t)), true, ""
	}
	if f.kind == jsonField {
		return nil, true, "no JSON: " + badJSON(t)
	}
	if f.kind == numberField {
		s = t
	}
	return quote(s), true, ""
}

// reads reports whether text is taken for the JSON that it looks like. In a
// field that may hold a string, only JSON of a type that is allowed is.
func (f *field) reads(t string) bool {
	if !json.Valid([]byte(t)) {
		return false
	}
	if f.kind != anyField || f.types == nil {
		return true
	}
	name := typeOf([]byte(t))
	return slices.Contains(f.types, name) || (name == "number" && slices.Contains(f.types, "integer"))
}

func typeOf(raw []byte) string {
	switch first(raw) {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// fill sets the field to a value that came as JSON. It is sent byte for byte
// until the field is touched.
func (f *field) fill(raw []byte) {
	f.clear()
	raw = oneLine(raw)
	if f.choosing() {
		for i, c := range f.choices {
			if same(c.raw, raw) {
				f.pick = i
				if !bytes.Equal(c.raw, raw) {
					f.raw = raw
				}
				return
			}
		}
		f.raw = raw
		return
	}
	f.raw = raw
	f.ed.set(string(raw))
	s, isText := text(raw)
	if !isText || f.kind == jsonField {
		return
	}
	if s == "" { // stays as the pair of quotes that says so
		return
	}
	if f.kind == anyField && f.reads(strings.TrimSpace(s)) {
		return
	}
	if f.kind == numberField && (f.reads(s) || s != strings.TrimSpace(s)) { // typed so, it would be another value
		return
	}
	f.ed.set(s)
}

// same reports whether two scalars are equal although they may be spelt
// differently.
func same(a, b []byte) bool {
	if bytes.Equal(compact(a), compact(b)) {
		return true
	}
	x, ok1 := text(a)
	y, ok2 := text(b)
	return ok1 && ok2 && x == y
}

// take carries over what was filled in under another definition.
func (f *field) take(old *field) {
	if old.kind == f.kind && !f.choosing() {
		f.raw, f.ed = old.raw, old.ed
		return
	}
	raw, set, wrong := old.value()
	switch {
	case wrong != "":
		f.ed.set(old.ed.text)
	case set:
		f.fill(raw)
	}
}

// step moves the choice by n; one before the first is none at all.
func (f *field) step(n int) {
	f.touch()
	f.typed = ""
	count := len(f.choices)
	if count == 0 {
		return
	}
	f.pick += n
	if f.pick < -1 {
		f.pick = count - 1
	}
	if f.pick >= count {
		f.pick = -1
	}
	if f.pick == -1 && (f.role == place || f.role == verb) {
		f.pick = 0 // one of these is always chosen
		if n < 0 {
			f.pick = count - 1
		}
	}
}

// seek chooses by typing: the first choice that begins with the letters.
func (f *field) seek(key string) bool {
	for _, want := range []string{f.typed + key, key} {
		for i, c := range f.choices {
			if strings.HasPrefix(strings.ToLower(c.label), strings.ToLower(want)) {
				f.touch()
				f.typed, f.pick = want, i
				return true
			}
		}
	}
	return false
}

package form

import (
	"bytes"
	"slices"
	"strings"
)

// definition returns the definition in effect: of a call that of the
// instance, where it has one of its own.
func (f *Form) definition(instance string) Definition {
	if f.kind != Call {
		return f.deps.Def
	}
	for _, p := range f.deps.Places {
		if p.Instance == instance {
			return p.Def
		}
	}
	if len(f.deps.Places) > 0 && f.deps.Def.Schema == nil {
		return f.deps.Places[0].Def
	}
	return f.deps.Def
}

// argName is what the arguments are called in the message.
func (f *Form) argName() string {
	switch f.kind {
	case Open:
		return "options"
	case Call:
		return "arguments"
	}
	return "answer"
}

// build makes the fields anew from the definition.
func (f *Form) build() {
	f.fields = nil
	f.sch = nil
	if f.check.of == nil || !bytes.Equal(f.check.schema, f.def.Schema) {
		f.check = checker{schema: f.def.Schema}
	}
	f.whole = field{role: whole, kind: jsonField, name: f.argName(), pick: -1, schema: f.def.Schema}
	f.whole.ed.multi = true
	f.buildHead()
	if f.kind == Grant {
		f.buildGrant()
	}
	if f.kind == Open || f.kind == Call || (f.kind == Answer && f.deps.Fixed == nil) {
		f.buildArguments()
	}
}

func (f *Form) buildHead() {
	add := func(fd field) { f.fields = append(f.fields, fd) }
	switch f.kind {
	case Open:
		if f.deps.Instances {
			add(field{role: instance, kind: plainField, name: "instance", pick: -1})
		}
	case Call:
		if f.deps.Instances {
			add(field{role: place, kind: choiceField, name: "instance", choices: f.placeChoices("")})
		}
	case Answer:
		yes, no := f.deps.Yes, f.deps.No
		if yes == "" {
			yes = "answer"
		}
		if no == "" {
			no = "decline"
		}
		verbs := []choice{{label: yes}, {label: no}}
		if f.deps.Cancel != nil {
			verbs = append(verbs, choice{label: "cancel"})
		}
		add(field{role: verb, kind: choiceField, name: "do", choices: verbs})
		if !f.deps.NoReason {
			add(field{role: reason, kind: plainField, name: "reason", pick: -1})
		}
	case Line:
		add(field{role: entry, kind: plainField, name: "text", pick: -1})
	}
}

// placeChoices are the instances a call can name; "none named" is one of
// them, since a debugger must be able to make the wrong call. extra is one
// that is not open.
func (f *Form) placeChoices(extra string) []choice {
	var out []choice
	for _, p := range f.deps.Places {
		c := choice{raw: []byte(p.Instance), label: p.Instance, title: p.Title}
		if p.Hidden {
			c.title = strings.TrimSpace(p.Title + "  not usable now")
		}
		out = append(out, c)
	}
	if extra != "" && !slices.ContainsFunc(out, func(c choice) bool { return string(c.raw) == extra }) {
		out = append(out, choice{raw: []byte(extra), label: extra, title: "not open"})
	}
	return append(out, choice{label: "none named", title: "the server has to choose, or to refuse"})
}

// choosePlace chooses the instance of a call; "" the first.
func (f *Form) choosePlace(name string) {
	i := f.find(place)
	fd := &f.fields[i]
	fd.choices = f.placeChoices(name)
	fd.pick = 0
	for n, c := range fd.choices {
		if name != "" && string(c.raw) == name {
			fd.pick = n
		}
	}
	f.follow()
}

// follow takes over the definition of the place that is chosen.
func (f *Form) follow() {
	if def := f.definition(f.where()); !bytes.Equal(def.Schema, f.def.Schema) {
		f.redefine(def)
	} else {
		f.def = def
	}
}

func (f *Form) buildArguments() {
	raw := f.def.Schema
	f.only = true
	if isObject(raw) {
		f.sch = newSchema(raw)
		sh := f.sch.shape(raw)
		for _, p := range sh.props {
			f.fields = append(f.fields, newField(f.sch, p.key, p.val, sh.required[p.key]))
		}
		types := sh.types()
		closed := string(sh.kw["additionalProperties"]) == "false" && !sh.never
		f.only = len(sh.props) == 0 && !closed
		if types != nil && !slices.Contains(types, "object") {
			f.fields = slices.DeleteFunc(f.fields, func(fd field) bool { return fd.role == argument })
			f.only = true
		}
		if f.only {
			fd := newField(f.sch, f.argName(), raw, len(sh.required) > 0)
			f.addOnly(fd.limits)
		}
		return
	}
	f.addOnly("")
}

// addOnly makes the one field of a form whose schema has no properties that
// could be shown one by one.
func (f *Form) addOnly(limits string) {
	if limits == "" {
		limits = "JSON"
	}
	f.fields = append(f.fields, field{
		role: whole, kind: jsonField, name: f.argName(), pick: -1,
		schema: f.def.Schema, limits: limits,
	})
}

// find returns the first field of a role, -1: none.
func (f *Form) find(r role) int {
	for i := range f.fields {
		if f.fields[i].role == r {
			return i
		}
	}
	return -1
}

// where is the instance that is named: typed, chosen, or the one to close.
func (f *Form) where() string {
	switch {
	case f.kind == Close:
		return f.deps.Instance
	case f.find(instance) >= 0:
		return f.fields[f.find(instance)].ed.text
	case f.find(place) >= 0:
		fd := f.fields[f.find(place)]
		return string(fd.choices[max(fd.pick, 0)].raw)
	}
	return ""
}

// firstArgument is where the cursor begins: the first argument, the first
// field where there are none.
func (f *Form) firstArgument() int {
	for i, fd := range f.fields {
		if fd.role == argument || fd.role == whole {
			return i
		}
	}
	return 0
}

// Redefined tells the form that rev (0: none, a list or a manifest) changed
// what it is for. Hints change; what was typed stays.
func (f *Form) Redefined(rev int64, d Definition) {
	f.redefine(d)
	f.redef, f.changed = rev, true
}

func (f *Form) redefine(d Definition) {
	old := state{f.fields, f.whole, f.json, f.only}
	focus := f.focusName()
	f.def = d
	f.build()
	f.adopt(old)
	f.focusOn(focus)
}

// adopt fills fields that were built anew with what was typed into others.
func (f *Form) adopt(old state) {
	f.whole.raw, f.whole.ed = old.whole.raw, old.whole.ed
	f.json = old.json
	for i := range f.fields {
		fd := &f.fields[i]
		for k := range old.fields {
			if was := &old.fields[k]; was.role == fd.role && (fd.role != argument || was.name == fd.name) {
				f.adoptField(fd, was)
			}
		}
	}
	switch {
	case f.only && !old.only:
		if list := argumentMembers(old.fields); len(list) > 0 {
			f.fields[f.find(whole)].fill(object(list))
		}
	case !f.only && old.only:
		i := slices.IndexFunc(old.fields, func(fd field) bool { return fd.role == whole })
		if i < 0 {
			return
		}
		raw, set, wrong := old.fields[i].value()
		switch {
		case wrong != "":
			f.json = true
			f.whole.touch()
			f.whole.ed.set(old.fields[i].ed.text)
		case set:
			f.fillArgs(raw)
		}
	default:
		f.keepStrangers(old.fields)
	}
}

func (f *Form) adoptField(fd, was *field) {
	if fd.role == place || fd.role == verb {
		fd.choices, fd.pick = was.choices, was.pick
		return
	}
	fd.take(was)
}

// keepStrangers keeps values of fields that the definition has no more.
func (f *Form) keepStrangers(old []field) {
	for _, fd := range old {
		known := slices.ContainsFunc(f.fields, func(n field) bool { return n.role == fd.role && n.name == fd.name })
		if fd.role != argument || known {
			continue
		}
		if raw, set, wrong := fd.value(); set {
			s := stranger(fd.name, raw)
			if wrong != "" {
				s.raw = nil
				s.ed.set(fd.ed.text)
			}
			f.fields = append(f.fields, s)
		}
	}
}

// stranger is a field that the schema does not have.
func stranger(name string, raw []byte) field {
	fd := field{name: name, kind: jsonField, pick: -1, stranger: true}
	if raw != nil {
		fd.fill(raw)
	}
	return fd
}

// spot names the field that the cursor is in, so that it is found again.
type spot struct {
	role role
	name string
}

func (f *Form) focusName() spot {
	fd := f.current()
	if fd == nil {
		return spot{}
	}
	return spot{fd.role, fd.name}
}

func (f *Form) focusOn(at spot) {
	for i, fd := range f.fields {
		if (spot{fd.role, fd.name}) == at && f.visible(i) {
			f.focus = i
			return
		}
	}
	f.settleFocus()
}

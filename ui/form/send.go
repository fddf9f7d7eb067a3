package form

import (
	"cmp"
	"slices"
	"strings"
)

// send answers enter and, with force, ctrl-s. What breaks the schema is sent
// by ctrl-s alone; what the tool's own annotations call destructive is asked
// about once.
func (f *Form) send(force, sure bool) Step {
	if f.kind == Close && f.answer != nil && f.answer.OK && !f.running {
		return Step{Kind: Leave}
	}
	line, wrong := f.Line()
	switch {
	case f.deps.Cannot != "":
		f.said = "Not sent: " + f.deps.Cannot
		return Step{}
	case f.running:
		f.said = "Not sent: the last one still runs; ctrl-c cancels it."
		return Step{}
	case wrong != "":
		f.said = "Not sent: " + wrong + "."
		return Step{}
	}
	if list := f.problems(); len(list) > 0 && !force {
		f.tried = true
		f.focusProblem(list)
		return Step{}
	}
	if f.deps.Preview != nil {
		if _, err := f.deps.Preview(line); err != nil {
			f.said = "Not sent: " + err.Error()
			return Step{}
		}
	}
	if f.risk() != "" && !f.deps.Quiet && !sure {
		f.sure = true
		return Step{}
	}
	return Step{Kind: Send, Line: line}
}

// problems are the values that break the schema, in the order of the fields.
func (f *Form) problems() []problem {
	if !f.hasArgs() || f.declining() {
		return nil
	}
	raw, wrong := f.args()
	if wrong != "" {
		if f.json || f.find(whole) >= 0 {
			return nil
		}
		raw = object(argumentMembers(f.fields)) // what can be judged already
	}
	empty := raw == nil
	if empty {
		raw = []byte("{}")
	}
	list := f.check.run(raw)
	out := make([]problem, len(list))
	copy(out, list)
	if empty {
		for i := range out {
			out[i].missing = true
		}
	}
	f.order(out)
	if wrong != "" {
		out = slices.DeleteFunc(out, func(p problem) bool { return p.missing })
	}
	return out
}

// order sorts problems by the fields they stand at.
func (f *Form) order(list []problem) {
	at := make(map[string]int, len(f.fields))
	for i, fd := range f.fields {
		at[fd.name] = i
	}
	rank := func(p problem) int {
		if len(p.path) == 0 {
			return -1
		}
		if i, ok := at[p.path[0]]; ok {
			return i
		}
		return len(f.fields)
	}
	slices.SortStableFunc(list, func(a, b problem) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), slices.Compare(a.path, b.path), strings.Compare(a.short, b.short))
	})
}

// told are the problems to show: what is missing only after a try to send.
func (f *Form) told() []problem {
	if f.calm() {
		return nil
	}
	list := f.problems()
	if f.tried {
		return list
	}
	out := list[:0]
	for _, p := range list {
		if !p.missing {
			out = append(out, p)
		}
	}
	return out
}

// focusProblem puts the cursor into the first field that is wrong, unless it
// is in one.
func (f *Form) focusProblem(list []problem) {
	if f.json {
		return
	}
	first := -1
	for _, p := range list {
		i := f.fieldOf(p)
		if i == f.focus {
			return
		}
		if first < 0 {
			first = i
		}
	}
	if first >= 0 {
		f.focus = first
	}
}

// fieldOf returns the field that a problem stands at, -1: none.
func (f *Form) fieldOf(p problem) int {
	if i := f.find(whole); i >= 0 {
		return i
	}
	for i := range f.fields {
		if f.fields[i].role == argument && len(p.path) > 0 && f.fields[i].name == p.path[0] {
			return i
		}
	}
	return -1
}

// hidden reports whether the tool is not usable where it would be called.
func (f *Form) hidden() bool {
	if f.kind != Call {
		return false
	}
	here := f.where()
	for _, p := range f.deps.Places {
		if p.Instance == here {
			return p.Hidden
		}
	}
	return f.deps.Instances || len(f.deps.Places) == 0
}

// toEditor gives the text at the cursor to the user's editor: that of a text
// or JSON field, else all arguments as JSON.
func (f *Form) toEditor() Step {
	fd := f.current()
	if fd != nil && fd != &f.whole && !fd.choosing() && fd.kind != numberField && fd.kind != plainField {
		f.editing = f.focus
		s := fd.ed.text
		asJSON := fd.kind == jsonField
		if asJSON && validJSON([]byte(s)) {
			s = indent([]byte(s))
		}
		return Step{Kind: Edit, Text: s, JSON: asJSON}
	}
	if !f.hasArgs() || f.declining() {
		f.said = "there is nothing to edit here"
		return Step{}
	}
	f.editing = -1
	if f.json {
		return Step{Kind: Edit, Text: f.whole.ed.text, JSON: true}
	}
	raw, wrong := f.args()
	if wrong != "" {
		f.said = wrong + ". Mend it first"
		return Step{}
	}
	if raw == nil {
		raw = []byte("{}")
	}
	return Step{Kind: Edit, Text: indent(raw), JSON: true}
}

// copyLine copies the line as a command that repeats it.
func (f *Form) copyLine() Step {
	if f.deps.URL != "" {
		return Step{Kind: Copy, Text: f.deps.URL, What: "the address"}
	}
	line, wrong := f.Line()
	if wrong != "" {
		f.said = "nothing to copy: " + wrong
		return Step{}
	}
	return Step{Kind: Copy, Text: f.asCommand(line), What: "the command"}
}

// repeats reports whether the line means the same in another session: an
// answer, a close and a mark are of this one alone.
func (f *Form) repeats() bool { return f.kind == Open || f.kind == Call || f.kind == Grant }

// asCommand is a line as a command of a shell; where the target is not known,
// or the line is of this session alone, the line itself.
func (f *Form) asCommand(line string) string {
	if f.deps.DoArgs == "" || !f.repeats() {
		return line
	}
	return "mcpl-tui do -c " + shell(line) + " " + f.deps.DoArgs
}

// target is what the form is for, in a word or two.
func (f *Form) target() string {
	switch f.kind {
	case Open:
		return f.deps.Toolset
	case Call:
		return f.deps.Tool
	case Close:
		if f.deps.Instance != "" {
			return f.deps.Instance
		}
		return f.deps.Toolset
	}
	return f.deps.Title
}

// heading is the form's title.
func (f *Form) heading() string {
	verbs := [...]string{"OPEN", "CALL", "CLOSE", "ANSWER", "", "GRANT"}
	if here := f.where(); f.kind == Call && here != "" {
		return "CALL " + f.target() + " @ " + here
	}
	return strings.TrimSpace(verbs[f.kind] + " " + f.target())
}

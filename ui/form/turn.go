package form

import (
	"bytes"
	"encoding/json"
	"slices"
)

// toText shows arguments as JSON to edit. They are sent byte for byte until
// the text is touched.
func (f *Form) toText(raw []byte) {
	f.json = true
	f.whole.ed.set(indent(raw))
	f.whole.raw = raw
	f.focus = len(f.fields)
}

// turn turns the form to JSON and back.
func (f *Form) turn() {
	switch {
	case !f.hasArgs() || f.declining():
		f.said = "there are no arguments here"
	case f.json:
		f.turnBack()
	default:
		f.turnToText()
	}
}

func (f *Form) turnToText() {
	raw, wrong := f.args()
	if wrong != "" {
		f.said = wrong + ". Mend it first"
		return
	}
	if raw == nil {
		f.json = true
		f.whole.touch()
		f.whole.ed.set("")
		f.focus = len(f.fields)
		return
	}
	f.toText(raw)
}

func (f *Form) turnBack() {
	raw, wrong := f.args()
	switch {
	case wrong != "":
		f.said = wrong + ". Mend it first"
		return
	case raw == nil:
		raw = []byte("{}")
		if i := f.find(whole); i >= 0 {
			f.json = false
			f.fields[i].clear()
			f.settleFocus()
			return
		}
	}
	if f.find(whole) < 0 {
		if !isObject(raw) {
			f.said = "fields need a JSON object; this can only be sent as JSON"
			return
		}
		if key, double := twice(raw); double {
			f.said = string(quote(key)) + " stands twice, which fields cannot say"
			return
		}
	}
	typed := slices.Clone(f.fields)
	f.json = false
	f.fillArgs(raw)
	f.asTyped(typed)
	f.focus = f.firstArgument()
	f.settleFocus()
}

// asTyped gives values that went through JSON unchanged back as they were
// typed: abc in a field of numbers is not "abc" then.
func (f *Form) asTyped(typed []field) {
	for i := range f.fields {
		fd := &f.fields[i]
		k := slices.IndexFunc(typed, func(was field) bool {
			return was.role == fd.role && was.name == fd.name && was.kind == fd.kind
		})
		if k < 0 || (fd.role != argument && fd.role != whole) {
			continue
		}
		now, set, _ := fd.value()
		was, had, wrong := typed[k].value()
		if set && had && wrong == "" && bytes.Equal(compact(now), compact(was)) {
			fd.raw, fd.ed, fd.pick = typed[k].raw, typed[k].ed, typed[k].pick
		}
	}
}

// takeEarlier puts earlier values in; by is 1 for older, -1 for newer ones.
func (f *Form) takeEarlier(by int) {
	count := len(f.deps.Earlier)
	if f.kind == Line {
		count = len(f.deps.Lines)
	}
	to := f.earlier + by
	switch {
	case count == 0:
		f.said = "there are no earlier values"
		return
	case to < -1 || to >= count:
		return
	case f.earlier == -1:
		f.draft = state{slices.Clone(f.fields), f.whole, f.json, f.only}
	}
	f.earlier, f.touched = to, true
	if to == -1 {
		f.restore(f.draft)
		return
	}
	if f.kind == Line {
		fd := &f.fields[f.find(entry)]
		fd.ed.set(f.deps.Lines[to])
		return
	}
	args := f.deps.Earlier[to].Args
	if !validJSON(args) {
		args = json.RawMessage("{}")
	}
	if i := f.find(whole); i >= 0 && string(args) == "{}" && f.deps.Earlier[to].Args == nil {
		f.json = false
		f.fields[i].clear()
		return
	}
	f.fillArgs(args)
}

// restore comes back to what was typed before earlier values were looked at.
// The instance, which they do not have, stays as it is.
func (f *Form) restore(s state) {
	head := map[role]field{}
	for _, fd := range f.fields {
		if fd.role != argument && fd.role != whole && fd.role != entry {
			head[fd.role] = fd
		}
	}
	f.build()
	f.adopt(s)
	for i, fd := range f.fields {
		if h, ok := head[fd.role]; ok {
			f.fields[i] = h
		}
	}
	f.settleFocus()
}

package form

import (
	"bytes"
	"slices"
)

// Refresh tells a form that lies open what is so now: instances, earlier
// values, definitions, whether anything can be sent. What was typed stays; a
// definition that is another than before is told at the top.
func (f *Form) Refresh(d Deps) {
	here := f.where()
	was := f.def
	d.Prefill, d.Text = nil, f.deps.Text
	if f.kind != Open {
		d.Instance = f.deps.Instance
	}
	if f.earlier >= 0 && len(d.Earlier) > len(f.deps.Earlier) { // newer ones came in front
		f.earlier += len(d.Earlier) - len(f.deps.Earlier)
	}
	grants := f.deps.Grants
	f.deps = d
	if f.kind == Grant {
		f.refreshGrant(grants)
		return
	}
	if i := f.find(place); i >= 0 {
		f.keepPlace(i, here)
	}
	def := f.definition(f.where())
	if !bytes.Equal(def.Schema, was.Schema) || def.Description != was.Description || !bytes.Equal(def.Annotations, was.Annotations) {
		f.Redefined(def.Rev, def)
		return
	}
	f.def = def
}

// keepPlace makes the list of instances anew with the chosen one still
// chosen, though it may be closed by now.
func (f *Form) keepPlace(i int, here string) {
	fd := &f.fields[i]
	named := here != "" || fd.pick < len(fd.choices)-1
	fd.choices = f.placeChoices(here)
	fd.pick = len(fd.choices) - 1
	if named {
		fd.pick = max(slices.IndexFunc(fd.choices, func(c choice) bool { return string(c.raw) == here }), 0)
	}
}

// Reopen makes a form that was left ready to be shown again. What was typed
// stays, unless Deps names an instance or brings values to fill in. The last
// answer is not shown again.
func (f *Form) Reopen(d Deps) {
	prefill, name, line := d.Prefill, d.Instance, d.Text
	if f.kind == Grant && name != "" {
		defer f.focusOn(spot{grantee, name})
	}
	propose := f.untouchedName() || (f.answer != nil && f.answer.OK)
	f.Refresh(d)
	f.changed, f.tried, f.sure, f.said, f.page, f.scroll = false, false, false, "", false, 0
	if !f.running {
		f.answer, f.items, f.cache = nil, nil, answerCache{}
	}
	f.earlier = -1
	if i := f.find(instance); i >= 0 && name == "" && propose {
		name = freeName(d.Toolset, d.Open)
	}
	if i := f.find(instance); i >= 0 && name != "" {
		f.fields[i].ed.set(name)
		f.proposed = name
	}
	if i := f.find(place); i >= 0 && name != "" && name != f.where() {
		if args, _ := f.args(); args != nil && len(prefill) == 0 {
			f.said = "What stands here was typed for " + f.fields[i].choices[max(f.fields[i].pick, 0)].label + "."
		}
		f.choosePlace(name)
	}
	if i := f.find(entry); i >= 0 && line != "" {
		f.fields[i].ed.set(line)
	}
	if len(prefill) > 0 {
		f.fillArgs(prefill)
	}
}

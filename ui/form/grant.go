package form

import (
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// Grantable is one line of a grant: a capability path, or a feature set
// (mcpl-host.md, "Grants").
type Grantable struct {
	Name string
	Set  bool     // a feature set
	Uses []string // of a feature set
	On   bool     // as it was told last
	Note string   // what is so of it now, in place of "granted": "◌ no receipt"
	Dead bool     // a feature set that cannot be enabled
}

// subtree ends the name of a line that stands for all paths beneath another.
const subtree = ".**"

// buildGrant makes a field of each line, and one before the paths that have a
// parent in common.
func (f *Form) buildGrant() {
	count := map[string]int{}
	for _, g := range f.deps.Grants {
		if p := parent(g); p != "" {
			count[p]++
		}
	}
	headed := map[string]bool{}
	for i, g := range f.deps.Grants {
		if p := parent(g); count[p] > 1 && !headed[p] {
			headed[p] = true
			f.fields = append(f.fields, field{role: grantee, kind: boolField, name: p + subtree, choices: yesNo, pick: -1, grant: -1})
		}
		f.fields = append(f.fields, field{role: grantee, kind: boolField, name: g.Name, choices: yesNo, pick: b2i(!g.On), grant: i})
	}
}

var yesNo = []choice{{raw: []byte("true"), label: "yes"}, {raw: []byte("false"), label: "no"}}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// parent is the first segment of a path that has several.
func parent(g Grantable) string {
	if top, _, below := strings.Cut(g.Name, "."); below && !g.Set {
		return top
	}
	return ""
}

// beneath are the fields of the paths that a subtree's line stands for.
func (f *Form) beneath(fd *field) []*field {
	top := strings.TrimSuffix(fd.name, "**")
	var out []*field
	for i := range f.fields {
		o := &f.fields[i]
		if o.grant >= 0 && o.role == grantee && !f.deps.Grants[o.grant].Set && strings.HasPrefix(o.name, top) {
			out = append(out, o)
		}
	}
	return out
}

// lacking are the paths that a feature set uses and the grant, as it stands
// in the form, has not.
func (f *Form) lacking(fd *field) []string {
	var out []string
	for _, u := range f.deps.Grants[fd.grant].Uses {
		i := slices.IndexFunc(f.fields, func(o field) bool { return o.role == grantee && o.name == u })
		if i < 0 || f.fields[i].pick != 0 {
			out = append(out, u)
		}
	}
	return out
}

// flip turns one line: a subtree turns all beneath it, and a feature set that
// lacks something gets that.
func (f *Form) flip(fd *field, key string) {
	want := map[string]int{"y": 0, "n": 1, "home": 0, "end": 1}
	turn := func(fields []*field, to int) {
		for _, o := range fields {
			o.pick = to
		}
	}
	to, given := want[key]
	switch {
	case fd.grant < 0:
		all := f.beneath(fd)
		if !given {
			to = b2i(!slices.ContainsFunc(all, func(o *field) bool { return o.pick != 0 }))
		}
		turn(all, to)
	case f.deps.Grants[fd.grant].Dead:
		f.said = "this feature set cannot be enabled: its uses are absent, empty or unknown"
		return
	case f.deps.Grants[fd.grant].Set:
		lacks := f.lacking(fd)
		if !given {
			to = b2i(fd.pick == 0 && len(lacks) == 0)
		}
		if fd.pick = to; to == 0 {
			f.turnOn(lacks)
		}
	case given:
		fd.pick = to
	default:
		fd.pick = 1 - fd.pick
	}
	f.edited()
}

// turnOn turns paths on; those that are not to be had stay missing.
func (f *Form) turnOn(paths []string) {
	for i := range f.fields {
		if o := &f.fields[i]; o.role == grantee && slices.Contains(paths, o.name) {
			o.pick = 0
		}
	}
}

// grantLine is the line that tells what was changed.
func (f *Form) grantLine() (line, wrong string) {
	var grant, deny []string
	for i := range f.fields {
		fd := &f.fields[i]
		if fd.role != grantee || fd.grant < 0 {
			continue
		}
		switch was := f.deps.Grants[fd.grant].On; {
		case was == (fd.pick == 0):
		case was:
			deny = append(deny, word(fd.name))
		default:
			grant = append(grant, word(fd.name))
		}
	}
	var parts []string
	if len(deny) > 0 {
		parts = append(parts, "deny "+strings.Join(deny, " "))
	}
	if len(grant) > 0 {
		parts = append(parts, "grant "+strings.Join(grant, " "))
	}
	if len(parts) == 0 {
		return "", "nothing is changed, space turns a line"
	}
	return strings.Join(parts, " "), ""
}

// refreshGrant takes what is so now; lines that the user turned stay turned.
func (f *Form) refreshGrant(old []Grantable) {
	turned := map[string]int{}
	for i := range f.fields {
		if fd := &f.fields[i]; fd.grant >= 0 && fd.grant < len(old) && old[fd.grant].On != (fd.pick == 0) {
			turned[fd.name] = fd.pick
		}
	}
	focus := f.focusName()
	f.fields = nil
	f.buildGrant()
	for i := range f.fields {
		if pick, ok := turned[f.fields[i].name]; ok && f.fields[i].grant >= 0 {
			f.fields[i].pick = pick
		}
	}
	f.focusOn(focus)
}

// grantValue is what stands in a line, and what is to be said beside it.
func (f *Form) grantValue(fd *field) (value, hint string) {
	if fd.grant < 0 {
		all, on := f.beneath(fd), 0
		for _, o := range all {
			on += b2i(o.pick == 0)
		}
		switch on {
		case 0:
			return "[ ] none of " + itoa(len(all)), ""
		case len(all):
			return "[x] all " + itoa(on), ""
		}
		return "[-] " + itoa(on) + " of " + itoa(len(all)), ""
	}
	g := &f.deps.Grants[fd.grant]
	on := fd.pick == 0
	words := [2]string{"denied", "granted"}
	if g.Set {
		words = [2]string{"disabled", "enabled"}
		hint = "uses " + strings.Join(g.Uses, ", ")
		if lacks := f.lacking(fd); g.Dead {
			return "[ ] disabled", "invalid_uses"
		} else if on && len(lacks) > 0 {
			return "[ ] lacks " + strings.Join(lacks, ", "), ""
		}
	}
	value = [2]string{"[ ] ", "[x] "}[b2i(on)] + words[b2i(on)]
	switch {
	case on != g.On && on:
		value = "[x] + " + words[1]
		if !g.Set {
			hint = "counts with the receipt"
		}
	case on != g.On:
		value = "[ ] - " + words[0]
		if !g.Set {
			hint = "counts at once"
		}
	case g.Note != "":
		value = "[x] " + g.Note
	}
	return value, hint
}

// grantHead is the heading before the first path, and before the first
// feature set.
func (f *Form) grantHead(i int) string {
	set := func(i int) bool { return f.fields[i].grant >= 0 && f.deps.Grants[f.fields[i].grant].Set }
	switch {
	case f.kind != Grant:
	case set(i) && (i == 0 || !set(i-1)):
		return "FEATURE SETS"
	case i == 0:
		return "CAPABILITIES"
	}
	return ""
}

// drawGrantee draws one line of a grant.
func (f *Form) drawGrantee(r kit.Region, y int, cols columns, fd *field) {
	name, value := normal, normal
	indent := 3
	if p := strings.IndexByte(fd.name, '.'); fd.grant >= 0 && p > 0 && !f.deps.Grants[fd.grant].Set {
		indent = 5
	}
	if fd == f.current() {
		r.Put(0, y, bright, "▌")
		name, value = bright, bright
	}
	label, room := kit.Clean(fd.label()), cols.name+3-indent
	if indent > 3 && kit.Width(label) > room { // the line of all beneath says the rest
		label = "…" + label[strings.IndexByte(label, '.'):]
	}
	for indent > 3 && kit.Width(label) > room {
		rest := label[len("…."):]
		dot := strings.IndexByte(rest, '.')
		if dot < 0 {
			break
		}
		label = "…" + rest[dot:]
	}
	r.Put(indent, y, name, kit.CutMiddle(label, room))
	text, hint := f.grantValue(fd)
	if strings.HasPrefix(text, "[x] +") || strings.HasPrefix(text, "[ ] -") {
		value = warn
	}
	x := r.PutCut(cols.val, y, cols.w-cols.val-1, value, text)
	if at := max(cols.val+15, x+2); hint != "" && cols.w-at > 6 {
		r.PutCut(at, y, cols.w-at-1, dim, hint)
	}
}

// receiptLines lay out the answer to a grant, in the words of view 6.
func (p *answerPage) receipt(raw []byte) {
	for _, l := range inspector.ReceiptWords(raw) {
		st := normal
		if len(l.Spans) > 0 && l.Sign != "" {
			st = bright
		}
		text := strings.TrimSpace(l.Plain())
		if len(l.Spans) > 1 {
			label := strings.TrimSpace(l.Spans[0].Text)
			text = strings.TrimSpace(label + "  " + strings.TrimSpace(strings.TrimPrefix(text, label)))
		}
		p.text(st, l.Sign, text)
	}
}

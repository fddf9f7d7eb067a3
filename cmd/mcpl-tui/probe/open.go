package probe

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/report"
	"github.com/mcpl-tui/mcpl-tui/inspector/schema"
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// tally gathers what became of the parts of a step.
type tally struct{ good, bad, left []string }

func (t *tally) pass(format string, args ...any) {
	t.good = append(t.good, fmt.Sprintf(format, args...))
}

func (t *tally) fail(format string, args ...any) { t.bad = append(t.bad, fmt.Sprintf(format, args...)) }

func (t *tally) skip(format string, args ...any) {
	t.left = append(t.left, fmt.Sprintf(format, args...))
}

// verdict is that of the worst part; nothing is what is said where there was
// no part at all.
func (t *tally) verdict(nothing string) (report.Verdict, string) {
	switch {
	case len(t.bad) > 0:
		return report.Fail, strings.Join(t.bad, "; ")
	case len(t.good) > 0:
		return report.Pass, strings.Join(slices.Concat(t.good, t.left), "; ")
	case len(t.left) > 0:
		return report.Skip, strings.Join(t.left, "; ")
	}
	return report.Skip, nothing
}

// declared are the toolsets of the manifest.
func (p *prober) declared() []timeline.Toolset {
	return slices.DeleteFunc(slices.Clone(p.board().Toolsets), func(s timeline.Toolset) bool { return !s.Declared })
}

const noToolsets = "the manifest declares no toolsets"

// open opens every declared toolset.
func (p *prober) open() (report.Verdict, string) {
	var t tally
	for _, s := range p.declared() {
		if !s.HasInstances && s.Open {
			t.skip("%s was open already", s.Name)
			continue
		}
		if o := p.openOne(&s, &t); o != nil && s.HasInstances {
			p.named = append(p.named, o)
		}
	}
	return t.verdict(noToolsets)
}

// openOne opens a toolset, or a new instance of it, and returns what it
// opened, nil where that was refused or could not be.
func (p *prober) openOne(s *timeline.Toolset, t *tally) *opening {
	o := &opening{place: place{toolset: s.Name}, decl: *s}
	if s.HasInstances {
		o.instance = p.free(s.Name)
	}
	var ok bool
	if o.options, ok = madeUp(s.Options); !ok {
		t.skip("%s: no options could be made up that fit its schema", s.Name)
		return nil
	}
	p.asked = append(p.asked, o.place)
	out := p.run("open %s %s", o.line(" as "), o.options)
	switch {
	case refused(out):
		p.unask(o.place)
		t.skip("%s was refused: %s", o.place, out.Err)
		return nil
	case !out.OK:
		t.fail("%s: %s", o.place, out.Err)
		return nil
	}
	o.got = wire.StringOf(wire.Member(out.Result, "instance"))
	at := o.place
	if o.got != "" && s.HasInstances {
		at.instance = o.got
	}
	if isTrue(wire.Member(out.Result, "adopted")) {
		p.unask(o.place)
		t.skip("%s was open already, so it was adopted", at)
		return nil
	}
	if at != o.place {
		p.asked = append(p.asked, at)
	}
	p.opened = append(p.opened, &opening{place: at, decl: o.decl, options: o.options})
	t.pass("%s", at)
	return o
}

// unask forgets that something was asked for, since it is not the probe's.
func (p *prober) unask(at place) {
	p.asked = slices.DeleteFunc(p.asked, func(o place) bool { return o == at })
}

// free returns a name that no instance of a toolset has: probe-1, probe-2, ….
func (p *prober) free(toolset string) string {
	for n := 1; ; n++ {
		at := place{toolset, fmt.Sprintf("probe-%d", n)}
		if !slices.Contains(p.isOpen(), at) && !slices.Contains(p.asked, at) {
			return at.instance
		}
	}
}

// madeUp makes up what a schema requires; nil where it requires nothing. ok is
// false where what it asks for is beyond what can be made up.
func madeUp(raw []byte) (value []byte, ok bool) {
	value = session.Required(raw)
	if len(schema.New(raw).Check(value)) > 0 {
		return nil, false
	}
	if string(value) == "{}" {
		return nil, true
	}
	return value, true
}

func isTrue(raw []byte) bool { return string(raw) == "true" }

// adopts opens again what is open: it is adopted, and nothing changes.
func (p *prober) adopts() (report.Verdict, string) {
	var t tally
	for _, o := range slices.Clone(p.opened) {
		p.adoptOne(o.place, other(o.decl.Options, o.options), o.options, &t)
	}
	for _, s := range p.declared() {
		if at := (place{toolset: s.Name}); !s.HasInstances && s.Open && p.before[at] {
			required, _ := madeUp(s.Options)
			p.adoptOne(at, nil, required, &t)
		}
	}
	return t.verdict("nothing is open that could be opened again")
}

func (p *prober) adoptOne(at place, options, required []byte, t *tally) {
	was := p.isOpen()
	out := p.run("open %s %s", at.line(" as "), options)
	if got := wire.StringOf(wire.Member(out.Result, "instance")); got != "" && got != at.instance && at.instance != "" {
		if next := (place{at.toolset, got}); !slices.Contains(was, next) && !isTrue(wire.Member(out.Result, "adopted")) {
			p.asked = append(p.asked, next)
			p.opened = append(p.opened, &opening{place: next})
		}
	}
	switch {
	case refused(out) && options == nil && required != nil:
		t.skip("%s was refused without the options that it requires: %s", at, out.Err)
	case refused(out):
		t.fail("%s was open, and opening it was refused: %s", at, out.Err)
	case !out.OK:
		t.fail("%s: %s", at, out.Err)
	case !isTrue(wire.Member(out.Result, "adopted")):
		t.fail("%s was open, and the result does not say adopted", at)
	case len(p.changesBy(out.Answer)) > 0:
		t.fail("%s was adopted, and the result carries changes", at)
	case options != nil && !hasContent(out.Result):
		t.fail("%s was adopted with other options, and content does not say what became of them", at)
	default:
		t.pass("%s", at)
	}
}

func hasContent(result []byte) bool {
	some := false
	wire.EachElement(wire.Member(result, "content"), func([]byte) bool {
		some = true
		return false
	})
	return some
}

// other makes options that differ from the ones that something was opened
// with, so that its server has to say what became of them; nil where the
// schema leaves no choice.
func other(raw, with []byte) []byte {
	if raw == nil {
		return nil
	}
	var out []byte
	wire.EachMember(wire.Member(raw, "properties"), func(name string, prop []byte) bool {
		was := wire.Member(with, name)
		if was == nil {
			was = wire.Member(prop, "default")
		}
		for _, v := range choices(prop, was) {
			if string(v) == string(was) {
				continue
			}
			if changed := withMember(with, name, v); len(schema.New(raw).Check(changed)) == 0 {
				out = changed
				return false
			}
		}
		return true
	})
	return out
}

// withMember returns an object with one member set.
func withMember(object []byte, name string, value []byte) []byte {
	members := map[string]json.RawMessage{name: value}
	wire.EachMember(object, func(key string, v []byte) bool {
		if key != name {
			members[key] = v
		}
		return true
	})
	out, err := json.Marshal(members)
	if err != nil {
		return nil
	}
	return out
}

// choices are values that a property may have, one of them not was.
func choices(prop, was []byte) [][]byte {
	var out [][]byte
	wire.EachElement(wire.Member(prop, "enum"), func(v []byte) bool {
		out = append(out, v)
		return true
	})
	if out != nil {
		return out
	}
	switch wire.StringOf(wire.Member(prop, "type")) {
	case "boolean":
		return [][]byte{[]byte("true"), []byte("false")}
	case "string":
		other, _ := json.Marshal(wire.StringOf(was) + "2") // a string, never an error
		return [][]byte{other}
	case "integer", "number":
		n, _ := strconv.ParseInt(string(was), 10, 32) // what is no such number counts as 0
		return [][]byte{strconv.AppendInt(nil, n+1, 10), strconv.AppendInt(nil, n-1, 10)}
	}
	return nil
}

// changesBy returns what the hints in a frame changed.
func (p *prober) changesBy(seq int64) []timeline.Change {
	i := p.Log.IndexOf(seq)
	if i < 0 {
		return nil
	}
	n := p.Log.Entry(i).Row
	if n < 0 {
		return nil
	}
	rows, err := p.Log.Rows(n, n+1)
	if err != nil || len(rows) == 0 {
		return nil
	}
	return rows[0].Changes
}

// keepsName: an instance has the name that was proposed.
func (p *prober) keepsName() (report.Verdict, string) {
	var t tally
	for _, o := range p.named {
		switch o.got {
		case o.instance:
			t.pass("%s", o.place)
		case "":
			t.skip("the result of %s names no instance", o.place)
		default:
			t.fail("%s was proposed, and opened as %s", o.place, o.got)
		}
	}
	return t.verdict("no instance was opened")
}

// second opens a second instance of the first toolset that takes one.
func (p *prober) second() (report.Verdict, string) {
	if len(p.named) == 0 {
		return report.Skip, "no toolset with instances was opened"
	}
	var t tally
	for _, o := range p.named {
		if p.openOne(&o.decl, &t); len(t.good)+len(t.bad) > 0 {
			break
		}
	}
	return t.verdict("")
}

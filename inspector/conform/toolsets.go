package conform

import (
	"bytes"
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

var (
	openRenamed = &Rule{
		ID: "open-renamed", Level: Error,
		Meaning: "An instance opened under a proposed name keeps that name, or the open is refused.",
		Source:  "toolhints.md §5, “then it must be used as given, or the open refused, never replaced”",
		Mend:    "Use the proposed name, or answer with an error.",
	}
	openNoName = &Rule{
		ID: "open-no-name", Level: Error,
		Meaning: "Opening a toolset with instances returns the instance's name.",
		Also:    "warning where a name was proposed",
		Source:  "toolhints.md §5, “a toolset with instances gets an instance name”",
		Mend:    `Put "instance" into the result.`,
	}
	openNotAdopted = &Rule{
		ID: "open-not-adopted", Level: Error, whole: true,
		Meaning: "Opening what is open adopts it: the result says adopted, and nothing changes.",
		Source:  "toolhints.md §5, “Opening what is open adopts it”",
		Mend:    `Put "adopted":true into the result, and no hints.`,
	}
	openOptionsSilent = &Rule{
		ID: "open-options-silent", Level: Warning,
		Meaning: "Where an open was adopted and its options were not applied, content says so.",
		Also:    "info where content is there but names none of the options",
		Source:  "toolhints.md §5, “if the asked options were not applied the content must say so”",
		Mend:    "Say in content which options were not applied.",
	}
	openNoHints = &Rule{
		ID: "open-no-hints", Level: Warning, whole: true,
		Meaning: "The result of an open or close carries the hints that it caused.",
		Source:  "toolhints.md §5, “_meta[\"mcpl/hints\"] on a result holds the changes that the request caused”",
		Mend:    `Put the changes into _meta["mcpl/hints"] of the result, with the next rev.`,
	}
	manifestDropOpen = &Rule{
		ID: "manifest-drop-open", Level: Error,
		Meaning: "A manifest that drops a toolset closes its instances.",
		Source:  "toolhints.md §4, “A manifest that drops a toolset closes its instances”",
		Mend:    "Close what is open of a toolset before the manifest drops it.",
	}
	nameGrammar = &Rule{
		ID: "name-grammar", Level: Info,
		Meaning: "Names of toolsets and instances are 1 to 64 letters, digits, dots, dashes and underscores.",
		Source:  "toolhints.md §4, [reading]",
		Mend:    "Choose another name, and put this one into the title.",
	}
)

var toolsetRules = []*Rule{
	openRenamed, openNoName, openNotAdopted, openOptionsSilent, openNoHints,
	callClosedToolset, callInvisible, callAmbiguous, manifestDropOpen, nameGrammar,
}

// opened judges the result of toolsets/open.
func (j *Judge) opened(c *conn, m *message, at spot) {
	if !j.view.Negotiated() {
		return
	}
	t, call := j.tree, m.call
	if m.row != nil {
		at.rev = m.row.Rev
	}
	name := t.str(t.Get(m.Result, "instance"))
	declared, instances := j.view.Declared(call.toolset), j.view.HasInstances(call.toolset)
	adopted := t.isTrue(t.Get(m.Result, "adopted"))
	j.nameGrammar(at, "an instance", name, thing{toolset: call.toolset, instance: name})
	renamed := call.instance != "" && name != "" && name != call.instance && (instances || !declared)
	if renamed {
		j.renamed(m, at, name)
	}
	if instances && name == "" {
		j.noName(c, m, at)
	}
	again := call.wasOpen && m.wasOpen
	if again && !adopted && !renamed && m.wasSure && j.sure(c) {
		j.notAdopted(m, at)
	}
	if adopted && len(call.options) > 0 {
		j.optionsSilent(m, at)
	}
	if declared && !adopted && !again && m.carried == 0 {
		c.silentOn(call.toolset)
		j.noHints(m, at)
	}
}

func (j *Judge) renamed(m *message, at spot, name string) {
	th := m.call.about()
	if f := j.found(openRenamed, at, th, ""); f != nil {
		f.Message = fmt.Sprintf("The instance %s of %s was proposed, and the result names %s; a proposed name is used as given, or the open refused.", deref(f.Instance), deref(f.Toolset), cut(name, maxName))
		f.Expected = `"instance":` + quoteJSON(deref(f.Instance))
		f.Seen = `"instance":` + quoteJSON(cut(name, maxName))
	}
}

func (j *Judge) noName(c *conn, m *message, at spot) {
	level := Error
	if m.call.instance != "" {
		level = Warning
	} else {
		c.doubt = true // what its hints speak of cannot be told
	}
	f := j.foundAs(openNoName, level, at, m.call.about(), "")
	if f == nil {
		return
	}
	f.Message = fmt.Sprintf("%s has instances, was opened without a name, and the result names none, so nothing can speak of it.", deref(f.Toolset))
	f.Expected = `"instance":"…" in the result`
	if level == Warning {
		f.Message = fmt.Sprintf("The result of opening %s @ %s names no instance; the proposed name was taken.", deref(f.Toolset), deref(f.Instance))
		f.Expected = `"instance":` + quoteJSON(deref(f.Instance))
	}
	f.Seen = quote(j.tree.Raw(m.Result))
}

func (j *Judge) notAdopted(m *message, at spot) {
	if f := j.found(openNotAdopted, at, m.call.about(), ""); f != nil {
		f.Message = fmt.Sprintf("%s was open already; opening it adopts it, and the result does not say so.", f.thing())
		f.Expected = `"adopted":true`
		f.Seen = quote(j.tree.Raw(m.Result))
	}
}

func (j *Judge) optionsSilent(m *message, at spot) {
	t := j.tree
	content := t.Get(m.Result, "content")
	level := Warning
	if t.kids(content) > 0 {
		level = Info
		for _, o := range m.call.options {
			if t.mentions(content, o) {
				return
			}
		}
	}
	f := j.foundAs(openOptionsSilent, level, at, m.call.about(), "")
	if f == nil {
		return
	}
	asked := oneOf(shortened(m.call.options))
	f.Message = fmt.Sprintf("%s was adopted with options asked for (%s), and the result says nothing of what became of them.", f.thing(), asked)
	if level == Info {
		f.Message = fmt.Sprintf("%s was adopted with options asked for (%s), and the content names none of them.", f.thing(), asked)
	}
	f.Expected = "content that says which of the options were not applied: " + asked
	f.Seen = `"content":` + orNone(quote(t.Raw(content)))
}

func (j *Judge) noHints(m *message, at spot) {
	f := j.found(openNoHints, at, m.call.about(), m.call.name)
	if f == nil {
		return
	}
	f.Message = fmt.Sprintf("%s was answered without hints; the changes that it caused ride in its result.", m.call.called())
	f.Expected = fmt.Sprintf(`"_meta":{"mcpl/hints":{"rev":%d,…}}`, j.view.LastRev()+1)
	f.Seen = quote(j.tree.Raw(m.Result))
}

// closedNow judges the result of toolsets/close.
func (j *Judge) closedNow(m *message, at spot) {
	if j.view.Negotiated() && m.carried == 0 && m.wasOpen {
		j.noHints(m, at)
	}
}

// dropped from the manifest, and named open by a later list.
func (j *Judge) dropOpen(c *conn, m *message, at spot) {
	if c.manifestStale() || m.call.at.index < c.manifestAt {
		return
	}
	for _, th := range j.openItems(m) {
		if j.view.Declared(th.toolset) || !c.declared[th.toolset] {
			continue
		}
		if f := j.found(manifestDropOpen, at, th, ""); f != nil {
			f.Message = fmt.Sprintf("toolsets/list names %s as open, and the manifest does not declare %s any more; dropping a toolset closes it.", f.thing(), deref(f.Toolset))
			f.Expected = "open without " + f.thing()
			f.Seen = quote(j.tree.Raw(j.tree.Get(m.Result, "open")))
		}
	}
}

// nameGrammar looks at a name of a toolset or an instance.
func (j *Judge) nameGrammar(at spot, what, name string, th thing) {
	if name == "" || goodName(name) {
		return
	}
	if f := j.found(nameGrammar, at, th, what+name); f != nil {
		if th.instance != "" && th.toolset != "" {
			what += " of " + deref(f.Toolset)
		}
		f.Message = fmt.Sprintf("The name of %s is 1 to 64 of A-Z a-z 0-9 . _ -, and this one is %q; it works all the same.", what, cut(name, 80))
		f.Seen = quoteJSON(cut(name, maxName))
		f.Expected = "[A-Za-z0-9._-]{1,64}"
	}
}

func goodName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c-'a' > 25 && c-'A' > 25 && c-'0' > 9 && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return len(s) >= 1 && len(s) <= 64
}

// openNow notes what an open asks for, and whether that is open already.
func (j *Judge) openNow(call *call, m *message) {
	t := j.tree
	call.wasOpen = j.isOpenFor(call)
	options := t.Get(m.Params, "options")
	if !t.isObject(options) {
		return
	}
	for v := t.First(options); v != 0 && len(call.options) < 64; v = t.Next(v) {
		call.options = append(call.options, string(bytes.Clone(t.Key(v))))
	}
}

// isOpenFor reports whether what a request opens or closes by name, or a
// toolset without instances, is open.
func (j *Judge) isOpenFor(call *call) bool {
	if call.instance == "" && j.view.HasInstances(call.toolset) {
		return false
	}
	return j.view.IsOpen(call.toolset, call.instance)
}

// toolsetAnswer judges an answer to toolsets/open or toolsets/close. On HTTP
// one without a rev may have been overtaken by hints that say more than it.
func (j *Judge) toolsetAnswer(c *conn, m *message, at spot) {
	if m.Kind == wire.Result && m.carried == 0 && j.unordered() && m.wasOpen != j.isOpenFor(m.call) {
		c.doubt = true
	}
	switch {
	case m.Kind == wire.Error:
	case m.call.method == toolsetsOpen:
		j.opened(c, m, at)
	default:
		j.closedNow(m, at)
	}
}

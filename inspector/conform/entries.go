package conform

import (
	"bytes"
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// entries judges the hints of a message as they are written: the shape of
// each entry, and what it says of things that the lists know.
func (j *Judge) entries(c *conn, m *message, at spot) {
	if m.row == nil || m.carried == 0 {
		return
	}
	switch m.row.Status {
	case timeline.Applied, timeline.Gap, timeline.Held:
	default:
		return
	}
	if j.plain() {
		return
	}
	at.rev = m.row.Rev
	t := j.tree
	for v := t.First(m.carried); v != 0; v = t.Next(v) {
		switch string(t.Key(v)) {
		case "toolsets":
			j.eachEntry(c, at, v, "toolsets", (*Judge).toolsetEntry)
		case "tools":
			j.eachEntry(c, at, v, "tools", (*Judge).toolEntry)
		case "suggest":
			j.eachEntry(c, at, v, "suggest", (*Judge).suggestEntry)
		}
	}
}

// plain reports whether the message was read for the state already, and its
// hints are such that there is nothing to say of them: flags of tools alone, in
// the types that they should have, and each instance of a toolset that has some.
func (j *Judge) plain() bool {
	if j.ahead == nil || len(j.msgs) != 1 {
		return false
	}
	entries, ok := j.ahead.PlainTools()
	for i := 0; i < len(entries) && ok; i++ {
		e := &entries[i]
		ok = e.Instance == "" || j.view.Tool(e.Name).HasInstances()
	}
	return ok
}

// entryRule judges one entry and returns what keeps it from being read, "" for
// nothing, with what it is about.
type entryRule func(*Judge, *conn, spot, value) (string, thing)

func (j *Judge) eachEntry(c *conn, at spot, list value, name string, judge entryRule) {
	t := j.tree
	switch {
	case t.isNull(list):
		return
	case !t.isArray(list):
		j.malformed(at, Error, thing{}, name+" is no array", t.Raw(list))
		c.doubt = true
		return
	}
	for v := t.First(list); v != 0; v = t.Next(v) {
		if !t.isObject(v) {
			j.malformed(at, Error, thing{}, "an entry of "+name+" is no object", t.Raw(v))
			c.doubt = true
		} else if what, th := judge(j, c, at, v); what != "" {
			j.malformed(at, Error, th, what, t.Raw(v))
			c.doubt = true
		}
	}
}

// toolEntry judges an entry of tools.
func (j *Judge) toolEntry(c *conn, at spot, entry value) (string, thing) {
	t := j.tree
	var name, instance, presence, visible, definition value
	for v := t.First(entry); v != 0; v = t.Next(v) {
		switch key := t.Key(v); len(key) {
		case len("name"):
			if string(key) == "name" {
				name = v
			}
		case len("visible"):
			if string(key) == "visible" {
				visible = v
			}
		case len("instance"):
			if string(key) == "instance" {
				instance = v
			} else if string(key) == "presence" {
				presence = v
			}
		case len("definition"):
			if string(key) == "definition" {
				definition = v
			}
		}
	}
	called := t.Text(name)
	if len(called) == 0 {
		return "an entry of tools has no name", thing{}
	}
	wrong := ""
	switch {
	case !t.textOrNone(instance):
		wrong = "instance is no string"
	case !t.none(visible) && !t.isBool(visible):
		wrong = "visible is neither true nor false"
	case !t.none(presence) && !t.is(presence, "static") && !t.is(presence, "dynamic"):
		wrong = `presence is neither "static" nor "dynamic"`
	case !t.none(definition) && !t.isObject(definition):
		wrong = "definition is no object"
	}
	if wrong != "" {
		return wrong, thing{instance: t.str(instance), tool: t.str(name)}
	}
	where := t.Text(instance)
	if len(where) == 0 && t.none(presence) && t.none(definition) {
		return "", thing{}
	}
	tool := j.view.ToolOf(called)
	toolset := tool.Toolset()
	if !tool.Listed() {
		return "", thing{}
	}
	if len(where) > 0 && !tool.HasInstances() && !c.manifestStale() && !c.listStale() {
		j.instanceExtra(at, thing{toolset, t.str(instance), t.str(name)}, entry)
	}
	if t.is(presence, "static") && toolset != "" && !c.listStale() {
		j.toolsetStatic(at, thing{toolset: toolset, tool: t.str(name)}, t.Raw(entry))
	}
	if t.isObject(definition) {
		j.definition(c, at, thing{toolset, j.intern(where), j.intern(called)}, tool, definition)
	}
	return "", thing{}
}

// none reports whether a member is absent, or null.
func (t *tree) none(v value) bool { return v == 0 || t.isNull(v) }

func (t *tree) textOrNone(v value) bool { return t.none(v) || t.isString(v) }

func (j *Judge) instanceExtra(at spot, th thing, entry value) {
	f := j.found(hintsInstanceExtra, at, th, "")
	if f == nil {
		return
	}
	what := "belongs to no toolset"
	if th.toolset != "" {
		what = "is of toolset " + deref(f.Toolset) + ", which has no instances"
	}
	if th.tool == "" {
		f.Message = fmt.Sprintf("An entry names the instance %s, and toolset %s has no instances; the name was left out of account.", deref(f.Instance), deref(f.Toolset))
	} else {
		f.Message = fmt.Sprintf("A hint names the instance %s, and %s %s; the name was left out of account.", deref(f.Instance), f.tool(), what)
	}
	f.Expected = `no "instance" in this entry`
	f.mendWithout(j.tree.Raw(entry), "instance")
}

func (j *Judge) toolsetStatic(at spot, th thing, raw []byte) {
	if f := j.found(hintsToolsetStatic, at, th, ""); f != nil {
		f.Message = fmt.Sprintf("%s belongs to toolset %s, so it is dynamic; that it says static was ignored.", f.tool(), deref(f.Toolset))
		f.Expected = `no presence, or "dynamic"`
		f.mendWithout(raw, "presence")
	}
}

// definition judges a definition that a hint gives: which members it changes,
// and whether its schema is one.
func (j *Judge) definition(c *conn, at spot, th thing, tool timeline.ListedTool, def value) {
	t := j.tree
	if tool.Static() {
		return // hints-static-definition
	}
	for v := t.First(def); v != 0; v = t.Next(v) {
		switch string(t.Key(v)) {
		case "description", "annotations":
		case "inputSchema":
			j.inputSchema(at, th, t, v, t.Raw(v))
		default:
			if !c.listStale() {
				j.definitionField(at, th, tool.Declared(), v)
			}
		}
	}
}

func (j *Judge) definitionField(at spot, th thing, tool []byte, v value) {
	t := j.tree
	if string(t.Key(v)) == "name" && t.is(v, th.tool) || t.isNull(v) {
		return
	}
	name := string(t.Key(v))
	declared := memberOf(tool, name)
	if declared != nil && (bytes.Equal(declared, t.Raw(v)) || mcpl.SameJSON(declared, t.Raw(v))) {
		return
	}
	if f := j.found(hintsDefinitionField, at, th, name); f != nil {
		name = cut(name, maxName)
		f.Message = fmt.Sprintf("A definition in hints for %s changes %q; only description, inputSchema and annotations may change, so it was ignored.", f.thing(), name)
		f.Expected = `no "` + name + `"`
		if declared != nil {
			f.Expected = `"` + name + `":` + quote(declared)
		}
		f.Seen = `"` + name + `":` + quote(t.Raw(v))
	}
}

// thing names what a finding is about.
func (f *Finding) thing() string {
	return thing{deref(f.Toolset), deref(f.Instance), deref(f.Tool)}.words()
}

// toolsetEntry judges an entry of toolsets.
func (j *Judge) toolsetEntry(c *conn, at spot, entry value) (string, thing) {
	t := j.tree
	e, th, wrong := j.namedSet("toolsets", entry)
	switch {
	case wrong != "":
		return wrong, th
	case !t.none(e.state) && !t.is(e.state, "open") && !t.is(e.state, "closed"):
		return `state is neither "open" nor "closed"`, th
	case t.none(e.state) && !t.none(e.open) && !t.isBool(e.open):
		return "open is neither true nor false", th
	case !t.textOrNone(e.title):
		return "title is no string", th
	case t.none(e.state) && t.none(e.open) && t.none(e.title):
		return "an entry of toolsets has no state", th
	}
	if e.bent {
		j.malformed(at, Info, thing{}, `"name" instead of "toolset"`, t.Raw(entry))
	}
	if t.none(e.state) && !t.none(e.open) {
		j.malformed(at, Info, thing{}, `"open" instead of "state"`, t.Raw(entry))
	}
	j.nameGrammar(at, "a toolset", th.toolset, thing{toolset: th.toolset})
	j.nameGrammar(at, "an instance", th.instance, th)
	if !j.view.Declared(th.toolset) {
		j.unknownToolset(c, at, th, "toolsets", entry)
		return "", th
	}
	if c.manifestStale() {
		return "", th
	}
	opens := t.is(e.state, "open") || t.none(e.state) && t.isTrue(e.open)
	switch instances := j.view.HasInstances(th.toolset); {
	case instances && th.instance == "" && opens:
		j.instanceMissing(thing{toolset: th.toolset}, bytes.Clone(t.Raw(entry)), at)
	case !instances && th.instance != "":
		j.instanceExtra(at, th, entry)
	}
	return "", th
}

// setEntry is an entry of toolsets or suggest, or an item of open.
type setEntry struct {
	name, instance, state, open, title, action, shut, options value
	bent                                                      bool // it says name for toolset
}

// namedSet reads an entry of a list, what it names, and what is wrong with
// that, "" for nothing.
func (j *Judge) namedSet(list string, entry value) (e setEntry, th thing, wrong string) {
	t := j.tree
	e = readSet(t, entry)
	if e.name == 0 {
		return e, thing{}, "an entry of " + list + " names no toolset"
	}
	th = thing{toolset: j.intern(t.Text(e.name)), instance: j.intern(t.Text(e.instance))}
	if !t.textOrNone(e.instance) {
		wrong = "instance is no string"
	}
	return e, th, wrong
}

func readSet(t *tree, entry value) setEntry {
	var e setEntry
	var toolset, name value
	for v := t.First(entry); v != 0; v = t.Next(v) {
		switch string(t.Key(v)) {
		case "toolset":
			toolset = v
		case "name":
			name = v
		case "instance":
			e.instance = v
		case "state":
			e.state = v
		case "open":
			e.open = v
		case "title":
			e.title = v
		case "action":
			e.action = v
		case "close":
			e.shut = v
		case "options":
			e.options = v
		}
	}
	switch {
	case len(t.Text(toolset)) > 0:
		e.name = toolset
	case len(t.Text(name)) > 0:
		e.name, e.bent = name, true
	}
	return e
}

// suggestEntry judges an entry of suggest.
func (j *Judge) suggestEntry(c *conn, at spot, entry value) (string, thing) {
	t := j.tree
	e, th, wrong := j.namedSet("suggest", entry)
	switch {
	case wrong != "":
		return wrong, th
	case !t.none(e.action) && !t.is(e.action, "open") && !t.is(e.action, "close"):
		return `action is neither "open" nor "close"`, th
	case !t.none(e.options) && !t.isObject(e.options):
		return "options is no object", th
	}
	if e.bent {
		j.malformed(at, Info, thing{}, `"name" instead of "toolset"`, t.Raw(entry))
	}
	if t.none(e.action) && t.isTrue(e.shut) {
		j.malformed(at, Info, thing{}, `"close" instead of "action"`, t.Raw(entry))
	}
	if !j.view.Declared(th.toolset) {
		j.unknownToolset(c, at, th, "suggest", entry)
	}
	return "", th
}

func (j *Judge) unknownToolset(c *conn, at spot, th thing, list string, entry value) {
	if c.manifestStale() {
		return
	}
	if f := j.found(hintsUnknownToolset, at, thing{toolset: th.toolset}, list); f != nil {
		f.Message = fmt.Sprintf("An entry of %s names the toolset %s, which the manifest does not declare; the server has no part in it.", list, deref(f.Toolset))
		f.Expected = "a declared toolset"
		if m := j.view.Manifest(); m != nil && len(m.Toolsets) > 0 {
			var names []string
			for _, d := range m.Toolsets {
				names = append(names, d.Name)
			}
			f.Expected += ": " + oneOf(names)
		}
		f.Seen = quote(j.tree.Raw(entry))
	}
}

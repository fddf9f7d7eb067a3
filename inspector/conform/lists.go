package conform

import (
	"fmt"
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

var (
	toolsetsListNoHints = &Rule{
		ID: "toolsets-list-no-hints", Level: Error,
		Meaning: "toolsets/list always carries hints with a rev: the full statement.",
		Source:  "toolhints.md §5, “It always carries mcpl/hints with a rev”",
		Mend:    `Put {"rev":…,"tools":[…]} into _meta["mcpl/hints"] of the result, also where nothing is open.`,
	}
	toolsetsListMissing = &Rule{
		ID: "toolsets-list-missing", Level: Error,
		Meaning: "Every server with toolHints answers toolsets/list.",
		Source:  "toolhints.md §5, “every such server answers, with an empty open if it declares no toolsets”",
		Mend:    `Answer toolsets/list, with {"open":[],"ended":[],"_meta":{"mcpl/hints":{"rev":…}}} where nothing is open.`,
	}
	toolsetsListIncomplete = &Rule{
		ID: "toolsets-list-incomplete", Level: Error,
		Meaning: "toolsets/list names all that is open, and nothing else.",
		Source:  "toolhints.md §5, “After a reconnect toolsets/list is the truth”, “those hints are a full statement”",
		Mend:    "Build open from the same state as the hints, under the same lock.",
	}
	toolsetsDefaultOpenMissing = &Rule{
		ID: "toolsets-default-open-missing", Level: Error, whole: true,
		Meaning: `A toolset with default "open" is listed from the start, without an open.`,
		Source:  "toolhints.md §4, “open from the start of a session, listed by toolsets/list without an open”",
		Mend:    "Name the toolset in open of the first toolsets/list.",
	}
	toolsetsDefaultInstances = &Rule{
		ID: "toolsets-default-instances", Level: Warning,
		Meaning: `A toolset with instances starts closed: default "open" is at best ignored.`,
		Source:  "toolhints.md §4, “A toolset with instances always starts closed”",
		Mend:    `Declare "default":"closed", or no instances.`,
	}
	toolsListHides = &Rule{
		ID: "tools-list-hides", Level: Warning, whole: true,
		Meaning: "tools/list names every tool, visible or not; a tool that goes is announced by tools/list_changed.",
		Source:  "toolhints.md §3, “tools/list names every tool, visible or not”; MCP, tools, list changed notification",
		Mend:    "List the tool always and hide it by hints, or send notifications/tools/list_changed.",
	}
	toolsListDuplicate = &Rule{
		ID: "tools-list-duplicate", Level: Error,
		Meaning: "Each tool has a name of its own.",
		Source:  "MCP, tools: the name is a unique identifier",
		Mend:    "Give one of the two another name.",
	}
	endedIDReused = &Rule{
		ID: "ended-id-reused", Level: Error,
		Meaning: "The id of an end is never used for another.",
		Source:  "toolhints.md §5, “each with an id that is never reused”",
		Mend:    "Take ids that do not start again, such as a counter that is kept, or random ones.",
	}
	endedUnexplained = &Rule{
		ID: "ended-unexplained", Level: Warning, whole: true,
		Meaning: "What was open before a reconnect is in open, or in ended.",
		Source:  "toolhints.md §5, “ended: every end that the host did not ask for, kept a bounded time (about an hour)”",
		Mend:    "Keep a record of each end for about an hour, and list it in ended.",
	}
)

var listRules = []*Rule{
	toolsetsListNoHints, toolsetsListMissing, toolsetsListIncomplete, toolsetsDefaultOpenMissing, toolsetsDefaultInstances,
	toolsListHides, toolsListDuplicate, endedIDReused, endedUnexplained,
}

// openItems are what a toolsets/list result names as open. Where a declared
// toolset has no instances a name is left out of account.
func (j *Judge) openItems(m *message) []thing {
	t := j.tree
	list := t.Get(m.Result, "open")
	if !t.isArray(list) {
		return nil
	}
	var out []thing
	for v := t.First(list); v != 0; v = t.Next(v) {
		e := readSet(t, v)
		if e.name == 0 {
			continue
		}
		th := thing{toolset: t.str(e.name), instance: t.str(e.instance)}
		if j.view.Declared(th.toolset) && !j.view.HasInstances(th.toolset) {
			th.instance = ""
		}
		out = append(out, th)
	}
	return out
}

func setOf(things []thing) map[thing]bool {
	set := make(map[thing]bool, len(things))
	for _, th := range things {
		set[th] = true
	}
	return set
}

// compareOpen compares a toolsets/list result with what the state says before
// it: on an ordered transport, where all revs have arrived, both are the same.
func (j *Judge) compareOpen(c *conn, m *message) {
	if !j.view.Negotiated() {
		return
	}
	items := j.openItems(m)
	open := setOf(items)
	if c.states == 0 {
		for _, d := range j.view.Manifest().Decls() {
			if d.DefaultOpen && !d.Instances && j.view.IsOpen(d.Name, "") && !open[thing{toolset: d.Name}] {
				m.sets.defaults = append(m.sets.defaults, d.Name)
			}
		}
		return
	}
	if j.unordered() || c.gaps || !j.sure(c) {
		return
	}
	ended := j.ends(m)
	for toolset, instance := range j.view.EachOpen {
		th := thing{toolset: toolset, instance: instance}
		explained := slices.ContainsFunc(ended, func(e end) bool { return e.th == th })
		if !explained && !open[th] {
			m.sets.missing = append(m.sets.missing, th)
		}
	}
	for _, th := range items {
		if c.shut[th] && !j.view.IsOpen(th.toolset, th.instance) && j.view.Declared(th.toolset) {
			m.sets.returned = append(m.sets.returned, th)
		}
	}
}

// listedSets judges the answer to toolsets/list. It reports whether a finding
// stands for its error.
func (j *Judge) listedSets(c *conn, m *message, at spot) bool {
	if m.Kind == wire.Error {
		if !j.view.Negotiated() || m.call.given || m.call.timedOut {
			return false
		}
		if f := j.found(toolsetsListMissing, at, thing{}, ""); f != nil {
			f.Message = "The server has toolHints, so it answers toolsets/list; it answered with an error."
			f.Expected = `a result with "open", "ended" and hints with a rev`
			f.Seen = quote(j.tree.Raw(m.Error))
		}
		return true
	}
	if !j.view.Negotiated() {
		return false
	}
	if m.row != nil {
		at.rev = m.row.Rev
	}
	j.fullStatement(c, m, at)
	j.incomplete(c, m, at)
	j.ownInstances(c, m, at)
	j.dropOpen(c, m, at)
	j.defaultOpen(c, m, at)
	ends := j.ends(m)
	if c.states == 0 {
		j.firstListed(c, m, ends)
	}
	j.idReused(c, ends, at)
	if c.states == 0 && c.network {
		j.unexplained(c, m, ends, at)
	}
	for _, th := range j.openItems(m) {
		j.nameGrammar(at, "an instance", th.instance, th)
	}
	c.states++
	return false
}

// fullStatement: the result carries hints with a rev.
func (j *Judge) fullStatement(c *conn, m *message, at spot) {
	if m.carried != 0 && (j.tree.Get(m.carried, "rev") != 0 || !j.tree.isObject(m.carried)) {
		return
	}
	c.doubt = true // nobody knows what is visible
	if f := j.found(toolsetsListNoHints, at, thing{}, ""); f != nil {
		f.Message = "The result of toolsets/list carries hints with a rev, always; this one has none, so the host cannot tell what is visible."
		f.Expected = fmt.Sprintf(`"_meta":{"mcpl/hints":{"rev":%d,…}}`, j.view.LastRev()+1)
		f.Seen = quote(j.tree.Raw(m.Result))
		if m.carried != 0 {
			f.Message = "The hints of toolsets/list have no rev; it always carries hints with one."
		}
	}
}

// ownInstances: the hints of a list speak only of what its own open names.
func (j *Judge) ownInstances(c *conn, m *message, at spot) {
	t := j.tree
	open := setOf(j.openItems(m))
	for _, th := range m.sets.missing {
		open[th] = true // that it is lacking is found already
	}
	spoken := func(th thing, entry value) {
		if open[th] {
			return
		}
		c.badList = true
		if f := j.found(toolsetsListIncomplete, at, th, "own"); f != nil {
			f.Message = fmt.Sprintf("The hints of toolsets/list speak of %s, and its own open does not name it.", f.thing())
			f.Expected = `{"toolset":` + quoteJSON(deref(f.Toolset)) + `,"instance":` + quoteJSON(deref(f.Instance)) + `} in open`
			f.Seen = quote(t.Raw(entry))
		}
	}
	if c.manifestStale() || c.listStale() {
		return
	}
	tools, sets := t.Get(m.carried, "tools"), t.Get(m.carried, "toolsets")
	if t.isArray(tools) {
		for v := t.First(tools); v != 0; v = t.Next(v) {
			instance := t.Text(t.Get(v, "instance"))
			tool := j.view.ToolOf(t.Text(t.Get(v, "name")))
			if tool.HasInstances() && len(instance) > 0 {
				spoken(thing{toolset: tool.Toolset(), instance: string(instance)}, v)
			}
		}
	}
	if t.isArray(sets) {
		for v := t.First(sets); v != 0; v = t.Next(v) {
			e, ok := mcpl.DecodeToolsetHint(t.Raw(v))
			if ok && e.State == "open" && e.Instance != "" && j.view.HasInstances(e.Toolset) {
				spoken(thing{toolset: e.Toolset, instance: e.Instance}, v)
			}
		}
	}
}

// incomplete: open lacks what was open, or names what was closed.
func (j *Judge) incomplete(c *conn, m *message, at spot) {
	if c.doubt {
		return
	}
	c.badList = c.badList || len(m.sets.missing) > 0
	seen := func() string { return `"open":` + orNone(quote(j.tree.Raw(j.tree.Get(m.Result, "open")))) }
	for _, th := range m.sets.missing {
		if f := j.found(toolsetsListIncomplete, at, th, "lacks"); f != nil {
			f.Message = fmt.Sprintf("%s is open by what hints and results said, and toolsets/list does not name it.", f.thing())
			f.Expected = f.thing() + " in open"
			f.Seen = seen()
		}
	}
	for _, th := range m.sets.returned {
		if f := j.found(toolsetsListIncomplete, at, th, "names"); f != nil {
			f.Message = fmt.Sprintf("%s was closed by hints or a result, and toolsets/list names it as open.", f.thing())
			f.Expected = "open without " + f.thing()
			f.Seen = seen()
		}
	}
}

// defaultOpen: on the first connection of a session a toolset that is open by
// default is in the first list.
func (j *Judge) defaultOpen(c *conn, m *message, at spot) {
	if len(m.sets.defaults) == 0 || c.doubt || !j.firstConnection(c) || c.manifestStale() {
		return
	}
	if m.row != nil && m.row.Status == timeline.Held {
		return // what closed it is on its way
	}
	c.badList = true
	for _, name := range m.sets.defaults {
		if f := j.found(toolsetsDefaultOpenMissing, at, thing{toolset: name}, ""); f != nil {
			f.Message = fmt.Sprintf(`%s is open by default, and the first toolsets/list does not name it.`, deref(f.Toolset))
			f.Expected = `{"toolset":` + quoteJSON(deref(f.Toolset)) + `} in open`
			f.Seen = `"open":` + orNone(quote(j.tree.Raw(j.tree.Get(m.Result, "open"))))
		}
	}
}

// firstConnection reports whether no earlier connection got as far as an
// answer to initialize.
func (j *Judge) firstConnection(c *conn) bool {
	for n := 1; n < c.n; n++ {
		if o := j.conns[n]; o == nil || o.begun >= 0 {
			return false
		}
	}
	return c.n >= 1
}

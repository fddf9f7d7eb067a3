package conform

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

var (
	callClosedToolset = &Rule{
		ID: "call-closed-toolset", Level: Error, whole: true,
		Meaning: "A call to a tool of a toolset that is not open gets a tool error that says why.",
		Source:  "toolhints.md §3, “gets an ordinary tool error (isError) that says why”",
		Mend:    `Answer with {"content":[{"type":"text","text":"…"}],"isError":true}, or tell by hints that it is open.`,
	}
	callInvisible = &Rule{
		ID: "call-invisible", Level: Warning, whole: true,
		Meaning: "A call to a tool that is not usable now gets a tool error that says why.",
		Source:  "toolhints.md §3, “A call to an invisible tool … gets an ordinary tool error”",
		Mend:    "Refuse the call by a tool error, or tell by hints that the tool is usable.",
	}
	callAmbiguous = &Rule{
		ID: "call-ambiguous", Level: Error, whole: true,
		Meaning: "With two instances open a call that names none fails, naming them.",
		Also:    "warning where it fails without naming them",
		Source:  "toolhints.md §6, “with two instances open the call fails, naming them”",
		Mend:    "Refuse the call by a tool error that names the open instances.",
	}
)

// doubt is why a call cannot succeed, as far as the state says.
type doubt uint8

const (
	noDoubt doubt = iota
	isClosed
	isInvisible
	isAmbiguous
)

// suspect is a call that the state says cannot succeed. It is acquitted as
// soon as the state says otherwise, up to the answer; on HTTP for two seconds
// more, since what explains it may travel on another stream.
type suspect struct {
	call *call
	over bool // acquitted, answered, or given up
}

// awaited is a call of which the answer came on HTTP, and that something on
// its way may still acquit.
type awaited struct {
	tool, instance string
	doubt          doubt
	over           bool // acquitted, or judged
}

// maxSuspects is how many calls are watched at once.
const maxSuspects = 64

// standing says why a call cannot succeed as things are.
func (j *Judge) standing(c *conn, tool, instance string) doubt {
	if !j.view.Negotiated() || !j.sure(c) || c.listStale() || c.manifestStale() || c.doubtful[tool] {
		return noDoubt
	}
	t := j.view.Tool(tool)
	d := j.standingOf(t, instance)
	if d == isInvisible && c.silent[t.Toolset()] {
		return noDoubt
	}
	return d
}

// standingOf is standing of a tool, where the state can be relied on.
func (j *Judge) standingOf(tool timeline.ListedTool, instance string) doubt {
	if !tool.Listed() {
		return noDoubt
	}
	switch set := tool.Toolset(); {
	case set == "" || !j.view.Declared(set): // of an undeclared group only the flag is the server's
		instance = ""
	case !tool.HasInstances():
		if !j.view.IsOpen(set, "") {
			return isClosed
		}
		instance = ""
	case instance != "":
		if !j.view.IsOpen(set, instance) {
			return isClosed
		}
	default:
		switch j.view.Instances(set) {
		case 0:
			return isClosed
		case 1:
			instance = j.view.InstanceNames(set)[0]
		default:
			return isAmbiguous
		}
	}
	if !tool.Flag(instance) {
		return isInvisible
	}
	return noDoubt
}

// suspect watches a call that cannot succeed as things are.
func (j *Judge) suspect(c *conn, call *call) {
	if len(c.suspects) >= maxSuspects {
		return
	}
	if call.doubt = j.standing(c, call.tool, call.instance); call.doubt != noDoubt {
		c.suspects = append(c.suspects, &suspect{call: call})
		if call.doubt == isAmbiguous {
			call.among = j.view.InstanceNames(call.toolset)
		}
	}
}

// acquit drops what the state now says can succeed.
func (j *Judge) acquit(c *conn) {
	c.suspects = slices.DeleteFunc(c.suspects, func(s *suspect) bool {
		if !s.over && j.standing(c, s.call.tool, s.call.instance) != s.call.doubt {
			s.call.doubt, s.over = noDoubt, true
		}
		return s.over
	})
	c.awaited = slices.DeleteFunc(c.awaited, func(a *awaited) bool {
		a.over = a.over || j.standing(c, a.tool, a.instance) != a.doubt
		return a.over
	})
}

// verdict judges the answer to a call that could not succeed when it was
// sent. It reports whether there is something to find, now or later.
func (j *Judge) verdict(c *conn, m *message, at spot) bool {
	call := m.call
	if call.doubt == noDoubt || j.standing(c, call.tool, call.instance) != call.doubt || call.given || call.timedOut {
		return false
	}
	rule, level := j.broken(m)
	if rule == nil {
		return false
	}
	th := call.about()
	open := j.openThroughout(call)
	seen := quote(j.tree.Raw(j.body(m)))
	tell := func() {
		if f := j.foundAs(rule, level, at, th, ""); f != nil {
			f.Seen = seen
			f.sentence(rule, level, open)
		}
	}
	if !j.unordered() {
		tell()
		return true
	}
	if len(c.awaited) >= maxSuspects {
		return true
	}
	a := &awaited{tool: call.tool, instance: call.instance, doubt: call.doubt} // the call itself is used again
	c.awaited = append(c.awaited, a)
	j.later(pending{conn: c, until: j.now + grace, tell: tell, drop: func() bool {
		acquitted := a.over || j.standing(c, a.tool, a.instance) != a.doubt
		a.over = true
		return acquitted
	}})
	return true
}

// body is what an answer says: its result or its error.
func (j *Judge) body(m *message) value {
	if m.Kind == wire.Error {
		return m.Error
	}
	return m.Result
}

// broken returns the rule that the answer to a doubtful call breaks, nil for
// none.
func (j *Judge) broken(m *message) (*Rule, Level) {
	t := j.tree
	refused := m.Kind == wire.Error || t.isTrue(m.IsError)
	switch m.call.doubt {
	case isClosed:
		// Broken arguments may be refused before anything else is looked at.
		if m.Kind == wire.Error && m.call.badArgs && string(t.Raw(t.Get(m.Error, "code"))) == fmt.Sprint(mcpl.CodeInvalidParams) {
			return nil, 0
		}
		if m.Kind == wire.Error || !refused {
			return callClosedToolset, Error
		}
	case isInvisible:
		if !refused {
			return callInvisible, Warning
		}
	case isAmbiguous:
		if !refused {
			return callAmbiguous, Error
		}
		if !j.namesAll(j.body(m), j.openThroughout(m.call)) {
			return callAmbiguous, Warning
		}
	}
	return nil, 0
}

// openThroughout returns the instances that were open when a call was sent,
// and are still.
func (j *Judge) openThroughout(call *call) []string {
	now := j.view.InstanceNames(call.toolset)
	return slices.DeleteFunc(now, func(name string) bool {
		return call.doubt == isAmbiguous && !slices.Contains(call.among, name)
	})
}

// namesAll reports whether an answer names the instances: all of them, or,
// where they are many, some.
func (j *Judge) namesAll(v value, names []string) bool {
	missing := 0
	for _, n := range names {
		if !j.tree.anyText(v, func(s []byte) bool { return bytes.Contains(s, []byte(n)) }) {
			missing++
		}
	}
	const many = 8
	return missing == 0 || len(names) > many && missing < len(names)
}

// sentence puts a finding about a call into words.
func (f *Finding) sentence(rule *Rule, level Level, open []string) {
	call := f.thing()
	switch {
	case rule == callClosedToolset:
		what := "toolset " + deref(f.Toolset) + " was closed"
		if f.Instance != nil {
			what = "no instance " + deref(f.Instance) + " of " + deref(f.Toolset) + " was open"
		}
		f.Message = fmt.Sprintf("%s was called while %s; the answer must be a tool error, and it is not.", call, what)
		f.Expected = `"isError":true, and why`
	case rule == callInvisible:
		f.Message = fmt.Sprintf("%s was called while it was not visible, and succeeded; it should have been refused by a tool error.", call)
		f.Expected = `"isError":true, and why`
	case level == Error:
		f.Message = fmt.Sprintf("%s was called without an instance while %s were open, and succeeded; it must fail, naming them.", call, strings.Join(shortened(open), ", "))
		f.Expected = `"isError":true, naming ` + oneOf(open)
	default:
		f.Message = fmt.Sprintf("%s was called without an instance while several are open, and the refusal does not name them: %s.", call, strings.Join(shortened(open), ", "))
		f.Expected = "a text that names " + oneOf(open)
	}
}

func shortened(names []string) []string {
	out := make([]string, 0, len(names))
	for i, n := range names {
		if i == 6 {
			return append(out, "…")
		}
		out = append(out, cut(n, 64))
	}
	return out
}

// calledTool judges the answer to tools/call. It reports whether a finding of
// its own stands for the refusal.
func (j *Judge) calledTool(c *conn, m *message, at spot) bool {
	if m.row != nil {
		at.rev = m.row.Rev
	}
	told := j.verdict(c, m, at)
	if m.Kind == wire.Error {
		return told
	}
	t := j.tree
	if t.is(m.ResultType, mcpl.InputRequired) {
		return told // a question, and no result yet
	}
	if t.isTrue(m.IsError) {
		if !told {
			j.toolError(m, at)
		}
		return told
	}
	if m.call.pushed && m.carried == 0 && j.view.Negotiated() {
		j.pushedOwn(m, at)
	}
	j.output(c, m, at)
	return told
}

// calledNow notes a call of a tool when it is sent.
func (j *Judge) calledNow(c *conn, call *call, name, instance, args []byte, at spot) {
	tool := j.view.ToolOf(name)
	call.toolset, call.listAt = tool.Toolset(), j.view.ListAt()
	if call.tool = tool.Name(); call.tool == "" {
		call.tool = j.intern(name)
	}
	if call.instance = tool.OpenInstance(instance); call.instance == "" {
		call.instance = j.intern(instance)
	}
	if tool.Listed() {
		j.arguments(c, call, tool, args, at)
	}
	j.suspect(c, call)
	if call.instance != "" {
		c.naming++
	}
}

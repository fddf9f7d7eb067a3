package probe

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/report"
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

const noCallable = "no tool there says that it is read-only; --call TOOL names one that may be called"

// Unknown returns a name of Calls that no declared toolset has a tool of, so
// that it would never be called; "" where there is none, or where toolHints is
// not agreed on, so that nothing is called at all.
func (c *Config) Unknown(ctx context.Context) string {
	_ = c.Sync(ctx) // what is known has to do where it is late
	b := c.Log.Latest()
	if !b.ToolHints {
		return ""
	}
	for _, name := range c.Calls {
		if !slices.ContainsFunc(b.Toolsets, func(s timeline.Toolset) bool {
			return s.Declared && slices.ContainsFunc(s.Tools, func(t timeline.Tool) bool { return t.Name == name })
		}) {
			return name
		}
	}
	return ""
}

// callable returns a tool of a toolset that may be called, with arguments that
// fit its schema.
func (p *prober) callable(s *timeline.Toolset, fit func(*timeline.Tool) bool) (name string, args []byte, ok bool) {
	for i := range s.Tools {
		tool := &s.Tools[i]
		readOnly := isTrue(wire.Path(tool.Declared, "annotations", "readOnlyHint"))
		if !readOnly && !slices.Contains(p.Calls, tool.Name) || !fit(tool) {
			continue
		}
		if args, ok := madeUp(wire.Member(tool.Declared, "inputSchema")); ok {
			return tool.Name, args, true
		}
	}
	return "", nil, false
}

// callAmbiguous calls a tool of a toolset with two open instances and names
// none: the call fails, and names them.
func (p *prober) callAmbiguous() (report.Verdict, string) {
	why := "no two instances of a toolset are open"
	for _, s := range p.declared() {
		if len(s.Instances) < 2 {
			continue
		}
		name, args, ok := p.callable(&s, func(t *timeline.Tool) bool {
			return !slices.ContainsFunc(t.Cells, func(c timeline.Cell) bool { return !c.Visible })
		})
		if !ok {
			why = "of " + s.Name + ": " + noCallable + ", and that is usable in each instance"
			continue
		}
		return p.ambiguous(&s, name, args)
	}
	return report.Skip, why
}

func (p *prober) ambiguous(s *timeline.Toolset, tool string, args []byte) (report.Verdict, string) {
	// Raw: the command call would itself refuse to send it.
	out := p.run("raw %s %s", mcpl.MethodToolsCall, callParams(tool, args))
	failed, said := failure(out)
	switch {
	case out.Err != nil && !refused(out):
		return report.Fail, tool + ": " + out.Err.Error()
	case !failed:
		return report.Fail, tool + " was called without an instance, and succeeded although several are open"
	}
	for _, in := range s.Instances {
		if !strings.Contains(said, in.Name) {
			return report.Fail, tool + " was refused without an instance, and the refusal does not name " + in.Name
		}
	}
	return report.Pass, tool + " was refused, naming them"
}

// callParams are the params of a call that names no instance.
func callParams(tool string, args []byte) []byte {
	if args == nil {
		args = []byte("{}")
	}
	name, _ := json.Marshal(tool) // a string, never an error
	return withMember(withMember(nil, "name", name), "arguments", args)
}

// failure reports whether a call failed, by a tool error or an error, and what
// was said.
func failure(o session.Outcome) (failed bool, said string) {
	if o.Err != nil {
		return true, o.Err.Message + string(o.Err.Data)
	}
	var b strings.Builder
	wire.EachElement(wire.Member(o.Result, "content"), func(v []byte) bool {
		b.WriteString(wire.StringOf(wire.Member(v, "text")) + " ")
		return true
	})
	b.Write(wire.Member(o.Result, "structuredContent"))
	return isTrue(wire.Member(o.Result, "isError")), b.String()
}

// callClosed calls a tool of what was just closed: a tool error says why it
// cannot be.
func (p *prober) callClosed() (report.Verdict, string) {
	why := "nothing was closed"
	for _, at := range p.closed {
		for _, s := range p.declared() {
			if s.Name != at.toolset {
				continue
			}
			name, args, ok := p.callable(&s, func(*timeline.Tool) bool { return true })
			if !ok {
				why = "of " + s.Name + ": " + noCallable
				continue
			}
			return p.closedCall(at, name, args)
		}
	}
	return report.Skip, why
}

func (p *prober) closedCall(at place, tool string, args []byte) (report.Verdict, string) {
	target := session.QuoteWord(tool)
	if at.instance != "" {
		target += "@" + session.QuoteWord(at.instance)
	}
	out := p.run("call %s %s", target, args)
	failed, _ := failure(out)
	switch {
	case out.Err != nil && refused(out):
		return report.Fail, place{tool, at.instance}.String() + " was answered with a JSON-RPC error; it must be a tool error that says why: " + out.Err.Error()
	case out.Err != nil:
		return report.Fail, tool + ": " + out.Err.Error()
	case !failed:
		return report.Fail, tool + " was called while " + at.String() + " was closed, and succeeded"
	}
	return report.Pass, place{tool, at.instance}.String() + " was refused by a tool error"
}

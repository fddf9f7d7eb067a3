package inspector

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Request is what was asked of the server in a frame, or in the frame that
// it answers, as the forms and the command language take it.
type Request struct {
	Index    int    // position of the frame
	Method   string // tools/call, toolsets/open, …
	Tool     string
	Toolset  string
	Instance string
	Args     []byte // arguments or options as they were sent, nil: none
	// Line does the same in the command language (outputs.md, "Commands to a
	// host"); "" for the handshake, which is made anew with each connection.
	Line string
}

// RequestOf returns what the frame at position i asked of the server, or what
// was asked where the frame is the answer. ok is false where it is neither.
func RequestOf(log *timeline.Log, i int) (r Request, ok bool) {
	if i < 0 || i >= log.Len() {
		return r, false
	}
	e := log.Entry(i)
	answer := e.Kind == timeline.Result || e.Kind == timeline.Error
	if answer && e.Pair >= 0 && e.Dir == timeline.In {
		f, err := log.Frame(i)
		if err != nil {
			return r, false
		}
		heads, _ := messages(f, 1)
		g, err := log.Frame(e.Pair)
		if err != nil || len(heads) == 0 {
			return r, false
		}
		m, found := partner(g, heads[0])
		return requestFrom(m, e.Pair), found
	}
	if e.Dir != timeline.Out || (e.Kind != timeline.Request && e.Kind != timeline.Notification) {
		return r, false
	}
	f, err := log.Frame(i)
	if err != nil {
		return r, false
	}
	heads, _ := messages(f, 1)
	if len(heads) == 0 {
		return r, false
	}
	return requestFrom(heads[0], i), true
}

func requestFrom(m wire.Head, i int) Request {
	r := Request{Index: i, Method: m.Method}
	word := func(key string) string { return wire.StringOf(wire.Member(m.Params, key)) }
	switch m.Method {
	case "tools/call":
		r.Tool = word("name")
		r.Instance = wire.StringOf(wire.Path(m.Params, "_meta", mcpl.MetaInstance))
		r.Args = wire.Member(m.Params, "arguments")
		r.Line = words("call", at(r.Tool, r.Instance, false), jsonWord(r.Args))
	case "toolsets/open":
		r.Toolset, r.Instance, r.Args = word("toolset"), word("instance"), wire.Member(m.Params, "options")
		as := ""
		if r.Instance != "" {
			as = "as " + r.Instance
		}
		r.Line = words("open", r.Toolset, as, jsonWord(r.Args))
	case "toolsets/close":
		r.Toolset, r.Instance = word("toolset"), word("instance")
		r.Line = words("close", r.Toolset, r.Instance)
	case "tools/list":
		r.Line = "tools"
	case "toolsets/list":
		r.Line = "toolsets"
	case "initialize", "notifications/initialized", "notifications/cancelled":
	default:
		verb := "raw"
		if m.Kind == wire.Notification {
			verb = "notify"
		}
		r.Line = words(verb, m.Method, jsonWord(m.Params))
	}
	return r
}

// jsonWord leaves out an object without members: it is what the command
// language sends anyway.
func jsonWord(raw []byte) string {
	empty := true
	wire.EachMember(raw, func(string, []byte) bool { empty = false; return false })
	if len(raw) > 0 && raw[0] == '{' && empty {
		return ""
	}
	return string(raw)
}

func words(w ...string) string {
	var out []string
	for _, s := range w {
		if s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, " ")
}

// DoCommand is the command line that repeats a request: target is what
// `mcpl-tui do` takes to reach the server, quoted for a shell.
func (r Request) DoCommand(target string) string {
	return strings.TrimSpace("mcpl-tui do -c " + ShellQuote(r.Line) + " " + target)
}

// ShellWord quotes a word for a POSIX shell where that is needed.
func ShellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/:@%+-") == "" && s[0] != '-' {
		return s
	}
	return ShellQuote(s)
}

// ShellQuote quotes a word for a POSIX shell.
func ShellQuote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

package conform

import (
	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// outline is what can be seen of one message without knowing of others. It is
// made once, mostly ahead of the message's turn, and most rules need no more.
type outline struct {
	wire.Message
	name   []byte // of the method
	method method
	// fault is what is wrong with it as JSON-RPC, "": nothing. Where it is no
	// message at all, nothing else is to be judged.
	fault string
	none  bool
	mcpl.Outline
}

// outline reads the outline of a message.
func (t *tree) outline(m *wire.Message, o *outline) {
	o.Message, o.name, o.method = *m, t.Text(m.Method), otherMethod
	o.Outline.Read(&t.Tree, m)
	if o.fault, o.none = t.faultOf(m); o.name != nil {
		o.method = methodOf(o.name)
	}
}

// outlined is the message that the root is.
func (t *tree) outlined() timeline.Outlined {
	return timeline.Outlined{Tree: &t.Tree, Outline: &t.top.Outline}
}

// faultOf returns what is wrong with a message as JSON-RPC, "" for nothing,
// and whether it is none, and not near enough to be taken for one.
func (t *tree) faultOf(m *wire.Message) (fault string, none bool) {
	if m.Kind == wire.Invalid {
		switch {
		case !t.isObject(m.Root):
			return "no object", true
		case m.Method != 0:
			return "method is no string", true
		case m.ID == 0 && t.isObject(m.Error) && t.is(m.Version, "2.0"):
			return "", true // an error that stands for no request
		}
		return "neither method nor result nor error", true
	}
	switch id, params := t.Kind(m.ID), t.Kind(m.Params); {
	case string(t.Raw(m.Version)) != `"2.0"` && !t.is(m.Version, "2.0"):
		return `jsonrpc is not "2.0"`, false
	case id != 0 && id != '"' && id != '0' && id != 'n':
		return "id is neither number nor string", false
	case params != 0 && params != '{' && params != '[' && params != 'n':
		return "params is no object", false
	case m.Kind == wire.Error && !t.isObject(m.Error):
		return "error is no object", false
	case m.Result != 0 && t.isObject(m.Error):
		return "both result and error", false
	}
	return "", false
}

package demo

import (
	"encoding/json"
	"errors"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// call is a call of a tool while it is answered.
type call struct {
	c        *Conn
	p        *Principal
	id       wire.ID
	progress json.RawMessage // the host's progress token, or nil
	args     object
	game     *game // of a tool of a game
}

// toolResult is the result of tools/call.
type toolResult struct {
	Content    []content       `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
	Meta       *resultMeta     `json:"_meta,omitempty"`
}

type resultMeta struct {
	Hints *hintChanges `json:"mcpl/hints"`
}

func metaFor(h *hintChanges) *resultMeta {
	if h == nil {
		return nil
	}
	return &resultMeta{h}
}

// callTool answers tools/call. Its result carries what it caused; the other
// connections are told after it.
func (c *Conn) callTool(h wire.Head) {
	k, t, meta, bad := c.readCall(h)
	if bad != nil {
		c.fail(h.ID, bad)
		return
	}
	a, err := c.run(k, t, meta)
	var no refusal
	switch {
	case errors.As(err, &no):
		c.send(message{ID: json.RawMessage(h.ID), Result: toolResult{Content: text(string(no)), IsError: true}})
	case err != nil:
		c.fail(h.ID, errorf(mcpl.CodeInvalidParams, "%v", err))
	case a.later:
		// The job sends the result, and what it comes to.
	default:
		c.finish(h.ID, a)
	}
}

// finish sends the result of a call, and tells the others what it did.
func (c *Conn) finish(id wire.ID, a answer) {
	c.send(message{ID: json.RawMessage(id), Result: toolResult{
		Content: text(a.text), Structured: a.data, Meta: metaFor(c.changes(a.did)),
	}})
	c.p.tell(c, a.did)
}

func (c *Conn) readCall(h wire.Head) (*call, *tool, object, *rpcError) {
	params, ok := objectOf(h.Params)
	if !ok {
		return nil, nil, nil, errorf(mcpl.CodeInvalidParams, "the params of tools/call must be an object")
	}
	name, has, ok := params.text("name")
	if !has || !ok {
		return nil, nil, nil, errorf(mcpl.CodeInvalidParams, "tools/call names no tool: name must be a string")
	}
	t := toolNamed(name)
	if t == nil && !c.hints {
		t = plainTool(name)
	}
	if t == nil {
		return nil, nil, nil, errorf(mcpl.CodeInvalidParams, "there is no tool %s here; tools/list names all", quote(name))
	}
	args, ok := objectOf(params["arguments"])
	if !ok {
		return nil, nil, nil, errorf(mcpl.CodeInvalidParams, "the arguments of %s must be an object", t.Name)
	}
	meta, ok := objectOf(params["_meta"])
	if !ok {
		return nil, nil, nil, errorf(mcpl.CodeInvalidParams, "_meta must be an object")
	}
	k := &call{c: c, p: c.p, id: h.ID, args: args}
	if token := meta["progressToken"]; validID(wire.ID(token)) {
		k.progress = token
	}
	return k, t, meta, nil
}

// run calls a tool if it is usable now, and says why if it is not
// (toolhints.md §3).
func (c *Conn) run(k *call, t *tool, meta object) (answer, error) {
	switch {
	case t.toolset == toolsetGame:
		name, has, ok := meta.text(mcpl.MetaInstance)
		if !ok {
			return answer{}, errorf(mcpl.CodeInvalidParams, "%s must be a string", mcpl.MetaInstance)
		}
		if !has && c.p.games[c.chosen] != nil {
			name = c.chosen
		}
		g, err := c.p.findGame(name, t.Name)
		if err != nil {
			return answer{}, err
		}
		if s := g.state(t.Name); !s.visible {
			return answer{}, refuse("%s is not possible in %s now: %s", t.Name, g.name, g.whyNot(t.Name))
		}
		k.game = g
	case t.toolset == toolsetChat || t.toolset == toolsetRadio:
		// To a host without toolHints they are open (toolhints.md §2).
		if c.hints && !c.p.isOpen(openKey{toolset: t.toolset}) {
			return answer{}, refuse("%s is closed, and %s belongs to it: open it first", t.toolset, t.Name)
		}
	case t.loose && !c.p.state(t).visible:
		return answer{}, refuse("%s is not usable now: %s", t.Name, whyNotLoose[t.Name])
	}
	if t.Input == nothing {
		if err := k.only(); err != nil {
			return answer{}, err
		}
	}
	return t.run(k)
}

var whyNotLoose = map[string]string{
	"rematch": "no game ended of late that could be played again",
	"advice":  "the house has thought of nothing; call think first",
}

// findGame returns the open game that a call speaks to (toolhints.md §6).
func (p *Principal) findGame(name, asked string) (*game, error) {
	names := p.instances()
	switch {
	case name != "" && p.games[name] != nil:
		return p.games[name], nil
	case name != "":
		if reason, ok := p.endedOf(name); ok {
			return nil, refuse("the game %s has ended: %s", quote(name), reason)
		}
		return nil, refuse("no game %s is open; %s", quote(name), openNow(names))
	case len(names) == 1:
		return p.games[names[0]], nil
	case len(names) == 0:
		return nil, refuse("no game is open, and %s needs one: open the toolset game first", asked)
	}
	return nil, refuse("%s needs to know which game: %s are open; name one as _meta[%q]",
		asked, list(names), mcpl.MetaInstance)
}

func openNow(names []string) string {
	switch len(names) {
	case 0:
		return "none is"
	case 1:
		return "open is " + names[0]
	}
	return "open are " + list(names)
}

// only refuses arguments that a tool does not take. For tools that take none
// it is called before they are.
func (k *call) only(known ...string) error {
	if name, ok := k.args.stranger(known...); ok {
		if len(known) == 0 {
			return refuse("this takes no arguments, but %s was given", quote(name))
		}
		return refuse("there is no argument %s; it takes %s", quote(name), list(known))
	}
	return nil
}

// word returns an argument that is one of a few words.
func (k *call) word(key, instead string, of ...string) (string, error) {
	v, has, ok := k.args.text(key)
	if !has && instead != "" {
		return instead, nil
	}
	for _, w := range of {
		if has && ok && v == w {
			return v, nil
		}
	}
	return "", refuse("%s must be one of %s", key, list(of))
}

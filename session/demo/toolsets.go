package demo

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// openResult is the result of toolsets/open, and of toolsets/close.
type openResult struct {
	Instance string      `json:"instance,omitempty"`
	Adopted  bool        `json:"adopted,omitempty"`
	Content  []content   `json:"content"`
	Meta     *resultMeta `json:"_meta,omitempty"`
}

// target is what toolsets/open and toolsets/close speak of.
type target struct {
	openKey
	named   bool // an instance was named
	options object
}

// readTarget reads params that may hold the known members, and _meta.
func readTarget(params object, known ...string) (target, *rpcError) {
	delete(params, "_meta")
	if name, ok := params.stranger(known...); ok {
		return target{}, errorf(mcpl.CodeInvalidParams, "there is no parameter %s; there are %s", quote(name), list(known))
	}
	var t target
	var has, ok bool
	if t.toolset, has, ok = params.text("toolset"); !has || !ok {
		return t, errorf(mcpl.CodeInvalidParams, "toolset must be there, and be a string")
	}
	switch t.toolset {
	case toolsetGame, toolsetChat, toolsetRadio:
	case toolsetDebug:
		return t, errorf(mcpl.CodeInvalidParams,
			"debug is not declared by the manifest: the host opens and closes it alone, the server has no part in it")
	default:
		return t, errorf(mcpl.CodeInvalidParams, "there is no toolset %s; there are game, chat and radio", quote(t.toolset))
	}
	if t.instance, t.named, ok = params.text("instance"); !ok {
		return t, errorf(mcpl.CodeInvalidParams, "instance must be a string")
	}
	if t.named && t.toolset != toolsetGame {
		return t, errorf(mcpl.CodeInvalidParams, "%s has no instances: leave instance out", t.toolset)
	}
	if t.options, ok = objectOf(params["options"]); !ok {
		return t, errorf(mcpl.CodeInvalidParams, "options must be an object")
	}
	return t, nil
}

var errNoHints = errorf(mcpl.CodeMethodUnknown,
	"toolHints was not negotiated on this connection; the tools toolset_open and toolset_close do the same")

// openToolset answers toolsets/open.
func (c *Conn) openToolset(h wire.Head) (answer, *rpcError) {
	if !c.hints {
		return answer{}, errNoHints
	}
	params, ok := objectOf(h.Params)
	if !ok {
		return answer{}, errorf(mcpl.CodeInvalidParams, "the params of toolsets/open must be an object")
	}
	t, err := readTarget(params, "toolset", "instance", "options")
	if err != nil {
		return answer{}, err
	}
	a, err := c.p.openTarget(&t)
	if err != nil {
		return answer{}, err
	}
	a.result = openResult{
		Instance: t.instance, Adopted: a.adopted, Content: text(a.text), Meta: metaFor(c.changes(a.did)),
	}
	return a, nil
}

// openTarget opens a toolset or a game, or adopts what is open. The instance
// that it got is noted in the target.
func (p *Principal) openTarget(t *target) (answer, *rpcError) {
	switch {
	case t.named && p.games[t.instance] != nil, t.toolset != toolsetGame && p.isOpen(t.openKey):
		return adopt(t), nil
	case t.toolset == toolsetGame:
		return p.openGame(t)
	}
	if name, ok := t.options.stranger(); ok {
		return answer{}, errorf(mcpl.CodeInvalidParams, "%s takes no options, but %s was given", t.toolset, quote(name))
	}
	p.open = append(p.open, t.openKey)
	if t.toolset == toolsetChat {
		return answer{text: p.openChat()}, nil
	}
	return answer{text: "The radio is on: " + p.radio.station + "."}, nil
}

// adopt opens what is open: nothing changes, and options are not applied,
// which must be said (toolhints.md §5).
func adopt(t *target) answer {
	what := t.toolset
	if t.named {
		what = t.instance
	}
	words := what + " was open already, and stays as it is."
	if len(t.options) > 0 {
		var names []string
		for _, n := range slices.Sorted(maps.Keys(t.options)) {
			if nameGrammar.MatchString(n) {
				names = append(names, n)
			}
		}
		words += fmt.Sprintf(" The options were not applied: %s.", list(names))
	}
	return answer{adopted: true, text: words}
}

// openGame opens a new game, under the proposed name or one of its own.
func (p *Principal) openGame(t *target) (answer, *rpcError) {
	if t.named && !nameGrammar.MatchString(t.instance) {
		return answer{}, errorf(mcpl.CodeInvalidParams,
			"an instance's name is 1 to 64 letters, digits, dots, dashes and underscores; propose another, or none")
	}
	o, err := readOptions(t.options)
	if err != nil {
		return answer{}, err
	}
	if len(p.games) >= maxGames {
		return answer{}, errorf(codeNotNow, "%d games are open, no more fit in here: close one first", maxGames)
	}
	if !t.named {
		t.instance = p.freeName("vs-" + o.opponent)
	}
	g := p.startGame(t.instance, o)
	return answer{text: g.welcome()}, nil
}

// freeName returns a name that is not open: the wanted one, or with a number.
func (p *Principal) freeName(want string) string {
	name := want
	for n := 2; p.games[name] != nil; n++ {
		name = fmt.Sprintf("%s-%d", want, n)
	}
	return name
}

// closeToolset answers toolsets/close.
func (c *Conn) closeToolset(h wire.Head) (answer, *rpcError) {
	if !c.hints {
		return answer{}, errNoHints
	}
	params, ok := objectOf(h.Params)
	if !ok {
		return answer{}, errorf(mcpl.CodeInvalidParams, "the params of toolsets/close must be an object")
	}
	t, err := readTarget(params, "toolset", "instance")
	if err != nil {
		return answer{}, err
	}
	a, err := c.p.closeTarget(t)
	if err != nil {
		return answer{}, err
	}
	a.result = openResult{Content: text(a.text), Meta: metaFor(c.changes(a.did))}
	return a, nil
}

func (p *Principal) closeTarget(t target) (answer, *rpcError) {
	if t.toolset == toolsetGame {
		names := p.instances()
		g := p.games[t.instance]
		switch {
		case !t.named:
			return answer{}, errorf(mcpl.CodeInvalidParams, "game has instances: name the one to close; %s", openNow(names))
		case g == nil:
			return answer{}, errorf(mcpl.CodeInvalidParams, "no game %s is open; %s", quote(t.instance), openNow(names))
		}
		said := g.leave()
		return answer{text: said, did: event{reasons: map[openKey]string{t.openKey: "closed by the host"}}}, nil
	}
	if !p.isOpen(t.openKey) {
		return answer{}, errorf(mcpl.CodeInvalidParams, "%s is not open", t.toolset)
	}
	p.shut(t.openKey)
	if t.toolset == toolsetChat {
		p.closeChat()
	}
	return answer{
		text: "Closed " + t.toolset + ".",
		did:  event{reasons: map[openKey]string{t.openKey: "closed by the host"}},
	}, nil
}

// listToolsets answers toolsets/list: all that is open, what ended by itself,
// and always hints with a rev, which state everything (toolhints.md §5).
func (c *Conn) listToolsets(wire.Head) (answer, *rpcError) {
	if !c.hints {
		return answer{}, errNoHints
	}
	type item struct {
		Toolset  string `json:"toolset"`
		Instance string `json:"instance,omitempty"`
		Title    string `json:"title,omitempty"`
	}
	c.p.forget()
	now := c.p.view()
	open := []item{}
	for _, k := range now.open {
		open = append(open, item{k.toolset, k.instance, now.title[k]})
	}
	h := now.statement()
	c.rev++
	h.Rev = c.rev
	c.told = now
	return answer{result: struct {
		Open  []item      `json:"open"`
		Ended []ended     `json:"ended"`
		Meta  *resultMeta `json:"_meta"`
	}{open, append([]ended{}, c.p.ended...), metaFor(h)}}, nil
}

// plainTools are what a host without toolHints opens and closes games with,
// and chooses between them (toolhints.md §2).
func plainTools() []listed {
	return []listed{
		{
			Name: "toolset_open",
			Description: "Open a new game, or choose an open one by its instance: the tools of a game then speak to it. " +
				"After your move, look at the board for the answer.",
			InputSchema: json.RawMessage(`{"type":"object","properties":{"toolset":{"type":"string","enum":["game"]},` +
				`"instance":{"type":"string","description":"a name for the game"},"options":` + gameOptions +
				`},"required":["toolset"],"additionalProperties":false}`),
			Annotations: json.RawMessage(`{"title":"Open",` + changes + `}`),
		},
		{
			Name: "toolset_close", Description: "Close a game.",
			InputSchema: json.RawMessage(`{"type":"object","properties":{"toolset":{"type":"string","enum":["game"]},` +
				`"instance":{"type":"string","description":"which game"}},` +
				`"required":["toolset","instance"],"additionalProperties":false}`),
			Annotations: json.RawMessage(`{"title":"Close",` + changes + `}`),
		},
	}
}

func plainTool(name string) *tool {
	switch name {
	case "toolset_open":
		return &tool{Name: name, run: func(k *call) (answer, error) { return runPlain(k, "options", k.p.openTarget) }}
	case "toolset_close":
		return &tool{Name: name, run: func(k *call) (answer, error) {
			return runPlain(k, "instance", func(t *target) (answer, *rpcError) { return k.p.closeTarget(*t) })
		}}
	}
	return nil
}

// runPlain opens or closes what a plain tool was asked to, and chooses it.
func runPlain(k *call, last string, do func(*target) (answer, *rpcError)) (answer, error) {
	t, err := readTarget(k.args, "toolset", "instance", last)
	if err != nil {
		return answer{}, refusal(err.Message)
	}
	if t.toolset != toolsetGame {
		return answer{}, refuse("%s is always open here: call its tools", t.toolset)
	}
	a, err := do(&t)
	if err != nil {
		return answer{}, refusal(err.Message)
	}
	if k.c.chosen = t.instance; k.p.games[t.instance] == nil {
		k.c.chosen = ""
	}
	return a, nil
}

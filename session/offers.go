package session

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// offerCommands are the commands for what a server offers beside its tools.
func offerCommands() []Command {
	return []Command{
		{Name: "resources", Usage: "resources", Help: "read resources/list, all pages", plan: planList(resourcePages, "resources")},
		{Name: "templates", Usage: "templates", Help: "read resources/templates/list, all pages", plan: planList(templatePages, "resources")},
		{Name: "read", Usage: "read URI", Help: "read a resource", plan: planRead},
		{Name: "subscribe", Usage: "subscribe URI", Help: "be told when a resource changes", plan: planSubscribe},
		{Name: "unsubscribe", Usage: "unsubscribe URI", Help: "no longer be told", plan: planUnsubscribe},
		{Name: "prompts", Usage: "prompts", Help: "read prompts/list, all pages", plan: planList(promptPages, "prompts")},
		{Name: "prompt", Usage: "prompt NAME [JSON-arguments]", Help: "get a prompt, filled in", plan: planPrompt},
		{Name: "complete", Usage: "complete prompt NAME | resource TEMPLATE, then ARGUMENT [TEXT] [JSON-others]", Help: "ask how an argument can go on", plan: planComplete},
	}
}

// declares reports whether the server said in initialize that it has this.
func (c *conn) declares(capability ...string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	v := wire.Path(c.peer.caps, capability...)
	return v != nil && string(v) != "false" && string(v) != "null"
}

// needOffer returns why something cannot be asked for.
func (a *args) needOffer(method string, capability ...string) error {
	if err := a.c.mayAsk(plan{method: method}); err != nil {
		return err
	}
	if err := a.c.goneFrom(method); err != nil {
		return err
	}
	if a.c.declares(capability...) {
		return nil
	}
	what := capability[0]
	if len(capability) > 1 {
		what += "." + capability[1]
	}
	return fmt.Errorf("this server does not say that it offers %s; `raw %s` sends it all the same", what, method)
}

// planList reads a list of what is offered, all pages.
func planList(list pagedList, capability string) func(*args) (plan, error) {
	return func(a *args) (plan, error) {
		if err := a.needOffer(list.method, capability); err != nil {
			return plan{}, err
		}
		return a.reading(list.method, func(ctx context.Context) (reading, error) {
			if list == templatePages {
				a.c.templates.Store(true)
			}
			return a.c.readPages(ctx, list, true)
		})
	}
}

func planRead(a *args) (plan, error) { return a.onResource(mcpl.MethodResourcesRead, "resources") }

func planSubscribe(a *args) (plan, error) {
	return a.onResource(mcpl.MethodSubscribe, "resources", "subscribe")
}

func planUnsubscribe(a *args) (plan, error) {
	return a.onResource(mcpl.MethodUnsubscribe, "resources", "subscribe")
}

// onResource is a request about one resource.
func (a *args) onResource(method string, capability ...string) (plan, error) {
	uri, err := a.want("the URI")
	if err == nil {
		err = a.end()
	}
	if err == nil {
		err = a.needOffer(method, capability...)
	}
	return plan{method: method, params: obj(member{"uri", encode(uri)})}, err
}

// planPrompt gets a prompt. What is typed goes out as it is: a server has to
// say itself what it misses.
func planPrompt(a *args) (plan, error) {
	name, err := a.want("the prompt")
	if err != nil {
		return plan{}, err
	}
	arguments, err := a.l.json()
	if err == nil {
		err = a.needOffer(mcpl.MethodPromptsGet, "prompts")
	}
	return plan{method: mcpl.MethodPromptsGet, params: obj(member{"name", encode(name)}, member{"arguments", arguments})}, err
}

// planComplete asks for the values that an argument of a prompt, or a variable
// of a template, can have (MCP, completion). The JSON holds what other
// arguments have already.
func planComplete(a *args) (plan, error) {
	ref, err := a.reference()
	if err != nil {
		return plan{}, err
	}
	argument, err := a.want("the argument")
	if err != nil {
		return plan{}, err
	}
	value := ""
	if a.l.more() && a.l.text[a.l.pos] != '{' {
		if value, _, err = a.l.word(); err != nil {
			return plan{}, err
		}
	}
	others, err := a.l.json()
	if err == nil {
		err = a.needOffer(mcpl.MethodComplete, "completions")
	}
	var around json.RawMessage
	if others != nil {
		around = obj(member{"arguments", others})
	}
	return plan{method: mcpl.MethodComplete, params: obj(
		member{"ref", ref},
		member{"argument", obj(member{"name", encode(argument)}, member{"value", encode(value)})},
		member{"context", around},
	)}, err
}

// reference reads what a completion is about.
func (a *args) reference() ([]byte, error) {
	kind, err := a.want("prompt or resource")
	if err != nil {
		return nil, err
	}
	key := map[string]string{"prompt": "name", "resource": "uri"}[kind]
	if key == "" {
		return nil, fmt.Errorf("%q is neither prompt nor resource; it is: %s", kind, a.cmd.Usage)
	}
	what, err := a.want("the " + kind)
	return obj(member{"type", encode("ref/" + kind)}, member{key, encode(what)}), err
}

// Named says which names a Namer is asked for.
type Named uint8

// What a Namer knows the names of.
const (
	ResourceURIs Named = iota
	ResourceTemplates
	Subscribed
	PromptNames
	ChannelIDs
	FeatureSetNames
	Checkpoints
)

// Namer is a View that knows names beside those of tools and toolsets, for
// completion.
type Namer interface {
	// Names returns the names of a kind, in the order in which they were
	// listed; of is what they belong to, "" for all.
	Names(kind Named, of string) []string
}

func (s *Session) names(kind Named, of, help string) []Completion {
	n, ok := s.seen().(Namer)
	if !ok {
		return nil
	}
	return named(n.Names(kind, of), help)
}

// offerWords returns what can follow the words of a command for something that
// a server offers; ok is false for other commands.
func (s *Session) offerWords(before []string) (out []Completion, ok bool) {
	n := len(before)
	switch before[0] {
	case "read", "subscribe":
		if n == 1 {
			out = s.names(ResourceURIs, "", "a resource")
		}
	case "unsubscribe":
		if n == 1 {
			out = s.names(Subscribed, "", "subscribed")
		}
	case "prompt":
		if n == 1 {
			out = s.names(PromptNames, "", "a prompt")
		}
	case "complete":
		out = s.completeWords(before)
	case "channel":
		out = s.channelWords(before)
	case "hook":
		if n == 1 {
			out = hookWords()
		}
	case "rollback":
		switch n {
		case 1:
			out = s.names(FeatureSetNames, "", "a feature set with checkpoints")
		case 2:
			out = s.names(Checkpoints, before[1], "a checkpoint")
		}
	default:
		return nil, false
	}
	return out, true
}

func (s *Session) completeWords(before []string) []Completion {
	switch {
	case len(before) == 1:
		return named([]string{"prompt", "resource"}, "what the argument belongs to")
	case len(before) == 2 && before[1] == "prompt":
		return s.names(PromptNames, "", "a prompt")
	case len(before) == 2 && before[1] == "resource":
		return s.names(ResourceTemplates, "", "a template")
	}
	return nil
}

package session

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// conversation is the one conversation of this host: a person at a keyboard
// has no other.
const conversation = "mcpl-tui"

// channelVerbs are what can be done with a channel (MCPL draft §14.3).
var channelVerbs = []struct {
	word, help, needs string
	plan              func(*args, string) (plan, error)
}{
	{"list", "ask the server for its channels", mcpl.CapChannelsRegister, nil},
	{"open", "ID [JSON]: let the server connect a channel", "channels.lifecycle", planChannelOpen},
	{"close", "ID: let it disconnect", "channels.lifecycle", planChannelClose},
	{"publish", "ID TEXT: send a message, of text or of JSON content", "channels.publish", planChannelPublish},
	{"ack", "ID MESSAGE [INTENT] [VALUE]: acknowledge a message", "channels.acknowledge", planChannelAck},
	{"typing", "ID: tell that something is being written", "channels.typing", planChannelTyping},
}

func channelCommand() Command {
	return Command{
		Name: "channel", Usage: "channel list | open ID [JSON] | close ID | publish ID TEXT | ack ID MESSAGE [INTENT] [VALUE] | typing ID",
		Help: "act on a channel", plan: planChannel, literal: true,
	}
}

func planChannel(a *args) (plan, error) {
	word, err := a.want("what to do")
	if err != nil {
		return plan{}, err
	}
	for _, v := range channelVerbs {
		if v.word != word {
			continue
		}
		if err := a.needGrant(v.needs); err != nil {
			return plan{}, err
		}
		if v.plan == nil {
			return plan{method: mcpl.MethodChannelsList, params: []byte("{}")}, a.end()
		}
		id, err := a.want("the channel")
		if err != nil {
			return plan{}, err
		}
		return v.plan(a, id)
	}
	return plan{}, fmt.Errorf("%q is nothing to do with a channel; it is: %s", word, a.cmd.Usage)
}

// needGrant returns why something cannot be sent that needs a path of the
// grant: who is not granted it could do nothing with it.
func (a *args) needGrant(anyOf ...string) error {
	if err := a.c.mayAsk(plan{method: a.cmd.Name}); err != nil {
		return err
	}
	if !a.c.isMCPL() {
		return fmt.Errorf("this is a plain MCP server: it has no %ss; `raw` sends what it is told", a.cmd.Name)
	}
	a.c.mu.Lock()
	defer a.c.mu.Unlock()
	for _, path := range anyOf {
		if slices.Contains(a.c.grant.active, path) {
			return nil
		}
	}
	if path := anyOf[0]; slices.Contains(a.c.grant.offered, path) {
		return fmt.Errorf("%s is not granted; `grant %s` grants it", path, path)
	}
	return fmt.Errorf("the server does not advertise %s; `raw` sends it all the same", strings.Join(anyOf, " or "))
}

// planChannelOpen opens a registered channel, or one of a type and an address
// that are typed. JSON adds members, or takes the place of known ones.
func planChannelOpen(a *args, id string) (plan, error) {
	typed, err := a.l.json()
	if err != nil {
		return plan{}, err
	}
	members := []member{{"type", encode(id)}}
	if known := a.c.channelRaw(id); known != nil {
		members = []member{
			{"channelId", encode(id)}, {"type", wire.Member(known, "type")}, {"address", wire.Member(known, "address")},
		}
	} else if wire.Member(typed, "address") == nil {
		return plan{}, fmt.Errorf("no channel %s is registered; to open one of a type: channel open TYPE {\"address\":…}", id)
	}
	return plan{method: mcpl.MethodChannelsOpen, params: overlaid(members, typed)}, nil
}

// overlaid is an object of members, with those of a typed object in their
// place or after them.
func overlaid(members []member, typed []byte) []byte {
	wire.EachMember(typed, func(key string, v []byte) bool {
		i := slices.IndexFunc(members, func(m member) bool { return m.key == key })
		if i < 0 {
			members = append(members, member{key, v})
		} else {
			members[i].raw = v
		}
		return true
	})
	return obj(members...)
}

// channelRaw is a registered channel as the server described it, nil: none.
func (c *conn) channelRaw(id string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, ch := range c.kept.channels {
		if ch.id == id {
			return ch.raw
		}
	}
	return nil
}

func planChannelClose(a *args, id string) (plan, error) {
	return plan{method: mcpl.MethodChannelsClose, params: obj(member{"channelId", encode(id)})}, a.end()
}

// planChannelPublish sends a message as a request, so that the server says
// whether it was delivered.
func planChannelPublish(a *args, id string) (plan, error) {
	content, err := a.content()
	if err == nil && content == nil {
		err = fmt.Errorf("the text is missing; it is: channel publish ID TEXT")
	}
	return plan{method: mcpl.MethodChannelsPublish, params: obj(
		member{"conversationId", encode(conversation)}, member{"channelId", encode(id)}, member{"content", content},
	)}, err
}

// content reads the rest of the line as content: JSON where it begins like a
// list of blocks, else text as it is typed.
func (a *args) content() (json.RawMessage, error) {
	if !a.l.more() {
		return nil, nil
	}
	if a.l.text[a.l.pos] == '[' {
		return a.l.json()
	}
	return encode([]map[string]string{{"type": "text", "text": a.l.rest()}}), nil
}

func planChannelAck(a *args, id string) (plan, error) {
	message, err := a.want("the message")
	if err != nil {
		return plan{}, err
	}
	intent, _, err := a.l.word()
	if err != nil {
		return plan{}, err
	}
	if intent == "" {
		intent = "seen"
	}
	var value []byte
	if a.l.more() {
		value = encode(a.l.rest())
	}
	return plan{method: mcpl.MethodChannelsAck, params: obj(
		member{"channelId", encode(id)}, member{"messageId", encode(message)}, member{"intent", encode(intent)}, member{"value", value},
	)}, nil
}

// planChannelTyping tells it in a notification: nothing depends on it.
func planChannelTyping(a *args, id string) (plan, error) {
	return a.sending(notificationBytes(mcpl.MethodChannelsTyping, obj(member{"channelId", encode(id)}))), a.end()
}

func (s *Session) channelWords(before []string) []Completion {
	switch len(before) {
	case 1:
		var out []Completion
		for _, v := range channelVerbs {
			out = append(out, Completion{Text: v.word, Help: v.help})
		}
		return out
	case 2:
		if before[1] != "list" {
			return s.names(ChannelIDs, "", "a channel")
		}
	}
	return nil
}

// rollbackCommand takes a feature set back to a checkpoint (MCPL draft §8.5).
func rollbackCommand() Command {
	return Command{
		Name: "rollback", Usage: "rollback FEATURE-SET CHECKPOINT", Help: "take a feature set back to a checkpoint",
		plan: func(a *args) (plan, error) {
			set, err := a.want("the feature set")
			if err != nil {
				return plan{}, err
			}
			checkpoint, err := a.want("the checkpoint")
			if err == nil {
				err = a.end()
			}
			if err == nil {
				err = a.c.mayAsk(plan{method: mcpl.MethodStateRollback})
			}
			if err == nil && !a.c.isMCPL() {
				err = fmt.Errorf("this is a plain MCP server: it has no checkpoints; `raw %s` sends it all the same", mcpl.MethodStateRollback)
			}
			return plan{method: mcpl.MethodStateRollback, params: obj(
				member{"featureSet", encode(set)}, member{"checkpoint", encode(checkpoint)},
			)}, err
		},
	}
}

// asked sends the request of a plan and returns its answer's outcome, for
// plans that have more to say than the answer.
func (a *args) asked(ctx context.Context, method string, params []byte) Outcome {
	a.c.news.from(a.s.tap.newest())
	r, err := a.c.request(method, params, true, nil)
	if err != nil {
		return failed("", err)
	}
	return outcomeOf("", r, a.c.await(ctx, r))
}

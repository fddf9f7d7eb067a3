package session

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

const (
	maxChannels = 10_000
	maxChannel  = 16 << 10 // bytes of a channel's description
	maxState    = 16 << 20 // bytes of state, of all feature sets
)

// kept is what a host keeps for a server: its channels, and a state for each
// feature set.
type kept struct {
	channels []channel
	states   map[string]state
	size     int
}

type channel struct {
	id  string
	raw []byte
}

type state struct {
	checkpoint []byte
	data       []byte
}

// channelsRegister is channels/register.
func (c *conn) channelsRegister(h wire.Head, seq int64) {
	if e := c.denial(mcpl.CapChannelsRegister); e != nil {
		c.refuse(h.ID, e)
		return
	}
	c.offerChannels(h, seq, wire.Member(h.Params, "channels"))
}

// channelsChanged is channels/changed as a request.
func (c *conn) channelsChanged(h wire.Head, seq int64) {
	if e := c.denial(mcpl.CapChannelsRegister); e != nil {
		c.refuse(h.ID, e)
		return
	}
	c.removeChannels(h.Params)
	c.offerChannels(h, seq, wire.Member(h.Params, "added"), wire.Member(h.Params, "updated"))
}

// channelsNoted is channels/changed as a notification. It cannot be answered,
// so it adds something only where channels are accepted unasked.
func (c *conn) channelsNoted(h wire.Head) {
	if c.denial(mcpl.CapChannelsRegister) != nil {
		return
	}
	c.removeChannels(h.Params)
	if policy, _ := c.s.policy(policyChannels); policy == Accept {
		c.keepChannels(wire.Member(h.Params, "added"), wire.Member(h.Params, "updated"))
	}
}

func (c *conn) removeChannels(params []byte) {
	wire.EachElement(wire.Member(params, "removed"), func(v []byte) bool {
		id := channelID(v)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.kept.channels = slices.DeleteFunc(c.kept.channels, func(ch channel) bool { return ch.id == id })
		return true
	})
}

// keepChannels keeps the channels of some lists and returns the results.
func (c *conn) keepChannels(lists ...[]byte) []byte {
	return channelResults(lists, func(v []byte) string {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.keepOne(channelID(v), v)
	})
}

// keepOne returns why a channel cannot be kept, or "". The lock is held.
func (c *conn) keepOne(id string, raw []byte) string {
	i := slices.IndexFunc(c.kept.channels, func(ch channel) bool { return ch.id == id })
	switch {
	case id == "":
		return "a channel needs an id"
	case len(raw) > maxChannel:
		return fmt.Sprintf("this host keeps no more than %d KiB of a channel", maxChannel>>10)
	case i >= 0:
		c.kept.channels[i].raw = bytes.Clone(raw)
	case len(c.kept.channels) == maxChannels:
		return fmt.Sprintf("this host keeps no more than %d channels", maxChannels)
	default:
		c.kept.channels = append(c.kept.channels, channel{id, bytes.Clone(raw)})
	}
	return ""
}

// channelID reads the id of a channel, given as an object or as the id alone.
func channelID(raw []byte) string {
	if id := wire.StringOf(raw); id != "" {
		return id
	}
	return wire.StringOf(wire.Member(raw, "id"))
}

// channelsList is channels/list, asked by the server.
func (c *conn) channelsList(h wire.Head, _ int64) {
	if e := c.denial(mcpl.CapChannelsRegister); e != nil {
		c.refuse(h.ID, e)
		return
	}
	c.mu.Lock()
	out := []byte(`{"channels":[`)
	for i, ch := range c.kept.channels {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, ch.raw...)
	}
	c.mu.Unlock()
	c.reply(h.ID, append(out, "]}"...))
}

// channelsIncoming accepts the messages that came on channels, one by one.
func (c *conn) channelsIncoming(h wire.Head, _ int64) {
	if e := c.denial(mcpl.CapChannelsIncoming); e != nil {
		c.refuse(h.ID, e)
		return
	}
	results := []byte(`{"results":[`)
	first := true
	wire.EachElement(wire.Member(h.Params, "messages"), func(v []byte) bool {
		if !first {
			results = append(results, ',')
		}
		first = false
		id := wire.Member(v, "messageId")
		if id == nil {
			id = []byte("null")
		}
		results = append(results, obj(member{"messageId", id}, member{"accepted", []byte("true")})...)
		return true
	})
	c.reply(h.ID, append(results, "]}"...))
}

// stateOf returns the feature set that a state method speaks of, or answers
// with an error and returns "".
func (c *conn) stateOf(h wire.Head) string {
	name := wire.StringOf(wire.Member(h.Params, "featureSet"))
	e := c.featureDenial(name)
	switch {
	case !c.isMCPL() || !c.policyKnown():
		e = &Error{Code: mcpl.CodeDenied, Message: "nothing is granted before featureSets/update was answered"}
	case name == "":
		e = &Error{Code: mcpl.CodeInvalidParams, Message: "featureSet is missing"}
	}
	if e != nil {
		c.refuse(h.ID, e)
		return ""
	}
	return name
}

func (c *conn) policyKnown() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.grant.answered
}

// stateUpdate keeps a state of a feature set: a whole one, or what a JSON
// Patch makes of the one before (RFC 6902). A patch that does not apply is
// refused, for a state that is wrong is worse than none.
func (c *conn) stateUpdate(h wire.Head, _ int64) {
	name := c.stateOf(h)
	if name == "" {
		return
	}
	if err := c.keepState(name, h.Params); err != nil {
		c.refuse(h.ID, &Error{Code: mcpl.CodeInvalidParams, Message: err.Error()})
		return
	}
	c.reply(h.ID, obj(member{"accepted", []byte("true")}, member{"checkpoint", wire.Member(h.Params, "checkpoint")}))
}

func (c *conn) keepState(name string, params []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.kept.states[name]
	data := bytes.Clone(wire.Member(params, "data"))
	if data == nil {
		patch := wire.Member(params, "patch")
		if patch == nil {
			return errors.New("neither data nor a patch is there")
		}
		var err error
		if data, err = mcpl.Patch(before.data, patch); err != nil {
			return err
		}
	}
	size := c.kept.size - len(before.data) + len(data)
	if size > maxState {
		return fmt.Errorf("this host keeps no more than %d MiB of state", maxState>>20)
	}
	if c.kept.states == nil {
		c.kept.states = map[string]state{}
	}
	c.kept.states[name] = state{checkpoint: bytes.Clone(wire.Member(params, "checkpoint")), data: data}
	c.kept.size = size
	return nil
}

// stateGet gives back what was kept.
func (c *conn) stateGet(h wire.Head, _ int64) {
	name := c.stateOf(h)
	if name == "" {
		return
	}
	c.mu.Lock()
	s, ok := c.kept.states[name]
	c.mu.Unlock()
	if !ok {
		c.refuse(h.ID, &Error{Code: mcpl.CodeCheckpoint, Message: "no state of " + name + " is kept"})
		return
	}
	c.reply(h.ID, obj(member{"checkpoint", s.checkpoint}, member{"data", s.data}))
}

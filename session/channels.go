package session

import (
	"bytes"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// offerChannels answers a request that adds channels, as the rule says:
// kept, declined, or left to a person, one by one (mcpl-host.md, "Server to
// host").
func (c *conn) offerChannels(h wire.Head, seq int64, lists ...[]byte) {
	switch policy, reason := c.s.policy(policyChannels); {
	case policy == Accept:
		c.reply(h.ID, c.keepChannels(lists...))
	case policy == Ask && hasElement(lists):
		c.wait(h, seq, event{})
	default:
		c.reply(h.ID, channelResults(lists, declinedBy(reason)))
	}
}

func hasElement(lists [][]byte) bool {
	for _, list := range lists {
		if firstOf(list) != nil {
			return true
		}
	}
	return false
}

// declinedBy is the verdict of who declines every channel.
func declinedBy(reason string) func([]byte) string {
	if reason == "" {
		reason = "declined by the user"
	}
	return func([]byte) string { return reason }
}

// channelResults answers channels one by one: refused returns why a channel is
// not accepted, "" where it is.
func channelResults(lists [][]byte, refused func(channel []byte) string) []byte {
	results := []byte(`{"results":[`)
	first := true
	for _, list := range lists {
		wire.EachElement(list, func(v []byte) bool {
			if !first {
				results = append(results, ',')
			}
			first = false
			id := wire.Member(v, "id")
			if id == nil {
				id = []byte("null")
			}
			verdict, why := "true", []byte(nil)
			if reason := refused(v); reason != "" {
				verdict, why = "false", encode(reason)
			}
			results = append(results, obj(member{"id", id}, member{"accepted", []byte(verdict)}, member{"reason", why})...)
			return true
		})
	}
	return append(results, "]}"...)
}

func (a *ask) asksForChannels() bool {
	return a.method == mcpl.MethodChannelsRegister || a.method == mcpl.MethodChannelsChanged
}

// channels are the lists of channels that a waiting request adds.
func (a *ask) channels() [][]byte {
	if a.method == mcpl.MethodChannelsRegister {
		return [][]byte{wire.Member(a.params, "channels")}
	}
	return [][]byte{wire.Member(a.params, "added"), wire.Member(a.params, "updated")}
}

// keepAccepted keeps the channels that a person accepted, by the answer that
// goes to the server. The lock is held.
func (c *conn) keepAccepted(a *ask, result []byte) {
	accepted := map[string]bool{}
	wire.EachElement(wire.Member(result, "results"), func(v []byte) bool {
		if bytes.Equal(wire.Member(v, "accepted"), []byte("true")) {
			accepted[channelID(v)] = true
		}
		return true
	})
	for _, list := range a.channels() {
		wire.EachElement(list, func(v []byte) bool {
			if id := channelID(v); accepted[id] {
				c.keepOne(id, v)
			}
			return true
		})
	}
}

package session

import (
	"crypto/sha256"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// maxSeen is how many event ids are remembered. Servers retry soon or never.
const maxSeen = 100_000

// event is an eventId in a form that costs the same whatever its length; the
// zero value stands for none.
type event [sha256.Size]byte

func eventOf(params []byte) event {
	if id := wire.StringOf(wire.Member(params, "eventId")); id != "" {
		return sha256.Sum256([]byte(id))
	}
	return event{}
}

// push is push/event. Whatever is decided here, the hints in it count
// (toolhints.md §7): that is the timeline's, which reads the frame.
func (c *conn) push(h wire.Head, seq int64) {
	e := c.denial(mcpl.CapPush)
	if e == nil {
		e = c.featureDenial(wire.StringOf(wire.Member(h.Params, "featureSet")))
	}
	if e != nil {
		defer c.news.add(h, seq)
		c.refuse(h.ID, e)
		return
	}
	policy, reason := c.s.policy(policyPush)
	ev := eventOf(h.Params)
	accepted, again := c.remember(ev, policy == Accept)
	if again {
		// Answered as it was answered before, and not shown twice.
		if accepted {
			c.reply(h.ID, []byte(`{"accepted":true}`))
		} else {
			c.reply(h.ID, notAccepted("this event came before, and was not accepted then"))
		}
		return
	}
	defer c.news.add(h, seq) // as in asked
	switch policy {
	case Ask:
		c.wait(h, seq, ev)
	case Refuse:
		if reason == "" {
			reason = "this host refuses pushes"
		}
		c.reply(h.ID, notAccepted(reason))
	default:
		c.reply(h.ID, []byte(`{"accepted":true}`))
	}
}

// remember notes an event. For one that is known already it returns what was
// answered then (one that waits counts as not accepted).
func (c *conn) remember(e event, accept bool) (accepted, again bool) {
	if e == (event{}) {
		return false, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if accepted, again = c.seen[e]; again {
		return accepted, true
	}
	if len(c.seen) < maxSeen {
		c.seen[e] = accept
	}
	return accept, false
}

// decided notes what a person answered: to a push whether it was accepted, to
// channels which ones were.
func (c *conn) decided(a *ask, result []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.asksForChannels() {
		c.keepAccepted(a, result)
	}
	if _, known := c.seen[a.event]; known {
		c.seen[a.event] = string(wire.Member(result, "accepted")) == "true"
	}
}

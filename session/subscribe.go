package session

import (
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// changes are the lists whose changes a server can tell of.
type changes struct {
	Tools     bool `json:"toolsListChanged,omitempty"`
	Prompts   bool `json:"promptsListChanged,omitempty"`
	Resources bool `json:"resourcesListChanged,omitempty"`
}

func changesOf(capabilities []byte) changes {
	tells := func(name string) bool {
		return string(wire.Path(capabilities, name, "listChanged")) == "true"
	}
	return changes{tells("tools"), tells("prompts"), tells("resources")}
}

// maxListens is how often a subscription that was cut off is taken up again
// without anything having come.
const maxListens = 5

// subscribe asks for what a server tells by itself: from MCP 2026-07-28 on it
// tells nothing that it was not asked for (subscriptions/listen). The request
// stays open as long as the connection.
func (c *conn) subscribe() {
	c.mu.Lock()
	wanted := c.peer.changes
	c.mu.Unlock()
	if wanted == (changes{}) {
		return
	}
	params := c.dressed(obj(member{"notifications", encode(wanted)}))
	r, err := c.request(mcpl.MethodListen, params, false, nil)
	if err != nil {
		return
	}
	c.spawn(func() {
		for n := 0; n < maxListens; n++ {
			if !c.subscribed(r) || !c.rests(defaultRetry<<n) {
				return
			}
			if r, err = c.request(mcpl.MethodListen, params, false, nil); err != nil {
				return
			}
		}
	})
}

// subscribed waits for the end of a subscription. It reports whether it was
// cut off, and is to be asked for again.
func (c *conn) subscribed(r *request) bool {
	select {
	case a := <-r.done:
		return a.err != nil && !c.isOver()
	case <-c.ctx.Done():
		c.giveUp(r, "cancelled", "the host closes the connection")
		return false
	}
}

// rests waits; false means that the connection is to be closed.
func (c *conn) rests(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-c.ctx.Done():
		return false
	}
}

package conform

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// note judges one of the debugger's own events.
func (j *Judge) note(c *conn, at spot) {
	data := j.f.Data
	switch j.f.Name {
	case "closed":
		j.closedLink(c, at)
	case "lost":
		j.lost = true
		j.store.version++
		c.doubt = true
	case "limit":
		c.limited(data)
	case "stream":
		if wire.StringOf(memberOf(data, "state")) == "cut" {
			j.cutShort(at, wire.StringOf(memberOf(data, "reason")), wire.StringOf(memberOf(data, "seen")))
		}
	case "cancelled", "timeout", "failed":
		call, _ := c.calls.get([]byte(wire.ID(memberOf(data, "id")).Key()))
		switch {
		case call == nil:
		case j.f.Name == "cancelled", j.f.Name == "failed" && wire.StringOf(memberOf(data, "by")) != "server":
			call.given = true // the way there failed, or nobody waits: not the server's doing
		case j.f.Name == "failed":
			j.gaveUp(call, at, "when its stream was over: "+wire.StringOf(memberOf(data, "reason")))
		default:
			j.gaveUp(call, at, "when its time was over, after "+seconds(j.now-call.t))
		}
	}
}

// limited takes how long the host waits for an answer: to the request that is
// named, else to all from now on.
func (c *conn) limited(data []byte) {
	limit, id := timeline.DecodeLimit(data), wire.ID(memberOf(data, "id"))
	if id == "" {
		c.limit = limit
	} else if call, _ := c.calls.get([]byte(id.Key())); call != nil {
		call.limit = limit
	}
}

// limitOf is how long the answer to a request may take: what a note in the
// recording says, where it is longer than the limit of this judgement. That a
// shorter one passed is told by a note of its own.
func (j *Judge) limitOf(call *call) time.Duration { return max(call.limit, j.opt.Limit) }

// gaveUp: the host stopped waiting.
func (j *Judge) gaveUp(call *call, at spot, howLong string) {
	if call.given || call.timedOut {
		return
	}
	call.timedOut = true
	if !call.overdue {
		j.unanswered(call, at, howLong)
	}
}

// closedLink judges how a connection ended.
func (j *Judge) closedLink(c *conn, at spot) {
	if c.closed {
		return
	}
	c.closed = true
	by := wire.StringOf(memberOf(j.f.Data, "by"))
	j.closePending(c, by == "host")
	if by == "host" {
		j.firstList(c, c.first)
	} else {
		c.unlisted = nil // what the list would have said is lost with the link
	}
	var open []*call
	for call := range c.calls.each {
		if !call.given && !call.timedOut && call.method != listen {
			open = append(open, call)
		}
	}
	slices.SortFunc(open, func(a, b *call) int {
		return cmp.Or(cmp.Compare(a.at.index, b.at.index), cmp.Compare(a.id, b.id))
	})
	c.due, c.dueAt, c.tokens, c.suspects, c.awaited = nil, 0, nil, nil, nil
	switch by {
	case "host":
		for _, call := range open {
			if !call.overdue {
				j.unanswered(call, at, "when the host closed the connection")
			}
		}
	case "server", "link":
		j.wentAway(c, by, open, at)
	}
}

// wentAway: the server, or the link, ended the connection.
func (j *Judge) wentAway(c *conn, by string, open []*call, at spot) {
	level := Info
	if len(open) > 0 && c.greeted && j.opt.Skipped == 0 && !j.lost {
		level = Error
	}
	f := j.foundAs(serverExit, level, at, thing{}, "")
	if f == nil {
		return
	}
	what := "The server went away"
	if by == "link" {
		what = "The link broke"
	}
	f.Seen = quote(j.f.Data)
	f.Message = what + "; no request was open."
	if level == Info {
		return
	}
	f.Expected = "an answer to " + open[0].called()
	f.Message = fmt.Sprintf("%s while %s was open.", what, open[0].called())
	if n := len(open); n > 1 {
		f.Message = fmt.Sprintf("%s while %d requests were open, the first being %s.", what, n, open[0].called())
	}
}

func (j *Judge) stderr(at spot) {
	if f := j.found(stderrNoise, at, thing{}, ""); f != nil {
		f.Message = "The server wrote to stderr."
		f.Seen = quote(j.f.Body)
	}
	j.secrets(j.f.Body, []wire.Span{{End: int32(min(len(j.f.Body), 1<<30))}}, at)
}

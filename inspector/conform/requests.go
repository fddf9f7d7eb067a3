package conform

import (
	"fmt"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// asked notes a request of the host.
func (j *Judge) asked(c *conn, m *message, at spot) {
	t := j.tree
	call := j.newCall()
	call.id, call.method, call.name = j.idKey(m.ID), m.method, j.methodName(m.name)
	call.at, call.t, call.alive, call.limit = at, j.now, j.now, c.limit
	if token := m.ProgressToken; token != 0 {
		call.progress = j.idKey(token)
	}
	c.open(call)
	switch call.method {
	case discover:
		c.greeted = true
	case initialize:
		c.greeted = true
		c.hostMCPL = t.notNull(t.path(m.Params, "capabilities", "experimental", "mcpl")) != 0
	case updatePolicy:
		call.policy = j.readPolicy(m)
		j.policyFollows(c)
	case toolsList:
		call.cursor = t.memberStr(m.Params, "cursor")
	case toolsCall:
		j.calledNow(c, call, t.Text(m.Name), t.Text(m.Called), t.Raw(m.Arguments), at)
		j.metaOf(m, at)
	case toolsetsOpen, toolsetsClose:
		call.toolset, call.instance = t.str(m.Toolset), t.str(m.Instance)
		if call.method == toolsetsOpen {
			j.openNow(call, m)
		}
	}
}

// newCall returns an empty call: a used one, if there is one.
func (j *Judge) newCall() *call {
	if n := len(j.free); n > 0 {
		c := j.free[n-1]
		j.free = j.free[:n-1]
		*c = call{}
		return c
	}
	return &call{}
}

// open keeps a request until it is answered.
func (c *conn) open(call *call) {
	if was, _ := c.calls.get([]byte(call.id)); was != nil {
		c.gone(was)
		call.again = was.again + 1
	} else if c.calls.len() >= maxOpen {
		c.tooMany = true
		return
	}
	c.calls.put(call.id, call)
	if call.progress != "" {
		if c.tokens == nil {
			c.tokens = newTokens()
		}
		c.tokens[call.progress] = call
	}
	if call.method == toolsetsList {
		c.asking++
	}
	c.due = append(c.due, deadline{call.t, call})
}

// gone takes back what was counted of a request.
func (c *conn) gone(call *call) {
	call.done = true
	if call.progress != "" && c.tokens[call.progress] == call {
		delete(c.tokens, call.progress)
	}
	switch {
	case call.method == toolsetsList:
		c.asking--
	case call.method == toolsCall && call.instance != "":
		c.naming--
	}
	if call.doubt != noDoubt {
		for _, s := range c.suspects {
			s.over = s.over || s.call == call
		}
	}
}

// answered takes a request out of the open ones; false means that this is an
// answer too many.
func (c *conn) answered(call *call) bool {
	if call.done {
		return false
	}
	if call.again > 0 { // the id was used again before this
		call.again--
		return true
	}
	c.calls.drop(call.id)
	c.gone(call)
	return true
}

// requested notes a request of the server.
func (j *Judge) requested(c *conn, m *message) {
	id := j.keyOf(m.ID)
	a, open := c.asks.get(id)
	switch {
	case open:
		a.again++
	case c.asks.len() >= maxOpen:
		c.tooMany = true
		return
	default:
		a.name = j.methodName(m.name)
	}
	c.asks.put(string(id), a)
}

// replied judges an answer of the host to a request of the server.
func (j *Judge) replied(c *conn, m *message, at spot) {
	t := j.tree
	id := j.keyOf(m.ID)
	a, open := c.asks.get(id)
	if !open {
		j.unknownID(c, m, at, "host")
		return
	}
	if a.again > 0 {
		a.again--
		c.asks.put(string(id), a)
	} else {
		c.asks.drop(string(id))
	}
	if m.Kind != wire.Error || mcpl.DecodeRev(negated(t.Raw(t.Get(m.Error, "code")))) != -mcpl.CodeMethodUnknown {
		return
	}
	if f := j.found(rpcMethodUnknown, at, thing{}, a.name); f != nil {
		f.Message = fmt.Sprintf("The server asked %s, which this host does not know; it was answered with -32601.", cut(a.name, 80))
		f.Expected = "a method that the host advertises"
		f.Seen = `"method":` + quoteJSON(cut(a.name, 80))
	}
}

// negated is a negative number without its sign, nil for any other.
func negated(raw []byte) []byte {
	if len(raw) > 1 && raw[0] == '-' {
		return raw[1:]
	}
	return nil
}

// deadline is a request with the time at which it was last heard of.
type deadline struct {
	t    time.Duration
	call *call
}

// overdue finds the requests that were not answered within the limit. A frame
// of the same connection proves that it lives on.
func (j *Judge) overdue(c *conn) {
	if j.f.Dir == wire.Note && (j.f.Name == "closed" || j.f.Name == "timeout") {
		return // that is judged for itself
	}
	for c.dueAt < len(c.due) {
		d := c.due[c.dueAt]
		call := d.call
		if !call.done && j.now-d.t < j.opt.Limit {
			break
		}
		c.dueAt++
		if call.done {
			j.free = append(j.free, call) // nothing refers to it any more
			continue
		}
		if call.given || call.timedOut || call.overdue || call.method == listen {
			continue
		}
		if limit := j.limitOf(call); j.now-call.alive < limit {
			// When the common limit after this time has passed, its own has.
			c.due = append(c.due, deadline{call.alive + limit - j.opt.Limit, call}) // looked at a little late, at worst
			continue
		}
		call.overdue, call.overdueAt = true, spot{index: j.next, seq: j.f.Seq, conn: c.n}
		j.unanswered(call, call.overdueAt, "for more than "+seconds(j.limitOf(call)))
	}
	switch {
	case c.dueAt == len(c.due):
		c.due, c.dueAt = c.due[:0], 0
	case c.dueAt > 1024 && c.dueAt*2 > len(c.due):
		c.due = append(c.due[:0], c.due[c.dueAt:]...)
		c.dueAt = 0
	}
}

func (j *Judge) unanswered(call *call, at spot, howLong string) {
	if f := j.found(rpcUnanswered, at, call.about(), call.name); f != nil {
		f.Message = fmt.Sprintf("%s had no answer %s; every request gets one.", call.called(), howLong)
		f.Expected = "an answer with id " + cut(call.id, 60)
		f.Seen = "none"
	}
}

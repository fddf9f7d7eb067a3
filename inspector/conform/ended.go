package conform

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

type end struct {
	id     string
	th     thing
	reason string
}

// ends are the records in ended.
func (j *Judge) ends(m *message) []end {
	t := j.tree
	list := t.Get(m.Result, "ended")
	if !t.isArray(list) {
		return nil
	}
	var out []end
	for v := t.First(list); v != 0; v = t.Next(v) {
		id := j.idKey(t.Get(v, "id"))
		if id == "" || id == "null" || !t.isObject(v) {
			continue
		}
		out = append(out, end{
			id: id, reason: t.memberStr(v, "reason"),
			th: thing{toolset: t.memberStr(v, "toolset"), instance: t.memberStr(v, "instance")},
		})
	}
	return out
}

// session is what outlives a connection.
type session struct {
	ends    map[string]end    // by id; of a process, with its connection
	digests map[uint64]string // of manifests, by their bytes
	hinted  bool              // toolHints was agreed on, on some connection
}

// maxEnds is how many ids of ends are remembered.
const maxEnds = 1 << 14

func newSession() session { return session{ends: map[string]end{}, digests: map[uint64]string{}} }

// idReused: an id stands for one end alone. A process may start again from
// the beginning.
func (j *Judge) idReused(c *conn, ends []end, at spot) {
	for _, e := range ends {
		k := cut(e.id, maxName)
		if !c.network {
			k = strconv.Itoa(c.n) + " " + k
		}
		e.reason, e.th = cut(e.reason, maxName), e.th.cut()
		was, known := j.session.ends[k]
		if !known {
			if len(j.session.ends) < maxEnds {
				j.session.ends[k] = e
			}
			continue
		}
		if was.th == e.th && was.reason == e.reason {
			continue
		}
		if f := j.found(endedIDReused, at, e.th, e.id); f != nil {
			f.Message = fmt.Sprintf("The ended id %s stood for %s (%s), and now for %s (%s).", cut(e.id, 64), was.th.words(), orNone(was.reason), e.th.words(), orNone(e.reason))
			f.Expected = "an id of its own"
			f.Seen = `"id":` + cut(e.id, 64)
		}
	}
}

// endedKept is how long a record of an end is surely kept: about an hour.
const endedKept = 50 * time.Minute

// unexplained: an instance that was open before a reconnect is open still, or
// its end is recorded.
func (j *Judge) unexplained(c *conn, m *message, ends []end, at spot) {
	prev := j.previous(c)
	if prev == nil || prev.doubt || j.now-prev.lastT > endedKept || c.doubt {
		return
	}
	view := j.state.View(prev.n)
	if !view.Negotiated() || view.Held() > 0 {
		return
	}
	open := setOf(j.openItems(m))
	for toolset, instance := range view.EachOpen {
		th := thing{toolset: toolset, instance: instance}
		if instance == "" || open[th] || c.endedHere[th] || !j.view.HasInstances(toolset) || prev.mayHaveClosed(th) || c.mayHaveClosed(th) {
			continue
		}
		if slices.ContainsFunc(ends, func(e end) bool { return e.th == th }) {
			continue
		}
		if f := j.found(endedUnexplained, at, th, ""); f != nil {
			f.Message = fmt.Sprintf("%s was open when connection %d ended; now it is neither in open nor in ended.", f.thing(), prev.n)
			f.Expected = f.thing() + " in open or in ended"
			f.Seen = quote(j.tree.Raw(m.Result))
		}
	}
}

// previous returns the connection that was there last before this one began,
// of those that read the lists; nil where another goes on beside it: what is
// closed there is asked for.
func (j *Judge) previous(c *conn) *conn {
	var last *conn
	for n := c.n - 1; n > 0 && n > c.n-1000; n-- {
		o := j.conns[n]
		switch {
		case o == nil || o.begun < 0:
		case o.lastIndex > c.firstIndex, o.states == 0 && o.mayHaveClosedAny():
			return nil
		case o.states == 0:
		case last == nil || o.lastIndex > last.lastIndex:
			last = o
		}
	}
	return last
}

// closesFirst notes what a message closes before the first toolsets/list.
func (j *Judge) closesFirst(c *conn, m *message) {
	if m.Kind == wire.Error || m.carried == 0 && (m.call == nil || m.call.method != toolsetsClose) {
		return
	}
	for _, th := range j.closes(m) {
		if c.endedHere == nil {
			c.endedHere = map[thing]bool{}
		}
		if len(c.endedHere) < maxRecent {
			c.endedHere[th] = true
		}
	}
}

// mayHaveClosedAny reports whether something may have ended on a connection
// that has not read the lists.
func (c *conn) mayHaveClosedAny() bool {
	for call := range c.calls.each {
		if call.method == toolsetsClose || call.method == toolsCall {
			return true
		}
	}
	return len(c.endedHere) > 0
}

// mayHaveClosed reports whether a request of the host that was never answered
// may have ended the instance.
func (c *conn) mayHaveClosed(th thing) bool {
	for call := range c.calls.each {
		if (call.method == toolsetsClose || call.method == toolsCall) && call.toolset == th.toolset &&
			(call.instance == "" || call.instance == th.instance) {
			return true
		}
	}
	return false
}

package timeline

import (
	"slices"
	"time"
)

// carried is a message that carries hints, or the effect of a result that
// goes with them.
type carried struct {
	carrier   Carrier
	raw       []byte // the hints; nil where the message carries none
	cause     Call
	duplicate bool            // a push whose eventId was seen: its hints count as empty
	effect    func(By, *conn) // what the result does besides its hints, nil: nothing
}

// heldMsg is a message that waits for earlier revs (toolhints.md §7).
type heldMsg struct {
	rev int64
	t   time.Duration
	row int
	msg *carried // never changed once it is held
}

// result applies the result of a call, an open, a close or a list: its own
// effect, and the hints in it.
func (c *conn) result(st *step, r *request, carrier Carrier, effect func(By, *conn)) {
	if !st.read.carries() {
		if effect != nil {
			c.whole(st, func() { effect(st.by(0), c) })
		}
		return
	}
	st.msg = carried{carrier: carrier, raw: st.read.raw, cause: r.call(), effect: effect}
	c.carry(st)
}

// carry judges the rev of the message at hand, which carries hints, adds its
// row and applies it as state.md, "Revs", says: the first rule that fits.
func (c *conn) carry(st *step) {
	m, h := &st.msg, &st.read.hints
	n := st.s.rows
	status := c.judge(h.Rev, st.f.Ordered())
	st.s.rows++
	st.s.effects.Rows = append(st.s.effects.Rows, Row{
		N: n, Index: st.at.frame, Seq: st.f.Seq, Rev: h.Rev, RawRev: h.RawRev,
		Conn: c.n, T: st.f.T, Carrier: m.carrier, Taken: -1, Cause: m.cause, Status: m.shown(status),
	})
	switch status {
	case Applied, Gap:
		c.take(st, &heldMsg{h.Rev, st.f.T, n, m}, h, status)
		c.releaseNext(st)
	case Held:
		kept := *m
		kept.raw = slices.Clone(m.raw)
		i, _ := slices.BinarySearchFunc(c.held, h.Rev, func(a heldMsg, rev int64) int { return int(min(max(a.rev-rev, -1), 1)) })
		c.held = slices.Insert(c.held, i, heldMsg{h.Rev, st.f.T, n, &kept})
	default:
		c.applyEffectAlone(st, m)
	}
}

// shown returns the status of the message's row: a push whose eventId was
// seen says so (state.md, "Revs", 3 to 6), although its rev counts as any
// other.
func (m *carried) shown(s Status) Status {
	if m.duplicate && s != Ignored && s != BadRev {
		return DuplicateEvent
	}
	return s
}

// judge returns what becomes of a rev.
func (c *conn) judge(rev int64, ordered bool) Status {
	switch {
	case !c.negotiated():
		return Ignored
	case rev < 1:
		return BadRev
	case rev <= c.last:
		if c.inHole(rev) {
			return Stale
		}
		return Repeat
	case slices.ContainsFunc(c.held, func(m heldMsg) bool { return m.rev == rev }):
		return Repeat
	case rev == c.last+1:
		return Applied
	case ordered:
		return Gap
	default:
		return Held
	}
}

func (c *conn) inHole(rev int64) bool {
	return slices.ContainsFunc(c.holes, func(h span) bool { return h.from <= rev && rev <= h.to })
}

// maxHoles bounds the memory for what a broken server leaves out; the oldest
// holes grow together, so that their revs stay stale.
const maxHoles = 1024

// take applies a message under its rev.
func (c *conn) take(st *step, m *heldMsg, h *hints, status Status) {
	if m.rev > c.last+1 {
		c.holes = append(c.holes, span{c.last + 1, m.rev - 1})
		if len(c.holes) > maxHoles {
			c.holes[1].from = c.holes[0].from
			c.holes = slices.Delete(c.holes, 0, 1)
		}
		st.s.effects.Gap = true
	}
	c.last = m.rev
	by := st.by(m.rev)
	c.journal.begin()
	if m.msg.effect != nil {
		m.msg.effect(by, c)
	}
	var dropped []Dropped
	if !m.msg.duplicate {
		dropped = c.apply(by, h, m.msg.carrier == CarrierList)
	}
	changes := st.changes(c, by)
	c.settle(st, m, status, changes, dropped)
	if st.s.applied != nil {
		st.s.applied(c, m.rev)
	}
}

// changes ends the journal and returns the changes, in memory that is used
// again for the next frame.
func (st *step) changes(c *conn, by By) []Change {
	from := len(st.s.arena)
	st.s.arena = c.journal.end(c, by, st.s.arena)
	to := len(st.s.arena)
	return st.s.arena[from:to:to]
}

func (c *conn) settle(st *step, m *heldMsg, status Status, changes []Change, dropped []Dropped) {
	st.s.effects.turns = append(st.s.effects.turns, turn{m.row, changes})
	st.s.effects.Settled = append(st.s.effects.Settled, Settled{
		N: m.row, Conn: c.n, Rev: m.rev, Carrier: m.msg.carrier, Status: m.msg.shown(status),
		Changes: changes, Dropped: dropped, raw: m.msg.raw,
	})
}

// applyEffectAlone is for a result whose hints are not applied: what was
// opened or closed by it still was.
func (c *conn) applyEffectAlone(st *step, m *carried) {
	if m.effect == nil {
		return
	}
	c.journal.begin()
	m.effect(st.by(0), c)
	changes := st.changes(c, st.by(0))
	if len(changes) > 0 && c.negotiated() {
		e := &st.s.effects
		r := &e.Rows[len(e.Rows)-1]
		e.turns = append(e.turns, turn{r.N, changes})
		r.Changes = changes
		r.Counts = count(changes)
	}
}

// releaseNext applies what is held as far as it follows without a hole.
func (c *conn) releaseNext(st *step) {
	for len(c.held) > 0 && c.held[0].rev == c.last+1 {
		m := c.held[0]
		c.held = slices.Delete(c.held, 0, 1)
		st.s.hints.Decode(m.msg.raw)
		c.take(st, &m, &st.s.hints, Held)
	}
}

// releaseAll applies all that is held, the time being over: in rev order, and
// each that follows a hole is a gap.
func (c *conn) releaseAll(st *step) {
	for len(c.held) > 0 {
		m := c.held[0]
		c.held = slices.Delete(c.held, 0, 1)
		status := Held
		if m.rev > c.last+1 {
			status = Gap
		}
		st.s.hints.Decode(m.msg.raw)
		c.take(st, &m, &st.s.hints, status)
	}
}

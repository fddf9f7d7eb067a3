package conform

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

var (
	revGap = &Rule{
		ID: "rev-gap", Level: Error, whole: true, perConn: true,
		Meaning: "Revs are 1, 2, 3, … without holes on each connection.",
		Source:  "toolhints.md §7, “per connection, 1, 2, 3, … without holes”",
		Mend:    "Take the rev, and send the message that carries it, under one lock; send none that is then dropped. Hints stand in the _meta[“mcpl/hints”] of a result, in params.hints of a push, or are the params of tools/hints: elsewhere they are not read.",
	}
	revStart = &Rule{
		ID: "rev-start", Level: Error, whole: true, perConn: true,
		Meaning: "The first rev of a connection is 1.",
		Source:  "toolhints.md §7, “per connection, 1, 2, 3, …”",
		Mend:    "Count revs for each connection by itself, from 1.",
	}
	revReversal = &Rule{
		ID: "rev-reversal", Level: Error, whole: true, perConn: true,
		Meaning: "On an ordered transport revs arrive in rev order; one that was passed is ignored.",
		Source:  "toolhints.md §7, “A rev already passed is ignored”",
		Mend:    "Take the rev and queue the message under one lock, so that no message overtakes another.",
	}
	revRepeat = &Rule{
		ID: "rev-repeat", Level: Error, perConn: true,
		Meaning: "Every message that carries changes takes a rev of its own.",
		Also:    "info where the same bytes came again on HTTP: a stream that was resumed",
		Source:  "toolhints.md §7, “Every message that carries changes takes the next rev”",
		Mend:    "Take the next rev for each message that carries hints.",
	}
	revInvalid = &Rule{
		ID: "rev-invalid", Level: Error, perConn: true,
		Meaning: "A message that carries hints has a rev: an integer from 1.",
		Source:  "toolhints.md §7, HintChanges",
		Mend:    `Give the hints a "rev", a number and not a string: the last one and 1.`,
	}
	revHeld = &Rule{
		ID: "rev-held", Level: Info, perConn: true,
		Meaning: "On HTTP a rev that comes early is held for the missing ones, then applied in its place.",
		Source:  "toolhints.md §7, “held briefly”",
		Mend:    "Nothing is wrong: the streams of HTTP overtake each other.",
	}
	revListMismatch = &Rule{
		ID: "rev-list-mismatch", Level: Error, whole: true, perConn: true,
		Meaning: "The mcpl/rev of tools/list is the last rev taken; on an ordered transport that is the last one that arrived.",
		Also:    "info where it is lower",
		Source:  "toolhints.md §3, “the last rev taken. It takes no rev itself”",
		Mend:    "Put the counter as it is into mcpl/rev, and write the result behind every message that has taken a rev.",
	}
)

var revRules = []*Rule{revGap, revStart, revReversal, revRepeat, revInvalid, revHeld, revListMismatch}

// held is what is to be known of a message once its rev is applied.
type held struct {
	at      spot
	carrier timeline.Carrier
	closes  []thing // what its own entries, or its request, close
	again   bool    // a push that came before: its rev counts, and nothing else
}

// claim is a rev that tools/list named and that had not arrived.
type claim struct {
	rev  int64
	at   spot
	list string // key of the finding
}

// revs judges what became of the revs of a frame: the rows that it added, and
// those that took effect.
func (j *Judge) revs(c *conn, e *timeline.Effects, at spot) {
	fresh := -1
	for i := range e.Rows {
		r := &e.Rows[i]
		if fresh < 0 {
			fresh = r.N
		}
		m := j.messageOf(r)
		j.status(c, r, m)
		if r.Status <= timeline.Gap || r.Status == timeline.DuplicateEvent {
			c.top = max(c.top, r.Rev)
		}
		if r.Status == timeline.Held || r.Status == timeline.DuplicateEvent && !settledNow(e, r.N) {
			j.hold(c, r, m)
		}
	}
	last := j.revBefore
	for i := range e.Settled {
		s := &e.Settled[i]
		var h held
		was := false
		if len(c.held) > 0 {
			h, was = c.held[s.N]
		}
		switch {
		case was:
			delete(c.held, s.N)
			if !h.again && (s.Status == timeline.Held || s.Status == timeline.Applied) {
				j.heldRev(h.at)
			}
		case s.N >= fresh && fresh >= 0:
			r := &e.Rows[s.N-fresh]
			h = held{at: at.withRev(s.Rev), carrier: r.Carrier}
		default:
			continue
		}
		if s.Rev > last+1 {
			j.hole(c, h.at, last, !was && !j.unordered())
		}
		if c.claimed != nil && s.Rev >= c.claimed.rev {
			c.claimed = nil
		}
		last = s.Rev
		j.settled(c, s, h, was)
	}
	for i := range e.Rows {
		j.track(c, e.Rows[i].Changes)
	}
}

// messageOf returns the message of a row of this frame, nil where it is not
// known.
func (j *Judge) messageOf(r *timeline.Row) *message {
	for i := range j.msgs {
		if j.msgs[i].row == r {
			return &j.msgs[i]
		}
	}
	return nil
}

// status judges a rev by what the state says of it.
func (j *Judge) status(c *conn, r *timeline.Row, m *message) {
	at := spot{index: r.Index, seq: r.Seq, conn: r.Conn, rev: r.Rev}
	again := m != nil && m.again
	switch r.Status {
	case timeline.Ignored:
		j.notNegotiated(c, r, at)
		c.unreadRev(r.Rev)
	case timeline.BadRev:
		j.badRev(r, m, at)
	case timeline.Stale:
		if !again && !j.unordered() {
			j.reversal(r, at)
		}
	case timeline.Repeat:
		if m != nil && r.Carrier == timeline.CarrierPush && j.state.EventSeen(r.Conn, j.tree.Raw(m.EventID)) {
			j.retried(r, again, at)
		} else {
			j.repeat(r, again, at)
		}
	case timeline.DuplicateEvent:
		j.retried(r, again, at)
	}
}

// settledNow reports whether a row takes effect with the frame that added it.
func settledNow(e *timeline.Effects, n int) bool {
	return slices.ContainsFunc(e.Settled, func(s timeline.Settled) bool { return s.N == n })
}

// hold notes what is to be known of a row whose time has not come.
func (j *Judge) hold(c *conn, r *timeline.Row, m *message) {
	h := held{
		at:      spot{index: r.Index, seq: r.Seq, conn: r.Conn, rev: r.Rev},
		carrier: r.Carrier, again: r.Status == timeline.DuplicateEvent,
	}
	if m != nil {
		h.closes = j.closes(m)
	}
	if c.held == nil {
		c.held = map[int]held{}
	}
	c.held[r.N] = h
}

// hole: revs between last and the one at this spot never came.
func (j *Judge) hole(c *conn, at spot, last int64, ordered bool) {
	c.gaps, c.doubt = true, true
	from, to := last+1, at.rev-1
	if k := c.claimed; k != nil && k.rev >= from && k.rev <= to {
		// What tools/list named is what was lost: one cause, one finding.
		j.store.take(revListMismatch, Error, k.at, thing{}, k.list)
	}
	if c.explained(from, to) {
		return
	}
	lost := "rev " + strconv.FormatInt(from, 10)
	if to > from {
		lost = fmt.Sprintf("revs %d to %d", from, to)
	}
	rule, extra := revGap, strconv.FormatInt(from, 10)
	if last == 0 && ordered {
		rule = revStart
	}
	f := j.found(rule, at, thing{}, extra)
	if f == nil {
		return
	}
	f.Seen, f.Expected = fmt.Sprintf(`"rev":%d`, at.rev), fmt.Sprintf(`"rev":%d`, from)
	if rule == revStart {
		f.Message = fmt.Sprintf("The first rev of connection %d is 1, and rev %d came.", at.conn, at.rev)
		return
	}
	if last == 0 {
		f.Message = fmt.Sprintf("The first rev is 1, and rev %d came; %s never did.", at.rev, lost)
		return
	}
	f.Message = fmt.Sprintf("Revs have no holes: after rev %d comes rev %d, and rev %d came; %s never did.", last, from, at.rev, lost)
}

// unreadRev notes the rev of a message that was not applied for a reason that
// is found, or sound, by itself.
func (c *conn) unreadRev(rev int64) {
	if len(c.unread) < maxThings {
		c.unread = append(c.unread, rev)
	}
}

// explained reports whether all revs of a hole stood in messages that could
// not be read, or were ignored.
func (c *conn) explained(from, to int64) bool {
	if to-from >= int64(len(c.unread)) {
		return false
	}
	for rev := from; rev <= to; rev++ {
		if !slices.Contains(c.unread, rev) {
			return false
		}
	}
	return true
}

func (j *Judge) reversal(r *timeline.Row, at spot) {
	if f := j.found(revReversal, at, thing{}, strconv.FormatInt(r.Rev, 10)); f != nil {
		f.Message = fmt.Sprintf("Rev %d arrived after rev %d; on an ordered transport it is passed, and its hints were ignored.", r.Rev, j.view.LastRev())
		f.Expected = fmt.Sprintf("rev %d before rev %d", r.Rev, r.Rev+1)
		f.Seen = fmt.Sprintf(`"rev":%d`, r.Rev)
	}
}

func (j *Judge) repeat(r *timeline.Row, again bool, at spot) {
	level := Error
	if again && j.unordered() {
		level = Info
	}
	f := j.foundAs(revRepeat, level, at, thing{}, strconv.FormatInt(r.Rev, 10))
	if f == nil {
		return
	}
	f.Seen = fmt.Sprintf(`"rev":%d`, r.Rev)
	if level == Info {
		f.Message = fmt.Sprintf("The message with rev %d came again, byte for byte: a stream was resumed. It was applied once.", r.Rev)
		return
	}
	f.Message = fmt.Sprintf("Rev %d came a second time, with %s; each message takes a rev of its own, so these hints were ignored.", r.Rev, carrierWords(r.Carrier))
	f.Expected = fmt.Sprintf(`"rev":%d`, max(j.view.LastRev(), j.conn(r.Conn).top)+1)
}

func carrierWords(c timeline.Carrier) string {
	switch c {
	case timeline.CarrierCall:
		return "the result of a call"
	case timeline.CarrierOpen:
		return "the result of toolsets/open"
	case timeline.CarrierClose:
		return "the result of toolsets/close"
	case timeline.CarrierList:
		return "the result of toolsets/list"
	case timeline.CarrierPush:
		return "push/event"
	}
	return "tools/hints"
}

// badRev is for hints without a rev that can be read.
func (j *Judge) badRev(r *timeline.Row, m *message, at spot) {
	if m != nil && m.carried != 0 && !j.tree.isObject(m.carried) {
		j.malformed(at, Error, thing{}, "the hints are no object", j.tree.Raw(m.carried))
		return
	}
	if r.Carrier == timeline.CarrierList && r.RawRev == nil {
		return // toolsets-list-no-hints
	}
	seen := "none"
	if r.RawRev != nil {
		seen = cut(string(r.RawRev), 60)
	}
	if f := j.found(revInvalid, at, thing{}, seen); f != nil {
		f.Message = fmt.Sprintf("The hints of %s need a rev, an integer from 1; they have %s, so they were ignored.", carrierWords(r.Carrier), seen)
		f.Expected = fmt.Sprintf(`"rev":%d`, max(j.view.LastRev(), j.conn(r.Conn).top)+1)
		if r.RawRev != nil {
			f.Seen = `"rev":` + seen
		} else if m != nil {
			f.Seen = quote(j.tree.Raw(m.carried))
		}
	}
}

func (j *Judge) heldRev(at spot) {
	if f := j.found(revHeld, at, thing{}, ""); f != nil {
		f.Message = fmt.Sprintf("Rev %d came before an earlier one; it was held until that had come, and applied in its place.", at.rev)
	}
}

// listRev judges the mcpl/rev of the first page of tools/list.
func (j *Judge) listRev(c *conn, m *message, at spot) {
	raw := j.tree.Raw(j.tree.path(m.Result, "_meta", mcpl.MetaRev))
	if raw == nil || m.call.cursor != "" || j.unordered() || !j.view.Negotiated() || len(j.msgs) > 1 {
		return
	}
	rev, last := mcpl.DecodeRev(raw), j.revBefore
	level := Error
	switch {
	case rev < last:
		level = Info
	case rev == last || c.explained(last+1, rev):
		return
	}
	at.rev = rev
	if rev == 0 {
		at.rev = last
	}
	extra := strconv.FormatInt(rev, 10)
	if level == Error {
		c.claimed = &claim{rev: rev, at: at, list: extra}
		c.doubt = true
	}
	f := j.foundAs(revListMismatch, level, at, thing{}, extra)
	if f == nil {
		return
	}
	f.Expected = fmt.Sprintf(`"mcpl/rev":%d`, last)
	f.Seen = `"mcpl/rev":` + cut(string(raw), 60)
	f.Message = fmt.Sprintf("tools/list says that rev %d was taken, and the last that arrived is %d.", rev, last)
	if level == Info {
		f.Message = fmt.Sprintf("tools/list speaks of rev %d, and rev %d had arrived before it: the list is older than what the host knows.", rev, last)
	}
}

package conform

import (
	"bytes"
	"slices"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Options say what is known of a session beyond its frames.
type Options struct {
	// Limit is how long a request may take, 0: 30 s (rules.md, rpc-unanswered).
	Limit time.Duration
	// Skipped is how many lines of the recording could not be read.
	Skipped int
	// Cut tells that the recording ends in the middle of a line.
	Cut bool
}

// DefaultLimit is how long a request may go without an answer.
const DefaultLimit = 30 * time.Second

// grace is how long something may still be on its way on another stream, or
// may follow what it explains (rules.md).
const grace = 2 * time.Second

// Judge finds what breaks a rule, frame by frame, beside a State: Before looks
// at a frame and at the state that it meets, After at the state that it
// leaves. It is for one goroutine.
type Judge struct {
	opt   Options
	store store
	lost  bool // a note said that frames were lost
	parts int  // frames that were judged in part

	conns   map[int]*conn
	last    *conn
	next    int // position of the next frame
	now     time.Duration
	pending []pending // what a later frame may explain

	// The frame that is being judged.
	f         *wire.Frame
	peeked    wire.Head // of its message, and what the state wants to know of it
	reading   timeline.Reading
	ahead     *timeline.Reading // the same, or what was read ahead, nil: neither
	parsed    bool              // its body is in tree
	tree      *tree             // that of own, below, or one that was read ahead
	own       reader
	msgs      []message
	state     *timeline.State
	view      timeline.View
	revBefore int64 // the last rev applied before it

	names   map[string]string
	free    []*call // answered ones, to be used again
	session session
	schemas schemas
	head    *timeline.HeadMeter
	changes []HeadChange // of the head, the first ones
}

// New returns a judge that has seen nothing yet.
func New(opt Options) *Judge {
	if opt.Limit <= 0 {
		opt.Limit = DefaultLimit
	}
	j := &Judge{
		opt: opt, store: newStore(), conns: map[int]*conn{}, names: map[string]string{},
		session: newSession(), schemas: newSchemas(), head: timeline.NewHeadMeter(),
	}
	j.tree = &j.own.tree
	return j
}

// message is one message of the frame.
type message struct {
	*outline
	call  *call // the request that it answers, nil: none is open
	again bool  // these bytes came before, on HTTP

	carried value // the hints that it carries, 0: none
	row     *timeline.Row
	// What the state said before the message: whether it could be relied on,
	// and whether what toolsets/open or /close speaks of was open.
	wasSure, wasOpen bool
	sets             *listed // of toolsets/list
}

// listed is how a toolsets/list result differs from the state before it.
type listed struct {
	missing  []thing  // open so far, and not named
	returned []thing  // closed so far, and named
	defaults []string // open by default, and not named by the first list
}

// Before looks at the next frame, and at the state before it. f must stay as
// it is until the next call. What the state wants to know of a message is read
// on the way, since it has been taken apart already: f is given its head, and
// the rest is returned, nil for what is no single message.
func (j *Judge) Before(f *wire.Frame, s *timeline.State) *timeline.Reading {
	j.before(f, s, nil)
	t := j.tree
	if !j.parsed || t.Cut || f.Form != wire.Msg || !t.isObject(t.Root()) {
		return nil
	}
	if f.Head() == nil {
		t.Peek(&j.peeked)
		f.Peek(&j.peeked)
	}
	j.reading.ReadOutlined(f.Head(), t.outlined())
	j.ahead = &j.reading
	return j.ahead
}

// before is Before for a frame whose body may have been read ahead; ahead is
// nil where it was not.
func (j *Judge) before(f *wire.Frame, s *timeline.State, ahead *tree) {
	j.f, j.now, j.state = f, f.T, s
	j.msgs, j.parsed, j.ahead = j.msgs[:0], false, nil
	c := j.conn(f.Conn)
	j.view = s.View(f.Conn)
	j.revBefore = j.view.LastRev()
	if c.dueAt < len(c.due) {
		j.overdue(c)
	}
	if len(j.pending) > 0 {
		j.settlePending(false)
	}
	if !f.IsMessage() {
		return
	}
	c.meet(f)
	if j.parsed = j.read(f, c, ahead); !j.parsed {
		return
	}
	if j.tree.Cut {
		j.parts++
	}
	if t := j.tree; t.batch {
		for v := t.First(t.Root()); v != 0; v = t.Next(v) {
			m, o := t.Message(v), &outline{}
			t.outline(&m, o)
			j.msgs = append(j.msgs, message{outline: o})
		}
		if len(j.msgs) == 0 {
			j.invalid(j.here(), sender(f), "an empty batch", f.Body)
		}
	} else {
		j.msgs = append(j.msgs, message{outline: &t.top})
	}
	for i := range j.msgs {
		j.meet(c, &j.msgs[i])
	}
}

// After looks at the state after the frame, and at what the frame did to it.
func (j *Judge) After(s *timeline.State, e *timeline.Effects) {
	c := j.conn(j.f.Conn)
	c.lastT, c.lastIndex = j.now, j.next
	j.view = s.View(j.f.Conn)
	at := j.here()
	switch j.f.Dir {
	case wire.Note:
		j.note(c, at)
	case wire.Err:
		j.stderr(at)
	case wire.Out:
		for i := range j.msgs {
			j.sent(c, &j.msgs[i], at)
		}
	case wire.In:
		j.pairRows(c, e)
		for i := range j.msgs {
			j.received(c, &j.msgs[i], at)
		}
	}
	if len(e.Rows) > 0 || len(e.Settled) > 0 {
		j.revs(c, e, at)
	}
	if len(e.Changes) > 0 && !j.brings(fetchManifest, initialize) {
		j.track(c, e.Changes)
	}
	if ch := j.head.After(j.next, j.f, s, e); ch != nil {
		j.rebuilt(c, ch, at)
	}
	if j.parsed && j.tree.odd {
		j.bytesOf(at)
	}
	if len(c.suspects)+len(c.awaited) > 0 {
		j.acquit(c)
	}
	j.next++
}

// brings reports whether a message of the frame answers one of the requests.
func (j *Judge) brings(methods ...method) bool {
	return slices.ContainsFunc(j.msgs, func(m message) bool {
		return m.call != nil && slices.Contains(methods, m.call.method)
	})
}

func (j *Judge) here() spot { return spot{index: j.next, seq: j.f.Seq, conn: j.f.Conn} }

// meet notes what the state says before the message.
func (j *Judge) meet(c *conn, m *message) {
	if j.f.Dir != wire.In || m.Kind != wire.Result && m.Kind != wire.Error {
		return
	}
	if m.call = j.callOf(c, m.ID); m.call == nil || m.Kind == wire.Error {
		return
	}
	switch m.call.method {
	case toolsetsOpen, toolsetsClose:
		m.wasSure, m.wasOpen = j.sure(c), j.isOpenFor(m.call)
	case toolsetsList:
		m.sets = &listed{}
		j.compareOpen(c, m)
	}
}

// pairRows finds the row of each message that carries hints (rows stand in
// the order of the messages), and whether the same bytes came before. Where
// hints are not applied, the state is in doubt from now on.
func (j *Judge) pairRows(c *conn, e *timeline.Effects) {
	n := 0
	for i := range j.msgs {
		m := &j.msgs[i]
		m.carried = j.hintsOf(m)
		carries := m.carried != 0 || m.standalone()
		if j.unordered() && (carries || m.Kind == wire.Result || m.Kind == wire.Error) {
			m.again = c.again(j.tree.Raw(m.Root))
		}
		if !carries || n == len(e.Rows) {
			continue
		}
		m.row = &e.Rows[n]
		n++
		switch m.row.Status {
		case timeline.Gap, timeline.BadRev:
			c.doubt = true
		case timeline.Stale, timeline.Repeat, timeline.DuplicateEvent:
			c.doubt = c.doubt || !m.again
		}
	}
	c.doubt = c.doubt || e.Gap
}

func (m *message) standalone() bool { return m.method == toolsHints }

// hintsOf returns the hints of a message, 0 where it carries none
// (toolhints.md §7).
func (j *Judge) hintsOf(m *message) value {
	var h value
	switch {
	case m.method == toolsHints:
		return m.Params
	case m.method == pushEvent, m.Kind == wire.Result && m.call != nil && m.call.method.carries():
		h = m.Hints
	}
	return j.tree.notNull(h)
}

// found counts a finding at its usual level.
func (j *Judge) found(r *Rule, at spot, th thing, extra string) *Finding {
	return j.foundAs(r, r.Level, at, th, extra)
}

// foundAs counts a finding. It returns it where it is new, to be put in
// words, and nil where it is known, or cannot be told from a recording that
// is not whole.
func (j *Judge) foundAs(r *Rule, level Level, at spot, th thing, extra string) *Finding {
	if r.whole && !j.conn(at.conn).greeted {
		return nil
	}
	return j.store.add(r, level, at, th, extra)
}

// callOf returns the open request of the host with that id, nil for none.
func (j *Judge) callOf(c *conn, id value) *call {
	call, _ := c.calls.get(j.keyOf(id))
	return call
}

// keyOf is idKey without a copy, where the id is its own key.
func (j *Judge) keyOf(id value) []byte {
	raw := j.tree.Raw(id)
	if plainID(raw) {
		return raw
	}
	return []byte(wire.ID(raw).Key())
}

// plainID reports whether an id is its own key: a whole number, or a string
// without escapes.
func plainID(raw []byte) bool {
	if len(raw) == 0 || raw[0] == '0' {
		return false
	}
	if raw[0] == '"' {
		return bytes.IndexByte(raw, '\\') < 0
	}
	for _, c := range raw {
		if c-'0' > 9 {
			return false
		}
	}
	return true
}

// idKey is the form of an id in which two ids are equal exactly if type and
// value are.
func (j *Judge) idKey(id value) string { return wire.ID(j.tree.Raw(id)).Key() }

// unordered reports whether the frame came on one of several streams, so that
// others may overtake it.
func (j *Judge) unordered() bool { return !j.f.Ordered() }

// read parses the frame's body and says what is wrong with its bytes. A frame
// that is no message gives false.
func (j *Judge) read(f *wire.Frame, c *conn, ahead *tree) bool {
	body := f.Body
	switch {
	case ahead != nil:
		j.tree = ahead
		return true
	case len(body) == 0 || body[0] <= ' ' && len(bytes.TrimLeft(body, blanks)) == 0:
		return false
	case f.Form == wire.Msg || f.Form == wire.Text:
		if _, ok := j.own.parse(body); ok {
			j.tree.look()
			return true
		}
	}
	if !answersPost(f) {
		return false
	}
	j.unreadable(f, c)
	return false
}

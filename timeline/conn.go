package timeline

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// conn is the state of one connection.
type conn struct {
	n      int
	frames int
	link   Link
	limit  time.Duration // of requests from now on, 0: no note says so
	// What the handshake still owes, known from the initialize result.
	expectLists, expectToolsets bool

	server     mcpl.Implementation
	protocol   string
	hostHints  bool
	mode       Mode
	manifest   *mcpl.Manifest
	manifestAt int

	last  int64
	holes []span    // revs below last that never came, ascending
	held  []heldMsg // ascending by rev

	tools    []*tool // in list order
	byName   map[string]*tool
	listings map[string]*listing // tools/list half read, by the cursor that goes on
	listAt   int
	sets     map[string]*set // none is ever taken out
	recent   *set            // the one that was asked for last
	asked    [8]*tool        // some that were asked for before, by their name
	groups   int             // undeclared groups listed so far, for their order
	ended    []Ended
	gone     []Ended // closed by entries of hints that no close asked for
	suggest  []Suggestion

	calls     map[string]openCall // requests of the host without answer, by id
	asks      map[string]openCall // requests of the server without answer
	inquiries []inquiry           // answers that ask for input
	journal   journal

	history *history // of the session
	past    *connHistory
}

// openCall is a request that is not answered.
type openCall struct {
	request                     *request
	cancelled, timedOut, failed bool
	heldBack                    bool
	limit                       time.Duration // 0: no note says another one
}

type span struct{ from, to int64 }

func newConn(n int, h *history) *conn {
	return &conn{
		n: n, manifestAt: -1, listAt: -1, byName: map[string]*tool{}, sets: map[string]*set{},
		calls: map[string]openCall{}, asks: map[string]openCall{}, link: Link{LastErr: -1},
		history: h, past: h.of(n),
	}
}

func (c *conn) clone() *conn {
	d := *c
	d.link.Steps = slices.Clone(c.link.Steps)
	d.link.Changed = slices.Clip(c.link.Changed)
	d.holes, d.held = slices.Clone(c.holes), slices.Clone(c.held)
	d.tools, d.byName = make([]*tool, len(c.tools)), make(map[string]*tool, len(c.tools))
	for i, t := range c.tools {
		copied := *t
		d.tools[i], d.byName[t.name] = &copied, &copied
	}
	d.listings = make(map[string]*listing, len(c.listings))
	for k, l := range c.listings {
		copied := *l
		copied.tools = slices.Clip(l.tools)
		d.listings[k] = &copied
	}
	d.sets = make(map[string]*set, len(c.sets))
	for k, s := range c.sets {
		d.sets[k] = s.clone()
	}
	d.ended, d.gone, d.suggest = slices.Clone(c.ended), slices.Clone(c.gone), slices.Clone(c.suggest)
	d.calls, d.asks = maps.Clone(c.calls), maps.Clone(c.asks)
	d.journal, d.recent, d.asked = journal{}, nil, [8]*tool{}
	return &d
}

// negotiated: both sides said toolHints (toolhints.md §2).
func (c *conn) negotiated() bool {
	return c.hostHints && c.manifest != nil && c.manifest.ToolHints
}

// step is the frame, and the message within it, that is being applied.
type step struct {
	s    *State
	f    *wire.Frame
	at   place
	head *wire.Head
	own  wire.Head // where head points, if the frame does not know it
	msg  carried   // the hints that are being applied
	read *Reading
}

func (st *step) by(rev int64) By { return By{Rev: rev, Index: st.at.frame} }

// frame reduces one frame of the connection.
func (c *conn) frame(s *State) {
	st, f := &s.step, s.step.f
	st.s, st.at = s, place{frame: s.next}
	if c.frames == 0 {
		c.link.Started = f.T
		st.mark(ConnBegan, c, nil)
	}
	c.frames++
	if len(c.held) > 0 && f.T >= c.oldestHeld()+holdTime {
		c.releaseAll(st)
	}
	switch f.Dir {
	case wire.Note:
		c.note(st)
	case wire.Err:
		c.link.Stderr++
		c.link.LastErr = st.at.frame
	case wire.Out, wire.In:
		if st.head = f.Head(); st.head != nil && f.Form == wire.Msg {
			c.one(st)
			return
		}
		for h := range f.Messages {
			st.own = h
			st.head = &st.own
			c.one(st)
		}
	}
}

// one reduces one message of the frame.
func (c *conn) one(st *step) {
	s := st.s
	if st.read = s.ahead; st.read == nil {
		st.read = &s.reading
		st.read.Read(st.head)
	}
	if st.at.message == 0 {
		s.effects.Kind = st.head.Kind
	}
	c.message(st)
	st.at.message++
}

func (c *conn) message(st *step) {
	switch h := st.head; {
	case st.f.Dir == wire.Out && h.Kind == wire.Request:
		c.request(st)
	case st.f.Dir == wire.Out && h.Kind == wire.Notification:
		c.hostNotification(st)
	case st.f.Dir == wire.Out && (h.Kind == wire.Result || h.Kind == wire.Error):
		if r := c.answered(st, false); r != nil {
			st.deal(c, r.method, r)
		}
	case st.f.Dir == wire.In && (h.Kind == wire.Result || h.Kind == wire.Error):
		if r := c.answered(st, true); r != nil {
			c.answer(st, r)
		}
	case st.f.Dir == wire.In && h.Method != "":
		c.fromServer(st)
	}
}

// request notes a request of either side.
func (c *conn) request(st *step) *request {
	out := st.f.Dir == wire.Out
	asked, open := &c.past.servers, c.asks
	if out {
		asked, open = &c.past.hosts, c.calls
	}
	key := st.head.ID.Key()
	r, last := asked.at(key, st.at)
	known := r != nil
	if !known {
		r = c.history.newRequest(st.at)
		c.fill(r, st)
		r.earlier = last
	}
	if key == string(r.id) {
		key = string(r.id) // which is no view
	} else {
		key = strings.Clone(key)
	}
	if !known {
		asked.put(key, r)
	}
	st.deal(c, st.head.Method, nil)
	open[key] = openCall{request: r, limit: c.limit}
	if !out {
		return r
	}
	if len(c.inquiries) > 0 {
		c.sentAgain(st, r)
	}
	c.markRequest(st)
	c.linkRequest(st)
	if st.head.Method == "initialize" {
		c.hostHints = string(wire.Path(st.head.Params, "capabilities", "experimental", "mcpl", "toolHints")) == "true"
	}
	return r
}

// answered finds the request that a result or error belongs to, nil where it
// belongs to none, and takes it from the open ones. An answer that comes a
// second time belongs to no request any more, so it changes nothing (state.md,
// "Messages"; rules.md, rpc-unknown-id); it is still shown beside its request.
// Requests that were cancelled or timed out stay open until they are answered.
func (c *conn) answered(st *step, in bool) *request {
	asked, open := &c.past.servers, c.asks
	if in {
		asked, open = &c.past.hosts, c.calls
	}
	key := st.head.ID.Key()
	r := asked.before(key, st.at)
	if r == nil {
		return nil
	}
	if st.s.effects.Pair < 0 {
		st.s.effects.Pair = int(r.frame)
	}
	if _, waits := open[key]; in && !waits {
		return nil
	}
	delete(open, key)
	return r
}

// answer applies a server's answer to a request of the host.
func (c *conn) answer(st *step, r *request) {
	c.markAnswer(st, r)
	c.linkAnswer(st, r)
	if (c.protocol == mcpl.ProtocolStateless || st.head.Kind == wire.Error) && c.inquires(st, r) {
		return // it is no end, and carries nothing
	}
	if !st.deal(c, r.method, r) && st.read.state != nil {
		st.mark(OnState, c, r)
	}
	if st.head.Kind == wire.Error {
		return
	}
	switch r.method {
	case "initialize":
		c.whole(st, func() { c.initialized(st) })
	case "server/discover":
		c.discovered(st, r)
	case "mcpl/manifest":
		if res := st.head.Result; len(res) > 0 && res[0] == '{' { // anything else is no manifest
			m := mcpl.DecodeManifest(slices.Clone(res))
			c.whole(st, func() { c.setManifest(m, st) })
		}
	case "tools/list":
		c.listed(st, r)
	case "tools/call":
		c.result(st, r, CarrierCall, nil)
	case "toolsets/open":
		c.result(st, r, CarrierOpen, c.openResult(st, r))
	case "toolsets/close":
		c.result(st, r, CarrierClose, c.closeResult(r))
	case "toolsets/list":
		c.result(st, r, CarrierList, c.listResult(st))
	}
}

// hostNotification follows what the host tells: a cancellation leaves its
// call open until it is answered, or for ever.
func (c *conn) hostNotification(st *step) {
	if st.head.Method == "notifications/cancelled" {
		c.gaveUp(wire.Member(st.head.Params, "requestId"), "cancelled")
	}
	c.linkNotification(st)
	st.deal(c, st.head.Method, nil)
}

// gaveUp notes that the host no longer waits for the call with that raw id,
// for the reason that a note names.
func (c *conn) gaveUp(id []byte, note string) {
	key := wire.ID(id).Key()
	o, open := c.calls[key]
	if !open {
		return
	}
	switch note {
	case "timeout":
		o.timedOut = true
	case "failed":
		o.failed = true
	default:
		o.cancelled = true
	}
	c.calls[key] = o
}

// fromServer applies a request or a notification of the server.
func (c *conn) fromServer(st *step) {
	h := st.head
	var asked *request
	if h.Kind == wire.Request {
		asked = c.request(st)
	} else {
		st.deal(c, h.Method, nil)
	}
	switch h.Method {
	case mcpl.MethodToolsHints:
		st.msg = carried{
			carrier: CarrierStandalone, raw: st.read.raw,
			cause: Call{Method: mcpl.MethodToolsHints, ID: cloneID(h.ID), Index: st.at.frame, Seq: st.f.Seq, T: st.f.T},
		}
		c.carry(st)
	case mcpl.MethodPush:
		c.push(st, asked)
	case mcpl.MethodManifestChanged:
		st.mark(ManifestAnnounced, c, nil)
	case "notifications/cancelled":
		delete(c.asks, wire.ID(wire.Member(h.Params, "requestId")).Key())
	}
}

// push applies a push; asked is nil where it is, wrongly, no request.
func (c *conn) push(st *step, asked *request) {
	r := st.read
	seen := r.event != nil && c.past.seen(r.event, st.at)
	if !r.carries() {
		return
	}
	st.msg = carried{carrier: CarrierPush, raw: r.raw, duplicate: seen}
	if asked == nil {
		asked = &request{}
		c.fill(asked, st)
	}
	st.msg.cause = asked.call()
	c.carry(st)
}

func cloneID(id wire.ID) wire.ID { return wire.ID(strings.Clone(string(id))) }

func orEmpty(raw []byte) []byte {
	if raw == nil {
		return []byte("{}")
	}
	return raw
}

// note applies one of the debugger's own events.
func (c *conn) note(st *step) {
	switch data := st.f.Data; st.f.Name {
	case "hold-expired":
		c.releaseAll(st)
	case "group-open", "group-close":
		c.whole(st, func() {
			c.group(st, wire.StringOf(wire.Member(data, "toolset")), st.f.Name == "group-open")
		})
	case "input-answered", "input-dropped":
		c.inquiryNote(st)
	case "cancelled", "timeout", "failed":
		c.gaveUp(wire.Member(data, "id"), st.f.Name)
		if words := wire.StringOf(wire.Member(data, "instead")); words != "" {
			c.link.Instead = words
		}
	case "held-back":
		c.heldBack(wire.Member(data, "id"))
	case "host":
		c.behaves(st)
	case "limit":
		c.limited(data)
	default:
		c.linkNote(st)
	}
}

func (c *conn) oldestHeld() time.Duration {
	oldest := c.held[0].t
	for _, m := range c.held[1:] {
		oldest = min(oldest, m.t)
	}
	return oldest
}

package timeline

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"time"
)

// What a picture of many lanes is drawn from: the revs of each connection as
// spans, and a reader that tells a lane cell by cell. The cost of both hangs
// on what is asked for and not on how long the session is.

// RevSpan is a run of revs of one connection: all of them took effect, or
// none of them did so far.
type RevSpan struct {
	From, To int64 // the first and the last of them
	Missing  bool  // they never came, or one before them did not and they are held
}

// ConnRevs are the revs of one connection.
type ConnRevs struct {
	Conn    int
	Started time.Duration // time of its first frame
	Spans   []RevSpan     // ascending, one after the other; none: no rev so far
}

// Revs returns the revs of each connection, in the order of the connections.
// Of a connection with more than 1,024 holes the oldest ones are one span.
func (l *Log) Revs() []ConnRevs {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]ConnRevs, 0, len(l.state.conns))
	for n, c := range l.state.conns {
		out = append(out, ConnRevs{Conn: n, Started: c.link.Started, Spans: c.revSpans()})
	}
	slices.SortFunc(out, func(a, b ConnRevs) int { return cmp.Compare(a.Conn, b.Conn) })
	return out
}

func (c *conn) revSpans() []RevSpan {
	var out []RevSpan
	next := int64(1)
	add := func(to int64, missing bool) {
		if to >= next {
			out = append(out, RevSpan{From: next, To: to, Missing: missing})
			next = to + 1
		}
	}
	for _, h := range c.holes {
		add(h.from-1, false)
		add(h.to, true)
	}
	add(c.last, false)
	if n := len(c.held); n > 0 {
		add(c.held[n-1].rev, true)
	}
	return out
}

// RevAt returns the last rev of a connection that had been applied right
// after the frame at position i, 0: none.
func (l *Log) RevAt(connection, i int) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.state.conns[connection]
	if c == nil {
		return 0
	}
	spans := slices.DeleteFunc(c.revSpans(), func(s RevSpan) bool { return s.Missing })
	later := func(rev int64) bool {
		n := l.rowOf(connection, rev)
		return n < 0 || int(l.rows.at(n).taken) > i
	}
	k := sort.Search(len(spans), func(k int) bool { return later(spans[k].From) }) - 1
	if k < 0 {
		return 0
	}
	s := spans[k]
	n := sort.Search(int(s.To-s.From), func(n int) bool { return later(s.From + 1 + int64(n)) })
	return s.From + int64(n)
}

// AllRevs is the Rev of a LaneCut after all of its frame.
const AllRevs = math.MaxInt64

// LaneCut is a point in a session: after the frame at position Index, or,
// where that frame applied several revs, after Rev and before the next.
type LaneCut struct {
	Index int
	Rev   int64
}

// MessageID tells the messages of a session apart; 0 is none. It means
// nothing else.
type MessageID uint64

// Kinds is a set of kinds of change.
type Kinds uint16

// Has reports whether the set has a kind.
func (s Kinds) Has(k ChangeKind) bool { return s>>k&1 == 1 }

// LaneSpan is a lane over a part of a session.
type LaneSpan struct {
	LaneState           // right after the part
	First     MessageID // the first message in it that changed the lane, 0: none did
	Last      MessageID // the last one
	// Kinds is what that one message did. Where there are several it holds
	// Suggested alone, if one of them suggested something.
	Kinds Kinds
}

// LaneReader reads the lanes of a log. It remembers which events of a lane
// are of which class, 4 bytes an event of the lanes that it was asked for, so
// that none is walked twice. It is for one goroutine.
type LaneReader struct {
	log   *Log
	lanes map[LaneKey]*laneIndex
}

// NewLaneReader returns a reader over a log.
func NewLaneReader(l *Log) *LaneReader {
	return &LaneReader{log: l, lanes: map[LaneKey]*laneIndex{}}
}

// LaneClass is a class of events of a lane.
type LaneClass uint8

// The classes.
const (
	Flips    LaneClass = iota // shown and hidden, or opened and closed
	Listings                  // listed, unlisted
	Edits                     // redefined, or given another title
	Asks                      // suggested
	numClasses
)

func classOf(k ChangeKind) (LaneClass, bool) {
	switch k {
	case Shown, Hidden, Opened, ClosedIt:
		return Flips, true
	case Listed, Unlisted:
		return Listings, true
	case Redefined, Retitled:
		return Edits, true
	case Suggested:
		return Asks, true
	}
	return 0, false
}

// laneIndex is a lane, and the places of its events by class.
type laneIndex struct {
	events []event
	seen   int
	of     [numClasses][]uint32
}

// index returns the index of a lane, brought up to date. The caller holds the
// log's lock.
func (r *LaneReader) index(k LaneKey) *laneIndex {
	events := r.log.lanes.events[k]
	x := r.lanes[k]
	if x == nil {
		x = &laneIndex{}
		if len(events) > 0 { // of what never was nothing is kept
			r.lanes[k] = x
		}
	}
	x.events = events
	var n [numClasses]int
	for i := x.seen; i < len(events); i++ {
		if class, ok := classOf(events[i].kind); ok {
			n[class]++
		}
	}
	for class := range n {
		x.of[class] = slices.Grow(x.of[class], n[class])
	}
	for ; x.seen < len(events); x.seen++ {
		if class, ok := classOf(events[x.seen].kind); ok {
			x.of[class] = append(x.of[class], uint32(x.seen))
		}
	}
	return x
}

// after reports whether event n comes after a cut.
func (x *laneIndex) after(l *Log, n int, cut LaneCut) bool {
	e := &x.events[n]
	if int(e.index) != cut.Index {
		return int(e.index) > cut.Index
	}
	if cut.Rev == AllRevs || e.row < 0 {
		return false
	}
	row := l.rows.at(int(e.row))
	return row.taken == int32(e.index) && row.rev > cut.Rev
}

// seek returns the first n ≥ from for which after holds, size where it holds
// for none. after must hold for all that follow the first. It looks first at
// step places from there, so that steps alike cost little.
func seek(from, size, step int, after func(int) bool) int {
	lo, hi := from, from+max(step, 1)-1
	for step = max(step, 1); hi < size && !after(hi); step *= 2 {
		lo = hi + 1
		hi += step
	}
	hi = min(hi, size)
	return lo + sort.Search(hi-lo, func(n int) bool { return after(lo + n) })
}

// laneCursor goes through a lane forwards.
type laneCursor struct {
	*laneIndex
	pos  int             // events at or before the last cut
	step int             // and how many more than before the one before
	at   [numClasses]int // how many of each class
}

func (c *laneCursor) to(l *Log, cut LaneCut) {
	before := c.pos
	c.pos = seek(before, len(c.events), c.step+1, func(n int) bool { return c.after(l, n, cut) })
	c.step = c.pos - before
}

// last returns the last event of a class so far, nil: none.
func (c *laneCursor) last(class LaneClass) *event {
	of := c.of[class]
	c.at[class] = seek(c.at[class], len(of), c.step+1, func(n int) bool { return int(of[n]) >= c.pos })
	if c.at[class] == 0 {
		return nil
	}
	return &c.events[of[c.at[class]-1]]
}

// Cells tells a lane part by part: cell i, appended to out, is what happened
// after cuts[i] and up to cuts[i+1]. cuts ascend. What happened up to base is
// not counted as a change.
func (r *LaneReader) Cells(k LaneKey, base LaneCut, cuts []LaneCut, out []LaneSpan) []LaneSpan {
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	l := r.log
	own := laneCursor{laneIndex: r.index(k)}
	parent, listing := own, own
	if k.Tool != "" && k.Toolset != "" {
		parent = laneCursor{laneIndex: r.index(LaneKey{k.Conn, k.Toolset, k.Instance, ""})}
	}
	if k.Instance != "" {
		listing = laneCursor{laneIndex: r.index(LaneKey{k.Conn, k.Toolset, "", k.Tool})}
	}
	from := laneCursor{laneIndex: own.laneIndex}
	from.to(l, base)
	for i, cut := range cuts {
		before := max(own.pos, from.pos)
		own.to(l, cut)
		if i == 0 {
			continue
		}
		span := LaneSpan{}
		if k.Tool == "" {
			e := own.last(Flips)
			span.LaneState = LaneState{There: true, Open: e != nil && e.kind == Opened}
		} else {
			parent.to(l, cut)
			listing.to(l, cut)
			span.LaneState = toolState(k, &own, &parent, &listing)
		}
		if before < own.pos {
			own.changes(&span, before)
		}
		out = append(out, span)
	}
	return out
}

// toolState is LaneAt for a tool, from the last events of its three lanes.
func toolState(k LaneKey, own, parent, listing *laneCursor) LaneState {
	listed := listing.last(Listings)
	if listed == nil || listed.kind != Listed {
		return LaneState{}
	}
	since := listed.nth
	if k.Toolset != "" {
		e := parent.last(Flips)
		if e == nil || e.kind != Opened {
			return LaneState{}
		}
		since = max(since, e.nth)
	}
	said := own.last(Flips)
	return LaneState{There: true, Usable: said != nil && said.kind == Shown && said.nth >= since}
}

// changes fills in which messages changed the lane by the events from
// position before on.
func (c *laneCursor) changes(span *LaneSpan, before int) {
	span.First, span.Last = c.events[before].message(), c.events[c.pos-1].message()
	if span.First == span.Last {
		for _, e := range c.events[before:c.pos] {
			span.Kinds |= 1 << e.kind
		}
		return
	}
	if of := c.of[Asks]; len(of) > 0 {
		c.last(Asks)
		if n := c.at[Asks]; n > 0 && int(of[n-1]) >= before {
			span.Kinds |= 1 << Suggested
		}
	}
}

func (e *event) message() MessageID {
	return MessageID(e.index)<<32 | MessageID(uint32(e.row+1)) + 1
}

// Last returns the last event of a class at or before the frame at position
// i.
func (r *LaneReader) Last(k LaneKey, class LaneClass, i int) (Event, bool) {
	return r.nth(k, class, i, -1)
}

// Next returns the first event of a class after the frame at position i.
func (r *LaneReader) Next(k LaneKey, class LaneClass, i int) (Event, bool) {
	return r.nth(k, class, i, 0)
}

// Count returns how many events of a class there are at or before the frame
// at position i.
func (r *LaneReader) Count(k LaneKey, class LaneClass, i int) int {
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	return r.index(k).upTo(class, i)
}

// nth returns the event that stands add places after the last one at or
// before the frame at position i (add 0: the first after it).
func (r *LaneReader) nth(k LaneKey, class LaneClass, i, add int) (Event, bool) {
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	x := r.index(k)
	n := x.upTo(class, i) + add
	if n < 0 || n >= len(x.of[class]) {
		return Event{}, false
	}
	e := x.events[x.of[class][n]]
	return e.public(), true
}

func (x *laneIndex) upTo(class LaneClass, i int) int {
	of := x.of[class]
	return sort.Search(len(of), func(n int) bool { return int(x.events[of[n]].index) > i })
}

// LaneCount returns how many lanes there are, of all connections. Lanes are
// added and never taken away.
func (l *Log) LaneCount() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.lanes.order)
}

// LanesFrom returns the keys of all lanes but the first n, of all
// connections, in the order in which something first happened to them.
func (l *Log) LanesFrom(n int) []LaneKey {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.lanes.order[min(n, len(l.lanes.order)):])
}

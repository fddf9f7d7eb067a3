package timeline

import (
	"maps"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// State is what the frames so far add up to: one conn for each connection,
// since everything in state.md is per connection.
//
// States of one session share its history (which request an id named, which
// eventId was seen), with the place at which each entry was added, so that a
// copy that stands earlier does not see what came later. Copies of a State
// may therefore only be fed the frames that the original was, or will be, fed.
type State struct {
	next    int // position of the next frame
	rows    int // rows so far
	conns   map[int]*conn
	shared  map[int]bool // conns that another State holds too: copied before a change
	own     *conn        // the one that was changed last, if no other State holds it
	current int          // connection of the last frame
	// only leaves out the frames of other connections, nil: none.
	only    func(conn int) bool
	history *history
	effects Effects
	seq     int64         // of the last frame
	t       time.Duration // of it
	frame   wire.Frame    // that is being applied, where the caller keeps it not
	step    step          // of it
	arena   []Change      // of the effects' changes
	hints   hints         // of a message that was held
	reading Reading       // of the message that is being applied
	ahead   *Reading      // the same, where it was read ahead
	// applied is called right after a rev was applied, also in the middle of
	// a frame.
	applied func(c *conn, rev int64)
}

// Effects is what one frame did. It is valid until the next Apply.
type Effects struct {
	Kind    Kind      // of the frame's (first) message
	Pair    int       // position of the request that the frame answers, -1: none
	Rows    []Row     // rows that the frame added
	Settled []Settled // rows, of this frame or earlier ones, that took effect
	Changes []Change  // what the frame changed without a rev
	// turns are all changes of the frame in the order in which they happened:
	// what was held is let go before the frame itself counts.
	turns []turn
	// Landmarks are what the frame told of the connection itself.
	Landmarks []Landmark
	// Gap tells that a rev of this frame left a hole: the host re-reads both
	// lists (state.md, "Revs", 5 and 6).
	Gap bool
}

func (e *Effects) reset() {
	e.Kind, e.Pair, e.Gap = Invalid, -1, false
	e.Rows, e.Settled, e.Changes = e.Rows[:0], e.Settled[:0], e.Changes[:0]
	e.Landmarks, e.turns = e.Landmarks[:0], e.turns[:0]
}

// turn is what one message, or one row, changed.
type turn struct {
	row     int // -1: no rev brought it
	changes []Change
}

// Settled says that the hints of a row took effect.
type Settled struct {
	N       int // the row
	Conn    int
	Rev     int64
	Carrier Carrier
	Status  Status
	Changes []Change
	Dropped []Dropped
	raw     []byte // its hints
}

// NewState returns the state before the first frame.
func NewState() *State {
	return &State{conns: map[int]*conn{}, shared: map[int]bool{}, history: newHistory()}
}

// Apply reduces one frame, the one after those that were applied before.
func (s *State) Apply(f wire.Frame) *Effects {
	s.frame = f
	return s.ApplyRead(&s.frame, nil)
}

// ApplyRead is Apply for a frame of one message that was read ahead; read is
// nil where it was not. The frame is not kept.
func (s *State) ApplyRead(f *wire.Frame, read *Reading) *Effects {
	s.effects.reset()
	s.arena = s.arena[:0]
	if !s.mine(f.Conn) {
		s.next++
		return &s.effects
	}
	c := s.writable(f.Conn)
	s.current = f.Conn
	s.seq, s.t, s.step.f, s.ahead = f.Seq, f.T, f, read
	c.frame(s)
	s.next++
	return &s.effects
}

// mine reports whether the frames of a connection count.
func (s *State) mine(conn int) bool { return s.only == nil || s.only(conn) }

// clone returns a copy that can be fed on its own. The connections are copied
// when one of the two next changes them.
func (s *State) clone() *State {
	d := &State{
		next: s.next, rows: s.rows, current: s.current, history: s.history, only: s.only,
		conns: maps.Clone(s.conns), shared: map[int]bool{},
	}
	for n := range s.conns {
		s.shared[n], d.shared[n] = true, true
	}
	s.own = nil
	return d
}

// writable returns a connection that this State alone holds.
func (s *State) writable(n int) *conn {
	if s.own != nil && s.own.n == n {
		return s.own
	}
	c := s.conns[n]
	switch {
	case c == nil:
		c = newConn(n, s.history)
		s.conns[n] = c
	case s.shared[n]:
		c = c.clone()
		s.conns[n] = c
		delete(s.shared, n)
	}
	s.own = c
	return c
}

// conn returns a connection to be looked at, nil where it has no frame yet.
func (s *State) conn(n int) *conn {
	if s.own != nil && s.own.n == n {
		return s.own
	}
	return s.conns[n]
}

// holdTime is how long a rev that came early is held (state.md, "Revs", 6).
const holdTime = 2 * time.Second

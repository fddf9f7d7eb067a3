package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// ErrSecond is returned where a second connection is open already, or there
// is none.
var ErrSecond = errors.New("the second connection")

// maxSides is how many connections stand side by side at most.
const maxSides = 2

// side is a connection with those that took its place. There is one, and a
// second one where ConnectAgain opened it.
type side struct {
	opening sync.Mutex // held while its connection is exchanged, or closed for good

	// With the session's lock.
	conn  *conn // the newest one
	tries int   // connections in a row that were lost soon after they began
	soon  bool  // the newest one was opened because the one before was forgotten
	stop  func() bool
}

// newSide makes a further side. The session's lock is held.
func (s *Session) newSide() *side {
	d := &side{}
	s.sides = append(s.sides, d)
	return d
}

// open begins the next connection of a side. how is what its note "connect"
// says of the others: "after" the connection whose place it takes, "beside"
// the one that stays. The session's lock is held.
func (s *Session) open(d *side, how member) {
	s.last++
	d.conn = newConn(s, s.last, s.newLink(), withMember(s.cfg.About, how))
	go d.conn.run()
}

// withMember adds a member to an object, nil being an empty one.
func withMember(object json.RawMessage, m member) []byte {
	switch {
	case m.raw == nil:
		return object
	case len(object) < 3: // nil, or {}
		return obj(m)
	}
	more := obj(m)
	more[0] = ','
	return append(object[:len(object)-1:len(object)-1], more...)
}

// numbered returns the connection of that number if it is the newest of its
// side, else nil.
func (s *Session) numbered(n int) *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.sideOf(n); d != nil && !s.closed {
		return d.conn
	}
	return nil
}

// sideOf returns the side whose newest connection has the number, nil: none.
// The session's lock is held.
func (s *Session) sideOf(n int) *side {
	for _, d := range s.sides {
		if d.conn.n == n {
			return d
		}
	}
	return nil
}

// Active returns the number of the connection that commands go to, 0 before
// Start.
func (s *Session) Active() int {
	c, err := s.current()
	if err != nil {
		return 0
	}
	return c.n
}

// Reconnect ends the active connection and opens the next one in its place,
// with a new process and the next number. It returns once that has begun;
// WaitReady waits for its handshake.
func (s *Session) Reconnect(ctx context.Context) error {
	s.mu.Lock()
	d := s.active
	s.mu.Unlock()
	if d == nil {
		return ErrClosed
	}
	return s.reopen(ctx, d, nil)
}

// reopen puts a new connection in the place of a side's newest. Where lost is
// given, that happens only if it still is the newest.
func (s *Session) reopen(ctx context.Context, d *side, lost *conn) error {
	d.opening.Lock()
	defer d.opening.Unlock()
	s.mu.Lock()
	old := d.conn
	if lost == nil {
		d.quiet()
	}
	closed := s.closed
	s.mu.Unlock()
	switch {
	case closed:
		return ErrClosed
	case lost != nil && lost != old:
		return nil
	}
	old.close(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.open(d, member{"after", strconv.AppendInt(nil, int64(old.n), 10)})
	return nil
}

// closeSide ends a side's connection; none follows it.
func (s *Session) closeSide(ctx context.Context, d *side) {
	d.opening.Lock() // a reconnect that was under way is over
	defer d.opening.Unlock()
	s.mu.Lock()
	d.quiet()
	c := d.conn
	s.mu.Unlock()
	c.close(ctx)
}

// ConnectAgain opens a second connection beside the active one, which stays,
// and makes it the active one. Over stdio that is a second process of the
// server. It returns the number of the connection once that has begun.
func (s *Session) ConnectAgain(ctx context.Context) (int, error) {
	s.again.Lock()
	defer s.again.Unlock()
	s.mu.Lock()
	if s.active == nil || s.closed {
		s.mu.Unlock()
		return 0, ErrClosed
	}
	var idle *side // one whose connection is over
	for _, d := range s.sides {
		if d.conn.isOver() {
			idle = d
		}
	}
	switch {
	case idle == s.active && idle != nil:
		s.mu.Unlock()
		return 0, fmt.Errorf("the connection is over: reconnect opens it again, and then there can be a second one")
	case idle == nil && len(s.sides) >= maxSides:
		s.mu.Unlock()
		return 0, fmt.Errorf("%w is open already: disconnect ends the one that is active", ErrSecond)
	case idle == nil:
		beside := s.active.conn.n
		s.active = s.newSide()
		s.open(s.active, member{"beside", strconv.AppendInt(nil, int64(beside), 10)})
		defer s.mu.Unlock()
		return s.active.conn.n, nil
	}
	s.active = idle
	s.mu.Unlock()
	err := s.reopen(ctx, idle, nil)
	return s.Active(), err
}

// hangUp ends a connection on its own account, beside what it is doing.
func (s *Session) hangUp(c *conn) {
	go func() {
		s.mu.Lock()
		d := s.sideOf(c.n)
		if d == nil || s.closed {
			s.mu.Unlock()
			return
		}
		s.retrying.Go(c.guarded(func() { s.closeSide(context.Background(), d) }))
		s.mu.Unlock()
	}()
}

// Choose makes the connection with the number the one that commands go to.
func (s *Session) Choose(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.sideOf(n)
	switch {
	case s.closed || s.active == nil:
		return ErrClosed
	case d == nil && len(s.sides) == 1:
		return fmt.Errorf("there is one connection, %d; connect again opens %w", s.active.conn.n, ErrSecond)
	case d == nil:
		return fmt.Errorf("no connection %d is open: they are %d and %d", n, s.sides[0].conn.n, s.sides[1].conn.n)
	}
	s.active = d
	return nil
}

// Disconnect ends the active connection; where another is open, that becomes
// the active one. Reconnect opens it again.
func (s *Session) Disconnect(ctx context.Context) error {
	s.mu.Lock()
	d := s.active
	closed := s.closed
	s.mu.Unlock()
	if d == nil || closed {
		return ErrClosed
	}
	s.closeSide(ctx, d)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, other := range s.sides {
		if other != d && !other.conn.isOver() && s.active == d {
			s.active = other
		}
	}
	return nil
}

// ended sees what follows the end of a connection: where it was lost, and
// Config.Retry says so, the next one after a while, which a note tells.
func (s *Session) ended(c *conn, e End) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.sideOf(c.n)
	if d == nil || s.closed || len(s.cfg.Retry) == 0 || e.By == "host" {
		return
	}
	held := s.cfg.Now().Sub(c.began)
	if held >= s.cfg.Retry[len(s.cfg.Retry)-1] {
		d.tries = 0 // long enough to count as mended
	}
	d.soon = d.soon && held < s.cfg.Retry[0]
	switch {
	case e.Next == NextNever:
		s.retryNote(c, member{"stopped", encode(true)}, member{"reason", encode("another try would not help")})
		return
	case e.Next == NextNow && c.isReady() && !d.soon:
		d.soon = true
		s.retryNote(c, member{"in", []byte("0")}, member{"reason", encode("the server forgot the session")})
		s.retry(d, c, 0)
		return
	}
	d.soon = false
	wait := s.cfg.Retry[min(d.tries, len(s.cfg.Retry)-1)]
	d.tries++
	s.retryNote(c,
		member{"in", strconv.AppendFloat(nil, wait.Seconds(), 'f', -1, 64)},
		member{"attempt", strconv.AppendInt(nil, int64(d.tries), 10)})
	s.retry(d, c, wait)
}

// retryNote writes the note "retry" of a connection that is over: when the
// next try is, or that there is none. It stands after the connection's end.
func (s *Session) retryNote(c *conn, data ...member) {
	s.tap.put(wire.Frame{Conn: c.n, Dir: wire.Note, Name: "retry", Data: obj(data...)})
}

// retry opens the next connection after the wait. The session's lock is held.
func (s *Session) retry(d *side, c *conn, wait time.Duration) {
	ctx, cancel := context.WithCancel(s.ctx)
	d.stop = func() bool {
		over := ctx.Err() != nil
		cancel()
		return !over
	}
	s.retrying.Go(c.guarded(func() {
		defer cancel()
		if wait > 0 {
			select {
			case <-s.cfg.after(wait):
			case <-ctx.Done():
				return
			}
		}
		if ctx.Err() == nil {
			_ = s.reopen(ctx, d, c) // an error: the session was closed
		}
	}))
}

// quiet ends the waiting for the next try, and reports whether there was any.
// The session's lock is held.
func (d *side) quiet() bool {
	stop := d.stop
	d.stop = nil
	return stop != nil && stop()
}

// StopRetry ends the waiting for the next try of the active connection, and
// notes it. It reports whether there was anything to stop.
func (s *Session) StopRetry() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active == nil || s.closed || !s.active.quiet() {
		return false
	}
	s.retryNote(s.active.conn, member{"stopped", encode(true)}, member{"reason", encode("by you")})
	return true
}

// restartPatience is how long Restart waits for each handshake.
const restartPatience = 5 * time.Second

// Restart opens each connection anew, because the named files changed, which a
// note tells; but for one that was closed on purpose. It returns when the new
// ones have come through their handshakes, or have failed, or have taken long.
func (s *Session) Restart(ctx context.Context, files []string) {
	s.mu.Lock()
	sides := s.sides
	s.mu.Unlock()
	var opening sync.WaitGroup
	for _, d := range sides {
		opening.Go(func() { s.restart(ctx, d, files) })
	}
	opening.Wait()
}

// maxFiles is how many files a note names.
const maxFiles = 20

func (s *Session) restart(ctx context.Context, d *side, files []string) {
	s.mu.Lock()
	c := d.conn
	closed := s.closed
	s.mu.Unlock()
	if closed || c.closedHere() {
		return
	}
	data := []member{{"files", encode(files[:min(len(files), maxFiles)])}}
	if more := len(files) - maxFiles; more > 0 {
		data = append(data, member{"more", strconv.AppendInt(nil, int64(more), 10)})
	}
	s.tap.put(wire.Frame{Conn: c.n, Dir: wire.Note, Name: "changed", Data: obj(data...)})
	if s.reopen(ctx, d, nil) != nil {
		return // the session was closed
	}
	s.mu.Lock()
	c = d.conn
	s.mu.Unlock()
	timer := time.NewTimer(restartPatience)
	defer timer.Stop()
	select {
	case <-c.ready:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// closedHere reports whether the connection was closed by the host.
func (c *conn) closedHere() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.end != nil && c.end.By == "host"
}

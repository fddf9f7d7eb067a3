package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// errCancelled is what a request ends with that was given up on purpose.
var errCancelled = errors.New("cancelled")

// request is a request of ours that waits for its answer.
type request struct {
	id     int64
	method string
	seq    int64         // its frame
	limit  time.Duration // how long its answer may take, 0: as the session says
	// on is called with the answer by the dispatcher, before anything that
	// the server said later is looked at.
	on   func(wire.Head)
	done chan answer // receives once
}

func (r *request) key() string { return strconv.FormatInt(r.id, 10) }

// answer is what a request ended with: a message, or the reason why none came.
type answer struct {
	head wire.Head
	seq  int64
	err  error
}

// outgoing is a request that is to be sent.
type outgoing struct {
	method string
	params func(id int64) []byte
	byUser bool            // it is one that `cancel last` means
	on     func(wire.Head) // as in request
	limit  time.Duration   // as in request
	key    string          // goes along as Idempotency-Key, "": none
}

// request sends a request.
func (c *conn) request(method string, params []byte, byUser bool, on func(wire.Head)) (*request, error) {
	return c.ask(outgoing{method: method, params: always(params), byUser: byUser, on: on})
}

// always are params that do not depend on the request's id.
func always(params []byte) func(int64) []byte { return func(int64) []byte { return params } }

// ask sends a request. A limit of its own is noted with it, so that who reads
// the frames knows how long it was waited for.
func (c *conn) ask(q outgoing) (*request, error) {
	c.sendMu.Lock()
	defer c.sendMu.Unlock()
	if c.closed {
		return nil, c.endError()
	}
	r := &request{id: c.nextID + 1, method: q.method, on: q.on, limit: q.limit, done: make(chan answer, 1)}
	c.mu.Lock()
	c.pending[r.key()] = r
	if q.byUser {
		c.sent = append(c.sent, r)
	}
	c.mu.Unlock()
	seq, err := c.write(requestBytes(r.id, q.method, q.params(r.id)), q.key)
	if err != nil {
		c.take(r.key())
		return nil, err
	}
	c.nextID++
	r.seq = seq
	if r.limit > 0 {
		c.put("limit", limitData(r.limit, member{"id", []byte(r.key())}))
	}
	return r, nil
}

// send sends a notification or an answer.
func (c *conn) send(msg []byte) (int64, error) {
	if c.inquiring.Load() && c.toInquiry(msg) {
		return 0, nil
	}
	c.sendMu.Lock()
	defer c.sendMu.Unlock()
	if c.closed {
		return 0, c.endError()
	}
	return c.write(msg, "")
}

// write hands bytes to the link, under sendMu: the bytes that are recorded
// are the bytes that are written. An idempotency key goes along as a header.
func (c *conn) write(msg []byte, key string) (seq int64, err error) {
	f := frame(c.n, wire.Out, "", msg)
	send := c.link.Send
	if key != "" {
		keyed, ok := c.link.(keyedLink)
		if !ok {
			return 0, errNoHeaders
		}
		f.HTTP = keyData(key)
		send = func(msg []byte, record func(string)) error { return keyed.SendKeyed(msg, key, record) }
	}
	err = send(msg, func(via string) {
		f.Via = via
		seq = c.s.tap.put(f).Seq
	})
	return seq, err
}

// take removes and returns an open request, or nil.
func (c *conn) take(key string) *request {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.pending[key]
	if r == nil {
		return nil
	}
	delete(c.pending, key)
	for i, other := range c.sent {
		if other == r {
			c.sent = append(c.sent[:i:i], c.sent[i+1:]...)
			break
		}
	}
	return r
}

func (c *conn) failPending(err error) {
	c.mu.Lock()
	pending := c.pending
	c.pending, c.sent = map[string]*request{}, nil
	c.mu.Unlock()
	for _, r := range pending {
		r.done <- answer{err: err}
	}
}

// await waits for the answer. When the time limit passes, or ctx ends, the
// server is told that nobody waits any more (MCP, cancellation); a late
// answer still goes through the tap.
func (c *conn) await(ctx context.Context, r *request) answer {
	limit := c.limitOf(r)
	var a answer
	switch {
	case c.inTime(ctx, r, limit, &a):
		return a
	case ctx.Err() == nil:
		if c.giveUp(r, "timeout", fmt.Sprintf("no answer within %s", limit)) {
			return answer{err: timeoutError(r.method, limit)}
		}
	default:
		if c.giveUp(r, "cancelled", "cancelled by the user") {
			return answer{err: errCancelled}
		}
	}
	return <-r.done // it was answered at that very moment
}

// inTime waits for the answer until the limit has passed or ctx is over. While
// a person logs in, the limit does not count.
func (c *conn) inTime(ctx context.Context, r *request, limit time.Duration, a *answer) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case *a = <-r.done:
			return true
		case <-ctx.Done():
			return false
		case <-timer.C:
			if link, ok := c.link.(interface{ WaitsForUser() bool }); !ok || !link.WaitsForUser() {
				return false
			}
			timer.Reset(limit)
		}
	}
}

// limitOf is how long the answer to a request may take.
func (c *conn) limitOf(r *request) time.Duration {
	if r.limit > 0 {
		return r.limit
	}
	return c.s.Timeout()
}

func timeoutError(method string, limit time.Duration) error {
	return fmt.Errorf("no answer to %s within %s; --timeout changes the limit", method, limit)
}

// giveUp stops waiting for a request, in a note and a message; false means
// that its answer is there.
func (c *conn) giveUp(r *request, note, reason string) bool {
	if c.take(r.key()) == nil {
		return false
	}
	c.note(note, obj(member{"id", []byte(r.key())}))
	if !c.abandon(r) {
		_, _ = c.send(cancelledBytes(r.id, reason)) // a link that is gone needs no telling
	}
	return true
}

// giveUpCalls gives up what the user has sent and the server has not answered:
// who closes a connection no longer waits for it.
func (c *conn) giveUpCalls() {
	c.mu.Lock()
	open := slices.Clone(c.sent)
	c.mu.Unlock()
	for _, r := range open {
		if c.giveUp(r, "cancelled", "the host closes the connection") {
			r.done <- answer{err: errLinkClosing}
		}
	}
}

// call sends a request and waits for its answer; an error of the server is
// returned as *Error.
func (c *conn) call(ctx context.Context, method string, params []byte, on func(wire.Head)) (answer, *request, error) {
	r, err := c.request(method, c.dressed(params), false, on)
	if err != nil {
		return answer{}, nil, err
	}
	a := c.await(ctx, r)
	return a, r, a.problem()
}

// problem returns what is wrong with an answer, or nil.
func (a answer) problem() error {
	switch {
	case a.err != nil:
		return a.err
	case a.head.Kind == wire.Error:
		return errorOf(a.head.Error)
	}
	return nil
}

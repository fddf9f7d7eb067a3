package session

import (
	"sync"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// item is something that came off the wire and needs an act.
type item struct {
	head wire.Head
	seq  int64
	end  bool // the link is gone
	// failed is a request that gets no answer any more.
	failed *Failure
	// passed, where it is set, is closed when the item comes by: all that
	// was taken off the wire before it has been acted on.
	passed chan struct{}
}

// queue is the way from the tap to the dispatcher. It has no bound: the
// reader of the wire never waits for a handler. What is in it was taken off
// the wire already, and handlers do not block.
type queue struct {
	mu    sync.Mutex
	more  *sync.Cond
	items []item
}

func (q *queue) init() { q.more = sync.NewCond(&q.mu) }

func (q *queue) push(i item) {
	q.mu.Lock()
	q.items = append(q.items, i)
	q.mu.Unlock()
	q.more.Signal()
}

// all waits for items and returns them all.
func (q *queue) all() []item {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.more.Wait()
	}
	items := q.items
	q.items = nil
	return items
}

// dispatch acts on what came, in the order of the wire, until the end of the
// link comes by. Nothing that it calls waits for anything.
func (c *conn) dispatch() {
	for {
		for _, i := range c.queue.all() {
			switch {
			case i.end:
				c.over()
				return
			case i.passed != nil:
				close(i.passed)
			case i.failed != nil:
				if r := c.take(i.failed.ID.Key()); r != nil {
					r.done <- answer{err: i.failed.Err}
				}
			default:
				c.handle(i)
			}
		}
	}
}

// catchUp waits until all that came so far has been acted on.
func (c *conn) catchUp() {
	passed := make(chan struct{})
	c.queue.push(item{passed: passed})
	select {
	case <-passed:
	case <-c.done:
	}
}

func (c *conn) handle(i item) {
	h := i.head
	switch h.Kind {
	case wire.Request:
		c.asked(h, i.seq)
	case wire.Notification:
		notified[h.Method](c, h)
	case wire.Result, wire.Error:
		// An answer to no request, or a second one, is on record; there is
		// nothing to be done about it.
		if r := c.take(h.ID.Key()); r != nil {
			if r.on != nil {
				r.on(h)
			}
			r.done <- answer{head: h, seq: i.seq}
		}
	}
}

// over ends what still waits for a link that is gone.
func (c *conn) over() {
	c.failPending(c.endError())
	c.mu.Lock()
	c.waiting = nil
	c.dropLate()
	c.mu.Unlock()
	close(c.done)
	c.news.tell()
}

package session

import (
	"sync"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Sink takes the frames of a session, in order, each exactly once. Append is
// called under the tap's lock: what it does holds back the wire, so it only
// stores the frame. It must not call back into the session.
type Sink interface {
	Append(wire.Frame)
}

// tap numbers frames and hands them to the sink under one lock, before
// anything decodes or queues them. There is one for each session: it goes on
// through reconnects.
type tap struct {
	sink  Sink
	now   func() time.Time
	start time.Time

	mu   sync.Mutex
	seq  int64
	last time.Duration
}

func newTap(sink Sink, now func() time.Time, start time.Time) *tap {
	return &tap{sink: sink, now: now, start: start}
}

// put gives the frame its number and its time, and returns it. What costs
// time, such as finding its form, is done before: the lock is everybody's.
func (t *tap) put(f wire.Frame) wire.Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seq++
	// Whole microseconds, never falling, whatever the clock does.
	t.last = max(t.last, t.now().Sub(t.start).Truncate(time.Microsecond))
	f.Seq, f.T = t.seq, t.last
	t.sink.Append(f)
	return f
}

// newest returns the number of the last frame.
func (t *tap) newest() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.seq
}

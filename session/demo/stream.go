package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Bounds of a stream. While more than softBytes wait to be written no further
// message is taken from the client; what the server says by itself beyond
// hardBytes ends the stream.
const (
	maxLine   = 8 << 20
	softBytes = 256 << 10
	hardBytes = 8 << 20
	// lingering is how long an ended stream waits for a reader or writer
	// that was closed and should return at once.
	lingering = time.Second
)

// stream carries a Conn over a carrier, with a bounded queue between the Conn
// and what writes.
type stream struct {
	carrier
	stall time.Duration

	more   chan struct{} // the queue grew, or nothing more will come
	less   chan struct{} // the queue shrank
	failed chan struct{} // closed with the first error

	mu    sync.Mutex
	queue [][]byte
	bytes int // queued, and being written
	done  bool
	err   error
}

func newStream(c carrier, stall time.Duration) *stream {
	return &stream{
		carrier: c, stall: stall,
		more: make(chan struct{}, 1), less: make(chan struct{}, 1), failed: make(chan struct{}),
	}
}

func (s *stream) serve(ctx context.Context, p *Principal) error {
	c := NewConn(p, s.put)
	stop := context.AfterFunc(ctx, func() { s.fail(ctx.Err()) })
	defer stop()
	reader, writer := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(reader)
		s.read(c)
	}()
	go func() {
		defer close(writer)
		s.write()
	}()
	s.wait(reader)
	// Calls that still run are answered now: a client that closes its side
	// has a right to every answer.
	c.Close()
	s.finish()
	s.wait(writer)
	s.end(s.failure())
	linger := time.NewTimer(lingering)
	defer linger.Stop()
	for _, end := range []chan struct{}{reader, writer} {
		select {
		case <-end:
		case <-linger.C:
			return s.failure()
		}
	}
	return s.failure()
}

// wait returns when end is closed or the stream has failed.
func (s *stream) wait(end <-chan struct{}) {
	select {
	case <-end:
	case <-s.failed:
	}
}

// read hands one message after the other to c, until the client's side ends
// or the stream fails.
func (s *stream) read(c *Conn) {
	for s.room() {
		msg, err := s.receive()
		switch {
		case err == nil:
			c.Handle(msg)
		case errors.Is(err, wire.ErrTooLong):
			c.tooLong(maxLine)
		case errors.Is(err, io.EOF):
			return
		default:
			s.fail(broken("reading from the client", err))
			return
		}
	}
}

// room waits until little enough is queued; false when the stream failed.
func (s *stream) room() bool {
	for {
		s.mu.Lock()
		bytes, err := s.bytes, s.err
		s.mu.Unlock()
		if err != nil {
			return false
		}
		if bytes <= softBytes {
			return true
		}
		select {
		case <-s.less:
		case <-s.failed:
		}
	}
}

// put queues a message. It never blocks: it is called under the principal's
// lock.
func (s *stream) put(msg []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil || s.done {
		return
	}
	if s.bytes+len(msg) > hardBytes {
		s.failLocked(fmt.Errorf("%w: %d bytes wait", ErrStalled, s.bytes))
		return
	}
	s.queue = append(s.queue, msg)
	s.bytes += len(msg)
	signal(s.more)
}

// finish says that nothing more will be queued.
func (s *stream) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = true
	signal(s.more)
}

// next takes the next message off the queue; nil when there will be none.
func (s *stream) next() []byte {
	for {
		s.mu.Lock()
		switch {
		case s.err != nil:
			s.mu.Unlock()
			return nil
		case len(s.queue) > 0:
			msg := s.queue[0]
			s.queue[0] = nil
			s.queue = s.queue[1:]
			s.mu.Unlock()
			return msg
		case s.done:
			s.mu.Unlock()
			return nil
		}
		s.mu.Unlock()
		select {
		case <-s.more:
		case <-s.failed:
		}
	}
}

// write writes what is queued, one write a message, each within the time that
// a client may take to read it.
func (s *stream) write() {
	stalled := time.AfterFunc(s.stall, func() {
		s.fail(fmt.Errorf("%w: nothing was read for %v", ErrStalled, s.stall))
	})
	defer stalled.Stop()
	for {
		stalled.Stop()
		msg := s.next()
		if msg == nil {
			return
		}
		stalled.Reset(s.stall)
		if err := s.send(msg); err != nil {
			s.fail(broken("writing to the client", err))
			return
		}
		s.mu.Lock()
		s.bytes -= len(msg)
		s.mu.Unlock()
		signal(s.less)
	}
}

func (s *stream) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failLocked(err)
}

func (s *stream) failLocked(err error) {
	if s.err == nil {
		s.err = err
		s.queue = nil
		close(s.failed)
	}
}

// errGone is a client that has closed its end: an end like any other.
var errGone = errors.New("the client is gone")

// broken says what failed, or that the client is gone.
func broken(doing string, err error) error {
	for _, gone := range []error{io.ErrClosedPipe, os.ErrClosed, net.ErrClosed, syscall.EPIPE, syscall.ECONNRESET} {
		if errors.Is(err, gone) {
			return errGone
		}
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// failure is why the stream ended, nil where it ended in order.
func (s *stream) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if errors.Is(s.err, errGone) {
		return nil
	}
	return s.err
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// maxUnsent is how many bytes may wait for a server that does not read.
const maxUnsent = 256 << 20

var (
	errInputClosed = errors.New("the server closed its input and can be told nothing more")
	errLinkClosing = errors.New("the connection is being closed")
)

// messageWriter writes whole messages to a server.
type messageWriter interface {
	WriteMessage(msg []byte) error
	Close() error
}

// outbox sends messages to a stream from a goroutine of its own: a server
// that does not read holds up nobody but itself.
type outbox struct {
	via    func() string // names the stream of the next message
	w      messageWriter
	broken func(error) // called once, when a write fails or too much waits
	done   chan struct{}

	mu      sync.Mutex
	more    *sync.Cond
	queue   [][]byte
	waiting int
	closing bool
	err     error
}

// newOutbox sends messages to w, one a line.
func newOutbox(via string, w io.WriteCloser, broken func(error)) *outbox {
	return newOutboxTo(via, &lineWriter{w: w}, broken)
}

func newOutboxTo(via string, w messageWriter, broken func(error)) *outbox {
	return newOutboxVia(func() string { return via }, w, broken)
}

// newOutboxVia is newOutboxTo for messages that go out on streams of their
// own.
func newOutboxVia(via func() string, w messageWriter, broken func(error)) *outbox {
	o := &outbox{via: via, w: w, broken: broken, done: make(chan struct{})}
	o.more = sync.NewCond(&o.mu)
	go o.run()
	return o
}

// send records and queues a message under one lock, so that the recorded
// order is the order of the wire.
func (o *outbox) send(msg []byte, record func(via string)) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.err != nil:
		return o.err
	case o.closing:
		return errLinkClosing
	case o.waiting+len(msg) > maxUnsent:
		return o.fail(fmt.Errorf("the server does not read its input: %d MB wait to be sent", o.waiting>>20))
	}
	record(o.via())
	o.queue = append(o.queue, msg)
	o.waiting += len(msg)
	o.more.Signal()
	return nil
}

// fail is called with the lock held.
func (o *outbox) fail(err error) error {
	if o.err == nil {
		o.err, o.queue, o.waiting = err, nil, 0
		o.more.Signal()
		go o.broken(err)
	}
	return o.err
}

// finish lets the goroutine end once everything queued is written; the stream
// is closed then.
func (o *outbox) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closing = true
	o.more.Signal()
}

func (o *outbox) run() {
	defer close(o.done)
	defer func() { _ = o.w.Close() }() // nothing is left to be written
	for {
		msg, ok := o.next()
		if !ok {
			return
		}
		if err := o.w.WriteMessage(msg); err != nil {
			o.mu.Lock()
			if o.closing {
				o.err = errLinkClosing
			} else {
				_ = o.fail(fmt.Errorf("%w: %w", errInputClosed, err))
			}
			o.mu.Unlock()
			return
		}
	}
}

func (o *outbox) next() ([]byte, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.queue) == 0 && !o.closing && o.err == nil {
		o.more.Wait()
	}
	if len(o.queue) == 0 || o.err != nil {
		return nil, false
	}
	msg := o.queue[0]
	o.queue[0] = nil
	if o.queue = o.queue[1:]; len(o.queue) == 0 {
		o.queue = nil
	}
	o.waiting -= len(msg)
	return msg, true
}

// lineWriter writes a message a line, each with one write.
type lineWriter struct {
	w    io.WriteCloser
	line []byte
}

func (l *lineWriter) WriteMessage(msg []byte) error {
	l.line = append(append(l.line[:0], msg...), '\n')
	_, err := l.w.Write(l.line)
	if cap(l.line) > 1<<20 {
		l.line = nil
	}
	return err
}

func (l *lineWriter) Close() error { return l.w.Close() }

// maxGarbage is how much of a line without end is kept as a frame.
const maxGarbage = 64 << 10

// yielding lets others run after each read. A flood keeps its reader running,
// and a key, which needs a processor for a moment, would wait until the
// scheduler takes it away: 10 ms, several times over.
type yielding struct{ io.Reader }

// Read implements io.Reader.
func (y yielding) Read(p []byte) (int, error) {
	n, err := y.Reader.Read(p)
	runtime.Gosched()
	return n, err
}

// readLines delivers each line of r that is not empty to take, until r ends.
// It returns nil at a regular end.
func readLines(r io.Reader, take func(line []byte)) error {
	lines := wire.NewLines(yielding{r}, 0)
	for {
		line, err := lines.Next()
		switch {
		case err == nil:
			take(line)
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, wire.ErrTooLong):
			take(bytes.Clone(line[:min(len(line), maxGarbage)]))
			return fmt.Errorf("the server sent a line of more than %d MiB without an end; its first %d KiB are kept",
				wire.MaxLine>>20, maxGarbage>>10)
		default:
			if len(line) > 0 {
				take(line)
			}
			return fmt.Errorf("read from the server: %w", err)
		}
	}
}

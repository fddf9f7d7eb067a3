package session

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
)

// viaInProc is the name of the streams of a server in this process.
const viaInProc = "inproc"

// Serve is a server in this process: it reads messages from r and writes its
// own to w, one a line, until r ends or ctx is over.
type Serve func(ctx context.Context, r io.Reader, w io.Writer) error

// inProcLink is a server in this process, behind real pipes: the same bytes
// as a child process would see.
type inProcLink struct {
	serve Serve
	grace time.Duration

	out  *outbox
	in   *io.PipeReader // what the server writes
	stop context.CancelFunc
	gone chan struct{} // End was called

	mu      sync.Mutex
	closed  bool  // by the host
	failure error // what the server returned
}

func newInProcLink(serve Serve, grace time.Duration) *inProcLink {
	return &inProcLink{serve: serve, grace: grace, gone: make(chan struct{})}
}

// Start starts the server.
func (l *inProcLink) Start(_ context.Context, to Receiver) (json.RawMessage, error) {
	if l.serve == nil {
		return nil, fmt.Errorf("there is no server in this process")
	}
	ctx, stop := context.WithCancel(context.Background())
	l.stop = stop
	hostIn, serverOut := io.Pipe()
	serverIn, hostOut := io.Pipe()
	l.in, l.out = hostIn, newOutbox(viaInProc, hostOut, to.Broken)
	go func() {
		err := l.run(ctx, serverIn, serverOut)
		l.mu.Lock()
		l.failure = err
		l.mu.Unlock()
		_ = serverIn.Close()
		_ = serverOut.Close() // the reader gets all that was written, then the end
	}()
	go func() {
		err := readLines(hostIn, func(line []byte) {
			if len(line) > 0 {
				to.Receive(Received{Via: viaInProc, Body: line})
			}
		})
		_ = hostIn.Close()
		_ = hostOut.Close()
		l.out.finish()
		<-l.out.done
		to.End(l.ending(err))
		stop()
		close(l.gone)
	}()
	return nil, nil
}

// run keeps a failure of the server from being one of the debugger.
func (l *inProcLink) run(ctx context.Context, r io.Reader, w io.Writer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the server panicked: %v", p)
		}
	}()
	if err := l.serve(ctx, r, w); err != nil {
		return fmt.Errorf("the server failed: %w", err)
	}
	return nil
}

func (l *inProcLink) ending(read error) End {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return End{By: "host"}
	case read != nil:
		return End{By: "link", Reason: read.Error()}
	case l.failure != nil:
		return End{By: "server", Reason: l.failure.Error()}
	default:
		return End{By: "server"}
	}
}

// Send queues a message for the server.
func (l *inProcLink) Send(msg []byte, record func(via string)) error { return l.out.send(msg, record) }

// Close ends the server's input, then its context, then its output.
func (l *inProcLink) Close(ctx context.Context) {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.out.finish()
	for _, next := range []func(){l.stop, func() { _ = l.in.Close() }} {
		timer := time.NewTimer(l.grace)
		select {
		case <-l.gone:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
		next()
	}
	select {
	case <-l.gone:
	case <-ctx.Done():
	}
}

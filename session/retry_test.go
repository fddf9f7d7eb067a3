package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// tcpLink speaks a message a line over a TCP connection. It is a network link
// as simple as can be: it breaks as sockets break.
type tcpLink struct {
	address string
	end     func(error) End   // how the end of the stream is told, nil: the link broke
	refused func(error) error // what becomes of an error of dialling
	conn    net.Conn
	out     *outbox
	closed  atomic.Bool
	gone    chan struct{}
	closing sync.Once
}

func (l *tcpLink) Start(ctx context.Context, to Receiver) (json.RawMessage, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", l.address)
	if err != nil {
		if l.refused != nil {
			err = l.refused(err)
		}
		return nil, err
	}
	l.conn, l.gone = conn, make(chan struct{})
	l.out = newOutbox("ws", conn, to.Broken)
	go func() {
		defer close(l.gone)
		err := readLines(conn, func(line []byte) { to.Receive(Received{Via: "ws", Body: line}) })
		_ = conn.Close()
		l.out.finish()
		<-l.out.done
		switch {
		case l.closed.Load():
			to.End(End{By: "host"})
		case l.end != nil:
			to.End(l.end(err))
		default:
			to.End(End{By: "link", Reason: "the socket was closed"})
		}
	}()
	return nil, nil
}

func (l *tcpLink) Send(msg []byte, record func(string)) error { return l.out.send(msg, record) }

func (l *tcpLink) Close(ctx context.Context) {
	l.closed.Store(true)
	l.closing.Do(func() { _ = l.conn.Close() })
	select {
	case <-l.gone:
	case <-ctx.Done():
	}
}

// tcpServer answers as a good server does, until it is told to cut its
// connections, or to answer none.
type tcpServer struct {
	listener net.Listener
	mu       sync.Mutex
	open     []net.Conn
}

func newTCPServer(t testing.TB) *tcpServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &tcpServer{listener: l}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.open = append(s.open, c)
			s.mu.Unlock()
			serving.Go(func() { good(newPeer(c, c)) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); s.cut(); serving.Wait() })
	return s
}

func (s *tcpServer) address() string { return s.listener.Addr().String() }

// cut breaks all connections.
func (s *tcpServer) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.open {
		_ = c.Close()
	}
	s.open = nil
}

// timers are the waits that the session asks for; each ends when the test
// says so.
type timers struct {
	asked chan time.Duration
	fire  chan time.Time
}

func newTimers() *timers {
	return &timers{asked: make(chan time.Duration, 100), fire: make(chan time.Time)}
}

func (w *timers) after(d time.Duration) <-chan time.Time {
	w.asked <- d
	return w.fire
}

// next returns the wait that is asked for next.
func (w *timers) next(t testing.TB) time.Duration {
	t.Helper()
	select {
	case d := <-w.asked:
		return d
	case <-time.After(patience):
		t.Fatal("no try was planned")
		return 0
	}
}

func (w *timers) ring(t testing.TB) {
	t.Helper()
	select {
	case w.fire <- time.Time{}:
	case <-time.After(patience):
		t.Fatal("nobody waits")
	}
}

// network lets a session speak over TCP, and try again after the waits.
func network(address string, w *timers, edit func(*tcpLink), waits ...time.Duration) option {
	return func(c *Config) {
		c.Target, c.Retry, c.after = Target{Kind: KindWS, URL: "ws://" + address}, waits, w.after
		c.link = func() Link {
			l := &tcpLink{address: address}
			if edit != nil {
				edit(l)
			}
			return l
		}
	}
}

func story(frames []wire.Frame) string {
	var out []string
	for _, f := range frames {
		if f.Dir == wire.Note {
			text := fmt.Sprint(f.Conn, f.Name)
			if f.Name == "retry" || f.Name == "connect" {
				text += string(f.Data)
			}
			out = append(out, text)
		}
	}
	return strings.Join(out, " ")
}

func connectedAs(n int) func(wire.Frame) bool {
	return func(f wire.Frame) bool {
		return f.Conn == n && f.Dir == wire.In && strings.Contains(string(f.Body), `"mcpl/hints"`)
	}
}

func TestALostLinkIsOpenedAgainAfterGrowingWaits(t *testing.T) {
	server, w := newTCPServer(t), newTimers()
	s, frames := ready(t, network(server.address(), w, nil, time.Second, 2*time.Second, 4*time.Second))
	address := server.address()
	_ = server.listener.Close()
	server.cut()
	for i, want := range []time.Duration{1, 2, 4, 4} {
		if got := w.next(t); got != want*time.Second {
			t.Errorf("try %d comes after %s, want %d s", i+1, got, want)
		}
		if i < 3 {
			w.ring(t)
		}
	}
	l, err := net.Listen("tcp", address) // the server is back at its place
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		if c, err := l.Accept(); err == nil {
			good(newPeer(c, c))
		}
	})
	t.Cleanup(func() { _ = l.Close(); s.Close(context.Background()); serving.Wait() })
	w.ring(t)
	frames.wait(t, "the lists of connection 5", connectedAs(5))
	if err := s.WaitReady(t.Context()); err != nil {
		t.Error(err)
	}
	want := `1connect 1connected 1closed 1retry{"in":1,"attempt":1} 2connect{"after":1} 2closed 2retry{"in":2,"attempt":2} ` +
		`3connect{"after":2} 3closed 3retry{"in":4,"attempt":3} 4connect{"after":3} 4closed 4retry{"in":4,"attempt":4} 5connect{"after":4} 5connected`
	if got := story(frames.all()); got != want {
		t.Errorf("the notes:\n%s\nwant:\n%s", got, want)
	}
}

func TestTheWaitingCanBeStoppedAndTheTryMadeAtOnce(t *testing.T) {
	server, w := newTCPServer(t), newTimers()
	s, frames := ready(t, network(server.address(), w, nil, time.Second))
	server.cut()
	w.next(t)
	if !s.StopRetry() {
		t.Fatal("there was nothing to stop")
	}
	if s.StopRetry() {
		t.Error("it was stopped twice")
	}
	frames.wait(t, "a note of it", func(f wire.Frame) bool {
		return f.Name == "retry" && string(f.Data) == `{"stopped":true,"reason":"by you"}`
	})
	if o := s.Run(t.Context(), "reconnect"); !o.OK {
		t.Fatal(o.Err)
	}
	server.cut()
	w.next(t)
	if o := s.Run(t.Context(), "reconnect"); !o.OK { // while the next try is waited for
		t.Fatal(o.Err)
	}
	if n := s.Active(); n != 3 {
		t.Errorf("connection %d is active, want 3", n)
	}
	if s.StopRetry() {
		t.Error("a try is waited for although the connection stands")
	}
}

func TestALinkThatWillNotMendIsNotTriedAgain(t *testing.T) {
	server, w := newTCPServer(t), newTimers()
	address := server.address()
	_ = server.listener.Close()
	refused := errors.New("HTTP 401: the token is refused; check --token-env")
	s, frames := open(t, network(address, w, func(l *tcpLink) {
		l.refused = func(error) error { return Final(refused) }
	}, time.Second))
	frames.wait(t, "that it is given up", func(f wire.Frame) bool {
		return f.Name == "retry" && string(f.Data) == `{"stopped":true,"reason":"another try would not help"}`
	})
	if err := s.WaitReady(t.Context()); !errors.Is(err, refused) || !errors.Is(err, ErrFinal) || err.Error() != refused.Error() {
		t.Errorf("it is said to be: %v", err)
	}
	if len(w.asked) != 0 {
		t.Error("a try is planned all the same")
	}
}

func TestASessionThatExpiredIsInitializedAgainAtOnceAndNeverInALoop(t *testing.T) {
	server, w := newTCPServer(t), newTimers()
	s, frames := ready(t, network(server.address(), w, func(l *tcpLink) {
		l.end = func(error) End { return End{By: "server", Reason: "HTTP 404: session expired", Next: NextNow} }
	}, time.Second))
	server.cut()
	frames.wait(t, "the second connection", connectedAs(2))
	if err := s.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	server.cut()
	if got := w.next(t); got != time.Second {
		t.Errorf("the next try after %s", got)
	}
	w.ring(t)
	frames.wait(t, "the third connection", connectedAs(3))
	if got := story(frames.all()); !strings.Contains(got, `1retry{"in":0,"reason":"the server forgot the session"} 2connect{"after":1}`) {
		t.Errorf("the notes: %s", got)
	}
}

func TestWithoutWaitsALostLinkStaysLost(t *testing.T) {
	server, w := newTCPServer(t), newTimers()
	s, frames := ready(t, network(server.address(), w, nil))
	server.cut()
	frames.wait(t, "the end", noteIs("closed"))
	s.Close(t.Context())
	if got := story(frames.all()); got != "1connect 1connected 1closed" {
		t.Errorf("the notes: %s", got)
	}
}

func TestClosingEndsTheWaitingForTheNextTry(t *testing.T) {
	server, w := newTCPServer(t), newTimers()
	s, _ := ready(t, network(server.address(), w, nil, time.Hour))
	server.cut()
	w.next(t)
	s.Close(t.Context())
	select {
	case <-s.Done():
	default:
		t.Error("it is not closed")
	}
	if err := s.Reconnect(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("reconnect after the end: %v", err)
	}
}

func TestASecondConnectionStandsBesideTheFirst(t *testing.T) {
	s, frames := ready(t, child("good"))
	n, err := s.ConnectAgain(t.Context())
	if err != nil || n != 2 || s.Active() != 2 {
		t.Fatalf("connection %d, active %d: %v", n, s.Active(), err)
	}
	if err := s.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	call := func(want int) {
		t.Helper()
		o := s.Run(t.Context(), "call status")
		if !o.OK {
			t.Fatal(o.Err)
		}
		if f := frames.all()[o.Request-1]; f.Conn != want {
			t.Errorf("the call went to connection %d, want %d", f.Conn, want)
		}
	}
	call(2)
	if err := s.Choose(1); err != nil {
		t.Fatal(err)
	}
	call(1)
	if _, err := s.ConnectAgain(t.Context()); !errors.Is(err, ErrSecond) {
		t.Errorf("a third one: %v", err)
	}
	if err := s.Choose(7); err == nil || !strings.Contains(err.Error(), "they are 1 and 2") {
		t.Errorf("choose 7: %v", err)
	}
	if o := s.Run(t.Context(), "reconnect"); !o.OK { // of the first alone
		t.Fatal(o.Err)
	}
	call(3)
	if err := s.Disconnect(t.Context()); err != nil || s.Active() != 2 {
		t.Fatalf("after the first is closed %d is active: %v", s.Active(), err)
	}
	call(2)
	if n, err = s.ConnectAgain(t.Context()); err != nil || n != 4 {
		t.Fatalf("connection %d: %v", n, err)
	}
	if err := s.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	call(4)
	want := `1connect 1connected 2connect{"beside":1} 2connected 1closed 3connect{"after":1} 3connected 3closed 4connect{"after":3} 4connected`
	if got := story(frames.all()); got != want {
		t.Errorf("the notes:\n%s\nwant:\n%s", got, want)
	}
}

func TestOneConnectionLeavesTheOtherWhenItsServerDies(t *testing.T) {
	s, frames := ready(t, inproc(func(p *peerEnd) {
		p.host(hintManifest, func(h wire.Head) bool {
			if h.Method == "die" {
				_, _ = io.WriteString(p.w, "") // it says nothing more
				_ = p.w.(io.Closer).Close()
				return true
			}
			return false
		})
	}))
	if _, err := s.ConnectAgain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	if o := s.Run(t.Context(), "raw die"); o.OK {
		t.Fatal("a dead server answered")
	}
	frames.wait(t, "the end of 2", func(f wire.Frame) bool { return f.Conn == 2 && f.Name == "closed" })
	if o := s.Run(t.Context(), "call status"); o.OK || !strings.Contains(o.Err.Message, "reconnect") {
		t.Errorf("on the dead one: %+v", o)
	}
	if err := s.Choose(1); err != nil {
		t.Fatal(err)
	}
	if o := s.Run(t.Context(), "call status"); !o.OK {
		t.Errorf("on the other: %v", o.Err)
	}
}

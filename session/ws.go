package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// viaWS is the name of the stream of a WebSocket.
const viaWS = "ws"

// How long a WebSocket may be silent (mcpl-host.md, "Transports").
const (
	wsPing    = 30 * time.Second // at least so often the server is pinged
	wsSilence = 60 * time.Second // without a byte of the server the link is dead
)

// wsLink is a WebSocket: one text frame is one message, whatever line breaks
// are in it.
type wsLink struct {
	wsDial
	grace         time.Duration
	limit         int // the longest message
	ping, silence time.Duration

	to   Receiver
	ws   *websocket.Conn
	sock *wsSocket
	out  *outbox
	over chan struct{} // nothing is read any more
	gone chan struct{} // End was called

	mu      sync.Mutex
	by      string // who ended it first
	reason  string
	writing bool   // a message is being written
	owed    []byte // the ping that came meanwhile
}

func newWSLink(cfg Config) *wsLink {
	l := &wsLink{
		wsDial: wsDial{target: cfg.Target.URL, header: cfg.Header, token: cfg.Token, tokenAs: cfg.TokenAs, timeout: cfg.Timeout},
		grace:  cfg.Grace, limit: cfg.longest, ping: cfg.wsPing, silence: cfg.wsSilence,
		over: make(chan struct{}), gone: make(chan struct{}),
	}
	or(&l.ping, wsPing)
	or(&l.silence, wsSilence)
	return l
}

// Start dials the server.
func (l *wsLink) Start(ctx context.Context, to Receiver) (json.RawMessage, error) {
	l.to = to
	var err error
	if l.ws, l.sock, err = l.dial(ctx, l.pinged); err != nil {
		return nil, err
	}
	l.ws.SetReadLimit(-1) // ReadWhole has a limit, and says what came
	data, err := l.introduce(ctx)
	if err != nil {
		_ = l.ws.CloseNow()
		return nil, err
	}
	l.out = newOutboxTo(viaWS, wsWriter{l}, to.Broken)
	go l.watch()
	go func() {
		end := l.ending(l.read())
		close(l.over)
		_ = l.ws.CloseNow() // it is closed already, or of no use any more
		l.out.finish()
		<-l.out.done
		to.End(end)
		close(l.gone)
	}()
	return data, nil
}

// read delivers messages until the connection ends, and returns how it did.
func (l *wsLink) read() error {
	for {
		kind, r, err := l.ws.Reader(context.Background())
		if err != nil {
			return err
		}
		body, err := wire.ReadWhole(r, l.limit)
		switch {
		case errors.Is(err, wire.ErrTooLong):
			l.to.Receive(Received{Via: viaWS, Body: append([]byte(nil), body[:min(len(body), maxGarbage)]...)})
			l.blame("server", fmt.Sprintf("the server sent a message of more than %d MiB, without an end after %d bytes; its first %d KiB are kept",
				l.limit>>20, len(body), maxGarbage>>10))
			l.sock.control(opClose, closePayload(websocket.StatusMessageTooBig))
			return err
		case err != nil:
			if len(body) > 0 {
				l.to.Receive(Received{Via: viaWS, Body: body})
			}
			return &cutError{len(body), err}
		case kind != websocket.MessageText:
			l.to.Note("binary", binaryNote(body))
		default:
			l.to.Receive(Received{Via: viaWS, Body: body})
		}
	}
}

// binaryNote tells of a binary frame, which no host takes for a message
// (mcpl-host.md, "Transports"): how long it is, and how it begins.
func binaryNote(body []byte) []byte {
	return encode(struct {
		Bytes int    `json:"bytes"`
		B64   []byte `json:"b64"`
	}{len(body), body[:min(len(body), maxGarbage)]})
}

// watch pings the server, and gives the link up when nothing comes any more.
func (l *wsLink) watch() {
	ping, quiet := time.NewTicker(l.ping), time.NewTimer(l.silence)
	defer ping.Stop()
	defer quiet.Stop()
	var pings sync.WaitGroup
	defer pings.Wait()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	for {
		select {
		case <-l.over:
			return
		case <-ping.C:
			pings.Go(func() {
				ctx, stop := context.WithTimeout(ctx, l.ping)
				defer stop()
				_ = l.ws.Ping(ctx) // what comes in answer is counted by the socket
			})
		case <-quiet.C:
			idle := l.sock.idle()
			if idle >= l.silence {
				l.blame("link", fmt.Sprintf("nothing came from the server for %s, not even the answer to a ping: the link is dead", l.silence))
				_ = l.ws.CloseNow()
				return
			}
			quiet.Reset(l.silence - idle)
		}
	}
}

// pinged decides whether a ping is answered at once. While a message is being
// written the answer has to wait for its end, and reading must not.
func (l *wsLink) pinged(_ context.Context, payload []byte) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.writing {
		l.owed = append([]byte{}, payload...)
	}
	return !l.writing
}

// wsWriter is the writing end of the link.
type wsWriter struct{ *wsLink }

// WriteMessage writes a message as one text frame.
func (w wsWriter) WriteMessage(msg []byte) error {
	w.mu.Lock()
	w.writing = true
	w.mu.Unlock()
	err := w.ws.Write(context.Background(), websocket.MessageText, msg)
	w.mu.Lock()
	owed := w.owed
	w.writing, w.owed = false, nil
	w.mu.Unlock()
	if err == nil && owed != nil {
		w.sock.control(opPong, owed)
	}
	return err
}

// Close tells the server that nothing more comes, once everything was sent.
// What the server still says is read until it closes as well.
func (w wsWriter) Close() error {
	w.sock.control(opClose, closePayload(websocket.StatusNormalClosure))
	return nil
}

// Send queues a message.
func (l *wsLink) Send(msg []byte, record func(via string)) error { return l.out.send(msg, record) }

// Close sends what is queued, then a close frame, and waits for the server's;
// then it hangs up.
func (l *wsLink) Close(ctx context.Context) {
	l.blame("host", "")
	l.out.finish()
	timer := time.NewTimer(l.grace)
	defer timer.Stop()
	select {
	case <-l.gone:
		return
	case <-timer.C:
	case <-ctx.Done():
	}
	_ = l.ws.CloseNow()
	<-l.gone // nothing but the tap is waited for
}

// blame notes who ended the link, and why: the first cause counts.
func (l *wsLink) blame(by, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.over:
	default:
		if l.by == "" {
			l.by, l.reason = by, reason
		}
	}
}

func (l *wsLink) ending(err error) End {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.by != "" {
		return End{By: l.by, Reason: l.reason}
	}
	var closed websocket.CloseError
	if errors.As(err, &closed) {
		code := int(closed.Code)
		return End{By: "server", Code: &code, Reason: closeWords(closed), Via: viaWS}
	}
	return End{By: "link", Reason: brokenWords(err)}
}

// closeNames are the close codes of RFC 6455, section 7.4.1, and of the
// registry that it opened.
var closeNames = map[websocket.StatusCode]string{
	websocket.StatusNormalClosure: "a normal end", websocket.StatusGoingAway: "going away",
	websocket.StatusProtocolError: "a protocol error", websocket.StatusUnsupportedData: "data that it does not take",
	websocket.StatusNoStatusRcvd: "no code given", websocket.StatusInvalidFramePayloadData: "a message that it cannot read",
	websocket.StatusPolicyViolation: "against its policy", websocket.StatusMessageTooBig: "a message too big for it",
	websocket.StatusMandatoryExtension: "an extension is missing", websocket.StatusInternalError: "an error of its own",
	websocket.StatusServiceRestart: "it restarts", websocket.StatusTryAgainLater: "try again later",
	websocket.StatusBadGateway: "a bad gateway",
}

// closeWords says what a close code means, and what the server said with it.
func closeWords(c websocket.CloseError) string {
	words := closeNames[c.Code]
	if words == "" {
		words = "a code of the server's own"
	}
	if c.Reason != "" {
		words += ": " + c.Reason
	}
	return words
}

// cutError is a message that did not come to its end.
type cutError struct {
	n   int // bytes of it that came
	err error
}

func (e *cutError) Error() string { return fmt.Sprintf("after %d bytes of a message: %v", e.n, e.err) }
func (e *cutError) Unwrap() error { return e.err }

// brokenWords says how a connection ended that nobody closed.
func brokenWords(err error) string {
	where := ""
	var cut *cutError
	if errors.As(err, &cut) {
		where = fmt.Sprintf(" in the middle of a message, of which %d bytes came", cut.n)
	}
	var op *net.OpError
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || errors.As(err, &op) {
		return "the connection broke off without a close" + where
	}
	return "the server broke the WebSocket protocol" + where + ": " + innermost(err)
}

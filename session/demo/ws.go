package demo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// The subprotocols that are no token.
var wsProtocols = []string{"mcpl", "mcp"}

const (
	wsPing = 30 * time.Second // how often a client is pinged, and has to answer
	wsBye  = time.Second      // how long a client may take to close
)

// serveWS serves one WebSocket: the connection is the session
// (mcpl-host.md, "Transports").
func (h *Handler) serveWS(w http.ResponseWriter, r *http.Request) {
	var offered []string
	for _, line := range r.Header.Values("Sec-Websocket-Protocol") {
		for p := range strings.SplitSeq(line, ",") {
			offered = append(offered, strings.TrimSpace(p))
		}
	}
	token := tokenOf(r)
	for _, p := range offered {
		if token == "" && !slices.Contains(wsProtocols, p) {
			token = p
		}
	}
	under := &hijacked{ResponseWriter: w}
	c, err := websocket.Accept(under, r, &websocket.AcceptOptions{
		Subprotocols:       append(slices.Clone(wsProtocols), offered...),
		InsecureSkipVerify: true, // ServeHTTP has looked at the origin
	})
	if err != nil {
		return // Accept has answered
	}
	defer func() { _ = c.CloseNow() }()
	c.SetReadLimit(maxLine)
	ctx, stop := context.WithCancel(h.ctx) // not the request's: it is hijacked
	defer stop()
	go pingWS(ctx, c)
	ws := &wsCarrier{c: c, conn: under.conn}
	if !ws.begin(ctx, &token) {
		return
	}
	p, leave, err := h.enter(token)
	if err != nil {
		_ = c.Close(websocket.StatusTryAgainLater, err.Error())
		return
	}
	defer leave()
	// How it ended is told to the client, and to nobody else.
	_ = newStream(ws, h.opts.stall()).serve(ctx, p)
}

// pingWS hangs up on a client that does not answer.
func pingWS(ctx context.Context, c *websocket.Conn) {
	tick := time.NewTicker(wsPing)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		ask, stop := context.WithTimeout(ctx, wsPing)
		err := c.Ping(ask)
		stop()
		if err != nil && ctx.Err() == nil {
			_ = c.CloseNow()
			return
		}
	}
}

// hijacked is a response that shows the connection which was taken from it.
type hijacked struct {
	http.ResponseWriter
	conn net.Conn
}

// Hijack takes the connection.
func (h *hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c, rw, err := http.NewResponseController(h.ResponseWriter).Hijack()
	h.conn = c
	return c, rw, err
}

// wsCarrier has a message a text frame.
type wsCarrier struct {
	c     *websocket.Conn
	conn  net.Conn // below it
	first []byte   // the first message, where it was read already
}

// begin reads the first message. It may bring the token, and is none of the
// protocol's then. False where the client is gone.
func (w *wsCarrier) begin(ctx context.Context, token *string) bool {
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-ctx.Done():
			w.end(ctx.Err())
		case <-done:
		}
	}()
	msg, err := w.receive()
	if err != nil {
		return false
	}
	if wire.Valid(msg) && wire.StringOf(wire.Member(msg, "type")) == "auth" && wire.Member(msg, "method") == nil {
		if *token == "" {
			*token = wire.StringOf(wire.Member(msg, "token"))
		}
		return true
	}
	w.first = msg
	return true
}

// receive returns the next text frame. Binary ones are ignored.
func (w *wsCarrier) receive() ([]byte, error) {
	if msg := w.first; msg != nil {
		w.first = nil
		return msg, nil
	}
	for {
		kind, msg, err := w.c.Read(context.Background())
		switch {
		case err != nil:
			return nil, io.EOF // closed, or gone: nothing more comes
		case kind == websocket.MessageText && len(bytes.TrimSpace(msg)) > 0:
			return msg, nil
		}
	}
}

func (w *wsCarrier) send(msg []byte) error {
	if err := w.c.Write(context.Background(), websocket.MessageText, msg); err != nil {
		return errGone
	}
	return nil
}

// end closes with a code that says why.
func (w *wsCarrier) end(why error) {
	code, reason := websocket.StatusNormalClosure, ""
	switch {
	case errors.Is(why, context.Canceled):
		code, reason = websocket.StatusGoingAway, "the server ends"
	case errors.Is(why, ErrStalled):
		code, reason = websocket.StatusPolicyViolation, ErrStalled.Error()
	case why != nil:
		code = websocket.StatusInternalError
	}
	// A client that does not read does not close either. The library would
	// wait for it, and cannot be told not to but by the connection.
	hangUp := time.AfterFunc(wsBye, func() { _ = w.conn.Close() })
	defer hangUp.Stop()
	_ = w.c.Close(code, reason)
}

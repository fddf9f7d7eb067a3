package session

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
)

// wsServer serves WebSockets with f, and returns the address.
func wsServer(t testing.TB, accept *websocket.AcceptOptions, f func(*websocket.Conn, *http.Request)) string {
	t.Helper()
	return "ws" + strings.TrimPrefix(httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, accept)
		if err != nil {
			return
		}
		defer func() { _ = c.CloseNow() }()
		c.SetReadLimit(-1)
		f(c, r)
	}), "http")
}

// httpServer serves f, and waits for it at the end of the test.
func httpServer(t testing.TB, f http.HandlerFunc) string {
	t.Helper()
	var running sync.WaitGroup
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		running.Add(1)
		defer running.Done()
		f(w, r)
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
		running.Wait()
	})
	return s.URL
}

// over lets the session connect to an address.
func over(url string) option {
	return func(c *Config) { c.Target = Target{Kind: KindWS, URL: url} }
}

// wsPeerEnd is a server written by hand on a WebSocket. It ends when the
// host closes.
func wsPeerEnd(c *websocket.Conn) *peerEnd {
	r, w := io.Pipe()
	go func() {
		for {
			_, msg, err := c.Read(context.Background())
			if err != nil {
				_ = w.CloseWithError(err)
				return
			}
			_, _ = w.Write(append(msg, '\n'))
		}
	}()
	return newPeer(r, wsText{c})
}

// wsText writes each line as a text frame.
type wsText struct{ c *websocket.Conn }

func (w wsText) Write(p []byte) (int, error) {
	return len(p), w.c.Write(context.Background(), websocket.MessageText, bytes.TrimSuffix(p, []byte{'\n'}))
}

// rawPeer is the server's end of a WebSocket, frame by frame.
type rawPeer struct {
	c net.Conn
	r *bufio.Reader
}

// rawServer serves WebSockets by hand, below any library.
func rawServer(t testing.TB, f func(*rawPeer)) string {
	t.Helper()
	return "ws" + strings.TrimPrefix(httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Connection", "Upgrade")
		h.Set("Upgrade", "websocket")
		h.Set("Sec-WebSocket-Accept", acceptKey(r.Header.Get("Sec-WebSocket-Key")))
		w.WriteHeader(http.StatusSwitchingProtocols)
		c, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		f(&rawPeer{c, rw.Reader})
	}), "http")
}

// next reads a frame of the host and unmasks it.
func (p *rawPeer) next() (op byte, payload []byte, err error) {
	var head [2]byte
	if _, err = io.ReadFull(p.r, head[:]); err != nil {
		return
	}
	size := int(head[1] & 0x7f)
	switch size {
	case 126:
		var n uint16
		err = binary.Read(p.r, binary.BigEndian, &n)
		size = int(n)
	case 127:
		var n uint64
		err = binary.Read(p.r, binary.BigEndian, &n)
		size = int(n)
	}
	if err != nil {
		return
	}
	payload = make([]byte, 4+size)
	_, err = io.ReadFull(p.r, payload)
	key := payload[:4]
	payload = payload[4:]
	for i := range payload {
		payload[i] ^= key[i%4]
	}
	return head[0] & 0x0f, payload, err
}

// frame writes a frame: the first byte as it is, of a payload that says it is
// size bytes long.
func (p *rawPeer) frame(first byte, size int, payload string) {
	head := []byte{first, byte(size)}
	if size > 125 {
		head = binary.BigEndian.AppendUint16([]byte{first, 126}, uint16(size))
	}
	_, _ = p.c.Write(append(head, payload...))
}

func (p *rawPeer) text(s string) { p.frame(0x81, len(s), s) }

// host reads text frames as a good server does, until one is left to the test.
func (p *rawPeer) peer() *peerEnd {
	r, w := io.Pipe()
	go func() {
		for {
			op, msg, err := p.next()
			if err != nil || op == opClose {
				_ = w.CloseWithError(io.EOF)
				return
			}
			if op == 1 {
				_, _ = w.Write(append(msg, '\n'))
			}
		}
	}()
	return newPeer(r, rawText{p})
}

type rawText struct{ p *rawPeer }

func (w rawText) Write(b []byte) (int, error) {
	w.p.text(strings.TrimSuffix(string(b), "\n"))
	return len(b), nil
}

package session

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// upgrade lets the link see the stream below the library, once the server has
// agreed to speak WebSocket on it.
type upgrade struct {
	http.RoundTripper
	sock *wsSocket
}

// RoundTrip sends a request of the opening handshake.
func (u *upgrade) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := u.RoundTripper.RoundTrip(req)
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		return resp, err
	}
	if rwc, ok := resp.Body.(io.ReadWriteCloser); ok {
		u.sock = &wsSocket{ReadWriteCloser: rwc}
		resp.Body = u.sock
	}
	return resp, nil
}

// wsSocket is the stream below a WebSocket: it knows when the server was last
// heard, and writes a control frame between the frames of the library, whose
// own way to close throws away what the server still says.
type wsSocket struct {
	io.ReadWriteCloser

	mu    sync.Mutex
	since time.Time // when the read that is under way began, zero: there is none

	writing sync.Mutex // each write of the library that is a frame is one write
}

// Read reads what the server sent. A stream that ends is never a good end: a
// WebSocket ends with a close frame. As io.EOF the library would take it, between
// two fragments, for the end of the message.
func (s *wsSocket) Read(p []byte) (int, error) {
	s.reading(time.Now())
	defer s.reading(time.Time{})
	n, err := s.ReadWriteCloser.Read(p)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (s *wsSocket) reading(since time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.since = since
}

// idle is how long the server has been silent while it was listened to. While
// nobody reads, because the disk holds back the tap, nobody can be silent.
func (s *wsSocket) idle() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.since.IsZero() {
		return 0
	}
	return time.Since(s.since)
}

// Write writes what the library has to say.
func (s *wsSocket) Write(p []byte) (int, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.ReadWriteCloser.Write(p)
}

// The opcodes of control frames (RFC 6455, section 5.5).
const (
	opClose = 0x8
	opPong  = 0xA
)

// control writes a control frame, masked as a client must. It is called
// between two messages; an error shows itself at the next read.
func (s *wsSocket) control(op byte, payload []byte) {
	frame := []byte{0x80 | op, 0x80 | byte(len(payload)), 0, 0, 0, 0}
	_, _ = rand.Read(frame[2:6]) // never fails
	for i, b := range payload {
		frame = append(frame, b^frame[2+i%4])
	}
	_, _ = s.Write(frame)
}

// closePayload is what a close frame says.
func closePayload(code websocket.StatusCode) []byte {
	return binary.BigEndian.AppendUint16(nil, uint16(code))
}

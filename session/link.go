package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Received is one message as it stood on the wire.
type Received struct {
	Via  string // the stream that it came on, as in a recording
	Body []byte // in memory of its own; nobody writes to it any more
	HTTP []byte // {"status":…,"headers":…} with secrets taken out, or nil
}

// Receiver takes what a link brings. A link calls Receive and Stderr from
// goroutines of its own, in the order of each stream; neither waits for
// anything but the tap.
type Receiver interface {
	// Receive takes one message of the server, readable or not.
	Receive(Received)
	// Stderr takes one line of the server's stderr.
	Stderr(line []byte)
	// Note writes an event of the link's own into the recording: what became
	// of a stream, where a redirect led. data is a JSON object or nil.
	Note(name string, data json.RawMessage)
	// Failed tells that no answer to a request can come any more, or that a
	// message was not taken, while the link goes on.
	Failed(Failure)
	// Broken tells that nothing can be sent any more, and why. What the
	// server says may still arrive; End follows in its time.
	Broken(error)
	// End tells that the link is gone. It is the last call, and is made
	// exactly once after a successful Start.
	End(End)
}

// Failure is a message of the host's that came to nothing.
type Failure struct {
	ID  wire.ID // of a request, "" for a message that wants no answer
	Via string  // the stream that it went out on
	Err error   // why, in a sentence
}

// Link is the transport of one connection. It owns the bytes: what it is
// given goes out as it is, what it delivers is what came.
type Link interface {
	// Start opens the link and begins to deliver to the receiver. It returns
	// data for the note "connected" (a JSON object, or nil). An error is a
	// sentence for the user that says what to check; where trying again cannot
	// help, it wraps ErrFinal (see Final).
	Start(ctx context.Context, to Receiver) (data json.RawMessage, err error)
	// Send sends one message, in the order of the calls, and never blocks on
	// the server. record is called once, before the first byte is written,
	// with the name of the stream that the message goes out on; it is not
	// called when Send returns an error.
	Send(msg []byte, record func(via string)) error
	// Close ends the link politely, then firmly, and returns when it is gone
	// or ctx is over. End has been called by then in the first case.
	Close(ctx context.Context)
}

// ErrFinal is wrapped by the error of a link that another try would not mend:
// credentials that are refused (401, 403), an address where nothing is (404 at
// the first try), a certificate that is not trusted.
var ErrFinal = errors.New("trying again does not help")

// Final marks an error of a link as one that another try would not mend. Its
// text stays as it is.
func Final(err error) error { return finalError{err} }

type finalError struct{ error }

func (e finalError) Unwrap() []error { return []error{e.error, ErrFinal} }

// Next says what is to be done about a link that ended without the host
// having closed it, where the session connects again by itself.
type Next uint8

// What follows the end of a link.
const (
	NextLater Next = iota // try again after a while: what went wrong may mend
	// NextNow is for a server that forgot the session and lives on (Streamable
	// HTTP: 404 for a request with a session id): initialize again at once.
	NextNow
	NextNever // another try would not help; Reason says why
)

// End is how a link ended.
type End struct {
	By     string // host, server or link
	Code   *int   // exit code of a process that exited, close code of a WebSocket
	Signal string // name of the signal that ended it
	Reason string // what else is to be said of it, or ""
	Via    string // "ws": Code is a close code
	Next   Next   // what may mend it
}

// data returns what the note "closed" holds.
func (e End) data() []byte {
	return encode(struct {
		By     string `json:"by"`
		Code   *int   `json:"code,omitempty"`
		Signal string `json:"signal,omitempty"`
		Reason string `json:"reason,omitempty"`
		Via    string `json:"via,omitempty"`
	}{e.By, e.Code, e.Signal, e.Reason, e.Via})
}

// String tells the end in words, as the first half of a sentence.
func (e End) String() string {
	switch {
	case e.By == "host":
		return "the connection is closed"
	case e.Via == "" && e.Reason != "" && (e.Signal != "" || e.Code != nil): // what came first, why it had to end
		return e.Reason + "; it was ended"
	case e.Signal != "":
		return "the server was ended by " + e.Signal
	case e.Via == viaWS && e.Code != nil:
		return fmt.Sprintf("the server closed the connection with %d, %s", *e.Code, e.Reason)
	case e.Code != nil:
		return fmt.Sprintf("the server ended with exit code %d", *e.Code)
	case e.Reason != "":
		return e.Reason
	default:
		return "the server closed the connection"
	}
}

// frame is a frame of a message's bytes that is still to be numbered.
func frame(conn int, dir wire.Dir, via string, body []byte) wire.Frame {
	return wire.Frame{Conn: conn, Dir: dir, Via: via, Form: wire.FormOf(body), Body: body}
}

// Package demo is the built-in demo server "arcade": an MCPL server with
// toolHints that is a good citizen and a good show. One plays Go on a small
// board against opponents who answer by themselves; there is a chat, a radio,
// an undeclared group for debugging and two tools of no toolset.
//
// A Principal is who the server serves: its games, what it has open, what
// ended. It outlives connections and may have several at once; a change made
// through one reaches the others as hint changes on their own revs
// (toolhints.md §5). A Conn is one connection of a principal: it takes one
// message and emits messages, whatever carries them. Serve puts a Conn behind
// a byte stream of newline-delimited JSON-RPC.
//
// What holds for every connection: revs are 1, 2, 3, … in the order of the
// messages emitted, because one lock covers a change, the revs taken for it
// and the emitting; a call's consequences ride in its result; hints are
// computed as the difference between what the connection was told and what
// is, so nothing is left out and nothing restated; what a peer writes is
// never echoed but for names that fit the grammar of names.
package demo

import (
	"context"
	"errors"
	"io"
	"time"
)

// Name and Version are what the server calls itself in initialize.
const (
	Name    = "arcade"
	Version = "1.0.0"
)

// ErrStalled ends a connection whose client no longer reads.
var ErrStalled = errors.New("the client does not read what it is sent")

// Options are the settings of a principal and its connections. The zero value
// is a fresh principal at the pace of people.
type Options struct {
	// Pace is how long the opponent thinks about a move, 1 s if zero or less. All
	// other waits of the server but game clocks are multiples of it.
	Pace time.Duration
	// Principal is whom Serve serves; nil for one that lives as long as the
	// connection.
	Principal *Principal
	// Seed decides what opponents play and say; 0 leaves it to chance.
	Seed uint64
	// Stall is how long one message may stay unread before Serve gives the
	// connection up with ErrStalled, 30 s if zero or less.
	Stall time.Duration
}

func (o Options) pace() time.Duration {
	if o.Pace > 0 {
		return o.Pace
	}
	return time.Second
}

func (o Options) stall() time.Duration {
	if o.Stall > 0 {
		return o.Stall
	}
	return 30 * time.Second
}

// Serve serves one connection over a byte stream, a message a line. It
// returns nil when r ends, after everything was written; the context's error
// when ctx is cancelled; ErrStalled when the client stops reading; else what
// reading or writing failed with.
//
// The stream belongs to Serve: r and w are closed where they can be, so that
// the client sees the end and no goroutine stays behind. A reader or writer
// that cannot be closed, or does not notice, keeps its goroutine until it
// returns.
func Serve(ctx context.Context, r io.Reader, w io.Writer, opts Options) error {
	p := opts.Principal
	if p == nil {
		p = NewPrincipal(opts)
		defer p.Close()
	}
	return newStream(newLineCarrier(r, w), opts.stall()).serve(ctx, p)
}

package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// moment is what --at names: a frame by its number, or rev:[CONN.]N; the end
// where it is empty.
type moment struct {
	seq, rev int64 // one of them, or neither: the end
	conn     int   // 0: the connection that began last
}

func parseMoment(at string) (m moment, err error) {
	if at == "" {
		return m, nil
	}
	if rev, ok := strings.CutPrefix(at, "rev"); ok {
		m.conn, m.rev, err = parseRev(strings.TrimLeft(rev, ": "))
		return m, err
	}
	if m.seq, err = strconv.ParseInt(at, 10, 64); err != nil || m.seq == 0 {
		return m, fmt.Errorf("--at %s: give the number of a frame, or rev:[CONN.]N", at)
	}
	return m, nil
}

// lookout reduces frames up to a moment, and keeps the board of it.
type lookout struct {
	moment
	state       *timeline.State
	board       *timeline.Board
	exact       bool // board is of the one frame that is meant
	frames      int
	first, last int64 // numbers of frames
	highest     int   // number of a connection
}

func newLookout(m moment) *lookout {
	l := &lookout{moment: m, state: timeline.NewState()}
	if m.rev > 0 {
		l.state.OnRev(l.applied)
	}
	return l
}

// applied keeps the board of the rev that is meant. Of several connections it
// is the one that began last.
func (l *lookout) applied(conn int, rev int64, board func() *timeline.Board) {
	if rev == l.rev && (conn == l.conn || l.conn == 0 && conn == l.highest) {
		l.board = board()
	}
}

func (l *lookout) frame(f *wire.Frame, read *timeline.Reading) {
	if l.frames++; l.frames == 1 {
		l.first = f.Seq
	}
	l.last, l.highest = f.Seq, max(l.highest, f.Conn)
	if l.exact {
		return
	}
	l.state.ApplyRead(f, read)
	if f.Seq == l.seq {
		// Where a file uses a number twice it is the one that counts to it,
		// else the last.
		l.board, l.exact = l.state.Board(), int64(l.frames) == l.seq
	}
}

// result returns the board, once all frames have passed.
func (l *lookout) result() (*timeline.Board, error) {
	conn := l.conn
	if conn == 0 {
		conn = l.highest
	}
	switch {
	case l.seq == 0 && l.rev == 0:
		return l.state.Board(), nil
	case l.board != nil && (l.rev == 0 || l.board.Conn == conn):
		return l.board, nil
	case l.rev > 0:
		return nil, fmt.Errorf("rev %d of connection %d was %w in this recording; mcpl-tui revs lists the revs", l.rev, conn, timeline.ErrNoRev)
	case l.frames == 0:
		return nil, fmt.Errorf("there is no frame %d; the recording has no frames", l.seq)
	}
	return nil, fmt.Errorf("there is no frame %d; the recording has frames %d to %d", l.seq, l.first, l.last)
}

// boardAt returns the board of a recording at a moment, and says on warn what
// of the recording could not be read.
func boardAt(ctx context.Context, path string, m moment, warn io.Writer) (*timeline.Board, error) {
	l := newLookout(m)
	p, err := record.Begin(find(path))
	if err != nil {
		return nil, err
	}
	st, err := p.Each(ctx, func() record.Ahead { return &timeline.Ahead{} }, func(b *record.Batch) error {
		ahead := b.Ahead.(*timeline.Ahead)
		for i := range b.Frames {
			l.frame(&b.Frames[i], ahead.Of(b.Slots[i], &b.Frames[i]))
		}
		return nil
	})
	if err == nil {
		err = st.Err
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	sayWhatIsMissing(path, st, warn)
	return l.result()
}

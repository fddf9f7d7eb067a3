package timeline

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Board returns the state right after the frame at position i (-1: before the
// first), of that frame's connection.
func (l *Log) Board(i int) (*Board, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, i, err := l.after(i)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nowhere(), nil
	}
	return l.placed(s.board(), i), nil
}

// after returns the state right after the frame at position i, or after the
// last one, and which of them that is; no state before the first.
func (l *Log) after(i int) (*State, int, error) {
	if i < 0 || l.entries.len() == 0 {
		return nil, -1, nil
	}
	if last := l.entries.len() - 1; i >= last {
		return l.state, last, nil
	}
	s, err := l.at(i + 1)
	return s, i, err
}

func (l *Log) placed(b *Board, i int) *Board {
	e := l.entries.at(i)
	b.Index, b.Seq, b.T = i, e.seq, micros(e.t)
	return b
}

// BoardOfRev returns the state right after rev of a connection (0: the last)
// was applied, which may be in the middle of a frame: a frame that fills a
// hole applies what was held after it.
func (l *Log) BoardOfRev(connection int, rev int64) (*Board, error) {
	if connection == 0 {
		connection = l.LastConn()
	}
	n := l.RowOf(connection, rev)
	if n < 0 {
		return nil, fmt.Errorf("rev %d of connection %d was %w", rev, connection, ErrNoRev)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	row := l.rows.at(n)
	i := int(row.taken)
	s, err := l.at(i)
	if err != nil {
		return nil, err
	}
	f, err := l.src.Frame(i)
	if err != nil {
		return nil, err
	}
	s = s.clone()
	var b *Board
	s.applied = func(c *conn, applied int64) {
		if c.n == int(row.conn) && applied == rev {
			b = c.board()
		}
	}
	s.Apply(f)
	return l.placed(b, i), nil
}

// at returns the state before the frame at position i, which the caller must
// not keep beyond the lock. Going forward from the last place asked for, or
// from one near it, costs only the frames between.
func (l *Log) at(i int) (*State, error) {
	l.near.until = l.entries.len() + nearWhile
	from := -1
	if l.cursor != nil && l.cursor.next <= i {
		from = l.cursor.next
	}
	k := sort.Search(len(l.keys), func(k int) bool { return l.keys[k].at > i }) - 1
	if k >= 0 && l.keys[k].at > from {
		from, l.cursor = l.keys[k].at, l.keys[k].state.clone()
	}
	if s := l.near.nearest(i, from); s != nil {
		from, l.cursor = s.next, s.clone()
	}
	if from < 0 {
		l.cursor = &State{conns: map[int]*conn{}, shared: map[int]bool{}, history: l.state.history, only: l.state.only}
	}
	for far := i-l.cursor.next > 2*nearBack; l.cursor.next < i; {
		if far && l.cursor.next == i-nearBack {
			l.near.asked.put(keyframe{at: l.cursor.next, state: l.cursor.clone()})
		}
		f, err := l.src.Frame(l.cursor.next)
		if err != nil {
			l.cursor = nil
			return nil, err
		}
		l.cursor.Apply(f)
	}
	return l.cursor, nil
}

// Rows returns the rows from ≤ n < to, with their changes.
func (l *Log) Rows(from, to int) ([]Row, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from, to = max(from, 0), min(to, l.rows.len())
	if from >= to {
		return nil, nil
	}
	rows := make([]Row, to-from)
	places := make([]int, 0, to-from)
	for n := from; n < to; n++ {
		places = append(places, int(l.rows.at(n).index))
		// A row that was held takes effect at a later frame.
		if t := int(l.rows.at(n).taken); t >= 0 && t != int(l.rows.at(n).index) {
			places = append(places, t)
		}
	}
	slices.Sort(places)
	for _, i := range slices.Compact(places) {
		if err := l.visit(i, from, rows); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// visit applies the frame at position i and takes from its effects what
// belongs to rows from and following.
func (l *Log) visit(i, from int, rows []Row) error {
	s, err := l.at(i)
	if err != nil {
		return err
	}
	f, err := l.src.Frame(i)
	if err != nil {
		return err
	}
	e := s.Apply(f)
	l.collect(e, f, i, from, rows)
	return nil
}

// collect copies rows and what settled them out of a frame's effects.
func (l *Log) collect(e *Effects, f wire.Frame, i, from int, rows []Row) {
	for _, r := range e.Rows {
		if k := r.N - from; k >= 0 && k < len(rows) {
			r.RawRev, r.Changes = slices.Clone(r.RawRev), slices.Clone(r.Changes)
			r.Text, r.Reason = textOf(f, r)
			rows[k] = r
		}
	}
	for n := range e.Settled {
		s := &e.Settled[n]
		if k := s.N - from; k >= 0 && k < len(rows) {
			r := &rows[k]
			r.Taken, r.Status = i, settledStatus(r.Status, s.Status)
			r.Changes = append(r.Changes, s.Changes...)
			r.Counts = count(r.Changes)
			r.Dropped = s.Dropped
			r.Told = l.costs.teller.told(&l.lanes, i, s)
		}
	}
}

// textOf returns the server's own words for a row: the text of its push or
// result, and the reason that its hints give.
func textOf(f wire.Frame, r Row) (text, reason string) {
	for h := range f.Messages {
		hints := hintsOf(h)
		if hints == nil || string(wire.Member(hints, "rev")) != string(r.RawRev) {
			continue // another message of a batch
		}
		content := wire.Member(h.Result, "content")
		if h.Method == "push/event" {
			content = wire.Path(h.Params, "payload", "content")
		}
		text, reason = firstText(content), firstReason(hints)
		if text == "" {
			text = reason
		}
		return text, reason
	}
	return "", ""
}

// hintsOf returns the hints of a message, nil where it carries none.
func hintsOf(h wire.Head) []byte {
	switch {
	case h.Method == "tools/hints":
		return h.Params
	case h.Method == "push/event":
		return wire.Member(h.Params, "hints")
	case h.Result != nil:
		return wire.Path(h.Result, "_meta", mcpl.MetaHints)
	}
	return nil
}

func firstText(content []byte) string {
	text := ""
	wire.EachElement(content, func(v []byte) bool {
		text = wire.StringOf(wire.Member(v, "text"))
		return text == ""
	})
	return text
}

func firstReason(hints []byte) string {
	if r := wire.StringOf(wire.Member(hints, "reason")); r != "" {
		return r
	}
	reason := ""
	for _, key := range []string{"toolsets", "suggest", "tools"} {
		wire.EachElement(wire.Member(hints, key), func(v []byte) bool {
			reason = wire.StringOf(wire.Member(v, "reason"))
			return reason == ""
		})
		if reason != "" {
			break
		}
	}
	return reason
}

// ErrNoRev is returned for a rev that was never applied.
var ErrNoRev = errors.New("never applied")

func micros(us int64) time.Duration { return time.Duration(us) * time.Microsecond }

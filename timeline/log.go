package timeline

import (
	"fmt"
	"sort"
	"sync"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Entry is what the log knows of each frame without reading it again.
type Entry struct {
	Seq  int64
	T    time.Duration
	Conn int
	Dir  Dir
	Kind Kind // of the message, or of the first of a batch
	Pair int  // position of the request's answer, or of the answer's request; -1: none
	Row  int  // the first row of the frame, -1: it carried no hints
	Rows int  // how many rows it has (more than one in a batch)
	Size int  // bytes of the body
}

// entry is an Entry as it is kept: one for each frame, for good.
type entry struct {
	seq  int64
	t    int64 // microseconds
	conn int32
	pair int32
	row  int32
	size uint32
	rows uint16
	dir  Dir
	kind Kind
}

// rowEntry is a row as it is kept.
type rowEntry struct {
	rev    int64
	index  int32
	taken  int32
	conn   int32
	status Status
	// counted: it changed what is usable, or how it is defined (Cost.Revs).
	counted bool
}

// Log is the index of one session: an entry for each frame, a row for each
// message that carried hints, and keyframes from which the board at any frame
// is made. The frames' bytes stay where they are; Log reads them again when
// they are asked for. It is safe for use by several goroutines.
type Log struct {
	mu      sync.Mutex
	src     Frames
	state   *State // after the last frame that was reduced
	witness Witness
	frame   wire.Frame // the last one, that it saw
	failed  error      // why the next frame could not be read
	entries list[entry]
	rows    list[rowEntry]
	marks   []Mark
	lanes   lanes
	// landmarks and stderr are the places of what tells of the connections.
	landmarks landmarks
	stderr    []int32
	costs     costs
	// revs are the rows by which the revs of a connection were applied, in
	// their order.
	revs  map[int]*list[int32]
	gaps  map[int]int // by connection
	sides sides
	seams []Seam

	looks looks

	keys   []keyframe
	every  int    // frames between keyframes at the least
	due    int    // position of the next one
	cursor *State // a State somewhere in the past, to go on from
	near   near
}

// NewLog returns an empty log over frames. Advance fills it.
func NewLog(frames Frames) *Log {
	return &Log{src: frames, state: NewState(), revs: map[int]*list[int32]{}, gaps: map[int]int{}, every: keyEvery, costs: costs{meter: NewHeadMeter()}}
}

// Advance reduces up to most further frames that can be read, and returns how
// many it did; 0 means that the log has caught up.
func (l *Log) Advance(most int) (int, error) {
	n, first := 0, l.Len()
	for there := l.src.Len(); n < most && first+n < there; n++ {
		i := first + n
		f, err := l.src.Frame(i)
		if err != nil {
			err = fmt.Errorf("read frame at position %d: %w", i, err)
			l.mu.Lock()
			l.failed = err
			l.mu.Unlock()
			return n, err
		}
		l.add(f)
	}
	for _, p := range l.parts() {
		k, err := p.Advance(most)
		if err != nil {
			return n, err
		}
		n = max(n, k)
	}
	return n, nil
}

func (l *Log) add(f wire.Frame) {
	l.looks.wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	i := l.entries.len()
	l.keyframe(i)
	l.near.passes(i, l.state)
	e := l.apply(f)
	en := entry{
		seq: f.Seq, t: f.T.Microseconds(), conn: int32(f.Conn), pair: int32(e.Pair), row: -1,
		size: uint32(len(f.Body)), rows: uint16(len(e.Rows)), dir: f.Dir, kind: e.Kind,
	}
	if e.Pair >= 0 && l.entries.at(e.Pair).pair < 0 {
		l.entries.at(e.Pair).pair = int32(i)
	}
	if e.Gap {
		l.gaps[f.Conn]++
	}
	if len(e.Rows) > 0 {
		en.row = int32(e.Rows[0].N)
	}
	l.landmarks.add(e.Landmarks)
	var counted []int
	if l.state.mine(f.Conn) {
		l.costs.add(i, f, l.state, e, &l.lanes)
		counted = l.costs.meter.rows
	} else {
		en.dir, en.kind = Note, Invalid // a place, and nothing that was said
	}
	for _, m := range e.Landmarks {
		if m.Kind == ConnBegan {
			l.sides.began(m.Conn, &l.state.conns[m.Conn].link)
			l.part()
		}
	}
	if en.dir == wire.Err {
		l.stderr = append(l.stderr, int32(i))
	}
	for _, t := range e.turns {
		l.lanes.add(f.Conn, i, t.row, t.changes)
	}
	for k := range e.Rows {
		r := &e.Rows[k]
		if n := l.rows.len(); n > 0 && int(l.rows.at(n-1).conn) != f.Conn {
			l.seams = append(l.seams, Seam{Row: n, Conn: f.Conn})
		}
		l.rows.add(rowEntry{rev: r.Rev, index: int32(i), taken: -1, conn: int32(f.Conn), status: r.Status})
	}
	for k := range e.Settled {
		s := &e.Settled[k]
		row := l.rows.at(s.N)
		row.taken, row.status = int32(i), settledStatus(row.status, s.Status)
		l.revsOf(s.Conn).add(int32(s.N))
	}
	for _, n := range counted {
		l.rows.at(n).counted = true
	}
	if f.Dir == wire.Note && f.Name == "mark" {
		l.marks = append(l.marks, Mark{Index: i, T: f.T, Text: wire.StringOf(wire.Member(f.Data, "text"))})
	}
	l.entries.add(en)
	l.failed = nil
}

// settledStatus: what was held stays held, unless it turned out to follow a
// hole (state.md, "Revs", 6).
func settledStatus(before, now Status) Status {
	if before == Held && now == Applied {
		return Held
	}
	return now
}

// Len returns how many frames have been reduced.
func (l *Log) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.entries.len()
}

// Entry returns the index entry of the frame at position i, 0 ≤ i < Len().
func (l *Log) Entry(i int) Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.entries.at(i)
	return Entry{
		Seq: e.seq, T: time.Duration(e.t) * time.Microsecond, Conn: int(e.conn), Dir: e.dir, Kind: e.kind,
		Pair: int(e.pair), Row: int(e.row), Rows: int(e.rows), Size: int(e.size),
	}
}

// Frame reads the frame at position i.
func (l *Log) Frame(i int) (Frame, error) { return l.src.Frame(i) }

// Gaps returns how many frames of a connection brought a rev that left a hole
// so far. It rises with each; the host then re-reads both lists.
func (l *Log) Gaps(conn int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.gaps[conn]
}

// RowCount returns how many rows there are.
func (l *Log) RowCount() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rows.len()
}

// RowAt returns the last row whose frame stands at or before position i, or
// -1.
func (l *Log) RowAt(i int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return sort.Search(l.rows.len(), func(n int) bool { return int(l.rows.at(n).index) > i }) - 1
}

// RowHead is what the log knows of a row without reading its frame again.
type RowHead struct {
	Index  int // position of its frame
	Taken  int // position of the frame at which it took effect, -1: never
	Conn   int
	Rev    int64
	Status Status
	// Counted tells that it changed what is usable, or how it is defined:
	// Cost.Revs counts it once it took effect.
	Counted bool
}

// RowHead returns the head of row n, 0 ≤ n < RowCount().
func (l *Log) RowHead(n int) RowHead {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.rows.at(n)
	return RowHead{int(r.index), int(r.taken), int(r.conn), r.rev, r.status, r.counted}
}

// RowIndex returns the position of the frame of row n, 0 ≤ n < RowCount().
func (l *Log) RowIndex(n int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int(l.rows.at(n).index)
}

// IndexOf returns the position of the frame with number seq, or -1. Where a
// file uses a number twice it is the last.
func (l *Log) IndexOf(seq int64) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := int(seq) - 1; i >= 0 && i < l.entries.len() && l.entries.at(i).seq == seq && seq > 0 {
		return i
	}
	for i := l.entries.len() - 1; i >= 0; i-- {
		if l.entries.at(i).seq == seq {
			return i
		}
	}
	return -1
}

// IndexAt returns the position of the last frame at or before time t, or -1.
func (l *Log) IndexAt(t time.Duration) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	us := t.Microseconds()
	return sort.Search(l.entries.len(), func(i int) bool { return l.entries.at(i).t > us }) - 1
}

// RowOf returns the row by which rev of connection conn was applied (conn 0:
// the last connection), or -1.
func (l *Log) RowOf(conn int, rev int64) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if conn == 0 && l.entries.len() > 0 {
		conn = l.lastConn()
	}
	return l.rowOf(conn, rev)
}

// rowOf finds a rev among those that were applied: they are in order.
func (l *Log) rowOf(conn int, rev int64) int {
	revs := l.revs[conn]
	if revs == nil {
		return -1
	}
	n := revs.search(func(row *int32) bool { return l.rows.at(int(*row)).rev >= rev })
	if n == revs.len() {
		return -1
	}
	row := int(*revs.at(n))
	if l.rows.at(row).rev != rev {
		return -1
	}
	return row
}

func (l *Log) revsOf(conn int) *list[int32] {
	revs := l.revs[conn]
	if revs == nil {
		revs = &list[int32]{}
		l.revs[conn] = revs
	}
	return revs
}

// lastConn is the highest number of a connection so far: the last that began.
func (l *Log) lastConn() int { return l.sides.high }

// LastConn returns the number of the connection that began last, 0: none.
func (l *Log) LastConn() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lastConn()
}

// Mark is a note that the user left in the recording.
type Mark struct {
	Index int
	T     time.Duration
	Text  string
}

// MarkCount returns how many marks there are so far.
func (l *Log) MarkCount() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.marks)
}

// Marks returns the marks so far, in order.
func (l *Log) Marks() []Mark {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Mark(nil), l.marks...)
}

// HoldUntil returns the time at which what is held on an open connection, of
// two the one whose time comes first, has been held long enough (state.md,
// "Revs", 6); held is false where nothing is.
func (l *Log) HoldUntil() (connection int, at time.Duration, held bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for side := range l.sides.conns {
		n := l.connAt(side, l.entries.len())
		c := l.state.conns[n]
		if len(c.held) == 0 || c.link.Phase == Closed {
			continue
		}
		if until := c.oldestHeld() + holdTime; !held || until < at {
			connection, at, held = n, until, true
		}
	}
	return connection, at, held
}

// Latest returns the present state of the connection that began last,
// whichever connection the last frame was of.
func (l *Log) Latest() *Board {
	_, _, newest := l.Present()
	return newest
}

// Present returns what belongs to one moment of a log that goes on meanwhile:
// how many frames were reduced, how many rows they gave, and Latest.
func (l *Log) Present() (frames, rows int, newest *Board) {
	l.mu.Lock()
	defer l.mu.Unlock()
	frames, rows = l.entries.len(), l.rows.len()
	c := l.state.conns[l.lastConn()]
	if c == nil || frames == 0 {
		return frames, rows, nowhere()
	}
	return frames, rows, l.placed(c.board(), frames-1)
}

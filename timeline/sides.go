package timeline

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Two connections of a session can stand side by side (toolhints.md §5: what
// one changes arrives on the other). A side is a connection with those that
// took its place, one after the other. Most sessions have one side: each
// connection follows the one before, unless its note "connect" says "beside".

// MaxSides is how many sides a session has at most. A recording that names
// more has what goes beyond on the last one.
const MaxSides = 2

// sides keeps which connections belong to each side.
type sides struct {
	conns [][]int     // of each side, in the order in which they began
	of    map[int]int // the side of a connection
	high  int         // the highest number of a connection
	logs  []*Log      // of each side alone, nil while there is one side
}

// began files a connection under its side.
func (s *sides) began(n int, link *Link) {
	at := max(len(s.conns)-1, 0)
	switch k, known := s.of[link.After]; {
	case len(s.conns) == 0 || link.Beside > 0 && len(s.conns) < MaxSides:
		at = len(s.conns)
		s.conns = append(s.conns, nil)
	case link.After > 0 && known:
		at = k
	case link.Beside == 0:
		at = s.of[s.high]
	}
	s.high = max(s.high, n)
	if s.of == nil {
		s.of = map[int]int{}
	}
	s.conns[at] = append(s.conns[at], n)
	s.of[n] = at
}

// part opens the logs of the sides alone as soon as there are two.
func (l *Log) part() {
	if len(l.sides.conns) < 2 || l.sides.logs != nil || l.state.only != nil {
		return
	}
	for k := range MaxSides {
		p := NewLog(l.src)
		p.every = l.every
		p.state.only = func(conn int) bool { return l.SideOf(conn) == k }
		l.sides.logs = append(l.sides.logs, p)
	}
}

// parts are the logs of the sides alone, none while there is one side.
func (l *Log) parts() []*Log {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sides.logs
}

// Side returns the log of one side alone, counted from 0; where there is one
// side, the log itself. Frames have the same positions in it, and its rows,
// boards and lanes are those of the side's connections: what the other side
// says is left out. It grows with the log, at most one Advance later.
func (l *Log) Side(side int) *Log {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sides.logs == nil {
		return l
	}
	return l.sides.logs[min(max(side, 0), len(l.sides.logs)-1)]
}

// Sides returns how many connections stand side by side: 1, or 2 once a second
// one was opened beside the first.
func (l *Log) Sides() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(len(l.sides.conns), 1)
}

// SideOf returns the side of a connection, counted from 0.
func (l *Log) SideOf(conn int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sides.of[conn]
}

// ConnAt returns the connection of a side that began last at or before
// position i, 0: none did.
func (l *Log) ConnAt(side, i int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.connAt(side, i)
}

func (l *Log) connAt(side, i int) int {
	if side < 0 || side >= len(l.sides.conns) {
		return 0
	}
	conns := l.sides.conns[side]
	n := sort.Search(len(conns), func(k int) bool {
		began := l.landmarks.marks[landmarkKey{ConnBegan, int32(conns[k])}]
		return int(began[0].index) > i
	})
	if n == 0 {
		return 0
	}
	return conns[n-1]
}

// ConnBefore returns the connection whose place a connection took, 0: none.
func (l *Log) ConnBefore(conn int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	side, ok := l.sides.of[conn]
	if !ok {
		return 0
	}
	if k := slices.Index(l.sides.conns[side], conn); k > 0 {
		return l.sides.conns[side][k-1]
	}
	return 0
}

// BoardOf returns the state of a connection right after the frame at position
// i, whichever connection that frame is of.
func (l *Log) BoardOf(conn, i int) (*Board, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, i, err := l.after(i)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nowhere(), nil
	}
	c := s.conns[conn]
	if c == nil {
		return nil, fmt.Errorf("connection %d had not begun at frame %d", conn, l.entries.at(i).seq)
	}
	return l.placed(c.board(), i), nil
}

// nowhere is the board before the first frame.
func nowhere() *Board { return &Board{Index: -1, ManifestAt: -1, ListAt: -1} }

// Seam is where a connection begins among the rows: one that took the place of
// another.
type Seam struct {
	Row  int // the first of its rows
	Conn int
}

// Seams returns the places at which rows of another connection begin than
// those before, oldest first. Connections that brought no row have none.
func (l *Log) Seams() []Seam {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.seams)
}

// Retry is what was said, after the end of a connection, of the next try
// (outputs.md, "note": retry).
type Retry struct {
	Index   int
	T       time.Duration // when it was said
	In      time.Duration // the next try comes this much later
	Attempt int           // which one it is since the link was lost, 0: not said
	Stopped bool          // there is none: Reason says why
	Reason  string
}

// decodeRetry reads the data of a note "retry"; place and time are the
// caller's to fill in.
func decodeRetry(raw []byte) *Retry {
	r := &Retry{}
	wire.EachMember(raw, func(key string, v []byte) bool {
		switch key {
		case "in":
			if s, err := strconv.ParseFloat(string(v), 64); err == nil && s >= 0 && s < 1e6 {
				r.In = time.Duration(s * float64(time.Second))
			}
		case "attempt":
			r.Attempt = number(v)
		case "stopped":
			r.Stopped = string(v) == "true"
		case "reason":
			r.Reason = wire.StringOf(v)
		}
		return true
	})
	return r
}

// number reads a number of ours that is 1 or more, 0 where it is none.
func number(raw []byte) int {
	n, err := strconv.Atoi(string(raw))
	if err != nil || n < 0 || n > 1<<31-1 {
		return 0
	}
	return n
}

// FirstFrame returns the position of a connection's first frame, -1: it has
// none.
func (l *Log) FirstFrame(conn int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if began := l.landmarks.marks[landmarkKey{ConnBegan, int32(conn)}]; len(began) > 0 {
		return int(began[0].index)
	}
	return -1
}

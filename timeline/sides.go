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

// sides keeps which connections and rows belong to each side.
type sides struct {
	conns [][]int     // of each side, in the order in which they began
	of    map[int]int // the side of a connection
	rows  [][]int32   // the rows of each side; nil while there is one side
	seams [][]seam    // the first row of each connection, by side
	high  int         // the highest number of a connection
}

// seam is the first row of a connection.
type seam struct{ row, conn int32 }

// began files a connection under its side.
func (s *sides) began(n int, link *Link, rows []rowEntry) {
	at := max(len(s.conns)-1, 0)
	switch k, known := s.of[link.After]; {
	case len(s.conns) == 0 || link.Beside > 0 && len(s.conns) < MaxSides:
		at = len(s.conns)
		s.conns, s.seams = append(s.conns, nil), append(s.seams, nil)
	case link.After > 0 && known:
		at = k
	case link.Beside == 0 && len(s.conns) > 0:
		at = s.of[s.high]
	}
	s.high = max(s.high, n)
	if s.of == nil {
		s.of = map[int]int{}
	}
	s.conns[at] = append(s.conns[at], n)
	s.of[n] = at
	if len(s.conns) > len(s.rows) && len(s.conns) > 1 {
		s.rows = make([][]int32, len(s.conns))
		for i := range rows {
			k := s.of[int(rows[i].conn)]
			s.rows[k] = append(s.rows[k], int32(i))
		}
	}
}

// addRow files a row under its side.
func (s *sides) addRow(n, conn int) {
	k := s.of[conn]
	if len(s.seams) > k {
		if have := s.seams[k]; len(have) == 0 || int(have[len(have)-1].conn) != conn {
			s.seams[k] = append(have, seam{int32(n), int32(conn)})
		}
	}
	if s.rows != nil {
		s.rows[k] = append(s.rows[k], int32(n))
	}
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
	if i < 0 || len(l.entries) == 0 {
		return nowhere(), nil
	}
	i = min(i, len(l.entries)-1)
	s := l.state
	if i < len(l.entries)-1 {
		var err error
		if s, err = l.at(i + 1); err != nil {
			return nil, err
		}
	}
	c := s.conns[conn]
	if c == nil {
		return nil, fmt.Errorf("connection %d had not begun at frame %d", conn, l.entries[i].seq)
	}
	return l.placed(c.board(), i), nil
}

// LatestOf returns the present state of the newest connection of a side.
func (l *Log) LatestOf(side int) *Board {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.state.conns[l.connAt(side, len(l.entries)-1)]
	if c == nil || len(l.entries) == 0 {
		return nowhere()
	}
	return l.placed(c.board(), len(l.entries)-1)
}

// nowhere is the board before the first frame.
func nowhere() *Board { return &Board{Index: -1, ManifestAt: -1, ListAt: -1} }

// SideRows returns how many rows a side has.
func (l *Log) SideRows(side int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sideRows(side)
}

func (l *Log) sideRows(side int) int {
	switch {
	case l.sides.rows == nil && side == 0:
		return len(l.rows)
	case side < 0 || side >= len(l.sides.rows):
		return 0
	}
	return len(l.sides.rows[side])
}

// SideRow returns the k-th row of a side, 0 ≤ k < SideRows(side).
func (l *Log) SideRow(side, k int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sideRow(side, k)
}

func (l *Log) sideRow(side, k int) int {
	if l.sides.rows == nil {
		return k
	}
	return int(l.sides.rows[side][k])
}

// SideRowAt returns which of a side's rows is the last whose frame stands at
// or before position i, -1: none.
func (l *Log) SideRowAt(side, i int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return sort.Search(l.sideRows(side), func(k int) bool {
		return int(l.rows[l.sideRow(side, k)].index) > i
	}) - 1
}

// Seam is where a connection begins within the rows of its side.
type Seam struct {
	K    int // the first of its rows, counted within the side
	Conn int
}

// Seams returns the places among a side's rows at which another connection
// begins, oldest first: those of the connections that took another's place.
func (l *Log) Seams(side int) []Seam {
	l.mu.Lock()
	defer l.mu.Unlock()
	if side < 0 || side >= len(l.sides.seams) || len(l.sides.seams[side]) < 2 {
		return nil
	}
	var out []Seam
	for _, s := range l.sides.seams[side][1:] {
		k := int(s.row)
		if l.sides.rows != nil {
			k, _ = slices.BinarySearch(l.sides.rows[side], s.row)
		}
		out = append(out, Seam{K: k, Conn: int(s.conn)})
	}
	return out
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

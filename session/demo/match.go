package demo

import (
	"fmt"
	"slices"
	"strings"
)

// move is one move of a match: where, by whom, and the points it took.
type move struct {
	at    int // a point, or pass
	by    stone
	taken []int
}

// match is a game by the rules of Go: positional superko, no suicide, two
// passes end it, area scoring.
type match struct {
	size   int
	komi   float64
	boards []board  // the start, and the position after each move
	keys   []string // of boards
	moves  []move
	turn   stone
}

// newMatch starts a match; with handicap stones White moves first.
func newMatch(size int, komi float64, handicap int) *match {
	start := newBoard(size)
	for _, p := range starPoints(size)[:handicap] {
		start.at[p] = black
	}
	m := &match{size: size, komi: komi, turn: black}
	m.boards, m.keys = []board{start}, []string{start.key()}
	if handicap > 0 {
		m.turn = white
	}
	return m
}

// starPoints returns the four points for handicap stones, opposite corners
// first.
func starPoints(size int) []int {
	low := 2
	if size < 7 {
		low = 1
	}
	high := size - 1 - low
	return []int{high*size + high, low*size + low, low*size + high, high*size + low}
}

func (m *match) board() board { return m.boards[len(m.boards)-1] }

// limit is the number of moves after which a match is counted as it stands,
// so that every match ends.
func (m *match) limit() int { return 4 * m.size * m.size }

// over reports whether two passes, or the limit, have ended the match.
func (m *match) over() bool {
	n := len(m.moves)
	return n >= m.limit() || n >= 2 && m.moves[n-1].at == pass && m.moves[n-2].at == pass
}

// passed reports whether the last move was a pass.
func (m *match) passed() bool {
	return len(m.moves) > 0 && m.moves[len(m.moves)-1].at == pass
}

// try returns the position after a move of the player whose turn it is, and
// what it takes, or why it is against the rules.
func (m *match) try(p int) (board, []int, error) {
	next, taken, err := m.board().place(p, m.turn)
	if err != nil {
		return next, nil, err
	}
	key := next.key()
	for i := len(m.keys) - 1; i >= 0; i-- {
		if m.keys[i] != key {
			continue
		}
		if i == len(m.keys)-2 {
			return next, nil, errKo
		}
		return next, nil, errSuperko
	}
	return next, taken, nil
}

// play places a stone for the player whose turn it is.
func (m *match) play(p int) error {
	next, taken, err := m.try(p)
	if err != nil {
		return err
	}
	m.add(move{at: p, by: m.turn, taken: taken}, next)
	return nil
}

// pass passes for the player whose turn it is.
func (m *match) pass() { m.add(move{at: pass, by: m.turn}, m.board()) }

func (m *match) add(mv move, next board) {
	m.moves = append(m.moves, mv)
	m.boards = append(m.boards, next)
	m.keys = append(m.keys, next.key())
	m.turn = m.turn.other()
}

// takeBack undoes the last n moves.
func (m *match) takeBack(n int) {
	m.moves = m.moves[:len(m.moves)-n]
	m.boards = m.boards[:len(m.boards)-n]
	m.keys = m.keys[:len(m.keys)-n]
	if n%2 == 1 {
		m.turn = m.turn.other()
	}
}

// legal returns the points on which the player whose turn it is may place a
// stone.
func (m *match) legal() []int {
	var out []int
	for p := range m.board().at {
		if _, _, err := m.try(p); err == nil {
			out = append(out, p)
		}
	}
	return out
}

// score counts the area of both, White's with komi.
func (m *match) score() (blackScore, whiteScore float64) {
	b, w := m.board().area()
	return float64(b), float64(w) + m.komi
}

// outcome says who wins by counting, and by how much.
func (m *match) outcome() string {
	b, w := m.score()
	switch {
	case b > w:
		return fmt.Sprintf("Black wins by %g", b-w)
	case w > b:
		return fmt.Sprintf("White wins by %g", w-b)
	}
	return "a draw"
}

// full reports whether so many points are taken that counting makes sense.
func (m *match) full() bool {
	free := 0
	for _, s := range m.board().at {
		if s == empty {
			free++
		}
	}
	return free*5 <= m.size*m.size*2
}

// columns leaves out I, as players do.
const columns = "ABCDEFGHJ"

// pointName names a point: column, then row.
func pointName(p, size int) string {
	return fmt.Sprintf("%c%d", columns[p%size], p/size+1)
}

// pointNames names several points in words: C4 and D4.
func pointNames(points []int, size int) string {
	names := make([]string, len(points))
	for i, p := range slices.Sorted(slices.Values(points)) {
		names[i] = pointName(p, size)
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// parsePoint reads a point's name.
func parsePoint(s string, size int) (int, bool) {
	if len(s) != 2 {
		return 0, false
	}
	x := strings.IndexByte(columns[:size], s[0])
	y := int(s[1] - '1')
	if x < 0 || s[1] < '1' || y >= size {
		return 0, false
	}
	return y*size + x, true
}

// draw draws the position with its coordinates, X for Black and O for White.
func (m *match) draw() string {
	var out strings.Builder
	for y := m.size - 1; y >= 0; y-- {
		fmt.Fprintf(&out, "%d", y+1)
		for x := range m.size {
			out.WriteByte(' ')
			out.WriteByte(".XO"[m.board().at[y*m.size+x]])
		}
		out.WriteByte('\n')
	}
	out.WriteByte(' ')
	for x := range m.size {
		out.WriteByte(' ')
		out.WriteByte(columns[x])
	}
	return out.String()
}

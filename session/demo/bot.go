package demo

import "math/rand/v2"

// choose picks a move for the player whose turn it is: it takes what can be
// taken, saves what can be saved, never fills its own eyes, and passes where
// nothing sensible is left, or where the other passed and it is ahead.
func choose(m *match, rng *rand.Rand) int {
	if m.passed() && ahead(m) {
		return pass
	}
	best, most := pass, 0
	for _, p := range m.legal() {
		if worth := worthOf(m, p); worth > 0 {
			// Chance decides between moves of much the same worth.
			if worth = worth*8 + rng.IntN(24); worth > most {
				best, most = p, worth
			}
		}
	}
	return best
}

// ahead reports whether the player whose turn it is wins if it ends now.
func ahead(m *match) bool {
	b, w := m.score()
	return m.turn == black && b > w || m.turn == white && w > b
}

// worthOf rates a legal move; 0 is a move not to make.
func worthOf(m *match, p int) int {
	b := m.board()
	next, taken, err := m.try(p)
	if err != nil {
		return 0
	}
	if len(taken) == 0 && ownEye(b, p, m.turn) {
		return 0
	}
	_, liberties := next.group(p)
	if len(taken) == 0 && len(liberties) < 2 {
		return 0 // it would be taken at once
	}
	worth := 20 * len(taken)
	for _, n := range b.neighbours(p) {
		switch b.at[n] {
		case m.turn:
			if stones, free := b.group(n); len(free) == 1 {
				worth += 15 * len(stones) // saved
			}
			worth++
		case m.turn.other():
			stones, free := next.group(n)
			switch {
			case next.at[n] == empty:
			case len(free) == 1:
				worth += 6 + len(stones)
			case len(free) == 2:
				worth += 4
			default:
				worth += 2
			}
		}
	}
	if worth < 6 && settled(b, p, m.turn) {
		return 0
	}
	return worth + height(b, p)
}

// ownEye reports whether p is an eye of colour c: its own stones on all
// sides, and on enough of the corners.
func ownEye(b board, p int, c stone) bool {
	for _, n := range b.neighbours(p) {
		if b.at[n] != c {
			return false
		}
	}
	x, y := p%b.size, p/b.size
	corners, theirs := 0, 0
	for _, d := range [][2]int{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		cx, cy := x+d[0], y+d[1]
		if cx < 0 || cy < 0 || cx >= b.size || cy >= b.size {
			continue
		}
		corners++
		if b.at[cy*b.size+cx] == c.other() {
			theirs++
		}
	}
	return theirs == 0 || corners == 4 && theirs == 1
}

// settled reports whether the empty region around p is nobody's to gain: the
// player's own, or too small to live in.
func settled(b board, p int, c stone) bool {
	inside, around := b.region(p)
	switch b.border(around) {
	case c:
		return true
	case c.other():
		return len(inside) < 8
	}
	return false
}

// height prefers points that are not on the edge.
func height(b board, p int) int {
	x, y := p%b.size, p/b.size
	return 1 + min(x, y, b.size-1-x, b.size-1-y, 2)
}

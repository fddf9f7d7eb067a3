package demo

import (
	"errors"
	"sync"
)

// stone is what stands on a point, and the colour of a player.
type stone byte

const (
	empty stone = iota
	black
	white
)

func (s stone) other() stone { return black + white - s }

// String returns the colour's name, as players say it.
func (s stone) String() string {
	switch s {
	case black:
		return "Black"
	case white:
		return "White"
	}
	return "nobody"
}

// pass stands for a move that places no stone.
const pass = -1

// Why a stone may not be placed.
var (
	errTaken   = errors.New("there is a stone already")
	errSuicide = errors.New("it would have no liberty and take nothing: suicide is not allowed")
	errKo      = errors.New("it takes back the ko at once; play elsewhere first")
	errSuperko = errors.New("it repeats an earlier position, which superko forbids")
)

// board is a position: size × size points, from A1 at the lower left, row by
// row. A board is not changed once made.
type board struct {
	size int
	at   []stone
}

func newBoard(size int) board { return board{size: size, at: make([]stone, size*size)} }

// key is equal for equal positions of one size.
func (b board) key() string {
	k := make([]byte, len(b.at))
	for i, s := range b.at {
		k[i] = byte(s)
	}
	return string(k)
}

// maxSize is the size of the largest board.
const maxSize = 9

// beside holds the neighbours of each point, by the board's size.
var beside = sync.OnceValue(func() (all [maxSize + 1][][]int) {
	for size := range all {
		for p := range size * size {
			x, y := p%size, p/size
			var near []int
			if x > 0 {
				near = append(near, p-1)
			}
			if x < size-1 {
				near = append(near, p+1)
			}
			if y > 0 {
				near = append(near, p-size)
			}
			if y < size-1 {
				near = append(near, p+size)
			}
			all[size] = append(all[size], near)
		}
	}
	return all
})

// neighbours returns the points beside p.
func (b board) neighbours(p int) []int { return beside()[b.size][p] }

// region returns the points that are connected with p and have the same
// stone (or none) on them, and the points around them.
func (b board) region(p int) (inside, around []int) {
	var seen [maxSize * maxSize]bool
	seen[p] = true
	inside = append(make([]int, 0, 16), p)
	for i := 0; i < len(inside); i++ {
		for _, n := range b.neighbours(inside[i]) {
			if seen[n] {
				continue
			}
			seen[n] = true
			if b.at[n] == b.at[p] {
				inside = append(inside, n)
			} else {
				around = append(around, n)
			}
		}
	}
	return inside, around
}

// group returns the stones connected with the one at p, and their liberties.
func (b board) group(p int) (stones, liberties []int) {
	stones, around := b.region(p)
	for _, n := range around {
		if b.at[n] == empty {
			liberties = append(liberties, n)
		}
	}
	return stones, liberties
}

// place returns the position after a stone of colour c was placed on p, and
// the points whose stones it took. It knows nothing of ko.
func (b board) place(p int, c stone) (next board, taken []int, err error) {
	if b.at[p] != empty {
		return b, nil, errTaken
	}
	next = board{size: b.size, at: append([]stone(nil), b.at...)}
	next.at[p] = c
	for _, n := range b.neighbours(p) {
		if next.at[n] != c.other() {
			continue
		}
		stones, liberties := next.group(n)
		if len(liberties) > 0 {
			continue
		}
		for _, s := range stones {
			next.at[s] = empty
		}
		taken = append(taken, stones...)
	}
	if len(taken) == 0 {
		if _, liberties := next.group(p); len(liberties) == 0 {
			return b, nil, errSuicide
		}
	}
	return next, taken, nil
}

// area counts for each colour its stones and the empty regions that only it
// borders on. All stones count as alive.
func (b board) area() (blackArea, whiteArea int) {
	counted := make([]bool, len(b.at))
	for p, s := range b.at {
		switch {
		case s == black:
			blackArea++
		case s == white:
			whiteArea++
		case !counted[p]:
			inside, around := b.region(p)
			for _, i := range inside {
				counted[i] = true
			}
			switch b.border(around) {
			case black:
				blackArea += len(inside)
			case white:
				whiteArea += len(inside)
			}
		}
	}
	return blackArea, whiteArea
}

// border returns the one colour that stands on the points around a region, or
// empty where it is none or both.
func (b board) border(around []int) stone {
	owner := empty
	for _, n := range around {
		switch {
		case owner == empty:
			owner = b.at[n]
		case owner != b.at[n]:
			return empty
		}
	}
	return owner
}

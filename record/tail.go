package record

import "github.com/mcpl-tui/mcpl-tui/session/wire"

// tailBlock is how many frames lie together in a tail.
const tailBlock = 256

// tail is a queue of frames. What lies in it is never moved, however long it
// becomes, and the memory of what left it is used again: a flood that passes
// through costs none. The zero value is empty.
type tail struct {
	blocks []*[tailBlock]wire.Frame
	first  int // place of the first frame in the first block
	n      int
	spare  *[tailBlock]wire.Frame // an empty one, kept for the next
}

func (t *tail) len() int { return t.n }

// at returns the frame at i, 0 ≤ i < len().
func (t *tail) at(i int) *wire.Frame {
	i += t.first
	return &t.blocks[i/tailBlock][i%tailBlock]
}

func (t *tail) push(f wire.Frame) {
	if t.first+t.n == len(t.blocks)*tailBlock {
		b := t.spare
		if t.spare = nil; b == nil {
			b = new([tailBlock]wire.Frame)
		}
		t.blocks = append(t.blocks, b)
	}
	t.n++
	*t.at(t.n - 1) = f
}

// drop takes away the first n frames, 0 ≤ n ≤ len().
func (t *tail) drop(n int) {
	for i := range n {
		*t.at(i) = wire.Frame{} // nothing is kept for it
	}
	t.first, t.n = t.first+n, t.n-n
	k := t.first / tailBlock
	if k == 0 {
		return
	}
	t.spare, t.first = t.blocks[k-1], t.first%tailBlock
	left := copy(t.blocks, t.blocks[k:])
	clear(t.blocks[left:])
	t.blocks = t.blocks[:left]
}

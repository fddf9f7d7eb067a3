package wire

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Reader makes trees. The memory of all that it made since Reset is in one
// piece. The zero value is ready for use.
type Reader struct {
	room []node
	long []Span

	// The tree that is being made.
	t     *Tree
	nodes []node // of it, and room for more
	n     int    // how many there are
	moved bool   // they stand elsewhere than in room
	depth int    // objects and arrays that are open
	part  bool   // it had too many values, and is read again
	lost  int    // objects and arrays that are open and not kept, while part
}

// level is what of an object was read so far.
type level struct {
	node int32           // 0: beyond maxNodes
	seen uint64          // a bit for each key, the same for the same key
	keys int             // how many
	many map[string]bool // the keys, once there are many
}

// Bounds of a tree. Where there are more values than maxNodes, some are left
// out; a value that nests deeper than maxLevels is no JSON (encoding/json
// refuses it too).
const (
	maxNodes  = 1 << 18
	maxLevels = 10_000
	keepNodes = 1 << 14 // what is kept of the memory by Reset
	manyKeys  = 48      // from how many keys on an object's are looked up in a map
)

// Reset lets the memory of all trees that were read be used again.
func (r *Reader) Reset() {
	if r.room, r.long = r.room[:0], r.long[:0]; cap(r.room) > keepNodes {
		r.room = nil
	}
}

// Reserve makes room for so many values at once, so that it need not grow to
// that bit by bit.
func (r *Reader) Reserve(values int) {
	if cap(r.room) < values {
		r.room = make([]node, 0, values)
	}
}

// Read makes t of the bytes of one value. It returns the root, and false where
// they are no JSON, as encoding/json understands it.
func (r *Reader) Read(b []byte, t *Tree) (root Value, ok bool) {
	*t = Tree{Bytes: b, Control: -1}
	if len(b) > 1<<30 {
		return 0, false
	}
	from := len(r.long)
	r.nodes, r.moved = r.room[len(r.room):cap(r.room)], false
	if ok = r.whole(t); ok && t.Cut {
		twice := t.Twice
		r.long = r.long[:from]
		*t = Tree{Bytes: b, Control: -1, Cut: true}
		ok = r.whole(t)
		t.Twice = twice
	}
	if !ok {
		r.long = r.long[:from]
		return 0, false
	}
	r.nodes[0] = node{}
	t.nodes, t.Long = r.nodes[:r.n:r.n], r.long[from:len(r.long):len(r.long)]
	if t.Twice != nil {
		t.leaveOut()
	}
	if t.Cut || t.keys != nil {
		t.Top = t.Message(1) // its keys were not looked at, or not all of them
	} else {
		t.Top.Root, t.Top.Kind = 1, t.kindOf(&t.Top)
	}
	if r.moved {
		r.room = r.nodes[:r.n]
	} else {
		r.room = r.room[:len(r.room)+r.n]
	}
	return 1, true
}

// whole reads the bytes from beginning to end; false where they are no JSON.
func (r *Reader) whole(t *Tree) bool {
	r.t, r.depth, r.part, r.lost, r.n = t, 0, t.Cut, 0, 0
	if len(r.nodes) == 0 {
		r.grow()
	}
	r.nodes[0], r.n = node{}, 1 // where all stand that are too many
	end, ok := r.value(blank(t.Bytes, 0), r.next(0))
	return ok && blank(t.Bytes, end) == len(t.Bytes)
}

// next makes room for a node, which follows the one at a place, 0 for none.
// Where there are too many, it is the one at 0, which stands for all of them.
func (r *Reader) next(follows int32) (at int32) {
	if r.n == len(r.nodes) || r.lost > 0 {
		return r.crowded(follows)
	}
	at = int32(r.n)
	r.n++
	r.nodes[follows].next = at
	r.nodes[at] = node{}
	return at
}

// crowded is next where there is no room, or none for what is left out.
func (r *Reader) crowded(follows int32) (at int32) {
	if r.lost > 0 || !r.grow() {
		r.t.Cut = true
		return 0
	}
	return r.next(follows)
}

// grow makes room for more nodes, unless there are too many.
func (r *Reader) grow() bool {
	if r.n == maxNodes {
		return false
	}
	more := make([]node, min(max(2*r.n, 2*cap(r.room), 256), max(keepNodes, min(2*r.n, maxNodes))))
	copy(more, r.nodes)
	r.nodes, r.moved = more, true
	return true
}

// value reads the value at i, which is the node at a place, and returns where
// it ends.
func (r *Reader) value(i int, at int32) (end int, ok bool) {
	b := r.t.Bytes
	if i >= len(b) {
		return i, false
	}
	n := &r.nodes[at]
	n.start, n.kind = int32(i), b[i]
	switch b[i] {
	case '"':
		if k := short(b, i+1); k < notShort {
			end = i + k + 2
		} else if end, n.escaped, ok = r.text(i + 1); !ok {
			return i, false
		}
	case '{', '[':
		if r.depth == maxLevels {
			return i, false
		}
		if r.depth++; r.part && at == 0 {
			r.lost++
		}
		if b[i] == '{' {
			end, ok = r.object(i+1, at)
		} else {
			end, ok = r.array(i+1, at)
		}
		if r.depth--; r.part && at == 0 {
			r.lost--
		}
		r.nodes[at].end = int32(end)
		return end, ok
	default:
		if end = scalarEnd(b, i); end < 0 {
			return i, false
		}
		if n.kind-'0' <= 9 || n.kind == '-' {
			n.kind = '0'
		}
	}
	n.end = int32(end)
	return end, true
}

// array reads the elements of an array from i on, and returns where it ends.
func (r *Reader) array(i int, at int32) (end int, ok bool) {
	b := r.t.Bytes
	if i = blank(b, i); i < len(b) && b[i] == ']' {
		r.nodes[at].empty = true
		return i + 1, true
	}
	first := r.next(0)
	r.nodes[at].empty = first == 0 // as far as the tree goes
	before := int32(0)
	for last := first; ; last = r.next(last) {
		if i, ok = r.value(i, last); !ok {
			return i, false
		}
		if r.part {
			last = r.keepPart(at, last, before)
			before = last
		}
		if i = blank(b, i); i >= len(b) {
			return i, false
		}
		switch b[i] {
		case ',':
			i = blank(b, i+1)
		case ']':
			return i + 1, true
		default:
			return i, false
		}
	}
}

// object reads the members of an object from i on, and returns where it ends.
func (r *Reader) object(i int, at int32) (end int, ok bool) {
	b := r.t.Bytes
	if i = blank(b, i); i < len(b) && b[i] == '}' {
		r.nodes[at].empty = true
		return i + 1, true
	}
	l, first := level{node: at}, r.next(0)
	r.nodes[at].empty = first == 0 // as far as the tree goes
	before := int32(0)
	for last := first; ; last = r.next(last) {
		var key uint64
		if i, key, ok = r.key(i, last, &l); !ok {
			return i, false
		}
		if r.depth == 1 {
			r.t.Top.note(key, Value(last))
		}
		if i, ok = r.value(i, last); !ok {
			return i, false
		}
		if r.part {
			last = r.keepPart(at, last, before)
			before = last
		}
		if i < len(b) && b[i] <= ' ' {
			i = blank(b, i)
		}
		if i >= len(b) {
			return i, false
		}
		switch b[i] {
		case ',':
			if i++; i < len(b) && b[i] <= ' ' {
				i = blank(b, i)
			}
		case '}':
			return i + 1, true
		default:
			return i, false
		}
	}
}

// key reads the key of the node at a place, up to the value, and looks whether
// it stands twice. number is its numberOf.
func (r *Reader) key(i int, at int32, l *level) (next int, number uint64, ok bool) {
	b := r.t.Bytes
	if i >= len(b) || b[i] != '"' {
		return i, 0, false
	}
	start, escaped := i+1, false
	if k := short(b, start); k < 8 {
		i = start + k + 1
		number = binary.LittleEndian.Uint64(b[start:])&(1<<(8*k)-1) | uint64(k)<<56
	} else if k < notShort {
		i = start + k + 1
		number = numberOf(b[start : i-1])
	} else {
		long := len(r.long)
		if i, escaped, ok = r.text(start); !ok {
			return i, 0, false
		}
		r.long = r.long[:long] // a key is no text
		number = numberOf(b[start : i-1])
	}
	n := &r.nodes[at]
	n.kstart, n.kend = int32(start), int32(i-1)
	// Most keys differ from those before by a first look.
	bit := uint64(1) << (number * spread >> 58)
	if escaped {
		r.t.keep(n)
		bit = ^uint64(0)
	}
	if l.seen&bit != 0 || l.keys >= manyKeys || at == 0 {
		r.lookTwice(at, l)
	}
	l.seen |= bit
	l.keys++
	if i < len(b) && b[i] != ':' {
		i = blank(b, i)
	}
	if i >= len(b) || b[i] != ':' {
		return i, 0, false
	}
	if i++; i < len(b) && b[i] <= ' ' {
		i = blank(b, i)
	}
	return i, number, true
}

// keep keeps the key of a node, which has escapes, without them.
func (t *Tree) keep(n *node) {
	from := len(t.keys)
	t.keys = append(t.keys, unescape(t.Bytes[n.kstart:n.kend])...)
	n.kstart, n.kend = int32(from), -int32(len(t.keys))
}

// numberOf is a number for a key: of up to 7 bytes these bytes, the first one
// lowest, and how many there are in the highest; else one that is different for
// most different keys.
func numberOf(key []byte) (number uint64) {
	if n := len(key); n > 7 {
		first, last := binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[n-8:])
		return first ^ bits.RotateLeft64(last, 5) ^ uint64(n) | 1<<63
	}
	for i := len(key) - 1; i >= 0; i-- {
		number = number<<8 | uint64(key[i])
	}
	return number | uint64(len(key))<<56
}

// spread makes the top bits of a product depend on all bits of the number.
const spread = 0x9e3779b97f4a7c15

// lookTwice looks whether the key of the node at a place stands in its object
// already.
func (r *Reader) lookTwice(at int32, l *level) {
	if r.t.Twice != nil {
		return
	}
	name := r.t.key(&r.nodes[at])
	if l.many == nil && l.keys < manyKeys && at != 0 {
		for s := r.sibling(l, 0, at); s != 0; s = r.sibling(l, s, at) {
			if bytes.Equal(r.t.key(&r.nodes[s]), name) {
				r.t.Twice = name
				return
			}
		}
		return
	}
	if l.many == nil {
		l.many = map[string]bool{}
		for s := r.sibling(l, 0, at); s != 0; s = r.sibling(l, s, at) {
			l.many[string(r.t.key(&r.nodes[s]))] = true
		}
	}
	if l.many[string(name)] {
		r.t.Twice = bytes.Clone(name)
	}
	l.many[string(name)] = true
}

// sibling returns the member after one, 0 for the first, of those of an object
// that were read before the one at a place; 0: there is none.
func (r *Reader) sibling(l *level, after, at int32) int32 {
	next := l.node + 1
	switch {
	case l.node == 0 || l.keys == 0 || r.nodes[l.node].empty:
		return 0
	case after != 0:
		next = r.nodes[after].next
	}
	if next == at || int(next) >= r.n {
		return 0
	}
	return next
}

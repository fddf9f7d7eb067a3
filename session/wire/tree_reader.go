package wire

import "bytes"

// Reader makes trees. The memory of all that it made since Reset is in one
// piece. The zero value is ready for use.
type Reader struct {
	room []node
	long []Span
	open []level
	many map[int]map[string]bool // keys of large objects, by depth

	// The tree that is being made.
	t     *Tree
	nodes []node // of it, and room for more
	n     int    // how many there are
	moved bool   // they stand elsewhere than in room
	at    int32  // of the value that is read next
}

// level is an object or array that is being read.
type level struct {
	seen uint64 // a bit for each key so far, the same for the same key
	node int32  // 0: beyond maxNodes
	keys int32  // how many so far
	kind byte
}

// Bounds of a tree. Values beyond maxNodes are not looked into; a value that
// nests deeper than maxLevels is no JSON (encoding/json refuses it too).
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

// Read makes t of the bytes of one value. It returns the root, and false where
// they are no JSON, as encoding/json understands it.
func (r *Reader) Read(b []byte, t *Tree) (root Value, ok bool) {
	*t = Tree{Bytes: b, Control: -1}
	if len(b) > 1<<30 {
		return 0, false
	}
	from := len(r.long)
	r.t, r.open, r.many = t, r.open[:0], nil
	r.nodes, r.n, r.moved = r.room[len(r.room):cap(r.room)], 0, false
	r.at = 0
	if len(r.nodes) == 0 {
		r.grow()
	}
	r.nodes[0], r.n = node{}, 1 // where all stand that are too many
	r.next(0)
	end, ok := r.body()
	if ok = ok && blank(b, end) == len(b); !ok {
		r.long = r.long[:from]
		return 0, false
	}
	r.nodes[0] = node{}
	t.nodes, t.Long = r.nodes[:r.n:r.n], r.long[from:len(r.long):len(r.long)]
	if r.moved {
		r.room = r.nodes[:r.n]
	} else {
		r.room = r.room[:len(r.room)+r.n]
	}
	return 1, true
}

// next makes room for the node of the value that is read next; it follows the
// one at a place, 0 for none. Where there are too many, it stands for all of
// them.
func (r *Reader) next(follows int32) *node {
	if r.n == len(r.nodes) && !r.grow() {
		r.at = 0
		return &r.nodes[0]
	}
	r.at = int32(r.n)
	r.n++
	r.nodes[follows].next = r.at
	n := &r.nodes[r.at]
	n.kstart, n.kend, n.next, n.escaped, n.empty = 0, 0, 0, false, false
	return n
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

// body reads the one value of the bytes, with all that is in it, and returns
// where it ends.
func (r *Reader) body() (end int, ok bool) {
	b, i := r.t.Bytes, 0
	for {
		if i < len(b) && b[i] <= ' ' {
			i = blank(b, i)
		}
		if i >= len(b) {
			return i, false
		}
		at := r.at
		n := &r.nodes[at]
		n.start, n.kind = int32(i), b[i]
		switch b[i] {
		case '"':
			if i = shortEnd(b, i+1); i > 0 {
				break
			}
			if i, n.escaped, ok = r.text(int(n.start) + 1); !ok {
				return i, false
			}
		case '{', '[':
			if i, ok = r.enter(i); !ok || len(r.open) == 0 {
				return i, ok
			}
			continue
		default:
			if i = scalarEnd(b, i); i < 0 {
				return 0, false
			}
			if n.kind-'0' <= 9 || n.kind == '-' {
				n.kind = '0'
			}
		}
		if n.end = int32(i); len(r.open) == 0 {
			return i, true
		}
		// Most values are followed by a comma and the next member.
		if i < len(b) && b[i] <= ' ' {
			i = blank(b, i)
		}
		if i < len(b) && b[i] == ',' {
			i, ok = r.comma(i, at)
		} else {
			i, ok = r.after(i)
		}
		if !ok || len(r.open) == 0 {
			return i, ok
		}
	}
}

// enter begins an object or array, and goes on to its first value, or, where
// it is empty, to what follows it.
func (r *Reader) enter(i int) (next int, ok bool) {
	b := r.t.Bytes
	if len(r.open) == maxLevels {
		return i, false
	}
	kind := b[i]
	r.open = append(r.open, level{kind: kind, node: r.at})
	switch i = blank(b, i+1); {
	case i >= len(b):
		return i, false
	case b[i] == kind+2: // } and ] stand two after { and [
		r.nodes[r.at].empty = true
		return r.after(i)
	case kind == '{':
		return r.key(i, 0)
	}
	r.next(0)
	return i, true
}

// after goes on where a value is not followed by a comma: it closes what ends
// there, up to the next value.
func (r *Reader) after(i int) (next int, ok bool) {
	b := r.t.Bytes
	for len(r.open) > 0 {
		if i = blank(b, i); i >= len(b) {
			return i, false
		}
		l := &r.open[len(r.open)-1]
		if b[i] != l.kind+2 {
			return i, false
		}
		i++
		at := l.node
		if r.nodes[at].end = int32(i); r.many != nil {
			delete(r.many, len(r.open))
		}
		if r.open = r.open[:len(r.open)-1]; len(r.open) == 0 {
			break
		}
		if i = blank(b, i); i < len(b) && b[i] == ',' {
			return r.comma(i, at)
		}
	}
	return i, true
}

// comma goes on from the comma after the value at a place to the next one.
func (r *Reader) comma(i int, at int32) (next int, ok bool) {
	if r.open[len(r.open)-1].kind == '{' {
		return r.key(i+1, at)
	}
	r.next(at)
	return i + 1, true
}

// key reads a key and its colon, and looks whether it stands twice. at is the
// member before it, 0: it is the first.
func (r *Reader) key(i int, at int32) (next int, ok bool) {
	b := r.t.Bytes
	if i < len(b) && b[i] <= ' ' {
		i = blank(b, i)
	}
	if i >= len(b) || b[i] != '"' {
		return i, false
	}
	start, escaped := i+1, false
	if i = shortEnd(b, start); i < 0 {
		long := len(r.long)
		if i, escaped, ok = r.text(start); !ok {
			return i, false
		}
		r.long = r.long[:long] // a key is no text
	}
	n := r.next(at)
	n.kstart, n.kend = int32(start), int32(i-1)
	// Most keys differ from those before by a first look.
	l := &r.open[len(r.open)-1]
	bit := uint64(1) << (keySign(b[start:i-1]) & 63)
	if escaped {
		r.t.keep(n)
		bit = ^uint64(0)
	}
	if l.seen&bit != 0 || l.keys >= manyKeys || r.at == 0 {
		r.lookTwice(n, l)
	}
	l.seen |= bit
	l.keys++
	if i < len(b) && b[i] == ':' {
		return i + 1, true
	}
	if i = blank(b, i); i >= len(b) || b[i] != ':' {
		return i, false
	}
	return i + 1, true
}

// keep keeps the key of a node, which has escapes, without them.
func (t *Tree) keep(n *node) {
	from := len(t.keys)
	t.keys = append(t.keys, unescape(t.Bytes[n.kstart:n.kend])...)
	n.kstart, n.kend = int32(from), -int32(len(t.keys))
}

// keySign is the same for the same key, and different for most others.
func keySign(key []byte) uint {
	n := uint(len(key))
	if n == 0 {
		return 0
	}
	return n ^ uint(key[0])<<1 ^ uint(key[n-1])<<3 ^ uint(key[n/2])
}

// lookTwice looks whether a key stands in its object already.
func (r *Reader) lookTwice(key *node, l *level) {
	if r.t.Twice != nil {
		return
	}
	name := r.t.key(key)
	if l.keys >= manyKeys || r.at == 0 {
		r.lookAmongMany(name, l)
		return
	}
	for at := r.sibling(l, 0); at != 0; at = r.sibling(l, at) {
		if bytes.Equal(r.t.key(&r.nodes[at]), name) {
			r.t.Twice = name
			return
		}
	}
}

// sibling returns the member after at, 0 for the first, of those of an object
// that were read before the one at hand; 0: there is none.
func (r *Reader) sibling(l *level, at int32) int32 {
	switch {
	case l.node == 0 || l.keys == 0:
		return 0
	case at == 0:
		at = l.node + 1
	default:
		at = r.nodes[at].next
	}
	if r.at != 0 && at >= r.at {
		return 0
	}
	return at
}

// lookAmongMany is lookTwice for an object with many keys, or one whose keys
// are not kept.
func (r *Reader) lookAmongMany(name []byte, l *level) {
	if r.many == nil {
		r.many = map[int]map[string]bool{}
	}
	have := r.many[len(r.open)]
	if have == nil {
		have = map[string]bool{}
		r.many[len(r.open)] = have
		for at := r.sibling(l, 0); at != 0; at = r.sibling(l, at) {
			have[string(r.t.key(&r.nodes[at]))] = true
		}
	}
	if have[string(name)] {
		r.t.Twice = bytes.Clone(name)
	}
	have[string(name)] = true
}

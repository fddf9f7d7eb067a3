package conform

import "bytes"

// tree is one body, read once: every value with its place in the bytes, and
// on the way what can be seen only there (a key that stands twice, control
// characters). All rules read from it, so no byte is parsed twice. It is used
// again for the next body.
type tree struct {
	b     []byte
	nodes []node // in the order of the bytes; nodes[0] is no value
	open  []level
	keys  []keyRef
	many  map[int]map[string]bool // keys of large objects, by depth
	twice []byte                  // the first key that stands twice in an object, nil: none
	ctl   rune                    // the first control or override character, -1: none
	ctlAt int
	long  []keyRef // strings that are long enough to hold a token
}

// value is a place in a tree; 0 stands for no value.
type value int32

type node struct {
	start, end   int32 // of the value's bytes
	kstart, kend int32 // of its key, without quotes
	next         int32 // the next member or element, 0: none
	kind         byte  // { [ " 0 t f n
	escaped      bool  // a string with escapes
	escdKey      bool
	empty        bool // an object or array with nothing in it
}

// level is an object or array that is being read.
type level struct {
	seen uint64 // a bit for each key so far, the same for the same key
	node int32  // 0: beyond maxNodes
	keys int32  // where its keys begin
	kind byte
}

type keyRef struct {
	start, end int32 // end is negative for one with escapes
}

// Bounds of a tree. Values beyond maxNodes are not looked into; a body that
// nests deeper than maxLevels is no message (encoding/json refuses it too).
const (
	maxNodes  = 1 << 18
	maxLevels = 10_000
	keepNodes = 1 << 14 // what is kept of the memory for the next body
	manyKeys  = 48      // from how many keys on an object's are looked up in a map
)

// parse reads a body. It returns the root, and false where the bytes are no
// JSON.
func (t *tree) parse(b []byte) (root value, ok bool) {
	if cap(t.nodes) > keepNodes {
		t.nodes = nil
	}
	t.b, t.nodes, t.open, t.keys = b, append(t.nodes[:0], node{}), t.open[:0], t.keys[:0]
	t.twice, t.ctl, t.long = nil, -1, t.long[:0]
	if t.many != nil {
		t.many = nil
	}
	if len(b) > 1<<30 {
		return 0, false
	}
	i, ok := t.body()
	if !ok || skipBlank(b, i) != len(b) {
		return 0, false
	}
	return 1, true
}

// body reads the one value of the bytes, with all that is in it, and returns
// where it ends.
func (t *tree) body() (end int, ok bool) {
	b, i := t.b, 0
	var n node // the next value, with its key
	for {
		if i = skipBlank(b, i); i >= len(b) {
			return i, false
		}
		n.start, n.kind, n.escaped = int32(i), b[i], false
		switch b[i] {
		case '"':
			from := i + 1
			for i = from; i < len(b) && classes[b[i]] == plainByte; i++ {
			}
			if i < len(b) && b[i] == '"' && i-from < minToken {
				i++
			} else if i, n.escaped, ok = t.stringEnd(from); !ok {
				return i, false
			}
		case '{', '[':
			if i, n, ok = t.enter(i, n); !ok || len(t.open) == 0 {
				return i, ok
			}
			continue
		default:
			if i = scalarEnd(b, i, &n); i < 0 {
				return 0, false
			}
		}
		n.end = int32(i)
		cur := int32(0)
		if len(t.nodes) < maxNodes {
			cur = int32(len(t.nodes))
			t.nodes = append(t.nodes, n)
		}
		if len(t.open) == 0 {
			return i, true
		}
		// Most values are followed by a comma and the next member.
		i = skipBlank(b, i)
		if i < len(b) && b[i] == ',' {
			t.follow(cur)
			n.kstart, n.kend, n.escdKey = 0, 0, false
			if i++; t.open[len(t.open)-1].kind == '{' {
				if i, ok = t.key(skipBlank(b, i), &n); !ok {
					return i, false
				}
			}
			continue
		}
		if i, n, ok = t.after(i); !ok || len(t.open) == 0 {
			return i, ok
		}
	}
}

// enter begins an object or array, n, and goes on to its first value, of which
// it returns the key; or, where it is empty, to what follows it.
func (t *tree) enter(i int, n node) (next int, first node, ok bool) {
	b := t.b
	if len(t.open) == maxLevels {
		return i, first, false
	}
	l := level{kind: b[i], keys: int32(len(t.keys))}
	if len(t.nodes) < maxNodes {
		l.node = int32(len(t.nodes))
		t.nodes = append(t.nodes, n)
	}
	t.open = append(t.open, l)
	i = skipBlank(b, i+1)
	switch {
	case i >= len(b):
		return i, first, false
	case b[i] == l.kind+2: // } and ] stand two after { and [
		t.nodes[l.node].empty = true
		return t.after(i)
	case l.kind == '{':
		i, ok = t.key(i, &first)
		return i, first, ok
	}
	return i, first, true
}

// follow: the value that is read next follows v.
func (t *tree) follow(v int32) {
	if len(t.nodes) < maxNodes {
		t.nodes[v].next = int32(len(t.nodes))
	}
}

// after goes on where a value is not followed by a comma: it closes what ends
// there, up to the comma before the next value. n has the key of that.
func (t *tree) after(i int) (next int, n node, ok bool) {
	b := t.b
	for len(t.open) > 0 {
		if i = skipBlank(b, i); i >= len(b) {
			return i, n, false
		}
		l := t.open[len(t.open)-1]
		if b[i] != l.kind+2 {
			return i, n, false
		}
		i++
		t.nodes[l.node].end = int32(i)
		if t.keys = t.keys[:l.keys]; t.many != nil {
			delete(t.many, len(t.open))
		}
		if t.open = t.open[:len(t.open)-1]; len(t.open) == 0 {
			break
		}
		if i = skipBlank(b, i); i < len(b) && b[i] == ',' {
			t.follow(l.node)
			if i++; t.open[len(t.open)-1].kind == '{' {
				i, ok = t.key(skipBlank(b, i), &n)
				return i, n, ok
			}
			return i, n, true
		}
	}
	return i, n, true
}

// key reads a key and its colon, and looks whether it stands twice.
func (t *tree) key(i int, n *node) (next int, ok bool) {
	b := t.b
	if i >= len(b) || b[i] != '"' {
		return i, false
	}
	start := i + 1
	for i = start; i < len(b) && classes[b[i]] == plainByte; i++ {
	}
	escaped := false
	if i >= len(b) || b[i] != '"' {
		if i, _, ok = t.stringEnd(i); !ok {
			return i, false
		}
		i--
		escaped = bytes.IndexByte(b[start:i], '\\') >= 0
	}
	n.kstart, n.kend, n.escdKey = int32(start), int32(i), escaped
	k := keyRef{int32(start), int32(i)}
	l := &t.open[len(t.open)-1]
	// Most keys differ from those before by a first look.
	bit := uint64(1) << (keySign(b[start:i]) & 63)
	if escaped {
		k.end = -k.end
		bit = ^uint64(0)
	}
	if l.seen&bit != 0 || len(t.keys)-int(l.keys) >= manyKeys {
		t.noteKey(k, l)
	}
	l.seen |= bit
	t.keys = append(t.keys, k)
	if i++; i < len(b) && b[i] == ':' {
		return i + 1, true
	}
	if i = skipBlank(b, i); i >= len(b) || b[i] != ':' {
		return i, false
	}
	return i + 1, true
}

// keySign is the same for the same key, and different for most others.
func keySign(key []byte) uint {
	n := uint(len(key))
	if n == 0 {
		return 0
	}
	return n ^ uint(key[0])<<1 ^ uint(key[n-1])<<3 ^ uint(key[n/2])
}

// noteKey looks whether a key stands in its object already.
func (t *tree) noteKey(k keyRef, l *level) {
	mine := t.keys[l.keys:]
	switch {
	case t.twice != nil:
	case len(mine) >= manyKeys:
		t.noteMany(k, mine)
	default:
		name := t.keyBytes(k)
		for _, o := range mine {
			if bytes.Equal(t.keyBytes(o), name) {
				t.twice = name
				return
			}
		}
	}
}

// noteMany is noteKey for an object with many keys.
func (t *tree) noteMany(k keyRef, mine []keyRef) {
	if t.many == nil {
		t.many = map[int]map[string]bool{}
	}
	have := t.many[len(t.open)]
	if have == nil {
		have = map[string]bool{}
		t.many[len(t.open)] = have
		for _, o := range mine {
			have[string(t.keyBytes(o))] = true
		}
	}
	name := string(t.keyBytes(k))
	if have[name] {
		t.twice = []byte(name)
	}
	have[name] = true
}

func (t *tree) keyBytes(k keyRef) []byte {
	if k.end >= 0 {
		return t.b[k.start:k.end]
	}
	return unescape(t.b[k.start:-k.end])
}

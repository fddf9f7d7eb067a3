package wire

// Tree is one JSON value, read once: every value in it with its place in the
// bytes, and what can be seen only on the way there. All who ask what the
// bytes say read from it, so no byte is parsed twice. A Reader makes it.
type Tree struct {
	// Bytes are what the tree was made of; all that it returns are views of
	// them, unless they have escapes.
	Bytes []byte
	// Top is the message that the root is.
	Top Message
	// Twice is the first key that stands twice in one object, nil: none.
	Twice []byte
	// Control is the first character that a terminal would obey, or that turns
	// the direction of text, -1: none; ControlAt is where it stands.
	Control   rune
	ControlAt int
	// Long are the strings that have LongText bytes or more.
	Long []Span
	// High tells that there is a byte beyond ASCII.
	High bool
	// Cut tells that there are more values than a tree holds: of long arrays
	// and objects it has some of the elements and members, and the rest is in
	// the bytes alone.
	Cut bool

	nodes []node // in the order of the bytes; nodes[0] is no value
	keys  []byte // those with escapes, without them
}

// Value is a place in a tree; 0 stands for no value.
type Value int32

// Span is a piece of a tree's bytes.
type Span struct{ Start, End int32 }

// LongText is from how many bytes on a string stands in Tree.Long.
const LongText = 20

type node struct {
	start, end   int32 // of the value's bytes
	kstart, kend int32 // of its key, without quotes; in keys, and kend negative, where it has escapes
	next         int32 // the next member or element, 0: none
	kind         byte  // { [ " 0 t f n
	escaped      bool  // a string with escapes
	empty        bool  // an object or array with nothing in it
	void         bool  // a member whose key stands again in its object
}

// Root returns the value that the tree is of.
func (t *Tree) Root() Value {
	if len(t.nodes) < 2 {
		return 0
	}
	return 1
}

// Kind returns the first byte of a value: { [ " t f or n, '0' for any number,
// and 0 for no value.
func (t *Tree) Kind(v Value) byte {
	if v <= 0 {
		return 0
	}
	return t.nodes[v].kind
}

// First returns the first member of an object, or the first element of an
// array, Next the one after v. Of members with the same key there is the last
// alone, since that is the one that counts.
func (t *Tree) First(v Value) Value {
	if v <= 0 || t.nodes[v].empty || t.nodes[v].kind != '{' && t.nodes[v].kind != '[' || int(v)+1 >= len(t.nodes) {
		return 0
	}
	if v++; t.Twice != nil {
		for v != 0 && t.nodes[v].void {
			v = t.Next(v)
		}
	}
	return v
}

// Next returns the member or element after v, 0: none.
func (t *Tree) Next(v Value) Value { return Value(t.nodes[v].next) }

// Key returns the key of a member, without escapes.
func (t *Tree) Key(v Value) []byte { return t.key(&t.nodes[v]) }

func (t *Tree) key(n *node) []byte {
	if n.kend < 0 {
		return t.keys[n.kstart:-n.kend]
	}
	return t.Bytes[n.kstart:n.kend]
}

// Get returns a member of an object.
func (t *Tree) Get(v Value, key string) Value {
	var found Value
	if t.Kind(v) != '{' {
		return 0
	}
	for m := t.First(v); m != 0; m = t.Next(m) {
		if k := t.Key(m); len(k) == len(key) && string(k) == key {
			found = m
		}
	}
	return found
}

// Raw returns the bytes of a value, nil for none.
func (t *Tree) Raw(v Value) []byte {
	if v <= 0 {
		return nil
	}
	n := &t.nodes[v]
	return t.Bytes[n.start:n.end:n.end]
}

// Text returns the text of a string, nil for anything else.
func (t *Tree) Text(v Value) []byte {
	if v <= 0 || t.nodes[v].kind != '"' || t.nodes[v].escaped {
		return t.otherText(v)
	}
	return t.Bytes[t.nodes[v].start+1 : t.nodes[v].end-1]
}

// View is Text as a string, which is a view of the bytes, too.
func (t *Tree) View(v Value) string { return view(t.Text(v)) }

// otherText is Text of what is no plain string.
func (t *Tree) otherText(v Value) []byte {
	if t.Kind(v) != '"' {
		return nil
	}
	n := &t.nodes[v]
	return unescape(t.Bytes[n.start+1 : n.end-1])
}

// End returns the position after a value.
func (t *Tree) End(v Value) int { return int(t.nodes[v].end) }

// unescape returns the text of a string's bytes, without its quotes.
func unescape(raw []byte) []byte {
	return []byte(StringOf(append(append([]byte{'"'}, raw...), '"')))
}

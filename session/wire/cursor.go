package wire

// Cursor reads a JSON value that is known to be valid from beginning to end, in
// one pass: it stands before a value, which is entered or taken.
//
//	if c := wire.CursorOf(raw); c.Enter('{') {
//		for c.Key() {
//			… c.Name … c.Value(), or c.Text(), or c.Enter('[') and c.More()
//		}
//	}
//
// After Key or More said true the value must be entered or taken; what was
// entered must be read to its end. On bytes that are no JSON everything ends.
type Cursor struct {
	// Name is the key that was read last, without escapes, a view of the bytes.
	Name []byte

	b []byte
	i int

	// Where the value stands in a tree, the cursor steps from value to value:
	// at is the one that it stands before, or the last that was passed.
	t     *Tree
	at    Value
	depth int32
	in    [7]Value // what was entered
}

// CursorOf stands before the value raw.
func CursorOf(raw []byte) Cursor { return Cursor{b: raw} }

// Cursor stands before a value of the tree. It gives the same as one that
// stands before its bytes.
func (t *Tree) Cursor(v Value) (c Cursor) {
	c.Before(t, v)
	return c
}

// Before puts the cursor before a value of a tree, wherever it stood.
func (c *Cursor) Before(t *Tree, v Value) {
	if v <= 0 {
		*c = Cursor{}
		return
	}
	c.b, c.i, c.t, c.at, c.depth = t.Bytes, int(t.nodes[v].start), t, v, 0
}

// Enter goes into the object or array, whose first byte is open, that the
// cursor stands before; false, and nothing moves, where there is none.
func (c *Cursor) Enter(open byte) bool {
	if c.t != nil {
		return c.enter(open)
	}
	i := blank(c.b, c.i)
	if i >= len(c.b) || c.b[i] != open {
		return false
	}
	c.i = i + 1
	return true
}

// Key reads the next key of the object that was entered, up to its value;
// false once the object has ended.
func (c *Cursor) Key() bool {
	if c.t != nil {
		if c.step() {
			c.Name = c.t.Key(c.at)
			return true
		}
		return false
	}
	b := c.b
	i := blank(b, c.i)
	if i < len(b) && b[i] == ',' {
		i = blank(b, i+1)
	}
	if i >= len(b) || b[i] != '"' {
		return c.leave(i, '}')
	}
	end := plainText(b, i+1)
	if end < len(b) && b[end] == '"' {
		c.Name = b[i+1 : end]
		end++
	} else {
		if end = textEnd(b, end); end < 0 {
			return c.fail()
		}
		c.Name = []byte(StringOf(b[i:end]))
	}
	if i = blank(b, end); i >= len(b) || b[i] != ':' {
		return c.fail()
	}
	c.i = i + 1
	return true
}

// More reports whether the array that was entered goes on, and stands before
// the next element.
func (c *Cursor) More() bool {
	if c.t != nil {
		return c.step()
	}
	b := c.b
	i := blank(b, c.i)
	if i < len(b) && b[i] == ',' {
		i = blank(b, i+1)
	}
	if i >= len(b) || b[i] == ']' {
		return c.leave(i, ']')
	}
	c.i = i
	return true
}

func (c *Cursor) leave(i int, end byte) bool {
	if i >= len(c.b) || c.b[i] != end {
		return c.fail()
	}
	c.i = i + 1
	return false
}

func (c *Cursor) fail() bool {
	c.b, c.i = nil, 0
	return false
}

// Value takes the value, a view of the bytes; nil where there is none.
func (c *Cursor) Value() []byte {
	if c.t != nil {
		c.i = c.t.End(c.at)
		return c.t.Raw(c.at)
	}
	i := blank(c.b, c.i)
	end := skip(c.b, i)
	if end < 0 {
		c.fail()
		return nil
	}
	c.i = end
	return c.b[i:end:end]
}

// Text takes the value, and returns what TextOf does of it.
func (c *Cursor) Text() string {
	if c.t != nil {
		c.i = c.t.End(c.at)
		return view(c.t.Text(c.at))
	}
	b := c.b
	i := blank(b, c.i)
	if i < len(b) && b[i] == '"' {
		if end := plainText(b, i+1); end < len(b) && b[end] == '"' {
			c.i = end + 1
			return view(b[i+1 : end])
		}
	}
	return TextOf(c.Value())
}

// enter is Enter in a tree. What nests deeper than anything that is read here
// is read from its bytes.
func (c *Cursor) enter(open byte) bool {
	n := &c.t.nodes[c.at]
	switch {
	case n.kind != open || c.at == 0:
		return false
	case int(c.depth) == len(c.in):
		c.i, c.t = int(n.start), nil
		return c.Enter(open)
	}
	c.i = int(n.start) + 1
	c.in[c.depth], c.at = c.at, 0
	c.depth++
	return true
}

// step goes on to the next value of what was entered, or leaves it.
func (c *Cursor) step() bool {
	if c.depth == 0 {
		return false
	}
	in := c.in[c.depth-1]
	var next Value
	if c.at != 0 {
		next = c.t.Next(c.at)
	} else {
		next = c.t.First(in)
	}
	if next == 0 {
		c.at, c.i = in, c.t.End(in)
		c.depth--
		return false
	}
	c.at, c.i = next, int(c.t.nodes[next].start)
	return true
}

// Pos returns the place where the cursor stands, after what was read.
func (c *Cursor) Pos() int { return c.i }

// Since returns the bytes from a place on to where the cursor stands.
func (c *Cursor) Since(pos int) []byte {
	if pos < 0 || pos > c.i {
		return nil
	}
	return c.b[pos:c.i:c.i]
}

// Members steps through the members of a JSON object, or the elements of an
// array, that is known to be valid:
//
//	for m := wire.MembersOf(raw); m.Next(); {
//		… m.Key … m.Value …
//	}
type Members struct {
	// Key is the name of the member, without escapes, a view of the bytes;
	// nil in an array.
	Key []byte
	// Value is the raw value, a view of the bytes.
	Value []byte

	c      Cursor
	object bool
}

// MembersOf begins before the first member of the object raw. It has none
// where raw is no object.
func MembersOf(raw []byte) Members { return membersOf(raw, '{') }

// ElementsOf begins before the first element of the array raw. It has none
// where raw is no array.
func ElementsOf(raw []byte) Members { return membersOf(raw, '[') }

func membersOf(raw []byte, open byte) Members {
	m := Members{c: CursorOf(raw), object: open == '{'}
	if !m.c.Enter(open) {
		m.c.fail()
	}
	return m
}

// Next goes on to the next member or element, and reports whether there is
// one.
func (m *Members) Next() bool {
	if m.object {
		if !m.c.Key() {
			return false
		}
		m.Key = m.c.Name
	} else if !m.c.More() {
		return false
	}
	m.Value = m.c.Value()
	return m.Value != nil
}

package wire

import (
	"encoding/binary"
	"math/bits"
)

// This file steps over JSON that is known to be valid: it looks for ends, and
// proves nothing (proof does). On bytes that are no JSON it gives some answer
// or none, but never reads beyond them.

// A byte of each kind in all eight places of a word.
const (
	ones   = 0x0101010101010101
	tops   = 0x8080808080808080
	quotes = ones * '"'
	slants = ones * '\\'
)

// textEnd returns the position after the quote that ends the string of which
// a byte is at i, -1 where it has no end.
func textEnd(b []byte, i int) int {
	for {
		i = plainText(b, i)
		switch {
		case i >= len(b):
			return -1
		case b[i] == '"':
			return i + 1
		}
		i += 2 // an escape
	}
}

// plainText returns the position of the first quote or backslash from i on,
// len(b) where there is none. It looks at eight bytes at a time.
func plainText(b []byte, i int) int {
	for i+8 <= len(b) {
		x := binary.LittleEndian.Uint64(b[i:])
		quote, slant := x^quotes, x^slants
		// The lowest bit that is set is right: borrows go upwards.
		if found := ((quote-ones)&^quote | (slant-ones)&^slant) & tops; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
		i += 8
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return min(i, len(b))
}

// skip returns the position after the value at i, -1 where it has no end. It
// does not recurse: the depth of a value costs nothing.
func skip(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return textEnd(b, i+1)
	case '{', '[':
		return closing(b, i+1)
	}
	start := i
	for i < len(b) && !endsScalar[b[i]] {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

var endsScalar = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, ',': true, '}': true, ']': true, ':': true, '"': true, '{': true, '[': true}

// closing returns the position after the bracket that closes the object or
// array of which a byte is at i.
func closing(b []byte, i int) int {
	for depth := 1; i < len(b); i++ {
		switch structure[b[i]] {
		case quoted:
			if i = textEnd(b, i+1) - 1; i < 0 {
				return -1
			}
		case opens:
			depth++
		case closes:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

const (
	quoted = iota + 1
	opens
	closes
)

var structure = [256]uint8{'"': quoted, '{': opens, '[': opens, '}': closes, ']': closes}

func blank(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

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
}

// CursorOf stands before the value raw.
func CursorOf(raw []byte) Cursor { return Cursor{b: raw} }

// Enter goes into the object or array, whose first byte is open, that the
// cursor stands before; false, and nothing moves, where there is none.
func (c *Cursor) Enter(open byte) bool {
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

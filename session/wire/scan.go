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

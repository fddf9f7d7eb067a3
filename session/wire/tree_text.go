package wire

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// The classes of bytes within a string.
const (
	plainByte = iota
	quoteByte
	slashByte
	ctlByte  // a control character as it is
	leadByte // the first byte of what may be one: C2 80 … 9F, E2 80 AA … E2 81 A9
	highByte // any other beyond ASCII
)

var classes = func() (c [256]uint8) {
	for i := range c {
		switch {
		case i < 0x20 || i == 0x7f:
			c[i] = ctlByte
		case i >= 0x80:
			c[i] = highByte
		}
	}
	c['"'], c['\\'], c[0xc2], c[0xe2] = quoteByte, slashByte, leadByte, leadByte
	return c
}()

// special has the top bit of each byte set that is below 0x20, a backslash, or
// from 0x7f on; the lowest that is set is right, since borrows go upwards.
func special(x uint64) uint64 {
	slant := x ^ slants
	return ((x-ones*' ')&^x | (slant-ones)&^slant | (x + ones) | x) & tops
}

// notPlain is special, with quotes.
func notPlain(x uint64) uint64 {
	quote := x ^ quotes
	return special(x) | (quote-ones)&^quote&tops
}

// quoteIn returns how many bytes of plain text x begins with, up to a quote; 8
// where there is no quote, or something else before it. It looks for the quote
// by itself: the next key waits for that, and for nothing else.
func quoteIn(x uint64) int {
	quote := (x ^ quotes - ones) &^ (x ^ quotes) & tops
	if special(x)&^quote&(quote-1) != 0 {
		return 8
	}
	return bits.TrailingZeros64(quote) >> 3
}

// short returns how many bytes of plain text stand at i, up to a quote; notShort
// where there are more, or something else stands before it.
func short(b []byte, i int) int {
	if i+16 > len(b) {
		return notShort
	}
	n := quoteIn(binary.LittleEndian.Uint64(b[i:]))
	if n == 8 {
		if special(binary.LittleEndian.Uint64(b[i:])) != 0 {
			return notShort
		}
		n += quoteIn(binary.LittleEndian.Uint64(b[i+8:]))
	}
	return n
}

// notShort is how long a text is at least that is not short.
const notShort = 16

// text returns the position after the closing quote of the string whose first
// byte is at i.
func (r *Reader) text(i int) (end int, escaped, ok bool) {
	b, from := r.t.Bytes, i
	for {
		for i+8 <= len(b) {
			found := notPlain(binary.LittleEndian.Uint64(b[i:]))
			if found == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(found) / 8
			break
		}
		for i < len(b) && classes[b[i]] == plainByte {
			i++
		}
		if i >= len(b) {
			return i, false, false
		}
		if b[i] == '"' {
			if i-from >= LongText {
				r.long = append(r.long, Span{int32(from), int32(i)})
			}
			return i + 1, escaped, true
		}
		escaped = escaped || b[i] == '\\'
		if i, ok = r.odd(i); !ok {
			return i, false, false
		}
	}
}

// odd takes an escape, or bytes beyond ASCII.
func (r *Reader) odd(i int) (next int, ok bool) {
	b := r.t.Bytes
	switch classes[b[i]] {
	case slashByte:
		next = escape(b, i+1)
		if next < 0 {
			return i, false
		}
		switch b[i+1] {
		case 'u':
			r.control(rune(hex4(b[i+2:i+6])), i)
		case 'b':
			r.control('\b', i)
		case 'f':
			r.control('\f', i)
		}
		return next, true
	case leadByte:
		r.t.High = true
		c, n := utf8.DecodeRune(b[i:min(i+3, len(b))])
		r.control(c, i)
		return i + n, true
	case highByte:
		r.t.High = true
		for i++; i < len(b) && classes[b[i]] == highByte; i++ {
		}
		return i, true
	}
	r.control(rune(b[i]), i)
	return i + 1, b[i] == 0x7f
}

// control notes the first character that a terminal would obey.
func (r *Reader) control(c rune, at int) {
	if r.t.Control < 0 && isControl(c) {
		r.t.Control, r.t.ControlAt = c, at
	}
}

// isControl reports whether c is a control character other than tab and line
// break, or changes the direction of text.
func isControl(c rune) bool {
	switch {
	case c == '\t' || c == '\n' || c == '\r':
		return false
	case c < 0x20, c >= 0x7f && c < 0xa0:
		return true
	}
	return c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069
}

// hex4 returns the value of four hexadecimal digits.
func hex4(digits []byte) (v uint16) {
	for _, c := range digits {
		switch {
		case c >= 'a':
			c -= 'a' - 10
		case c >= 'A':
			c -= 'A' - 10
		default:
			c -= '0'
		}
		v = v<<4 | uint16(c)
	}
	return v
}

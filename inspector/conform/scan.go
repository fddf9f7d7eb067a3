package conform

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// The classes of bytes within a string.
const (
	plainByte = iota
	quoteByte
	slashByte
	ctlByte  // a control character as it is
	leadByte // the first byte of what may be one: C2 80 … 9F, E2 80 AA … E2 81 A9
)

var classes = func() (c [256]uint8) {
	for i := range 0x20 {
		c[i] = ctlByte
	}
	c['"'], c['\\'], c[0x7f], c[0xc2], c[0xe2] = quoteByte, slashByte, ctlByte, leadByte, leadByte
	return c
}()

// shortText is how far text is looked at byte by byte.
const shortText = 24

// plainEnd returns the position of the first byte from i on that is not plain
// text. It looks at eight at a time.
func plainEnd(b []byte, i int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for {
		for i+8 <= len(b) {
			x := binary.LittleEndian.Uint64(b[i:])
			quote, slash := x^ones*'"', x^ones*'\\'
			// The top bit of each byte below 0x20, that is a quote, a slash, or
			// from 0x7f on; the lowest that is set is right.
			found := ((x-ones*0x20)&^x | (quote-ones)&^quote | (slash-ones)&^slash | (x + ones) | x) & tops
			if found != 0 {
				i += bits.TrailingZeros64(found) / 8
				break
			}
			i += 8
		}
		for i < len(b) && classes[b[i]] == plainByte {
			if i++; i < len(b) && b[i] < 0x80 && i+8 <= len(b) {
				break
			}
		}
		if i >= len(b) || classes[b[i]] != plainByte {
			return i
		}
	}
}

// stringEnd returns the position after the closing quote of the string of
// which a byte is at i.
func (t *tree) stringEnd(i int) (end int, escaped, ok bool) {
	b, from := t.b, i
	for {
		start := i
		for i < len(b) && classes[b[i]] == plainByte {
			if i++; i-start == shortText {
				i = plainEnd(b, i)
				break
			}
		}
		if i >= len(b) {
			return i, false, false
		}
		if b[i] == '"' {
			if i-from >= minToken {
				t.long = append(t.long, keyRef{int32(from), int32(i)})
			}
			return i + 1, escaped, true
		}
		escaped = escaped || b[i] == '\\'
		if i, ok = t.special(i); !ok {
			return i, false, false
		}
	}
}

// special takes an escape, or a byte that may begin a control character.
func (t *tree) special(i int) (next int, ok bool) {
	b := t.b
	switch classes[b[i]] {
	case slashByte:
		if i+1 >= len(b) {
			return i, false
		}
		switch b[i+1] {
		case 'u':
			r, ok := hex4(b, i+2)
			t.rune(r, i)
			return i + 6, ok
		case 'b':
			t.rune('\b', i)
		case 'f':
			t.rune('\f', i)
		case '"', '\\', '/', 'n', 'r', 't':
		default:
			return i, false
		}
		return i + 2, true
	case leadByte:
		r, n := utf8.DecodeRune(b[i:min(i+3, len(b))])
		t.rune(r, i)
		return i + n, true
	}
	t.rune(rune(b[i]), i)
	return i + 1, b[i] == 0x7f
}

// rune notes the first character that a terminal would obey.
func (t *tree) rune(r rune, at int) {
	if t.ctl < 0 && isControl(r) {
		t.ctl, t.ctlAt = r, at
	}
}

// isControl reports whether r is a control character other than tab and line
// break, or changes the direction of text.
func isControl(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	}
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

func hex4(b []byte, i int) (rune, bool) {
	if i+4 > len(b) {
		return 0, false
	}
	var r rune
	for _, c := range b[i : i+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

func skipBlank(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// scalarEnd returns where a number or a word ends, -1 where it is none.
func scalarEnd(b []byte, i int, n *node) int {
	start := i
	switch b[i] {
	case 't':
		return wordEnd(b, i, "true")
	case 'f':
		return wordEnd(b, i, "false")
	case 'n':
		return wordEnd(b, i, "null")
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '-':
		n.kind = '0'
		for i++; i < len(b) && (b[i]-'0' <= 9 || b[i] == '.' || b[i]|0x20 == 'e' || b[i] == '+' || b[i] == '-'); i++ {
		}
		if number(b[start:i]) {
			return i
		}
	}
	return -1
}

func wordEnd(b []byte, i int, word string) int {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return -1
	}
	return i + len(word)
}

func number(b []byte) bool {
	i := 0
	if b[0] == '-' {
		i++
	}
	from := i
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	if i == from || i > from+1 && b[from] == '0' {
		return false
	}
	if i < len(b) && b[i] == '.' {
		i++
		from = i
		for i < len(b) && b[i]-'0' <= 9 {
			i++
		}
		if i == from {
			return false
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		from = i
		for i < len(b) && b[i]-'0' <= 9 {
			i++
		}
		if i == from {
			return false
		}
	}
	return i == len(b)
}

// unescape returns the text of a string's bytes, without its quotes.
func unescape(raw []byte) []byte {
	quoted := append(append([]byte{'"'}, raw...), '"')
	return []byte(gjson.ParseBytes(quoted).String())
}

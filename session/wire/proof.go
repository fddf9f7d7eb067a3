package wire

import (
	"encoding/binary"
	"encoding/json"
	"math/bits"
)

// proof proves bytes to be JSON, exactly as encoding/json does, in one pass
// that notes what else a tap wants to know of them.
type proof struct {
	high   bool // there is a byte beyond ASCII
	breaks bool // there is a line's end between the values
}

const (
	noValue = -1
	tooDeep = -2 // for this pass; encoding/json has the last word
)

// passDepth is how deep a value may nest for one pass, in bits of its stack.
const passDepth = 256

// stack says of each level that is open whether it is an object.
type stack struct {
	objects [passDepth / 64]uint64
	depth   int
}

func (s *stack) push(object bool) {
	word, bit := s.depth>>6, uint64(1)<<(s.depth&63)
	if s.objects[word] &^= bit; object {
		s.objects[word] |= bit
	}
	s.depth++
}

func (s *stack) inObject() bool {
	d := s.depth - 1
	return s.objects[d>>6]>>(d&63)&1 != 0
}

// value returns the position after the value at i, noValue where there is
// none, tooDeep where this pass cannot say.
func (p *proof) value(b []byte, i int) int {
	if i < len(b) && b[i] != '{' && b[i] != '[' {
		return p.scalar(b, i)
	}
	var open stack
	for {
		if i >= len(b) {
			return noValue
		}
		if c := b[i]; c == '{' || c == '[' {
			if open.depth == passDepth {
				return tooDeep
			}
			open.push(c == '{')
			if i = p.blank(b, i+1); i >= len(b) {
				return noValue
			}
			if b[i] != c+2 { // } and ] stand two after { and [
				if c == '{' {
					if i = p.key(b, i); i < 0 {
						return noValue
					}
				}
				continue
			}
			i++
			open.depth--
		} else if i = p.scalar(b, i); i < 0 {
			return noValue
		}
		if i = p.after(b, i, &open); i < 0 || open.depth == 0 {
			return i
		}
	}
}

// after reads what follows a value: the ends of all that ends there, and up to
// the next value.
func (p *proof) after(b []byte, i int, open *stack) int {
	for open.depth > 0 {
		if i = p.blank(b, i); i >= len(b) {
			return noValue
		}
		object := open.inObject()
		switch {
		case b[i] == ',':
			if i = p.blank(b, i+1); object {
				return p.key(b, i)
			}
			return i
		case b[i] == '}' && object, b[i] == ']' && !object:
			open.depth--
			i++
		default:
			return noValue
		}
	}
	return i
}

// key reads a key with its colon, and returns the position of its value.
func (p *proof) key(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return noValue
	}
	if i = p.text(b, i+1); i < 0 {
		return noValue
	}
	if i = p.blank(b, i); i >= len(b) || b[i] != ':' {
		return noValue
	}
	return p.blank(b, i+1)
}

// scalar reads a string, a number or a word.
func (p *proof) scalar(b []byte, i int) int {
	switch {
	case i >= len(b):
		return noValue
	case b[i] == '"':
		return p.text(b, i+1)
	}
	return scalarEnd(b, i)
}

// scalarEnd returns where the number or the word at i ends, noValue where there
// is none.
func scalarEnd(b []byte, i int) int {
	switch b[i] {
	case 't':
		return word(b, i, "true")
	case 'f':
		return word(b, i, "false")
	case 'n':
		return word(b, i, "null")
	}
	return number(b, i)
}

func word(b []byte, i int, w string) int {
	if len(b)-i < len(w) || string(b[i:i+len(w)]) != w {
		return noValue
	}
	return i + len(w)
}

func number(b []byte, i int) int {
	if b[i] == '-' {
		i++
	}
	from := i
	if i = digits(b, i); i == from || i > from+1 && b[from] == '0' {
		return noValue
	}
	if i < len(b) && b[i] == '.' {
		from = i + 1
		if i = digits(b, from); i == from {
			return noValue
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		from = i
		if i = digits(b, from); i == from {
			return noValue
		}
	}
	return i
}

func digits(b []byte, i int) int {
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	return i
}

// blank steps over white space; there is mostly none.
func (p *proof) blank(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' {
		switch b[i] {
		case '\n', '\r':
			p.breaks = true
		case ' ', '\t':
		default:
			return i
		}
		i++
	}
	return i
}

// text reads the string of which a byte is at i.
func (p *proof) text(b []byte, i int) int {
	for {
		for i+8 <= len(b) {
			x := binary.LittleEndian.Uint64(b[i:])
			quote, slant := x^quotes, x^slants
			// Set at each quote, backslash, control character, and byte beyond
			// ASCII; the lowest that is set is right, since borrows go upwards.
			found := ((x-ones*' ')&^x | (quote-ones)&^quote | (slant-ones)&^slant | x) & tops
			if found == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(found) / 8
			break
		}
		if i >= len(b) {
			return noValue
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			if i = escape(b, i+1); i < 0 {
				return noValue
			}
			continue
		case c < ' ':
			return noValue
		case c >= 0x80:
			p.high = true
		}
		i++
	}
}

// escape reads what follows a backslash.
func escape(b []byte, i int) int {
	if i >= len(b) {
		return noValue
	}
	switch b[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		if i+5 > len(b) {
			return noValue
		}
		for _, c := range b[i+1 : i+5] {
			if c-'0' > 9 && c|0x20-'a' > 5 {
				return noValue
			}
		}
		return i + 5
	}
	return noValue
}

// whole reports whether b is one value with nothing but white space around it.
func (p *proof) whole(b []byte) bool {
	i := p.value(b, p.blank(b, 0))
	if i == tooDeep {
		p.high, p.breaks = true, true // it was not read to its end
		return json.Valid(b)
	}
	return i >= 0 && p.blank(b, i) == len(b)
}

// head proves b and, where it is one object, reads its head on the way.
func (p *proof) head(b []byte, h *Head) (valid, one bool) {
	i := p.blank(b, 0)
	if i >= len(b) || b[i] != '{' {
		return p.whole(b), false
	}
	start := i
	i = p.blank(b, i+1)
	for first := true; ; first = false {
		if i < len(b) && b[i] == '}' && first {
			break
		}
		at := p.key(b, i)
		if at < 0 {
			return false, false
		}
		end := p.value(b, at)
		if end == tooDeep {
			if valid = p.whole(b); valid {
				*h = Peek(b[start:])
			}
			return valid, valid
		}
		if end < 0 {
			return false, false
		}
		h.Add(keyOf(b, i), b[at:end:end])
		if i = p.blank(b, end); i < len(b) && b[i] == ',' {
			i = p.blank(b, i+1)
			continue
		}
		if i >= len(b) || b[i] != '}' {
			return false, false
		}
		break
	}
	if p.blank(b, i+1) != len(b) {
		return false, false
	}
	h.Done(b[start:])
	return true, true
}

// keyOf returns the name of the key at i, which was proved.
func keyOf(b []byte, i int) []byte {
	end := plainText(b, i+1)
	if b[end] == '"' {
		return b[i+1 : end]
	}
	return []byte(StringOf(b[i:textEnd(b, end)]))
}

// Valid reports whether b is one JSON value, as encoding/json understands it.
// Values that nest deeper than 10,000 levels are refused.
func Valid(b []byte) bool {
	var p proof
	return p.whole(b)
}

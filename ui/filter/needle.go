package filter

import (
	"bytes"
	"strings"
)

// Needle looks for a word in bytes without regard to the case of ASCII
// letters.
type Needle struct {
	word   []byte // in small letters
	at     int    // of the byte that is looked for first: the rarest
	lo, up byte   // it, small and large
	sure   bool   // the word is such that Lacks can tell
}

// common are the bytes of JSON-RPC messages, the commonest first.
const common = `"etaosinrl:,clupdm_jfhg{}v/[]by.-w01k2345678xqz9 `

// NewNeedle returns what looks for a word of a Term.
func NewNeedle(word string) Needle {
	n := Needle{word: []byte(word), sure: word != ""}
	best := -1
	for i, c := range n.word {
		n.sure = n.sure && c > ' ' && c < 0x7f && c != '\\'
		rank := strings.IndexByte(common, c)
		if rank < 0 {
			rank = len(common)
		}
		if rank > best {
			best, n.at = rank, i
		}
	}
	if best >= 0 {
		n.lo = n.word[n.at]
		if n.up = n.lo; n.lo >= 'a' && n.lo <= 'z' {
			n.up -= 'a' - 'A'
		}
	}
	return n
}

// In reports whether b has the word.
func (n *Needle) In(b []byte) bool {
	if len(n.word) == 0 {
		return true
	}
	if n.has(b, n.lo) {
		return true
	}
	return n.up != n.lo && n.has(b, n.up)
}

// has looks for the word where its rarest byte is c.
func (n *Needle) has(b []byte, c byte) bool {
	if len(b) < len(n.word) {
		return false
	}
	last := len(b) - len(n.word) // the last place where it can begin
	for from := 0; from <= last; {
		k := bytes.IndexByte(b[from+n.at:last+n.at+1], c)
		if k < 0 {
			return false
		}
		if from += k; equalLower(b[from:from+len(n.word)], n.word) {
			return true
		}
		from++
	}
	return false
}

func equalLower(b, word []byte) bool {
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// Lacks reports whether it is sure that no JSON string in b has the word, also
// when its escapes are read and letters of all alphabets are made small.
func (n *Needle) Lacks(b []byte) bool { return !n.In(b) && n.Sure(b) }

// Sure reports whether In tells of all JSON strings in b, with their escapes
// read and letters of all alphabets made small.
func (n *Needle) Sure(b []byte) bool {
	return n.sure && bytes.IndexByte(b, '\\') < 0 && !bytes.Contains(b, kelvin) && !bytes.Contains(b, dotted)
}

// The letters beyond ASCII that have a small one, or the beginning of one,
// within it: the sign of kelvin, and the capital I with a dot.
var kelvin, dotted = []byte("\u212a"), []byte("\u0130")

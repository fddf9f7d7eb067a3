package mcpl

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// SameJSON reports whether two JSON values mean the same: blanks, the order
// of members, escapes in strings and the way a number is written do not
// count; of a member that stands twice the last counts. What is no JSON is
// compared byte by byte.
func SameJSON(a, b []byte) bool {
	if wire.Valid(a) && wire.Valid(b) {
		switch compareJSON(bytes.TrimSpace(a), bytes.TrimSpace(b)) {
		case same:
			return true
		case different:
			return false
		}
	}
	x, errX := decodeAny(a)
	y, errY := decodeAny(b)
	if errX != nil || errY != nil {
		return bytes.Equal(a, b)
	}
	return sameValue(x, y)
}

// likeness is what a first look at two values says of them.
type likeness uint8

const (
	unsure likeness = iota
	same
	different
)

// named is a member of an object.
type named struct {
	name  string
	value []byte
}

// membersOnce returns the members of an object. Of a key that stands twice the
// last value counts, in the place of the first.
func membersOnce(raw []byte) []named {
	var out []named
	at := map[string]int{}
	wire.EachMember(raw, func(name string, v []byte) bool {
		if i, twice := at[name]; twice {
			out[i].value = v
			return true
		}
		at[name] = len(out)
		out = append(out, named{name, v})
		return true
	})
	return out
}

// compareJSON compares two valid values as they are written. It is sure of
// most: members mostly stand in the same order, and strings mostly have no
// escapes.
func compareJSON(a, b []byte) likeness {
	switch {
	case bytes.Equal(a, b):
		return same
	case kindOf(a[0]) != kindOf(b[0]):
		return different
	}
	switch a[0] {
	case '{':
		return compareMembers(wire.MembersOf(a), wire.MembersOf(b))
	case '[':
		return compareMembers(wire.ElementsOf(a), wire.ElementsOf(b))
	case '"':
		if plainText(a) && plainText(b) {
			return different
		}
		return unsure
	case 't', 'f', 'n':
		return different
	}
	return unsure // numbers can be written in many ways
}

// kindOf returns the byte by which a value is known; all numbers are one.
func kindOf(first byte) byte {
	if first == '-' || first-'0' <= 9 {
		return '0'
	}
	return first
}

// plainText reports whether a string is what its bytes say.
func plainText(raw []byte) bool {
	return bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw)
}

// maxMembers is how many keys are looked at to be sure that none stands twice.
const maxMembers = 32

// compareMembers compares objects whose members stand in the same order, or
// arrays.
func compareMembers(a, b wire.Members) likeness {
	var keys [maxMembers][]byte
	is := same
	for n := 0; ; n++ {
		moreA, moreB := a.Next(), b.Next()
		switch {
		case !moreA && !moreB:
			return is
		case a.Key == nil && b.Key == nil && moreA != moreB:
			return different // arrays of different length
		case !moreA || !moreB || !bytes.Equal(a.Key, b.Key):
			return unsure
		}
		if a.Key != nil {
			if n == maxMembers || slices.ContainsFunc(keys[:n], func(k []byte) bool { return bytes.Equal(k, a.Key) }) {
				return unsure
			}
			keys[n] = a.Key
		}
		switch compareJSON(a.Value, b.Value) {
		case unsure:
			return unsure
		case different:
			is = different
		}
	}
}

func decodeAny(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, io.ErrUnexpectedEOF
	}
	return v, nil
}

func sameValue(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && maps.EqualFunc(x, y, sameValue)
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, sameValue)
	case json.Number:
		y, ok := b.(json.Number)
		return ok && sameNumber(x.String(), y.String())
	default:
		return a == b
	}
}

// sameNumber compares by value. Numbers with exponents of more than four
// digits are compared as they are written: their values fill memory.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	if hugeExponent(a) || hugeExponent(b) {
		return false
	}
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return okX && okY && x.Cmp(y) == 0
}

func hugeExponent(s string) bool {
	i := strings.IndexAny(s, "eE")
	return i >= 0 && len(strings.TrimLeft(s[i+1:], "+-0")) > 4
}

package mcpl

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// SameJSON reports whether two JSON values mean the same: blanks, the order
// of members, escapes in strings and the way a number is written do not
// count; of a member that stands twice the last counts. What is no JSON is
// compared byte by byte.
func SameJSON(a, b []byte) bool {
	x, errX := decodeAny(a)
	y, errY := decodeAny(b)
	if errX != nil || errY != nil {
		return bytes.Equal(a, b)
	}
	return sameValue(x, y)
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

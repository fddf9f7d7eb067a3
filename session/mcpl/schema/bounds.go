package schema

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Bounds of what is compiled and checked: no peer can make the check stand
// still. What is beyond is not judged.
const (
	maxSchema  = 256 << 10 // bytes
	maxValue   = 1 << 20   // bytes
	maxNesting = 100       // levels
	maxParts   = 3000      // objects and words: the time to compile grows with their square
	maxVisits  = 200_000
)

var errTooMuch = errors.New("checking it would take too long")

// bounds says why a schema is not used at all.
func bounds(raw []byte) error {
	if len(raw) > maxSchema {
		return fmt.Errorf("it has %d kB", len(raw)>>10)
	}
	if !json.Valid(raw) {
		return errors.New("it is no JSON")
	}
	parts, levels := extent(raw)
	switch {
	case levels > maxNesting:
		return errors.New("it is nested too deep")
	case parts > maxParts:
		return fmt.Errorf("it has more than %d parts", maxParts)
	case hugeExponent(raw):
		return errors.New("a number in it is too large")
	}
	return nil
}

// valueBounds says why a value is not checked.
func valueBounds(raw []byte) error {
	if len(raw) > maxValue {
		return errTooMuch
	}
	if hugeExponent(raw) {
		return errors.New("a number is too large to be checked")
	}
	if _, levels := extent(raw); levels > maxNesting {
		return errors.New("it is nested too deep to be checked")
	}
	return nil
}

// hugeExponent reports whether JSON has a number such as 1e99999, whose value
// would fill the memory.
func hugeExponent(raw []byte) bool {
	inString, digits := false, -1 // digits of an exponent, -1: not in one
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case inString && c == '\\':
			i++
		case c == '"':
			inString, digits = !inString, -1
		case inString:
		case (c == 'e' || c == 'E') && i > 0 && (raw[i-1] == '.' || raw[i-1]-'0' <= 9):
			digits = 0
		case digits >= 0 && c >= '0' && c <= '9':
			if c != '0' || digits > 0 {
				digits++
			}
			if digits > 3 {
				return true
			}
		case c != '+' && c != '-':
			digits = -1
		}
	}
	return false
}

// extent returns how many objects and words (true, false, null) JSON has, and
// how deep its brackets nest.
func extent(raw []byte) (parts, levels int) {
	now, inString := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			now++
			levels = max(levels, now)
			if c == '{' {
				parts++
			}
		case c == '}' || c == ']':
			now--
		case c == 't' || c == 'f' || c == 'n':
			parts++
			i += 3
		}
	}
	return parts, levels
}

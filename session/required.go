package session

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Required makes up an object with what a JSON Schema requires, and nothing
// else: the schema's default, constant, example or first choice, else the
// plainest value of the type. It does its best: the result may break what the
// schema asks for beyond that, such as a pattern.
func Required(schema []byte) json.RawMessage {
	return (&maker{root: schema, left: maxMade}).object(schema, 0)
}

// Bounds of what is made up, for a schema that asks for very much.
const (
	maxMade      = 10_000 // values
	maxMadeDepth = 20
	maxMadeText  = 1 << 10
	maxMadeItems = 100
)

// maker makes up values for one schema.
type maker struct {
	root []byte
	left int
}

func (m *maker) object(s []byte, depth int) []byte {
	var out []member
	props := wire.Member(s, "properties")
	wire.EachElement(wire.Member(s, "required"), func(v []byte) bool {
		name := wire.StringOf(v)
		out = append(out, member{name, m.value(wire.Member(props, name), depth+1)})
		return m.left > 0
	})
	return obj(out...)
}

// value makes up a value that a schema allows.
func (m *maker) value(s []byte, depth int) []byte {
	if m.left--; m.left < 0 || depth > maxMadeDepth || len(s) == 0 || s[0] != '{' {
		return []byte(`""`)
	}
	for _, key := range []string{"default", "const"} {
		if v := wire.Member(s, key); v != nil {
			return v
		}
	}
	for _, list := range []string{"enum", "examples"} {
		if v := firstOf(wire.Member(s, list)); v != nil {
			return v
		}
	}
	if ref := wire.StringOf(wire.Member(s, "$ref")); ref != "" {
		return m.value(m.follow(ref), depth+1)
	}
	for _, list := range []string{"oneOf", "anyOf", "allOf"} {
		if v := firstOf(wire.Member(s, list)); v != nil {
			return m.value(v, depth+1)
		}
	}
	return m.typed(s, typeOf(s), depth)
}

func (m *maker) typed(s []byte, typ string, depth int) []byte {
	switch typ {
	case "object":
		return m.object(s, depth)
	case "array":
		return m.array(s, depth)
	case "boolean":
		return []byte("false")
	case "number", "integer":
		return plainestNumber(s)
	case "null":
		return []byte("null")
	default:
		return plainestString(s)
	}
}

// array makes up as few items as are allowed, different ones where the schema
// gives a choice.
func (m *maker) array(s []byte, depth int) []byte {
	least, _ := strconv.Atoi(string(wire.Member(s, "minItems"))) // absent: none
	least = min(least, maxMadeItems)
	items := wire.Member(s, "items")
	var values [][]byte
	for _, list := range []string{"enum", "anyOf", "oneOf"} {
		wire.EachElement(wire.Member(items, list), func(v []byte) bool {
			if list != "enum" {
				v = m.value(v, depth+1)
			}
			values = append(values, v)
			return len(values) < least
		})
	}
	for len(values) < least && m.left > 0 {
		values = append(values, m.value(items, depth+1))
	}
	return slices.Concat([]byte{'['}, bytes.Join(values[:max(0, min(least, len(values)))], []byte{','}), []byte{']'})
}

// follow finds what a reference within the schema points to.
func (m *maker) follow(ref string) []byte {
	at := m.root
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if part != "" && len(at) > 0 {
			at = wire.Member(at, strings.NewReplacer("~1", "/", "~0", "~").Replace(part))
		}
	}
	return at
}

func firstOf(list []byte) (first []byte) {
	wire.EachElement(list, func(v []byte) bool {
		first = v
		return false
	})
	return first
}

// typeOf is the type of a schema, the first one where it allows several.
func typeOf(s []byte) string {
	t := wire.Member(s, "type")
	if first := firstOf(t); first != nil {
		t = first
	}
	if name := wire.StringOf(t); name != "" {
		return name
	}
	if wire.Member(s, "properties") != nil {
		return "object"
	}
	return ""
}

func plainestNumber(s []byte) []byte {
	for _, bound := range []string{"minimum", "maximum"} {
		raw := wire.Member(s, bound)
		limit, ok := new(big.Float).SetString(string(raw))
		if ok && (limit.Sign() > 0) == (bound == "minimum") && limit.Sign() != 0 {
			return raw
		}
	}
	for bound, by := range map[string]int64{"exclusiveMinimum": 1, "exclusiveMaximum": -1} {
		limit, err := strconv.ParseInt(string(wire.Member(s, bound)), 10, 32)
		if err == nil && (by > 0 && limit >= 0 || by < 0 && limit <= 0) {
			return strconv.AppendInt(nil, limit+by, 10)
		}
	}
	return []byte("0")
}

func plainestString(s []byte) []byte {
	switch wire.StringOf(wire.Member(s, "format")) {
	case "email":
		return []byte(`"user@example.com"`)
	case "uri":
		return []byte(`"https://example.com/"`)
	case "date":
		return []byte(`"2000-01-01"`)
	case "date-time":
		return []byte(`"2000-01-01T00:00:00Z"`)
	}
	least, err := strconv.Atoi(string(wire.Member(s, "minLength")))
	if err != nil || least < 0 {
		least = 0
	}
	return encode(strings.Repeat("x", min(least, maxMadeText)))
}

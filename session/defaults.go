package session

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// defaults fills in the form of an elicitation: each property with the
// schema's default, and a required one without default with the plainest
// value that the schema allows. Others are left out.
func defaults(schema []byte) []byte {
	var required []string
	wire.EachElement(wire.Member(schema, "required"), func(v []byte) bool {
		required = append(required, wire.StringOf(v))
		return true
	})
	var out []member
	wire.EachMember(wire.Member(schema, "properties"), func(name string, prop []byte) bool {
		value := wire.Member(prop, "default")
		if value == nil && slices.Contains(required, name) {
			value = plainest(prop)
		}
		out = append(out, member{name, value})
		return true
	})
	return obj(out...)
}

// plainest returns a value that a property of an elicitation allows. MCP
// knows strings, numbers, booleans and choices there, nothing nested.
func plainest(prop []byte) []byte {
	for _, list := range []string{"enum", "oneOf"} {
		var first []byte
		wire.EachElement(wire.Member(prop, list), func(v []byte) bool {
			if first = v; list == "oneOf" {
				first = wire.Member(v, "const")
			}
			return first == nil
		})
		if first != nil {
			return first
		}
	}
	switch wire.StringOf(wire.Member(prop, "type")) {
	case "boolean":
		return []byte("false")
	case "number", "integer":
		return plainestNumber(prop)
	case "array":
		return plainestChoices(prop)
	default:
		return plainestString(prop)
	}
}

func plainestNumber(prop []byte) []byte {
	for _, bound := range []string{"minimum", "maximum"} {
		raw := wire.Member(prop, bound)
		limit, ok := new(big.Float).SetString(string(raw))
		if ok && (limit.Sign() > 0) == (bound == "minimum") && limit.Sign() != 0 {
			return raw
		}
	}
	return []byte("0")
}

func plainestString(prop []byte) []byte {
	switch wire.StringOf(wire.Member(prop, "format")) {
	case "email":
		return []byte(`"user@example.com"`)
	case "uri":
		return []byte(`"https://example.com/"`)
	case "date":
		return []byte(`"2000-01-01"`)
	case "date-time":
		return []byte(`"2000-01-01T00:00:00Z"`)
	}
	least, err := strconv.Atoi(string(wire.Member(prop, "minLength")))
	if err != nil || least < 0 {
		least = 0
	}
	return encode(strings.Repeat("x", min(least, 1<<10)))
}

// plainestChoices picks as few of several choices as are allowed.
func plainestChoices(prop []byte) []byte {
	least, _ := strconv.Atoi(string(wire.Member(prop, "minItems"))) // absent: none
	items := wire.Member(prop, "items")
	out := []byte{'['}
	for _, list := range []string{"enum", "anyOf"} {
		wire.EachElement(wire.Member(items, list), func(v []byte) bool {
			if least <= 0 {
				return false
			}
			if list == "anyOf" {
				v = wire.Member(v, "const")
			}
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(out, v...)
			least--
			return true
		})
	}
	return append(out, ']')
}

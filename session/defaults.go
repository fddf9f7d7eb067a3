package session

import (
	"slices"

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
	m := &maker{root: schema, left: maxMade}
	var out []member
	wire.EachMember(wire.Member(schema, "properties"), func(name string, prop []byte) bool {
		value := wire.Member(prop, "default")
		if value == nil && slices.Contains(required, name) {
			value = m.value(prop, 0)
		}
		out = append(out, member{name, value})
		return true
	})
	return obj(out...)
}

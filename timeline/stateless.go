package timeline

import (
	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// stateless reports whether the server that answered server/discover speaks
// the version of MCP in which it was asked: there is no initialize then (MCP
// 2026-07-28, server/discover).
func (c *conn) stateless(st *step, r *request) bool {
	if st.head.Kind != wire.Result || r.cursor == "" {
		return false
	}
	supported := false
	wire.EachElement(wire.Member(st.head.Result, "supportedVersions"), func(v []byte) bool {
		supported = wire.StringOf(v) == r.cursor
		return !supported
	})
	return supported
}

// discovered applies the answer to server/discover. Where the host falls back
// to initialize, that says it all once more.
func (c *conn) discovered(st *step, r *request) {
	if !c.stateless(st, r) {
		return
	}
	c.protocol = r.cursor
	info := wire.Path(st.head.Result, "_meta", mcpl.MetaServer)
	c.server = mcpl.Implementation{
		Name: wire.StringOf(wire.Member(info, "name")), Version: wire.StringOf(wire.Member(info, "version")),
	}
}

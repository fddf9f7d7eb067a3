package session

import (
	"bytes"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// maxMirrored is how many tools with mirrored arguments are remembered.
const maxMirrored = 1000

// stateless gives a request of MCP 2026-07-28 the headers that say what its
// body says, for machines on the way that do not read bodies: version, method,
// name, and the arguments that the tool's schema marks with x-mcp-header. It
// has no session (MCP 2026-07-28, Streamable HTTP, "Standard Headers").
func (l *httpLink) stateless(p *post, h http.Header) {
	h.Del("Mcp-Session-Id")
	h.Set("Mcp-Protocol-Version", p.version)
	for name, value := range mcp.StandardHeaders(p.version, mcp.MCPMethod(p.head.Method), p.head.Params) {
		h.Set(name, value)
	}
	if p.head.Method != mcpl.MethodToolsCall {
		return
	}
	l.mu.Lock()
	schema := l.mirrored[wire.StringOf(wire.Member(p.head.Params, "name"))]
	l.mu.Unlock()
	if schema == nil {
		return
	}
	for name, value := range mcp.GenerateParamHeaders(&mcp.Tool{RawInputSchema: schema}, p.head.Params) {
		h.Set(name, value)
	}
}

// versionIn is the version of MCP that a request says of itself, "" where it
// says none.
func versionIn(h wire.Head) string {
	return headerSafe(wire.StringOf(wire.Path(h.Params, "_meta", mcpl.MetaProtocol)))
}

// learn remembers which tools want arguments mirrored into headers. A schema
// whose marks are wrong counts as one without. The link's lock is held.
func (l *webLink) learn(list []byte) {
	if !bytes.Contains(list, []byte("x-mcp-header")) {
		return
	}
	if l.mirrored == nil {
		l.mirrored = map[string][]byte{}
	}
	wire.EachElement(wire.Member(list, "tools"), func(tool []byte) bool {
		name, schema := wire.StringOf(wire.Member(tool, "name")), bytes.Clone(wire.Member(tool, "inputSchema"))
		delete(l.mirrored, name)
		if bytes.Contains(schema, []byte("x-mcp-header")) && mcp.ValidateParamHeaderAnnotations(&mcp.Tool{RawInputSchema: schema}) == nil {
			l.mirrored[name] = schema
		}
		return len(l.mirrored) < maxMirrored
	})
}

// Abandon closes the stream on which a request waits for its answer; one that
// has not gone out yet stays here.
func (l *webLink) Abandon(id wire.ID) {
	l.mu.Lock()
	p := l.open[id.Key()]
	switch {
	case p != nil:
		delete(l.open, id.Key())
	case l.sending < l.posts:
		if l.given == nil {
			l.given = map[string]bool{}
		}
		l.given[id.Key()] = true
	}
	l.mu.Unlock()
	if p != nil {
		p.stop()
		l.to.Note("stream", streamNote(p.via, "closed", nil, "the host gave the request up", ""))
	}
}

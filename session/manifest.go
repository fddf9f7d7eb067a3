package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// errNoManifest is what a fetch comes to whose answer is no manifest; the one
// before stays in force.
var errNoManifest = errors.New("what the server answered is no manifest, which is an object: the one before stays in force")

// manifestChanged is mcpl/manifestChanged: the announcement is not trusted
// for its content, the manifest is fetched (mcpl-host.md, "Manifest").
func (c *conn) manifestChanged(h wire.Head) {
	if !c.isMCPL() {
		return
	}
	want := wantTools // bit 0: only that a fetch is wanted
	domains := wire.Member(h.Params, "domains")
	named := domains == nil
	wire.EachElement(domains, func(v []byte) bool {
		named = named || wire.StringOf(v) == "toolsets"
		return true
	})
	if named {
		want |= wantToolsets
	}
	c.manifests.ask(c, want)
}

func (c *conn) rereadManifest(want int) {
	_, _ = c.readManifest(context.Background(), want&wantToolsets != 0) // what went wrong is on record
}

// readManifest fetches the manifest and does what follows from it: the grant
// is told where it is another one, and the lists are read again where its
// domain toolsets changed or was said to have (toolhints.md §4).
func (c *conn) readManifest(ctx context.Context, toolsets bool) (reading, error) {
	before, hints := c.manifest(), c.usesHints()
	a, r, err := c.call(ctx, mcpl.MethodManifest, []byte("{}"), c.newManifest)
	got := reading{answer: a.seq}
	if r != nil {
		got.request = r.seq
	}
	switch {
	case err != nil:
		return got, err
	case !isObject(a.head.Result):
		return got, errNoManifest
	}
	got.result = a.head.Result
	c.regrant()
	switch now := c.manifest(); {
	case !c.usesHints():
	case !hints: // the list may have left the declarations out so far
		c.lists.ask(c, wantTools|wantToolsets|toolsFirst)
	case toolsets || !mcpl.SameJSON(memberOf(before, "toolsets"), memberOf(now, "toolsets")):
		c.lists.ask(c, wantToolsets)
	}
	return got, nil
}

func memberOf(m *mcpl.Manifest, key string) []byte {
	if m == nil {
		return nil
	}
	return wire.Member(m.Raw, key)
}

// manifest is the one in force, nil for a plain server.
func (c *conn) manifest() *mcpl.Manifest {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.peer.manifest
}

// newManifest takes a fetched manifest, in the order of the wire.
func (c *conn) newManifest(h wire.Head) {
	if h.Kind != wire.Result || !isObject(h.Result) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offers(mcpl.DecodeManifest(h.Result))
}

func isObject(raw []byte) bool { return len(raw) > 0 && raw[0] == '{' }

// planManifest fetches the manifest by hand.
func planManifest(a *args) (plan, error) {
	if !a.c.isMCPL() && a.c.introducedYet() {
		return plan{}, fmt.Errorf("this is a plain MCP server: it has no manifest; `raw %s` asks all the same", mcpl.MethodManifest)
	}
	return a.reading(mcpl.MethodManifest, func(ctx context.Context) (reading, error) { return a.c.readManifest(ctx, false) })
}

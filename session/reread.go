package session

import (
	"context"
	"sync"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

const (
	// listGap is the least time between two readings of the lists that
	// nobody asked for by hand: a server that announces a change after each
	// reading must not keep both sides busy for ever.
	listGap = 250 * time.Millisecond
	// manifestGap is the same for the manifest.
	manifestGap = 2 * time.Second
	// maxPages is how many pages of a list are read before it counts as one
	// that does not end.
	maxPages = 1000
	// maxListBytes bounds the pages together.
	maxListBytes = 64 << 20
)

// What the lists coalescer can be asked for.
const (
	wantTools = 1 << iota
	wantToolsets
)

// coalescer runs one thing at a time, and one more time for all that was
// asked meanwhile.
type coalescer struct {
	gap time.Duration
	run func(want int)

	mu      sync.Mutex
	want    int
	running bool
	last    time.Time
}

func (k *coalescer) ask(c *conn, want int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.want |= want
	if k.running {
		return
	}
	k.running = c.spawn(func() { k.loop(c) })
}

func (k *coalescer) loop(c *conn) {
	select {
	case <-c.settled: // the handshake reads both lists itself
	case <-c.done:
	}
	for {
		timer := time.NewTimer(time.Until(k.last.Add(k.gap)))
		select {
		case <-timer.C:
		case <-c.done:
		}
		timer.Stop()
		k.mu.Lock()
		want := k.want
		if k.want = 0; want == 0 || c.isOver() {
			k.running = false
			k.mu.Unlock()
			return
		}
		k.mu.Unlock()
		k.last = time.Now()
		k.run(want)
	}
}

// toolsChanged is notifications/tools/list_changed.
func (c *conn) toolsChanged(wire.Head) { c.lists.ask(c, wantTools) }

// lost re-reads both lists after a rev was lost (toolhints.md §7).
func (c *conn) lost() { c.lists.ask(c, wantTools|wantToolsets) }

func (c *conn) rereadLists(want int) {
	if want&wantToolsets != 0 && c.negotiated() {
		_, _ = c.readToolsets(context.Background()) // what went wrong is on record
	}
	if want&wantTools != 0 {
		_, _ = c.readTools(context.Background(), false)
	}
}

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
	before := c.negotiated()
	_, _, err := c.call(context.Background(), mcpl.MethodManifest, []byte("{}"), c.newManifest)
	if err != nil {
		return
	}
	c.regrant()
	if c.negotiated() && (want&wantToolsets != 0 || !before) {
		c.lists.ask(c, wantToolsets)
	}
}

// newManifest takes a fetched manifest, in the order of the wire.
func (c *conn) newManifest(h wire.Head) {
	if h.Kind != wire.Result || len(h.Result) == 0 || h.Result[0] != '{' {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.peer.manifest = mcpl.DecodeManifest(h.Result)
	c.grant.offered = offered(c.peer)
}

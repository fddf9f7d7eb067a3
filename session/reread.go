package session

import (
	"context"
	"sync"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

const (
	// listGap is the least time between two readings of the lists that
	// nobody asked for by hand: a server that announces a change after each
	// reading must not keep both sides busy for ever.
	listGap = 250 * time.Millisecond
	// mostListGap is what that grows to while each reading brings about the
	// next one.
	mostListGap = 4 * time.Second
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
	toolsFirst // a server that begins to give hints declares its tools first
	wantResources
	wantPrompts
)

// coalescer runs one thing at a time, and one more time for all that was
// asked meanwhile.
type coalescer struct {
	gap, most time.Duration // between two times, and after many in a row; most 0: gap
	run       func(want int)

	mu      sync.Mutex
	want    int
	running bool
	last    time.Time
	inRow   int // how often it ran without a rest between
}

// wait returns how long to wait for the next time.
func (k *coalescer) wait(now time.Time) time.Duration {
	if now.Sub(k.last) > 2*k.pause() {
		k.inRow = 0
	}
	return k.last.Add(k.pause()).Sub(now)
}

// begin says that it runs once more.
func (k *coalescer) begin(now time.Time) {
	k.last = now
	k.inRow++
}

// pause is the least time between the last time and the next one.
func (k *coalescer) pause() time.Duration {
	const atOnce = 4 // times in a row that come of what a person does
	if k.inRow <= atOnce {
		return k.gap
	}
	return min(k.gap<<min(k.inRow-atOnce, 16), max(k.gap, k.most))
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
		timer := time.NewTimer(k.wait(time.Now()))
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
		k.begin(time.Now())
		k.run(want)
	}
}

// toolsChanged is notifications/tools/list_changed.
func (c *conn) toolsChanged(wire.Head) { c.lists.ask(c, wantTools) }

// resourcesChanged is notifications/resources/list_changed: it stands for the
// templates as well.
func (c *conn) resourcesChanged(wire.Head) { c.lists.ask(c, wantResources) }

// promptsChanged is notifications/prompts/list_changed.
func (c *conn) promptsChanged(wire.Head) { c.lists.ask(c, wantPrompts) }

// lost re-reads both lists after a rev was lost (toolhints.md §7).
func (c *conn) lost() { c.lists.ask(c, wantTools|wantToolsets) }

func (c *conn) rereadLists(want int) {
	if want&toolsFirst != 0 {
		_, _ = c.readTools(context.Background(), false)
		want &^= wantTools
	}
	if want&wantToolsets != 0 && c.usesHints() {
		_, _ = c.readToolsets(context.Background()) // what went wrong is on record
	}
	if want&wantTools != 0 {
		_, _ = c.readTools(context.Background(), false)
	}
	if want&wantResources != 0 {
		_, _ = c.readPages(context.Background(), resourcePages, false)
		if c.templates.Load() { // who never asked for them does not miss them
			_, _ = c.readPages(context.Background(), templatePages, false)
		}
	}
	if want&wantPrompts != 0 {
		_, _ = c.readPages(context.Background(), promptPages, false)
	}
}

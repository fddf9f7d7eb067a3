package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// How far the heap grows before it is collected again: by what is there for
// good times leastGrowth, since the most that a long session keeps is lists
// without pointers, which cost the collector next to nothing; but by at least
// headroom, so that a short command hardly ever meets it.
const (
	headroom    = 16 << 20
	leastGrowth = 15 // percent
	mostGrowth  = 1000
)

// cycle is collected in each cycle of the collector, and so tells of it.
type cycle struct{ next *cycle }

// giveRoom keeps the collector from running over and over in a short command,
// and a long session from taking twice the memory that it needs.
func giveRoom() {
	debug.SetGCPercent(mostGrowth / 2)
	collected(&cycle{})
}

// collected sets by how much the heap may grow until the next time.
func collected(c *cycle) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if n := live[0].Value.Uint64(); n > 0 {
		debug.SetGCPercent(max(leastGrowth, min(int(headroom*100/n), mostGrowth)))
	}
	runtime.SetFinalizer(&cycle{next: c.next}, collected)
}

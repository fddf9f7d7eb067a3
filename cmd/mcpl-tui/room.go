package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// How far the heap grows before it is collected again: by what is there for
// good times leastGrowth, since the most that a long session keeps is lists
// without pointers, which cost the collector next to nothing; but by at least
// headroom. Before the first time it is firstGrowth of the 4 MB that Go takes
// for the least, so that a short command does not meet it at all. A screen has
// more room: in a flood each collection is a moment in which a key waits.
const (
	firstGrowth = 700 // percent
	headroom    = 16 << 20
	screenRoom  = 32 << 20
	leastGrowth = 15 // percent
	mostGrowth  = 1000
)

// spareProcessors is how many goroutines run at once beyond the processors that
// there are, while a screen is shown. In a flood, those that take it in hold
// all processors; with one more, a key gets a thread of its own, which has
// hardly run and is let in by the system at once.
const spareProcessors = 2

// readyForScreen is called before a screen is shown. GOMAXPROCS is heeded.
func readyForScreen() {
	roomNow.Store(screenRoom)
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + spareProcessors)
	}
}

// roomNow is the headroom in force, in bytes.
var roomNow atomic.Int64

// cycle is collected in each cycle of the collector, and so tells of it.
type cycle struct{ next *cycle }

// giveRoom keeps the collector from running over and over in a short command,
// and a long session from taking twice the memory that it needs.
func giveRoom() {
	roomNow.Store(headroom)
	debug.SetGCPercent(firstGrowth)
	collected(&cycle{})
}

// collected sets by how much the heap may grow until the next time.
func collected(c *cycle) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if n := live[0].Value.Uint64(); n > 0 {
		debug.SetGCPercent(max(leastGrowth, min(int(uint64(roomNow.Load())*100/n), mostGrowth)))
	}
	runtime.SetFinalizer(&cycle{next: c.next}, collected)
}

package main

import (
	"runtime"
	"runtime/debug"
)

// ballast is memory that is never touched, so that it costs none: it only
// makes the collector wait until there is as much beside it.
var ballast []byte

const (
	ballastBytes = 32 << 20
	// collectAt is by how many percent the heap grows, the ballast included,
	// before it is collected again.
	collectAt = 50
)

// giveRoom keeps the collector from running over and over in a command that
// reads a recording through and ends: a short one never meets it, and a long
// one is held to half as much again as it needs.
func giveRoom() {
	ballast = make([]byte, ballastBytes)
	runtime.KeepAlive(ballast)
	debug.SetGCPercent(collectAt)
}

package main

import (
	"runtime"
	"time"
)

// pace lets what follows a flood rest for three times as long as it worked, so
// that the processors are there for what takes the flood off the wire, and for
// the keys. Behind a flood it is anyway, and once that has ended it catches up
// without a rest.
type pace struct {
	began time.Time
	seen  int // frames that there were
}

const (
	// atOnce is how many frames are reduced in one go.
	atOnce = 128
	// floodBehind is how many frames one is behind in a flood.
	floodBehind = 4096
)

func (p *pace) begin() { p.began = time.Now() }

// rest is called after some work, and lets others run: what works without a
// break keeps its processor for 10 ms, and a key waits for one several times
// over. It returns at once where all is done that there is, or nothing more
// comes.
func (p *pace) rest(there, done int) {
	runtime.Gosched()
	more := there > p.seen
	if p.seen = there; more && there-done > floodBehind {
		time.Sleep(min(3*time.Since(p.began), 10*time.Millisecond))
	}
}

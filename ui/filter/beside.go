package filter

import (
	"sync"
	"sync/atomic"
	"time"
)

// Looked is a span that was looked at: which places of it pass, and what that
// said anew of places before it.
type Looked struct {
	Span
	Hits  []int
	Again []Verdict
}

// Verdict says of a place whether it passes.
type Verdict struct {
	At     int
	Passes bool
}

// Beside looks at spans beside the screen, with several goroutines, until a
// time or until stop is set, and returns those that it came to, from the first
// on without a gap: at least one, unless it was stopped. look is called once
// for each goroutine; what it returns looks at one span, and reports false
// where it gave up.
func Beside(spans []Span, goroutines int, until time.Time, stop *atomic.Bool, look func() func(Span) (Looked, bool)) []Looked {
	out := make([]Looked, len(spans))
	done := make([]bool, len(spans))
	var next atomic.Int64
	work := func() {
		one := look()
		for !stop.Load() {
			k := int(next.Add(1)) - 1
			if k >= len(spans) || k > 0 && !time.Now().Before(until) {
				return
			}
			out[k], done[k] = one(spans[k])
		}
	}
	var all sync.WaitGroup
	for range min(goroutines, len(spans)) - 1 { // none where there is no span
		all.Go(work)
	}
	work()
	all.Wait()
	for k, ok := range done {
		if !ok {
			return out[:k]
		}
	}
	return out
}

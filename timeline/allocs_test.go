package timeline_test

import (
	"testing"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// perFrame returns how many allocations a frame costs, once all names are
// known and all buffers have grown.
func perFrame(s tape, do func(i int)) float64 {
	from := len(s) / 2
	for i := range from {
		do(i)
	}
	next := from
	return testing.AllocsPerRun(1, func() {
		// It is run twice, the first time to warm up.
		for range (len(s) - from) / 2 {
			do(next)
			next++
		}
	}) / float64((len(s)-from)/2)
}

func TestReducingAHintAllocatesNothing(t *testing.T) {
	s := flood(20_000)
	state := timeline.NewState()
	if n := perFrame(s, func(i int) { state.Apply(s[i]) }); n > 0.01 {
		t.Errorf("%.3f allocations a frame, want none", n)
	}
}

func TestTheLogAllocatesLessThanOnceInTenFrames(t *testing.T) {
	s := flood(20_000)
	l := timeline.NewLog(s)
	if n := perFrame(s, func(int) {
		if _, err := l.Advance(1); err != nil {
			t.Fatal(err)
		}
	}); n > 0.1 {
		t.Errorf("%.3f allocations a frame, want at most 0.1", n)
	}
}

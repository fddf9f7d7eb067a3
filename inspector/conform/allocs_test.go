package conform_test

import (
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
)

// What a message costs in allocations, reduced and judged, once all names are
// known: a hint nothing, and a call with its result, its push and its answer
// little beyond what is kept of them.
const (
	hintBudget = 0.01
	callBudget = 3
)

func TestJudgingAMessageStaysInItsBudgetOfAllocations(t *testing.T) {
	for what, c := range map[string]struct {
		frames tape
		budget float64
	}{
		"hints": {hintFlood(), hintBudget},
		"calls": {callFlood(), callBudget},
	} {
		run := conform.NewRun(conform.Options{})
		half := len(c.frames) / 2
		next := 0
		do := func(n int) {
			for range n {
				run.Frame(c.frames[next])
				next++
			}
		}
		do(half)
		// It is run twice, the first time to warm up.
		if got := testing.AllocsPerRun(1, func() { do(half / 2) }) / float64(half/2); got > c.budget {
			t.Errorf("%s: %.3f allocations a message, the budget is %v", what, got, c.budget)
		}
	}
}

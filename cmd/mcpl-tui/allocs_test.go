package main

import (
	"io"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/record"
)

// What a message of someTraffic costs in allocations, with all that a pass
// allocates once. It is traffic at its worst: nearly each message redefines a
// tool, which is kept, and names one that there is not, which is told. A hint
// that only shows or hides costs none (package timeline tests that).
const (
	stateBudget = 7
	checkBudget = 11
)

func TestAPassOverARecordingStaysInItsBudgetOfAllocations(t *testing.T) {
	const n = 30_000
	path := someTraffic(t, n)
	perMessage := func(do func()) float64 { return testing.AllocsPerRun(3, do) / n }
	if got := perMessage(func() {
		if _, err := boardAt(t.Context(), path, moment{}, io.Discard); err != nil {
			t.Fatal(err)
		}
	}); got > stateBudget {
		t.Errorf("state: %.2f allocations a message, the budget is %d", got, stateBudget)
	}
	if got := perMessage(func() {
		pass, err := record.Begin(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := judgeFile(t.Context(), pass, conform.Options{}); err != nil {
			t.Fatal(err)
		}
	}); got > checkBudget {
		t.Errorf("check: %.2f allocations a message, the budget is %d", got, checkBudget)
	}
}

package record

import (
	"path/filepath"
	"testing"
)

// What a message that is recorded costs in allocations, with all that the disk
// is written by: it is queued and written in memory that is there.
const appendBudget = 0.05

func TestRecordingAMessageStaysInItsBudgetOfAllocations(t *testing.T) {
	r, err := Create(filepath.Join(t.TempDir(), "a.mcpl.jsonl"), header())
	if err != nil {
		t.Fatal(err)
	}
	f := message(0, hint(7))
	const n = 20_000
	do := func() {
		for range n {
			f.Seq++
			r.Append(f)
		}
	}
	do()
	if got := testing.AllocsPerRun(2, do) / n; got > appendBudget {
		t.Errorf("%.3f allocations a message, the budget is %v", got, appendBudget)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}

package filter_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/ui/filter"
)

// In whatever pieces, from wherever, and with whatever is judged anew, the
// same places are found in the same order.
func TestASearchFindsTheSameFromEverywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hits := rapid.SliceOfN(rapid.Bool(), 0, 200).Draw(t, "hits")
		n := rapid.IntRange(0, len(hits)).Draw(t, "first")
		blocks, block := rapid.Bool().Draw(t, "blocks"), rapid.IntRange(1, 30).Draw(t, "block")
		f := filter.NewFound(rapid.IntRange(-3, 210).Draw(t, "from"), n)
		work := func() {
			if blocks {
				f.Blocks(n, block, 10, func(from, to int) (out []int) {
					for i := from; i < to; i++ {
						if hits[i] {
							out = append(out, i)
						}
					}
					return out
				})
				return
			}
			f.Work(filter.Look{N: n, Most: 10, Match: func(i int) bool { return hits[i] }})
		}
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			work()
			if len(hits) > 0 {
				i := rapid.IntRange(0, len(hits)-1).Draw(t, "again")
				hits[i] = !hits[i]
				f.Judge(i, hits[i])
			}
		}
		i := rapid.IntRange(-1, n).Draw(t, "at")
		by := rapid.SampledFrom([]int{-1, 1}).Draw(t, "by")
		at, ok := f.Seek(i, by, n, work)
		for n = len(hits); !f.Done(n); {
			work()
		}
		var want []int
		for k, hit := range hits {
			if hit {
				want = append(want, k)
			}
		}
		var got []int
		for k := range f.Count() {
			got = append(got, f.At(k))
			if f.Last(f.At(k)) != k {
				t.Fatalf("match %d is the last at place %d, not %d", k, f.At(k), f.Last(f.At(k)))
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%v\nwant %v", got, want)
		}
		if ok && (!hits[at] || (at-i)*by <= 0 || slices.ContainsFunc(want, func(k int) bool { return (k-i)*by > 0 && (at-k)*by > 0 })) {
			t.Fatalf("from %d by %d to %d of %v", i, by, at, want)
		}
	})
}

func TestAPieceOfWorkIsBounded(t *testing.T) {
	f := filter.NewFound(500_000, 1_000_000)
	seen := 0
	f.Work(filter.Look{N: 1_000_000, Most: 100, Match: func(int) bool { seen++; return false }})
	if seen != 100 || f.Looked() != 100 {
		t.Errorf("%d places were looked at", seen)
	}
	f.Work(filter.Look{N: 1_000_000, Most: 1000, Match: func(int) bool { seen++; return false }, Enough: func() bool { return seen >= 150 }})
	if seen != 150 {
		t.Errorf("%d places were looked at, 150 are enough", seen)
	}
	f.Blocks(1_000_000, 64, 100, func(from, to int) []int { seen += to - from; return nil })
	if seen > 150+100+64 {
		t.Errorf("%d places were looked at", seen)
	}
}

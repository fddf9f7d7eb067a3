package filter_test

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/ui/filter"
)

// In whatever pieces, from wherever, and with whatever is judged anew, the
// same places are found in the same order.
func TestASearchFindsTheSameFromEverywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hits := rapid.SliceOfN(rapid.Bool(), 0, 200).Draw(t, "hits")
		n := rapid.IntRange(0, len(hits)).Draw(t, "first")
		pieces, block := rapid.IntRange(0, 2).Draw(t, "pieces"), rapid.IntRange(1, 30).Draw(t, "block")
		f := filter.NewFound(rapid.IntRange(-3, 210).Draw(t, "from"), n)
		work := func() {
			look := func(s filter.Span) (l filter.Looked, ok bool) {
				l.Span = s
				for i := s.From; i < s.To; i++ {
					if hits[i] {
						l.Hits = append(l.Hits, i)
					}
				}
				return l, true
			}
			if pieces == 0 {
				f.Blocks(n, block, 10, func(from, to int) []int { l, _ := look(filter.Span{From: from, To: to}); return l.Hits })
				return
			}
			until := time.Now().Add(time.Duration(pieces-1) * time.Hour) // at least one, or all
			var stop atomic.Bool
			for _, l := range filter.Beside(f.Plan(n, block, 3), 2, until, &stop, func() func(filter.Span) (filter.Looked, bool) { return look }) {
				if !f.Take(l.Span, l.Hits) {
					t.Fatalf("%v does not lie beside what was looked at", l.Span)
				}
			}
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
		at, ok, known := f.Next(i, by, n)
		for range 8 { // as often as a user might wait
			if !ok && !known {
				work()
				at, ok, known = f.Next(i, by, n)
			}
		}
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
	f.Blocks(1_000_000, 64, 100, func(from, to int) []int { seen += to - from; return nil })
	if seen > 100+64 || f.Looked() != seen {
		t.Errorf("%d places were looked at", seen)
	}
}

func TestASearchThatIsStoppedLooksNoFurther(t *testing.T) {
	f := filter.NewFound(0, 1000)
	var stop atomic.Bool
	looked := filter.Beside(f.Plan(1000, 10, 100), 2, time.Now().Add(time.Hour), &stop, func() func(filter.Span) (filter.Looked, bool) {
		return func(s filter.Span) (filter.Looked, bool) {
			if s.From == 200 {
				stop.Store(true)
				return filter.Looked{}, false
			}
			return filter.Looked{Span: s}, true
		}
	})
	for i, l := range looked {
		if l.From != 10*i {
			t.Fatalf("there is a gap before %d", l.From)
		}
	}
	if len(looked) > 20 {
		t.Errorf("%d spans", len(looked))
	}
}

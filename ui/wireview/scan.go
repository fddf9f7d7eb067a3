package wireview

import (
	"slices"
	"sort"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// found is the frames that pass a filter, as far as they were looked at. It
// is searched outwards from where the playhead stood, a bounded piece of work
// at a time, so that what is in sight is there first and nothing waits for
// the rest.
type found struct {
	log    *timeline.Log
	q      query
	lo, hi int   // lo ≤ i < hi were looked at
	before []int // matches below where the search began, descending
	after  []int // matches from there on, ascending
	board  *timeline.Board
}

// How much is done at a time.
const (
	stepFrames  = 4000
	stepIndexed = 100_000 // where the index alone decides
	stepBytes   = 4 << 20
)

func newFound(log *timeline.Log, q query, from int, b *timeline.Board) *found {
	from = max(min(from, log.Len()), 0)
	return &found{log: log, q: q, lo: from, hi: from, board: b}
}

// work looks at some more of the n frames that there are.
func (f *found) work(n int) {
	j := judge{log: f.log, board: f.board}
	most := stepFrames
	if f.q.indexed() {
		most = stepIndexed
	}
	for done := 0; done < most && j.read < stepBytes; done++ {
		switch {
		case f.lo > 0 && (f.hi >= n || done%2 == 1):
			f.lo--
			if j.matches(&f.q, f.lo) {
				f.before = append(f.before, f.lo)
			}
		case f.hi < n:
			f.revisit(&j, f.log.Entry(f.hi).Pair)
			if j.matches(&f.q, f.hi) {
				f.after = append(f.after, f.hi)
			}
			f.hi++
		default:
			return
		}
	}
}

// revisit judges a request anew that was just answered.
func (f *found) revisit(j *judge, i int) {
	if i < f.lo || i >= f.hi || !slices.ContainsFunc(f.q.terms, func(t term) bool { return t.key == "status" }) {
		return
	}
	passes := j.matches(&f.q, i)
	if k, ok := slices.BinarySearchFunc(f.before, i, func(a, b int) int { return b - a }); ok && !passes {
		f.before = slices.Delete(f.before, k, k+1)
	}
	if k, ok := slices.BinarySearch(f.after, i); ok && !passes {
		f.after = slices.Delete(f.after, k, k+1)
	}
}

// near reports whether frame i was looked at, or will be with the next pieces
// of work.
func (f *found) near(i int) bool { return i >= f.lo-2*stepFrames && i < f.hi+2*stepFrames }

// done reports whether all n frames were looked at.
func (f *found) done(n int) bool { return f.lo == 0 && f.hi >= n }

func (f *found) count() int { return len(f.before) + len(f.after) }

// at returns the k-th match.
func (f *found) at(k int) int {
	if n := len(f.before); k < n {
		return f.before[n-1-k]
	}
	return f.after[k-len(f.before)]
}

// last returns which match is the last at or before frame i, -1: none.
func (f *found) last(i int) int {
	return sort.Search(f.count(), func(k int) bool { return f.at(k) > i }) - 1
}

// seek looks further until there is a match after frame i, or before it by
// -1, or nothing is left, or a good deal of work was done.
func (f *found) seek(i, by, n int) (at int, ok bool) {
	for tries := 0; ; tries++ {
		k, seen := f.last(i)+1, f.lo <= i+1
		if by < 0 {
			k, seen = f.last(i-1), f.hi >= i
		}
		if seen && k >= 0 && k < f.count() {
			return f.at(k), true
		}
		if (by > 0 && f.hi >= n) || (by < 0 && f.lo == 0) || tries == 8 {
			return 0, false
		}
		f.work(n)
	}
}

package filter

import (
	"slices"
	"sort"
)

// Found is the places of a long list that pass a filter, as far as they were
// looked at. It is searched outwards from where it began, a bounded piece of
// work at a time, so that what is in sight is there first and nothing waits
// for the rest.
type Found struct {
	lo, hi int   // lo ≤ i < hi were looked at
	before []int // matches below where the search began, descending
	after  []int // matches from there on, ascending
}

// Look is what a search asks of a list.
type Look struct {
	N       int              // how many places there are
	Most    int              // how many are looked at in this piece of work
	Match   func(i int) bool // whether place i passes
	Enough  func() bool      // whether so much was read that the rest has to wait; nil: never
	Forward func(i int)      // told before a place that may be new is judged; nil: no one
}

// NewFound begins a search at place from of n.
func NewFound(from, n int) Found {
	from = max(min(from, n), 0)
	return Found{lo: from, hi: from}
}

// Work looks at some more, in turns before and after what was looked at.
func (f *Found) Work(l Look) {
	for done := 0; done < l.Most && (l.Enough == nil || !l.Enough()); done++ {
		switch {
		case f.lo > 0 && (f.hi >= l.N || done%2 == 1):
			f.lo--
			if l.Match(f.lo) {
				f.before = append(f.before, f.lo)
			}
		case f.hi < l.N:
			if l.Forward != nil {
				l.Forward(f.hi)
			}
			if l.Match(f.hi) {
				f.after = append(f.after, f.hi)
			}
			f.hi++
		default:
			return
		}
	}
}

// Blocks looks at some more in whole blocks of a list that is read best from
// front to back: the next block after what was looked at, then the one before
// it. read returns which of the places from ≤ i < to pass; what it could not
// look at counts as looked at.
func (f *Found) Blocks(n, block, most int, read func(from, to int) []int) {
	for done, turn := 0, 0; done < most; turn++ {
		switch {
		case f.lo > 0 && (f.hi >= n || turn%2 == 0):
			from := max((f.lo-1)/block*block, 0)
			hits := read(from, f.lo)
			for i := len(hits) - 1; i >= 0; i-- {
				f.before = append(f.before, hits[i])
			}
			done += f.lo - from
			f.lo = from
		case f.hi < n:
			to := min((f.hi/block+1)*block, n)
			f.after = append(f.after, read(f.hi, to)...)
			done += to - f.hi
			f.hi = to
		default:
			return
		}
	}
}

// Saw reports whether place i was looked at.
func (f *Found) Saw(i int) bool { return i >= f.lo && i < f.hi }

// Judge says anew of a place that was looked at whether it passes.
func (f *Found) Judge(i int, passes bool) {
	if !f.Saw(i) {
		return
	}
	k, ok := slices.BinarySearchFunc(f.before, i, func(a, b int) int { return b - a })
	j, later := slices.BinarySearch(f.after, i)
	switch {
	case ok == passes && ok, later == passes && later:
	case ok:
		f.before = slices.Delete(f.before, k, k+1)
	case later:
		f.after = slices.Delete(f.after, j, j+1)
	case passes && i >= f.began():
		f.after = slices.Insert(f.after, j, i)
	case passes:
		f.before = slices.Insert(f.before, k, i)
	}
}

// began is a place that no match before the beginning lies after.
func (f *Found) began() int {
	if len(f.before) > 0 {
		return f.before[0] + 1
	}
	return f.lo
}

// Near reports whether place i was looked at, or is not further than n from
// what was.
func (f *Found) Near(i, n int) bool { return i >= f.lo-n && i < f.hi+n }

// Looked is how many places were looked at.
func (f *Found) Looked() int { return f.hi - f.lo }

// From and To bound what was looked at: From ≤ i < To.
func (f *Found) From() int { return f.lo }

// To is the place behind the last that was looked at.
func (f *Found) To() int { return f.hi }

// Done reports whether all n places were looked at.
func (f *Found) Done(n int) bool { return f.lo == 0 && f.hi >= n }

// Count is how many passed.
func (f *Found) Count() int { return len(f.before) + len(f.after) }

// At returns the k-th match.
func (f *Found) At(k int) int {
	if n := len(f.before); k < n {
		return f.before[n-1-k]
	}
	return f.after[k-len(f.before)]
}

// Last returns which match is the last at or before place i, -1: none.
func (f *Found) Last(i int) int {
	return sort.Search(f.Count(), func(k int) bool { return f.At(k) > i }) - 1
}

// seekTries is how many pieces of work one key may cost.
const seekTries = 8

// Seek looks further with work until there is a match after place i of n, or
// before it by -1, or nothing is left, or a good deal of work was done.
func (f *Found) Seek(i, by, n int, work func()) (at int, ok bool) {
	for tries := 0; ; tries++ {
		k, seen := f.Last(i)+1, f.lo <= i+1
		if by < 0 {
			k, seen = f.Last(i-1), f.hi >= min(i, n)
		}
		if seen && k >= 0 && k < f.Count() {
			return f.At(k), true
		}
		if (by > 0 && f.hi >= n) || (by < 0 && f.lo == 0) || tries == seekTries {
			return 0, false
		}
		work()
	}
}

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

// NewFound begins a search at place from of n.
func NewFound(from, n int) Found {
	from = max(min(from, n), 0)
	return Found{lo: from, hi: from}
}

// Span is places of a list that follow each other: From ≤ i < To.
type Span struct{ From, To int }

// Plan returns what is to be looked at next in a list of n places, most spans
// of it: in turns before and after what was looked at, each up to where a
// block of the list ends, for a list is read best in whole blocks.
func (f *Found) Plan(n, block, most int) []Span {
	var spans []Span
	lo, hi := f.lo, f.hi
	for turn := 0; len(spans) < most; turn++ {
		switch {
		case lo > 0 && (hi >= n || turn%2 == 0):
			from := (lo - 1) / block * block
			spans = append(spans, Span{from, lo})
			lo = from
		case hi < n:
			to := min((hi/block+1)*block, n)
			spans = append(spans, Span{hi, to})
			hi = to
		default:
			return spans
		}
	}
	return spans
}

// Take adds a span that was looked at, and which places of it pass. It does
// nothing, and returns false, where the span does not lie beside what was
// looked at before.
func (f *Found) Take(s Span, hits []int) bool {
	switch {
	case s.To == f.lo:
		for i := len(hits) - 1; i >= 0; i-- {
			f.before = append(f.before, hits[i])
		}
		f.lo = s.From
	case s.From == f.hi:
		f.after = append(f.after, hits...)
		f.hi = s.To
	default:
		return false
	}
	return true
}

// Blocks looks at some more in whole blocks, at most about as many places as
// most. read returns which of the places from ≤ i < to pass; what it could
// not look at counts as looked at.
func (f *Found) Blocks(n, block, most int, read func(from, to int) []int) {
	for done := 0; done < most; {
		spans := f.Plan(n, block, max(most/block, 1))
		if len(spans) == 0 {
			return
		}
		for _, s := range spans {
			if done < most {
				f.Take(s, read(s.From, s.To))
				done += s.To - s.From
			}
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

// Next returns the first match after place i of n, or the last before it by
// -1. known is false as long as only looking further can tell.
func (f *Found) Next(i, by, n int) (at int, ok, known bool) {
	k, seen, end := f.Last(i)+1, f.lo <= i+1, f.hi >= n
	if by < 0 {
		k, seen, end = f.Last(i-1), f.hi >= min(i, n), f.lo == 0
	}
	if seen && k >= 0 && k < f.Count() {
		return f.At(k), true, true
	}
	return 0, false, seen && end
}

package timeline

import "sort"

// list is a slice that only grows, in chunks: it never copies what it has, nor
// keeps room for as much again. The zero value is empty.
type list[T any] struct {
	chunks [][]T
	n      int
}

const chunkLen = 4096

func (l *list[T]) len() int { return l.n }

// at returns the entry at i, 0 ≤ i < len().
func (l *list[T]) at(i int) *T { return &l.chunks[i/chunkLen][i%chunkLen] }

func (l *list[T]) add(v T) {
	last := len(l.chunks) - 1
	if l.n%chunkLen == 0 {
		var chunk []T // the first one grows as it is filled: most lists are short
		if last >= 0 {
			chunk = make([]T, 0, chunkLen)
		}
		l.chunks = append(l.chunks, chunk)
		last++
	}
	l.chunks[last] = append(l.chunks[last], v)
	l.n++
}

// search returns the first position for which found is true, as sort.Search
// does.
func (l *list[T]) search(found func(e *T) bool) int {
	return sort.Search(l.n, func(i int) bool { return found(l.at(i)) })
}

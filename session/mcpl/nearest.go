package mcpl

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest returns the word that was most likely meant: the one that the
// fewest changed, missing, added or swapped letters away, or "" where none
// is near.
func Nearest(typed string, words []string) string {
	best, nearest := "", len(typed)/3+2
	for _, w := range words {
		if d := distance(typed, w); d < nearest && d < len(w) {
			best, nearest = w, d
		}
	}
	return best
}

// distance counts the edits between two words, a swap of neighbours as one.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 64 || len(y) > 64 {
		return 64
	}
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}

// maxNear is how many near misses are named.
const maxNear = 3

// near returns the words that were most likely meant, the nearest first: by
// the whole word, or by its last segment, so that "publish" finds
// "channels.publish".
func near(typed string, words []string) []string {
	type miss struct {
		word  string
		edits int
	}
	var all []miss
	last := typed[strings.LastIndexByte(typed, '.')+1:]
	for _, w := range words {
		d := distance(typed, w)
		if tail := w[strings.LastIndexByte(w, '.')+1:]; len(last) > 2 {
			d = min(d, distance(last, tail))
		}
		if d < len(typed)/3+2 && d < len(w) {
			all = append(all, miss{w, d})
		}
	}
	slices.SortStableFunc(all, func(a, b miss) int { return cmp.Compare(a.edits, b.edits) })
	var out []string
	for _, m := range all {
		if len(out) == maxNear || m.edits > all[0].edits+1 {
			break
		}
		out = append(out, m.word)
	}
	return out
}

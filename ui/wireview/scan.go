package wireview

import (
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
)

// found is the frames that pass a filter, as far as they were looked at.
type found struct {
	filter.Found
	log   *timeline.Log
	q     filter.Query
	board *timeline.Board
}

// How much is done at a time.
const (
	stepFrames  = 4000
	stepIndexed = 100_000 // where the index alone decides
	stepBytes   = 4 << 20
)

func newFound(log *timeline.Log, q filter.Query, from int, b *timeline.Board) *found {
	return &found{Found: filter.NewFound(from, log.Len()), log: log, q: q, board: b}
}

// work looks at some more of the n frames that there are.
func (f *found) work(n int) {
	j := judge{log: f.log, board: f.board}
	most := stepFrames
	if f.q.Only("dir", "kind") {
		most = stepIndexed
	}
	f.Work(filter.Look{
		N: n, Most: most,
		Match:   func(i int) bool { return j.matches(&f.q, i) },
		Enough:  func() bool { return j.read >= stepBytes },
		Forward: func(i int) { f.revisit(&j, f.log.Entry(i).Pair) },
	})
}

// revisit judges a request anew that was just answered.
func (f *found) revisit(j *judge, i int) {
	if i >= 0 && f.Saw(i) && f.q.Asks("status") {
		f.Judge(i, j.matches(&f.q, i))
	}
}

// near reports whether frame i was looked at, or will be with the next pieces
// of work.
func (f *found) near(i int) bool { return f.Near(i, 2*stepFrames) }

// seek looks further until there is a match after frame i, or before it by
// -1, or nothing is left, or a good deal of work was done.
func (f *found) seek(i, by, n int) (at int, ok bool) {
	return f.Seek(i, by, n, func() { f.work(n) })
}

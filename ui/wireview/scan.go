package wireview

import (
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// found is the frames that pass a filter, as far as they were looked at.
type found struct {
	filter.Found
	log   *timeline.Log
	q     filter.Query
	board *timeline.Board
	gone  atomic.Bool // nobody waits for it any more
	busy  bool        // a piece of work is under way
	next  *step       // what is to be gone to once it is found, nil: nothing
}

// step is a key that asked for the match after frame i, or by -1 before it.
type step struct{ i, by int }

// How much is looked at in one go: at once, with the key that asks for it, so
// little that nobody feels it; beside the screen as much as shows that it goes
// on, and ends soon where nobody waits for it any more.
const (
	firstFrames = 256
	firstBlock  = 64
	firstBytes  = 256 << 10
	pieceBlock  = 512
	pieceBlocks = 1024
	pieceTime   = 40 * time.Millisecond
	nearFrames  = 8 * pieceBlock
)

func newFound(log *timeline.Log, q filter.Query, from int, b *timeline.Board) *found {
	q.Terms = slices.Clone(q.Terms)
	slices.SortStableFunc(q.Terms, func(a, b filter.Term) int { return dear(a) - dear(b) })
	return &found{Found: filter.NewFound(from, log.Len()), log: log, q: q, board: b}
}

// dear ranks terms by what it costs to judge them: the index knows some, names
// are next, and words are looked for in all that a frame says.
func dear(t filter.Term) int {
	switch t.Key {
	case "dir", "kind", "rev":
		return 0
	case "":
		return 2
	}
	return 1
}

// first looks at once at a few of the n frames that there are.
func (f *found) first(n int) {
	if f.busy {
		return
	}
	look := f.looker()
	left, bytes := firstFrames, firstBytes
	for _, s := range f.Plan(n, firstBlock, firstFrames/firstBlock) {
		for i := s.From; i < s.To; i++ {
			bytes -= f.cost(i)
		}
		if left -= s.To - s.From; left < 0 || bytes < 0 {
			return
		}
		if l, ok := look(s); ok {
			f.take(l)
		}
	}
}

// cost is how many bytes are read to judge a frame.
func (f *found) cost(i int) int {
	e := f.log.Entry(i)
	if e.Pair < 0 {
		return e.Size
	}
	return e.Size + f.log.Entry(e.Pair).Size
}

// work returns the next piece of work, nil where all n frames were looked at
// and nobody waits for what that came to.
func (f *found) work(n int) func() []filter.Looked {
	if f.busy || f.Done(n) && f.next == nil {
		return nil
	}
	f.busy = true
	spans := f.Plan(n, pieceBlock, pieceBlocks)
	return func() []filter.Looked {
		return filter.Beside(spans, max(runtime.GOMAXPROCS(0)-1, 1), time.Now().Add(pieceTime), &f.gone, f.looker)
	}
}

// looker returns what looks at spans. It may be used beside the screen.
func (f *found) looker() func(filter.Span) (filter.Looked, bool) {
	j := judge{log: f.log, board: f.board}
	return func(s filter.Span) (filter.Looked, bool) {
		j.src = f.log.Stretch(s.From, s.To)
		l := filter.Looked{Span: s}
		for i := s.From; i < s.To; i++ {
			if f.gone.Load() {
				return l, false
			}
			if j.matches(&f.q, i) {
				l.Hits = append(l.Hits, i)
			}
			// A request that was judged before its answer was there.
			if p := j.entry.Pair; p >= 0 && p < s.From && f.q.Asks("status") {
				l.Again = append(l.Again, filter.Verdict{At: p, Passes: j.matches(&f.q, p)})
			}
		}
		return l, true
	}
}

// take adds what was looked at.
func (f *found) take(l filter.Looked) {
	if !f.Take(l.Span, l.Hits) {
		return
	}
	for _, v := range l.Again {
		f.Judge(v.At, v.Passes)
	}
}

// Work returns the next piece of what the filter has to look at, nil where
// there is none.
func (v *View) Work(c *view.Context) view.Work {
	v.take(c)
	f := v.found
	if f == nil {
		return nil
	}
	piece := f.work(c.Len)
	if piece == nil {
		return nil
	}
	return func() func(*view.Context) view.Intent {
		looked := piece()
		return func(c *view.Context) view.Intent {
			f.busy = false
			for _, l := range looked {
				f.take(l)
			}
			if f != v.found || f.next == nil {
				return view.Intent{}
			}
			return v.toMatch(c, f.next.i, f.next.by)
		}
	}
}

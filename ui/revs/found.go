package revs

import (
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Found is the rows that a filter leaves, as far as they were looked at.
type Found struct {
	filter.Found
	Query filter.Query

	name    string // of the list, as its head line has it
	look    look
	waiting []int // rows that were held when they were judged
	held    heldKey
	board   *timeline.Board // that the toolsets of tools were taken from
	busy    bool            // a piece of work is under way
	next    *step           // what is to be gone to once it is found, nil: nothing

	kept  map[int]timeline.Row // matches that were read
	left  int                  // places from which rows may still be read for this drawing
	short bool                 // something in sight was left for the next drawing
}

// step is a key that asked for the match after row n, or by -1 before it.
type step struct{ n, by int }

// header is a log that knows of a row, without reading it, what decides terms
// on rev and status.
type header interface {
	RowHead(n int) timeline.RowHead
}

// How much is done at a time: a little at once, for what is in sight, the rest
// beside the screen. To read rows the log reduces frames from a keyframe on, so
// they are read in blocks from front to back, and a few at a time, for
// meanwhile nobody else can ask the log.
const (
	FirstRows   = 128 // rows that are judged at once, on either side
	workRows    = 2048
	readRows    = 128
	workTime    = 40 * time.Millisecond
	nearRows    = workRows
	mostWaiting = 1024

	// Matches in sight may lie far apart, and each costs the way from a
	// keyframe, so those that were read are kept.
	keepRows  = 2048
	drawReads = 3
)

// Search begins to look for the rows of a list that pass q, outwards from row
// cur. words returns texts of a row that words are looked for in, beside its
// names; nil for none. It is called beside the screen too.
func Search(name string, c *view.Context, src Source, cur int, q filter.Query, words func(*timeline.Row) []string) *Found {
	f := &Found{
		Found: filter.NewFound(cur+1, c.Rows), Query: q, name: name, held: heldNow(c.Newest),
		look: look{src: src, query: q, words: words, gone: new(atomic.Bool)},
	}
	f.look.heads, _ = src.(header)
	f.Look(c, cur)
	return f
}

// Of reports whether the search is of this log; another session needs another
// one.
func (f *Found) Of(src Source, rows int) bool { return f.look.src == src && f.To() <= rows }

// Short reports whether something in sight was left for the next drawing.
func (f *Found) Short() bool { return f.short }

// Look prepares for a drawing: it looks at once at a few rows near row cur
// where none was looked at, and at what has just arrived.
func (f *Found) Look(c *view.Context, cur int) {
	if f.look.src == nil {
		return
	}
	f.left, f.short = drawReads, false
	f.knowSets(c.Newest)
	f.rejudge(c)
	if f.Done(c.Rows) {
		return
	}
	if f.next == nil && !f.Near(cur, nearRows) {
		f.from(c, cur+1)
	}
	if f.Looked() == 0 || c.Rows-f.Looked() <= 2*FirstRows {
		f.first(c)
	}
}

// from begins the search anew, outwards from row n.
func (f *Found) from(c *view.Context, n int) {
	f.Found, f.waiting = filter.NewFound(n, c.Rows), nil
}

// first looks at a few rows at once.
func (f *Found) first(c *view.Context) {
	f.Blocks(c.Rows, FirstRows, 2*FirstRows, func(from, to int) []int {
		l := f.look.at(from, to)
		f.keepAll(&l)
		return l.hits
	})
}

// Work returns the next piece of what a search has to look at, nil where there
// is none and no step waits. search returns the search as it is now, nil for
// none: meanwhile it may be let go of. again is called where a step waited for
// the piece: it is to be taken again.
func Work(c *view.Context, search func(*view.Context) *Found, again func(c *view.Context, n, by int) view.Intent) view.Work {
	f := search(c)
	if f == nil {
		return nil
	}
	return f.work(c, func(c *view.Context, n, by int) view.Intent {
		if f != search(c) {
			return view.Intent{}
		}
		return again(c, n, by)
	})
}

func (f *Found) work(c *view.Context, again func(c *view.Context, n, by int) view.Intent) view.Work {
	if f.look.src == nil || f.busy || f.Done(c.Rows) && f.next == nil {
		return nil
	}
	f.busy = true
	look, spans := f.look, f.Plan(c.Rows, workRows, 2)
	return func() func(*view.Context) view.Intent {
		until := time.Now().Add(workTime)
		var all []looked
		for i, s := range spans {
			if i == 0 || time.Now().Before(until) {
				all = append(all, look.at(s.From, s.To))
			}
		}
		return func(c *view.Context) view.Intent {
			f.busy = false
			for i := range all {
				if f.Take(spans[i], all[i].hits) {
					f.keepAll(&all[i])
				}
			}
			if f.next == nil {
				return view.Intent{}
			}
			return again(c, f.next.n, f.next.by)
		}
	}
}

// Drop ends a search that is not looked at any more, nil for none.
func (f *Found) Drop() {
	if f != nil {
		f.look.gone.Store(true)
	}
}

// GiveUp leaves a step that is still looked for: another key was pressed.
func (f *Found) GiveUp() { f.next = nil }

// keepAll keeps what was learnt of rows beside whether they pass.
func (f *Found) keepAll(l *looked) {
	for _, n := range l.waits {
		f.wait(n)
	}
	for i := range l.rows {
		if len(f.kept) < keepRows {
			f.keep(&l.rows[i])
		}
	}
	if len(l.waits) > 0 {
		f.held = heldKey{conn: -1} // they may have taken effect meanwhile
	}
}

// knowSets keeps which toolset each tool is of.
func (f *Found) knowSets(b *timeline.Board) {
	if b == nil || b == f.board || !f.Query.Asks("toolset") && !f.Query.Asks("") {
		return
	}
	f.board = b
	sets := maps.Clone(f.look.sets) // the old one may be in use
	if sets == nil {
		sets = map[string]string{}
	}
	for i := range b.Toolsets {
		for k := range b.Toolsets[i].Tools {
			sets[b.Toolsets[i].Tools[k].Name] = b.Toolsets[i].Name
		}
	}
	f.look.sets = sets
}

// rejudge judges rows anew whose hints were held and may have taken effect.
func (f *Found) rejudge(c *view.Context) {
	held := heldNow(c.Newest)
	if held == f.held {
		return
	}
	f.held = held
	for n, row := range f.kept {
		if row.Status == timeline.Held && row.Taken < 0 {
			delete(f.kept, n)
		}
	}
	again := f.waiting
	f.waiting = nil
	for _, n := range again {
		if l := f.look.at(n, n+1); !l.failed {
			f.Judge(n, len(l.hits) > 0)
			for _, n := range l.waits {
				f.wait(n)
			}
		}
	}
}

func (f *Found) wait(n int) {
	if len(f.waiting) < mostWaiting && !slices.Contains(f.waiting, n) {
		f.waiting = append(f.waiting, n)
	}
}

func (f *Found) keep(row *timeline.Row) {
	if f.kept == nil {
		f.kept = map[int]timeline.Row{}
	}
	f.kept[row.N] = *row
}

// Row returns row n to be drawn, nil where it has to wait for the next
// drawing, or cannot be read.
func (f *Found) Row(c *view.Context, cache *Cache, n int) *timeline.Row {
	if row, ok := f.kept[n]; ok {
		return &row
	}
	if !cache.Has(f.look.src, n) {
		if f.left == 0 {
			f.short = true
			return nil
		}
		f.left--
	}
	row := cache.Row(f.look.src, c.Newest, n, c.Rows)
	if row == nil {
		return nil
	}
	if len(f.kept) >= 2*keepRows {
		f.kept = nil
	}
	f.keep(row)
	return row
}

// Mark returns the last match at or before row cur, -1: none.
func (f *Found) Mark(cur int) int {
	k := f.Last(cur)
	if k < 0 {
		return -1
	}
	return f.At(k)
}

// List is what the list says of itself to a filter.
func (f *Found) List(b *timeline.Board) filter.List {
	return filter.List{
		Name: f.name, Keys: filter.FrameKeys, Past: true,
		Values: func(key string) (noun string, values []string) {
			switch key {
			case "kind":
				return "Kinds", []string{"call", "open", "close", "list", "push", "standalone", "hints"}
			case "dir":
				return "Directions", []string{"in", "out"}
			case "status":
				return "Statuses", []string{"applied", "held", "gap", "stale", "repeat", "duplicate-event", "ignored", "invalid"}
			case "id":
				return "Ids", []string{"those of the request or push, as view 3 shows them"}
			case "method":
				return "Methods", []string{"tools/call", "toolsets/open", "toolsets/close", "toolsets/list", "push/event", "tools/hints"}
			}
			return filter.OfBoard(b, key)
		},
	}
}

// None is the empty state of a filter that leaves no row.
func (f *Found) None(c *view.Context) string {
	if !f.Done(c.Rows) {
		return fmt.Sprintf("0 of %d match %s so far.", c.Rows, f.Query.Text)
	}
	l := f.List(c.Newest)
	return l.NoMatch(&f.Query, c.Rows)
}

// Words says how many of all rows pass, and how much was looked at where not
// all was: "3 of 41 match, 60 %", or in short "3/41, 60 %".
func (f *Found) Words(all int, short bool) string {
	text := filter.Count(f.Count(), all)
	if short {
		text = fmt.Sprintf("%d/%d", f.Count(), all)
	}
	if !f.Done(all) {
		text += fmt.Sprintf(", %d %%", 100*f.Looked()/max(all, 1))
	}
	return text
}

// Step looks for the first match after row n, or before it by -1. Several
// revs that came in the frame of row cur, the playhead's, are one step. Where
// there is none, or it is not known yet, say tells it, and row is -1.
func (f *Found) Step(c *view.Context, cache *Cache, cur, n, by int) (row int, say string) {
	f.next = nil
	if n < 0 && f.From() > nearRows {
		f.from(c, 0)
		f.first(c)
	}
	for {
		at, ok, known := f.Next(n, by, c.Rows)
		switch {
		case ok:
			here, row := cache.Row(f.look.src, c.Newest, cur, c.Rows), cache.Row(f.look.src, c.Newest, at, c.Rows)
			if here != nil && row != nil && here.Index == row.Index && at != cur {
				n = at
				continue
			}
			return at, ""
		case !known:
			f.next = &step{n, by}
			return -1, "looking for it; another key gives it up"
		case f.Count() == 0:
			return -1, ""
		case by > 0:
			return -1, "no rev after this passes the filter"
		}
		return -1, "no rev before this passes the filter"
	}
}

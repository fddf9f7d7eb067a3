package board

import (
	"fmt"
	"slices"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// foundRevs is the rows of REVS that its filter leaves, as far as they were
// looked at.
type foundRevs struct {
	filter.Found
	src     source
	q       filter.Query
	heads   header
	waiting []int // rows that were held when they were judged
	held    heldKey
	sets    map[string]string // toolset of each tool
	board   *timeline.Board   // that sets were made from

	kept  map[int]timeline.Row // matches that were read
	left  int                  // places from which rows may still be read for this drawing
	short bool                 // something in sight was left for the next drawing
}

// header is a log that knows of a row, without reading it, what decides terms
// on rev and status.
type header interface {
	RowHead(n int) timeline.RowHead
}

// How much is done at a time. To read rows the log reduces frames from a
// keyframe on, so they are read in blocks from front to back.
const (
	blockRevs   = 1024
	stepRevs    = blockRevs
	stepHeads   = 64 * blockRevs // where the heads alone decide
	mostWaiting = 1024

	// Matches in sight may lie far apart, and each costs the way from a
	// keyframe, so those that were read are kept.
	keepRows  = 2048
	drawReads = 3
)

func newFoundRevs(m *moment, q filter.Query) *foundRevs {
	f := &foundRevs{Found: filter.NewFound(m.cur+1, m.c.Rows), src: m.src, q: q, held: heldNow(m.c.Newest)}
	f.heads, _ = m.src.(header)
	return f
}

// work looks at some more rows.
func (f *foundRevs) work(m *moment) {
	if m.src == nil {
		return
	}
	f.left, f.short = drawReads, false
	f.knowSets(m.c.Newest)
	f.rejudge(m)
	if !f.Done(m.c.Rows) && !f.Near(m.cur, 4*stepRevs) { // what is in sight comes first
		f.Found, f.waiting = filter.NewFound(m.cur+1, m.c.Rows), nil
	}
	most := stepRevs
	if f.heads != nil && f.q.Only("rev", "status") {
		most = stepHeads
	}
	f.Blocks(m.c.Rows, blockRevs, most, f.read)
}

// knowSets keeps which toolset each tool is of.
func (f *foundRevs) knowSets(b *timeline.Board) {
	if b == nil || b == f.board || !f.q.Asks("toolset") && !f.q.Asks("") {
		return
	}
	f.board = b
	if f.sets == nil {
		f.sets = map[string]string{}
	}
	for i := range b.Toolsets {
		for k := range b.Toolsets[i].Tools {
			f.sets[b.Toolsets[i].Tools[k].Name] = b.Toolsets[i].Name
		}
	}
}

// rejudge judges rows anew whose hints were held and may have taken effect.
func (f *foundRevs) rejudge(m *moment) {
	held := heldNow(m.c.Newest)
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
		if hits, ok := f.rows(n, n+1); ok {
			f.Judge(n, len(hits) > 0)
		}
	}
}

// read returns which of the rows from ≤ n < to pass.
func (f *foundRevs) read(from, to int) []int {
	if f.heads == nil {
		hits, _ := f.rows(from, to)
		return hits
	}
	// Only what the heads leave is read; between the first and the last of
	// them the log has to pass anyway.
	var may []int
	for n := from; n < to; n++ {
		if f.mayPass(n) {
			may = append(may, n)
		}
	}
	if len(may) == 0 || f.q.Only("rev", "status") {
		for _, n := range may {
			f.wait(n, f.heads.RowHead(n).Status, f.heads.RowHead(n).Taken)
		}
		return may
	}
	hits, _ := f.rows(may[0], may[len(may)-1]+1)
	return hits
}

// mayPass judges what the head of a row decides.
func (f *foundRevs) mayPass(n int) bool {
	h := f.heads.RowHead(n)
	facts := headFacts(h.Rev, h.Status)
	for _, t := range f.q.Terms {
		if (t.Key == "rev" || t.Key == "status") && facts.Holds(t) == t.Not {
			// What is held may come to another status.
			f.wait(n, h.Status, h.Taken)
			return false
		}
	}
	return true
}

func (f *foundRevs) wait(n int, s timeline.Status, taken int) {
	if s == timeline.Held && taken < 0 && len(f.waiting) < mostWaiting && !slices.Contains(f.waiting, n) {
		f.waiting = append(f.waiting, n)
	}
}

// rows judges the rows from ≤ n < to; ok is false where they cannot be read.
func (f *foundRevs) rows(from, to int) (hits []int, ok bool) {
	rows, err := f.src.Rows(from, to)
	if err != nil {
		return nil, false
	}
	for i := range rows {
		f.wait(rows[i].N, rows[i].Status, rows[i].Taken)
		facts := f.facts(&rows[i])
		if f.q.Matches(&facts) {
			hits = append(hits, rows[i].N)
			if len(f.kept) < keepRows {
				f.keep(&rows[i])
			}
		}
	}
	return hits, true
}

func (f *foundRevs) keep(row *timeline.Row) {
	if f.kept == nil {
		f.kept = map[int]timeline.Row{}
	}
	f.kept[row.N] = *row
}

// row returns row n to be drawn, nil where it has to wait for the next
// drawing, or cannot be read.
func (f *foundRevs) row(m *moment, n int) *timeline.Row {
	if row, ok := f.kept[n]; ok {
		return &row
	}
	if !m.cache.has(m.src, n) {
		if f.left == 0 {
			f.short = true
			return nil
		}
		f.left--
	}
	row := m.row(n)
	if row == nil {
		return nil
	}
	if len(f.kept) >= 2*keepRows {
		f.kept = nil
	}
	f.keep(row)
	return row
}

// revRow returns row n of REVS to be drawn.
func (b *Board) revRow(m *moment, n int) *timeline.Row {
	if b.found == nil || n < 0 {
		return m.row(n)
	}
	return b.found.row(m, n)
}

// headFacts is what the head of a row says.
func headFacts(rev int64, status timeline.Status) filter.Facts {
	f := filter.Facts{Statuses: []string{status.String()}}
	if rev > 0 {
		f.Revs = []int64{rev}
	}
	return f
}

// idOf is the id of what caused a row, as view 3 shows it.
func idOf(row *timeline.Row) string {
	id := row.Cause.ID.String()
	switch {
	case id == "":
		return ""
	case mine(row):
		return "#" + id
	case row.Cause.ID[0] == '"':
		return id
	}
	return "s" + id
}

// facts is what there is to know of a row: what caused it, what it changed,
// what of it was ignored.
func (f *foundRevs) facts(row *timeline.Row) filter.Facts {
	x := headFacts(row.Rev, row.Status)
	x.Method, x.ID = row.Cause.Method, idOf(row)
	x.Kinds = []string{row.Carrier.String(), inspector.CarrierWord(row.Carrier)}
	x.Dirs = []string{"out"}
	if !mine(row) {
		x.Dirs = []string{"in"}
	}
	name := func(list *[]string, s string) {
		if s != "" {
			*list = append(*list, s)
		}
	}
	about := func(tool, toolset, instance string) {
		name(&x.Tools, tool)
		name(&x.Toolsets, toolset)
		name(&x.Toolsets, f.sets[tool])
		name(&x.Instances, instance)
	}
	about(row.Cause.Tool, row.Cause.Toolset, row.Cause.Instance)
	for _, c := range row.Changes {
		about(c.Tool, c.Toolset, c.Instance)
	}
	for _, d := range row.Dropped {
		about(d.Tool, d.Toolset, "")
		name(&x.Words, d.Rule)
	}
	if f.q.Asks("") {
		x.Words = append(x.Words, label.RowText(row, true), row.Text, row.Reason, inspector.CarrierWord(row.Carrier))
		x.Words = append(append(append(x.Words, x.Tools...), x.Toolsets...), x.Instances...)
	}
	return x
}

// mark returns the row that REVS marks: the last match at or before the
// playhead, -1: none.
func (f *foundRevs) mark(m *moment) int {
	k := f.Last(m.cur)
	if k < 0 {
		return -1
	}
	return f.At(k)
}

// revsList is what REVS says of itself to a filter.
func revsList(m *moment) filter.List {
	return filter.List{
		Name: "REVS", Keys: filter.Keys, Past: true,
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
			return filter.OfBoard(m.c.Newest, key)
		},
	}
}

// none is the empty state of a filter that leaves no rev.
func (f *foundRevs) none(m *moment) string {
	if !f.Done(m.c.Rows) {
		return fmt.Sprintf("0 of %d match %s so far.", m.c.Rows, f.q.Text)
	}
	l := revsList(m)
	return l.NoMatch(&f.q, m.c.Rows)
}

// toMatch asks for the playhead to stand n matches further.
func (b *Board) toMatch(m *moment, n int) view.Intent {
	b.revs.free = false
	if n == 1 || n == -1 {
		return b.seek(m, m.cur, n)
	}
	count := b.found.Count()
	if count == 0 {
		return view.Intent{}
	}
	return m.goToRow(b.found.At(max(min(b.found.Last(m.cur)+n, count-1), 0)))
}

// seek goes to the first match after row n, or before it by -1. Several revs
// that came in one frame are one step.
func (b *Board) seek(m *moment, n, by int) view.Intent {
	for {
		at, ok := b.found.Seek(n, by, m.c.Rows, func() { b.found.work(m) })
		switch {
		case ok:
			here, row := m.row(m.cur), m.row(at)
			if here != nil && row != nil && here.Index == row.Index && at != m.cur {
				n = at
				continue
			}
			return m.goToRow(at)
		case !b.found.Done(m.c.Rows):
			return say("still looking; press again")
		case b.found.Count() == 0:
			return view.Intent{}
		case by > 0:
			return say("no rev after this passes the filter")
		}
		return say("no rev before this passes the filter")
	}
}

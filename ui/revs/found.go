package revs

import (
	"fmt"
	"slices"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Found is the rows that a filter leaves, as far as they were looked at.
type Found struct {
	filter.Found
	Query filter.Query

	name    string // of the list, as its head line has it
	src     Source
	words   func(*timeline.Row) []string
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
	BlockRows   = 1024 // rows that are judged together
	stepRevs    = BlockRows
	stepHeads   = 64 * BlockRows // where the heads alone decide
	mostWaiting = 1024

	// Matches in sight may lie far apart, and each costs the way from a
	// keyframe, so those that were read are kept.
	keepRows  = 2048
	drawReads = 3
)

// Search begins to look for the rows of a list that pass q, outwards from row
// cur. words returns texts of a row that words are looked for in, beside its
// names; nil for none.
func Search(name string, c *view.Context, src Source, cur int, q filter.Query, words func(*timeline.Row) []string) *Found {
	f := &Found{Found: filter.NewFound(cur+1, c.Rows), Query: q, name: name, src: src, words: words, held: heldNow(c.Newest)}
	f.heads, _ = src.(header)
	return f
}

// Of reports whether the search is of this log; another session needs another
// one.
func (f *Found) Of(src Source, rows int) bool { return f.src == src && f.To() <= rows }

// Short reports whether something in sight was left for the next drawing.
func (f *Found) Short() bool { return f.short }

// Work looks at some more rows; what is near row cur comes first.
func (f *Found) Work(c *view.Context, cur int) {
	if f.src == nil {
		return
	}
	f.left, f.short = drawReads, false
	f.knowSets(c.Newest)
	f.rejudge(c)
	if !f.Done(c.Rows) && !f.Near(cur, 4*stepRevs) {
		f.Found, f.waiting = filter.NewFound(cur+1, c.Rows), nil
	}
	most := stepRevs
	if f.heads != nil && f.Query.Only("rev", "status") {
		most = stepHeads
	}
	f.Blocks(c.Rows, BlockRows, most, f.read)
}

// knowSets keeps which toolset each tool is of.
func (f *Found) knowSets(b *timeline.Board) {
	if b == nil || b == f.board || !f.Query.Asks("toolset") && !f.Query.Asks("") {
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
		if hits, ok := f.rows(n, n+1); ok {
			f.Judge(n, len(hits) > 0)
		}
	}
}

// read returns which of the rows from ≤ n < to pass.
func (f *Found) read(from, to int) []int {
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
	if len(may) == 0 || f.Query.Only("rev", "status") {
		for _, n := range may {
			f.wait(n, f.heads.RowHead(n).Status, f.heads.RowHead(n).Taken)
		}
		return may
	}
	hits, _ := f.rows(may[0], may[len(may)-1]+1)
	return hits
}

// mayPass judges what the head of a row decides.
func (f *Found) mayPass(n int) bool {
	h := f.heads.RowHead(n)
	facts := headFacts(h.Rev, h.Status)
	for _, t := range f.Query.Terms {
		if (t.Key == "rev" || t.Key == "status") && facts.Holds(t) == t.Not {
			// What is held may come to another status.
			f.wait(n, h.Status, h.Taken)
			return false
		}
	}
	return true
}

func (f *Found) wait(n int, s timeline.Status, taken int) {
	if s == timeline.Held && taken < 0 && len(f.waiting) < mostWaiting && !slices.Contains(f.waiting, n) {
		f.waiting = append(f.waiting, n)
	}
}

// rows judges the rows from ≤ n < to; ok is false where they cannot be read.
func (f *Found) rows(from, to int) (hits []int, ok bool) {
	rows, err := f.src.Rows(from, to)
	if err != nil {
		return nil, false
	}
	for i := range rows {
		f.wait(rows[i].N, rows[i].Status, rows[i].Taken)
		facts := f.facts(&rows[i])
		if f.Query.Matches(&facts) {
			hits = append(hits, rows[i].N)
			if len(f.kept) < keepRows {
				f.keep(&rows[i])
			}
		}
	}
	return hits, true
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
	if !cache.Has(f.src, n) {
		if f.left == 0 {
			f.short = true
			return nil
		}
		f.left--
	}
	row := cache.Row(f.src, c.Newest, n, c.Rows)
	if row == nil {
		return nil
	}
	if len(f.kept) >= 2*keepRows {
		f.kept = nil
	}
	f.keep(row)
	return row
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
	case Mine(row):
		return "#" + id
	case row.Cause.ID[0] == '"':
		return id
	}
	return "s" + id
}

// facts is what there is to know of a row: what caused it, what it changed,
// what of it was ignored.
func (f *Found) facts(row *timeline.Row) filter.Facts {
	x := headFacts(row.Rev, row.Status)
	x.Method, x.ID = row.Cause.Method, idOf(row)
	x.Kinds = []string{row.Carrier.String(), inspector.CarrierWord(row.Carrier)}
	x.Dirs = []string{"out"}
	if !Mine(row) {
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
	if f.Query.Asks("") {
		if f.words != nil {
			x.Words = append(x.Words, f.words(row)...)
		}
		x.Words = append(append(append(x.Words, x.Tools...), x.Toolsets...), x.Instances...)
	}
	return x
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
// there is none, say tells it, and row is -1.
func (f *Found) Step(c *view.Context, cache *Cache, cur, n, by int) (row int, say string) {
	for {
		at, ok := f.Seek(n, by, c.Rows, func() { f.Work(c, cur) })
		switch {
		case ok:
			here, row := cache.Row(f.src, c.Newest, cur, c.Rows), cache.Row(f.src, c.Newest, at, c.Rows)
			if here != nil && row != nil && here.Index == row.Index && at != cur {
				n = at
				continue
			}
			return at, ""
		case !f.Done(c.Rows):
			return -1, "still looking; press again"
		case f.Count() == 0:
			return -1, ""
		case by > 0:
			return -1, "no rev after this passes the filter"
		}
		return -1, "no rev before this passes the filter"
	}
}

// Mine reports whether what the user did, and not the server, caused a row.
func Mine(row *timeline.Row) bool {
	return inspector.CarrierArrow(row.Carrier) == inspector.ArrowOut
}

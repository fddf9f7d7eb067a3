package revs

import (
	"sync/atomic"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
)

// look judges rows. It changes nothing, so that it can be used beside the
// screen.
type look struct {
	src   Source
	heads header // nil where the log has none
	query filter.Query
	sets  map[string]string // toolset of each tool
	words func(*timeline.Row) []string
	gone  *atomic.Bool // nobody waits for it any more
}

// looked is what was found out of some rows.
type looked struct {
	hits   []int
	rows   []timeline.Row // those of the hits, as far as they were read
	waits  []int          // that are held, and may come to something else
	failed bool           // some could not be read
}

// at judges the rows from ≤ n < to.
func (l *look) at(from, to int) (out looked) {
	if l.heads == nil {
		l.read(from, to, &out)
		return out
	}
	// Only what the heads leave is read; between the first and the last of
	// them the log has to pass anyway.
	var may []int
	for n := from; n < to; n++ {
		if l.mayPass(n, &out) {
			may = append(may, n)
		}
	}
	switch {
	case len(may) == 0:
	case l.query.Only("rev", "status"):
		out.hits = may
		for _, n := range may {
			h := l.heads.RowHead(n)
			out.wait(n, h.Status, h.Taken)
		}
	default:
		l.read(may[0], may[len(may)-1]+1, &out)
	}
	return out
}

// mayPass judges what the head of a row decides.
func (l *look) mayPass(n int, out *looked) bool {
	h := l.heads.RowHead(n)
	facts := headFacts(h.Rev, h.Status)
	for _, t := range l.query.Terms {
		if (t.Key == "rev" || t.Key == "status") && facts.Holds(t) == t.Not {
			// What is held may come to another status.
			out.wait(n, h.Status, h.Taken)
			return false
		}
	}
	return true
}

func (o *looked) wait(n int, s timeline.Status, taken int) {
	if s == timeline.Held && taken < 0 && len(o.waits) < mostWaiting {
		o.waits = append(o.waits, n)
	}
}

// read reads the rows from ≤ n < to and judges them.
func (l *look) read(from, to int, out *looked) {
	for ; from < to && !l.gone.Load(); from += readRows {
		rows, err := l.src.Rows(from, min(from+readRows, to))
		if err != nil {
			out.failed = true
			continue
		}
		for i := range rows {
			out.wait(rows[i].N, rows[i].Status, rows[i].Taken)
			facts := l.facts(&rows[i])
			if l.query.Matches(&facts) {
				out.hits = append(out.hits, rows[i].N)
				if len(out.rows) < keepRows {
					out.rows = append(out.rows, rows[i])
				}
			}
		}
	}
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
func (l *look) facts(row *timeline.Row) filter.Facts {
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
		name(&x.Toolsets, l.sets[tool])
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
	if l.query.Asks("") {
		if l.words != nil {
			x.Words = append(x.Words, l.words(row)...)
		}
		x.Words = append(append(append(x.Words, x.Tools...), x.Toolsets...), x.Instances...)
	}
	return x
}

// Mine reports whether what the user did, and not the server, caused a row.
func Mine(row *timeline.Row) bool {
	return inspector.CarrierArrow(row.Carrier) == inspector.ArrowOut
}

package findings

import (
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
)

// row is one line of the list: a chapter, a rule, or a finding.
type row struct {
	sel
	finding int // position in the book, -1: a chapter or a rule
	n       int // how often it was seen
	things  int // of a chapter: how many findings that are
	rules   int // of a chapter
	loud    bool
	quiet   bool // muted findings are among them
	folded  bool
	apart   bool // the first of the chapters in which nothing was found
}

// madeOf is what the rows were made from.
type madeOf struct {
	version int
	muted   bool
	text    string
	folds   int
}

// chapters are the rules by their chapters, in order.
var chapters = func() map[conform.Chapter][]conform.Rule {
	out := map[conform.Chapter][]conform.Rule{}
	for _, r := range conform.Rules() {
		out[r.Chapter] = append(out[r.Chapter], r)
	}
	return out
}()

// makeRows makes the rows, where anything changed: the chapters in which
// something loud was found, then the others.
func (v *View) makeRows() {
	made := madeOf{v.book.version, v.muted, v.query.Text, len(v.folds)}
	if v.rows != nil && made == v.made {
		return
	}
	v.made = made
	of := map[string][]int{} // by rule
	v.kept = 0
	for i := range v.book.all {
		f := &v.book.all[i]
		if (v.muted || !v.book.muted[identOf(f)]) && v.passes(f) {
			of[f.Rule] = append(of[f.Rule], i)
			v.kept++
		}
	}
	v.rows = v.rows[:0]
	var rest [][]row
	for _, c := range conform.Chapters() {
		rows := v.chapter(c, of)
		if rows[0].loud {
			v.rows = append(v.rows, rows...)
		} else {
			rest = append(rest, rows)
		}
	}
	for i, rows := range rest {
		if !v.query.Empty() && rows[0].n == 0 {
			continue // a filter is there to see less
		}
		rows[0].apart = i == 0 && len(v.rows) > 0
		v.rows = append(v.rows, rows...)
	}
}

// chapter makes the rows of a chapter.
func (v *View) chapter(c conform.Chapter, of map[string][]int) []row {
	head := row{sel: sel{chapter: c}, finding: -1, rules: len(chapters[c])}
	var inner []row
	for _, r := range chapters[c] {
		found := of[r.ID]
		if len(found) == 0 && (!v.query.Empty() || !v.folds[string(c)+" open"]) {
			continue // one that is clean is listed where it is asked for
		}
		line := row{sel: sel{chapter: c, rule: r.ID}, finding: -1}
		var below []row
		for _, i := range found {
			f := &v.book.all[i]
			loud := v.book.loud(f)
			head.quiet = head.quiet || f.Level > conform.Info && !loud
			head.n, head.things = head.n+f.Count, head.things+1
			line.n, line.loud = line.n+f.Count, line.loud || loud
			below = append(below, row{sel: sel{c, r.ID, identOf(f)}, finding: i, n: f.Count, loud: loud})
		}
		head.loud = head.loud || line.loud
		line.folded = v.isFolded(r.ID, false)
		inner = append(inner, line)
		if !line.folded {
			inner = append(inner, below...)
		}
	}
	head.folded = v.isFolded(string(c), !head.loud && !head.quiet && v.query.Empty())
	if head.folded {
		return []row{head}
	}
	return append([]row{head}, inner...)
}

// isFolded says whether something is folded: as the user chose, else as usual.
func (v *View) isFolded(name string, usual bool) bool {
	if f, chosen := v.folds[name]; chosen {
		return f
	}
	return usual
}

// fold folds a row, or unfolds it.
func (v *View) fold(r *row, on bool) {
	name := r.rule
	if name == "" {
		name = string(r.chapter)
		v.folds[name+" open"] = !on && r.n == 0
	}
	v.folds[name] = on
	v.rows = nil
	v.makeRows()
}

// passes reports whether a finding passes the filter.
func (v *View) passes(f *conform.Finding) bool {
	if v.query.Empty() {
		return true
	}
	facts := filter.Facts{
		Rules: []string{f.Rule}, Levels: []string{f.Level.String()},
		Words: []string{f.Rule, f.Message, deref(f.Toolset), deref(f.Instance), deref(f.Tool), f.Seen},
	}
	for _, p := range []struct {
		to   *[]string
		name *string
	}{{&facts.Tools, f.Tool}, {&facts.Toolsets, f.Toolset}, {&facts.Instances, f.Instance}} {
		if p.name != nil {
			*p.to = []string{*p.name}
		}
	}
	if f.Rev != nil {
		facts.Revs = []int64{*f.Rev}
	}
	return v.query.Matches(&facts)
}

// of returns the findings that a row stands for, those of a folded chapter or
// rule as well.
func (v *View) of(r *row) []*conform.Finding {
	var out []*conform.Finding
	for i := range v.book.all {
		f := &v.book.all[i]
		switch {
		case r.finding >= 0 && r.finding != i, r.rule != "" && f.Rule != r.rule:
			continue
		case r.rule == "" && !slices.ContainsFunc(chapters[r.chapter], func(x conform.Rule) bool { return x.ID == f.Rule }):
			continue
		}
		out = append(out, f)
	}
	return out
}

// values lists what there is of a key, for a filter that finds nothing.
func (v *View) values(key string) (noun string, values []string) {
	pick := func(noun string, of func(*conform.Finding) string) (string, []string) {
		var out []string
		for i := range v.book.all {
			if s := of(&v.book.all[i]); s != "" && !slices.Contains(out, s) && len(out) < 200 {
				out = append(out, s)
			}
		}
		return noun, out
	}
	switch key {
	case "rule":
		return pick("Rules", func(f *conform.Finding) string { return f.Rule })
	case "level":
		return pick("Levels", func(f *conform.Finding) string { return f.Level.String() })
	case "tool":
		return pick("Tools", func(f *conform.Finding) string { return deref(f.Tool) })
	case "toolset":
		return pick("Toolsets", func(f *conform.Finding) string { return deref(f.Toolset) })
	case "instance":
		return pick("Instances", func(f *conform.Finding) string { return deref(f.Instance) })
	}
	return "", nil
}

// list is what the filter language knows of this list.
func (v *View) list() filter.List {
	return filter.List{
		Name: "FINDINGS", Keys: []string{"rule", "level", "tool", "toolset", "instance", "rev"}, Values: v.values,
	}
}

// search sets the filter.
func (v *View) search(text string) {
	v.query = filter.Parse(strings.TrimSpace(text))
	if v.query.Empty() {
		v.query = filter.Query{}
	}
	v.top, v.free = 0, false
	v.rows = nil
	v.makeRows()
}

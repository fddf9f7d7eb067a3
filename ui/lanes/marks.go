package lanes

import (
	"cmp"
	"slices"
	"sort"

	"github.com/tidwall/gjson"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Flag is what a finding speaks of: a tool in an instance, an instance, a
// toolset. Parts that it does not name are empty; one that names nothing
// stands in the lane of DYNAMIC.
type Flag struct {
	Toolset  string
	Instance string
	Tool     string
	Rule     string // the id of the finding's rule, "" where it is not known
	At       int    // position of the frame that shows it, 0: that of the row
}

// mark is a place at which findings stand.
type mark struct {
	conn  int32
	rev   int64 // the rev that it stands at: its own, else the last before it
	index int32 // position of its frame
	row   int32
	rule  uint16 // in flagIndex.rules, 0: not known
}

// markList is the findings of one thing.
type markList struct {
	of    Flag
	marks []mark // by row
	revs  []mark // by connection and rev
}

// flagIndex knows which rows findings speak of. It looks at rows in pieces,
// those in sight first, and at each once.
type flagIndex struct {
	seen    []uint8 // how many rows of each piece were looked at, from its first on
	next    int     // the first piece of which some were not
	waiting []int   // rows that were held when they were looked at
	lists   []markList
	at      map[Flag]int
	all     []mark // by row, one for each row
	rules   []string
}

const (
	pieceRows = 64
	// How many pieces are looked at for one drawing: reading a row costs
	// reading its frame, asking what is known of it does not.
	readPieces = 2
	askPieces  = 64
	// mostFlags is how many different things findings are kept apart by; what
	// comes then stands at its toolset, or at DYNAMIC.
	mostFlags = 512
	// mostWaiting is how many rows that are held are looked at again.
	mostWaiting = 256
)

// behind reports whether there are rows that were not looked at yet.
func (f *flagIndex) behind(c *view.Context) bool {
	at := f.next * pieceRows
	if f.next < len(f.seen) {
		at += int(f.seen[f.next])
	}
	return at < c.Rows
}

// forget makes the rows from n on be looked at again.
func (f *flagIndex) forget(n int) {
	piece := max(n, 0) / pieceRows
	if piece >= len(f.seen) {
		return
	}
	from := piece * pieceRows
	gone := func(m mark) bool { return int(m.row) >= from }
	f.all = slices.DeleteFunc(f.all, gone)
	for i := range f.lists {
		f.lists[i].marks = slices.DeleteFunc(f.lists[i].marks, gone)
		f.lists[i].revs = slices.DeleteFunc(f.lists[i].revs, gone)
	}
	f.waiting = slices.DeleteFunc(f.waiting, func(n int) bool { return n >= from })
	f.seen, f.next = f.seen[:piece], min(f.next, piece)
}

// work looks at some rows: those in sight, then the others from the first on.
func (f *flagIndex) work(v *View, m *moment) {
	pieces := (m.c.Rows + pieceRows - 1) / pieceRows
	for len(f.seen) < pieces {
		f.seen = append(f.seen, 0)
	}
	f.settled(v, m)
	budget := readPieces
	if v.Flags != nil {
		budget = askPieces
	}
	if from, to := m.rowsInSight(); to-from < budget*pieceRows {
		for p := from / pieceRows; p <= to/pieceRows && p < pieces && budget > 0; p++ {
			budget -= f.piece(v, m, p)
		}
	}
	for f.next < pieces && budget > 0 {
		budget -= f.piece(v, m, f.next)
		if f.seen[f.next] < pieceRows {
			break
		}
		f.next++
	}
}

// settled looks again at the rows that were held and have taken effect since.
func (f *flagIndex) settled(v *View, m *moment) {
	f.waiting = slices.DeleteFunc(f.waiting, func(n int) bool {
		if m.c.Log.RowHead(n).Taken < 0 {
			return false
		}
		f.look(v, m, n, n+1)
		return true
	})
}

// piece looks at one piece, and returns what that cost: 0 where it was done.
func (f *flagIndex) piece(v *View, m *moment, p int) int {
	from, to := p*pieceRows+int(f.seen[p]), min((p+1)*pieceRows, m.c.Rows)
	if from >= to {
		return 0
	}
	f.look(v, m, from, to)
	f.seen[p] = uint8(to - p*pieceRows)
	return 1
}

// look looks at rows from ≤ n < to. What cannot be read has no findings: to
// try again at each drawing would help nobody.
func (f *flagIndex) look(v *View, m *moment, from, to int) {
	rows := v.flagsOf(m, from, to)
	for i, flags := range rows {
		for _, flag := range flags {
			f.add(v.log, from+i, flag)
		}
		head := v.log.RowHead(from + i)
		if head.Status == timeline.Held && head.Taken < 0 && len(f.waiting) < mostWaiting {
			f.waiting = append(f.waiting, from+i)
		}
	}
}

// flagsOf returns the flags of rows from ≤ n < to.
func (v *View) flagsOf(m *moment, from, to int) [][]Flag {
	out := make([][]Flag, to-from)
	if v.Flags != nil {
		for n := from; n < to; n++ {
			out[n-from] = v.Flags(m.c, n)
		}
		return out
	}
	if row := m.c.Row; row != nil && row.N == from && to == from+1 {
		out[0] = rowFlags(row) // to read it again would cost much
		return out
	}
	rows, err := m.c.Log.Rows(from, to)
	if err != nil {
		return nil
	}
	for i := range rows {
		out[i] = rowFlags(&rows[i])
	}
	return out
}

// rowFlags is what a row shows by itself.
func rowFlags(r *timeline.Row) []Flag {
	if inspector.RowFlag(r) != "✗" {
		return nil
	}
	var out []Flag
	for _, d := range r.Dropped {
		if flag := droppedFlag(d); !slices.Contains(out, flag) {
			out = append(out, flag)
		}
	}
	if len(out) == 0 {
		out = append(out, Flag{})
	}
	return out
}

func droppedFlag(d timeline.Dropped) Flag {
	instance := gjson.GetBytes(d.Entry, "instance")
	return Flag{Toolset: d.Toolset, Instance: instance.String(), Tool: d.Tool, Rule: d.Rule}
}

// add notes a finding of a row.
func (f *flagIndex) add(log *timeline.Log, row int, of Flag) {
	head := log.RowHead(row)
	mk := mark{conn: int32(head.Conn), rev: head.Rev, index: int32(head.Index), row: int32(row)}
	if head.Taken < 0 || log.RowOf(head.Conn, head.Rev) != row {
		// It has no column of its own, unless it came into a hole.
		if last := log.RevAt(head.Conn, head.Index); head.Rev < 1 || head.Rev > last || log.RowOf(head.Conn, head.Rev) >= 0 {
			mk.rev = last
		}
	}
	if of.At > 0 {
		mk.index = int32(of.At)
	}
	mk.rule, of.Rule, of.At = f.ruleOf(of.Rule), "", 0
	if f.at == nil {
		f.at = map[Flag]int{}
	}
	i, ok := f.at[of]
	if !ok {
		if len(f.lists) >= mostFlags {
			of = Flag{Toolset: of.Toolset}
			if len(f.lists) >= 2*mostFlags {
				of = Flag{}
			}
		}
		if i, ok = f.at[of]; !ok {
			i = len(f.lists)
			f.at[of] = i
			f.lists = append(f.lists, markList{of: of})
		}
	}
	l := &f.lists[i]
	l.marks = insert(l.marks, mk, byRow)
	l.revs = insert(l.revs, mk, byRev)
	if n := len(f.all); n == 0 || f.all[n-1].row != mk.row {
		f.all = insert(f.all, mk, byRow)
	}
}

// mostRules is how many names of rules are kept.
const mostRules = 256

// ruleOf returns the number of a rule's name.
func (f *flagIndex) ruleOf(name string) uint16 {
	i := slices.Index(f.rules, name)
	if i < 0 && len(f.rules) < mostRules && name != "" {
		i = len(f.rules)
		f.rules = append(f.rules, name)
	}
	return uint16(i + 1)
}

// ruleName returns the name of a finding's rule, "" where it is not known.
func (f *flagIndex) ruleName(m mark) string {
	if m.rule == 0 {
		return ""
	}
	return f.rules[m.rule-1]
}

func byRow(a, b mark) int { return cmp.Compare(a.row, b.row) }

func byRev(a, b mark) int { return cmp.Or(cmp.Compare(a.conn, b.conn), cmp.Compare(a.rev, b.rev)) }

// insert puts a mark into its place, which is mostly the end.
func insert(list []mark, m mark, order func(a, b mark) int) []mark {
	i := len(list)
	if i > 0 && order(list[i-1], m) > 0 {
		i = sort.Search(i, func(i int) bool { return order(list[i], m) > 0 })
	}
	return slices.Insert(list, i, m)
}

// upTo counts the marks at or before a frame.
func upTo(marks []mark, index int) int {
	return sort.Search(len(marks), func(n int) bool { return int(marks[n].index) > index })
}

// covered returns the lists of findings that stand in a row: of what it names
// itself, of what is folded into it, and of what has no row of its own.
func (v *View) covered(r *row) (out []*markList) {
	for i := range v.marks.lists {
		l := &v.marks.lists[i]
		if len(l.marks) > 0 && v.stands(l.of, r) {
			out = append(out, l)
		}
	}
	return out
}

// stands reports whether a finding stands in a row.
func (v *View) stands(f Flag, r *row) bool {
	group, inst, tool := v.things.resolve(f)
	switch {
	case group < 0:
		return r.group < 0
	case r.group < 0:
		return r.folded && group > staticGroup
	case int(r.group) != group:
		return false
	case r.kind == onTool:
		return int(r.tool) == tool && int(r.inst) == inst
	case r.kind == onInstance:
		return int(r.inst) == inst && (tool < 0 || r.folded)
	}
	return (inst < 0 && tool < 0) || r.folded
}

// resolve says in which lane a finding stands: that of the tool in its
// instance; where it names none, that of the toolset.
func (r *roster) resolve(f Flag) (group, inst, tool int) {
	inst, tool = -1, -1
	if f.Toolset == "" {
		for _, group = range []int{staticGroup, looseGroup} {
			if t, ok := r.groups[group].toolAt[f.Tool]; ok {
				return group, -1, t
			}
		}
		return -1, -1, -1
	}
	group, ok := r.at[f.Toolset]
	if !ok {
		return -1, -1, -1
	}
	g := &r.groups[group]
	if g.instances {
		i, ok := g.instAt[f.Instance]
		if !ok {
			return group, -1, -1
		}
		inst = i
	}
	if t, ok := g.toolAt[f.Tool]; ok {
		tool = t
	}
	return group, inst, tool
}

// flagged reports whether findings stand in a cell.
func (a *axis) flagged(lists []*markList, st *strip, i int) bool {
	for _, l := range lists {
		if a.byTime {
			from, to := st.cuts[i].Index, st.cuts[i+1].Index
			n := sort.Search(len(l.marks), func(n int) bool { return int(l.marks[n].index) > from })
			for ; n < len(l.marks) && int(l.marks[n].index) <= to; n++ {
				if int(l.marks[n].conn) == st.sec.conn {
					return true
				}
			}
			continue
		}
		t := &st.cells[i]
		from, to := st.sec.low(t.from), st.sec.high(t.to-1)
		if t.from == 0 {
			from = 0
		}
		n := sort.Search(len(l.revs), func(n int) bool {
			return byRev(l.revs[n], mark{conn: int32(st.sec.conn), rev: from}) >= 0
		})
		if n < len(l.revs) && int(l.revs[n].conn) == st.sec.conn && l.revs[n].rev <= to {
			return true
		}
	}
	return false
}

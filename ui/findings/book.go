// Package findings is view 4: what breaks a rule, grouped by the rules'
// chapters, and what all views know of it.
//
// A Book holds what the judge has found so far, with the frames that show it;
// the root fills it, every view asks it where ✗ stands. A View draws it. The
// cursor of the View is the playhead.
package findings

import (
	"slices"
	"sort"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
)

// Verdict is what the judge says of the frames so far.
type Verdict struct {
	Findings []conform.Finding // by the first frame that shows each
	Marks    []conform.Mark    // by frame
}

// Book knows what was found, and what of it the user has muted. Loud is a
// finding that is an error or a warning and not muted: those alone are
// counted, marked and walked. It is for one goroutine.
type Book struct {
	all     []conform.Finding
	marks   []conform.Mark
	looked  int // frames that were judged,
	there   int // of so many that there are
	inPart  int // of those that were judged: not in all of their values
	failed  string
	muted   map[ident]bool
	version int

	firsts []int           // positions of the first frames of what is loud, ascending
	places []int           // positions of all frames that show something loud, each once
	rules  map[string]bool // that something loud was found of
	tools  map[string][]int
	sets   map[string][]int // by toolset
	n      counts
	times  int // that anything was found, repeats as well
}

// ident is what stays of a finding while others come before it.
type ident struct {
	rule, extra             string
	level                   conform.Level
	conn                    int
	toolset, instance, tool string
}

func identOf(f *conform.Finding) ident {
	return ident{f.Rule, f.Extra, f.Level, f.Conn, deref(f.Toolset), deref(f.Instance), deref(f.Tool)}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// NewBook returns a book in which nothing stands.
func NewBook() *Book { return &Book{muted: map[ident]bool{}} }

// Version changes whenever what a view shows of the findings may change.
func (b *Book) Version() int { return b.version }

// SetLooked says how many of the frames that there are were judged, how many of
// those in part, and why no more of them can be, "" where nothing stands in the
// way.
func (b *Book) SetLooked(n, there, inPart int, failed string) {
	b.looked, b.there, b.inPart, b.failed = n, there, inPart, failed
}

// Put takes what was found. It returns the position of the first frame at
// which something else is found than before, -1 where there is none.
func (b *Book) Put(v Verdict) int {
	before, marks := b.all, b.marks
	b.all, b.marks = v.Findings, v.Marks
	b.index()
	at := -1
	for i := range max(len(marks), len(v.Marks)) {
		if i < len(marks) && i < len(v.Marks) && marks[i].Index == v.Marks[i].Index &&
			identOf(&before[marks[i].Finding]) == identOf(&b.all[v.Marks[i].Finding]) {
			continue
		}
		if i < len(marks) {
			at = marks[i].Index
		}
		if i < len(v.Marks) && (at < 0 || v.Marks[i].Index < at) {
			at = v.Marks[i].Index
		}
		break
	}
	return at
}

// index makes the lists that are asked of.
func (b *Book) index() {
	b.version++
	b.firsts, b.places = b.firsts[:0], b.places[:0]
	b.rules, b.n, b.times = map[string]bool{}, counts{}, 0
	b.tools, b.sets = map[string][]int{}, map[string][]int{}
	for i := range b.all {
		f := &b.all[i]
		b.times += f.Count
		if b.muted[identOf(f)] {
			b.n.muted++
			continue
		}
		if b.n.level[f.Level]++; f.Level == conform.Info {
			continue
		}
		b.firsts = append(b.firsts, f.Index)
		b.rules[f.Rule] = true
		if f.Tool != nil {
			b.tools[*f.Tool] = append(b.tools[*f.Tool], i)
		}
		if f.Toolset != nil {
			b.sets[*f.Toolset] = append(b.sets[*f.Toolset], i)
		}
	}
	for _, m := range b.marks {
		if n := len(b.places); b.loud(&b.all[m.Finding]) && (n == 0 || b.places[n-1] != m.Index) {
			b.places = append(b.places, m.Index)
		}
	}
	sort.Ints(b.firsts)
}

func (b *Book) loud(f *conform.Finding) bool { return f.Level > conform.Info && !b.muted[identOf(f)] }

// Split counts the loud findings that stand at or before a frame, and those
// after it.
func (b *Book) Split(at int) (here, later int) {
	here = sort.SearchInts(b.firsts, at+1)
	return here, len(b.firsts) - here
}

// Places returns the positions of all frames that show something loud. It is
// to be read only.
func (b *Book) Places() []int { return b.places }

// Next returns the next frame after one, or before it where by is negative,
// that shows something loud; -1 where there is none.
func (b *Book) Next(at, by int) int {
	k := sort.SearchInts(b.places, at+1)
	if by < 0 {
		k = sort.SearchInts(b.places, at) - 1
	}
	if k < 0 || k >= len(b.places) {
		return -1
	}
	return b.places[k]
}

// Marked reports whether a frame shows something loud.
func (b *Book) Marked(index int) bool {
	_, ok := slices.BinarySearch(b.places, index)
	return ok
}

// At returns the loud findings that a frame shows.
func (b *Book) At(index int) []*conform.Finding {
	var out []*conform.Finding
	i := sort.Search(len(b.marks), func(i int) bool { return b.marks[i].Index >= index })
	for ; i < len(b.marks) && b.marks[i].Index == index; i++ {
		if f := &b.all[b.marks[i].Finding]; b.loud(f) && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// Between reports whether a frame from < i ≤ to shows something loud.
func (b *Book) Between(from, to int) bool {
	k := sort.SearchInts(b.places, from+1)
	return k < len(b.places) && b.places[k] <= to
}

// OfTool returns the loud findings about a tool on a connection that stand at
// or before a frame.
func (b *Book) OfTool(conn, upTo int, tool string) []*conform.Finding {
	return b.pick(b.tools[tool], conn, upTo)
}

// OfPlace returns the loud findings about an instance and the tools in it, or
// about a toolset and all of it where that is "", that stand at or before a
// frame.
func (b *Book) OfPlace(conn, upTo int, toolset, instance string) []*conform.Finding {
	of := b.pick(b.sets[toolset], conn, upTo)
	if instance == "" {
		return of
	}
	return slices.DeleteFunc(of, func(f *conform.Finding) bool { return deref(f.Instance) != instance })
}

func (b *Book) pick(of []int, conn, upTo int) []*conform.Finding {
	var out []*conform.Finding
	for _, i := range of {
		if f := &b.all[i]; f.Conn == conn && f.Index <= upTo {
			out = append(out, f)
		}
	}
	return out
}

// mute mutes findings for the session, or unmutes them where all of them were.
// It reports whether they are muted now.
func (b *Book) mute(of []*conform.Finding) bool {
	on := slices.ContainsFunc(of, func(f *conform.Finding) bool { return !b.muted[identOf(f)] })
	for _, f := range of {
		if on {
			b.muted[identOf(f)] = true
		} else {
			delete(b.muted, identOf(f))
		}
	}
	b.index()
	return on
}

// Infos returns how many findings are only worth knowing.
func (b *Book) Infos() int { return b.n.level[conform.Info] }

// counts are how many findings there are of each level, and how many are
// muted.
type counts struct {
	level [conform.Error + 1]int
	muted int
}

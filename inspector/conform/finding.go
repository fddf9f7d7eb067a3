package conform

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Finding is one thing that was found, however often.
type Finding struct {
	Rule  string `json:"rule"`
	Level Level  `json:"level"`
	// Count is how often it was seen; Seq and Index are number and position of
	// the first frame that shows it, or of the last one that proves an
	// absence, Conn and Rev its connection and rev.
	Count    int     `json:"count"`
	Seq      int64   `json:"seq"`
	Index    int     `json:"-"`
	Conn     int     `json:"conn"`
	Rev      *int64  `json:"rev"`
	Toolset  *string `json:"toolset"`
	Instance *string `json:"instance"`
	Tool     *string `json:"tool"`
	// Message says in a sentence what was expected and what was seen.
	Message  string `json:"message"`
	Expected string `json:"expected,omitempty"`
	Seen     string `json:"seen,omitempty"` // the peer's own bytes, cut where they are long
	Mend     string `json:"mend,omitempty"` // those bytes as they should have been, or what to do
	// Extra tells it from others of its rule and level about the same thing;
	// it is not for reading.
	Extra string `json:"-"`
}

// Mark says that a frame shows a finding: the first, or a repeat of it.
type Mark struct {
	Index   int // position of the frame
	Finding int // position among Findings
}

// Bounds of what is kept.
const (
	maxThings = 200     // of a rule; the rest is counted in one more finding
	maxMarks  = 1 << 16 // frames that repeats stood at
	maxName   = 200     // bytes of a peer's name in a finding
	maxQuote  = 400     // bytes of a peer's message in a finding
)

// spot is the frame that shows a finding.
type spot struct {
	index int
	seq   int64
	conn  int
	rev   int64 // 0: none
}

func (s spot) withRev(rev int64) spot {
	s.rev = rev
	return s
}

// thing is what a finding is about.
type thing struct{ toolset, instance, tool string }

// key tells one finding from another: the same rule, at the same level, on
// the same thing.
type key struct {
	rule  *Rule
	level Level
	conn  int
	thing thing
	extra string
}

// kept is a finding with what it was found by.
type kept struct {
	f     Finding
	rule  *Rule
	key   key
	marks []int32 // its marks, by their places in the store
	first int     // the first of them that was not taken back
	mixed bool    // they do not stand in the order of their frames
}

// store holds the findings.
type store struct {
	all    []*kept
	byKey  map[key]*kept
	things map[*Rule]int
	marks  []mark
	total  int // calls of add

	version int // rises with whatever changes what is found
}

// mark is a frame that shows a finding; of is nil once it was taken back.
type mark struct {
	at spot
	of *kept
}

func newStore() store { return store{byKey: map[key]*kept{}, things: map[*Rule]int{}} }

// add counts a finding. It returns it where it is new, to be put in words,
// and nil where it is known.
func (s *store) add(r *Rule, level Level, at spot, th thing, extra string) *Finding {
	s.total++
	s.version++
	k := key{rule: r, level: level, thing: th.cut(), extra: cut(extra, maxName)}
	if r.perConn {
		k.conn = at.conn
	}
	e := s.byKey[k]
	if e == nil {
		if s.things[r] >= maxThings {
			k = rest(r, level)
			e = s.byKey[k]
		}
		if e == nil {
			s.things[r]++
			e = &kept{rule: r, key: k}
			s.byKey[k] = e
			s.all = append(s.all, e)
		}
	}
	if n := len(s.marks); n < maxMarks {
		if last := len(e.marks) - 1; last >= 0 && s.marks[e.marks[last]].at.index > at.index {
			e.mixed = true
		}
		e.marks = append(e.marks, int32(n))
		s.marks = append(s.marks, mark{at, e})
	}
	if e.f.Count++; e.f.Count > 1 {
		if at.index < e.f.Index { // it had waited for what might explain it
			e.moveTo(at)
		}
		return nil
	}
	e.f = Finding{
		Rule: r.ID, Level: level, Count: 1, Seq: at.seq, Index: at.index, Conn: at.conn, Mend: r.Mend, Extra: k.extra,
		Toolset: orNil(k.thing.toolset), Instance: orNil(k.thing.instance), Tool: orNil(k.thing.tool),
	}
	e.moveTo(at)
	return &e.f
}

// theRest is the extra of a key under which is counted what is not kept apart.
const theRest = "\x00rest"

func rest(r *Rule, level Level) key { return key{rule: r, level: level, extra: theRest} }

// text is the message as it is shown: with the rev that it is about.
func (e *kept) text() string {
	s := e.f.Message
	if e.f.Rev != nil {
		if rev := fmt.Sprintf("rev %d", *e.f.Rev); !strings.Contains(strings.ToLower(s), rev) {
			whole, stop := strings.CutSuffix(s, ".")
			if s = whole + " (" + rev + ")"; stop {
				s += "."
			}
		}
	}
	if e.key.extra == theRest {
		return "There are more than are kept apart; the first of the others: " + s
	}
	return s
}

// take takes back what add counted at a frame.
func (s *store) take(r *Rule, level Level, at spot, th thing, extra string) {
	k := key{rule: r, level: level, thing: th.cut(), extra: cut(extra, maxName)}
	if r.perConn {
		k.conn = at.conn
	}
	e := s.byKey[k]
	if e == nil {
		e = s.byKey[rest(r, level)]
	}
	if e == nil || e.f.Count == 0 {
		return
	}
	s.version++
	e.f.Count--
	n := slices.IndexFunc(e.marks[e.first:], func(i int32) bool { return s.marks[i].of != nil && s.marks[i].at.index == at.index })
	if n < 0 {
		return
	}
	s.marks[e.marks[e.first+n]].of = nil
	for e.first < len(e.marks) && s.marks[e.marks[e.first]].of == nil {
		e.first++
	}
	if e.f.Index == at.index {
		s.promote(e)
	}
}

// promote makes the next frame that shows a finding stand for the first, which
// was taken back.
func (s *store) promote(e *kept) {
	if e.first == len(e.marks) {
		return
	}
	next := s.marks[e.marks[e.first]].at
	if e.mixed {
		for _, i := range e.marks[e.first:] {
			if m := s.marks[i]; m.of != nil && m.at.index < next.index {
				next = m.at
			}
		}
	}
	e.moveTo(next)
}

// moveTo makes another frame the first one that shows the finding.
func (e *kept) moveTo(at spot) {
	e.f.Index, e.f.Seq, e.f.Conn, e.f.Rev = at.index, at.seq, at.conn, nil
	if at.rev > 0 {
		e.f.Rev = &at.rev
	}
}

// marked returns the marks of findings by their places.
func (s *store) marked(place map[*kept]int) []Mark {
	out := make([]Mark, 0, len(s.marks))
	for _, m := range s.marks {
		if n, ok := place[m.of]; ok && m.of != nil {
			out = append(out, Mark{Index: m.at.index, Finding: n})
		}
	}
	slices.SortStableFunc(out, func(a, b Mark) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Finding, b.Finding))
	})
	return out
}

// known returns the finding about a thing, nil where there is none.
func (s *store) known(r *Rule, level Level, conn int, th thing, extra string) *Finding {
	k := key{rule: r, level: level, thing: th.cut(), extra: cut(extra, maxName)}
	if r.perConn {
		k.conn = conn
	}
	if e := s.byKey[k]; e != nil && e.f.Count > 0 {
		return &e.f
	}
	return nil
}

// sorted returns what counts, by the first frame that shows it.
func (s *store) sorted(whole bool) []*kept {
	var out []*kept
	for _, e := range s.all {
		if e.f.Count > 0 && (whole || !e.rule.whole) {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b *kept) int {
		return cmp.Or(cmp.Compare(a.f.Index, b.f.Index), cmp.Compare(a.rule.order, b.rule.order))
	})
	return out
}

func (t thing) cut() thing {
	return thing{cut(t.toolset, maxName), cut(t.instance, maxName), cut(t.tool, maxName)}
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// cut shortens text to at most n bytes, at the border of a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// quote is the beginning of a peer's bytes.
func quote(raw []byte) string {
	if len(raw) <= maxQuote {
		return string(raw)
	}
	return cut(string(raw[:min(len(raw), maxQuote+utf8.UTFMax)]), maxQuote)
}

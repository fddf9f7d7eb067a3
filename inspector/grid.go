package inspector

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Grid is two definitions of a tool side by side, member by member: what is
// equal stands level, what differs has its sign. It is told without widths;
// who draws it puts both sides beside or below each other.
type Grid struct {
	Lines  []Pair
	Differ int  // how many members of the definition differ
	Cut    bool // there is more than is told
}

// Pair is one line of a grid: a member with its value at both sides, or a
// line of prose.
type Pair struct {
	// Sign is "" where both sides are equal, "+" and "-" where only one of
	// them has it, "±" where another value took the first one's place, "~"
	// where a set changed.
	Sign   string
	Indent int    // levels
	Name   string // of the member; "" for prose
	A, B   Side
	Gap    bool // a blank line before it
}

// Side is a pair's value at one side.
type Side struct {
	On    bool   // the line stands at this side
	Text  string // the value, "" for what has members of its own
	Marks []Span // what came and went, for a set
}

// The bounds of a grid.
const (
	maxGrid  = 3000
	maxProse = 16 << 10 // bytes of a description at each side
	shortSet = 36       // letters up to which a list is written out
)

// CompareSides puts two definitions of a tool on one grid. Nil is one that is
// not there. Besides what hints can change (toolhints.md §7), members that
// differ are told.
func CompareSides(before, after []byte) Grid {
	g := &Grid{}
	x, inA := membersOf(before)
	y, inB := membersOf(after)
	for _, key := range gridMembers(x, y) {
		a, b := inA[key], inB[key]
		same := sameValues(a, b)
		if !same {
			g.Differ++
		} else if !changeable(key) {
			continue
		}
		n := len(g.Lines)
		if key == "description" && isText(a) && isText(b) {
			g.prose(key, a, b)
		} else {
			g.member(0, key, a, b, nil)
		}
		if n > 0 && n < len(g.Lines) {
			g.Lines[n].Gap = true
		}
	}
	return *g
}

// gridMembers are the members of both: first those that hints can change,
// then the others. The name is what both are of.
func gridMembers(before, after []string) []string {
	out := append([]string{}, definitionMembers...)
	for _, k := range merged(before, after) {
		if k != "name" && !changeable(k) {
			out = append(out, k)
		}
	}
	return out
}

func changeable(key string) bool { return slices.Contains(definitionMembers, key) }

func isText(v []byte) bool { return v == nil || v[0] == '"' }

func sameValues(a, b []byte) bool {
	return (a == nil) == (b == nil) && (bytes.Equal(a, b) || mcpl.SameJSON(a, b))
}

// membersOf returns the keys of an object in their order, and its members. Of
// a key that stands twice the last counts.
func membersOf(v []byte) (keys []string, members map[string][]byte) {
	members = map[string][]byte{}
	wire.EachMember(v, func(k string, e []byte) bool {
		if _, twice := members[k]; !twice {
			keys = append(keys, k)
		}
		members[k] = e
		return len(keys) < maxGrid
	})
	return keys, members
}

// merged puts two orders of keys into one: that of the second, with what only
// the first has where it stood.
func merged(a, b []string) []string {
	in := map[string]bool{}
	for _, k := range b {
		in[k] = true
	}
	at := map[string]int{}
	for i, k := range a {
		at[k] = i
	}
	var out []string
	i := 0
	for _, k := range b {
		if p, both := at[k]; both {
			for ; i <= p && i < len(a); i++ {
				if !in[a[i]] {
					out = append(out, a[i])
				}
			}
		}
		out = append(out, k)
	}
	for ; i < len(a); i++ {
		if !in[a[i]] {
			out = append(out, a[i])
		}
	}
	return out
}

func (g *Grid) add(p Pair) {
	if len(g.Lines) >= maxGrid {
		g.Cut = true
		return
	}
	p.Name = oneLine(cutBytes(p.Name, 120))
	g.Lines = append(g.Lines, p)
}

// member compares a member; owner is the object that has it, as it is after.
func (g *Grid) member(indent int, name string, a, b, owner []byte) {
	switch {
	case g.Cut:
	case a == nil && b == nil:
	case a == nil:
		g.expand("+", indent, name, b, owner)
	case b == nil:
		g.expand("-", indent, name, a, owner)
	case sameValues(a, b):
		g.expand("", indent, name, b, owner)
	case indent > maxDepth:
		g.replaced(indent, name, a, b)
	case a[0] == '{' && b[0] == '{':
		g.add(Pair{Indent: indent, Name: name, A: Side{On: true}, B: Side{On: true}})
		g.object(indent+1, a, b)
	case a[0] == '[' && b[0] == '[' && flat(a) && flat(b):
		g.set(indent, name, a, b, nounOf(name, owner))
	case a[0] == '[' && b[0] == '[':
		g.add(Pair{Indent: indent, Name: name, A: Side{On: true}, B: Side{On: true}})
		g.list(indent+1, a, b)
	default:
		g.replaced(indent, name, a, b)
	}
}

func nounOf(name string, owner []byte) string {
	if name == "enum" {
		return noun(owner)
	}
	return "value"
}

func (g *Grid) object(indent int, a, b []byte) {
	x, before := membersOf(a)
	y, after := membersOf(b)
	for _, k := range merged(x, y) {
		g.member(indent, k, before[k], after[k], b)
	}
}

// list compares lists of more than scalars: equal elements stand beside each
// other, those between them in their order.
func (g *Grid) list(indent int, a, b []byte) {
	x, y := rawElements(a), rawElements(b)
	at := 0
	item := func(i, j int) {
		at++
		var p, q []byte
		if i >= 0 {
			p = x[i]
		}
		if j >= 0 {
			q = y[j]
		}
		g.member(indent, "item "+strconv.Itoa(at), p, q, nil)
	}
	aligned(len(x), len(y), func(i, j int) bool { return bytes.Equal(x[i], y[j]) }, item)
}

func rawElements(v []byte) [][]byte {
	var out [][]byte
	wire.EachElement(v, func(e []byte) bool {
		out = append(out, e)
		return len(out) < maxGrid
	})
	return out
}

// expand writes a value that stands at one side alone, or the same at both.
func (g *Grid) expand(sign string, indent int, name string, v, owner []byte) {
	if g.Cut {
		return
	}
	p := Pair{Sign: sign, Indent: indent, Name: name}
	p.A.On, p.B.On = sign != "+", sign != "-"
	put := func(text string) {
		if p.A.On {
			p.A.Text = text
		}
		if p.B.On {
			p.B.Text = text
		}
		g.add(p)
	}
	switch {
	case indent > maxDepth || (v[0] != '{' && v[0] != '['):
		put(scalarText(v))
	case v[0] == '[' && flat(v):
		put(setText(v, nounOf(name, owner)))
	case v[0] == '{':
		keys, members := membersOf(v)
		if len(keys) == 0 {
			put("{}")
			return
		}
		put("")
		for _, k := range keys {
			g.expand(sign, indent+1, k, members[k], v)
		}
	default:
		put("")
		for i, e := range rawElements(v) {
			g.expand(sign, indent+1, "item "+strconv.Itoa(i+1), e, nil)
		}
	}
}

// setText writes a list of scalars: whole where it is short, else how many
// there are.
func setText(v []byte, noun string) string {
	var b strings.Builder
	n := 0
	wire.EachElement(v, func(e []byte) bool {
		if n++; b.Len() <= shortSet {
			if n > 1 {
				b.WriteString(", ")
			}
			b.WriteString(scalarText(e))
		}
		return true
	})
	switch {
	case n == 0:
		return "none"
	case b.Len() <= shortSet:
		return b.String()
	}
	return Count(n, noun)
}

// set compares two lists of scalars by what came and what went.
func (g *Grid) set(indent int, name string, a, b []byte, noun string) {
	p := Pair{Sign: "~", Indent: indent, Name: name}
	p.A, p.B = Side{On: true, Text: setText(a, noun)}, Side{On: true, Text: setText(b, noun)}
	gone, both := minus(a, b)
	came, _ := minus(b, a)
	switch {
	case len(gone) == 0 && len(came) == 0:
		p.B.Marks = []Span{quiet("   another order")}
	case both == 0 && len(gone)+len(came) > 16:
		p.B.Marks = []Span{plain("   all others than before")}
	default:
		p.B.Marks = append(signs("-", gone), signs("+", came)...)
	}
	g.add(p)
}

// replaced shows a value that took another's place.
func (g *Grid) replaced(indent int, name string, a, b []byte) {
	x, y := scalarText(a), scalarText(b)
	if len(a) > longText || len(b) > longText {
		x, y = fromDifference(textValue(a), textValue(b))
	}
	if x == y { // a text and a number that are written alike
		x, y = oneLine(cutBytes(string(a), 200)), oneLine(cutBytes(string(b), 200))
	}
	g.add(Pair{Sign: "±", Indent: indent, Name: name, A: Side{On: true, Text: x}, B: Side{On: true, Text: y}})
}

// prose compares two descriptions line by line. A line that changed stands
// beside the one whose place it took.
func (g *Grid) prose(name string, a, b []byte) {
	sign := ""
	switch {
	case a == nil && b == nil:
		return
	case a == nil:
		sign = "+"
	case b == nil:
		sign = "-"
	}
	g.add(Pair{Sign: sign, Name: name, A: Side{On: a != nil}, B: Side{On: b != nil}})
	x, y := proseLines(a), proseLines(b)
	aligned(len(x), len(y), func(i, j int) bool { return x[i] == y[j] }, func(i, j int) {
		p := Pair{}
		if i >= 0 {
			p.A = Side{On: true, Text: x[i]}
		}
		if j >= 0 {
			p.B = Side{On: true, Text: y[j]}
		}
		switch {
		case i < 0:
			p.Sign = "+"
		case j < 0:
			p.Sign = "-"
		case x[i] != y[j]:
			p.Sign = "±"
			if len(x[i]) > 2*longText || len(y[j]) > 2*longText {
				p.A.Text, p.B.Text = fromDifference(x[i], y[j])
			}
		}
		g.add(p)
	})
}

// proseLines splits a raw JSON string into the lines of its text.
func proseLines(raw []byte) []string {
	if raw == nil {
		return nil
	}
	text := strings.TrimRight(stringHead(raw, maxProse), "\n")
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	return lines[:min(len(lines), maxGrid)]
}

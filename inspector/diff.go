package inspector

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Compare shows how one definition of a tool became another, by its members:
// description, inputSchema and annotations, the only ones that hints change
// (toolhints.md §7). What is equal is left out.
func Compare(before, after []byte) []Line {
	c := comparison{}
	for _, key := range definitionMembers {
		c.value(key, wire.Member(before, key), wire.Member(after, key), 0)
	}
	if len(c.lines) == 0 {
		return []Line{spans(quiet("nothing differs"))}
	}
	return c.lines
}

var definitionMembers = []string{"description", "inputSchema", "annotations"}

// changedMembers names the members in which two definitions differ.
func changedMembers(before, after []byte) []string {
	var out []string
	for _, key := range definitionMembers {
		c := comparison{}
		c.value(key, wire.Member(before, key), wire.Member(after, key), 0)
		if len(c.lines) > 0 {
			out = append(out, key)
		}
	}
	return out
}

// comparison collects the lines of a comparison, up to maxDiff.
type comparison struct {
	lines []Line
	owner []byte // the object, as it is after, whose members are compared
}

const (
	maxDiff  = 120
	maxDepth = 12
)

func (c *comparison) add(l Line) {
	switch {
	case len(c.lines) < maxDiff:
		c.lines = append(c.lines, l)
	case len(c.lines) == maxDiff:
		c.lines = append(c.lines, spans(quiet("… more differs")))
	}
}

func (c *comparison) path(p string) { c.add(spans(plain(short(p)))) }

func (c *comparison) signed(sign string, s ...Span) {
	tone := map[string]Tone{"+": Good, "-": Quiet, "~": Changed}[sign]
	for i := range s {
		if s[i].Tone == Plain {
			s[i].Tone = tone
		}
	}
	c.add(Line{Sign: sign, Diff: true, Indent: 1, Spans: s, Wrap: true})
}

// value compares two values at a path; nil is a member that is not there.
func (c *comparison) value(path string, a, b []byte, depth int) {
	if len(c.lines) > maxDiff || bytes.Equal(a, b) && (a == nil) == (b == nil) {
		return
	}
	switch {
	case a == nil:
		c.path(path)
		c.signed("+", plain(listText(b, c.noun(path))))
	case b == nil:
		c.path(path)
		c.signed("-", plain(listText(a, c.noun(path))))
	case a[0] == '{' && b[0] == '{' && depth < maxDepth:
		c.object(path, a, b, depth)
	case a[0] == '[' && b[0] == '[' && flat(a) && flat(b):
		c.set(path, a, b)
	default:
		c.replaced(path, a, b)
	}
}

func (c *comparison) object(path string, a, b []byte, depth int) {
	after := map[string][]byte{}
	wire.EachMember(b, func(k string, v []byte) bool { after[k] = v; return true })
	before := map[string][]byte{}
	wire.EachMember(a, func(k string, v []byte) bool { before[k] = v; return true })
	done := map[string]bool{}
	each := func(k string, _ []byte) bool {
		if !done[k] {
			done[k] = true
			c.value(path+"."+k, before[k], after[k], depth+1)
		}
		return len(c.lines) <= maxDiff
	}
	outer := c.owner
	c.owner = b
	wire.EachMember(a, each)
	wire.EachMember(b, each)
	c.owner = outer
}

// noun names the values at a path.
func (c *comparison) noun(path string) string {
	if strings.HasSuffix(path, ".enum") {
		return noun(c.owner)
	}
	return "value"
}

// flat: an array of scalars, which is compared as a set.
func flat(a []byte) bool {
	ok := true
	wire.EachElement(a, func(v []byte) bool {
		ok = v[0] != '{' && v[0] != '['
		return ok
	})
	return ok
}

// set compares two arrays of scalars by what came and what went.
func (c *comparison) set(path string, a, b []byte) {
	gone, common := minus(a, b)
	came, _ := minus(b, a)
	if len(gone) == 0 && len(came) == 0 {
		if order(a) != order(b) {
			c.path(path)
			c.signed("~", plain("another order"))
		}
		return
	}
	c.path(path)
	s := []Span{quiet(Count(elements(b), c.noun(path)))}
	if common == 0 && len(gone)+len(came) > 16 {
		s = append(s, plain("   all others than before"))
	} else {
		s = append(s, signs("-", gone)...)
		s = append(s, signs("+", came)...)
	}
	c.signed("~", s...)
}

func order(raw []byte) string {
	var b strings.Builder
	wire.EachElement(raw, func(v []byte) bool { b.Write(v); b.WriteByte(0); return true })
	return b.String()
}

// signs writes elements each with its sign, the first few of many.
func signs(sign string, all []string) []Span {
	tone := Quiet
	if sign == "+" {
		tone = Good
	}
	var out []Span
	for i, v := range all {
		gap := "  "
		if i == 0 {
			gap = "   "
		}
		if i == 8 {
			return append(out, Span{Text: gap + sign + " " + strconv.Itoa(len(all)-i) + " more", Tone: tone})
		}
		out = append(out, Span{Text: gap + sign + " " + v, Tone: tone})
	}
	return out
}

// minus returns the elements of a that b lacks, as text, and how many they
// have in common.
func minus(a, b []byte) (out []string, common int) {
	in := map[string]bool{}
	wire.EachElement(b, func(v []byte) bool { in[string(v)] = true; return true })
	wire.EachElement(a, func(v []byte) bool {
		if in[string(v)] {
			common++
		} else {
			out = append(out, scalarText(v))
		}
		return true
	})
	return out, common
}

// replaced shows a value that took another's place: on one line where both
// are short, else on two.
func (c *comparison) replaced(path string, a, b []byte) {
	if mcpl.SameJSON(a, b) {
		return // the same value, written in another way
	}
	x, y := scalarText(a), scalarText(b)
	if len(a) > longText || len(b) > longText {
		x, y = fromDifference(textValue(a), textValue(b))
	}
	c.path(path)
	if path != "description" && len(x)+len(y) <= 40 {
		c.signed("~", Span{Text: "- " + x, Tone: Quiet}, Span{Text: "   + " + y, Tone: Good})
		return
	}
	c.signed("-", plain(x))
	c.signed("+", plain(y))
}

// longText is from how many bytes on two texts are shown from where they
// begin to differ.
const longText = 240

func textValue(v []byte) string {
	if len(v) > 0 && v[0] == '"' {
		return wire.StringOf(v)
	}
	return string(v)
}

// fromDifference cuts off, in front of both texts, most of what they share.
func fromDifference(a, b string) (x, y string) {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n < longText/2 {
		return oneLine(a), oneLine(b)
	}
	from := strings.LastIndexByte(a[:n-longText/6], ' ') + 1
	if from == 0 {
		for from = n - longText/6; from > 0 && !utf8.RuneStart(a[from]); from-- {
		}
	}
	return "… " + oneLine(a[from:]), "… " + oneLine(b[from:])
}

// listText writes a value for people, a long list of scalars by its number
// and the first of them.
func listText(v []byte, noun string) string {
	if len(v) > 60 && v[0] == '[' && flat(v) {
		return enumWords(v, noun)
	}
	return scalarText(v)
}

// scalarText writes a value for people: a string without its quotes.
func scalarText(v []byte) string {
	if len(v) > 0 && v[0] == '"' {
		if s := oneLine(stringHead(v, maxShort)); s != "" {
			return s
		}
	}
	if len(v) > 60 && v[0] == '[' && flat(v) {
		return enumWords(v, "value")
	}
	return oneLine(cutBytes(string(v), 200))
}

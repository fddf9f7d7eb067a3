package inspect

import "github.com/mcpl-tui/mcpl-tui/ui/kit"

// lines is a part of a document that is cut into lines as far as they are
// needed. Whatever its size, drawing a line costs what the line costs.
type lines interface {
	// known returns how many lines are laid out, and whether these are all.
	known() (n int, all bool)
	// extend lays out at least n lines, or all there are.
	extend(n int)
	// draw draws line i into row y of r.
	draw(r kit.Region, y, i int)
	// offset returns where line i begins in source, lineAt the last line that
	// begins at or before an offset (laying out as far as it must).
	offset(i int) int
	lineAt(offset int) int
	// source is what a search looks through.
	source() []byte
	// text is what line i shows.
	text(i int) string
}

// maxLines is how many lines of one message are laid out at most: enough for
// any that is read by a person.
const maxLines = 2_000_000

// minWide is the narrowest layout: half of it holds the sign of any letter.
// What is narrower shows a part of it.
const minWide = 20

// span is one line as it is kept: a part of the source, and how it is shown.
type span struct {
	from, to uint32
	indent   uint16
	flags    uint8
}

const (
	beginsInString = 1 << iota // the line goes on with a string
	endsInString               // the string goes on in the next line
	isKey                      // that string is a member's name
	hasFold                    // an object or array stands on it folded
)

// index is the lines laid out so far.
type index struct {
	src   []byte
	spans []span
	done  bool
}

func (x *index) known() (int, bool) { return len(x.spans), x.done }
func (x *index) source() []byte     { return x.src }
func (x *index) offset(i int) int   { return int(x.spans[i].from) }

func (x *index) add(s span) {
	x.spans = append(x.spans, s)
	if len(x.spans) >= maxLines {
		x.done = true
	}
}

// find returns the last line laid out that begins at or before offset.
func (x *index) find(offset int) int {
	lo, hi := 0, len(x.spans)
	for lo < hi {
		mid := (lo + hi) / 2
		if int(x.spans[mid].from) <= offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// reach lays out until a line begins after offset.
func reach(l lines, offset int) {
	for {
		n, all := l.known()
		if all || (n > 0 && l.offset(n-1) > offset) {
			return
		}
		l.extend(n + 512)
	}
}

package inspect

import (
	"bytes"
	"fmt"
)

// folds is what is folded in one JSON text, by where its bracket stands.
type folds map[int]fold

// fold is one object or array that is shown on one line.
type fold struct {
	end    int // the position after it
	n      int // its members or values
	closed bool
}

// The signs of a line that can be folded, and of one that is.
const (
	openSign   = "▾"
	foldedSign = "▸"
)

// foldAt looks over the object or array that begins at pos: once, without
// laying it out.
func foldAt(src []byte, pos int) fold {
	f := fold{}
	depth, any := 0, false
	for i := pos; ; {
		if i = skipSpace(src, i); i >= len(src) {
			f.end = len(src)
			break
		}
		switch c := src[i]; c {
		case '{', '[':
			any = any || depth > 0
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',':
			if depth == 1 {
				f.n++
			}
			i++
		default:
			any = true
			i = scalarEnd(src, i)
		}
		if depth == 0 {
			f.end, f.closed = i, true
			break
		}
	}
	if any {
		f.n++
	}
	return f
}

// label is what stands in the place of what is folded.
func (f fold) label(bracket byte) string {
	noun, end := "member", " }"
	if bracket == '[' {
		noun, end = "value", " ]"
	}
	if f.n != 1 {
		noun += "s"
	}
	if !f.closed {
		end = ""
	}
	return fmt.Sprintf("%c … %d %s%s", bracket, f.n, noun, end)
}

// bracket returns where the object or array of the item at pos begins, or -1.
func (l *jsonLines) bracket() int {
	if len(l.folds) == 0 || l.flow {
		return -1
	}
	at := l.pos
	if l.src[at] == '"' && len(l.stack) > 0 && !l.inArray() {
		if at = skipSpace(l.src, stringEnd(l.src, at)); at >= len(l.src) || l.src[at] != ':' {
			return -1
		}
		at = skipSpace(l.src, at+1)
	}
	if at < len(l.src) && (l.src[at] == '{' || l.src[at] == '[') {
		return at
	}
	return -1
}

func (l *jsonLines) isFolded(at int) bool {
	_, ok := l.folds[at]
	return ok
}

// putFolded puts what is folded at pos onto the line, right behind its name:
// where that leaves too little room it is cut.
func (l *jsonLines) putFolded() {
	f, c := l.folds[l.pos], l.src[l.pos]
	l.put(f.end-l.pos, 1)
	l.line.flags |= hasFold
	l.col = min(l.col-1+len([]rune(f.label(c))), l.w)
	l.first, l.broke = false, true
}

// foldedParts are the pieces of a folded line: its name, what stands for the
// bracket and all in it, and what follows.
func (l *jsonLines) foldedParts(s span) (before []byte, label string, after []byte) {
	at := l.firstBracket(s)
	f, ok := l.folds[at]
	if !ok {
		return l.compact(s), "", nil
	}
	before = l.compact(span{from: s.from, to: uint32(at), flags: s.flags})
	after = l.compact(span{from: uint32(min(f.end, int(s.to))), to: s.to})
	return before, f.label(l.src[at]), after
}

// firstBracket returns where the first bracket of a line stands, or -1.
func (l *jsonLines) firstBracket(s span) int {
	at := -1
	l.brackets(s, func(pos int) bool { at = pos; return false })
	return at
}

// brackets calls f with each bracket of a line that stands outside of a
// string, until f says stop.
func (l *jsonLines) brackets(s span, f func(pos int) bool) {
	b := l.src[:s.to]
	i := int(s.from)
	if s.flags&beginsInString != 0 {
		i = stringRest(b, i)
	}
	for i < len(b) {
		switch b[i] {
		case '"':
			i = stringEnd(b, i)
			continue
		case '{', '}', '[', ']':
			if !f(i) {
				return
			}
		}
		i++
	}
}

// stringRest returns the position after the string that goes on at i.
func stringRest(b []byte, i int) int {
	for i < len(b) && b[i] != '"' {
		if b[i] == '\\' {
			i++
		}
		i++
	}
	return min(i+1, len(b))
}

// opener returns the outermost bracket that a line opens and leaves open, or
// -1; and how many it leaves open, and how many it closes that lines before
// it opened.
func (l *jsonLines) opener(i int) (at, opens, closes int) {
	at = -1
	s := l.spans[i]
	if s.flags&hasFold != 0 {
		f := l.folds[l.firstBracket(s)]
		s = span{from: uint32(min(f.end, int(s.to))), to: s.to}
	}
	l.brackets(s, func(pos int) bool {
		switch c := l.src[pos]; {
		case c == '{' || c == '[':
			if opens == 0 {
				at = pos
			}
			opens++
		case opens > 0:
			if opens--; opens == 0 {
				at = -1
			}
		default:
			closes++
		}
		return true
	})
	return at, opens, closes
}

// outer returns the line that opens what line i lies in, or -1.
func (l *jsonLines) outer(i int) int {
	for closed := 0; i > 0; {
		i--
		_, opens, closes := l.opener(i)
		if opens > closed {
			return i
		}
		closed += closes - opens
	}
	return -1
}

// foldOf returns the folded bracket of line i, or -1.
func (l *jsonLines) foldOf(i int) int {
	if s := l.spans[i]; s.flags&hasFold != 0 {
		return l.firstBracket(s)
	}
	return -1
}

// fold folds what begins at bracket at, on line i.
func (l *jsonLines) fold(i, at int) {
	l.folds[at] = foldAt(l.src, at)
	l.rewind(i)
}

// unfold unfolds what is folded at bracket at, on line i.
func (l *jsonLines) unfold(i, at int) {
	delete(l.folds, at)
	l.rewind(i)
}

// reveal unfolds all that hides an offset, and reports whether it had to.
func (l *jsonLines) reveal(offset int) bool {
	first := -1
	for at, f := range l.folds {
		if at < offset && offset < f.end {
			delete(l.folds, at)
			if first < 0 || at < first {
				first = at
			}
		}
	}
	if first < 0 {
		return false
	}
	if i := l.find(first); i >= 0 {
		l.rewind(i)
	}
	return true
}

// rewind forgets line i and what follows: they are laid out anew when they
// are asked for, and the lines before it stay.
func (l *jsonLines) rewind(i int) {
	for i > 0 && l.goesOn(l.spans[i]) {
		i--
	}
	s := l.spans[i]
	l.pos = int(s.from)
	l.spans, l.done = l.spans[:i], false
	l.stack = stackAt(l.src, l.pos, l.stack[:0])
	last := lastByte(l.src[:l.pos])
	l.first = last == 0 || last == '{' || last == '['
	l.begin(0)
	l.broke = false
	l.line, l.empty, l.col = span{indent: s.indent}, true, int(s.indent)
}

// goesOn reports whether a line goes on with an item that began before it.
func (l *jsonLines) goesOn(s span) bool {
	return s.flags&beginsInString != 0 || l.src[s.from] == ':' || lastByte(l.src[:s.from]) == ':'
}

// lastByte returns the last byte that is no blank, 0 for none.
func lastByte(b []byte) byte {
	b = bytes.TrimRight(b, " \n\t\r")
	if len(b) == 0 {
		return 0
	}
	return b[len(b)-1]
}

// stackAt returns the brackets that are open at pos.
func stackAt(src []byte, pos int, stack []byte) []byte {
	for i := 0; i < pos; {
		switch c := src[i]; {
		case c == '{' || c == '[':
			stack = append(stack, c)
			i++
		case c == '}' || c == ']':
			stack = stack[:max(len(stack)-1, 0)]
			i++
		case c == ',' || c == ':' || isSpace(c):
			i++
		default:
			i = scalarEnd(src, i)
		}
	}
	return stack
}

package inspect

import (
	"bytes"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// textLines wraps text of any length between words. Line breaks in it are
// kept, tabs become blanks.
type textLines struct {
	index
	w   int
	st  kit.Style
	pos int
}

func newTextLines(src []byte, w int, st kit.Style) *textLines {
	return &textLines{index: index{src: src}, w: max(w, minWide), st: st}
}

const tab = "    "

func (l *textLines) extend(n int) {
	for !l.done && len(l.spans) < n {
		l.step()
	}
}

func (l *textLines) lineAt(offset int) int {
	reach(l, offset)
	return l.find(offset)
}

func (l *textLines) step() {
	if l.pos >= len(l.src) {
		l.done = true
		return
	}
	b := l.src[l.pos:]
	n, ended := l.take(b)
	to := n
	if !ended && n < len(b) && b[n] != ' ' {
		if i := bytes.LastIndexByte(b[:n], ' '); i > 0 {
			n, to = i+1, i
		}
	}
	l.add(span{from: uint32(l.pos), to: uint32(l.pos + to)})
	for !ended && n < len(b) && b[n] == ' ' {
		n++ // blanks at a break belong to no line
	}
	l.pos += n
	switch {
	case bytes.HasPrefix(l.src[l.pos:], []byte("\r\n")):
		l.pos += 2
	case l.pos < len(l.src) && l.src[l.pos] == '\n':
		l.pos++
	}
}

// take returns how many bytes fit on a line, and whether a line break ends
// them.
func (l *textLines) take(b []byte) (n int, ended bool) {
	cells := 0
	for n < len(b) {
		c := b[n]
		if c == '\n' || c == '\r' && n+1 < len(b) && b[n+1] == '\n' {
			return n, true
		}
		size, k := 1, len(tab)
		if c != '\t' {
			size, k = cellsAt(b[n:])
		}
		if (cells+k > l.w || n+size > maxLine) && n > 0 {
			return n, false
		}
		n, cells = n+size, cells+k
	}
	return n, n >= len(b)
}

func (l *textLines) text(i int) string {
	s := l.spans[i]
	return strings.ReplaceAll(string(l.src[s.from:s.to]), "\t", tab)
}

func (l *textLines) draw(r kit.Region, y, i int) {
	r.PutCut(0, y, r.W, l.st, l.text(i))
}

package inspect

import (
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// jsonLines lays out JSON: what fits on a line stays on one, what does not is
// broken after a bracket or a comma and indented by its depth. It reads its
// source once, from the front, and only as far as lines are asked for. What
// is no JSON is laid out all the same.
//
// In a flowing layout lines are filled and broken at any comma, as a
// paragraph is: the shortest way to show the beginning of something.
type jsonLines struct {
	index
	w      int  // cells of a line
	flow   bool // fill lines, without regard to structure
	ink    *ink
	folds  folds  // what is folded, nil: nothing
	pos    int    // read so far
	stack  []byte // the brackets that are open: '{' or '['
	first  bool   // nothing stands in the innermost bracket yet
	broke  bool   // the last item was spread over lines, so the next gets its own
	rest   int    // the scalar at pos ends here and is not laid out whole, 0: none
	begun  bool   // a piece of it is laid out
	inside bool   // and it is a string

	line  span // the line that is being filled
	col   int  // its cells
	empty bool // nothing stands on it yet
}

func newJSONLines(src []byte, w int, flow bool, in *ink) *jsonLines {
	return &jsonLines{index: index{src: src}, w: max(w, minWide), flow: flow, ink: in, empty: true, first: true}
}

func (l *jsonLines) extend(n int) {
	for !l.done && len(l.spans) < n {
		l.step()
	}
}

func (l *jsonLines) lineAt(offset int) int {
	reach(l, offset)
	return l.find(offset)
}

// step lays out one item, or a bracket.
func (l *jsonLines) step() {
	if l.rest > 0 {
		l.scalar(0)
		return
	}
	l.pos = skipSpace(l.src, l.pos)
	if l.pos >= len(l.src) {
		if !l.empty {
			l.flush()
		}
		l.done = true
		return
	}
	switch c := l.src[l.pos]; {
	case c == ',':
		l.comma()
		if l.broke && !l.flow {
			l.newline(0)
		}
		l.first, l.broke = false, false
	case c == '}' || c == ']':
		l.closeBracket()
	default:
		l.item()
	}
}

// comma stands behind what it follows, if need be in the column that a line
// leaves free.
func (l *jsonLines) comma() {
	if l.empty || l.col > l.w {
		l.put(1, 1)
		return
	}
	l.pos++
	l.line.to = uint32(l.pos)
	l.col++
}

func (l *jsonLines) closeBracket() {
	l.put(1, 1)
	if n := len(l.stack); n > 0 {
		l.stack = l.stack[:n-1]
	}
	l.first, l.broke = false, true
}

// item lays out a value, with its name where it has one.
func (l *jsonLines) item() {
	if l.flow {
		l.open()
		return
	}
	if l.isFolded(l.bracket()) { // it has a line of its own
		if !l.empty {
			l.newline(0)
		}
		l.open()
		return
	}
	c := l.src[l.pos]
	width, all := measure(l.src, l.pos, l.w)
	// Of a list of objects each begins a line.
	each := (c == '{' || c == '[') && !l.first && l.inArray()
	if !l.empty && (l.col+all > l.w || each) && !l.staysBehindBracket(all) {
		l.newline(0)
	}
	if l.col+all <= l.w {
		l.put(skipItem(l.src, l.pos)-l.pos, width)
		l.broke = false
		return
	}
	l.open()
}

// staysBehindBracket: a text that is longer than any line begins right behind
// the bracket before it, if a good piece of it fits there.
func (l *jsonLines) staysBehindBracket(all int) bool {
	if !l.first || all <= l.w-min(len(l.stack), l.w/2) {
		return false
	}
	at := l.pos
	if l.src[at] == '"' && !l.inArray() {
		end := scalarEnd(l.src, at)
		if colon := skipSpace(l.src, end); colon < len(l.src) && l.src[colon] == ':' {
			at = skipSpace(l.src, colon+1)
		}
	}
	return at < len(l.src) && l.src[at] == '"' && l.col+at-l.pos+8 <= l.w
}

func (l *jsonLines) inArray() bool {
	return len(l.stack) > 0 && l.stack[len(l.stack)-1] == '['
}

// open lays out the beginning of an item that does not fit on a line: its
// name, and a bracket or as much of a scalar as fits.
func (l *jsonLines) open() {
	named := false
	if l.src[l.pos] == '"' && !l.inArray() && len(l.stack) > 0 {
		end := stringEnd(l.src, l.pos)
		if colon := skipSpace(l.src, end); colon < len(l.src) && l.src[colon] == ':' {
			l.name(end, colon)
			named = true
			if l.pos = skipSpace(l.src, colon+1); l.pos >= len(l.src) {
				return
			}
		}
	}
	switch c := l.src[l.pos]; c {
	case '{', '[':
		if l.isFolded(l.pos) {
			l.putFolded()
			return
		}
		l.put(1, 1)
		l.stack = append(l.stack, c)
		l.first, l.broke = true, true
	case '}', ']', ',': // no JSON
	default:
		if l.flow && !named {
			if w := l.valueCells(l.pos); !l.empty && l.col+w > l.w && w <= l.w {
				l.newline(0)
			}
		}
		l.begin(scalarEnd(l.src, l.pos))
		l.broke = false
		l.scalar(0)
	}
}

// name lays out a member's name with its colon. In a flowing layout it stands
// on one line with its bracket, or with a scalar that fits.
func (l *jsonLines) name(end, colon int) {
	width := cellsOf(l.src[l.pos:end], l.w) + 1
	if l.flow {
		if w := l.valueCells(skipSpace(l.src, colon+1)); width+w <= l.w {
			width += w
		}
	}
	if !l.empty && l.col+width > l.w && width <= l.w {
		l.newline(0)
	}
	l.begin(end)
	for l.rest > 0 && !l.done {
		l.scalar(isKey)
	}
	l.pos = colon
	l.put(1, 1)
}

// valueCells returns the cells of a scalar with its comma, or of a bracket.
func (l *jsonLines) valueCells(pos int) int {
	if pos >= len(l.src) {
		return 0
	}
	if c := l.src[pos]; c == '{' || c == '[' {
		return 1
	}
	near := l.src[:min(len(l.src), pos+l.w*16+64)]
	return cellsOf(near[pos:scalarEnd(near, pos)], l.w) + 1
}

// scalar puts as much of the scalar that ends at rest as fits on the line. If
// that is not all, the line ends, and the next call goes on with the rest.
func (l *jsonLines) scalar(kind uint8) {
	b := l.src[l.pos:l.rest]
	n, cells := 0, 0
	if l.col < l.w || l.empty {
		n, cells = fit(b, l.w-l.col)
		if l.col+cells > l.w && !l.empty {
			n = 0
		}
		n = wholeEscapes(b, n)
		switch {
		case n == 0 || n == len(b):
		case !l.begun && b[0] != '"' && !l.empty && len(b) <= l.w/2:
			n = 0 // a number or a word is not split if the next line holds it
		default:
			n = atBlank(b, n)
		}
	}
	if n == len(b) {
		l.put(n, cells)
		l.rest = 0
		return
	}
	if n > 0 {
		l.inside = l.inside || (!l.begun && b[0] == '"')
		l.begun = true
		l.put(n, cells)
	}
	if l.inside {
		l.line.flags |= endsInString | kind
	}
	l.broke = true
	l.newline(1)
	if l.inside {
		l.line.flags |= beginsInString | kind
	}
}

// begin makes the scalar that ends at end the one that is laid out.
func (l *jsonLines) begin(end int) { l.rest, l.begun, l.inside = end, false, false }

// put takes n bytes onto the line.
func (l *jsonLines) put(n, cells int) {
	if l.col+cells > l.w && !l.empty {
		l.newline(0) // a run of closing brackets that is longer than a line
	}
	if l.empty {
		l.line.from, l.empty = uint32(l.pos), false
	}
	l.pos += n
	l.line.to = uint32(l.pos)
	l.col += cells
}

func (l *jsonLines) flush() {
	l.add(l.line)
	l.line, l.empty = span{}, true
}

// newline ends the line and begins the next at the depth of the brackets,
// and deeper by what is given.
func (l *jsonLines) newline(deeper int) {
	if !l.empty {
		l.flush()
	}
	indent := min(len(l.stack)+deeper, l.w/2)
	if l.flow {
		indent = min(2, l.w/2)
	}
	l.line.indent, l.col = uint16(indent), indent
}

func (l *jsonLines) text(i int) string { return string(l.show(i)) }

// show returns what line i shows.
func (l *jsonLines) show(i int) []byte {
	if s := l.spans[i]; s.flags&hasFold != 0 {
		before, label, after := l.foldedParts(s)
		return append(append(before, label...), after...)
	}
	return l.compact(l.spans[i])
}

// compact returns the bytes of a line without the blanks between its tokens.
func (l *jsonLines) compact(s span) []byte {
	b := l.src[s.from:s.to]
	in := s.flags&beginsInString != 0
	out := make([]byte, 0, len(b))
	for k := 0; k < len(b); k++ {
		c := b[k]
		if in && c == '\\' && k+1 < len(b) {
			out = append(out, c, b[k+1])
			k++
			continue
		}
		if c == '"' {
			in = !in
		}
		if !in && isSpace(c) {
			continue
		}
		out = append(out, c)
	}
	return out
}

func (l *jsonLines) draw(r kit.Region, y, i int) {
	s := l.spans[i]
	if s.flags&hasFold != 0 {
		before, label, after := l.foldedParts(s)
		x := l.ink.draw(r, int(s.indent), y, before, s.flags)
		x = r.PutCut(x, y, r.W-x-len(after), kit.As(kit.Dim), label)
		l.ink.draw(r, x, y, after, 0)
		return
	}
	l.ink.draw(r, int(s.indent), y, l.show(i), s.flags)
}

// drawOpen draws line i as the last of those that are shown: what follows is
// cut at the edge.
func (l *jsonLines) drawOpen(r kit.Region, y, i int) {
	s := l.spans[i]
	s.to = uint32(min(int(s.from)+4*l.w, len(l.src)))
	x := int(s.indent)
	text := kit.Cut(kit.Clean(string(l.compact(s))), l.w-x-1)
	l.ink.draw(r, x, y, []byte(text), s.flags&beginsInString)
	if kit.Width(text) < l.w-x-1 {
		r.Put(x+kit.Width(text), y, kit.As(kit.Dim), "…")
	}
}

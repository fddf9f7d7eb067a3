package form

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// Limits of what is laid out of one JSON value.
const (
	maxRows   = 1000
	maxDepth  = 40
	maxScalar = 4096 // bytes of one string
)

// span is a piece of text with its style.
type span struct {
	st kit.Style
	s  string
}

// jsonRow is one row of laid out JSON.
type jsonRow struct {
	depth int
	spans []span
	path  string // of the value that begins here, keys joined by NUL
}

// layout lays JSON values out in rows, as they would be read.
type layout struct {
	rows []jsonRow
	more bool // there was too much
}

// layJSON lays raw out with an indent of two a level. Numbers and strings
// stand there as they do on the wire.
func layJSON(raw []byte) ([]jsonRow, bool) {
	l := &layout{}
	l.value(oneLine(raw), 0, nil, "", "")
	return l.rows, l.more
}

func (l *layout) row(depth int, path string, spans ...span) {
	if len(l.rows) >= maxRows {
		l.more = true
		return
	}
	l.rows = append(l.rows, jsonRow{depth, spans, path})
}

func (l *layout) value(raw []byte, depth int, key []span, path, comma string) {
	if l.more {
		return
	}
	plain := kit.As(kit.Normal)
	open := first(raw)
	if (open != '{' && open != '[') || depth > maxDepth || short(raw) {
		l.row(depth, path, append(key, span{scalarStyle(raw), cutBytes(string(raw), maxScalar)}, span{plain, comma})...)
		return
	}
	l.row(depth, path, append(key, span{plain, string(open)})...)
	if open == '{' {
		list := members(raw)
		for i, m := range list {
			key := []span{{kit.As(kit.JSONKey), string(quote(m.key))}, {plain, ": "}}
			l.value(m.val, depth+1, key, path+m.key+"\x00", commaAfter(i, len(list)))
		}
		l.row(depth, "", span{plain, "}" + comma})
		return
	}
	list := elements(raw)
	for i, e := range list {
		l.value(e, depth+1, nil, path+itoa(i)+"\x00", commaAfter(i, len(list)))
	}
	l.row(depth, "", span{plain, "]" + comma})
}

// cutBytes shortens s to about n bytes.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n = max(n, 0)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

func commaAfter(i, n int) string {
	if i < n-1 {
		return ","
	}
	return ""
}

// short reports whether an object or array is shown on one row: an empty one,
// or a short list without objects.
func short(raw []byte) bool {
	s := strings.TrimSpace(string(raw[1 : len(raw)-1]))
	return s == "" || (raw[0] == '[' && len(raw) <= 32 && !strings.ContainsAny(s, "{["))
}

func scalarStyle(raw []byte) kit.Style {
	switch first(raw) {
	case '"':
		return kit.As(kit.JSONString)
	case 't', 'f', 'n':
		return kit.As(kit.JSONWord)
	case '{', '[':
		return kit.As(kit.Normal)
	}
	return kit.As(kit.JSONNumber)
}

// line is one row of the form: spans side by side from column x on.
type line struct {
	x     int
	sign  string // "!" and the like, in column signX
	signX int
	spans []span
	right string // dim, at the right edge
	field int    // that a click on it chooses, -1: none
}

func plain(x int, st kit.Style, s string) line {
	return line{x: x, spans: []span{{st, s}}, field: -1}
}

// draw puts the line into row y of the region, between its column x and the
// column before end.
func (l line) draw(r kit.Region, y, end int) {
	x := l.x
	if l.sign != "" {
		r.Put(l.signX, y, kit.Style{Role: kit.Changed, Bold: true}, l.sign)
	}
	if l.right != "" {
		r.PutRight(end, y, kit.As(kit.Dim), l.right)
		end -= kit.Width(kit.Clean(l.right)) + 1
	}
	for _, s := range l.spans {
		if x >= end {
			return
		}
		x = r.PutCut(x, y, end-x, s.st, s.s)
	}
}

// jsonLines makes lines of laid out JSON, each value in at most most rows of
// w cells. bad are the paths whose rows get a “!”.
func jsonLines(rows []jsonRow, x, w, most int, bad map[string]bool) []line {
	var out []line
	for _, row := range rows {
		in := min(row.depth*2, max(w/2, 0))
		parts := wrapSpans(row.spans, w-in, w-in-2, most)
		for i, p := range parts {
			l := line{x: x + in, spans: p, field: -1}
			if i > 0 {
				l.x += 2
			}
			if i == 0 && row.path != "" && bad[row.path] {
				l.sign, l.signX = "!", x
				if row.depth == 0 {
					l.signX = max(x-1, 0)
				}
			}
			out = append(out, l)
		}
	}
	return out
}

// wrapSpans breaks spans into rows, the first of at most first cells, the
// others of at most next, most rows in all; what is left is cut by drawing.
func wrapSpans(spans []span, first, next, most int) [][]span {
	var out [][]span
	var row []span
	room := max(first, 1)
	for _, s := range spans {
		rest := kit.Clean(s.s)
		for kit.Width(rest) > room && len(out) < most-1 {
			head := headOf(rest, room)
			if head == "" && len(row) == 0 {
				head = rest
			}
			if head != "" {
				row = append(row, span{s.st, head})
			}
			rest = rest[len(head):]
			out, row, room = append(out, row), nil, max(next, 1)
		}
		if rest != "" {
			row = append(row, span{s.st, rest})
			room = max(room-kit.Width(rest), 0)
		}
	}
	if row != nil {
		out = append(out, row)
	}
	return out
}

// headOf is the longest beginning of s that fits into w cells, broken after a
// blank, a comma or a colon where one is near its end.
func headOf(s string, w int) string {
	n, end := 0, len(s)
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if n += g.Width(); n > w {
			end, _ = g.Positions()
			break
		}
	}
	head := s[:end]
	if i := strings.LastIndexAny(head, " ,:"); i > 0 && i >= len(head)*2/3 && end < len(s) {
		return head[:i+1]
	}
	return head
}

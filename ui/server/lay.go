package server

import (
	"strings"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// row is one row of a section as it is drawn: pieces at their columns, a note
// at the right edge, and what enter leads to.
type row struct {
	pieces []piece
	right  string
	index  int    // position of a frame, -1: none
	choice int    // which of the things that can be done now, -1: none
	grants string // the path or feature set that can be granted here, "" for none
	asks   string // a command that completes that, "" for none
	do     string // a command that goes with it, "" for none
}

// piece is clean text at a column.
type piece struct {
	x     int
	style kit.Style
	text  string
}

// mostRows is how many rows one line is wrapped to at most; what is longer is
// read in its frame.
const mostRows = 12

// tones are the roles of a line's tones.
var tones = map[inspector.Tone]kit.Role{
	inspector.Plain: kit.Normal, inspector.Quiet: kit.Dim, inspector.Loud: kit.Bright, inspector.Peer: kit.Normal,
	inspector.Good: kit.Good, inspector.Changed: kit.Changed, inspector.Bad: kit.Bad,
}

// signs are the roles of the signs in front of lines.
var signs = map[string]kit.Role{
	"✓": kit.Good, "+": kit.Good, "~": kit.Changed, "✗": kit.Bad, "!": kit.Bright, "◌": kit.Bright, "·": kit.Dim,
}

// The columns of a row: signs stand two before the text.
const (
	textX       = 5
	textXNarrow = 3
	narrowFrom  = 60
)

// layLine lays a line out in rows of w cells.
func layLine(l *inspector.ServerLine, w int) []row {
	x := textX
	if w < narrowFrom {
		x = textXNarrow
	}
	x = min(x+2*l.Indent, max(w/2, 1))
	out := layText(l, x, w)
	for i := range out {
		out[i].grants, out[i].do, out[i].asks = l.Grants, l.Do, l.Complete
	}
	if l.Sign != "" {
		p := piece{max(x-2, 0), kit.As(signs[l.Sign]), kit.Clean(l.Sign)}
		out[0].pieces = append([]piece{p}, out[0].pieces...)
	}
	return out
}

// run is a part of a line's text in one style, from a byte on.
type run struct {
	from  int
	style kit.Style
}

// layText lays out the text of a line from column x on.
func layText(l *inspector.ServerLine, x, w int) []row {
	var b strings.Builder
	var runs []run
	for _, s := range l.Spans {
		runs = append(runs, run{b.Len(), kit.As(tones[s.Tone])})
		b.WriteString(kit.Clean(s.Text))
	}
	text, right := strings.TrimRight(b.String(), " "), kit.Clean(l.Right)
	room := w - x - 1
	first := room
	if right != "" {
		first = room - kit.Width(right) - 2
		// A note that would take half of the row away is left out there: its
		// frame says the same.
		if kit.Width(text) > first && (first < room/2 || w < narrowFrom) {
			right, first = "", room
		}
	}
	if room < 8 {
		return []row{{pieces: cut(text, runs, x, max(room, 1)), index: l.Index, choice: -1}}
	}
	if !l.Wrap || kit.Width(text) <= first {
		return []row{{pieces: cut(text, runs, x, first), right: right, index: l.Index, choice: -1}}
	}
	return wrap(text, runs, x, l.Hang, first, room, row{right: right, index: l.Index, choice: -1})
}

// wrap lays out text that is longer than a row: the first row has first
// cells, the others have room of them, hang taken off.
func wrap(text string, runs []run, x, hang, first, room int, like row) []row {
	if room-hang < 16 { // too narrow to hang anything
		hang = min(2, hang)
	}
	var out []row
	at, limit := 0, first
	for at < len(text) {
		part := head(text[at:], limit)
		r := row{index: like.index, choice: like.choice}
		if len(out) == 0 {
			r.right = like.right
		}
		shown := part
		rest := strings.TrimLeft(text[at+len(part):], " ")
		if len(out) == mostRows-1 && rest != "" {
			shown, rest = kit.Cut(part+"……", limit), ""
		}
		r.pieces = styled(shown, at, runs, x)
		out = append(out, r)
		if at = len(text) - len(rest); rest == "" {
			break
		}
		if len(out) == 1 {
			x, limit = x+hang, room-hang
		}
	}
	return out
}

// head returns what of a text stands on a row of w cells, broken between
// words where that is possible.
func head(text string, w int) string {
	near := text
	for n := 16 * w; n < len(text); n++ {
		if text[n]&0xc0 != 0x80 {
			near = text[:n]
			break
		}
	}
	lines := kit.Wrap(near, max(w, 2))
	if len(lines) == 0 || lines[0] == "" || !strings.HasPrefix(text, lines[0]) {
		return text
	}
	return lines[0]
}

// cut lays text out on one row of w cells.
func cut(text string, runs []run, x, w int) []piece { return styled(kit.Cut(text, w), 0, runs, x) }

// letterAt is the place of byte i in a text, moved on to where a letter begins:
// what a text was cut with can reach beyond the run that it was cut in.
func letterAt(text string, i int) int {
	i = max(min(i, len(text)), 0)
	for i < len(text) && !utf8.RuneStart(text[i]) {
		i++
	}
	return i
}

// styled takes a part of a text, which begins at byte from, apart by its
// styles. What stands in it beyond the text's own bytes has the last style.
func styled(part string, from int, runs []run, x int) []piece {
	var out []piece
	for i, r := range runs {
		lo, hi := letterAt(part, r.from-from), len(part)
		if i+1 < len(runs) {
			hi = letterAt(part, runs[i+1].from-from)
		}
		if lo >= hi {
			continue
		}
		out = append(out, piece{x + kit.Width(part[:lo]), r.style, part[lo:hi]})
	}
	return out
}

// draw draws the row; its note keeps its place, and what is longer is cut.
func (w *row) draw(r kit.Region, y int) {
	end := r.W
	if w.right != "" {
		end = r.W - kit.Width(w.right) - 2
		r.PutRight(r.W-1, y, kit.As(kit.Dim), w.right)
	}
	for _, p := range w.pieces {
		if p.x < end {
			r.PutCut(p.x, y, end-p.x, p.style, p.text)
		}
	}
}

// plain is the row as text.
func (w *row) plain() string {
	var b strings.Builder
	x := 0
	for _, p := range w.pieces {
		for ; x < p.x; x++ {
			b.WriteByte(' ')
		}
		b.WriteString(p.text)
		x += kit.Width(p.text)
	}
	if w.right != "" {
		b.WriteString("   " + w.right)
	}
	return b.String()
}

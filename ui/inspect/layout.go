package inspect

import (
	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// The columns of a document.
const (
	margin  = 1  // headings, and the signs of a comparison
	body    = 3  // lines under a heading, and their signs
	signed  = 3  // from the sign of a line to its text
	gutter  = 11 // lines beside a heading, where rows are few
	tightH  = 14 // rows under which headings stand beside their lines
	fewRows = 12 // lines of what is short, where the document is read in full
	atLeast = 2  // lines of a text, however few rows there are
)

// compose lays a document out for a width. In a tight layout, for a low pane,
// a heading shares a row with its first line and nothing is spaced.
func compose(d *inspector.Doc, w int, tight, full bool, in *ink) []*section {
	c := composer{w: w, tight: tight, brief: tight && !full, ink: in}
	for i := range d.Blocks {
		c.block(&d.Blocks[i], i)
	}
	c.close()
	return c.out
}

type composer struct {
	w     int
	tight bool
	brief bool // what is there to be recognised only is left out
	ink   *ink
	rows  []row
	out   []*section
}

func (c *composer) close() {
	if len(c.rows) > 0 {
		c.out = append(c.out, &section{rows: c.rows})
		c.rows = nil
	}
}

func (c *composer) block(b *inspector.Block, n int) {
	if c.brief && (b.Flow || b.Extra) {
		return
	}
	lines := b.Body
	switch {
	case b.Beside:
		c.aside(b, n)
		return
	case b.Head == "" && b.Note == "":
	case c.tight:
		if c.beside(b) {
			lines = lines[1:]
		}
	default:
		if n > 0 && b.Head != "" {
			c.rows = append(c.rows, row{})
		}
		c.rows = append(c.rows, c.heading(b))
	}
	for i := range lines {
		c.line(&lines[i], b.Head == "" && n == 0)
	}
	if b.JSON != nil {
		c.lazy(newJSONLines(b.JSON, c.w-body-1, b.Flow, c.ink), b.Fold)
	}
	if b.Text != nil {
		c.lazy(newTextLines(b.Text, c.w-body-1, kit.As(kit.Normal)), b.Fold)
	}
}

func (c *composer) lazy(l lines, short bool) {
	c.close()
	c.out = append(c.out, &section{lazy: l, x: body, short: short})
}

// heading is a block's heading on a row of its own.
func (c *composer) heading(b *inspector.Block) row {
	w := row{right: b.Note}
	x := margin
	if b.Sign != "" {
		w.pieces = append(w.pieces, piece{x, signStyle(b.Sign), kit.Clean(b.Sign)})
		x += 2
	}
	head := kit.Clean(b.Head)
	w.pieces = append(w.pieces, piece{x, kit.As(kit.Title), head})
	if b.Note != "" && x+kit.Width(head)+2+kit.Width(kit.Clean(b.Note)) > c.w-1 {
		w.right = kit.Cut(kit.Clean(b.Note), max(c.w-x-kit.Width(head)-3, 0))
	}
	return w
}

// beside puts a heading and the first line of its block on one row, and
// reports whether it took that line.
func (c *composer) beside(b *inspector.Block) bool {
	w := c.heading(b)
	x := max(gutter, w.end()+1)
	if len(b.Body) == 0 || b.Body[0].Sign != "" || b.Head == "" {
		c.rows = append(c.rows, w)
		return false
	}
	l := &b.Body[0]
	text := kit.Clean(l.Plain())
	room := c.w - x
	if w.right != "" && x+kit.Width(text)+2 <= c.w-1-kit.Width(w.right) {
		room = c.w - 1 - kit.Width(w.right) - 1 - x
	} else if w.right != "" {
		w.right = ""
	}
	if w.right == "" && l.Right != "" && x+kit.Width(text)+2+kit.Width(kit.Clean(l.Right)) <= c.w-1 {
		w.right = l.Right
	}
	if room < 8 {
		c.rows = append(c.rows, w)
		return false
	}
	if !l.Wrap || kit.Width(text) <= room {
		w.pieces = append(w.pieces, pieces(l, x)...)
		c.rows = append(c.rows, w)
		return true
	}
	for i, part := range kit.Wrap(text, room) {
		p := piece{x, toneOf(l), part}
		if i == 0 {
			w.pieces = append(w.pieces, p)
			c.rows = append(c.rows, w)
			continue
		}
		c.rows = append(c.rows, row{pieces: []piece{p}})
	}
	return true
}

func (w *row) end() int {
	x := 0
	for _, p := range w.pieces {
		x = p.x + kit.Width(p.text)
	}
	return x
}

func toneOf(l *inspector.Line) kit.Style {
	if len(l.Spans) == 0 {
		return kit.Style{}
	}
	return kit.As(tones[l.Spans[len(l.Spans)-1].Tone])
}

func pieces(l *inspector.Line, x int) []piece {
	var out []piece
	for _, s := range l.Spans {
		text := kit.Clean(s.Text)
		out = append(out, piece{x, kit.As(tones[s.Tone]), text})
		x += kit.Width(text)
	}
	return out
}

// line lays out a line of a block's body. The first block without heading
// stands at the margin.
func (c *composer) line(l *inspector.Line, intro bool) {
	x := body
	if intro {
		x = margin
	}
	x += 2 * l.Indent
	var sign []piece
	switch {
	case l.Sign == "":
	case l.Diff:
		sign = []piece{{margin, signStyle(l.Sign), kit.Clean(l.Sign)}}
		x = max(x, body)
	default:
		text := kit.Clean(l.Sign)
		sign = []piece{{x, signStyle(l.Sign), text}}
		x += kit.Width(text) + signed - 1
	}
	c.text(l, sign, x)
}

func (c *composer) text(l *inspector.Line, sign []piece, x int) {
	text, right := kit.Clean(l.Plain()), kit.Clean(l.Right)
	fits := right == "" || x+kit.Width(text)+2+kit.Width(right) <= c.w-1
	if !l.Wrap {
		c.cutLine(l, append(sign, pieces(l, x)...), x, fits)
		return
	}
	room := max(c.w-x, 8)
	if kit.Width(text) <= room {
		w := row{pieces: append(sign, pieces(l, x)...)}
		if fits {
			w.right = right
		}
		c.rows = append(c.rows, w)
	} else {
		parts := kit.Wrap(text, room)
		for i, part := range parts {
			w := row{pieces: []piece{{x, toneOf(l), part}}}
			if i == 0 {
				w.pieces = append(c.wrappedSpans(l, x, part), sign...)
			}
			if i == len(parts)-1 && !fits && x+kit.Width(part)+2+kit.Width(right) <= c.w-1 {
				w.right, fits = right, true
			}
			c.rows = append(c.rows, w)
		}
	}
	if !fits {
		c.rows = append(c.rows, row{right: kit.Cut(right, c.w-2)})
	}
}

// cutLine lays out a line that is cut at the edge. Where line and note do not
// fit together, the first line of a document is cut; any other comes first,
// and its note stands below it or, where rows are few, goes.
func (c *composer) cutLine(l *inspector.Line, p []piece, x int, fits bool) {
	right := kit.Clean(l.Right)
	switch {
	case fits:
	case len(c.rows) == 0 && len(c.out) == 0:
		if x+12+kit.Width(right) > c.w-1 {
			right = ""
		}
	case c.tight:
		right = ""
	default:
		c.rows = append(c.rows, row{pieces: p}, row{right: kit.Cut(right, c.w-2)})
		return
	}
	c.rows = append(c.rows, row{pieces: p, right: right})
}

// wrappedSpans keeps the tones of a wrapped line's first row.
func (c *composer) wrappedSpans(l *inspector.Line, x int, part string) []piece {
	if len(l.Spans) < 2 {
		return []piece{{x, toneOf(l), part}}
	}
	var out []piece
	for i, s := range l.Spans {
		text := kit.Clean(s.Text)
		if i == len(l.Spans)-1 || len(text) >= len(part) {
			return append(out, piece{x, kit.As(tones[s.Tone]), part})
		}
		out = append(out, piece{x, kit.As(tones[s.Tone]), text})
		part = part[len(text):]
		x += kit.Width(text)
	}
	return out
}

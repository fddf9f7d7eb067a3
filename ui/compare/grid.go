package compare

import (
	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// The columns of a side.
const (
	signX   = 1
	textX   = 3
	perStep = 2
	least   = 12 // cells that a value needs beside its name
)

// gridder lays a grid out: two sides beside each other, or both in one
// column.
type gridder struct {
	w     int // columns of a side
	two   bool
	tight bool // no blank rows
	rows  []vrow
}

// gridRows lays a grid out in rows. Where it would be higher than most, what
// is equal is folded.
func gridRows(g *inspector.Grid, l *layout, most int) []vrow {
	lay := func(fold bool) []vrow {
		d := gridder{w: l.w, two: l.side > 0, tight: l.tight}
		if d.two {
			d.w = l.side
		}
		keep := needed(g.Lines)
		for i := 0; i < len(g.Lines); {
			n := 0
			for fold && i+n < len(g.Lines) && !keep[i+n] {
				n++
			}
			if n >= leastFold {
				d.folded(&g.Lines[i], n)
				i += n
				continue
			}
			d.pair(&g.Lines[i])
			i++
		}
		if g.Cut {
			d.rows = append(d.rows, text(textX, kit.Dim, "… more than is compared here"))
		}
		return d.rows
	}
	rows := lay(false)
	if len(rows) > most {
		rows = lay(true)
	}
	return rows
}

// leastFold is how many equal lines are worth a line that says so.
const leastFold = 2

// needed tells which lines are never folded: those that differ, and what they
// stand in.
func needed(lines []inspector.Pair) []bool {
	keep := make([]bool, len(lines))
	for i := range lines {
		keep[i] = keep[i] || lines[i].Sign != "" || lines[i].Indent == 0 && lines[i].Name != ""
		if lines[i].Sign == "" {
			continue
		}
		indent := lines[i].Indent
		for k := i - 1; k >= 0 && indent > 0; k-- {
			if p := &lines[k]; p.Indent < indent && p.Name != "" {
				if keep[k] {
					break // and so is all that it stands in
				}
				keep[k], indent = true, p.Indent
			}
		}
	}
	return keep
}

// add adds a row, of two sides or of one column.
func (d *gridder) add(left, right []piece) {
	d.rows = append(d.rows, vrow{kind: gridRow, left: left, right: right, hit: noHit})
}

func (d *gridder) gap(p *inspector.Pair) {
	if p.Gap && !d.tight {
		d.add(nil, nil)
	}
}

func (d *gridder) folded(p *inspector.Pair, n int) {
	d.gap(p)
	var l, r []piece
	x := textX + perStep*p.Indent
	put(&l, x, kit.As(kit.Dim), "… "+itoa(n)+" equal")
	put(&r, x, kit.As(kit.Dim), "… "+itoa(n)+" equal")
	d.add(l, r)
}

// pair lays one line of the grid out.
func (d *gridder) pair(p *inspector.Pair) {
	d.gap(p)
	if d.two {
		a, b := d.side(p, &p.A, leftSign(p.Sign)), d.side(p, &p.B, rightSign(p.Sign))
		for i := 0; i < max(len(a), len(b)); i++ {
			var l, r []piece
			if i < len(a) {
				l = a[i]
			}
			if i < len(b) {
				r = b[i]
			}
			d.add(l, r)
		}
		return
	}
	switch p.Sign {
	case "±":
		d.one(p, &p.A, "-")
		d.one(p, &p.B, "+")
	case "-":
		d.one(p, &p.A, "-")
	case "~":
		s := p.B
		if p.A.Text != p.B.Text {
			s.Text = p.A.Text + ", now " + p.B.Text
		}
		d.one(p, &s, "~")
	default:
		d.one(p, &p.B, p.Sign)
	}
}

func (d *gridder) one(p *inspector.Pair, s *inspector.Side, sign string) {
	for _, row := range d.side(p, s, sign) {
		d.add(row, nil)
	}
}

func leftSign(sign string) string {
	switch sign {
	case "±":
		return "-"
	case "+":
		return ""
	}
	return sign
}

func rightSign(sign string) string {
	switch sign {
	case "±":
		return "+"
	case "-":
		return ""
	}
	return sign
}

// side lays one side of a line out, in as many rows as its value needs.
func (d *gridder) side(p *inspector.Pair, s *inspector.Side, sign string) [][]piece {
	if !s.On {
		return nil
	}
	st := kit.As(kit.Dim)
	if p.Sign != "" {
		st = kit.As(kit.Bright)
	}
	first := []piece{}
	if sign != "" {
		put(&first, signX, signStyle(sign), sign)
	}
	x := min(textX+perStep*p.Indent, max(d.w-least, textX))
	if p.Name == "" {
		return d.wrapped(first, x, st, s, st)
	}
	end := put(&first, x, st, p.Name)
	if s.Text == "" && len(s.Marks) == 0 {
		return [][]piece{first}
	}
	at := max(gridValue, end+1)
	if d.w < 48 {
		at = max(min(gridValue, x+12), end+1)
	}
	if d.w-at-1 < least && end > x { // its value stands below
		return append([][]piece{first}, d.wrapped(nil, x+perStep, st, s, st)...)
	}
	return d.wrapped(first, at, st, s, st)
}

// wrapped puts a value behind what stands in the first row, and breaks it
// into as many as it needs. Marks follow the last words.
func (d *gridder) wrapped(first []piece, x int, st kit.Style, s *inspector.Side, plain kit.Style) [][]piece {
	room := max(d.w-x-1, 4)
	lines := kit.Wrap(kit.Clean(s.Text), room)
	if len(lines) == 0 {
		lines = []string{""}
	}
	var rows [][]piece
	row, end := first, x
	for i, line := range lines {
		if i > 0 {
			rows = append(rows, row)
			row = nil
		}
		end = put(&row, x, st, line)
	}
	for _, m := range s.Marks {
		t := kit.Clean(m.Text)
		if end+kit.Width(t) > d.w-1 && end > x {
			rows = append(rows, row)
			row, end = nil, x
			t = trimLeft(t)
		}
		ms := plain
		if role := tones[m.Tone]; role != kit.Normal && role != kit.Dim {
			ms = kit.As(role)
		}
		end = put(&row, end, ms, t)
	}
	return append(rows, row)
}

func trimLeft(s string) string {
	for len(s) > 0 && s[0] == ' ' {
		s = s[1:]
	}
	return s
}

package kit

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Role says what a piece of text is for; a Theme gives it its colour. No
// meaning is carried by a role alone: every screen reads without colour.
type Role uint8

// The roles. Use Dim for what may be overlooked and Bright for what must not.
const (
	Normal  Role = iota
	Dim          // descriptions, times, what is closed or hidden
	Bright       // what is usable, selected, or just changed
	Server       // ← the server's own doing
	Good         // + ●
	Changed      // ~ ≠
	Bad          // ✗ findings, and nothing else
	Past         // row 1 when it is not the present (amber, reversed)
	Title        // a pane's title
	Rule         // borders and rules
	Key          // a key in the help line
	Ask          // ? what the server suggests or asks
	JSONKey      // the four of coloured JSON
	JSONString
	JSONNumber
	JSONWord
	numRoles
)

// Style is a role with attributes on top.
type Style struct {
	Role      Role
	Bold      bool
	Reverse   bool
	Underline bool
}

// As returns the plain style of a role.
func As(r Role) Style { return Style{Role: r} }

type cell struct {
	text  string // one grapheme cluster; "" is the second half of a wide one
	style Style
}

// Canvas is a grid of cells that becomes one screen.
type Canvas struct {
	w, h  int
	cells []cell
}

// NewCanvas returns a blank canvas of w × h cells.
func NewCanvas(w, h int) *Canvas {
	c := &Canvas{w: max(w, 0), h: max(h, 0)}
	c.cells = make([]cell, c.w*c.h)
	for i := range c.cells {
		c.cells[i].text = " "
	}
	return c
}

// Size returns the canvas's columns and rows.
func (c *Canvas) Size() (w, h int) { return c.w, c.h }

// All returns the region that covers the whole canvas.
func (c *Canvas) All() Region { return Region{c: c, W: c.w, H: c.h} }

// Region is a rectangle of a canvas. Coordinates given to its methods count
// from its upper left corner; whatever lies outside is clipped.
type Region struct {
	c          *Canvas
	X, Y, W, H int
}

// Sub returns a part of the region, clipped to it.
func (r Region) Sub(x, y, w, h int) Region {
	x, y = max(x, 0), max(y, 0)
	return Region{c: r.c, X: r.X + x, Y: r.Y + y, W: max(min(w, r.W-x), 0), H: max(min(h, r.H-y), 0)}
}

// Put draws s, cleaned, at column x of row y, clips it at the region's right
// edge and returns the column after it.
func (r Region) Put(x, y int, st Style, s string) int {
	return r.put(x, y, st, Clean(s))
}

// PutCut is Put within w cells; what is cut off is marked with “…”.
func (r Region) PutCut(x, y, w int, st Style, s string) int {
	return r.put(x, y, st, Cut(Clean(s), min(w, r.W-x)))
}

// PutRight draws s so that it ends before column end.
func (r Region) PutRight(end, y int, st Style, s string) int {
	s = Clean(s)
	return r.put(end-Width(s), y, st, s)
}

func (r Region) put(x, y int, st Style, s string) int {
	if isASCII(s) {
		for i := 0; i < len(s); i++ {
			r.set(x, y, st, s[i:i+1], 1)
			x++
		}
		return x
	}
	state := -1
	var cluster string
	var w int
	for s != "" {
		cluster, s, w, state = uniseg.FirstGraphemeClusterInString(s, state)
		if w == 0 { // a lone combining mark would float onto its neighbour
			cluster, w = "◌"+cluster, 1
		}
		r.set(x, y, st, cluster, w)
		x += w
	}
	return x
}

func (r Region) set(x, y int, st Style, text string, w int) {
	if y < 0 || y >= r.H || x < 0 || x >= r.W {
		return
	}
	if x+w > r.W { // half a wide character does not fit
		text, w = "…", 1
	}
	i := (r.Y+y)*r.c.w + r.X + x
	r.c.clear(i)
	r.c.cells[i] = cell{text, st}
	for k := 1; k < w; k++ {
		r.c.clear(i + k)
		r.c.cells[i+k] = cell{"", st}
	}
}

// clear blanks the other half of a wide character that cell i belongs to.
func (c *Canvas) clear(i int) {
	if c.cells[i].text == "" {
		for j := i - 1; j >= 0; j-- {
			blank := c.cells[j].text != ""
			c.cells[j].text = " "
			if blank {
				break
			}
		}
	}
	for j := i + 1; j < len(c.cells) && c.cells[j].text == ""; j++ {
		c.cells[j].text = " "
	}
}

// Fill sets w cells of row y from column x to the one-cell glyph.
func (r Region) Fill(x, y, w int, st Style, glyph string) {
	for i := 0; i < w; i++ {
		r.set(x+i, y, st, glyph, 1)
	}
}

// Clear blanks the whole region.
func (r Region) Clear() {
	for y := 0; y < r.H; y++ {
		r.Fill(0, y, r.W, Style{}, " ")
	}
}

// Restyle changes the style of w cells of row y from column x.
func (r Region) Restyle(x, y, w int, change func(Style) Style) {
	if y < 0 || y >= r.H {
		return
	}
	for i := max(x, 0); i < min(x+w, r.W); i++ {
		p := &r.c.cells[(r.Y+y)*r.c.w+r.X+i]
		p.style = change(p.style)
	}
}

// Plain returns the canvas as text without colour, trailing blanks removed,
// as screens are drawn in goldens.
func (c *Canvas) Plain() string {
	var b strings.Builder
	for y := 0; y < c.h; y++ {
		var row strings.Builder
		for x := 0; x < c.w; x++ {
			row.WriteString(c.cells[y*c.w+x].text)
		}
		b.WriteString(strings.TrimRight(row.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

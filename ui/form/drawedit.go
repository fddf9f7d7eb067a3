package form

import (
	"github.com/rivo/uniseg"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// drawEditor draws a text with its cursor between columns x and end, scrolled
// so that the cursor is in sight.
func drawEditor(r kit.Region, y, x, end int, ed *editor, focused bool, st kit.Style) int {
	w := end - x
	if w < 2 {
		return x
	}
	if !focused {
		return r.PutCut(x, y, w, st, cutBytes(ed.text, 4*w+16))
	}
	s, pos, cutLeft, cutRight := ed.around(w)
	var cells []string
	var widths []int
	cursor, total := -1, 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if from, _ := g.Positions(); from >= pos && cursor < 0 {
			cursor = len(cells)
		}
		c := kit.Clean(g.Str())
		cells, widths = append(cells, c), append(widths, kit.Width(c))
		total += kit.Width(c)
	}
	if cursor < 0 {
		cursor = len(cells)
	}
	cells, widths = append(cells, "_"), append(widths, 1)
	from := window(widths, cursor, w-1)
	for i := from; i < len(cells); i++ {
		last := i == len(cells)-1
		if last && cursor != i {
			break
		}
		if x+widths[i] > end {
			r.Put(end-1, y, dim, "…")
			return end
		}
		cst := st
		if i == cursor && !last {
			cst.Reverse = true
		}
		if (i == from && (from > 0 || cutLeft) && i != cursor) || (last && cutRight && cursor != i) {
			x = r.Put(x, y, dim, "…")
			continue
		}
		x = r.Put(x, y, cst, cells[i])
	}
	return x
}

// window returns the first cell to draw so that the cursor's is within w.
func window(widths []int, cursor, w int) int {
	from, used := cursor, widths[cursor]
	for from > 0 && used+widths[from-1] <= w {
		from--
		used += widths[from]
	}
	return from
}

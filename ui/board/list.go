package board

import "github.com/mcpl-tui/mcpl-tui/ui/kit"

// line is one line of OPEN or SUGGESTED. The first line of an entry is the
// one that is marked; more is true for those that follow it.
type line struct {
	sel  Selection // OnNothing: it cannot be selected
	more bool
	draw func(r kit.Region, y int, here bool)
}

// list is the cursor and the scroll of OPEN or SUGGESTED.
type list struct {
	sel  Selection
	at   int // the line the cursor stood on, should its entry go
	top  int
	free bool // scrolled away from the cursor
}

// resolve puts the cursor onto an entry that there is.
func (l *list) resolve(lines []line) {
	best := -1
	for i := range lines {
		if lines[i].sel.Kind == OnNothing || lines[i].more {
			continue
		}
		if lines[i].sel == l.sel {
			l.at = i
			return
		}
		if best < 0 || i <= l.at {
			best = i
		}
	}
	if best < 0 {
		*l = list{}
		return
	}
	l.sel, l.at = lines[best].sel, best
}

// move puts the cursor n entries further.
func (l *list) move(lines []line, n int) {
	l.free = false
	var at []int
	cur := 0
	for i := range lines {
		if lines[i].sel.Kind == OnNothing || lines[i].more {
			continue
		}
		if lines[i].sel == l.sel {
			cur = len(at)
		}
		at = append(at, i)
	}
	if len(at) == 0 {
		return
	}
	l.at = at[max(min(cur+n, len(at)-1), 0)]
	l.sel = lines[l.at].sel
}

// scroll brings the entry of the cursor into h lines.
func (l *list) scroll(lines []line, h int) {
	if !l.free {
		from, to := -1, -1
		for i := range lines {
			if lines[i].sel == l.sel && l.sel.Kind != OnNothing {
				if from < 0 {
					from = i
				}
				to = i
			}
		}
		if to >= l.top+h {
			l.top = to - h + 1
		}
		if from >= 0 && from < l.top {
			l.top = from
		}
		if to < h && from == l.firstEntry(lines) {
			l.top = 0 // what stands above the first entry is seen with it
		}
	}
	l.top = max(min(l.top, len(lines)-h), 0)
}

func (l *list) firstEntry(lines []line) int {
	for i := range lines {
		if lines[i].sel.Kind != OnNothing {
			return i
		}
	}
	return -1
}

// arrows counts the lines out of sight.
func (l *list) arrows(lines []line, h int) string {
	l.scroll(lines, h)
	return arrows(l.top, max(len(lines)-l.top-h, 0))
}

func (b *Board) drawList(r kit.Region, m *moment, l *list, lines []line, p pane) {
	l.scroll(lines, r.H)
	for y := 0; y < r.H && l.top+y < len(lines); y++ {
		w := &lines[l.top+y]
		here := b.last == p && w.sel.Kind != OnNothing && w.sel == l.sel
		w.draw(r, y, here)
		if here && !w.more {
			b.drawMark(r, y, m, p)
		}
	}
}

package lanes

import "github.com/mcpl-tui/mcpl-tui/ui/view"

// wheelLines is how far one turn of the wheel scrolls.
const wheelLines = 3

// Click handles a click at cell x, y of the body, or a turn of the wheel
// there. On a cell the cursor goes to its lane and the playhead to its rev;
// on a ruler the playhead alone; on a label the cursor alone, and on the sign
// before it the lane folds.
func (v *View) Click(x, y, wheel int, c *view.Context) view.Intent {
	m := v.look(c)
	l := &m.at
	if wheel != 0 {
		v.free = true
		v.top = max(min(v.top+wheel*wheelLines, len(v.rows)-l.lanes.h), 0)
		return view.Intent{}
	}
	if i := v.top + y - l.lanes.y; l.lanes.has(x, y) && i < len(v.rows) {
		v.free, v.before = false, lane{}
		v.lastAt, v.sel = i, v.lane(&v.rows[i])
		if x < l.border {
			if at, _ := v.labelAt(m, &v.rows[i]); v.sel.kind != onTool && x < at {
				v.fold(m, &v.rows[i])
			}
			return view.Intent{}
		}
	} else if y < l.title.h || (y >= l.lanes.y+l.lanes.h && y != l.foot) {
		return view.Intent{}
	}
	if x <= l.border || x >= l.w {
		return view.Intent{}
	}
	return v.goToColumn(m, v.track.left+int64(x-l.track.x))
}

// goToColumn moves the playhead to the cell at a column of the axis; from a
// hole to the rev before it.
func (v *View) goToColumn(m *moment, col int64) view.Intent {
	p, ok := m.axis.cellAt(col)
	if !ok || col >= m.axis.width {
		return view.Intent{}
	}
	for range m.axis.cells() {
		if index, ok := m.axis.target(p); ok {
			return m.goToCell(p, index)
		}
		if p, ok = m.axis.step(p, -1); !ok {
			break
		}
	}
	return view.Intent{}
}

package lanes

import (
	"time"

	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Key handles one key.
func (v *View) Key(key string, c *view.Context) (do view.Intent, handled bool) {
	m := v.look(c)
	if v.filter.Typing {
		return v.typed(key, m)
	}
	if v.laneKey(key, m) {
		return view.Intent{}, true
	}
	if do, ok := v.timeKey(key, m); ok {
		return do, true
	}
	return v.actKey(key, m)
}

// laneKey handles the keys that move among the lanes or change how they are
// drawn.
func (v *View) laneKey(key string, m *moment) bool {
	page := max(m.at.lanes.h-1, 1)
	switch key {
	case "j", "down":
		v.move(1)
	case "k", "up":
		v.move(-1)
	case "ctrl+d":
		v.move(max(page/2, 1))
	case "ctrl+u":
		v.move(-max(page/2, 1))
	case "pgdown":
		v.move(page)
	case "pgup":
		v.move(-page)
	case "home":
		v.move(-len(v.rows))
	case "end":
		v.move(len(v.rows))
	case "z":
		if m.c.Log != nil && len(m.axis.sections) > 0 {
			v.nextZoom(m)
		}
	case "n", "N":
		if v.filter.Text == "" {
			return false
		}
		v.nextTool(map[string]int{"n": 1, "N": -1}[key])
	case "/":
		if v.filter.Text == "" {
			v.before = v.sel
		}
		v.filter.Typing = true
	case "esc":
		if v.filter.Text == "" {
			return false
		}
		v.clearFilter()
	default:
		return false
	}
	return true
}

// timeKey handles the keys that move the playhead.
func (v *View) timeKey(key string, m *moment) (view.Intent, bool) {
	switch key {
	case "h", "left":
		return v.stepCell(m, -1), true
	case "l", "right":
		return v.stepCell(m, 1), true
	case "[", "K":
		return m.stepRev(-1), true
	case "]", "J":
		return m.stepRev(1), true
	case "g":
		return m.goToRow(0), true
	case "G":
		return view.Intent{Kind: view.GoLive}, true
	case "e":
		return v.stepMark(m, 1)
	case "E":
		return v.stepMark(m, -1)
	}
	return view.Intent{}, false
}

// goTo asks for the playhead to stand at a frame. What shows the end of a
// live session goes there, and follows.
func (m *moment) goTo(index int) view.Intent {
	if index >= m.c.Len-1 && !m.c.Replay {
		return view.Intent{Kind: view.GoLive}
	}
	return view.Intent{Kind: view.GoTo, Index: max(index, 0)}
}

// goToRow asks for the playhead to stand at row n, or at the nearest that
// there is. In a live session the newest is the present.
func (m *moment) goToRow(n int) view.Intent {
	last := m.c.Rows - 1
	if last < 0 || m.c.Log == nil {
		return view.Saying("no rev yet")
	}
	n = max(min(n, last), 0)
	if n == last && !m.c.Replay {
		return view.Intent{Kind: view.GoLive}
	}
	return view.Intent{Kind: view.GoTo, Index: m.c.Log.RowIndex(n)}
}

// stepRev moves by one rev. Several revs that came in one frame are one step.
func (m *moment) stepRev(n int) view.Intent {
	if m.c.Rows == 0 || m.c.Log == nil {
		return view.Saying("no rev yet")
	}
	cur, here := -1, -1
	if m.c.Row != nil {
		cur, here = m.c.Row.N, m.c.Row.Index
	}
	to := cur + n
	for to >= 0 && to < m.c.Rows && m.c.Log.RowIndex(to) == here {
		to += n
	}
	switch {
	case to < 0:
		return view.Saying("this is the first rev")
	case n > 0 && to >= m.c.Rows && m.c.Replay:
		return view.Saying("this is the last rev; G goes to the end of the recording")
	}
	return m.goToRow(to)
}

// stepCell moves by one cell, past cells in which nothing came.
func (v *View) stepCell(m *moment, n int64) view.Intent {
	if len(m.axis.sections) == 0 {
		return view.Saying("no rev yet")
	}
	if m.axis.byTime {
		return m.stepTime(n)
	}
	end := view.Saying("this is the first rev")
	if n > 0 {
		end = view.Intent{Kind: view.GoLive}
		if m.c.Replay {
			end = view.Saying("this is the last rev; G goes to the end of the recording")
		}
	}
	p := m.here
	for range m.axis.cells() {
		var ok bool
		if p, ok = m.axis.step(p, n); !ok {
			return end
		}
		if index, ok := m.axis.target(p); ok {
			return m.goToCell(p, index)
		}
	}
	return end
}

// goToCell asks for the playhead to stand at the frame of a cell. The last
// cell of a live session is the present.
func (m *moment) goToCell(p place, index int) view.Intent {
	if _, more := m.axis.step(p, 1); !more && !m.c.Replay {
		return view.Intent{Kind: view.GoLive}
	}
	return m.goTo(index)
}

// stepTime moves to the last frame of the next cell with a frame, or of the
// one before.
func (m *moment) stepTime(n int64) view.Intent {
	a := &m.axis
	if m.here.section >= len(a.sections) || m.here.cell < 0 {
		return view.Saying("nothing here has a time")
	}
	s := &a.sections[m.here.section]
	if n < 0 {
		i := a.log.IndexAt(s.start + time.Duration(m.here.cell)*a.span - time.Microsecond)
		if i < 0 {
			return view.Saying("this is the first frame")
		}
		return m.goTo(i)
	}
	i := a.log.IndexAt(s.start+time.Duration(m.here.cell+1)*a.span-time.Microsecond) + 1
	if i >= m.c.Len {
		if m.c.Replay {
			return view.Saying("this is the end of the recording")
		}
		return view.Intent{Kind: view.GoLive}
	}
	e := a.log.Entry(i)
	if k := a.sectionOf(e.Conn); k >= 0 {
		s = &a.sections[k]
		if last, ok := a.target(place{section: k, cell: max(min(int64((e.T-s.start)/a.span), s.cells-1), 0)}); ok {
			i = max(i, last)
		}
	}
	return m.goTo(i)
}

// stepMark moves to the next finding that stands in a lane, or the one
// before. Where there is none the key is the root's, which knows of others.
func (v *View) stepMark(m *moment, n int) (view.Intent, bool) {
	if v.Flags != nil {
		return view.Intent{}, false // who flags rows knows of what has no lane as well
	}
	all := v.marks.all
	i := upTo(all, m.c.At)
	if n < 0 {
		i = upTo(all, m.c.At-1) - 1
	}
	if i < 0 || i >= len(all) {
		return view.Intent{}, false
	}
	return m.goTo(int(all[i].index)), true
}

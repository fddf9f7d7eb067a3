package model

import (
	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/revs"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Numbers of the views that keys lead to.
const (
	viewBoard = 1
	viewWire  = 3
)

// Key handles one key: the filter line first, then INSPECT where it lies over
// the body, then the panes.
func (v *View) Key(key string, c *view.Context) (view.Intent, bool) {
	m := v.moment(c)
	if v.found != nil {
		v.found.GiveUp()
	}
	switch {
	case v.line.Typing:
		return v.typed(key, m), true
	case v.over:
		return v.inspectKey(key)
	}
	if do, ok := v.paneKey(key, m); ok {
		return do, true
	}
	if n, ok := v.distance(key); ok {
		return v.move(m, n), true
	}
	switch v.focus {
	case onTold:
		return v.toldKey(key, m)
	case onHead:
		return v.headKey(key, m)
	}
	return view.Intent{}, false
}

// inspectKey handles the keys while INSPECT lies over the body.
func (v *View) inspectKey(key string) (view.Intent, bool) {
	if v.pane.Key(key) {
		return view.Intent{}, true
	}
	switch key {
	case "esc", "i", "tab", "shift+tab":
		v.over = false
		return view.Intent{}, true
	}
	return view.Intent{}, false
}

// paneKey handles the keys that choose what is in sight.
func (v *View) paneKey(key string, m *moment) (view.Intent, bool) {
	switch key {
	case "tab":
		v.focus = (v.focus + 1) % numPanes
	case "shift+tab":
		v.focus = (v.focus + numPanes - 1) % numPanes
	case "z":
		v.alone = !v.alone
	case "i":
		if m.c.Row == nil {
			return view.Saying("no rev to inspect yet"), true
		}
		v.over = true
		v.pane.Reset()
	case "y":
		return v.copy(m), true
	case "/":
		v.focus, v.line.Typing = onTold, true
		v.search(m, v.line.Text)
	case "esc":
		switch {
		case v.found != nil:
			v.search(m, "")
		case v.alone:
			v.alone = false
		case v.focus != onTold:
			v.focus = onTold
		default:
			return view.Intent{}, false
		}
	default:
		return view.Intent{}, false
	}
	return view.Intent{}, true
}

// distance returns how many lines a key moves in the pane with the focus.
func (v *View) distance(key string) (int, bool) {
	rows := max(v.told.rows, 1)
	switch v.focus {
	case onHead:
		rows = max(v.head.rows, 1)
	case onCost:
		rows = max(v.at.of[onCost].body.h, 1)
	}
	switch key {
	case "j", "down":
		return 1, true
	case "k", "up":
		return -1, true
	case "ctrl+d":
		return max(rows/2, 1), true
	case "ctrl+u":
		return -max(rows/2, 1), true
	case "pgdown", "ctrl+f":
		return max(rows-1, 1), true
	case "pgup", "ctrl+b":
		return -max(rows-1, 1), true
	}
	return 0, false
}

// move moves in the pane with the focus; among the announcements that moves
// the playhead.
func (v *View) move(m *moment, n int) view.Intent {
	switch v.focus {
	case onHead:
		v.moveHead(m, n)
		return view.Intent{}
	case onCost:
		v.cost = max(v.cost+n, 0)
		return view.Intent{}
	}
	v.told.free = false
	switch {
	case v.found != nil && (n == 1 || n == -1):
		return v.toMatch(m, m.cur, n)
	case v.found != nil && v.found.Count() > 0:
		return revs.GoTo(m.c, v.rowOf(m), v.found.At(max(min(v.found.Last(m.cur)+n, v.found.Count()-1), 0)))
	case v.found != nil:
		return view.Intent{}
	case n == 1 || n == -1:
		return revs.Step(m.c, v.rowOf(m), m.cur, n)
	}
	return revs.GoFar(m.c, v.rowOf(m), m.cur, n)
}

// moveHead moves the cursor among tools and changes, past what parts them.
func (v *View) moveHead(m *moment, n int) {
	s, last := &v.head, m.headLines()-1
	s.at = max(min(s.at+n, last), 0)
	for l := m.headLine(s.at); l.tool < 0 && l.change < 0 && last >= 0; l = m.headLine(s.at) {
		if n > 0 {
			s.at++
		} else {
			s.at--
		}
		if s.at < 0 { // no tool stands before the changes
			s.at = len(m.b.Static) + 2
		}
	}
}

// toMatch goes to the first match after row n, or before it by -1.
func (v *View) toMatch(m *moment, n, by int) view.Intent {
	at, text := v.found.Step(m.c, &v.cache, m.cur, n, by)
	switch {
	case at >= 0:
		return revs.GoTo(m.c, v.rowOf(m), at)
	case text != "":
		return view.Saying(text)
	}
	return view.Intent{}
}

// toldKey handles the keys of the announcements.
func (v *View) toldKey(key string, m *moment) (view.Intent, bool) {
	switch key {
	case "enter":
		if m.c.Row == nil {
			return view.Saying("no rev yet, so no frame to go to"), true
		}
		return view.Intent{Kind: view.ShowAt, View: viewWire, Index: m.c.Row.Index}, true
	case "g", "home":
		v.told.free = false
		if v.found != nil {
			return v.toMatch(m, -1, 1), true
		}
		return revs.GoTo(m.c, v.rowOf(m), 0), true
	case "G", "end":
		v.told.free = false
		return view.Intent{Kind: view.GoLive}, true
	case "n", "N":
		if v.found == nil {
			return view.Intent{}, false
		}
		return v.toMatch(m, m.cur, map[string]int{"n": 1, "N": -1}[key]), true
	}
	return view.Intent{}, false
}

// headKey handles the keys of the stable head.
func (v *View) headKey(key string, m *moment) (view.Intent, bool) {
	switch key {
	case "home":
		v.head.at = 0
	case "end":
		v.head.at = max(m.headLines()-1, 0)
	case "enter":
		if m.headLines() == 0 {
			return view.Saying("no tool is listed"), true
		}
		l := m.headLine(max(min(v.head.at, m.headLines()-1), 0))
		if l.tool >= 0 {
			return view.Intent{Kind: view.Show, View: viewBoard, Tool: m.b.Static[l.tool].Name}, true
		}
		v.head.left = 1
		if ch, ok := v.change(m, l.change); ok {
			return view.Intent{Kind: view.ShowAt, View: viewWire, Index: ch.Index}, true
		}
		return view.Saying("this change cannot be read from the recording"), true
	default:
		return view.Intent{}, false
	}
	return view.Intent{}, true
}

// copy gives the announcement at the playhead away as the model gets it.
func (v *View) copy(m *moment) view.Intent {
	row := m.c.Row
	if row == nil {
		return view.Saying("nothing is announced yet")
	}
	rev := "rev " + revWords(row)
	if why := inspector.Untold(row, m.c.At); why != "" {
		return view.Saying(rev + " tells the model " + why)
	}
	return view.Intent{Kind: view.Copy, Text: row.Told.Text + row.Told.Definitions, What: "what a model is told of " + rev}
}

// typed handles a key of the filter line.
func (v *View) typed(key string, m *moment) view.Intent {
	switch v.line.Key(key) {
	case filter.Up:
		return v.move(m, -1)
	case filter.Down:
		return v.move(m, 1)
	case filter.Changed, filter.Cleared:
		v.search(m, v.line.Text)
	case filter.Kept:
		if v.found != nil && v.found.Count() > 0 {
			l := v.found.List(m.c.Newest)
			if text := l.Said(&v.found.Query, v.found.Count()); text != "" {
				return view.Saying(text)
			}
		}
	}
	return view.Intent{}
}

// Paste takes pasted text into the line that is open.
func (v *View) Paste(text string, c *view.Context) bool {
	switch {
	case v.line.Typing:
		if v.line.Paste(text) == filter.Changed {
			v.search(v.moment(c), v.line.Text)
		}
		return true
	case v.over:
		return v.pane.Paste(text)
	}
	return false
}

// wheelLines is how far one turn of the wheel scrolls.
const wheelLines = 3

// Click handles a click or a turn of the wheel.
func (v *View) Click(x, y, wheel int, c *view.Context) view.Intent {
	m := v.moment(c)
	if v.over {
		v.pane.Mouse(x, y-1, wheel)
		return view.Intent{}
	}
	p, ok := v.at.paneAt(x, y)
	if !ok {
		return view.Intent{}
	}
	if wheel != 0 {
		v.scroll(m, p, wheelLines*wheel)
		return view.Intent{}
	}
	v.focus = p
	line := y - v.at.of[p].body.y
	switch p {
	case onTold:
		if line -= v.told.y; line >= 0 && line < v.told.rows && v.told.top+line < v.lines(m) {
			return revs.GoTo(c, v.rowOf(m), v.rowAt(v.told.top+line))
		}
	case onHead:
		if line -= v.head.y; line >= 0 && line < v.head.rows {
			v.head.at = v.head.top + line
			v.moveHead(m, 0)
		}
	}
	return view.Intent{}
}

// scroll moves what is in sight of a pane, and not its cursor if it can.
func (v *View) scroll(m *moment, p pane, n int) {
	switch p {
	case onTold:
		v.told.free = true
		v.told.top = max(min(v.told.top+n, v.lines(m)-v.told.rows), 0)
		if v.told.top < v.lines(m) {
			v.told.row = v.rowAt(v.told.top)
		}
	case onHead:
		v.moveHead(m, n)
	case onCost:
		v.cost = max(v.cost+n, 0)
	}
}

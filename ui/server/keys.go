package server

import (
	"github.com/mcpl-tui/mcpl-tui/ui/search"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// wireView is the number of the view of frames.
const wireView = 3

// column returns the column that has the focus, nil where stderr has it.
func (v *View) column() *column {
	switch v.focus {
	case onLeft:
		return &v.left
	case onRight:
		return &v.right
	}
	return nil
}

func (v *View) search() *search.Line {
	if p := v.column(); p != nil {
		return &p.find
	}
	return &v.stderr.find
}

// Key handles one key.
func (v *View) Key(key string, c *view.Context) (view.Intent, bool) {
	if c.Board == nil {
		return view.Intent{}, false
	}
	if v.starting(c) {
		return v.start.press(key, c)
	}
	v.take(c)
	if s := v.search(); s.Typing {
		if _, look := s.Key(key); look {
			v.next(c, 1)
		}
		return view.Intent{}, true
	}
	if p := v.column(); p != nil {
		p.lay(v, c)
		p.rest()
	}
	if do, ok := v.moveKey(key, c); ok {
		return do, true
	}
	return v.actKey(key, c)
}

// moveKey handles the keys that move within a pane.
func (v *View) moveKey(key string, c *view.Context) (view.Intent, bool) {
	h := max(v.rows(), 2)
	switch key {
	case "j", "down":
		v.move(1)
	case "k", "up":
		v.move(-1)
	case "ctrl+d":
		v.move(max(h/2, 1))
	case "ctrl+u":
		v.move(-max(h/2, 1))
	case "pgdown", "ctrl+f":
		v.move(h - 1)
	case "pgup", "ctrl+b":
		v.move(-(h - 1))
	case "g", "home":
		v.move(-1 << 30)
	case "G", "end":
		return v.toEnd(c), true
	default:
		return view.Intent{}, false
	}
	return view.Intent{}, true
}

// toEnd goes to the end of the pane. Row 1 says that G is live in the past,
// so there it is.
func (v *View) toEnd(c *view.Context) view.Intent {
	at := v.atEnd()
	v.move(1 << 30)
	if !c.Follow && (at || !c.Replay) && c.At < c.Len-1 {
		return view.Intent{Kind: view.GoLive}
	}
	return view.Intent{}
}

func (v *View) atEnd() bool {
	if p := v.column(); p != nil {
		return p.cursor() == len(p.list)-1
	}
	return !v.stderr.back
}

// rows is how many rows the pane with the focus has.
func (v *View) rows() int { return v.at.panes[v.focus].h }

func (v *View) move(by int) {
	if p := v.column(); p != nil {
		p.move(by)
		return
	}
	v.stderr.move(by)
}

func (v *View) next(c *view.Context, by int) {
	if p := v.column(); p != nil {
		p.next(v, c, by)
		return
	}
	v.stderr.next(by)
}

// actKey handles the other keys.
func (v *View) actKey(key string, c *view.Context) (view.Intent, bool) {
	switch key {
	case "tab":
		v.turn(1)
	case "shift+tab":
		v.turn(-1)
	case "z":
		v.alone = !v.alone
	case "enter":
		return v.enter(c)
	case "6":
		return v.nextPage(c), true
	case "i":
		return v.frameOf(c)
	case "c":
		return v.completing(c)
	case "left", "h":
		v.foldAt(c, true)
	case "right", "l":
		v.foldAt(c, false)
	case "/":
		v.search().Open()
	case "n":
		v.next(c, 1)
	case "N":
		v.next(c, -1)
	case "y":
		return v.copy(c), true
	case "d":
		return v.compare(c), true
	case "esc":
		return view.Intent{}, v.out()
	default:
		return view.Intent{}, false
	}
	return view.Intent{}, true
}

// out ends a search, or what stands alone.
func (v *View) out() bool {
	if v.stderr.hunt.left > 0 && v.focus == onStderr {
		v.stderr.hunt = hunt{}
	}
	if v.search().Close() {
		return true
	}
	was := v.alone
	v.alone = false
	return was
}

// turn gives the focus to the next pane that has something to show.
func (v *View) turn(by int) {
	order := []paneName{onLeft, onRight, onStderr}
	if !v.wide {
		order = []paneName{onLeft, onStderr}
	}
	if v.stderr.n == 0 || v.page != pageServer {
		order = order[:len(order)-1]
	}
	for i, p := range order {
		if p == v.focus {
			v.focus = order[((i+by)%len(order)+len(order))%len(order)]
			return
		}
	}
	v.focus = onLeft
}

// enter folds a section, goes to the frame of a row, or does what the row
// offers.
func (v *View) enter(c *view.Context) (view.Intent, bool) {
	if v.focus == onStderr {
		if i := c.Log.StderrIndex(v.stderr.cursor()); i >= 0 {
			return view.Intent{Kind: view.ShowAt, Index: i, View: wireView}, true
		}
		return view.Intent{}, true
	}
	at, r := v.column().selected(v, c)
	switch {
	case at.key == "":
	case r == nil:
		v.column().reveal = v.folded(at.key)
		v.fold(at.key, !v.folded(at.key))
	case r.choice >= 0:
		if do := v.choices(c)[r.choice].do; do.Kind != view.Nothing {
			return do, true
		}
		return view.Intent{}, false // Pick names the key
	case r.grants != "" && canGrant(c):
		return view.Intent{Kind: view.GrantForm, Tool: r.grants}, true
	default:
		if do, ok := typing(r, c); ok {
			return do, true
		}
		do, _ := v.frameOf(c)
		return do, true
	}
	return view.Intent{}, true
}

// canGrant reports whether the grant can be changed now; of a recording it is
// looked at alone.
func canGrant(c *view.Context) bool { return !c.Replay && !c.Ended }

// Pick returns the key that enter stands for where the root does what it
// says, "" where Key does.
func (v *View) Pick(c *view.Context) string {
	if c.Board == nil {
		return ""
	}
	if v.starting(c) {
		return v.start.chosen(c)
	}
	if p := v.column(); p != nil {
		if _, r := p.selected(v, c); r != nil && r.choice >= 0 && r.choice < len(v.choices(c)) {
			return v.choices(c)[r.choice].key
		}
	}
	return ""
}

// foldAt folds or unfolds the section of the cursor; from within it, folding
// goes to its head.
func (v *View) foldAt(c *view.Context, folded bool) {
	p := v.column()
	if p == nil {
		return
	}
	if at, _ := p.selected(v, c); at.key != "" {
		v.fold(at.key, folded)
		p.moved = true
		p.reveal = !folded
		if p.at = at; folded {
			p.at.n = -1
		}
	}
}

// copy copies the section of the cursor, or the lines of stderr.
func (v *View) copy(c *view.Context) view.Intent {
	if v.focus == onStderr {
		text, what := v.stderr.text()
		return view.Intent{Kind: view.Copy, Text: text, What: what}
	}
	at, _ := v.column().selected(v, c)
	if at.key == "" {
		return view.Intent{}
	}
	what := v.sheet.told[at.key].Head
	return view.Intent{Kind: view.Copy, Text: v.text(c, at.key), What: "the section " + what}
}

// Paste takes text for a search that is being typed.
func (v *View) Paste(text string, c *view.Context) bool {
	if v.starting(c) || !v.search().Typing {
		return false
	}
	v.search().Add(text)
	return true
}

// Click gives the focus to a pane and puts its cursor on a row; on a head it
// folds. The wheel scrolls the pane under it.
func (v *View) Click(x, y, wheel int, c *view.Context) view.Intent {
	if c.Board == nil {
		return view.Intent{}
	}
	if v.starting(c) {
		return v.start.click(x, y, wheel, c)
	}
	v.take(c)
	for i, b := range v.at.panes {
		if b.h > 0 && b.has(x, y) {
			v.clickIn(paneName(i), y-b.y, wheel)
		}
	}
	return view.Intent{}
}

func (v *View) clickIn(p paneName, y, wheel int) {
	if p == onStderr {
		s := &v.stderr
		switch n := s.top + y; {
		case wheel != 0:
			s.free = true
			s.top = max(min(s.top+3*wheel, s.n-s.rows()), 0)
			if s.top+s.rows() >= s.n && !s.back {
				s.free = false // at the end it follows
			}
		case n < s.n && y < s.rows():
			v.focus = onStderr
			s.goTo(n)
		}
		return
	}
	col := &v.left
	if p == onRight {
		col = &v.right
	}
	if wheel != 0 {
		col.free, col.pinned = true, false
		col.top = max(min(col.top+3*wheel, len(col.list)-1), 0)
		return
	}
	i := col.top + y
	if i < 0 || i >= len(col.list) || col.list[i].n == blankRow {
		return
	}
	v.focus = p
	col.at, col.moved, col.free, col.atEnd, col.pinned = col.list[i], true, false, false, false
	if col.at.n < 0 {
		col.reveal = v.folded(col.at.key)
		v.fold(col.at.key, !v.folded(col.at.key))
	}
}

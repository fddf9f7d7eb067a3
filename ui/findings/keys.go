package findings

import (
	"fmt"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// wire is the number of the view that enter leads to.
const wire = 3

// Key handles one key: the filter line first, then INSPECT where it has the
// focus, then the list.
func (v *View) Key(key string, c *view.Context) (view.Intent, bool) {
	v.take(c)
	if v.line.Typing {
		return v.typed(key, c), true
	}
	if v.focus == onInspect {
		if key != "enter" && v.pane.Key(key) {
			return view.Intent{}, true
		}
		if do, ok := v.leave(key, c); ok {
			return do, true
		}
	} else if do, ok := v.listKey(key, c); ok {
		return do, true
	}
	switch key {
	case "y":
		return v.copy(), true
	case "M":
		return v.mute(), true
	case ".":
		return v.toggleMuted(), true
	}
	return view.Intent{}, false
}

// leave handles the keys that lead out of INSPECT.
func (v *View) leave(key string, c *view.Context) (view.Intent, bool) {
	switch key {
	case "esc", "tab", "shift+tab", "i":
		v.focus, v.over = onList, false
	case "z":
		v.over = !v.over
		if !v.over && v.at.w < twoColumns {
			v.focus = onList
		}
	case "enter":
		return v.enter(c), true
	default:
		return view.Intent{}, false
	}
	return view.Intent{}, true
}

// listKey handles the keys of the list.
func (v *View) listKey(key string, c *view.Context) (view.Intent, bool) {
	page := max(v.at.list.h-v.head-1, 1)
	switch key {
	case "j", "down":
		return v.move(c, 1), true
	case "k", "up":
		return v.move(c, -1), true
	case "ctrl+d":
		return v.move(c, max(page/2, 1)), true
	case "ctrl+u":
		return v.move(c, -max(page/2, 1)), true
	case "pgdown", "ctrl+f":
		return v.move(c, page), true
	case "pgup", "ctrl+b":
		return v.move(c, -page), true
	case "g", "home":
		return v.move(c, -len(v.rows)), true
	case "end":
		return v.move(c, len(v.rows)), true
	case "enter":
		return v.enter(c), true
	case "h", "left":
		v.foldLeft()
	case "l", "right":
		if i := v.selected(); i >= 0 && v.rows[i].folded {
			v.fold(&v.rows[i], false)
		}
	case "tab", "shift+tab", "i":
		v.focus, v.over = onInspect, v.at.inspect.h == 0
	case "z":
		v.focus, v.over = onInspect, true
	case "/":
		v.line.Typing, v.before = true, v.sel
	case "esc":
		if v.query.Empty() {
			return view.Intent{}, false
		}
		v.line = filter.Line{}
		v.search("")
	default:
		return view.Intent{}, false
	}
	return view.Intent{}, true
}

// move moves the cursor by some rows; onto a finding it moves the playhead.
func (v *View) move(c *view.Context, by int) view.Intent {
	if len(v.rows) == 0 {
		return view.Intent{}
	}
	i := max(min(v.selected()+by, len(v.rows)-1), 0)
	v.choose(i)
	return v.goTo(c)
}

// goTo moves the playhead to the finding under the cursor.
func (v *View) goTo(c *view.Context) view.Intent {
	f := v.finding()
	if f == nil || f.Index == c.At {
		return view.Intent{}
	}
	v.wasAt = f.Index
	return view.Intent{Kind: view.GoTo, Index: f.Index}
}

// enter goes to the frame of a finding, and folds anything else.
func (v *View) enter(*view.Context) view.Intent {
	i := v.selected()
	if i < 0 {
		return view.Intent{}
	}
	if f := v.finding(); f != nil {
		v.wasAt = f.Index
		return view.Intent{Kind: view.ShowAt, View: wire, Index: f.Index}
	}
	if v.rows[i].rule == "" || v.rows[i].n > 0 {
		v.fold(&v.rows[i], !v.rows[i].folded)
	}
	return view.Intent{}
}

// foldLeft folds what the cursor is on, or goes up to what it belongs to.
func (v *View) foldLeft() {
	i := v.selected()
	if i < 0 {
		return
	}
	if r := &v.rows[i]; r.finding < 0 && !r.folded && (r.rule == "" || r.n > 0) {
		v.fold(r, true)
		return
	}
	up := sel{chapter: v.sel.chapter}
	if v.sel.onFinding() {
		up.rule = v.sel.rule
	}
	v.sel = up
}

// mute mutes what the cursor is on, or unmutes it.
func (v *View) mute() view.Intent {
	i := v.selected()
	if i < 0 {
		return view.Intent{}
	}
	of := v.of(&v.rows[i])
	if len(of) == 0 {
		return view.Saying("nothing was found here, so nothing is muted")
	}
	what := v.rows[i].rule
	if what == "" {
		what = "chapter " + string(v.rows[i].chapter)
	}
	if v.rows[i].finding >= 0 {
		what = "this finding"
	}
	on := v.book.mute(of)
	next := i
	v.rows = nil
	v.makeRows()
	if v.selected() < 0 && len(v.rows) > 0 { // it is not listed any more
		v.fallBack()
		if v.selected() > next { // its chapter has nothing left, and stands at the end
			v.choose(next)
		}
		if v.sel.rule != "" && next < len(v.rows) && v.rows[next].rule == v.sel.rule {
			v.choose(next)
		}
	}
	if on {
		return view.Saying(fmt.Sprintf("%s is muted for this session; . shows what is, there M unmutes it", what))
	}
	return view.Saying(what + " counts again")
}

// toMuted puts the cursor on the first muted finding, where it is on none: M on
// the rule or the chapter, where it fell when a finding was muted, would mute
// the others as well.
func (v *View) toMuted() {
	if f := v.finding(); f != nil && v.book.muted[identOf(f)] {
		return
	}
	for i := range v.rows {
		if k := v.rows[i].finding; k >= 0 && v.book.muted[identOf(&v.book.all[k])] {
			v.choose(i)
			return
		}
	}
}

func (v *View) toggleMuted() view.Intent {
	n := v.book.n.muted
	if n == 0 {
		return view.Saying("nothing is muted; M mutes a finding")
	}
	v.muted = !v.muted
	v.rows = nil
	v.makeRows()
	if v.muted {
		v.toMuted()
		return view.Saying(fmt.Sprintf("%d muted shown; M unmutes one", n))
	}
	return view.Saying(fmt.Sprintf("%d muted hidden", n))
}

// typed handles a key of the filter line.
func (v *View) typed(key string, c *view.Context) view.Intent {
	switch v.line.Key(key) {
	case filter.Up:
		return v.move(c, -1)
	case filter.Down:
		return v.move(c, 1)
	case filter.Changed:
		v.search(v.line.Text)
		v.toFirst()
	case filter.Cleared:
		v.search("")
		v.sel = v.before
	case filter.Kept:
		if l := v.list(); v.kept > 0 {
			if text := l.Said(&v.query, v.kept); text != "" {
				return view.Saying(text)
			}
		}
		return v.goTo(c)
	}
	return view.Intent{}
}

// toFirst puts the cursor on the first finding of a filtered list.
func (v *View) toFirst() {
	if v.query.Empty() {
		return
	}
	for i := range v.rows {
		if v.rows[i].finding >= 0 {
			v.choose(i)
			return
		}
	}
}

// Paste takes pasted text into the line that is open.
func (v *View) Paste(text string, _ *view.Context) bool {
	if !v.line.Typing {
		return v.focus == onInspect && v.pane.Paste(text)
	}
	if v.line.Paste(text) == filter.Changed {
		v.search(v.line.Text)
		v.toFirst()
	}
	return true
}

// copy copies the finding under the cursor as text, for an issue.
func (v *View) copy() view.Intent {
	f := v.finding()
	if f == nil {
		if v.sel.rule == "" {
			return view.Saying("choose a finding or a rule to copy")
		}
		return view.Intent{Kind: view.Copy, Text: v.sel.rule, What: "the rule's id"}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s (%s)\n%s\n", f.Level, f.Rule, frameWords(f), f.Message)
	for _, p := range []struct{ head, text string }{{"expected", f.Expected}, {"seen", f.Seen}, {"to mend", v.mendText(f)}} {
		if p.text != "" {
			fmt.Fprintf(&b, "%-9s %s\n", p.head, p.text)
		}
	}
	return view.Intent{Kind: view.Copy, Text: b.String(), What: "the finding"}
}

// Click handles a click or a notch of the wheel.
func (v *View) Click(x, y, wheel int, c *view.Context) view.Intent {
	v.take(c)
	l := &v.at
	switch {
	case l.inspect.h > 0 && (l.inspect.has(x, y) || l.ititle.has(x, y)):
		if v.pane.Mouse(x-l.inspect.x, y-l.inspect.y, wheel) {
			v.focus = onInspect
		}
	case l.list.has(x, y) && wheel != 0:
		v.top, v.free = max(v.top+3*wheel, 0), true
	case l.list.has(x, y):
		v.focus = onList
		line := v.lineAt(y - l.list.y - v.head)
		if line < 0 {
			break
		}
		same := v.rows[line].sel == v.sel
		v.choose(line)
		if r := &v.rows[line]; r.finding < 0 && (same || r.rule == "") {
			return v.enter(c)
		}
		return v.goTo(c)
	}
	return view.Intent{}
}

// lineAt is the row that was drawn in a line of the list, -1: none.
func (v *View) lineAt(y int) int {
	for i := v.top; i < len(v.rows) && y >= 0; i++ {
		if i > v.top && v.rows[i].apart && v.airyList() {
			if y--; y < 0 {
				return -1
			}
		}
		if y == 0 {
			return i
		}
		y--
	}
	return -1
}

func (v *View) airyList() bool { return v.at.list.h >= airy && v.at.list.w >= 36 }

// Help returns the keys of this row, the one of enter first.
func (v *View) Help(c *view.Context) []view.Help {
	v.take(c)
	if v.line.Typing {
		return []view.Help{{Key: "enter", Verb: "keep it"}, {Key: "esc", Verb: "all"}, {Key: "↓ ↑", Verb: "choose"}}
	}
	var out []view.Help
	i := v.selected()
	switch f := v.finding(); {
	case i < 0:
		return []view.Help{{Key: "/", Verb: "filter"}}
	case f != nil:
		out = append(out, view.Help{Key: "enter", Verb: fmt.Sprintf("frame %d", f.Seq)})
	case v.rows[i].folded:
		out = append(out, view.Help{Key: "enter", Verb: "unfold"})
	default:
		out = append(out, view.Help{Key: "enter", Verb: "fold"})
	}
	if v.focus == onInspect {
		return append(out, view.Help{Key: "j k", Verb: "line"}, view.Help{Key: "/", Verb: "search"}, view.Help{Key: "esc", Verb: "the list"})
	}
	out = append(out, view.Help{Key: "j k", Verb: "choose"})
	if len(v.book.places) > 0 {
		out = append(out, view.Help{Key: "e E", Verb: "finding"})
	}
	if v.at.inspect.h == 0 {
		out = append(out, view.Help{Key: "i", Verb: "inspect"})
	}
	out = append(out, view.Help{Key: "y", Verb: "copy"}, view.Help{}, view.Help{Key: "← →", Verb: "fold"},
		view.Help{Key: "[ ]", Verb: "rev"}, view.Help{Key: "M", Verb: "mute"})
	if v.book.n.muted > 0 {
		out = append(out, view.Help{Key: ".", Verb: "muted"})
	}
	return append(out, view.Help{Key: "/", Verb: "filter"})
}

package compare

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// wireView is the number of the view that shows a frame.
const wireView = 3

// Key handles one key. The ways through time ([ ] e E G space m) are left to
// the root.
func (v *View) Key(key string, c *view.Context) (do view.Intent, handled bool) {
	if key == "esc" {
		if !v.close() {
			return view.Intent{Kind: view.Leave}, true
		}
		return view.Intent{}, true
	}
	if c.Log == nil || c.Board == nil {
		return view.Intent{}, false
	}
	if v.moveKey(key, c) {
		return view.Intent{}, true
	}
	switch key {
	case "d":
		v.next(c)
	case "z":
		if v.zoom || v.at.revs > 0 { // else there is but one pane
			v.zoom = !v.zoom
		}
	case "enter":
		if v.target.Tool == "" {
			return v.open(c), true
		}
		return v.frame(c), true
	case "y":
		return v.copy(c), true
	default:
		return view.Intent{}, false
	}
	return view.Intent{}, true
}

// frame leads to the frame that carried what is compared.
func (v *View) frame(c *view.Context) view.Intent {
	if i := v.compare(c).Index; i >= 0 {
		return view.Intent{Kind: view.ShowAt, View: wireView, Index: i}
	}
	return view.Saying("no frame redefined it; it is as the list declared it")
}

// moveKey scrolls, or moves the cursor over the items of the whole board.
func (v *View) moveKey(key string, c *view.Context) bool {
	page := max(v.h-1, 1)
	n := 0
	switch key {
	case "j", "down":
		n = 1
	case "k", "up":
		n = -1
	case "ctrl+d":
		n = max(page/2, 1)
	case "ctrl+u":
		n = -max(page/2, 1)
	case "pgdown", "ctrl+f":
		n = page
	case "pgup", "ctrl+b":
		n = -page
	case "home":
		n = -1 << 20
	case "end":
		n = 1 << 20
	default:
		return false
	}
	if v.target.Tool != "" {
		v.top = max(min(v.top+n, v.lines-v.h), 0)
		return true
	}
	v.compareBoards(c)
	v.cursor = max(min(v.cursor+n, len(v.all.items)-1), 0)
	v.reveal(c)
	return true
}

// reveal scrolls so that the cursor is in sight.
func (v *View) reveal(c *view.Context) {
	for y, row := range v.boardRows(c, max(v.at.w, 1)) {
		if row.hit != v.cursor {
			continue
		}
		if v.cursor == 0 {
			y = 0 // what stands above the first item comes with it
		}
		v.top = max(min(v.top, y), y-v.h+1, 0)
		return
	}
}

// copy copies the comparison as text.
func (v *View) copy(c *view.Context) view.Intent {
	var b strings.Builder
	if v.target.Tool == "" {
		m := v.compareBoards(c)
		b.WriteString(m.From.Name + ", " + m.From.When + " against " + m.To.Name + ", " + m.To.When + "\n")
		for _, g := range m.Groups {
			b.WriteString(g.Head + "\n")
			for _, it := range g.Items {
				b.WriteString(strings.TrimRight("  "+it.Sign+" "+it.Name+"  "+it.Words+"  "+it.By, " ") + "\n")
			}
		}
		return view.Intent{Kind: view.Copy, Text: b.String(), What: "the comparison of the board"}
	}
	m := v.compare(c)
	b.WriteString(m.Subject + ": " + m.From.Name + ", " + m.From.When + " against " + m.To.Name + ", " + m.To.When + "\n")
	for i := range m.Grid.Lines {
		for _, l := range unified(&m.Grid.Lines[i]) {
			b.WriteString(strings.TrimRight(l, " ") + "\n")
		}
	}
	return view.Intent{Kind: view.Copy, Text: b.String(), What: "the comparison of " + kit.Clean(m.Subject)}
}

// unified is a line of the grid as text: one line, or the old and the new.
func unified(p *inspector.Pair) []string {
	line := func(sign string, s *inspector.Side) string {
		t := s.Text
		for _, m := range s.Marks {
			t += m.Text
		}
		if sign == "" {
			sign = " "
		}
		if p.Name != "" && t != "" {
			t = "  " + t
		}
		return sign + " " + strings.Repeat("  ", p.Indent) + kit.Clean(p.Name+t)
	}
	switch p.Sign {
	case "±":
		return []string{line("-", &p.A), line("+", &p.B)}
	case "-":
		return []string{line("-", &p.A)}
	}
	return []string{line(p.Sign, &p.B)}
}

// Click handles a click or a turn of the wheel: on REVS as the board would,
// on a cell of the track it goes to that rev, on an item or a frame there.
func (v *View) Click(x, y, wheel int, c *view.Context) view.Intent {
	l := &v.at
	if l.revs > 0 && x < l.revs {
		return v.Revs.ClickRevs(y, v.h+l.head, wheel, c)
	}
	if wheel != 0 {
		v.top = max(min(v.top+3*wheel, v.lines-v.h), 0)
		return view.Intent{}
	}
	y -= l.head
	if x -= l.x; x < 0 || y < 0 || y >= len(v.hits) {
		return view.Intent{}
	}
	switch hit := v.hits[y]; {
	case hit == hitTrack:
		if i := v.trackHit(x); i >= 0 {
			return view.Intent{Kind: view.GoTo, Index: i}
		}
	case hit < 0:
	case v.target.Tool == "":
		v.cursor = hit
	default:
		return view.Intent{Kind: view.ShowAt, View: wireView, Index: hit}
	}
	return view.Intent{}
}

// bar divides the keys of the help line into groups: a Help without a key.
var bar view.Help

// Help returns the keys of this place, the one of enter first.
func (v *View) Help(c *view.Context) []view.Help {
	out := []view.Help{{Key: "enter", Verb: v.enterVerb(c)}, {Key: "d", Verb: "against"}, {Key: "[ ]", Verb: "rev"}}
	switch {
	case c.Replay:
		out = append(out, view.Help{Key: "G", Verb: "end"})
	case !c.Follow:
		out = append(out, view.Help{Key: "G", Verb: "live"})
	}
	out = append(out, bar, view.Help{Key: "m", Verb: "mark"}, bar)
	switch {
	case v.Revs == nil:
	case v.zoom:
		out = append(out, view.Help{Key: "z", Verb: "all panes"})
	case v.at.revs > 0:
		out = append(out, view.Help{Key: "z", Verb: "zoom"})
	}
	verb := "the board"
	if v.whole != nil {
		verb = "back"
	}
	return append(out, view.Help{Key: "esc", Verb: verb})
}

func (v *View) enterVerb(c *view.Context) string {
	if v.target.Tool != "" || c.Log == nil || c.Board == nil {
		return "the frame"
	}
	if it := v.item(c); it != nil && it.Target.Tool != "" && it.Sign == "~" {
		return "compare it"
	}
	return "the frame"
}

// Where names the place for the page of keys.
func (v *View) Where(*view.Context) string {
	if v.target.Tool == "" {
		return "Board, Compare, the whole board"
	}
	return "Board, Compare, " + kit.CutMiddle(label.Name(v.target.Toolset, v.target.Instance, v.target.Tool), 60)
}

// Narrow is what the root says of the pane on a narrow screen, which has no
// head line; "" on a wider one.
func (v *View) Narrow(c *view.Context, w, h int) string {
	if w >= narrow {
		return ""
	}
	v.at = v.place(w, h)
	v.h = h - v.at.head
	rows, _, _ := v.content(c, v.at.w, v.h)
	v.lines = len(rows)
	v.top = max(min(v.top, v.lines-v.h), 0)
	return strings.TrimSpace("COMPARE "+kit.CutMiddle(kit.Clean(v.target.Tool), 8)) + v.arrows()
}

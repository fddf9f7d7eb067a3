package server

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// start is the page of a server that is not there yet, or never was: what
// happened, what was run, what it said, and what can be done now. It owns the
// choice of what to do, and its scroll.
type start struct {
	facts Facts
	pick  int
	top   int
	w     int  // columns, when it was drawn last
	moved bool // the choice moved since
	// began is the first frame of connection conn of log: looked up once.
	log   *timeline.Log
	conn  int
	began int
}

// choice is one thing that can be done now.
type choice struct {
	key, what, note string
	verb            string // after enter
	do              view.Intent
}

// stuck reports whether a connection is being made and something is the matter
// with it.
func (v *start) stuck(c *view.Context) bool {
	if c.Board.Link.Phase >= timeline.Live {
		return false
	}
	words, _ := v.sentence(c)
	return words != ""
}

// choices are what can be done now, where the connection is over, never was,
// or does not come about.
func (v *start) choices(c *view.Context) []choice {
	b := c.Board
	if b == nil || (b.Link.Phase != timeline.Closed && !v.stuck(c)) {
		return nil
	}
	var out []choice
	if v.facts.CanAct && (c.Ended || v.stuck(c)) {
		thing := "command"
		if v.remote() {
			thing = "address"
		}
		note := "the same " + thing + "; the recording goes on as connection "
		if !c.Ended {
			note = "ends this one; the recording goes on as connection "
		}
		out = append(out, choice{
			"r", "try again", note + itoa(max(b.Conn, c.Log.LastConn())+1),
			"try again",
			view.Intent{Kind: view.Run, Line: "reconnect"},
		})
		out = append(out, choice{"t", "change the " + thing, "opens it in a line, filled in", "change the " + thing, view.Intent{}})
	}
	kept := ""
	switch {
	case v.facts.File != "" && (v.facts.Recording || c.Replay):
		kept = ", kept in " + v.facts.File
	case v.facts.RecordErr != "":
		kept = ", not recorded: " + v.facts.RecordErr
	}
	out = append(out,
		choice{"3", "see the wire", count(c.Len, "frame") + kept, "see the wire", view.Intent{Kind: view.Show, View: 3}},
		choice{"y", "copy this page", "for an issue; stderr stands in it as it is", "copy this page", view.Intent{}},
	)
	return out
}

// draw draws the page.
func (v *start) draw(r kit.Region, c *view.Context) {
	if r.W < 4 || r.H < 1 || c.Board == nil {
		return
	}
	v.w = r.W
	p := v.page(c, r.W)
	r.Fill(0, 0, r.W, kit.As(kit.Rule), "━")
	r.Put(1, 0, kit.As(kit.Title), " SERVER ")
	body := r.Sub(0, 1, r.W, r.H-1)
	lines := p.fit(body.H)
	v.scroll(lines, body.H)
	for y := 0; y < body.H && v.top+y < len(lines); y++ {
		lines[v.top+y].draw(body, y)
	}
	note := " " + p.note + " "
	if v.top > 0 {
		note += "↑" + itoa(v.top) + " "
	}
	if below := len(lines) - v.top - body.H; below > 0 {
		note += "↓" + itoa(below) + " "
	}
	if x := r.W - 1 - kit.Width(note); x > 8 {
		r.Put(x, 0, kit.As(kit.Title), note)
	}
}

// scroll brings the choice into sight after it moved.
func (v *start) scroll(lines []line, h int) {
	if v.moved {
		for y, l := range lines {
			if l.mark != "" && y >= v.top+h {
				v.top = y - h + 1
			} else if l.mark != "" && y < v.top {
				v.top = y
			}
		}
		v.moved = false
	}
	v.top = max(min(v.top, len(lines)-h), 0)
}

// press handles the choice of what to do, and scrolling.
func (v *start) press(key string, c *view.Context) (view.Intent, bool) {
	ch := v.choices(c)
	switch key {
	case "j", "down":
		v.move(1, len(ch))
	case "k", "up":
		v.move(-1, len(ch))
	case "pgdown", "ctrl+d":
		v.top += 10
	case "pgup", "ctrl+u":
		v.top = max(v.top-10, 0)
	case "y":
		return v.copy(c), true
	case "enter":
		if len(ch) == 0 {
			return view.Intent{}, false
		}
		pick := ch[min(v.pick, len(ch)-1)]
		if pick.do.Kind == view.Nothing {
			return v.press(pick.key, c)
		}
		return pick.do, true
	default:
		return view.Intent{}, false
	}
	return view.Intent{}, true
}

// chosen returns the key that enter stands for where the root does what it
// says, "" where press does.
func (v *start) chosen(c *view.Context) string {
	ch := v.choices(c)
	if len(ch) == 0 {
		return ""
	}
	return ch[min(v.pick, len(ch)-1)].key
}

func (v *start) move(by, n int) {
	if n == 0 {
		v.top = max(v.top+by, 0)
		return
	}
	v.pick, v.moved = max(min(v.pick+by, n-1), 0), true
}

// copiedWidth is how wide the page is when it is copied.
const copiedWidth = 100

// copy gives the whole page as text.
func (v *start) copy(c *view.Context) view.Intent {
	var b strings.Builder
	login := v.facts.Login
	v.facts.Login = "" // it is for this person alone
	defer func() { v.facts.Login = login }()
	for _, l := range v.page(c, copiedWidth).all() {
		b.WriteString(strings.TrimRight(l.plain(), " "))
		b.WriteByte('\n')
	}
	return view.Intent{Kind: view.Copy, Text: b.String(), What: "this page"}
}

// click chooses what is clicked, or scrolls.
func (v *start) click(_, y, wheel int, c *view.Context) view.Intent {
	if wheel != 0 {
		v.top = max(v.top+3*wheel, 0)
		return view.Intent{}
	}
	for i, ch := range v.choices(c) {
		if v.rowOf(c, ch.key) == y {
			v.pick = i
		}
	}
	return view.Intent{}
}

// help returns the keys of this page.
func (v *start) help(c *view.Context) []view.Help {
	ch := v.choices(c)
	if len(ch) == 0 {
		return []view.Help{{Key: "j k", Verb: "scroll"}, {Key: "3", Verb: "wire"}, {Key: "y", Verb: "copy"}}
	}
	out := []view.Help{{Key: "enter", Verb: ch[min(v.pick, len(ch)-1)].verb}, {Key: "j k", Verb: "choose"}}
	for _, one := range ch {
		short := map[string]string{"r": "again", "t": "target", "3": "wire", "y": "copy"}[one.key]
		out = append(out, view.Help{Key: one.key, Verb: short})
	}
	return out
}

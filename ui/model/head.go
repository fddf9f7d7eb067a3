package model

import (
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// headScroll is the cursor and the scroll of the stable head: its tools, and
// below them the changes of the head, newest first.
type headScroll struct {
	at, top int
	// changes are those that were in sight lately. Each costs the way from a
	// keyframe, so few are read for one drawing.
	changes map[int]timeline.HeadChange
	left    int
	short   bool // some in sight were left for the next drawing
	rows, y int
}

const (
	drawChanges = 3    // changes that are read for one drawing
	keepChanges = 1024 // and how many are kept
	maxSized    = 64 << 10
)

// headLine is a line of the list: a tool, a change, or a blank.
type headLine struct {
	tool   int // -1: none
	change int // -1: none
}

// headLines is how many lines the list has.
func (m *moment) headLines() int {
	n := len(m.b.Static)
	if m.cost.Rebuilds > 0 {
		n += 2 + m.cost.Rebuilds
	}
	return n
}

func (m *moment) headLine(i int) headLine {
	l := headLine{-1, -1}
	n := len(m.b.Static)
	switch {
	case i < n:
		l.tool = i
	case i >= n+2:
		l.change = m.cost.Rebuilds - 1 - (i - n - 2)
	}
	return l
}

// change returns change n of the head, ok is false where it has to wait for
// the next drawing or cannot be read.
func (v *View) change(m *moment, n int) (ch timeline.HeadChange, ok bool) {
	s := &v.head
	if ch, ok = s.changes[n]; ok {
		return ch, true
	}
	if s.left == 0 {
		s.short = true
		return ch, false
	}
	s.left--
	ch, err := m.c.Log.HeadChange(n)
	if err != nil {
		return ch, false
	}
	if s.changes == nil || len(s.changes) >= keepChanges {
		s.changes = map[int]timeline.HeadChange{}
	}
	s.changes[n] = ch
	return ch, true
}

// drawHead draws what a model has in each prompt.
func (v *View) drawHead(r kit.Region, m *moment) {
	if text := m.noHead(); text != "" {
		drawWrapped(r, 1, 1, text)
		return
	}
	foot := m.headFoot()
	intro := kit.Wrap(m.headIntro(), r.W-2)
	if r.H < len(intro)+1+4+1+len(foot) {
		intro = nil
	}
	if r.H < len(foot)+4 {
		foot = foot[:min(len(foot), 2)]
	}
	if r.H < 5 {
		foot = foot[:min(len(foot), 1)]
	}
	y := 0
	for _, line := range intro {
		r.Put(1, y, kit.As(kit.Dim), line)
		y++
	}
	if y > 0 {
		y++
	}
	gap := min(1, max(r.H-7, 0))
	room := max(r.H-y-gap-len(foot), 1)
	n := m.headLines()
	s := &v.head
	s.at = max(min(s.at, n-1), 0)
	s.y, s.rows = y, min(room, n)
	s.top = window(s.top, s.at, n, room)
	v.drawHeadList(r.Sub(0, y, r.W, s.rows), m)
	y += s.rows + gap
	if below := n - s.top - s.rows; gap > 0 && below > 0 {
		r.PutRight(r.W-1, y-1, kit.As(kit.Dim), fmt.Sprintf("↓%d", below))
	}
	for _, f := range foot {
		r.Put(1, y, kit.As(kit.Title), f.name)
		r.PutCut(11, y, r.W-11, kit.As(kit.Normal), f.text)
		r.PutRight(r.W-1, y, kit.As(kit.Normal), f.right)
		y++
	}
}

// drawHeadList draws the tools and changes in sight.
func (v *View) drawHeadList(r kit.Region, m *moment) {
	s := &v.head
	wide := 0
	for i := s.top; i < s.top+r.H; i++ {
		if l := m.headLine(i); l.tool >= 0 {
			wide = max(wide, kit.Width(label.Peer(m.b.Static[l.tool].Name)))
		}
	}
	wide = min(wide, r.W*2/5)
	for y := range r.H {
		i := s.top + y
		here := i == s.at && v.focus == onHead
		if here && m.c.Focus {
			r.Put(0, y, kit.As(kit.Bright), "▌")
		} else if here {
			r.Put(0, y, kit.As(kit.Normal), "▏")
		}
		switch l := m.headLine(i); {
		case l.tool >= 0:
			drawHeadTool(r, y, &m.b.Static[l.tool], wide, i == 0 || y == 0, here)
		case l.change >= 0:
			v.drawChange(r, y, m, l.change, here)
		case i == len(m.b.Static)+1:
			r.PutCut(1, y, r.W-1, kit.As(kit.Dim), "It changed, newest first:")
		}
	}
}

func drawHeadTool(r kit.Region, y int, t *timeline.Tool, wide int, first, here bool) {
	size := "…" // so large that it is not measured at each drawing
	if len(t.Declared) <= maxSized {
		size = "~" + timeline.Grouped(timeline.HeadTokens(timeline.PromptBytes(t.Declared)))
	}
	if first {
		size += " tok"
	} else {
		size += "    "
	}
	x := r.W - 1 - kit.Width(size)
	r.Put(3, y, kit.Style{Role: kit.Normal, Bold: here}, label.CutName(t.Name, wide))
	r.PutCut(3+wide+2, y, x-2-(3+wide+2), kit.As(kit.Dim), label.Description(t))
	r.Put(x, y, kit.As(kit.Normal), size)
}

func (v *View) drawChange(r kit.Region, y int, m *moment, n int, here bool) {
	ch, ok := v.change(m, n)
	if !ok {
		r.Put(3, y, kit.As(kit.Dim), "…")
		return
	}
	style := kit.Style{Role: kit.Normal, Bold: here}
	x := r.Put(3, y, kit.As(kit.Dim), fmt.Sprintf("frame %d", ch.Seq)) + 2
	if ch.Rev > 0 {
		x = r.Put(x, y, kit.As(kit.Dim), inspector.HeadCause(&ch)) + 2
	}
	r.PutCut(x, y, r.W-x-1, style, inspector.HeadChange(&ch))
}

// noHead says why the list has no tool at all.
func (m *moment) noHead() string {
	_, all := label.Dynamic(m.b)
	switch {
	case m.b.ListAt < 0:
		return m.c.Unlisted()
	case all+len(m.b.Static) == 0 && m.cost.Rebuilds == 0:
		text := fmt.Sprintf("tools/list came back empty, frame %d.", m.c.Log.Entry(m.b.ListAt).Seq)
		if !m.c.Replay && !m.c.Ended {
			text += " R asks again."
		}
		return text
	}
	return ""
}

func (m *moment) headIntro() string {
	if len(m.b.Static) == 0 {
		return "No tool is static: the head of the prompt is empty."
	}
	since := ""
	if m.cost.Since >= 0 {
		since = fmt.Sprintf(" since frame %d", m.c.Log.Entry(m.cost.Since).Seq)
	}
	return "In every prompt, cached, the same bytes" + since + "."
}

// footLine is one of the lines that sum up the head.
type footLine struct{ name, text, right string }

func (m *moment) headFoot() []footLine {
	foot := []footLine{
		{"STATIC", inspector.Count(len(m.b.Static), "tool"), inspector.HeadTokens(m.b)},
		{"", "rebuilt " + inspector.Count(m.cost.Rebuilds, "time"), ""},
		{},
	}
	if !m.b.ToolHints {
		return append(foot, footLine{"DYNAMIC", "none: no hints agreed", ""})
	}
	n, all := label.Dynamic(m.b)
	return append(foot,
		footLine{"DYNAMIC", fmt.Sprintf("%s, %d usable now", inspector.Count(all, "tool"), n), ""},
		footLine{"", "The model learns of them", ""},
		footLine{"", "by what is announced.", ""})
}

package ui

import (
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

var viewNames = [numViews + 1]string{"", "Board", "Lanes", "Wire", "Findings", "Model", "Server"}

// drawRow2 answers: what is wrong, where can I go. The views with their
// counts stand in slots that never move; at the right stands what is open.
func (m *Model) drawRow2(r kit.Region, body box) {
	x := 1
	for n := 1; n <= numViews; n++ {
		label := m.tab(n, r.W)
		w := kit.Width(label)
		m.screen.zone(x, 1, w+2, itoa(n))
		if n == m.cur {
			r.Put(x, 0, kit.As(kit.Title), "["+label+"]")
		} else {
			m.drawTab(r, x+1, label)
		}
		x += w + 2 + size(r.W, 3, 2, 1, 0)
	}
	text, style := m.callsOpen()
	if r.W < narrowFrom {
		text, style = m.paneTitle(body), kit.As(kit.Normal)
	}
	if text = kit.Clean(text); kit.Width(text)+x <= r.W-1 || (r.W < narrowFrom && x < r.W-1) {
		text = kit.Cut(text, r.W-1-x)
		r.Put(r.W-1-kit.Width(text), 0, style, text)
	}
}

// drawTab draws the name of a view that is not shown; a finding is red.
func (m *Model) drawTab(r kit.Region, x int, label string) {
	for i, c := range label {
		if c == '✗' {
			r.Put(r.Put(x, 0, kit.As(kit.Normal), label[:i]), 0, kit.As(kit.Bad), label[i:])
			return
		}
	}
	r.Put(x, 0, kit.As(kit.Normal), label)
}

// tab is the name of a view in row 2, with its count.
func (m *Model) tab(n, w int) string {
	name := itoa(n)
	if w >= narrowFrom {
		name += " " + viewNames[n]
	}
	switch {
	case n == viewWire && w >= narrowFrom && m.cx.Len > 0:
		if at, last := m.cx.Board.Seq, m.lastSeq(); at != last {
			return fmt.Sprintf("%s %d/%d", name, at, last)
		}
		return name + " " + itoa(m.lastSeq())
	case n == viewFindings:
		here, later := m.judging.book.Split(m.head.at)
		switch {
		case here > 0:
			return name + " ✗" + itoa(here)
		case later > 0 && w >= narrowFrom:
			return name + " ✗" + itoa(later) + " later"
		}
	}
	return name
}

// callsOpen says how many requests of the host wait for their answer: now, or
// at the moment that is shown.
func (m *Model) callsOpen() (string, kit.Style) {
	open := openCalls(m.cx.Newest)
	if !m.cx.Replay && open > 0 {
		return "⋯ " + inspector.Count(open, "call") + " open", kit.As(kit.Bright)
	}
	open = openCalls(m.cx.Board)
	text := inspector.Count(open, "call") + " open"
	if m.cx.Replay || m.past() {
		text += " then"
	}
	if open > 0 {
		text = "⋯ " + text
	}
	return text, kit.As(kit.Dim)
}

// openCalls counts the requests of the host that wait for an answer. Those of
// the handshake are no calls, and nothing waits on a connection that is over.
func openCalls(b *timeline.Board) int {
	if b.Link.Phase != timeline.Live {
		return 0
	}
	return len(b.Waiting())
}

// titled is a view that has one pane alone on a narrow screen, and names it
// here.
type titled interface {
	Narrow(c *view.Context, w, h int) string
}

// paneTitle names what a narrow screen shows.
func (m *Model) paneTitle(body box) string {
	switch p := m.over.(type) {
	case page:
		return p.title(m)
	case *formPage:
		return p.form.Where()
	}
	if t, ok := m.view().(titled); ok {
		return t.Narrow(m.moment(), body.w, body.h)
	}
	return viewNames[m.cur]
}

package ui

import (
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/start"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// airyFrom is the height from which blank rows set the page's parts apart.
const airyFrom = 14

// listAt is the row of the body at which the list begins.
func (p *startPage) listAt(h int) int {
	at := 2
	if h >= airyFrom {
		at = 4
	}
	return at
}

// drawNothing draws row 1 while nothing is connected.
func (m *Model) drawNothing(r kit.Region) {
	right := "○ NOTHING CONNECTED"
	r.PutCut(1, 0, r.W-kit.Width(right)-3, kit.As(kit.Bright), m.status.Title)
	r.PutRight(r.W-1, 0, kit.As(kit.Bright), right)
}

// draw draws the page: the line, and the list below it.
func (p *startPage) draw(m *Model, r kit.Region) {
	r.Fill(0, 0, r.W, kit.As(kit.Rule), "━")
	x := r.PutCut(1, 0, r.W-2, kit.As(kit.Title), " "+start.Title+" ")
	for _, note := range []string{" type to filter, or type a command or an address ", " type to filter, or a command ", " type "} {
		if w := kit.Width(note); x+w+3 <= r.W {
			r.Put(r.W-1-w, 0, kit.As(kit.Title), note)
			break
		}
	}
	y := 1
	if r.H >= airyFrom {
		y = 2
	}
	p.drawLine(m, r.Sub(0, y, r.W, 1))
	list := r.Sub(0, p.listAt(r.H), r.W, r.H)
	if n := p.drawWrong(list); n > 0 {
		list = list.Sub(0, n+1, list.W, list.H)
	}
	p.list.Draw(list, m.opt.Now())
}

// drawLine draws the line, and at its right what it was understood as.
func (p *startPage) drawLine(m *Model, r kit.Region) {
	x := 3
	if r.W < narrowFrom {
		x = 1
	}
	x = r.Put(x, 0, kit.As(kit.Key), "›") + 2
	room := r.W - 1
	if text := p.says(m); text != "" && r.W >= narrowFrom {
		w := min(kit.Width(kit.Clean(text)), r.W/2)
		room = r.W - 1 - w - 2
		r.PutCut(r.W-1-w, 0, w, kit.As(kit.Dim), text)
	}
	if p.line.text == "" {
		r.Put(x, 0, kit.As(kit.Bright), "▏")
		return
	}
	p.line.draw(r.Sub(0, 0, room, 1), x, 0)
}

// says is what the line is, in a few words.
func (p *startPage) says(m *Model) string {
	switch e, ok := p.list.Chosen(); {
	case p.going != "":
		return "connecting"
	case p.line.text == "", p.list.Moved(), p.wrong != "":
		return ""
	case p.meaning.Sure:
		return p.meaning.Text
	case ok:
		return "enter: " + e.Name
	}
	return p.meaning.Text
}

// mostWrong is how many rows an error may take.
const mostWrong = 4

// drawWrong draws why the last line was not taken, and returns how many rows
// that took.
func (p *startPage) drawWrong(r kit.Region) int {
	if p.wrong == "" {
		return 0
	}
	lines := kit.Wrap(kit.Clean("! "+p.wrong), max(r.W-4, 1))
	if len(lines) > mostWrong {
		lines = append(lines[:mostWrong-1], lines[mostWrong-1]+" …")
	}
	for y, text := range lines {
		r.PutCut(2, y, r.W-3, kit.As(kit.Changed), text)
	}
	return len(lines)
}

// drawOver draws the ways to go on.
func (p *startPage) drawOver(_ *Model, r kit.Region) {
	if len(p.ways.found) > 1 {
		p.ways.draw(r)
	}
}

// drawFoot draws, while nothing is connected, what becomes of a session.
func (p *startPage) drawFoot(m *Model, r kit.Region) bool {
	if !m.status.Empty {
		return false
	}
	top := r.Sub(0, 0, r.W, 1)
	top.Fill(0, 0, r.W, kit.As(kit.Rule), "─")
	words := []string{"every session is recorded here on this machine; nothing leaves it", "sessions are recorded here; nothing leaves", "recorded here alone"}
	if !p.list.Kept() {
		words = []string{"nothing is recorded, as --no-record says", "nothing is recorded"}
	}
	if text := m.message.shown(m); text != "" {
		words = []string{text}
	}
	for i, text := range words {
		if kit.Width(kit.Clean(text))+4 <= r.W || i == len(words)-1 {
			top.PutCut(1, 0, r.W-2, kit.As(kit.Normal), " "+text+" ")
			break
		}
	}
	m.drawHelp(r.Sub(0, 1, r.W, 1))
	return true
}

// helpEnd is the right end of the help line, in full and short.
func (p *startPage) helpEnd(w int) (ends [2][][]view.Help) {
	quit := view.Help{Key: "ctrl-c", Verb: "twice quits"}
	long := []view.Help{{Key: ":", Verb: "command"}, {Key: "?", Verb: "help"}, quit}
	short := []view.Help{{Key: ":"}, {Key: "?"}, quit}
	if p.line.text != "" {
		long, short = []view.Help{quit}, nil
	}
	if w < narrowFrom {
		short = []view.Help{{Key: "?", Verb: "help"}}
		long = short
	}
	ends[0], ends[1] = [][]view.Help{long}, [][]view.Help{short}
	return ends
}

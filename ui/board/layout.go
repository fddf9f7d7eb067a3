package board

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// pane is one of the board's panes, in the order of tab.
type pane uint8

const (
	paneRevs pane = iota
	paneTools
	paneOpen
	paneSuggested
	paneInspect
	numPanes
)

var paneNames = [numPanes]string{"REVS", "TOOLS", "OPEN", "SUGGESTED", "INSPECT"}

// words for "Where": as a title, not as a heading.
var paneWords = [numPanes]string{"Revs", "Tools", "Open", "Suggested", "Inspect"}

// air is how much room there is between the lines of TOOLS.
type air uint8

const (
	noAir    air = iota // as always
	groupAir            // a blank line above each group
	fullAir             // and below the head line and the heads of instances
)

// below is the room that air leaves for the legend below TOOLS.
func (a air) below() int {
	if a == fullAir {
		return captionRows
	}
	return 0
}

type rect struct{ x, y, w, h int }

func (r rect) has(x, y int) bool {
	return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h
}

// place is where a pane stands: its head line, and the body below it.
type place struct {
	on   bool
	head bool
	body rect // the head line is the row above it
}

// divider is a vertical line of the board.
type divider struct{ x, y, h int }

// layout is where everything stands at one size.
type layout struct {
	w, h     int
	at       [numPanes]place
	other    place // REVS of the other one of two connections
	dividers []divider

	single bool // one pane, without head lines
	tall   bool // all groups unfolded, the whole legend
	tight  bool // no blank rows, no row of titles
	desc   bool // tools have descriptions
	ended  bool // ENDED stands at the end of TOOLS
	stage  bool // for a room: cells are spaced
	air    air  // and blank lines set TOOLS apart, as long as all of it is in sight
	strip  bool // OPEN and SUGGESTED are the strip, without CLOSED and column heads
}

// Sizes of the layout rules. The body is what is left of the screen below
// the rows of the head (2 or 3) and above the waiting row and the help, so 28
// rows of screen are 23 of body.
const (
	wideColumns   = 140
	middleColumns = 96
	narrowColumns = 60
	aloneColumns  = 74 // a TOOLS alone has room for descriptions beside two columns of cells

	tallBody   = 30
	dockedBody = 23
	stripBody  = 15
	tightBody  = 14

	inspectRows = 8
	stripRows   = 3
	stripWidth  = 36
)

// lay computes where the panes stand at a size, for what is in them.
func (b *Board) lay(m *moment, w, h int) layout {
	l := layout{
		w: w, h: h, tall: h >= tallBody, tight: h < tightBody,
		desc: w >= middleColumns, ended: w < middleColumns, stage: b.stage,
	}
	switch {
	case w < narrowColumns:
		l.single = true
		p := b.focus
		switch {
		case b.over:
			p = paneInspect
		case p != paneRevs:
			p = paneTools
		}
		l.put(p, false, rect{0, 0, w, h})
	case b.over:
		l.put(paneInspect, true, rect{0, 0, w, h})
	case b.zoom:
		l.put(b.focus, true, rect{0, 0, w, h})
		l.desc = w >= aloneColumns
		l.ended = l.ended && b.focus == paneTools && (!l.stage || len(m.ends) > 0)
		if l.stage && !l.tight {
			l.air = fullAir
		}
	case w >= wideColumns:
		l.wide(b, m)
	case w >= middleColumns:
		l.middle(b, m)
	default:
		l.narrow()
	}
	l.split(m)
	return l
}

// put places a pane into r, its head line included.
func (l *layout) put(p pane, head bool, r rect) {
	if head {
		r.y, r.h = r.y+1, r.h-1
	}
	l.at[p] = place{on: true, head: head, body: r}
}

func (l *layout) wide(b *Board, m *moment) {
	l.put(paneRevs, true, rect{0, 0, 44, l.h})
	l.put(paneTools, true, rect{45, 0, 54, l.h})
	l.dividers = []divider{{44, 0, l.h}, {99, 0, l.h}}
	x, w := 100, l.w-100
	limit := l.h / 3
	if l.h < 15 {
		limit = l.h / 2
	}
	open, sugg := b.share(m, l, w, limit)
	y := 0
	if open > 0 {
		l.put(paneOpen, true, rect{x, y, w, open})
		y += open
	}
	if sugg > 0 {
		l.put(paneSuggested, true, rect{x, y, w, sugg})
		y += sugg
	}
	l.put(paneInspect, true, rect{x, y, w, l.h - y})
}

// share divides at most limit rows between OPEN and SUGGESTED, head lines
// included: each is as high as its content where both fit.
func (b *Board) share(m *moment, l *layout, w, limit int) (open, sugg int) {
	open = 1 + len(m.openLines(w, *l))
	sugg = 1 + len(m.suggestedLines(w))
	switch {
	case limit < 2:
		return 0, 0
	case limit < 4:
		return min(open, limit), 0
	case open+sugg <= limit:
		return open, sugg
	}
	sugg = min(sugg, max(2, (limit+1)/3, limit-open))
	return min(open, limit-sugg), sugg
}

func (l *layout) middle(b *Board, m *moment) {
	docked, strip := l.h >= dockedBody, l.h < dockedBody && l.h >= stripBody
	below := 0
	if docked {
		below = inspectRows + 1
	} else if strip {
		below = stripRows + 1
	}
	l.top(37, l.h-below)
	if below == 0 {
		return
	}
	l.strip = true
	y, left := l.h-below, l.w-1-stripWidth
	right := rect{left + 1, y, stripWidth, below}
	l.dividers = append(l.dividers, divider{left, y, below})
	if strip {
		l.put(paneOpen, true, rect{0, y, left, below})
		l.put(paneSuggested, true, right)
		return
	}
	l.put(paneInspect, true, rect{0, y, left, below})
	open, _ := b.share(m, l, stripWidth, below)
	l.put(paneOpen, true, rect{right.x, y, right.w, open})
	l.put(paneSuggested, true, rect{right.x, y + open, right.w, below - open})
}

func (l *layout) narrow() {
	below := 0
	if l.h >= dockedBody {
		below = inspectRows + 1
		l.put(paneInspect, true, rect{0, l.h - below, l.w, below})
	}
	l.top(30, l.h-below)
}

// top places REVS and TOOLS side by side in the upper h rows.
func (l *layout) top(revs, h int) {
	l.put(paneRevs, true, rect{0, 0, revs, h})
	l.put(paneTools, true, rect{revs + 1, 0, l.w - revs - 1, h})
	l.dividers = append(l.dividers, divider{revs, 0, h})
}

// settle brings the state of the view in line with what there is now: the
// focus stands on a pane that is drawn, cursors on things that exist. It
// returns the layout.
func (b *Board) settle(m *moment) layout {
	w, h := b.w, b.h
	if w <= 0 || h <= 0 {
		w, h = 100, 25
	}
	l := b.lay(m, w, h)
	if !l.at[b.focus].on {
		switch {
		case b.over:
			b.focus = paneInspect
		case l.single && b.focus == paneInspect && b.last == paneRevs:
			b.focus = paneRevs
		default:
			b.focus = paneTools
		}
		l = b.lay(m, w, h)
	}
	if b.focus != paneInspect {
		b.last = b.focus
	}
	b.arrive(m)
	m.rows = b.toolRows(m, l)
	for l.air > noAir && len(m.rows)+l.air.below() > l.at[paneTools].body.h {
		l.air--
		m.rows = b.toolRows(m, l)
	}
	b.keepAway(m)
	b.sel = b.resolve(m.rows, b.sel)
	b.open.resolve(m.openLines(stripWidth, l))
	b.sugg.resolve(m.suggestedLines(stripWidth))
	if l.at[paneInspect].on && b.Explain != nil {
		m.doc = b.explain(m)
	}
	return l
}

// keepAway remembers the cursor over a reconnect, while what it stands on is
// not listed yet.
func (b *Board) keepAway(m *moment) {
	switch arriving := m.c.Arriving(); {
	case arriving && b.away.Kind == OnNothing:
		b.away = b.sel
	case !arriving && b.away.Kind != OnNothing:
		b.sel, b.away = b.away, Selection{}
	}
}

// paneAt returns the pane at a cell of the body, head lines included.
func (l *layout) paneAt(x, y int) (pane, bool) {
	for p := pane(0); p < numPanes; p++ {
		at := l.at[p]
		r := at.body
		if at.head {
			r.y, r.h = r.y-1, r.h+1
		}
		if at.on && r.has(x, y) {
			return p, true
		}
	}
	return 0, false
}

// Narrow returns what the root says of the one pane of a narrow screen (below
// 60 columns), which has no head line of its own: "TOOLS 8/14 ↑2 ↓3". It is ""
// on wider screens. w and h are the size of the body.
func (b *Board) Narrow(c *view.Context, w, h int) string {
	if w >= narrowColumns {
		return ""
	}
	b.w, b.h = w, h
	m := b.moment(c)
	l := b.settle(m)
	switch {
	case l.at[paneInspect].on:
		return strings.TrimSuffix("INSPECT "+firstLine(m.doc.Title), " ")
	case l.at[paneRevs].on:
		v := b.revView(m, h)
		return b.narrowWords(m, paneRevs) + arrows(v.above, v.below)
	default:
		v := b.toolView(m, l, h)
		return b.narrowWords(m, paneTools) + arrows(v.above, v.below)
	}
}

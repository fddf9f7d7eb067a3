package ui

import (
	"fmt"
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// The least screen that is drawn, and the least that has row 3.
const (
	leastColumns = 40
	leastRows    = 10
	row3From     = 12
)

// The widths at which rows are drawn in another way (screens.md, "Layout
// rules").
const (
	wideFrom   = 140
	middleFrom = 96
	narrowFrom = 60
)

// box is a rectangle of the screen.
type box struct{ x, y, w, h int }

// layout is where the parts of the screen stand.
type layout struct {
	row3  int // -1 where there is no room for it
	body  box
	waits int // the row above the help
	help  int
}

func (m *Model) layout() layout {
	w, h := m.screen.w, m.screen.h
	l := layout{row3: -1, waits: h - 2, help: h - 1}
	top := 2
	if h >= row3From && !m.status.Empty {
		l.row3, top = 2, 3
	}
	l.body = box{0, top, w, max(h-2-top, 0)}
	return l
}

// draw draws the whole screen.
func (m *Model) draw(r kit.Region) {
	if r.W < leastColumns || r.H < leastRows {
		tooSmall(r)
		return
	}
	m.context()
	m.serverView()
	l := m.layout()
	row := func(y int) kit.Region { return r.Sub(0, y, r.W, 1) }
	if m.status.Empty {
		m.drawNothing(row(0))
	} else {
		m.drawRow1(row(0))
		m.drawRow2(row(1), l.body)
	}
	if l.row3 >= 0 {
		m.drawRow3(row(l.row3))
	}
	body := r.Sub(l.body.x, l.body.y, l.body.w, l.body.h)
	if p, ok := m.over.(page); ok {
		p.draw(m, body)
	} else {
		m.view().Draw(body, m.moment())
	}
	if p, ok := m.over.(lid); ok {
		p.drawOver(m, body)
	}
	if f, ok := m.over.(footed); !ok || !f.drawFoot(m, r.Sub(0, l.waits, r.W, 2)) {
		m.drawWaits(row(l.waits))
		m.drawHelp(row(l.help))
	}
}

// tooSmall says how large the terminal must be.
func tooSmall(r kit.Region) {
	text := fmt.Sprintf("mcpl-tui needs %d × %d cells, here are %d × %d: make the terminal larger",
		leastColumns, leastRows, r.W, r.H)
	for y, line := range kit.Wrap(text, r.W) {
		r.Put(0, y, kit.As(kit.Bright), line)
	}
}

// size picks by the width of a row: from 140 columns, from 96, from 60, below.
func size[T any](w int, wide, middle, narrow, least T) T {
	switch {
	case w >= wideFrom:
		return wide
	case w >= middleFrom:
		return middle
	case w >= narrowFrom:
		return narrow
	}
	return least
}

func itoa[T int | int64](n T) string { return strconv.FormatInt(int64(n), 10) }

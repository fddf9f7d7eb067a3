package ui

import (
	"errors"
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// sides are the connections that stand side by side, and which of them is
// shown. The playhead is one for both.
type sides struct {
	n     int // how many there are
	shown int // counted from 0
	// log is the timeline of the one that is shown. While there is one, it is
	// the session's own.
	log   *timeline.Log
	other view.Context // the moment of the other one, where there are two
	// wide is the moment with the frames of both, for the views that list them.
	wide view.Context
}

// follow brings the sides up to date: in a live session the one that commands
// go to is shown.
func (s *sides) follow(whole *timeline.Log, active int) {
	s.n = whole.Sides()
	if active > 0 && whole.FirstFrame(active) >= 0 {
		s.shown = whole.SideOf(active)
	}
	s.shown = min(s.shown, s.n-1)
	s.log = whole.Side(s.shown)
}

// complete makes the moments of the other side and of both from the one that
// is shown.
func (m *Model) complete() {
	s, c := &m.sides, &m.cx
	c.Sides, c.Side, c.Other = s.n, s.shown, nil
	if s.n < 2 {
		return
	}
	o := *c
	o.Log = m.pull.log.Side(1 - s.shown)
	o.Len, o.Rows, o.Newest = o.Log.Present()
	o.Len = min(o.Len, c.Len)
	o.Board = o.Newest
	if !c.Follow {
		o.Board = m.boardOn(o.Log, c.At, o.Newest)
	}
	o.Ended = m.status.Live && o.Newest.Link.Phase == timeline.Closed
	o.Row = lastRow(o.Log, c.At)
	o.Side, o.Lost, o.Focus, o.Other = 1-s.shown, "", false, nil
	s.other = o
	c.Other = &s.other
	s.wide = *c
	s.wide.Log = m.pull.log
	s.wide.Rows, s.wide.Row = m.pull.log.RowAt(c.Len-1)+1, lastRow(m.pull.log, c.At)
}

// lastRow is the last row at or before a frame, nil for none.
func lastRow(log *timeline.Log, at int) *timeline.Row {
	n := log.RowAt(at)
	if n < 0 {
		return nil
	}
	rows, err := log.Rows(n, n+1)
	if err != nil || len(rows) != 1 {
		return nil
	}
	return &rows[0]
}

// moment is what the view that is shown works with: one side, or, where it
// lists frames or connections, both.
func (m *Model) moment() *view.Context {
	if m.sides.n > 1 && (m.cur == viewWire || m.cur == viewFindings || m.cur == viewServer) {
		m.sides.wide.Focus, m.sides.wide.Now = m.cx.Focus, m.cx.Now
		return &m.sides.wide
	}
	return &m.cx
}

// changeSide shows the other connection, and lets commands go to it.
func (m *Model) changeSide() tea.Cmd {
	if m.sides.n < 2 {
		text := "there is one connection"
		if m.act != nil && m.status.Live {
			text += "; :connect again opens a second one beside it"
		}
		m.say(text)
		return nil
	}
	to := m.sides.other.Newest.Conn
	if m.status.Live && m.act != nil {
		return m.run(fmt.Sprintf("on %d", to), origin{})
	}
	m.showSide(1 - m.sides.shown)
	return nil
}

// showSide shows a connection of a recording, or the one that took its place.
func (m *Model) showSide(side int) {
	m.sides.shown = side
	m.update()
	m.say(fmt.Sprintf("connection %d is shown", m.cx.Newest.Conn))
}

// showConn is the command on N in a recording.
func (m *Model) showConn(arg string) error {
	n, err := strconv.Atoi(arg)
	if err != nil || m.pull.log.FirstFrame(n) < 0 {
		return errors.New("on takes the number of a connection: on 2")
	}
	m.over = nil
	m.showSide(m.pull.log.SideOf(n))
	return nil
}

// beside names the connection in row 1 where there are two: "2 beside 1".
func (m *Model) beside(conn int) string {
	o := m.second()
	if o == nil || o.Link.Phase == timeline.Closed {
		return itoa(conn)
	}
	return itoa(conn) + " beside " + itoa(o.Conn)
}

// second is the newest state of the connection that is not shown, nil where
// there is one.
func (m *Model) second() *timeline.Board {
	if m.sides.n < 2 {
		return nil
	}
	return m.sides.other.Newest
}

// secondMoves reports whether something on it counts.
func (m *Model) secondMoves() bool {
	l, _ := m.secondPart()
	return len(l) > 0
}

// secondPart tells what waits on the connection that is not shown: a question
// of the server, a call, the next try after its link was lost.
func (m *Model) secondPart() (left, right []inboxPart) {
	b := m.second()
	if b == nil || m.cx.Replay {
		return nil, nil
	}
	text := ""
	waits := 0
	for i := range b.Asks {
		if a := &b.Asks[i]; m.status.Now-a.T >= atOnce && !a.Cancelled {
			waits++
		}
	}
	switch r := b.Link.Retry; {
	case b.Link.Phase == timeline.Closed && r != nil:
		text = untilTry(r, m.status.Now)
	case b.Link.Phase == timeline.Closed:
	case waits > 0:
		text = "? " + itoa(waits) + " waits"
	case b.Link.Phase < timeline.Live:
		text = "◌ connecting, " + running(m.status.Now-b.Link.Started)
	case openCalls(b) > 0:
		calls := b.Waiting()
		call := &calls[len(calls)-1]
		text = "⋯ " + callName(call) + ", " + running(m.status.Now-call.T)
	}
	if text == "" {
		return nil, nil
	}
	return []inboxPart{{bits: []part{{text: "connection " + itoa(b.Conn) + ": " + text, style: kit.As(kit.Normal)}}}},
		[]inboxPart{{key: "s", text: "show it", stroke: "s"}}
}

package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// The paces of the clock.
const (
	fastTick = 100 * time.Millisecond
	slowTick = time.Second
	idleTick = 10 * time.Second
)

// clock makes the screen move while something on it counts. It stands still
// where nothing does.
type clock struct {
	n    int           // the tick that counts, older ones are void
	pace time.Duration // of the tick that is under way, 0: none
}

type tickMsg struct{ n int }

// tick starts the next tick, or a faster one in the place of a slow one.
func (m *Model) tick() tea.Cmd {
	pace := m.pace()
	if pace == 0 || (m.clock.pace != 0 && m.clock.pace <= pace) {
		return nil
	}
	m.clock.n++
	m.clock.pace = pace
	return m.after(pace, tickMsg{m.clock.n})
}

// ticked reports whether a tick is the one that counts.
func (c *clock) ticked(msg tickMsg) bool {
	if msg.n != c.n {
		return false
	}
	c.pace = 0
	return true
}

// busy is a view that works on while it is drawn: a filter that reads the
// session piece by piece.
type busy interface {
	// Busy reports whether another drawing would show more.
	Busy(c *view.Context) bool
}

// worker is a view with work that is too much for a drawing.
type worker interface {
	// Work returns the next piece of it, nil where there is nothing to do, or
	// one is under way.
	Work(c *view.Context) view.Work
}

// workedMsg is a piece of work that was done beside the screen for a view.
type workedMsg struct {
	of   view.View
	done func(*view.Context) view.Intent
}

// work starts the next piece of work of the view that is shown.
func (m *Model) work() tea.Cmd {
	v := m.view()
	w, ok := v.(worker)
	if !ok {
		return nil
	}
	piece := w.Work(m.moment())
	if piece == nil {
		return nil
	}
	return func() tea.Msg { return workedMsg{v, piece()} }
}

// worked takes in what a piece of work came to.
func (m *Model) worked(msg workedMsg) tea.Cmd {
	do := msg.done(m.moment())
	m.screen.dirty = true
	if msg.of != m.view() || m.over != nil {
		return nil // who looks at something else is not taken elsewhere
	}
	return m.intent(do)
}

// pace says how often something on the screen changes by itself.
func (m *Model) pace() time.Duration {
	b := m.pull.newest
	v, works := m.view().(busy)
	switch {
	case works && v.Busy(m.moment()):
		return frameTime
	case !m.status.Live:
		return m.player.pace(m)
	case m.retrying(), m.secondMoves(), m.pull.lag.moves():
		return fastTick
	case b.Link.Phase == timeline.Closed:
		if m.status.Now-b.Link.Closed.T < time.Minute {
			return slowTick
		}
		return idleTick
	case b.Link.Phase < timeline.Live, len(b.Waiting()) > 0, len(b.Held) > 0:
		return fastTick
	}
	return slowTick
}

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

// pace says how often something on the screen changes by itself.
func (m *Model) pace() time.Duration {
	b := m.pull.newest
	v, works := m.view().(busy)
	switch {
	case works && v.Busy(m.moment()):
		return frameTime
	case !m.status.Live:
		return m.player.pace(m)
	case m.retrying(), m.secondMoves():
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

package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// pull is the session as it was looked at last. However many frames come in
// the meantime, there is one look for each frameTime.
type pull struct {
	log        *timeline.Log
	generation int
	changed    <-chan struct{} // asked for before the look, so that no change is missed
	at         time.Time
	n, rows    int // frames and rows, at the last look
	newest     *timeline.Board
	shown      *timeline.Board // the board at the playhead
	row        *timeline.Row   // the row at the playhead, as it was with n frames
	heldSince  time.Duration   // when the oldest rev that is held came, -1: unknown
	failed     string          // why a board could not be made
	lag        lag             // how far the log is behind the wire
}

// changedMsg says that there is something to look at.
type changedMsg struct{ generation int }

// waitForChange waits for the next change of the session, and no less than
// frameTime since the last look.
func (m *Model) waitForChange() tea.Cmd {
	if m.still {
		return nil
	}
	wait := frameTime - m.opt.Now().Sub(m.pull.at)
	ctx, changed, generation := m.ctx, m.pull.changed, m.pull.generation
	return func() tea.Msg {
		if wait > 0 {
			t := time.NewTimer(wait)
			defer t.Stop()
			select {
			case <-t.C:
			case <-ctx.Done():
				return nil
			}
		}
		select {
		case <-changed:
			return changedMsg{generation}
		case <-ctx.Done():
			return nil
		}
	}
}

// look takes the session as it is now.
func (m *Model) look() {
	m.pull.changed = m.src.Changed()
	m.pull.at = m.opt.Now()
	m.status = m.src.Status()
	if m.status.Generation != m.pull.generation || m.src.Log() != m.pull.log {
		m.reset()
		m.pull.changed = m.src.Changed()
		m.pull.at = m.opt.Now()
	}
}

// forget lets everything be looked at anew, because another connection is
// shown.
func (p *pull) forget() { p.n, p.newest, p.shown, p.row = -1, nil, nil, nil }

// refresh takes the session as it is now and makes the moment that is shown.
func (m *Model) refresh() {
	m.look()
	m.update()
	m.settle()
	m.arrive()
}

// update makes the moment that is shown from the last look.
func (m *Model) update() {
	m.screen.dirty = true
	p, was := &m.pull, m.sides.log
	m.sides.follow(p.log, m.status.Active)
	log := m.sides.log
	if log != was {
		p.forget()
	}
	grew := log.Len() != p.n || p.newest == nil
	if grew {
		p.n, p.rows, p.newest = log.Present()
	}
	n := p.n
	p.lag.see(m.behind(), m.opt.Now())
	m.openAt()
	m.head.clamp(n)
	switch {
	case m.head.follow || n == 0:
		p.shown = p.newest
	case p.shown == nil || p.shown == p.newest || p.shown.Index != m.head.at:
		p.shown = m.board(m.head.at, p.newest)
	}
	c := &m.cx
	c.Log, c.Len, c.At, c.Follow = log, n, m.head.at, m.head.follow
	c.Replay, c.Limit = !m.status.Live, m.status.Timeout
	c.Board, c.Newest = p.shown, p.newest
	c.Ended = m.status.Live && p.newest.Link.Phase == timeline.Closed
	c.Lost = ""
	if m.retrying() {
		c.Lost = m.untilRetry()
	}
	c.Rows, c.Row = p.rows, m.rowAt(grew)
	if grew {
		p.heldSince = m.oldestHeld()
	}
	c.Now = m.now()
	m.complete()
	c.Mark = m.lastMark()
	c.Found = m.judging.book.Version()
	m.progress.follow(log, p.newest, n)
	m.hearForm()
	if grew {
		m.tellEnds()
		m.refreshForm()
	}
}

// openAt puts the playhead of a recording that stands still where there is
// something to see: where the user asked for, else at its first rev, or, where
// it never came to one, at its end.
func (m *Model) openAt() {
	p := &m.pull
	if !m.head.fresh || m.status.Live {
		return
	}
	if m.opt.Start != "" {
		// A rev names the last connection, so all must be read before.
		if !m.status.Loaded() {
			return
		}
		if i, err := m.placeOf(m.opt.Start); err == nil {
			m.head.at, m.head.fresh = i, false
			return
		}
	}
	if first := m.firstChapter(); first >= 0 {
		m.head.at, m.head.fresh = first, false
		return
	}
	if m.opt.Stage && !m.status.Loaded() {
		return // a mark may still come
	}
	if m.player.playing {
		m.head.fresh = false // from here on the player says where
		return
	}
	switch {
	case p.log.RowCount() > 0:
		m.head.at, m.head.fresh = p.log.RowIndex(0), false
	case m.status.Loaded() && p.n > 0:
		m.head.at, m.head.fresh = p.n-1, false
	}
}

// rowAt returns the row at the playhead. What a row says may change with later
// frames, so it is read again when there are more.
func (m *Model) rowAt(grew bool) *timeline.Row {
	p := &m.pull
	log := m.log()
	r := log.RowAt(m.head.at)
	if p.row != nil && p.row.N == r && !grew {
		return p.row
	}
	p.row = nil
	if r >= 0 {
		if rows, err := log.Rows(r, r+1); err == nil && len(rows) == 1 {
			p.row = &rows[0]
		}
	}
	return p.row
}

// board returns the state after frame i. Where the file cannot be read, the
// screen stays at the state that it has, and says so.
func (m *Model) board(i int, else_ *timeline.Board) *timeline.Board {
	return m.boardOn(m.log(), i, else_)
}

// boardOn is board on one of two sides.
func (m *Model) boardOn(log *timeline.Log, i int, else_ *timeline.Board) *timeline.Board {
	b, err := log.Board(i)
	if err == nil {
		m.pull.failed = ""
		return b
	}
	if text := err.Error(); text != m.pull.failed {
		m.pull.failed = text
		m.say("the state at this frame cannot be read: " + text)
	}
	if else_ == nil {
		else_ = &timeline.Board{Index: -1, ListAt: -1, ManifestAt: -1}
	}
	return else_
}

// now is the time of the session that the screen shows: the clock of a live
// one, the recording's own on replay.
func (m *Model) now() time.Duration {
	switch {
	case m.status.Live:
		return m.status.Now
	case m.player.moved:
		return m.player.pos
	case m.head.at >= 0 && m.head.at < m.pull.n:
		return m.pull.log.Entry(m.head.at).T
	}
	return 0
}

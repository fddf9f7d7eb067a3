package ui

import (
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// held says how many revs are held for earlier ones, and how long.
func (m *Model) held(b *timeline.Board) string {
	since := m.pull.heldSince
	if since < 0 {
		return inspector.Count(len(b.Held), "rev") + " held"
	}
	return inspector.Count(len(b.Held), "rev") + " held, " + running(m.status.Now-since)
}

// mostHeld is how many rows are looked back over for those that are held.
const mostHeld = 1000

// oldestHeld is when the oldest rev that is held arrived, -1 if unknown.
func (m *Model) oldestHeld() time.Duration {
	oldest, b, log := time.Duration(-1), m.pull.newest, m.log()
	if len(b.Held) == 0 {
		return oldest
	}
	for n := m.cx.Rows - 1; n >= max(m.cx.Rows-mostHeld, 0); n-- {
		if row := log.RowHead(n); row.Conn == b.Conn && row.Status == timeline.Held && row.Taken < 0 {
			oldest = log.Entry(row.Index).T
		}
	}
	return oldest
}

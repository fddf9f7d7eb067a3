package ui

import (
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// Frames that were read off the wire and not reduced yet are few at nearly all
// times. In a flood they are many, and the present that is shown is seconds
// old: row 1 says so from lagMany on, until they are lagFew, and only where it
// lasts for lagTime, so that a burst which nobody notices is not told.
const (
	lagMany = 5000
	lagFew  = 1000
	lagTime = 250 * time.Millisecond
)

// lag is how far the log is behind the wire, as row 1 says it.
type lag struct {
	n  int       // what is said, 0: nothing
	at time.Time // when that was looked at, zero: it need not be
}

// see takes how many frames there are to come. What is said changes no more
// often than every lagTime.
func (l *lag) see(behind int, now time.Time) {
	switch {
	case l.at.IsZero():
		if behind >= lagMany {
			l.at = now
		}
	case behind < lagFew && l.n == 0:
		l.at = time.Time{}
	case now.Sub(l.at) < lagTime:
	case behind < lagFew:
		*l = lag{}
	default:
		l.n, l.at = behind/100*100, now
	}
}

// moves reports whether what is said is about to change.
func (l *lag) moves() bool { return !l.at.IsZero() }

// behind is how many frames of a live session are not reduced yet. Of a
// recording that is still being read row 1 says how much of it is.
func (m *Model) behind() int {
	if !m.status.Live {
		return 0
	}
	n, _ := m.pull.log.Behind()
	return n
}

// behindParts say in row 1 that the present is older than it seems. They
// never go.
func (m *Model) behindParts(w int) []part {
	n := m.pull.lag.n
	if n == 0 || m.cx.Replay {
		return nil
	}
	text := "! " + timeline.Grouped(n)
	switch {
	case m.past() && w >= narrowFrom:
		text = "! live is " + timeline.Grouped(n)
	case w >= wideFrom:
		text += " frames"
	}
	return []part{{text: text + " behind", style: kit.Style{Role: kit.Changed, Bold: true}}}
}

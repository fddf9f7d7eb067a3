package ui

import (
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

// playhead is the one point in time that all views show.
type playhead struct {
	at     int  // position of the frame, -1: none yet
	follow bool // it stands at the end, and goes with it
	fresh  bool // nobody moved it yet
}

func (h *playhead) clamp(n int) {
	if h.follow {
		h.at = n - 1
	}
	h.at = max(min(h.at, n-1), min(0, n-1))
}

// goTo moves the playhead to a frame; a recording that plays stops there.
func (m *Model) goTo(i int) {
	m.player.stop()
	m.seek(i)
}

// seek moves the playhead to a frame. In a live session the last frame is the
// present, which goes on.
func (m *Model) seek(i int) {
	n := m.pull.n
	m.head.at, m.head.fresh = max(min(i, n-1), 0), false
	m.head.follow = m.status.Live && m.head.at >= n-1
	m.player.moved = false
	m.update()
}

// goLive moves the playhead to the end: the present, or the end of a file.
func (m *Model) goLive() {
	m.player.stop()
	m.head.follow = m.status.Live
	m.head.at, m.head.fresh = m.pull.n-1, false
	m.player.moved = false
	m.update()
}

// freeze stops the screen at this frame while the session goes on.
func (m *Model) freeze() {
	if m.head.follow {
		m.head.follow = false
		m.update()
		m.say("frozen at frame " + itoa(m.cx.Board.Seq) + "; the session goes on, space or G returns to it")
		return
	}
	m.goLive()
}

// stepRev moves by one rev: to the row before the one that is shown, or to
// the next. Onto the newest in a live session is live.
func (m *Model) stepRev(by int) {
	log := m.log()
	n := log.RowAt(m.head.at) + by
	switch last := m.cx.Rows - 1; {
	case last < 0:
		m.say("no rev yet")
	case n < 0:
		m.say("this is the first rev")
	case n > last && m.cx.Replay:
		m.say("this is the last rev; G goes to the end of the recording")
	case n >= last && !m.cx.Replay:
		m.goLive()
	default:
		m.goTo(log.RowIndex(n))
	}
}

// goToTime moves to the last frame at or before a time of the session.
func (m *Model) goToTime(t time.Duration) {
	if i := m.log().IndexAt(t); i >= 0 {
		m.goTo(i)
		return
	}
	m.goTo(0)
}

// newer returns how many frames and revs come after the playhead.
func (m *Model) newer() (frames, revs int) {
	return m.cx.Len - 1 - m.head.at, m.cx.Rows - 1 - m.log().RowAt(m.head.at)
}

// past reports whether the screen stands still while a live session goes on.
func (m *Model) past() bool { return m.status.Live && !m.head.follow && m.cx.Len > 0 }

// backToLive returns to the present for something that acts on it, and says
// so if that moved the screen.
func (m *Model) backToLive() {
	if m.past() {
		from := m.cx.Board.Seq
		m.goLive()
		m.say("back to live from frame " + itoa(from))
	}
}

// stamp names the moment that is shown, for messages.
func (m *Model) stamp() string { return inspector.ClockShort(m.cx.Now) }

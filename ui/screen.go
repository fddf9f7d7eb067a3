package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// frameTime is the least time between two drawings: 30 a second at most. What
// a user does is shown sooner, since a flood draws all the time, and its next
// turn is far away.
const (
	frameTime = time.Second / 30
	keyTime   = time.Second / 120
)

// screen holds what was drawn last and knows when to draw again.
type screen struct {
	w, h  int
	text  string
	dirty bool      // what is shown is not the model any more,
	acted bool      // because the user did something
	owed  time.Time // when a drawing comes by itself, zero: none does
	last  time.Time
	draws int
	zones []zone
}

// zone is a part of the screen that stands for a key when it is clicked.
type zone struct {
	x, y, w int
	key     string
}

func (s *screen) resize(w, h int) {
	s.w, s.h, s.dirty = max(w, 0), max(h, 0), true
	s.last = time.Time{}
}

// touch says that the user did something.
func (s *screen) touch() { s.dirty, s.acted = true, true }

// due is when what is shown may be drawn anew.
func (s *screen) due() time.Time {
	if s.acted {
		return s.last.Add(keyTime)
	}
	return s.last.Add(frameTime)
}

func (s *screen) wanted(now time.Time) bool { return s.dirty && !now.Before(s.due()) }

func (s *screen) show(text string, now time.Time) {
	s.text, s.dirty, s.acted, s.last = text, false, false, now
	s.draws++
}

// at returns the key that cell x, y stands for.
func (s *screen) at(x, y int) string {
	for _, z := range s.zones {
		if y == z.y && x >= z.x && x < z.x+z.w {
			return z.key
		}
	}
	return ""
}

func (s *screen) zone(x, y, w int, key string) { s.zones = append(s.zones, zone{x, y, w, key}) }

// frameMsg says that a drawing that had to wait may be made.
type frameMsg struct{}

// frame returns the command that draws later what must not be drawn yet.
func (m *Model) frame() tea.Cmd {
	s := &m.screen
	now := m.opt.Now()
	due := s.due()
	if !s.dirty || s.wanted(now) || !s.owed.IsZero() && !due.Before(s.owed) {
		return nil
	}
	s.owed = due
	return m.after(due.Sub(now), frameMsg{})
}

// after returns msg after d, or nothing once the screen has ended.
func (m *Model) after(d time.Duration, msg tea.Msg) tea.Cmd {
	if m.still {
		return nil
	}
	ctx := m.ctx
	return func() tea.Msg {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return msg
		case <-ctx.Done():
			return nil
		}
	}
}

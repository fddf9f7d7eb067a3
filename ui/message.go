package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

const (
	messageStays = 6 * time.Second // without a key
	messageLeast = time.Second     // in spite of keys
)

// message is a sentence for the user in the row above the help, with the time
// of the session at which it was said.
type message struct {
	text  string
	stamp string
	at    time.Time
	n     int
	waits int  // how much waited for the user when it was said
	owed  bool // its end was not scheduled yet
	read  bool // a key was pressed since
}

type messageMsg struct{ n int }

// say shows a sentence in the row above the help.
func (m *Model) say(text string) {
	m.message = message{text: text, stamp: m.stamp(), at: m.opt.Now(), n: m.message.n + 1, owed: true}
	if m.pull.newest != nil {
		m.message.waits = len(m.waits())
	}
	m.screen.dirty = true
}

// seen says that a key was pressed: what was said may go.
func (s *message) seen() { s.read = true }

// shown returns the sentence while it stands: it makes place for what waits
// for the user since.
func (s *message) shown(m *Model) string {
	switch {
	case s.text == "", s.read && m.opt.Now().Sub(s.at) >= messageLeast, len(m.waits()) > s.waits:
		return ""
	}
	return s.text
}

// end returns the command that takes a new message away in time.
func (m *Model) end() tea.Cmd {
	if !m.message.owed {
		return nil
	}
	m.message.owed = false
	if m.opt.Stage { // nothing fades by a clock there: the next key takes it away
		return nil
	}
	return m.after(messageStays, messageMsg{m.message.n})
}

func (s *message) expire(m *Model, msg messageMsg) {
	if msg.n == s.n && s.text != "" {
		s.text = ""
		m.screen.dirty = true
	}
}

// drawMessage draws the row with what was said; what waits stays in sight.
func (m *Model) drawMessage(r kit.Region, text string) {
	stamp := m.message.stamp
	right := []inboxPart{{text: stamp}}
	if n := len(m.waits()); n > 0 && m.over == nil && r.W >= narrowFrom {
		right = []inboxPart{{key: "? " + itoa(n)}, {key: "a", text: "look", stroke: "a"}}
	}
	style := kit.As(kit.Bright)
	m.drawInbox(r, []inboxPart{{bits: []part{{text: text, style: style}}}}, right)
}

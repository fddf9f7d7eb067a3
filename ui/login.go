package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// Login is what a person has to do in a browser before the connection can go
// on. The zero value: nothing.
type Login struct {
	URL   string
	Until time.Duration // since the session started
}

const loginName = "the address to log in at"

// loginLeft says how long the person has to log in: "4:32 left".
func (m *Model) loginLeft() string {
	return inspector.ClockShort(max(m.status.Login.Until-m.status.Now, 0)) + " left"
}

// copyLogin copies the address to log in at as soon as there is one.
func (m *Model) copyLogin() tea.Cmd {
	url := m.status.Login.URL
	if url == m.askedLogin {
		return nil
	}
	m.askedLogin = url
	if url == "" {
		return nil
	}
	return m.copy(url, loginName)
}

// showLogin copies the address again, and shows the page where it stands.
func (m *Model) showLogin() tea.Cmd {
	if m.over == nil {
		m.show(viewServer)
	}
	return m.copy(m.status.Login.URL, loginName)
}

// loginParts tell in the row above the help that somebody has to log in.
func (m *Model) loginParts(w int) (left, right []inboxPart) {
	if m.status.Login.URL == "" {
		return nil, nil
	}
	ask := kit.Style{Role: kit.Ask, Bold: true}
	left = []inboxPart{{bits: []part{
		{text: size(w, "? THE SERVER WANTS YOU TO LOG IN", "? LOG IN", "? LOG IN", "? LOG IN"), style: ask},
		{text: size(w, "open the address in a browser; it is copied", "in a browser; the address is copied", "in a browser", ""), style: kit.As(kit.Normal), rank: 5},
		{text: m.loginLeft(), style: kit.As(kit.Normal)},
	}}}
	return left, []inboxPart{{key: "a", text: size(w, "the address", "the address", "address", ""), stroke: "a"}}
}

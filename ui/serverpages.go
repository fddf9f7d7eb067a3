package ui

import (
	"errors"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/ui/server"
)

// pageWords is page NAME, or the name of a page that no other command has.
func (m *Model) pageWords(name string) (tea.Cmd, error) {
	if !slices.Contains(server.Pages(), name) {
		return nil, errors.New("page takes " + strings.Join(server.Pages(), ", "))
	}
	return m.showPage(name), nil
}

// showPage goes to a page of view 6; esc leads back. What was never read of it
// is read.
func (m *Model) showPage(name string) tea.Cmd {
	v := m.serverView()
	v.ShowPage(name)
	m.visitServer()
	if v.Unread(m.moment()) {
		return m.reread()
	}
	return nil
}

// showEffect goes to where the effect of a command that was typed is seen.
func (m *Model) showEffect(line string) {
	if m.serverView().ShowEffect(strings.Fields(line)) {
		m.visitServer()
	}
}

// visitServer shows view 6; esc leads back.
func (m *Model) visitServer() {
	if from := m.cur; from != viewServer {
		m.show(viewServer)
		m.from = from
	}
	m.screen.dirty = true
}

// pageCompletions are the pages that can follow `page`.
func (m *Model) pageCompletions(line string) []Completion {
	if !strings.HasPrefix(line, "page ") {
		return nil
	}
	var out []Completion
	for _, p := range server.Pages() {
		out = append(out, Completion{"page " + p, "a page of view 6"})
	}
	return out
}

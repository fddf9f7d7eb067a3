package ui

import (
	"errors"
	"os"
	"os/exec"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// editMsg says that a text lies in a file for the user's editor.
type editMsg struct {
	page *formPage
	file string
	err  error
}

// editedMsg brings back what the editor left.
type editedMsg struct {
	page *formPage
	text string
	err  error
}

// edit puts a text into a file and runs the user's editor on it.
func (m *Model) edit(p *formPage, text string, json bool) tea.Cmd {
	pattern := "mcpl-tui-*.txt"
	if json {
		pattern = "mcpl-tui-*.json"
	}
	return func() tea.Msg {
		f, err := os.CreateTemp("", pattern)
		if err != nil {
			return editedMsg{page: p, err: err}
		}
		_, err = f.WriteString(text)
		return editMsg{page: p, file: f.Name(), err: errors.Join(err, f.Close())}
	}
}

// runEditor gives the terminal to the editor.
func (m *Model) runEditor(msg editMsg) tea.Cmd {
	if msg.err != nil {
		m.say("the editor was not started: " + msg.err.Error())
		return nil
	}
	name := m.opt.Env("VISUAL")
	if name == "" {
		name = m.opt.Env("EDITOR")
	}
	if name == "" {
		name = "vi"
	}
	words := append(strings.Fields(name), msg.file)
	cmd := exec.Command(words[0], words[1:]...)
	return tea.ExecProcess(cmd, func(err error) tea.Msg {
		text, readErr := os.ReadFile(msg.file)
		_ = os.Remove(msg.file)
		return editedMsg{page: msg.page, text: string(text), err: errors.Join(err, readErr)}
	})
}

// edited gives the form what the editor left.
func (m *Model) edited(msg editedMsg) tea.Cmd {
	m.screen.resize(m.screen.w, m.screen.h)
	if msg.err != nil {
		m.say("the editor's text was not taken: " + msg.err.Error())
	} else {
		msg.page.form.Edited(msg.text)
	}
	return tea.EnableMouseCellMotion
}

package ui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// mostHistory is how many lines the prompt remembers.
const mostHistory = 200

// prompts is what outlives a prompt: the lines that were entered, and the
// marks that were set in a recording.
type prompts struct {
	history []string
	marks   []sessionMark
}

// prompt is the line below the screen that takes a command.
type prompt struct {
	line  edit
	ways  ways
	past  int    // which line of the history, len: none
	wrong string // why the line was not taken
}

// openPrompt opens the prompt with a text to begin with.
func (m *Model) openPrompt(text string) {
	p := &prompt{past: len(m.prompts.history)}
	p.line.set(text)
	p.complete(m)
	m.over = p
}

func (p *prompt) press(m *Model, s stroke) tea.Cmd {
	p.wrong = ""
	if s.paste != "" {
		p.line.insert(s.paste)
		p.complete(m)
		return nil
	}
	switch s.key {
	case "esc":
		m.over = nil
	case "enter":
		return p.enter(m)
	case "tab":
		if len(p.ways.found) == 1 { // the one way: take it, and go on behind it
			p.line.set(strings.TrimRight(p.ways.found[0].Text, " ") + " ")
			p.complete(m)
			return nil
		}
		p.ways.next(&p.line, 1)
	case "shift+tab":
		p.ways.next(&p.line, -1)
	case "up", "ctrl+p":
		p.recall(m, -1)
	case "down", "ctrl+n":
		p.recall(m, 1)
	case "backspace":
		if p.line.text == "" {
			m.over = nil
			return nil
		}
		fallthrough
	default:
		if p.line.key(s.key) {
			p.complete(m)
		}
	}
	return nil
}

func (p *prompt) click(m *Model, _, _, wheel int) tea.Cmd {
	if wheel == 0 {
		m.over = nil
	}
	return nil
}

func (p *prompt) help(*Model) []view.Help { return nil }

// enter runs the line. One that is wrong stays to be mended.
func (p *prompt) enter(m *Model) tea.Cmd {
	line := strings.TrimSpace(p.line.text)
	if line == "" {
		m.over = nil
		return nil
	}
	cmd, err := m.execute(line, origin{prompt: true})
	if err != nil {
		p.wrong = err.Error()
		return nil
	}
	m.prompts.remember(line)
	if m.over == overlay(p) {
		m.over = nil
	}
	return cmd
}

func (s *prompts) remember(line string) {
	s.history = slices.DeleteFunc(s.history, func(l string) bool { return l == line })
	s.history = append(s.history, line)
	if n := len(s.history); n > mostHistory {
		s.history = s.history[n-mostHistory:]
	}
}

// complete looks up what can come next.
func (p *prompt) complete(m *Model) { p.ways.set(m.completions(p.line.text), p.line.text) }

// recall takes a line out of the history.
func (p *prompt) recall(m *Model, by int) {
	h := m.prompts.history
	to := p.past + by
	if to < 0 || to > len(h) {
		return
	}
	p.past = to
	p.line.set("")
	if to < len(h) {
		p.line.set(h[to])
	}
	p.complete(m)
}

// drawOver draws the completions over the lower end of the body.
func (p *prompt) drawOver(_ *Model, r kit.Region) { p.ways.draw(r) }

// drawFoot draws the line, and above it why the last one was not taken.
func (p *prompt) drawFoot(m *Model, r kit.Region) bool {
	if p.wrong != "" {
		r.Fill(0, 0, r.W, kit.As(kit.Rule), "─")
		m.drawInbox(r.Sub(0, 0, r.W, 1), []inboxPart{{bits: []part{{text: "! " + p.wrong, style: kit.As(kit.Bright)}}}}, nil)
	} else {
		m.drawWaits(r.Sub(0, 0, r.W, 1))
	}
	p.line.draw(r.Sub(0, 1, r.W, 1), r.Put(0, 1, kit.As(kit.Key), ":"), 0)
	return true
}

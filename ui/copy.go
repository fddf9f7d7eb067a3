package ui

import (
	"io"
	"strings"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

// safeCopy is how many bytes every terminal takes into the clipboard, and
// mostCopy how many are sent at all: more is cut or dropped by those that are
// in use, without a word.
const (
	safeCopy = 74_000
	mostCopy = 1_000_000
)

// copy gives text to the terminal's clipboard (OSC 52), and says what it was.
// Whether the terminal took it cannot be known.
func (m *Model) copy(text, what string) tea.Cmd {
	size := inspector.Size(int64(len(text)))
	switch {
	case what == "":
		what = size
	case !strings.Contains(what, size):
		what += ", " + size
	}
	switch {
	case text == "":
		m.say("nothing to copy here")
		return nil
	case len(text) > mostCopy:
		m.say("not copied: " + what + "; too much for a terminal. :save message FILE")
		return nil
	case len(text) > safeCopy:
		m.say("copied " + what + "; some terminals take no more than " + inspector.Size(safeCopy))
	default:
		m.say("copied " + what)
	}
	seq := osc52.New(text)
	said := seq.String()
	switch {
	case m.opt.Env("TMUX") != "":
		// tmux takes it itself, hands it on, or does neither, as it is set up.
		said += seq.Tmux().String()
	case strings.HasPrefix(m.opt.Env("TERM"), "screen"):
		said = seq.Screen().String()
	}
	out := m.out
	return func() tea.Msg {
		_, _ = io.WriteString(out, said)
		return nil
	}
}

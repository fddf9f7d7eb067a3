package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/form"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// actOn does what a view asks for on the server: it opens a form, or runs a
// line. Something that acts happens in the present.
func (m *Model) actOn(do view.Intent) tea.Cmd {
	restart := do.Kind == view.Run && strings.HasPrefix(do.Line, "reconnect")
	if text := m.cannot(); text != "" && !(restart && !m.cx.Replay && m.act != nil) {
		m.say(text)
		return nil
	}
	m.backToLive()
	switch do.Kind {
	case view.CallForm:
		return m.openFor(form.Call, do, (*Model).callDeps)
	case view.OpenForm:
		return m.openFor(form.Open, do, (*Model).openDeps)
	case view.AskClose:
		return m.openFor(form.Close, do, (*Model).closeDeps)
	case view.AnswerForm:
		return m.answerFirst()
	case view.GrantForm:
		return m.openFor(form.Grant, do, (*Model).grantDeps)
	}
	return m.run(do.Line, origin{})
}

// openFor opens a form for what a view named.
func (m *Model) openFor(kind form.Kind, do view.Intent, deps func(*Model, view.Intent) (form.Deps, error)) tea.Cmd {
	cmd := m.openForm(kind, func(m *Model) (form.Deps, error) { return deps(m, do) })
	if p, ok := m.over.(*formPage); ok {
		p.of = do
	}
	return cmd
}

// answerFirst opens what waits for the user.
func (m *Model) answerFirst() tea.Cmd {
	if m.status.Login.URL != "" {
		return m.showLogin()
	}
	if text := m.cannot(); text != "" {
		m.say(text)
		return nil
	}
	w := m.waitsSince(0)
	if len(w) == 0 {
		m.say("nothing waits for you")
		return nil
	}
	return m.openWaiting(w[0])
}

// openWaiting opens the form of something that waits for the user.
func (m *Model) openWaiting(w waiting) tea.Cmd {
	m.backToLive()
	if w.ask != nil {
		call := *w.ask
		return m.openForm(form.Answer, func(m *Model) (form.Deps, error) { return m.answerDeps(call) })
	}
	s := w.suggestion
	do := view.Intent{Toolset: s.Toolset, Instance: s.Instance, Args: s.Options}
	if s.Action == "close" {
		do.Kind = view.AskClose
		return m.actOn(do)
	}
	do.Kind = view.OpenForm
	return m.actOn(do)
}

// actOnBoard lets a key of the board act from another view: on what is
// selected there.
func (m *Model) actOnBoard(key string) tea.Cmd {
	if text := m.cannot(); text != "" {
		m.say(text)
		return nil
	}
	if m.cur == viewBoard {
		return nil
	}
	do, handled := m.views[viewBoard].Key(key, &m.cx)
	if !handled {
		return nil
	}
	return m.intent(do)
}

// again is r: a dead server is started again, else the last call is opened to
// be edited and sent once more.
func (m *Model) again() tea.Cmd {
	switch {
	case m.act != nil && (m.cx.Ended || m.stuck()):
		m.chosen = false
		m.say("starting again: " + m.status.Title)
		return m.run("reconnect", origin{})
	case m.cannot() != "":
		m.say(m.cannot())
		return nil
	}
	m.forms.sent.follow(m.pull.log, m.pull.n)
	s := m.forms.sent.last(func(s *sentLine) bool { return s.tool != "" })
	if s == nil {
		m.say("no call was made yet; c calls a tool")
		return nil
	}
	args := s.args
	if args == nil {
		args = []byte("{}")
	}
	return m.actOn(view.Intent{Kind: view.CallForm, Tool: s.tool, Instance: s.instance, Args: args})
}

// openMark asks for the text of a mark.
func (m *Model) openMark() {
	text := "Mark the end of the session so far"
	if m.cx.Replay {
		text = "Mark frame " + itoa(m.cx.Board.Seq)
	}
	if m.cannot() != "" && !m.cx.Replay {
		m.say(m.cannot())
		return
	}
	m.openForm(form.Line, func(*Model) (form.Deps, error) {
		return form.Deps{Title: text, Prefix: "mark "}, nil
	})
}

// toolsetOf returns the toolset of that name, nil if there is none.
func toolsetOf(b *timeline.Board, name string) *timeline.Toolset {
	for i := range b.Toolsets {
		if b.Toolsets[i].Name == name {
			return &b.Toolsets[i]
		}
	}
	return nil
}

// toolOf returns the tool of that name and its toolset, nil for none.
func toolOf(b *timeline.Board, name string) (*timeline.Tool, *timeline.Toolset) {
	for _, list := range [][]timeline.Tool{b.Static, b.Loose} {
		for i := range list {
			if list[i].Name == name {
				return &list[i], nil
			}
		}
	}
	for k := range b.Toolsets {
		for i := range b.Toolsets[k].Tools {
			if b.Toolsets[k].Tools[i].Name == name {
				return &b.Toolsets[k].Tools[i], &b.Toolsets[k]
			}
		}
	}
	return nil, nil
}

// stuck reports whether a connection is being made and does not come about:
// then it can be begun again.
func (m *Model) stuck() bool {
	return m.status.Live && m.cx.Newest.Index >= 0 && m.cx.Newest.Link.Phase < timeline.Live
}

package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/ui/board"
	"github.com/mcpl-tui/mcpl-tui/ui/form"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// forms keeps the forms that were open, with what was typed into them.
type forms struct {
	kept map[string]*formPage
	// quiet are the tools that are called without a question, though they may
	// destroy: the user said so, for this session.
	quiet map[string]bool
	sent  sentLines
}

func newForms() forms { return forms{kept: map[string]*formPage{}, quiet: map[string]bool{}} }

// formPage is a form over the body.
type formPage struct {
	form *form.Form
	kind form.Kind
	of   view.Intent // what it is for
	deps func(m *Model) (form.Deps, error)
	sent int64 // number of the last frame when its line was sent
}

// openForm opens a form, the one that was left where there is one.
func (m *Model) openForm(kind form.Kind, deps func(m *Model) (form.Deps, error)) tea.Cmd {
	d, err := deps(m)
	if err != nil {
		m.say(err.Error())
		return nil
	}
	id := form.Identity(kind, d)
	p := m.forms.kept[id]
	if p == nil || kind == form.Close {
		p = &formPage{form: form.New(kind, d), kind: kind}
		m.forms.kept[id] = p
	} else {
		p.form.Reopen(d)
	}
	p.deps = deps
	m.over = p
	return nil
}

// refreshForm tells an open form what is so now.
func (m *Model) refreshForm() {
	if p, ok := m.over.(*formPage); ok && p.kind != form.Line {
		if d, err := p.deps(m); err == nil {
			p.form.Refresh(d)
		}
	}
}

// hearForm gives an open form what the server tells of its call.
func (m *Model) hearForm() {
	p, ok := m.over.(*formPage)
	if !ok || !p.form.Running() {
		return
	}
	for i := range m.cx.Newest.Calls {
		c := &m.cx.Newest.Calls[i]
		if c.Seq > p.sent && (p.kind != form.Call || c.Tool == p.of.Tool) {
			p.form.Hear(m.progress.of(c), c.Limit)
			return
		}
	}
}

func (p *formPage) press(m *Model, s stroke) tea.Cmd {
	if s.paste != "" {
		return p.step(m, p.form.Key(s.paste, true))
	}
	return p.step(m, p.form.Key(s.key, false))
}

func (p *formPage) click(m *Model, x, y, wheel int) tea.Cmd {
	return p.step(m, p.form.Click(x, y, wheel))
}

// step does what a form asks for.
func (p *formPage) step(m *Model, s form.Step) tea.Cmd {
	switch s.Kind {
	case form.Send:
		if p.kind == form.Line {
			return p.enter(m, s.Line)
		}
		p.form.Sent(m.cx.Now)
		p.sent = m.lastSeq()
		if s.Quiet {
			m.forms.quiet[p.of.Tool] = true
		}
		return m.run(s.Line, origin{form: p.form.ID()})
	case form.Cancel:
		return m.interrupt()
	case form.Leave:
		m.over = nil
		m.settle()
	case form.Edit:
		return m.edit(p, s.Text, s.JSON)
	case form.Copy:
		return m.copy(s.Text, s.What)
	}
	return nil
}

// enter runs the line of a box that asks for one.
func (p *formPage) enter(m *Model, line string) tea.Cmd {
	cmd, err := m.execute(line, origin{})
	if err != nil {
		m.say(err.Error())
		return nil
	}
	delete(m.forms.kept, p.form.ID())
	if m.over == overlay(p) {
		m.over = nil
	}
	return cmd
}

func (p *formPage) help(*Model) []view.Help { return p.form.Help() }

// drawOver draws the form; one that asks leaves the view around it in sight.
func (p *formPage) drawOver(m *Model, r kit.Region) { p.form.Draw(r, &m.cx) }

// answered gives an outcome to the form that it belongs to. A form whose work
// is done goes; a refusal stays where it is read. It returns false where the
// form is not open any more.
func (m *Model) answered(msg outcomeMsg) bool {
	p := m.forms.kept[msg.from.form]
	if p == nil {
		return false
	}
	o := msg.out
	p.form.Answered(form.Outcome{
		OK: o.OK, Result: o.Result, Code: o.Code, Message: o.Message,
		Took: m.took(o), Request: o.Request, Answer: o.Answer,
	})
	if m.over != overlay(p) {
		return false
	}
	if !o.OK || p.kind == form.Call || p.kind == form.Grant {
		return true
	}
	m.over = nil
	delete(m.forms.kept, msg.from.form)
	if p.kind != form.Open {
		return false
	}
	if o.Answer > 0 {
		m.onFrame(o.Answer, func(m *Model, _ int) { m.toOpened(p, o) })
	} else {
		m.toOpened(p, o)
	}
	return true
}

// toOpened puts the focus onto what was just opened.
func (m *Model) toOpened(p *formPage, o Outcome) {
	b, ok := m.views[viewBoard].(*board.Board)
	if !ok {
		return
	}
	m.compared = nil
	m.show(viewBoard)
	name := o.result("instance")
	if name == "" {
		name = p.of.Instance
	}
	sel := board.Selection{Kind: board.OnInstance, Toolset: p.of.Toolset, Instance: name}
	if name == "" {
		sel.Kind = board.OnToolset
	}
	b.Select(&m.cx, sel)
	text := "opened " + p.of.Toolset
	if name != "" {
		text += " " + name
	}
	m.say(text + ", frame " + itoa(o.Answer))
}

// took is the time from a request to its answer, by their frames.
func (m *Model) took(o Outcome) time.Duration {
	log := m.log()
	from, to := log.IndexOf(o.Request), log.IndexOf(o.Answer)
	if from < 0 || to < 0 {
		return 0
	}
	return log.Entry(to).T - log.Entry(from).T
}

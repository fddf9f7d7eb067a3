package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Update takes in one message. It does no I/O of its own beyond reading the
// session's log; everything else is a command.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	defer m.pull.log.Look()()
	cmd := m.take(msg)
	m.home()
	return m, tea.Batch(cmd, m.work(), m.tick(), m.frame(), m.end())
}

func (m *Model) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		var cmds []tea.Cmd
		for _, s := range strokes(msg) {
			cmds = append(cmds, m.press(s))
		}
		return tea.Batch(cmds...)
	case tea.MouseMsg:
		return m.mouse(msg)
	case tea.WindowSizeMsg:
		m.screen.resize(msg.Width, msg.Height)
	case tea.ResumeMsg:
		m.screen.resize(m.screen.w, m.screen.h)
		return tea.EnableMouseCellMotion
	case changedMsg:
		return m.changed(msg)
	case tickMsg:
		if m.clock.ticked(msg) {
			m.ticked()
			return m.judge()
		}
	case frameMsg:
		m.screen.owed = time.Time{}
	case backgroundMsg:
		m.term.dark, m.term.known = msg.dark, true
		m.setTheme(m.choice)
	case messageMsg:
		m.message.expire(m, msg)
	case judgedMsg:
		return m.judged(msg)
	case workedMsg:
		return m.worked(msg)
	case outcomeMsg:
		return m.arrived(msg)
	case doneMsg:
		m.say(msg.text)
	case placesMsg, entryMsg, meaningMsg, waysMsg, targetMsg:
		return m.startUpdate(msg)
	case editMsg:
		return m.runEditor(msg)
	case editedMsg:
		return m.edited(msg)
	}
	return nil
}

// changed takes the session as it is now and waits for the next change.
func (m *Model) changed(msg changedMsg) tea.Cmd {
	m.refresh()
	if msg.generation != m.pull.generation {
		m.sayNow()
	}
	return tea.Batch(m.waitForChange(), m.judge(), m.copyLogin())
}

// ticked moves the clock.
func (m *Model) ticked() {
	m.status = m.src.Status()
	m.advance()
	m.update()
	m.settle()
}

// patience is how long a handshake may take before the page of the server
// shows what it says meanwhile.
const patience = 2 * time.Second

// settle shows the view that goes with how the connection is doing, until the
// user chose one: the server's page where it does not start.
func (m *Model) settle() {
	if m.chosen || m.over != nil {
		return
	}
	b := m.cx.Newest
	silent := m.starting() && m.status.Login.URL != "" || m.starting() && m.status.Now-b.Link.Started >= patience
	if m.cur == viewServer && m.starting() && b.Conn > 1 {
		return // the page of the start that failed stands until this one is there
	}
	if m.opt.Stage && b.Conn > 1 {
		return // the room keeps the board that it looks at
	}
	m.cur = viewBoard
	if silent || (m.failed() && m.status.Loaded()) {
		m.cur = viewServer
	}
}

// failed reports whether the connection ended before its handshake was over.
func (m *Model) failed() bool {
	b := m.cx.Newest
	return b.Link.Phase == timeline.Closed && b.ListAt < 0
}

// starting reports whether the handshake is going on.
func (m *Model) starting() bool {
	return m.status.Live && m.cx.Newest.Link.Phase < timeline.Live
}

// interrupt is ctrl-c: it cancels the newest open call; with none, twice
// quits.
func (m *Model) interrupt() tea.Cmd {
	now := m.opt.Now()
	if call := m.openCall(); call != nil && m.live() {
		m.quitAt = time.Time{}
		m.say("cancelling " + callName(call))
		return m.run("cancel last", origin{})
	}
	if m.retrying() {
		return m.stopRetry()
	}
	if !m.quitAt.IsZero() && now.Sub(m.quitAt) < 2*time.Second {
		return tea.Quit
	}
	m.quitAt = now
	m.say("ctrl-c once more quits")
	return nil
}

// openCall is the newest request of the host without an answer, nil if none.
func (m *Model) openCall() *timeline.Call {
	if openCalls(m.cx.Newest) == 0 {
		return nil // a handshake cannot be cancelled (MCP, cancellation)
	}
	waiting := m.cx.Newest.Waiting()
	return &waiting[len(waiting)-1]
}

// quit ends the program, after a question where that ends a connection.
func (m *Model) quit() tea.Cmd {
	if !m.live() || m.cx.Newest.Link.Phase == timeline.NotConnected {
		return tea.Quit
	}
	m.over = &question{
		text: "quit? the connection is open; quitting closes it",
		yes:  "quits", key: "y", again: "q", other: "stays",
		do: func(*Model) tea.Cmd { return tea.Quit },
	}
	return nil
}

// mouse handles a click or a turn of the wheel.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	wheel := 0
	switch msg.Button {
	case tea.MouseButtonLeft:
		if msg.Action == tea.MouseActionRelease {
			return nil
		}
	case tea.MouseButtonWheelUp:
		wheel = -1
	case tea.MouseButtonWheelDown:
		wheel = 1
	default:
		return nil
	}
	m.screen.touch()
	drag := msg.Action == tea.MouseActionMotion
	if wheel == 0 && m.clickedScrubber(msg.X, msg.Y) {
		return nil
	}
	if drag {
		return nil
	}
	if key := m.screen.at(msg.X, msg.Y); key != "" && wheel == 0 {
		m.start.makeWay(m, key)
		return m.press(stroke{key: key})
	}
	body := m.layout().body
	x, y := msg.X-body.x, msg.Y-body.y
	if x < 0 || y < 0 || x >= body.w || y >= body.h {
		return nil
	}
	if m.over != nil {
		return m.over.click(m, x, y, wheel)
	}
	m.context()
	return m.intent(m.view().Click(x, y, wheel, m.moment()))
}

// intent does what a view asks for.
func (m *Model) intent(do view.Intent) tea.Cmd {
	switch do.Kind {
	case view.GoTo:
		m.goTo(do.Index)
	case view.GoLive:
		m.goLive()
	case view.Show:
		m.showOn(do)
	case view.ShowAt:
		from := m.cur
		m.goTo(do.Index)
		m.show(do.View)
		m.from = from
	case view.Compare:
		m.compare(do)
	case view.Leave:
		m.compared = nil
	case view.Say:
		m.say(do.Text)
	case view.Copy:
		return m.copy(do.Text, do.What)
	case view.Type:
		m.openPrompt(do.Line)
	case view.Reread:
		return m.reread()
	case view.CallForm, view.OpenForm, view.AskClose, view.AnswerForm, view.GrantForm, view.Run:
		return m.actOn(do)
	}
	return nil
}

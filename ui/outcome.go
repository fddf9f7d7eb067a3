package ui

import (
	"encoding/json"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// origin is where a line of the command language came from: that is where its
// answer is shown.
type origin struct {
	form   string // identity of a form, "" for none
	prompt bool   // it was typed
}

// outcomeMsg is what became of a line.
type outcomeMsg struct {
	line       string
	from       origin
	out        Outcome
	generation int
}

// run runs a line of the command language. An act happens in the present, so
// the screen goes there first.
func (m *Model) run(line string, from origin) tea.Cmd {
	if m.act == nil {
		m.say("nothing can be sent here")
		return nil
	}
	m.backToLive()
	act, ctx, generation := m.act, m.ctx, m.pull.generation
	return func() tea.Msg { return outcomeMsg{line, from, act.Run(ctx, line), generation} }
}

// arrived shows what became of a line where it came from.
func (m *Model) arrived(msg outcomeMsg) tea.Cmd {
	if msg.generation != m.pull.generation {
		return nil // it belongs to a session that is not looked at any more
	}
	m.refresh()
	if msg.from.form != "" && m.answered(msg) {
		return nil
	}
	m.say(m.told(msg))
	return nil
}

// awaited is what is to be done when a frame can be seen: an answer may be
// known before the log has taken it in.
type awaited struct {
	seq int64
	do  func(m *Model, index int)
}

// onFrame does something as soon as the frame with number seq can be seen, 0:
// never.
func (m *Model) onFrame(seq int64, do func(m *Model, index int)) {
	if seq > 0 {
		m.awaited = append(m.awaited, awaited{seq, do})
		m.arrive()
	}
}

// arrive does what was waiting for frames that can be seen by now.
func (m *Model) arrive() {
	rest := m.awaited[:0:0]
	for _, a := range m.awaited {
		switch i := m.log().IndexOf(a.seq); {
		case i >= 0:
			m.update()
			a.do(m, i)
		case m.lastSeq() < a.seq:
			rest = append(rest, a)
		}
	}
	m.awaited = rest
}

// fits reports whether a result can be told in the row above the help.
func (m *Model) fits(result json.RawMessage) bool {
	return len(result) <= m.screen.w/2 || len(result) <= 40
}

// told says in one line what became of a line.
func (m *Model) told(msg outcomeMsg) string {
	o := msg.out
	text := kit.Cut(oneLine(msg.line), max(m.screen.w/3, 12)) + ": "
	if !o.OK {
		if o.Code != 0 {
			text += "error " + itoa(o.Code) + ": "
		}
		return text + oneLine(o.Message)
	}
	if o.Words != "" {
		return o.Words
	}
	if held := heldWords(o); held != "" {
		return text + held
	}
	said, isError := spoken(o.Result)
	if isError {
		text += strings.TrimSpace("! tool error " + inspector.ErrorWord(o.Result))
	} else {
		text += "ok"
	}
	switch {
	case said != "":
		text += " " + inspector.Quote(kit.Cut(oneLine(said), max(m.screen.w/3, 12)))
	case len(o.Result) == 0 || string(o.Result) == "{}" || string(o.Result) == "null":
	case m.fits(o.Result):
		text += ", " + oneLine(string(o.Result))
	default:
		text += ", " + inspector.Size(int64(len(o.Result)))
	}
	if o.Answer > 0 {
		text += ", frame " + itoa(o.Answer)
		if m.cur != viewWire && !m.fits(o.Result) {
			text += ": 3 shows it"
		}
	}
	return text
}

// spoken returns the first text of a result's content, and whether the result
// is a tool error.
func spoken(result json.RawMessage) (text string, isError bool) {
	var r struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		IsError bool `json:"isError"`
	}
	if json.Unmarshal(result, &r) != nil {
		return "", false
	}
	for _, c := range r.Content {
		if c.Text != "" {
			return c.Text, r.IsError
		}
	}
	return "", r.IsError
}

// reread asks again for what is shown, which changes nothing on the server:
// the lists of tools, or those of the page of view 6.
func (m *Model) reread() tea.Cmd {
	if text := m.cannot(); text != "" {
		m.say(text)
		return nil
	}
	lines := []string{"tools"}
	if m.cx.Newest.ToolHints {
		lines = append(lines, "toolsets")
	}
	if m.cur == viewServer {
		if own := m.serverView().Rereads(m.moment()); own != nil {
			lines = own
		}
	}
	return m.runAll(lines)
}

// runAll runs lines one after the other, and tells of the first that failed,
// else of the last.
func (m *Model) runAll(lines []string) tea.Cmd {
	var all []tea.Cmd
	for _, l := range lines {
		if run := m.run(l, origin{}); run != nil {
			all = append(all, run)
		}
	}
	return func() tea.Msg {
		var last, failed tea.Msg
		for _, run := range all {
			last = run()
			if done, ok := last.(outcomeMsg); ok && !done.out.OK && failed == nil {
				failed = last
			}
		}
		if failed != nil {
			return failed
		}
		return last
	}
}

// cannot says why nothing can be sent, "" where something can.
func (m *Model) cannot() string {
	switch {
	case m.cx.Replay:
		return "this is a recording; t connects to its server"
	case m.act == nil:
		return "nothing can be sent here"
	case m.cx.Ended:
		return m.cx.Over()
	case m.starting():
		return "the handshake goes on; this can be sent when it is over"
	}
	return ""
}

// result is a member of an outcome's result, "" where it has no such text.
func (o Outcome) result(name string) string {
	var v map[string]json.RawMessage
	if json.Unmarshal(o.Result, &v) != nil {
		return ""
	}
	var s string
	if json.Unmarshal(v[name], &s) != nil {
		return ""
	}
	return strings.TrimSpace(s)
}

package ui

import (
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// goAsking goes to a target, after a question where that closes a session in
// which something is open.
func (m *Model) goAsking(line string) tea.Cmd {
	open := m.openHere()
	if open == "" {
		return m.goTarget(line)
	}
	m.over = &question{
		text: "connect to " + kit.Cut(oneLine(line), 40) + "? " + open + " here; this connection is closed",
		key:  "y", yes: "connects", other: "stays", back: m.over,
		do: func(m *Model) tea.Cmd { return m.goTarget(line) },
	}
	return nil
}

// goTarget goes to a target. The page stays until it is there.
func (m *Model) goTarget(line string) tea.Cmd {
	t, ok := m.act.(Targeter)
	if !ok {
		m.say(errKeepsTarget.Error())
		return nil
	}
	m.start.going = line
	ctx := m.ctx
	return func() tea.Msg { return targetMsg{line, t.Target(ctx, line)} }
}

var errKeepsTarget = errors.New("this screen keeps its target; start mcpl-tui anew for another")

// targeted tells of a target that could not be gone to; the line is kept, to
// be mended.
func (m *Model) targeted(msg targetMsg) tea.Cmd {
	p := m.start
	p.going = ""
	if msg.err == nil {
		return nil
	}
	if _, ok := m.act.(Places); !ok {
		m.say("not connected: " + msg.err.Error())
		return nil
	}
	var cmd tea.Cmd
	if m.over != overlay(p) {
		m.over = p
		cmd = m.findPlaces()
	}
	if p.line.text == "" || m.status.Empty || p.line.text != msg.line {
		cmd = tea.Batch(cmd, p.fill(m, msg.line))
	}
	p.wrong = oneLine(msg.err.Error())
	return cmd
}

// openHere says what is open in the session that is looked at, "" where
// leaving it loses nothing: "1 call and 2 instances are open".
func (m *Model) openHere() string {
	b := m.cx.Newest
	if !m.live() || b.Link.Phase != timeline.Live {
		return ""
	}
	calls, instances, toolsets := openCalls(b), 0, 0
	for i := range b.Toolsets {
		t := &b.Toolsets[i]
		switch {
		case t.HasInstances:
			instances += len(t.Instances)
		case t.Open && !t.DefaultOpen:
			toolsets++
		}
	}
	var what []string
	n := 0
	for _, c := range []struct {
		n    int
		noun string
	}{{calls, "call"}, {instances, "instance"}, {toolsets, "toolset"}} {
		if c.n > 0 {
			what, n = append(what, inspector.Count(c.n, c.noun)), n+c.n
		}
	}
	switch {
	case n == 0:
		return ""
	case n == 1:
		return what[0] + " is open"
	}
	return strings.Join(what, " and ") + " are open"
}

package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// overlay has the keyboard instead of the view.
type overlay interface {
	press(m *Model, s stroke) tea.Cmd
	// click handles a click at a cell of the body, or a turn of the wheel.
	click(m *Model, x, y, wheel int) tea.Cmd
	help(m *Model) []view.Help
}

// page is an overlay that takes the place of the body.
type page interface {
	overlay
	draw(m *Model, r kit.Region)
	title(m *Model) string
}

// lid is an overlay that covers a part of the view.
type lid interface {
	drawOver(m *Model, body kit.Region)
}

// footed is an overlay that draws the two last rows itself. It returns false
// where it leaves them to the root.
type footed interface {
	drawFoot(m *Model, r kit.Region) bool
}

// question asks before something that cannot be undone.
type question struct {
	text  string
	key   string // the key that says yes, beside enter
	again string // and the one that asked, where pressing it once more does too; "": it does not
	yes   string // what it does
	other string // what any other key does
	do    func(m *Model) tea.Cmd
	back  overlay // what comes up again where it is not done, nil: the view
}

func (q *question) press(m *Model, s stroke) tea.Cmd {
	m.over = q.back
	if s.key == q.key || s.key == "enter" || q.again != "" && s.key == q.again {
		return q.do(m)
	}
	return nil
}

func (q *question) click(m *Model, _, _, wheel int) tea.Cmd {
	if wheel == 0 {
		m.over = q.back
	}
	return nil
}

func (q *question) help(*Model) []view.Help {
	return []view.Help{{Key: strings.TrimSpace("enter " + q.key + " " + q.again), Verb: q.yes}, {Key: "any other key", Verb: q.other}}
}

func (q *question) drawFoot(m *Model, r kit.Region) bool {
	r.Fill(0, 0, r.W, kit.As(kit.Rule), "─")
	m.drawInbox(r, []inboxPart{{bits: []part{{text: "! " + q.text, style: kit.Style{Role: kit.Bright}}}}}, nil)
	x := 1
	for i, h := range q.help(m) {
		if i > 0 {
			x += 3
		}
		x = r.Put(x, 1, kit.As(kit.Key), h.Key)
		x = r.Put(x+1, 1, kit.As(kit.Normal), h.Verb)
	}
	return true
}

package ui

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/ui/board"
	"github.com/mcpl-tui/mcpl-tui/ui/compare"
	"github.com/mcpl-tui/mcpl-tui/ui/findings"
	"github.com/mcpl-tui/mcpl-tui/ui/lanes"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// view is the view that is shown. A comparison lies over the board until it
// is left.
func (m *Model) view() view.View {
	if m.cur == viewBoard && m.compared != nil {
		return m.compared
	}
	return m.views[m.cur]
}

// compare lays a comparison of a tool, or of the whole board, over the board.
func (m *Model) compare(do view.Intent) {
	v := compare.New(compare.Target{Toolset: do.Toolset, Instance: do.Instance, Tool: do.Tool})
	if b, ok := m.views[viewBoard].(*board.Board); ok {
		v.Revs = b
		if m.opt.Stage && b.Alone() {
			v.Alone()
		}
	}
	v.Findings = func(c *view.Context) (here []string, before, after int) {
		book := m.judging.book
		if c.Row != nil && c.Row.Conn == c.Board.Conn {
			for _, f := range m.ofRow(c.Row.N) {
				here = append(here, strings.TrimSuffix(f.Rule+": "+findings.Name(f), ": "))
			}
		}
		return here, book.Next(c.At, -1), book.Next(c.At, 1)
	}
	m.compared = v
	m.show(viewBoard)
}

// compareHere is d in another view than the board: what is selected there is
// compared.
func (m *Model) compareHere() tea.Cmd {
	m.show(viewBoard)
	m.context()
	if do, handled := m.view().Key("d", m.moment()); handled {
		return m.intent(do)
	}
	return nil
}

// showOn changes the view, and puts its cursor on what is named.
func (m *Model) showOn(do view.Intent) {
	m.show(do.View)
	if do.Toolset == "" && do.Tool == "" {
		return
	}
	switch do.View {
	case viewBoard:
		m.compared = nil
		sel := board.Selection{Toolset: do.Toolset, Instance: do.Instance, Tool: do.Tool}
		switch {
		case do.Tool != "":
			sel.Kind = board.OnTool
		case do.Instance != "":
			sel.Kind = board.OnInstance
		default:
			sel.Kind = board.OnToolset
		}
		if b, ok := m.views[viewBoard].(*board.Board); ok {
			b.Select(&m.cx, sel)
		}
	case viewLanes:
		m.lanes().Select(do.Toolset, do.Instance, do.Tool)
	}
}

func (m *Model) lanes() *lanes.View { return m.views[viewLanes].(*lanes.View) }

// lanesWords is lanes revs, lanes time, lanes N.
func (m *Model) lanesWords(arg string) error {
	n, err := strconv.Atoi(arg)
	switch {
	case arg == "":
	case strings.HasPrefix("time", arg):
		m.lanes().SetTime(true)
	case arg == "rev" || arg == "revs":
		m.lanes().SetTime(false)
	case err == nil && n >= 1:
		m.lanes().SetZoom(n)
	default:
		return errLanes
	}
	m.over = nil
	m.show(viewLanes)
	return nil
}

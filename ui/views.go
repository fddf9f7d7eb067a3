package ui

import (
	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/board"
	"github.com/mcpl-tui/mcpl-tui/ui/findings"
	"github.com/mcpl-tui/mcpl-tui/ui/lanes"
	"github.com/mcpl-tui/mcpl-tui/ui/model"
	"github.com/mcpl-tui/mcpl-tui/ui/server"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
	"github.com/mcpl-tui/mcpl-tui/ui/wireview"
)

// newViews makes the six views anew, for a session that is first looked at.
func (m *Model) newViews() [numViews + 1]view.View {
	w := wireview.New()
	w.Target = func() string { return m.status.DoArgs }
	b := board.New()
	if m.opt.Stage {
		b.OnStage()
	}
	l := lanes.New()
	f := findings.New(m.judging.book)
	f.Same = m.sameFindings
	m.markFindings(b, l, w)
	told := model.New()
	told.Flag = b.Flag
	told.Explain = func(c *view.Context, row *timeline.Row) inspector.Doc {
		return m.explainOnBoard(c, board.Selection{Kind: board.OnRow, Row: row.N})
	}
	return [numViews + 1]view.View{
		viewBoard:    b,
		viewLanes:    l,
		viewWire:     w,
		viewFindings: f,
		viewModel:    told,
		viewServer:   server.New(),
	}
}

// serverView is the page of the server, told what is true of it beyond its
// frames.
func (m *Model) serverView() *server.View {
	v := m.views[viewServer].(*server.View)
	s := m.status
	v.Set(server.Facts{
		Kind: s.Kind, Title: s.Title, Command: s.Command, Dir: s.Dir, EnvSet: s.EnvSet, File: s.File,
		Recording: s.Recording, RecordErr: s.RecordErr, Skipped: s.Skipped, Cut: s.Cut, CanAct: m.act != nil && s.Live,
		Login: s.Login.URL, Watched: s.Watched,
	})
	return v
}

package ui

import (
	"github.com/mcpl-tui/mcpl-tui/ui/board"
	"github.com/mcpl-tui/mcpl-tui/ui/findings"
	"github.com/mcpl-tui/mcpl-tui/ui/lanes"
	"github.com/mcpl-tui/mcpl-tui/ui/server"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
	"github.com/mcpl-tui/mcpl-tui/ui/wireview"
)

// newViews makes the six views anew, for a session that is first looked at.
func (m *Model) newViews() [numViews + 1]view.View {
	w := wireview.New()
	w.Target = func() string { return m.status.DoArgs }
	b := board.New()
	l := lanes.New()
	f := findings.New(m.judging.book)
	f.Same = m.sameFindings
	m.markFindings(b, l, w)
	return [numViews + 1]view.View{
		viewBoard:    b,
		viewLanes:    l,
		viewWire:     w,
		viewFindings: f,
		viewModel: &later{
			name: "Model", title: "MODEL",
			what: "Model shows what a model has in its prompt, and what it is told rev by rev.",
			now: func() string {
				return "This version does not show it. STATIC on the board is the head of each prompt, with its size; INSPECT of a rev says what the model is told of it."
			},
			keys: []view.Help{{Key: "1", Verb: "the board"}, {Key: "3", Verb: "the wire"}},
		},
		viewServer: server.New(),
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
	})
	return v
}

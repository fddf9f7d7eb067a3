package ui

import (
	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/board"
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
	b.Flag = func(_ *view.Context, row *timeline.Row) bool { return isFinding(row) }
	return [numViews + 1]view.View{
		viewBoard: b,
		viewLanes: lanes.New(),
		viewWire:  w,
		viewFindings: &later{
			name: "Findings", title: "FINDINGS",
			what: "Findings are messages that break a rule of MCPL or JSON-RPC.",
			now:  m.findingsNow,
			keys: []view.Help{{Key: "e E", Verb: "next, previous"}, {Key: "1", Verb: "the board"}},
		},
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

// findingsNow says what is found already, and how to get there.
func (m *Model) findingsNow() string {
	const found = "This version finds hints that are ignored, revs out of order, what is no message, and a server that goes away while requests are open; it has no list of them yet. "
	n := len(m.findings.at)
	if n == 0 {
		return found + "There are none" + m.findings.soFar() + "."
	}
	return found + inspector.Count(n, "finding") + " so far" + m.findings.soFar() + ": e and E walk from one to the next, INSPECT says what is wrong."
}

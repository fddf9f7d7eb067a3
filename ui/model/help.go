package model

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// drawInspect draws what the rev at the playhead says, over the body.
func (v *View) drawInspect(r kit.Region, m *moment) {
	row := m.c.Row
	if row == nil {
		v.over = false
		return
	}
	var doc inspector.Doc
	if v.Explain != nil {
		doc = v.Explain(m.c, row)
	} else {
		doc = inspector.Row(m.c.Log, row.N)
	}
	top := 0
	if r.W >= narrow {
		label.DrawHead(r, strings.TrimSpace("INSPECT  "+doc.Title), doc.Note, true)
		top = 1
	}
	v.pane.Draw(r.Sub(0, top, r.W, r.H-top), doc, true)
}

// Help returns the keys of this row, the one of enter first.
func (v *View) Help(c *view.Context) []view.Help {
	m := v.moment(c)
	bar := view.Help{Key: "│"}
	switch {
	case v.line.Typing:
		return []view.Help{{Key: "enter", Verb: "keep it"}, {Key: "↓ ↑", Verb: "rev"}, {Key: "esc", Verb: "clear"}}
	case v.over && v.pane.Typing():
		return []view.Help{{Key: "enter", Verb: "find"}, {Key: "esc", Verb: "leave it"}}
	case v.over:
		h := append([]view.Help{{Key: "esc", Verb: "back"}}, v.pane.Help()...)
		return append(h, view.Help{Key: "j k", Verb: "line"}, view.Help{Key: "/", Verb: "search"})
	}
	var h []view.Help
	switch {
	case v.focus == onHead && m.headLines() > 0:
		verb := "its frame"
		if l := m.headLine(max(min(v.head.at, m.headLines()-1), 0)); l.tool >= 0 {
			verb = "on the board"
		}
		h = append(h, view.Help{Key: "enter", Verb: verb}, view.Help{Key: "j k", Verb: "line"})
	case v.focus == onTold && m.c.Row != nil:
		h = append(h, view.Help{Key: "enter", Verb: "its frame"})
	}
	if c.Rows > 0 {
		keys := "[ ]"
		if v.focus == onTold {
			keys = "j k [ ]"
		}
		h = append(h, view.Help{Key: keys, Verb: "rev"})
	}
	h = append(h, view.Help{Key: "tab", Verb: "pane"})
	if m.c.Row != nil {
		h = append(h, view.Help{Key: "y", Verb: "copy what it is told"})
	}
	switch {
	case v.found != nil:
		h = append(h, view.Help{Key: "n N", Verb: "match"}, view.Help{Key: "esc", Verb: "clear"})
	case v.alone:
		h = append(h, view.Help{Key: "z", Verb: "all panes"})
	}
	h = append(h, bar)
	if c.Rows > 0 {
		h = append(h, view.Help{Key: "/", Verb: "filter"}, view.Help{Key: "i", Verb: "inspect"})
	}
	return h
}

// Where names the place for the page of keys.
func (v *View) Where(c *view.Context) string {
	m := v.moment(c)
	switch {
	case v.over:
		return "Model, Inspect"
	case v.focus == onHead:
		return "Model, Stable head"
	case v.focus == onCost:
		return "Model, Rebuilds"
	case m.c.Row != nil:
		return "Model, on rev " + revWords(m.c.Row)
	}
	return "Model"
}

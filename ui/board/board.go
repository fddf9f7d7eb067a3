// Package board is view 1: what a model can do at the playhead, and why.
//
// Four things stand side by side: REVS, the timeline of revs, whose cursor is
// the playhead; TOOLS, a matrix of tools × instances under STATIC and
// DYNAMIC; OPEN and SUGGESTED; and INSPECT, which explains the selection.
// A Board owns scroll, folding, filter and selection, and nothing else: what
// it draws comes from the view.Context, so the same Context gives the same
// screen. Selections are names and numbers, never positions in a list, so
// they survive every change of what is listed. Drawing asks the log for the
// rows in sight alone; its cost does not grow with the session.
package board

import (
	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/inspect"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/revs"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// SelKind says what kind of thing a Selection names.
type SelKind uint8

// The things that can be selected.
const (
	OnNothing    SelKind = iota
	OnRow                // a row of REVS: Row
	OnTool               // a cell of TOOLS: Tool, with Toolset and Instance where it has them
	OnToolset            // a toolset or an undeclared group: Toolset
	OnInstance           // an open instance, or an open toolset without instances: Toolset, Instance
	OnEnded              // the record of an end: ID, with Toolset and Instance
	OnSuggestion         // a suggestion: Toolset, Instance, Action
	OnStatic             // the head of STATIC
	OnDynamic            // the head of DYNAMIC
	OnLoose              // the head of LOOSE
)

// Selection names what is selected. It is an identity: it stays what it is
// while lists change around it. Parts that a kind does not have are empty.
type Selection struct {
	Kind     SelKind
	Row      int // number of the row in the log (timeline.Row.N); of a suggestion: the row that brought it
	Toolset  string
	Instance string
	Tool     string
	Action   string // of a suggestion: open, close
	ID       string // of an ended record
}

// Inspector is the pane that lays out an explanation, as inspect.Pane does.
type Inspector interface {
	// Draw draws doc into r, without a head line.
	Draw(r kit.Region, doc inspector.Doc, focused bool)
	// Key handles one key while the pane has the focus, and reports whether
	// it had a use for it.
	Key(key string) bool
	// Wheel scrolls, n notches down or, below 0, up.
	Wheel(n int)
	// Typing reports whether all keys belong to a line that is typed.
	Typing() bool
	// Paste puts text into that line, and reports whether there is one.
	Paste(text string) bool
}

// Board is the board. New sets what it explains with; the other fields may be
// set before it is first drawn. Each of them may be nil.
type Board struct {
	// Explain returns the explanation of a selection for INSPECT.
	Explain func(c *view.Context, sel Selection) inspector.Doc
	// Inspect is the pane that INSPECT is drawn with.
	Inspect Inspector
	// Flag reports whether a finding speaks of a row. Without it a row is
	// flagged by what its frame alone shows.
	Flag func(c *view.Context, row *timeline.Row) bool
	// FlagTool reports whether a finding speaks of a tool at the playhead.
	// Without it the entries that the rows in sight of the playhead dropped
	// are looked at.
	FlagTool func(c *view.Context, toolset, tool string) bool
	// FlagCell reports whether a finding speaks of a tool in that instance
	// alone at the playhead; nil: none does.
	FlagCell func(c *view.Context, toolset, instance, tool string) bool

	focus pane // the pane with the focus
	last  pane // what INSPECT explains: the pane that has, or last had, it
	zoom  bool // the focused pane alone
	stage bool // drawn for a room
	over  bool // INSPECT lies over the body

	revs revScroll

	sel    Selection         // the cursor of TOOLS
	want   Selection         // where it goes as soon as that is open
	away   Selection         // where it stood before the connection was lost, until that is back
	chosen map[string]string // the instance last chosen in each toolset
	folds  map[string]bool   // what the user folded (true) or unfolded
	colTop map[string]int    // first column in sight, for each toolset
	top    int               // first row of TOOLS in sight
	free   bool              // TOOLS was scrolled away from its cursor
	lastAt int               // where the cursor stood, should its thing go
	filter filter.Line       // of TOOLS
	kept   toolMatch         // what it leaves
	before Selection         // the cursor before it was typed
	find   filter.Line       // of REVS
	found  *revs.Found       // what that leaves, nil: no filter

	open list
	sugg list

	second *Board // draws REVS of the other one of two connections

	w, h   int // size of the body when it was last drawn
	cache  revs.Cache
	doc    inspector.Doc // what INSPECT said last, for docKey
	docKey docKey
	src    revs.Source // stands for the log in tests
}

// New returns a board with the focus in TOOLS.
func New() *Board {
	return &Board{
		Explain: Explain, Inspect: &inspect.Pane{},
		focus: paneTools, last: paneTools,
		chosen: map[string]string{}, folds: map[string]bool{}, colTop: map[string]int{},
	}
}

// OnStage draws from now on for a room: TOOLS alone at first, cells spaced,
// air between groups (screens.md, "On a stage").
func (b *Board) OnStage() {
	b.stage, b.zoom = true, true
}

// Alone reports whether one pane is shown alone.
func (b *Board) Alone() bool { return b.zoom }

var _ view.View = (*Board)(nil)

// Draw draws the board's body.
func (b *Board) Draw(r kit.Region, c *view.Context) {
	b.w, b.h = r.W, r.H
	if r.W <= 0 || r.H <= 0 {
		return
	}
	m := b.moment(c)
	if b.found != nil {
		b.found.Look(c, m.cur)
		m.mark = b.found.Mark(m.cur)
	}
	l := b.settle(m)
	b.drawFrame(r, m, l)
	for p := pane(0); p < numPanes; p++ {
		at := l.at[p]
		if !at.on || at.body.h <= 0 || at.body.w <= 0 {
			continue
		}
		body := r.Sub(at.body.x, at.body.y, at.body.w, at.body.h)
		switch p {
		case paneRevs:
			b.drawRevs(body, m)
		case paneTools:
			b.drawTools(body, m, l)
		case paneOpen:
			b.drawList(body, m, &b.open, m.openLines(body.W, l), paneOpen)
		case paneSuggested:
			b.drawList(body, m, &b.sugg, m.suggestedLines(body.W), paneSuggested)
		case paneInspect:
			if b.Inspect != nil {
				b.Inspect.Draw(body, m.doc, b.lit(m, paneInspect))
			}
		}
	}
}

// Selected returns what INSPECT explains: the selection of the pane that has,
// or last had, the focus.
func (b *Board) Selected(c *view.Context) Selection {
	m := b.moment(c)
	b.settle(m)
	return b.selected(m)
}

func (b *Board) selected(m *moment) Selection {
	switch b.last {
	case paneRevs:
		if m.mark < 0 {
			return Selection{}
		}
		return Selection{Kind: OnRow, Row: m.mark}
	case paneOpen:
		return b.open.sel
	case paneSuggested:
		return b.sugg.sel
	default:
		return b.sel
	}
}

// Select puts the focus into TOOLS, on sel. What was just opened may be named
// before the board shows it: the cursor goes there as soon as it does. On an
// instance, or a toolset that is open, it goes to the first usable tool, so
// that enter calls it next.
func (b *Board) Select(c *view.Context, sel Selection) {
	b.zoom = b.zoom && b.stage && b.focus == paneTools // the room keeps what it looks at
	b.over, b.free, b.filter = false, false, filter.Line{}
	b.focus, b.last = paneTools, paneTools
	b.sel, b.want, b.away = sel, sel, Selection{}
	if sel.Toolset != "" {
		b.folds["set "+sel.Toolset] = false
	}
	b.arrive(b.moment(c))
}

// arrive moves the cursor to what it waits for, once that is there.
func (b *Board) arrive(m *moment) {
	want := b.want
	set := m.toolset(want.Toolset)
	switch {
	case want.Kind != OnInstance && want.Kind != OnToolset:
		b.want = Selection{}
		return
	case set == nil || !set.Open || (want.Instance != "" && instanceIndex(set, want.Instance) < 0):
		return
	}
	b.want = Selection{}
	if want.Instance != "" {
		b.chosen[set.Name] = want.Instance
	}
	if set.HasInstances && want.Instance == "" {
		return
	}
	if t := firstTool(set, want.Instance); t != "" {
		b.sel = Selection{Kind: OnTool, Toolset: set.Name, Instance: want.Instance, Tool: t}
	}
}

// firstTool names the first tool of a toolset that is usable in instance, or
// the first of all where none is.
func firstTool(ts *timeline.Toolset, instance string) string {
	for i := range ts.Tools {
		if cell := cellOf(ts, &ts.Tools[i], instance); cell != nil && cell.Visible {
			return ts.Tools[i].Name
		}
	}
	if len(ts.Tools) > 0 {
		return ts.Tools[0].Name
	}
	return ""
}

package board

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// openWide is the width from which OPEN has one line an instance.
const openWide = 56

// openRow is one thing that is open: an instance, or a toolset without any.
type openRow struct {
	set       *timeline.Toolset
	instance  int // -1: the toolset itself
	name      string
	title     string
	opened    timeline.By
	changed   timeline.By
	redefined bool
}

// openRows lists what is open in the order of opening.
func (m *moment) openRows() []openRow {
	var out []openRow
	for i := range m.b.Toolsets {
		set := &m.b.Toolsets[i]
		switch {
		case set.HasInstances:
			for k := range set.Instances {
				in := &set.Instances[k]
				out = append(out, openRow{set, k, in.Name, in.Title, in.OpenedBy, in.Changed, in.Redefined})
			}
		case set.Open:
			out = append(out, openRow{set, -1, set.Name, set.Title, set.OpenedBy, set.Changed, m.redefinedBy(set)})
		}
	}
	slices.SortStableFunc(out, func(a, b openRow) int { return a.opened.Index - b.opened.Index })
	return out
}

// redefinedBy reports whether the rev that last changed a toolset without
// instances redefined a tool of it.
func (m *moment) redefinedBy(set *timeline.Toolset) bool {
	for i := range set.Tools {
		for k := range set.Tools[i].Cells {
			if c := &set.Tools[i].Cells[k]; set.Changed.Rev > 0 && c.DefBy.Rev == set.Changed.Rev {
				return true
			}
		}
	}
	return false
}

func (o *openRow) selection() Selection {
	s := Selection{Kind: OnInstance, Toolset: o.set.Name}
	if o.instance >= 0 {
		s.Instance = o.name
	}
	return s
}

// usable counts the tools that are usable in it.
func (o *openRow) usable() (n, all int) {
	for i := range o.set.Tools {
		if c := cellOf(o.set, &o.set.Tools[i], o.name); c != nil && c.Visible {
			n++
		}
	}
	return n, len(o.set.Tools)
}

// since says by what it was opened.
func (m *moment) since(o *openRow) string {
	switch {
	case !o.set.Declared:
		return "you"
	case o.set.DefaultOpen && !o.set.HasInstances && o.opened.Rev == 0 && o.opened.Index <= m.b.ManifestAt:
		return "default"
	}
	return m.by(o.opened)
}

// openCount is what the head line of OPEN says.
func (m *moment) openCount() string {
	instances, sets := 0, 0
	for i := range m.b.Toolsets {
		switch set := &m.b.Toolsets[i]; {
		case set.HasInstances:
			instances += len(set.Instances)
		case set.Open:
			sets++
		}
	}
	switch {
	case sets > 0 && instances > 0:
		return fmt.Sprintf("%d open", sets+instances)
	case sets > 0:
		return inspector.Count(sets, "toolset")
	default:
		return inspector.Count(instances, "instance")
	}
}

// Columns of OPEN from 56 columns on.
const (
	openName    = 3
	openTitle   = 12
	openOf      = 23
	openSince   = 31
	openUsable  = 41
	openChanged = 50
)

// openLines lays OPEN out for a width.
func (m *moment) openLines(w int, l layout) []line {
	wide := w >= openWide
	rows := m.openRows()
	var out []line
	text := func(s string) {
		for _, t := range kit.Wrap(s, w-openName-1) {
			out = append(out, line{draw: func(r kit.Region, y int, _ bool) {
				r.Put(openName, y, kit.As(kit.Dim), t)
			}})
		}
	}
	switch {
	case len(rows) == 0 && m.acts:
		if len(m.b.Toolsets) == 0 {
			text("Nothing is open: this server has no toolsets.")
		} else {
			text("Nothing is open. o opens a toolset.")
		}
	case len(rows) == 0:
		text("Nothing is open.")
	case wide && !l.strip:
		out = append(out, line{draw: drawOpenHeads})
	}
	for i := range rows {
		o := &rows[i]
		if wide {
			out = append(out, line{sel: o.selection(), draw: func(r kit.Region, y int, here bool) { m.drawOpen(r, y, o, here) }})
			continue
		}
		out = append(out,
			line{sel: o.selection(), draw: func(r kit.Region, y int, here bool) { m.drawOpen2(r, y, o, here) }},
			line{sel: o.selection(), more: true, draw: func(r kit.Region, y int, _ bool) { m.drawOpenMore(r, y, o) }})
	}
	at := openTitle
	if !wide {
		at = 11
	}
	if closed := m.closedText(); closed != "" && !l.strip {
		out = append(out, line{draw: func(r kit.Region, y int, _ bool) {
			r.Put(openName, y, kit.As(kit.Dim), "CLOSED")
			r.PutCut(at, y, r.W-at-1, kit.As(kit.Dim), closed)
		}})
	}
	return append(out, m.endedLines(at)...)
}

func drawOpenHeads(r kit.Region, y int, _ bool) {
	for _, h := range []struct {
		x    int
		word string
	}{
		{openName, "INSTANCE"},
		{openTitle, "TITLE"},
		{openOf, "OF"},
		{openSince, "SINCE"},
		{openUsable, "USABLE"},
		{openChanged, "CHANGED BY"},
	} {
		r.Put(h.x, y, kit.As(kit.Dim), h.word)
	}
}

// nameStyle is the style of a name in a list, bright where it is selected.
func nameStyle(here bool) kit.Style {
	if here {
		return kit.As(kit.Bright)
	}
	return kit.As(kit.Normal)
}

func (m *moment) drawOpen(r kit.Region, y int, o *openRow, here bool) {
	r.Put(openName, y, nameStyle(here), cutName(o.name, openTitle-openName-1))
	r.PutCut(openTitle, y, openOf-openTitle-1, kit.As(kit.Normal), peer(o.title))
	if o.instance >= 0 {
		r.Put(openOf, y, kit.As(kit.Dim), cutName(o.set.Name, openSince-openOf-1))
	}
	r.PutCut(openSince, y, openUsable-openSince-1, kit.As(kit.Dim), m.since(o))
	n, all := o.usable()
	r.PutCut(openUsable, y, openChanged-openUsable-1, kit.As(kit.Normal), fmt.Sprintf("%d of %d", n, all))
	x := r.PutCut(openChanged, y, r.W-openChanged-3, kit.As(kit.Dim), m.by(o.changed))
	if o.redefined {
		r.Put(x+1, y, kit.As(kit.Changed), "~")
	}
}

// drawOpen2 draws the first of two lines of what is open, drawOpenMore the
// second.
func (m *moment) drawOpen2(r kit.Region, y int, o *openRow, here bool) {
	n, all := o.usable()
	text := fmt.Sprintf("%d of %d usable", n, all)
	end := r.W - 1
	r.PutRight(end, y, kit.As(kit.Normal), text)
	x := r.Put(openName, y, nameStyle(here), cutName(o.name, max(8, end-kit.Width(text)-openName-10)))
	x = max(x+1, 11)
	r.PutCut(x, y, end-kit.Width(text)-1-x, kit.As(kit.Normal), peer(o.title))
}

func (m *moment) drawOpenMore(r kit.Region, y int, o *openRow) {
	left := "since " + m.since(o)
	if o.instance >= 0 {
		left = cutName(o.set.Name, 10) + ", " + left
	}
	end := r.W - 1
	if o.redefined {
		r.Put(end-1, y, kit.As(kit.Changed), "~")
		end -= 2
	}
	right := m.by(o.changed)
	r.PutRight(end, y, kit.As(kit.Dim), right)
	r.PutCut(5, y, end-kit.Width(right)-1-5, kit.As(kit.Dim), left)
}

// closedText names what could be opened: "chat, by you, rev 24     debug, undeclared".
func (m *moment) closedText() string {
	var out []string
	for i := range m.b.Toolsets {
		set := &m.b.Toolsets[i]
		if set.Open {
			continue
		}
		s := peer(set.Name)
		switch {
		case !set.Declared:
			s += ", undeclared"
		case set.ClosedBy.Index >= 0:
			s += ", " + m.whoClosed(set.ClosedBy)
			if by := m.by(set.ClosedBy); by != "" {
				s += ", " + by
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, "     ")
}

// whoClosed says whether the user's own close brought it about, or the
// server.
func (m *moment) whoClosed(by timeline.By) string {
	e := m.entry(by.Index)
	if row := m.row(e.Row); e.Row >= 0 && row != nil && row.Carrier != timeline.CarrierClose {
		return "by the server"
	}
	return "by you"
}

// endedLines are the lines of ENDED: what ended by itself, newest first.
func (m *moment) endedLines(at int) []line {
	ends := m.ends
	if len(ends) == 0 {
		return []line{{draw: func(r kit.Region, y int, _ bool) {
			r.Put(openName, y, kit.As(kit.Dim), "ENDED")
			r.PutCut(at, y, r.W-at-1, kit.As(kit.Dim), noneEnded)
		}}}
	}
	var out []line
	for i := len(ends) - 1; i >= 0; i-- {
		e, newest := &ends[i], i == len(ends)-1
		out = append(out, line{sel: endedSelection(e), draw: func(r kit.Region, y int, here bool) {
			if newest {
				r.Put(openName, y, kit.As(kit.Normal), "ENDED")
			}
			r.PutCut(at, y, r.W-at-1, nameStyle(here), m.endedText(e))
		}})
	}
	return out
}

// endedText says what ended, by which rev, and the server's reason.
func (m *moment) endedText(e *timeline.Ended) string {
	s := nameOf(endedSelection(e))
	if by := m.by(e.By); by != "" {
		s += ", " + by
	}
	if e.Reason != "" {
		s += " “" + firstLine(e.Reason) + "”"
	}
	return s
}

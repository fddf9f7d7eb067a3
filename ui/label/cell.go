package label

import (
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// CellKey names a cell: a tool by itself, or in an instance.
type CellKey struct{ Tool, Instance string }

// Sign is what a rev did to a cell.
type Sign struct{ Shown, Hidden, Redefined bool }

// Add puts two signs together, for a cell that stands for several.
func (s Sign) Add(o Sign) Sign {
	return Sign{s.Shown || o.Shown, s.Hidden || o.Hidden, s.Redefined || o.Redefined}
}

// Signs returns the signs of the row at the playhead. A row of an earlier
// connection, or one whose hints are still held, changed nothing that is seen
// there.
func Signs(c *view.Context) map[CellKey]Sign {
	row := c.Row
	if row == nil || (c.Board != nil && row.Conn != c.Board.Conn) || row.Taken < 0 || row.Taken > c.At {
		return nil
	}
	signs := make(map[CellKey]Sign, len(row.Changes))
	for _, ch := range row.Changes {
		if ch.Tool == "" {
			continue
		}
		k := CellKey{ch.Tool, ch.Instance}
		s := signs[k]
		switch ch.Kind {
		case timeline.Shown:
			s.Shown = true
		case timeline.Hidden:
			s.Hidden = true
		case timeline.Redefined:
			s.Redefined = true
		}
		signs[k] = s
	}
	return signs
}

// DrawCell draws the two signs and the dot of a cell from column x on: three
// columns.
func DrawCell(r kit.Region, x, y int, visible, redefined bool, s Sign) {
	DrawSpaced(r, x, y, 1, visible, redefined, s)
}

// DrawSpaced is DrawCell with step columns from one sign to the next.
func DrawSpaced(r kit.Region, x, y, step int, visible, redefined bool, s Sign) {
	switch {
	case s.Shown:
		r.Fill(x, y, 1, kit.Style{Role: kit.Good, Bold: true}, "+")
	case s.Hidden:
		r.Fill(x, y, 1, kit.Style{Role: kit.Normal, Bold: true}, "-")
	}
	switch {
	case s.Redefined:
		r.Fill(x+step, y, 1, kit.Style{Role: kit.Changed, Bold: true}, "~")
	case redefined:
		r.Fill(x+step, y, 1, kit.As(kit.Changed), "≠")
	}
	if visible {
		r.Fill(x+2*step, y, 1, kit.Style{Role: kit.Good, Bold: true}, "●")
	} else {
		r.Fill(x+2*step, y, 1, kit.As(kit.Dim), "○")
	}
}

// CellOf returns the cell of a tool in an instance (of its own, where its
// toolset has none), or nil.
func CellOf(ts *timeline.Toolset, t *timeline.Tool, instance string) *timeline.Cell {
	i := 0
	if ts != nil && ts.HasInstances {
		if i = Instance(ts, instance); i < 0 {
			return nil
		}
	}
	if i >= len(t.Cells) {
		return nil
	}
	return &t.Cells[i]
}

// Instance returns the place of an open instance in its toolset, -1: it is
// not open.
func Instance(ts *timeline.Toolset, name string) int {
	for i := range ts.Instances {
		if ts.Instances[i].Name == name {
			return i
		}
	}
	return -1
}

// Toolset returns the toolset of that name on a board, or nil.
func Toolset(b *timeline.Board, name string) *timeline.Toolset {
	for i := range b.Toolsets {
		if b.Toolsets[i].Name == name {
			return &b.Toolsets[i]
		}
	}
	return nil
}

// Usable counts the tools that are usable somewhere.
func Usable(tools []timeline.Tool) (n, all int) {
	for i := range tools {
		for k := range tools[i].Cells {
			if tools[i].Cells[k].Visible {
				n++
				break
			}
		}
	}
	return n, len(tools)
}

// Dynamic counts the dynamic tools of a board that are usable somewhere.
func Dynamic(b *timeline.Board) (n, all int) {
	n, all = Usable(b.Loose)
	for i := range b.Toolsets {
		k, kall := Usable(b.Toolsets[i].Tools)
		n, all = n+k, all+kall
	}
	return n, all
}

// Pending returns the first suggestion that waits for an answer about a
// toolset, or nil.
func Pending(b *timeline.Board, toolset, action string) *timeline.Suggestion {
	for i := range b.Suggestions {
		s := &b.Suggestions[i]
		if !s.Taken && s.Toolset == toolset && s.Action == action {
			return s
		}
	}
	return nil
}

// Suggested returns what the server suggests about a toolset as a whole at
// the moment of a board: "open", "close", or "".
func Suggested(b *timeline.Board, ts *timeline.Toolset) string {
	if !ts.Open && Pending(b, ts.Name, "open") != nil {
		return "open"
	}
	if ts.Open && Pending(b, ts.Name, "close") != nil {
		return "close"
	}
	return ""
}

package inspector

import (
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Target names a tool in a place; Instance is "" outside of toolsets with
// instances.
type Target struct{ Toolset, Instance, Tool string }

// Baseline is what something is compared against.
type Baseline uint8

// The baselines, in the order in which one is offered after the other.
const (
	AgainstBefore   Baseline = iota // as it was before the last change
	AgainstDeclared                 // as tools/list declared it
	AgainstMark                     // as it was at the user's mark
)

// Point is one side of a comparison.
type Point struct {
	Head  string // "BEFORE", "HERE", "DECLARED", "YOUR MARK"
	Name  string // in a sentence: "before", "here", "your mark “second game”"
	When  string // "rev 30", "frame 10"
	State string // of the tool: "hidden", "usable", "not open", "not listed"; "" where none is asked for
	Index int    // position of the frame, -1: before the first
	Conn  int
}

// Fact is one line of what is known of a change, under a label.
type Fact struct {
	Label string
	Line  Line
	Index int // the frame that it leads to, -1: none
}

// Comparison is a tool's definition at two points, the earlier one first, and
// what is known of the change between them.
type Comparison struct {
	Subject string // "play @ vs-ada"
	From    Point
	To      Point
	Grid    Grid
	// Facts are CARRIED BY and APPLIED: the message that made the definition
	// what it is here. Index is its frame, -1 where there is none.
	Facts  []Fact
	Index  int
	Blocks []Block // WHAT THE MODEL WAS TOLD, CALLS MADE WITH THE ONE BEFORE
}

// CompareTool compares a tool, as it is on a board, against a baseline. mark
// is the position of the user's mark, -1: none.
func CompareTool(log *timeline.Log, b *timeline.Board, t Target, against Baseline, mark int) Comparison {
	c := comparer{log: log, b: b, t: t, against: against}
	c.out = Comparison{Subject: oneLine(at(t.Tool, t.Instance, true)), Index: -1}
	c.here, c.known = find(b, t.Tool, t.Instance)
	c.change, c.changed = c.lastChange()
	to := HerePoint(log, b, t)
	from, before := c.baseline(mark)
	c.before = before
	after := definitionOf(c.here, c.known)
	if from.Index > to.Index && against == AgainstMark { // signs read forward in time
		from, to, before, after = to, from, after, before
	}
	c.out.From, c.out.To = from, to
	c.out.Grid = CompareSides(before, after)
	c.facts()
	c.told()
	c.calls(mark)
	return c.out
}

// LastChange is what made the definition of a tool, as it is on a board, what
// it is: the last redefinition, in an instance since that was opened. ok is
// false where it is as it was declared.
func LastChange(log *timeline.Log, b *timeline.Board, t Target) (e timeline.Event, ok bool) {
	c := comparer{log: log, b: b, t: t}
	c.here, c.known = find(b, t.Tool, t.Instance)
	return c.lastChange()
}

// HerePoint is the side of a comparison that stands at the playhead.
func HerePoint(log *timeline.Log, b *timeline.Board, t Target) Point {
	p := pointOf(log, b, "HERE", "here")
	s, known := find(b, t.Tool, t.Instance)
	p.State = stateOf(s, known)
	return p
}

// comparer gathers a comparison.
type comparer struct {
	log     *timeline.Log
	b       *timeline.Board
	t       Target
	against Baseline
	here    spot
	known   bool
	change  timeline.Event // what made the definition what it is here
	changed bool
	before  []byte        // the definition of the baseline
	row     *timeline.Row // of the change, nil: no rev did it
	out     Comparison
}

// lane is the lane of the tool in its place.
func (c *comparer) lane() timeline.LaneKey {
	k := timeline.LaneKey{Conn: c.b.Conn, Tool: c.t.Tool}
	if c.known && c.here.set != nil {
		k.Toolset, k.Instance = c.here.set.Name, c.here.instance
	}
	return k
}

// lastChange is the last redefinition of the tool up to the board, in an
// instance since it was opened.
func (c *comparer) lastChange() (timeline.Event, bool) {
	if !c.known {
		return timeline.Event{}, false
	}
	e, ok := c.log.LaneBefore(c.lane(), c.b.Index, timeline.Redefined)
	if ok && c.here.inst != nil && e.Index < c.here.inst.OpenedBy.Index {
		return timeline.Event{}, false
	}
	return e, ok
}

// baseline returns the point that is compared against, and the definition
// there, nil where the tool is not listed.
func (c *comparer) baseline(mark int) (Point, []byte) {
	switch c.against {
	case AgainstDeclared:
		p := Point{Head: "DECLARED", Name: "declared", When: "no list", Index: c.b.ListAt, Conn: c.b.Conn}
		if c.b.ListAt >= 0 && c.b.ListAt < c.log.Len() {
			p.When = "frame " + seq(c.log.Entry(c.b.ListAt).Seq)
		}
		if !c.known {
			return p, nil
		}
		return p, c.here.tool.Declared
	case AgainstMark:
		board, err := c.log.Board(mark)
		if err != nil {
			return Point{Head: "YOUR MARK", Name: "your mark", When: "cannot be read", Index: mark}, nil
		}
		return c.side(markPoint(c.log, board, mark), board)
	}
	board := c.beforeChange()
	if board == nil {
		return Point{Head: "BEFORE", Name: "before", When: "nothing was before", Index: -1}, nil
	}
	return c.side(pointOf(c.log, board, "BEFORE", "before"), board)
}

func (c *comparer) side(p Point, board *timeline.Board) (Point, []byte) {
	s, ok := find(board, c.t.Tool, c.t.Instance)
	p.State = stateOf(s, ok)
	return p, definitionOf(s, ok)
}

// beforeChange is the board before the change that made the definition what
// it is; where there was none, the one before the frame that is looked at.
func (c *comparer) beforeChange() *timeline.Board {
	i := c.b.Index
	if c.changed {
		i = c.change.Index
		if c.change.Row >= 0 {
			h := c.log.RowHead(c.change.Row)
			// Several revs may take effect with one frame.
			if n := c.log.RowOf(h.Conn, h.Rev-1); n >= 0 && c.log.RowHead(n).Taken == i {
				if board, err := c.log.BoardOfRev(h.Conn, h.Rev-1); err == nil {
					return board
				}
			}
		}
	} else if n := c.log.RowAt(i); n >= 0 && c.log.RowHead(n).Conn == c.b.Conn {
		i = c.log.RowHead(n).Index
	}
	return boardBefore(c.log, c.b.Conn, i)
}

// boardBefore is the board of a connection before the frame at position i,
// nil where it had none.
func boardBefore(log *timeline.Log, conn, i int) *timeline.Board {
	for k := i - 1; k >= 0 && k > i-lookBack; k-- {
		if log.Entry(k).Conn != conn {
			continue // a frame of another connection, which overlaps
		}
		if b, err := log.Board(k); err == nil {
			return b
		}
		break
	}
	return nil
}

func pointOf(log *timeline.Log, b *timeline.Board, head, name string) Point {
	return Point{Head: head, Name: name, When: whenOf(log, b), Index: b.Index, Conn: b.Conn}
}

// whenOf names the moment of a board: "rev 31", or, before the first rev,
// "frame 9".
func whenOf(log *timeline.Log, b *timeline.Board) string {
	switch {
	case b.LastRev > 0:
		return revText(b.Conn, b.LastRev)
	case b.Index >= 0 && b.Index < log.Len():
		return "frame " + seq(b.Seq)
	}
	return "the start"
}

// markPoint is the point at the user's mark.
func markPoint(log *timeline.Log, b *timeline.Board, mark int) Point {
	p := pointOf(log, b, "YOUR MARK", "your mark")
	p.When = ClockShort(b.T) + ", " + p.When
	if text := markText(log, mark); text != "" {
		p.Name += " " + text
	}
	return p
}

// markText is what the user wrote at a mark, between quotation marks.
func markText(log *timeline.Log, mark int) string {
	if mark < 0 || mark >= log.Len() {
		return ""
	}
	f, err := log.Frame(mark)
	if err != nil || f.Name != "mark" {
		return ""
	}
	text := oneLine(member(f.Data, "text"))
	if text == "" {
		return ""
	}
	return "“" + cutBytes(text, 60) + "”"
}

// stateOf says what a tool is at a point.
func stateOf(p spot, known bool) string {
	switch {
	case !known:
		return "not listed"
	case p.set != nil && p.set.HasInstances && p.instance == "":
		return "" // no place is asked for
	case p.closed():
		return "not open"
	case p.usable():
		return "usable"
	}
	return "hidden"
}

// definitionOf is the definition in effect, nil where the tool is not listed.
func definitionOf(p spot, known bool) []byte {
	switch {
	case !known:
		return nil
	case p.cell == nil:
		return p.tool.Declared
	}
	return p.cell.Definition
}

// Baselines returns those that there are: the mark only where one is set.
func Baselines(mark int) []Baseline {
	all := []Baseline{AgainstBefore, AgainstDeclared, AgainstMark}
	if mark < 0 {
		return all[:2]
	}
	return all
}

// AgainstLine names the baselines of a comparison in their order, the one
// that is chosen brightest: "before ▸ declared (frame 10) ▸ your mark “second
// game”, 1:00".
func AgainstLine(log *timeline.Log, b *timeline.Board, chosen Baseline, mark int, board bool) Line {
	var l Line
	all := Baselines(mark)
	for i, k := range all {
		if i > 0 {
			l.Spans = append(l.Spans, quiet(" ▸ "))
		}
		text := "before"
		switch k {
		case AgainstDeclared:
			text = "declared"
			if board {
				text = "as it was listed"
			}
			if b.ListAt >= 0 && b.ListAt < log.Len() {
				text += " (frame " + seq(log.Entry(b.ListAt).Seq) + ")"
			}
		case AgainstMark:
			text = strings.TrimSpace("your mark " + markText(log, mark))
			if mark < log.Len() {
				text += ", " + ClockShort(log.Entry(mark).T)
			}
		}
		s := plain(text)
		if k == chosen {
			s = loud(text)
		}
		l.Spans = append(l.Spans, s)
	}
	if !slices.Contains(all, AgainstMark) {
		l.Spans = append(l.Spans, quiet("   m marks a point to compare with"))
	}
	l.Right = "d: the next one"
	return l
}

package compare

import (
	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// hitTrack is a row of the track: the column says which frame.
const hitTrack = -2

// toolMemo is the comparison of a tool, kept while nothing moved that it
// depends on, and its grid, kept while it is laid out the same.
type toolMemo struct {
	key  toolKey
	cmp  inspector.Comparison
	grid []vrow
	gkey gridKey

	track  inspector.Track
	trackX int
}

// toolKey tells whether a comparison is still the one that would be made. It
// names what is compared and the last thing that happened to it: a session
// that goes on elsewhere makes no difference.
type toolKey struct {
	log      *timeline.Log
	target   Target
	against  inspector.Baseline
	mark     int
	conn     int
	listAt   int
	manifest int
	change   timeline.Event
	changed  bool
	row      int
	at       int
	asked    int // requests without answer: the calls that are listed may be among them
	open     bool
}

type gridKey struct {
	w, side, most int
	tight, fresh  bool
}

// compare returns the comparison of the tool at the playhead.
func (v *View) compare(c *view.Context) *inspector.Comparison {
	m := &v.tool
	k := toolKey{
		log: c.Log, target: v.target, against: v.baseline(c), mark: c.Mark, conn: c.Board.Conn,
		listAt: c.Board.ListAt, manifest: c.Board.ManifestAt, row: -1, at: -1, asked: len(newest(c).Calls), open: true,
	}
	k.change, k.changed = inspector.LastChange(c.Log, c.Board, v.target)
	if !k.changed {
		k.at = c.At
	}
	if k.against == inspector.AgainstMark {
		k.at = c.At // calls are listed up to here, and the mark may be later
	}
	if k != m.key {
		m.key, m.gkey = k, gridKey{}
		m.cmp = inspector.CompareTool(c.Log, c.Board, v.target, k.against, k.mark)
	}
	if k.against != inspector.AgainstMark {
		m.cmp.To = inspector.HerePoint(c.Log, c.Board, v.target)
	}
	return &m.cmp
}

func (v *View) toolTitle(c *view.Context) (title string, notes []string) {
	m := v.compare(c)
	return "COMPARE " + m.Subject, titleNotes(m.From, m.To, m.Grid.Differ, "member")
}

// titleNotes are the words at the right of the head line, each shorter than
// the one before.
func titleNotes(from, to inspector.Point, differ int, noun string) []string {
	a, b := from.Name+", "+from.When, to.Name+", "+to.When
	n := "nothing differs"
	switch {
	case differ == 1:
		n = "1 " + noun + " differs"
	case differ > 1:
		n = itoa(differ) + " " + noun + "s differ"
	}
	return []string{
		a + "  against  " + b + "     " + n, a + "  against  " + b, a + " against " + b,
		from.When + " against " + to.When, from.Name + " against " + to.Name, n,
	}
}

// toolRows is all of the comparison of a tool.
func (v *View) toolRows(c *view.Context, w, h int) []vrow {
	m := v.compare(c)
	l := &v.at
	lower := v.lowerRows(c, w)
	rows := v.heads(m)
	most := max(h-len(lower)-len(rows)-1, 6)
	if k := (gridKey{l.w, l.side, most, l.tight, true}); k != v.tool.gkey {
		v.tool.gkey, v.tool.grid = k, gridRows(&m.Grid, l, most)
	}
	rows = append(rows, v.tool.grid...)
	if len(m.Grid.Lines) == 0 {
		rows = append(rows, text(textX, kit.Dim, "neither side has a definition"))
	}
	rows = append(rows, vrow{kind: ruleRow, hit: noHit})
	return append(rows, lower...)
}

// heads name the two sides.
func (v *View) heads(m *inspector.Comparison) []vrow {
	words := func(p inspector.Point) string {
		s := p.When
		if p.State != "" {
			s += ", " + p.State
		}
		return s
	}
	side := func(sign string, p inspector.Point) []piece {
		var out []piece
		if sign != "" {
			put(&out, signX, signStyle(sign), sign)
		}
		x := signX
		if sign != "" {
			x = textX
		}
		end := put(&out, x, kit.As(kit.Title), p.Head) + 3
		if sign != "" { // one below the other
			end = max(end, x+len(m.From.Head)+3, x+len(m.To.Head)+3)
		}
		put(&out, end, kit.As(kit.Normal), words(p))
		return out
	}
	if v.at.side > 0 {
		return []vrow{
			{kind: gridRow, left: side("", m.From), right: side("", m.To), hit: noHit},
			{kind: gridRow, hit: noHit},
		}
	}
	rows := []vrow{{left: side("-", m.From), hit: noHit}, {left: side("+", m.To), hit: noHit}}
	if v.at.tight {
		return rows
	}
	return append(rows, vrow{hit: noHit})
}

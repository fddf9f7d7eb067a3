package compare

import (
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// trackX is where the cells of the track begin.
const (
	trackX       = 42
	trackXNarrow = 14
)

// trackRows draws the track of the tool: a ruler, whether it was usable after
// each rev, where it was redefined, where the playhead stands.
func (v *View) trackRows(c *view.Context, w int) []vrow {
	x := trackX
	if w < wideBody {
		x = trackXNarrow
	}
	v.tool.trackX = x
	t := inspector.TrackOf(c.Log, c.Board, newest(c), v.target, w-x-1)
	v.tool.track = t
	if !seen(&t) {
		return nil
	}
	title := "TRACK OF " + v.tool.cmp.Subject
	ruler := vrow{hit: hitTrack}
	var out []vrow
	if w >= wideBody {
		put(&ruler.left, signX, kit.As(kit.Title), kit.Cut(kit.Clean(title), x-signX-5))
	} else {
		head := vrow{hit: noHit}
		put(&head.left, signX, kit.As(kit.Title), title)
		out = append(out, head)
	}
	drawRuler(&ruler.left, &t, x, w)
	states, redefined, here := vrow{hit: hitTrack}, vrow{hit: hitTrack}, vrow{hit: hitTrack}
	label := [2]string{"● usable  · not now", "~ redefined"}
	if w < wideBody {
		label = [2]string{"●usable", "~new"}
	}
	put(&states.left, textX, kit.As(kit.Dim), label[0])
	put(&redefined.left, textX, kit.As(kit.Dim), label[1])
	cells(&states.left, &t, x, func(cell inspector.TrackCell) string { return stateSigns[cell.State] })
	cells(&redefined.left, &t, x, func(cell inspector.TrackCell) string {
		if cell.Redefined {
			return "~"
		}
		return " "
	})
	if t.Here >= 0 {
		end := put(&here.left, x+t.Here, kit.As(kit.Bright), "▲")
		if end+6 < w {
			put(&here.left, end, kit.As(kit.Bright), " here")
		}
	}
	return append(out, ruler, states, redefined, here, vrow{hit: noHit})
}

// seen: the tool was there at all, in what is shown.
func seen(t *inspector.Track) bool {
	for _, c := range t.Cells {
		if c.State != inspector.CellAway && c.State != inspector.CellGap {
			return true
		}
	}
	return false
}

var stateSigns = map[inspector.CellState]string{
	inspector.CellAway: " ", inspector.CellHidden: "·", inspector.CellUsable: "●", inspector.CellGap: "░",
}

// cells puts a sign for each cell; what is later than the playhead is dim.
func cells(to *[]piece, t *inspector.Track, x int, sign func(inspector.TrackCell) string) {
	run := func(from, until int, st kit.Style) {
		var b strings.Builder
		for i := max(from, 0); i < until; i++ {
			b.WriteString(sign(t.Cells[i]))
		}
		put(to, x+max(from, 0), st, b.String())
	}
	run(0, t.Here, kit.As(kit.Normal))
	if t.Here >= 0 {
		run(t.Here, t.Here+1, kit.Style{Role: kit.Bright, Reverse: true})
	}
	run(t.Here+1, len(t.Cells), kit.As(kit.Dim))
}

// drawRuler writes the numbers of the first rev and of each tenth, as many as
// fit beside each other.
func drawRuler(to *[]piece, t *inspector.Track, x, w int) {
	number := func(rev int64) string {
		s := strconv.FormatInt(rev, 10)
		if t.Conn > 1 {
			s = strconv.Itoa(t.Conn) + "." + s
		}
		return s
	}
	first := number(t.From)
	if t.Earlier > 0 {
		put(to, x-2, kit.As(kit.Dim), "‹")
	} else {
		put(to, x-4, kit.As(kit.Dim), "rev")
	}
	end := put(to, x, kit.As(kit.Dim), first) + 1
	for i := range t.Cells {
		rev := t.From + int64(i)
		s := number(rev)
		if rev%10 != 0 || x+i < end || x+i+len(s) >= w-2 {
			continue
		}
		end = put(to, x+i, kit.As(kit.Dim), s) + 1
	}
	if t.Later > 0 {
		put(to, min(x+len(t.Cells), w-1), kit.As(kit.Dim), "›")
	}
}

// trackHit is the frame of the cell at column x, or noHit.
func (v *View) trackHit(x int) int {
	i := x - v.tool.trackX
	if i < 0 || i >= len(v.tool.track.Cells) {
		return noHit
	}
	return v.tool.track.Cells[i].Index
}

package inspector

import (
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Track is the lane of a tool in its place, a cell for each rev, around the
// playhead.
type Track struct {
	Conn    int
	From    int64 // the rev of the first cell
	Cells   []TrackCell
	Here    int   // the cell of the playhead, -1: it stands before the first rev
	Earlier int64 // revs before the first cell
	Later   int64 // and after the last
}

// CellState is what a tool is after a rev.
type CellState uint8

// The states of a cell.
const (
	CellAway   CellState = iota // its place is not open, or it is not listed
	CellHidden                  // there, not usable
	CellUsable
	CellGap // a rev that never came
)

// TrackCell is a tool after one rev.
type TrackCell struct {
	State     CellState
	Redefined bool // by this rev
	Index     int  // the frame at which the rev took effect, -1: it never came
}

// TrackOf returns the track of a tool, at most width cells of it. newest is
// the board at the end of the log; what it costs depends on width alone.
func TrackOf(log *timeline.Log, b, newest *timeline.Board, t Target, width int) Track {
	tr := Track{Conn: b.Conn, Here: -1}
	last := b.LastRev
	if newest != nil && newest.Conn == b.Conn {
		last = max(last, newest.LastRev)
	}
	if width < 1 || last < 1 {
		return tr
	}
	// The playhead stands three quarters into what is shown, so that most of
	// it is what led there.
	tr.From = 1
	if last > int64(width) {
		tr.From = min(max(b.LastRev-int64(width)*3/4, 1), last-int64(width)+1)
	}
	to := min(last, tr.From+int64(width)-1)
	tr.Earlier, tr.Later = tr.From-1, last-to
	if b.LastRev >= tr.From {
		tr.Here = int(b.LastRev - tr.From)
	}
	tr.Cells = make([]TrackCell, to-tr.From+1)
	tr.fill(log, b, t)
	return tr
}

// fill tells the cells from the lanes: the state before the first, and then
// what happened, event by event.
func (tr *Track) fill(log *timeline.Log, b *timeline.Board, t Target) {
	tool := timeline.LaneKey{Conn: b.Conn, Tool: t.Tool}
	if p, ok := find(b, t.Tool, t.Instance); ok && p.set != nil {
		tool.Toolset, tool.Instance = p.set.Name, p.instance
	} else if !ok {
		tool.Toolset, tool.Instance = t.Toolset, t.Instance
	}
	rows := make([]int, len(tr.Cells))
	first, end := -1, 0
	for i := range tr.Cells {
		c := &tr.Cells[i]
		rows[i], c.Index = log.RowOf(b.Conn, tr.From+int64(i)), -1
		if rows[i] < 0 {
			c.State = CellGap
			continue
		}
		c.Index = log.RowHead(rows[i]).Taken
		if first < 0 || c.Index < first {
			first = c.Index
		}
		end = max(end, c.Index+1)
	}
	if first < 0 {
		return
	}
	w := laneWalk{log: log, tool: tool, from: first, to: end}
	w.start()
	for i := range tr.Cells {
		c := &tr.Cells[i]
		if rows[i] < 0 {
			continue
		}
		c.Redefined = w.forward(c.Index, rows[i])
		c.State = w.state()
	}
}

// laneWalk follows the lanes of a tool from frame to frame.
type laneWalk struct {
	log      *timeline.Log
	tool     timeline.LaneKey
	from, to int // frames

	events [3][]timeline.Event // of the place, of the tool, of its being listed
	open   bool
	listed bool
	usable bool
}

func (w *laneWalk) start() {
	k := w.tool
	set := timeline.LaneKey{Conn: k.Conn, Toolset: k.Toolset, Instance: k.Instance}
	list := timeline.LaneKey{Conn: k.Conn, Toolset: k.Toolset, Tool: k.Tool}
	before := w.log.LaneAt(k, w.from-1)
	w.listed, w.open = before.There, before.There
	if !before.There {
		// Not there for one of two reasons, which end apart.
		w.open = k.Toolset == "" || w.log.LaneAt(set, w.from-1).Open
		e, ok := w.log.LaneBefore(list, w.from-1, timeline.Listed, timeline.Unlisted)
		w.listed = ok && e.Kind == timeline.Listed
	}
	w.usable = before.Usable
	if k.Toolset != "" {
		w.events[0] = w.log.Lane(set, w.from, w.to)
	}
	w.events[1] = w.log.Lane(k, w.from, w.to)
	if list != k {
		w.events[2] = w.log.Lane(list, w.from, w.to)
	}
}

// forward takes in what happened up to a row, which took effect with the
// frame at position index, and reports whether the row redefined the tool.
func (w *laneWalk) forward(index, row int) bool {
	redefined := false
	for {
		n, ok := w.next(index, row)
		if !ok {
			return redefined
		}
		e := w.events[n][0]
		w.events[n] = w.events[n][1:]
		switch e.Kind {
		case timeline.Opened:
			w.open, w.usable = true, false
		case timeline.ClosedIt:
			w.open, w.usable = false, false
		case timeline.Listed:
			w.listed = true
		case timeline.Unlisted:
			w.listed, w.usable = false, false
		case timeline.Shown:
			w.usable = true
		case timeline.Hidden:
			w.usable = false
		case timeline.Redefined:
			redefined = redefined || e.Row == row && n == 1
		}
	}
}

// next returns the lane whose next event comes first, of those that a row has
// seen. A frame may let several held revs go: they take effect by their
// numbers.
func (w *laneWalk) next(index, row int) (lane int, ok bool) {
	best := timeline.Event{}
	for n, list := range w.events {
		if len(list) == 0 {
			continue
		}
		e := list[0]
		if e.Index > index || e.Index == index && e.Row >= 0 && e.Row != row && w.log.RowHead(e.Row).Rev > w.log.RowHead(row).Rev {
			continue
		}
		if !ok || e.Index < best.Index || e.Index == best.Index && w.rev(e) < w.rev(best) {
			lane, best, ok = n, e, true
		}
	}
	return lane, ok
}

func (w *laneWalk) rev(e timeline.Event) int64 {
	if e.Row < 0 {
		return 0
	}
	return w.log.RowHead(e.Row).Rev
}

func (w *laneWalk) state() CellState {
	switch {
	case !w.open || !w.listed:
		return CellAway
	case w.usable:
		return CellUsable
	}
	return CellHidden
}

package wireview

import (
	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// memo keeps what the rows in sight say, so that a screen that is drawn again
// reads no frame again. Frames never change; what can still change, the pair
// of a request and a rev that is held, is part of the key.
type memo struct {
	log   *timeline.Log
	heads map[headKey]inspector.Headline
	rows  map[int]rowSigns
	held  [2]heldKey // of each connection that stands
	left  int        // bytes that may still be read for this drawing
	short bool       // something in sight was left for the next drawing
}

type headKey struct{ i, pair int }

// heldKey changes with what is held back, and so with what a held row did.
type heldKey struct {
	conn, n int
	first   int64
}

// rowSigns is what the columns REV and CHANGED say of one row of the log.
type rowSigns struct {
	rev    int64
	counts timeline.Counts
	flag   string
}

const (
	memoMost  = 1024    // rows that are kept
	drawBytes = 8 << 20 // bytes that are read for one drawing, beyond the first row
	drawRuns  = 6       // places in the log from which rows are read for one drawing
)

// begin prepares for a drawing.
func (m *memo) begin(c *view.Context) {
	log, held := c.Log, [2]heldKey{heldOn(c.Newest)}
	if c.Other != nil {
		held[1] = heldOn(c.Other.Newest)
	}
	if m.log != log || m.held != held || len(m.rows) > memoMost {
		m.rows = map[int]rowSigns{}
	}
	if m.log != log || len(m.heads) > memoMost {
		m.heads = map[headKey]inspector.Headline{}
	}
	m.log, m.held, m.left, m.short = log, held, drawBytes, false
}

// heldOn is what is held back on a connection.
func heldOn(newest *timeline.Board) (k heldKey) {
	if newest != nil {
		k.conn, k.n = newest.Conn, len(newest.Held)
	}
	if k.n > 0 {
		k.first = newest.Held[0]
	}
	return k
}

// headline returns the line of a frame. Where so much was read for this
// drawing that the rest has to wait, it returns what the index knows.
func (m *memo) headline(i int, e timeline.Entry) inspector.Headline {
	k := headKey{i, e.Pair}
	if h, ok := m.heads[k]; ok {
		return h
	}
	if m.left <= 0 {
		m.short = true
		return inspector.Headline{Seq: e.Seq, T: e.T, Size: e.Size, Dir: e.Dir, What: "…"}
	}
	m.left -= e.Size
	if e.Pair >= 0 {
		m.left -= m.log.Entry(e.Pair).Size
	}
	h := inspector.HeadlineOf(m.log, i)
	m.heads[k] = h
	return h
}

// need reads the rows of the log that belong to the frames in sight, those
// that follow each other together.
func (m *memo) need(rows []int) {
	runs := 0
	for i := 0; i < len(rows); {
		if _, ok := m.rows[rows[i]]; ok {
			i++
			continue
		}
		if runs++; runs > drawRuns {
			m.short = true
			return
		}
		to := i + 1
		for to < len(rows) && rows[to] == rows[to-1]+1 {
			to++
		}
		m.read(rows[i], rows[to-1]+1)
		i = to
	}
}

func (m *memo) read(from, to int) {
	rows, err := m.log.Rows(from, to)
	if err != nil {
		for n := from; n < to; n++ {
			m.rows[n] = rowSigns{}
		}
		return
	}
	for i := range rows {
		m.rows[rows[i].N] = rowSigns{rev: rows[i].Rev, counts: rows[i].Counts, flag: inspector.RowFlag(&rows[i])}
	}
}

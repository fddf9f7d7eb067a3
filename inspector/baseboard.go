package inspector

import "github.com/mcpl-tui/mcpl-tui/timeline"

// BaselineBoard is the board that a board is compared against: the one before
// the last row, the one right after its list, or the one at the user's mark
// (-1: none). Where there is none it is an empty one.
func BaselineBoard(log *timeline.Log, b *timeline.Board, against Baseline, mark int) (*timeline.Board, Point) {
	switch against {
	case AgainstDeclared:
		if board, err := log.Board(b.ListAt); err == nil && b.ListAt >= 0 && board.Conn == b.Conn {
			p := pointOf(log, board, "AS IT WAS LISTED", "as it was listed")
			p.When = "frame " + seq(board.Seq)
			return board, p
		}
	case AgainstMark:
		if board, err := log.Board(mark); err == nil && mark >= 0 {
			return board, markPoint(log, board, mark)
		}
	default:
		i := b.Index
		if n := log.RowAt(i); n >= 0 && log.RowHead(n).Conn == b.Conn {
			i = log.RowHead(n).Index
		}
		if from := boardBefore(log, b.Conn, i); from != nil {
			return from, pointOf(log, from, "BEFORE", "before")
		}
	}
	return &timeline.Board{Index: -1, ManifestAt: -1, ListAt: -1},
		Point{Head: "BEFORE", Name: "before", When: "nothing was before", Index: -1}
}

// CompareWith compares a board with its baseline, the earlier one first:
// signs read forward in time.
func CompareWith(log *timeline.Log, b, base *timeline.Board, p Point) BoardComparison {
	here := pointOf(log, b, "HERE", "here")
	if p.Index > here.Index {
		c := boardComparer{log: log, a: b, b: base, then: "here", here: "at the mark"}
		return c.compare(here, p)
	}
	c := boardComparer{log: log, a: base, b: b, then: "then", here: "here"}
	return c.compare(p, here)
}

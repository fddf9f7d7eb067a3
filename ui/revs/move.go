package revs

import (
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// GoTo asks for the playhead to stand at row n, or at the nearest that there
// is. In a live session the newest is the present. row returns a row of the
// log, nil where it cannot be read.
func GoTo(c *view.Context, row func(n int) *timeline.Row, n int) view.Intent {
	last := c.Rows - 1
	if last < 0 {
		return view.Saying("no rev yet")
	}
	n = max(min(n, last), 0)
	if n == last && !c.Replay {
		return view.Intent{Kind: view.GoLive}
	}
	r := row(n)
	if r == nil {
		return view.Saying("this rev cannot be read from the recording")
	}
	return view.Intent{Kind: view.GoTo, Index: r.Index}
}

// Step moves by one rev from row cur, the playhead's. Several revs that came
// in one frame are one step: a frame is the smallest piece of time.
func Step(c *view.Context, row func(n int) *timeline.Row, cur, by int) view.Intent {
	switch to := cur + by; {
	case c.Rows > 0 && to < 0:
		return view.Saying("this is the first rev")
	case by > 0 && to >= c.Rows && c.Replay && c.Rows > 0:
		return view.Saying("this is the last rev; G goes to the end of the recording")
	}
	return GoFar(c, row, cur, by)
}

// GoFar moves by some revs, and on until the row is of another frame than the
// playhead's.
func GoFar(c *view.Context, row func(n int) *timeline.Row, cur, by int) view.Intent {
	n, here := cur+by, row(cur)
	for here != nil {
		r := row(n)
		if r == nil || r.Index != here.Index {
			break
		}
		n += max(min(by, 1), -1)
	}
	return GoTo(c, row, n)
}

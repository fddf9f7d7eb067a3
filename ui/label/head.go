package label

import "github.com/mcpl-tui/mcpl-tui/ui/kit"

// Head is a head line as it was drawn: the words at its left end before
// column Left, those at its right end begin at Right.
type Head struct{ Left, Right int }

// DrawHead draws the head line of a pane into the first row of r: a rule with
// words at both ends, heavy where the pane has the focus. Where both do not
// fit the right ones go first.
func DrawHead(r kit.Region, title, right string, heavy bool) Head {
	rule, words := "─", kit.As(kit.Normal)
	if heavy {
		rule, words = "━", kit.As(kit.Title)
	}
	r.Fill(0, 0, r.W, kit.As(kit.Rule), rule)
	h := Head{Right: r.W}
	room := r.W - 4
	if room < 1 {
		return h
	}
	title = kit.Cut(kit.Clean(title), room)
	h.Left = r.Put(1, 0, words, " "+title+" ")
	right = kit.Clean(right)
	if w := kit.Width(right); w > 0 && h.Left+1+w+3 <= r.W {
		h.Right = r.W - w - 3
		r.Put(h.Right, 0, kit.As(kit.Normal), " "+right+" ")
	}
	return h
}

// Joint is the glyph where the line between two panes begins, under their
// head lines; one of these is heavy, or none.
func Joint(left, right bool) string {
	switch {
	case left:
		return "┭"
	case right:
		return "┮"
	default:
		return "┬"
	}
}

// DrawDivider draws the line between two panes that stand side by side, in
// column x of r, from their head lines in row 0 to the end.
func DrawDivider(r kit.Region, x int, left, right bool) {
	r.Put(x, 0, kit.As(kit.Rule), Joint(left, right))
	for y := 1; y < r.H; y++ {
		r.Put(x, y, kit.As(kit.Rule), "│")
	}
}

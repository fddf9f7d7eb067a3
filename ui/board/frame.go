package board

import (
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// head is a head line as it was drawn: where its words stand, so that no
// joint is drawn through them.
type head struct {
	y, x, end   int // columns x ≤ c < end
	left, right int // the words at the left end before left, those at the right begin at right
	heavy       bool
}

// drawFrame draws the head lines of all panes and the lines between them.
func (b *Board) drawFrame(r kit.Region, m *moment, l layout) {
	var heads []head
	for p := pane(0); p < numPanes; p++ {
		at := l.at[p]
		if !at.on || !at.head || at.body.h < 0 {
			continue
		}
		title, right := b.headWords(m, l, p)
		line := r.Sub(at.body.x, at.body.y-1, at.body.w, 1)
		hd := drawHead(line, title, right, b.lit(m, p))
		hd.y, hd.x, hd.end = at.body.y-1, at.body.x, at.body.x+at.body.w
		hd.left, hd.right = hd.left+at.body.x, hd.right+at.body.x
		heads = append(heads, hd)
	}
	if l.other.on {
		heads = append(heads, b.drawOther(r, m, l))
	}
	for _, d := range l.dividers {
		for y := d.y; y <= d.y+d.h; y++ {
			up, down := y > d.y, y < d.y+d.h
			lw, rw, free := weights(heads, d.x, y)
			if (!down && lw == 0) || !free {
				continue // nothing crosses below the divider's end, or words do
			}
			r.Put(d.x, y, kit.As(kit.Rule), joint(up, down, lw, rw))
		}
	}
}

// weights says which head lines touch cell x, y from the left and from the
// right: 0 none, 1 light, 2 heavy. free is false where words stand there.
func weights(heads []head, x, y int) (left, right int, free bool) {
	free = true
	for _, h := range heads {
		if h.y != y {
			continue
		}
		w := 1
		if h.heavy {
			w = 2
		}
		if x-1 >= h.x && x-1 < h.end {
			left = w
		}
		if x+1 >= h.x && x+1 < h.end {
			right = w
		}
		if x >= h.x && x < h.end && (x < h.left || x >= h.right) {
			free = false
		}
	}
	return left, right, free
}

// joint returns the glyph where lines meet.
func joint(up, down bool, left, right int) string {
	switch {
	case left == 0 && right == 0:
		return "│"
	case up && down && left > 0 && right > 0:
		return "┼"
	case up && down && left > 0:
		return [...]string{"", "┤", "┥"}[left]
	case up && down:
		return [...]string{"", "├", "┝"}[right]
	case up:
		return [...]string{"", "┴", "┷"}[max(left, right)]
	case left == 2 && right == 2:
		return "┯"
	case left == 2:
		return "┭"
	case right == 2:
		return "┮"
	default:
		return "┬"
	}
}

// drawHead draws one head line, as all views do.
func drawHead(r kit.Region, title, right string, heavy bool) head {
	h := label.DrawHead(r, title, right, heavy)
	return head{heavy: heavy, left: h.Left, right: h.Right}
}

// headWords returns what a pane's head line says at its left and its right.
func (b *Board) headWords(m *moment, l layout, p pane) (title, right string) {
	title = paneNames[p]
	at := l.at[p]
	switch p {
	case paneRevs:
		return b.revHead(m, at.body.w)
	case paneTools:
		title, right = b.toolHead(m, at.body.w)
		v := b.toolView(m, l, at.body.h)
		return title, right + arrows(v.above, v.below)
	case paneOpen:
		lines := m.openLines(at.body.w, l)
		return title, m.openCount() + b.open.arrows(lines, at.body.h)
	case paneSuggested:
		lines := m.suggestedLines(at.body.w)
		return title, m.pendingCount() + b.sugg.arrows(lines, at.body.h)
	default:
		if t := firstLine(m.doc.Title); t != "" {
			title += "  " + t
		}
		return title, firstLine(m.doc.Note)
	}
}

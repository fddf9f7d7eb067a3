package inspect

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// asideX is the column of lines that stand beside their heading.
const asideX = 12

// aside lays out a block whose heading stands beside its lines.
func (c *composer) aside(b *inspector.Block, n int) {
	if n > 0 && !b.Joined && !c.tight {
		c.rows = append(c.rows, row{})
	}
	from := len(c.rows)
	for i := range b.Body {
		l := &b.Body[i]
		x := asideX
		var sign []piece
		if l.Sign != "" {
			sign = []piece{{x, signStyle(l.Sign), kit.Clean(l.Sign)}}
			x += signed - 1
		}
		if l.Code {
			c.code(l, x)
			continue
		}
		c.text(l, sign, x)
	}
	if len(c.rows) == from {
		c.rows = append(c.rows, row{})
	}
	head := piece{margin, kit.As(kit.Title), kit.Clean(b.Head)}
	c.rows[from].pieces = append([]piece{head}, c.rows[from].pieces...)
}

// code lays out a line of JSON.
func (c *composer) code(l *inspector.Line, x int) {
	for i, part := range wrapCode(kit.Clean(l.Plain()), max(c.w-x-1, 8)) {
		w := row{pieces: []piece{{x, toneOf(l), part}}}
		if i == 0 && l.Right != "" && x+kit.Width(part)+2+kit.Width(kit.Clean(l.Right)) <= c.w-1 {
			w.right = kit.Clean(l.Right)
		}
		c.rows = append(c.rows, w)
	}
}

// wrapCode breaks JSON into lines of at most w cells, after a comma where one
// is near enough. Lines after the first are set in by one cell, so that it is
// seen that they go on.
func wrapCode(s string, w int) []string {
	var out []string
	for lead := ""; ; lead = " " {
		head := kit.Take(s, w-len(lead))
		if len(head) == len(s) || head == "" {
			return append(out, lead+head)
		}
		if i := strings.LastIndexByte(head, ','); i > len(head)/3 {
			head = head[:i+1]
		}
		out, s = append(out, lead+head), s[len(head):]
	}
}

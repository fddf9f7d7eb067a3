package inspect

import (
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// cellsAt returns the letter at the beginning of b, its length in bytes, and
// an upper bound for the cells that it takes on a terminal once it is clean.
// Letters that join the one before take none.
func cellsAt(b []byte) (size, cells int) {
	c := b[0]
	if c >= ' ' && c < 0x7f {
		return 1, 1
	}
	r, size := utf8.DecodeRune(b)
	switch {
	case r == utf8.RuneError && size <= 1:
		return 1, 4 // \xff
	case r == 0xfe0f:
		return size, 1 // may make the letter before it a wide one
	}
	s := string(b[:size])
	clean := kit.Clean(s)
	if clean != s {
		return size, len([]rune(clean))
	}
	return size, kit.Width(s)
}

// fit returns how many bytes of b fit into w cells, at least one letter, and
// how many cells they take at most. A line takes no more than maxLine bytes,
// whatever it is made of.
func fit(b []byte, w int) (n, cells int) {
	limit := min(len(b), maxLine)
	for n < limit {
		size, k := cellsAt(b[n:])
		if (cells+k > w || n+size > limit) && n > 0 {
			break
		}
		n, cells = n+size, cells+k
	}
	return n, cells
}

// maxLine bounds the bytes of one line: a pile of combining letters takes one
// cell and any number of bytes.
const maxLine = 4096

// cellsOf returns an upper bound for the cells of b, or limit+1 if it is more
// than limit.
func cellsOf(b []byte, limit int) int {
	cells := 0
	for i := 0; i < len(b) && cells <= limit; {
		size, k := cellsAt(b[i:])
		i, cells = i+size, cells+k
	}
	return min(cells, limit+1)
}

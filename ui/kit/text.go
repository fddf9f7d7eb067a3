package kit

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Width returns how many cells s takes on a terminal.
func Width(s string) int {
	if isASCII(s) {
		return len(s)
	}
	return uniseg.StringWidth(s)
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 || s[i] < ' ' {
			return false
		}
	}
	return true
}

// Cut shortens s to at most w cells; what is cut off is marked with “…”.
func Cut(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if len(take(s, w)) == len(s) {
		return s
	}
	return take(s, w-1) + "…"
}

// CutMiddle shortens s to at most w cells and keeps both its ends.
func CutMiddle(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if Width(s) <= w {
		return s
	}
	right := (w - 1) / 2
	return take(s, w-1-right) + "…" + TakeRight(s, right)
}

// Take returns the longest beginning of s that fits into w cells.
func Take(s string, w int) string { return take(s, max(w, 0)) }

// take returns the longest beginning of s that fits into w cells.
func take(s string, w int) string {
	if isASCII(s[:min(len(s), w+1)]) { // a mark could join the last letter, so look one further
		return s[:min(len(s), w)]
	}
	n, g := 0, uniseg.NewGraphemes(s)
	for g.Next() {
		if n += g.Width(); n > w {
			from, _ := g.Positions()
			return s[:from]
		}
	}
	return s
}

// TakeRight returns the longest end of s that fits into w cells.
func TakeRight(s string, w int) string {
	var parts []string
	for g := uniseg.NewGraphemes(s); g.Next(); {
		parts = append(parts, g.Str())
	}
	n, i := 0, len(parts)
	for i > 0 && n+Width(parts[i-1]) <= w {
		i--
		n += Width(parts[i])
	}
	return strings.Join(parts[i:], "")
}

// Pad fills s with blanks at the right to w cells, or cuts it to them.
func Pad(s string, w int) string {
	s = Cut(s, w)
	return s + blanks(w-Width(s))
}

// PadLeft fills s with blanks at the left to w cells, or cuts it to them.
func PadLeft(s string, w int) string {
	s = Cut(s, w)
	return blanks(w-Width(s)) + s
}

func blanks(n int) string {
	if n <= 0 {
		return ""
	}
	return strings.Repeat(" ", n)
}

// Wrap breaks s into lines of at most w cells, between words where it can.
// Line breaks in s are kept.
func Wrap(s string, w int) []string {
	if w < 1 {
		return nil
	}
	var out []string
	for _, line := range strings.Split(s, "\n") {
		out = append(out, wrapLine(line, w)...)
	}
	return out
}

func wrapLine(line string, w int) []string {
	var out []string
	for {
		head := take(line, w)
		if len(head) == len(line) {
			return append(out, line)
		}
		if head == "" { // one wide character in a single cell
			return append(out, "…")
		}
		if i := strings.LastIndexByte(head, ' '); i > 0 && !strings.HasPrefix(line[len(head):], " ") {
			head = head[:i]
		}
		out = append(out, strings.TrimRight(head, " "))
		line = strings.TrimLeft(line[len(head):], " ")
	}
}

// Package kit is what every screen is drawn with: a canvas of cells, text
// that is cut and padded by its width on a terminal, roles of colour, and the
// one gate (Clean) that text passes before it meets a terminal.
//
// A screen is drawn by putting text into regions of a canvas. What does not
// fit is clipped, so no text of a server can push anything out of its place.
package kit

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text from a peer safe for one line of a terminal: control
// characters, escape sequences, bidirectional overrides, invisible characters
// and bytes that are no UTF-8 become visible signs. Clean text stays as it is.
func Clean(s string) string {
	dirty := false
	for i, r := range s {
		if sign(r) != "" || (r == utf8.RuneError && isBroken(s[i:])) {
			dirty = true
			break
		}
	}
	if !dirty {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch v := sign(r); {
		case r == utf8.RuneError && isBroken(s[i:]):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case v != "":
			b.WriteString(v)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isBroken(s string) bool {
	_, n := utf8.DecodeRuneInString(s)
	return n == 1
}

// sign returns what is shown instead of r, or "" where r is harmless.
func sign(r rune) string {
	switch {
	case r >= ' ' && r < 0x7f:
		return ""
	case r < ' ':
		return string(0x2400 + r) // ␀ … ␟
	case r == 0x7f:
		return "␡"
	case r < 0xa0:
		return fmt.Sprintf(`\x%02x`, r)
	case r == 0x200d: // joins emoji, harmless inside a cluster
		return ""
	case unicode.Is(unicode.Cf, r), r == 0x2028, r == 0x2029,
		r >= 0xe000 && r <= 0xf8ff, r >= 0xf0000,
		r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0:
		if r > 0xffff {
			return fmt.Sprintf(`\U%08x`, r)
		}
		return fmt.Sprintf(`\u%04x`, r)
	}
	return ""
}

// CleanText is Clean for text of several lines: line breaks stay, tabs become
// spaces up to the next multiple of eight.
func CleanText(s string) string {
	if !strings.ContainsAny(s, "\t\r\n") {
		return Clean(s)
	}
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range lines {
		lines[i] = Clean(expandTabs(l))
	}
	return strings.Join(lines, "\n")
}

func expandTabs(s string) string {
	if !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	col := 0
	for _, part := range strings.SplitAfter(s, "\t") {
		text, tab := strings.CutSuffix(part, "\t")
		b.WriteString(text)
		col += Width(text)
		if tab {
			n := 8 - col%8
			b.WriteString(strings.Repeat(" ", n))
			col += n
		}
	}
	return b.String()
}

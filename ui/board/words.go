package board

import (
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// keepBytes is how much of a text of a peer is looked at: no line of the
// board is longer, and a drawing must not read megabytes.
const keepBytes = 800

// peer returns a peer's text as it may meet the screen: cleaned, and where
// it is very long without its middle.
func peer(s string) string {
	if len(s) > keepBytes {
		s = runes(s[:keepBytes/2], true) + "…" + runes(s[len(s)-keepBytes/2:], false)
	}
	return kit.Clean(s)
}

// runes takes off the broken rune that cutting left at one end of s.
func runes(s string, atEnd bool) string {
	for i := 0; i < utf8.UTFMax-1 && s != ""; i++ {
		if atEnd {
			if r, n := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || n != 1 {
				break
			}
			s = s[:len(s)-1]
		} else {
			if utf8.RuneStart(s[0]) {
				break
			}
			s = s[1:]
		}
	}
	return s
}

// cutName cuts a name in its middle to w cells.
func cutName(s string, w int) string { return kit.CutMiddle(peer(s), w) }

// firstLine returns the first line of a peer's text, as much of it as a
// screen can show.
func firstLine(s string) string {
	if len(s) > 4*keepBytes {
		s = runes(s[:4*keepBytes], true)
	}
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if len(s) > keepBytes {
		s = runes(s[:keepBytes], true) + "…"
	}
	return kit.Clean(strings.TrimSuffix(s, "\r"))
}

// nameOf names a tool, a toolset or an instance: "play @ vs-ada", "game vs-ada".
func nameOf(sel Selection) string {
	switch {
	case sel.Tool != "" && sel.Instance != "":
		return peer(sel.Tool) + " @ " + peer(sel.Instance)
	case sel.Tool != "":
		return peer(sel.Tool)
	case sel.Instance != "":
		return peer(sel.Toolset) + " " + peer(sel.Instance)
	}
	return peer(sel.Toolset)
}

// names joins the names of tools, as many as a line can show.
func names(tools []timeline.Tool) string {
	var b strings.Builder
	for i := range tools {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(peer(tools[i].Name))
		if b.Len() > keepBytes {
			break
		}
	}
	return b.String()
}

// readBytes is how large a definition may be for its title to be looked for
// at each drawing.
const readBytes = 128 << 10

// description is a tool's title in a few words, or what stands in for one:
// MCP's title, the older annotations.title, the description's first line.
func description(t *timeline.Tool) string {
	if len(t.Declared) > readBytes {
		return ""
	}
	for _, path := range []string{"title", "annotations.title", "description"} {
		if v := gjson.GetBytes(t.Declared, path); v.Type == gjson.String && v.Str != "" {
			return firstLine(v.Str)
		}
	}
	return ""
}

// Package label is the words and signs by which all views name the same
// things: tools, toolsets, instances and revs, the cell of a tool with what a
// rev did to it, and the head line of a pane.
package label

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// keepBytes is how much of a text of a peer is looked at: no line of a screen
// is longer, and a drawing must not read megabytes.
const keepBytes = 800

// Peer returns a peer's text as it may meet the screen: cleaned, and where it
// is very long without its middle.
func Peer(s string) string {
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

// CutName cuts a name in its middle to w cells.
func CutName(s string, w int) string { return kit.CutMiddle(Peer(s), w) }

// FirstLine returns the first line of a peer's text, as much of it as a
// screen can show.
func FirstLine(s string) string {
	if len(s) > 4*keepBytes {
		s = runes(s[:4*keepBytes], true)
	}
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if len(s) > keepBytes {
		s = runes(s[:keepBytes], true) + "…"
	}
	return kit.Clean(strings.TrimSuffix(s, "\r"))
}

// Name names a tool, a toolset or an instance: "play @ vs-ada", "game vs-ada".
func Name(toolset, instance, tool string) string {
	switch {
	case tool != "" && instance != "":
		return Peer(tool) + " @ " + Peer(instance)
	case tool != "":
		return Peer(tool)
	case instance != "":
		return Peer(toolset) + " " + Peer(instance)
	}
	return Peer(toolset)
}

// Names joins the names of tools, as many as a line can show.
func Names(tools []timeline.Tool) string {
	var b strings.Builder
	for i := range tools {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(Peer(tools[i].Name))
		if b.Len() > keepBytes {
			break
		}
	}
	return b.String()
}

// readBytes is how large a definition may be for its title to be looked for
// at each drawing.
const readBytes = 128 << 10

// Description is a tool's title in a few words, or what stands in for one:
// MCP's title, the older annotations.title, the description's first line.
func Description(t *timeline.Tool) string {
	if len(t.Declared) > readBytes {
		return ""
	}
	for _, path := range []string{"title", "annotations.title", "description"} {
		if v := gjson.GetBytes(t.Declared, path); v.Type == gjson.String && v.Str != "" {
			return FirstLine(v.Str)
		}
	}
	return ""
}

// Rev is a rev as it is spoken of, "2.7" on the second connection.
func Rev(conn int, rev int64) string {
	if conn > 1 {
		return fmt.Sprintf("%d.%d", conn, rev)
	}
	return fmt.Sprint(rev)
}

// Arrows counts rows out of sight: " ↑2 ↓3".
func Arrows(above, below int) string {
	s := ""
	if above > 0 {
		s += fmt.Sprintf(" ↑%d", above)
	}
	if below > 0 {
		s += fmt.Sprintf(" ↓%d", below)
	}
	return s
}

// FoldSign is the sign before what can be folded.
func FoldSign(folded bool) string {
	if folded {
		return "▸"
	}
	return "▾"
}

// NoRevs says why a connection has no revs, with the keys that lead on where
// acts is true: something can be sent.
func NoRevs(b *timeline.Board, acts bool) string {
	switch {
	case b.ListAt >= 0 && !b.ToolHints && b.Link.Phase != timeline.Handshake:
		why := "No revs: this server does not offer toolHints."
		switch {
		case b.Mode.IgnoresHints:
			why = "No revs: this host ignores hints."
		case b.Mode.Plain:
			why = "No revs: this is a plain MCP host."
		case b.ServerHints && !b.HostHints:
			why = "No revs: this host did not offer toolHints."
		}
		return why + " All tools stand in STATIC. 3 shows the wire."
	case acts:
		return "No rev yet. The server numbers each change of its tools; o opens a toolset, c calls a tool."
	default:
		return "No rev yet. The server numbers each change of its tools."
	}
}

// RowText says in a few words what a row is: the target of a request of the
// user's own, or the server's words. carrier is true where the word for the
// carrier stands before it.
func RowText(row *timeline.Row, carrier bool) string {
	switch row.Carrier {
	case timeline.CarrierList:
		if carrier {
			return "all"
		}
		return "list all"
	case timeline.CarrierCall:
		if row.Cause.Instance != "" {
			return row.Cause.Tool + "@" + row.Cause.Instance
		}
		return row.Cause.Tool
	case timeline.CarrierOpen, timeline.CarrierClose:
		instance := row.Cause.Instance
		for _, ch := range row.Changes {
			if instance == "" && ch.Toolset == row.Cause.Toolset && (ch.Kind == timeline.Opened || ch.Kind == timeline.ClosedIt) {
				instance = ch.Instance
			}
		}
		return strings.TrimSuffix(row.Cause.Toolset+" "+instance, " ")
	}
	if text := FirstLine(cmp.Or(row.Reason, row.Text)); text != "" {
		return text
	}
	for _, ch := range row.Changes { // nothing was said: name what changed
		switch {
		case ch.Tool != "" && ch.Instance != "":
			return ch.Tool + "@" + ch.Instance
		case ch.Tool != "":
			return ch.Tool
		case ch.Toolset != "":
			return strings.TrimSuffix(ch.Toolset+" "+ch.Instance, " ")
		}
	}
	return ""
}

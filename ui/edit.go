package ui

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// maxLine is how many bytes a line of the prompt holds.
const maxLine = 1 << 16

// edit is one line of text with a cursor and the keys of readline.
type edit struct {
	text string
	pos  int // bytes, always between two characters
}

func (e *edit) set(s string) { e.text, e.pos = s, len(s) }

// insert puts text at the cursor. Line breaks become blanks: nothing that is
// pasted is sent by itself.
func (e *edit) insert(s string) {
	s = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(strings.ToValidUTF8(s, ""))
	if len(e.text)+len(s) > maxLine {
		return
	}
	e.text = e.text[:e.pos] + s + e.text[e.pos:]
	e.pos += len(s)
}

// key handles a key of the editor, and reports whether it was one.
func (e *edit) key(key string) bool {
	switch key {
	case "left", "ctrl+b":
		e.pos = e.before()
	case "right", "ctrl+f":
		e.pos = e.after()
	case "home", "ctrl+a":
		e.pos = 0
	case "end", "ctrl+e":
		e.pos = len(e.text)
	case "backspace", "ctrl+h":
		e.cut(e.before(), e.pos)
	case "delete", "ctrl+d":
		e.cut(e.pos, e.after())
	case "ctrl+u":
		e.cut(0, e.pos)
	case "ctrl+k":
		e.cut(e.pos, len(e.text))
	case "ctrl+w":
		head := strings.TrimRight(e.text[:e.pos], " ")
		e.cut(strings.LastIndexByte(head, ' ')+1, e.pos)
	default:
		if utf8.RuneCountInString(key) != 1 {
			return false
		}
		e.insert(key)
	}
	return true
}

func (e *edit) cut(from, to int) { e.text, e.pos = e.text[:from]+e.text[to:], from }

// before is where the character left of the cursor begins.
func (e *edit) before() int {
	at := 0
	for g := uniseg.NewGraphemes(e.text[:e.pos]); g.Next(); {
		at, _ = g.Positions()
	}
	return at
}

// after is where the character under the cursor ends.
func (e *edit) after() int {
	cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(e.text[e.pos:], -1)
	return e.pos + len(cluster)
}

// draw draws the line from column x of row y on, with the cursor reversed and
// always in sight.
func (e *edit) draw(r kit.Region, x, y int) {
	room := r.W - x
	if room < 2 {
		return
	}
	before, here, after := kit.Clean(e.text[:e.pos]), " ", ""
	if e.pos < len(e.text) {
		here, after = kit.Clean(e.text[e.pos:e.after()]), kit.Clean(e.text[e.after():])
	}
	if w := kit.Width(before) + kit.Width(here); w >= room {
		before = "…" + tailOf(before, room-kit.Width(here)-2)
	}
	x = r.Put(x, y, kit.As(kit.Bright), before)
	x = r.Put(x, y, kit.Style{Role: kit.Bright, Reverse: true}, here)
	r.PutCut(x, y, r.W-x, kit.As(kit.Bright), after)
}

// tailOf returns the longest end of s that fits into w cells.
func tailOf(s string, w int) string {
	for s != "" && kit.Width(s) > w {
		_, s, _, _ = uniseg.FirstGraphemeClusterInString(s, -1)
	}
	return s
}

package form

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

func itoa(i int) string      { return strconv.Itoa(i) }
func isLetter(r rune) bool   { return unicode.IsLetter(r) || unicode.IsDigit(r) }
func isGraphic(r rune) bool  { return r >= ' ' && r != 0x7f }
func lineStart(s string) int { return strings.LastIndexByte(s, '\n') + 1 }

// maxText is how many bytes one field holds: more than anyone types, little
// enough that every key is answered at once.
const maxText = 1 << 20

// editor is a text with a cursor and the editing keys of readline. The zero
// value is empty and has one line; multi lets enter break lines.
type editor struct {
	text  string
	pos   int // of the cursor, in bytes, always between two characters
	multi bool
	top   int // the first line in sight, of a multi-line one
}

// set replaces the text and puts the cursor at its end.
func (e *editor) set(s string) {
	if len(s) > maxText {
		s = s[:maxText]
	}
	e.text = strings.ToValidUTF8(s, "\ufffd")
	e.pos, e.top = len(e.text), 0
	if e.multi {
		e.pos = 0
	}
}

// insert puts s at the cursor, and reports whether it fitted.
func (e *editor) insert(s string) bool {
	s = strings.ToValidUTF8(s, "\ufffd")
	if len(e.text)+len(s) > maxText {
		return false
	}
	e.text = e.text[:e.pos] + s + e.text[e.pos:]
	e.pos += len(s)
	return true
}

// before returns the start of the character that ends at the cursor.
func (e *editor) before() int {
	from := max(e.pos-64, 0)
	for from > 0 && !utf8.RuneStart(e.text[from]) {
		from--
	}
	at := from
	for g := uniseg.NewGraphemes(e.text[from:e.pos]); g.Next(); {
		a, _ := g.Positions()
		at = from + a
	}
	return at
}

// after returns the end of the character at the cursor.
func (e *editor) after() int {
	rest := e.text[e.pos:]
	if len(rest) > 256 {
		cut := 256
		for !utf8.RuneStart(rest[cut]) {
			cut--
		}
		rest = rest[:cut]
	}
	c, _, _, _ := uniseg.FirstGraphemeClusterInString(rest, -1)
	return e.pos + len(c)
}

func (e *editor) wordLeft() int {
	head := strings.TrimRight(e.text[:e.pos], " \t\n")
	return strings.LastIndexAny(head, " \t\n") + 1
}

func (e *editor) wordRight() int {
	tail := e.text[e.pos:]
	skipped := len(tail) - len(strings.TrimLeft(tail, " \t\n"))
	if i := strings.IndexAny(tail[skipped:], " \t\n"); i >= 0 {
		return e.pos + skipped + i
	}
	return len(e.text)
}

func (e *editor) start() int { return lineStart(e.text[:e.pos]) }

func (e *editor) end() int {
	if i := strings.IndexByte(e.text[e.pos:], '\n'); i >= 0 {
		return e.pos + i
	}
	return len(e.text)
}

func (e *editor) cut(from, to int) bool {
	if from >= to {
		return false
	}
	e.text = e.text[:from] + e.text[to:]
	e.pos = from
	return true
}

// vertical moves the cursor by n lines and reports whether there was one.
func (e *editor) vertical(n int) bool {
	moved := false
	col := utf8.RuneCountInString(e.text[e.start():e.pos])
	for ; n < 0 && e.start() > 0; n++ {
		e.pos, moved = e.start()-1, true
	}
	for ; n > 0 && e.end() < len(e.text); n-- {
		e.pos, moved = e.end()+1, true
	}
	if !moved {
		return false
	}
	e.pos = e.start()
	for ; col > 0 && e.pos < e.end(); col-- {
		_, size := utf8.DecodeRuneInString(e.text[e.pos:])
		e.pos += size
	}
	return true
}

// key handles one editing key. changed says that the text did change, known
// that the key means something here at all.
func (e *editor) key(key string) (changed, known bool) {
	switch key {
	case "left", "ctrl+b":
		e.pos = e.before()
	case "right", "ctrl+f":
		e.pos = e.after()
	case "ctrl+left", "alt+left", "alt+b":
		e.pos = e.wordLeft()
	case "ctrl+right", "alt+right", "alt+f":
		e.pos = e.wordRight()
	case "home", "ctrl+a":
		e.pos = e.start()
	case "end", "ctrl+e":
		e.pos = e.end()
	case "backspace", "ctrl+h":
		return e.cut(e.before(), e.pos), true
	case "delete", "ctrl+d":
		return e.cut(e.pos, e.after()), true
	case "ctrl+w", "alt+backspace":
		return e.cut(e.wordLeft(), e.pos), true
	case "ctrl+u":
		return e.cut(e.start(), e.pos), true
	case "ctrl+k":
		return e.cut(e.pos, e.end()), true
	default:
		return e.typed(key)
	}
	return false, true
}

// typed inserts what a key stands for. A name of a key, such as f5, is none:
// bubbletea gives characters one by one.
func (e *editor) typed(key string) (changed, known bool) {
	if key == "space" {
		key = " "
	}
	r, size := utf8.DecodeRuneInString(key)
	if size == 0 || size < len(key) || !isGraphic(r) {
		return false, false
	}
	return e.insert(key), true
}

// around returns the text near the cursor, enough of it to fill w cells, and
// the cursor's place in it, so that a long line costs no more than a short one.
func (e *editor) around(w int) (s string, pos int, cutLeft, cutRight bool) {
	from, to := e.start(), e.end()
	room := 8 * max(w, 8)
	if e.pos-from > room {
		for from = e.pos - room; !utf8.RuneStart(e.text[from]); from-- {
		}
		cutLeft = true
	}
	if to-e.pos > room {
		for to = e.pos + room; !utf8.RuneStart(e.text[to]); to-- {
		}
		cutRight = true
	}
	return e.text[from:to], e.pos - from, cutLeft, cutRight
}

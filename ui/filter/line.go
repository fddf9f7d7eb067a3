package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// Most is how many bytes a filter has at the most.
const Most = 300

// Line is the line in which a filter is typed.
type Line struct {
	Text   string
	Typing bool // it takes the keys
}

// Use is what a key did to a Line.
type Use uint8

// What a key can do.
const (
	NotMine Use = iota // nothing: the key is for someone else
	Taken              // nothing, but it is no one else's either
	Changed            // Text is another one
	Kept               // the line is left, Text stays
	Cleared            // the line is left, Text is empty
	Up                 // the list should move its cursor
	Down
)

// Key handles a key while the filter is typed.
func (l *Line) Key(key string) Use {
	text := l.Text
	switch key {
	case "enter":
		l.Typing = false
		return Kept
	case "esc":
		*l = Line{}
		return Cleared
	case "up":
		return Up
	case "down":
		return Down
	case "tab", "shift+tab", "pgup", "pgdown", "left", "right", "home", "end":
		return Taken
	case "backspace", "ctrl+h":
		if text == "" {
			l.Typing = false
			return Cleared
		}
		_, n := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-n]
	case "ctrl+u":
		text = ""
	case "ctrl+w":
		text = strings.TrimRight(text, " ")
		text = text[:strings.LastIndexByte(text, ' ')+1]
	case "space":
		text += " "
	default:
		if utf8.RuneCountInString(key) != 1 {
			return NotMine
		}
		text += key
	}
	return l.set(text)
}

func (l *Line) set(text string) Use {
	if len(text) > Most || text == l.Text {
		return Taken
	}
	l.Text = text
	return Changed
}

// Paste takes pasted text in: line breaks are blanks, what cannot be printed
// is left out, and what would be too long.
func (l *Line) Paste(text string) Use {
	var b strings.Builder
	for _, r := range text {
		switch {
		case b.Len() >= Most:
		case r == '\n' || r == '\t':
			b.WriteByte(' ')
		case unicode.IsPrint(r) && r != utf8.RuneError:
			b.WriteRune(r)
		}
	}
	return l.set(l.Text + b.String())
}

// Words is what the head line of a list says of its filter in at most w
// cells: "  /tool:play", with _ for the cursor while it is typed; "" without
// one. Of a long filter the end is shown, where it is typed.
func (l *Line) Words(w int) string {
	if l.Text == "" && !l.Typing {
		return ""
	}
	text, end := kit.Clean(l.Text), ""
	if l.Typing {
		end = "_"
	}
	return "  /" + kit.TakeRight(text, max(w-3-len(end), 4)) + end
}

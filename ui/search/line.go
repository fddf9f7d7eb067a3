// Package search is the line in which one types what to look for in a text,
// and what marks it there. Going to the next match is up to whoever shows the
// text.
package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// Most is how many bytes a word has at the most.
const Most = 200

// NotFound is what Line.Says where no text has the word.
const NotFound = "not found. esc clears"

// Line is what is looked for. The zero value looks for nothing.
type Line struct {
	Typing bool // it takes the keys
	Word   string
	Says   string // how it stands, where that is not that it was found
	last   string // the word before, for an empty one
}

// Shown reports whether the line takes a row of the screen.
func (l *Line) Shown() bool { return l.Typing || l.Word != "" }

// Open begins a search.
func (l *Line) Open() { *l = Line{Typing: true, last: l.last} }

// Close ends it; it reports whether there was one.
func (l *Line) Close() bool {
	was := l.Shown()
	*l = Line{last: l.last}
	return was
}

// Key handles a key while the word is typed. It reports whether it had a use
// for the key, and whether the word is to be looked for now.
func (l *Line) Key(key string) (used, look bool) {
	switch key {
	case "enter":
		l.Typing = false
		if l.Word == "" {
			l.Word = l.last
		}
		l.last, l.Says = l.Word, ""
		return true, l.Word != ""
	case "esc":
		l.Close()
	case "backspace", "ctrl+h":
		if l.Word == "" {
			l.Close()
			break
		}
		_, n := utf8.DecodeLastRuneInString(l.Word)
		l.Word = l.Word[:len(l.Word)-n]
	case "ctrl+u":
		l.Word = ""
	case "ctrl+w":
		l.Word = l.Word[:strings.LastIndexByte(strings.TrimRight(l.Word, " "), ' ')+1]
	case "space":
		l.Add(" ")
	default:
		if utf8.RuneCountInString(key) != 1 {
			return false, false
		}
		l.Add(key)
	}
	return true, false
}

// Add puts text at the word's end. What cannot be printed is left out, and
// what would be too long.
func (l *Line) Add(text string) {
	for _, r := range text {
		if unicode.IsPrint(r) && len(l.Word) < Most {
			l.Word += string(r)
		}
	}
}

// Draw draws the line into row y: while it is typed, in the pane with the
// focus, with a cursor at its end; else with how the search stands.
func (l *Line) Draw(r kit.Region, y int, focus bool) {
	x := r.Put(1, y, kit.As(kit.Key), "/")
	if l.Typing && focus {
		x = r.Put(x, y, kit.As(kit.Normal), kit.TakeRight(kit.Clean(l.Word), max(r.W-x-2, 1)))
		r.Put(x, y, kit.Style{Role: kit.Normal, Reverse: true}, " ")
		return
	}
	x = r.PutCut(x, y, r.W-x-1, kit.As(kit.Normal), l.Word)
	if l.Says != "" {
		r.PutCut(x+2, y, r.W-x-3, kit.As(kit.Changed), l.Says)
		return
	}
	r.PutCut(x+2, y, r.W-x-3, kit.As(kit.Dim), "n next   N before   esc clears")
}

// Mark underlines the word in a text that was drawn at x, y, once it was
// typed.
func (l *Line) Mark(r kit.Region, x, y int, text string) {
	if l.Word == "" || l.Typing {
		return
	}
	word, low, from := Fold(l.Word), Fold(text), 0
	if len(low) != len(text) {
		return // bytes that are no text: no place to trust
	}
	for {
		k := strings.Index(low[from:], word)
		if k < 0 {
			return
		}
		k += from
		from = k + len(word)
		r.Restyle(x+kit.Width(kit.Clean(text[:k])), y, kit.Width(kit.Clean(text[k:from])), func(st kit.Style) kit.Style {
			st.Underline = true
			return st
		})
	}
}

// Fold makes ASCII letters small; all else stays as it is. Texts are compared
// so, for the letters of other alphabets may change their length.
func Fold(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

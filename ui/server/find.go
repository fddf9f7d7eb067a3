package server

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// search is what is looked for in a pane.
type search struct {
	typing bool
	word   string
	last   string // the word before, for an empty one
	says   string // how it stands: not found, still looking
}

// maxWord bounds what is searched for.
const maxWord = 200

func (s *search) shown() bool { return s.typing || s.word != "" }

func (s *search) draw(r kit.Region, y int, focus bool) {
	x := r.Put(1, y, kit.As(kit.Key), "/")
	if s.typing && focus {
		room := max(r.W-x-2, 1)
		text := kit.Clean(s.word)
		for kit.Width(text) > room {
			_, n := utf8.DecodeRuneInString(text)
			text = text[n:]
		}
		x = r.Put(x, y, kit.As(kit.Normal), text)
		r.Put(x, y, kit.Style{Role: kit.Normal, Reverse: true}, " ")
		return
	}
	x = r.PutCut(x, y, r.W-x-1, kit.As(kit.Normal), s.word)
	if s.says != "" {
		r.PutCut(x+2, y, r.W-x-3, kit.As(kit.Changed), s.says)
		return
	}
	r.PutCut(x+2, y, r.W-x-3, kit.As(kit.Dim), "n next   N before   esc clears")
}

// typed handles a key of the search line. It reports whether the word is to
// be looked for now.
func (s *search) typed(key string) (look bool) {
	switch key {
	case "enter":
		s.typing = false
		if s.word == "" {
			s.word = s.last
		}
		s.last, s.says = s.word, ""
		return s.word != ""
	case "esc":
		*s = search{last: s.last}
	case "backspace", "ctrl+h":
		if s.word == "" {
			*s = search{last: s.last}
			break
		}
		_, n := utf8.DecodeLastRuneInString(s.word)
		s.word = s.word[:len(s.word)-n]
	case "ctrl+u":
		s.word = ""
	case "ctrl+w":
		s.word = s.word[:strings.LastIndexByte(strings.TrimRight(s.word, " "), ' ')+1]
	case "space":
		s.add(" ")
	default:
		if utf8.RuneCountInString(key) == 1 {
			s.add(key)
		}
	}
	return false
}

func (s *search) add(text string) {
	for _, r := range text {
		if unicode.IsPrint(r) && len(s.word) < maxWord {
			s.word += string(r)
		}
	}
}

// open begins a search.
func (s *search) open() { *s = search{typing: true, last: s.last} }

// close ends it; it reports whether there was one.
func (s *search) close() bool {
	was := s.shown()
	*s = search{last: s.last}
	return was
}

// mark underlines the word in a row in sight.
func (s *search) mark(r kit.Region, y int, pieces []piece) {
	if s.word == "" || s.typing {
		return
	}
	word := fold(s.word)
	for _, p := range pieces {
		low := fold(p.text)
		for from := 0; ; {
			k := strings.Index(low[from:], word)
			if k < 0 {
				break
			}
			k += from
			from = k + len(word)
			r.Restyle(p.x+kit.Width(p.text[:k]), y, kit.Width(p.text[k:from]), func(st kit.Style) kit.Style {
				st.Underline = true
				return st
			})
		}
	}
}

// fold makes ASCII letters small; all else stays as it is.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 32
		}
		return r
	}, s)
}

// next goes to the next row with the word, by 1 or -1, and around at the end.
// What is folded is looked through too, and unfolded where it has the word.
func (p *column) next(v *View, c *view.Context, by int) {
	word := fold(p.find.word)
	if word == "" {
		return
	}
	all := p.everything(v, c)
	from := 0
	for i, at := range all {
		if at == p.at {
			from = i
		}
	}
	for k := 1; k <= len(all); k++ {
		at := all[((from+k*by)%len(all)+len(all))%len(all)]
		if !strings.Contains(fold(p.words(v, c, at)), word) {
			continue
		}
		if at.n >= 0 {
			v.fold(at.key, false)
		}
		p.at, p.moved, p.free, p.find.says = at, true, false, ""
		return
	}
	p.find.says = "not found. esc clears"
}

// everything lists the rows of all sections, folded or not.
func (p *column) everything(v *View, c *view.Context) []place {
	var out []place
	for _, key := range p.keys {
		if v.sheet.told[key] == nil {
			continue
		}
		out = append(out, place{key, -1})
		for n := range v.sheet.rows(v, c, key, p.w) {
			out = append(out, place{key, n})
		}
	}
	return out
}

func (p *column) words(v *View, c *view.Context, at place) string {
	if at.n < 0 {
		return v.sheet.told[at.key].Head
	}
	rows := v.sheet.rows(v, c, at.key, p.w)
	return rows[at.n].plain()
}

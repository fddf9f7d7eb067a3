package inspect

import (
	"bytes"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/search"
)

// Typing reports whether keys go into the search line.
func (p *Pane) Typing() bool { return p.find.Typing }

// Paste puts text into the search line, while it is open.
func (p *Pane) Paste(text string) bool {
	if !p.find.Typing {
		return false
	}
	p.find.Add(text)
	return true
}

// typed handles a key of the search line.
func (p *Pane) typed(key string) bool {
	used, look := p.find.Key(key)
	if look {
		p.gone = false
		p.next(1)
	}
	return used
}

// next goes from the cursor to the next match, by 1 or -1, and around at the
// end. What hides it is unfolded.
func (p *Pane) next(by int) {
	if p.find.Word == "" || len(p.parts) == 0 {
		return
	}
	part, line := p.placeOf(p.cur)
	if !p.gone && by > 0 {
		line-- // the line under the cursor may be the first match
	}
	for k := 0; k <= len(p.parts); k++ {
		i := ((part+k*by)%len(p.parts) + len(p.parts)) % len(p.parts)
		from := line
		if k > 0 {
			from = -1
			if by < 0 {
				from = endOf(p.parts[i])
			}
		}
		if n := findIn(p.parts[i], p.find.Word, from, by); n >= 0 {
			p.find.Says, p.gone = "", true
			p.show(i, n)
			return
		}
	}
	p.find.Says = search.NotFound
}

// placeOf returns the section, and the line in it, of a line of the document.
func (p *Pane) placeOf(top int) (part, line int) {
	for i, s := range p.parts {
		n, _ := s.known()
		if top < n {
			return i, top
		}
		top -= n
	}
	return len(p.parts) - 1, 0
}

// endOf is a line after the last of a section.
func endOf(s *section) int {
	if s.limit > 0 || s.lazy == nil {
		n, _ := s.known()
		return n
	}
	return s.lazy.lineAt(len(s.lazy.source())) + 1
}

// show scrolls so that a line is in sight.
func (p *Pane) show(part, line int) {
	at := line
	for _, s := range p.parts[:part] {
		n, all := s.known()
		for !all {
			s.extend(n + 1<<14)
			n, all = s.known()
		}
		at += n
	}
	p.cur = at
	h := max(p.h-2, 1)
	if at < p.top || at >= p.top+h {
		p.top = max(at-h/3, 0)
	}
	p.clamp(h)
	p.hold()
}

// findIn returns the next line of a section after from (or before it, by -1)
// that has the word, or -1. What is cut off is not looked at.
func findIn(s *section, word string, from, by int) int {
	if s.lazy != nil {
		return findLazy(s, word, from, by)
	}
	for i := from + by; i >= 0 && i < len(s.rows); i += by {
		if strings.Contains(search.Fold(s.plain(i)), search.Fold(word)) {
			return i
		}
	}
	return -1
}

// findLazy looks through the bytes, not through lines that would have to be
// laid out for it.
func findLazy(s *section, word string, from, by int) int {
	src, w := s.lazy.source(), []byte(word)
	n, _ := s.lazy.known()
	lo, hi := 0, len(src)
	j, isJSON := s.lazy.(*jsonLines)
	if by > 0 && from >= 0 {
		s.lazy.extend(from + 2)
		n, _ = s.lazy.known()
		switch {
		case isJSON && from < n && j.foldOf(from) >= 0:
			lo = j.foldOf(from) + 1 // what it hides comes after its line
		case from+1 >= n:
			return -1
		default:
			lo = s.lazy.offset(from + 1)
		}
	}
	if by < 0 && from < n {
		if from <= 0 {
			return -1
		}
		hi = s.lazy.offset(from)
	}
	at := indexFold(src[lo:hi], w)
	if by < 0 {
		at = lastIndexFold(src[lo:hi], w)
	}
	if at < 0 {
		return -1
	}
	if isJSON {
		s.lazy.lineAt(lo + at)
		j.reveal(lo + at)
	}
	line := s.lazy.lineAt(lo + at)
	if s.limit > 0 && line >= s.limit {
		return -1
	}
	return line
}

// mark underlines the matches of a line in sight.
func (p *Pane) mark(r kit.Region, y int, s *section, i int) {
	if s.lazy == nil {
		for _, piece := range s.rows[i].pieces {
			p.find.Mark(r, piece.x, y, piece.text)
		}
		return
	}
	p.find.Mark(r, s.x+s.indentOf(i), y, s.lazy.text(i))
}

// indexFold is bytes.Index without regard to the case of ASCII letters.
func indexFold(b, word []byte) int {
	if len(word) == 0 {
		return -1
	}
	lo, up := lower(word[0]), upper(word[0])
	for at := 0; ; {
		k := indexEither(b[at:], lo, up)
		if k < 0 {
			return -1
		}
		at += k
		if len(b)-at < len(word) {
			return -1
		}
		if equalFold(b[at:at+len(word)], word) {
			return at
		}
		at++
	}
}

func lastIndexFold(b, word []byte) int {
	if len(word) == 0 {
		return -1
	}
	lo, up := lower(word[0]), upper(word[0])
	for end := len(b); ; {
		k := lastEither(b[:end], lo, up)
		if k < 0 {
			return -1
		}
		if k+len(word) <= len(b) && equalFold(b[k:k+len(word)], word) {
			return k
		}
		end = k
	}
}

// indexEither looks for two letters at once, without reading far for the one
// where the other is near.
func indexEither(b []byte, x, y byte) int {
	if x == y {
		return bytes.IndexByte(b, x)
	}
	for from := 0; from < len(b); from += 4096 {
		part := b[from:min(from+4096, len(b))]
		i, j := bytes.IndexByte(part, x), bytes.IndexByte(part, y)
		switch {
		case i >= 0 && (j < 0 || i < j):
			return from + i
		case j >= 0:
			return from + j
		}
	}
	return -1
}

func lastEither(b []byte, x, y byte) int {
	for to := len(b); to > 0; to -= min(to, 4096) {
		from := max(to-4096, 0)
		if k := max(bytes.LastIndexByte(b[from:to], x), bytes.LastIndexByte(b[from:to], y)); k >= 0 {
			return from + k
		}
	}
	return -1
}

func equalFold(a, b []byte) bool {
	for i := range a {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 32
	}
	return c
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 32
	}
	return c
}

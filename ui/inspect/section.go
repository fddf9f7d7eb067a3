package inspect

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// section is a run of lines of a document: rows that are all there, or a text
// that is laid out as far as it is looked at.
type section struct {
	rows  []row
	lazy  lines
	x     int  // column at which the lazy lines begin
	short bool // a few lines of it are enough
	limit int  // lines shown at most, 0: all
}

// row is one finished line.
type row struct {
	pieces []piece
	right  string
}

type piece struct {
	x    int
	st   kit.Style
	text string // clean, on one line
}

// known returns how many lines the section shows, as far as that is known.
func (s *section) known() (n int, all bool) {
	if s.lazy == nil {
		return len(s.rows), true
	}
	n, all = s.lazy.known()
	if s.limit > 0 && n >= s.limit {
		return s.limit, true
	}
	return n, all
}

// cut reports whether the section has more lines than it shows.
func (s *section) cut() bool {
	if s.lazy == nil || s.limit == 0 {
		return false
	}
	n, all := s.lazy.known()
	return n > s.limit || !all
}

func (s *section) extend(n int) {
	if s.lazy == nil {
		return
	}
	if s.limit > 0 {
		n = min(n, s.limit+1)
	}
	s.lazy.extend(n)
}

// draw draws line i of the section into row y.
func (s *section) draw(r kit.Region, y, i int) {
	if s.lazy == nil {
		s.rows[i].draw(r, y)
		return
	}
	in := r.Sub(s.x, y, r.W-s.x, 1)
	if j, ok := s.lazy.(*jsonLines); ok && j.flow && s.limit > 0 && i == s.limit-1 && s.cut() {
		j.drawOpen(in, 0, i)
		return
	}
	s.lazy.draw(in, 0, i)
	if j, ok := s.lazy.(*jsonLines); ok && j.spans[i].flags&hasFold != 0 {
		r.Put(s.x+s.indentOf(i)-1, y, kit.As(kit.Key), foldedSign)
	}
	if s.limit > 0 && i == s.limit-1 && s.cut() {
		x := kit.Width(kit.Clean(s.lazy.text(i))) + s.indentOf(i)
		in.Put(min(x, in.W-1), 0, kit.As(kit.Dim), "…")
	}
}

func (s *section) indentOf(i int) int {
	if j, ok := s.lazy.(*jsonLines); ok {
		return int(j.spans[i].indent)
	}
	return 0
}

// plain returns what a line says, for a search.
func (s *section) plain(i int) string {
	if s.lazy != nil {
		return s.lazy.text(i)
	}
	var b strings.Builder
	for _, p := range s.rows[i].pieces {
		b.WriteString(p.text)
	}
	return b.String()
}

// draw draws the row; its note keeps its place at the right edge, and the
// rest is cut in front of it.
func (w *row) draw(r kit.Region, y int) {
	end := r.W
	if w.right != "" {
		end = min(r.PutRight(r.W-1, y, kit.As(kit.Dim), w.right), r.W)
		end -= kit.Width(kit.Clean(w.right)) + 1
	}
	for _, p := range w.pieces {
		if p.x < end {
			r.PutCut(p.x, y, end-p.x, p.st, p.text)
		}
	}
}

// tones are the roles of a document's tones.
var tones = map[inspector.Tone]kit.Role{
	inspector.Plain:   kit.Normal,
	inspector.Quiet:   kit.Dim,
	inspector.Loud:    kit.Bright,
	inspector.Peer:    kit.Normal,
	inspector.Good:    kit.Good,
	inspector.Changed: kit.Changed,
	inspector.Bad:     kit.Bad,
}

// signRoles are the roles of the signs in front of lines.
var signRoles = map[string]kit.Role{
	"+": kit.Good, "●": kit.Bright, "~": kit.Changed, "≠": kit.Changed, "✗": kit.Bad,
	"✓": kit.Good, "?": kit.Ask, "←": kit.Server, "◆": kit.Good,
}

func signStyle(sign string) kit.Style {
	if role, ok := signRoles[sign]; ok {
		return kit.As(role)
	}
	if sign = strings.TrimSpace(sign); len(sign) == 1 && sign[0] >= 'A' && sign[0] != '~' { // a key
		return kit.As(kit.Key)
	}
	return kit.As(kit.Normal)
}

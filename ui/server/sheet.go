package server

import (
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// The keys of the sections that this view adds to those of package inspector.
const (
	keyEnd  = "end"
	keyFile = "file"
)

// sheet is what is told at one moment, and its sections as they are laid out.
// It is made anew when the connections were spoken of; a flood of other
// messages costs nothing.
type sheet struct {
	teller inspector.ServerTeller
	key    sheetKey
	told   map[string]*inspector.ServerSection
	laid   map[layKey][]row
}

// sheetKey changes whenever a section may say something else.
type sheetKey struct {
	log       *timeline.Log
	conn      int
	landmarks int
	phase     timeline.Phase
	facts     int // counts the changes of what is known beside the frames
	frames    int // of a connection that is over: what can be done counts them
	canAct    bool
	page      pageName
	dealings  int
}

type layKey struct {
	section string
	w       int
}

// take makes the sections of the moment, unless nothing of them changed.
func (s *sheet) take(v *View, c *view.Context) {
	k := sheetKey{
		log: c.Log, conn: c.Board.Conn, landmarks: c.Log.LandmarkCount(c.Board.Index), phase: c.Board.Link.Phase, facts: v.changed,
	}
	k.page, k.dealings = v.page, c.Log.DealingCount(c.Board.Conn, c.Board.Index, pages[v.page].kinds...)
	if c.Board.Link.Phase == timeline.Closed {
		k.frames, k.canAct = c.Len, c.Ended
	}
	if s.told != nil && s.key == k {
		return
	}
	s.key, s.told, s.laid = k, map[string]*inspector.ServerSection{}, map[layKey][]row{}
	if tell := pages[v.page].tell; tell != nil {
		sections := tell(&s.teller, c.Log, c.Board)
		for i := range sections {
			s.told[sections[i].Key] = &sections[i]
		}
		return
	}
	f := &v.start.facts
	sections := s.teller.Sections(c.Log, c.Board, inspector.ServerTarget{
		Kind: f.Kind, Title: f.Title, Command: f.Command, Dir: f.Dir, Env: f.EnvSet,
	})
	for i := range sections {
		s.told[sections[i].Key] = &sections[i]
	}
	s.ended(v, c)
	s.file(v)
}

// ended adds how the connection ended, and what can be done now.
func (s *sheet) ended(v *View, c *view.Context) {
	if c.Board.Link.Phase != timeline.Closed {
		return
	}
	words, sign := v.start.ended(c.Board)
	s.told[keyEnd] = &inspector.ServerSection{Key: keyEnd, Head: "WHAT NOW", Note: sign + words}
}

// file adds what of the file could not be read.
func (s *sheet) file(v *View) {
	f := &v.start.facts
	if len(f.Skipped) == 0 && !f.Cut {
		return
	}
	sec := &inspector.ServerSection{Key: keyFile, Head: "THE FILE", Note: "! not all of it could be read"}
	for _, l := range v.start.damage()[2:] {
		line := inspector.ServerLine{Line: inspector.Line{Spans: []inspector.Span{{Text: l.text}}, Wrap: true}, Index: -1}
		sec.Lines = append(sec.Lines, line)
	}
	s.told[keyFile] = sec
}

// rows are the rows of a section at a width, without its head.
func (s *sheet) rows(v *View, c *view.Context, key string, w int) []row {
	k := layKey{key, w}
	if out, ok := s.laid[k]; ok {
		return out
	}
	if len(s.laid) > 200 { // a terminal that is resized again and again
		s.laid = map[layKey][]row{}
	}
	var out []row
	if key == keyEnd {
		out = v.choiceRows(c, w)
	} else if sec := s.told[key]; sec != nil {
		for i := range sec.Lines {
			out = append(out, layLine(&sec.Lines[i], w)...)
		}
	}
	s.laid[k] = out
	return out
}

// choiceRows are the things that can be done now, each with its key.
func (v *View) choiceRows(c *view.Context, w int) []row {
	var out []row
	x := textX
	if w < narrowFrom {
		x = textXNarrow
	}
	for i, ch := range v.choices(c) {
		r := row{index: -1, choice: i}
		r.pieces = []piece{
			{x, kit.As(kit.Key), ch.key},
			{x + 3, kit.As(kit.Normal), ch.what},
			{x + 3 + max(kit.Width(ch.what)+2, 22), kit.As(kit.Dim), kit.Clean(ch.note)},
		}
		out = append(out, r)
	}
	return out
}

// choices are the things that can be done now. To copy is a key of every
// section here.
func (v *View) choices(c *view.Context) []choice {
	all := v.start.choices(c)
	for i := range all {
		if all[i].key == "y" {
			return all[:i]
		}
	}
	return all
}

// frameWord names the frame of a position: "frame 12".
func frameWord(log *timeline.Log, i int) string {
	return "frame " + strconv.FormatInt(log.Entry(i).Seq, 10)
}

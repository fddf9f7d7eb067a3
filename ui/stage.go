package ui

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// What Options.Stage changes (screens.md, "On a stage"): no dim text, cells
// spaced, the last key echoed, and PgDn and PgUp, which is what a clicker
// sends, go from mark to mark. Row 1 then has the text of the mark as the
// title of the chapter, and a recording opens at its first mark.

// chapters is every mark in the order of the session, kept while there are no
// more of them.
type chapters struct {
	log       *timeline.Log
	kept, own int // how many stand in the session, and were set while it was looked at
	all       []timeline.Mark
}

// chapters are all marks in the order of the session: those in the recording,
// and those that were set while it was looked at.
func (m *Model) chapters() []timeline.Mark {
	c, log := &m.marked, m.log()
	if kept, own := log.MarkCount(), len(m.prompts.marks); c.log != log || c.kept != kept || c.own != own {
		all := append(log.Marks(), m.prompts.marks...)
		slices.SortStableFunc(all, func(a, b timeline.Mark) int { return cmp.Compare(a.Index, b.Index) })
		*c = chapters{log: log, kept: kept, own: own, all: all}
	}
	return c.all
}

// markAfter is the number of the first mark after a frame.
func markAfter(all []timeline.Mark, at int) int {
	n, _ := slices.BinarySearchFunc(all, at+1, func(k timeline.Mark, at int) int { return cmp.Compare(k.Index, at) })
	return n
}

// chapter is the text of the last mark at or before the playhead, "" before
// the first one.
func (m *Model) chapter() string {
	all := m.chapters()
	if n := markAfter(all, m.head.at); n > 0 {
		return all[n-1].Text
	}
	return ""
}

// The room, in cells, for which a title waits where that costs the rev, and
// the least that it is worth.
const (
	wantedChapter = 16
	leastChapter  = 8
)

// chapterRoom drops what says less to a room than the title of the chapter,
// from right, until that has its place: the time stays.
func (m *Model) chapterRoom(r kit.Region, gap int, left, right []part) []part {
	if !m.opt.Stage || r.W < narrowFrom {
		return right
	}
	want := min(kit.Width(kit.Clean(oneLine(m.chapter())))+2, wantedChapter)
	for want > 2 && r.W-2-2*gap-width(left, gap)-width(right, gap) < want && dropOne(&right) {
	}
	return right
}

// chapterPart is the title of the chapter in at most room cells.
func (m *Model) chapterPart(room int) []part {
	text := m.chapter()
	if !m.opt.Stage || text == "" || room < leastChapter {
		return nil
	}
	return []part{{text: "“" + kit.Cut(kit.Clean(oneLine(text)), room-2) + "”", style: kit.Style{Role: kit.Bright}}}
}

// clicked handles what a clicker sends, and reports whether key is that. It
// leads to the board that was left for a comparison.
func (m *Model) clicked(key string) bool {
	if !m.opt.Stage || (key != "pgdown" && key != "pgup") {
		return false
	}
	m.compared = nil
	if key == "pgdown" {
		m.nextChapter()
	} else {
		m.lastChapter()
	}
	return true
}

// nextChapter goes to the next mark. In a live session the present comes
// after the last one.
func (m *Model) nextChapter() {
	all := m.chapters()
	n := markAfter(all, m.head.at)
	switch {
	case n < len(all):
		m.goTo(all[n].Index)
	case m.past():
		m.goLive()
	case len(all) == 0:
		m.say(noMarks)
	case m.cx.Replay:
		m.say("this is the last mark; ] goes on by rev, G to the end")
	default:
		m.say("this is the present; m sets the next mark")
	}
}

// lastChapter goes to the mark before the one that is shown.
func (m *Model) lastChapter() {
	all := m.chapters()
	switch n := markAfter(all, m.head.at-1); {
	case n > 0:
		m.goTo(all[n-1].Index)
	case len(all) == 0:
		m.say(noMarks)
	default:
		m.say("this is the first mark; g goes to the first rev")
	}
}

const noMarks = "there is no mark yet; m sets one here, with its text"

// firstChapter is the position at which a recording opens on a stage: its
// first mark, -1 where it has none.
func (m *Model) firstChapter() int {
	if all := m.chapters(); m.opt.Stage && len(all) > 0 {
		return all[0].Index
	}
	return -1
}

// echoRoom is what the last key takes of the row of the help, so that the
// keys before it stand still.
const echoRoom = 13

// drawEcho shows the last key that was pressed at the right end of the help,
// so that the room sees it, and returns what is left of the row.
func (m *Model) drawEcho(r kit.Region) kit.Region {
	key := m.lastKey
	if word, ok := arrowNames[key]; ok && m.theme.ASCII { // there they look like other keys
		key = word
	}
	key = kit.Cut(kit.Clean(key), echoRoom-3)
	w := echoRoom
	if r.W < narrowFrom {
		w = kit.Width(key) + 2
	}
	x := r.W - 1 - kit.Width(key)
	r.Put(x, 0, kit.Style{Role: kit.Bright}, key)
	const word = "key  "
	if key != "" && kit.Width(word+key)+3 <= w {
		r.Put(x-kit.Width(word), 0, kit.As(kit.Normal), word)
	}
	return r.Sub(0, 0, r.W-w, 1)
}

// keyNames are the names of keys as they stand on them.
var keyNames = map[string]string{
	" ": "space", "pgdown": "PgDn", "pgup": "PgUp", "up": "↑", "down": "↓", "left": "←", "right": "→", "": "paste",
}

// arrowNames are the arrows in words.
var arrowNames = map[string]string{"↑": "up", "↓": "down", "←": "left", "→": "right"}

// keyName is a key as the help names it.
func keyName(key string) string {
	if name, ok := keyNames[key]; ok {
		return name
	}
	return strings.Replace(key, "+", "-", strings.Count(key, "+")-b2i(strings.HasSuffix(key, "+")))
}

// stageHelp are the keys of the root on a stage. What a speaker uses comes
// first; help stands beside the key that shows all panes.
func (m *Model) stageHelp() (must, may []view.Help) {
	if len(m.judging.book.Places()) > 0 {
		must = append(must, view.Help{Key: "e E", Verb: "finding"})
	}
	if m.cx.Replay {
		verb := "play"
		if m.player.playing {
			verb = "stop"
		}
		must = append(must, view.Help{Key: "space", Verb: verb})
	}
	if m.past() {
		must = append(must, view.Help{Key: "G", Verb: "live"})
	}
	return must, append(may, view.Help{Key: "PgDn PgUp", Verb: "chapter"}, view.Help{Key: "m", Verb: "mark"})
}

// besideZoom puts the key for help behind the one that shows all panes, else
// behind all others.
func besideZoom(groups [][]view.Help) [][]view.Help {
	help := view.Help{Key: "?", Verb: "help"}
	for i, g := range groups {
		for k, h := range g {
			if h.Key == "z" {
				out := slices.Clone(groups)
				out[i] = slices.Insert(slices.Clone(g), k+1, help)
				return out
			}
		}
	}
	return append(slices.Clone(groups), []view.Help{help})
}

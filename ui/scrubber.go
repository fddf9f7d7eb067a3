package ui

import (
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// scrubber is the time line of a recording: where its track stands.
type scrubber struct {
	x, w int
	end  time.Duration
}

// scrubber lays the time line out in w columns.
func (m *Model) scrubber(w int) scrubber {
	end := m.length()
	from, to := kit.Width("─ 0:00 "), kit.Width(" "+inspector.ClockShort(end)+" ─")
	return scrubber{x: from, w: max(w-from-to, 1), end: end}
}

// column returns the column of the track at a time.
func (s scrubber) column(t time.Duration) int {
	if s.end <= 0 {
		return 0
	}
	return max(0, min(s.w-1, int(float64(t)/float64(s.end)*float64(s.w-1))))
}

// time is the inverse of column: the end of the span that a column stands
// for, so that a click on a sign goes to what it marks.
func (s scrubber) time(column int) time.Duration {
	if column >= s.w-1 || s.w < 2 {
		return s.end
	}
	return time.Duration(float64(s.end)*float64(column+1)/float64(s.w-1)) - 1
}

// drawScrubber draws the time line: revs, findings, marks, and where one is.
func (m *Model) drawScrubber(r kit.Region) {
	if m.cx.Len == 0 {
		m.drawLoading(r, "nothing is read yet")
		return
	}
	if !m.status.Loaded() {
		m.drawLoading(r, inspector.Count(m.cx.Len, "frame")+" so far")
		return
	}
	s := m.scrubber(r.W)
	r.Put(1, 0, kit.As(kit.Normal), " 0:00 ")
	r.Put(s.x+s.w, 0, kit.As(kit.Normal), " "+inspector.ClockShort(s.end)+" ")
	log := m.log()
	var found []int
	for before, at, c := -1, -1, 0; c < s.w; c++ {
		i := log.IndexAt(s.time(c))
		row := log.RowAt(i)
		if row > before {
			r.Put(s.x+c, 0, kit.As(kit.Normal), "┴")
		}
		if m.judging.book.Between(at, i) {
			found = append(found, c)
		}
		before, at = row, i
	}
	for _, i := range m.marks() {
		r.Put(s.x+s.column(log.Entry(i).T), 0, kit.As(kit.Changed), "▾")
	}
	for _, c := range found {
		r.Put(s.x+c, 0, kit.As(kit.Bad), "✗")
	}
	r.Put(s.x+s.column(m.cx.Now), 0, kit.Style{Role: kit.Bright}, "█")
}

// drawLoading says how much of a file is read.
func (m *Model) drawLoading(r kit.Region, text string) {
	done := itoa(int(m.status.Loading*100)) + " %"
	m.drawInbox(r, []inboxPart{{bits: []part{
		{text: "reading the file, " + done, style: kit.As(kit.Bright)}, {text: text, style: kit.As(kit.Normal), rank: 1},
	}}}, nil)
}

// clickedScrubber goes to where the time line was clicked.
func (m *Model) clickedScrubber(x, y int) bool {
	if !m.cx.Replay || m.over != nil || y != m.layout().waits || m.message.shown(m) != "" || !m.status.Loaded() {
		return false
	}
	s := m.scrubber(m.screen.w)
	if x < s.x || x >= s.x+s.w {
		return false
	}
	t := s.time(x - s.x)
	if m.player.playing {
		m.player.pos, m.player.moved, m.player.last = t, true, m.opt.Now()
		m.head.at = max(m.log().IndexAt(t), 0)
		m.update()
		return true
	}
	m.goToTime(t)
	return true
}

// lastMark is the position of the user's last mark, -1 if there is none.
func (m *Model) lastMark() int {
	marks := m.marks()
	if len(marks) == 0 {
		return -1
	}
	return marks[len(marks)-1]
}

// marks are the positions of all marks: those in the recording, then those
// that were set while it was looked at.
func (m *Model) marks() []int {
	var out []int
	for _, k := range m.log().Marks() {
		out = append(out, k.Index)
	}
	for _, k := range m.prompts.marks {
		out = append(out, k.Index)
	}
	return out
}

// sessionMark is a mark that is kept in memory: a recording is not written.
type sessionMark = timeline.Mark

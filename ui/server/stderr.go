package server

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/search"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// stderrPane is all that the server wrote to stderr, a row for each line, up
// to the playhead. At its end it follows, scrolled back it stands still. Only
// the lines in sight are read.
type stderrPane struct {
	back bool // the cursor was moved back from the end
	at   int  // and stands on this line
	top  int
	free bool // scrolled by the wheel, away from the cursor
	w, h int
	n    int // lines, when they were counted last
	find search.Line
	hunt hunt

	log  *timeline.Log
	kept map[int]errLine // by the line's number
}

// errLine is a line as it is drawn.
type errLine struct {
	entry timeline.Entry
	text  string // clean
	loud  bool   // it names an error
}

const (
	maxLine  = 1000 // bytes of a line that are shown
	keptMost = 512  // lines that are kept
)

// take counts the lines of the moment.
func (p *stderrPane) take(c *view.Context) {
	if p.log != c.Log {
		*p = stderrPane{log: c.Log}
	}
	p.n = c.Log.StderrCount(c.Board.Index)
	p.at = min(p.at, p.n-1)
	if p.hunt.left > 0 {
		p.search()
	}
}

// cursor is the line that the cursor is on, -1 where there is none.
func (p *stderrPane) cursor() int {
	if p.back {
		return p.at
	}
	return p.n - 1
}

// rows is how many rows the lines have.
func (p *stderrPane) rows() int {
	if p.find.Shown() && p.h > 1 {
		return p.h - 1
	}
	return p.h
}

func (p *stderrPane) draw(r kit.Region, c *view.Context, focus bool) {
	p.w, p.h = r.W, r.H
	if p.find.Shown() && r.H > 1 {
		p.find.Draw(r, r.H-1, focus)
	}
	if p.n == 0 {
		text := "Nothing on stderr so far."
		if c.Board.Link.Phase == timeline.Closed {
			text = "The server wrote nothing to stderr."
		}
		r.PutCut(1, 0, r.W-2, kit.As(kit.Dim), text)
		return
	}
	rows := p.rows()
	if rows < 1 {
		return
	}
	p.scroll(rows)
	cur := p.cursor()
	width := len(strconv.FormatInt(p.log.Entry(p.log.StderrIndex(p.n-1)).Seq, 10))
	for y := 0; y < rows && p.top+y < p.n; y++ {
		n := p.top + y
		l := p.line(n)
		p.row(r, y, c, l, width)
		if n == cur {
			mark := "▏"
			if focus {
				mark = "▌"
			}
			r.Put(0, y, kit.As(kit.Bright), mark)
		}
	}
}

// scroll keeps the cursor in sight, or the end where it is followed.
func (p *stderrPane) scroll(rows int) {
	if cur := p.cursor(); !p.free {
		p.top = min(p.top, cur)
		p.top = max(p.top, cur-rows+1)
	}
	p.top = max(min(p.top, p.n-rows), 0)
}

// row draws a line: its frame, its time, and what it says.
func (p *stderrPane) row(r kit.Region, y int, c *view.Context, l errLine, width int) {
	st := kit.As(kit.Normal)
	switch {
	case l.entry.Conn != c.Board.Conn:
		st = kit.As(kit.Dim) // of an earlier connection
	case l.loud:
		st = kit.As(kit.Bright)
	}
	r.Put(1, y, kit.As(kit.Dim), "┆")
	x := 3 + width
	r.PutRight(x, y, kit.As(kit.Dim), strconv.FormatInt(l.entry.Seq, 10))
	if r.W >= narrowFrom {
		x = r.Put(x+2, y, kit.As(kit.Dim), kit.PadLeft(inspector.Clock(l.entry.T), 9))
	}
	r.PutCut(x+2, y, r.W-x-3, st, l.text)
	p.find.Mark(r, x+2, y, kit.Cut(l.text, r.W-x-3))
}

// line reads line n, once while it is in sight.
func (p *stderrPane) line(n int) errLine {
	if l, ok := p.kept[n]; ok {
		return l
	}
	if p.kept == nil || len(p.kept) >= keptMost {
		p.kept = make(map[int]errLine, keptMost)
	}
	i := p.log.StderrIndex(n)
	if i < 0 {
		return errLine{}
	}
	l := errLine{entry: p.log.Entry(i)}
	if f, err := p.log.Frame(i); err == nil {
		text := strings.TrimRight(string(whole(f.Body, maxLine)), " \t\r")
		l.text = kit.CleanText(strings.ReplaceAll(text, "\n", "␊"))
		l.loud = namesError(text)
	} else {
		l.text = "this frame cannot be read: " + kit.Clean(err.Error())
	}
	p.kept[n] = l
	return l
}

// whole cuts bytes between two letters.
func whole(b []byte, most int) []byte {
	if len(b) <= most {
		return b
	}
	for most > 0 && !utf8.RuneStart(b[most]) {
		most--
	}
	return b[:most]
}

// namesError reports whether a line names what went wrong.
func namesError(text string) bool {
	low := strings.ToLower(text)
	return strings.Contains(low, "error") || strings.Contains(low, "panic") || strings.Contains(low, "fatal")
}

// move moves the cursor by some lines. At the last line it follows again.
func (p *stderrPane) move(by int) { p.goTo(p.cursor() + by) }

func (p *stderrPane) goTo(n int) {
	p.free = false
	p.at = max(min(n, p.n-1), 0)
	p.back = p.at < p.n-1
}

// note says where the pane stands: at the end, or how far from it.
func (p *stderrPane) note(c *view.Context) string {
	text := inspector.Count(p.n, "line")
	switch later := c.Log.StderrCount(c.Len-1) - p.n; {
	case p.n == 0 && later == 0:
		return "none"
	case p.free:
		text += ", scrolled back, G follows"
	case p.back:
		text = "line " + strconv.Itoa(p.at+1) + " of " + strconv.Itoa(p.n) + ", G follows"
	case later > 0:
		text += ", " + strconv.Itoa(later) + " later"
	case c.Board.Link.Phase != timeline.Closed && !c.Replay:
		text += ", following"
	}
	return text
}

// hunt is a search through the lines that goes on piece by piece.
type hunt struct {
	at, by int // the line to look at next, and the direction
	left   int // lines that were not looked at yet, 0: nothing is searched for
}

// How much is looked through at a time.
const (
	huntLines = 4000
	huntBytes = 1 << 20
)

// next looks for the next line with the word, by 1 or -1, and around at the
// end.
func (p *stderrPane) next(by int) {
	if p.find.Word == "" || p.n == 0 {
		return
	}
	p.hunt = hunt{at: p.cursor() + by, by: by, left: p.n}
	p.search()
}

// search looks through some more lines.
func (p *stderrPane) search() {
	word := search.Fold(p.find.Word)
	h := &p.hunt
	if p.n == 0 {
		h.left = 0
	}
	read := 0
	for k := 0; k < huntLines && read < huntBytes && h.left > 0; k++ {
		n := ((h.at % p.n) + p.n) % p.n
		h.at, h.left = n+h.by, h.left-1
		f, err := p.log.Frame(p.log.StderrIndex(n))
		if err != nil {
			continue
		}
		read += len(f.Body)
		if strings.Contains(search.Fold(string(whole(f.Body, 64<<10))), word) {
			p.goTo(n)
			p.find.Says, h.left = "", 0
			return
		}
	}
	if p.find.Says = search.NotFound; h.left > 0 {
		p.find.Says = "still looking, " + strconv.Itoa(h.left) + " lines to go. esc stops"
	}
}

// mostCopied is how many lines are copied at most.
const mostCopied = 1000

// text returns the lines up to the cursor, the last ones of many, and what
// they are.
func (p *stderrPane) text() (text, what string) {
	cur := p.cursor()
	from := max(cur-mostCopied+1, 0)
	var b strings.Builder
	for n := from; n <= cur; n++ {
		f, err := p.log.Frame(p.log.StderrIndex(n))
		if err != nil {
			continue
		}
		b.WriteString(kit.Clean(string(whole(f.Body, 64<<10))))
		b.WriteByte('\n')
	}
	what = inspector.Count(cur-from+1, "line") + " of stderr"
	if from > 0 {
		what += ", the last up to line " + strconv.Itoa(cur+1)
	}
	return b.String(), what
}

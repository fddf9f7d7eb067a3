package start

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// Title is what the page is called.
const Title = "WHAT DO YOU WANT TO LOOK AT?"

// columns are where the parts of an entry stand.
type columns struct {
	name, what, where int // the first cell of each; where 0: there is no room
	end               int
}

func columnsOf(w int) columns {
	switch {
	case w >= 140:
		return columns{3, 36, w - 50, w - 1}
	case w >= 96:
		return columns{3, 22, w - 31, w - 1}
	case w >= 76:
		return columns{3, 22, w - 22, w - 1}
	case w >= 60:
		return columns{3, 22, 0, w - 1}
	}
	return columns{2, 16, 0, w - 1}
}

// line is one row of the list.
type line struct {
	entry int // -1: none
	draw  func(r kit.Region, y int, c columns)
}

// Draw draws the list into the region. now is the time of day, for "today".
func (l *List) Draw(r kit.Region, now time.Time) {
	lines := l.lines(r, now)
	l.scroll(lines, r.H)
	l.rows = l.rows[:0]
	c := columnsOf(r.W)
	for y := 0; y < r.H && l.top+y < len(lines); y++ {
		one := lines[l.top+y]
		l.rows = append(l.rows, one.entry)
		if one.draw != nil {
			one.draw(r, y, c)
		}
	}
	if l.top > 0 {
		r.PutRight(r.W-1, 0, kit.As(kit.Dim), " ↑"+strconv.Itoa(l.top))
	}
	if below := len(lines) - l.top - r.H; below > 0 {
		r.PutRight(r.W-1, r.H-1, kit.As(kit.Dim), " ↓"+strconv.Itoa(below))
	}
}

// scroll brings the cursor, with the title above it, into sight.
func (l *List) scroll(lines []line, h int) {
	if at := l.at(); l.follow && at >= 0 {
		for y, one := range lines {
			if one.entry != at {
				continue
			}
			if y >= l.top+h {
				l.top = y - h + 1
			}
			if y-1 < l.top {
				l.top = y - 1
			}
		}
	}
	l.follow = false
	l.top = max(min(l.top, len(lines)-h), 0)
}

// Click is a click on row y of the list, or a turn of the wheel. It reports
// whether the chosen entry was clicked once more.
func (l *List) Click(y, wheel int) (again bool) {
	if wheel != 0 {
		l.top = max(l.top+3*wheel, 0)
		return false
	}
	if y < 0 || y >= len(l.rows) || l.rows[y] < 0 {
		return false
	}
	line := l.places.Entries[l.rows[y]].Line
	again = line == l.sel
	l.sel, l.moved = line, true
	return again
}

// lines are all rows of the list; blanks between its parts go where they do
// not fit.
func (l *List) lines(r kit.Region, now time.Time) []line {
	var parts [][]line
	for s := Try; s < numSections; s++ {
		if part := l.section(s, now); len(part) > 0 {
			parts = append(parts, part)
		}
	}
	if l.filter == "" {
		n := len(orType) + 2
		for _, p := range parts {
			n += len(p) + 1
		}
		if n-1 <= r.H {
			parts = append(parts, typed())
		}
	} else if len(l.shown) == 0 {
		words := "Nothing here matches. What is typed can be a command, an address or a file, too."
		if l.bare {
			words = "Nothing here matches; enter goes to what is typed."
		}
		parts = [][]line{{text(words)}}
	}
	n := len(parts) - 1
	for _, p := range parts {
		n += len(p)
	}
	var out []line
	for i, p := range parts {
		if i > 0 && n <= r.H {
			out = append(out, line{entry: -1})
		}
		out = append(out, p...)
	}
	return out
}

var titles = [numSections]string{"TRY IT", "SERVERS", "RECENT", "RECORDINGS"}

// section is one part of the list; a filter takes away those without a match.
func (l *List) section(s Section, now time.Time) []line {
	var out []line
	all := 0
	for _, i := range l.shown {
		if l.places.Entries[i].Section == s {
			all++
		}
	}
	for _, i := range l.limited() {
		if e := l.places.Entries[i]; e.Section == s {
			out = append(out, l.entry(i, e, now))
		}
	}
	note := l.note(s, len(out), all)
	if l.filter != "" || s == Recent {
		if len(out) == 0 {
			return nil
		}
	}
	if s == Servers && l.filter == "" {
		out = append(out, l.problems()...)
	}
	head := line{entry: -1, draw: func(r kit.Region, y int, c columns) {
		x := r.Put(c.name, y, kit.As(kit.Title), titles[s])
		r.PutCut(max(x+2, c.what), y, c.end-max(x+2, c.what), kit.As(kit.Dim), note)
	}}
	return append([]line{head}, out...)
}

// note is what stands beside the title of a part.
func (l *List) note(s Section, n, all int) string {
	switch s {
	case Servers:
		switch {
		case !l.loaded:
			return "looking for them"
		case n == 0:
			return "none found. What .mcp.json, Claude, Cursor or VS Code set up, stands here"
		case all > n:
			return fmt.Sprintf("%d of %d, found in %s; type to find one", n, all, inspector.Count(l.places.Files, "file"))
		}
		return "found in " + inspector.Count(l.places.Files, "file")
	case Recent:
		if all > n {
			return fmt.Sprintf("%d of %d, newest first; type to find one", n, all)
		}
		return "newest first"
	case Recordings:
		switch {
		case !l.loaded:
			return "looking for them"
		case n == 0 && !l.places.Kept:
			return "none"
		case n == 0:
			return "none yet. Each session is kept in " + l.places.Dir + ", and stands here"
		case all > n:
			return fmt.Sprintf("%d of %d kept in %s, newest first; type to find one", n, all, l.places.Dir)
		}
		return "kept in " + l.places.Dir + ", newest first"
	}
	return ""
}

// mostProblems is how many files that cannot be read are named.
const mostProblems = 3

func (l *List) problems() []line {
	var out []line
	for i, p := range l.places.Problems {
		if i == mostProblems {
			out = append(out, warning(fmt.Sprintf("and %d more: mcpl-tui servers names them", len(l.places.Problems)-i)))
			break
		}
		out = append(out, warning(p))
	}
	return out
}

func warning(words string) line {
	return line{entry: -1, draw: func(r kit.Region, y int, c columns) {
		r.PutCut(c.name, y, c.end-c.name, kit.As(kit.Changed), "! "+words)
	}}
}

func text(words string) line {
	return line{entry: -1, draw: func(r kit.Region, y int, c columns) {
		r.PutCut(c.name, y, c.end-c.name, kit.As(kit.Normal), words)
	}}
}

// entry draws one thing to look at.
func (l *List) entry(i int, e Entry, now time.Time) line {
	return line{entry: i, draw: func(r kit.Region, y int, c columns) {
		name, rest := kit.As(kit.Normal), kit.As(kit.Dim)
		if e.Line == l.sel {
			r.Put(0, y, kit.As(kit.Bright), "▌")
			name, rest = kit.As(kit.Bright), kit.As(kit.Normal)
		}
		r.Put(c.name, y, name, kit.CutMiddle(kit.Clean(e.Name), c.what-c.name-2))
		if e.Section == Recordings {
			recording(r, y, c, e, rest, now)
			return
		}
		end := c.end
		if c.where > 0 && e.Where != "" {
			r.PutCut(c.where, y, c.end-c.where, kit.As(kit.Dim), e.Where)
			end = c.where - 4
		}
		what := e.What
		if e.Note != "" {
			what = e.Note + ": " + what
		}
		r.PutCut(c.what, y, end-c.what, rest, what)
	}}
}

// recording draws what is known of a recording: when it was made, of what, how
// much is in it.
func recording(r kit.Region, y int, c columns, e Entry, st kit.Style, now time.Time) {
	cut := func(x, w int, st kit.Style, s string) { r.PutCut(x, y, min(w, c.end-x), st, s) }
	x := c.what
	cut(x, 13, st, day(e.Started, now))
	x += 15
	if x >= c.end-8 {
		return
	}
	switch {
	case e.Broken != "":
		cut(x, c.end-x, kit.As(kit.Changed), "! "+e.Broken)
		return
	case !e.Read:
		cut(x, c.end-x, kit.As(kit.Dim), "…")
		return
	}
	server := e.Server
	if server == "" {
		server = "did not start"
	}
	wide := min(max(c.end-x-28, 8), 13) // as the narrow screens have it
	if c.where > c.what+70 {
		wide = 30
	}
	cut(x, wide, st, server)
	x += wide + 1
	revs := inspector.Count(e.Revs, "rev")
	cut(x+max(9-len(revs), 0), 12, st, revs)
	x += 13
	length := inspector.ClockShort(e.Length)
	cut(x, 9, st, length)
	if e.Findings > 0 {
		cut(x+max(len(length), 4)+4, 8, kit.As(kit.Bad), "✗"+strconv.Itoa(e.Findings))
	}
}

// day says when something was, short enough for a column.
func day(t, now time.Time) string {
	t = t.In(now.Location())
	switch {
	case t.IsZero():
		return ""
	case t.Year() == now.Year() && t.YearDay() == now.YearDay():
		return t.Format("today 15:04")
	case now.Sub(t) < 300*24*time.Hour:
		return t.Format("2 Jan 15:04")
	}
	return t.Format("2 Jan 2006")
}

// orType is what can be typed instead.
var orType = [][2]string{
	{"a command", "node dist/server.js"},
	{"an address", "http://localhost:3000/mcp      sse+http://…      ws://…      mcpl://…"},
	{"a recording", "session.mcpl.jsonl"},
}

func typed() []line {
	out := []line{{entry: -1, draw: func(r kit.Region, y int, c columns) { r.Put(c.name, y, kit.As(kit.Title), "OR TYPE") }}}
	for _, o := range orType {
		out = append(out, line{entry: -1, draw: func(r kit.Region, y int, c columns) {
			r.PutCut(c.name, y, c.what-c.name-1, kit.As(kit.Normal), o[0])
			example := o[1]
			if kit.Width(example) > c.end-c.what {
				example = strings.ReplaceAll(example, "      ", "  ")
			}
			r.PutCut(c.what, y, c.end-c.what, kit.As(kit.Dim), example)
		}})
	}
	return out
}

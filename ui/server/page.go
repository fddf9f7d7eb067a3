package server

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

func itoa(n int) string               { return strconv.Itoa(n) }
func count(n int, noun string) string { return inspector.Count(n, noun) }

// line is one line of the page.
type line struct {
	mark  string // in the first column: "▌"
	x     int    // where text begins
	text  string
	style kit.Style
	more  string // after text, at column moreX
	moreX int
	dim   bool   // more is dim
	right string // at the right edge
	key   string // of a choice
}

func (l line) draw(r kit.Region, y int) {
	r.Put(0, y, kit.As(kit.Bright), l.mark)
	limit := r.W
	if l.right != "" {
		limit = r.W - kit.Width(kit.Clean(l.right)) - 6
		if limit < r.W/2 {
			limit = r.W
		} else {
			r.PutRight(r.W-5, y, kit.As(kit.Dim), l.right)
		}
	}
	x := r.Sub(0, 0, limit, r.H).PutCut(l.x, y, limit-l.x, l.style, l.text)
	if l.more != "" {
		style := kit.As(kit.Normal)
		if l.dim {
			style = kit.As(kit.Dim)
		}
		at := max(l.moreX, x+2)
		r.Sub(0, 0, limit, r.H).PutCut(at, y, limit-at, style, l.more)
	}
}

// plain is the line as text, for copying.
func (l line) plain() string {
	s := kit.Pad("", l.x) + kit.Clean(l.text)
	if l.more != "" {
		s = kit.Pad(s, max(l.moreX, kit.Width(s)+2)) + kit.Clean(l.more)
	}
	if l.right != "" {
		s += "   " + kit.Clean(l.right)
	}
	return s
}

// page is what the view says. stderr is the part that may be cut.
type page struct {
	note   string
	head   []line
	stderr []line
	tail   []line
	said   func(from, shown int) line // the head line of stderr
}

// telling returns the first of n lines of stderr that say the most: the last
// ones, or those from the line on that names the error.
func (p page) telling(n int) int {
	from := max(len(p.stderr)-n, 0)
	for i := range from {
		if l := p.stderr[i]; !l.dim {
			return i
		}
	}
	return from
}

// all is the whole page.
func (p page) all() []line { return p.fit(len(p.head) + len(p.stderr) + len(p.tail) + 2) }

// fit cuts stderr so that the rest of the page is in sight.
func (p page) fit(h int) []line {
	out := append([]line(nil), p.head...)
	if len(p.stderr) > 0 {
		room := max(h-len(p.head)-len(p.tail)-2, 3)
		from := p.telling(room)
		shown := p.stderr[from:min(from+room, len(p.stderr))]
		out = append(out, line{}, p.said(from, len(shown)))
		out = append(out, shown...)
	}
	return append(out, p.tail...)
}

// page makes the page for the moment that is shown, its sentence set in w
// cells.
func (v *start) page(c *view.Context, w int) page {
	b := c.Board
	p := page{note: v.noteOf(b)}
	words, sign := v.sentence(c)
	if words != "" {
		style := kit.Style{Role: kit.Bright, Bold: true}
		p.head = append(p.head, line{})
		for i, text := range kit.Wrap(kit.Clean(sign+words), max(w-2, 20)) {
			p.head = append(p.head, line{x: 1 + 2*min(i, 1), text: text, style: style})
		}
	}
	p.head = append(p.head, line{})
	p.head = append(p.head, v.started(c)...)
	p.head = append(p.head, v.events(c)...)
	p.head = append(p.head, v.login(w)...)
	v.addStderr(c, &p)
	if len(v.facts.Skipped) > 0 || v.facts.Cut {
		p.tail = append(p.tail, v.damage()...)
	}
	ch := v.choices(c)
	if len(ch) == 0 {
		return p
	}
	p.tail = append(p.tail, line{}, line{x: 3, text: "WHAT NOW", style: kit.As(kit.Title)})
	for i, one := range ch {
		l := line{x: 3, text: one.key + "  " + one.what, style: kit.As(kit.Normal), more: one.note, moreX: 28, dim: true, key: one.key}
		if i == min(v.pick, len(ch)-1) {
			l.mark, l.style = "▌", kit.As(kit.Bright)
		}
		p.tail = append(p.tail, l)
	}
	if v.facts.Watched && c.Ended {
		p.tail = append(p.tail, line{x: 3, text: "The next save of a watched file starts it anew, too.", style: kit.As(kit.Normal)})
	}
	if b.ListAt < 0 {
		p.tail = append(p.tail, line{})
		for _, text := range kit.Wrap(c.Unlisted(), max(w-4, 20)) {
			p.tail = append(p.tail, line{x: 3, text: text, style: kit.As(kit.Normal)})
		}
	}
	return p
}

// rowOf is the row of the body at which a choice was drawn, -1 for none.
func (v *start) rowOf(c *view.Context, key string) int {
	for i, l := range v.page(c, v.w).all() {
		if l.key == key {
			return i + 1 - v.top
		}
	}
	return -1
}

// noteOf names how the connection is doing, for the title.
func (v *start) noteOf(b *timeline.Board) string {
	switch b.Link.Phase {
	case timeline.Closed:
		switch {
		case b.ListAt < 0 && v.remote():
			return "no connection" // nothing was to be started
		case b.ListAt < 0:
			return "did not start"
		}
		return "ended"
	case timeline.Live:
		if b.Conn > 1 {
			return "connection " + itoa(b.Conn)
		}
		return "connected"
	}
	if b.Unanswered() {
		return "no answer"
	}
	return "starting"
}

// sentence says in plain words what is the matter, "" where nothing is.
func (v *start) sentence(c *view.Context) (words, sign string) {
	b := c.Board
	n := v.heard(c)
	switch b.Link.Phase {
	case timeline.Closed:
		if b.ListAt >= 0 {
			return v.ended(b)
		}
		return v.failed(b, n)
	case timeline.Live:
		return "", ""
	}
	waits := openStep(b)
	switch {
	case v.facts.Login != "":
		return "The server wants you to log in, in a browser.", "? "
	case b.Unanswered():
		return fmt.Sprintf("The server did not answer initialize within %g s%s. It may still; --timeout changes the limit.",
			c.Limit.Seconds(), butInstead(b)), "✗ "
	case waits == "":
		return "", ""
	case n.messages == 0 && n.lines > 0:
		return "What the server writes on stdout is no JSON, so it speaks no MCP so far.", "! "
	case c.Now-b.Link.Started < 2*time.Second:
		return "", ""
	}
	return "The server has not answered " + waits + " so far." + limitWords(c.Limit), "◌ "
}

// butInstead says what came in place of the first answer.
func butInstead(b *timeline.Board) string {
	if b.Link.Instead == "" {
		return ""
	}
	return ", but " + b.Link.Instead
}

func limitWords(limit time.Duration) string {
	if limit <= 0 {
		return ""
	}
	return fmt.Sprintf(" It has %g s; --timeout changes that.", limit.Seconds())
}

func (v *start) ended(b *timeline.Board) (words, sign string) {
	switch cl := b.Link.Closed; {
	case cl == nil || cl.By == "":
		return "The connection is over.", ""
	case cl.By == "host":
		return "The connection was closed from here" + because(cl), ""
	case cl.By == "link":
		return "The link to the server was lost" + because(cl), "! "
	}
	return "The server ended the connection" + because(b.Link.Closed), "! "
}

// because ends a sentence with the reason of an end, where there is one.
func because(cl *timeline.Closing) string {
	if cl.Reason == "" {
		return "."
	}
	return ": " + strings.TrimSuffix(cl.Reason, ".") + "."
}

// login shows the address to log in at, whole: it is to be opened.
func (v *start) login(w int) []line {
	if v.facts.Login == "" {
		return nil
	}
	out := []line{{}, {x: 3, text: "LOG IN", style: kit.As(kit.Title), more: "open this address; it is copied, and a copies it again", moreX: 14, dim: true}}
	for rest := []rune(kit.Clean(v.facts.Login)); len(rest) > 0; {
		n := min(max(w-6, 20), len(rest))
		out = append(out, line{x: 3, text: string(rest[:n]), style: kit.As(kit.Bright)})
		rest = rest[n:]
	}
	return out
}

// failed says why a connection never came to its lists.
func (v *start) failed(b *timeline.Board, n heard) (words, sign string) {
	cl := b.Link.Closed
	refused := refusedStep(b)
	switch {
	case cl != nil && cl.By == "host":
		return "The connection was closed from here before it was ready" + because(cl), ""
	case refused != "":
		return "The server refused " + refused + ".", "✗ "
	case cl != nil && cl.Reason != "" && (notMade(b) || cl.By == "link"):
		return "The connection could not be made: " + cl.Reason, "✗ "
	case notMade(b):
		return "The connection could not be made.", "✗ "
	case n.messages == 0 && n.lines > 0:
		return "What the server wrote on stdout is no JSON, so it speaks no MCP.", "✗ "
	case n.messages == 0:
		return "The server ended before it said a word of MCP.", "✗ "
	}
	return "The server ended before the handshake was over.", "✗ "
}

// notMade reports whether a connection ended before anything could be sent.
func notMade(b *timeline.Board) bool { return b.Link.Closed != nil && len(b.Link.Steps) == 0 }

func refusedStep(b *timeline.Board) string {
	for _, s := range b.Link.Steps {
		if s.Answered >= 0 && !s.OK {
			return s.Name + ": " + s.Note
		}
	}
	return ""
}

func openStep(b *timeline.Board) string {
	for _, s := range b.Link.Steps {
		if s.Answered < 0 {
			return s.Name
		}
	}
	return ""
}

// damage lists what of a file could not be read.
func (v *start) damage() []line {
	out := []line{{}, {x: 3, text: "THE FILE", style: kit.As(kit.Title)}}
	const most = 6
	for i, s := range v.facts.Skipped {
		if i == most {
			out = append(out, line{x: 3, text: "… " + count(len(v.facts.Skipped)-most, "more line"), style: kit.As(kit.Dim)})
			break
		}
		out = append(out, line{x: 3, text: "! " + s, style: kit.As(kit.Normal)})
	}
	if v.facts.Cut {
		out = append(out, line{x: 3, text: "! it ends in the middle of a line, which is taken as its end", style: kit.As(kit.Normal)})
	}
	return out
}

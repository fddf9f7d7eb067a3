package form

import (
	"strings"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// wide is from how many columns on what will be sent stands beside the form.
const wide = 96

var (
	normal = kit.As(kit.Normal)
	dim    = kit.As(kit.Dim)
	bright = kit.As(kit.Bright)
	warn   = kit.Style{Role: kit.Changed, Bold: true}
	title  = kit.As(kit.Title)
	rule   = kit.As(kit.Rule)
)

// Draw draws the form over the body of a view. What asks before a close, and
// a line, are boxes that leave the view around them in sight.
func (f *Form) Draw(r kit.Region, c *view.Context) {
	f.w, f.h = r.W, r.H
	f.settleFocus()
	f.look(c)
	f.hit = nil
	if r.W < 4 || r.H < 1 {
		return
	}
	switch {
	case f.kind == Close || f.kind == Line:
		f.drawBox(r)
	case f.page:
		r.Clear()
		f.drawPage(r)
	case r.W >= wide:
		r.Clear()
		at := min(r.W*62/100, 96)
		f.drawLeft(r.Sub(0, 0, at, r.H), true)
		for y := 1; y < r.H; y++ {
			r.Put(at, y, rule, "│")
		}
		r.Put(at, 0, rule, "┭")
		f.drawRight(r.Sub(at+1, 0, r.W-at-1, r.H))
	default:
		r.Clear()
		f.drawNarrow(r)
	}
}

// news reports whether an answer, or the wait for one, has the place of what
// is said of the values: nothing was typed since, and nothing is asked.
func (f *Form) news() bool { return f.calm() && f.said == "" && !f.sure }

// drawNarrow draws the form where nothing fits beside it: what will be sent
// stands below, or on the second page alone.
func (f *Form) drawNarrow(r kit.Region) {
	strip := 0
	switch {
	case r.H >= 17:
		strip = 5
	case r.H >= 11:
		strip = 3
	}
	var answer []line
	if f.news() {
		answer = f.answerLines(r.W - 2)
		if strip == 0 {
			strip = max(min(len(answer)+1, r.H-3), min(r.H-1, 1))
		}
	}
	f.drawLeft(r.Sub(0, 0, r.W, r.H-strip), false)
	s := r.Sub(0, r.H-strip, r.W, strip)
	switch {
	case strip == 0:
	case f.news():
		f.drawAnswer(s, 0, answer, "ctrl-v all of it")
	default:
		f.drawStrip(s)
	}
}

// drawStrip draws the line that will be sent, and below a rule of its own
// what was answered before.
func (f *Form) drawStrip(s kit.Region) {
	titleRow(s, 0, "─", "WILL SEND", strings.TrimSpace(f.requestText()+"   ctrl-v all of it"))
	y := 1
	for i, p := range f.lineSpans(s.W-2, 2) {
		line{x: 1 + min(i, 1)*2, spans: p, field: -1}.draw(s, y, s.W-1)
		y++
	}
	if s.H-y >= 2 {
		f.drawAnswer(s, y, f.answerLines(s.W-2), "")
	}
}

// drawAnswer draws the answer from row y on, below a rule with its heading
// where there is room for one.
func (f *Form) drawAnswer(s kit.Region, y int, lines []line, key string) {
	if s.H-y > 1 {
		note := strings.TrimSpace(f.answerNote() + "   " + key)
		if kit.Width(note)+kit.Width(f.answerHead())+10 > s.W {
			note = f.answerNote()
		}
		titleRow(s, y, "─", f.answerHead(), note)
		y++
	}
	drawLines(s, y, s.H-y, 0, lines)
}

// titleRow draws the rule with a pane's title at its left and a note at its
// right.
func titleRow(r kit.Region, y int, glyph, left, right string) {
	r.Fill(0, y, r.W, rule, glyph)
	room := r.W - 4
	left = kit.Cut(kit.Clean(left), room)
	if left != "" {
		r.Put(1, y, title, " "+left+" ")
	}
	room -= kit.Width(left) + 4
	if right != "" && room > 3 {
		right = kit.Cut(kit.Clean(right), room)
		r.PutRight(r.W-1, y, dim, " "+right+" ")
	}
}

// note is what stands at the right of the form's title.
func (f *Form) note() string {
	switch {
	case f.calm() && f.kind != Answer && (f.kind == Call || f.kind == Grant || (f.answer != nil && f.answer.OK)):
		return f.calmNote()
	case f.kind == Open && len(f.deps.Open) > 0 && !f.deps.Instances:
		return "it is open: this adopts it"
	case f.kind == Open && f.adopts():
		return "adopts " + f.where()
	case f.kind == Open && f.deps.Instances:
		return "a new instance"
	case f.kind == Call && f.hidden():
		return "not usable now"
	}
	return ""
}

// calmNote is the note as long as the answer is the news.
func (f *Form) calmNote() string {
	switch o := f.answer; {
	case o == nil:
		return "sent"
	case o.OK || o.Code != 0:
		return "answered"
	}
	return "no answer"
}

// adopts reports whether the name is that of an open instance.
func (f *Form) adopts() bool {
	here := f.where()
	for _, name := range f.deps.Open {
		if name == here {
			return true
		}
	}
	return false
}

// wrapText cleans and wraps text of several lines. Very long lines are broken
// before they are measured, so that the time grows with their length alone.
func wrapText(s string, w int) []string {
	const most = 1 << 10
	var out []string
	for _, l := range strings.Split(kit.CleanText(s), "\n") {
		for len(l) > most {
			at := strings.LastIndexByte(l[:most], ' ') + 1
			if at < most/2 {
				for at = most; !utf8.RuneStart(l[at]); at-- {
				}
			}
			out = append(out, kit.Wrap(strings.TrimRight(l[:at], " "), w)...)
			l = l[at:]
		}
		out = append(out, kit.Wrap(l, w)...)
	}
	return out
}

// wrapHang wraps text into lines of w cells, all but the first by two less.
func wrapHang(s string, w int) []string {
	if w < 4 {
		return nil
	}
	s = cutBytes(s, 2000)
	out := kit.Wrap(kit.Clean(s), w)
	if len(out) < 2 {
		return out
	}
	rest := strings.TrimLeft(strings.TrimPrefix(kit.Clean(s), out[0]), " ")
	return append(out[:1:1], kit.Wrap(rest, w-2)...)
}

// bottom are the lines above the help: what was just answered, or what breaks
// the schema.
func (f *Form) bottom(w int) []line {
	var texts []string
	list := f.seen
	switch {
	case f.said != "":
		texts = append(texts, f.said)
	case f.sure:
		key := "enter"
		if f.json {
			key = "ctrl-s"
		}
		texts = append(texts, "Not sent yet: "+strings.Replace(f.risk(), riskSaid, "it is destructive, its annotations say so", 1)+".",
			key+" again sends it; ctrl-a does, and asks no more.")
	case len(list) > 0 && f.h < 11:
		s := list[0].long
		if len(list) > 1 {
			s += " (" + itoa(len(list)) + " in all)"
		}
		return []line{
			{x: 3, sign: "!", signX: 1, spans: []span{{normal, s}}, field: -1},
			plain(3, normal, f.anyway(true)),
		}
	case len(list) > 0:
		texts = append(texts, summary(list, w*2-8))
		last := f.anyway(false)
		if f.tried {
			last = "Not sent. " + last
		}
		texts = append(texts, last)
	}
	var out []line
	for i, t := range texts {
		for k, s := range wrapHang(t, w-5) {
			l := plain(3, normal, s)
			if i == 0 && k == 0 {
				l.sign, l.signX = "!", 1
			}
			out = append(out, l)
			if k == 1 {
				break
			}
		}
	}
	return out
}

// anyway says how to send what breaks the schema. JSON is sent by ctrl-s in
// any case, and the help says so.
func (f *Form) anyway(short bool) string {
	s := "ctrl-s sends it as it is"
	if f.inText() {
		s = "JSON is sent as it stands"
	}
	if short {
		return s
	}
	return s + ", to see what happens."
}

// summary says in a sentence what breaks the schema, in about w cells.
func summary(list []problem, w int) string {
	n := len(list)
	var b strings.Builder
	if n == 1 {
		b.WriteString("1 value breaks the schema: ")
	} else {
		b.WriteString(itoa(n) + " values break the schema: ")
	}
	for i, p := range list {
		if i > 0 && kit.Width(b.String())+kit.Width(p.long) > w {
			b.WriteString("; " + itoa(n-i) + " more")
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(kit.Clean(p.long))
	}
	return b.String() + "."
}

// Click handles a click at cell x, y of the body the form lies over; wheel is
// -1 or 1 for the wheel, 0 for a click.
func (f *Form) Click(x, y, wheel int) Step {
	switch {
	case wheel != 0 && f.page:
		f.scroll = max(f.scroll+3*wheel, 0)
	case wheel != 0 && f.w >= wide && x > f.w*62/100:
		f.scroll = max(f.scroll+3*wheel, 0)
	case wheel != 0:
		f.move(wheel)
	case y >= 0 && y < len(f.hit) && f.hit[y] >= 0 && f.visible(f.hit[y]) && (f.w < wide || x <= f.w*62/100):
		f.focus = f.hit[y]
	}
	return Step{}
}

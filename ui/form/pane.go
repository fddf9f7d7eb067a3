package form

import (
	"slices"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// section is a part of what stands beside the form: a heading and lines.
type section struct {
	head, note string
	lines      []line
	most       int // rows it gets in the end, heading included
	least      int // rows it keeps when room is short; 0: it goes
	scrolls    bool
}

func (s *section) wants() int {
	n := len(s.lines)
	if s.head != "" {
		n++
	}
	return n
}

// drawRight draws what will be sent, how to repeat it, and the answer.
func (f *Form) drawRight(r kit.Region) {
	titleRow(r, 0, "─", "WILL SEND", f.requestText())
	room := r.H - 3
	y := 2
	if r.H < 14 {
		room, y = r.H-1, 1
	}
	list := f.sections(r.W-2, room)
	for i := range list {
		s := &list[i]
		if s.most <= 0 {
			continue
		}
		f.drawSection(r.Sub(0, y, r.W, s.most), s)
		y += s.most + 1
	}
}

// sections are the parts with the rows that each gets.
func (f *Form) sections(w, room int) []section {
	answered := f.answer != nil || f.running
	message := section{lines: f.messageLines(w, 3), least: 4, scrolls: !answered}
	typed := section{head: "THE SAME, TYPED", note: "ctrl-y copies", lines: f.typedLines(w, 6), least: 2}
	if f.deps.URL != "" {
		typed.note = ""
	}
	answer := section{head: f.answerHead(), note: f.answerNote(), lines: f.answerLines(w), least: 2, scrolls: answered}
	if answered {
		answer.least = min(answer.wants(), 6)
	}
	if typed.lines == nil {
		typed = section{}
	}
	list := []section{message, typed, f.earlierSection(), answer}
	if shell := f.shellLines(w, 6); shell != nil {
		with := section{head: "FROM A SHELL", note: "ctrl-y copies", lines: shell}
		short := typed
		short.note = ""
		if more := []section{message, short, with, f.earlierSection(), answer}; need(more) <= room {
			list = more
		}
	}
	share(list, room)
	return list
}

func (f *Form) earlierSection() section {
	s := section{head: "EARLIER " + map[Kind]string{Open: "OPENS", Call: "CALLS", Answer: "ANSWERS"}[f.kind], note: "ctrl-p takes one"}
	if s.lines = f.earlierLines(4); s.lines == nil {
		s.head, s.note = "", ""
	}
	return s
}

// need is how many rows the sections want, with a blank one between them.
func need(list []section) int {
	n := -1
	for i := range list {
		if w := list[i].wants(); w > 0 {
			n += w + 1
		}
	}
	return n
}

// share gives each section its rows. Where room is short, what can be spared
// goes first: earlier values, then what is longer than its least.
func share(list []section, room int) {
	for i := range list {
		list[i].most = list[i].wants()
	}
	total := func() int {
		n := -1
		for i := range list {
			if list[i].most > 0 {
				n += list[i].most + 1
			}
		}
		return n
	}
	for i := range list {
		if total() > room && list[i].least == 0 {
			list[i].most = 0
		}
	}
	order := make([]int, len(list)) // from below, or from above what was answered
	for i := range order {
		order[i] = len(list) - 1 - i
	}
	if list[len(list)-1].scrolls {
		slices.Reverse(order)
	}
	for _, i := range order {
		if over := total() - room; over > 0 {
			list[i].most = max(list[i].most-over, min(list[i].least, list[i].most))
		}
	}
	for i := len(list) - 2; i >= 0; i-- { // what is left goes to the answer
		if over := total() - room; over > 0 {
			list[i].most = max(list[i].most-over, 0)
		}
	}
}

func (f *Form) drawSection(r kit.Region, s *section) {
	y := 0
	if s.head != "" {
		r.Put(1, 0, title, s.head)
		r.PutRight(r.W-1, 0, dim, s.note)
		y++
	}
	rows := r.H - y
	from := 0
	if s.scrolls {
		f.scroll = max(min(f.scroll, len(s.lines)-rows), 0)
		from = f.scroll
		if from == 0 {
			from = f.showMark(s.lines, rows)
		}
	}
	drawLines(r, y, rows, from, s.lines)
}

// showMark scrolls to the first line with a “!” where it would be out of
// sight.
func (f *Form) showMark(lines []line, rows int) int {
	if f.answer != nil || f.running {
		return 0
	}
	for i, l := range lines {
		if l.sign == "!" && i >= rows-1 {
			return min(i-rows/2, len(lines)-rows)
		}
	}
	return 0
}

// drawLines draws lines from the given one on into rows rows, and says how
// many are out of sight.
func drawLines(r kit.Region, y, rows, from int, lines []line) {
	below := len(lines) - from - rows
	mark := ""
	if from > 0 {
		mark = " ↑" + itoa(from)
	}
	if below > 0 {
		mark += " ↓" + itoa(below)
	}
	for i := 0; i < rows && from+i < len(lines); i++ {
		end := r.W - 1
		if i == rows-1 && mark != "" {
			r.PutRight(r.W, y+i, dim, mark)
			end -= kit.Width(mark)
		}
		lines[from+i].draw(r, y+i, end)
	}
}

// drawPage draws what will be sent and the answer over the whole body.
func (f *Form) drawPage(r kit.Region) {
	titleRow(r, 0, "━", f.heading(), f.requestText())
	w := r.W - 3
	var out []line
	add := func(head, note string, lines []line) {
		if len(lines) == 0 {
			return
		}
		if len(out) > 0 {
			out = append(out, plain(0, normal, ""))
		}
		if head != "" {
			l := plain(1, title, head)
			l.right = note
			out = append(out, l)
		}
		out = append(out, lines...)
	}
	if f.kind == Answer {
		add("", "", textLines(normal, f.describe(), w))
	}
	add("", "", f.toRead(w, maxRead))
	message := func() { add("", "", f.messageLines(w, maxRows)) }
	if f.answer != nil || f.running {
		add(f.answerHead(), f.answerNote(), f.answerLines(w))
		message()
	} else {
		message()
	}
	add("THE SAME, TYPED", "ctrl-y copies", f.typedLines(w, 100))
	add("FROM A SHELL", "", f.shellLines(w, 100))
	add("EARLIER", "ctrl-p takes one", f.earlierLines(20))
	rows := r.H - 1
	f.scroll = max(min(f.scroll, len(out)-rows), 0)
	drawLines(r, 1, rows, f.scroll, out)
}

// drawBox draws a form that asks, or a line, as a box in the middle.
func (f *Form) drawBox(r kit.Region) {
	w := min(r.W, 76)
	lines := f.boxLines(w - 4)
	h := min(len(lines)+2, r.H)
	box := r.Sub((r.W-w)/2, (r.H-h)/2, w, h)
	box.Clear()
	head := f.heading()
	if f.kind == Close {
		head += "?"
	}
	titleRow(box, 0, "━", head, f.requestText())
	box.Put(0, 0, rule, "┌")
	box.Put(w-1, 0, rule, "┐")
	for y := 1; y < h; y++ {
		box.Put(0, y, rule, "│")
		box.Put(w-1, y, rule, "│")
	}
	box.Fill(1, h-1, w-2, rule, "─")
	box.Put(0, h-1, rule, "└")
	box.Put(w-1, h-1, rule, "┘")
	in := box.Sub(1, 1, w-2, h-2)
	rows := in.H
	f.scroll = max(min(f.scroll, len(lines)-rows), 0)
	drawLines(in, 0, rows, f.scroll, lines)
	if i := f.find(entry); i >= 0 && rows > 0 {
		in.Put(1, 0, bright, "›")
		drawEditor(in, 0, 3, in.W-1, &f.fields[i].ed, true, bright)
	}
}

func (f *Form) boxLines(w int) []line {
	var out []line
	add := func(lines ...line) { out = append(out, lines...) }
	blank := plain(0, normal, "")
	if f.kind == Line {
		add(blank)
	}
	for _, t := range wrapText(cutBytes(f.def.Description, maxWords), w) {
		if t != "" {
			add(plain(1, normal, t))
		}
	}
	if f.kind == Line {
		if f.h >= 9 && f.line != "" && f.deps.Prefix != "" {
			add(blank)
			add(f.typedLines(w, 2)...)
		}
	} else {
		out = append(out, f.askLines(w, len(out) > 0)...)
	}
	if f.running || f.answer != nil {
		add(blank, headLine("ANSWER", f.answerNote()))
		add(f.answerLines(w)...)
	}
	if f.said != "" {
		add(blank)
		for i, t := range wrapHang(f.said, w-2) {
			l := plain(3+2*min(i, 1), normal, t)
			if i == 0 {
				l.sign, l.signX = "!", 1
			}
			add(l)
		}
	}
	return out
}

// askLines are what will be sent, and the question. Where there are few rows
// the command says it alone.
func (f *Form) askLines(w int, below bool) []line {
	var out []line
	blank := plain(0, normal, "")
	small := f.h < 14
	if below && !small {
		out = append(out, blank)
	}
	if !small {
		out = append(append(out, f.messageLines(w, 2)...), blank)
	}
	out = append(out, f.typedLines(w, 3)...)
	if f.answer != nil || f.running {
		return out
	}
	return append(out, blank, line{x: 1, field: -1, spans: []span{
		{kit.As(kit.Key), "enter y"}, {normal, " close it     "}, {kit.As(kit.Key), "esc n"}, {normal, " leave it open"},
	}})
}

func headLine(head, note string) line {
	l := plain(1, title, head)
	l.right = note
	return l
}

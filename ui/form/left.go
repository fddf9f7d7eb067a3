package form

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// columns are where the parts of a field's row stand.
type columns struct {
	w, name, val, hint int // hint is w where hints have no column of their own
}

func (f *Form) columns(w int) columns {
	name := 8
	for i := range f.fields {
		if f.visible(i) {
			name = max(name, kit.Width(kit.Clean(f.fields[i].label())))
		}
	}
	c := columns{w: w, name: min(name, max(w/4, 8))}
	if f.kind == Grant {
		room := 28
		if w < 60 {
			room = 23
		}
		c.name = min(name+2, max(w-room, 8))
	}
	c.val = c.name + 7
	c.hint = c.val + max(22, (w-c.val)*45/100)
	if w-c.hint < 16 {
		c.hint = w
	}
	return c
}

// drawLeft draws the form itself into its region.
func (f *Form) drawLeft(r kit.Region, roomy bool) {
	titleRow(r, 0, "━", f.heading(), f.note())
	bottom := f.bottom(r.W)
	if len(bottom) == 0 && r.H < 11 && (roomy || !f.news()) {
		bottom = f.tiny(r.W)
	}
	end := r.H - len(bottom)
	if roomy && r.H >= 20 {
		end-- // a blank row above the help
	}
	end = min(max(end, 2), r.H)
	for i, l := range bottom {
		l.draw(r, end+i, r.W-1)
	}
	f.hit = make([]int, r.H)
	for i := range f.hit {
		f.hit[i] = -1
	}
	y := 1
	if f.changed && r.H > 3 {
		st := warn
		if f.calm() {
			st = dim
		}
		r.PutCut(1, y, r.W-2, st, f.changedText())
		y++
	} else if roomy && r.H >= 20 {
		y++
	}
	f.drawBody(r, y, end)
}

func (f *Form) changedText() string {
	s := "~ redefined"
	if f.redef > 0 {
		s += " by rev " + itoa(int(f.redef))
	}
	if f.calm() {
		return s + " since"
	}
	return s + " while you typed"
}

// drawBody draws description, fields and notes into the rows from ≤ y < to,
// scrolled so that the cursor's row is in sight.
func (f *Form) drawBody(r kit.Region, from, to int) {
	cols := f.columns(r.W)
	lines, at := f.lines(cols)
	rows := to - from
	if f.json && !f.declining() {
		f.drawText(r, from, to, lines)
		return
	}
	if rows < 3 || len(lines) <= rows {
		f.top = 0
	}
	if f.focus == f.firstArgument() && at < rows {
		f.top = 0
	}
	if at < f.top {
		f.top = at
	}
	if at >= f.top+rows {
		f.top = at - rows + 1
	}
	f.top = max(min(f.top, len(lines)-rows), 0)
	for i := 0; i < rows && f.top+i < len(lines); i++ {
		l := lines[f.top+i]
		l.draw(r, from+i, r.W-1)
		if l.field >= 0 {
			f.hit[from+i] = l.field
			f.drawField(r, from+i, cols, l.field)
		}
	}
	above, below := f.top, len(lines)-f.top-rows
	mark := ""
	if above > 0 {
		mark += " ↑" + itoa(above)
	}
	if below > 0 {
		mark += " ↓" + itoa(below)
	}
	if mark != "" {
		note := strings.TrimSpace(f.note() + " " + mark)
		titleRow(r, 0, "━", f.heading(), note)
	}
}

// lines are all lines of the form; at is the one with the cursor.
func (f *Form) lines(cols columns) (out []line, at int) {
	tiny := f.h < 11
	if f.kind == Answer && f.deps.Cannot != "" {
		for i, t := range wrapHang(f.deps.Cannot, cols.w-4) {
			l := plain(3+2*min(i, 1), normal, t)
			if i == 0 {
				l.sign, l.signX = "!", 1
			}
			out = append(out, l)
		}
	}
	if s := f.describe(); s != "" && !tiny {
		for _, t := range wrapText(cutBytes(s, 2*maxWords), cols.w-2) {
			out = append(out, plain(1, normal, t))
			if len(out) >= 6 {
				break
			}
		}
	}
	if !tiny {
		out = append(out, f.riskLines(cols.w)...)
	}
	out = append(out, f.readLines(cols.w-2, tiny)...)
	if len(out) > 0 && !tiny {
		out = append(out, plain(1, normal, ""))
	}
	headed := false
	for i := range f.fields {
		fd := &f.fields[i]
		if !f.visible(i) {
			continue
		}
		if isArg := fd.role == argument || fd.role == whole; isArg && !headed && !tiny {
			out = append(out, f.argsHead(cols))
			headed = true
		}
		if head := f.grantHead(i); head != "" && !tiny {
			if i > 0 {
				out = append(out, plain(1, normal, ""))
			}
			out = append(out, plain(1, title, head))
		}
		if i == f.focus {
			at = len(out)
		}
		out = append(out, line{field: i, x: cols.w})
		if fd.role == instance && !tiny {
			out = append(out, f.instanceHint(cols, &out[len(out)-1])...)
		}
	}
	if tiny {
		return out, at
	}
	if f.json && !f.declining() {
		return append(out, f.argsHead(cols)), at
	}
	return append(out, f.notes(cols)...), at
}

// riskLines say whether the tool may destroy, and show its annotations as the
// server sent them.
func (f *Form) riskLines(w int) []line {
	var out []line
	if risk := f.risk(); risk != "" {
		l := plain(3, normal, risk)
		l.sign, l.signX = "!", 1
		out = append(out, l)
	}
	if a := f.annotations(); a != "" {
		for i, s := range wrapSpans([]span{{dim, "annotations " + a}}, w-2, w-4, 2) {
			out = append(out, line{x: 1 + 2*min(i, 1), spans: s, field: -1})
		}
	}
	return out
}

func (f *Form) argsHead(cols columns) line {
	l := plain(1, title, strings.ToUpper(f.argName()))
	source := f.def.Source
	if f.json {
		source = strings.TrimPrefix(source+"   as JSON", "   ")
	}
	if source != "" {
		gap := max(cols.val-1-len(f.argName()), 3)
		l.spans = append(l.spans, span{dim, strings.Repeat(" ", gap) + source})
	}
	return l
}

// instanceHint says what the name of an instance will do, in the column of
// the hints where there is one.
func (f *Form) instanceHint(cols columns, l *line) []line {
	here := f.where()
	s := "free. Left empty, the server picks a name"
	switch {
	case here == "":
		s = "empty: the server picks a name"
	case f.adopts():
		s = "open now: adopting it, nothing new is made"
	}
	if cols.hint >= cols.w {
		return []line{plain(cols.val, dim, s)}
	}
	parts := kit.Wrap(s, cols.w-cols.hint-1)
	l.x, l.spans = cols.hint, []span{{dim, parts[0]}}
	if len(parts) > 1 {
		return []line{plain(cols.hint, dim, parts[1])}
	}
	return nil
}

// drawField draws one field into its row.
func (f *Form) drawField(r kit.Region, y int, cols columns, i int) {
	fd := &f.fields[i]
	if fd.role == grantee {
		f.drawGrantee(r, y, cols, fd)
		return
	}
	focused := i == f.focus
	name := normal
	if focused {
		r.Put(0, y, bright, "▌")
		name = bright
	}
	r.PutCut(3, y, cols.name, name, fd.label())
	if fd.required {
		r.Put(3+cols.name+1, y, normal, "*")
	}
	if fd.stranger {
		r.Put(3+cols.name+1, y, dim, "≠")
	}
	wrong := f.wrongAt(i)
	hint := ""
	if fd.role != instance {
		hint = fd.hint(wrong)
	}
	max1 := cols.hint - 2
	switch {
	case cols.hint >= cols.w || (fd.role != instance && hint == ""):
		max1 = cols.w - 1
	case wrong == "" && fd.role != instance && !fd.choosing():
		max1 = cols.w - 1 - min(kit.Width(kit.Clean(hint))+3, 16)
	}
	x := f.drawValue(r, y, cols.val, max1, fd, focused)
	if hint == "" || cols.hint >= cols.w {
		return
	}
	at := cols.hint
	if x > cols.hint-2 {
		at = x + 3
	}
	st := dim
	if wrong != "" {
		st = warn
	}
	if cols.w-at > 3 {
		r.PutCut(at, y, cols.w-at-1, st, hint)
	}
}

// wrongAt says what is wrong with field i, in a few words.
func (f *Form) wrongAt(i int) string {
	fd := &f.fields[i]
	if fd.role != argument && fd.role != whole {
		return ""
	}
	if _, _, bad := fd.value(); bad != "" {
		return bad
	}
	for _, p := range f.seen {
		if f.fieldOf(p) != i {
			continue
		}
		if fd.role == whole || len(p.path) > 1 {
			return p.long
		}
		return p.short
	}
	return ""
}

// drawValue draws what stands in a field between columns x and end, and
// returns the column after it.
func (f *Form) drawValue(r kit.Region, y, x, end int, fd *field, focused bool) int {
	switch {
	case fd.choosing() && fd.raw != nil && fd.pick < 0:
		return r.PutCut(x, y, end-x, bright, "("+newChoice(fd.raw, "").label+")")
	case fd.kind == boolField:
		words := map[int]string{-1: "[ ]", 0: "[x] yes", 1: "[ ] no"}
		st := bright
		if fd.pick < 0 {
			st = dim
		}
		return r.PutCut(x, y, end-x, st, words[fd.pick])
	case fd.kind == choiceField:
		return drawChoices(r, y, x, end, fd)
	case fd.ed.text == "" && fd.def != nil:
		if focused {
			x = r.Put(x, y, bright, "_")
		}
		return r.PutCut(x, y, end-x, dim, fd.defaultText())
	}
	return drawEditor(r, y, x, end, &fd.ed, focused, bright)
}

// drawChoices draws the choices side by side, as many as fit around the one
// that is chosen, which stands in parentheses.
func drawChoices(r kit.Region, y, x, end int, fd *field) int {
	room := end - x
	label := func(i int) string {
		s := kit.Cut(kit.Clean(fd.choices[i].label), max(room-6, 3))
		if i == fd.pick {
			return "(" + s + ")"
		}
		return s
	}
	from, to := max(fd.pick, 0), max(fd.pick, 0)+1
	used := kit.Width(label(from))
	for grew := true; grew; {
		grew = false
		if to < len(fd.choices) {
			if w := kit.Width(label(to)) + 2; used+w+edges(from > 0, to < len(fd.choices)-1) <= room {
				used, to, grew = used+w, to+1, true
			}
		}
		if from > 0 {
			if w := kit.Width(label(from-1)) + 2; used+w+edges(from > 1, to < len(fd.choices)) <= room {
				used, from, grew = used+w, from-1, true
			}
		}
	}
	if from > 0 {
		x = r.Put(x, y, dim, "‹ ")
	}
	for i := from; i < to; i++ {
		st := dim
		if i == fd.pick {
			st = bright
		}
		if i > from {
			x += 2
		}
		x = r.PutCut(x, y, max(end-x, 0), st, label(i))
	}
	if to < len(fd.choices) {
		x = r.Put(x, y, dim, " ›")
	}
	return x
}

func edges(left, right bool) int {
	n := 0
	if left {
		n += 2
	}
	if right {
		n += 2
	}
	return n
}

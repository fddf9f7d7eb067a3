package form

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// describe is what stands at the top of the form: what it is for, and what to
// know before it is sent.
func (f *Form) describe() string {
	var out []string
	if s := strings.TrimSpace(f.def.Description); s != "" {
		s = cutBytes(s, maxWords)
		if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "!") && !strings.HasSuffix(s, "?") {
			s += "."
		}
		out = append(out, s)
	}
	if f.kind == Open && len(f.deps.Open) > 0 {
		if f.deps.Instances {
			out = append(out, "Open now: "+strings.Join(f.deps.Open, ", ")+". To open one of these is to adopt it: nothing new is made, options may be ignored.")
		} else {
			out = append(out, "It is open: to open it again is to adopt it, options may be ignored.")
		}
	}
	if f.kind == Call && f.hidden() && !f.calm() {
		out = append(out, "Not usable now: the server has to refuse this call, and to say why.")
	}
	return strings.Join(out, " ")
}

// notes are the lines below the fields: what a star and a default mean, and
// all that is known of the field under the cursor.
func (f *Form) notes(cols columns) []line {
	var out []line
	blank := plain(0, normal, "")
	para := func(st kit.Style, s string) {
		for i, t := range wrapHang(s, cols.w-4) {
			out = append(out, plain(3+2*min(i, 1), st, t))
		}
	}
	required, defaults, args := false, false, 0
	for i := range f.fields {
		if fd := &f.fields[i]; f.visible(i) && (fd.role == argument || fd.role == whole) {
			required, defaults, args = required || fd.required, defaults || fd.def != nil, args+1
		}
	}
	if args == 0 && f.hasArgs() && !f.declining() {
		out = append(out, blank)
		para(dim, "No "+f.argName()+": there is nothing to fill in. ctrl-t sends some all the same.")
	}
	var s string
	if required {
		s = "* required. "
	}
	switch {
	case defaults && f.deps.Defaults:
		s += "Defaults are filled in; what is emptied is left out."
	case defaults:
		s += "A default is not sent: the server fills it in, or shows that it does not. Typing makes it yours."
	}
	if s != "" {
		out = append(out, blank)
		para(dim, s)
	}
	if n := f.check.note(); n != "" && args > 0 {
		out = append(out, blank)
		para(normal, "~ "+n)
	}
	return append(out, f.fieldNotes(cols)...)
}

// fieldNotes is what does not fit beside the field under the cursor.
func (f *Form) fieldNotes(cols columns) []line {
	fd := f.current()
	if fd == nil || fd == &f.whole || fd.role == grantee {
		return nil
	}
	var out []line
	para := func(s string) {
		for i, t := range wrapHang(cutBytes(s, maxWords), cols.w-4) {
			if i < 6 {
				out = append(out, plain(3+2*min(i, 1), dim, t))
			}
		}
	}
	wrong := f.wrongAt(f.focus)
	if h := fd.hint(wrong); fd.role != instance && h != "" {
		value := kit.Width(kit.Clean(cutBytes(fd.ed.text, 400)))
		room := cols.w - 1 - max(cols.hint, cols.val+value+3)
		if cols.hint >= cols.w || kit.Width(kit.Clean(h)) > room {
			para(fd.label() + ": " + h)
		}
	}
	if s := fd.emptyHint(); s != "" {
		para(s)
	}
	if fd.choosing() && len(fd.choices) > 6 && fd.pick >= 0 {
		para(itoa(fd.pick+1) + " of " + itoa(len(fd.choices)) + "; letters go to the one that begins with them")
	}
	if fd.kind == jsonField && len(fd.schema) > 0 {
		out = append(out, schemaLines(fd, cols.w)...)
	}
	if len(out) > 0 {
		out = append([]line{plain(0, normal, "")}, out...)
	}
	return out
}

// schemaLines is a field's schema, for one who writes its JSON.
func schemaLines(fd *field, w int) []line {
	if len(fd.schema) < 400 {
		if s := "SCHEMA  " + string(compact(fd.schema)); kit.Width(kit.Clean(s)) <= w-4 {
			return []line{plain(3, dim, s)}
		}
	}
	out := []line{plain(3, dim, "SCHEMA of "+fd.label())}
	rows, more := layJSON(fd.schema)
	for _, l := range jsonLines(rows, 5, w-6, 2, nil) {
		for i := range l.spans {
			l.spans[i].st = dim
		}
		if len(out) > 40 {
			more = true
			break
		}
		out = append(out, l)
	}
	if more {
		out = append(out, plain(5, dim, "…"))
	}
	return out
}

// tiny is what a form of a few rows says below its fields.
func (f *Form) tiny(w int) []line {
	if f.w >= wide && (f.running || f.answer != nil) {
		if l := f.answerLines(w - 2); len(l) > 0 {
			return l[:1]
		}
	}
	if fd := f.current(); fd != nil && fd != &f.whole && fd.role != instance {
		if h := fd.hint(""); h != "" {
			return []line{plain(1, dim, h)}
		}
	}
	if f.current() != nil && f.current().role == instance {
		return []line{plain(1, dim, f.note())}
	}
	return []line{plain(1, dim, "ctrl-v what is sent")}
}

// drawText draws the arguments as JSON to edit, below the lines of what
// stands above them.
func (f *Form) drawText(r kit.Region, from, to int, head []line) {
	rows := to - from
	keep := min(len(head), max(rows-4, 0))
	head = head[len(head)-keep:]
	cols := f.columns(r.W)
	y := from
	for _, l := range head {
		l.draw(r, y, r.W-1)
		if l.field >= 0 {
			f.hit[y] = l.field
			f.drawField(r, y, cols, l.field)
		}
		y++
	}
	ed := &f.whole.ed
	at := strings.Count(ed.text[:ed.start()], "\n")
	total := strings.Count(ed.text, "\n") + 1
	rows = to - y
	if at < ed.top {
		ed.top = at
	}
	if at >= ed.top+rows {
		ed.top = at - rows + 1
	}
	ed.top = max(min(ed.top, total-rows), 0)
	all := strings.Split(ed.text, "\n")
	focused := f.focus == len(f.fields)
	for i := 0; i < rows && ed.top+i < total; i++ {
		n := ed.top + i
		f.hit[y+i] = len(f.fields)
		if n == at && focused {
			r.Put(0, y+i, bright, "▌")
			drawEditor(r, y+i, 3, r.W-1, ed, true, bright)
			continue
		}
		r.PutCut(3, y+i, r.W-4, normal, cutBytes(all[n], 4*r.W))
	}
	if ed.text == "" && !focused {
		r.PutCut(3, y, r.W-4, dim, "empty: nothing is sent")
	}
}

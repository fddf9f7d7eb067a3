package form

import (
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// previewCache is the message that the line would send, as it was last asked
// for.
type previewCache struct {
	line  string
	len   int
	asked bool
	raw   []byte
	err   error
	what  string // the method, or what is answered
	id    string
	rows  []jsonRow
	more  bool
	args  string // path of the arguments in rows
}

// look works out once what a drawing needs: the line, what is wrong with it,
// and the message that it would send.
func (f *Form) look(c *view.Context) {
	f.seen = f.told()
	f.line, f.wrong = f.Line()
	f.now, f.limit = c.Now, c.Limit
	p := &f.preview
	if p.asked && p.line == f.line && p.len == c.Len {
		return
	}
	*p = previewCache{line: f.line, len: c.Len, asked: true}
	if f.line == "" || f.deps.Preview == nil {
		return
	}
	if p.raw, p.err = f.deps.Preview(f.line); p.err != nil || len(p.raw) == 0 || !validJSON(p.raw) {
		return
	}
	p.id = cutBytes(string(oneLine(lookup(p.raw, "id"))), 80)
	if s, ok := text([]byte(p.id)); ok {
		p.id = s
	}
	method := str(lookup(p.raw, "method"))
	body := lookup(p.raw, "params")
	if method == "" {
		body = lookup(p.raw, "result")
		method = "answer to " + p.id
	}
	if body == nil {
		body = lookup(p.raw, "error")
	}
	p.what = method
	if body != nil {
		p.rows, p.more = layJSON(body)
	}
	p.args = f.argsPath()
}

// argsPath is where in the message's body the arguments stand.
func (f *Form) argsPath() string {
	if f.kind != Answer {
		return f.argName() + "\x00"
	}
	// The member that Around opens last: {"action":"accept","content":
	probe := f.deps.Around[0] + "0" + f.deps.Around[1]
	if !isObject([]byte(probe)) {
		return ""
	}
	list := members([]byte(probe))
	for _, m := range list {
		if string(m.val) == "0" {
			return m.key + "\x00"
		}
	}
	return ""
}

// requestText is the request's id in words.
func (f *Form) requestText() string {
	if f.preview.id == "" || f.kind == Answer {
		return ""
	}
	return "request " + f.preview.id
}

// bad are the paths in the message that break the schema, each with the
// nearest row that is there.
func (f *Form) bad() map[string]bool {
	if len(f.seen) == 0 {
		return nil
	}
	there := map[string]bool{}
	for _, row := range f.preview.rows {
		there[row.path] = true
	}
	out := map[string]bool{}
	for _, p := range f.seen {
		path := p.path
		for {
			key := f.preview.args
			if len(path) > 0 {
				key += strings.Join(path, "\x00") + "\x00"
			}
			if there[key] {
				out[key] = true
				break
			}
			if len(path) == 0 {
				break
			}
			path = path[:len(path)-1]
		}
	}
	return out
}

// messageLines is the message, laid out; each value in at most most rows.
func (f *Form) messageLines(w, most int) []line {
	p := &f.preview
	switch {
	case f.wrong != "":
		return textLines(warn, "Nothing yet: "+f.wrong+".", w)
	case p.err != nil:
		return textLines(warn, "! "+p.err.Error(), w)
	case f.deps.Preview == nil:
		return nil
	case len(p.raw) == 0:
		return textLines(normal, "Nothing: this is noted here alone.", w)
	case p.what == "":
		return textLines(normal, cutBytes(string(p.raw), maxScalar), w)
	}
	out := []line{plain(1, bright, p.what)}
	out = append(out, jsonLines(p.rows, 1, w, most, f.bad())...)
	if p.more {
		out = append(out, plain(1, dim, "… "+size(len(p.raw))+" in all"))
	}
	return out
}

func textLines(st kit.Style, s string, w int) []line {
	var out []line
	for i, t := range wrapHang(s, w) {
		out = append(out, plain(1+2*min(i, 1), st, t))
	}
	return out
}

// lineSpans is the command as one would type it, in rows of w cells.
func (f *Form) lineSpans(w, most int) [][]span {
	if f.line == "" {
		return [][]span{{{dim, "nothing yet: " + f.wrong}}}
	}
	s := []span{{bright, ":"}, {normal, cutBytes(f.line, maxScalar)}}
	return wrapSpans(s, w, w-2, most)
}

func (f *Form) typedLines(w, most int) []line {
	if f.line == "" {
		return nil
	}
	var out []line
	for i, p := range f.lineSpans(w, most) {
		out = append(out, line{x: 1 + 2*min(i, 1), spans: p, field: -1})
	}
	return out
}

// shellLines is the command of a shell that does the same.
func (f *Form) shellLines(w, most int) []line {
	if f.deps.DoArgs == "" || f.line == "" || !f.repeats() {
		return nil
	}
	var out []line
	for i, p := range wrapSpans([]span{{normal, cutBytes(f.asCommand(f.line), maxScalar)}}, w, w-2, most) {
		out = append(out, line{x: 1 + 2*min(i, 1), spans: p, field: -1})
	}
	return out
}

// earlierLines are the values that ctrl-p takes, around the one that it took.
func (f *Form) earlierLines(most int) []line {
	from := max(min(f.earlier-most+1, len(f.deps.Earlier)-most), 0)
	name := 0
	for _, e := range f.deps.Earlier {
		name = max(name, min(kit.Width(kit.Clean(e.Name)), 16))
	}
	var out []line
	for i := from; i < len(f.deps.Earlier) && len(out) < most; i++ {
		e := f.deps.Earlier[i]
		st := normal
		l := line{x: 3, field: -1}
		if i == f.earlier {
			st = bright
			l.sign, l.signX = "▏", 1
		}
		head := clock(e.T) + "  "
		if name > 0 {
			head = kit.Pad(kit.Clean(e.Name), name) + "  " + head
		}
		l.spans = []span{{st, head}, {dim, brief(e.Args)}}
		if e.Note != "" {
			l.spans = append(l.spans, span{normal, "  " + e.Note})
		}
		out = append(out, l)
	}
	return out
}

// brief says in a few words what arguments held: "ada, size 9".
func brief(raw []byte) string {
	if len(raw) > maxAnswer {
		return size(len(raw))
	}
	if !validJSON(raw) {
		return ""
	}
	list := members(raw)
	if len(list) == 0 {
		return string(oneLine(raw))
	}
	var out []string
	for i, m := range list {
		v := cutBytes(string(compact(m.val)), 60)
		if s, ok := text(m.val); ok {
			v = cutBytes(s, 60)
		}
		if i > 0 || m.val[0] != '"' {
			v = m.key + " " + v
		}
		if out = append(out, v); len(out) > 8 {
			break
		}
	}
	return strings.Join(out, ", ")
}

func clock(d time.Duration) string {
	s := max(int(d/time.Second), 0)
	if s >= 3600 {
		return itoa(s/3600) + ":" + two(s/60%60) + ":" + two(s%60)
	}
	return itoa(s/60) + ":" + two(s%60)
}

func two(n int) string {
	if n < 10 {
		return "0" + itoa(n)
	}
	return itoa(n)
}

func size(n int) string {
	switch {
	case n < 1000:
		return itoa(n) + " B"
	case n < 1_000_000:
		return tenth(float64(n)/1000) + " kB"
	}
	return tenth(float64(n)/1_000_000) + " MB"
}

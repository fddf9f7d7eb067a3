package form

import (
	"strconv"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	checks "github.com/mcpl-tui/mcpl-tui/inspector/schema"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// maxAnswer bounds the bytes of an answer that a form lays out; all of it
// stands in the wire view.
const maxAnswer = 64 << 10

// answerCache keeps the laid out answer of one width: answers can be large.
type answerCache struct {
	w     int
	lines []line
}

func tenth(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

// took is a duration as people read it.
func took(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond && d > 0:
		return tenth(float64(d)/float64(time.Millisecond)) + " ms"
	case d < time.Second:
		return itoa(int(d/time.Millisecond)) + " ms"
	}
	return tenth(d.Seconds()) + " s"
}

// answerHead is the heading of what the line came to.
func (f *Form) answerHead() string {
	switch f.kind {
	case Answer:
		return "WHAT CAME OF IT"
	case Grant:
		return "RECEIPT"
	}
	return "ANSWER"
}

// answerNote stands at the right of the heading ANSWER.
func (f *Form) answerNote() string {
	o := f.answer
	if o == nil || f.running {
		return ""
	}
	var out []string
	if o.Took > 0 {
		out = append(out, took(o.Took))
	}
	if o.Answer > 0 {
		out = append(out, "frame "+strconv.FormatInt(o.Answer, 10))
	}
	return strings.Join(out, "   ")
}

// answerLines is what stands at ANSWER, in lines of w cells.
func (f *Form) answerLines(w int) []line {
	switch {
	case f.running:
		s := tenth(max(f.now-f.since, 0).Seconds()) + " s"
		limit := f.limit
		if f.own > 0 {
			limit = f.own
		}
		if limit > 0 {
			s += ", gives up at " + strconv.FormatFloat(limit.Seconds(), 'f', -1, 64) + " s"
		}
		l := plain(3, bright, s)
		l.sign, l.signX = "⋯", 1
		if key := "ctrl-c cancels"; 4+kit.Width(s)+kit.Width(key) <= w { // else the help says it
			l.right = key
		}
		return append([]line{l}, f.taleLines(w)...)
	case f.answer == nil:
		var out []line
		s := "None yet. It comes here, and so does a refusal; the form stays."
		switch f.kind {
		case Grant:
			s = "None yet. The receipt comes here, with what it degrades."
		case Open: // the form of what was opened closes
			s = "It comes here if it is a refusal; once open, the board shows it."
		case Answer:
			s = "Nothing yet. What goes wrong stands here."
		}
		for _, s := range kit.Wrap(s, max(w-2, 8)) {
			out = append(out, plain(3, dim, s))
		}
		return out
	}
	if f.cache.lines == nil || f.cache.w != w {
		f.cache.w, f.cache.lines = w, f.layAnswer(w)
	}
	return f.cache.lines
}

// taleLines are how far the call has come, and what the server logs meanwhile.
func (f *Form) taleLines(w int) []line {
	var out []line
	para := func(st kit.Style, s string) {
		for i, t := range wrapHang(s, max(w-2, 8)) {
			out = append(out, plain(3+2*min(i, 1), st, t))
		}
	}
	if p := f.tale.Progress; p.Count > 0 {
		out = append(out, plain(3, bright, strings.TrimSpace(p.Bar(min(max(w/3, 6), 24))+"  "+p.Words())))
		if p.Message != "" {
			para(normal, inspector.Quote(p.Message))
		}
	}
	for _, l := range f.tale.Logs[max(len(f.tale.Logs)-4, 0):] {
		para(dim, strings.TrimSpace(l.Level+"  "+l.Text))
	}
	return out
}

// answerPage is a pen that writes an answer in lines.
type answerPage struct {
	w      int
	left   int    // bytes that may still be laid out
	frame  int64  // number of the frame with the answer, 0: none
	asJSON bool   // texts that are JSON are laid out as JSON
	output []byte // the tool's outputSchema, nil: none
	items  []inspector.Content
	lead   string // stands before the first text
	out    []line
}

func (p *answerPage) text(st kit.Style, sign, s string) {
	full := len(s)
	if len(s) > p.left {
		s = cutBytes(s, p.left)
	}
	p.left = max(p.left-len(s), 0)
	for i, t := range wrapText(s, max(p.w-2, 4)) {
		l := plain(3, st, t)
		if i == 0 && sign != "" {
			l.sign, l.signX = sign, 1
		}
		p.out = append(p.out, l)
	}
	if full > len(s) {
		p.out = append(p.out, plain(3, dim, size(full)+" in all: its frame in view 3 has it"))
	}
}

func (p *answerPage) json(raw []byte) {
	if !validJSON(raw) {
		p.text(normal, "", string(raw))
		return
	}
	if len(raw) > p.left {
		p.text(dim, "", cutBytes(string(raw), min(p.left, 400)))
		p.out = append(p.out, plain(3, dim, size(len(raw))+" in all: its frame in view 3 has it"))
		return
	}
	p.left -= len(raw)
	rows, more := layJSON(raw)
	p.out = append(p.out, jsonLines(rows, 3, p.w-2, 40, nil)...)
	if more {
		p.out = append(p.out, plain(3, dim, "…"))
	}
}

func (f *Form) layAnswer(w int) []line {
	o, p := f.answer, &answerPage{w: w, left: maxAnswer, frame: f.answer.Answer, asJSON: f.unpacked, output: f.def.Output, items: f.contents()}
	if !o.OK {
		if o.Code != 0 {
			p.text(normal, "!", "error "+itoa(o.Code)+": "+o.Message)
		} else {
			p.text(normal, "!", o.Message)
		}
		if len(o.Data) > 0 {
			p.json(o.Data)
		}
		return p.out
	}
	if f.kind == Grant && o.Answer > 0 && isObject(o.Result) {
		p.receipt(o.Result)
		return p.out
	}
	if first(o.Result) != '{' {
		p.text(normal, "", "ok")
		if len(o.Result) > 0 && string(o.Result) != "null" {
			p.json(o.Result)
		}
		return p.out
	}
	p.result(o.Result)
	return p.out
}

// result lays out the members that a person looks for first: whether it is a
// tool error, the name, the content; JSON is what is left.
func (p *answerPage) result(raw []byte) {
	var content, other []member
	toolError, named, adopted := false, "", false
	for _, m := range members(raw) {
		switch {
		case m.key == "isError":
			toolError = string(m.val) == "true"
		case m.key == "instance" && first(m.val) == '"':
			named = str(m.val)
		case m.key == "adopted" && string(m.val) == "true":
			adopted = true
		case m.key == "content" && first(m.val) == '[':
			content = append(content, m)
		case m.key == "_meta":
			if rev := lookup(lookup(m.val, "mcpl/hints"), "rev"); rev != nil {
				defer p.text(dim, "", "rev "+cutBytes(string(rev), 40)+" came with it")
			}
		default:
			other = append(other, m)
		}
	}
	switch {
	case toolError:
		p.lead = "tool error  "
		if word := inspector.ErrorWord(raw); word != "" {
			p.lead += word + "  "
		}
	case adopted:
		p.text(bright, "", strings.TrimSpace("ok  "+named)+": adopted, nothing new was made")
	case named != "":
		p.text(bright, "", "ok  "+named)
	default:
		p.text(bright, "", "ok")
	}
	if len(content) > 0 {
		p.contents()
	}
	if p.lead != "" {
		p.text(bright, "!", "tool error, without a word")
	}
	for _, m := range other {
		p.text(dim, "", m.key+p.checked(m))
		p.json(m.val)
	}
}

// checked says whether structured content is as the tool's outputSchema says.
func (p *answerPage) checked(m member) string {
	if m.key != "structuredContent" || len(p.output) == 0 {
		return ""
	}
	k := checks.New(p.output)
	list := k.Check(m.val)
	switch {
	case k.Note() != "":
		return ", not checked: " + k.Note()
	case len(list) == 0:
		return ", as its outputSchema says"
	}
	return ", breaks its outputSchema: " + list[0].Long
}

// contents lays out what a result holds (MCP, tools: result): texts, and of
// the rest the type, the size, and the command that saves it.
func (p *answerPage) contents() {
	for n, c := range p.items {
		if n == maxItems {
			p.out = append(p.out, plain(3, dim, "…"))
			return
		}
		if c.Text && c.Kind == "text" {
			p.content(c)
			continue
		}
		p.text(dim, "", itoa(c.N)+"  "+c.Kind+"  "+c.Words())
		if c.Text {
			p.content(c)
		} else if c.Saved() && p.frame > 0 {
			p.text(dim, "", "   :save content "+strconv.FormatInt(p.frame, 10)+"."+itoa(c.N)+" FILE")
		}
	}
}

// maxItems is how many items of a result a form shows.
const maxItems = 200

func (p *answerPage) content(c inspector.Content) {
	if p.left == 0 {
		return // what was cut says so
	}
	head, whole := c.Head(p.left)
	if raw := []byte(strings.TrimSpace(head)); p.asJSON && p.lead == "" && whole && (isObject(raw) || first(raw) == '[') && validJSON(raw) {
		p.json(raw)
		return
	}
	sign := ""
	if p.lead != "" {
		sign = "!"
	}
	p.text(normal, sign, p.lead+head)
	if !whole {
		p.out = append(p.out, plain(3, dim, size(int(c.Size))+" in all: its frame in view 3 has it"))
		p.left = 0
	}
	p.lead = ""
}

// unpack shows texts that are JSON as JSON, and back.
func (f *Form) unpack() {
	if f.answer == nil || !f.hasJSONText() {
		f.said = "no text of an answer here is JSON"
		return
	}
	f.unpacked, f.cache = !f.unpacked, answerCache{}
}

// contents are the items of the answer, read once.
func (f *Form) contents() []inspector.Content {
	if o := f.answer; f.items == nil && o != nil && o.OK && first(o.Result) == '{' {
		f.items = append([]inspector.Content{}, inspector.Contents(o.Result)...)
	}
	return f.items
}

// hasJSONText reports whether a text of the answer may be JSON.
func (f *Form) hasJSONText() bool {
	for _, c := range f.contents() {
		if head, _ := c.Head(64); c.Text && strings.IndexAny(strings.TrimSpace(head), "{[") == 0 {
			return true
		}
	}
	return false
}

package inspector

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// The keys of the sections about what a server offers beside its tools.
const (
	KeyResources  = "resources"
	KeyTemplates  = "templates"
	KeySubscribed = "subscribed"
	KeyPrompts    = "prompts"
	KeyRead       = "read"
	KeyCompleted  = "completed"
)

// The notes of a list that there is nothing to tell of.
const (
	NotOffered = "not offered"
	NotRead    = "not read yet"
)

// nameWidth is the column behind the name of what is offered.
const nameWidth = 24

// OfferKinds are the dealings that Offers is told from.
var OfferKinds = []timeline.LandmarkKind{timeline.OnResources, timeline.OnUpdates, timeline.OnPrompts, timeline.OnReads}

// Offers tells what the server of a board's connection offers to be read, and
// what was read of it, from the frames up to the board's.
func (t *ServerTeller) Offers(log *timeline.Log, b *timeline.Board) []ServerSection {
	s := t.tale(log, b)
	if s == nil {
		return nil
	}
	r := log.ResourcesAt(b.Conn, b.Index)
	reads := log.ReadsAt(b.Conn, b.Index)
	return []ServerSection{
		s.listing(KeyResources, "RESOURCES", "resource", "resources", &r.List, resourceLine),
		s.listing(KeyTemplates, "TEMPLATES", "template", "resources", &r.Templates, templateLine),
		s.subscribed(r),
		s.listing(KeyPrompts, "PROMPTS", "prompt", "prompts", log.PromptsAt(b.Conn, b.Index), promptLine),
		s.reads(reads), s.completed(reads),
	}
}

// tale begins what is told of a board's connection; nil where there is none.
func (t *ServerTeller) tale(log *timeline.Log, b *timeline.Board) *serverTale {
	if b.Index < 0 || b.Index >= log.Len() {
		return nil
	}
	s := &serverTale{t: t, log: log, b: b}
	s.introduced()
	return s
}

// offered reports whether the server said that it has something of MCP.
func (s *serverTale) offered(capability string) bool {
	v := wire.Path(s.init.reply.Result, "capabilities", capability)
	return v != nil && string(v) != "null"
}

// listing tells a list of MCP.
func (s *serverTale) listing(key, head, noun, capability string, g *timeline.Listing, line func(timeline.Offered) ServerLine) ServerSection {
	var lines []ServerLine
	note := ""
	switch {
	case g.Open:
		note = "◌ is being read"
	case g.Error != "":
		note = "! " + oneLine(g.Error)
	case g.At < 0 && !s.offered(capability):
		note = NotOffered
	case g.At < 0:
		note = NotRead
	case g.Stale >= 0:
		note = "! changed since, as the server told in frame " + seq(s.log.Entry(g.Stale).Seq)
	default:
		note = Count(len(g.Items)+g.More, noun) + ", frame " + seq(s.log.Entry(g.At).Seq)
	}
	for _, o := range g.Items {
		lines = append(lines, line(o))
	}
	if g.More > 0 {
		lines = append(lines, ServerLine{Line: spans(quiet("… " + Count(g.More, "more "+noun))), Index: g.At})
	}
	switch {
	case g.ErrAt >= 0 && g.Error != "":
		l := labelled("refused", g.ErrAt, loud(oneLine(g.Error)))
		l.Right = "frame " + seq(s.log.Entry(g.ErrAt).Seq)
		lines = append([]ServerLine{l}, lines...)
	case len(lines) > 0:
	case g.At >= 0:
		lines = []ServerLine{empty("None: the list came back empty. R asks again.")}
	case !s.offered(capability):
		lines = []ServerLine{empty("The server does not say that it has " + capability + ".")}
	default:
		lines = []ServerLine{empty("R reads the lists, all pages. So does :" + key + ".")}
	}
	return section(key, head, note, lines)
}

// offerLine is a line with a name, what stands beside it, and the command that
// goes with it.
func offerLine(o timeline.Offered, name, beside, words, right, do string) ServerLine {
	l := ServerLine{Index: o.Index, Hang: 2, Do: do}
	l.Spans = []Span{peer(pad(oneLine(cutBytes(name, 120)), nameWidth) + "  ")}
	if beside != "" {
		l.Spans = append(l.Spans, quiet(oneLine(beside)+"  "))
	}
	if words != "" {
		l.Spans = append(l.Spans, peer(oneLine(words)))
	}
	l.Right = right
	return l
}

func resourceLine(o timeline.Offered) ServerLine {
	var right []string
	if m := scalar(o.Raw, "mimeType"); m != "" {
		right = append(right, oneLine(cutBytes(m, 40)))
	}
	if n, err := strconv.ParseInt(string(wire.Member(o.Raw, "size")), 10, 64); err == nil && n >= 0 {
		right = append(right, Size(n))
	}
	name := orElse(member(o.Raw, "title"), orElse(member(o.Raw, "name"), o.Key))
	return offerLine(o, name, o.Key, member(o.Raw, "description"), strings.Join(right, ", "), "read "+commandWord(o.Key))
}

func templateLine(o timeline.Offered) ServerLine {
	name := orElse(member(o.Raw, "title"), orElse(member(o.Raw, "name"), o.Key))
	return offerLine(o, name, o.Key, member(o.Raw, "description"), oneLine(cutBytes(scalar(o.Raw, "mimeType"), 40)), "read "+commandWord(o.Key))
}

// promptLine tells a prompt with its arguments, what is required with a star.
func promptLine(o timeline.Offered) ServerLine {
	var words []string
	fill := []byte{'{'}
	wire.EachElement(wire.Member(o.Raw, "arguments"), func(v []byte) bool {
		name := member(v, "name")
		word := oneLine(name)
		if string(wire.Member(v, "required")) == "true" {
			word += "*"
			if len(fill) > 1 {
				fill = append(fill, ',')
			}
			fill = append(append(fill, jsonText(name)...), `:""`...)
		}
		words = append(words, word)
		return len(words) < maxListed
	})
	do := "prompt " + commandWord(o.Key)
	if len(fill) > 1 {
		do += " " + string(append(fill, '}'))
	}
	return offerLine(o, o.Key, strings.Join(words, " "), orElse(member(o.Raw, "description"), member(o.Raw, "title")), "", do)
}

// commandWord writes a name as a word of the command language.
func commandWord(name string) string {
	if name == "" || strings.ContainsAny(name, " \t\r\n\"{[&#") {
		return jsonText(name)
	}
	return name
}

// jsonText writes a text as JSON, without escapes for HTML.
func jsonText(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSpace(b.String())
}

// subscribed tells of the resources whose changes the server tells.
func (s *serverTale) subscribed(r *timeline.Resources) ServerSection {
	var lines []ServerLine
	updates := 0
	for _, sub := range r.Subscriptions {
		l := ServerLine{Index: sub.Index, Hang: 2, Do: "read " + commandWord(sub.URI)}
		l.Spans = []Span{peer(oneLine(cutBytes(sub.URI, 200)) + "  ")}
		l.Right = "frame " + seq(s.log.Entry(sub.Index).Seq)
		updates += sub.Updates
		switch {
		case sub.Error != "":
			l.Sign, l.Spans, l.Do = "!", append(l.Spans, loud(oneLine(sub.Error))), ""
		case sub.Open:
			l.Sign, l.Spans = "◌", append(l.Spans, quiet("asked for"))
		case sub.Updates == 0:
			l.Spans = append(l.Spans, quiet("no change told so far"))
		default:
			l.Index, l.Right = sub.Last, "frame "+seq(s.log.Entry(sub.Last).Seq)
			l.Spans = append(l.Spans, plain("changed "+strconv.Itoa(sub.Updates)+"×, last at "+Clock(s.log.Entry(sub.Last).T)))
			if l.Sign = "~"; sub.Read >= 0 {
				l.Sign = "✓"
				l.Spans = append(l.Spans, quiet(", read since"))
			} else {
				l.Spans = append(l.Spans, quiet(", not read since"))
			}
		}
		lines = append(lines, l)
	}
	note := Count(len(lines), "resource")
	if updates > 0 {
		note += ", " + Count(updates, "change") + " told"
	}
	if len(lines) == 0 {
		note = "none"
		lines = []ServerLine{empty("subscribe URI asks the server to tell when a resource changes.")}
	}
	return section(KeySubscribed, "SUBSCRIBED", note, lines)
}

// maxTextLines is how many lines of a text that was read are told; all of it
// stands in its frame.
const maxTextLines = 60

// reads tells what was read, the newest first.
func (s *serverTale) reads(reads []timeline.Read) ServerSection {
	var lines []ServerLine
	n := 0
	for i := len(reads) - 1; i >= 0 && len(lines) < maxSection; i-- {
		r := &reads[i]
		if r.Method == mcpl.MethodComplete {
			continue
		}
		n++
		lines = append(lines, s.readHead(r))
		if r.Answered < 0 || r.Error != "" {
			continue
		}
		lines = append(lines, s.contents(r)...)
	}
	if n == 0 {
		return section(KeyRead, "READ", "nothing yet", []ServerLine{empty("read URI and prompt NAME show here what they brought; enter on a resource or a prompt types that.")})
	}
	return section(KeyRead, "READ", "newest first", lines)
}

// readHead tells what was read, and how that ended.
func (s *serverTale) readHead(r *timeline.Read) ServerLine {
	l := ServerLine{Index: r.Index, Hang: 2}
	l.Wrap = true
	if r.Method == mcpl.MethodPromptsGet {
		what := "prompt " + oneLine(member(r.Params, "name"))
		if a := wire.Member(r.Params, "arguments"); a != nil && string(a) != "{}" {
			what += " " + oneLine(short(string(a)))
		}
		l.Spans = []Span{loud(what)}
		if d := member(r.Result, "description"); d != "" {
			l.Spans = append(l.Spans, quiet("   "), peer(oneLine(d)))
		}
	} else {
		l.Spans = []Span{loud(oneLine(member(r.Params, "uri")))}
	}
	switch {
	case r.Answered < 0:
		l.Sign, l.Spans = "◌", append(l.Spans, quiet("   no answer yet"))
	case r.Error != "":
		l.Sign, l.Index, l.Spans = "!", r.Answered, append(l.Spans, plain("   "+oneLine(r.Error)))
	default:
		l.Sign, l.Index = "✓", r.Answered
	}
	l.Right = "frame " + seq(s.log.Entry(l.Index).Seq)
	return l
}

// contents tells each item with its type and size, and the text of it.
func (s *serverTale) contents(r *timeline.Read) []ServerLine {
	var lines []ServerLine
	texts := textsOf(r)
	frame := seq(s.log.Entry(r.Answered).Seq)
	for i, c := range Contents(r.Result) {
		if i == maxListed {
			break
		}
		l := ServerLine{Index: r.Answered, Hang: 2}
		l.Indent = 1
		l.Spans = []Span{quiet(strconv.Itoa(c.N) + "  ")}
		if i < len(texts) && texts[i].role != "" {
			l.Spans = append(l.Spans, plain(oneLine(texts[i].role)+"  "))
		}
		l.Spans = append(l.Spans, quiet(oneLine(c.Words())))
		if c.Saved() {
			l.Do = "save content " + frame + "." + strconv.Itoa(c.N) + " "
		}
		lines = append(lines, l)
		if i < len(texts) {
			lines = append(lines, textLines(texts[i].text, r.Answered)...)
		}
	}
	if len(lines) == 0 {
		lines = []ServerLine{{Line: Line{Indent: 1, Spans: []Span{quiet("the answer holds no content")}}, Index: r.Answered}}
	}
	return lines
}

// itemText is the text of an item of contents, "" where it is none.
type itemText struct{ role, text string }

func textsOf(r *timeline.Read) []itemText {
	var out []itemText
	for _, key := range []string{"contents", "messages"} {
		wire.EachElement(wire.Member(r.Result, key), func(v []byte) bool {
			t := itemText{role: member(v, "role")}
			in := v
			if key == "messages" {
				in = wire.Member(v, "content")
			}
			if inner := wire.Member(in, "resource"); inner != nil {
				in = inner
			}
			if text := wire.Member(in, "text"); len(text) > 0 && text[0] == '"' {
				t.text = stringHead(text, maxText)
			}
			out = append(out, t)
			return len(out) < maxListed
		})
	}
	return out
}

// maxText is how many bytes of a text that was read are told.
const maxText = 8 << 10

func textLines(text string, index int) []ServerLine {
	if text == "" {
		return nil
	}
	var lines []ServerLine
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, t := range all {
		if i == maxTextLines {
			lines = append(lines, ServerLine{Line: Line{Indent: 3, Spans: []Span{quiet("… " + Count(len(all)-i, "more line"))}}, Index: index})
			break
		}
		l := ServerLine{Index: index}
		l.Indent, l.Wrap = 3, true
		l.Spans = []Span{peer(strings.TrimRight(t, "\r"))}
		lines = append(lines, l)
	}
	return lines
}

// completed tells what completions gave: each value with the command that uses
// it.
func (s *serverTale) completed(reads []timeline.Read) ServerSection {
	var lines []ServerLine
	n := 0
	for i := len(reads) - 1; i >= 0 && len(lines) < maxSection; i-- {
		r := &reads[i]
		if r.Method != mcpl.MethodComplete {
			continue
		}
		n++
		ref := wire.Member(r.Params, "ref")
		name := orElse(member(ref, "name"), member(ref, "uri"))
		argument := member(r.Params, "argument", "name")
		head := ServerLine{Index: r.Index, Hang: 2}
		head.Spans = []Span{
			plain(oneLine(argument)), quiet(" of "), peer(oneLine(name)), quiet(", begun as "), peer(Quote(member(r.Params, "argument", "value"))),
		}
		switch {
		case r.Answered < 0:
			head.Sign = "◌"
		case r.Error != "":
			head.Sign, head.Index, head.Spans = "!", r.Answered, append(head.Spans, plain("   "+oneLine(r.Error)))
		default:
			head.Index = r.Answered
		}
		head.Right = "frame " + seq(s.log.Entry(head.Index).Seq)
		lines = append(lines, head)
		lines = append(lines, completionValues(r, name, argument)...)
	}
	if n == 0 {
		return section(KeyCompleted, "COMPLETED", "nothing yet", []ServerLine{empty("complete prompt NAME ARGUMENT asks how an argument can go on; complete resource TEMPLATE VARIABLE likewise.")})
	}
	return section(KeyCompleted, "COMPLETED", "newest first", lines)
}

func completionValues(r *timeline.Read, name, argument string) []ServerLine {
	result := wire.Member(r.Result, "completion")
	var lines []ServerLine
	for _, v := range stringsOf(wire.Member(result, "values")) {
		l := ServerLine{Index: r.Answered}
		l.Indent = 1
		l.Spans = []Span{peer(oneLine(v))}
		if string(wire.Path(r.Params, "ref", "type")) == `"ref/prompt"` {
			l.Do = "prompt " + commandWord(name) + " {" + filledWith(r, argument, v) + "}"
		} else {
			l.Do = "read " + commandWord(strings.ReplaceAll(name, "{"+argument+"}", v))
		}
		lines = append(lines, l)
	}
	total, _ := strconv.Atoi(string(wire.Member(result, "total"))) // 0: it does not say
	if more := total - len(lines); more > 0 || string(wire.Member(result, "hasMore")) == "true" {
		words := "there are more"
		if more > 0 {
			words = strconv.Itoa(more) + " more"
		}
		lines = append(lines, ServerLine{Line: Line{Indent: 1, Spans: []Span{quiet("… " + words)}}, Index: r.Answered})
	}
	if len(lines) == 0 && r.Answered >= 0 && r.Error == "" {
		lines = append(lines, ServerLine{Line: Line{Indent: 1, Spans: []Span{quiet("no values")}}, Index: r.Answered})
	}
	return lines
}

// filledWith are the arguments that a completion was asked with, and the one
// that it gave.
func filledWith(r *timeline.Read, argument, value string) string {
	out := ""
	wire.EachMember(wire.Path(r.Params, "context", "arguments"), func(key string, v []byte) bool {
		if key != argument {
			out += jsonText(key) + ":" + short(string(v)) + ","
		}
		return len(out) < maxShort
	})
	return out + jsonText(argument) + ":" + jsonText(value)
}

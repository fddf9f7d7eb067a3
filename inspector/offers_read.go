package inspector

import (
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

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

package inspector

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Found is a finding as it is explained: what the rules say of it, in the
// words of package conform, which this one does not know.
type Found struct {
	Rule    string
	Level   string // error, warning, info
	Meaning string // what the rule asks for, in a sentence
	Message string // what was expected and what was seen, in a sentence

	Index int   // position of the frame that shows it
	Conn  int   // its connection
	Rev   int64 // 0: none
	Count int   // how often it was seen
	Again []int // positions of further frames that show it, the first ones

	Toolset, Instance, Tool string // what it is about; "" for what it does not name

	Expected, Seen, Mend string

	// Same is a command that finds the same, "" where there is none.
	Same string
}

// Finding explains a finding: the rule in a sentence, who did it, what was
// expected, seen, and how it is mended, what effect it had as far as the log
// goes, and where else to look.
func Finding(log *timeline.Log, f *Found) Doc {
	var d Doc
	d.Add(Block{Body: []Line{
		{Sign: "✗", Diff: true, Spans: []Span{{Text: f.Rule, Tone: Loud}}, Right: f.Level + ", " + times(f.Count)},
		{Indent: 1, Spans: []Span{plain(f.Meaning)}, Wrap: true},
	}})
	if f.Index < 0 || f.Index >= log.Len() {
		return d
	}
	x := finder{log: log, f: f}
	x.board, _ = log.Board(f.Index) // nil where the file cannot be read: what it would say is left out
	d.beside("BY", false, x.by()...)
	d.beside(x.subject())
	d.expected(&x)
	d.beside("EFFECT", false, x.effect()...)
	d.beside("AGAIN IN", false, x.again()...)
	d.beside("ELSEWHERE", false, spans(plain(x.elsewhere())))
	if f.Same != "" {
		d.beside("THE SAME", true, say(f.Same))
	}
	return d
}

// beside adds a block with its heading beside its lines, if it has any.
func (d *Doc) beside(head string, joined bool, lines ...Line) {
	if len(lines) > 0 {
		d.Add(Block{Head: head, Body: lines, Beside: true, Joined: joined})
	}
}

// times says how often something was seen.
func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return Count(n, "time")
}

// finder looks up what is known of a finding.
type finder struct {
	log   *timeline.Log
	f     *Found
	board *timeline.Board // at its frame, nil: it cannot be read
}

// by says which frame shows the finding, when, and in the sender's words.
func (x *finder) by() []Line {
	h := HeadlineOf(x.log, x.f.Index)
	what := strings.TrimSpace(h.Arrow + " " + h.What)
	if s := FrameSentence(x.log, x.f.Index); h.Indent {
		what = strings.TrimSpace(s.Arrow + " " + s.Carrier)
	}
	first := spans(plain(oneLine(what)))
	first.Right = Clock(h.T) + "   frame " + seq(h.Seq)
	if x.f.Conn > 1 {
		first.Right = Clock(h.T) + "   connection " + seq(int64(x.f.Conn)) + ", frame " + seq(h.Seq)
	}
	var second Line
	if h.Words != "" {
		words := oneLine(h.Words)
		if h.Quoted {
			words = "“" + words + "”"
		}
		second = Line{Spans: []Span{{Text: words, Tone: Peer}}, Wrap: true}
	}
	if x.f.Rev > 0 {
		second.Right = revText(x.f.Conn, x.f.Rev)
	}
	if second.Right == "" && second.Spans == nil {
		return []Line{first}
	}
	return []Line{first, second}
}

// subject says what the finding is about, as it was at its frame.
func (x *finder) subject() (head string, joined bool, l Line) {
	f := x.f
	switch {
	case f.Tool != "":
		return "TOOL", false, say(x.toolWords())
	case f.Toolset != "" && f.Instance != "":
		return "INSTANCE", false, say(oneLine(f.Instance) + ", of toolset " + x.setWords())
	case f.Toolset != "":
		return "TOOLSET", false, say(x.setWords())
	case f.Instance != "":
		return "INSTANCE", false, say(oneLine(f.Instance))
	}
	return "FOUND", false, say(f.Message)
}

func (x *finder) toolWords() string {
	f := x.f
	text := oneLine(at(f.Tool, f.Instance, true))
	if x.board == nil || x.board.ListAt < 0 {
		return text
	}
	p, ok := find(x.board, f.Tool, f.Instance)
	switch {
	case !ok && f.Toolset == "":
		return text + ", which tools/list does not name"
	case !ok || p.set != nil:
		return text + ", of toolset " + x.setWords()
	case p.tool.Presence == "static":
		return text + ", a static tool"
	}
	return text + ", a dynamic tool of no toolset"
}

// setWords names the toolset, and what is open of it.
func (x *finder) setWords() string {
	name := x.f.Toolset
	if name == "" {
		if p, ok := find(x.board, x.f.Tool, ""); ok && p.set != nil {
			name = p.set.Name
		}
	}
	set := x.set()
	switch {
	case set == nil:
		return oneLine(name)
	case set.HasInstances && len(set.Instances) > 0:
		return oneLine(name) + ", open: " + strings.Join(instanceNames(set), ", ")
	case set.HasInstances:
		return oneLine(name) + ", no instance open"
	case set.Open:
		return oneLine(name) + ", open"
	}
	return oneLine(name) + ", closed"
}

// set is the toolset that the finding names, or its tool is of, nil: none.
func (x *finder) set() *timeline.Toolset {
	if x.board == nil {
		return nil
	}
	if p, ok := find(x.board, x.f.Tool, ""); ok && x.f.Toolset == "" {
		return p.set
	}
	for i := range x.board.Toolsets {
		if s := &x.board.Toolsets[i]; s.Name == x.f.Toolset {
			return s
		}
	}
	return nil
}

// expected adds what was expected, what was seen, and how it is mended.
func (d *Doc) expected(x *finder) {
	f := x.f
	if f.Seen == "" && f.Expected == "" && f.Toolset+f.Instance+f.Tool != "" {
		d.beside("FOUND", false, say(f.Message))
	}
	joined := false
	add := func(head string, lines ...Line) {
		d.beside(head, joined, lines...)
		joined = joined || len(lines) > 0
	}
	if f.Expected != "" {
		add("EXPECTED", textLine(f.Expected, Plain))
	}
	if f.Seen != "" {
		add("SEEN", textLine(f.Seen, Peer))
	}
	add("TO MEND", x.mend()...)
}

// textLine is a line of JSON, or of words.
func textLine(s string, tone Tone) Line {
	l := Line{Spans: []Span{{Text: s, Tone: tone}}, Wrap: true}
	if t := strings.TrimSpace(s); strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") || !strings.Contains(t, " ") {
		l.Code = true
	}
	return l
}

func (x *finder) again() []Line {
	var out []string
	for i, at := range x.f.Again {
		if i == 8 {
			out = append(out, "…")
			break
		}
		if at < x.log.Len() {
			out = append(out, seq(x.log.Entry(at).Seq))
		}
	}
	if len(out) == 0 {
		return nil
	}
	return []Line{say("frame " + strings.Join(out, ", "))}
}

// elsewhere names the keys that lead to where else it is seen.
func (x *finder) elsewhere() string {
	text := "1 the board here   "
	if x.f.Tool+x.f.Toolset != "" {
		text += "2 its lane   "
	}
	return text + "enter frame " + seq(x.log.Entry(x.f.Index).Seq)
}

package inspector

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector/schema"
	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// judged says what a call was judged against: whether its tool was usable
// when it was sent, by which definition its arguments are told valid, what
// changed of both while it was open, and whether the server's answer is what
// the rules require (toolhints.md §3). What it cannot prove it leaves out.
func (d *Doc) judged(x *exchange) {
	if x.askedAt < 0 || x.question.Method != "tools/call" || x.asked.Dir != timeline.Out {
		return
	}
	c := judgement{
		x: x, tool: wire.StringOf(wire.Member(x.question.Params, "name")),
		instance: wire.StringOf(wire.Path(x.question.Params, "_meta", mcpl.MetaInstance)),
	}
	var err error
	if c.before, err = x.log.Board(x.askedAt); err != nil || c.before.ListAt < 0 {
		return
	}
	c.was, c.known = find(c.before, c.tool, c.instance)
	b := Block{Head: "JUDGED"}
	if x.answerAt >= 0 {
		c.answered()
		b.Body = c.verdict()
	}
	if len(b.Body) == 0 {
		b.Body = c.state()
	}
	b.Body = append(b.Body, c.arguments()...)
	b.Body = append(b.Body, c.output()...)
	b.Body = append(b.Body, c.since()...)
	if len(b.Body) == 0 {
		return
	}
	d.Add(b)
	if c.known && c.before.ToolHints && !c.was.usable() && c.was.callable(c.instance) {
		if why := whyNot(x.log, c.before, c.was, false); len(why) > 0 {
			d.Add(Block{Head: "WHY " + oneLine(c.tool) + " " + "WAS " + c.was.hiddenWord(), Body: why})
		}
	}
}

// judgement is what is known of a call's tool when it was sent, and when it
// was answered or, while it is open, at the end of the session.
type judgement struct {
	x              *exchange
	tool, instance string
	before, after  *timeline.Board
	was, is        spot
	known, still   bool
}

// answered looks the tool up as it was when the answer came.
func (c *judgement) answered() {
	b, err := c.x.log.Board(c.x.answerAt)
	if err != nil || b.Conn != c.before.Conn {
		return
	}
	c.after = b
	c.is, c.still = find(b, c.tool, c.instance)
}

// where names the place of the call, " in vs-ada".
func (c *judgement) where() string {
	if c.instance == "" || c.was.closed() || c.was.set == nil || !c.was.set.HasInstances {
		return ""
	}
	return " in " + oneLine(c.instance)
}

// verdict says whether the answer is what the rules require, where the tool
// was out of reach both when the call was sent and when it was answered.
func (c *judgement) verdict() []Line {
	if !c.known || !c.still || !c.before.ToolHints || c.was.usable() || c.is.usable() || !c.was.callable(c.instance) {
		return nil
	}
	state, rule := "was hidden", "a call to a hidden tool gets a tool error that says why (toolHints 3)."
	if c.was.closed() {
		state, rule = "was in a toolset that is not open", "such a call gets a tool error that says why (toolHints 3)."
	}
	name := oneLine(c.tool)
	switch {
	case c.x.outcome == ToolError && c.x.words != "":
		l := say("as it should be: " + name + " " + state + c.where() + ", and " + rule)
		l.Sign = "✓"
		return append([]Line{l}, c.quiet()...)
	case c.was.closed() && c.is.closed() && c.was.set.Declared && c.x.outcome != ToolError:
		return []Line{broken("call-closed-toolset", name+" "+state+", and yet the call got no tool error")}
	case !c.was.closed() && c.x.outcome == OK:
		return []Line{broken("call-invisible", name+" "+state+c.where()+", and yet the call succeeded")}
	}
	return nil
}

// quiet says that a refused call changed nothing: no hints in its answer, and
// none that came meanwhile.
func (c *judgement) quiet() []Line {
	log := c.x.log
	if log.Entry(c.x.answerAt).Row >= 0 || log.RowAt(c.x.askedAt) != log.RowAt(c.x.answerAt) {
		return nil
	}
	l := say("no hints in the answer, and nothing pushed for it")
	l.Sign = "✓"
	return []Line{l}
}

func broken(rule, text string) Line {
	return Line{Sign: "✗", Wrap: true, Spans: []Span{{Text: rule, Tone: Bad}, plain("   " + text)}}
}

// state says whether the tool was usable when the call was sent.
func (c *judgement) state() []Line {
	name := oneLine(c.tool)
	var l Line
	switch {
	case !c.known:
		l = say("the list in effect named no tool " + name)
		l.Sign = "!"
	case !c.before.ToolHints:
		return nil // every tool stands as it is listed
	case c.was.usable():
		l = say(name + " was usable" + c.where() + " when it was sent")
		l.Sign = "✓"
		if w := byFrame(c.x.log, c.before, c.was.cell.FlagBy); w != "" {
			l.Right = "by " + w
		}
	case !c.was.callable(c.instance):
		l = say("no instance was named, and " + strings.Join(instanceNames(c.was.set), ", ") + " " + isAre(len(c.was.set.Instances)) + " open (toolHints 6)")
	case c.was.closed():
		l = say(name + " was in a toolset that is not open when it was sent")
	default:
		l = say(name + " was hidden" + c.where() + " when it was sent")
	}
	return []Line{l}
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// definition is the one by which the arguments of a call are judged, and who
// made it so.
func (c *judgement) definition() (def []byte, by string) {
	p := c.was
	if p.cell != nil && p.cell.Redefined {
		return p.cell.Definition, "as redefined by " + orElse(byFrame(c.x.log, c.before, p.cell.DefBy), "hints")
	}
	by = "as declared"
	if i := c.before.ListAt; i >= 0 {
		by += " in frame " + seq(c.x.log.Entry(i).Seq)
	}
	return p.tool.Declared, by
}

// arguments judges the call's arguments by the definition that was in effect
// when it was sent.
func (c *judgement) arguments() []Line {
	if !c.known {
		return nil
	}
	def, by := c.definition()
	return argumentLines(wire.Member(def, "inputSchema"), wire.Member(c.x.question.Params, "arguments"), by)
}

// output judges the structured content of a result by the outputSchema that
// was in effect (MCP, tools: a server must provide results that conform).
func (c *judgement) output() []Line {
	if !c.known || c.x.outcome != OK {
		return nil
	}
	value := wire.Member(c.x.reply.Result, "structuredContent")
	sch := wire.Member(c.was.tool.Declared, "outputSchema")
	switch {
	case sch == nil:
		return nil
	case value == nil:
		l := say("the tool declares an outputSchema, and the result has no structuredContent")
		l.Sign = "!"
		return []Line{l}
	}
	return checkLines(sch, value, "its structuredContent was not checked: ",
		"its structuredContent is as its outputSchema says", "its structuredContent breaks its outputSchema")
}

// argumentLines says whether arguments are valid by a schema.
func argumentLines(sch, args []byte, by string) []Line {
	if args == nil {
		args = []byte("{}") // what a call without arguments means (MCP, tools/call)
	}
	return checkLines(sch, args, "its arguments were not checked, "+by+": ", "its arguments are valid, "+by, "its arguments break its schema, "+by)
}

// checkLines says whether a value is valid by a schema, and what is wrong
// with it.
func checkLines(sch, value []byte, unchecked, valid, broken string) []Line {
	k := schema.New(sch)
	problems := k.Check(value)
	switch note := k.Note(); {
	case note != "":
		return []Line{say(unchecked + oneLine(note))}
	case len(problems) == 0:
		l := say(valid)
		l.Sign = "✓"
		return []Line{l}
	}
	l := say(broken)
	l.Sign = "!"
	out := []Line{l}
	for i, p := range problems {
		if i == 8 {
			return append(out, more(len(problems)-i))
		}
		line := say(oneLine(p.Long))
		line.Indent = 1
		out = append(out, line)
	}
	return out
}

// since says what became of the tool while the call was open.
func (c *judgement) since() []Line {
	if !c.known || c.after == nil {
		return nil
	}
	name := oneLine(c.tool)
	if !c.still {
		return []Line{say("meanwhile the list ceased to name " + name)}
	}
	var out []Line
	if c.was.cell != nil && c.is.cell != nil && !sameDefinition(c.was.cell.Definition, c.is.cell.Definition) {
		l := say(name + " was redefined while the call was open")
		l.Sign = "~"
		if w := byFrame(c.x.log, c.after, c.is.cell.DefBy); w != "" {
			l.Right = "by " + w
		}
		out = append(out, l)
	}
	own := c.x.answerAt >= 0 && c.is.cell != nil && c.is.cell.FlagBy.Index == c.x.answerAt
	switch {
	case own || c.was.usable() == c.is.usable():
	case c.is.closed():
		out = append(out, say("it was closed while the call was open"))
	case c.is.usable():
		out = append(out, say("it became usable while the call was open"))
	default:
		out = append(out, say("it was hidden while the call was open"))
	}
	return out
}

// sameDefinition compares the members that hints can change.
func sameDefinition(a, b []byte) bool {
	for _, key := range definitionMembers {
		x, y := wire.Member(a, key), wire.Member(b, key)
		if (x == nil) != (y == nil) || !mcpl.SameJSON(x, y) {
			return false
		}
	}
	return true
}

// spot is a tool in a place: by itself, or in an instance.
type spot struct {
	set      *timeline.Toolset // nil for a tool of no toolset
	tool     *timeline.Tool
	instance string
	cell     *timeline.Cell // nil where the instance is not open, or none is
	inst     *timeline.Instance
}

// find looks a tool up on a board. instance is left out of account where its
// toolset has none (state.md, "Hint entries").
func find(b *timeline.Board, tool, instance string) (spot, bool) {
	for _, list := range [][]timeline.Tool{b.Static, b.Loose} {
		for i := range list {
			if list[i].Name == tool {
				return spot{tool: &list[i], cell: firstCell(&list[i])}, true
			}
		}
	}
	for i := range b.Toolsets {
		set := &b.Toolsets[i]
		for k := range set.Tools {
			if t := &set.Tools[k]; t.Name == tool {
				return within(set, t, instance), true
			}
		}
	}
	return spot{}, false
}

func firstCell(t *timeline.Tool) *timeline.Cell {
	if len(t.Cells) == 0 {
		return nil
	}
	return &t.Cells[0]
}

func within(set *timeline.Toolset, t *timeline.Tool, instance string) spot {
	p := spot{set: set, tool: t}
	if !set.HasInstances {
		p.cell = firstCell(t)
		return p
	}
	p.instance = instance
	for i := range set.Instances {
		if set.Instances[i].Name == instance && i < len(t.Cells) {
			p.inst, p.cell = &set.Instances[i], &t.Cells[i]
		}
	}
	return p
}

func (p spot) usable() bool { return p.cell != nil && p.cell.Visible }

// closed: the toolset, or the instance that is asked about, is not open.
func (p spot) closed() bool {
	if p.set == nil {
		return false
	}
	if p.set.HasInstances {
		return p.inst == nil
	}
	return !p.set.Open
}

// callable: it is clear which place a call speaks of. Without a name and with
// instances open it may go to one of them (toolhints.md §6).
func (p spot) callable(instance string) bool {
	return p.set == nil || !p.set.HasInstances || instance != "" || len(p.set.Instances) == 0
}

func (p spot) hiddenWord() string {
	if p.closed() {
		return "CLOSED"
	}
	return "HIDDEN"
}

package inspector

import (
	"fmt"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// facts tells which message made the definition what it is here, and what
// became of it.
func (c *comparer) facts() {
	if !c.changed {
		text := "never redefined"
		if c.known && c.here.inst != nil {
			text += " since " + oneLine(c.here.inst.Name) + " was opened"
		}
		if c.b.ListAt >= 0 && c.b.ListAt < c.log.Len() {
			text += ": as declared in frame " + seq(c.log.Entry(c.b.ListAt).Seq)
		}
		if !c.known {
			text = "nothing: the server lists no such tool here"
		}
		c.out.Facts = []Fact{{Label: "CARRIED BY", Line: spans(plain(text)), Index: -1}}
		return
	}
	k, index := causeAt(c.log, c.change.Index, -1), c.change.Index
	if c.change.Row >= 0 {
		k = causeOfRow(c.log, c.change.Row)
		index = k.index
		if rows, err := c.log.Rows(c.change.Row, c.change.Row+1); err == nil && len(rows) == 1 {
			c.row = &rows[0]
		}
	}
	c.out.Index = index
	carried := spans(plain(carrierText(k)))
	if k.text != "" {
		carried.Spans = append(carried.Spans, peer(": "+Quote(k.text)))
	}
	carried.Right = "enter: the frame"
	c.out.Facts = append(c.out.Facts, Fact{Label: "CARRIED BY", Line: carried, Index: index})
	if line, ok := c.applied(); ok {
		c.out.Facts = append(c.out.Facts, Fact{Label: "APPLIED", Line: line, Index: -1})
	}
}

// carrierText names a carrier by its message: "← push/event mv-0088, frame
// 75".
func carrierText(k cause) string {
	words := k.words
	switch {
	case strings.HasPrefix(words, "push "):
		words = "push/event " + strings.TrimPrefix(words, "push ")
	case words == "hints":
		words = "tools/hints"
	}
	return strings.TrimSpace(k.arrow+" "+words) + ", frame " + seq(k.seq)
}

// applied says what became of the rev, and what of the definition had to be
// ignored.
func (c *comparer) applied() (Line, bool) {
	if c.row == nil {
		return spans(plain("at once: a list states what is declared")), c.change.Row < 0
	}
	text := strings.TrimSuffix(statusWords(c.log, c.row), ": applied")
	if via := viaOf(c.log, c.row.Index); via != "" {
		text += ", on " + via
	}
	l := spans(plain(text))
	// The definition that stands is the one that the rev brought, unless a
	// full statement dropped it.
	if c.here.cell == nil || c.here.cell.DefBy.Rev != c.row.Rev {
		return l, true
	}
	if keys := ignoredMembers(c.log, c.b, c.here); len(keys) > 0 {
		l.Spans = append(l.Spans, plain("; "), Span{Text: "✗ ignored in the definition: " + strings.Join(keys, ", "), Tone: Bad})
	} else {
		l.Spans = append(l.Spans, plain("; nothing in the definition had to be ignored"))
	}
	return l, true
}

// viaOf names the transport of a frame: stdio, http, …
func viaOf(log *timeline.Log, i int) string {
	f, err := log.Frame(i)
	if err != nil {
		return ""
	}
	via, _, _ := strings.Cut(f.Via, ":")
	return oneLine(via)
}

// told says what a model was told of the change, and what the same would have
// cost by tools/list_changed.
func (c *comparer) told() {
	if c.row == nil {
		return
	}
	t := c.row.Told
	if t.Text == "" {
		return
	}
	b := Block{
		Head: "WHAT THE MODEL WAS TOLD",
		Note: "about " + timeline.Grouped(t.Tokens()) + " tok, estimated, once; the head stays cached",
	}
	l := say(t.Text)
	if len(t.Members) > 0 {
		l.Spans = append(l.Spans, quiet("     its "+strings.Join(t.Members, ", ")))
	}
	b.add(l)
	b.add(say("The same by tools/list_changed would have rebuilt the head: " + HeadTokens(c.b) + " and all that follows it in the prompt."))
	c.out.Blocks = append(c.out.Blocks, b)
}

// maxCalls is how many calls a comparison lists; maxCallReads how many
// requests it reads to find them.
const (
	maxCalls     = 6
	maxCallReads = 400
)

// calls lists the calls that were made with the definition before: between
// the change before and this one or, against a mark, since the mark.
func (c *comparer) calls(mark int) {
	if !c.known || (!c.changed && c.against != AgainstMark) {
		return
	}
	from, to := c.span(mark)
	if from > to {
		from, to = to, from
	}
	found, cut := c.findCalls(from, to)
	head := map[Baseline]string{
		AgainstBefore: "CALLS MADE WITH THE ONE BEFORE", AgainstDeclared: "CALLS MADE WITH IT AS DECLARED", AgainstMark: "CALLS MADE BETWEEN THE TWO",
	}[c.against]
	b := Block{Head: fmt.Sprintf("%s, %d", head, len(found))}
	if cut {
		b.Note = "of those that were looked at, the newest"
	}
	for n, i := range found {
		if n == maxCalls {
			b.add(more(len(found) - n))
			break
		}
		b.add(c.callLine(i))
	}
	if len(found) == 0 {
		b.add(spans(quiet("none")))
	}
	c.out.Blocks = append(c.out.Blocks, b)
}

// span is the frames in which the definition of the baseline was in effect,
// or, against a mark, those between it and here.
func (c *comparer) span(mark int) (from, to int) {
	since := max(c.b.ListAt, 0)
	if c.here.inst != nil {
		since = c.here.inst.OpenedBy.Index
	}
	switch c.against {
	case AgainstMark:
		return mark, c.b.Index
	case AgainstDeclared:
		to = c.b.Index
		if e, ok := c.log.LaneAfter(c.lane(), since-1, timeline.Redefined); ok {
			to = e.Index
		}
		return since, to
	}
	if e, ok := c.log.LaneBefore(c.lane(), c.change.Index-1, timeline.Redefined); ok {
		since = max(since, e.Index)
	}
	return since, c.change.Index
}

// findCalls returns the positions of the calls of the tool in its place that
// were sent within a span, newest first. cut: not all of it was looked at.
func (c *comparer) findCalls(from, to int) (found []int, cut bool) {
	reads := 0
	for i := min(to, c.log.Len()) - 1; i > from; i-- {
		if to-i > lookBack || reads == maxCallReads || len(found) == maxListed {
			return found, true
		}
		e := c.log.Entry(i)
		if e.Dir != timeline.Out || e.Kind != timeline.Request || e.Conn != c.b.Conn || e.Size > maxRead {
			continue
		}
		reads++
		f, err := c.log.Frame(i)
		if err != nil {
			continue
		}
		for m := range f.Messages {
			if m.Method == "tools/call" && c.calledIn(m.Params) {
				found = append(found, i)
				break
			}
		}
	}
	return found, false
}

// calledIn: a call speaks of the tool in its place.
func (c *comparer) calledIn(params []byte) bool {
	return wire.StringOf(wire.Member(params, "name")) == c.t.Tool &&
		(c.here.instance == "" || wire.StringOf(wire.Path(params, "_meta", mcpl.MetaInstance)) == c.here.instance)
}

// callLine is a call with its answer, and whether its arguments were valid by
// the definition of then.
func (c *comparer) callLine(i int) Line {
	f, err := c.log.Frame(i)
	heads, _ := messages(f, 1)
	if err != nil || len(heads) == 0 {
		return spans(quiet("a call that cannot be read"))
	}
	args := wire.Member(heads[0].Params, "arguments")
	text := oneLine(c.t.Tool) + " " + oneLine(cutBytes(string(args), 80))
	frames := "frame " + seq(f.Seq)
	outcome := "no answer"
	if p := c.log.Entry(i).Pair; p >= 0 {
		h := HeadlineOf(c.log, p)
		frames = "frames " + seq(f.Seq) + " and " + seq(h.Seq)
		if row := c.log.Entry(p).Row; row >= 0 {
			r := c.log.RowHead(row)
			frames += ", " + revText(r.Conn, r.Rev)
		}
		outcome = strings.TrimSpace(h.Outcome.String() + ", " + Took(h.Took))
	}
	l := spans(plain(text+"   "), quiet(frames+"   "), plain(outcome))
	if v := c.validity(args); v != "" {
		l.Spans = append(l.Spans, quiet("        "+v))
	}
	l.Sign = ArrowOut
	return l
}

// validity judges arguments by the definition of the baseline.
func (c *comparer) validity(args []byte) string {
	if c.against == AgainstMark {
		return "" // it may have changed in between
	}
	lines := argumentLines(wire.Member(c.before, "inputSchema"), args, "")
	switch lines[0].Sign {
	case "✓":
		return "its arguments were valid then"
	case "!":
		if len(lines) > 1 {
			return "its arguments were not valid then: " + lines[1].Plain()
		}
		return "its arguments were not valid then"
	}
	return ""
}

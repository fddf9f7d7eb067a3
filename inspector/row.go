package inspector

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Row explains row n of the timeline: what carried its rev, what became of
// it, what it changed, before and after of what it redefined.
func Row(log *timeline.Log, n int) Doc {
	rows, err := log.Rows(n, n+1)
	if err != nil || len(rows) == 0 {
		d := Doc{Note: "no rev"}
		d.Add(Block{Body: []Line{say("This rev cannot be read." + errWords(err))}})
		return d
	}
	r := &rows[0]
	d := Doc{Note: revName(r)}
	f, err := log.Frame(r.Index)
	if err != nil {
		d.Add(Block{Body: []Line{say("The frame of this rev cannot be read." + errWords(err))}})
		return d
	}
	m := messageOf(f, r)
	d.Add(Block{Body: rowHead(log, r, f)})
	d.rowMessage(r, m)
	if beginsConn(log, n, r) {
		d.seam(log, r.Conn)
	}
	d.changed(log, r)
	d.told(r)
	hints := hintsIn(m)
	where := "params.hints"
	switch {
	case m.Method == "tools/hints":
		where = "params"
	case m.Method == "":
		where = "result._meta"
	}
	d.Add(Block{
		Head: "RAW", Note: where + ", " + bytesWord(len(hints)) + "    3: whole frame", JSON: hints, Fold: true, Flow: true,
	})
	return d
}

// beginsConn reports whether row n is the first of its connection.
func beginsConn(log *timeline.Log, n int, r *timeline.Row) bool {
	return r.Carrier == timeline.CarrierList && (n == 0 || log.RowHead(n-1).Conn != r.Conn)
}

func errWords(err error) string {
	if err == nil {
		return ""
	}
	return " " + err.Error()
}

// messageOf finds the message of a frame that a row was made from: in a batch
// the one with the row's rev.
func messageOf(f timeline.Frame, r *timeline.Row) wire.Head {
	var first wire.Head
	for m := range f.Messages {
		h := hintsIn(m)
		if h == nil {
			continue
		}
		if first.Raw == nil {
			first = m
		}
		if string(wire.Member(h, "rev")) == string(r.RawRev) {
			return m
		}
	}
	return first
}

// hintsIn returns the hints of a message, nil where it carries none
// (toolhints.md §7, the carriers).
func hintsIn(m wire.Head) []byte {
	switch {
	case m.Method == "tools/hints":
		return m.Params
	case m.Method == "push/event":
		return wire.Member(m.Params, "hints")
	case m.Result != nil:
		return wire.Path(m.Result, "_meta", "mcpl/hints")
	}
	return nil
}

// rowHead says which frame it was and what became of the rev.
func rowHead(log *timeline.Log, r *timeline.Row, f timeline.Frame) []Line {
	what := "tools/hints"
	switch r.Carrier {
	case timeline.CarrierPush:
		what = "push/event " + oneLine(r.Cause.EventID)
	case timeline.CarrierCall:
		what = "answer to " + oneLine(at(r.Cause.Tool, r.Cause.Instance, true))
	case timeline.CarrierOpen, timeline.CarrierClose:
		what = "answer to " + r.Carrier.String() + " " + oneLine(place(r.Cause.Toolset, opened(r)))
	case timeline.CarrierList:
		what = "answer to toolsets/list"
	}
	first := spans(plain(arrow(f.Dir)+" "), loud(what))
	first.Right = Clock(r.T) + "   frame " + seq(r.Seq)
	second := say(statusWords(log, r))
	e := log.Entry(r.Index)
	if e.Pair >= 0 {
		took := e.T - log.Entry(e.Pair).T
		if r.Carrier == timeline.CarrierPush {
			h := HeadlineOf(log, e.Pair)
			second.Right = "answered " + h.What + ", " + Took(-took)
		} else {
			second.Right = "asked in frame " + seq(log.Entry(e.Pair).Seq) + ", " + Took(took)
		}
	} else if r.Carrier == timeline.CarrierPush {
		second.Right = "not answered"
	}
	return []Line{first, second}
}

// rowMessage shows what the server said with it: the text of a push or of a
// result, or the reason of a hint.
func (d *Doc) rowMessage(r *timeline.Row, m wire.Head) {
	b := Block{Head: "MESSAGE"}
	switch {
	case m.Method == "push/event":
		if fs := member(m.Params, "featureSet"); fs != "" {
			b.Note = "featureSet " + oneLine(fs)
		}
		b.Text = fullText(wire.Path(m.Params, "payload", "content"))
	case m.Result != nil:
		b.Text = fullText(wire.Member(m.Result, "content"))
	}
	if len(b.Text) == 0 && r.Reason != "" {
		b.Text = []byte(r.Reason)
		b.Note = "a reason in its hints"
	}
	if len(b.Text) > 0 {
		d.Add(b)
	}
}

// changed says what the row changed, compares what it redefined, and says why
// the first tool that it showed is usable.
func (d *Doc) changed(log *timeline.Log, r *timeline.Row) {
	before, after := around(log, r)
	redefinitions := redefined(before, after, r)
	b := Block{Head: "CHANGED"}
	if where, ok := commonPlace(r.Changes); ok {
		b.Note = oneLine(where)
	}
	b.Body = changeLines(r, func(ch timeline.Change) string {
		for _, c := range redefinitions {
			if c.change == ch {
				return c.words()
			}
		}
		return "redefined"
	})
	d.Add(b)
	if lines := droppedLines(r, ""); len(lines) > 0 {
		d.Add(Block{Head: "IGNORED", Body: lines})
	}
	for i, c := range redefinitions {
		if i == 8 {
			d.Add(Block{Body: []Line{more(len(redefinitions) - i)}})
			break
		}
		d.Add(Block{
			Sign: "~", Head: strings.ToUpper(oneLine(at(r.Changes[c.n].Tool, r.Changes[c.n].Instance, true))),
			Note: "against " + beforeWords(before) + "    d: declared", Body: Compare(c.before, c.after),
		})
	}
	d.whyShown(log, after, r)
}

// around returns the boards before and after a row took effect, nil where it
// did not or they cannot be read.
func around(log *timeline.Log, r *timeline.Row) (before, after *timeline.Board) {
	if r.Taken < 0 {
		return nil, nil
	}
	b, err := log.Board(r.Taken - 1)
	if err != nil {
		return nil, nil
	}
	a, err := log.Board(r.Taken)
	if err != nil || b.Conn != a.Conn {
		return nil, a
	}
	return b, a
}

func beforeWords(b *timeline.Board) string {
	if b == nil || b.LastRev == 0 {
		return "what was declared"
	}
	return "rev " + seq(b.LastRev)
}

// redefinition is a tool's definition before and after a row.
type redefinition struct {
	n             int // which change of the row
	change        timeline.Change
	before, after []byte
}

func (c *redefinition) words() string {
	if m := changedMembers(c.before, c.after); len(m) > 0 {
		return strings.Join(m, ", ")
	}
	return "redefined"
}

func redefined(before, after *timeline.Board, r *timeline.Row) []redefinition {
	if before == nil || after == nil {
		return nil
	}
	var out []redefinition
	for n, ch := range r.Changes {
		if ch.Kind != timeline.Redefined || len(out) > maxListed {
			continue
		}
		p, ok := find(before, ch.Tool, ch.Instance)
		q, ok2 := find(after, ch.Tool, ch.Instance)
		if !ok || !ok2 || q.cell == nil {
			continue
		}
		was := p.tool.Declared // of an instance that is opened with it
		if p.cell != nil {
			was = p.cell.Definition
		}
		out = append(out, redefinition{n, ch, was, q.cell.Definition})
	}
	return out
}

// whyShown says why the first tool that a row showed is usable.
func (d *Doc) whyShown(log *timeline.Log, after *timeline.Board, r *timeline.Row) {
	if after == nil {
		return
	}
	for _, ch := range r.Changes {
		if ch.Kind != timeline.Shown {
			continue
		}
		p, ok := find(after, ch.Tool, ch.Instance)
		if !ok || !p.usable() {
			return
		}
		head := "WHY " + oneLine(ch.Tool) + " IS USABLE"
		if ch.Instance != "" {
			head += " IN " + oneLine(ch.Instance)
		}
		d.Add(Block{Head: head, Body: why(log, after, p)})
		return
	}
}

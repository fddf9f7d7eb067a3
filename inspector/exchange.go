package inspector

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// exchange is a request with its answer, as far as there is one.
type exchange struct {
	log      *timeline.Log
	asked    timeline.Frame
	question wire.Head
	askedAt  int // position of the request, -1: unknown
	answered timeline.Frame
	reply    wire.Head
	answerAt int // position of the answer, -1: none so far
	selected int // the one that is looked at

	outcome     Outcome // how the answer turned out, told once: it may be large
	lead, words string
}

func (d *Doc) request(log *timeline.Log, i int, f timeline.Frame, m wire.Head) {
	x := exchange{log: log, asked: f, question: m, askedAt: i, answerAt: -1, selected: i}
	if p := log.Entry(i).Pair; p >= 0 {
		if g, err := log.Frame(p); err == nil {
			if r, ok := partner(g, m); ok {
				x.answered, x.reply, x.answerAt = g, r, p
			}
		}
	}
	d.exchange(&x)
}

func (d *Doc) answer(log *timeline.Log, i int, f timeline.Frame, m wire.Head) {
	x := exchange{log: log, answered: f, reply: m, answerAt: i, askedAt: -1, selected: i}
	if p := log.Entry(i).Pair; p >= 0 {
		if g, err := log.Frame(p); err == nil {
			if q, ok := partner(g, m); ok {
				x.asked, x.question, x.askedAt = g, q, p
			}
		}
	}
	d.exchange(&x)
}

func (d *Doc) exchange(x *exchange) {
	if x.answerAt >= 0 {
		x.outcome, x.lead, x.words = answer(x.reply, x.question)
	}
	d.Add(Block{Body: append([]Line{x.first()}, x.late()...)})
	if x.askedAt >= 0 {
		d.Add(Block{Head: "ASKED", Note: whence(x.asked), JSON: x.question.Raw, Fold: x.folds(x.askedAt)})
		if x.question.Method == "push/event" {
			d.text(fullText(wire.Path(x.question.Params, "payload", "content")))
		}
	} else {
		why := say("No request with this id came before it on this connection.")
		why.Sign, why.Diff = "✗", true
		d.Add(Block{Head: "ASKED", Body: []Line{why}})
	}
	if x.answerAt >= 0 {
		d.Add(Block{Head: "ANSWERED", Note: whence(x.answered), JSON: x.reply.Raw, Fold: x.folds(x.answerAt)})
		d.text(fullText(wire.Member(x.reply.Result, "content")))
		d.text(fullText(wire.Member(x.reply.Result, "contents")))
		d.contents(x)
	} else {
		d.Add(Block{Head: "ANSWERED", Body: []Line{say(x.unanswered())}})
	}
	d.tale(x)
	d.input(x)
	d.judged(x)
	d.meanwhile(x)
	switch {
	case x.askedAt >= 0 && x.asked.Dir == timeline.In:
		d.hints(x.log, x.askedAt, x.asked, x.question)
	case x.answerAt >= 0:
		d.hints(x.log, x.answerAt, x.answered, x.question)
	}
	if x.selected == x.answerAt {
		d.carriedBy(x.answered)
	} else {
		d.carriedBy(x.asked)
	}
}

// folds: of a pair the one that is not looked at stays short; % leads to it.
func (x *exchange) folds(i int) bool { return i != x.selected }

// first is the Doc's first line: what was asked, its id, how long it took and
// how it turned out.
func (x *exchange) first() Line {
	what := "an answer to no request"
	if x.askedAt >= 0 {
		what, _ = subject(x.question)
		if x.question.Method == "tools/call" {
			what = "tools/call " + oneLine(at(member(x.question.Params, "name"), instanceOf(x.question.Params), true))
		}
	}
	var right []string
	if x.askedAt >= 0 {
		right = append(right, idLabel(x.asked.Dir, x.question))
	} else {
		right = append(right, idLabel(x.answered.Dir, x.reply))
	}
	switch {
	case x.answerAt < 0:
		right = append(right, "no answer")
	case x.askedAt >= 0:
		right = append(right, Took(x.answered.T-x.asked.T))
	}
	if x.answerAt >= 0 {
		right = append(right, strings.TrimPrefix(x.lead, "! "))
	}
	l := spans(loud(what))
	l.Right = strings.Join(right, "   ")
	return l
}

// late says that the answer came when the host had given the request up.
func (x *exchange) late() []Line {
	if x.askedAt < 0 || x.answerAt < 0 || x.asked.Dir != timeline.Out {
		return nil
	}
	name, by := x.givenUp()
	if by < 0 {
		return nil
	}
	l := say("late: " + lower(gaveUpWords[name]) + " in frame " + seq(x.log.Entry(by).Seq) + "; hints in it count all the same (toolHints 7)")
	l.Sign = "!"
	return []Line{l}
}

// gaveUpWords tell why nobody waits for an answer, by the name of the note.
var gaveUpWords = map[string]string{"cancelled": "It was cancelled", "timeout": "It timed out", "failed": "It came to nothing"}

func lower(s string) string { return strings.ToLower(s[:min(len(s), 1)]) + s[min(len(s), 1):] }

// unanswered says what is known of a request without answer.
func (x *exchange) unanswered() string {
	e := x.log.Entry(x.askedAt)
	words := ""
	if name, by := x.givenUp(); by >= 0 {
		words = gaveUpWords[name] +
			" in frame " + seq(x.log.Entry(by).Seq) + ". "
	}
	now, err := x.log.Board(x.log.Len() - 1)
	if err == nil && (now.Conn != e.Conn || now.Link.Closed != nil) {
		return words + "No answer came before the connection ended."
	}
	return words + "No answer so far."
}

// givenUp finds the frame that cancelled the request, or noted its time-out,
// among those that follow; by is -1 where there is none in reach.
func (x *exchange) givenUp() (name string, by int) {
	conn := x.log.Entry(x.askedAt).Conn
	end := x.log.Len()
	if x.answerAt >= 0 {
		end = x.answerAt
	}
	for k := x.askedAt + 1; k < end && k < x.askedAt+lookBack; k++ {
		e := x.log.Entry(k)
		cancels := e.Dir == x.asked.Dir && e.Kind == timeline.Notification
		if e.Conn != conn || (e.Dir != timeline.Note && !cancels) || e.Size > 1<<16 {
			continue
		}
		f, err := x.log.Frame(k)
		if err != nil {
			continue
		}
		if f.Dir == timeline.Note {
			if (f.Name == "cancelled" || f.Name == "timeout" || f.Name == "failed") && x.names(wire.Member(f.Data, "id")) {
				return f.Name, k
			}
			continue
		}
		for m := range f.Messages {
			if m.Method == "notifications/cancelled" && x.names(wire.Member(m.Params, "requestId")) {
				return "cancelled", k
			}
		}
	}
	return "", -1
}

func (x *exchange) names(id []byte) bool {
	return id != nil && wire.ID(id).Key() == x.question.ID.Key()
}

// meanwhile lists the frames between request and answer, or, while there is
// none, those that came since.
func (d *Doc) meanwhile(x *exchange) {
	b, to := Block{Head: "MEANWHILE", Note: "between the two frames"}, x.answerAt
	if to < 0 {
		b.Note, to = "since it was sent", x.log.Len()
	}
	if x.askedAt < 0 || to < x.askedAt+2 {
		return
	}
	for k := x.askedAt + 1; k < to; k++ {
		if len(b.Body) == maxListed {
			b.add(more(to - k))
			break
		}
		b.add(frameLine(x.log, k))
	}
	d.Add(b)
}

// hints shows what the message at position i said of tools.
func (d *Doc) hints(log *timeline.Log, i int, f timeline.Frame, m wire.Head) {
	e := log.Entry(i)
	if e.Row < 0 {
		d.noHints(log, i, f, m)
		return
	}
	rows, err := log.Rows(e.Row, e.Row+min(e.Rows, maxListed))
	if err != nil {
		return
	}
	for n := range rows {
		r := &rows[n]
		b := Block{Head: "HINTS", Note: revName(r)}
		if n > 0 {
			b.Head = ""
		}
		b.add(say(statusWords(log, r)))
		b.Body = append(b.Body, changeLines(r, nil)...)
		b.Body = append(b.Body, droppedLines(r, "")...)
		d.Add(b)
	}
}

// noHints says that a message that could have carried hints had none, where
// toolHints are negotiated.
func (d *Doc) noHints(log *timeline.Log, i int, f timeline.Frame, m wire.Head) {
	text := ""
	switch m.Method {
	case "tools/call", "toolsets/open", "toolsets/close", "toolsets/list":
		text = "none in this answer; its rev would stand here."
	case "push/event":
		text = "none in this push; its rev would stand here."
	case "tools/list":
		r := firstResult(f)
		if rev := wire.Path(r, "_meta", "mcpl/rev"); rev != nil {
			text = "It states rev " + short(string(rev)) + ", and takes none itself."
		}
	}
	if text == "" {
		return
	}
	if b, err := log.Board(i); err != nil || !b.ToolHints {
		return
	}
	d.Add(Block{Head: "HINTS", Body: []Line{say(text)}})
}

func firstResult(f timeline.Frame) []byte {
	heads, _ := messages(f, 1)
	if len(heads) == 0 {
		return nil
	}
	return heads[0].Result
}

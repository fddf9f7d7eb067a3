package inspector

import (
	"bytes"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// AskWords tells a request of the server that waits, or a question within its
// answer, in a few words: what it asks, and the server's own words.
func AskWords(log *timeline.Log, call timeline.Call) (what, words string) {
	f, err := log.Frame(call.Index)
	if err != nil {
		return oneLine(call.Method), ""
	}
	h, ok := timeline.Asked(f, call.ID)
	if !ok {
		return oneLine(call.Method), ""
	}
	what, words = subject(h)
	return what, oneLine(words)
}

// inputWords says what an answer asks for: "elicitation/create: Deploy?".
func inputWords(questions []mcpl.Question) string {
	var out []string
	for _, q := range questions[:min(len(questions), maxListed)] {
		out = append(out, questionWords(q))
	}
	if len(out) == 0 {
		return "nothing but to be asked again"
	}
	return strings.Join(out, ", ")
}

func questionWords(q mcpl.Question) string {
	what, words := subject(wire.Head{Kind: wire.Request, Method: q.Method, Params: q.Params})
	if words != "" {
		what += ": " + oneLine(words)
	}
	return what
}

// input tells an exchange as one turn of a call: what its answer asks for, in
// which frame the call goes on, and where it came from (MCP 2026-07-28,
// "Multi Round-Trip Requests").
func (d *Doc) input(x *exchange) {
	if x.askedAt < 0 || !mcpl.AsksBack(x.question.Method) {
		return
	}
	b := Block{Head: "INPUT"}
	if wire.Member(x.question.Params, "inputResponses") != nil || wire.Member(x.question.Params, "requestState") != nil {
		b.add(say("This call goes on" + x.turnBefore() + ", with the answers to what was asked there."))
	}
	questions, asks := mcpl.Questions(x.reply)
	if x.answerAt >= 0 && asks {
		for _, q := range questions {
			b.add(spans(quiet(oneLine(orElse(q.Key, "without a name"))+"  "), plain(questionWords(q))))
		}
		b.add(say(x.turnAfter()))
	}
	if len(b.Body) > 0 {
		b.Note = "a call in several turns"
		d.Add(b)
	}
}

// turnBefore finds the answer that the request goes on from: with the state
// that it sends back.
func (x *exchange) turnBefore() string {
	state := wire.Member(x.question.Params, "requestState")
	for k := x.askedAt - 1; k >= 0 && k > x.askedAt-lookBack; k-- {
		if e := x.log.Entry(k); e.Dir != timeline.In || e.Kind != timeline.Result || e.Conn != x.log.Entry(x.askedAt).Conn {
			continue
		}
		f, err := x.log.Frame(k)
		if err != nil {
			continue
		}
		for m := range f.Messages {
			if _, asks := mcpl.Questions(m); asks && bytes.Equal(wire.Member(m.Result, "requestState"), state) {
				return " from frame " + seq(f.Seq)
			}
		}
	}
	return ""
}

// turnAfter finds the request with which the call goes on.
func (x *exchange) turnAfter() string {
	state, conn := wire.Member(x.reply.Result, "requestState"), x.log.Entry(x.answerAt).Conn
	for k := x.answerAt + 1; k < x.log.Len() && k < x.answerAt+lookBack; k++ {
		e := x.log.Entry(k)
		if e.Conn != conn || e.Dir == timeline.In || e.Dir == timeline.Out && e.Kind != timeline.Request {
			continue
		}
		f, err := x.log.Frame(k)
		if err != nil {
			continue
		}
		if f.Dir == timeline.Note {
			if f.Name == "input-dropped" && x.names(wire.Member(f.Data, "of")) {
				return "It was not sent again, says frame " + seq(f.Seq) + ": " + oneLine(member(f.Data, "reason")) + "."
			}
			continue
		}
		for m := range f.Messages {
			again := m.Method == x.question.Method && bytes.Equal(wire.Member(m.Params, "name"), wire.Member(x.question.Params, "name"))
			if again && bytes.Equal(wire.Member(m.Params, "requestState"), state) {
				return "The call goes on in frame " + seq(f.Seq) + "."
			}
		}
	}
	return "It was not sent again so far."
}

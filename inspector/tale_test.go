package inspector_test

import (
	"fmt"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

const slowCall = `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"status","_meta":{"progressToken":5}}}`

func progressed(token, rest string) string {
	return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + `,` + rest + `}}`
}

func logged(level, data string) string {
	return `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"` + level + `","logger":"db","data":` + data + `}}`
}

func TestProgressAndLogMessagesStandBesideTheCall(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.in(logged("info", `"before it"`))
	q := p.out(slowCall)
	p.in(progressed("5", `"progress":1,"total":4`))
	p.in(logged("warning", `"low on\nink"`))
	p.in(progressed("6", `"progress":3,"total":4`))
	p.in(logged("error", `{"code":7}`))
	p.in(progressed("5", `"progress":2,"total":4,"message":"half \u001b[31mway"`))
	got := print(inspector.Frame(p.log(), q))
	has(
		t, got, "PROGRESS    «told twice»", "▄▄▄▄▄▄▄▄▄▄··········  2 of 4   “half \x1b[31mway”",
		"LOG    «2 messages while it was open»", "warning  low on ink   db    «frame 10»", `error    {"code":7}   db    «frame 12»`,
	)
	hasNot(t, got, "before it   db", "·  3 of 4")
	p.in(`{"jsonrpc":"2.0","id":5,"result":{"content":[]}}`)
	p.in(logged("info", `"after it"`))
	has(t, print(inspector.Frame(p.log(), q)), "2 of 4", "2 messages while")
}

func TestOverHTTPALogMessageOnTheStreamOfAnotherCallIsNotOfThisOne(t *testing.T) {
	p := newTape(t)
	p.via = "http:post:4"
	q := p.out(slowCall)
	p.in(logged("info", `"mine"`))
	p.via = "http:post:5"
	p.in(logged("info", `"of another"`))
	p.via = "http:get:1"
	p.in(logged("info", `"of all"`))
	got := print(inspector.Frame(p.log(), q))
	has(t, got, "mine", "of all", "2 messages")
	hasNot(t, got, "«frame 3»")
}

func TestProgressIsDrawnWhateverAServerSays(t *testing.T) {
	for _, c := range []struct{ params, bar, words string }{
		{`"progress":0,"total":10`, "··········", "0 of 10"},
		{`"progress":9.99,"total":10`, "▄▄▄▄▄▄▄▄▄·", "9.99 of 10"},
		{`"progress":10,"total":10`, "▄▄▄▄▄▄▄▄▄▄", "10 of 10"},
		{`"progress":15,"total":10`, "▄▄▄▄▄▄▄▄▄▄", "15 of 10"},
		{`"progress":-5,"total":10`, "··········", "-5 of 10"},
		{`"progress":7`, "", "7 so far"},
		{`"progress":7,"total":0`, "", "7 so far"},
		{`"progress":1e300,"total":1e-300`, "▄▄▄▄▄▄▄▄▄▄", "1e+300 of 1e-300"},
		{`"progress":1e999,"total":1e999`, "", "+Inf of +Inf"},
		{`"progress":"much","total":[]`, "", "0 so far"},
	} {
		p := newTape(t)
		q := p.out(slowCall)
		i := p.in(progressed("5", c.params))
		log := p.log()
		tale := inspector.TaleOf(log, q, wire.ID("5"))
		tale.Hear(log, i)
		if bar, words := tale.Progress.Bar(10), tale.Progress.Words(); bar != c.bar || words != c.words {
			t.Errorf("%s: %q %q, want %q %q", c.params, bar, words, c.bar, c.words)
		}
	}
}

func TestAFloodOfLogMessagesIsCountedAndTheLastAreKept(t *testing.T) {
	p := newTape(t)
	q := p.out(slowCall)
	for i := range 50 {
		p.in(logged("debug", fmt.Sprintf(`"line %d."`, i)))
	}
	got := print(inspector.Frame(p.log(), q))
	has(t, got, "50 messages while it was open", "… 30 messages before", "line 49.", "line 30.")
	hasNot(t, got, "line 29. ")
}

func TestALateAnswerIsToldToBeLateAndItsHintsApply(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"play","_meta":{"mcpl/instance":"ada"}}}`)
	p.note("cancelled", `{"id":5}`)
	p.out(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)
	a := p.in(`{"jsonrpc":"2.0","id":5,"result":{"content":[],"_meta":{"mcpl/hints":{"rev":3,"tools":[{"name":"play","instance":"ada","visible":false}]}}}}`)
	log := p.log()
	has(t, print(inspector.Frame(log, a)), "! late: it was cancelled in frame 10; hints in it count all the same (toolHints 7)", "next in order after 2: applied")
	if b, err := log.Board(a); err != nil || b.LastRev != 3 {
		t.Errorf("the last rev is %d, %v", b.LastRev, err)
	}
}

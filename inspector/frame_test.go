package inspector_test

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

func TestRequestAndAnswerAreExplainedTogetherFromEitherSide(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	q := p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"play","_meta":{"mcpl/instance":"ada"}}}`)
	p.stderr("thinking")
	a := p.in(`{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"ok"}],"_meta":{"mcpl/hints":{"rev":3,"tools":[{"name":"play","instance":"ada","visible":false}]}}}}`)
	log := p.log()
	for _, i := range []int{q, a} {
		got := print(inspector.Frame(log, i))
		has(
			t, got, "tools/call play @ ada    «#5   20 ms   ok»",
			"ASKED    «→ frame 9   0:00.090   103 B»", `json {"jsonrpc":"2.0","id":5,"method":"tools/call"`,
			"ANSWERED    «← frame 11", `json {"jsonrpc":"2.0","id":5,"result"`,
			"MEANWHILE    «between the two frames»", "┆ 10  thinking",
			"HINTS    «rev 3»", "next in order after 2: applied", "- play      was usable, hidden now",
		)
		has(t, got, "JUDGED", "✓ play was usable in ada when it was sent    «by rev 2, frame 8»", "! its arguments break its schema, as declared in frame 4", "at is missing")
	}
	if d := inspector.Frame(log, a); d.Note != "frame 11" || d.Title != "" {
		t.Errorf("title %q, note %q", d.Title, d.Note)
	}
	if d := inspector.Frame(log, q); d.Blocks[1].Fold || !d.Blocks[2].Fold {
		t.Error("of a pair the other one is folded, not the one that is looked at")
	}
}

func TestACallToAHiddenToolThatIsRefusedWithAToolErrorIsJudgedRight(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	p.push(1, "mv-1", "undo is allowed", `{"rev":3,"tools":[{"name":"undo","visible":true}]}`)
	p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"undo","_meta":{"mcpl/instance":"ada"}}}`)
	a := p.in(`{"jsonrpc":"2.0","id":5,"result":{"isError":true,"content":[{"type":"text","text":"no"}]}}`)
	got := print(inspector.Frame(p.log(), a))
	has(
		t, got, "✓ as it should be: undo was hidden in ada", "(toolHints 3)",
		"WHY undo WAS HIDDEN", "rev 3 named no instance, so its visible: true was ignored    «✗ hints-instance-missing»",
		"none in this answer; its rev would stand here.",
	)
}

func TestWhatCannotBeProvedIsNotJudged(t *testing.T) {
	usable := func(p *tape) { p.openGame(4, "ada", 2) }
	for name, c := range map[string]struct {
		before   func(p *tape)
		tool, in string
		answer   string
	}{
		"the tool was usable":            {usable, "play", "ada", `{"isError":true,"content":[{"type":"text","text":"no"}]}`},
		"the call succeeded":             {usable, "undo", "ada", `{"content":[]}`},
		"no instance was named":          {usable, "undo", "", `{"isError":true,"content":[{"type":"text","text":"which?"}]}`},
		"the error says nothing":         {usable, "undo", "ada", `{"isError":true,"content":[]}`},
		"nobody knows the tool":          {usable, "fly", "", `{"isError":true,"content":[{"type":"text","text":"no"}]}`},
		"it became usable meanwhile":     {usable, "undo", "ada", `{"isError":true,"content":[{"type":"text","text":"no"}],"_meta":{"mcpl/hints":{"rev":3,"tools":[{"name":"undo","instance":"ada","visible":true}]}}}`},
		"toolHints were not negotiated":  {nil, "play", "ada", `{"isError":true,"content":[{"type":"text","text":"no"}]}`},
		"it was a JSON-RPC error at all": {usable, "undo", "ada", ``},
	} {
		t.Run(name, func(t *testing.T) {
			p := newTape(t)
			if c.before != nil {
				p.negotiated()
				c.before(p)
			}
			p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"` + c.tool + `","_meta":{"mcpl/instance":"` + c.in + `"}}}`)
			member := `"result":` + c.answer
			if c.answer == "" {
				member = `"error":{"code":-32602,"message":"no"}`
			}
			a := p.in(`{"jsonrpc":"2.0","id":5,` + member + `}`)
			hasNot(t, print(inspector.Frame(p.log(), a)), "as it should be")
		})
	}
}

func TestAClosedToolsetIsNamedWhenACallIsRefused(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"say"}}`)
	a := p.in(`{"jsonrpc":"2.0","id":5,"result":{"isError":true,"content":[{"type":"text","text":"open chat first"}]}}`)
	has(
		t, print(inspector.Frame(p.log(), a)), "say was in a toolset that is not open",
		"WHY say WAS CLOSED", "the toolset chat is closed, and was never open",
	)
}

func TestARequestWithoutAnswerSaysWhatIsKnownOfIt(t *testing.T) {
	ask := func(p *tape) int { return p.out(`{"jsonrpc":"2.0","id":5,"method":"ping"}`) }
	for name, c := range map[string]struct {
		then func(p *tape)
		want string
	}{
		"it is open":                  {func(p *tape) { p.stderr("x") }, "No answer so far."},
		"it was cancelled":            {func(p *tape) { p.note("cancelled", `{"id":5}`) }, "It was cancelled in frame 2. No answer so far."},
		"a message cancelled it":      {func(p *tape) { p.out(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`) }, "It was cancelled in frame 2."},
		"another one was cancelled":   {func(p *tape) { p.note("cancelled", `{"id":"5"}`) }, "No answer so far."},
		"it timed out":                {func(p *tape) { p.note("timeout", `{"id":5}`) }, "It timed out in frame 2."},
		"the connection ended":        {func(p *tape) { p.note("closed", `{"by":"server"}`) }, "No answer came before the connection ended."},
		"another connection followed": {func(p *tape) { p.conn = 2; p.note("connect", "") }, "No answer came before the connection ended."},
	} {
		t.Run(name, func(t *testing.T) {
			p := newTape(t)
			i := ask(p)
			c.then(p)
			got := print(inspector.Frame(p.log(), i))
			has(t, got, c.want, "«#5   no answer»")
		})
	}
}

func TestAnAnswerToNoRequestIsAFinding(t *testing.T) {
	p := newTape(t)
	i := p.in(`{"jsonrpc":"2.0","id":9,"result":{}}`)
	has(t, print(inspector.Frame(p.log(), i)), "an answer to no request", "✗ No request with this id")
}

func TestWhatIsNoMessageSaysWhy(t *testing.T) {
	for body, want := range map[string]string{
		"Listening on 80":                     "This is no JSON: invalid character 'L' looking for beginning of value, byte 1.",
		`{"jsonrpc":"2.0","id":1`:             "unexpected end of JSON input",
		"\xff\xfe":                            "no UTF-8",
		"":                                    "An empty line is no message.",
		"[]":                                  "An empty array is no JSON-RPC batch.",
		`{"a":1}`:                             "neither method nor id",
		`"hello"`:                             "JSON, but no object",
		`{"jsonrpc":"2.0","id":3}`:            "an id but no method, result or error",
		strings.Repeat("[", 20_000):           "This is no JSON",
		`{"a":1} {"b":2}`:                     "after top-level value",
		"{\n  \"jsonrpc\": \"2.0\"\n}":        "neither method nor id",
		"\x1b[31mred\x1b[0m":                  "This is no JSON",
		`{"jsonrpc":"2.0","method":7,"id":1}`: "an id but no method",
	} {
		p := newTape(t)
		i := p.in(body)
		got := print(inspector.Frame(p.log(), i))
		has(t, got, want, "✗ ")
	}
}

func TestABatchShowsEachOfItsMessages(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	i := p.in(`[{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":2,"tools":[{"name":"rematch","visible":true}]}},` +
		`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"late"}]}},{"a":1},` +
		`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":3,"tools":[{"name":"rematch","visible":false}]}}]`)
	has(
		t, print(inspector.Frame(p.log(), i)), "a batch of 4 messages", "MESSAGE 1    «tools/hints»",
		"MESSAGE 2    «ok  #7»", "late", "MESSAGE 3    «invalid»", "neither method nor id", "MESSAGE 4",
		"HINTS    «rev 2»", "+ rematch", "«rev 3»", "- rematch",
	)
}

func TestAHugeBatchIsListedInPart(t *testing.T) {
	p := newTape(t)
	i := p.in("[" + strings.Repeat(`{"jsonrpc":"2.0","method":"x"},`, 999) + `{"jsonrpc":"2.0","method":"x"}]`)
	d := inspector.Frame(p.log(), i)
	has(t, print(d), "a batch of 1000 messages", "… 960 more")
	if len(d.Blocks) > 60 {
		t.Errorf("%d blocks", len(d.Blocks))
	}
}

func TestStderrTellsWhichRequestsWereOpenMeanwhile(t *testing.T) {
	p := newTape(t)
	p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"slow"}}`)
	i := p.stderr("working")
	has(t, print(inspector.Frame(p.log(), i)), "a line on stderr", "text working", "MEANWHILE OPEN", "→ 1  tools/call slow")
}

func TestNotesAreExplainedInWords(t *testing.T) {
	p := newTape(t)
	p.note("connect", `{"command":["node"]}`)
	p.out(`{"jsonrpc":"2.0","id":5,"method":"ping"}`)
	p.note("timeout", `{"id":5}`)
	p.note("mark", `{"text":"here"}`)
	p.note("closed", `{"by":"server","code":137}`)
	log := p.log()
	for i, want := range []string{
		"began to make a connection", "", "The time limit of this request is over.", "mark  “here”", "closed by server, exit code 137",
	} {
		has(t, print(inspector.Frame(log, i)), want)
	}
	has(t, print(inspector.Frame(log, 2)), "REQUEST", "→ 2  ping")
	has(t, print(inspector.Frame(log, 4)), "STILL OPEN", "→ 2  ping")
	has(t, print(inspector.Frame(log, 0)), `json {"command":["node"]}`)
}

func TestALongTextIsShownAsTextToo(t *testing.T) {
	p := newTape(t)
	p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"read"}}`)
	i := p.in(`{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"one\ntwo"},{"type":"text","text":"three"}]}}`)
	has(t, print(inspector.Frame(p.log(), i)), "TEXT    «13 B»", "text one\ntwo\nthree")
}

func TestAListStatesItsRevAndTakesNone(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	has(t, print(inspector.Frame(p.log(), 3)), "It states rev 0, and takes none itself.")
}

func TestWithoutToolHintsNothingIsSaidOfHints(t *testing.T) {
	p := newTape(t)
	p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"read"}}`)
	i := p.in(`{"jsonrpc":"2.0","id":5,"result":{"content":[]}}`)
	hasNot(t, print(inspector.Frame(p.log(), i)), "HINTS")
}

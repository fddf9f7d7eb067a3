package inspector_test

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

// line is what a list shows of a headline.
func line(h inspector.Headline) string {
	indent := ""
	if h.Indent {
		indent = "  "
	}
	return strings.TrimSpace(h.Arrow+" "+indent+h.Text()) + " | " + h.ID
}

func TestEachKindOfFrameHasItsLine(t *testing.T) {
	const rpc = `{"jsonrpc":"2.0",`
	for name, c := range map[string]struct {
		write func(p *tape) int
		want  string
	}{
		"a call names tool and instance": {func(p *tape) int {
			return p.out(rpc + `"id":28,"method":"tools/call","params":{"name":"play","_meta":{"mcpl/instance":"vs-ada"}}}`)
		}, "→ tools/call play@vs-ada | #28"},
		"an answer stands under what it answers": {func(p *tape) int {
			p.out(rpc + `"id":28,"method":"tools/call","params":{"name":"play"}}`)
			return p.in(rpc + `"id":28,"result":{"content":[{"type":"text","text":"Black\n E7"}]}}`)
		}, "←   ok  Black E7 | #28"},
		"an image has the size of its bytes, not of their base64 and its padding": {func(p *tape) int {
			p.out(rpc + `"id":28,"method":"tools/call","params":{"name":"photo"}}`)
			return p.in(rpc + `"id":28,"result":{"content":[{"type":"image","mimeType":"image/png","data":"AA=="},{"type":"image","data":"AAAA"}]}}`)
		}, "←   ok  [image, 1 B] [image, 3 B] | #28"},
		"a tool error says so before its words": {func(p *tape) int {
			p.out(rpc + `"id":28,"method":"tools/call","params":{"name":"play"}}`)
			return p.in(rpc + `"id":28,"result":{"isError":true,"content":[{"type":"text","text":"not your turn"}]}}`)
		}, "←   ! tool error  not your turn | #28"},
		"a JSON-RPC error keeps its code": {func(p *tape) int {
			p.out(rpc + `"id":"a","method":"x/y"}`)
			return p.in(rpc + `"id":"a","error":{"code":-32601,"message":"no such method"}}`)
		}, "←   ! error -32601  no such method | #a"},
		"an answer to nothing is told apart": {func(p *tape) int {
			return p.in(rpc + `"id":77,"result":{}}`)
		}, "←   ok (to no request) | #77"},
		"a push is quoted": {func(p *tape) int {
			return p.push(10, "mv-1", "White plays D3.", `{"rev":1}`)
		}, "← push/event mv-1  “White plays D3.” | s10"},
		"a push that was accepted": {func(p *tape) int {
			return p.push(10, "mv-1", "x", `{"rev":1}`) + 1
		}, "→   accepted | s10"},
		"a push that was refused gives the reason": {func(p *tape) int {
			p.in(rpc + `"id":5,"method":"push/event","params":{"eventId":"e"}}`)
			return p.out(rpc + `"id":5,"result":{"accepted":false,"reason":"quiet hours"}}`)
		}, "→   refused  quiet hours | s5"},
		"a pushed image has its size, too": {func(p *tape) int {
			return p.in(rpc + `"id":5,"method":"push/event","params":{"eventId":"e","payload":{"content":[{"type":"image","data":"AAAA"}]}}}`)
		}, "← push/event e  “[image, 3 B]” | s5"},
		"hints alone":         {func(p *tape) int { return p.in(rpc + `"method":"tools/hints","params":{"rev":1}}`) }, "← tools/hints |"},
		"a list is counted":   {func(p *tape) int { p.negotiated(); return 3 }, "←   ok  6 tools | #2"},
		"the server's name":   {func(p *tape) int { p.negotiated(); return 1 }, "←   ok  s 1 | #1"},
		"what is open":        {func(p *tape) int { p.negotiated(); return 5 }, "←   ok  0 open | #3"},
		"an open with a name": {func(p *tape) int { p.negotiated(); return p.openGame(4, "ada", 2) - 1 }, "→ toolsets/open game ada | #4"},
		"progress": {func(p *tape) int {
			return p.in(rpc + `"method":"notifications/progress","params":{"progress":5,"total":10,"message":"half"}}`)
		}, "← notifications/progress 5 of 10  half |"},
		"a batch is counted": {func(p *tape) int {
			return p.in(`[` + rpc + `"method":"tools/hints","params":{}},` + rpc + `"method":"x"}]`)
		}, "← batch of 2: tools/hints |"},
		"a log line on stdout": {func(p *tape) int { return p.in("Listening on port 80") }, "← ! no JSON  Listening on port 80 |"},
		"bytes":                {func(p *tape) int { return p.in("\xff\xfe") }, "← ! no UTF-8  \xff\xfe |"},
		"JSON of another kind": {func(p *tape) int { return p.in(`{"level":"info"}`) }, `← ! no JSON-RPC message  {"level":"info"} |`},
		"an empty batch":       {func(p *tape) int { return p.in(`[]`) }, `← ! empty batch  [] |`},
		"stderr":               {func(p *tape) int { return p.stderr("\tat main") }, "┆ stderr  at main |"},
		"connected":            {func(p *tape) int { return p.note("connected", "") }, "connected |"},
		"closed with a code":   {func(p *tape) int { return p.note("closed", `{"by":"server","code":1}`) }, "closed by server, exit code 1 |"},
		"closed by a code": {func(p *tape) int {
			return p.note("closed", `{"by":"server","code":1001,"via":"ws","reason":"going away: bye"}`)
		}, "closed by server, close code 1001  going away: bye |"},
		"a binary frame":     {func(p *tape) int { return p.note("binary", `{"bytes":12,"b64":"AA=="}`) }, "binary frame of 12 bytes, ignored |"},
		"closed by a signal": {func(p *tape) int { return p.note("closed", `{"by":"server","signal":"SIGKILL"}`) }, "closed by server, signal SIGKILL |"},
		"a mark":             {func(p *tape) int { return p.note("mark", `{"text":"second game"}`) }, "mark  “second game” |"},
		"cancelled":          {func(p *tape) int { return p.note("cancelled", `{"id":28}`) }, "cancelled | #28"},
		"a time-out":         {func(p *tape) int { return p.note("timeout", `{"id":28}`) }, "timed out | #28"},
		"lost":               {func(p *tape) int { return p.note("lost", `{"count":12}`) }, "lost: 12 frames could not be kept |"},
		"a page to visit": {func(p *tape) int {
			return p.in(rpc + `"id":"e","method":"elicitation/create","params":{"mode":"url","message":"log in"}}`)
		}, "← elicitation/create url  “log in” | e"},
		"a page that was visited": {func(p *tape) int {
			return p.in(rpc + `"method":"notifications/elicitation/complete","params":{"elicitationId":"x1"}}`)
		}, "← notifications/elicitation/complete x1 |"},
		"a sample quotes the last message": {func(p *tape) int {
			return p.in(rpc + `"id":"s","method":"sampling/createMessage","params":{"messages":[{"content":"no"},{"content":{"type":"text","text":"a joke"}}]}}`)
		}, "← sampling/createMessage  “a joke” | s"},
		"an inference quotes it, too": {func(p *tape) int {
			return p.in(rpc + `"id":"s","method":"inference/request","params":{"messages":[{"content":"yes?"}]}}`)
		}, "← inference/request  “yes?” | s"},
		"channels are named": {func(p *tape) int {
			return p.in(rpc + `"id":"s","method":"channels/register","params":{"channels":[{"id":"a"},7,{"id":"b"}]}}`)
		}, "← channels/register  a, b | s"},
		"a host that is strict": {func(p *tape) int {
			return p.note("host", `{"push":"refuse","answers":"late","after":0.5,"hints":"ignored"}`)
		}, "host: answers 500 ms late, pushes refused, hints ignored |"},
		"a host that is silent":       {func(p *tape) int { return p.note("host", `{"answers":"never","as":"plain"}`) }, "host: plain MCP, silent |"},
		"a host without hints":        {func(p *tape) int { return p.note("host", `{"as":"no-toolhints"}`) }, "host: no toolHints |"},
		"a host as it should be":      {func(p *tape) int { return p.note("host", `{}`) }, "host: as it should be |"},
		"an answer that is held back": {func(p *tape) int { return p.note("held-back", `{"id":"s1","after":0.5}`) }, "answer held back for 0.5 s | #s1"},
		"an answer that never goes":   {func(p *tape) int { return p.note("held-back", `{"id":7}`) }, "answer held back for good | #7"},
		"a group":                     {func(p *tape) int { return p.note("group-open", `{"toolset":"debug"}`) }, "group debug opened here |"},
		"a note from later":           {func(p *tape) int { return p.note("eclipse", `{"a":1}`) }, `eclipse  {"a":1} |`},
	} {
		t.Run(name, func(t *testing.T) {
			p := newTape(t)
			i := c.write(p)
			if got := strings.TrimRight(line(inspector.HeadlineOf(p.log(), i)), " "); got != c.want {
				t.Errorf("\n got %q\nwant %q", got, c.want)
			}
			ownsWhatItAdds(t, p.log(), i)
		})
	}
}

// ownsWhatItAdds looks at each part of each word of a headline: where the
// message does not have it, Own must know that it may be there.
func ownsWhatItAdds(t *testing.T, log *timeline.Log, i int) {
	t.Helper()
	f, err := log.Frame(i)
	if err != nil {
		t.Fatal(err)
	}
	body := strings.ToLower(string(f.Body))
	for _, word := range strings.Fields(strings.ToLower(inspector.HeadlineOf(log, i).Text())) {
		for from := range word {
			for to := from + 1; to <= len(word); to++ {
				part := word[from:to]
				if strings.ContainsFunc(part, func(r rune) bool { return r <= ' ' || r >= 0x7f }) || strings.Contains(body, part) {
					continue
				}
				if own := inspector.NewOwn(part); !own.May(log.Entry(i), f.Body) {
					t.Errorf("%s says %q, which only the headline has", f.Body, part)
				}
			}
		}
	}
}

func TestAWordThatOnlyAMessageCanSayIsKnown(t *testing.T) {
	p := newTape(t)
	i := p.in(`{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`)
	n := p.note("mark", `{"text":"x"}`)
	log := p.log()
	for word, want := range map[string]bool{"nowhere": false, "rook": false, "19998": false, "oo": true, "ok": true, "12": true, "a@b": true} {
		own := inspector.NewOwn(word)
		if got := own.May(log.Entry(i), p.all[i].Body); got != want {
			t.Errorf("%s: %v, want %v", word, got, want)
		}
		if !own.May(log.Entry(n), nil) {
			t.Errorf("%s: of a note it is not known", word)
		}
	}
}

func TestAHeadlineKnowsWhetherItsRequestIsOpenAndHowLongAnAnswerTook(t *testing.T) {
	p := newTape(t)
	a := p.out(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	b := p.out(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	p.stderr("x")
	r := p.in(`{"jsonrpc":"2.0","id":2,"result":{}}`)
	log := p.log()
	if h := inspector.HeadlineOf(log, a); !h.Open || !h.Asked || h.HasTook {
		t.Errorf("the open one: %+v", h)
	}
	if h := inspector.HeadlineOf(log, b); h.Open {
		t.Errorf("the answered one: %+v", h)
	}
	if h := inspector.HeadlineOf(log, r); !h.HasTook || inspector.Took(h.Took) != "20 ms" || h.Outcome != inspector.OK {
		t.Errorf("the answer: %+v", h)
	}
}

func TestWhatALongMessageSaysIsBounded(t *testing.T) {
	p := newTape(t)
	p.out(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + strings.Repeat("n", 1<<16) + `"}}`)
	p.in(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + strings.Repeat(`\\é\ud83d\ude00`, 1<<16) + `"}]}}`)
	p.stderr(strings.Repeat("e", 1<<20))
	p.in(strings.Repeat("g", 1<<20))
	p.note("mark", `{"text":"`+strings.Repeat("m", 1<<16)+`"}`)
	log := p.log()
	for i := range log.Len() {
		if h := inspector.HeadlineOf(log, i); len(h.Text()) > 2000 || len(h.ID) > 700 {
			t.Errorf("frame %d: %d bytes", i+1, len(h.Text()))
		} else if strings.Contains(h.Text(), "�") {
			t.Errorf("frame %d: cut inside of a letter: %q", i+1, h.Text()[len(h.Text())-40:])
		}
	}
}

func TestAFrameThatCannotBeReadSaysSo(t *testing.T) {
	p := newTape(t)
	p.out(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	src := &failing{Tape: p.all}
	log := timeline.NewLog(src)
	if _, err := log.Advance(10); err != nil {
		t.Fatal(err)
	}
	src.broken = true
	if h := inspector.HeadlineOf(log, 0); !strings.Contains(h.What, "cannot be read") {
		t.Errorf("%+v", h)
	}
	has(t, print(inspector.Frame(log, 0)), "cannot be read")
}

type failing struct {
	timelinetest.Tape
	broken bool
}

func (f *failing) Frame(i int) (timeline.Frame, error) {
	if f.broken {
		return timeline.Frame{}, errGone
	}
	return f.Tape.Frame(i)
}

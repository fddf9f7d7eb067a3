package inspector_test

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

// say puts a sentence together as row 3 does, without ages.
func say(s inspector.Sentence) string {
	words := s.Words
	if s.Quoted {
		words = "“" + words + "”"
	}
	parts := []string{s.About, s.Arrow + " " + s.Carrier, words, s.Toolset + " " + s.Place}
	for _, c := range s.Changes {
		parts = append(parts, c.Sign+" "+c.Name)
	}
	parts = append(parts, s.Notes...)
	var out []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " · ")
}

func TestRow3TellsARevInOneSentence(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	p.push(1, "mv-1", "Your move.\nQuick!", `{"rev":3,"tools":[{"name":"play","instance":"ada","visible":true,"definition":{"description":"new"}},{"name":"undo","instance":"ada","visible":true}]}`)
	p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":4,"reason":"Kai left","tools":[{"name":"rematch","visible":true},{"name":"undo","visible":false}]}}`)
	p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":5,"tools":[{"name":"undo","visible":false}]}}`)
	p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":4}}`)
	p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":8,"toolsets":[{"toolset":"chat","state":"open"}],"suggest":[{"toolset":"game"}]}}`)
	p.openGame(5, "bob", 9)
	p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":10,"tools":[{"name":"undo","instance":"bob","visible":true},{"name":"play","instance":"ada","visible":false}]}}`)
	log := p.log()
	for n, want := range []string{
		"rev 1 · nothing is open",
		"rev 2 · → open game ada · game ada · + play",
		"rev 3 · ← push · “Your move. Quick!” · game ada · + undo · ~ play",
		"rev 4 · ← hints · Kai left · + rematch · ✗ 1 entry ignored",
		"rev 5 · ← hints · no tool changed · ✗ 1 entry ignored",
		"rev 4 · ← hints · ✗ repeat: not applied",
		"rev 8 · ← hints · ◆ chat · ? game · ✗ after a gap",
		"rev 9 · → open game bob · game bob · + play",
		"rev 10 · ← hints · + undo@bob · - play@ada",
	} {
		if got := say(inspector.RowSentence(log, n)); got != want {
			t.Errorf("row %d\n got %s\nwant %s", n, got, want)
		}
	}
	if got := say(latest(log)); !strings.HasPrefix(got, "rev 10") {
		t.Errorf("latest: %s", got)
	}
}

func TestRow3TellsAFrameWithoutRev(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	q := p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"undo","_meta":{"mcpl/instance":"ada"}}}`)
	e := p.stderr("refused")
	a := p.in(`{"jsonrpc":"2.0","id":5,"result":{"isError":true,"content":[{"type":"text","text":"Ada has not agreed."}]}}`)
	push := p.in(`{"jsonrpc":"2.0","id":"s1","method":"push/event","params":{"eventId":"e","payload":{"content":[{"type":"text","text":"hi"}]}}}`)
	acc := p.out(`{"jsonrpc":"2.0","id":"s1","result":{"accepted":true}}`)
	log := p.log()
	for i, want := range map[int]string{
		q:    "frame 9 · → call undo @ ada",
		e:    "frame 10 · ┆ stderr · refused",
		a:    "frame 11 · ← answer to undo @ ada: tool error · “Ada has not agreed.” · no rev, no tool changed",
		push: "frame 12 · ← push · “hi” · no rev, no tool changed",
		acc:  "frame 13 · → answer to push: accepted",
		7:    "rev 2 · → open game ada · game ada · + play",
		99:   "",
	} {
		if got := say(inspector.Here(log, i)); got != want {
			t.Errorf("frame %d\n got %s\nwant %s", i+1, got, want)
		}
	}
}

func TestRow3TellsHowAConnectionEnded(t *testing.T) {
	for want, data := range map[string]string{
		"the process ended · with exit code 1 · before it answered initialize":                                      `{"by":"server","code":1}`,
		"the process ended · by signal SIGKILL · before it answered initialize":                                     `{"by":"server","signal":"SIGKILL"}`,
		"the process ended · after it closed its output · by signal SIGTERM · before it answered initialize":        `{"by":"server","signal":"SIGTERM","reason":"the server closed its output"}`,
		"the process ended · out of memory · with exit code 4 · before it answered initialize":                      `{"by":"server","code":4,"reason":"out of memory"}`,
		"the process ended · pipe broke · before it answered initialize":                                            `{"by":"link","reason":"pipe broke"}`,
		"the connection was closed · by the debugger: the server refused its grant · before it answered initialize": `{"by":"host","reason":"the server refused its grant"}`,
		"the connection was closed · by the debugger · before it answered initialize":                               `{"by":"host","code":0}`,
	} {
		p := newTape(t)
		p.note("connect", "")
		p.out(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
		p.note("closed", data)
		s := latest(p.log())
		if got := say(s); got != want || s.Kind != inspector.OfEnd {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	}
	p := newTape(t)
	p.via = "ws"
	p.negotiated()
	p.note("closed", `{"by":"server","code":1008,"via":"ws","reason":"against its policy"}`)
	if got := say(latest(p.log())); got != "the connection ended · with close code 1008 · against its policy" {
		t.Errorf("%s", got)
	}
}

func TestRow3WithoutRevsTellsTheLastMessage(t *testing.T) {
	p := newTape(t)
	if got := say(latest(p.log())); got != "" {
		t.Errorf("before the first frame: %s", got)
	}
	p.note("connect", "")
	if got := say(latest(p.log())); got != "frame 1 · connect" {
		t.Errorf("%s", got)
	}
	p.out(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	p.stderr("starting")
	if got := say(latest(p.log())); got != "frame 2 · → initialize" {
		t.Errorf("%s", got)
	}
}

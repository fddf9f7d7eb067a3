package inspector_test

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

// begins writes the handshake of the connection n, which took the place of
// the one before.
func (p *tape) begins(n int, how, tools, statement string) {
	p.conn = n
	p.note("connect", how)
	p.out(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"experimental":{"mcpl":{"toolHints":true}}}}}`)
	p.in(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"s","version":"1"},"capabilities":{"experimental":{"mcpl":{"version":"0.5","toolHints":true,` +
		`"toolsets":{"game":{"title":"Go","instances":true},"chess":{}}}}}}}`)
	p.out(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	p.in(`{"jsonrpc":"2.0","id":2,"result":{"tools":[` + tools + `]}}`)
	p.out(`{"jsonrpc":"2.0","id":3,"method":"toolsets/list"}`)
	p.in(`{"jsonrpc":"2.0","id":3,"result":` + statement + `}`)
}

const seamTools = `{"name":"status","description":"Who you are now","inputSchema":{"type":"object"}},` +
	`{"name":"play","description":"Place","inputSchema":{"type":"object","required":["at"],"properties":{"at":{"type":"string","enum":["A1","B2","C3"]}}},"_meta":{"mcpl/toolset":"game"}},` +
	`{"name":"hint","inputSchema":{"type":"object"},"_meta":{"mcpl/toolset":"game"}}`

func TestASeamTellsWhatSurvivedWhatEndedAndWhatIsNew(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	p.openGame(5, "bob", 3)
	p.openGame(6, "eve", 4)
	p.note("closed", `{"by":"link"}`)
	p.conn = 2 // a try that came to nothing
	p.note("connect", `{"after":1}`)
	p.note("closed", `{"by":"link","reason":"refused"}`)
	ended := `[{"id":"e1","toolset":"game","instance":"bob","reason":"Bob left."}]`
	p.begins(3, `{"after":2}`, seamTools, `{"open":[{"toolset":"game","instance":"ada"},{"toolset":"game","instance":"kim"}],"ended":`+ended+
		`,"_meta":{"mcpl/hints":{"rev":1,"tools":[{"name":"play","instance":"ada","definition":{"description":"Move 3"}}]}}}`)
	log := p.log()
	row := log.RowCount() - 1
	want := "rev 3.1 · game ada survived · game bob ended “Bob left.” · game eve gone without a word · opened: game kim · " +
		"new tools: hint · tools gone: rematch, undo, say and 1 more · new toolsets: chess · toolsets gone: chat · redefined: status, play @ ada"
	if got := say(inspector.RowSentence(log, row)); got != want {
		t.Errorf("row 3\n got %s\nwant %s", got, want)
	}
	doc := print(inspector.Row(log, row))
	for _, part := range []string{"SINCE CONNECTION 1", "survived   game ada", "◇ ended      game bob  “Bob left.”", "◇ gone       game eve", "+ new tool   hint", "~ redefined  play @ ada"} {
		if !strings.Contains(doc, part) {
			t.Errorf("INSPECT does not say %q:\n%s", part, doc)
		}
	}
	begun := -1 // the note at which it begins says it, too
	for i := range log.Len() {
		if f, _ := log.Frame(i); f.Conn == 3 && f.Name == "connect" {
			begun = i
		}
	}
	if doc := print(inspector.Frame(log, begun)); !strings.Contains(doc, "SINCE CONNECTION 1") || !strings.Contains(doc, "connect again, after connection 2") {
		t.Errorf("the note says\n%s", doc)
	}
	// The same end is told once.
	p.note("closed", `{"by":"link"}`)
	p.begins(4, `{"after":3}`, seamTools, `{"open":[{"toolset":"game","instance":"ada"}],"ended":[{"id":"e1","toolset":"game","instance":"bob","reason":"Bob left."},{"id":"e2","toolset":"game","instance":"kim"}],"_meta":{"mcpl/hints":{"rev":1,"tools":[{"name":"play","instance":"ada","definition":{"description":"Move 3"}}]}}}`)
	log = p.log()
	if got := say(latest(log)); got != "rev 4.1 · game ada survived · game kim ended" {
		t.Errorf("after the next one: %s", got)
	}
	p.note("changed", `{"files":["src/server.js"]}`)
	p.note("closed", `{"by":"host"}`)
	p.begins(5, `{"after":4}`, seamTools, `{"open":[{"toolset":"game","instance":"ada"}],"ended":[],"_meta":{"mcpl/hints":{"rev":1,"tools":[{"name":"play","instance":"ada","definition":{"description":"Move 3"}}]}}}`)
	if got := say(latest(p.log())); got != "rev 5.1 · src/server.js changed · game ada survived" {
		t.Errorf("after a change of files: %s", got)
	}
}

func TestAServerWithoutRevsTellsItsSeamToo(t *testing.T) {
	p := newTape(t)
	hello := func(conn int, how, tools string) {
		p.conn = conn
		p.note("connect", how)
		p.out(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
		p.in(`{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"plain"},"capabilities":{"tools":{}}}}`)
		p.out(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
		if tools != "" {
			p.in(`{"jsonrpc":"2.0","id":2,"result":{"tools":[` + tools + `]}}`)
		}
	}
	hello(1, `{}`, `{"name":"a"}`)
	p.note("changed", `{"files":["s.js","t.js"]}`)
	p.note("closed", `{"by":"host"}`)
	hello(2, `{"after":1}`, "")
	if got := say(latest(p.log())); got != "connection 2 · s.js, t.js changed, the server is started anew" {
		t.Errorf("while it starts: %s", got)
	}
	p.in(`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"},{"name":"b"}]}}`)
	if got := say(latest(p.log())); got != "connection 2 · s.js, t.js changed · new tools: b" {
		t.Errorf("when it is there: %s", got)
	}
	p.out(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"b"}}`)
	if got := say(latest(p.log())); strings.Contains(got, "changed") {
		t.Errorf("after a call: %s", got)
	}
}

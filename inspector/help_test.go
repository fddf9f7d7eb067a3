package inspector_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

// tape writes a session, a frame each 10 ms.
type tape struct {
	t    testing.TB
	all  timelinetest.Tape
	conn int
	via  string
}

func newTape(t testing.TB) *tape { return &tape{t: t, conn: 1, via: "stdio"} }

func (p *tape) add(f timeline.Frame) int {
	f.Seq, f.Conn, f.T = int64(len(p.all)+1), p.conn, time.Duration(len(p.all)+1)*10*time.Millisecond
	p.all = append(p.all, f)
	return len(p.all) - 1
}

func (p *tape) out(body string) int {
	return p.add(timeline.Frame{Dir: timeline.Out, Via: p.via, Body: []byte(body), Form: wire.FormOf([]byte(body))})
}

func (p *tape) in(body string) int {
	return p.add(timeline.Frame{Dir: timeline.In, Via: p.via, Body: []byte(body), Form: wire.FormOf([]byte(body))})
}

func (p *tape) stderr(line string) int {
	return p.add(timeline.Frame{Dir: timeline.Err, Via: p.via, Body: []byte(line), Form: wire.FormOf([]byte(line))})
}

func (p *tape) note(name, data string) int {
	return p.add(timeline.Frame{Dir: timeline.Note, Name: name, Data: []byte(data)})
}

func (p *tape) log() *timeline.Log {
	p.t.Helper()
	return timelinetest.Log(p.t, p.all)
}

// negotiated writes a handshake with toolHints: a toolset game with
// instances, one chat without, tools in both, one loose and one static.
func (p *tape) negotiated() {
	p.out(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"experimental":{"mcpl":{"toolHints":true}}}}}`)
	p.in(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"s","version":"1"},"capabilities":{"experimental":{"mcpl":{"version":"0.5","toolHints":true,` +
		`"toolsets":{"game":{"title":"Go","instances":true,"options":{"type":"object","properties":{"size":{"type":"integer"}}}},"chat":{"title":"Talk"}}}}}}}`)
	p.out(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	p.in(`{"jsonrpc":"2.0","id":2,"result":{"tools":[` +
		`{"name":"status","description":"Who you are","inputSchema":{"type":"object"}},` +
		`{"name":"rematch","inputSchema":{"type":"object"},"_meta":{"mcpl/presence":"dynamic","mcpl/visible":false}},` +
		`{"name":"play","description":"Place","inputSchema":{"type":"object","required":["at"],"properties":{"at":{"type":"string","enum":["A1","B2","C3"]}}},"_meta":{"mcpl/toolset":"game"}},` +
		`{"name":"undo","inputSchema":{"type":"object"},"_meta":{"mcpl/toolset":"game"}},` +
		`{"name":"say","inputSchema":{"type":"object"},"_meta":{"mcpl/toolset":"chat"}},` +
		`{"name":"dump","inputSchema":{"type":"object"},"_meta":{"mcpl/toolset":"debug"}}],"_meta":{"mcpl/rev":0}}}`)
	p.out(`{"jsonrpc":"2.0","id":3,"method":"toolsets/list"}`)
	p.in(`{"jsonrpc":"2.0","id":3,"result":{"open":[],"_meta":{"mcpl/hints":{"rev":1}}}}`)
}

// openGame opens an instance of game in which play is usable.
func (p *tape) openGame(id int, name string, rev int) int {
	p.out(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"toolsets/open","params":{"toolset":"game","instance":%q,"options":{"size":9}}}`, id, name))
	return p.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"instance":%q,"_meta":{"mcpl/hints":{"rev":%d,"tools":[{"name":"play","instance":%q,"visible":true}]}}}}`, id, name, rev, name))
}

// push writes a push with hints and its answer.
func (p *tape) push(id int, event, text, hints string) int {
	e, _ := json.Marshal(text)
	i := p.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":"s%d","method":"push/event","params":{"featureSet":"f","eventId":%q,"payload":{"content":[{"type":"text","text":%s}]},"hints":%s}}`, id, event, e, hints))
	p.out(fmt.Sprintf(`{"jsonrpc":"2.0","id":"s%d","result":{"accepted":true}}`, id))
	return i
}

// print writes a document as text: a heading, then its lines with their
// signs.
func print(d inspector.Doc) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s | %s\n", d.Title, d.Note)
	for _, k := range d.Blocks {
		if k.Head != "" || k.Note != "" {
			fmt.Fprintf(&b, "%s\n", strings.TrimSpace(strings.Join([]string{k.Sign, k.Head, right(k.Note)}, " ")))
		}
		for _, l := range k.Body {
			sign := l.Sign
			if sign == "" {
				sign = " "
			}
			fmt.Fprintf(&b, "  %s %s\n", sign, strings.TrimRight(l.Plain()+" "+right(l.Right), " "))
		}
		if k.JSON != nil {
			fmt.Fprintf(&b, "  json %.100s\n", k.JSON)
		}
		if k.Text != nil {
			fmt.Fprintf(&b, "  text %.100s\n", k.Text)
		}
	}
	return b.String()
}

func right(s string) string {
	if s == "" {
		return ""
	}
	return "   «" + s + "»"
}

func has(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("lacks %q:\n%s", w, got)
		}
	}
}

func hasNot(t *testing.T, got string, not ...string) {
	t.Helper()
	for _, w := range not {
		if strings.Contains(got, w) {
			t.Errorf("says %q:\n%s", w, got)
		}
	}
}

// latest is the sentence of the present of all of a log.
func latest(log *timeline.Log) inspector.Sentence {
	return inspector.Latest(log, log.Len(), log.Latest())
}

package inspector_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// explainAll explains everything there is in a session.
func explainAll(log *timeline.Log) []inspector.Doc {
	var out []inspector.Doc
	for i := range log.Len() {
		out = append(out, inspector.Frame(log, i))
		inspector.HeadlineOf(log, i)
		inspector.Mentions(log, i)
		inspector.RequestOf(log, i)
	}
	for n := range log.RowCount() {
		out = append(out, inspector.Row(log, n))
	}
	b, err := log.Board(log.Len() - 1)
	if err != nil {
		return out
	}
	out = append(out, compareAll(log, b)...)
	for _, list := range [][]timeline.Tool{b.Static, b.Loose} {
		for i := range list {
			out = append(out, inspector.Tool(log, b, "", "", list[i].Name))
		}
	}
	for i := range b.Toolsets {
		s := &b.Toolsets[i]
		out = append(out, inspector.Toolset(log, b, s.Name))
		for k := range s.Tools {
			out = append(out, inspector.Tool(log, b, s.Name, "", s.Tools[k].Name))
			for _, in := range s.Instances {
				out = append(out, inspector.Tool(log, b, s.Name, in.Name, s.Tools[k].Name), inspector.Instance(log, b, s.Name, in.Name))
			}
		}
	}
	for _, e := range b.Ended {
		out = append(out, inspector.Ended(log, b, e))
	}
	for _, s := range b.Suggestions {
		out = append(out, inspector.Suggestion(log, b, s))
	}
	return out
}

// compareAll compares everything on a board with each baseline. Its lines
// come back as documents, to be judged like them.
func compareAll(log *timeline.Log, b *timeline.Board) []inspector.Doc {
	var out []inspector.Doc
	targets := []inspector.Target{{Tool: "nobody"}}
	for _, list := range [][]timeline.Tool{b.Static, b.Loose} {
		for i := range list {
			targets = append(targets, inspector.Target{Tool: list[i].Name})
		}
	}
	for i := range b.Toolsets {
		s := &b.Toolsets[i]
		for k := range s.Tools {
			targets = append(targets, inspector.Target{Toolset: s.Name, Tool: s.Tools[k].Name})
			for _, in := range s.Instances {
				targets = append(targets, inspector.Target{Toolset: s.Name, Instance: in.Name, Tool: s.Tools[k].Name})
			}
		}
	}
	mark := log.Len() / 2
	for _, against := range inspector.Baselines(mark) {
		for n, t := range targets {
			if n == 40 {
				break
			}
			c := inspector.CompareTool(log, b, t, against, mark)
			d := inspector.Doc{Title: c.Subject, Note: c.From.Name + c.From.When + c.To.When, Blocks: c.Blocks}
			for _, f := range c.Facts {
				d.Add(inspector.Block{Head: f.Label, Body: []inspector.Line{f.Line}})
			}
			d.Add(inspector.Block{Body: []inspector.Line{inspector.AgainstLine(log, b, against, mark, false)}})
			out = append(out, d)
			inspector.TrackOf(log, b, b, t, 40)
		}
		base, p := inspector.BaselineBoard(log, b, against, mark)
		for _, g := range inspector.CompareWith(log, b, base, p).Groups {
			for _, it := range g.Items {
				out = append(out, inspector.Doc{Title: it.Name, Note: it.Words + it.By})
			}
		}
	}
	return out
}

// anyJSON draws a JSON value that may be anything where anything else was
// expected.
func anyJSON(t *rapid.T, depth int) string {
	kinds := 6
	if depth > 3 {
		kinds = 4
	}
	switch rapid.IntRange(0, kinds).Draw(t, "kind") {
	case 0:
		return "null"
	case 1:
		return rapid.SampledFrom([]string{"true", "false", "-0", "1e999", "41", "3.5", "12345678901234567890"}).Draw(t, "word")
	case 2, 3:
		b, _ := json.Marshal(rapid.SampledFrom(hostileWords).Draw(t, "text"))
		return string(b)
	case 4:
		return rapid.SampledFrom([]string{`"play"`, `"ada"`, `"game"`, `"chat"`, "1", "2", "3"}).Draw(t, "known")
	case 5:
		n := rapid.IntRange(0, 3).Draw(t, "n")
		var parts []string
		for range n {
			parts = append(parts, anyJSON(t, depth+1))
		}
		return "[" + strings.Join(parts, ",") + "]"
	default:
		n := rapid.IntRange(0, 4).Draw(t, "n")
		var parts []string
		for range n {
			k, _ := json.Marshal(rapid.SampledFrom(memberNames).Draw(t, "key"))
			parts = append(parts, string(k)+":"+anyJSON(t, depth+1))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
}

var hostileWords = []string{
	"", "play", "a b", "\x1b[2J\x1b]0;x\x07", "\u202egnp.exe", "\u200b\u2066", strings.Repeat("x", 2000), "👩‍👩‍👧‍👦", "e\u0301\u0301\u0301",
	"\t\n\r\n", "日本語", "\u0000", "“”", `\`, `"`,
}

var memberNames = []string{
	"name", "rev", "tools", "toolsets", "suggest", "instance", "toolset", "visible", "definition", "description", "inputSchema",
	"annotations", "title", "properties", "required", "enum", "type", "text", "content", "reason", "options", "state", "id", "_meta",
	"mcpl/hints", "mcpl/instance", "payload", "eventId", "open", "ended", "action", "presence", "accepted", "isError", "result", "error",
	"code", "message", "params", "\x1b[2J", "",
}

func TestNothingAPeerSendsBreaksAnExplanation(t *testing.T) {
	methods := []string{
		"initialize", "tools/list", "tools/call", "toolsets/open", "toolsets/close", "toolsets/list", "push/event", "tools/hints",
		"notifications/cancelled", "notifications/progress", "elicitation/create", "x",
	}
	rapid.Check(t, func(rt *rapid.T) {
		p := newTape(t)
		if rapid.Bool().Draw(rt, "negotiated") {
			p.negotiated()
			p.openGame(4, "ada", 2)
		}
		for range rapid.IntRange(1, 12).Draw(rt, "frames") {
			id := rapid.SampledFrom([]string{"1", "5", `"s1"`, "null", "{}", "1e2"}).Draw(rt, "id")
			method := rapid.SampledFrom(methods).Draw(rt, "method")
			send := p.in
			if rapid.Bool().Draw(rt, "out") {
				send = p.out
			}
			switch rapid.IntRange(0, 8).Draw(rt, "what") {
			case 0, 1:
				send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, anyJSON(rt, 0)))
			case 2, 3:
				send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, anyJSON(rt, 0)))
			case 4:
				send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"tools/hints","params":%s}`, anyJSON(rt, 0)))
			case 5:
				send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":%s}`, id, anyJSON(rt, 0)))
			case 6:
				send(anyJSON(rt, 0))
			case 7:
				send(string(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(rt, "bytes")))
			default:
				p.note(rapid.SampledFrom([]string{"closed", "mark", "timeout", "cancelled", "group-open", "lost", ""}).Draw(rt, "note"), anyJSON(rt, 0))
			}
		}
		for _, d := range explainAll(p.log()) {
			bounded(rt, d)
		}
	})
}

// bounded: what stands in lines is short however long the peer's text is.
// What is long stands where it is laid out piece by piece.
func bounded(t interface{ Fatalf(string, ...any) }, d inspector.Doc) {
	if len(d.Title) > 2000 || len(d.Note) > 2000 || len(d.Blocks) > 100 {
		t.Fatalf("title %d, note %d, %d blocks", len(d.Title), len(d.Note), len(d.Blocks))
	}
	for _, b := range d.Blocks {
		if len(b.Body) > 200 {
			t.Fatalf("%s has %d lines", b.Head, len(b.Body))
		}
		for _, l := range b.Body {
			if n := len(l.Plain()) + len(l.Right); n > 6000 {
				t.Fatalf("a line of %d bytes under %s", n, b.Head)
			}
		}
	}
}

func TestVeryLargeMessagesAreExplainedInLinesOfBoundedLength(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	huge := strings.Repeat("x", 1<<20)
	var tools, props []string
	for i := range 3000 {
		tools = append(tools, fmt.Sprintf(`{"name":"t%d","instance":"ada","visible":true}`, i))
		props = append(props, fmt.Sprintf(`"p%d":{"type":"string"}`, i))
	}
	p.push(1, huge, huge, `{"rev":2,"reason":"`+huge+`","tools":[`+strings.Join(tools, ",")+`],"toolsets":[{"toolset":"`+huge+`","state":"open","title":"`+huge+`"}]}`)
	p.out(`{"jsonrpc":"2.0","id":9,"method":"tools/list"}`)
	p.in(`{"jsonrpc":"2.0","id":9,"result":{"tools":[{"name":"` + huge + `","description":"` + huge + `","inputSchema":{"type":"object","properties":{` + strings.Join(props, ",") + `}},"annotations":{"` + huge + `":"` + huge + `"}}]}}`)
	p.in(strings.Repeat("[", 100_000))
	p.in(strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000))
	for _, d := range explainAll(p.log()) {
		bounded(t, d)
	}
}

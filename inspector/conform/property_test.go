package conform_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// pick draws one of a few words.
func pick(t *rapid.T, of ...string) string { return rapid.SampledFrom(of).Draw(t, "word") }

// anyValue draws JSON that may stand anywhere.
func anyValue(t *rapid.T, depth int) string {
	if depth > 3 {
		return pick(t, "1", "null", `"x"`)
	}
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		return pick(t, "0", "1", "-1", "2.5", "1e3", `"1"`, "9007199254740993", "1e999")
	case 1:
		return pick(t, "true", "false", "null")
	case 2:
		return pick(t, `""`, `"a"`, `"game"`, `"play"`, `"\u001b[0m"`, `"\ud800"`, `"ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4"`, `"x://u:p@h"`)
	case 3, 4:
		return "[" + strings.Join(repeated(t, 3, func() string { return anyValue(t, depth+1) }), ",") + "]"
	default:
		return "{" + strings.Join(repeated(t, 4, func() string {
			return pick(t, `"rev"`, `"tools"`, `"toolsets"`, `"suggest"`, `"name"`, `"instance"`, `"toolset"`, `"state"`, `"_meta"`,
				`"mcpl/hints"`, `"mcpl/rev"`, `"content"`, `"open"`, `"ended"`, `"id"`, `"inputSchema"`, `"definition"`, `"mcpl/x"`) + ":" + anyValue(t, depth+1)
		}), ",") + "}"
	}
}

func repeated(t *rapid.T, most int, draw func() string) []string {
	out := make([]string, rapid.IntRange(0, most).Draw(t, "n"))
	for i := range out {
		out[i] = draw()
	}
	return out
}

// someHints draws hints that are near enough to right ones.
func someHints(t *rapid.T) string {
	tool := func() string {
		return fmt.Sprintf(`{"name":%s,"instance":%s,"visible":%s,"presence":%s,"definition":%s}`, pick(t, `"play"`, `"tune"`, `"status"`, `"ghost"`, "7"),
			pick(t, `"a"`, `"b"`, "null", `"c"`), pick(t, "true", "false", "1"), pick(t, `"static"`, `"dynamic"`, "null"),
			pick(t, "null", `{"name":"x"}`, `{"description":"d","inputSchema":{"type":"object"}}`, "3"))
	}
	set := func() string {
		return fmt.Sprintf(`{"toolset":%s,"instance":%s,"state":%s}`, pick(t, `"game"`, `"radio"`, `"attic"`), pick(t, `"a"`, `"b"`, "null"), pick(t, `"open"`, `"closed"`, "null"))
	}
	return fmt.Sprintf(`{"rev":%d,"tools":[%s],"toolsets":[%s],"suggest":[%s]}`, rapid.IntRange(-1, 9).Draw(t, "rev"),
		strings.Join(repeated(t, 3, tool), ","), strings.Join(repeated(t, 2, set), ","), strings.Join(repeated(t, 1, set), ","))
}

const someManifest = `{"version":"0.5","toolHints":%s,"revision":"sha256:x","featureSets":{"g":{"uses":[]}},"toolsets":{"game":{"instances":%s,"default":"open"},"radio":{"default":"open"}}}`

// someBody draws a message of one side.
func someBody(t *rapid.T, dir wire.Dir) string {
	id := pick(t, "1", "2", "3", `"4"`, "null", "1.0", "[]")
	if dir == wire.Out {
		method := pick(t, "initialize", "tools/list", "tools/call", "toolsets/open", "toolsets/close", "toolsets/list", "featureSets/update", "mcpl/manifest", "x")
		params := map[string]string{
			"initialize":         `{"capabilities":{"experimental":{"mcpl":{"toolHints":true}}}}`,
			"tools/call":         fmt.Sprintf(`{"name":%s,"arguments":%s,"_meta":{"mcpl/instance":%s}}`, pick(t, `"play"`, `"tune"`, `"status"`, `"no"`), anyValue(t, 2), pick(t, `"a"`, `"b"`, "null")),
			"toolsets/open":      fmt.Sprintf(`{"toolset":%s,"instance":%s,"options":%s}`, pick(t, `"game"`, `"radio"`), pick(t, `"a"`, `"b"`, "null"), anyValue(t, 2)),
			"toolsets/close":     `{"toolset":"game","instance":"a"}`,
			"featureSets/update": `{"effectiveCapabilities":["tools","*"],"disabled":["g"]}`,
		}[method]
		if params == "" {
			params = anyValue(t, 2)
		}
		switch rapid.IntRange(0, 5).Draw(t, "out") {
		case 0:
			return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id)
		case 1:
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, id, pick(t, `"result":{}`, `"error":{"code":-32601}`))
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params)
	}
	list := `{"tools":[{"name":"play","inputSchema":{"type":"object"},"_meta":{"mcpl/toolset":"game"}},{"name":"tune","inputSchema":3,"_meta":{"mcpl/toolset":"radio","mcpl/presence":"static"}},{"name":"status","outputSchema":{"type":"object","required":["x"]}},{"name":"status"}],"nextCursor":%s,"_meta":{"mcpl/rev":2}}`
	switch rapid.IntRange(0, 9).Draw(t, "in") {
	case 0:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"push/event","params":{"eventId":%s,"featureSet":"g","hints":%s}}`, id, pick(t, `"e"`, `"f"`), someHints(t))
	case 1:
		return `{"jsonrpc":"2.0","method":"tools/hints","params":` + someHints(t) + `}`
	case 2:
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, pick(t, "notifications/tools/list_changed", "mcpl/manifestChanged", "tools/hints", "notifications/progress", "model/info"), anyValue(t, 2))
	case 3:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":%s}`, id, anyValue(t, 2))
	case 4:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":`+list+`}`, id, pick(t, "null", `"n"`))
	case 5:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"capabilities":{"tools":{},"experimental":{"mcpl":`+someManifest+`}}}}`, id, pick(t, "true", "false"), pick(t, "true", "false"))
	case 6:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":`+someManifest+`}`, id, pick(t, "true", "false"), pick(t, "true", "false"))
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"open":[{"toolset":"game","instance":"a"}],"ended":[{"id":1,"toolset":"game"}],"instance":%s,"adopted":%s,"isError":%s,"content":%s,"_meta":{"mcpl/hints":%s}}}`,
		id, pick(t, `"a"`, `"b"`, "null"), pick(t, "true", "false"), pick(t, "true", "false"), anyValue(t, 2), pick(t, someHints(t), "null", "3"))
}

// anyFrames draws a recording of which nothing can be relied on.
func anyFrames(t *rapid.T) tape {
	var out tape
	var now time.Duration
	for range rapid.IntRange(0, 60).Draw(t, "frames") {
		now += time.Duration(rapid.IntRange(-100, 12_000).Draw(t, "ms")) * time.Millisecond
		f := wire.Frame{
			Seq: int64(rapid.IntRange(0, 99).Draw(t, "seq")), T: now, Conn: rapid.IntRange(0, 3).Draw(t, "conn"),
			Dir: rapid.SampledFrom([]wire.Dir{wire.Out, wire.Out, wire.In, wire.In, wire.In, wire.Err, wire.Note}).Draw(t, "dir"),
			Via: pick(t, "stdio", "stdio", "http:post:1", "http:get:1", ""),
		}
		switch {
		case f.Dir == wire.Note:
			f.Name = pick(t, "closed", "timeout", "cancelled", "hold-expired", "lost", "group-open", "mark", "")
			f.Data = []byte(pick(t, `{"by":"host"}`, `{"by":"server"}`, `{"by":"link"}`, `{"id":1}`, `{"id":"4"}`, `{"toolset":"attic"}`, `{}`))
		case rapid.IntRange(0, 9).Draw(t, "odd") == 0:
			f.Body = []byte(pick(t, "", "  ", "log line", `{"jsonrpc":"2.0","id":1,"resu`, "\xff\xfe", `{"jsonrpc":"2.0","id":2,"result":"`+"\xe9"+`"}`, `[]`, `[1]`, anyValue(t, 0)))
			f.Form = wire.FormOf(f.Body)
		case rapid.IntRange(0, 9).Draw(t, "batch") == 0:
			f.Body = []byte("[" + someBody(t, f.Dir) + "," + someBody(t, f.Dir) + "]")
			f.Form = wire.FormOf(f.Body)
		default:
			f.Body = []byte(someBody(t, f.Dir))
			f.Form = wire.FormOf(f.Body)
		}
		out = append(out, f)
	}
	return out
}

func TestWhateverFramesComeTheyAreJudgedAndAlwaysAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frames := anyFrames(t)
		opt := conform.Options{Skipped: rapid.IntRange(0, 1).Draw(t, "skipped"), Cut: rapid.Bool().Draw(t, "cut")}
		run := judged(frames, opt)
		all := run.Findings()
		if again := judged(frames, opt).Findings(); !reflect.DeepEqual(all, again) {
			t.Fatalf("judged again, it gives\n%s\ninstead of\n%s", lines(again), lines(all))
		}
		log := timeline.NewLog(frames)
		r := conform.Attend(log, conform.Options{})
		for n := 1; n > 0; {
			var err error
			if n, err = log.Advance(rapid.IntRange(1, 5).Draw(t, "most")); err != nil {
				t.Fatal(err)
			}
			r.Findings()
		}
		r.NotWhole(opt.Skipped, opt.Cut)
		r.End()
		if pieces := r.Findings(); opt.Skipped == 0 && !reflect.DeepEqual(all, pieces) {
			t.Fatalf("piece by piece it gives\n%s\ninstead of\n%s", lines(pieces), lines(all))
		}
		sound(t, frames, all, run.Judge.Marks())
	})
}

// sound checks what holds of all findings.
func sound(t *rapid.T, frames tape, all []conform.Finding, marks []conform.Mark) {
	if !slices.IsSortedFunc(all, func(a, b conform.Finding) int { return a.Index - b.Index }) {
		t.Fatalf("out of order:\n%s", lines(all))
	}
	first := map[int]bool{}
	for _, m := range marks {
		if m.Finding < 0 || m.Finding >= len(all) || m.Index < all[m.Finding].Index || m.Index >= len(frames) {
			t.Fatalf("the mark %+v stands nowhere", m)
		}
		first[m.Finding] = first[m.Finding] || m.Index == all[m.Finding].Index
	}
	for i, f := range all {
		r, ok := conform.RuleByID(f.Rule)
		switch {
		case !ok || f.Count < 1 || f.Message == "" || f.Level < conform.Info:
			t.Fatalf("no finding: %+v", f)
		case f.Index < 0 || f.Index >= len(frames) || f.Seq != frames[f.Index].Seq:
			t.Fatalf("at no frame: %+v", f)
		case f.Level != r.Level && r.Also == "":
			t.Fatalf("%s is %s by the table: %+v", r.ID, r.Level, f)
		case !first[i]:
			t.Fatalf("its first frame has no mark: %+v", f)
		}
	}
}

func TestAFloodOfFaultsOnlyRaisesCounts(t *testing.T) {
	s := handshake()
	for i := range 20_000 {
		s.add(wire.In, fmt.Sprintf(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"ghost%d","visible":true}],"toolsets":[{"toolset":"set%d","state":"open"}]}}`, 2*i+4, i, i))
		s.add(wire.In, fmt.Sprintf(`{"jsonrpc":"2.0","id":"r%d","method":"no/method%d","params":{"key%d":1,"key%d":2}}`, i, i, i, i))
		s.add(wire.Out, fmt.Sprintf(`{"jsonrpc":"2.0","id":"r%d","error":{"code":-32601,"message":"no"}}`, i))
		s.add(wire.In, fmt.Sprintf("log line %d", i))
		s.tape[len(s.tape)-1].Form = wire.Text
	}
	run := judged(s.tape, conform.Options{})
	counts := map[string]int{}
	all := run.Findings()
	for _, f := range all {
		counts[f.Rule] += f.Count
	}
	if len(all) > 2000 || len(run.Judge.Marks()) > 1<<16 {
		t.Errorf("%d findings and %d marks were kept", len(all), len(run.Judge.Marks()))
	}
	for _, rule := range []string{"rev-gap", "hints-unknown-tool", "hints-unknown-toolset", "rpc-method-unknown", "json-duplicate-key", "json-invalid"} {
		if counts[rule] < 19_999 {
			t.Errorf("%s was counted %d times", rule, counts[rule])
		}
	}
}

package inspector_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

// told is what is known of the server at the end of a tape, by section.
func told(t testing.TB, p *tape, target inspector.ServerTarget) map[string]string {
	t.Helper()
	return toldAt(t, p, p.log().Len()-1, target)
}

func toldAt(t testing.TB, p *tape, at int, target inspector.ServerTarget) map[string]string {
	t.Helper()
	log := p.log()
	b, err := log.Board(at)
	if err != nil {
		t.Fatal(err)
	}
	var teller inspector.ServerTeller
	out := map[string]string{}
	for _, s := range teller.Sections(log, b, target) {
		out[s.Key] = printSection(s)
	}
	return out
}

func printSection(s inspector.ServerSection) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s | %s\n", s.Head, s.Note)
	for _, l := range s.Lines {
		sign := l.Sign
		if sign == "" {
			sign = " "
		}
		fmt.Fprintf(&b, "%s %s%s @%d\n", sign, l.Plain(), right(l.Right), l.Index)
	}
	return b.String()
}

// meets writes a handshake up to the lists; extra are members of the
// initialize result's capabilities.
func (p *tape) meets(manifest string) {
	p.note("connect", `{"command":["node","s.js"],"cwd":"/srv","env":["TOKEN"]}`)
	p.note("connected", `{"pid":17}`)
	p.out(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"tui","version":"9"},` +
		`"capabilities":{"roots":{},"experimental":{"mcpl":{"version":"0.5","toolHints":true,"pushEvents":true,"modelInfo":true,"channels":{"publish":true}}}}}}`)
	caps := `"tools":{"listChanged":true}`
	if manifest != "" {
		caps += `,"experimental":{"mcpl":` + manifest + `}`
	}
	p.in(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"s","version":"1.2"},"instructions":"Be brief.","capabilities":{` + caps + `}}}`)
	p.out(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// grants writes a featureSets/update, with an answer unless that is "".
func (p *tape) grants(id int, params, answer string) {
	p.out(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"featureSets/update","params":%s}`, id, params))
	if answer != "" {
		p.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, id, answer))
	}
}

func (p *tape) lists() {
	p.out(`{"jsonrpc":"2.0","id":90,"method":"tools/list"}`)
	p.in(`{"jsonrpc":"2.0","id":90,"result":{"tools":[{"name":"a"},{"name":"b"}],"nextCursor":"2"}}`)
	p.out(`{"jsonrpc":"2.0","id":91,"method":"tools/list","params":{"cursor":"2"}}`)
	p.in(`{"jsonrpc":"2.0","id":91,"result":{"tools":[{"name":"c"}]}}`)
}

func TestTheHandshakeIsToldStepByStep(t *testing.T) {
	p := newTape(t)
	p.meets(`{"version":"0.5","toolHints":true}`)
	p.grants(2, `{"effectiveCapabilities":[]}`, `"result":{"accepted":true}`)
	p.lists()
	p.out(`{"jsonrpc":"2.0","id":92,"method":"toolsets/list"}`)
	p.in(`{"jsonrpc":"2.0","id":92,"result":{"open":[{"toolset":"x"}],"ended":[{"id":"1"}],"_meta":{"mcpl/hints":{"rev":1}}}}`)
	// What comes later is no part of it.
	p.lists()
	p.grants(3, `{"effectiveCapabilities":["tools"]}`, `"result":{"accepted":false}`)
	got := told(t, p, inspector.ServerTarget{})[inspector.KeyHandshake]
	want := `# HANDSHAKE | 8 steps, 120 ms
  0.000 s  connect                      «frame 1» @0
  0.010 s  connected         10 ms      «frame 2» @1
  0.020 s  → initialize    ✓ 10 ms   s 1.2, MCPL 0.5   «frames 3, 4» @2
  0.040 s  → initialized                «frame 5» @4
  0.050 s  → policy        ✓ 10 ms   accepted   «frames 6, 7» @5
  0.070 s  → tools/list 1  ✓ 10 ms   2 tools, more follow   «frames 8, 9» @7
  0.090 s  → tools/list 2  ✓ 10 ms   1 tool   «frames 10, 11» @9
  0.110 s  → toolsets/list ✓ 10 ms   rev 1, 1 open, 1 ended   «frames 12, 13» @11
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAStepThatWentWrongIsSummedUp(t *testing.T) {
	p := newTape(t)
	p.meets(`{"version":"0.5"}`)
	p.grants(2, `{"effectiveCapabilities":[]}`, "")
	p.lists()
	has(t, told(t, p, inspector.ServerTarget{})[inspector.KeyHandshake], "# HANDSHAKE | ◌ policy has no answer", "◌         no answer so far")
	p.in(`{"jsonrpc":"2.0","id":2,"result":{"accepted":false,"fallback":"mcp-only","reason":"no\nway"}}`)
	has(t, told(t, p, inspector.ServerTarget{})[inspector.KeyHandshake],
		"# HANDSHAKE | ! policy: refused, falls back to plain MCP (mcp-only): “no way”")
	// At an earlier frame it is as it was then.
	has(t, toldAt(t, p, 9, inspector.ServerTarget{})[inspector.KeyHandshake], "◌ policy has no answer", "frames 7, 8")
	hasNot(t, toldAt(t, p, 4, inspector.ServerTarget{})[inspector.KeyHandshake], "policy")
}

func TestTheProcessIsToldFromItsNotesElseFromTheTarget(t *testing.T) {
	target := inspector.ServerTarget{Kind: "stdio", Title: "stdio: x", Command: []string{"deno", "y"}, Dir: "/elsewhere", Env: []string{"KEY"}}
	p := newTape(t)
	p.meets("")
	has(t, told(t, p, target)[inspector.KeyLink],
		"# PROCESS | running   node s.js in /srv", "command       node s.js", "folder        /srv", "variables     TOKEN", "values are never kept",
		"pid           17", "since         0:00.020   «frame 2» @1", "state         running")
	p = newTape(t)
	p.note("connect", "")
	p.note("connected", "")
	p.out(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	p.note("closed", `{"by":"server","signal":"SIGKILL","reason":"out of memory"}`)
	has(t, told(t, p, target)[inspector.KeyLink],
		"# PROCESS | signal SIGKILL, by the server   deno y in /elsewhere", "variables     KEY",
		"ended         signal SIGKILL, by the server, 0:00.040   «frame 4» @3", "reason        out of memory",
		"left open     1 request without an answer: initialize")
	p = newTape(t)
	p.via = "ws"
	p.note("connect", `{"url":"ws://h/x"}`)
	p.out(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	p.note("closed", `{"by":"link","code":1006}`)
	has(t, told(t, p, inspector.ServerTarget{Kind: "ws"})[inspector.KeyLink],
		"# LINK | code 1006, the link broke   ws://h/x", "address       ws://h/x", "over a WebSocket", "no note says that it was made")
}

func TestConnectionsAreListedWithTheirEnds(t *testing.T) {
	p := newTape(t)
	p.meets("")
	p.note("closed", `{"by":"server","code":3}`)
	p.conn = 2
	p.meets("")
	p.conn = 3
	p.meets("")
	got := told(t, p, inspector.ServerTarget{})[inspector.KeyConnections]
	has(t, got, "# CONNECTIONS | 3, this is 3",
		"1  0:00.010 to 0:00.060   exit code 3, by the server   «frames 1 to 6» @5",
		"2  0:00.070   no end is recorded so far   «from frame 7» @6",
		"3  0:00.120 to here   open   «from frame 12» @11")
	hasNot(t, toldAt(t, p, 7, inspector.ServerTarget{})[inspector.KeyConnections], "3  ")
}

func TestARevisionIsComparedWithTheDigest(t *testing.T) {
	body := `"version":"0.5","pushEvents":true,"x-other":{"a":[1]}`
	sum, err := mcpl.Digest([]byte("{" + body + "}"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ manifest, note, line string }{
		{`{` + body + `}`, "MCPL 0.5, no revision", "revision      none is named"},
		{`{` + body + `,"revision":"` + sum + `"}`, "MCPL 0.5, revision ✓", "✓ digest        " + sum},
		{`{` + body + `,"revision":"7"}`, "MCPL 0.5, ✗ revision differs", "✗ digest        " + sum},
		{`{` + body + `,"revision":7}`, "MCPL 0.5, ✗ revision differs", "manifest-digest"},
	} {
		p := newTape(t)
		p.meets(c.manifest)
		got := told(t, p, inspector.ServerTarget{})[inspector.KeyManifest]
		has(t, got, "# MANIFEST | "+c.note, c.line, `x-other       {"a":[1]}`, "asks for      tools, pushEvents", "frame 4")
	}
	p := newTape(t)
	p.meets("")
	all := told(t, p, inspector.ServerTarget{})
	has(t, all[inspector.KeyManifest], "none: a plain MCP server", "speaks MCP alone")
	has(t, all[inspector.KeyGrant], "none: a plain MCP server")
	has(t, all[inspector.KeyServer], "# SERVER | s 1.2, MCP 2025-06-18", "this host asked for 2025-11-25", "tools (listChanged)", "instructions  Be brief.")
	has(t, all[inspector.KeyHost], "# HOST | tui 9, MCPL 0.5", "roots, experimental (mcpl)", "at most tools, pushEvents, modelInfo, channels.publish")
}

func TestDeclarationsAreReadable(t *testing.T) {
	p := newTape(t)
	p.meets(`{"version":"0.5","toolHints":true,"pushEvents":true,"surface":{"title":"S","summary":"all of it"},` +
		`"toolsets":{"game":{"title":"Go","summary":"Play","instances":true,"default":"open","options":{"type":"object","required":["size"],"properties":{"size":{"type":"integer","minimum":9}}},"extra":1},"chat":{"default":"open"}},` +
		`"featureSets":[{"name":"old","description":"an array, as in 0.4","uses":["pushEvents"]},{"name":"bad","uses":["nonsense"]}]}`)
	p.grants(2, `{"effectiveCapabilities":["pushEvents"]}`, `"result":{"accepted":true,"unavailableFeatures":[{"featureSet":"old","missingCapabilities":["tools"],"effect":"slow"}]}`)
	all := told(t, p, inspector.ServerTarget{})
	has(t, all[inspector.KeyManifest], "surface       S   all of it", "agreed: both sides say so")
	has(t, all[inspector.KeyToolsets], "# TOOLSETS | game, chat", "instances, closed at the start, though it says open",
		"  options     size *  integer, at least 9", "extra         1", "no instances, open at the start")
	has(t, all[inspector.KeyFeatures], "# FEATURE SETS | 1 of 2 enabled", "old           an array, as in 0.4", "pushEvents   enabled",
		"server      lacks tools, effect: slow", "! disabled: invalid_uses")
}

const (
	firstManifest  = `{"version":"0.5","toolHints":true,"pushEvents":true,"toolsets":{"game":{"instances":true},"chat":{}},"coreTags":["a","b"],"revision":"r1"}`
	secondManifest = `{"pushEvents":true,"toolHints":true,"version":"0.5","toolsets":{"chat":{},"game":{"instances":false}},"coreTags":["b","c"],"revision":"r2"}`
)

func TestALaterManifestIsComparedMemberByMember(t *testing.T) {
	p := newTape(t)
	p.meets(firstManifest)
	has(t, told(t, p, inspector.ServerTarget{})[inspector.KeyChanges], "# CHANGES | none", "mcpl/manifestChanged announces one")
	p.in(`{"jsonrpc":"2.0","method":"mcpl/manifestChanged","params":{"revision":"r1b","domains":["toolsets"]}}`)
	p.in(`{"jsonrpc":"2.0","method":"mcpl/manifestChanged","params":{"revision":"r2","domains":["toolsets","tagOntology"]}}`)
	has(t, told(t, p, inspector.ServerTarget{})[inspector.KeyChanges], "◌ announced, not read so far", "the last of 2", "«frame 7» @6")
	p.out(`{"jsonrpc":"2.0","id":5,"method":"mcpl/manifest"}`)
	p.in(`{"jsonrpc":"2.0","id":5,"result":` + secondManifest + `}`)
	got := told(t, p, inspector.ServerTarget{})[inspector.KeyChanges]
	want := `# CHANGES | 1 change, the last read at 0:00
~ mcpl/manifest   0:00.090   against frame 4: toolsets, coreTags differ   domains: toolsets, tagOntology   «frame 9» @8
  announced     at 0:00.070, for toolsets, tagOntology   the last of 2   its revision is the one that was announced   «frame 7» @6
~ surface-changed  game  declared otherwise @8
  toolsets.game.instances @8
~ - true   + false @8
  coreTags @8
~ 2 values   - a   + c @8
· initialize of connection 1   0:00.040   the first of the session   «frame 4» @3
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// The same again, then one that nobody announced, then an error.
	p.in(`{"jsonrpc":"2.0","method":"mcpl/manifestChanged","params":{"revision":"r9"}}`)
	p.out(`{"jsonrpc":"2.0","id":6,"method":"mcpl/manifest"}`)
	p.in(`{"jsonrpc":"2.0","id":6,"result":` + secondManifest + `}`)
	p.out(`{"jsonrpc":"2.0","id":7,"method":"mcpl/manifest"}`)
	p.in(`{"jsonrpc":"2.0","id":7,"result":` + firstManifest + `}`)
	p.out(`{"jsonrpc":"2.0","id":8,"method":"mcpl/manifest"}`)
	p.in(`{"jsonrpc":"2.0","id":8,"error":{"code":-32603,"message":"later"}}`)
	got = told(t, p, inspector.ServerTarget{})[inspector.KeyChanges]
	has(t, got, "# CHANGES | ! the last could not be read", "not read: error -32603: later",
		"the same as in frame 9", "! its revision is not the one that was announced, r9", "by nothing: it was read all the same")
	// A new connection begins with a manifest of its own.
	p.conn = 2
	p.meets("")
	has(t, told(t, p, inspector.ServerTarget{})[inspector.KeyChanges], "initialize of connection 2", "no manifest any more: a plain server")
}

func TestOnlyTheLastManifestsAreToldAndTheRestIsCounted(t *testing.T) {
	p := newTape(t)
	p.meets(firstManifest)
	for i := range 30 {
		p.out(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"mcpl/manifest"}`, 100+i))
		p.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"version":"0.5","n":%d}}`, 100+i, i))
	}
	got := told(t, p, inspector.ServerTarget{})[inspector.KeyChanges]
	has(t, got, "- 28   + 29", "- 17   + 18", "… 18 earlier")
	hasNot(t, got, "- 16   + 17")
}

func TestTheGrantIsToldPathByPath(t *testing.T) {
	p := newTape(t)
	p.meets(`{"version":"0.5","pushEvents":true,"channels":{"publish":true,"register":true},"featureSets":{"f":{"uses":["pushEvents"]}}}`)
	has(t, told(t, p, inspector.ServerTarget{})[inspector.KeyGrant], "not told", "nothing is granted")
	p.grants(2, `{"effectiveCapabilities":["tools","pushEvents","channels.publish"],"deniedCapabilities":["channels.register"],"enabled":["f"]}`, "")
	has(t, told(t, p, inspector.ServerTarget{})[inspector.KeyGrant],
		"# GRANT | ◌ 0 of 4 granted, no receipt", "◌ pushEvents         told: granted when the receipt arrives",
		"- channels.register  denied: this host does not offer it", "· offered by this host alone: modelInfo")
	p.in(`{"jsonrpc":"2.0","id":2,"result":{"accepted":true,"mode":"full","notes":["one","two"],"odd":1}}`)
	all := told(t, p, inspector.ServerTarget{})
	has(t, all[inspector.KeyGrant], "# GRANT | 3 of 4 granted", "✓ channels.publish   granted")
	has(t, all[inspector.KeyReceipts], "# RECEIPTS | accepted", "✓ update 1   0:00.060   accepted   10 ms   «frames 6, 7» @5",
		"effective     tools, pushEvents, channels.publish", "denied        channels.register", "enabled       f",
		"mode          full", "notes         “one”", "notes         “two”", "odd           1")
	// Narrowing counts at once, whatever the server says to it.
	p.grants(3, `{"effectiveCapabilities":["tools"],"deniedCapabilities":["pushEvents","channels.publish","channels.register"],"disabled":["f"]}`,
		`"result":{"accepted":false,"fallback":"close","missingCapabilities":["pushEvents"],"reason":"no"}`)
	all = told(t, p, inspector.ServerTarget{})
	has(t, all[inspector.KeyGrant], "# GRANT | ! 1 of 4 granted, refused", "- pushEvents         denied by this host   since frame 8")
	has(t, all[inspector.KeyReceipts], "# RECEIPTS | 2, the last refused", "changed       - pushEvents  - channels.publish",
		"answer        refused, asks to close (close), lacks pushEvents: “no”")
	has(t, all[inspector.KeyFeatures], "0 of 1 enabled", "! disabled: pushEvents is not granted")
	// Widening counts with its receipt, and an error is none.
	p.grants(4, `{"effectiveCapabilities":["tools","pushEvents"]}`, `"error":{"code":-32601,"message":"what?"}`)
	all = told(t, p, inspector.ServerTarget{})
	has(t, all[inspector.KeyGrant], "! pushEvents         told, but the server did not accept: not granted", "- channels.publish   not told: what is absent is denied")
	has(t, all[inspector.KeyReceipts], "# RECEIPTS | 3, the last answered by an error", "changed       + pushEvents", "error -32601: what?")
	p.grants(5, `{"effectiveCapabilities":["tools","pushEvents","made.up"]}`, `"result":{"accepted":true}`)
	has(t, told(t, p, inspector.ServerTarget{})[inspector.KeyGrant], "✓ pushEvents         granted", "✓ made.up            granted   ! the server does not ask for it")
}

// An answer to an older update does not bring back what was taken since.
func TestALateReceiptBringsNothingBack(t *testing.T) {
	p := newTape(t)
	p.meets(`{"version":"0.5","pushEvents":true}`)
	p.grants(2, `{"effectiveCapabilities":["tools","pushEvents"]}`, "")
	p.grants(3, `{"effectiveCapabilities":["tools"]}`, "")
	p.in(`{"jsonrpc":"2.0","id":2,"result":{"accepted":true}}`)
	has(t, told(t, p, inspector.ServerTarget{})[inspector.KeyGrant], "✓ tools       granted", "- pushEvents  not told")
}

// What was made of a manifest is kept only as long as its session is shown.
func TestATellerTellsAnotherSessionAnew(t *testing.T) {
	var teller inspector.ServerTeller
	note := func(manifest string) string {
		p := newTape(t)
		p.meets(manifest)
		log := p.log()
		b, err := log.Board(log.Len() - 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range teller.Sections(log, b, inspector.ServerTarget{}) {
			if s.Key == inspector.KeyManifest {
				return s.Note
			}
		}
		return ""
	}
	if a, b := note(`{"version":"0.5","revision":"x"}`), note(`{"version":"0.5"}`); a == b {
		t.Errorf("both sessions have %q", a)
	}
	var none inspector.ServerTeller
	empty := timeline.NewLog(timelinetest.Tape{})
	b, _ := empty.Board(-1)
	if got := none.Sections(empty, b, inspector.ServerTarget{}); got != nil {
		t.Errorf("before the first frame there are %d sections", len(got))
	}
}

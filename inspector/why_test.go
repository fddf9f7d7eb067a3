package inspector_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

// hint writes a tools/hints notification.
func (p *tape) hint(rev int, members string) int {
	return p.in(fmt.Sprintf(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,%s}}`, rev, members))
}

// ask writes a request and its answer.
func (p *tape) ask(id int, method, params, result string) int {
	p.out(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
	return p.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, id, result))
}

const chatOpen = `"toolsets":[{"toolset":"chat","state":"open"}],"tools":[{"name":"say","visible":true}]`

// Every reason for which a tool is not usable, or may cease to be, is told:
// which rev said so last, what was ignored and by which rule.
func TestEachReasonIsTold(t *testing.T) {
	game := func(p *tape) { p.openGame(4, "ada", 2) }
	for name, c := range map[string]struct {
		write                   func(p *tape)
		toolset, instance, tool string
		want, not               []string
	}{
		"closed by the user": {func(p *tape) {
			p.ask(5, "toolsets/open", `{"toolset":"chat"}`, `{"_meta":{"mcpl/hints":{"rev":2,`+chatOpen+`}}}`)
			p.ask(6, "toolsets/close", `{"toolset":"chat"}`, `{"_meta":{"mcpl/hints":{"rev":3,"toolsets":[{"toolset":"chat","state":"closed"}]}}}`)
		}, "chat", "", "say", []string{
			"the toolset chat is closed since rev 3, this frame, by you    «0:00.100»", "rev 2  → open chat    say made visible", "rev 3  → close chat   closed it",
			"once it is open: usable, if no rev says otherwise    «visible: true by rev 2, frame 8»",
		}, nil},
		"closed by the server": {func(p *tape) {
			p.hint(2, chatOpen)
			p.hint(3, `"toolsets":[{"toolset":"chat","state":"closed"}]`)
		}, "chat", "", "say", []string{"closed since rev 3, this frame, by the server"}, nil},
		"closed by a result without hints": {func(p *tape) {
			p.hint(2, chatOpen)
			p.ask(6, "toolsets/close", `{"toolset":"chat"}`, `{}`)
		}, "chat", "", "say", []string{"closed since this frame, by you"}, nil},
		"closed by a full list": {func(p *tape) {
			p.hint(2, chatOpen)
			p.ask(6, "toolsets/list", `{}`, `{"open":[],"_meta":{"mcpl/hints":{"rev":3}}}`)
		}, "chat", "", "say", []string{"closed since rev 3, this frame, by a full list, which does not name it", "once it is open: usable as soon as a rev says so    «visible: false by rev 3, this frame»"}, nil},
		"closed by the manifest": {func(p *tape) {
			game(p)
			p.ask(6, "mcpl/manifest", `{}`, `{"version":"0.5","toolHints":true,"toolsets":{"game":{}}}`)
		}, "game", "", "play", []string{"closed since this frame, by the manifest, which no longer declares it so"}, nil},
		"an instance that the server ended": {func(p *tape) {
			game(p)
			p.ask(6, "toolsets/list", `{}`, `{"open":[],"ended":[{"id":"e1","toolset":"game","instance":"ada","reason":"time is up"}],"_meta":{"mcpl/hints":{"rev":3}}}`)
		}, "game", "ada", "play", []string{"ada is not open in game since rev 3, this frame, by a full list, which does not name it: “time is up”", "closed it"}, nil},
		"an instance that the user closed": {func(p *tape) {
			game(p)
			p.ask(6, "toolsets/close", `{"toolset":"game","instance":"ada"}`, `{"_meta":{"mcpl/hints":{"rev":3}}}`)
		}, "game", "ada", "play", []string{"ada is not open in game since rev 3, this frame, by you", "rev 3  → close ada   closed it"}, nil},
		"an instance that never was": {game, "game", "bob", "play", []string{"bob is not open in game, and never was"}, nil},
		"never stated":               {game, "game", "ada", "undo", []string{"no rev has made undo visible in ada, open since 2", "rev 2  → open ada   play made visible"}, nil},
		"a group that the user has not opened": {nil, "debug", "", "dump", []string{
			"the manifest does not declare the group debug, and it is not open here. The user opens it, nothing is sent",
			"once it is open: usable as soon as a rev says so    «visible: false by rev 1, this frame»",
		}, nil},
		"a group that the user closed": {func(p *tape) {
			p.note("group-open", `{"toolset":"debug"}`)
			p.note("group-close", `{"toolset":"debug"}`)
		}, "debug", "", "dump", []string{"it is not open here since this frame, by you, here alone. Nothing is sent to open it"}, nil},
		"a held rev that would show it": {func(p *tape) {
			game(p)
			p.via = "http:get:1"
			p.hint(4, `"tools":[{"name":"undo","instance":"ada","visible":true}]`)
		}, "game", "ada", "undo", []string{"rev 4  ← hints      held until the revs before it come: says visible: true"}, nil},
		"a held rev that would close it": {func(p *tape) {
			game(p)
			p.via = "http:get:1"
			p.hint(5, `"toolsets":[{"toolset":"game","instance":"ada","state":"closed"}]`)
		}, "game", "ada", "play", []string{"play @ ada | usable", "rev 5  ← hints   held until the revs before it come: closes it"}, nil},
		"a held rev of another tool": {func(p *tape) {
			game(p)
			p.via = "http:get:1"
			p.hint(4, `"tools":[{"name":"play","instance":"ada","visible":false}]`)
		}, "game", "ada", "undo", nil, []string{"held"}},
		"a stale rev": {func(p *tape) {
			game(p)
			p.hint(4, `"reason":"x"`)
			p.hint(3, `"tools":[{"name":"undo","instance":"ada","visible":true}]`)
		}, "game", "ada", "undo", []string{"rev 3  ← hints      stale: came after later revs, so was not applied"}, nil},
		"hints without a rev": {func(p *tape) {
			game(p)
			p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"tools":[{"name":"undo","instance":"ada","visible":true}]}}`)
		}, "game", "ada", "undo", []string{"rev none  ← hints      names no rev, so was not applied"}, nil},
		"an event that was seen": {func(p *tape) {
			game(p)
			p.push(1, "e", "x", `{"rev":3}`)
			p.push(2, "e", "x", `{"rev":4,"tools":[{"name":"undo","instance":"ada","visible":true}]}`)
		}, "game", "ada", "undo", []string{"rev 4  ← push e     its event was seen before, so its hints count as empty"}, nil},
		"an entry that was ignored, of a tool that is usable": {func(p *tape) {
			game(p)
			p.hint(3, `"tools":[{"name":"play","visible":false}]`)
		}, "game", "ada", "play", []string{
			"play @ ada | usable", "rev 3  ← hints   named no instance, so was ignored", "✗ hints-instance-missing",
			`sent    {"name":"play","visible":false}`, `needed  {"name":"play","instance":"ada","visible":false}`,
		}, nil},
		"what was ignored before it was last stated": {func(p *tape) {
			game(p)
			p.hint(3, `"tools":[{"name":"play","visible":true}]`)
			p.hint(4, `"tools":[{"name":"play","instance":"ada","visible":false}]`)
		}, "game", "ada", "play", []string{"rev 4 said visible: false in ada"}, []string{"hints-instance-missing"}},
		"one row that was ignored and stated": {func(p *tape) {
			game(p)
			p.hint(3, `"tools":[{"name":"play","visible":true},{"name":"play","instance":"ada","visible":false}]`)
		}, "game", "ada", "play", []string{"rev 3 said visible: false in ada", "rev 3  ← hints      said visible: false", "✗ hints-instance-missing"}, nil},
		"an instance that was not open yet": {func(p *tape) {
			p.hint(2, `"tools":[{"name":"play","instance":"bob","visible":true}]`)
		}, "game", "bob", "play", []string{"rev 2  ← hints   named an instance that is not open, so was ignored", "✗ hints-unknown-instance   that instance is not open"}, nil},
		"a tool that was not listed yet": {func(p *tape) {
			p.hint(2, `"tools":[{"name":"late","visible":true}]`)
			p.ask(9, "tools/list", `{}`, `{"tools":[{"name":"late","_meta":{"mcpl/presence":"dynamic","mcpl/visible":false}}],"_meta":{"mcpl/rev":1}}`)
		}, "", "", "late", nil, []string{"hints-unknown-tool"}},
		"a tool that was listed only later": {func(p *tape) {
			game(p)
			p.hint(3, `"tools":[{"name":"late","instance":"ada","visible":true}]`)
			p.ask(9, "tools/list", `{}`, `{"tools":[{"name":"late","_meta":{"mcpl/toolset":"game"}}],"_meta":{"mcpl/rev":3}}`)
		}, "game", "ada", "late", []string{"no rev has made late visible in ada", "rev 3  ← hints      named a tool that is not listed, so was ignored", "✗ hints-unknown-tool"}, nil},
		"a static tool": {func(p *tape) {
			p.hint(2, `"tools":[{"name":"status","definition":{"description":"new"}}]`)
		}, "", "", "status", []string{"status | usable", "rev 2  ← hints   redefined a static tool, so was ignored", "✗ hints-static-definition   a static tool's definition is changed by tools/list_changed alone"}, []string{"NOW"}},
		"parts of a definition": {func(p *tape) {
			game(p)
			p.hint(3, `"tools":[{"name":"play","instance":"ada","definition":{"name":"play","title":"Other","description":"new","_meta":{"x":1}}}]`)
		}, "game", "ada", "play", []string{"NOW    «redefined by rev 3, this frame»", "✗ hints-definition-field   ignored in it: title, _meta. only description, inputSchema and annotations can change"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := newTape(t)
			p.negotiated()
			if c.write != nil {
				c.write(p)
			}
			log := p.log()
			got := print(inspector.Tool(log, last(t, log), c.toolset, c.instance, c.tool))
			has(t, got, c.want...)
			hasNot(t, got, c.not...)
		})
	}
}

func TestWhoDidNotAgreeOnHintsIsNamed(t *testing.T) {
	for name, c := range map[string]struct{ host, server, want string }{
		"the host":    {`{}`, `{"mcpl":{"version":"0.5","toolHints":true}}`, "this host did not offer them"},
		"the server":  {`{"mcpl":{"toolHints":true}}`, `{"mcpl":{"version":"0.5"}}`, "the server's manifest does not say toolHints"},
		"neither":     {`{}`, `{"mcpl":{"version":"0.5"}}`, "neither side offers them"},
		"a plain one": {`{"mcpl":{"toolHints":true}}`, `{}`, "this server offers no MCPL"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newTape(t)
			p.ask(1, "initialize", `{"capabilities":{"experimental":`+c.host+`}}`, `{"capabilities":{"experimental":`+c.server+`}}`)
			p.ask(2, "tools/list", `{}`, `{"tools":[{"name":"play","_meta":{"mcpl/toolset":"game"}}]}`)
			p.hint(1, `"tools":[{"name":"play","visible":false}]`)
			log := p.log()
			has(
				t, print(inspector.Tool(log, last(t, log), "", "", "play")), "play | usable",
				"toolHints are not negotiated: "+c.want, "rev 1  ← hints   ignored: hints are not negotiated",
			)
		})
	}
}

func TestWhatIsSaidOfAToolIsTheSameWhereverThePlayheadComesFrom(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	for rev := 3; rev < 40; rev++ {
		p.hint(rev, fmt.Sprintf(`"tools":[{"name":"play","instance":"ada","visible":%v},{"name":"undo","visible":true}]`, rev%2 == 0))
	}
	log := p.log()
	at := func(i int) string {
		b, err := log.Board(i)
		if err != nil {
			t.Fatal(err)
		}
		return print(inspector.Tool(log, b, "game", "ada", "undo")) + print(inspector.Tool(log, b, "game", "ada", "play"))
	}
	forward := make([]string, log.Len())
	for i := range forward {
		forward[i] = at(i)
	}
	for i := log.Len() - 1; i >= 0; i-- {
		if got := at(i); got != forward[i] {
			t.Fatalf("frame %d\n%s\nwas\n%s", i+1, got, forward[i])
		}
	}
	if !strings.Contains(forward[20], "hints-instance-missing") || strings.Contains(forward[20], "held") {
		t.Error(forward[20])
	}
}

func TestATrackNamesEachRevThatTouchedATool(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	p.push(1, "mv-1", "Your\nmove.", `{"rev":3,"tools":[{"name":"play","instance":"ada","definition":{"description":"new"}},{"name":"undo","instance":"ada","visible":true}]}`)
	p.hint(4, `"tools":[{"name":"undo","instance":"ada","visible":false}]`)
	p.ask(9, "tools/call", `{"name":"play","_meta":{"mcpl/instance":"ada"}}`, `{"content":[{"type":"text","text":"done"}],"_meta":{"mcpl/hints":{"rev":5,"tools":[{"name":"play","instance":"ada","visible":false}]}}}`)
	p.ask(10, "toolsets/close", `{"toolset":"game","instance":"ada"}`, `{"_meta":{"mcpl/hints":{"rev":6}}}`)
	log := p.log()
	b, err := log.Board(12) // rev 5
	if err != nil {
		t.Fatal(err)
	}
	has(
		t, print(inspector.Tool(log, b, "game", "ada", "play")), "TRACK    «+ usable  - hidden  ~ redefined»",
		"frame 4  0:00      → tools/list     listed", "rev 2    0:00  ◆+  → open ada\n",
		"rev 3    0:00  ~   ← push mv-1      “Your move.”", "▲ rev 5    0:00  -   → call play@ada  “done”", "· rev 6    0:00  ◇   → close ada",
	)
	has(
		t, print(inspector.Tool(log, b, "", "", "rematch")), "TRACK", "frame 4  0:00    → tools/list  listed",
	)
	hasNot(t, print(inspector.Tool(log, b, "game", "ada", "play")), "rev 4 ", "more change")
}

func TestAnInstanceHasATrackOfAllThatChangedInIt(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	p.push(1, "mv-1", "Go on.", `{"rev":3,"tools":[{"name":"play","instance":"ada","visible":false},{"name":"undo","instance":"ada","visible":true,"definition":{"description":"x"}}]}`)
	p.hint(4, `"tools":[{"name":"undo","instance":"ada","visible":false,"definition":{"description":"y"}},{"name":"play","instance":"ada","definition":{"description":"z"}}]`)
	p.hint(5, `"tools":[{"name":"rematch","visible":true}]`)
	p.hint(6, `"toolsets":[{"toolset":"chat","state":"open"}],"tools":[{"name":"say","visible":true}]`)
	log := p.log()
	got := print(inspector.Instance(log, last(t, log), "game", "ada"))
	has(
		t, got, "TRACK", "rev 2  0:00  ◆+    → open ada", "rev 3  0:00  +-~   ← push mv-1  “Go on.”", "rev 4  0:00  -1~2  ← hints",
	)
	hasNot(t, got, "rev 5 ", "rev 6 ")
	has(t, print(inspector.Toolset(log, last(t, log), "chat")), "▲ rev 6    0:00  ◆+  ← hints")
	hasNot(t, print(inspector.Toolset(log, last(t, log), "game")), "TRACK")
}

func TestALongTrackTellsTheNewestAndCountsTheRest(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	for rev := 3; rev <= 200; rev++ {
		p.hint(rev, fmt.Sprintf(`"tools":[{"name":"play","instance":"ada","visible":%v}]`, rev%2 == 0))
	}
	log := p.log()
	b, err := log.BoardOfRev(1, 100)
	if err != nil {
		t.Fatal(err)
	}
	got := print(inspector.Tool(log, b, "game", "ada", "play"))
	has(t, got, "… 188 more changes", "rev 91 ", "▲ rev 100 ", "· rev 101 ", "· rev 103 ")
	hasNot(t, got, "rev 90 ", "rev 104 ")
}

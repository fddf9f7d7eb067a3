package inspector_test

import (
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

func last(t *testing.T, log *timeline.Log) *timeline.Board {
	t.Helper()
	b, err := log.Board(log.Len() - 1)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAToolSaysWhyItIsUsableOrNot(t *testing.T) {
	game := func(p *tape) { p.openGame(4, "ada", 2) }
	for name, c := range map[string]struct {
		write                   func(p *tape)
		toolset, instance, tool string
		want, not               []string
	}{
		"usable in an instance": {
			game, "game", "ada", "play",
			[]string{"play @ ada | usable", "ada is open    «since rev 2, this frame»", "last said visible: true    «by rev 2, this frame»"},
			nil,
		},
		"never made visible there": {
			game, "game", "ada", "undo",
			[]string{"undo @ ada | not usable", "no rev has made undo visible in ada, open since 2", "rev 2  → open ada   play made visible"},
			nil,
		},
		"an entry that named no instance": {
			func(p *tape) {
				game(p)
				p.push(1, "mv-9", "x", `{"rev":3,"tools":[{"name":"undo","visible":true}]}`)
			}, "game", "ada", "undo",
			[]string{
				"rev 3  ← push mv-9   named no instance, so was ignored", "✗ hints-instance-missing   a tool of game needs an instance",
				`sent    {"name":"undo","visible":true}`, `needed  {"name":"undo","instance":"ada","visible":true}`,
			},
			nil,
		},
		"an entry for another instance is not shown": {
			func(p *tape) {
				game(p)
				p.push(1, "mv-9", "x", `{"rev":3,"tools":[{"name":"undo","instance":"bob","visible":true}]}`)
			}, "game", "ada", "undo", nil, []string{"mv-9", "hints-unknown-instance"},
		},
		"hidden by a rev": {
			func(p *tape) {
				game(p)
				p.push(1, "mv-9", "x", `{"rev":3,"tools":[{"name":"play","instance":"ada","visible":false}]}`)
			}, "game", "ada", "play",
			[]string{"rev 3 said visible: false in ada", "rev 2  → open ada    play made visible", "rev 3  ← push mv-9   said visible: false"},
			nil,
		},
		"left out of a full statement": {
			func(p *tape) {
				game(p)
				p.out(`{"jsonrpc":"2.0","id":8,"method":"toolsets/list"}`)
				p.in(`{"jsonrpc":"2.0","id":8,"result":{"open":[{"toolset":"game","instance":"ada"}],"_meta":{"mcpl/hints":{"rev":3}}}}`)
			}, "game", "ada", "play", []string{"the full statement of rev 3 does not say that play is visible in ada"}, nil,
		},
		"no instance is open": {nil, "game", "", "play", []string{"no instance of game is open"}, nil},
		"no such instance":    {game, "game", "bob", "play", []string{"bob is not open in game"}, nil},
		"which instance":      {game, "game", "", "play", []string{"game has instances, and none is named: ada"}, nil},
		"the toolset is shut": {nil, "chat", "", "say", []string{"the toolset chat is closed, and was never open"}, nil},
		"an undeclared group": {nil, "debug", "", "dump", []string{"the manifest does not declare the group debug", "nothing is sent"}, nil},
		"its group was opened": {func(p *tape) {
			p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":2,"tools":[{"name":"dump","visible":true}]}}`)
			p.note("group-open", `{"toolset":"debug"}`)
		}, "debug", "", "dump", []string{"dump | usable", "the group is open, here alone"}, nil},
		"static":             {nil, "", "", "status", []string{"status | usable", "listed as visible, no rev said otherwise", "DECLARED", "Who you are", "ARGUMENTS", "none"}, nil},
		"loose and hidden":   {nil, "", "", "rematch", []string{"the full statement of rev 1 does not say that rematch is visible"}, nil},
		"not listed":         {nil, "", "", "fly", []string{"fly | not listed", "the server lists no such tool"}, nil},
		"of another toolset": {game, "chat", "ada", "play", []string{"not listed"}, nil},
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

func TestAToolsetThatWasClosedNamesTheRevs(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":2,"toolsets":[{"toolset":"chat","state":"open"}],"tools":[{"name":"say","visible":true}]}}`)
	p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":3,"toolsets":[{"toolset":"chat","state":"closed"}]}}`)
	log := p.log()
	has(
		t, print(inspector.Tool(log, last(t, log), "chat", "", "say")), "the toolset chat is closed since rev 3, this frame",
		"rev 2  ← hints   say made visible", "rev 3  ← hints   closed it",
	)
	has(t, print(inspector.Toolset(log, last(t, log), "chat")), "chat | closed", "closed by rev 3, this frame", "○ say")
}

func TestARedefinedToolShowsWhatItIsNow(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	p.push(1, "e", "x", `{"rev":3,"tools":[{"name":"play","instance":"ada","definition":{"description":"Place, move 2","inputSchema":{"type":"object","properties":{"x":{"type":"integer","minimum":0,"maximum":9,"default":3}}}}}]}`)
	log := p.log()
	has(
		t, print(inspector.Tool(log, last(t, log), "game", "ada", "play")), "DECLARED", "Place",
		"~ NOW    «redefined by rev 3, frame 9»", "+ Place, move 2", "x  integer, 0 to 9, default 3",
	)
}

func TestToolsetInstanceEndAndSuggestionAreExplained(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":3,"suggest":[{"toolset":"chat","reason":"say hello","options":{"room":1}}]}}`)
	p.out(`{"jsonrpc":"2.0","id":8,"method":"toolsets/list"}`)
	p.in(`{"jsonrpc":"2.0","id":8,"result":{"open":[{"toolset":"game","instance":"ada"}],"ended":[{"id":"e1","toolset":"game","instance":"old","reason":"time is up"}],"_meta":{"mcpl/hints":{"rev":4}}}}`)
	log := p.log()
	b := last(t, log)
	has(
		t, print(inspector.Toolset(log, b, "game")), "game | open", "1 instance open", "ada   0 of 2 usable    «since rev 2, frame 8»",
		"TOOLS    «0 of 2 usable»", "size  integer", "ENDED", "old   “time is up”    «rev 4, this frame»",
	)
	has(
		t, print(inspector.Instance(log, b, "game", "ada")), "game ada | 0 of 2 usable", "ada    «open since rev 2, frame 8»",
		"OPENED    «in frame 7»", `json {"size":9}`,
	)
	has(t, print(inspector.Instance(log, b, "game", "old")), "not open", "ENDED")
	has(t, print(inspector.Instance(log, b, "nope", "old")), "no such instance is open")
	has(t, print(inspector.Toolset(log, b, "nope")), "there is no such toolset")
	if len(b.Ended) != 1 || len(b.Suggestions) != 1 {
		t.Fatalf("%+v %+v", b.Ended, b.Suggestions)
	}
	has(t, print(inspector.Ended(log, b, b.Ended[0])), "ended by itself", "text time is up", "e1", "TOLD IN")
	has(
		t, print(inspector.Suggestion(log, b, b.Suggestions[0])), "open chat | pending", "«pending since rev 3, frame 9»",
		"text say hello", `json {"room":1}`, "chat   Talk", "never open",
	)
	has(t, print(inspector.Toolset(log, b, "chat")), "SUGGESTED", "? open chat    «pending since rev 3, frame 9»", "“say hello”")
}

func TestASchemaIsToldInAFewWords(t *testing.T) {
	p := newTape(t)
	p.out(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	p.in(`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"t","annotations":{"title":"T","readOnlyHint":false},"inputSchema":{"type":"object","required":["a"],"properties":{` +
		`"a":{"type":"string","title":"the first"},"b":{"type":["string","null"]},"c":{"type":"array","items":{"type":"number"},"minItems":1},` +
		`"d":{"const":4},"e":{},"f":{"type":"string","maxLength":8,"pattern":"^x"},"g":{"enum":[1,2]},"h":{"type":"integer","exclusiveMinimum":0}}}}]}}`)
	log := p.log()
	has(
		t, print(inspector.Tool(log, last(t, log), "", "", "t")), "ARGUMENTS    «readOnlyHint false»", "DECLARED    «T»",
		"a *  string   the first", "b    string or null", "c    array of number, at least 1 items", "d    always 4", "e    any value",
		"f    string, at most 8 characters, like ^x", "g    one of 1, 2", "h    integer, above 0",
		"toolHints are not negotiated",
	)
}

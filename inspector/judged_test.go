package inspector_test

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

const playCall = `{"name":"play","arguments":{"at":"A1"},"_meta":{"mcpl/instance":"ada"}}`

// A call is judged by what was so when it was sent: whether its tool was
// usable, and by which definition its arguments are valid or not.
func TestACallIsJudgedByWhatWasSoThen(t *testing.T) {
	redefined := `"tools":[{"name":"play","instance":"ada","definition":{"inputSchema":{"type":"object","required":["at"],"properties":{"at":{"enum":["D4"]}}}}}]`
	for name, c := range map[string]struct {
		write     func(p *tape) int // the frame that is looked at
		want, not []string
	}{
		"valid": {func(p *tape) int {
			return p.ask(5, "tools/call", playCall, `{"content":[]}`)
		}, []string{"✓ play was usable in ada when it was sent    «by rev 2, frame 8»", "✓ its arguments are valid, as declared in frame 4"}, []string{"✗", "while the call was open"}},
		"valid then, redefined later": {func(p *tape) int {
			i := p.ask(5, "tools/call", playCall, `{"content":[]}`)
			p.hint(3, redefined)
			return i
		}, []string{"✓ its arguments are valid, as declared in frame 4"}, []string{"break"}},
		"invalid by what it was redefined to": {func(p *tape) int {
			p.hint(3, redefined)
			return p.ask(5, "tools/call", playCall, `{"content":[]}`)
		}, []string{"! its arguments break its schema, as redefined by rev 3, frame 9", `at is "A1", must be D4`}, nil},
		"no arguments at all": {func(p *tape) int {
			return p.ask(5, "tools/call", `{"name":"play","_meta":{"mcpl/instance":"ada"}}`, `{"content":[]}`)
		}, []string{"! its arguments break", "at is missing"}, nil},
		"a schema that cannot be used": {func(p *tape) int {
			p.hint(3, `"tools":[{"name":"play","instance":"ada","definition":{"inputSchema":{"type":"frob"}}}]`)
			return p.ask(5, "tools/call", playCall, `{"content":[]}`)
		}, []string{"its arguments were not checked, as redefined by rev 3, frame 9: the schema cannot be used"}, nil},
		"redefined while it was open": {func(p *tape) int {
			p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":` + playCall + `}`)
			p.hint(3, redefined)
			return p.in(`{"jsonrpc":"2.0","id":5,"result":{"content":[]}}`)
		}, []string{"✓ its arguments are valid, as declared", "~ play was redefined while the call was open    «by rev 3, frame 10»", "MEANWHILE    «between the two frames»", "← 10  tools/hints"}, nil},
		"hidden while it was open": {func(p *tape) int {
			p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":` + playCall + `}`)
			p.hint(3, `"tools":[{"name":"play","instance":"ada","visible":false}]`)
			return p.in(`{"jsonrpc":"2.0","id":5,"result":{"content":[]}}`)
		}, []string{"it was hidden while the call was open"}, nil},
		"closed while it was open": {func(p *tape) int {
			p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":` + playCall + `}`)
			p.hint(3, `"toolsets":[{"toolset":"game","instance":"ada","state":"closed"}]`)
			return p.in(`{"jsonrpc":"2.0","id":5,"result":{"content":[]}}`)
		}, []string{"it was closed while the call was open"}, nil},
		"its own consequence is none of that": {func(p *tape) int {
			return p.ask(5, "tools/call", playCall, `{"content":[],"_meta":{"mcpl/hints":{"rev":3,"tools":[{"name":"play","instance":"ada","visible":false}]}}}`)
		}, []string{"✓ play was usable"}, []string{"while the call was open"}},
		"still open": {func(p *tape) int {
			i := p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":` + playCall + `}`)
			p.stderr("thinking")
			return i
		}, []string{"✓ play was usable in ada when it was sent", "MEANWHILE    «since it was sent»", "┆ 10  thinking"}, nil},
		"hidden, and it succeeded": {func(p *tape) int {
			return p.ask(5, "tools/call", `{"name":"undo","_meta":{"mcpl/instance":"ada"}}`, `{"content":[]}`)
		}, []string{"✗ call-invisible   undo was hidden in ada, and yet the call succeeded", "WHY undo WAS HIDDEN"}, nil},
		"hidden, and it was refused": {func(p *tape) int {
			return p.ask(5, "tools/call", `{"name":"undo","_meta":{"mcpl/instance":"ada"}}`, `{"isError":true,"content":[{"type":"text","text":"no"}]}`)
		}, []string{"✓ as it should be: undo was hidden in ada", "✓ no hints in the answer, and nothing pushed for it"}, nil},
		"hidden, and something was pushed": {func(p *tape) int {
			p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"undo","_meta":{"mcpl/instance":"ada"}}}`)
			p.hint(3, `"reason":"x"`)
			return p.in(`{"jsonrpc":"2.0","id":5,"result":{"isError":true,"content":[{"type":"text","text":"no"}]}}`)
		}, []string{"✓ as it should be"}, []string{"nothing pushed"}},
		"closed, and it succeeded": {func(p *tape) int {
			return p.ask(5, "tools/call", `{"name":"say"}`, `{"content":[]}`)
		}, []string{"✗ call-closed-toolset   say was in a toolset that is not open, and yet the call got no tool error", "WHY say WAS CLOSED"}, nil},
		"an undeclared group is no toolset": {func(p *tape) int {
			return p.ask(5, "tools/call", `{"name":"dump"}`, `{"content":[]}`)
		}, []string{"dump was in a toolset that is not open when it was sent"}, []string{"✗ call"}},
		"no instance named": {func(p *tape) int {
			return p.ask(5, "tools/call", `{"name":"play","arguments":{"at":"A1"}}`, `{"content":[]}`)
		}, []string{"no instance was named, and ada is open (toolHints 6)"}, []string{"WHY play"}},
		"no such tool": {func(p *tape) int {
			return p.ask(5, "tools/call", `{"name":"fly"}`, `{"content":[]}`)
		}, []string{"! the list in effect named no tool fly"}, nil},
		"listed no more": {func(p *tape) int {
			p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":` + playCall + `}`)
			p.ask(6, "tools/list", `{}`, `{"tools":[]}`)
			return p.in(`{"jsonrpc":"2.0","id":5,"result":{"content":[]}}`)
		}, []string{"meanwhile the list ceased to name play"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := newTape(t)
			p.negotiated()
			p.openGame(4, "ada", 2)
			i := c.write(p)
			got := print(inspector.Frame(p.log(), i))
			has(t, got, c.want...)
			hasNot(t, got, c.not...)
		})
	}
}

func TestWithoutHintsOnlyTheArgumentsAreJudged(t *testing.T) {
	p := newTape(t)
	p.ask(2, "tools/list", `{}`, `{"tools":[{"name":"add","inputSchema":{"type":"object","required":["a"]}}]}`)
	i := p.ask(3, "tools/call", `{"name":"add","arguments":{"b":1}}`, `{"content":[]}`)
	got := print(inspector.Frame(p.log(), i))
	has(t, got, "JUDGED", "! its arguments break its schema, as declared in frame 2", "a is missing")
	hasNot(t, got, "usable")
}

func TestASchemaIsOutlinedToItsParts(t *testing.T) {
	p := newTape(t)
	p.ask(2, "tools/list", `{}`, `{"tools":[{"name":"t","inputSchema":{"type":"object","required":["clock"],"$defs":{"node":{"type":"object","properties":{"name":{"type":"string"},"next":{"$ref":"#/$defs/node"}}},"a/b":{"enum":["x"]}},"properties":{`+
		`"clock":{"type":"object","required":["main"],"properties":{"main":{"type":"integer","minimum":1},"step":{"type":"integer","default":30}}},`+
		`"moves":{"type":"array","maxItems":3,"items":{"type":"object","required":["at"],"properties":{"at":{"type":"string"}}}},`+
		`"tree":{"$ref":"#/$defs/node","description":"a list"},"ref":{"$ref":"#/$defs/a~1b"},"gone":{"$ref":"#/$defs/none"},`+
		`"when":{"anyOf":[{"type":"string","format":"date"},{"type":"null"}]},`+
		`"who":{"oneOf":[{"properties":{"id":{"type":"integer"}}},{"type":"string"}]},`+
		`"any":{"type":"object","additionalProperties":{"type":"number"}},"step":{"type":"number","multipleOf":0.5},"no":false},`+
		`"allOf":[{"properties":{"extra":{"type":"boolean"}}}]},"outputSchema":{"type":"object","properties":{"won":{"type":"boolean"}}},`+
		`"annotations":{"title":"T","readOnlyHint":true,"destructiveHint":true,"odd":3},"_meta":{"mcpl/presence":"static","mcpl/visible":true,"mcpl/other":1,"org/x":{"a":[1,2]}}}]}`)
	log := p.log()
	got := print(inspector.Tool(log, last(t, log), "", "", "t"))
	has(
		t, got, "extra        boolean\n", "clock *      object\n", "main *     integer, at least 1\n", "step       integer, default 30\n",
		"moves        array of object, at most 3 items\n", "at *       string\n", "tree         object   a list\n", "name       string\n",
		"next       the same again\n", "ref          one of x\n", "gone         #/$defs/none\n", "when         string, date or null\n",
		"who          one of 2 forms\n", "form 1     object\n", "id       integer\n", "form 2     string\n", "any          object\n", "any other  number\n",
		"step         number, in steps of 0.5\n", "no           nothing\n",
		"RESULT    «structuredContent»", "won  boolean",
		"readOnlyHint      true   it says that it changes nothing", "destructiveHint   true   it may destroy or overwrite", "odd               3   not one of MCP's",
		"mcpl/presence  static   stands in the head of every prompt", "mcpl/visible   true   listed as usable",
		"mcpl/other     1   a reserved key that nothing defines", `org/x          {"a":[1,2]}`,
	)
}

func TestAnOutlineEnds(t *testing.T) {
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 40) + `{}` + strings.Repeat(`}}`, 40)
	wide := `{"type":"object","properties":{` + strings.TrimSuffix(strings.Repeat(`"a":{},`, 3), ",")
	for i := range 90 {
		wide += `,"p` + strings.Repeat("x", i) + `":{"anyOf":[{"$ref":"#"},{"properties":{"y":{"$ref":"#"}}}]}`
	}
	for _, schema := range []string{deep, wide + "}}", `{"$ref":"#/properties"}`, `{"allOf":[{"$ref":"#"}]}`, `{"properties":{"a":{"$ref":"#/properties/a"}}}`} {
		p := newTape(t)
		p.ask(2, "tools/list", `{}`, `{"tools":[{"name":"t","inputSchema":`+schema+`}]}`)
		log := p.log()
		bounded(t, inspector.Tool(log, last(t, log), "", "", "t"))
	}
}

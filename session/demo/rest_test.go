package demo

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestTheChatIsClosedUntilItIsOpened(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		h.wont("say", `{"text":"hello"}`, "chat is closed", "open it first")
		r := h.result("toolsets/open", `{"toolset":"chat"}`)
		want := `{"rev":2,"toolsets":[{"toolset":"chat","state":"open"}],"tools":[{"name":"say","visible":true},{"name":"react","visible":true}]}`
		if got := string(wire.Path(r, "_meta", "mcpl/hints")); got != want {
			t.Errorf("the open's hints: %s", got)
		}
		if wire.Member(r, "instance") != nil {
			t.Error("a toolset without instances has an instance")
		}
		beats(1)
		p := h.onePush()
		has(t, pushText(p), "Ada: hello!")
		if hintsOf(p) != nil || wire.StringOf(wire.Member(p.Params, "featureSet")) != "chat.lines" {
			t.Errorf("a line of the chat changes nothing: %s", p.Params)
		}
		h.does("say", `{"text":"hello Ada"}`)
		beats(1)
		has(t, pushText(h.onePush()), "Ada: ")
		h.does("react", `{"with":"smile"}`)
		h.wont("react", `{"with":"frown"}`, "smile, thanks and wow")
		h.wont("say", `{"text":""}`, "1 to 200")
		h.wont("say", `{"text":"`+strings.Repeat("x", 201)+`"}`, "1 to 200")
		has(t, said(h.result("toolsets/close", `{"toolset":"chat"}`)), "Closed chat")
		h.wont("say", `{"text":"hello"}`, "chat is closed")
		h.lists()
		h.hangUp()
	})
}

func TestWithTheChatOpenAMoveTakesAComment(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn9)
		beats(1)
		h.took()
		h.wont("play", `{"at":"C3","comment":"ha"}`, `no argument "comment"`)
		r := h.result("toolsets/open", `{"toolset":"chat"}`)
		has(t, string(wire.Path(r, "_meta", "mcpl/hints")), `"name":"play","instance":"vs-ada","definition":`, `"comment":`)
		h.does("play", `{"at":"C3","comment":"ha"}`)
		h.wont("board", `{"comment":"ha"}`, "takes no arguments")
		beats(2)
		pushes, _ := h.took()
		if len(pushes) != 2 {
			t.Errorf("%d pushes: a move, and a line of the chat", len(pushes))
		}
		h.result("toolsets/close", `{"toolset":"chat"}`)
		if strings.Contains(h.definition("play", "vs-ada", "inputSchema"), "comment") {
			t.Error("play takes a comment without a chat")
		}
		h.lists()
		h.hangUp()
	})
}

func TestTheRadioIsOpenByDefaultAndCanBeClosed(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		r := h.result("tools/call", callParams("tune", `{"station":"folk"}`))
		has(t, string(wire.Path(r, "_meta", "mcpl/hints")), `{"name":"now_playing","definition":{`, "on folk")
		h.does("now_playing", `{}`, "folk: ")
		h.lists() // the definition is in the statement
		h.wont("tune", `{"station":"news"}`, "jazz, folk and chip")
		h.result("toolsets/close", `{"toolset":"radio"}`)
		h.wont("now_playing", `{}`, "radio is closed")
		h.lists()
		h.result("toolsets/open", `{"toolset":"radio"}`)
		h.does("now_playing", `{}`, "folk: ")
		h.lists()
		h.hangUp()
	})
}

func TestTheUndeclaredGroupIsTheHostsAlone(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		for _, method := range []string{"toolsets/open", "toolsets/close"} {
			h.refused(method, `{"toolset":"debug"}`, -32602, "not declared by the manifest")
		}
		h.wont("dump_board", `{}`, "no game is open")
		h.result("toolsets/open", adaOn5)
		h.does("dump_board", `{}`, "vs-ada: turn Black", "25 legal points")
		h.result("toolsets/open", kaiOn5)
		h.wont("dump_board", `{}`, "vs-ada and vs-kai")
		h.does("dump_board", `{"game":"vs-kai"}`, "vs-kai: turn Black")
		h.wont("seed_game", `{"game":"vs-eve","position":"ko"}`, `no game "vs-eve"`)
		h.wont("seed_game", `{"game":"vs-kai","position":"middle"}`, "empty, capture, ko, suicide and endgame")
		h.does("seed_game", `{"game":"vs-kai","position":"ko"}`, "You are White")
		if got := h.usable("vs-kai"); got != "play pass resign board" {
			t.Errorf("it is your move: %s", got)
		}
		h.does("resign@vs-kai", `{}`)
		h.wont("seed_game", `{"game":"vs-kai","position":"ko"}`, "is over")
		h.lists()
		h.hangUp()
	})
}

func TestAPinnedToolMovesToTheStaticHeadAndBack(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn5)
		h.does("resign", `{}`)
		beats(1) // rematch is on offer, redefined
		r := h.result("tools/call", callParams("pin_tool", `{"tool":"rematch","pinned":true}`))
		has(t, string(wire.Path(r, "_meta", "mcpl/hints")), `"tools":[{"name":"rematch","presence":"static","visible":true}]`)
		h.lists()
		h.does("rematch", `{}`)
		h.wont("rematch", `{}`, "no game ended of late") // static: listed as usable, and says why not
		h.does("pin_tool", `{"tool":"rematch","pinned":false}`)
		h.lists()
		h.does("pin_tool", `{"tool":"advice","pinned":true}`)
		h.wont("advice", `{}`, "call think first")
		h.wont("pin_tool", `{"tool":"play"}`, "rematch and advice")
		h.wont("pin_tool", `{"tool":"advice","pinned":1}`, "true or false")
		h.lists()
		h.hangUp()
	})
}

func TestThinkReportsProgressAndItsResultCarriesWhatItLeaves(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn5)
		beats(1)
		h.took()
		_, answer := h.ask("tools/call", `{"name":"think","arguments":{"seconds":3},"_meta":{"progressToken":"tok"}}`)
		beats(2)
		_, notes := h.took()
		if len(notes) != 2 || string(notes[1].Params) != `{"progressToken":"tok","progress":2,"total":3,"message":"thought for 2 s of 3"}` {
			t.Fatalf("%d progress notifications", len(notes))
		}
		beats(1)
		r := h.await(answer).Result
		has(t, said(r), "thought for 3 s")
		has(t, string(wire.Path(r, "_meta", "mcpl/hints")), `"tools":[{"name":"advice","visible":true}]`)
		has(t, h.does("advice", `{}`), "In vs-ada the house would play")
		h.wont("advice", `{}`, "call think first")
		h.lists()
		h.hangUp()
	})
}

func TestThinkWithoutATokenReportsNothing(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		h.does("think", `{"seconds":2}`, "2 s")
		if _, notes := h.took(); len(notes) != 0 {
			t.Errorf("%d notifications", len(notes))
		}
		for _, bad := range []string{`{"seconds":0}`, `{"seconds":31}`, `{"seconds":1.5}`, `{"seconds":"3"}`, `{"seconds":null}`} {
			h.wont("think", bad, "1 to 30")
		}
		h.hangUp()
	})
}

func TestACancelledCallHasNoResultAndItsConsequencesComeAsToolsHints(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		id, answer := h.ask("tools/call", `{"name":"think","arguments":{"seconds":30}}`)
		beats(2)
		h.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + string(encode(id)) + `}}`)
		beats(60)
		pushes, notes := h.took()
		if len(pushes) != 0 || len(notes) != 1 || notes[0].Method != "tools/hints" ||
			!strings.Contains(string(notes[0].Params), `"tools":[{"name":"advice","visible":true}]`) {
			t.Fatalf("%d pushes, %d notifications", len(pushes), len(notes))
		}
		select {
		case a := <-answer:
			t.Errorf("a cancelled call is answered: %s", a.Raw)
		default:
		}
		// Cancelled once more, or never asked, or no id at all: nothing.
		for _, params := range []string{`{"requestId":` + string(encode(id)) + `}`, `{"requestId":"x"}`, `{}`, `[]`} {
			h.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":` + params + `}`)
		}
		h.lists()
		h.hangUp()
	})
}

func TestCallsThatRunAreBoundedAndKeepTheirIDs(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		var answers []chan wire.Head
		for range maxThought {
			_, a := h.ask("tools/call", `{"name":"think","arguments":{"seconds":5}}`)
			answers = append(answers, a)
		}
		h.wont("think", `{}`, "8 things already")
		h.does("status", `{}`) // others are answered meanwhile
		beats(5)
		for _, a := range answers {
			h.await(a)
		}
		h.does("think", `{"seconds":1}`)
		h.hangUp()
	})
}

func TestCallsThatRunAreAnsweredWhenTheHostClosesItsSide(t *testing.T) {
	show(t, func(t *testing.T) {
		var sent [][]byte
		p := NewPrincipal(Options{Seed: 1})
		defer p.Close()
		c := NewConn(p, func(msg []byte) { sent = append(sent, msg) })
		c.Handle([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`))
		c.Handle([]byte(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"think"}}`))
		c.Close()
		c.Close()
		if last := wire.Peek(sent[len(sent)-1]); len(sent) != 2 || last.ID != "2" || last.Kind != wire.Result {
			t.Errorf("%d messages, the last %s", len(sent), sent[len(sent)-1])
		}
		c.Handle([]byte(`{"jsonrpc":"2.0","id":3,"method":"ping"}`))
		if len(sent) != 2 {
			t.Error("a closed connection answers")
		}
	})
}

func TestUnknownToolsAndUnreadableCallsAreErrors(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		h.refused("tools/call", `{"name":"nothing"}`, -32602, `no tool "nothing"`)
		h.refused("tools/call", `{"name":"toolset_open","arguments":{"toolset":"game"}}`, -32602, "no tool")
		h.refused("tools/call", `{"name":"\u001b[31mx"}`, -32602, "no readable name")
		h.refused("tools/call", `{}`, -32602, "names no tool")
		h.refused("tools/call", `{"name":7}`, -32602, "names no tool")
		h.refused("tools/call", `[]`, -32602, "must be an object")
		h.refused("tools/call", `{"name":"status","arguments":[]}`, -32602, "arguments of status must be an object")
		h.refused("tools/call", `{"name":"status","_meta":7}`, -32602, "_meta must be an object")
		h.refused("tools/call", `{"name":"play","_meta":{"mcpl/instance":7}}`, -32602, "must be a string")
		h.wont("status", `{"x":1}`, "takes no arguments")
		h.hangUp()
	})
}

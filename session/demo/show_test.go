package demo

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// gamers connects a host with toolHints and pushes, and opens games.
func gamers(t *testing.T, opts Options, opens ...string) *host {
	t.Helper()
	h := dial(t, opts).greet(hintsHost, "pushEvents")
	for _, o := range opens {
		h.result("toolsets/open", o)
	}
	return h
}

const (
	adaOn5 = `{"toolset":"game","options":{"opponent":"ada","size":5}}`
	adaOn9 = `{"toolset":"game","options":{"opponent":"ada"}}`
	kaiOn5 = `{"toolset":"game","options":{"opponent":"kai","size":5,"color":"white"}}`
)

func hintsOf(p wire.Head) []byte { return wire.Member(p.Params, "hints") }

func TestFirstTenSeconds(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		r := h.result("toolsets/open", `{"toolset":"game","options":{"opponent":"ada","size":9}}`)
		want := `{"rev":2,"toolsets":[{"toolset":"game","instance":"vs-ada","state":"open","title":"Go 9x9"}],"tools":[` +
			`{"name":"play","instance":"vs-ada","visible":true},{"name":"pass","instance":"vs-ada","visible":true},` +
			`{"name":"resign","instance":"vs-ada","visible":true},{"name":"board","instance":"vs-ada","visible":true}]}`
		if got := string(wire.Path(r, "_meta", "mcpl/hints")); got != want {
			t.Errorf("the open's hints: %s", got)
		}
		beats(0.9)
		if pushes, notes := h.took(); len(pushes)+len(notes) != 0 {
			t.Error("something came within a second")
		}
		beats(0.2)
		p := h.onePush()
		has(t, pushText(p), "Ada sits down: hello!")
		if got := string(wire.Member(hintsOf(p), "suggest")); got !=
			`[{"toolset":"chat","action":"open","reason":"Ada says hello, answer her?"}]` {
			t.Errorf("suggests %s", got)
		}
		if tools := string(wire.Member(hintsOf(p), "tools")); !strings.HasPrefix(tools, `[{"name":"play","instance":"vs-ada","definition":{`) {
			t.Errorf("play is not redefined: %s", tools)
		}
		if got := h.definition("play", "vs-ada", "description"); got != `"Place a stone. You are Black, move 1."` {
			t.Errorf("description: %s", got)
		}
		h.hangUp()
	})
}

func TestAMoveHidesPlayAndPassInItsResultAndTheAnswerBringsThemBack(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn5)
		r := h.result("tools/call", callParams("play@vs-ada", `{"at":"C3"}`))
		want := `{"rev":3,"tools":[{"name":"play","instance":"vs-ada","visible":false},{"name":"pass","instance":"vs-ada","visible":false}]}`
		if got := string(wire.Path(r, "_meta", "mcpl/hints")); got != want {
			t.Errorf("the result's hints: %s", got)
		}
		h.wont("play@vs-ada", `{"at":"B2"}`, "play is not possible in vs-ada now", "White's turn", "Ada is thinking")
		h.wont("pass@vs-ada", `{}`, "White's turn")
		beats(1)
		p := h.onePush()
		has(t, pushText(p), "White plays ", "Your move, Black.")
		for member, value := range map[string]string{"featureSet": "game.moves", "toolset": "game", "instance": "vs-ada"} {
			if got := wire.StringOf(wire.Member(p.Params, member)); got != value {
				t.Errorf("%s: %q", member, got)
			}
		}
		if got := h.usable("vs-ada"); got != "play pass resign board" {
			t.Errorf("usable: %s", got)
		}
		if got := h.definition("play", "vs-ada", "annotations"); !strings.Contains(got, `"title":"Play (move 3)"`) {
			t.Errorf("annotations: %s", got)
		}
		enum := string(wire.Path([]byte(h.definition("play", "vs-ada", "inputSchema")), "properties", "at", "enum"))
		if n := strings.Count(enum, ","); n != 22 || strings.Contains(enum, "C3") {
			t.Errorf("25 points less two stones: %s", enum)
		}
		h.lists()
		h.hangUp()
	})
}

func TestTheEnumIsTheLegalPoints(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn5)
		h.does("seed_game", `{"position":"suicide"}`)
		enum := string(wire.Path([]byte(h.definition("play", "vs-ada", "inputSchema")), "properties", "at", "enum"))
		if strings.Contains(enum, "A5") || strings.Contains(enum, "B5") || !strings.Contains(enum, "C5") {
			t.Errorf("enum: %s", enum)
		}
		h.wont("play", `{"at":"A5"}`, "A5 is not legal", "suicide is not allowed")
		h.wont("play", `{"at":"B5"}`, "there is a stone already")
		h.wont("play", `{"at":"Z9"}`, "no point of this board", "A1 to E5")
		h.wont("play", `{"at":7}`, "at must be a point")
		h.wont("play", `{}`, "at must be a point")
		h.wont("play", `{"at":"C3","now":true}`, `no argument "now"`, "takes at")
		h.does("seed_game", `{"position":"capture"}`)
		h.does("play", `{"at":"A5"}`, "You play A5 and take B4 and B5")
		h.hangUp()
	})
}

func TestAKoIsRefusedWithItsReason(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn5)
		h.does("seed_game", `{"position":"ko"}`)
		h.does("play", `{"at":"C4"}`, "take B4")
		h.hangUp()
	})
	// The opponent may play elsewhere, so the retaking is tried by hand.
	m := at(drawn(t, ".XO.. XO.O. .XO.. ..... ....."), black)
	g := &game{match: m, you: white}
	if err := m.play(point(t, "C4", 5)); err != nil {
		t.Fatal(err)
	}
	_, err := runPlay(&call{p: NewPrincipal(Options{Seed: 1}), game: g, args: object{"at": []byte(`"B4"`)}})
	if err == nil || !strings.Contains(err.Error(), "takes back the ko at once") {
		t.Errorf("%v", err)
	}
}

func TestTwoGamesAtOnceKeepApart(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn5, kaiOn5)
		if got := h.usable("vs-kai"); got != "resign board" {
			t.Errorf("Kai is Black and moves first, usable: %s", got)
		}
		h.wont("play", `{"at":"C3"}`, "vs-ada", "vs-kai", "mcpl/instance")
		h.wont("board@vs-eve", `{}`, `"vs-eve"`, "vs-ada and vs-kai")
		h.does("play@vs-ada", `{"at":"C3"}`)
		if got := h.usable("vs-ada") + ", " + h.usable("vs-kai"); got != "resign board, resign board" {
			t.Errorf("usable: %s", got)
		}
		beats(3)
		pushes, _ := h.took()
		if len(pushes) != 2 {
			t.Fatalf("%d pushes", len(pushes))
		}
		for _, p := range pushes {
			wire.EachElement(wire.Member(hintsOf(p), "tools"), func(e []byte) bool {
				if string(wire.Member(e, "instance")) != string(wire.Member(p.Params, "instance")) {
					t.Errorf("a push of one game speaks of another: %s", e)
				}
				return true
			})
		}
		h.does("board@vs-kai", `{}`, "Last: Black at")
		h.lists()
		h.hangUp()
	})
}

func TestResigningEndsTheGameTheInstanceAndLeavesARecord(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn5)
		beats(1)
		h.onePush()
		h.does("resign@vs-ada", `{}`, "White wins by resignation")
		if got := h.usable("vs-ada"); got != "score board" {
			t.Errorf("usable after the game: %s", got)
		}
		h.wont("play@vs-ada", `{"at":"C3"}`, "the game is over", "White wins by resignation")
		h.wont("undo@vs-ada", `{}`, "the game is over")
		beats(1)
		p := h.onePush() // Ada says thank you
		has(t, pushText(p), "good game", "rematch")
		has(t, string(wire.Member(hintsOf(p), "suggest")), `"toolset":"game","instance":"vs-ada","action":"close"`, "White wins by resignation")
		if got := h.usable(""); !strings.Contains(got, "rematch") {
			t.Errorf("usable without instance: %s", got)
		}
		beats(clearAfter)
		p = h.onePush()
		has(t, pushText(p), "vs-ada is cleared away: White wins by resignation")
		has(t, string(wire.Member(hintsOf(p), "toolsets")),
			`{"toolset":"game","instance":"vs-ada","state":"closed","reason":"the game is over: White wins by resignation"}`)
		has(t, string(wire.Member(hintsOf(p), "suggest")), `"toolset":"game","action":"open","options":{"opponent":"eve","size":7}`)
		ended := string(wire.Member(h.result("toolsets/list", `{}`), "ended"))
		has(t, ended, `"toolset":"game","instance":"vs-ada","reason":"the game is over: White wins by resignation"`)
		h.wont("board@vs-ada", `{}`, "has ended", "White wins by resignation")
		h.wont("board", `{}`, "no game is open")
		h.hangUp()
	})
}

func TestTwoPassesEndTheGameAndCountTheAreas(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn9)
		h.wont("score@vs-ada", `{}`, "nearly full, or after a pass")
		r := h.does("pass@vs-ada", `{}`, "You pass.", "Ada is thinking")
		if got := h.usable("vs-ada"); got != "score resign board" {
			t.Errorf("usable after %q: %s", r, got)
		}
		h.does("score@vs-ada", `{}`, "Black 0, White 6.5 with komi 6.5", "White wins by 6.5")
		beats(1)
		has(t, pushText(h.onePush()), "White passes. That ends the game: White wins by 6.5.")
		if got := h.usable("vs-ada"); got != "score board" {
			t.Errorf("usable after two passes: %s", got)
		}
		has(t, h.does("board@vs-ada", `{}`), "The game is over: White wins by 6.5")
		h.lists()
		beats(20)
		has(t, string(wire.Member(h.result("toolsets/list", `{}`), "ended")), "White wins by 6.5")
		h.hangUp()
	})
}

func TestYourPassAfterTheirsEndsTheGameInItsOwnResult(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn5)
		h.does("seed_game", `{"position":"endgame"}`)
		if !strings.Contains(h.usable("vs-ada"), "score") {
			t.Errorf("the board is nearly full, usable: %s", h.usable("vs-ada"))
		}
		h.does("play", `{"at":"D5"}`)
		beats(1)
		has(t, pushText(h.onePush()), "White passes.")
		h.does("pass", `{}`, "That ends the game: ")
		if got := h.usable("vs-ada"); got != "score board" {
			t.Errorf("usable: %s", got)
		}
		beats(0.5)
		if pushes, notes := h.took(); len(pushes)+len(notes) != 0 {
			t.Error("a consequence of the pass was pushed as well")
		}
		h.hangUp()
	})
}

func TestAKindOpponentAgreesToATakeback(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn9)
		h.wont("undo@vs-ada", `{}`, "Ada has not agreed")
		for i, at := range []string{"C3", "G7", "C7"} {
			if _, isError := h.call("play@vs-ada", fmt.Sprintf(`{"at":%q}`, at)); isError {
				t.Fatalf("move %d", i+1)
			}
			beats(1)
		}
		if !strings.Contains(h.usable("vs-ada"), "undo") {
			t.Fatalf("no takeback after three moves, usable: %s", h.usable("vs-ada"))
		}
		h.lists()
		h.does("undo@vs-ada", `{}`, "number 5")
		if got := h.usable("vs-ada"); got != "play pass resign board" {
			t.Errorf("usable: %s", got)
		}
		if got := h.definition("play", "vs-ada", "annotations"); !strings.Contains(got, "move 5") {
			t.Errorf("not redefined: %s", got)
		}
		if board := h.does("board@vs-ada", `{}`); strings.Count(board, "X") != 3 { // two stones, and "You are Black (X)"
			t.Errorf("the move still stands:\n%s", board)
		}
		h.hangUp()
	})
}

func TestARatedGameHasNoTakebacks(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, `{"toolset":"game","options":{"opponent":"ada","rated":true}}`)
		for _, at := range []string{"C3", "G7", "C7"} {
			h.does("play", fmt.Sprintf(`{"at":%q}`, at))
			beats(1)
		}
		h.wont("undo", `{}`, "a rated game has no takebacks")
		h.hangUp()
	})
}

func TestRematchOpensAGameWithColorsChanged(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn5)
		h.wont("rematch", `{}`, "no game ended of late")
		h.does("resign@vs-ada", `{}`)
		beats(1)
		if got := h.definition("rematch", "", "description"); !strings.Contains(got, "Ada again, 5x5; this time you are White") {
			t.Errorf("rematch: %s", got)
		}
		h.took()
		r := h.result("tools/call", callParams("rematch", `{}`))
		has(t, said(r), "vs-ada-2: Go 5x5 against Ada. You are White", "Ada moves first")
		has(t, string(wire.Path(r, "_meta", "mcpl/hints")),
			`{"toolset":"game","instance":"vs-ada-2","state":"open","title":"Go 5x5"}`, `{"name":"rematch","visible":false}`)
		beats(1)
		pushes, _ := h.took()
		if len(pushes) != 1 || !strings.Contains(pushText(pushes[0]), "Black plays") {
			t.Errorf("Ada does not open the rematch: %d pushes", len(pushes))
		}
		h.lists()
		h.hangUp()
	})
}

func TestAnOfferExpiresByToolsHintsAlone(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn5)
		h.does("resign", `{}`)
		beats(1 + clearAfter + 1)
		h.took()
		beats(offerExpires)
		pushes, notes := h.took()
		if len(pushes) != 0 || len(notes) != 1 || !strings.Contains(string(notes[0].Params), `"tools":[{"name":"rematch","visible":false}]`) {
			t.Errorf("%d pushes, %d notifications", len(pushes), len(notes))
		}
		h.lists()
		h.hangUp()
	})
}

func TestClosingAGameThatIsOverIsNoEndByItself(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn5)
		h.does("resign", `{}`)
		r := h.result("toolsets/close", `{"toolset":"game","instance":"vs-ada"}`)
		has(t, said(r), "White wins by resignation")
		has(t, string(wire.Path(r, "_meta", "mcpl/hints")), `"state":"closed"`, `"name":"rematch"`)
		beats(30)
		if got := string(wire.Member(h.result("toolsets/list", `{}`), "ended")); got != `[]` {
			t.Errorf("ended: %s", got)
		}
		h.hangUp()
	})
}

func TestHandicapAndColorDecideWhoMovesFirst(t *testing.T) {
	for options, first := range map[string]string{
		`"color":"black"`:              "It is your move",
		`"color":"white"`:              "moves first",
		`"color":"black","handicap":3`: "moves first",
		`"color":"white","handicap":2`: "It is your move",
	} {
		show(t, func(t *testing.T) {
			h := gamers(t, Options{Seed: 1})
			r := h.result("toolsets/open", `{"toolset":"game","options":{"opponent":"bot","size":7,`+options+`}}`)
			has(t, said(r), first)
			beats(1)
			h.onePush()
			if !strings.Contains(h.usable("vs-bot"), "play") {
				t.Errorf("%s: usable after a second: %s", options, h.usable("vs-bot"))
			}
			h.hangUp()
		})
	}
}

func TestTheClockRunsOutOnYourTurnOnly(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, `{"toolset":"game","options":{"opponent":"ada","clock":{"main":10,"step":2}}}`)
		beats(6)
		h.does("play", `{"at":"C3"}`) // 4 s left, and 2 more
		beats(1)
		h.took()
		beats(5.5)
		if pushes, _ := h.took(); len(pushes) != 0 {
			t.Fatalf("too early: %s", pushText(pushes[0]))
		}
		beats(1)
		p := h.onePush()
		has(t, pushText(p), "Your time is up: White wins on time")
		if got := h.usable("vs-ada"); got != "score board" {
			t.Errorf("usable: %s", got)
		}
		h.hangUp()
	})
}

func TestTheTitleSaysWhenAGameIsOver(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, `{"toolset":"game","options":{"opponent":"ada","rated":true}}`)
		r := h.result("tools/call", callParams("resign", `{}`))
		has(t, string(wire.Path(r, "_meta", "mcpl/hints")),
			`{"toolset":"game","instance":"vs-ada","state":"open","title":"Go 9x9, rated, over"}`)
		h.hangUp()
	})
}

func TestASuggestionComesWithTheOpponentsMoveIfYouAreFaster(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn9)
		h.does("play", `{"at":"C3"}`)
		beats(1)
		p := h.onePush()
		has(t, pushText(p), "Ada: hello! White plays")
		has(t, string(wire.Member(hintsOf(p), "suggest")), `"toolset":"chat"`)
		h.does("play", `{"at":"G7"}`)
		beats(1)
		if wire.Member(hintsOf(h.onePush()), "suggest") != nil {
			t.Error("it is suggested again")
		}
		h.hangUp()
	})
}

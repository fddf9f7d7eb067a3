package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestAnOpenUnderAProposedNameKeepsItOrIsRefused(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		for _, name := range []string{"a", "A-1_b.c", strings.Repeat("n", 64), "radio", "game", "vs-kai"} {
			r := h.result("toolsets/open", `{"toolset":"game","instance":"`+name+`","options":{"opponent":"ada","size":5}}`)
			if got := wire.StringOf(wire.Member(r, "instance")); got != name {
				t.Errorf("%s became %s", name, got)
			}
			h.result("toolsets/close", `{"toolset":"game","instance":"`+name+`"}`)
		}
		for _, name := range []string{"", " ", "a b", "ä", strings.Repeat("n", 65), "a/b", `\u001b[0m`} {
			h.refused("toolsets/open", `{"toolset":"game","instance":"`+name+`","options":{"opponent":"ada"}}`, -32602, "1 to 64 letters")
		}
		h.lists()
		h.hangUp()
	})
}

func TestAnOpenWithoutANameGetsOneThatIsFree(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		for _, want := range []string{"vs-ada", "vs-ada-2", "vs-ada-3"} {
			if got := wire.StringOf(wire.Member(h.result("toolsets/open", adaOn5), "instance")); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
		h.hangUp()
	})
}

func TestOpeningWhatIsOpenAdoptsItAndNamesTheOptionsNotApplied(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn5)
		before := h.does("board", `{}`)
		for _, params := range []string{
			`{"toolset":"game","instance":"vs-ada","options":{"opponent":"kai","size":9,"nonsense":1}}`,
			`{"toolset":"game","instance":"vs-ada"}`,
			`{"toolset":"radio"}`,
			`{"toolset":"radio","options":{"station":"folk"}}`,
		} {
			r := h.result("toolsets/open", params)
			if string(wire.Member(r, "adopted")) != "true" || wire.Member(r, "_meta") != nil {
				t.Errorf("%s: %s", params, r)
			}
			if o, _ := objectOf(wire.Member([]byte(params), "options")); len(o) > 0 {
				has(t, said(r), "not applied")
				for name := range o {
					has(t, said(r), name)
				}
			}
		}
		if after := h.does("board", `{}`); after != before {
			t.Errorf("adopting changed the game:\n%s", after)
		}
		h.lists()
		h.hangUp()
	})
}

func TestOpensAndClosesThatCannotBeAreRefusedInWords(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		for params, words := range map[string]string{
			`[]`:                   "must be an object",
			`{}`:                   "toolset must be there",
			`{"toolset":7}`:        "toolset must be there",
			`{"toolset":"casino"}`: `no toolset "casino"`,
			`{"toolset":"game","options":{"opponent":""}}`:                             "opponent must be one of ada, eve, kai and bot",
			`{"toolset":"game","instance":7}`:                                          "instance must be a string",
			`{"toolset":"game","options":[]}`:                                          "options must be an object",
			`{"toolset":"game","why":1}`:                                               `no parameter "why"`,
			`{"toolset":"chat","instance":"a","options":{}}`:                           "chat has no instances",
			`{"toolset":"chat","options":{"loud":true}}`:                               `chat takes no options, but "loud"`,
			`{"toolset":"game","options":{"opponent":"zoe"}}`:                          "opponent must be",
			`{"toolset":"game","options":{"opponent":"ada","size":13}}`:                "size must be 5, 7 or 9",
			`{"toolset":"game","options":{"opponent":"ada","size":"9"}}`:               "size must be",
			`{"toolset":"game","options":{"opponent":"ada","color":"red"}}`:            "color must be",
			`{"toolset":"game","options":{"opponent":"ada","komi":-1}}`:                "komi must be",
			`{"toolset":"game","options":{"opponent":"ada","komi":1e400}}`:             "komi must be",
			`{"toolset":"game","options":{"opponent":"ada","handicap":12}}`:            "handicap must be",
			`{"toolset":"game","options":{"opponent":"ada","handicap":1.5}}`:           "handicap must be",
			`{"toolset":"game","options":{"opponent":"ada","rated":"yes"}}`:            "rated must be",
			`{"toolset":"game","options":{"opponent":"ada","clock":{}}}`:               "clock must be",
			`{"toolset":"game","options":{"opponent":"ada","clock":{"main":0}}}`:       "clock must be",
			`{"toolset":"game","options":{"opponent":"ada","clock":{"main":9,"x":1}}}`: "clock must be",
			`{"toolset":"game","options":{"opponent":"ada","board":"big"}}`:            `no option "board"`,
		} {
			h.refused("toolsets/open", params, -32602, words)
		}
		for params, words := range map[string]string{
			`[]`:                                   "must be an object",
			`{"toolset":"game"}`:                   "name the one to close; none is",
			`{"toolset":"game","instance":"x"}`:    `no game "x" is open`,
			`{"toolset":"chat"}`:                   "chat is not open",
			`{"toolset":"game","options":{}}`:      `no parameter "options"`,
			`{"toolset":"radio","instance":"one"}`: "radio has no instances",
		} {
			h.refused("toolsets/close", params, -32602, words)
		}
		h.lists()
		h.hangUp()
	})
}

func TestSoManyGamesFitAndNoMore(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		for range maxGames {
			h.result("toolsets/open", adaOn5)
		}
		h.refused("toolsets/open", adaOn5, -32000, "5 games are open", "close one first")
		h.result("toolsets/close", `{"toolset":"game","instance":"vs-ada-3"}`)
		if got := wire.StringOf(wire.Member(h.result("toolsets/open", adaOn5), "instance")); got != "vs-ada-3" {
			t.Errorf("the free name is %s", got)
		}
		h.lists()
		h.hangUp()
	})
}

func TestClosingAGameThatIsPlayedStopsIt(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1}, adaOn5)
		h.does("play", `{"at":"C3"}`)
		r := h.result("toolsets/close", `{"toolset":"game","instance":"vs-ada"}`)
		has(t, said(r), "vs-ada is closed", "not finished")
		want := `{"rev":4,"toolsets":[{"toolset":"game","instance":"vs-ada","state":"closed","reason":"closed by the host"}]}`
		if got := string(wire.Path(r, "_meta", "mcpl/hints")); got != want {
			t.Errorf("the close's hints: %s", got)
		}
		beats(60)
		if pushes, notes := h.took(); len(pushes)+len(notes) != 0 {
			t.Error("a closed game goes on")
		}
		h.lists()
		h.hangUp()
	})
}

// TestOptionsAreAcceptedExactlyWhereTheirSchemaSaysSo holds the schema in the
// manifest against what the server takes.
func TestOptionsAreAcceptedExactlyWhereTheirSchemaSaysSo(t *testing.T) {
	r := newReference(func(rule, message string) { t.Fatalf("%s: %s", rule, message) }, nil)
	schema := r.schema("options", []byte(gameOptions))
	odd := []string{`null`, `true`, `"x"`, `7`, `[]`, `{}`, `-1`, `1.5`, `1e9`}
	rng := rand.New(rand.NewPCG(1, 6))
	// values are likely ones, and now and then odd ones.
	values := func(likely ...string) func() string {
		return func() string {
			if of := likely; len(of) > 0 && rng.IntN(8) > 0 {
				return of[rng.IntN(len(of))]
			}
			return odd[rng.IntN(len(odd))]
		}
	}
	members := []struct {
		name   string
		likely int // of 10
		value  func() string
	}{
		{"opponent", 9, values(`"ada"`, `"eve"`, `"kai"`, `"bot"`)},
		{"size", 3, values(`5`, `9`, `9.0`, `6`)},
		{"color", 3, values(`"black"`, `"white"`)},
		{"komi", 3, values(`0`, `20`, `6.5`, `20.5`)},
		{"handicap", 3, values(`0`, `4`, `5`, `2.0`)},
		{"rated", 3, values(`false`)},
		{"clock", 3, values(`{"main":1}`, `{"main":3600,"step":60}`, `{"main":0}`, `{"main":5,"step":61}`, `{"step":5}`,
			`{"main":5,"x":1}`, `{"main":5.0}`, `{"main":"5"}`)},
		{"other", 1, values()},
	}
	accepted := 0
	const tries = 5000
	for range tries {
		var parts []string
		for _, m := range members {
			if rng.IntN(10) < m.likely {
				parts = append(parts, fmt.Sprintf("%q:%s", m.name, m.value()))
			}
		}
		raw := []byte("{" + strings.Join(parts, ",") + "}")
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil || !json.Valid(raw) {
			t.Fatalf("%s: %v", raw, err)
		}
		o, _ := objectOf(raw)
		_, refused := readOptions(o)
		if invalid := schema.Validate(doc); (invalid == nil) != (refused == nil) {
			t.Fatalf("%s: the schema says %v, the server %v", raw, invalid, refused)
		}
		if refused == nil {
			accepted++
		}
	}
	if accepted < tries/10 {
		t.Errorf("%d of the tries were accepted: the test proves little", accepted)
	}
}

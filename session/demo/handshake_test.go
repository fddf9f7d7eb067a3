package demo

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestInitializeSaysWhoIsThereAndGivesTheManifest(t *testing.T) {
	show(t, func(t *testing.T) {
		h := dial(t, Options{Seed: 1})
		r := h.result("initialize", `{"protocolVersion":"2025-06-18","clientInfo":{"name":"t","version":"1"},"capabilities":`+hintsHost+`}`)
		for path, want := range map[string]string{
			"protocolVersion":                                        `"2025-06-18"`,
			"serverInfo.name":                                        `"arcade"`,
			"serverInfo.version":                                     `"` + Version + `"`,
			"instructions":                                           string(encode(instructions)),
			"capabilities.tools":                                     `{}`,
			"capabilities.experimental.mcpl.version":                 `"0.5"`,
			"capabilities.experimental.mcpl.toolHints":               `true`,
			"capabilities.experimental.mcpl.pushEvents":              `true`,
			"capabilities.experimental.mcpl.toolsets.game.options":   gameOptions,
			"capabilities.experimental.mcpl.toolsets.game.instances": `true`,
			"capabilities.experimental.mcpl.toolsets.radio.default":  `"open"`,
			"capabilities.experimental.mcpl.toolsets.chat.default":   `"closed"`,
			"capabilities.experimental.mcpl.surface.title":           `"Arcade"`,
		} {
			if got := string(wire.Path(r, strings.Split(path, ".")...)); got != want {
				t.Errorf("%s is %s, want %s", path, got, want)
			}
		}
		if wire.Path(r, "capabilities", "experimental", "mcpl", "toolsets", toolsetDebug) != nil {
			t.Error("the undeclared group is declared")
		}
		if got := h.result("mcpl/manifest", `{}`); string(got) != string(wire.Path(r, "capabilities", "experimental", "mcpl")) {
			t.Errorf("mcpl/manifest is not the manifest of initialize: %s", got)
		}
		h.hangUp()
	})
}

func TestManifestCarriesItsDigest(t *testing.T) {
	// The check vector of MCPL 17, so that the digest is known to be right.
	vector := `{"version":"0.5","pushEvents":true,"contextHooks":{"beforeInference":true},"inferenceLifecycle":true,` +
		`"channels":{"register":true,"publish":true,"incoming":true},"featureSets":{"demo.messaging":` +
		`{"description":"Demo","uses":["channels.publish","channels.incoming","pushEvents","tools"]}}}`
	if got, err := mcpl.Digest([]byte(vector)); err != nil || got != "sha256:_YZTS0h1tqTAMZI6eElCszSQE2WNx3xhAhmgUvNI9H4" {
		t.Fatalf("the check vector gives %s, %v", got, err)
	}
	want, err := mcpl.Digest(manifest())
	if got := wire.StringOf(wire.Member(manifest(), "revision")); err != nil || got != want {
		t.Errorf("revision %s, digest %s, %v", got, want, err)
	}
}

func TestIDsAreAnsweredAsTheyWereWritten(t *testing.T) {
	show(t, func(t *testing.T) {
		h := dial(t, Options{Seed: 1})
		for _, id := range []string{`9007199254740993`, `1e2`, `"a\u0062"`, `""`, `-7`, `1.50`} {
			for _, method := range []string{"ping", "no/such"} {
				h.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q}`, id, method))
				beats(0)
				h.mu.Lock()
				last := h.lines[len(h.lines)-1]
				h.mu.Unlock()
				if !strings.Contains(last, `"id":`+id+`,`) {
					t.Errorf("%s with id %s is answered %s", method, id, last)
				}
			}
		}
		h.hangUp()
	})
}

func TestEveryToolIsListedVisibleOrNotInAFixedOrder(t *testing.T) {
	show(t, func(t *testing.T) {
		h := dial(t, Options{Seed: 1}).greet(hintsHost, "pushEvents")
		list := h.result("tools/list", `{}`)
		var names []string
		wire.EachElement(wire.Member(list, "tools"), func(v []byte) bool {
			names = append(names, wire.StringOf(wire.Member(v, "name")))
			return true
		})
		want := "status lobby help think rematch advice play pass undo score resign board say react " +
			"tune now_playing dump_board seed_game pin_tool"
		if got := strings.Join(names, " "); got != want {
			t.Errorf("listed: %s", got)
		}
		if got := string(wire.Path(list, "_meta", "mcpl/rev")); got != "1" {
			t.Errorf("mcpl/rev is %s after the one rev of toolsets/list", got)
		}
		for name, meta := range map[string]string{
			"status":     "",
			"rematch":    `{"mcpl/presence":"dynamic","mcpl/visible":false}`,
			"play":       `{"mcpl/visible":false,"mcpl/toolset":"game"}`,
			"say":        `{"mcpl/visible":false,"mcpl/toolset":"chat","mcpl/class":["comms"]}`,
			"tune":       `{"mcpl/visible":true,"mcpl/toolset":"radio","mcpl/class":["media"]}`,
			"dump_board": `{"mcpl/visible":true,"mcpl/toolset":"debug"}`,
		} {
			if got := string(wire.Member(listedAs(list, name), "_meta")); got != meta {
				t.Errorf("%s has _meta %s, want %s", name, got, meta)
			}
		}
		h.hangUp()
	})
}

func listedAs(list []byte, name string) (tool []byte) {
	wire.EachElement(wire.Member(list, "tools"), func(v []byte) bool {
		if wire.StringOf(wire.Member(v, "name")) == name {
			tool = v
		}
		return tool == nil
	})
	return tool
}

func TestFirstToolsListCarriesRevZeroAndToolsetsListTheFirstRev(t *testing.T) {
	show(t, func(t *testing.T) {
		h := dial(t, Options{Seed: 1})
		h.result("initialize", `{"protocolVersion":"2025-06-18","clientInfo":{"name":"t","version":"1"},"capabilities":`+hintsHost+`}`)
		h.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		if got := string(wire.Path(h.result("tools/list", `{}`), "_meta", "mcpl/rev")); got != "0" {
			t.Errorf("mcpl/rev before the first rev: %s", got)
		}
		r := h.result("toolsets/list", `{}`)
		if got := string(wire.Member(r, "open")); got != `[{"toolset":"radio"}]` {
			t.Errorf("open: %s", got)
		}
		if got := string(wire.Member(r, "ended")); got != `[]` {
			t.Errorf("ended: %s", got)
		}
		if got := string(wire.Path(r, "_meta", "mcpl/hints", "rev")); got != "1" {
			t.Errorf("rev: %s", got)
		}
		if got := h.usable(""); got != "tune now_playing dump_board seed_game pin_tool" {
			t.Errorf("usable without instances: %s", got)
		}
		h.hangUp()
	})
}

func TestToolSchemasAreSound(t *testing.T) {
	r := newReference(func(rule, message string) { t.Errorf("%s: %s", rule, message) }, nil)
	for i := range arcadeTools {
		tool := &arcadeTools[i]
		for _, raw := range []string{tool.Input, tool.Output, tool.Annotations} {
			if raw != "" && !json.Valid([]byte(raw)) {
				t.Errorf("%s: no JSON: %s", tool.Name, raw)
			}
		}
		r.schema(tool.Name, []byte(tool.Input))
		if !strings.HasPrefix(tool.Input, `{"type":"object"`) {
			t.Errorf("%s takes no object", tool.Name)
		}
	}
	for _, tool := range plainTools() {
		r.schema(tool.Name, tool.InputSchema)
	}
}

func TestStatusIsStructured(t *testing.T) {
	show(t, func(t *testing.T) {
		h := dial(t, Options{Seed: 1}).greet(hintsHost, "pushEvents")
		h.result("toolsets/open", `{"toolset":"game","options":{"opponent":"ada","size":7}}`)
		r := h.result("tools/call", callParams("status", `{}`))
		want := `{"games":[{"instance":"vs-ada","opponent":"ada","size":7,"you":"Black","moves":0,"turn":"you"}],` +
			`"chat":false,"radio":true,"station":"jazz","ended":0}`
		if got := string(wire.Member(r, "structuredContent")); got != want {
			t.Errorf("structuredContent: %s", got)
		}
		has(t, said(r), "vs-ada", want)
		h.does("lobby", `{}`, "ada  plays you in vs-ada", "eve  free")
		h.does("help", `{}`, "arcade")
		h.does("help", `{"topic":"rules"}`, "Two passes")
		h.does("help", `{"topic":"coordinates"}`, "C3")
		h.wont("help", `{"topic":"weather"}`, "arcade, rules and coordinates")
		h.hangUp()
	})
}

func TestBeforeInitializeOnlyPingIsAnswered(t *testing.T) {
	show(t, func(t *testing.T) {
		h := dial(t, Options{Seed: 1})
		h.result("ping", `{}`)
		for _, method := range []string{"tools/list", "tools/call", "toolsets/list", "toolsets/open", "prompts/list", "featureSets/update", "mcpl/manifest"} {
			h.refused(method, `{}`, -32600, "initialize first")
		}
		h.refused("server/discover", `{}`, -32601, "server/discover")
		h.greet(hintsHost, "pushEvents")
		h.refused("initialize", `{"protocolVersion":"2025-06-18","capabilities":{}}`, -32600, "already")
		h.hangUp()
	})
}

func TestInitializeThatCannotBeReadIsRefusedInWords(t *testing.T) {
	show(t, func(t *testing.T) {
		h := dial(t, Options{Seed: 1})
		for _, params := range []string{`[]`, `7`, `{"capabilities":7}`, `{"capabilities":{"experimental":[]}}`} {
			h.refused("initialize", params, -32602, "params of initialize")
		}
		h.greet(hintsHost)
		h.hangUp()
	})
}

func TestUnknownMethodsAreAnsweredAsUnknown(t *testing.T) {
	show(t, func(t *testing.T) {
		h := dial(t, Options{Seed: 1}).greet(hintsHost, "pushEvents")
		for _, method := range []string{"no/such", "channels/open", "context/beforeInference", "server/discover", "logging/setLevel", "tasks/list"} {
			h.refused(method, `{}`, -32601, method)
		}
		h.refused("no such \x1b[31m", `{}`, -32601, "no readable name")
		h.hangUp()
	})
}

func TestPromptsAndResourcesAreServed(t *testing.T) {
	show(t, func(t *testing.T) {
		h := dial(t, Options{Seed: 1}).greet(plainHost)
		has(t, string(h.result("prompts/list", `{}`)), `"name":"coach"`)
		has(t, string(h.result("prompts/get", `{"name":"coach"}`)), "7x7")
		has(t, string(h.result("resources/list", `{}`)), rulesURI)
		has(t, string(h.result("resources/read", `{"uri":"`+rulesURI+`"}`)), "Two passes")
		has(t, string(h.result("resources/templates/list", `{}`)), `[]`)
		h.refused("resources/read", `{"uri":"arcade://no"}`, -32002, rulesURI)
		h.refused("prompts/get", `{"name":"no"}`, -32602, "coach")
		h.refused("prompts/get", `[]`, -32602, "params of prompts/get")
		h.hangUp()
	})
}

func TestPolicyIsAcceptedAndSaysWhatItCosts(t *testing.T) {
	show(t, func(t *testing.T) {
		h := dial(t, Options{Seed: 1}).greet(hintsHost)
		r := h.result("featureSets/update", `{"effectiveCapabilities":["tools"]}`)
		has(t, string(r), `"accepted":true`, `{"featureSet":"game.moves","missingCapabilities":["pushEvents"]`)
		if got := string(h.result("featureSets/update", `{"effectiveCapabilities":["pushEvents"]}`)); got != `{"accepted":true}` {
			t.Errorf("with the grant: %s", got)
		}
		for _, bad := range []string{`[]`, `{}`, `{"effectiveCapabilities":"pushEvents"}`, `{"effectiveCapabilities":[7]}`, `{"effectiveCapabilities":null}`, `{"effectiveCapabilities":[],"disabled":{}}`} {
			h.refused("featureSets/update", bad, -32602, "effectiveCapabilities")
		}
		h.hangUp()
	})
}

func TestNothingPrivilegedBeforeThePolicyIsAnswered(t *testing.T) {
	show(t, func(t *testing.T) {
		h := dial(t, Options{Seed: 1})
		h.result("initialize", `{"protocolVersion":"2025-06-18","clientInfo":{"name":"t","version":"1"},"capabilities":`+hintsHost+`}`)
		h.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		h.lists()
		h.result("toolsets/open", `{"toolset":"game","options":{"opponent":"ada"}}`)
		beats(2) // Ada sits down: told by tools/hints alone
		pushes, notes := h.took()
		if len(pushes) != 0 || len(notes) != 1 {
			t.Fatalf("%d pushes and %d notifications before the policy", len(pushes), len(notes))
		}
		h.policy("pushEvents")
		h.does("play@vs-ada", `{"at":"C3"}`)
		beats(2)
		h.onePush()
		h.hangUp()
	})
}

func TestBeforeInitializedNothingIsSentUnasked(t *testing.T) {
	show(t, func(t *testing.T) {
		h := dial(t, Options{Seed: 1})
		h.result("initialize", `{"protocolVersion":"2025-06-18","clientInfo":{"name":"t","version":"1"},"capabilities":`+hintsHost+`}`)
		h.result("toolsets/open", `{"toolset":"game","options":{"opponent":"ada"}}`)
		beats(3)
		if pushes, notes := h.took(); len(pushes)+len(notes) != 0 {
			t.Fatalf("%d pushes, %d notifications", len(pushes), len(notes))
		}
		h.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		h.policy("pushEvents")
		h.lists() // says what happened meanwhile
		if !strings.Contains(h.definition("play", "vs-ada", "description"), "move 1") {
			t.Error("the list does not say how play is defined now")
		}
		h.hangUp()
	})
}

package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

const offerCaps = `{"tools":{},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"completions":{}`

// library is a server with resources and prompts, two pages of each, and a
// manifest where one is given. on answers first what it wants to.
func library(manifest string, on func(p *peerEnd, h wire.Head) bool) option {
	return inproc(func(p *peerEnd) {
		p.host(manifest, func(h wire.Head) bool {
			if on != nil && on(p, h) {
				return true
			}
			page := wire.StringOf(wire.Member(h.Params, "cursor"))
			list := func(key, first, second string) {
				if page == "" {
					p.result(h, `{"`+key+`":[`+first+`],"nextCursor":"2"}`)
				} else {
					p.result(h, `{"`+key+`":[`+second+`]}`)
				}
			}
			switch h.Method {
			case mcpl.MethodInitialize:
				caps := offerCaps + "}"
				if manifest != "" {
					caps = offerCaps + `,"experimental":{"mcpl":` + manifest + `}}`
				}
				p.result(h, `{"protocolVersion":"2025-11-25","serverInfo":{"name":"library","version":"1"},"capabilities":`+caps+`}`)
			case mcpl.MethodResourcesList:
				list("resources", `{"uri":"x:a","name":"a"}`, `{"uri":"x:b","name":"b"}`)
			case mcpl.MethodTemplatesList:
				list("resourceTemplates", `{"uriTemplate":"x:{id}","name":"t"}`, ``)
			case mcpl.MethodPromptsList:
				list("prompts", `{"name":"ask"}`, `{"name":"tell"}`)
			case mcpl.MethodResourcesRead:
				p.result(h, `{"contents":[{"uri":"x:a","text":"hello"}]}`)
			case mcpl.MethodPromptsGet, mcpl.MethodSubscribe, mcpl.MethodUnsubscribe, mcpl.MethodComplete:
				p.result(h, `{"params":`+string(h.Params)+`}`)
			default:
				return false
			}
			return true
		})
	})
}

func TestWhatAServerOffersIsListedReadAndFilledIn(t *testing.T) {
	s, _ := ready(t, library("", nil))
	for _, c := range [][2]string{
		{"resources", `{"resources":[{"uri":"x:a","name":"a"},{"uri":"x:b","name":"b"}]}`},
		{"templates", `{"resourceTemplates":[{"uriTemplate":"x:{id}","name":"t"}]}`},
		{"prompts", `{"prompts":[{"name":"ask"},{"name":"tell"}]}`},
		{"read x:a", `{"contents":[{"uri":"x:a","text":"hello"}]}`},
		{"subscribe x:a", `{"params":{"uri":"x:a"}}`},
		{`unsubscribe "x:a b"`, `{"params":{"uri":"x:a b"}}`},
		{"prompt ask", `{"params":{"name":"ask"}}`},
		{`prompt ask {"who": "Ada"}`, `{"params":{"name":"ask","arguments":{"who": "Ada"}}}`},
		{"complete prompt ask who", `{"params":{"ref":{"type":"ref/prompt","name":"ask"},"argument":{"name":"who","value":""}}}`},
		{
			`complete resource "x:{id}" id 4 {"other":"1"}`,
			`{"params":{"ref":{"type":"ref/resource","uri":"x:{id}"},"argument":{"name":"id","value":"4"},"context":{"arguments":{"other":"1"}}}}`,
		},
	} {
		if o := s.Run(t.Context(), c[0]); !o.OK || string(o.Result) != c[1] {
			t.Errorf("%s gives %s, %v; want %s", c[0], o.Result, o.Err, c[1])
		}
	}
}

func TestWhatAServerDoesNotOfferIsNotAskedFor(t *testing.T) {
	s, frames := ready(t, asks(hintManifest))
	before := len(frames.all())
	for line, says := range map[string]string{
		"resources":                "does not say that it offers resources; `raw resources/list` sends it all the same",
		"subscribe x":              "does not say that it offers resources.subscribe",
		"prompt p":                 "does not say that it offers prompts",
		"complete prompt p a":      "does not say that it offers completions",
		"complete tool p a":        `"tool" is neither prompt nor resource`,
		"read":                     "the URI is missing",
		"hook before":              "the server does not advertise contextHooks.beforeInference.observe or ",
		"hook started":             "does not advertise inferenceLifecycle",
		"hook ended":               `"ended" is no hook`,
		"channel open tea":         "no channel tea is registered",
		"channel brew tea":         `"brew" is nothing to do with a channel`,
		"channel publish tea":      "the text is missing",
		"rollback play":            "the checkpoint is missing",
		"channel ack tea":          "the message is missing",
		`channel open tea {"bad"}`: "bad JSON at column",
	} {
		if o := s.Run(t.Context(), line); o.OK || !strings.Contains(o.Err.Message, says) {
			t.Errorf("%s ends with %+v, want %q", line, o.Err, says)
		}
	}
	if n := len(frames.all()); n != before {
		t.Errorf("%d frames were sent", n-before)
	}
}

func TestAPlainServerHasNoHooksAndChannels(t *testing.T) {
	s, _ := ready(t, asks(""))
	for _, line := range []string{"channel list", "hook before hi", "rollback a b"} {
		if o := s.Run(t.Context(), line); o.OK || !strings.Contains(o.Err.Message, "plain MCP server") {
			t.Errorf("%s ends with %+v", line, o.Err)
		}
	}
}

func TestListsThatChangedAreReadAgain(t *testing.T) {
	s, frames := ready(t, library("", func(p *peerEnd, h wire.Head) bool {
		if h.Method == mcpl.MethodPing {
			p.say(`{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}`)
			p.say(`{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`)
			p.result(h, "{}")
			return true
		}
		return false
	}))
	if o := s.Run(t.Context(), "templates"); !o.OK {
		t.Fatal(o.Err)
	}
	if o := s.Run(t.Context(), "raw ping"); !o.OK {
		t.Fatal(o.Err)
	}
	for _, method := range []string{"resources/list", "prompts/list"} {
		frames.wait(t, method+", second page", func(f wire.Frame) bool {
			return has(wire.Out, `"method":"`+method+`"`)(f) && has(wire.Out, `"cursor":"2"`)(f)
		})
	}
	templates := func(f wire.Frame) bool { return has(wire.Out, `"resources/templates/list"`)(f) }
	frames.wait(t, "the templates once more", func(wire.Frame) bool { return count(frames.all(), templates) == 4 })
}

const liveManifest = `{"version":"0.5","channels":true,"contextHooks":{"beforeInference":true},"inferenceLifecycle":true,` +
	`"featureSets":{"notes":{"description":"d","uses":["tools"],"rollback":true}}}`

// echo answers what a test is about with its own params.
func echo(p *peerEnd, h wire.Head) bool {
	switch h.Method {
	case mcpl.MethodToolsList:
		p.usual("", h)
		p.say(`{"jsonrpc":"2.0","id":"r","method":"channels/register","params":{"channels":[{"id":"chat:1","type":"chat","address":{"room": 1},"label":"One"}]}}`)
		return true
	case mcpl.MethodChannelsOpen, mcpl.MethodChannelsClose, mcpl.MethodChannelsPublish, mcpl.MethodChannelsAck, mcpl.MethodChannelsList, mcpl.MethodStateRollback:
		p.result(h, `{"params":`+string(h.Params)+`}`)
		return true
	}
	return false
}

func TestChannelsAreOpenedClosedAndWrittenTo(t *testing.T) {
	s, frames := ready(t, library(liveManifest, echo))
	answering(t, frames, `"r"`)
	for _, c := range [][2]string{
		{"channel list", `{}`},
		{"channel open chat:1", `{"channelId":"chat:1","type":"chat","address":{"room": 1}}`},
		{`channel open chat:1 {"history":{"limit":5}}`, `{"channelId":"chat:1","type":"chat","address":{"room": 1},"history":{"limit":5}}`},
		{`channel open irc {"address":"#go"}`, `{"type":"irc","address":"#go"}`},
		{"channel publish chat:1 Hello, you &", `{"conversationId":"mcpl-tui","channelId":"chat:1","content":[{"text":"Hello, you &","type":"text"}]}`},
		{`channel publish chat:1 [{"type":"image","uri":"x:y"}]`, `{"conversationId":"mcpl-tui","channelId":"chat:1","content":[{"type":"image","uri":"x:y"}]}`},
		{"channel ack chat:1 m1", `{"channelId":"chat:1","messageId":"m1","intent":"seen"}`},
		{"channel ack chat:1 m1 seen 👀", `{"channelId":"chat:1","messageId":"m1","intent":"seen","value":"👀"}`},
		{"channel close chat:1", `{"channelId":"chat:1"}`},
		{"rollback notes c1", `{"featureSet":"notes","checkpoint":"c1"}`},
	} {
		if o := s.Run(t.Context(), c[0]); !o.OK || string(o.Result) != `{"params":`+c[1]+`}` {
			t.Errorf("%s gives %s, %v; want %s", c[0], o.Result, o.Err, c[1])
		}
	}
	if o := s.Run(t.Context(), "channel typing chat:1"); !o.OK {
		t.Fatal(o.Err)
	}
	frames.wait(t, "typing", has(wire.Out, `{"jsonrpc":"2.0","method":"channels/typing","params":{"channelId":"chat:1"}}`))
	if o := s.Run(t.Context(), "deny channels.publish"); !o.OK {
		t.Fatal(o.Err)
	}
	if o := s.Run(t.Context(), "channel publish chat:1 hi"); o.OK || !strings.Contains(o.Err.Message, "`grant channels.publish` grants it") {
		t.Errorf("without a grant it ends with %+v", o)
	}
}

// injects answers the hook with an injection at each position.
func injects(p *peerEnd, h wire.Head) bool {
	if h.Method != mcpl.MethodBeforeInference {
		return echo(p, h)
	}
	at := func(position string) string {
		return fmt.Sprintf(`{"namespace":"n","position":%q,"content":"x"}`, position)
	}
	p.result(h, `{"featureSet":"notes","contextInjections":[`+at("system")+","+at("afterUser")+","+at("nowhere")+`]}`)
	return true
}

func TestAHookIsPlayedAndEachInjectionJudgedByItself(t *testing.T) {
	s, frames := ready(t, library(liveManifest, injects), func(c *Config) { c.Deny = []string{"contextHooks.beforeInference.inject.system"} })
	preview, err := s.Preview("hook before What now?")
	if err != nil {
		t.Fatal(err)
	}
	o := s.Run(t.Context(), "hook before What now?")
	if !o.OK {
		t.Fatal(o.Err)
	}
	want := `[{"position":"system","needs":"contextHooks.beforeInference.inject.system","allowed":false},` +
		`{"position":"afterUser","needs":"contextHooks.beforeInference.inject.afterUser","allowed":true},` +
		`{"position":"nowhere","needs":"contextHooks.beforeInference.inject.nowhere","allowed":false}]`
	if string(o.Judged) != want || !strings.Contains(string(o.JSON()), `"injections":[{"position":"system"`) {
		t.Errorf("judged %s\nwant   %s", o.Judged, want)
	}
	sent := frames.wait(t, "the hook", has(wire.Out, "context/beforeInference"))
	if string(sent.Body) != string(preview) {
		t.Errorf("sent    %s\npreview %s", sent.Body, preview)
	}
	if !has(wire.Out, `{"inferenceId":"inference-1","conversationId":"mcpl-tui","turnIndex":0,"userMessage":"What now?",`)(sent) {
		t.Errorf("sent %s", sent.Body)
	}
	for _, line := range []string{"hook started", "hook completed", `hook started {"usage":1}`, "hook failed"} {
		if o := s.Run(t.Context(), line); !o.OK {
			t.Fatal(o.Err)
		}
	}
	for _, part := range []string{
		`"inferenceId":"inference-1","conversationId":"mcpl-tui","turnIndex":0,"phase":"completed"`,
		`"inferenceId":"inference-2","conversationId":"mcpl-tui","turnIndex":1,"phase":"started","usage":1`,
		`"inferenceId":"inference-2","conversationId":"mcpl-tui","turnIndex":1,"phase":"failed"`,
	} {
		frames.wait(t, part, has(wire.Out, part))
	}
}

// A server that may inject but not observe is asked, and told no word of the
// user.
func TestAHookKeepsTheUsersWordsWhereTheyMayNotBeObserved(t *testing.T) {
	s, frames := ready(t, library(liveManifest, injects), func(c *Config) { c.Deny = []string{"contextHooks.beforeInference.observe"} })
	if o := s.Run(t.Context(), "hook before my secret"); !o.OK {
		t.Fatal(o.Err)
	}
	frames.wait(t, "the hook", has(wire.Out, `"userMessage":null`))
	if n := count(frames.all(), has(wire.Out, "secret")); n > 0 {
		t.Errorf("it was told all the same")
	}
}

// names is a view that knows names.
type names struct{ blind }

func (n names) On(int) View { return n }

func (names) Names(kind Named, of string) []string {
	switch kind {
	case ResourceURIs:
		return []string{"x:a", "x:b c"}
	case Checkpoints:
		return []string{of + "-1"}
	case ChannelIDs:
		return []string{"chat:1"}
	}
	return nil
}

func TestCommandsForWhatIsOfferedAreCompleted(t *testing.T) {
	s, _ := ready(t, library(liveManifest, echo), func(c *Config) { c.View = names{} })
	for line, want := range map[string]string{
		"read ":                  "read x:a,read \"x:b c\"",
		"rollback notes ":        "rollback notes notes-1",
		"channel cl":             "channel close",
		"channel close ":         "channel close chat:1",
		"channel list ":          "",
		"hook bef":               "hook before",
		"complete p":             "complete prompt",
		"complete prompt ask w ": "",
	} {
		var got []string
		for _, c := range s.Complete(line) {
			got = append(got, c.Text)
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%q goes on with %q, want %q", line, got, want)
		}
	}
}

func TestAStateIsKeptByPatchesToo(t *testing.T) {
	_, frames := ready(t, asks(hintManifest,
		req("1", "state/update", `{"featureSet":"play","checkpoint":"a","data":{"n": [1]}}`),
		req("2", "state/update", `{"featureSet":"play","checkpoint":"b","patch":[{"op":"add","path":"/n/-","value":2}]}`),
		req("3", "state/update", `{"featureSet":"play","checkpoint":"c","patch":[{"op":"remove","path":"/x"}]}`),
		req("4", "state/get", `{"featureSet":"play"}`),
	))
	if h := answering(t, frames, "3"); !strings.Contains(string(h.Error), "the patch does not apply: operation 1: there is nothing at") {
		t.Errorf("a patch that does not apply is answered %s", h.Raw)
	}
	if h := answering(t, frames, "4"); string(h.Result) != `{"checkpoint":"b","data":{"n":[1,2]}}` {
		t.Errorf("the state is %s", h.Result)
	}
}

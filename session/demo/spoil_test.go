package demo

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// session has a host do a bit of everything, and returns what went both ways.
func session(t *testing.T) []logged {
	t.Helper()
	var log []logged
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 3})
		h.wont("say", `{"text":"hello"}`)
		h.result("toolsets/open", `{"toolset":"game","instance":"one","options":{"opponent":"ada","size":5}}`)
		h.wont("undo@one", `{}`)
		beats(1)
		h.result("toolsets/open", kaiOn5)
		h.wont("play", `{"at":"C3"}`)
		h.does("play@one", `{"at":"C3"}`)
		beats(2)
		h.does("status", `{}`)
		h.result("mcpl/manifest", `{}`)
		h.result("toolsets/open", `{"toolset":"game","instance":"one","options":{"size":9}}`)
		h.result("toolsets/open", `{"toolset":"chat"}`)
		beats(1)
		h.result("toolsets/close", `{"toolset":"chat"}`)
		_, answer := h.ask("tools/call", `{"name":"think","arguments":{"seconds":1},"_meta":{"progressToken":7}}`)
		h.await(answer)
		h.does("resign@one", `{}`)
		beats(10)
		h.lists()
		h.policy()
		h.does("play@vs-kai", `{"at":"A1"}`)
		beats(60)
		h.lists()
		log = h.log
		h.hangUp()
	})
	return log
}

// TestTheReferenceObjectsToABadServer is the test of the tests: a session of
// the real server, spoiled in one place each, must be objected to by the rule
// that is about it.
func TestTheReferenceObjectsToABadServer(t *testing.T) {
	log := session(t)
	judge := func(log []logged) map[string]bool {
		found := map[string]bool{}
		r := newReference(func(rule, _ string) { found[rule] = true }, map[string]string{})
		for _, l := range log {
			if l.out {
				r.out([]byte(l.raw))
			} else {
				r.in([]byte(l.raw))
			}
		}
		r.finish()
		return found
	}
	if found := judge(log); len(found) != 0 {
		t.Fatalf("the session itself: %v", found)
	}
	for rule, spoil := range map[string]struct{ where, old, new string }{
		"hints-instance-extra":       {`"name":"advice","visible":true}`, `"name":"advice"`, `"name":"advice","instance":"one"`},
		"rev-start":                  {`"open":[{"toolset":"radio"}]`, `"rev":1`, `"rev":2`},
		"rev-gap":                    {`Ada sits down`, `"rev":`, `"rev":1`},
		"rev-reversal":               {`Ada sits down`, `"rev":3`, `"rev":2`},
		"rev-invalid":                {`Ada sits down`, `"rev":3`, `"rev":"3"`},
		"rev-list-mismatch":          {`"mcpl/rev":`, `"mcpl/rev":`, `"mcpl/rev":1`},
		"hints-not-negotiated":       {`"serverInfo"`, `"toolHints":true`, `"toolHints":false`},
		"hints-malformed":            {`Ada sits down`, `"suggest":[`, `"suggests":[`},
		"hints-unknown-tool":         {`Ada sits down`, `{"name":"play"`, `{"name":"plya"`},
		"hints-unknown-toolset":      {`Ada sits down`, `"toolset":"chat"`, `"toolset":"chatter"`},
		"hints-unknown-instance":     {`Ada sits down`, `"instance":"one","definition"`, `"instance":"two","definition"`},
		"hints-instance-missing":     {`Ada sits down`, `"instance":"one","definition"`, `"definition"`},
		"hints-definition-field":     {`Ada sits down`, `"definition":{`, `"definition":{"title":"Play",`},
		"hints-static-definition":    {`"name":"rematch","visible":true,"definition"`, `"name":"rematch"`, `"name":"rematch","presence":"static"`},
		"hints-toolset-static":       {`"mcpl/rev":`, `"mcpl/toolset":"game"`, `"mcpl/toolset":"game","mcpl/presence":"static"`},
		"toolsets-list-no-hints":     {`"open":[{"toolset":"radio"}]`, `"mcpl/hints"`, `"mcpl/hint"`},
		"toolsets-list-incomplete":   {`"ended":[{`, `{"name":"tune","visible":true},`, ``},
		"tools-list-duplicate":       {`"mcpl/rev":`, `"name":"lobby"`, `"name":"status"`},
		"open-renamed":               {`"instance":"one","content":[{"type":"text","text":"one: Go 5x5`, `"instance":"one"`, `"instance":"uno"`},
		"open-no-name":               {`"text":"vs-kai: Go 5x5`, `"instance":"vs-kai",`, ``},
		"open-not-adopted":           {`"adopted":true`, `"adopted":true,`, ``},
		"open-options-silent":        {`"adopted":true`, `not applied: size.`, ``},
		"open-no-hints":              {`"toolset":"chat","state":"open"`, `"mcpl/hints"`, `"mcpl/hint"`},
		"call-closed-toolset":        {`chat is closed`, `"isError":true`, `"isError":false`},
		"call-invisible":             {`undo is not possible`, `"isError":true`, `"isError":false`},
		"call-ambiguous":             {`to know which game`, `one and vs-kai`, `two`},
		"refusal":                    {`chat is closed`, `chat is closed, and say belongs to it: open it first`, `no`},
		"privileged-before-policy":   {`"accepted":true`, `"accepted":true`, `"accepted":false`},
		"push-malformed":             {`Ada sits down`, `"eventId":`, `"event":`},
		"manifest-digest":            {`"serverInfo"`, `"title":"Go games"`, `"title":"Go"`},
		"uses-invalid":               {`"serverInfo"`, `"uses":["pushEvents"]`, `"uses":[]`},
		"class-unknown":              {`"mcpl/rev":`, `["comms"]`, `["chat"]`},
		"meta-reserved":              {`"mcpl/rev":`, `"mcpl/class"`, `"mcpl/klass"`},
		"json-invalid":               {`Ada sits down`, `{"jsonrpc"`, `log: {"jsonrpc"`},
		"json-duplicate-key":         {`Ada sits down`, `"rev":3`, `"rev":3,"rev":3`},
		"text-control":               {`Ada sits down`, `Ada sits`, `\u001b[2JAda sits`},
		"rpc-unanswered":             {`"games":[`, `"id":`, `"idea":`},
		"rpc-unknown-id":             {`"games":[`, `"id":`, `"id":9`},
		"schema-invalid":             {`"structuredContent"`, `"turn":"you"`, `"turn":"me"`},
		"rpc-method-unknown":         {`Ada sits down`, `push/event`, `push/events`},
		"toolsets-default-instances": {`"serverInfo"`, `"default":"closed","instances":true`, `"default":"open","instances":true`},
		"name-grammar":               {`"serverInfo"`, `"radio":{`, `"ra dio":{`},
		"rev-without-changes":        {`Ada sits down`, `"hints":{"rev":3,`, `"hints":{"rev":3},"was":{`},
		"close":                      {`"reason":"closed by the host"`, `"state":"closed"`, `"state":"open"`},
		"hints-visible-on-static":    {`"name":"advice","visible":true}`, `"visible":true`, `"presence":"static","visible":false`},
		"toolsets-list-missing":      {`"open":[{"toolset":"radio"}]`, `"result":{`, `"error":{`},
		"policy-refused":             {`"accepted":true`, `"accepted":true`, `"accepted":false`},
	} {
		t.Run(rule, func(t *testing.T) {
			at := find(t, log, spoil.where, spoil.old)
			spoiled := slices.Clone(log)
			spoiled[at[0]].raw = strings.Replace(log[at[0]].raw, spoil.old, spoil.new, 1)
			if found := judge(spoiled); !found[rule] {
				t.Errorf("not seen; only %v", slices.Sorted(maps.Keys(found)))
			}
		})
	}
	for rule, spoil := range map[string]func(t *testing.T) []logged{
		"push-retried-hints": func(t *testing.T) []logged { // a later push under an id that was seen
			at := find(t, log, `"push/event"`, `"hints"`)
			id := func(i int) string {
				return wire.StringOf(wire.Member(wire.Peek([]byte(log[i].raw)).Params, "eventId"))
			}
			return with(log, at[1], strings.Replace(log[at[1]].raw, id(at[1]), id(at[0]), 1))
		},
		"push-not-granted": func(*testing.T) []logged {
			return append(slices.Clone(log), logged{false, `{"jsonrpc":"2.0","id":"x","method":"push/event","params":` +
				`{"featureSet":"game.moves","eventId":"x","payload":{"content":[]}}}`})
		},
		"rpc-late": func(t *testing.T) []logged {
			i := find(t, log, `has thought for`, `"id":`)[0]
			id := string(wire.Peek([]byte(log[i].raw)).ID)
			return slices.Insert(slices.Clone(log), i,
				logged{true, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`})
		},
		"tools-list-hides": func(t *testing.T) []logged {
			return last(t, log, `"mcpl/rev"`, `{"name":"lobby"`, `{"name":"lobbi"`)
		},
		"tools-list-differs": func(t *testing.T) []logged {
			return last(t, log, `"mcpl/rev"`, `"mcpl/visible":true,"mcpl/toolset":"radio"`, `"mcpl/visible":false,"mcpl/toolset":"radio"`)
		},
		"ended-id-reused": func(t *testing.T) []logged {
			return last(t, log, `"ended":[{`, `wins by resignation"}`, `fell off the table"}`)
		},
		"manifest-unannounced": func(t *testing.T) []logged {
			return last(t, log, `"result":{"version":"0.5"`, `"default":"open"`, `"default":"closed"`)
		},
	} {
		t.Run(rule, func(t *testing.T) {
			if found := judge(spoil(t)); !found[rule] {
				t.Errorf("not seen; only %v", slices.Sorted(maps.Keys(found)))
			}
		})
	}
}

// find returns which messages of the server contain both words.
func find(t *testing.T, log []logged, where, word string) []int {
	t.Helper()
	var at []int
	for i, l := range log {
		if !l.out && strings.Contains(l.raw, where) && strings.Contains(l.raw, word) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		t.Fatalf("no message has %s and %s", where, word)
	}
	return at
}

func with(log []logged, i int, raw string) []logged {
	out := slices.Clone(log)
	out[i].raw = raw
	return out
}

// last spoils the last message that contains both words.
func last(t *testing.T, log []logged, where, old, changed string) []logged {
	t.Helper()
	at := find(t, log, where, old)
	i := at[len(at)-1]
	return with(log, i, strings.Replace(log[i].raw, old, changed, 1))
}

package session

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// asks is a server that says some lines once the host is ready.
func asks(manifest string, lines ...string) option {
	return inproc(func(p *peerEnd) {
		say := func() {
			for _, l := range lines {
				p.say("%s", l)
			}
		}
		if manifest != "" {
			atReady(p, manifest, say, nil)
			return
		}
		p.host("", func(h wire.Head) bool {
			if h.Method != mcpl.MethodToolsList {
				return false
			}
			p.usual("", h)
			say()
			return true
		})
	})
}

func req(id, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params)
}

func pushOf(id, event string) string {
	return req(id, "push/event", `{"featureSet":"play","eventId":"`+event+`","timestamp":"2026-11-29T10:00:00Z","payload":{"content":[]}}`)
}

func TestEachRequestOfTheServerIsAnsweredByItsPolicy(t *testing.T) {
	form := `{"message":"who?","requestedSchema":{"type":"object","properties":{` +
		`"name":{"type":"string","default":"Ada <&>"},"size":{"type":"integer","minimum":9},"color":{"type":"string","enum":["black","white"]},` +
		`"mail":{"type":"string","format":"email"},"free":{"type":"boolean"},"pick":{"type":"array","minItems":1,"items":{"enum":["x","y"]}}},` +
		`"required":["name","size","color","mail","pick"]}}`
	with := func(f func(*Config)) option { return func(c *Config) { f(c) } }
	none := with(func(*Config) {})
	for name, c := range map[string]struct {
		ask  string
		opt  option
		want string // the answer after "id":7,
	}{
		"ping":               {req("7", "ping", "{}"), none, `"result":{}`},
		"roots":              {req("7", "roots/list", "{}"), none, `"result":{"roots":[]}`},
		"unknown":            {req("7", "tea/brew", "{}"), none, `"error":{"code":-32601,"message":"this host does not know the method tea/brew"}`},
		"push, accept":       {pushOf("7", "e"), none, `"result":{"accepted":true}`},
		"push, refuse":       {pushOf("7", "e"), with(func(c *Config) { c.Push = Refuse }), `"result":{"accepted":false,"reason":"this host refuses pushes"}`},
		"push, not granted":  {pushOf("7", "e"), with(func(c *Config) { c.Deny = []string{"pushEvents"} }), `"error":{"code":-32002,"message":"pushEvents is not granted","data":{"capability":"pushEvents"}}`},
		"push, disabled set": {req("7", "push/event", `{"featureSet":"broken","eventId":"1"}`), none, `"error":{"code":-32001,"message":"the feature set broken is not enabled","data":{"featureSet":"broken"}}`},
		"push, unknown set":  {req("7", "push/event", `{"featureSet":"x","eventId":"1"}`), none, `"error":{"code":-32003,"message":"the manifest declares no feature set x","data":{"featureSet":"x"}}`},
		"push, malformed":    {req("7", "push/event", `[]`), none, `"result":{"accepted":true}`},
		"elicit, default":    {req("7", "elicitation/create", form), none, `"result":{"action":"decline"}`},
		"elicit, accept": {
			req("7", "elicitation/create", form), with(func(c *Config) { c.Elicit = Accept }),
			`"result":{"action":"accept","content":{"name":"Ada <&>","size":9,"color":"black","mail":"user@example.com","pick":["x"]}}`,
		},
		"elicit, a page":          {req("7", "elicitation/create", `{"mode":"url","url":"http://x"}`), with(func(c *Config) { c.Elicit = Accept }), `"result":{"action":"decline"}`},
		"sampling":                {req("7", "sampling/createMessage", "{}"), none, `"error":{"code":-1,"message":"this host has no model: sampling is declined"}`},
		"inference, not offered":  {req("7", "inference/request", `{"featureSet":"play"}`), none, `"error":{"code":-32002,"message":"inferenceRequest is not granted","data":{"capability":"inferenceRequest"}}`},
		"model":                   {req("7", "model/info", "{}"), none, `"result":{"id":"human-at-the-keyboard","vendor":"test"}`},
		"model, denied":           {req("7", "model/info", "{}"), with(func(c *Config) { c.Deny = []string{"modelInfo"} }), `"error":{"code":-32002,"message":"modelInfo is not granted","data":{"capability":"modelInfo"}}`},
		"channels":                {req("7", "channels/register", `{"channels":[{"id":"a"},{"label":"no id"}]}`), none, `"result":{"results":[{"id":"a","accepted":true},{"id":null,"accepted":false,"reason":"a channel needs an id"}]}`},
		"channels, denied":        {req("7", "channels/register", `{"channels":[]}`), with(func(c *Config) { c.Deny = []string{"channels.*"} }), `"error":{"code":-32002,"message":"channels.register is not granted","data":{"capability":"channels.register"}}`},
		"channels changed":        {req("7", "channels/changed", `{"added":[{"id":"b"}],"updated":[{"id":"b"}],"removed":["c"]}`), none, `"result":{"results":[{"id":"b","accepted":true},{"id":"b","accepted":true}]}`},
		"channels list, none":     {req("7", "channels/list", `{}`), none, `"result":{"channels":[]}`},
		"incoming":                {req("7", "channels/incoming", `{"messages":[{"messageId":"m1"},{}]}`), none, `"result":{"results":[{"messageId":"m1","accepted":true},{"messageId":null,"accepted":true}]}`},
		"state, none kept":        {req("7", "state/get", `{"featureSet":"play"}`), none, `"error":{"code":-32005,"message":"no state of play is kept"}`},
		"state, a patch of none":  {req("7", "state/update", `{"featureSet":"play","patch":[{"op":"add","path":"/x","value":1}]}`), none, `"error":{"code":-32602,"message":"the patch does not apply: operation 1: there is no place for \"x\" in a plain value"}`},
		"state, a patch":          {req("7", "state/update", `{"featureSet":"play","checkpoint":"c","patch":[{"op":"add","path":"","value":{}}]}`), none, `"result":{"accepted":true,"checkpoint":"c"}`},
		"state, nothing":          {req("7", "state/update", `{"featureSet":"play"}`), none, `"error":{"code":-32602,"message":"neither data nor a patch is there"}`},
		"state, without its name": {req("7", "state/get", `{}`), none, `"error":{"code":-32602,"message":"featureSet is missing"}`},
		"no params":               {`{"jsonrpc":"2.0","id":7,"method":"channels/incoming"}`, none, `"result":{"results":[]}`},
		"another jsonrpc":         {`{"jsonrpc":"1.0","id":7,"method":"ping"}`, none, `"result":{}`},
		"in a batch":              {`[{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":7,"method":"ping"}]`, none, `"result":{}`},
	} {
		t.Run(name, func(t *testing.T) {
			_, frames := ready(t, asks(hintManifest, c.ask), c.opt)
			h := answering(t, frames, "7")
			if got, want := string(h.Raw), `{"jsonrpc":"2.0","id":7,`+c.want+"}"; got != want {
				t.Errorf("answered\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestAPlainServerIsGrantedNothing(t *testing.T) {
	_, frames := ready(t, asks("", pushOf("1", "e"), req("2", "model/info", "{}"), req("3", "state/get", `{"featureSet":"x"}`)))
	for _, id := range []string{"1", "2", "3"} {
		if h := answering(t, frames, id); errorOf(h.Error).Code != mcpl.CodeDenied {
			t.Errorf("%s is answered %s", id, h.Raw)
		}
	}
}

func TestIDsGoBackByteForByte(t *testing.T) {
	ids := []string{"9007199254740993", `"x"`, "1e2", "null", `"\u0041\/"`, "-0", "1.50", `"` + strings.Repeat("y", 70000) + `"`, "[1, 2]", "true"}
	var lines []string
	for _, id := range ids {
		lines = append(lines, req(id, "ping", "{}"))
	}
	_, frames := ready(t, asks(hintManifest, lines...))
	for _, id := range ids {
		if h := answering(t, frames, id); string(h.Raw) != `{"jsonrpc":"2.0","id":`+id+`,"result":{}}` {
			t.Errorf("id %s is answered %.200s", id, h.Raw)
		}
	}
}

func TestAThousandRequestsGetOneAnswerEach(t *testing.T) {
	var lines []string
	for i := range 1000 {
		method := []string{"ping", "push/event", "tea/brew", "elicitation/create"}[i%4]
		lines = append(lines, req(fmt.Sprint(i), method, fmt.Sprintf(`{"eventId":"%d"}`, i)))
	}
	lines = append(lines, req("1000", "ping", "{}"))
	s, frames := ready(t, asks(hintManifest, lines...), func(c *Config) { c.Elicit = Ask })
	answering(t, frames, "1000")
	s.Close(context.Background())
	answers := map[wire.ID]int{}
	for _, f := range frames.all() {
		if h := wire.Peek(f.Body); f.Dir == wire.Out && h.Method == "" && f.Body != nil {
			answers[h.ID]++
		}
	}
	for i := range 1000 {
		if n := answers[wire.ID(fmt.Sprint(i))]; n != 1 {
			t.Errorf("request %d has %d answers", i, n)
		}
	}
}

func TestWhatAWaitReportsWaitsForAnAnswer(t *testing.T) {
	s, _ := ready(t, func(c *Config) { c.Push, c.Elicit, c.Sampling = Ask, Ask, Ask }, inproc(func(p *peerEnd) {
		p.host(hintManifest, func(h wire.Head) bool {
			switch h.Method {
			case "ask/push":
				p.say("%s", pushOf(string(h.ID)+"00", string(h.ID)))
			case "ask/elicit":
				p.say("%s", req(string(h.ID)+"00", "elicitation/create", "{}"))
			case "ask/sample":
				p.say("%s", req(string(h.ID)+"00", "sampling/createMessage", "{}"))
			}
			return false
		})
	}))
	for i := range 300 {
		ask := []string{"push", "elicit", "sample"}[i%3]
		what := "request"
		if ask == "push" {
			what = "push"
		}
		for _, line := range []string{"raw ask/" + ask + " &", "wait " + what, "decline last"} {
			if o := s.Run(t.Context(), line); !o.OK {
				t.Fatalf("turn %d, %s: %v", i, line, o.Err)
			}
		}
	}
}

func TestAQuestionThatComesWhileTheHostClosesIsDeclined(t *testing.T) {
	s, frames := ready(t, func(c *Config) { c.Elicit = Ask }, inproc(func(p *peerEnd) {
		p.host(hintManifest, func(h wire.Head) bool {
			if h.ID == `"first"` {
				p.say("%s", req(`"second"`, "elicitation/create", "{}"))
			}
			if h.Method == "ask/first" {
				p.say("%s", req(`"first"`, "elicitation/create", "{}"))
			}
			return false
		})
	}))
	s.Run(t.Context(), "raw ask/first")
	s.Run(t.Context(), "wait request")
	c, _ := s.current()
	c.declineWaiting()
	for _, id := range []string{`"first"`, `"second"`} {
		if h := answering(t, frames, id); string(h.Result) != `{"action":"decline"}` {
			t.Errorf("%s is answered %s", id, h.Raw)
		}
	}
}

func TestAnEventThatComesAgainIsAnsweredAsBefore(t *testing.T) {
	t.Run("accepted", func(t *testing.T) {
		_, frames := ready(t, asks(hintManifest, pushOf("1", "e"), pushOf("2", "e")))
		if h := answering(t, frames, "2"); string(h.Result) != `{"accepted":true}` {
			t.Errorf("answered %s", h.Raw)
		}
	})
	t.Run("waiting, then decided", func(t *testing.T) {
		again := make(chan struct{})
		s, frames := ready(t, func(c *Config) { c.Push = Ask }, inproc(func(p *peerEnd) {
			atReady(p, hintManifest, func() { p.say("%s\n%s", pushOf("1", "e"), pushOf("2", "e")) }, func(h wire.Head) bool {
				if h.ID == "1" && h.Kind == wire.Result && h.Method == "" {
					p.say("%s", pushOf("3", "e"))
					close(again)
					return true
				}
				return false
			})
		}))
		if h := answering(t, frames, "2"); !strings.Contains(string(h.Result), `"accepted":false`) {
			t.Errorf("while it waits: %s", h.Raw)
		}
		if o := s.Run(t.Context(), `answer 1 {"accepted":true}`); !o.OK {
			t.Fatal(o.Err)
		}
		<-again
		if h := answering(t, frames, "3"); string(h.Result) != `{"accepted":true}` {
			t.Errorf("afterwards: %s", h.Raw)
		}
	})
}

func TestChannelsAndStatesAreKept(t *testing.T) {
	_, frames := ready(t, asks(hintManifest,
		req("1", "channels/register", `{"channels":[{"id":"a","n":1.0},{"id":"b"}]}`),
		`{"jsonrpc":"2.0","method":"channels/changed","params":{"removed":["b"],"added":[{"id":"c"}],"updated":[{"id":"a","n":2}]}}`,
		req("2", "channels/list", "{}"),
		req("3", "state/update", `{"featureSet":"play","checkpoint":"k1","data":{"x": 1e0}}`),
		req("4", "state/get", `{"featureSet":"play"}`),
		req("5", "state/update", `{"featureSet":"play","data":"`+strings.Repeat("z", maxState)+`"}`),
		req("6", "state/get", `{"featureSet":"play"}`),
	))
	for id, want := range map[string]string{
		"2": `{"channels":[{"id":"a","n":2},{"id":"c"}]}`,
		"3": `{"accepted":true,"checkpoint":"k1"}`,
		"4": `{"checkpoint":"k1","data":{"x": 1e0}}`,
		"6": `{"checkpoint":"k1","data":{"x": 1e0}}`,
	} {
		if h := answering(t, frames, id); string(h.Result) != want {
			t.Errorf("%s is answered %s, want %s", id, h.Raw, want)
		}
	}
	if h := answering(t, frames, "5"); h.Kind != wire.Error {
		t.Errorf("a state too large is answered %s", h.Raw)
	}
}

func TestWhatWaitsIsAnsweredDeclinedOrWithdrawn(t *testing.T) {
	s, frames := ready(t, asks(hintManifest,
		pushOf(`"p"`, "1"), req(`"1"`, "elicitation/create", "{}"), req("1", "elicitation/create", "{}"),
		req("4", "elicitation/create", "{}"), req("5", "sampling/createMessage", "{}"), req("6", "inference/request", `{"featureSet":"play"}`),
		pushOf("7", "2"), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}`, req("8", "ping", "{}"),
	), func(c *Config) { c.Push, c.Elicit, c.Sampling = Ask, Ask, Ask })
	answering(t, frames, "8") // by now all the others wait
	for line, want := range map[string]string{
		`answer 4 {"action":"accept"}`: "no request of the server with the id 4 waits",
		`answer last`:                  "the answer is missing; it is: answer REQUEST-ID|last JSON",
		`answer last {"a":}`:           "bad JSON at column 18: invalid character '}' looking for beginning of value",
		`answer`:                       "say which request; it is: answer REQUEST-ID|last JSON",
	} {
		if o := s.Run(t.Context(), line); o.OK || o.Err.Message != want {
			t.Errorf("%s: %+v, want %q", line, o.Err, want)
		}
	}
	for _, c := range []struct{ line, id, want string }{
		{`decline last`, "7", `{"jsonrpc":"2.0","id":7,"result":{"accepted":false,"reason":"declined by the user"}}`},
		{`decline last not now & later`, "6", `{"jsonrpc":"2.0","id":6,"error":{"code":-1,"message":"not now & later"}}`},
		{`answer 5 {"role": "assistant", "n":1.0}`, "5", `{"jsonrpc":"2.0","id":5,"result":{"role": "assistant", "n":1.0}}`},
		{`answer "1" {"action":"cancel"}`, `"1"`, `{"jsonrpc":"2.0","id":"1","result":{"action":"cancel"}}`},
		{`answer 1 {"action":"accept","content":{}}`, "1", `{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{}}}`},
	} {
		preview, err := s.Preview(c.line)
		if err != nil || string(preview) != c.want {
			t.Errorf("preview of %s: %s, %v", c.line, preview, err)
		}
		o := s.Run(t.Context(), c.line)
		if h := answering(t, frames, c.id); !o.OK || string(h.Raw) != c.want {
			t.Errorf("%s: %+v, answered %s", c.line, o, h.Raw)
		}
		if o := s.Run(t.Context(), strings.Replace(c.line, "last", c.id, 1)); o.OK {
			t.Errorf("%s could be answered twice", c.id)
		}
	}
	s.Close(context.Background())
	if h := answering(t, frames, `"p"`); string(h.Result) != `{"accepted":false,"reason":"the host closes the connection"}` {
		t.Errorf("at the end: %s", h.Raw)
	}
	if n := count(frames.all(), has(wire.Out, `"id":4,"result"`)); n != 0 {
		t.Error("a request that was withdrawn was answered")
	}
}

func TestPushAndElicitationFollowTheCommands(t *testing.T) {
	next := make(chan string)
	s, frames := ready(t, inproc(func(p *peerEnd) {
		atReady(p, hintManifest, func() {
			go func() {
				for l := range next {
					p.say("%s", l)
				}
			}()
		}, nil)
	}))
	defer close(next)
	for i, c := range []struct{ line, method, want string }{
		{"push refuse busy now", "push/event", `{"accepted":false,"reason":"busy now"}`},
		{"push accept", "push/event", `{"accepted":true}`},
		{"elicit accept", "elicitation/create", `{"action":"accept","content":{}}`},
		{"elicit decline", "elicitation/create", `{"action":"decline"}`},
	} {
		if o := s.Run(t.Context(), c.line); !o.OK || o.Request != 0 {
			t.Fatalf("%s: %+v", c.line, o)
		}
		id := fmt.Sprint(100 + i)
		next <- req(id, c.method, fmt.Sprintf(`{"eventId":"%d"}`, i))
		if h := answering(t, frames, id); string(h.Result) != c.want {
			t.Errorf("after %s: %s", c.line, h.Raw)
		}
	}
}

func TestTheGrantNarrowsAtOnceAndWidensWithTheReceipt(t *testing.T) {
	push, receipt := make(chan string), make(chan struct{}, 1)
	policies := 0
	s, frames := ready(t, inproc(func(p *peerEnd) {
		atReady(p, hintManifest, func() {
			go func() {
				for l := range push {
					p.say("%s", l)
				}
			}()
		}, func(h wire.Head) bool {
			if h.Method != mcpl.MethodFeatureSets {
				return false
			}
			if policies++; policies > 1 {
				go func() {
					<-receipt
					p.result(h, `{"accepted":true}`)
				}()
				return true
			}
			return false
		})
	}))
	defer close(push)
	ask := func(id string) string {
		push <- pushOf(id, "e"+id)
		return string(answering(t, frames, id).Raw)
	}
	var outcome Outcome
	run := func(line string) <-chan struct{} {
		done := make(chan struct{})
		go func() { outcome = s.Run(t.Context(), line); close(done) }()
		return done
	}
	preview, _ := s.Preview("deny pushEvents")
	done := run("deny pushEvents")
	f := frames.wait(t, "the narrower grant", has(wire.Out, `"effectiveCapabilities":["tools","modelInfo"`))
	if string(f.Body) != string(preview) {
		t.Errorf("sent\n%s\npreview\n%s", f.Body, preview)
	}
	if got := ask("1"); !strings.Contains(got, "-32002") {
		t.Errorf("before the receipt of less: %s", got)
	}
	receipt <- struct{}{}
	if <-done; !outcome.OK || string(outcome.Result) != `{"accepted":true}` {
		t.Errorf("deny: %+v", outcome)
	}
	done = run("grant pushEvents")
	frames.wait(t, "the wider grant", func(f wire.Frame) bool { return f.Seq > outcome.Answer && has(wire.Out, "featureSets/update")(f) })
	if got := ask("2"); !strings.Contains(got, "-32002") {
		t.Errorf("before the receipt of more: %s", got)
	}
	receipt <- struct{}{}
	<-done
	if got := ask("3"); !strings.Contains(got, `"accepted":true`) {
		t.Errorf("after the receipt: %s", got)
	}
	before := s.tap.newest()
	if o := s.Run(t.Context(), "grant pushEvents"); !o.OK || s.tap.newest() != before {
		t.Errorf("a grant that changes nothing was told: %+v", o)
	}
	if o := s.Run(t.Context(), "deny channels"); o.OK || !strings.Contains(o.Err.Message, "channels.publish") {
		t.Errorf("a bare parent: %+v", o)
	}
}

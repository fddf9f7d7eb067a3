package session

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestEveryBodyIsAFrameWithItsStreamAndStatus(t *testing.T) {
	s, frames, p := overHTTP(t, nil)
	s.Close(context.Background())
	init := frames.wait(t, "initialize", has(wire.Out, `"method":"initialize"`))
	if init.Via != "http:post:1" {
		t.Errorf("initialize went out via %s", init.Via)
	}
	answer := frames.wait(t, "its answer", has(wire.In, `"serverInfo"`))
	if answer.Via != "http:post:1" || answer.Form != wire.Msg {
		t.Errorf("it was answered via %s as %v", answer.Via, answer.Form)
	}
	if got := string(wire.Member(answer.HTTP, "status")); got != "200" {
		t.Errorf("its status is %s", answer.HTTP)
	}
	if bytes.Contains(answer.HTTP, []byte(p.session)) || !bytes.Contains(answer.HTTP, []byte(`"sess***"`)) {
		t.Errorf("the session's id is not masked: %s", answer.HTTP)
	}
	var out [][]byte
	for _, f := range frames.all() {
		if f.Dir == wire.Out {
			out = append(out, f.Body)
		}
	}
	posts := p.seen(http.MethodPost)
	if len(posts) != len(out) {
		t.Fatalf("%d messages are recorded, %d came", len(out), len(posts))
	}
	for i, c := range posts {
		if !bytes.Equal(c.body, out[i]) {
			t.Errorf("%s came, %s is recorded", c.body, out[i])
		}
		session, protocol := c.r.Header.Get("Mcp-Session-Id"), c.r.Header.Get("Mcp-Protocol-Version")
		if first := i == 0; (session == "") != first || (protocol == "") != first {
			t.Errorf("%s came with session %q and version %q", c.body, session, protocol)
		}
		if got := c.r.Header.Get("Accept"); !strings.Contains(got, "application/json") || !strings.Contains(got, "text/event-stream") {
			t.Errorf("Accept: %s", got)
		}
		if got := c.r.Header.Get("Accept-Encoding"); got != "" {
			t.Errorf("Accept-Encoding: %s", got)
		}
	}
	if d := p.seen(http.MethodDelete); len(d) != 1 || d[0].r.Header.Get("Mcp-Session-Id") != p.session {
		t.Errorf("the session was given back %d times", len(d))
	}
	frames.wait(t, "the end of the session", noteHas("session", `"ended":true`))
}

func TestARequestOnThePostsOwnStreamIsAnsweredAndWhatFollowsTheResponseIsRead(t *testing.T) {
	release := make(chan struct{})
	s, frames, p := overHTTP(t, func(p *webPeer) {
		p.post = onCall(func(c *webCall) {
			c.stream()
			c.say(`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`)
			c.say(`{"jsonrpc":"2.0","id":1e2,"method":"ping"}`)
			c.say(`{"jsonrpc":"2.0","id":"7","method":"ping"}`)
			c.say(`{"jsonrpc":"2.0","id":null,"method":"ping"}`)
			c.say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, c.head.ID)
			<-release
			c.say(`{"jsonrpc":"2.0","method":"late","params":{}}`)
		})
	})
	if o := s.Run(t.Context(), "call status"); !o.OK {
		t.Fatalf("the call: %s", o.JSON())
	}
	close(release)
	late := frames.wait(t, "what follows the response", has(wire.In, `"method":"late"`))
	call := frames.wait(t, "the call", has(wire.Out, `"tools/call"`))
	if late.Via != call.Via {
		t.Errorf("it came via %s, the call went out via %s", late.Via, call.Via)
	}
	for _, id := range []string{"9007199254740993", "1e2", `"7"`, "null"} {
		answering(t, frames, id)
		want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
		waitUntil(t, func() bool {
			for _, c := range p.seen(http.MethodPost) {
				if string(c.body) == want {
					return true
				}
			}
			return false
		})
	}
}

func TestAPrettyPrintedBodyIsAnAnswerAndItsBytesAreKept(t *testing.T) {
	pretty := "{\n  \"jsonrpc\": \"2.0\",\r\n  \"id\": %s,\n  \"result\": {\"content\": []}\n}"
	s, frames, _ := overHTTP(t, func(p *webPeer) {
		p.post = onCall(func(c *webCall) { c.json(fmt.Sprintf(pretty, c.head.ID)) })
	})
	if o := s.Run(t.Context(), "call status"); !o.OK {
		t.Fatalf("the call: %s", o.JSON())
	}
	f := frames.wait(t, "the body", has(wire.In, "\"jsonrpc\": \"2.0\",\r\n"))
	if f.Form != wire.Text {
		t.Errorf("it is kept as %v", f.Form)
	}
}

func TestABatchInABodyAnswersItsRequest(t *testing.T) {
	s, _, _ := overHTTP(t, func(p *webPeer) {
		p.post = onCall(func(c *webCall) {
			c.json(fmt.Sprintf(`[{"jsonrpc":"2.0","method":"notifications/message"},{"jsonrpc":"2.0","id":%s,"result":{}}]`, c.head.ID))
		})
	})
	if o := s.Run(t.Context(), "call status"); !o.OK {
		t.Fatalf("the call: %s", o.JSON())
	}
}

func TestNotificationsArriveBeforeTheRequestsThatFollow(t *testing.T) {
	_, _, p := overHTTP(t, nil)
	posts := p.seen(http.MethodPost)
	if len(posts) < 3 || posts[1].head.Method != mcpl.MethodInitialized {
		t.Fatalf("the second message is %s", posts[1].body)
	}
}

func TestAThousandCallsInFlightAreAllAnswered(t *testing.T) {
	const calls = 1000
	all := make(chan struct{})
	waiting := make(chan struct{}, calls)
	s, frames, _ := overHTTP(t, func(p *webPeer) {
		p.post = onCall(func(c *webCall) {
			waiting <- struct{}{}
			<-all
			c.json(c.answer())
		})
	})
	for range calls {
		if o := s.Run(t.Context(), "call status &"); !o.OK {
			t.Fatalf("%s", o.JSON())
		}
	}
	for range calls {
		<-waiting
	}
	close(all)
	if o := s.Run(t.Context(), "wait calls"); !o.OK {
		t.Fatalf("%s", o.JSON())
	}
	if n := count(frames.all(), has(wire.In, `"result":{}`)); n < calls {
		t.Errorf("%d answers are recorded", n)
	}
}

package demo

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestStreamableHTTPAnswersWithTheRightStatus(t *testing.T) {
	url, _ := web(t, quick)
	h := join(t, url, plainHost)
	session := h.headers[2]
	ping := request("1", "ping", "{}")
	for name, c := range map[string]struct {
		method, body string
		headers      []string
		status       int
		says         string
	}{
		"a request":             {"POST", ping, []string{asJSON, takesBoth, session}, 200, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		"only JSON is taken":    {"POST", ping, []string{asJSON, takesJSON, session}, 200, `"result":{}`},
		"only events are taken": {"POST", ping, []string{asJSON, takesSSE, session}, 200, "event: message\ndata: {"},
		"anything is taken":     {"POST", ping, []string{asJSON, "Accept: */*", session}, 200, `"result":{}`},
		"a batch":               {"POST", "[" + ping + "]", []string{asJSON, takesBoth, session}, 200, `[{"jsonrpc":"2.0","id":1,"result":{}}]`},
		"a notification":        {"POST", initialized, []string{asJSON, takesBoth, session}, 202, ""},
		"an answer":             {"POST", `{"jsonrpc":"2.0","id":"s1","result":{}}`, []string{asJSON, takesBoth, session}, 202, ""},
		"no JSON":               {"POST", "{", []string{asJSON, takesBoth, session}, 400, `"id":null,"error":{"code":-32700`},
		"no message":            {"POST", "{}", []string{asJSON, takesBoth, session}, 400, `"id":null,"error":{"code":-32600`},
		"an id that is none":    {"POST", request("{}", "ping", "{}"), []string{asJSON, takesBoth, session}, 200, `"id":null,"error":{"code":-32600`},
		"an id null":            {"POST", request("null", "ping", "{}"), []string{asJSON, takesBoth, session}, 200, `"id":null,"error":{"code":-32600`},
		"a second initialize":   {"POST", hello(plainHost), []string{asJSON, takesBoth, session}, 200, "initialize was answered already"},
		"no session":            {"POST", ping, []string{asJSON, takesBoth}, 400, "send initialize first"},
		"an unknown session":    {"POST", ping, []string{asJSON, takesBoth, "Mcp-Session-Id: x"}, 404, "no such session"},
		"another's session":     {"POST", ping, []string{asJSON, takesBoth, session, "Authorization: Bearer x"}, 404, "no such session"},
		"no content type":       {"POST", ping, []string{takesBoth, session}, 415, "application/json"},
		"nothing is taken":      {"POST", ping, []string{asJSON, "Accept: text/html", session}, 406, "must accept"},
		"too long":              {"POST", strings.Repeat(" ", maxLine+1), []string{asJSON, takesBoth, session}, 413, "8 MiB"},
		"a version of nobody":   {"POST", ping, []string{asJSON, takesBoth, session, "Mcp-Protocol-Version: 1999-01-01"}, 400, "no version of MCP"},
		"a browser":             {"GET", "", []string{"Accept: text/html", session}, 406, "must accept text/event-stream"},
		"a GET of no session":   {"GET", "", []string{takesSSE}, 400, "send initialize"},
		"an event of nobody":    {"GET", "", []string{takesSSE, session, "Last-Event-Id: x-1"}, 400, "no event"},
		"an event id of none":   {"GET", "", []string{takesSSE, session, "Last-Event-Id: get"}, 400, "no event"},
		"a PUT":                 {"PUT", ping, []string{asJSON, session}, 405, "GET, POST, DELETE"},
		"a DELETE of nobody":    {"DELETE", "", []string{"Mcp-Session-Id: x"}, 404, "no such session"},
	} {
		t.Run(name, func(t *testing.T) {
			resp := ask(t, c.method, h.url, c.body, c.headers...)
			if body := bodyOf(t, resp); resp.StatusCode != c.status || !strings.Contains(body, c.says) || c.says == "" && body != "" {
				t.Errorf("%s %q, want %d %q", resp.Status, body, c.status, c.says)
			}
		})
	}
	for range 2 {
		resp := ask(t, http.MethodDelete, h.url, "", session)
		again := h.post(ping)
		if want := http.StatusNotFound; again.StatusCode != want {
			t.Errorf("after DELETE (%s) a request is answered %s", resp.Status, again.Status)
		}
	}
}

func TestAnInitializeThatFailsLeavesNoSession(t *testing.T) {
	url, h := web(t, quick)
	resp := ask(t, http.MethodPost, url+PathHTTP, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":[]}`, asJSON, takesBoth)
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
		t.Errorf("it gave the session %s for %s", id, bodyOf(t, resp))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.sessions) != 0 {
		t.Errorf("%d sessions are there", len(h.sessions))
	}
}

func TestACallThatTakesItsTimeIsAnsweredByAStreamWithItsProgress(t *testing.T) {
	url, _ := web(t, quick)
	h := join(t, url, hintsHost)
	resp := h.post(request("77", "tools/call", `{"name":"think","arguments":{"seconds":3},"_meta":{"progressToken":"p"}}`))
	if kind := resp.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("it is answered by %s", kind)
	}
	events := reading(resp)
	head, err := events.next()
	if err != nil || head != (sent{id: "post5-0", retry: "1000"}) {
		t.Errorf("the head of the stream: %+v %v", head, err)
	}
	all := events.until(t, `"id":77,`)
	for i, e := range all {
		if e.id != fmt.Sprintf("post5-%d", i+1) {
			t.Errorf("event %d has the id %s", i+1, e.id)
		}
		if i < len(all)-1 && !strings.Contains(e.data, "notifications/progress") {
			t.Errorf("event %d: %s", i+1, e.data)
		}
	}
	if len(all) != 4 && len(all) != 3 {
		t.Errorf("%d events", len(all))
	}
	if _, err := events.next(); err == nil {
		t.Error("the stream goes on after the answer")
	}
}

func TestAnOlderClientGetsNoEventWithoutData(t *testing.T) {
	url, _ := web(t, quick)
	h := join(t, url, plainHost)
	events, hangUp := h.listen(inThisPast)
	defer hangUp()
	if head, err := events.next(); err != nil || head != (sent{retry: "1000"}) {
		t.Errorf("the head of the stream: %+v %v", head, err)
	}
}

func TestAStreamThatWasCutGoesOnAfterTheLastEvent(t *testing.T) {
	url, _ := web(t, quick)
	h, other := join(t, url, hintsHost), join(t, url, hintsHost)
	events, hangUp := h.listen()
	open := func(name string) {
		other.result("toolsets/open", `{"toolset":"game","instance":"`+name+`"}`)
	}
	open("one")
	first := events.until(t, `"one"`)
	hangUp()
	open("two")
	open("three")
	last := first[len(first)-1].id
	events, hangUp = h.listen("Last-Event-Id: " + last)
	rest := events.until(t, `"three"`)
	hangUp()
	rev := 1 // toolsets/list took it
	for _, e := range append(first, rest...) {
		m := wire.Peek([]byte(e.data))
		hints := m.Params
		if m.Method == "push/event" {
			hints = wire.Member(m.Params, "hints")
		}
		if got := wire.Member(hints, "rev"); got != nil {
			if rev++; string(got) != fmt.Sprint(rev) {
				t.Errorf("rev %s follows %d", got, rev-1)
			}
		}
	}
	if rev < 4 {
		t.Errorf("only %d revs came", rev)
	}
	// From the beginning again, byte for byte.
	events, hangUp = h.listen("Last-Event-Id: get-0")
	defer hangUp()
	if again := events.until(t, `"three"`); fmt.Sprint(again[:len(first)]) != fmt.Sprint(first) {
		t.Errorf("again it is %v, not %v", again, first)
	}
}

func TestAStreamOfACallThatWasCutIsResumedByItsEventID(t *testing.T) {
	url, _ := web(t, quick)
	h := join(t, url, hintsHost)
	resp := h.post(request("5", "tools/call", `{"name":"think","arguments":{"seconds":5},"_meta":{"progressToken":1}}`))
	first := reading(resp).message(t)
	_ = resp.Body.Close()
	events, hangUp := h.listen("Last-Event-Id: " + first.id)
	defer hangUp()
	all := events.until(t, `"id":5,`)
	name, n, _ := readEventID(first.id)
	if all[0].id != fmt.Sprintf("%s-%d", name, n+1) {
		t.Errorf("it goes on at %s after %s", all[0].id, first.id)
	}
	if _, err := events.next(); err == nil {
		t.Error("the stream goes on after the answer")
	}
}

func TestWhatNobodyListenedToIsThereWhenSomebodyDoes(t *testing.T) {
	url, _ := web(t, quick)
	h, other := join(t, url, hintsHost), join(t, url, hintsHost)
	other.result("toolsets/open", `{"toolset":"game","instance":"early"}`)
	events, hangUp := h.listen()
	defer hangUp()
	events.until(t, `"early"`)
}

func TestASecondListenerTakesOver(t *testing.T) {
	url, _ := web(t, quick)
	h, other := join(t, url, hintsHost), join(t, url, hintsHost)
	old, _ := h.listen()
	events, hangUp := h.listen()
	defer hangUp()
	for {
		if _, err := old.next(); err != nil {
			break
		}
	}
	other.result("toolsets/open", `{"toolset":"game","instance":"now"}`)
	events.until(t, `"now"`)
}

func TestACancelledCallEndsItsStreamWithoutAnAnswer(t *testing.T) {
	url, _ := web(t, Options{Seed: 1}) // it would think for half a minute
	h := join(t, url, hintsHost)
	resp := h.post(request(`"c"`, "tools/call", `{"name":"think","arguments":{"seconds":30}}`))
	if got := h.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}}`); got.StatusCode != http.StatusAccepted {
		t.Fatalf("the cancelling: %s", got.Status)
	}
	if body := bodyOf(t, resp); strings.Contains(body, `"result"`) {
		t.Errorf("it was answered: %s", body)
	}
	events, hangUp := h.listen()
	defer hangUp()
	events.until(t, "tools/hints") // its consequences
}

func TestAnIdThatIsUsedTwiceConfusesNobody(t *testing.T) {
	url, _ := web(t, quick)
	h := join(t, url, hintsHost)
	think := request("7", "tools/call", `{"name":"think","arguments":{"seconds":2}}`)
	first := h.post(think)
	if body := bodyOf(t, h.post(think)); !strings.Contains(body, "still running") {
		t.Errorf("the second: %s", body)
	}
	reading(first).until(t, "The house has thought")
}

func TestAThousandRequestsOverHTTPGetTheirOwnAnswers(t *testing.T) {
	url, _ := web(t, quick)
	h := join(t, url, hintsHost)
	var all sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	for i := range 1000 {
		id := []string{fmt.Sprint(9007199254740993 + i), fmt.Sprintf(`"s%d"`, i), fmt.Sprintf("%de2", i)}[i%3]
		all.Go(func() {
			req, _ := http.NewRequestWithContext(soon(t), http.MethodPost, h.url, strings.NewReader(request(id, "tools/call", `{"name":"status","arguments":{}}`)))
			for _, line := range h.headers {
				name, value, _ := strings.Cut(line, ": ")
				req.Header.Set(name, value)
			}
			resp, err := client.Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			if body := bodyOf(t, resp); !strings.HasPrefix(body, `{"jsonrpc":"2.0","id":`+id+`,"result":`) {
				t.Errorf("request %s got %s", id, body)
			}
		})
	}
	all.Wait()
}

func TestAnEventLogIsBoundedWhetherItIsReadOrNot(t *testing.T) {
	msg := make([]byte, 64<<10)
	t.Run("read", func(t *testing.T) {
		l := newEventLog("get", -1)
		reader, _ := l.take(-1)
		for i := range 10_000 {
			if !l.add(msg, false) {
				t.Fatalf("event %d is too much, though all were read", i)
			}
			l.gave(reader, i+1)
		}
		if l.bytes > 2*keepBytes {
			t.Errorf("%d bytes are kept", l.bytes)
		}
		if _, from := l.take(3); from != l.first() {
			t.Errorf("who was at 3 goes on at %d", from)
		}
	})
	t.Run("never read", func(t *testing.T) {
		l := newEventLog("get", -1)
		for range 1000 {
			if !l.add(msg, false) {
				l.forget()
			}
		}
		if l.bytes > hardBytes+len(msg) || l.wasRead() {
			t.Errorf("%d bytes are kept", l.bytes)
		}
	})
}

func TestAClientThatListensAndDoesNotReadLosesItsSession(t *testing.T) {
	url, handler := web(t, quick)
	h := join(t, url, hintsHost)
	_, hangUp := h.listen()
	defer hangUp()
	id := strings.TrimPrefix(h.headers[2], "Mcp-Session-Id: ")
	handler.mu.Lock()
	s := handler.sessions[id]
	handler.mu.Unlock()
	big := []byte(`{"jsonrpc":"2.0","method":"x","params":"` + strings.Repeat("y", 1<<20) + `"}`)
	for range 64 { // more than sockets hold
		s.emit(big)
	}
	for {
		if resp := h.post(request("1", "ping", "{}")); resp.StatusCode == http.StatusNotFound {
			return
		}
	}
}

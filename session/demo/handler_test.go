package demo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

func wsOf(url string) string { return "ws" + strings.TrimPrefix(url, "http") + PathWS }

func TestAPageOfAnotherOriginOrNameIsRefused(t *testing.T) {
	url, _ := web(t, quick)
	for name, c := range map[string]struct {
		headers []string
		status  int
	}{
		"as it is":             {nil, 200},
		"by name":              {[]string{"Host: localhost:1"}, 200},
		"by IPv6":              {[]string{"Host: [::1]:1"}, 200},
		"a name made to point": {[]string{"Host: evil.example:80"}, 403},
		"a lookalike":          {[]string{"Host: 127.0.0.1.evil.example"}, 403},
		"a local page":         {[]string{"Origin: http://localhost:3000"}, 200},
		"a page of elsewhere":  {[]string{"Origin: https://evil.example"}, 403},
		"a page of nowhere":    {[]string{"Origin: null"}, 403},
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{PathHTTP, PathSSE, PathWS} {
				resp := ask(t, http.MethodPost, url+path, hello(plainHost), append(c.headers, asJSON, takesBoth)...)
				if refused := resp.StatusCode == http.StatusForbidden; refused != (c.status == 403) {
					t.Errorf("%s answers %s", path, resp.Status)
				}
			}
		})
	}
}

func TestOnlyTheLinksThatWereAskedForAreServed(t *testing.T) {
	url, _ := web(t, quick, LinkWS)
	resp := ask(t, http.MethodPost, url+PathHTTP, hello(plainHost), asJSON, takesBoth)
	if body := bodyOf(t, resp); resp.StatusCode != http.StatusNotFound || !strings.Contains(body, "/ws (WebSocket)") {
		t.Errorf("%s %s", resp.Status, body)
	}
	dialWS(t, wsOf(url), nil).greet()
}

func TestConnectionsWithOneTokenAreOnePrincipalHoweverItTravels(t *testing.T) {
	url, _ := web(t, quick)
	const token = "ada-1"
	first := dialWS(t, wsOf(url)+"?token="+token, nil).greet()
	stranger := dialWS(t, wsOf(url)+"?token=other", nil).greet()
	nobody := dialWS(t, wsOf(url), nil).greet()
	for i, join := range []func() *wsHost{
		func() *wsHost { return dialWS(t, wsOf(url)+"?token="+token, nil) },
		func() *wsHost {
			return dialWS(t, wsOf(url), &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"bearer " + token}}})
		},
		func() *wsHost {
			w := dialWS(t, wsOf(url), &websocket.DialOptions{Subprotocols: []string{token}})
			if w.c.Subprotocol() != token {
				t.Errorf("the token is not confirmed, but %q", w.c.Subprotocol())
			}
			return w
		},
		func() *wsHost {
			w := dialWS(t, wsOf(url), &websocket.DialOptions{Subprotocols: []string{"other-sub", "mcp"}})
			w.c.CloseNow()
			w = dialWS(t, wsOf(url), &websocket.DialOptions{Subprotocols: []string{"mcp"}})
			w.say(`{"type":"auth","token":"` + token + `"}`)
			return w
		},
	} {
		name := fmt.Sprintf("way-%d", i)
		join().greet().say(request("9", "toolsets/open", `{"toolset":"game","instance":"`+name+`"}`))
		first.until(name)
	}
	for _, w := range []*wsHost{stranger, nobody} {
		w.say(request("9", "toolsets/list", `{}`))
		if got := w.until(`"id":9,`); strings.Contains(got, "way-") {
			t.Errorf("another principal sees %s", got)
		}
	}
}

func TestAClientThatComesBackFindsOpenWhatItHadOpened(t *testing.T) {
	url, _ := web(t, quick)
	w := dialWS(t, wsOf(url), nil).greet()
	w.say(request("3", "toolsets/open", `{"toolset":"game","instance":"kept"}`))
	w.until(`"id":3,`)
	_ = w.c.CloseNow()
	w = dialWS(t, wsOf(url), nil).greet()
	w.say(request("4", "toolsets/open", `{"toolset":"game","instance":"kept"}`))
	has(t, w.until(`"id":4,`), `"adopted":true`)
}

func TestTheEndOfTheServerIsToldWithACloseCode(t *testing.T) {
	url, h := web(t, quick)
	waiting := dialWS(t, wsOf(url), nil) // has not said a word
	w := dialWS(t, wsOf(url), nil).greet()
	go h.Close()
	for _, w := range []*wsHost{w, waiting} {
		_, _, err := w.c.Read(soon(t))
		var closed websocket.CloseError
		if !errors.As(err, &closed) || closed.Code != websocket.StatusGoingAway || closed.Reason != "the server ends" {
			t.Errorf("closed: %v", err)
		}
	}
	h.Close() // a second time is no harm
}

func TestAMessageTooLongForTheServerClosesTheWebSocketWithItsCode(t *testing.T) {
	url, _ := web(t, quick)
	w := dialWS(t, wsOf(url), nil).greet()
	_ = w.c.Write(soon(t), websocket.MessageText, make([]byte, maxLine+2))
	_, _, err := w.c.Read(soon(t))
	if websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
		t.Errorf("closed: %v", err)
	}
}

func TestABinaryFrameIsIgnoredByTheServer(t *testing.T) {
	url, _ := web(t, quick)
	w := dialWS(t, wsOf(url), nil).greet()
	if err := w.c.Write(soon(t), websocket.MessageBinary, []byte(request("7", "ping", "{}"))); err != nil {
		t.Fatal(err)
	}
	w.say("  \n{\"jsonrpc\":\"2.0\",\n\"id\":8,\"method\":\"ping\"}\n")
	if got := w.until(`"jsonrpc"`); !strings.Contains(got, `"id":8,`) {
		t.Errorf("the answer is %s", got)
	}
}

func TestASlowReaderStallsNobodyAndIsGivenUp(t *testing.T) {
	o := quick
	o.Stall = 300 * time.Millisecond
	url, _ := web(t, o)
	slow := dialWS(t, wsOf(url)+"?token=slow", nil).greet()
	flooded := make(chan struct{})
	go func() {
		defer close(flooded)
		ping := []byte(request(`"`+strings.Repeat("x", 10_000)+`"`, "ping", "{}"))
		for slow.c.Write(context.Background(), websocket.MessageText, ping) == nil {
		}
	}()
	other := dialWS(t, wsOf(url)+"?token=slow", nil).greet() // of the same principal
	for i := range 50 {
		other.say(request(fmt.Sprint(100+i), "tools/call", `{"name":"status","arguments":{}}`))
		other.until(fmt.Sprintf(`"id":%d,`, 100+i))
	}
	select {
	case <-flooded: // the server hung up
	case <-time.After(patience):
		t.Fatal("the slow client still writes")
	}
}

func TestPrincipalsAreBoundedAndTheLongestAwayIsForgotten(t *testing.T) {
	h := NewHandler(quick)
	defer h.Close()
	var leave []func()
	for i := range maxGuests {
		_, l, err := h.enter(fmt.Sprint(i))
		if err != nil {
			t.Fatal(err)
		}
		leave = append(leave, l)
	}
	if _, _, err := h.enter("one more"); !errors.Is(err, errFull) {
		t.Errorf("one more: %v", err)
	}
	old := h.guests["7"].p
	leave[7]()
	leave[7]() // twice is once
	leave[8]()
	if _, _, err := h.enter("one more"); err != nil {
		t.Errorf("one more, with room: %v", err)
	}
	if _, l, err := h.enter("7"); err != nil || h.guests["7"].p == old {
		t.Errorf("7 was not forgotten: %v", err)
	} else {
		l()
	}
}

func TestLegacySSE(t *testing.T) {
	url, h := web(t, quick)
	resp := ask(t, http.MethodGet, url+PathSSE, "")
	events := reading(resp)
	where, err := events.next()
	if err != nil || where.kind != "endpoint" || !strings.HasPrefix(where.data, "/message?sessionId=") {
		t.Fatalf("the first event: %+v %v", where, err)
	}
	post := func(body string) int {
		return ask(t, http.MethodPost, url+where.data, body, asJSON).StatusCode
	}
	for _, body := range []string{hello(hintsHost), initialized, request("1", "featureSets/update", allow), request("2", "toolsets/list", "{}")} {
		if status := post(body); status != http.StatusAccepted {
			t.Fatalf("%s: %d", body, status)
		}
	}
	events.until(t, `"id":2,`)
	// What happens on another link of the principal comes here as well.
	dialWS(t, wsOf(url), nil).greet().say(request("3", "toolsets/open", `{"toolset":"game","instance":"over-there"}`))
	e := events.until(t, "over-there")
	if last := e[len(e)-1]; last.kind != "message" {
		t.Errorf("a message is an event %q", last.kind)
	}
	for name, c := range map[string]struct {
		method, path, body string
		status             int
		headers            []string
	}{
		"no session":      {http.MethodPost, pathPost, initialized, 404, nil},
		"another's":       {http.MethodPost, where.data, initialized, 404, []string{"Authorization: Bearer x"}},
		"a GET of a POST": {http.MethodGet, pathPost, "", 405, nil},
		"a POST of a GET": {http.MethodPost, PathSSE, initialized, 405, nil},
		"too long":        {http.MethodPost, where.data, strings.Repeat("x", maxLine+1), 413, nil},
	} {
		if resp := ask(t, c.method, url+c.path, c.body, c.headers...); resp.StatusCode != c.status {
			t.Errorf("%s: %s", name, resp.Status)
		}
	}
	h.Close()
	for err == nil {
		_, err = events.next()
	}
	if status := post(initialized); status != http.StatusServiceUnavailable {
		t.Errorf("a POST after the end: %d", status)
	}
}

package session

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestWhatCameInPlaceOfTheFirstAnswerIsPutIntoWords(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"a text id":      {`{"jsonrpc":"2.0","id":"1","result":{}}`, `an answer came with the id "1", a text, where the request has the number 1`},
		"another id":     {`[{"jsonrpc":"2.0","id":7,"result":{}}]`, "an answer came with the id 7, where the request has the id 1"},
		"no id":          {`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`, "an answer without an id came"},
		"junk":           {"Server is starting", "what came is no JSON: Server is starting"},
		"no message":     {`{"ready":true}`, `what came is JSON, but no message of JSON-RPC: {"ready":true}`},
		"an echo":        {`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, "its own request came back, as from cat"},
		"a notification": {`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`, ""},
		"a ping":         {`{"jsonrpc":"2.0","id":1,"method":"ping"}`, ""},
	} {
		var in instead
		var h wire.Head
		f := wire.Frame{Dir: wire.In, Body: []byte(c.body)}
		var one, valid bool
		f.Form, valid, one = wire.Inspect(f.Body, &h)
		in.take(f, h, one, valid)
		if got := in.words(&request{id: 1}, unfinished{}); got != c.want {
			t.Errorf("%s: told %q, want %q", name, got, c.want)
		}
	}
}

func TestAnInitializeWithoutAnswerIsReportedWithWhatCameInstead(t *testing.T) {
	for name, c := range map[string]struct {
		server func(*testing.T) option
		want   string
	}{
		"a line without its end": {
			func(*testing.T) option { return child("says:hello\n" + `{"jsonrpc":"2.0"`) },
			`16 bytes came of a line without its end (a newline): {"jsonrpc":"2.0"`,
		},
		"a status": {func(t *testing.T) option {
			url := httpServer(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) })
			return func(c *Config) { c.Target = Target{Kind: KindHTTP, URL: url} }
		}, "HTTP 202 came, which is for messages that want no answer"},
		"a binary frame": {func(t *testing.T) option {
			return over(wsServer(t, nil, func(c *websocket.Conn, _ *http.Request) {
				_, _, _ = c.Read(context.Background())
				_ = c.Write(context.Background(), websocket.MessageBinary, []byte("{}"))
				_, _, _ = c.Read(context.Background()) // until the host leaves
			}))
		}, "a binary frame of 2 bytes came, where messages are text frames"},
	} {
		t.Run(name, func(t *testing.T) {
			s, frames := open(t, c.server(t), func(c *Config) { c.Timeout = 2 * time.Second })
			want := "no answer to initialize within 2s, but " + c.want + "; --timeout changes the limit"
			if err := s.WaitReady(t.Context()); err == nil || err.Error() != want {
				t.Errorf("told\n%v\nwant\n%s", err, want)
			}
			f := frames.wait(t, "timeout", noteIs("timeout"))
			if got := wire.StringOf(wire.Member(f.Data, "instead")); got != c.want {
				t.Errorf("noted %q", got)
			}
		})
	}
}

func TestAProgramThatSendsBackWhatItIsSentIsCalledThat(t *testing.T) {
	for _, protocol := range []string{"2025-11-25", ProtocolAuto, "2026-07-28"} {
		t.Run(protocol, func(t *testing.T) {
			s, frames := open(t, child("echo"), func(c *Config) { c.Protocol = protocol })
			err := s.WaitReady(t.Context())
			if err == nil || !strings.Contains(err.Error(), "sends back what it is sent") {
				t.Error(err)
			}
			if e := ended(t, frames); e["by"] != "host" || e["reason"] != err.Error() {
				t.Errorf("closed: %v", e)
			}
		})
	}
}

package session

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func speaking(version string) option { return func(c *Config) { c.Protocol = version } }

// newest connects to a server of MCP 2026-07-28, over each link that it has.
func newest(t *testing.T, run func(t *testing.T, s *Session, frames *sink), opts ...option) {
	t.Helper()
	t.Run("stdio", func(t *testing.T) {
		s, frames := ready(t, append([]option{child("newest"), speaking(mcpl.ProtocolStateless)}, opts...)...)
		run(t, s, frames)
	})
	t.Run("http", func(t *testing.T) {
		srv := httptest.NewServer(server.NewStreamableHTTPServer(newestServer()))
		t.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
		s, frames := ready(t, append([]option{to(srv.URL), speaking(mcpl.ProtocolStateless)}, opts...)...)
		run(t, s, frames)
	})
}

func to(url string) option {
	return func(c *Config) { c.Target = Target{Kind: KindHTTP, URL: url} }
}

func TestTheNewestVersionHasNoHandshakeAndEachRequestSaysIt(t *testing.T) {
	newest(t, func(t *testing.T, s *Session, frames *sink) {
		if o := s.Run(t.Context(), `call echo {"text":"hi"}`); !o.OK || !strings.Contains(string(o.Result), `"hi"`) {
			t.Fatalf("call: %s", o.JSON())
		}
		if o := s.Run(t.Context(), "tools"); !o.OK {
			t.Fatalf("tools: %s", o.JSON())
		}
		if o := s.Run(t.Context(), "raw prompts/list"); o.OK || o.Err.Code != mcpl.CodeMethodUnknown {
			t.Fatalf("raw: %s", o.JSON())
		}
		if got := sent(frames.all()); got != "server/discover subscriptions/listen tools/list tools/call tools/list prompts/list" {
			t.Errorf("sent %s", got)
		}
		for _, f := range frames.all() {
			h := wire.Peek(f.Body)
			if f.Dir != wire.Out || h.Kind != wire.Request {
				continue
			}
			meta := wire.Member(h.Params, "_meta")
			if wire.StringOf(wire.Member(meta, mcpl.MetaProtocol)) != "2026-07-28" || wire.Member(meta, mcpl.MetaCapabilities) == nil ||
				wire.StringOf(wire.Path(meta, mcpl.MetaClient, "name")) != "test" {
				t.Errorf("%s says %s", h.Method, meta)
			}
		}
	})
}

func TestWhatIsTypedRawWithAMetaStaysAsItIs(t *testing.T) {
	s, frames := ready(t, child("newest"), speaking(mcpl.ProtocolStateless))
	s.Run(t.Context(), `raw tools/list {"_meta":{}}`)
	if n := count(frames.all(), has(wire.Out, `"params":{"_meta":{}}}`)); n != 1 {
		t.Errorf("sent\n%s", dump(frames.all()))
	}
}

func TestAPreviewOfTheNewestVersionIsWhatIsSent(t *testing.T) {
	s, frames := ready(t, child("newest"), speaking(mcpl.ProtocolStateless))
	for _, line := range []string{`call echo {"text":"<&>"}`, "tools", "raw tools/list"} {
		want, err := s.Preview(line)
		if err != nil {
			t.Fatal(err)
		}
		s.Run(t.Context(), line)
		if n := count(frames.all(), func(f wire.Frame) bool { return f.Dir == wire.Out && string(f.Body) == string(want) }); n != 1 {
			t.Errorf("%s: the preview %s was not sent", line, want)
		}
	}
}

func TestAListThatChangesIsReadAgainThroughTheSubscription(t *testing.T) {
	newest(t, func(t *testing.T, s *Session, frames *sink) {
		frames.wait(t, "the subscription", has(wire.In, mcpl.MethodAcknowledged))
		if o := s.Run(t.Context(), "call grow"); !o.OK {
			t.Fatalf("call: %s", o.JSON())
		}
		frames.wait(t, "a list with the new tool", has(wire.In, `"name":"grown"`))
	})
}

func TestAnArgumentThatTheSchemaMarksTravelsInAHeaderToo(t *testing.T) {
	srv := httptest.NewServer(server.NewStreamableHTTPServer(newestServer()))
	t.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
	s, _ := ready(t, to(srv.URL), speaking(mcpl.ProtocolStateless))
	if o := s.Run(t.Context(), `call region {"region":"eu west"}`); !o.OK || !strings.Contains(string(o.Result), "in eu west by eu west") {
		t.Errorf("call: %s", o.JSON())
	}
}

func TestACallIsCancelledAsTheLinkOfTheNewestVersionWantsIt(t *testing.T) {
	newest(t, func(t *testing.T, s *Session, frames *sink) {
		if o := s.Run(t.Context(), "call slow &"); !o.OK {
			t.Fatalf("call: %s", o.JSON())
		}
		if o := s.Run(t.Context(), "cancel last"); !o.OK {
			t.Fatalf("cancel: %s", o.JSON())
		}
		if o := s.Run(t.Context(), "wait calls"); !o.OK || !strings.Contains(string(o.Result), "cancelled") {
			t.Errorf("wait: %s", o.JSON())
		}
		if s.cfg.Target.Kind == KindHTTP {
			frames.wait(t, "the stream is closed", func(f wire.Frame) bool {
				return noteIs("stream")(f) && strings.Contains(string(f.Data), "gave the request up")
			})
			if n := count(frames.all(), has(wire.Out, mcpl.MethodCancelled)); n != 0 {
				t.Errorf("it was told %d times", n)
			}
		} else if n := count(frames.all(), has(wire.Out, mcpl.MethodCancelled)); n != 1 {
			t.Errorf("it was told %d times", n)
		}
		if o := s.Run(t.Context(), `call echo {"text":"on"}`); !o.OK {
			t.Errorf("the next call: %s", o.JSON())
		}
	})
}

func TestAutoSpeaksTheNewestVersionWhereTheServerDoes(t *testing.T) {
	_, frames := ready(t, child("newest"), speaking(ProtocolAuto))
	if got := sent(frames.all()); !strings.HasPrefix(got, "server/discover subscriptions/listen tools/list") {
		t.Errorf("sent %s", got)
	}
}

func TestAutoFallsBackToTheHandshake(t *testing.T) {
	unknown := `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`
	older := `{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"Unsupported","data":{"supported":["2025-06-18","2024-11-05"],"requested":"2026-07-28"}}}`
	discovered := `{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":["2025-03-26"],"capabilities":{"tools":{}}}}`
	mcplToo := `{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"experimental":{"mcpl":{}}}}}`
	for name, c := range map[string]struct{ answer, asks string }{
		"method unknown":      {unknown, "2025-11-25"},
		"older versions":      {older, "2025-06-18"},
		"discovered as older": {discovered, "2025-03-26"},
		"a server of MCPL":    {mcplToo, "2025-11-25"},
		"silence":             {"", "2025-11-25"},
	} {
		t.Run(name, func(t *testing.T) {
			_, frames := ready(t, inproc(func(p *peerEnd) {
				p.host(hintManifest, func(h wire.Head) bool {
					if h.Method != mcpl.MethodDiscover {
						return false
					}
					if c.answer != "" {
						p.say(c.answer, h.ID)
					}
					return true
				})
			}), speaking(ProtocolAuto), func(c *Config) { c.probe = 50 * time.Millisecond })
			if got := sent(frames.all()); got != "server/discover initialize notifications/initialized featureSets/update tools/list toolsets/list" {
				t.Errorf("sent %s", got)
			}
			if body := bodyOf(t, frames, mcpl.MethodInitialize); !strings.Contains(body, `"protocolVersion":"`+c.asks+`"`) {
				t.Errorf("asked by %s, want %s", body, c.asks)
			}
			if body := bodyOf(t, frames, mcpl.MethodToolsList); strings.Contains(body, mcpl.MetaProtocol) {
				t.Errorf("the list is asked for by %s", body)
			}
			if n := count(frames.all(), noteIs("timeout")); (n == 1) != (c.answer == "") {
				t.Errorf("%d notes of a time-out", n)
			}
		})
	}
}

func TestAutoFallsBackOverHTTP(t *testing.T) {
	p := newWebPeer(t, func(p *webPeer) {
		p.post = func(c *webCall) bool {
			if c.head.Method != mcpl.MethodDiscover {
				return false
			}
			c.w.WriteHeader(400)
			_, _ = c.w.Write([]byte("Bad Request: no session"))
			return true
		}
	})
	_, frames := ready(t, to(p.srv.URL), speaking(ProtocolAuto))
	if got := sent(frames.all()); !strings.HasPrefix(got, "server/discover initialize notifications/initialized") {
		t.Errorf("sent %s", got)
	}
}

func TestAVersionThatCannotBeAgreedOnIsSaidAndEndsTheConnection(t *testing.T) {
	const only = `{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2025-06-18"],"requested":"2026-07-28"}}}`
	for name, c := range map[string]struct{ asks, answer, want string }{
		"the newest, to initialize": {"", `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2026-07-28","capabilities":{}}}`, "the server answered initialize with MCP 2026-07-28, which has no initialize; --protocol 2026-07-28 speaks it"},
		"an unknown one":            {"", `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2031-01-01","capabilities":{}}}`, "the server answered initialize with MCP 2031-01-01, which this host does not speak; it speaks 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05"},
		"none":                      {"", `{"jsonrpc":"2.0","id":%s,"result":{}}`, "the server answered initialize without protocolVersion, so nothing can be agreed on"},
		"the newest is unknown":     {mcpl.ProtocolStateless, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, "the server does not speak MCP 2026-07-28 (no (-32601)); --protocol auto falls back to what it speaks"},
		"the newest is refused":     {mcpl.ProtocolStateless, only, "the server does not speak MCP 2026-07-28 but 2025-06-18; --protocol auto falls back to what it speaks"},
	} {
		t.Run(name, func(t *testing.T) {
			s, frames := open(t, inproc(func(p *peerEnd) {
				h, _ := p.next()
				p.say(c.answer, h.ID)
				p.next()
			}), speaking(c.asks))
			if err := s.WaitReady(t.Context()); err == nil || err.Error() != c.want {
				t.Errorf("WaitReady: %v\nwant      %s", err, c.want)
			}
			if end := ended(t, frames); end["by"] != "host" || end["reason"] != c.want {
				t.Errorf("it ended with %v", end)
			}
		})
	}
}

func TestAServerThatNamesOtherVersionsIsAskedForTheNewestOfThem(t *testing.T) {
	refusing := func(supported string) func(*peerEnd) {
		return func(p *peerEnd) {
			p.host("", func(h wire.Head) bool {
				if h.Method != mcpl.MethodInitialize || wire.StringOf(wire.Member(h.Params, "protocolVersion")) == "2025-03-26" {
					return false
				}
				p.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"Unsupported protocol version","data":{"supported":%s}}}`, h.ID, supported)
				return true
			})
		}
	}
	t.Run("older ones", func(t *testing.T) {
		_, frames := ready(t, inproc(refusing(`["2024-11-05","2025-03-26"]`)))
		if got := sent(frames.all()); got != "initialize initialize notifications/initialized tools/list" {
			t.Errorf("sent %s", got)
		}
	})
	t.Run("the newest alone", func(t *testing.T) {
		s, _ := open(t, inproc(refusing(`["2026-07-28"]`)))
		const want = "the server refused initialize: Unsupported protocol version (-32602); --protocol 2026-07-28 speaks what it supports"
		if err := s.WaitReady(t.Context()); err == nil || err.Error() != want {
			t.Errorf("WaitReady: %v", err)
		}
	})
}

func TestAnOlderVersionIsAskedForByName(t *testing.T) {
	_, frames := ready(t, inproc(func(p *peerEnd) { p.host("", nil) }), speaking("2025-03-26"))
	if body := bodyOf(t, frames, mcpl.MethodInitialize); !strings.Contains(body, `"protocolVersion":"2025-03-26"`) {
		t.Errorf("initialize: %s", body)
	}
}

func TestWhatTheNewestVersionHasNotIsRefusedWithWhatItHasInstead(t *testing.T) {
	s, frames := ready(t, child("newest"), speaking(mcpl.ProtocolStateless))
	for line, want := range map[string]string{
		"subscribe file:///a":   "MCP 2026-07-28 has no resources/subscribe: what a server tells of is asked for as a whole with subscriptions/listen",
		"unsubscribe file:///a": "MCP 2026-07-28 has no resources/unsubscribe:",
		"log debug":             "MCP 2026-07-28 has no logging/setLevel: each request says in its _meta (io.modelcontextprotocol/logLevel) how much is to be logged",
	} {
		if o := s.Run(t.Context(), line); o.OK || !strings.HasPrefix(o.Err.Message, want) {
			t.Errorf("%s: %s", line, o.JSON())
		}
	}
	if n := count(frames.all(), has(wire.Out, "resources/")) + count(frames.all(), has(wire.Out, mcpl.MethodSetLevel)); n != 0 {
		t.Errorf("%d were sent all the same", n)
	}
}

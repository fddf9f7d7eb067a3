package session

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// acceptKey answers the key of an opening handshake (RFC 6455, section 4.2.2).
func acceptKey(key string) string {
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func TestAWebSocketCarriesOneMessageAFrame(t *testing.T) {
	url := wsServer(t, nil, func(c *websocket.Conn, _ *http.Request) {
		wsPeerEnd(c).host(hintManifest, func(h wire.Head) bool {
			if h.Method != "tools/call" {
				return false
			}
			// Line breaks inside of a frame are part of the message.
			_ = c.Write(context.Background(), websocket.MessageText, fmt.Appendf(nil, "{\n  \"jsonrpc\": \"2.0\",\r\n\"id\": %s,\n\"result\": {\"content\": []}}\n", h.ID))
			return true
		})
	})
	s, frames := ready(t, over(url))
	o := s.Run(t.Context(), "call status")
	if !o.OK || string(o.Result) != `{"content": []}` {
		t.Fatalf("the call: %+v %s", o.Err, o.Result)
	}
	f := frames.wait(t, "the answer", func(f wire.Frame) bool { return f.Seq == o.Answer })
	if f.Form != wire.Text || !bytes.HasSuffix(f.Body, []byte("{\"content\": []}}\n")) {
		t.Errorf("the frame: %v %q", f.Form, f.Body)
	}
	s.Close(context.Background())
	if d := ended(t, frames); d["by"] != "host" {
		t.Errorf("closed: %v", d)
	}
	for _, f := range frames.all() {
		if f.IsMessage() && f.Via != "ws" {
			t.Errorf("frame %d came via %q", f.Seq, f.Via)
		}
	}
}

func TestABinaryFrameIsNoMessageAndIsTold(t *testing.T) {
	const body = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
	url := wsServer(t, nil, func(c *websocket.Conn, _ *http.Request) {
		atReady(wsPeerEnd(c), hintManifest, func() {
			_ = c.Write(context.Background(), websocket.MessageBinary, []byte(body))
		}, nil)
	})
	_, frames := ready(t, over(url))
	f := frames.wait(t, "the note", noteIs("binary"))
	var data struct {
		Bytes int    `json:"bytes"`
		B64   []byte `json:"b64"`
	}
	if err := json.Unmarshal(f.Data, &data); err != nil || data.Bytes != len(body) || string(data.B64) != body {
		t.Errorf("the note says %s", f.Data)
	}
	if n := count(frames.all(), has(wire.In, "list_changed")); n != 0 {
		t.Error("it was taken for a message")
	}
}

func TestATokenTravelsAsItIsAskedToAndIsNeverRecorded(t *testing.T) {
	const token = "s3cr3t-t0ken"
	for way, seen := range map[string]func(*websocket.Conn, *http.Request) string{
		"":               func(_ *websocket.Conn, r *http.Request) string { return r.URL.Query().Get("token") },
		TokenQuery:       func(_ *websocket.Conn, r *http.Request) string { return r.URL.Query().Get("token") },
		TokenSubprotocol: func(c *websocket.Conn, _ *http.Request) string { return c.Subprotocol() },
		TokenHeader: func(_ *websocket.Conn, r *http.Request) string {
			return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		},
		TokenMessage: func(c *websocket.Conn, _ *http.Request) string {
			_, msg, _ := c.Read(context.Background())
			return wire.StringOf(wire.Member(msg, "token"))
		},
	} {
		t.Run(way, func(t *testing.T) {
			got, world := make(chan string, 1), make(chan string, 1)
			url := wsServer(t, &websocket.AcceptOptions{Subprotocols: []string{token}}, func(c *websocket.Conn, r *http.Request) {
				got <- seen(c, r)
				world <- r.URL.Query().Get("world")
				good(wsPeerEnd(c))
			})
			s, frames := ready(t, over(url+"/x?world=abc"), func(c *Config) { c.Token, c.TokenAs = token, way })
			if g := <-got; g != token {
				t.Errorf("the server saw %q", g)
			}
			if w := <-world; w != "abc" {
				t.Errorf("the query was changed: world is %q", w)
			}
			s.Close(context.Background())
			for _, f := range frames.all() {
				if bytes.Contains(f.Body, []byte(token)) || bytes.Contains(f.Data, []byte(token)) {
					t.Errorf("frame %d holds the token: %s%s", f.Seq, f.Body, f.Data)
				}
			}
		})
	}
}

func TestHeadersAndSubprotocolsOfTheUserReachTheServer(t *testing.T) {
	got := make(chan string, 1)
	url := wsServer(t, &websocket.AcceptOptions{Subprotocols: []string{"mcp"}}, func(c *websocket.Conn, r *http.Request) {
		got <- r.Header.Get("X-Key") + " " + c.Subprotocol()
		good(wsPeerEnd(c))
	})
	_, frames := ready(t, over(url), func(c *Config) {
		c.Header = []Header{{"X-Key", "v"}, {"Sec-Websocket-Protocol", "other, mcp"}}
	})
	if g := <-got; g != "v mcp" {
		t.Errorf("the server saw %q", g)
	}
	if f := frames.wait(t, "connected", noteIs("connected")); string(f.Data) != `{"subprotocol":"mcp"}` {
		t.Errorf("connected: %s", f.Data)
	}
}

func TestACloseIsToldWithItsCodeAndReason(t *testing.T) {
	for name, c := range map[string]struct {
		code         websocket.StatusCode
		reason, want string
		says         string
	}{
		"a reason":     {1001, "deploy", "going away: deploy", "the server closed the connection with 1001, going away: deploy; `reconnect` connects again"},
		"no reason":    {1011, "", "an error of its own", "the server closed the connection with 1011, an error of its own; `reconnect` connects again"},
		"a code of it": {4321, "token expired", "a code of the server's own: token expired", "the server closed the connection with 4321, a code of the server's own: token expired; `reconnect` connects again"},
	} {
		t.Run(name, func(t *testing.T) {
			url := wsServer(t, nil, func(ws *websocket.Conn, _ *http.Request) {
				p := wsPeerEnd(ws)
				atReady(p, hintManifest, func() { _ = ws.Close(c.code, c.reason) }, nil)
			})
			s, frames := open(t, over(url))
			d := ended(t, frames)
			if d["by"] != "server" || d["code"] != float64(c.code) || d["reason"] != c.want || d["via"] != "ws" {
				t.Errorf("closed: %v", d)
			}
			if o := s.Run(t.Context(), "call x"); o.OK || o.Err.Message != c.says {
				t.Errorf("a call afterwards: %+v", o.Err)
			}
		})
	}
}

func TestAServerThatIsKilledMidCallFailsTheCall(t *testing.T) {
	url := wsServer(t, nil, func(c *websocket.Conn, _ *http.Request) {
		wsPeerEnd(c).host(hintManifest, func(h wire.Head) bool {
			if h.Method == "tools/call" {
				_ = c.CloseNow()
			}
			return h.Method == "tools/call"
		})
	})
	s, frames := ready(t, over(url))
	o := s.Run(t.Context(), "call status")
	if o.OK || !strings.Contains(o.Err.Message, "the connection broke off without a close") {
		t.Errorf("the call: %+v", o.Err)
	}
	if d := ended(t, frames); d["by"] != "link" || d["code"] != nil {
		t.Errorf("closed: %v", d)
	}
}

func TestAConnectionThatIsCutInsideOfAMessageKeepsWhatCame(t *testing.T) {
	for name, first := range map[string]byte{"inside of a frame": 0x81, "between two frames": 0x01} {
		t.Run(name, func(t *testing.T) {
			const part = `{"jsonrpc":"2.0","method":"cut`
			url := rawServer(t, func(p *rawPeer) {
				atReady(p.peer(), hintManifest, func() {
					size := len(part)
					if first == 0x81 {
						size = 400
					}
					p.frame(first, size, part)
					_ = p.c.Close()
				}, nil)
			})
			_, frames := open(t, over(url))
			d := ended(t, frames)
			if d["by"] != "link" || d["reason"] != "the connection broke off without a close in the middle of a message, of which 30 bytes came" {
				t.Errorf("closed: %v", d)
			}
			f := frames.wait(t, "the part", has(wire.In, `"method":"cut`))
			if f.Form != wire.Text || len(f.Body) != len(part) {
				t.Errorf("the part is %v %q", f.Form, f.Body)
			}
		})
	}
}

func TestASilentServerIsGivenUpAndOneThatAnswersPingsIsNot(t *testing.T) {
	quick := func(c *Config) { c.wsPing, c.wsSilence = 20*time.Millisecond, 250*time.Millisecond }
	t.Run("silent", func(t *testing.T) {
		url := rawServer(t, func(p *rawPeer) {
			for { // a half-open connection: all is read, nothing is ever answered
				if _, _, err := p.next(); err != nil {
					return
				}
			}
		})
		_, frames := open(t, over(url), quick)
		if d := ended(t, frames); d["by"] != "link" || !strings.Contains(d["reason"].(string), "nothing came from the server for 250ms") {
			t.Errorf("closed: %v", d)
		}
	})
	t.Run("answers", func(t *testing.T) {
		var pings atomic.Int64
		url := wsServer(t, &websocket.AcceptOptions{OnPingReceived: func(context.Context, []byte) bool {
			pings.Add(1)
			return true
		}}, func(c *websocket.Conn, _ *http.Request) { good(wsPeerEnd(c)) })
		s, frames := ready(t, over(url), quick)
		for deadline := time.Now().Add(patience); pings.Load() < 30; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d pings came", pings.Load())
			}
		}
		if o := s.Run(t.Context(), "call status"); !o.OK {
			t.Errorf("a call afterwards: %+v\n%s", o.Err, dump(frames.all()))
		}
	})
}

func TestAMessageWithoutEndIsRefusedWithItsSize(t *testing.T) {
	url := wsServer(t, nil, func(c *websocket.Conn, _ *http.Request) {
		atReady(wsPeerEnd(c), hintManifest, func() {
			w, err := c.Writer(context.Background(), websocket.MessageText)
			for part := bytes.Repeat([]byte("x"), 1<<20); err == nil; {
				_, err = w.Write(part)
			}
		}, nil)
	})
	_, frames := open(t, over(url), func(c *Config) { c.longest = 4 << 20 })
	d := ended(t, frames)
	if d["by"] != "server" || !strings.HasPrefix(d["reason"].(string), "the server sent a message of more than 4 MiB, without an end after 4") {
		t.Errorf("closed: %v", d)
	}
	f := frames.wait(t, "what is kept", has(wire.In, "xxxx"))
	if len(f.Body) != maxGarbage {
		t.Errorf("%d bytes are kept", len(f.Body))
	}
}

func TestAWebSocketThatBreaksItsProtocolIsToldSo(t *testing.T) {
	for name, first := range map[string]byte{
		"compressed though nobody asked": 0xC1, "an unknown opcode": 0x83, "a continuation of nothing": 0x80,
	} {
		t.Run(name, func(t *testing.T) {
			url := rawServer(t, func(p *rawPeer) {
				atReady(p.peer(), hintManifest, func() { p.frame(first, 2, "{}") }, nil)
			})
			_, frames := open(t, over(url))
			if d := ended(t, frames); d["by"] != "link" || !strings.HasPrefix(d["reason"].(string), "the server broke the WebSocket protocol: received ") {
				t.Errorf("closed: %v", d)
			}
		})
	}
}

func TestWhatTheServerSaysAfterTheHostClosedIsRecorded(t *testing.T) {
	url := rawServer(t, func(p *rawPeer) {
		for {
			op, msg, err := p.next()
			switch {
			case err != nil:
				return
			case op == opClose:
				p.text(`{"jsonrpc":"2.0","method":"late"}`)
				p.frame(0x88, 2, string(closePayload(websocket.StatusNormalClosure)))
				return
			case op == 1:
				var answer bytes.Buffer
				newPeer(nil, &answer).usual(hintManifest, wire.Peek(msg))
				if answer.Len() > 0 {
					p.text(strings.TrimSpace(answer.String()))
				}
			}
		}
	})
	s, frames := ready(t, over(url))
	s.Close(context.Background())
	frames.wait(t, "the last word", has(wire.In, `"late"`))
	if d := ended(t, frames); d["by"] != "host" {
		t.Errorf("closed: %v", d)
	}
}

func TestAServerThatDoesNotAnswerTheCloseDoesNotHoldUpTheEnd(t *testing.T) {
	url := rawServer(t, func(p *rawPeer) {
		for {
			if op, msg, err := p.next(); err != nil {
				return
			} else if op == 1 {
				newPeer(nil, rawText{p}).usual(hintManifest, wire.Peek(msg))
			}
		}
	})
	s, frames := ready(t, over(url), func(c *Config) { c.Grace = 50 * time.Millisecond })
	s.Close(context.Background())
	if d := ended(t, frames); d["by"] != "host" {
		t.Errorf("closed: %v", d)
	}
}

func TestAWebSocketServerThatDoesNotReadHoldsUpNobodyAndIsStillAnswered(t *testing.T) {
	const asks = 2000
	release := make(chan struct{})
	url := wsServer(t, nil, func(c *websocket.Conn, _ *http.Request) {
		pad := strings.Repeat("y", 10_000)
		for i := range asks {
			if i == asks*2/3 {
				// By now the host is stuck in the middle of an answer. A ping must
				// not keep it from reading on.
				go func() { _ = c.Ping(context.Background()) }()
			}
			id := fmt.Sprintf("%d %s", i, pad)
			if c.Write(context.Background(), websocket.MessageText, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%q,"method":"ping"}`, id)) != nil {
				return
			}
		}
		<-release
	})
	s, frames := open(t, over(url), func(c *Config) { c.Grace = 200 * time.Millisecond })
	answering(t, frames, fmt.Sprintf("%q", fmt.Sprintf("%d %s", asks-1, strings.Repeat("y", 10_000))))
	close(release)
	s.Close(context.Background())
}

func TestAThousandRequestsInFlightGetTheirOwnAnswers(t *testing.T) {
	const n = 1000
	url := wsServer(t, nil, func(c *websocket.Conn, _ *http.Request) {
		p := wsPeerEnd(c)
		var heads []wire.Head
		p.host(hintManifest, func(h wire.Head) bool {
			if h.Method != "tools/call" {
				return false
			}
			if heads = append(heads, h); len(heads) == n {
				for _, h := range slices.Backward(heads) { // the last one first
					p.result(h, `{"content":[],"echo":`+string(wire.Path(h.Params, "arguments", "n"))+`}`)
				}
			}
			return true
		})
	})
	s, frames := ready(t, over(url))
	for i := range n {
		if o := s.Run(t.Context(), fmt.Sprintf(`call status {"n":%d} &`, i)); !o.OK {
			t.Fatalf("call %d: %+v", i, o.Err)
		}
	}
	if o := s.Run(t.Context(), "wait calls"); !o.OK {
		t.Fatalf("wait: %+v", o.Err)
	}
	asked := map[string]string{}
	answered := 0
	for _, f := range frames.all() {
		switch h := wire.Peek(f.Body); {
		case f.Dir == wire.Out && h.Method == "tools/call":
			asked[h.ID.Key()] = string(wire.Path(h.Params, "arguments", "n"))
		case f.Dir == wire.In && wire.Member(h.Result, "echo") != nil:
			answered++
			if want := asked[h.ID.Key()]; want != string(wire.Member(h.Result, "echo")) {
				t.Fatalf("request %s got the answer %s", want, h.Raw)
			}
		}
	}
	if answered != n {
		t.Errorf("%d answers", answered)
	}
}

func TestIdsOfTheServerGoBackOverAWebSocketAsTheyCame(t *testing.T) {
	ids := []string{"9007199254740993", `"a\u0062"`, "1e2", "-0", "null"}
	url := wsServer(t, nil, func(c *websocket.Conn, _ *http.Request) {
		p := wsPeerEnd(c)
		atReady(p, hintManifest, func() {
			for _, id := range ids {
				p.say(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id)
			}
		}, nil)
	})
	_, frames := ready(t, over(url))
	for _, id := range ids {
		answering(t, frames, id)
	}
}

func TestReconnectOpensANewWebSocketInTheSameTap(t *testing.T) {
	url := wsServer(t, nil, func(c *websocket.Conn, _ *http.Request) { good(wsPeerEnd(c)) })
	s, frames := ready(t, over(url))
	if o := s.Run(t.Context(), "reconnect"); !o.OK {
		t.Fatalf("reconnect: %+v", o.Err)
	}
	if o := s.Run(t.Context(), "call status"); !o.OK {
		t.Fatalf("call: %+v", o.Err)
	}
	if n := count(frames.all(), func(f wire.Frame) bool { return f.Conn == 2 && f.Name == "connected" }); n != 1 {
		t.Errorf("%d second connections", n)
	}
}

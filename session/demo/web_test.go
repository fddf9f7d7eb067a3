package demo

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// quick is a server whose opponents think fast, for tests on real sockets.
var quick = Options{Seed: 1, Pace: 20 * time.Millisecond}

// patience is how long a test waits for what must happen. Only one that fails
// waits that long.
const patience = 30 * time.Second

// web serves the arcade on a real socket.
func web(t *testing.T, opts Options, links ...string) (url string, h *Handler) {
	t.Helper()
	h = NewHandler(opts, links...)
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		h.Close()
		s.Close()
	})
	return s.URL, h
}

func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	t.Cleanup(stop)
	return ctx
}

// ask makes a request of HTTP, with headers as "Name: value".
func ask(t *testing.T, method, url, body string, headers ...string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(soon(t), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			req.Host = value
			continue
		}
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func bodyOf(t *testing.T, resp *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const (
	asJSON     = "Content-Type: application/json"
	takesBoth  = "Accept: application/json, text/event-stream"
	takesSSE   = "Accept: text/event-stream"
	takesJSON  = "Accept: application/json"
	inThisPast = "Mcp-Protocol-Version: 2025-06-18"
)

func request(id, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params)
}

const (
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	allow       = `{"effectiveCapabilities":["tools","pushEvents"]}`
)

func hello(caps string) string {
	return request("0", "initialize", `{"protocolVersion":"2025-11-25","clientInfo":{"name":"t","version":"1"},"capabilities":`+caps+`}`)
}

// sent is a server-sent event.
type sent struct{ id, kind, data, retry string }

// eventReader reads the events of a response.
type eventReader struct{ r *bufio.Reader }

func reading(resp *http.Response) eventReader { return eventReader{bufio.NewReader(resp.Body)} }

func (s eventReader) next() (e sent, err error) {
	some := false
	for {
		line, err := s.r.ReadString('\n')
		if err != nil {
			return e, err
		}
		line = strings.TrimSuffix(line, "\n")
		if line == "" && some {
			return e, nil
		}
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch some = some || key != ""; key {
		case "id":
			e.id = value
		case "event":
			e.kind = value
		case "data":
			e.data += value
		case "retry":
			e.retry = value
		}
	}
}

// message returns the next event that carries a message.
func (s eventReader) message(t *testing.T) sent {
	t.Helper()
	for {
		e, err := s.next()
		if err != nil {
			t.Fatalf("the stream ended: %v", err)
		}
		if e.data != "" {
			return e
		}
	}
}

// until returns the events up to the first that has a part.
func (s eventReader) until(t *testing.T, part string) (all []sent) {
	t.Helper()
	for {
		all = append(all, s.message(t))
		if strings.Contains(all[len(all)-1].data, part) {
			return all
		}
	}
}

// httpHost is a client of Streamable HTTP.
type httpHost struct {
	t       *testing.T
	url     string
	headers []string
}

// join does the handshake, up to the lists.
func join(t *testing.T, url, caps string, headers ...string) *httpHost {
	t.Helper()
	h := &httpHost{t, url + PathHTTP, append([]string{asJSON, takesBoth}, headers...)}
	resp := h.post(hello(caps))
	id := resp.Header.Get("Mcp-Session-Id")
	if resp.StatusCode != http.StatusOK || id == "" {
		t.Fatalf("initialize: %s %s", resp.Status, bodyOf(t, resp))
	}
	h.headers = append(h.headers, "Mcp-Session-Id: "+id, "Mcp-Protocol-Version: 2025-11-25")
	if resp := h.post(initialized); resp.StatusCode != http.StatusAccepted {
		t.Fatalf("initialized: %s", resp.Status)
	}
	if caps == hintsHost {
		h.result("featureSets/update", allow)
		h.result("toolsets/list", `{}`)
	}
	return h
}

func (h *httpHost) post(body string, headers ...string) *http.Response {
	h.t.Helper()
	return ask(h.t, http.MethodPost, h.url, body, append(h.headers, headers...)...)
}

// result posts a request that is answered by JSON.
func (h *httpHost) result(method, params string) []byte {
	h.t.Helper()
	body := bodyOf(h.t, h.post(request("1", method, params)))
	m := wire.Peek([]byte(body))
	if m.Kind != wire.Result {
		h.t.Fatalf("%s %s: %s", method, params, body)
	}
	return m.Result
}

// listen opens the stream of what the server says by itself, or resumes one.
func (h *httpHost) listen(headers ...string) (eventReader, func()) {
	h.t.Helper()
	resp := ask(h.t, http.MethodGet, h.url, "", append(h.headers, append([]string{takesSSE}, headers...)...)...)
	if resp.StatusCode != http.StatusOK {
		h.t.Fatalf("GET: %s %s", resp.Status, bodyOf(h.t, resp))
	}
	return reading(resp), func() { _ = resp.Body.Close() }
}

// wsHost is a client of the WebSocket.
type wsHost struct {
	t *testing.T
	c *websocket.Conn
}

func dialWS(t *testing.T, url string, opts *websocket.DialOptions) *wsHost {
	t.Helper()
	c, _, err := websocket.Dial(soon(t), url, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.CloseNow() })
	c.SetReadLimit(-1)
	return &wsHost{t, c}
}

func (w *wsHost) say(msg string) {
	w.t.Helper()
	if err := w.c.Write(soon(w.t), websocket.MessageText, []byte(msg)); err != nil {
		w.t.Fatal(err)
	}
}

// until reads messages up to the first that has a part.
func (w *wsHost) until(part string) string {
	w.t.Helper()
	for {
		_, msg, err := w.c.Read(soon(w.t))
		if err != nil {
			w.t.Fatalf("no %s: %v", part, err)
		}
		if strings.Contains(string(msg), part) {
			return string(msg)
		}
	}
}

// greet does the handshake up to the lists.
func (w *wsHost) greet() *wsHost {
	w.t.Helper()
	w.say(hello(hintsHost))
	w.say(initialized)
	w.say(request("1", "featureSets/update", allow))
	w.say(request("2", "toolsets/list", `{}`))
	w.until(`"id":2,`)
	return w
}

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// fieldServer is a small server of a kind that is met in the field: over
// stdio and over Streamable HTTP, written by hand.
type fieldServer struct {
	name  string
	pages []string // of tools/list: arrays
	call  func(*fieldCall)

	mu     sync.Mutex
	asked  int
	open   map[string]chan wire.Head // its own requests
	visits bool                      // the host can ask a person to visit a page
}

// fieldCall is a call of a tool.
type fieldCall struct {
	s      *fieldServer
	id     string
	tool   string
	args   []byte
	params []byte
	say    func(string)
	gone   <-chan struct{} // the host closed the stream, nil: it has none
}

// fieldServers are the kinds, by name.
var fieldServers = map[string]func() *fieldServer{"catalogue": catalogue, "standins": standIns, "permits": permits}

// runFieldServer is the server that `field-server KIND` starts.
func runFieldServer() {
	if os.Args[1] == "newest" {
		_ = server.NewStdioServer(newestServer()).Listen(context.Background(), os.Stdin, os.Stdout)
		return
	}
	s := fieldServers[os.Args[1]]()
	var mu sync.Mutex
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		h := wire.Peek(append([]byte(nil), in.Bytes()...))
		s.take(h, func(msg string) {
			mu.Lock()
			defer mu.Unlock()
			fmt.Println(msg)
		}, nil)
	}
}

// take answers a message; a call is answered beside what follows.
func (s *fieldServer) take(h wire.Head, say func(string), gone <-chan struct{}) {
	switch {
	case h.Kind == wire.Result || h.Kind == wire.Error:
		s.mu.Lock()
		c := s.open[h.ID.Key()]
		s.mu.Unlock()
		if c != nil {
			c <- h
		}
	case h.Kind == wire.Request && h.Method == "tools/call":
		go s.serve(h, say, gone)
	case h.Kind == wire.Request:
		s.serve(h, say, gone)
	}
}

func (s *fieldServer) serve(h wire.Head, say func(string), gone <-chan struct{}) {
	id := string(h.ID)
	result := func(format string, args ...any) {
		say(`{"jsonrpc":"2.0","id":` + id + `,"result":` + fmt.Sprintf(format, args...) + `}`)
	}
	switch h.Method {
	case "initialize":
		s.mu.Lock()
		s.visits = wire.Path(h.Params, "capabilities", "elicitation", "url") != nil
		s.mu.Unlock()
		result(`{"protocolVersion":"2025-11-25","serverInfo":{"name":%q,"version":"1"},"capabilities":{"tools":{}}}`, s.name)
	case "tools/list":
		at := 0
		_, _ = fmt.Sscan(wire.StringOf(wire.Member(h.Params, "cursor")), &at)
		next := ""
		if at+1 < len(s.pages) {
			next = fmt.Sprintf(`,"nextCursor":"%d"`, at+1)
		}
		result(`{"tools":%s%s}`, s.pages[at], next)
	case "tools/call":
		s.call(&fieldCall{s: s, id: id, tool: wire.StringOf(wire.Member(h.Params, "name")), args: wire.Member(h.Params, "arguments"), params: h.Params, say: say, gone: gone})
	case "ping":
		result(`{}`)
	default:
		say(`{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32601,"message":"no such method"}}`)
	}
}

func (c *fieldCall) result(format string, args ...any) {
	c.say(`{"jsonrpc":"2.0","id":` + c.id + `,"result":` + fmt.Sprintf(format, args...) + `}`)
}

func (c *fieldCall) text(format string, args ...any) {
	raw, err := json.Marshal(fmt.Sprintf(format, args...))
	if err != nil {
		panic(err)
	}
	c.result(`{"content":[{"type":"text","text":%s}]}`, raw)
}

// ask asks the host and waits for its answer.
func (c *fieldCall) ask(method, params string) wire.Head {
	s := c.s
	s.mu.Lock()
	s.asked++
	id := fmt.Sprintf(`"q%d"`, s.asked)
	if s.open == nil {
		s.open = map[string]chan wire.Head{}
	}
	answer := make(chan wire.Head, 1)
	s.open[id] = answer
	s.mu.Unlock()
	c.say(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`)
	select {
	case h := <-answer:
		return h
	case <-c.gone:
		return wire.Head{}
	}
}

// alive is how often a stream gives a sign of life.
const alive = 30 * time.Second

// ServeHTTP is the server over Streamable HTTP. A call is answered by a
// stream; a listening stream begins with a sign of life, and goes on with one
// every 30 s.
func (s *fieldServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		s.live(w, r)
		return
	case http.MethodDelete:
		w.WriteHeader(http.StatusNoContent)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil || !wire.Valid(body) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	h := wire.Peek(body)
	if h.Kind != wire.Request {
		s.take(h, func(string) {}, nil)
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if h.Method == "initialize" {
		w.Header().Set("Mcp-Session-Id", "field-0123456789abcdef")
	}
	if h.Method != "tools/call" {
		w.Header().Set("Content-Type", "application/json")
		s.serve(h, func(msg string) { _, _ = io.WriteString(w, msg) }, nil)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	var mu sync.Mutex
	s.serve(h, func(msg string) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = fmt.Fprintf(w, "data: %s\n\n", msg)
		w.(http.Flusher).Flush()
	}, r.Context().Done())
}

func (s *fieldServer) live(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	beat := time.NewTicker(alive)
	defer beat.Stop()
	for {
		_, _ = io.WriteString(w, ": alive\n\n")
		w.(http.Flusher).Flush()
		select {
		case <-beat.C:
		case <-r.Context().Done():
			return
		}
	}
}

// effects are what a function of the catalogue declares that it does, and the
// annotations that follow.
var effects = []struct{ name, annotations string }{
	{"reads", `{"readOnlyHint":true,"openWorldHint":false}`},
	{"writes", `{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true}`},
	{"deletes", `{"readOnlyHint":false,"destructiveHint":true}`},
	{"reaches-out", `{"readOnlyHint":true,"openWorldHint":true}`},
	{"unknown", `{}`},
}

// catalogue has 166 tools on four pages, whose annotations follow from an
// effect in a vendor's _meta. What deletes is refused, with a code there.
func catalogue() *fieldServer {
	const all, page = 166, 50
	s := &fieldServer{name: "catalogue"}
	for from := 0; from < all; from += page {
		var tools []string
		for i := from; i < min(from+page, all); i++ {
			e := effects[i%len(effects)]
			tools = append(tools, fmt.Sprintf(`{"name":"fn_%03d_%s","description":"Function %d of the catalogue.","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}},`+
				`"annotations":%s,"_meta":{"com.example/effect":{"declared":%q,"since":"1.%d"}}}`, i, strings.ReplaceAll(e.name, "-", "_"), i, e.annotations, e.name, i))
		}
		s.pages = append(s.pages, "["+strings.Join(tools, ",")+"]")
	}
	s.call = func(c *fieldCall) {
		if strings.HasSuffix(c.tool, "_deletes") {
			c.result(`{"isError":true,"content":[{"type":"text","text":"Deleting is switched off for this key."}],"_meta":{"com.example/refusal":{"code":"EFFECT_DENIED","effect":"deletes"}}}`)
			return
		}
		c.text("%s was called", c.tool)
	}
	return s
}

// standIns lists two tools in place of many: one finds a function, one calls
// it. A dangerous one needs a page visited first: it is asked for where the
// host says that it can, else the page comes as a link.
func standIns() *fieldServer {
	s := &fieldServer{name: "standins", pages: []string{`[` +
		`{"name":"find_function","description":"Find a function.","inputSchema":{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]},"annotations":{"readOnlyHint":true}},` +
		`{"name":"call_function","description":"Call a function that was found.","inputSchema":{"type":"object","properties":{"name":{"type":"string"},"arguments":{"type":"object"}},"required":["name"]}}]`}}
	s.call = func(c *fieldCall) {
		name := wire.StringOf(wire.Member(c.args, "name"))
		switch {
		case c.tool == "find_function":
			c.result(`{"content":[{"type":"text","text":"account.close"}],"structuredContent":{"functions":[{"name":"account.close","effect":"dangerous"}]}}`)
		case name != "account.close":
			c.result(`{"isError":true,"content":[{"type":"text","text":"There is no such function; find_function finds them."}],"_meta":{"example.org/error":"NO_SUCH_FUNCTION"}}`)
		case !c.visit():
			c.result(`{"content":[{"type":"text","text":"Confirm this first."},{"type":"resource_link","uri":"https://example.com/confirm/42","name":"confirm"}]}`)
		default:
			answer := c.ask("elicitation/create", `{"mode":"url","elicitationId":"e42","url":"https://example.com/confirm/42","message":"Confirm that the account is closed."}`)
			if wire.StringOf(wire.Member(answer.Result, "action")) != "accept" {
				c.text("The account stays.")
				return
			}
			c.say(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e42"}}`)
			c.text("The account is closed.")
		}
	}
	return s
}

func (c *fieldCall) visit() bool {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.s.visits
}

// permits answers when it likes: it wants a permission by an exception, tells
// of progress once and never again, and says nothing to a cancelled call.
func permits() *fieldServer {
	s := &fieldServer{name: "permits", pages: []string{`[` +
		`{"name":"order","inputSchema":{"type":"object"}},{"name":"slow","inputSchema":{"type":"object"}},{"name":"quick","inputSchema":{"type":"object"}}]`}}
	var mu sync.Mutex
	ordered := 0
	released := make(chan struct{}, 100)
	s.call = func(c *fieldCall) {
		switch c.tool {
		case "order":
			mu.Lock()
			ordered++
			n := ordered
			mu.Unlock()
			if n%2 == 1 {
				c.say(`{"jsonrpc":"2.0","id":` + c.id + `,"error":{"code":-32042,"message":"A permission is missing.","data":{"elicitations":[` +
					`{"mode":"url","elicitationId":"p1","url":"https://example.com/permit","message":"Permit orders."}]}}}`)
				return
			}
			c.text("ordered")
		case "slow":
			if token := wire.Path(c.params, "_meta", "progressToken"); token != nil {
				c.say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + string(token) + `,"progress":1,"total":100}}`)
			}
			select { // until another call is made; who cancelled hears nothing
			case <-released:
			case <-c.gone:
			}
			if strings.Contains(string(c.args), "answer") {
				c.text("at last")
			}
		default:
			released <- struct{}{}
			c.text("quick")
		}
	}
	return s
}

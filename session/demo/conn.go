package demo

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Conn is one connection of a principal: it takes one message at a time and
// emits messages, whatever transport carries them.
type Conn struct {
	p    *Principal
	emit func([]byte)

	closed  bool
	greeted bool // initialize was answered
	ready   bool // notifications/initialized came
	mcpl    bool // the host speaks MCPL
	hints   bool // and toolHints (toolhints.md §2)
	policy  *policy

	rev    int   // the last rev taken
	told   *view // what the host was told; nil before the first hints
	chosen string
	jobs   map[string]*job // calls that run, by the key of their id
	sent   int             // requests sent
}

// policy is what the host's last featureSets/update grants.
type policy struct {
	granted  []string
	enabled  []string // nil: all that the grant allows
	disabled []string
}

// NewConn adds a connection to a principal. emit is called with one message
// at a time, in order, in memory that is the receiver's. It must not block
// and must not call back: the principal is locked meanwhile.
func NewConn(p *Principal, emit func(msg []byte)) *Conn {
	c := &Conn{p: p, emit: emit, jobs: map[string]*job{}}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns = append(p.conns, c)
	return c
}

// Close ends the connection: calls that still run are answered, then nothing
// more is emitted. The principal keeps what is open.
func (c *Conn) Close() {
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	if c.closed {
		return
	}
	c.abandon()
	c.closed = true
	c.p.conns = slices.DeleteFunc(c.p.conns, func(o *Conn) bool { return o == c })
}

// isGreeted reports whether initialize was answered.
func (c *Conn) isGreeted() bool {
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	return c.greeted
}

// Handle takes one message from the host, and emits what it causes. Whatever
// the bytes are, a message that could be a request is answered.
func (c *Conn) Handle(msg []byte) {
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	msg = bytes.Trim(msg, " \t\r\n")
	switch {
	case c.closed || len(msg) == 0:
	case !utf8.Valid(msg) || !wire.Valid(msg):
		c.fail("", errorf(mcpl.CodeParse, "this is no JSON: a message is one line of it"))
	case msg[0] == '[':
		c.batch(msg)
	default:
		c.one(wire.Peek(msg))
	}
}

// tooLong answers a message that was too long to be read.
func (c *Conn) tooLong(limit int) {
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	if !c.closed {
		c.fail("", errorf(mcpl.CodeInvalidRequest, "a message of more than %d MiB is not read", limit>>20))
	}
}

// batch takes the messages of a batch one after the other, each answered by a
// message of its own. MCP has dropped batches; nothing a host sends goes
// without an answer all the same.
func (c *Conn) batch(msg []byte) {
	some := false
	wire.EachElement(msg, func(raw []byte) bool {
		some = true
		c.one(wire.Peek(raw))
		return true
	})
	if !some {
		c.fail("", errorf(mcpl.CodeInvalidRequest, "an empty batch says nothing"))
	}
}

func (c *Conn) one(h wire.Head) {
	answer := h.Kind == wire.Result || h.Kind == wire.Error
	switch {
	case answer:
		// An answer to a push. Refused or not, nothing is restated
		// (toolhints.md §7); one to no request is as good as none.
	case h.Kind == wire.Invalid:
		c.fail("", errorf(mcpl.CodeInvalidRequest, "this is no JSON-RPC message: it has no method"))
	case h.Kind == wire.Request && !validID(h.ID):
		c.fail("", errorf(mcpl.CodeInvalidRequest, "the id of a request is a string or a number"))
	case string(h.Version) != `"2.0"`:
		c.fail(h.ID, errorf(mcpl.CodeInvalidRequest, `jsonrpc is not "2.0"`))
	case h.Kind == wire.Request:
		c.request(h)
	default:
		c.notification(h)
	}
}

func validID(id wire.ID) bool {
	return id != "" && strings.IndexByte(`"-0123456789`, id[0]) >= 0
}

func (c *Conn) notification(h wire.Head) {
	switch h.Method {
	case mcpl.MethodInitialized:
		c.ready = c.greeted
	case mcpl.MethodCancelled:
		if id := wire.Member(h.Params, "requestId"); id != nil {
			c.cancel(wire.ID(id))
		}
	}
}

// answer is what a request comes to: a result, and what it did.
type answer struct {
	result  any
	text    string          // of a tool: what it says
	data    json.RawMessage // of a tool: structuredContent
	did     event           // what it is for the other connections
	adopted bool
	later   bool // a job answers it
}

type handler func(*Conn, wire.Head) (answer, *rpcError)

var handlers = map[string]handler{
	mcpl.MethodToolsList:     func(c *Conn, _ wire.Head) (answer, *rpcError) { return answer{result: c.listTools()}, nil },
	mcpl.MethodToolsetsOpen:  (*Conn).openToolset,
	mcpl.MethodToolsetsClose: (*Conn).closeToolset,
	mcpl.MethodToolsetsList:  (*Conn).listToolsets,
	mcpl.MethodFeatureSets:   (*Conn).updatePolicy,
	mcpl.MethodManifest: func(*Conn, wire.Head) (answer, *rpcError) {
		return answer{result: manifest()}, nil
	},
}

// request answers a request, and tells the principal's other connections
// what it did.
func (c *Conn) request(h wire.Head) {
	method := h.Method
	handle, known := handlers[method]
	switch {
	case method == mcpl.MethodInitialize:
		c.initialize(h)
		return
	case method == mcpl.MethodPing || mcpMethods[method] && c.greeted:
		c.viaMCP(h)
		return
	case method == mcpl.MethodToolsCall && c.greeted:
		c.callTool(h)
		return
	case !known && method != mcpl.MethodToolsCall && !mcpMethods[method]:
		c.fail(h.ID, errorf(mcpl.CodeMethodUnknown, "the method %s is not known here", quote(method)))
		return
	case !c.greeted:
		c.fail(h.ID, errorf(mcpl.CodeInvalidRequest, "%s before initialize: send initialize first", method))
		return
	}
	a, err := handle(c, h)
	if err != nil {
		c.fail(h.ID, err)
		return
	}
	c.send(message{ID: json.RawMessage(h.ID), Result: a.result})
	c.p.tell(c, a.did)
}

func (c *Conn) send(m message) {
	if c.closed {
		return
	}
	m.Version = "2.0"
	c.emit(encode(m))
}

// fail answers with an error; without an id it stands for no request.
func (c *Conn) fail(id wire.ID, err *rpcError) {
	if id == "" {
		id = "null"
	}
	c.send(message{ID: json.RawMessage(id), Error: err})
}

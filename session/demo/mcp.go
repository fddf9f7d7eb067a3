package demo

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

const instructions = "A small arcade. Open the toolset game to play Go; your opponent answers by itself. " +
	"Open chat to talk. The radio is on. Tools come and go with what happens."

const rules = "Go on a small board. Players place stones in turn; stones without a free point beside them are taken. " +
	"A stone that would have none and take nothing is not allowed, nor one that repeats an earlier position. " +
	"Two passes end the game; each player counts his stones and the points that only he surrounds. " +
	"White gets komi. All stones on the board count as alive: take what is dead before you pass."

// mcpMethods are the methods of MCP's own that mcp-go answers. Tools are not
// among them, for what mcp-go would make of them; nor is anything of the
// server's that has no counterpart in it.
var mcpMethods = map[string]bool{
	"prompts/list": true, "prompts/get": true,
	"resources/list": true, "resources/read": true, "resources/templates/list": true,
}

const rulesURI = "arcade://rules"

// base is the server of MCP's own methods. It holds no state, so all share it.
var base = sync.OnceValue(func() *server.MCPServer {
	s := server.NewMCPServer(Name, Version,
		server.WithTitle("Arcade"),
		server.WithInstructions(instructions),
		server.WithToolCapabilities(false),
		server.WithExperimental(map[string]any{"mcpl": manifest()}),
	)
	s.AddResource(
		mcp.NewResource(rulesURI, "Rules of Go", mcp.WithMIMEType("text/plain")),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{
				mcp.TextResourceContents{URI: rulesURI, MIMEType: "text/plain", Text: rules},
			}, nil
		})
	s.AddPrompt(
		mcp.NewPrompt("coach", mcp.WithPromptDescription("Play a game of Go and learn from it")),
		func(context.Context, mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return mcp.NewGetPromptResult("A first game", []mcp.PromptMessage{
				mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(
					"Open a game against ada on a 7x7 board, play it to the end, and tell me after each move what you are up to.")),
			}), nil
		})
	return s
})

// viaMCP lets mcp-go answer a request. It sees an id of our own: it reads ids
// as float64, and would answer another number than was asked.
func (c *Conn) viaMCP(h wire.Head) {
	result, err := askMCP(h)
	if err != nil {
		c.fail(h.ID, err)
		return
	}
	c.send(message{ID: json.RawMessage(h.ID), Result: result})
}

func askMCP(h wire.Head) (any, *rpcError) {
	ask := struct {
		Version string          `json:"jsonrpc"`
		ID      int             `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params,omitempty"`
	}{"2.0", 1, h.Method, h.Params}
	if h.Method == mcpl.MethodPing {
		ask.Params = nil // nothing in them matters
	}
	switch r := base().HandleMessage(context.Background(), encode(ask)).(type) {
	case mcp.JSONRPCResponse:
		return r.Result, nil
	case mcp.JSONRPCError:
		return nil, inWords(h.Method, r.Error.Code, r.Error.Message)
	}
	return nil, errorf(mcpl.CodeInternal, "%s found no answer", h.Method)
}

// inWords turns an error of mcp-go, which speaks of Go types and repeats what
// it was sent, into one for people.
func inWords(method string, code int, msg string) *rpcError {
	switch {
	case strings.HasPrefix(msg, "unparsable"):
		return errorf(mcpl.CodeInvalidParams, "the params of %s are not of the type that MCP gives them", method)
	case method == "resources/read":
		return errorf(code, "there is no such resource; %s is the one there is", rulesURI)
	case method == "prompts/get":
		return errorf(code, "there is no such prompt; coach is the one there is")
	}
	return errorf(code, "%s was refused", method)
}

// initialize greets the host, and notes what it speaks.
func (c *Conn) initialize(h wire.Head) {
	if c.greeted {
		c.fail(h.ID, errorf(mcpl.CodeInvalidRequest, "initialize was answered already on this connection"))
		return
	}
	result, err := askMCP(h)
	if err != nil {
		c.fail(h.ID, err)
		return
	}
	theirs := wire.Path(h.Params, "capabilities", "experimental", "mcpl")
	all := string(theirs) == "true" // short for every leaf beneath it
	c.mcpl = all || len(theirs) > 0 && theirs[0] == '{'
	c.hints = all || string(wire.Member(theirs, "toolHints")) == "true"
	c.greeted = true
	c.send(message{ID: json.RawMessage(h.ID), Result: result})
}

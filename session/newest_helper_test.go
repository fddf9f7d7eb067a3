package session

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// newestServer speaks MCP 2026-07-28, and the versions before it, as a library
// does that others use.
func newestServer() *server.MCPServer {
	s := server.NewMCPServer("newest", "1.0", server.WithToolCapabilities(true), server.WithElicitation(), server.WithInstructions("Ask before you deploy."))
	text := func(format string, args ...any) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(fmt.Sprintf(format, args...)), nil
	}
	s.AddTool(mcp.NewTool("echo", mcp.WithString("text")), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return text("%s", r.GetString("text", ""))
	})
	s.AddTool(mcp.NewTool("grow"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.AddTool(mcp.NewTool("grown"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return text("grown") })
		return text("more tools")
	})
	s.AddTool(mcp.NewTool("slow"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	s.AddTool(mcp.NewToolWithRawSchema("region", "", []byte(`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}`)),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return text("in %s by %s", r.GetString("region", ""), r.Header.Get("Mcp-Param-Region"))
		})
	s.AddTool(mcp.NewTool("deploy"), deploy)
	s.AddTool(mcp.NewTool("busy"), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if r.Params.RequestState == "later" {
			return text("now it is done")
		}
		return server.NewInputRequestBuilder("later").ToolResult(), nil
	})
	s.AddTool(mcp.NewTool("never"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return server.NewInputRequestBuilder("again and again").Roots("roots").ToolResult(), nil
	})
	return s
}

// deploy asks for a person's word, then for a model's and for the roots, each
// time with a state that has to come back as it is.
func deploy(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	const first, second = "a <state> & é", "b <state>"
	switch in := r.Params; in.RequestState {
	case "":
		return server.NewInputRequestBuilder(first).Elicit("confirm", mcp.ElicitationParams{
			Message: "Deploy to production?",
			RequestedSchema: map[string]any{
				"type": "object", "properties": map[string]any{"approve": map[string]any{"type": "boolean", "default": true}},
			},
		}).ToolResult(), nil
	case first:
		a := server.ElicitationResponse(in.InputResponses, "confirm")
		if a == nil || a.Action != mcp.ElicitationResponseActionAccept {
			return mcp.NewToolResultText("not deployed"), nil
		}
		return server.NewInputRequestBuilder(second).
			Sample("name", mcp.CreateMessageParams{MaxTokens: 10, Messages: []mcp.SamplingMessage{
				{Role: mcp.RoleUser, Content: mcp.NewTextContent("A name for the release?")},
			}}).Roots("where").ToolResult(), nil
	case second:
		return mcp.NewToolResultText("deployed"), nil
	default:
		return mcp.NewToolResultError("the state came back as " + in.RequestState), nil
	}
}

package main

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// newestServer speaks MCP 2026-07-28 and the versions before it. Its deploy
// asks a person by its result, and keeps what it has to know in a state.
func newestServer() *server.MCPServer {
	s := server.NewMCPServer("newest", "1.0", server.WithToolCapabilities(true), server.WithElicitation())
	s.AddTool(mcp.NewTool("deploy", mcp.WithString("to"), mcp.WithOutputSchema[struct {
		Where string `json:"where"`
	}]()), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if answer := server.ElicitationResponse(r.Params.InputResponses, "sure"); answer != nil {
			if answer.Action != mcp.ElicitationResponseActionAccept {
				return mcp.NewToolResultError("not deployed"), nil
			}
			return mcp.NewToolResultStructured(map[string]any{"where": r.Params.RequestState}, "deployed"), nil
		}
		return server.NewInputRequestBuilder("to "+r.GetString("to", "nowhere")).Elicit("sure", mcp.ElicitationParams{
			Message: "Deploy to " + r.GetString("to", "nowhere") + "?",
			RequestedSchema: map[string]any{
				"type": "object", "properties": map[string]any{"note": map[string]any{"type": "string", "default": "none"}},
			},
		}).ToolResult(), nil
	})
	return s
}

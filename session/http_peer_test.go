package session

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// libraryServer is a server of mcp-go with a tool that says something of
// itself before it answers.
func libraryServer() *server.MCPServer {
	s := server.NewMCPServer("library", "1", server.WithToolCapabilities(true))
	s.AddTool(mcp.NewTool("greet"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if err := server.ServerFromContext(ctx).SendNotificationToClient(ctx, "notifications/progress", map[string]any{"progress": 1}); err != nil {
			return nil, err
		}
		return mcp.NewToolResultText("hello"), nil
	})
	return s
}

// tryLibrary goes through a session with a server of mcp-go.
func tryLibrary(t *testing.T, kind, url string) *sink {
	t.Helper()
	s, frames := ready(t, at(kind, url))
	for _, line := range []string{"call greet", "call greet", "tools", "raw ping"} {
		if o := s.Run(t.Context(), line); !o.OK {
			t.Errorf("%s: %s", line, o.JSON())
		}
	}
	frames.wait(t, "what the tool says of itself", has(wire.In, "notifications/progress"))
	return frames
}

func TestAStreamableServerOfMCPGoIsSpokenTo(t *testing.T) {
	srv := httptest.NewServer(server.NewStreamableHTTPServer(libraryServer()))
	t.Cleanup(srv.Close)
	t.Cleanup(srv.CloseClientConnections)
	frames := tryLibrary(t, KindHTTP, srv.URL+"/mcp")
	frames.wait(t, "the listening stream", noteHas("stream", `"state":"open"`))
}

package session

import "context"

// View is what the command language must know of the state that the frames
// add up to. The timeline knows it; cmd joins the two. All of it is of one
// connection: the newest, or that of On. Methods are called from several
// goroutines.
type View interface {
	// On returns the view of a connection, by its number.
	On(conn int) View
	// Toolset returns what is known of a toolset, declared or an undeclared
	// group; false where nothing names it.
	Toolset(name string) (ToolsetInfo, bool)
	// Toolsets returns the names of all, declared ones first.
	Toolsets() []string
	// Tool returns what is known of a listed tool.
	Tool(name string) (ToolInfo, bool)
	// Tools returns the names of the listed tools.
	Tools() []string
	// Applied reports whether the rev was applied.
	Applied(rev int64) bool
	// Changed returns a channel that is closed at the next change of the
	// state after the call.
	Changed() <-chan struct{}
	// Sync returns when the frame with number seq has been reduced, or with
	// ctx's error.
	Sync(ctx context.Context, seq int64) error
}

// ToolsetInfo is what a command must know of a toolset.
type ToolsetInfo struct {
	Declared     bool // by the manifest; else an undeclared group
	HasInstances bool
	Instances    []string // the open ones, in the order of opening
}

// ToolInfo is what a command must know of a tool.
type ToolInfo struct {
	Toolset string // "" where it belongs to none
}

// blind is the view of a session that was given none.
type blind struct{}

func (b blind) On(int) View                      { return b }
func (blind) Toolset(string) (ToolsetInfo, bool) { return ToolsetInfo{}, false }
func (blind) Toolsets() []string                 { return nil }
func (blind) Tool(string) (ToolInfo, bool)       { return ToolInfo{}, false }
func (blind) Tools() []string                    { return nil }
func (blind) Applied(int64) bool                 { return false }
func (blind) Changed() <-chan struct{}           { return nil }
func (blind) Sync(context.Context, int64) error  { return nil }

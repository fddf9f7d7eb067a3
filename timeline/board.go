// Package timeline turns frames into what the screen shows: State reduces
// them one by one, Log keeps the index of a session with its rows and gives
// the Board at any frame. A Witness looks on while a Log reduces; who asks it
// much at once lets it stand still meanwhile (Log.Look), which is the one place
// where it waits.
//
// It is a pure function of the frames, in order: no clock (time comes from
// the frames), no I/O of its own, no goroutine, no order of maps. The same
// frames give the same boards and rows live, on replay and headless.
// What the frames add up to is settled in toolhints.md and, rule by rule, in
// the comments here.
package timeline

import (
	"fmt"
	"slices"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Frame and its parts are those of package wire, named here for the packages
// that look at a session only through its timeline.
type (
	Frame = wire.Frame
	Dir   = wire.Dir
	Kind  = wire.Kind
	Head  = wire.Head
	ID    = wire.ID
)

// The directions of a frame and the kinds of a message, as in package wire.
const (
	Out  = wire.Out
	In   = wire.In
	Err  = wire.Err
	Note = wire.Note

	Invalid      = wire.Invalid
	Request      = wire.Request
	Notification = wire.Notification
	Result       = wire.Result
	Error        = wire.Error
)

// Frames is where a log reads its frames from: a recording, live or opened.
// Frames are counted from 0 and never change once they can be read.
type Frames interface {
	// Len returns how many frames can be read now.
	Len() int
	// Frame returns the frame at position i, 0 ≤ i < Len().
	Frame(i int) (wire.Frame, error)
}

// Board is the state right after one frame: everything that the board shows.
// It is a copy; nothing changes it later.
type Board struct {
	Index int           // position of the frame in the log, -1 before the first
	Seq   int64         // its number, 0 before the first
	T     time.Duration // its time
	Conn  int           // its connection, 0 before the first

	Link        Link
	Server      mcpl.Implementation
	Protocol    string // MCP's protocol version, as the server answered it
	MCPL        string // MCPL's version, "" for a plain MCP server
	HostHints   bool   // the host advertised toolHints
	ServerHints bool   // the server's manifest says toolHints
	ToolHints   bool   // both, and the host uses them: hints count (state.md, "Who is listened to")
	Mode        Mode   // in what the host behaves otherwise than it should
	Manifest    []byte // the server's manifest as it was sent, nil for a plain server
	ManifestAt  int    // index of the frame that brought it
	ListAt      int    // index of the frame that completed the last tools/list, -1: never

	Static      []Tool // in list order
	Loose       []Tool // dynamic tools of no toolset, in list order
	Toolsets    []Toolset
	Ended       []Ended      // the records of toolsets/list, in the order of arrival
	Gone        []Ended      // what the server closed by itself, without a record (ID ""), oldest first
	Suggestions []Suggestion // in the order of arrival
	LastRev     int64
	Held        []int64 // revs that wait for earlier ones, ascending

	Calls []Call // requests of the host without answer, oldest first; see Waiting
	Asks  []Call // requests of the server without answer, oldest first
	// Listening are the open subscriptions/listen of the host: they have no
	// answer before the connection ends, so they are not among the Calls.
	Listening []Call
}

// Waiting returns the requests of the host that somebody still waits for:
// neither answered, nor cancelled, nor timed out, nor failed on its way.
func (b *Board) Waiting() []Call {
	var out []Call
	for _, c := range b.Calls {
		if !c.Cancelled && !c.TimedOut && !c.Failed {
			out = append(out, c)
		}
	}
	return out
}

// Ends returns everything that ended without the host having asked for it, in
// the order of arrival: the records of toolsets/list, and what hints closed
// before there was a record of it. Of the latter the ID is made up, unique on
// the board, and begins with a blank.
func (b *Board) Ends() []Ended {
	out := slices.Clone(b.Ended)
	for n, g := range b.Gone {
		recorded := slices.ContainsFunc(b.Ended, func(e Ended) bool {
			return e.Toolset == g.Toolset && e.Instance == g.Instance
		})
		if !recorded {
			g.ID = fmt.Sprintf(" %d.%d", g.By.Index, n)
			out = append(out, g)
		}
	}
	slices.SortStableFunc(out, func(a, b Ended) int { return a.By.Index - b.By.Index })
	return out
}

// Unanswered reports whether initialize got no answer within its time limit.
func (b *Board) Unanswered() bool {
	return b.Link.Phase == Handshake && slices.ContainsFunc(b.Calls, func(c Call) bool {
		return c.Method == "initialize" && c.TimedOut
	})
}

// By says which message brought something about. Rev is 0 where no rev did
// (a list, an open without hints); Index is -1 where nothing did.
type By struct {
	Rev   int64
	Index int
}

// Tool is one tool as it is at a frame.
type Tool struct {
	Name     string
	Presence string // "static" or "dynamic", as it is in effect
	Declared []byte // the tool as the last tools/list gave it, raw JSON
	// Cells has one entry for a tool outside toolsets with instances, else
	// one for each open instance, in the order of Toolset.Instances.
	Cells []Cell
}

// Cell is one tool in one place: by itself, or in one open instance.
type Cell struct {
	Visible    bool // usable now (state.md, "visible")
	Redefined  bool // the definition in effect differs from the declared one
	Flag       bool // the visible flag that was last stated
	Stated     bool // whether a flag was ever stated
	FlagBy     By   // who stated it
	DefBy      By   // who last changed the definition
	Definition []byte
	// Definition is the definition in effect: Declared with description,
	// inputSchema and annotations replaced as hints said (toolhints.md §7).
}

// Toolset is one toolset, declared by the manifest or an undeclared group.
type Toolset struct {
	Name         string
	Title        string // what hints said last, else the manifest's
	Summary      string
	Declared     bool
	HasInstances bool
	DefaultOpen  bool
	Options      []byte // JSON Schema of its options, nil where it has none
	Open         bool   // of one with instances: any instance is
	OpenedBy     By     // of one without instances
	ClosedBy     By     // who closed it last, Index -1: it was never open
	Changed      By     // the last rev that changed a tool of it
	Instances    []Instance
	Tools        []Tool
}

// Instance is one open instance of a toolset.
type Instance struct {
	Name     string
	Title    string
	OpenedBy By
	// Changed is the last rev that changed a tool of it; Redefined tells
	// whether that rev redefined one.
	Changed   By
	Redefined bool
}

// Ended is the record of an end that the host did not ask for
// (toolhints.md §5, ended).
type Ended struct {
	ID       string
	Toolset  string
	Instance string
	Reason   string
	By       By
}

// Suggestion is what the server suggested to open or to close.
type Suggestion struct {
	Toolset  string
	Instance string // "" where none is named
	Action   string // "open" or "close"
	Options  []byte
	Reason   string
	By       By
	Taken    bool
	TakenBy  By
}

// Call is a request, open or answered.
type Call struct {
	ID        wire.ID
	Method    string
	Tool      string // of tools/call
	Instance  string // as the request named it
	Toolset   string // of toolsets/open and /close, or as a push names it
	EventID   string // of push/event
	Index     int    // position of its frame
	Seq       int64
	T         time.Duration
	Cancelled bool // a cancellation was sent, or noted
	TimedOut  bool
	Failed    bool // the link can bring no answer any more
	HeldBack  bool // of the server: its answer is there, and is held back
	// Limit is how long the answer may take where a note says so, 0: where the
	// session's own limit holds. It is set of open calls alone.
	Limit time.Duration
}

// Phase is how far a connection has come.
type Phase uint8

// The phases of a connection.
const (
	NotConnected Phase = iota
	Connecting         // the link is being made
	Handshake          // initialize was sent, the lists are not all read
	Live               // the handshake is over
	Closed
)

// Link is the life of a connection, told from its frames.
type Link struct {
	Phase     Phase
	Started   time.Duration // time of its first frame
	Connected time.Duration // time of "connected", 0: not yet
	Steps     []Step        // the handshake so far, in order
	Instead   string        // what came where the first answer was waited for in vain, "": nothing
	Closed    *Closing      // how it ended, nil while it has not
	Retry     *Retry        // what follows its end, nil where nothing was said of it
	// Changed are files whose change made the debugger start the server anew.
	Changed []string
	// After is the connection whose place it took, Beside the one that it was
	// opened beside; 0: its note does not say.
	After, Beside int
	// Stderr counts its lines on stderr, LastErr is the position of the last.
	Stderr  int
	LastErr int
}

// Step is one step of the handshake.
type Step struct {
	Name     string // initialize, policy, tools/list, toolsets/list
	Sent     int    // position of the request
	SentAt   time.Duration
	Answered int // position of the answer, -1: still open
	Took     time.Duration
	OK       bool
	Note     string // "14 tools", "rev 1", or what went wrong

	count int // tools on the pages of tools/list so far
}

// Closing is how a connection ended.
type Closing struct {
	By     string // host, server, link; "" where the recording does not say
	Code   *int   // exit or close code
	Signal string
	Reason string
	Via    string // "ws": Code is the close code of a WebSocket
	T      time.Duration
	Index  int
}

// Cause says what a process had to be ended for: "the server closed its
// output". It is "" where exit code or signal say all.
func (c *Closing) Cause() string {
	if c.By != "server" || c.Via != "" || c.Signal == "" && c.Code == nil {
		return ""
	}
	return c.Reason
}

// CodeWords says the code in words, "exit code 3", or "" where there is none.
func (c *Closing) CodeWords() string {
	switch {
	case c.Code == nil:
		return ""
	case c.Via == "ws":
		return fmt.Sprintf("close code %d", *c.Code)
	}
	return fmt.Sprintf("exit code %d", *c.Code)
}

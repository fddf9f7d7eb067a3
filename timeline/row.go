package timeline

import "time"

// Carrier is the kind of message that carried hints (toolhints.md §7).
type Carrier uint8

// The carriers.
const (
	CarrierCall       Carrier = iota + 1 // a tools/call result
	CarrierOpen                          // a toolsets/open result
	CarrierClose                         // a toolsets/close result
	CarrierList                          // a toolsets/list result
	CarrierPush                          // push/event
	CarrierStandalone                    // tools/hints
)

var carrierNames = [...]string{"", "call", "open", "close", "list", "push", "standalone"}

// String returns the carrier's word as in `mcpl-tui revs`.
func (c Carrier) String() string { return carrierNames[c] }

// Status is what became of a message's rev (state.md, "Revs").
type Status uint8

// The statuses.
const (
	Applied Status = iota + 1
	Held           // came early on HTTP and was held, whatever became of it later
	Gap            // applied although earlier ones never came
	Stale
	Repeat
	DuplicateEvent
	Ignored // hints are not negotiated
	BadRev  // the rev is missing, no integer, or below 1
)

var statusNames = [...]string{"", "applied", "held", "gap", "stale", "repeat", "duplicate-event", "ignored", "invalid"}

// String returns the status's word as in `mcpl-tui revs`.
func (s Status) String() string { return statusNames[s] }

// ChangeKind is what happened to one thing.
type ChangeKind uint8

// The kinds of change.
const (
	Shown ChangeKind = iota + 1
	Hidden
	Redefined
	Moved // presence changed
	Opened
	ClosedIt
	Retitled
	Suggested
	Listed   // by tools/list alone, never in a row
	Unlisted // likewise
)

var changeNames = [...]string{"", "shown", "hidden", "redefined", "moved", "opened", "closed", "retitled", "suggested", "listed", "unlisted"}

// String returns the kind's word as in `mcpl-tui revs`.
func (k ChangeKind) String() string { return changeNames[k] }

// Change is one difference between the state before and after a message.
// Empty strings mean that there is no such part.
type Change struct {
	Kind     ChangeKind
	Toolset  string
	Instance string
	Tool     string
}

// Counts is how often each kind of change stands in a row.
type Counts struct {
	Opened, Closed, Shown, Hidden, Redefined, Moved, Retitled, Suggested uint16
}

// Row is one message that carried hints: a line of the rev timeline.
type Row struct {
	N       int    // position among the log's rows
	Index   int    // position of its frame
	Seq     int64  // its frame's number
	Rev     int64  // the rev; 0 where the message named none that can be read
	RawRev  []byte // the rev's JSON value as sent, nil where it is missing
	Conn    int
	T       time.Duration
	Carrier Carrier
	Status  Status
	// Taken is the position of the frame at which its hints took effect: its
	// own, a later one where it was held, -1 where they never did.
	Taken   int
	Cause   Call // the request, or the push; Method is tools/hints for a standalone one
	Changes []Change
	Counts  Counts
	// Text is the server's word for it: the text of a push or of a result,
	// else Reason.
	Text string
	// Reason is the reason that the hints give: their own, else the first one
	// of an entry. It is the shorter word where both stand.
	Reason string
	// Told is what a model is told of it; empty where it never took effect.
	Told Told
	// Dropped are the entries of its hints that had no effect, in order.
	Dropped []Dropped
}

// Dropped is an entry of a message's hints that was ignored, and by which
// rule.
type Dropped struct {
	Rule    string // the id of the finding, e.g. hints-instance-missing
	Entry   []byte // the entry as sent
	Toolset string
	Tool    string
}

package inspector

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// The arrows of a frame: mine, the server's, stderr. A note has none.
const (
	ArrowOut = "→"
	ArrowIn  = "←"
	ArrowErr = "┆"
)

// Headline is a frame in one line of a list, told from the frame and its pair
// alone.
type Headline struct {
	Seq    int64
	T      time.Duration
	Size   int
	Dir    timeline.Dir
	Arrow  string // →, ←, ┆, "" for a note
	Indent bool   // an answer: it stands under what it answers
	What   string // "tools/call play@vs-ada", "ok", "! tool error", "connected"
	Words  string // the sender's own words, on one line; "" for none
	Quoted bool   // Words stand between quotation marks
	ID     string // "#28" for a request of ours and its answer, "s10" for the server's
	Method string // of the request or notification, or of the request that is answered

	Outcome Outcome
	Asked   bool          // a request: it wants an answer
	Open    bool          // a request without answer as far as the log goes
	HasTook bool          // an answer to a known request
	Took    time.Duration // from the request to this answer

	Tool, Toolset, Instance string // what the frame, or the request it answers, names
}

// Text returns what the frame says, in one line.
func (h Headline) Text() string {
	switch {
	case h.Words == "":
		return h.What
	case h.Quoted:
		return h.What + "  “" + h.Words + "”"
	default:
		return h.What + "  " + h.Words
	}
}

// Source is what a headline is told from: a Log, or a Stretch of one.
type Source interface {
	Entry(i int) timeline.Entry
	Frame(i int) (timeline.Frame, error)
}

// HeadlineOf returns the line of the frame at position i. A frame that cannot
// be read says so.
func HeadlineOf(log Source, i int) Headline {
	e := log.Entry(i)
	f, err := log.Frame(i)
	if err != nil {
		return Headline{Seq: e.Seq, T: e.T, Size: e.Size, Dir: e.Dir, What: "this frame cannot be read: " + err.Error()}
	}
	h := Headline{Seq: f.Seq, T: f.T, Size: len(f.Body), Dir: f.Dir}
	switch f.Dir {
	case timeline.Note:
		h.note(f)
	case timeline.Err:
		h.Arrow, h.What, h.Words = ArrowErr, "stderr", oneLine(string(f.Body[:min(len(f.Body), maxShort)]))
	default:
		h.message(log, e, f)
	}
	return h
}

// NamesOf is HeadlineOf without what it says in words: ID, Method, Tool,
// Toolset and Instance alone. It costs less.
func NamesOf(log Source, i int) Headline {
	f, err := log.Frame(i)
	if err != nil || f.Dir == timeline.Note {
		return HeadlineOf(log, i)
	}
	var h Headline
	for m := range f.Messages {
		switch m.Kind {
		case wire.Request, wire.Notification:
			h.about(m)
		case wire.Result, wire.Error:
			h.about(h.pair(log, log.Entry(i), m))
		}
		h.ID = idLabel(f.Dir, m)
		break
	}
	return h
}

func arrow(d timeline.Dir) string {
	switch d {
	case timeline.Out:
		return ArrowOut
	case timeline.In:
		return ArrowIn
	case timeline.Err:
		return ArrowErr
	}
	return ""
}

func (h *Headline) message(log Source, e timeline.Entry, f timeline.Frame) {
	h.Arrow = arrow(f.Dir)
	heads, more := messages(f, 1)
	switch {
	case len(heads) == 0:
		h.Outcome, h.What = Broken, "! "+brokenIs(f)
		h.Words = oneLine(string(f.Body[:min(len(f.Body), maxShort)]))
		return
	case more:
		h.What = "batch of " + strconv.Itoa(countMessages(f)) + ":"
	}
	h.head(log, e, f, heads[0])
}

// quotes reports whether the words of a message are what somebody says.
func quotes(method string) bool {
	switch method {
	case "push/event", "elicitation/create", "sampling/createMessage", "inference/request":
		return true
	}
	return false
}

// head tells one message, after what is said already (of a batch).
func (h *Headline) head(log Source, e timeline.Entry, f timeline.Frame, m wire.Head) {
	var what string
	switch m.Kind {
	case wire.Request, wire.Notification:
		what, h.Words = subject(m)
		h.Quoted = quotes(m.Method)
		h.Asked = m.Kind == wire.Request
		h.Open = h.Asked && e.Pair < 0
		h.about(m)
	case wire.Result, wire.Error:
		h.Indent = true
		asked := h.pair(log, e, m)
		h.Outcome, what, h.Words = answer(m, asked)
		if e.Pair < 0 {
			what += " (to no request)"
		}
		h.about(asked)
	default:
		h.Outcome, what, h.Words = Broken, "! no JSON-RPC message", oneLine(string(m.Raw[:min(len(m.Raw), maxShort)]))
	}
	h.What = strings.TrimSpace(h.What + " " + what)
	h.Words = oneLine(h.Words)
	h.ID = idLabel(f.Dir, m)
}

// pair reads the request that an answer belongs to, and how long it took.
func (h *Headline) pair(log Source, e timeline.Entry, m wire.Head) wire.Head {
	if e.Pair < 0 {
		return wire.Head{}
	}
	h.HasTook, h.Took = true, e.T-log.Entry(e.Pair).T
	f, err := log.Frame(e.Pair)
	if err != nil {
		return wire.Head{}
	}
	asked, _ := partner(f, m)
	return asked
}

func (h *Headline) about(m wire.Head) {
	h.Method = m.Method
	switch m.Method {
	case "tools/call":
		h.Tool, h.Instance = member(m.Params, "name"), instanceOf(m.Params)
	case "toolsets/open", "toolsets/close", "push/event":
		h.Toolset, h.Instance = member(m.Params, "toolset"), member(m.Params, "instance")
	}
}

// idLabel writes an id so that ours and the server's are told apart: "#28",
// "s10".
func idLabel(d timeline.Dir, m wire.Head) string {
	if m.ID == "" {
		return ""
	}
	id := oneLine(m.ID.String())
	asked := m.Kind == wire.Request
	ours := (d == timeline.Out) == asked
	switch {
	case ours:
		return "#" + id
	case m.ID[0] == '"':
		return id
	default:
		return "s" + id
	}
}

// messages returns up to most messages of a frame, and whether there are
// more.
func messages(f timeline.Frame, most int) (heads []wire.Head, more bool) {
	for m := range f.Messages {
		if len(heads) == most {
			return heads, true
		}
		heads = append(heads, m)
	}
	return heads, false
}

func countMessages(f timeline.Frame) int {
	n := 0
	for range f.Messages {
		n++
	}
	return n
}

// partner finds in f the request that m answers, or the answer to m.
func partner(f timeline.Frame, m wire.Head) (wire.Head, bool) {
	wantAnswer := m.Kind == wire.Request
	for p := range f.Messages {
		isAnswer := p.Kind == wire.Result || p.Kind == wire.Error
		if (p.Kind == wire.Request || isAnswer) && isAnswer == wantAnswer && p.ID.Key() == m.ID.Key() {
			return p, true
		}
	}
	return wire.Head{}, false
}

// brokenIs says in two words why a frame holds no message.
func brokenIs(f timeline.Frame) string {
	switch {
	case f.Form == wire.Binary:
		return "no UTF-8"
	case len(f.Body) == 0:
		return "empty line"
	case f.Form == wire.Text && !wire.Valid(f.Body):
		return "no JSON"
	}
	return "empty batch"
}

// brokenBecause says in a sentence why a frame holds no message.
func brokenBecause(f timeline.Frame) string {
	switch brokenIs(f) {
	case "no UTF-8":
		return "These bytes are no UTF-8, so they are no JSON. They were skipped."
	case "empty line":
		return "An empty line is no message. It was skipped."
	case "empty batch":
		return "An empty array is no JSON-RPC batch. It was skipped."
	}
	why := "it is not one JSON value"
	var syntax *json.SyntaxError
	var any json.RawMessage
	if err := json.Unmarshal(f.Body, &any); errors.As(err, &syntax) {
		why = syntax.Error() + ", byte " + strconv.FormatInt(syntax.Offset, 10)
	}
	return "This is no JSON: " + why + ". It was skipped."
}

// noMessageBecause says why a JSON value is no JSON-RPC message.
func noMessageBecause(m wire.Head) string {
	switch {
	case len(m.Raw) == 0 || m.Raw[0] != '{':
		return "JSON, but no object: no JSON-RPC message."
	case m.ID == "" && m.Method == "":
		return "An object with neither method nor id is no JSON-RPC message."
	default:
		return "An object with an id but no method, result or error is no JSON-RPC message."
	}
}

package inspector

import (
	"strconv"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Sentence is what row 3 says, in parts, so that a narrow screen can leave
// some out: "rev 41, 2 s ago   ← push “White plays E5.”   game vs-ada
// + play  + pass  ~ play".
type Sentence struct {
	Kind    SentenceKind
	About   string        // "rev 41", "frame 99", "the process ended"
	T       time.Duration // when it was, for its age
	Arrow   string        // →, ←, ┆ or ""
	Carrier string        // "push", "hints", "call play@vs-ada", "answer to undo @ vs-ada: tool error"
	Words   string        // the server's own words, on one line
	Quoted  bool          // Words stand between quotation marks
	Toolset string        // where it happened, where that is one place
	Place   string        // the instance there, or ""
	Changes []SignedName
	// Notes end the sentence: "no tool changed", "✗ 1 entry ignored",
	// "nothing is open", "with exit code 1".
	Notes []string
}

// SignedName is a change in short: "+ play".
type SignedName struct {
	Kind timeline.ChangeKind
	Sign string
	Name string
}

// SentenceKind says what a Sentence is about, and so how it is put together.
type SentenceKind uint8

// The kinds of sentence.
const (
	OfNothing SentenceKind = iota // nothing happened yet
	OfRow                         // About, age, cause, changes
	OfFrame                       // likewise, of a frame without rev
	OfStart                       // the first list: "rev 1: nothing is open"
	OfEnd                         // "the process ended, 4 s ago, with exit code 1"
)

// Latest is the sentence of the present: what changed last in the first n
// frames of a log, which may have more by now. newest is the state after them.
func Latest(log *timeline.Log, n int, newest *timeline.Board) Sentence {
	if n == 0 {
		return Sentence{}
	}
	b, err := newest, error(nil)
	if log.Entry(n-1).Conn != b.Conn {
		b, err = log.Board(n - 1)
	}
	if err == nil && b.Link.Closed != nil {
		return endOf(log, b)
	}
	if k := log.RowAt(n - 1); k >= 0 && (err != nil || log.Entry(log.RowIndex(k)).Conn == b.Conn) {
		return RowSentence(log, k)
	}
	if t, ok := justBegun(log, b, err); ok {
		return t
	}
	for i := n - 1; i >= 0 && i > n-lookBack; i-- {
		if d := log.Entry(i).Dir; d == timeline.In || d == timeline.Out {
			return FrameSentence(log, i)
		}
	}
	return FrameSentence(log, n-1)
}

// justBegun is the sentence of a connection that took the place of another
// and brought no rev: why it was made, then what it found.
func justBegun(log *timeline.Log, b *timeline.Board, err error) (Sentence, bool) {
	before := 0
	if err == nil {
		before = log.ConnBefore(b.Conn)
	}
	if before == 0 {
		return Sentence{}, false
	}
	s := Sentence{Kind: OfStart, About: "connection " + strconv.Itoa(b.Conn), T: b.Link.Started}
	if b.Link.Phase == timeline.Live && len(b.Calls) == 0 && lastAnswer(b) == lastMessage(log, b) {
		if t, ok := SeamOf(log, b.Conn); ok {
			s.Notes = t.Notes()
			return s, true
		}
	}
	old := lastBoard(log, before, b.Conn)
	if b.Link.Phase >= timeline.Live || old == nil || len(old.Link.Changed) == 0 {
		return Sentence{}, false
	}
	s.Notes = []string{few(old.Link.Changed) + " changed, the server is started anew"}
	return s, true
}

// lastAnswer is the frame that completed the handshake.
func lastAnswer(b *timeline.Board) int {
	at := -1
	for _, step := range b.Link.Steps {
		at = max(at, step.Answered)
	}
	return at
}

// lastMessage is the last frame of a connection that is a message.
func lastMessage(log *timeline.Log, b *timeline.Board) int {
	for i := b.Index; i >= 0 && i > b.Index-lookBack; i-- {
		if e := log.Entry(i); e.Conn == b.Conn && (e.Dir == timeline.In || e.Dir == timeline.Out) {
			return i
		}
	}
	return -1
}

// Here is the sentence of a frame in the past: of its rev, or, where it
// carried none, of itself.
func Here(log *timeline.Log, i int) Sentence {
	if i < 0 || i >= log.Len() {
		return Sentence{}
	}
	if k := log.Entry(i).Row; k >= 0 {
		return RowSentence(log, k)
	}
	return FrameSentence(log, i)
}

// RowSentence tells row n of the timeline.
func RowSentence(log *timeline.Log, n int) Sentence {
	rows, err := log.Rows(n, n+1)
	if err != nil || len(rows) == 0 {
		return Sentence{Kind: OfRow, About: "a rev that cannot be read"}
	}
	r := &rows[0]
	s := Sentence{Kind: OfRow, About: revName(r), T: r.T, Arrow: CarrierArrow(r.Carrier)}
	if r.Carrier == timeline.CarrierList && r.Rev == 1 && r.Status == timeline.Applied {
		return s.start(log, r)
	}
	s.Carrier = Cause(r)
	switch r.Carrier {
	case timeline.CarrierPush:
		s.Carrier, s.Words, s.Quoted = "push", oneLine(r.Text), r.Text != ""
	case timeline.CarrierStandalone:
		s.Words = oneLine(r.Text)
	}
	s.changes(r)
	s.notes(r)
	return s
}

// start is the sentence of the first list.
func (s Sentence) start(log *timeline.Log, r *timeline.Row) Sentence {
	s.Kind, s.Arrow = OfStart, ""
	if t, ok := SeamOf(log, r.Conn); ok {
		s.Notes = t.Notes()
		return s
	}
	var open []string
	if b, err := log.Board(r.Taken); err == nil {
		for i := range b.Toolsets {
			switch t := &b.Toolsets[i]; {
			case t.HasInstances:
				for _, in := range t.Instances {
					open = append(open, t.Name+" "+in.Name)
				}
			case t.Open:
				open = append(open, t.Name)
			}
		}
	}
	switch n := len(open); {
	case n == 0:
		s.Notes = []string{"nothing is open"}
	case n == 1:
		s.Notes = []string{open[0] + " is open"}
	case n <= 3:
		s.Notes = []string{strings.Join(open[:n-1], ", ") + " and " + open[n-1] + " are open"}
	default:
		s.Notes = []string{strconv.Itoa(n) + " are open: " + strings.Join(open[:2], ", ") + ", …"}
	}
	return s
}

// changes fills in the signs of a row, and the place where it is one.
func (s *Sentence) changes(r *timeline.Row) {
	one := onePlace(r.Changes)
	for _, ch := range inOrder(r.Changes) {
		if len(s.Changes) >= maxListed {
			break
		}
		if ch.Tool == "" && (r.Carrier == timeline.CarrierOpen || r.Carrier == timeline.CarrierClose) &&
			(ch.Kind == timeline.Opened || ch.Kind == timeline.ClosedIt) {
			continue // the cause says it
		}
		name := changeSubject(ch)
		if ch.Tool != "" && !one {
			name = oneLine(at(ch.Tool, ch.Instance, false))
		}
		if ch.Tool != "" && one {
			s.Toolset, s.Place = oneLine(ch.Toolset), oneLine(ch.Instance)
		}
		s.Changes = append(s.Changes, SignedName{Kind: ch.Kind, Sign: ChangeSign(ch.Kind), Name: name})
	}
}

func (s *Sentence) notes(r *timeline.Row) {
	switch r.Status {
	case timeline.Stale, timeline.Repeat, timeline.Ignored, timeline.BadRev:
		s.Notes = append(s.Notes, "✗ "+r.Status.String()+": not applied")
	case timeline.Gap:
		s.Notes = append(s.Notes, "✗ after a gap")
	case timeline.Held:
		if r.Taken < 0 {
			s.Notes = append(s.Notes, "held, not applied yet")
		}
	case timeline.DuplicateEvent:
		s.Notes = append(s.Notes, "seen before: its hints count as empty")
	}
	if len(r.Changes) == 0 && len(s.Notes) == 0 {
		s.Notes = append(s.Notes, "no tool changed")
	}
	if n := len(r.Dropped); n == 1 {
		s.Notes = append(s.Notes, "✗ 1 entry ignored")
	} else if n > 1 {
		s.Notes = append(s.Notes, "✗ "+strconv.Itoa(n)+" entries ignored")
	}
}

// FrameSentence tells a frame that brought no rev.
func FrameSentence(log *timeline.Log, i int) Sentence {
	h := HeadlineOf(log, i)
	s := Sentence{
		Kind: OfFrame, About: "frame " + seq(h.Seq), T: h.T, Arrow: h.Arrow,
		Carrier: h.What, Words: h.Words, Quoted: h.Quoted,
	}
	if h.Indent && h.Method != "" {
		s.Carrier = "answer to " + answered(&h) + ": " + strings.TrimPrefix(h.What, "! ")
		s.Quoted = h.Words != ""
	}
	if h.Asked && h.Method == "tools/call" {
		s.Carrier = "call " + oneLine(at(h.Tool, h.Instance, true))
	}
	if h.Method == "push/event" && h.Asked {
		s.Carrier = "push"
	}
	if h.Dir == timeline.In && (h.Indent || h.Method == "push/event") && carriesHints(h.Method) && negotiatedAt(log, i) {
		s.Notes = []string{"no rev, no tool changed"}
	}
	return s
}

// answered names the request that a frame answers.
func answered(h *Headline) string {
	switch h.Method {
	case "tools/call":
		return oneLine(at(h.Tool, h.Instance, true))
	case "toolsets/open", "toolsets/close":
		return strings.TrimPrefix(h.Method, "toolsets/") + " " + oneLine(place(h.Toolset, h.Instance))
	case "push/event":
		return "push"
	}
	return oneLine(h.Method)
}

func carriesHints(method string) bool {
	switch method {
	case "tools/call", "toolsets/open", "toolsets/close", "toolsets/list", "push/event":
		return true
	}
	return false
}

func negotiatedAt(log *timeline.Log, i int) bool {
	b, err := log.Board(i)
	return err == nil && b.ToolHints
}

// endOf is the sentence of a connection that is over.
func endOf(log *timeline.Log, b *timeline.Board) Sentence {
	c := b.Link.Closed
	process := isProcess(log, b)
	s := Sentence{Kind: OfEnd, T: c.T, About: "the connection ended"}
	if process && c.By != "host" {
		s.About = "the process ended"
	}
	switch cause := c.Cause(); {
	case cause != "":
		if did, ok := strings.CutPrefix(cause, "the server "); ok {
			cause = "after it " + did
		}
		s.Notes = append(s.Notes, oneLine(cause))
		if c.Code != nil {
			s.Notes = append(s.Notes, "with "+c.CodeWords())
		}
	case c.By == "host":
		s.About = "the connection was closed"
		by := "by the debugger"
		if c.Reason != "" {
			by += ": " + oneLine(c.Reason)
		}
		s.Notes = append(s.Notes, by)
	case c.Code != nil && (process || c.Via != ""):
		s.Notes = append(s.Notes, "with "+c.CodeWords())
	case c.Code != nil:
		s.Notes = append(s.Notes, "with code "+strconv.Itoa(*c.Code))
	}
	if c.Signal != "" {
		s.Notes = append(s.Notes, "by signal "+oneLine(c.Signal))
	}
	if c.By != "host" && (c.Code == nil || c.Via != "") && c.Signal == "" && c.Reason != "" {
		s.Notes = append(s.Notes, oneLine(c.Reason))
	}
	for _, step := range b.Link.Steps {
		if step.Answered < 0 {
			s.Notes = append(s.Notes, "before it answered "+step.Name)
			break
		}
	}
	return s
}

// isProcess reports whether the server of a connection is a process of ours.
func isProcess(log *timeline.Log, b *timeline.Board) bool {
	for _, step := range b.Link.Steps {
		if f, err := log.Frame(step.Sent); err == nil {
			return f.Via == "stdio"
		}
	}
	return b.Link.Stderr > 0
}

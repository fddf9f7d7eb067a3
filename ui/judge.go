package ui

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/findings"
)

// judging feeds the judge beside the log, in the background and in bounded
// pieces, for judging reads each frame. What it finds goes into the book.
type judging struct {
	review  *conform.Review
	book    *findings.Book
	busy    bool   // a piece is under way
	looked  int    // frames that were judged
	version int    // of what the book holds
	waits   bool   // the clock may tell of something before a frame does
	ended   bool   // nothing follows, and the judge was told so
	failed  string // why a frame could not be read, and how many there were then
	stuck   int
}

// judgeFrames is how many frames are judged in one go.
const judgeFrames = 4096

// judgedMsg is what a piece of work came to.
type judgedMsg struct {
	review  *conform.Review
	looked  int
	version int
	verdict *findings.Verdict // nil: nothing else was found than before
	waits   bool
	ended   bool
	failed  string
}

func newJudging(log *timeline.Log) judging {
	return judging{review: conform.Over(log, conform.Options{}), book: findings.NewBook(), version: -1}
}

// judge goes on judging where there is something to judge.
func (m *Model) judge() tea.Cmd {
	j, s := &m.judging, m.status
	n := m.pull.log.Len()
	whole := !s.Live && s.Loaded()
	if j.busy || j.failed != "" && j.stuck == n {
		return nil // to read it again and again would help nobody
	}
	if j.looked >= n && !j.waits && (j.ended || !whole) {
		return nil
	}
	j.busy, j.stuck = true, n
	r, version := j.review, j.version
	return func() tea.Msg { return judgePiece(r, version, s, n, whole) }
}

// judgePiece judges some of n frames. It is run beside the model. version is
// what the book holds; whole tells that nothing follows those n.
func judgePiece(r *conform.Review, version int, s Status, n int, whole bool) judgedMsg {
	msg := judgedMsg{review: r}
	r.NotWhole(len(s.Skipped), s.Cut)
	began := time.Now()
	if _, err := r.Advance(judgeFrames); err != nil {
		msg.failed = err.Error()
	}
	msg.looked = r.Len()
	if s.Live && n-msg.looked > judgeFrames {
		// Behind a flood the processors are for what takes it off the wire.
		time.Sleep(min(3*time.Since(began), 100*time.Millisecond))
	}
	switch {
	case msg.failed != "" || msg.looked < n:
	case whole:
		r.End()
		msg.ended = true
	case s.Live:
		r.Tick(s.Now)
	}
	msg.waits = s.Live && r.Waits()
	if msg.version = r.Version(); msg.version != version {
		msg.verdict = &findings.Verdict{Findings: r.Findings(), Marks: r.Marks()}
	}
	return msg
}

// judged takes in what was found, and goes on.
func (m *Model) judged(msg judgedMsg) tea.Cmd {
	j := &m.judging
	if msg.review != j.review {
		return nil // of a session that is not looked at any more
	}
	j.busy = false
	changed := j.looked != msg.looked || msg.verdict != nil
	j.looked, j.waits, j.ended, j.failed = msg.looked, msg.waits, j.ended || msg.ended, msg.failed
	j.book.SetLooked(msg.looked, msg.failed)
	if msg.verdict != nil {
		j.version = msg.version
		if at := j.book.Put(*msg.verdict); at >= 0 {
			m.lanes().Recheck(m.log().RowAt(at))
		}
	}
	if changed {
		m.cx.Found = j.book.Version()
		m.screen.dirty = true
	}
	if msg.failed == "" && (j.looked < m.pull.log.Len() || !j.ended && !m.status.Live && m.status.Loaded()) {
		return m.judge()
	}
	return nil
}

// noteMuted makes the lanes ask again what stands in them, where the user muted
// a finding.
func (m *Model) noteMuted() {
	if v := m.judging.book.Version(); v != m.cx.Found {
		m.cx.Found = v
		m.lanes().Recheck(0)
	}
}

// soFar says that frames are still to be judged.
func (m *Model) soFar() string {
	if n := m.judging.looked; n < m.pull.log.Len() {
		return " in the first " + inspector.Count(n, "frame") + "; the rest is being judged"
	}
	return ""
}

// stepFinding moves to the next finding, or the previous one.
func (m *Model) stepFinding(by int) {
	book := m.judging.book
	switch i := book.Next(m.head.at, by); {
	case len(book.Places()) == 0:
		m.say("no finding" + m.soFar())
	case i < 0 && by > 0:
		m.say("no finding after this" + m.soFar() + "; E goes back to the one before")
	case i < 0:
		m.say("no finding before this; e goes on to the next")
	default:
		m.goTo(i)
	}
}

// firstFinding tells of the finding that ended a connection.
func (m *Model) firstFinding() string {
	b := m.cx.Newest
	if b.Link.Closed == nil {
		return ""
	}
	of := m.judging.book.At(b.Link.Closed.Index)
	if len(of) == 0 {
		return ""
	}
	n, _ := m.judging.book.Split(m.cx.Len)
	return "✗ " + strings.ToUpper(inspector.Count(n, "finding")) + " ── " + of[0].Rule + ": " + m.endWords(of[0])
}

// endWords says what a finding at the end of a connection is about: for
// server-exit which request was open, else its message.
func (m *Model) endWords(f *conform.Finding) string {
	b := m.cx.Newest
	if f.Rule != "server-exit" || len(b.Calls) == 0 {
		return f.Message
	}
	what := openStep(b)
	if what == "" {
		what = callName(&b.Calls[len(b.Calls)-1])
	}
	return "it went away while " + what + " was open"
}

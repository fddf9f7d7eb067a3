package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/findings"
)

// judging asks the judge, which looks on while the log reduces, what it has
// found. What it says goes into the book.
type judging struct {
	review  *conform.Review // nil: nobody judges this session
	book    *findings.Book
	busy    bool // it is being asked,
	again   bool // and there was more to ask meanwhile
	looked  int  // frames that were judged
	there   int  // frames that there were then
	version int  // of what the book holds
	waits   bool // the clock may tell of something before a frame does
	ended   bool // nothing follows, and the judge was told so
}

// judgedMsg is what the judge has to say.
type judgedMsg struct {
	review        *conform.Review
	looked, there int
	inPart        int
	version       int
	verdict       *findings.Verdict // nil: nothing else was found than before
	waits, ended  bool
	failed        string // why a frame could not be read
}

func newJudging(log *timeline.Log) judging {
	return judging{review: conform.Of(log), book: findings.NewBook(), version: -1}
}

// judge asks the judge where it may have something to say.
func (m *Model) judge() tea.Cmd {
	j, s, log := &m.judging, m.status, m.pull.log
	ends := !s.Live && s.Loaded() && !j.ended
	if behind, _ := log.Behind(); j.review == nil || behind == 0 && j.looked >= log.Len() && !j.waits && !ends {
		return nil
	}
	if j.again = j.busy; j.busy {
		return nil
	}
	j.busy = true
	r, version := j.review, j.version
	return func() tea.Msg { return hear(r, log, version, s) }
}

// hear asks the judge. It is run beside the model. version is what the book
// holds.
func hear(r *conform.Review, log *timeline.Log, version int, s Status) judgedMsg {
	msg := judgedMsg{review: r}
	r.NotWhole(len(s.Skipped), s.Cut)
	behind, err := log.Behind()
	msg.looked, msg.inPart = r.Len(), r.InPart()
	msg.there = max(log.Len(), msg.looked) + behind
	switch {
	case err != nil:
		msg.failed = err.Error()
	case behind > 0:
	case s.Live:
		r.Tick(s.Now)
	case s.Loaded():
		r.End()
		msg.ended = true
	}
	msg.waits = s.Live && r.Waits()
	if msg.version = r.Version(); msg.version != version {
		msg.verdict = &findings.Verdict{Findings: r.Findings(), Marks: r.Marks()}
	}
	return msg
}

// judged takes in what was found.
func (m *Model) judged(msg judgedMsg) tea.Cmd {
	j := &m.judging
	if msg.review != j.review {
		return nil // of a session that is not looked at any more
	}
	j.busy = false
	changed := j.looked != msg.looked || j.there != msg.there || msg.verdict != nil
	j.looked, j.there, j.waits, j.ended = msg.looked, msg.there, msg.waits, j.ended || msg.ended
	j.book.SetLooked(msg.looked, msg.there, msg.inPart, msg.failed)
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
	if j.again {
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
	if n := m.judging.looked; n < m.judging.there {
		return " in the first " + inspector.Count(n, "frame") + "; the rest is being judged"
	}
	return ""
}

// stepFinding moves to the next finding, or the previous one.
func (m *Model) stepFinding(by int) {
	book := m.judging.book
	switch i := book.Next(m.head.at, by); {
	case len(book.Places()) == 0 && book.Infos() > 0:
		m.say("no error and no warning" + m.soFar() + "; infos are in view 4, and not walked")
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

package ui

import (
	"sort"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// findings are the frames at which a message broke a rule: hints that had no
// effect, or only a part of them, revs out of order, and what is no message at
// all. They are gathered in the background, a few rows at a time, because
// reading rows costs reading their frames.
type findings struct {
	at     []int // positions of the frames, ascending
	seen   int   // rows that were looked at
	rows   int   // rows that there are
	looked int   // frames that were looked at
	busy   bool
}

// scanRows is how many rows are looked at in one go.
const scanRows = 256

// scanFrames is the same for frames, of which only the index is asked.
const scanFrames = 8192

type findingsMsg struct {
	log    *timeline.Log
	seen   int
	looked int
	at     []int
}

// scan looks at the rows that came since the last time.
func (m *Model) scan() tea.Cmd {
	f := &m.findings
	f.rows = m.log().RowCount()
	if f.busy || (f.seen >= f.rows && f.looked >= m.log().Len()) {
		return nil
	}
	f.busy = true
	log, from, looked := m.log(), f.seen, f.looked
	return func() tea.Msg {
		msg := findingsMsg{log: log, seen: from, looked: min(looked+scanFrames, log.Len())}
		for i := looked; i < msg.looked; i++ {
			if e := log.Entry(i); e.Dir == timeline.In && e.Kind == timeline.Invalid && e.Size > 0 {
				msg.at = append(msg.at, i)
			}
		}
		rows, err := log.Rows(from, from+scanRows)
		if err != nil { // the board says so; no use in trying again and again
			msg.seen += scanRows
			return msg
		}
		msg.seen += len(rows)
		for i := range rows {
			if isFinding(&rows[i]) {
				msg.at = append(msg.at, rows[i].Index)
			}
		}
		return msg
	}
}

// isFinding reports whether a finding speaks of a row.
func isFinding(row *timeline.Row) bool { return inspector.RowFlag(row) == "✗" }

func (m *Model) scanned(msg findingsMsg) tea.Cmd {
	if msg.log != m.log() {
		return nil // of a session that is not looked at any more
	}
	f := &m.findings
	f.busy, f.seen, f.looked = false, msg.seen, msg.looked
	for _, i := range msg.at {
		f.add(i)
	}
	m.screen.dirty = true
	return m.scan()
}

func (f *findings) add(i int) {
	k := sort.SearchInts(f.at, i)
	if k < len(f.at) && f.at[k] == i {
		return
	}
	f.at = append(f.at, 0)
	copy(f.at[k+1:], f.at[k:])
	f.at[k] = i
}

// noteExit takes in how a connection ended: a server that went away while
// requests were open broke a rule (server-exit).
func (f *findings) noteExit(b *timeline.Board) {
	if c := b.Link.Closed; c != nil && wentAway(b) {
		f.add(c.Index)
	}
}

func wentAway(b *timeline.Board) bool {
	c := b.Link.Closed
	return c != nil && (c.By == "server" || c.By == "link") && len(b.Calls) > 0
}

// split counts the findings up to a frame, and those after it.
func (f *findings) split(at int) (here, later int) {
	here = sort.SearchInts(f.at, at+1)
	return here, len(f.at) - here
}

// from returns the frame of the next finding in a direction, -1 if there is
// none, and how many findings there are.
func (f *findings) from(at, by int) (i, total int) {
	k := sort.SearchInts(f.at, at+1) // the first after
	if by < 0 {
		k = sort.SearchInts(f.at, at) - 1
	}
	if k < 0 || k >= len(f.at) {
		return -1, len(f.at)
	}
	return f.at[k], len(f.at)
}

// soFar says that rows are still to be looked at.
func (f *findings) soFar() string {
	if f.seen < f.rows {
		return " in the first " + inspector.Count(f.seen, "rev") + "; the rest is being read"
	}
	return ""
}

// firstFinding tells of the finding that ended a connection.
func (m *Model) firstFinding() string {
	b := m.cx.Newest
	if !wentAway(b) {
		return ""
	}
	what := openStep(b)
	if what == "" {
		what = callName(&b.Calls[len(b.Calls)-1])
	}
	if len(m.findings.at) == 1 {
		return "✗ 1 FINDING ── server-exit: it went away while " + what + " was open"
	}
	return "✗ " + strings.ToUpper(inspector.Count(len(m.findings.at), "finding")) + " ── server-exit: it went away while " + what + " was open"
}

package ui

import (
	"encoding/json"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/form"
)

// sentLine is a call or an open that was made in this session.
type sentLine struct {
	index    int
	t        time.Duration
	tool     string // of a call
	toolset  string // of an open
	instance string
	args     json.RawMessage
}

// sentLines remembers the calls and opens of a session, the newest last. It
// reads each request once, when a form first asks.
type sentLines struct {
	next  int
	lines []sentLine
}

const (
	sentBack = 20_000 // frames that are looked back over
	sentMost = 200    // lines that are kept
	sentShow = 20     // lines that a form is given
)

// follow reads the requests that came since the last time.
func (s *sentLines) follow(log *timeline.Log, n int) {
	for s.next = max(s.next, n-sentBack); s.next < n; s.next++ {
		if e := log.Entry(s.next); e.Dir != timeline.Out || e.Kind != timeline.Request {
			continue
		}
		f, err := log.Frame(s.next)
		if err != nil {
			continue
		}
		for h := range f.Messages {
			s.note(h, f.T, s.next)
		}
	}
	if n := len(s.lines); n > sentMost {
		s.lines = append(s.lines[:0:0], s.lines[n-sentMost:]...)
	}
}

func (s *sentLines) note(h timeline.Head, t time.Duration, index int) {
	if h.Method != "tools/call" && h.Method != "toolsets/open" {
		return
	}
	var p struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Meta      struct {
			Instance string `json:"mcpl/instance"`
		} `json:"_meta"`
		Toolset  string          `json:"toolset"`
		Instance string          `json:"instance"`
		Options  json.RawMessage `json:"options"`
	}
	if json.Unmarshal(h.Params, &p) != nil {
		return
	}
	l := sentLine{index: index, t: t, tool: p.Name, instance: p.Meta.Instance, args: p.Arguments}
	if h.Method == "toolsets/open" {
		l.tool, l.toolset, l.instance, l.args = "", p.Toolset, p.Instance, p.Options
	}
	s.lines = append(s.lines, l)
}

// last returns the newest line that is wanted, nil if there is none.
func (s *sentLines) last(want func(*sentLine) bool) *sentLine {
	for i := len(s.lines) - 1; i >= 0; i-- {
		if want(&s.lines[i]) {
			return &s.lines[i]
		}
	}
	return nil
}

// earlier lists what was sent before, the newest first.
func (m *Model) earlier(want func(*sentLine) bool, name func(*sentLine) string) []form.Earlier {
	s := &m.forms.sent
	s.follow(m.pull.log, m.pull.n)
	var out []form.Earlier
	for i := len(s.lines) - 1; i >= 0 && len(out) < sentShow; i-- {
		l := &s.lines[i]
		if !want(l) {
			continue
		}
		e := form.Earlier{Name: name(l), T: l.t, Args: l.args}
		if pair := m.pull.log.Entry(l.index).Pair; pair >= 0 {
			if o := inspector.HeadlineOf(m.pull.log, pair).Outcome; o != inspector.OK && o != inspector.NoOutcome {
				e.Note = o.String()
			}
		}
		out = append(out, e)
	}
	return out
}

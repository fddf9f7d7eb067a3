package ui

import (
	"slices"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// progress remembers what the server told of the calls that are open.
type progress struct {
	next  int                     // the first frame that was not looked at
	tales map[int]*inspector.Tale // by the position of the call
}

const (
	mostAtOnce  = 200 // frames that are read for it in one look
	mostFollows = 20  // calls, the newest ones
)

// follow takes what came since the last look, while a call is open.
func (p *progress) follow(log *timeline.Log, newest *timeline.Board, n int) {
	calls := newest.Calls
	if len(calls) == 0 {
		p.next, p.tales = n, nil
		return
	}
	calls = calls[max(len(calls)-mostFollows, 0):]
	for i := range p.tales {
		if !slices.ContainsFunc(calls, func(c timeline.Call) bool { return c.Index == i }) {
			delete(p.tales, i)
		}
	}
	for _, c := range calls {
		if p.tales[c.Index] == nil {
			t := inspector.TaleOf(log, c.Index, c.ID)
			if p.tales == nil {
				p.tales = map[int]*inspector.Tale{}
			}
			p.tales[c.Index] = &t
		}
	}
	p.next = max(p.next, calls[0].Index, n-mostAtOnce)
	for ; p.next < n; p.next++ {
		for i, t := range p.tales {
			if p.next > i {
				t.Hear(log, p.next)
			}
		}
	}
}

// of returns what was told of an open call, the zero value for nothing.
func (p *progress) of(c *timeline.Call) inspector.Tale {
	if t := p.tales[c.Index]; t != nil {
		return *t
	}
	return inspector.Tale{}
}

// logged tells the last log message of a tale with its level, "" for none.
func logged(t inspector.Tale) string {
	if len(t.Logs) == 0 {
		return ""
	}
	l := t.Logs[len(t.Logs)-1]
	if l.Level == "" {
		return inspector.Quote(l.Text)
	}
	return l.Level + " " + inspector.Quote(l.Text)
}

package session

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Answers is when the requests of a server are answered. The zero value means
// at once, as MCPL asks for; the others are for who wants to see how a server
// takes a slow or an absent host.
type Answers struct {
	Late  time.Duration // so long after it would have been
	Never bool          // the host stays silent
}

// MaxLate bounds Answers.Late.
const MaxLate = time.Hour

// String is the rule as the command `answers` takes it.
func (a Answers) String() string {
	switch {
	case a.Never:
		return "never"
	case a.Late > 0:
		return "late " + a.Late.String()
	}
	return "at once"
}

// json is the rule as an outcome and a note tell it.
func (a Answers) json() []byte {
	switch {
	case a.Never:
		return []byte(`{"answers":"never"}`)
	case a.Late > 0:
		return obj(member{"answers", encode("late")}, member{"after", seconds(a.Late)})
	}
	return []byte(`{"answers":"at once"}`)
}

func seconds(d time.Duration) []byte {
	return strconv.AppendFloat(nil, d.Seconds(), 'f', -1, 64)
}

// lateAnswer is an answer that is held back.
type lateAnswer struct {
	key   string
	msg   []byte
	timer *time.Timer // nil: it is held back for good
}

const (
	maxLate      = 10_000   // answers that are held back
	maxLateBytes = 16 << 20 // and their bytes together
)

// answering is when answers go out.
func (s *Session) answering() Answers {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answers
}

func (s *Session) silent() bool { return s.answering().Never }

// answer sends the answer to a request of the server, at once or when the
// rule says. Number 0 of a frame without an error means that it is held back;
// a note in the recording says so.
func (c *conn) answer(id wire.ID, msg []byte) (int64, error) {
	rule := c.s.answering()
	if rule == (Answers{}) || !c.holdBack(id, msg, rule) {
		return c.send(msg)
	}
	var after []byte
	if !rule.Never {
		after = seconds(rule.Late)
	}
	c.note("held-back", obj(member{"id", []byte(id)}, member{"after", after}))
	return 0, nil
}

// holdBack keeps an answer; false means that there is no room, or no time, for
// that. What a silent host has no room for is never said.
func (c *conn) holdBack(id wire.ID, msg []byte, rule Answers) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := len(msg)
	for _, l := range c.late {
		size += len(l.msg)
	}
	switch {
	case len(c.late) >= maxLate || size > maxLateBytes:
		return rule.Never
	case c.leaving || c.end != nil:
		return rule.Never
	}
	l := &lateAnswer{key: id.Key(), msg: msg}
	c.late = append(c.late, l)
	c.time(l, rule)
	return true
}

// time starts what sends a late answer. The lock is held.
func (c *conn) time(l *lateAnswer, rule Answers) {
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	if !rule.Never {
		l.timer = time.AfterFunc(rule.Late, c.guarded(func() { c.sendLate(l) }))
	}
}

// sendLate sends answers that were held back, those that are named or, of a
// host that is not silent, all: once each.
func (c *conn) sendLate(which ...*lateAnswer) {
	all := len(which) == 0
	if all && c.s.silent() {
		return
	}
	var out []*lateAnswer
	c.mu.Lock()
	c.late = slices.DeleteFunc(c.late, func(l *lateAnswer) bool {
		taken := all || slices.Contains(which, l)
		if taken {
			out = append(out, l)
		}
		return taken
	})
	c.mu.Unlock()
	for _, l := range out {
		if l.timer != nil {
			l.timer.Stop()
		}
		_, _ = c.send(l.msg) // a link that is gone needs no answer
	}
}

// dropLate forgets answers: those with the keys, or all. The lock is held.
func (c *conn) dropLate(keys ...string) {
	c.late = slices.DeleteFunc(c.late, func(l *lateAnswer) bool {
		gone := len(keys) == 0 || slices.Contains(keys, l.key)
		if gone && l.timer != nil {
			l.timer.Stop()
		}
		return gone
	})
}

// retime lets the answers that are held back follow a new rule.
func (c *conn) retime(rule Answers) {
	if rule == (Answers{}) {
		c.sendLate()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.late {
		c.time(l, rule)
	}
}

// planAnswers is `answers at once|late DURATION|never`.
func planAnswers(a *args) (plan, error) {
	rule, err := a.answersRule()
	if err == nil {
		err = a.end()
	}
	if err != nil {
		return plan{}, err
	}
	p := a.changing(func() { a.s.answers = rule })
	act := p.act
	p.act = func(ctx context.Context) Outcome {
		o := act(ctx)
		for _, c := range a.s.conns() {
			c.retime(rule)
		}
		return o
	}
	return p, nil
}

func (a *args) answersRule() (Answers, error) {
	switch {
	case a.l.keyword("never"):
		return Answers{Never: true}, nil
	case a.l.keyword("at"):
		if a.l.keyword("once") {
			return Answers{}, nil
		}
	case a.l.keyword("late"):
		word, err := a.want("how late")
		if err != nil {
			return Answers{}, err
		}
		d, err := time.ParseDuration(word)
		if err != nil || d <= 0 || d > MaxLate {
			return Answers{}, fmt.Errorf("%q is no time to be late by: give 500ms, 2s, 1m, up to %s", word, MaxLate)
		}
		return Answers{Late: d}, nil
	}
	return Answers{}, fmt.Errorf("say when; it is: %s", a.cmd.Usage)
}

package session

import (
	"bytes"
	"context"
	"fmt"
)

// mode is what the note "host" says: in what this host behaves otherwise than
// a host should, because the user wants to see how the server takes it. nil
// where it does not.
func (s *Session) mode() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []member
	if p := s.policies[policyPush]; p.policy == Refuse {
		out = append(out, member{"push", encode("refuse")})
	}
	if s.answers != (Answers{}) {
		out = append(out, member{"answers", s.answers.modeWord()})
		if !s.answers.Never {
			out = append(out, member{"after", seconds(s.answers.Late)})
		}
	}
	if s.ignores {
		out = append(out, member{"hints", encode("ignored")})
	}
	switch {
	case s.cfg.Plain:
		out = append(out, member{"as", encode("plain")})
	case s.cfg.NoToolHints:
		out = append(out, member{"as", encode("no-toolhints")})
	}
	if out == nil {
		return nil
	}
	return obj(out...)
}

func (a Answers) modeWord() []byte {
	if a.Never {
		return encode("never")
	}
	return encode("late")
}

// noteMode writes the note "host" where the mode is another than before.
func (c *conn) noteMode(before []byte) {
	now := c.s.mode()
	switch {
	case bytes.Equal(before, now):
		return
	case now == nil:
		now = []byte("{}")
	}
	c.note("host", now)
}

// conns are the newest connections of all sides.
func (s *Session) conns() []*conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*conn
	for _, d := range s.sides {
		out = append(out, d.conn)
	}
	return out
}

// changing is the plan of a command that changes how the host behaves from now
// on. do is called with the session's lock held.
func (a *args) changing(do func()) plan {
	return plan{act: func(context.Context) Outcome {
		before := a.s.mode()
		a.s.mu.Lock()
		do()
		a.s.mu.Unlock()
		for _, c := range a.s.conns() {
			c.noteMode(before)
		}
		return Outcome{OK: true}
	}}
}

func (s *Session) ignoresHints() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ignores
}

// planHints is `hints use|ignore`. Whoever uses hints again has missed some:
// both lists are read.
func planHints(a *args) (plan, error) {
	word, err := a.want("use or ignore")
	if err == nil && word != "use" && word != "ignore" {
		err = fmt.Errorf("%q is nothing to do with hints; it is: %s", word, a.cmd.Usage)
	}
	if err == nil {
		err = a.end()
	}
	if err != nil {
		return plan{}, err
	}
	p := a.changing(func() { a.s.ignores = word == "ignore" })
	act := p.act
	p.act = func(ctx context.Context) Outcome {
		o := act(ctx)
		for _, c := range a.s.conns() {
			if word == "use" && c.usesHints() {
				c.lost()
			}
		}
		return o
	}
	return p, nil
}

package session

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// planCancel gives up an open request.
func planCancel(a *args) (plan, error) {
	word, _, err := a.l.word()
	if err != nil {
		return plan{}, err
	}
	if err := a.end(); err != nil {
		return plan{}, err
	}
	if t := a.c.findInquiry(word); t != nil {
		return plan{act: func(context.Context) Outcome {
			t.stop()
			return Outcome{OK: true}
		}}, nil
	}
	r, err := a.c.findRequest(word)
	if err != nil {
		return plan{}, err
	}
	const reason = "cancelled by the user"
	preview := cancelledBytes(r.id, reason)
	if _, ok := a.c.link.(abandoner); ok && a.c.stateless.Load() {
		preview = nil // its stream is closed
	}
	return plan{preview: preview, act: func(context.Context) Outcome {
		if !a.c.giveUp(r, "cancelled", reason) {
			return failed("", fmt.Errorf("request %d was answered just now", r.id))
		}
		r.done <- answer{err: errCancelled}
		return Outcome{OK: true}
	}}, nil
}

// findRequest returns the open request that a word means: the last one that
// the user sent, or one by its id.
func (c *conn) findRequest(word string) (*request, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if word == "" || word == "last" {
		if len(c.sent) == 0 {
			return nil, fmt.Errorf("no request is open")
		}
		return c.sent[len(c.sent)-1], nil
	}
	r := c.pending[word]
	switch {
	case r == nil:
		return nil, fmt.Errorf("no request with the id %s is open", word)
	case r.method == mcpl.MethodInitialize || r.method == mcpl.MethodDiscover:
		return nil, fmt.Errorf("%s cannot be cancelled; `reconnect` tries again", r.method)
	}
	return r, nil
}

func planPush(a *args) (plan, error) {
	p, err := a.policyWord(Accept, Refuse, Ask)
	if err != nil {
		return plan{}, err
	}
	reason := a.l.rest()
	if reason != "" && p != Refuse {
		return plan{}, fmt.Errorf("only refuse takes a reason; it is: %s", a.cmd.Usage)
	}
	return a.setting(policyPush, p, reason), nil
}

func planElicit(a *args) (plan, error) {
	p, err := a.policyWord(Accept, Decline, Ask)
	if err != nil {
		return plan{}, err
	}
	return a.setting(policyElicit, p, ""), a.end()
}

func planSampling(a *args) (plan, error) {
	p, err := a.policyWord(Ask, Decline)
	if err != nil {
		return plan{}, err
	}
	return a.setting(policySampling, p, ""), a.end()
}

func planChannels(a *args) (plan, error) {
	p, err := a.policyWord(Accept, Ask, Decline)
	if err != nil {
		return plan{}, err
	}
	reason := a.l.rest()
	if reason != "" && p != Decline {
		return plan{}, fmt.Errorf("only decline takes a reason; it is: %s", a.cmd.Usage)
	}
	return a.setting(policyChannels, p, reason), nil
}

// planAsks lists what waits for the user, oldest first.
func planAsks(a *args) (plan, error) {
	return plan{act: func(context.Context) Outcome {
		a.c.mu.Lock()
		defer a.c.mu.Unlock()
		out := []byte{'['}
		for i, w := range a.c.waiting {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, describe(w.id, w.method, w.params, w.seq)...)
		}
		return Outcome{OK: true, Result: append(out, ']')}
	}}, a.end()
}

func (a *args) policyWord(allowed ...Policy) (Policy, error) {
	word, err := a.want("how")
	if err != nil || slices.Contains(allowed, Policy(word)) {
		return Policy(word), err
	}
	return "", fmt.Errorf("%q is no way to answer; it is: %s", word, a.cmd.Usage)
}

func (a *args) setting(which int, p Policy, reason string) plan {
	return a.changing(func() { a.s.policies[which] = policySetting{p, reason} })
}

// planAnswer answers a request of the server that waits, with the JSON as it
// is typed.
func planAnswer(a *args) (plan, error) {
	w, err := a.waitingFor()
	if err != nil {
		return plan{}, err
	}
	result, err := a.l.json()
	if err == nil && result == nil {
		err = fmt.Errorf("the answer is missing; it is: %s", a.cmd.Usage)
	}
	return a.answering(w, resultBytes(w.id, result), result), err
}

func planDecline(a *args) (plan, error) {
	w, err := a.waitingFor()
	if err != nil {
		return plan{}, err
	}
	return a.answering(w, w.declined(a.l.rest()), nil), nil
}

// waitingFor reads which waiting request is meant.
func (a *args) waitingFor() (*ask, error) {
	word, quoted, err := a.l.word()
	if err == nil && word == "" {
		err = fmt.Errorf("say which request; it is: %s", a.cmd.Usage)
	}
	if err != nil {
		return nil, err
	}
	found := a.c.peekAsk(word, quoted)
	switch {
	case found != nil:
		return found, nil
	case a.c.isOver():
		return nil, a.c.endError()
	case word == "last":
		return nil, fmt.Errorf("no request of the server waits")
	}
	return nil, fmt.Errorf("no request of the server with the id %s waits", word)
}

func (a *args) answering(w *ask, msg []byte, result json.RawMessage) plan {
	next := a.c.upcoming()
	a.c.mu.Lock()
	preview := msg
	if t := a.c.inquiryOf(w.id); t != nil {
		preview = t.upcoming(w.id, wire.Peek(msg).Result, next)
	}
	a.c.mu.Unlock()
	return plan{preview: preview, act: func(context.Context) Outcome {
		if !a.c.takeAsk(w) {
			return failed("", fmt.Errorf("the request was answered or withdrawn just now"))
		}
		a.c.decided(w, result)
		a.c.news.from(a.s.tap.newest())
		seq, err := a.c.answer(w.id, msg)
		if err != nil {
			return failed("", err)
		}
		o := Outcome{OK: true, Request: seq}
		if rule := a.s.answering(); seq == 0 && rule != (Answers{}) {
			o.Result = rule.json()
		}
		return o
	}}
}

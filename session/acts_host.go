package session

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
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
	r, err := a.c.findRequest(word)
	if err != nil {
		return plan{}, err
	}
	const reason = "cancelled by the user"
	return plan{preview: cancelledBytes(r.id, reason), act: func(context.Context) Outcome {
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
	case r.method == mcpl.MethodInitialize:
		return nil, fmt.Errorf("initialize cannot be cancelled; `reconnect` tries again")
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

func (a *args) policyWord(allowed ...Policy) (Policy, error) {
	word, err := a.want("how")
	if err != nil || slices.Contains(allowed, Policy(word)) {
		return Policy(word), err
	}
	return "", fmt.Errorf("%q is no way to answer; it is: %s", word, a.cmd.Usage)
}

func (a *args) setting(which int, p Policy, reason string) plan {
	return plan{act: func(context.Context) Outcome {
		a.s.setPolicy(which, p, reason)
		return Outcome{OK: true}
	}}
}

func planGrant(a *args) (plan, error) { return a.granting(true) }
func planDeny(a *args) (plan, error)  { return a.granting(false) }

// granting changes the grant by rules, and tells the server by a request
// where that made a difference (mcpl-host.md, "Grants").
func (a *args) granting(allow bool) (plan, error) {
	var rules []mcpl.Rule
	for a.l.more() {
		path, err := a.want("a path")
		if err == nil {
			err = mcpl.CheckPattern(path)
		}
		if err != nil {
			return plan{}, err
		}
		rules = append(rules, mcpl.Rule{Pattern: path, Allow: allow})
	}
	if len(rules) == 0 {
		return plan{}, fmt.Errorf("a path is missing; it is: %s", a.cmd.Usage)
	}
	if err := a.c.mayAsk(plan{method: mcpl.MethodFeatureSets}); err != nil {
		return plan{}, err
	}
	if !a.c.isMCPL() {
		return plan{}, fmt.Errorf("this is a plain MCP server: it knows no grants")
	}
	p := plan{act: func(ctx context.Context) Outcome { return a.regrant(ctx, rules) }}
	if effective := a.c.effective(rules...); !a.c.toldAlready(effective) {
		p.preview = requestBytes(a.c.upcoming(), mcpl.MethodFeatureSets, a.c.policyParams(effective))
	}
	return p, nil
}

func (a *args) regrant(ctx context.Context, rules []mcpl.Rule) Outcome {
	a.s.addRules(rules)
	effective := a.c.effective()
	if a.c.toldAlready(effective) {
		return Outcome{OK: true, Result: encode(map[string][]string{"effectiveCapabilities": effective})}
	}
	a.c.news.from(a.s.tap.newest())
	r, err := a.c.sendPolicy(effective, true)
	if err != nil {
		return failed("", err)
	}
	return outcomeOf("", r, a.c.await(ctx, r))
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
	return plan{preview: msg, act: func(context.Context) Outcome {
		if !a.c.takeAsk(w) {
			return failed("", fmt.Errorf("the request was answered or withdrawn just now"))
		}
		a.c.decided(w, result)
		a.c.news.from(a.s.tap.newest())
		seq, err := a.c.send(msg)
		if err != nil {
			return failed("", err)
		}
		return Outcome{OK: true, Request: seq}
	}}
}

package session

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// planWait waits for a rev, a push, a request of the server, the calls that
// were sent with &, or a while. A push or request counts if it came since the
// last command that sent something, and no wait has seen it yet: what a
// server does at once is not missed.
func planWait(a *args) (plan, error) {
	what, err := a.want("what to wait for")
	if err != nil {
		return plan{}, err
	}
	var act func(context.Context) Outcome
	switch what {
	case "rev":
		word, err := a.want("the rev")
		if err != nil {
			return plan{}, err
		}
		rev, err := strconv.ParseInt(word, 10, 64)
		if err != nil || rev < 1 {
			return plan{}, fmt.Errorf("%q is no rev: they are 1, 2, 3, …", word)
		}
		act = a.waiting("rev "+word, func(ctx context.Context) (json.RawMessage, error) { return nil, a.waitRev(ctx, rev) })
	case "push":
		act = a.waiting("a push", func(ctx context.Context) (json.RawMessage, error) { return a.waitNews(ctx, newsPush) })
	case "request":
		act = a.waiting("a request of the server", func(ctx context.Context) (json.RawMessage, error) { return a.waitNews(ctx, newsRequest) })
	case "calls":
		act = a.waitCalls
	default:
		d, err := time.ParseDuration(what)
		if err != nil || d < 0 {
			return plan{}, fmt.Errorf("%q is nothing to wait for; it is: %s (a duration is 500ms, 2s, 1m)", what, a.cmd.Usage)
		}
		act = func(ctx context.Context) Outcome { return waitFor(ctx, d) }
	}
	return plan{act: act}, a.end()
}

func waitFor(ctx context.Context, d time.Duration) Outcome {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return Outcome{OK: true}
	case <-ctx.Done():
		return failed("", errCancelled)
	}
}

// waiting runs a wait with its time limit.
func (a *args) waiting(what string, wait func(context.Context) (json.RawMessage, error)) func(context.Context) Outcome {
	return func(ctx context.Context) Outcome {
		limit := a.s.cfg.WaitTimeout
		inTime, stop := context.WithTimeout(ctx, limit)
		defer stop()
		result, err := wait(inTime)
		switch {
		case err == nil:
			return Outcome{OK: true, Result: result}
		case ctx.Err() != nil:
			return failed("", errCancelled)
		case inTime.Err() != nil:
			return failed("", fmt.Errorf("%s did not come within %s; --timeout changes the limit", what, limit))
		}
		return failed("", err)
	}
}

func (a *args) waitRev(ctx context.Context, rev int64) error {
	view := a.s.cfg.View.On(a.c.n)
	for {
		changed := view.Changed()
		if view.Applied(rev) {
			return nil
		}
		// At the end of the connection what came before it may still be on
		// its way to the view.
		if a.c.isOver() {
			if err := view.Sync(ctx, a.s.tap.newest()); err != nil {
				return err
			}
			if view.Applied(rev) {
				return nil
			}
			return a.c.endError()
		}
		select {
		case <-changed:
		case <-a.c.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (a *args) waitNews(ctx context.Context, kind int) (json.RawMessage, error) {
	for {
		if kind == newsRequest {
			if w := a.c.peekAsk("last", false); w != nil {
				return describe(w.id, w.method, w.params, w.seq), nil
			}
		}
		happened, changed := a.c.news.next(kind)
		if happened != nil {
			return happened.result, nil
		}
		if a.c.isOver() {
			return nil, a.c.endError()
		}
		select {
		case <-changed:
		case <-a.c.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// background is a call that was sent with &.
type background struct {
	done    chan struct{}
	outcome Outcome
	given   bool // it was cancelled on purpose
}

// maxBackground is how many finished calls are kept for `wait calls`.
const maxBackground = 1000

// keepCall leaves a request to `wait calls`.
func (s *Session) keepCall(c *conn, text string, r *request, await func(context.Context) answer) Outcome {
	b := &background{done: make(chan struct{})}
	s.mu.Lock()
	if len(s.calls) >= maxBackground {
		s.calls = s.calls[1:]
	}
	s.calls = append(s.calls, b)
	s.mu.Unlock()
	wait := func() {
		defer close(b.done)
		a := await(context.Background())
		b.outcome, b.given = outcomeOf(text, r, a), a.err == errCancelled
	}
	if !c.spawn(wait) {
		wait() // the connection has just ended: so has the request
	}
	return Outcome{OK: true, Result: obj(member{"id", []byte(r.key())}), Request: r.seq}
}

// waitCalls waits for all calls that were sent with &, and gives the outcome
// of each. One that failed fails the wait, but for those that were cancelled.
func (a *args) waitCalls(ctx context.Context) Outcome {
	a.s.mu.Lock()
	calls := a.s.calls
	a.s.mu.Unlock()
	wait := a.waiting("the end of all calls", func(ctx context.Context) (json.RawMessage, error) {
		for _, b := range calls {
			select {
			case <-b.done:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return nil, nil
	})
	if o := wait(ctx); !o.OK {
		return o
	}
	a.s.mu.Lock()
	a.s.calls = a.s.calls[min(len(calls), len(a.s.calls)):]
	a.s.mu.Unlock()
	var failure *Outcome
	result := []byte{'['}
	for i, b := range calls {
		if i > 0 {
			result = append(result, ',')
		}
		result = append(result, b.outcome.JSON()...)
		if !b.outcome.OK && !b.given && failure == nil {
			failure = &calls[i].outcome
		}
	}
	o := Outcome{OK: true, Result: append(result, ']')}
	if failure != nil {
		o.OK, o.Err = false, &Error{Code: failure.Err.Code, Message: failure.Command + ": " + failure.Err.Message, Data: failure.Err.Data}
	}
	return o
}

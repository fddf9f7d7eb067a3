package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Bounds of a call whose answer asks for input again and again.
const (
	maxTurns     = 20 // times that it is sent
	maxIdleTurns = 3  // times in a row in which the server asked for nothing
)

// inquiry is an answer that asks for input (MCP 2026-07-28, "Multi Round-Trip
// Requests"): its questions wait where the requests of a server wait, and when
// all are answered the request is sent again with the answers.
type inquiry struct {
	of        *request
	questions []question
	done      chan struct{} // all are answered, or one was refused
	stop      func()        // gives it up
	// params are those of the request that is sent again.
	params func(id int64, answers []byte) []byte

	// Guarded by the connection's lock.
	left    int
	answers [][]byte // in the order of the questions
	refused *Error
}

// question is one thing that an answer asks for.
type question struct {
	mcpl.Question
	id wire.ID // under which it waits
}

// input is what an answer asks for: questions, and a state that goes back as
// it is. Of an error that sends a person to a page (MCP 2025-11-25,
// URLElicitationRequiredError) only is true: the request goes out again as it
// was, if all pages were accepted.
type input struct {
	questions []question
	state     []byte
	only      bool
}

// wanted returns what an answer asks for, nil where it is an end. Results ask
// in MCP 2026-07-28 alone.
func (c *conn) wanted(r *request, a answer) *input {
	if a.err != nil || !mcpl.AsksBack(r.method) || a.head.Kind == wire.Result && !c.stateless.Load() {
		return nil
	}
	questions, asks := mcpl.Questions(a.head)
	if !asks {
		return nil
	}
	in := &input{state: wire.Member(a.head.Result, "requestState"), only: a.head.Kind == wire.Error}
	for _, q := range questions {
		in.questions = append(in.questions, question{q, mcpl.QuestionID(wire.ID(r.key()), q.Key)})
	}
	return in
}

// settle waits for the answer to a request; as long as that asks for input,
// the questions are answered and the request is sent again.
func (c *conn) settle(ctx context.Context, q outgoing, r *request) answer {
	idle, plain := 0, q.params
	for n := 1; ; n++ {
		a := c.await(ctx, r)
		in := c.wanted(r, a)
		if in == nil {
			return a
		}
		if idle++; len(in.questions) > 0 {
			idle = 0
		}
		switch {
		case n >= maxTurns:
			return answer{seq: a.seq, err: fmt.Errorf("the server asked for input %d times; the request is not sent again", n)}
		case idle >= maxIdleTurns:
			return answer{seq: a.seq, err: fmt.Errorf("the server asked %d times for the request to be sent again, and for nothing else", idle)}
		}
		params := func(id int64, answers []byte) []byte {
			if in.only {
				return plain(id)
			}
			return withAnswers(plain(id), answers, in.state)
		}
		answers, err := c.inquire(ctx, r, a.seq, in, params)
		switch {
		case errors.Is(err, errPageDeclined):
			return a
		case err != nil:
			return answer{seq: a.seq, err: err}
		}
		q.params = func(id int64) []byte { return params(id, answers) }
		if r, err = c.ask(q); err != nil {
			return answer{seq: a.seq, err: err}
		}
	}
}

// withAnswers are the params of a request that is sent again.
func withAnswers(params, answers, state []byte) []byte {
	var out []member
	wire.EachMember(params, func(key string, v []byte) bool {
		if key != "inputResponses" && key != "requestState" {
			out = append(out, member{key, v})
		}
		return true
	})
	return obj(append(out, member{"inputResponses", answers}, member{"requestState", state})...)
}

// errPageDeclined: a person did not agree to visit a page.
var errPageDeclined = errors.New("the page was declined")

// inquire has the questions of an answer answered, and returns the answers as
// one object. seq is the answer's frame.
func (c *conn) inquire(ctx context.Context, r *request, seq int64, in *input, params func(int64, []byte) []byte) ([]byte, error) {
	if len(in.questions) == 0 {
		return nil, c.idle(ctx)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	t := &inquiry{
		of: r, questions: in.questions, left: len(in.questions), answers: make([][]byte, len(in.questions)),
		done: make(chan struct{}), stop: stop, params: params,
	}
	c.mu.Lock()
	c.inquiries = append(c.inquiries, t)
	c.inquiring.Store(true)
	c.mu.Unlock()
	for _, q := range t.questions {
		c.question(q, seq)
	}
	err := c.answersTo(ctx, t)
	c.dropInquiry(t)
	switch {
	case err == nil && in.only && (t.refused != nil || !t.accepted()):
		err = errPageDeclined
	case err == nil && t.refused != nil:
		err = t.refused
	}
	if err != nil {
		c.note("input-dropped", obj(member{"of", []byte(r.key())}, member{"reason", encode(err.Error())}))
		return nil, err
	}
	return t.all(), nil
}

// all are the answers as one object.
func (t *inquiry) all() []byte {
	answers := make([]member, len(t.questions))
	for i, q := range t.questions {
		answers[i] = member{q.Key, t.answers[i]}
	}
	return obj(answers...)
}

// accepted reports whether a person agreed to all.
func (t *inquiry) accepted() bool {
	return !slices.ContainsFunc(t.answers, func(a []byte) bool { return wire.StringOf(wire.Member(a, "action")) != "accept" })
}

// upcoming is the request that is sent again when this answer is given, nil
// where others are missing. The connection's lock is held.
func (t *inquiry) upcoming(id wire.ID, answer []byte, next int64) []byte {
	if t.left > 1 {
		return nil
	}
	last := inquiry{questions: t.questions, answers: slices.Clone(t.answers)}
	for i, q := range t.questions {
		if q.id == id {
			last.answers[i] = answer
		}
	}
	return requestBytes(next, t.of.method, t.params(next, last.all()))
}

// idle rests before a request is sent again for which the server only wants
// time.
func (c *conn) idle(ctx context.Context) error {
	timer := time.NewTimer(idleTime)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return errCancelled
	case <-c.ctx.Done():
		return errLinkClosing
	}
}

// idleTime is how long a server that is busy is left alone.
const idleTime = 500 * time.Millisecond

// question lets a question be answered like a request of the server.
func (c *conn) question(q question, seq int64) {
	h := wire.Head{Kind: wire.Request, ID: q.id, Method: q.Method, Params: q.Params}
	switch q.Method {
	case mcpl.MethodElicit, mcpl.MethodSampling, mcpl.MethodRootsList:
		c.asked(h, seq)
	default:
		c.refuse(q.id, &Error{Code: mcpl.CodeMethodUnknown, Message: "the answer asks for " + cutText(q.Method) + ", which this host does not know"})
	}
}

// answersTo waits until all questions are answered.
func (c *conn) answersTo(ctx context.Context, t *inquiry) error {
	var late <-chan time.Time
	if limit := c.s.cfg.InputLimit; limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-t.done:
		if c.ctx.Err() == nil {
			return nil
		}
		return errLinkClosing
	case <-ctx.Done():
		return errCancelled
	case <-late:
		return fmt.Errorf("nobody answered within %s what %s asks for; --timeout changes the limit", c.s.cfg.InputLimit, t.of.method)
	case <-c.ctx.Done():
		return errLinkClosing
	}
}

// dropInquiry takes away an inquiry with the questions of it that still wait.
func (c *conn) dropInquiry(t *inquiry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inquiries = slices.DeleteFunc(c.inquiries, func(other *inquiry) bool { return other == t })
	c.inquiring.Store(len(c.inquiries) > 0)
	for _, q := range t.questions {
		c.waiting = slices.DeleteFunc(c.waiting, func(a *ask) bool { return a.id == q.id })
		c.dropLate(q.id.Key())
	}
}

// toInquiry takes an answer that belongs to a question of an inquiry, and not onto
// the wire. The last one lets the request be sent again.
func (c *conn) toInquiry(msg []byte) bool {
	h := wire.Peek(msg)
	if h.Kind != wire.Result && h.Kind != wire.Error {
		return false
	}
	t, i := c.takeAnswer(h)
	if t == nil {
		return false
	}
	if h.Kind == wire.Result {
		c.note("input-answered", obj(member{"id", []byte(h.ID)}, member{"of", []byte(t.of.key())}, member{"key", encode(t.questions[i].Key)}))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.left > 0 {
		if t.left--; h.Kind == wire.Error {
			t.refused, t.left = errorOf(h.Error), 0
		}
		if t.left == 0 {
			close(t.done)
		}
	}
	return true
}

// takeAnswer keeps the answer to a question, and returns whose it is: nil for
// one that belongs to none, or comes a second time.
func (c *conn) takeAnswer(h wire.Head) (*inquiry, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.inquiries {
		for i, q := range t.questions {
			if q.id.Key() == h.ID.Key() && t.answers[i] == nil {
				if t.answers[i] = slices.Clone(h.Result); t.answers[i] == nil {
					t.answers[i] = []byte("null")
				}
				return t, i
			}
		}
	}
	return nil, 0
}

// inquiryOf returns the inquiry of a question, nil for what a server asked itself.
// The lock is held.
func (c *conn) inquiryOf(id wire.ID) *inquiry {
	for _, t := range c.inquiries {
		if slices.ContainsFunc(t.questions, func(q question) bool { return q.id == id }) {
			return t
		}
	}
	return nil
}

// findInquiry returns the inquiry that a word after cancel means: `last`, or the id
// of its request.
func (c *conn) findInquiry(word string) *inquiry {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range slices.Backward(c.inquiries) {
		if word == t.of.key() || (word == "" || word == "last") && len(c.sent) == 0 {
			return t
		}
	}
	return nil
}

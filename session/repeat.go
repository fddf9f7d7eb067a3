package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
)

// idempotencyKey is the header by which a server knows a call that it has
// seen already (draft-ietf-httpapi-idempotency-key-header). MCP names no
// member of a message for it.
const idempotencyKey = "Idempotency-Key"

// maxKey bounds an idempotency key, in bytes.
const maxKey = 255

// errNoHeaders is returned where a key was asked for and there is nothing
// that could carry it.
var errNoHeaders = errors.New("an Idempotency-Key is a header of HTTP, and this connection has none; leave the key away")

// keyedLink is a link whose messages can carry an idempotency key.
type keyedLink interface {
	SendKeyed(msg []byte, key string, record func(via string)) error
}

// keyData is what is recorded of the header: the key is no secret.
func keyData(key string) []byte {
	return obj(member{"headers", obj(member{idempotencyKey, encode(key)})})
}

// sentCall is what `again` repeats.
type sentCall struct{ plan plan }

// keyed gives a call over HTTP a key of its own where each is to have one.
func (s *Session) keyed(c *conn, p *plan) {
	if _, ok := c.link.(keyedLink); ok && s.cfg.Keyed && p.key == "" && p.method == mcpl.MethodToolsCall {
		p.key = uuid.NewString()
	}
}

// remember keeps the last call for `again`.
func (s *Session) remember(p plan) {
	if p.method != mcpl.MethodToolsCall {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastCall = &sentCall{p}
}

// planAgain sends the last call once more: the same arguments, the same key.
func planAgain(a *args) (plan, error) {
	if err := a.end(); err != nil {
		return plan{}, err
	}
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	if a.s.lastCall == nil {
		return plan{}, errors.New("no call was made yet; call makes one")
	}
	return a.s.lastCall.plan, nil
}

// planKey puts a key beside another command.
func planKey(a *args) (plan, error) {
	key, err := a.want("the key")
	if err != nil {
		return plan{}, err
	}
	if headerSafe(key) == "" || len(key) > maxKey {
		return plan{}, fmt.Errorf("this is no Idempotency-Key: give at most %d letters, digits and signs", maxKey)
	}
	if _, ok := a.c.link.(keyedLink); !ok {
		return plan{}, errNoHeaders
	}
	p, err := a.inner()
	p.key = key
	return p, err
}

// planTimeout sets how long an answer may take: that of another command, or,
// alone, of all from now on.
func planTimeout(a *args) (plan, error) {
	word, err := a.want("the time")
	if err != nil {
		return plan{}, err
	}
	d, err := time.ParseDuration(word)
	if err != nil || d <= 0 {
		return plan{}, fmt.Errorf("%q is no time: write 500ms, 20s, 2m", word)
	}
	if a.l.more() {
		p, err := a.inner()
		p.limit = d
		return p, err
	}
	return plan{act: func(context.Context) Outcome {
		a.s.mu.Lock()
		a.s.limit = d
		a.s.mu.Unlock()
		a.c.note("limit", limitData(d))
		return Outcome{OK: true}
	}}, nil
}

// inner plans the command that follows on the line: one whose request can be
// sent another way.
func (a *args) inner() (plan, error) {
	name, err := a.want("the command")
	if err != nil {
		return plan{}, err
	}
	cmd, err := lookup(name)
	if err != nil {
		return plan{}, err
	}
	b := *a
	b.cmd = cmd
	p, err := cmd.plan(&b)
	if err == nil && p.act != nil {
		err = fmt.Errorf("%s stands before a command that sends a request: call, open, close, raw; not %s", a.cmd.Name, cmd.Name)
	}
	return p, err
}

// Timeout returns how long the answer to a request may take.
func (s *Session) Timeout() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.limit
}

// limitData is what the note "limit" holds: of one request, or of all.
func limitData(d time.Duration, of ...member) []byte {
	return obj(append(of, member{"seconds", strconv.AppendFloat(nil, d.Seconds(), 'f', -1, 64)})...)
}

// requestWords are the commands whose request inner can plan.
func requestWords() []Completion {
	var out []Completion
	for _, c := range commandWords() {
		switch c.Text {
		case "call", "open", "close", "again", "raw", "log":
			out = append(out, c)
		}
	}
	return out
}

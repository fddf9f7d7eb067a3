package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Policy is how something that the server asks for is answered.
type Policy string

// The policies. The zero value means the default of what it stands for.
const (
	Accept  Policy = "accept"
	Refuse  Policy = "refuse"  // a push is refused
	Decline Policy = "decline" // a question is declined
	Ask     Policy = "ask"     // it waits for a person
)

// ask is a request of the server that waits for a person.
type ask struct {
	id     wire.ID
	method string
	params []byte
	seq    int64
	event  event // of a push
}

// handlers answer the requests of a server. Each answers exactly once, or
// lets the request wait; none of them waits itself.
var handlers = map[string]func(*conn, wire.Head, int64){
	mcpl.MethodPing:             func(c *conn, h wire.Head, _ int64) { c.reply(h.ID, []byte("{}")) },
	mcpl.MethodRootsList:        func(c *conn, h wire.Head, _ int64) { c.reply(h.ID, c.s.rootsResult()) },
	mcpl.MethodElicit:           (*conn).elicit,
	mcpl.MethodSampling:         (*conn).sample,
	mcpl.MethodInference:        (*conn).infer,
	mcpl.MethodModelInfo:        (*conn).modelInfo,
	mcpl.MethodPush:             (*conn).push,
	mcpl.MethodChannelsRegister: (*conn).channelsRegister,
	mcpl.MethodChannelsChanged:  (*conn).channelsChanged,
	mcpl.MethodChannelsList:     (*conn).channelsList,
	mcpl.MethodChannelsIncoming: (*conn).channelsIncoming,
	mcpl.MethodStateUpdate:      (*conn).stateUpdate,
	mcpl.MethodStateGet:         (*conn).stateGet,
}

// asked answers a request of the server: every one, unknown methods
// included, for silence is a defect (mcpl-host.md, "Server to host").
func (c *conn) asked(h wire.Head, seq int64) {
	if h.Method != mcpl.MethodPush {
		// Who waits for it may answer it at once, so it has to wait by then.
		defer c.news.add(h, seq)
	}
	if answer := handlers[h.Method]; answer != nil {
		answer(c, h, seq)
		return
	}
	c.refuse(h.ID, &Error{Code: mcpl.CodeMethodUnknown, Message: "this host does not know the method " + h.Method})
}

// reply and refuse answer a request of the server. A link that is gone takes
// no answers; that is on record as its end.
func (c *conn) reply(id wire.ID, result []byte)   { _, _ = c.answer(id, resultBytes(id, result)) }
func (c *conn) refuse(id wire.ID, because *Error) { _, _ = c.answer(id, errorBytes(id, because)) }

// maxWaiting is how many requests wait for a person at once; what comes
// beyond is declined.
const maxWaiting = 10_000

// wait lets a request wait for a person.
func (c *conn) wait(h wire.Head, seq int64, e event) {
	a := &ask{id: h.ID, method: h.Method, params: h.Params, seq: seq, event: e}
	c.mu.Lock()
	reason := ""
	switch {
	case c.leaving:
		reason = leavingReason
	case len(c.waiting) >= maxWaiting:
		reason = fmt.Sprintf("%d requests wait for the user already", maxWaiting)
	default:
		c.waiting = append(c.waiting, a)
	}
	c.mu.Unlock()
	if reason != "" {
		_, _ = c.answer(a.id, a.declined(reason))
		return
	}
	c.news.tell()
}

// withdrawn is notifications/cancelled: the server no longer waits for an
// answer, so it gets none (MCP, cancellation).
func (c *conn) withdrawn(h wire.Head) {
	id := wire.ID(wire.Member(h.Params, "requestId"))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = slices.DeleteFunc(c.waiting, func(a *ask) bool { return a.id.Key() == id.Key() })
	c.dropLate(id.Key())
}

// takeAsk removes a waiting request; false means that it waits no more.
func (c *conn) takeAsk(a *ask) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.waiting, a)
	if i >= 0 {
		c.waiting = slices.Delete(c.waiting, i, i+1)
	}
	return i >= 0
}

// peekAsk returns the waiting request that a word of the command language
// means, or nil: `last`, or an id. In quotes it is the id "7", else first 7
// and then, for people do not type quotes, "7".
func (c *conn) peekAsk(word string, quoted bool) *ask {
	c.mu.Lock()
	defer c.mu.Unlock()
	if word == "last" && !quoted {
		if n := len(c.waiting); n > 0 {
			return c.waiting[n-1]
		}
		return nil
	}
	for _, wantString := range []bool{quoted, true} {
		for _, a := range c.waiting {
			if isString := strings.HasPrefix(string(a.id), `"`); isString == wantString && a.id.String() == word {
				return a
			}
		}
	}
	return nil
}

// declined is the message that declines a waiting request.
func (a *ask) declined(reason string) []byte {
	switch a.method {
	case mcpl.MethodPush:
		return resultBytes(a.id, notAccepted(reason))
	case mcpl.MethodElicit:
		return resultBytes(a.id, []byte(`{"action":"decline"}`))
	case mcpl.MethodChannelsRegister, mcpl.MethodChannelsChanged:
		return resultBytes(a.id, channelResults(a.channels(), declinedBy(reason)))
	default:
		return errorBytes(a.id, rejected(reason))
	}
}

func notAccepted(reason string) []byte {
	if reason == "" {
		reason = "declined by the user"
	}
	return obj(member{"accepted", []byte("false")}, member{"reason", encode(reason)})
}

func rejected(reason string) *Error {
	if reason == "" {
		reason = "declined by the user"
	}
	return &Error{Code: mcpl.CodeUserRejected, Message: reason}
}

const leavingReason = "the host closes the connection"

// declineWaiting answers everything that waits, once, before the connection
// is closed; from then on nothing waits any more.
func (c *conn) declineWaiting() {
	c.mu.Lock()
	waiting := c.waiting
	c.waiting, c.leaving = nil, true
	c.mu.Unlock()
	c.sendLate()
	for _, a := range waiting {
		if !c.s.silent() {
			_, _ = c.send(a.declined(leavingReason))
		}
	}
}

// elicit is elicitation/create. A page to visit, and every other kind that is
// no form, cannot be accepted unseen.
func (c *conn) elicit(h wire.Head, seq int64) {
	policy, _ := c.s.policy(policyElicit)
	form := wire.Member(h.Params, "mode")
	switch {
	case policy == Ask:
		c.wait(h, seq, event{})
	case policy == Accept && (form == nil || wire.StringOf(form) == "form"):
		c.reply(h.ID, obj(member{"action", encode("accept")}, member{"content", defaults(wire.Member(h.Params, "requestedSchema"))}))
	default:
		c.reply(h.ID, []byte(`{"action":"decline"}`))
	}
}

// sample is sampling/createMessage: a person is asked to be the model, or it
// is declined.
func (c *conn) sample(h wire.Head, seq int64) {
	if policy, _ := c.s.policy(policySampling); policy == Ask {
		c.wait(h, seq, event{})
		return
	}
	c.refuse(h.ID, rejected("this host has no model: sampling is declined"))
}

// infer is inference/request, MCPL's form of the same.
func (c *conn) infer(h wire.Head, seq int64) {
	if e := c.denial(mcpl.CapInference); e != nil {
		c.refuse(h.ID, e)
		return
	}
	if e := c.featureDenial(wire.StringOf(wire.Member(h.Params, "featureSet"))); e != nil {
		c.refuse(h.ID, e)
		return
	}
	c.sample(h, seq)
}

// modelInfo is model/info: the model is whoever sits at the keyboard.
func (c *conn) modelInfo(h wire.Head, _ int64) {
	if e := c.denial(mcpl.CapModelInfo); e != nil {
		c.refuse(h.ID, e)
		return
	}
	c.reply(h.ID, encode(map[string]string{"id": c.s.cfg.Model, "vendor": c.s.cfg.ClientName}))
}

package session

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// turns counts the inferences that a person plays for the hooks of a server.
type turns struct {
	mu   sync.Mutex
	n    int  // of the last one, from 1
	over bool // it was told to have ended
}

// phases of an inference (MCPL draft §10.5); all but the first end it.
var phases = []string{"started", "completed", "aborted", "failed"}

func hookCommand() Command {
	return Command{
		Name: "hook", Usage: "hook before [TEXT|JSON] | started|completed|aborted|failed [JSON]",
		Help: "play an inference: see what the server would inject", plan: planHook, literal: true,
	}
}

func hookWords() []Completion {
	out := []Completion{{Text: "before", Help: "[TEXT]: what would the server inject before an inference"}}
	for _, p := range phases {
		out = append(out, Completion{Text: p, Help: "tell that the inference " + map[bool]string{true: "began", false: "ended"}[p == "started"]})
	}
	return out
}

func planHook(a *args) (plan, error) {
	word, err := a.want("the hook")
	switch {
	case err != nil:
		return plan{}, err
	case word == "before":
		return planBefore(a)
	case slices.Contains(phases, word):
		return planLifecycle(a, word)
	}
	return plan{}, fmt.Errorf("%q is no hook; it is: %s", word, a.cmd.Usage)
}

// turn returns the number of the inference that is spoken of: a new one where
// the last one is over, or where one begins. Only what is really sent counts.
func (a *args) turn(begins, ends bool) int {
	t := &a.c.turns
	t.mu.Lock()
	defer t.mu.Unlock()
	n, over := t.n, t.over
	if n == 0 || begins || over {
		n, over = n+1, false
	}
	if a.live {
		t.n, t.over = n, over || ends
	}
	return n
}

// inference are the members that tell which inference is meant.
func inference(n int) []member {
	return []member{
		{"inferenceId", encode("inference-" + strconv.Itoa(n))},
		{"conversationId", encode(conversation)},
		{"turnIndex", strconv.AppendInt(nil, int64(n-1), 10)},
	}
}

// planBefore is context/beforeInference. A server that may not observe gets no
// word of the user, but it is asked all the same (MCPL draft §10.1).
func planBefore(a *args) (plan, error) {
	needs := []string{mcpl.CapObserve}
	for _, c := range mcpl.Capabilities {
		if len(c) > len(mcpl.CapInject) && c[:len(mcpl.CapInject)] == mcpl.CapInject {
			needs = append(needs, c)
		}
	}
	if err := a.needGrant(needs...); err != nil {
		return plan{}, err
	}
	message, typed := []byte("null"), []byte(nil)
	if a.l.more() && a.l.text[a.l.pos] == '{' {
		var err error
		if typed, err = a.l.json(); err != nil {
			return plan{}, err
		}
	} else if text := a.l.rest(); text != "" && a.c.denial(mcpl.CapObserve) == nil {
		message = encode(text)
	}
	model := encode(map[string]string{"id": a.s.cfg.Model, "vendor": a.s.cfg.ClientName})
	params := overlaid(append(inference(a.turn(true, false)), member{"userMessage", message}, member{"model", model}), typed)
	return plan{
		preview: requestBytes(a.c.upcoming(), mcpl.MethodBeforeInference, params),
		act: func(ctx context.Context) Outcome {
			o := a.asked(ctx, mcpl.MethodBeforeInference, params)
			o.Judged = a.c.judged(o.Result)
			return o
		},
	}, nil
}

// judged says of each injection whether its position is granted at this
// moment: each is authorized by itself (MCPL draft §10.8).
func (c *conn) judged(result []byte) []byte {
	out := []byte{'['}
	wire.EachElement(wire.Member(result, "contextInjections"), func(v []byte) bool {
		if len(out) > 1 {
			out = append(out, ',')
		}
		position := wire.StringOf(wire.Member(v, "position"))
		path := mcpl.CapInject + position
		allowed := strconv.AppendBool(nil, slices.Contains(mcpl.Capabilities, path) && c.denial(path) == nil)
		out = append(out, obj(member{"position", encode(position)}, member{"needs", encode(path)}, member{"allowed", allowed})...)
		return true
	})
	if len(out) == 1 {
		return nil
	}
	return append(out, ']')
}

// planLifecycle is inference/lifecycle, which carries nothing of what was said.
func planLifecycle(a *args, phase string) (plan, error) {
	if err := a.needGrant(mcpl.CapLifecycle); err != nil {
		return plan{}, err
	}
	typed, err := a.l.json()
	if err != nil {
		return plan{}, err
	}
	n := a.turn(false, phase != phases[0])
	return a.sending(notificationBytes(mcpl.MethodLifecycle, overlaid(append(inference(n), member{"phase", encode(phase)}), typed))), nil
}

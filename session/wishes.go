package session

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
)

// wishes are what the user wants granted: rules on capability paths, the last
// one that matches deciding, and feature sets that are disabled although the
// grant would leave them enabled.
type wishes struct {
	rules []mcpl.Rule
	off   map[string]bool // false: enabled again
}

// wished returns the wishes of the session with some more.
func (s *Session) wished(more wishes) wishes {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := wishes{rules: slices.Concat(s.wishes.rules, more.rules), off: map[string]bool{}}
	maps.Copy(w.off, s.wishes.off)
	maps.Copy(w.off, more.off)
	maps.DeleteFunc(w.off, func(_ string, off bool) bool { return !off })
	return w
}

// wish adds wishes to those of the session.
func (s *Session) wish(more wishes) {
	w := s.wished(more)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wishes = wishes{rules: tidied(w.rules), off: w.off}
}

// tidied leaves out rules that a later one replaces, so that they do not add
// up in a long session.
func tidied(rules []mcpl.Rule) []mcpl.Rule {
	last := map[string]int{}
	for i, r := range rules {
		last[r.Pattern] = i
	}
	var out []mcpl.Rule
	for i, r := range rules {
		if last[r.Pattern] == i {
			out = append(out, r)
		}
	}
	return out
}

func planGrant(a *args) (plan, error) { return a.granting(true) }
func planDeny(a *args) (plan, error)  { return a.granting(false) }

// granting changes the grant, and tells the server by one request where that
// made a difference (mcpl-host.md, "Grants"). The words grant and deny turn
// what the words after them do.
func (a *args) granting(allow bool) (plan, error) {
	var more wishes
	n := 0
	for a.l.more() {
		word, quoted, err := a.l.word()
		switch {
		case err != nil:
			return plan{}, err
		case !quoted && (word == "grant" || word == "deny"):
			allow = word == "grant"
			continue
		}
		n++
		if err := a.c.wishFor(&more, word, allow); err != nil {
			return plan{}, err
		}
	}
	if n == 0 {
		return plan{}, fmt.Errorf("a path is missing; it is: %s", a.cmd.Usage)
	}
	if a.c.isOver() { // the next connection is told
		return plan{act: func(context.Context) Outcome { a.s.wish(more); return Outcome{OK: true} }}, nil
	}
	if err := a.c.mayAsk(plan{method: mcpl.MethodFeatureSets}); err != nil {
		return plan{}, err
	}
	if !a.c.isMCPL() {
		return plan{}, fmt.Errorf("this is a plain MCP server: it knows no grants")
	}
	p := plan{act: func(ctx context.Context) Outcome { return a.regrant(ctx, more) }}
	if next := a.c.policy(more); !a.c.toldAlready(next) {
		p.preview = requestBytes(a.c.upcoming(), mcpl.MethodFeatureSets, next.params)
	}
	return p, nil
}

func (a *args) regrant(ctx context.Context, more wishes) Outcome {
	a.s.wish(more)
	next := a.c.policy(wishes{})
	if a.c.toldAlready(next) {
		return Outcome{OK: true, Result: encode(map[string][]string{"effectiveCapabilities": next.effective})}
	}
	a.c.news.from(a.s.tap.newest())
	r, err := a.c.sendPolicy(next, true)
	if err != nil {
		return failed("", err)
	}
	return outcomeOf("", r, a.c.awaitReceipt(ctx, r))
}

// wishFor adds what one word means: a pattern of capability paths, or a
// feature set by its name. To grant a feature set is to grant what it uses; to
// deny one leaves the paths to the others.
func (c *conn) wishFor(w *wishes, word string, allow bool) error {
	c.mu.Lock()
	f := c.grant.named[word]
	var others []string
	for i := range c.grant.sets[:min(len(c.grant.sets), maxSetNames)] {
		others = append(others, c.grant.sets[i].Name)
	}
	c.mu.Unlock()
	err := mcpl.CheckPattern(word, others...)
	switch {
	case err == nil:
		w.rules = append(w.rules, mcpl.Rule{Pattern: word, Allow: allow})
		return nil
	case f == nil:
		return err
	case allow && !f.Valid:
		return fmt.Errorf("the feature set %s cannot be enabled: its uses are absent, empty or unknown (invalid_uses)", word)
	}
	if w.off == nil {
		w.off = map[string]bool{}
	}
	if w.off[word] = !allow; allow {
		for _, path := range f.Uses {
			w.rules = append(w.rules, mcpl.Rule{Pattern: path, Allow: true})
		}
	}
	return nil
}

// maxSetNames is how many feature sets are looked at for what a word could
// mean, and offered to complete it.
const maxSetNames = 1000

// grantable are the words that can follow grant and deny.
func (s *Session) grantable() []Completion {
	out := named(mcpl.Capabilities, "a capability")
	for _, p := range mcpl.Subtrees() {
		out = append(out, Completion{Text: p, Help: "all that lies beneath"})
	}
	c, err := s.current()
	if err != nil {
		return out
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.grant.sets[:min(len(c.grant.sets), maxSetNames)] {
		if name := c.grant.sets[i].Name; mcpl.CheckPattern(name) != nil {
			out = append(out, Completion{Text: QuoteWord(name), Help: "a feature set"})
		}
	}
	return out
}

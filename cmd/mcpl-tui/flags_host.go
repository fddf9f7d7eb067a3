package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcpl-tui/mcpl-tui/session"
)

// hostFlags say how the host answers what a server asks, and in what it is
// another host than it should be.
type hostFlags struct {
	push, elicit       string
	sampling, channels string
	roots              []string
	answerAfter        time.Duration
	silent             bool
	ignoreHints        bool
}

// quietHost is how a host without a screen answers: nobody is there to ask.
func quietHost() hostFlags {
	return hostFlags{push: "accept", elicit: "decline", sampling: "decline", channels: "accept"}
}

// askingHost is how a host with a screen answers: what only a person can
// answer is asked there.
func askingHost() hostFlags {
	f := quietHost()
	f.elicit, f.sampling = string(session.Ask), string(session.Ask)
	return f
}

func (f *hostFlags) add(fl *pflag.FlagSet) {
	q := quietHost()
	fl.StringVar(&f.push, "push", q.push, "answer pushes: accept, refuse or ask")
	fl.StringVar(&f.elicit, "elicit", q.elicit, "answer elicitations: accept (the defaults), decline or ask")
	fl.StringVar(&f.sampling, "sampling", q.sampling, "answer sampling and inference requests: ask (you are the model) or decline")
	fl.StringVar(&f.channels, "channels", q.channels, "answer channels that the server registers: accept, ask or decline")
	fl.StringArrayVar(&f.roots, "root", nil, "a `DIR` that roots/list tells the server (repeatable)")
	fl.DurationVar(&f.answerAfter, "answer-after", 0, "answer the server's requests so late, to see how it takes that")
	fl.BoolVar(&f.silent, "silent", false, "never answer the server's requests")
	fl.BoolVar(&f.ignoreHints, "ignore-hints", false, "ask for toolHints, but show and use the plain list alone")
}

// askPerson makes the defaults of a command those of askingHost.
func askPerson(c *cobra.Command) {
	h := askingHost()
	for name, policy := range map[string]string{"elicit": h.elicit, "sampling": h.sampling} {
		fl := c.Flags().Lookup(name)
		fl.DefValue = policy
		if err := fl.Value.Set(fl.DefValue); err != nil {
			panic("a flag does not take its default: " + err.Error())
		}
	}
}

// behave puts the flags into the session's settings, or says which one is
// wrong.
func (f *hostFlags) behave(cfg *session.Config) (err error) {
	for _, p := range []struct {
		into    *session.Policy
		flag    string
		word    string
		allowed []session.Policy
	}{
		{&cfg.Push, "push", f.push, []session.Policy{session.Accept, session.Refuse, session.Ask}},
		{&cfg.Elicit, "elicit", f.elicit, []session.Policy{session.Accept, session.Decline, session.Ask}},
		{&cfg.Sampling, "sampling", f.sampling, []session.Policy{session.Ask, session.Decline}},
		{&cfg.Channels, "channels", f.channels, []session.Policy{session.Accept, session.Ask, session.Decline}},
	} {
		if *p.into, err = oneOfWords(p.flag, p.word, p.allowed...); err != nil {
			return err
		}
	}
	switch {
	case f.answerAfter < 0 || f.answerAfter > session.MaxLate:
		return fmt.Errorf("--answer-after %s: give a time up to %s, as in 500ms", f.answerAfter, session.MaxLate)
	case f.silent && f.answerAfter > 0:
		return errors.New("--silent never answers: leave out --answer-after")
	}
	cfg.Answers = session.Answers{Late: f.answerAfter, Never: f.silent}
	cfg.IgnoreHints = f.ignoreHints
	for _, dir := range f.roots {
		root, err := session.DirRoot(dir)
		if err != nil {
			return fmt.Errorf("--root: %w", err)
		}
		cfg.Roots = append(cfg.Roots, root)
	}
	return nil
}

func oneOfWords(flag, word string, words ...session.Policy) (session.Policy, error) {
	var names []string
	for _, w := range words {
		if string(w) == word {
			return w, nil
		}
		names = append(names, string(w))
	}
	return "", fmt.Errorf("--%s %s: give %s", flag, word, strings.Join(names, ", "))
}

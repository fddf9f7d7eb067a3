package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcpl-tui/mcpl-tui/session"
)

// usefulFor says for which targets a flag does something, and what it is, of
// those flags that do nothing for others.
var usefulFor = []struct {
	flag, is string
	kinds    []string
}{
	{"header", "goes to an address", addresses},
	{"token-env", "goes to an address", addresses},
	{"client-id", "is for logging in at an address", addresses},
	{"client-secret-env", "is for logging in at an address", addresses},
	{"login-wait", "is for logging in at an address", addresses},
	{"idempotency-key", "goes to an address", addresses},
	{"token-as", "says how a token goes to a WebSocket (wss://, ws:// or mcpl://)", []string{session.KindWS}},
	{"env", "is for a server that is started (-- COMMAND)", []string{session.KindStdio}},
	{"cwd", "is for a server that is started (-- COMMAND)", []string{session.KindStdio}},
}

var addresses = []string{session.KindHTTP, session.KindSSE, session.KindWS}

// targetWords name what is connected to, in the refusal of a flag.
var targetWords = map[string]string{
	session.KindStdio: "a command", session.KindDemo: "the demo", session.KindHTTP: "an https:// or http:// address",
	session.KindSSE: "an sse+ address", session.KindWS: "a WebSocket",
}

// follow keeps which flags were given: those of c that were not there before.
func (f *connectFlags) follow(c *cobra.Command, before []string) {
	f.set = func(name string) bool { return c.Flags().Changed(name) }
	for _, name := range flagNames(c) {
		if !slices.Contains(before, name) {
			f.names = append(f.names, name)
		}
	}
}

// useless refuses a flag that was given, and does nothing for the target:
// silence would let its giver believe that it does.
func (f *connectFlags) useless(t session.Target) error {
	if f.set == nil {
		return nil
	}
	for _, u := range usefulFor {
		if f.set(u.flag) && !slices.Contains(u.kinds, t.Kind) {
			return fmt.Errorf("--%s %s, and the target is %s: leave it out", u.flag, u.is, targetWords[t.Kind])
		}
	}
	return nil
}

// onlyLive refuses a flag that was given for connecting where a recording is
// read: one of these, or of the command's own.
func (f *connectFlags) onlyLive(file string, own ...string) error {
	if name := f.given(own...); name != "" {
		return fmt.Errorf("--%s is for a live server, and %s is a recording: leave it out", name, oneLine(file))
	}
	return nil
}

// given is the first flag that was given of these, and of the command's own,
// "" where none was.
func (f *connectFlags) given(own ...string) string {
	if f.set == nil {
		return ""
	}
	names := slices.Concat(own, f.names)
	if i := slices.IndexFunc(names, f.set); i >= 0 {
		return names[i]
	}
	return ""
}

// flagNames are the flags that a command has.
func flagNames(c *cobra.Command) []string {
	var names []string
	c.Flags().VisitAll(func(fl *pflag.Flag) { names = append(names, fl.Name) })
	return names
}

package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/known"
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
)

// connectFlags are the flags of every command that connects (outputs.md,
// "TARGET").
type connectFlags struct {
	env                       []string
	dir                       string
	header                    []string
	tokenEnv                  string
	clientID, clientSecretEnv string // of OAuth
	tokenAs                   string
	loginWait                 time.Duration
	like                      string
	noToolHints               bool
	plain                     bool
	protocol                  string
	deny, grant               []string
	timeout                   time.Duration
	keyed                     bool // each call has an Idempotency-Key
	hostFlags
	output string

	set   func(name string) bool // whether a flag was given, nil: none
	names []string               // of these flags

	// found is where known servers are looked up, nil: in their files.
	found func() known.List

	mu     sync.Mutex
	origin string // whom header and token are for: the first address
}

// named is the value of a flag that names something. Nothing is no name: it
// comes of a variable that the shell does not have, and must not pass for a
// flag that was not given.
type named string

func (n *named) String() string { return string(*n) }

// Type implements pflag.Value.
func (n *named) Type() string { return "string" }

// Set implements pflag.Value.
func (n *named) Set(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("it is empty; give a name, or leave the flag out")
	}
	*n = named(text)
	return nil
}

func (f *connectFlags) add(c *cobra.Command, timeout time.Duration) {
	fl, before := c.Flags(), flagNames(c)
	defer func() { f.follow(c, before) }()
	fl.StringArrayVar(&f.env, "env", nil, "`K=V` added to the server's environment (repeatable; never recorded)")
	fl.Var((*named)(&f.dir), "cwd", "working `DIR` of the server")
	fl.StringArrayVar(&f.header, "header", nil, "header `'K: V'` sent to an address (repeatable; the value is never recorded)")
	fl.Var((*named)(&f.tokenEnv), "token-env", "send the bearer token that the variable `NAME` holds to an address")
	fl.StringVar(&f.tokenAs, "token-as", "", "how the token goes to a WebSocket, `WAY`: "+strings.Join(session.TokenWays, ", ")+" (default "+session.TokenWays[0]+")")
	fl.DurationVar(&f.loginWait, "login-wait", session.DefaultLogin, "how long you may take to log in where an address wants that (OAuth), 0: not at all")
	fl.Var((*named)(&f.clientID), "client-id", "log in as the OAuth client `ID` that you registered with the address's authorization server")
	fl.Var((*named)(&f.clientSecretEnv), "client-secret-env", "the secret of --client-id is in the variable `NAME`")
	fl.Var((*named)(&f.like), "like", "take variables, headers and folder from the known server `NAME`")
	fl.BoolVar(&f.noToolHints, "no-toolhints", false, "connect as an MCPL host without toolHints")
	fl.BoolVar(&f.plain, "plain", false, "connect as a plain MCP host")
	fl.StringVar(&f.protocol, "protocol", mcpl.Protocol, "the `VERSION` of MCP to speak: "+strings.Join(session.ProtocolChoices(), ", ")+" (auto: the newest, or what the server speaks)")
	fl.StringArrayVar(&f.deny, "deny", nil, "do not grant `PATH`, as in pushEvents or channels.** (repeatable)")
	fl.StringArrayVar(&f.grant, "grant", nil, "grant `PATH` although a --deny covers it (repeatable)")
	fl.DurationVar(&f.timeout, "timeout", timeout, "how long a request may take")
	fl.BoolVar(&f.keyed, "idempotency-key", false, "send each call to an address with an Idempotency-Key of its own; the command again repeats it")
	f.hostFlags.add(fl)
	fl.VarP((*named)(&f.output), "output", "o", "record to `FILE`")
	paths := cobra.FixedCompletions(append(mcpl.Subtrees(), mcpl.Capabilities...), cobra.ShellCompDirectiveNoFileComp)
	for _, name := range []string{"deny", "grant"} {
		_ = c.RegisterFlagCompletionFunc(name, paths) // the flag is there: it is made above
	}
}

// config turns the flags into the session's settings, or says which one is
// wrong.
func (f *connectFlags) config(t session.Target) (session.Config, error) {
	for _, kv := range f.env {
		if name, _, ok := strings.Cut(kv, "="); !ok || name == "" {
			// What stands there may be a secret without its name.
			return session.Config{}, fmt.Errorf("--env takes NAME=VALUE, and one of them is not of that form")
		}
	}
	if f.timeout <= 0 {
		return session.Config{}, fmt.Errorf("--timeout %s: give a time above 0, as in 30s", f.timeout)
	}
	if f.loginWait < 0 {
		return session.Config{}, fmt.Errorf("--login-wait %s: give a time of 0 or more, as in 5m", f.loginWait)
	}
	for flag, patterns := range map[string][]string{"deny": f.deny, "grant": f.grant} {
		for _, p := range patterns {
			if err := mcpl.CheckPattern(p); err != nil {
				return session.Config{}, fmt.Errorf("--%s %s: %w", flag, p, err)
			}
		}
	}
	if f.ignoreHints && (f.noToolHints || f.plain) {
		return session.Config{}, errors.New("--ignore-hints asks for hints: leave out --no-toolhints and --plain")
	}
	if err := f.checkProtocol(t); err != nil {
		return session.Config{}, err
	}
	header, token, err := f.credentials(t)
	if err != nil {
		return session.Config{}, err
	}
	login, err := f.oauth(t)
	if err != nil {
		return session.Config{}, err
	}
	cfg := session.Config{
		Target: t, Env: f.env, Header: header, Token: token, TokenAs: f.tokenAs, Dir: f.dir,
		ToolHints: !f.noToolHints && !f.plain, NoToolHints: f.noToolHints, Plain: f.plain,
		Protocol: f.protocol, OAuth: login, Deny: f.deny, Grant: f.grant, Timeout: f.timeout, Keyed: f.keyed,
	}
	return cfg, f.behave(&cfg)
}

// checkProtocol says what is wrong with --protocol.
func (f *connectFlags) checkProtocol(t session.Target) error {
	switch {
	case f.protocol != "" && !slices.Contains(session.ProtocolChoices(), f.protocol):
		return fmt.Errorf("--protocol %s: give %s", f.protocol, strings.Join(session.ProtocolChoices(), ", "))
	case f.protocol == mcpl.ProtocolStateless && t.Kind == session.KindSSE:
		return fmt.Errorf("--protocol %s does not go with the older SSE transport: connect to the https:// address of the server", f.protocol)
	}
	return nil
}

// credentials are the headers and the token for the target. They are meant
// for the address that they were given with: another one, typed later on the
// screen, gets none of them.
func (f *connectFlags) credentials(t session.Target) (headers []session.Header, token string, err error) {
	for _, field := range f.header {
		h, err := session.ParseHeader(field)
		if err != nil {
			return nil, "", fmt.Errorf("--header: %w", err)
		}
		headers = append(headers, h)
	}
	if f.tokenEnv != "" {
		if token = strings.TrimSpace(os.Getenv(f.tokenEnv)); token == "" || strings.ContainsAny(token, " \r\n") {
			return nil, "", fmt.Errorf("--token-env %s: the variable holds no token; set it, or give another name", f.tokenEnv)
		}
	}
	if f.tokenAs != "" && !slices.Contains(session.TokenWays, f.tokenAs) {
		return nil, "", fmt.Errorf("--token-as %s: give %s", f.tokenAs, strings.Join(session.TokenWays, ", "))
	}
	if !f.isFor(t) {
		return nil, "", nil
	}
	return headers, token, nil
}

// isFor reports whether the credentials of the flags are meant for a target.
func (f *connectFlags) isFor(t session.Target) bool {
	origin := t.Origin()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.origin == "" {
		f.origin = origin
	}
	return origin != "" && origin == f.origin
}

// envNames are the names of what --env sets. Values are shown nowhere.
func (f *connectFlags) envNames() []string { return namesOf(f.env) }

// namesOf are the names of K=V.
func namesOf(env []string) []string {
	var names []string
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		names = append(names, name)
	}
	return names
}

// doArgs are the flags that `mcpl-tui do` needs to repeat this connection,
// without the values of variables and headers.
func (f *connectFlags) doArgs(t session.Target) string { return f.argsIn(t, f.dir) }

// argsIn is doArgs with another folder of the server.
func (f *connectFlags) argsIn(t session.Target, dir string) string {
	var out []string
	if f.like != "" {
		out = append(out, "--like", shellquote.Join(f.like))
	}
	if f.isFor(t) {
		for _, field := range f.header {
			name, _, _ := strings.Cut(field, ":")
			out = append(out, "--header", shellquote.Join(strings.TrimSpace(name)+": …"))
		}
		if f.clientID != "" {
			out = append(out, "--client-id", shellquote.Join(f.clientID))
		}
		if f.clientSecretEnv != "" {
			out = append(out, "--client-secret-env", shellquote.Join(f.clientSecretEnv))
		}
		if f.tokenEnv != "" {
			out = append(out, "--token-env", shellquote.Join(f.tokenEnv))
			if f.tokenAs != "" {
				out = append(out, "--token-as", f.tokenAs)
			}
		}
	}
	if f.keyed {
		out = append(out, "--idempotency-key")
	}
	if f.noToolHints {
		out = append(out, "--no-toolhints")
	}
	if f.plain {
		out = append(out, "--plain")
	}
	if f.ignoreHints {
		out = append(out, "--ignore-hints")
	}
	if f.protocol != "" && f.protocol != mcpl.Protocol {
		out = append(out, "--protocol", f.protocol)
	}
	for _, p := range f.deny {
		out = append(out, "--deny", shellquote.Join(p))
	}
	for _, p := range f.grant {
		out = append(out, "--grant", shellquote.Join(p))
	}
	if t.Kind == session.KindStdio {
		if dir != "" {
			out = append(out, "--cwd", shellquote.Join(dir))
		}
		for _, n := range f.envNames() {
			out = append(out, "--env", n+"=…")
		}
	}
	return strings.Join(out, " ")
}

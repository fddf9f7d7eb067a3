package session

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The kinds of a target, as in a recording's header (outputs.md).
const (
	KindStdio = "stdio"
	KindHTTP  = "http"
	KindSSE   = "sse"
	KindWS    = "ws"
	KindDemo  = "demo"
)

// ErrTarget is what every error about what to connect to is, by errors.Is.
// Its text stands in none of them: each is a sentence of its own.
var ErrTarget = errors.New("no target")

// targetFault is an error about what to connect to.
type targetFault string

func (f targetFault) Error() string { return string(f) }

// Is reports whether err is ErrTarget.
func (targetFault) Is(err error) bool { return err == ErrTarget }

// Target is what to connect to.
type Target struct {
	Kind    string   // KindStdio, …
	Command []string // of stdio
	URL     string   // of http, sse and ws, as it was given
}

// targetForms is what a target can be, for errors.
const targetForms = "a target is `-- command args…`, an address (https://, sse+https://, wss:// or mcpl://, or without TLS http://, sse+http://, ws://), or `demo`"

// schemes are the addresses of a target, and the kind that each means.
var schemes = map[string]string{
	"http": KindHTTP, "https": KindHTTP, "sse+http": KindSSE, "sse+https": KindSSE,
	"ws": KindWS, "wss": KindWS, "mcpl": KindWS,
}

// ParseTarget reads the arguments of a command line as a target. dashAt is
// the position in args at which `--` stood, -1 where there was none. Errors
// are one line that says what to write.
func ParseTarget(args []string, dashAt int) (Target, error) {
	switch {
	case dashAt >= 0 && len(args) == dashAt:
		return Target{}, targetError("after -- comes the command of the server, with its arguments")
	case dashAt > 0:
		return Target{}, targetError("%q stands before --: the whole command comes after it", strings.Join(args[:dashAt], " "))
	case dashAt == 0:
		return Target{Kind: KindStdio, Command: slices.Clone(args)}, nil
	case len(args) == 0:
		return Target{}, targetError("say what to connect to: %s", targetForms)
	case len(args) > 1:
		return Target{}, targetError("to start a command write -- before it: -- %s", quoteAll(args))
	case args[0] == KindDemo:
		return Target{Kind: KindDemo}, nil
	}
	return parseAddress(args[0])
}

func parseAddress(word string) (Target, error) {
	scheme, rest, ok := strings.Cut(word, "://")
	kind := schemes[strings.ToLower(scheme)]
	switch {
	case ok && kind == "":
		return Target{}, targetError("no link speaks %s://; %s", scheme, targetForms)
	case ok && rest == "":
		return Target{}, targetError("%s lacks a host", word)
	case ok:
		// Not repeated in the error: it may hold a password.
		if u, err := url.Parse(word); err != nil || u.Hostname() == "" {
			return Target{}, targetError("what follows %s:// is no address; it is %s://HOST[:PORT]/PATH", scheme, strings.ToLower(scheme))
		}
		return Target{Kind: kind, URL: word}, nil
	case strings.ContainsAny(word, " \t"):
		return Target{}, targetError("to start a command write -- before it, without quotes: -- %s", word)
	case LacksScheme(word):
		return Target{}, targetError("%s does not say what it speaks: write http://%s, or sse+http:// or ws:// before it", word, word)
	default:
		return Target{}, targetError("%q is no target; %s", word, targetForms)
	}
}

// LacksScheme reports whether a word is an address but for what it begins
// with: a host and a port, perhaps with a path.
func LacksScheme(word string) bool {
	host, _, _ := strings.Cut(word, "/")
	name, port, err := net.SplitHostPort(host)
	if err != nil || name == "" {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}

func targetError(format string, args ...any) error {
	return targetFault(fmt.Sprintf(format, args...))
}

// String is the target as a person would name it: `node server.js`, `demo`,
// an address.
func (t Target) String() string {
	switch t.Kind {
	case KindStdio:
		return quoteAll(t.Command)
	case KindDemo:
		return KindDemo
	default:
		return t.URL
	}
}

// Args is the target as arguments of a shell command, `-- node server.js`.
func (t Target) Args() string {
	if t.Kind == KindStdio {
		return "-- " + quoteAll(t.Command)
	}
	return quoteShell(t.String())
}

// DoCommand is the `mcpl-tui do` command that runs the lines on the target,
// quoted for a shell.
func DoCommand(t Target, lines ...string) string {
	var b strings.Builder
	b.WriteString("mcpl-tui do")
	for _, l := range lines {
		b.WriteString(" -c " + quoteShell(l))
	}
	return b.String() + " " + t.Args()
}

func quoteAll(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quoteShell(w)
	}
	return strings.Join(quoted, " ")
}

// quoteShell quotes a word for a POSIX shell where it needs it.
func quoteShell(w string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./_-", r)
	}
	if w != "" && strings.IndexFunc(w, func(r rune) bool { return !plain(r) }) < 0 {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

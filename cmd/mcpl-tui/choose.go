package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/known"
	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// chosen is what to connect to: a target, and, where it stands in a
// configuration file, what that says of how.
type chosen struct {
	target session.Target
	shown  session.Target // as it may be recorded
	name   string         // what one types for a known server, "" for others
	server known.Server   // of a name
	dir    string
	env    []string
	header []string
}

// errNoServer is returned for a word that is the name of no known server.
var errNoServer = errors.New("no known server")

// choose reads the arguments of a command line, as session.ParseTarget does;
// one word may also be the name of a known server.
func choose(f *connectFlags, args []string, dashAt int) (chosen, error) {
	t, err := session.ParseTarget(args, dashAt)
	switch {
	case err == nil && f.like != "":
		return chooseLike(f, t)
	case err == nil:
		return chosen{target: t, shown: t}, nil
	case len(args) != 1 || dashAt >= 0 || strings.Contains(args[0], "://"):
		return chosen{}, err
	}
	w := known.Here()
	l := f.servers(w)
	s, name, nameErr := knownServer(w, l, args[0])
	if errors.Is(nameErr, errNoServer) {
		return chosen{}, noTarget(l, args[0], err)
	}
	if nameErr != nil {
		return chosen{}, nameErr
	}
	return chooseServer(f, w, s, name)
}

// chooseLive is choose, unless the one word names a recording.
func chooseLive(f *connectFlags, args []string, dashAt int) (chosen, error) {
	if len(args) == 1 && dashAt < 0 && args[0] != session.KindDemo && (args[0] == "-" || isFile(find(args[0]))) {
		return chosen{}, fmt.Errorf("%w: %s is a file", session.ErrTarget, args[0])
	}
	return choose(f, args, dashAt)
}

// servers are the known servers.
func (f *connectFlags) servers(w known.World) known.List {
	if f.found != nil {
		return f.found()
	}
	return known.Find(w)
}

// chooseServer is a known server as what to connect to.
func chooseServer(f *connectFlags, w known.World, s known.Server, name string) (chosen, error) {
	r, err := s.Resolve(w, f.gives)
	if err != nil {
		return chosen{}, err
	}
	return chosen{
		target: r.Target, shown: r.Shown, name: name, server: s, dir: r.Dir, env: r.Env, header: r.Headers,
	}, nil
}

// chooseLike is a target that is connected to as a known server is (--like).
func chooseLike(f *connectFlags, t session.Target) (chosen, error) {
	w := known.Here()
	s, _, err := knownServer(w, f.servers(w), f.like)
	if err != nil {
		return chosen{}, fmt.Errorf("--like %s: %w", f.like, err)
	}
	to, err := chooseServer(f, w, s.With(t), "")
	if err != nil {
		return chosen{}, fmt.Errorf("--like %s: %w", f.like, err)
	}
	return to, nil
}

// knownServer finds a server by what is typed for it: NAME, or NAME@FILE. It
// returns the word that names it without a doubt.
func knownServer(w known.World, l known.List, word string) (known.Server, string, error) {
	switch found := l.Named(word); len(found) {
	case 0:
	case 1:
		return found[0], word, nil
	default:
		return known.Server{}, "", ambiguous(w, word, found)
	}
	for i := range len(word) {
		if word[i] != '@' {
			continue
		}
		in, err := known.In(w, w.Long(word[i+1:]))
		if err != nil {
			continue
		}
		if found := in.Named(word[:i]); len(found) > 0 {
			return found[0], word, nil
		}
		return known.Server{}, "", fmt.Errorf("%s sets up no server %q; it has %s", word[i+1:], word[:i], strings.Join(in.Names(), ", "))
	}
	return known.Server{}, "", fmt.Errorf("%w %q; mcpl-tui servers lists them", errNoServer, word)
}

// ambiguous lists what a name can mean.
func ambiguous(w known.World, name string, found []known.Server) error {
	var all []string
	for _, s := range found {
		all = append(all, fmt.Sprintf("%s is %s", shellquote.Join(inFile(w, s)), kit.Cut(s.Target(), 60)))
	}
	return fmt.Errorf("%q is set up in %d ways, so say which: %s", name, len(found), strings.Join(all, "; "))
}

// inFile is the word that names a server without a doubt.
func inFile(w known.World, s known.Server) string { return s.Name + "@" + w.Short(s.File) }

// noTarget explains a word that is no target, with what was most likely
// meant.
func noTarget(l known.List, word string, err error) error {
	if p, ok := l.Refused(word); ok {
		return fmt.Errorf("%q cannot be connected to: %w", word, p)
	}
	if near := kit.Nearest(word, append(l.Names(), session.KindDemo)); near != "" {
		return fmt.Errorf("no target %q. Did you mean %s?", word, near)
	}
	if session.LacksScheme(word) {
		return err
	}
	return fmt.Errorf("%w, or a name that mcpl-tui servers lists", err)
}

// connecting is the session's settings for what was chosen. What a flag says
// goes before what a configuration file says.
func (f *connectFlags) connecting(to chosen) (session.Config, error) {
	if err := f.useless(to.target); err != nil {
		return session.Config{}, err
	}
	cfg, err := f.config(to.target)
	if err != nil {
		return cfg, err
	}
	cfg.Env = append(slices.Clone(to.env), cfg.Env...) // of two, the last one counts
	if cfg.Dir == "" {
		cfg.Dir = to.dir
	}
	for _, field := range to.header {
		h, err := session.ParseHeader(field)
		if err != nil {
			name, _, _ := strings.Cut(field, ":")
			return cfg, fmt.Errorf("the header %s of %s: %w", name, to.server.File, err)
		}
		if !slices.ContainsFunc(cfg.Header, func(o session.Header) bool { return o.Name == h.Name }) {
			cfg.Header = append(cfg.Header, h)
		}
	}
	return cfg, nil
}

// gives reports whether a flag sets the variable or header of that name.
func (f *connectFlags) gives(name string) bool {
	if slices.Contains(f.envNames(), name) {
		return true
	}
	return slices.ContainsFunc(f.header, func(field string) bool {
		n, _, _ := strings.Cut(field, ":")
		return strings.EqualFold(strings.TrimSpace(n), name)
	})
}

// record makes the recording of a session with what was chosen.
func (to chosen) record(dir, file string, keep bool) (*record.Recording, error) {
	if to.name == "" {
		return newRecording(to.shown, dir, file, keep)
	}
	return recordingNamed(to.server.Name, to.shown, dir, file, keep)
}

// args is what was chosen as arguments of a shell command, given how the
// recording has it: without secrets.
func (to chosen) args(recorded session.Target) string {
	if to.name != "" {
		return shellquote.Join(to.name)
	}
	return recorded.Args()
}

// completeTargets completes names of known servers on the shell, beside files.
func completeTargets(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	out := []string{"demo\tarcade, built in"}
	if staged, err := c.Flags().GetBool("stage"); err == nil && staged {
		out = append(keptNames(), out...)
	}
	w := known.Here()
	l := known.Find(w)
	for _, name := range l.Names() {
		for _, s := range l.Named(name) {
			out = append(out, oneLine(typedName(w, l, s))+"\t"+oneLine(s.Target()))
		}
	}
	return out, cobra.ShellCompDirectiveDefault
}

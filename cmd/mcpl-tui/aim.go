package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/known"
	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/ui/start"
)

// aim is what a line that is typed on the screen leads to: what one writes on
// the command line, flags and all, where a command needs no -- before it.
type aim struct {
	path    string // a recording
	to      chosen // else
	flags   *connectFlags
	own     bool // headers and token stand in the line
	meaning start.Meaning
}

// hidden stands in a line for the value of a variable or header, which no
// line shows: it is the one that was given before.
const hidden = "…"

// typedFlags is what lines of this screen said.
type typedFlags struct {
	connected bool     // so the flags of the command line have had their target
	env       []string // every K=V that was given
	header    []string
}

// aimAt reads a line. It looks at files, and connects to nothing.
func (d *desk) aimAt(text string) (aim, error) {
	words, err := shellquote.Split(text)
	if err != nil {
		return aim{}, errors.New("a quotation mark in the line has no end")
	}
	words = pasted(words)
	if len(words) == 0 {
		return aim{}, errors.New("type a command, an address, the name of a server or a file")
	}
	f, words, dashed, own, err := d.lineFlags(words)
	if err != nil {
		return aim{}, err
	}
	a := aim{flags: f, own: own}
	w := known.Here()
	for i := range words {
		words[i] = w.Long(words[i])
	}
	f.dir = w.Long(f.dir)
	switch {
	case len(words) == 0:
		return aim{}, errors.New("after the flags comes what to connect to")
	case dashed:
		err = a.command(words, true)
	case len(words) > 1:
		err = a.command(words, false)
	default:
		err = a.word(words[0])
	}
	return a, err
}

// pasted takes off what stands before the target in a command that was copied.
func pasted(words []string) []string {
	if len(words) > 1 && filepath.Base(words[0]) == "mcpl-tui" {
		words = words[1:]
		if len(words) > 1 && words[0] == "replay" {
			words = words[1:]
		}
	}
	return words
}

// lineFlags reads the flags of a line. What it does not say is as the command
// line has it; only what belonged to the first target does not go to others.
func (d *desk) lineFlags(words []string) (f *connectFlags, rest []string, dashed, own bool, err error) {
	f = &connectFlags{found: d.places.servers}
	c := &cobra.Command{Use: "mcpl-tui"}
	f.add(c, d.flags.timeout)
	fl := c.Flags()
	fl.SetInterspersed(false)
	fl.Usage = func() {}
	if strings.HasPrefix(words[0], "-") {
		if err := fl.Parse(words); err != nil {
			return nil, nil, false, false, nearestFlag(c, err)
		}
		words, dashed = fl.Args(), fl.ArgsLenAtDash() == 0
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.flags
	inherit(fl.Changed, map[string]func(){
		"deny": func() { f.deny = b.deny }, "grant": func() { f.grant = b.grant }, "push": func() { f.push = b.push },
		"elicit": func() { f.elicit = b.elicit }, "sampling": func() { f.sampling = b.sampling }, "channels": func() { f.channels = b.channels },
		"root": func() { f.roots = b.roots }, "answer-after": func() { f.answerAfter = b.answerAfter }, "silent": func() { f.silent = b.silent },
		"ignore-hints": func() { f.ignoreHints = b.ignoreHints }, "header": func() { f.header = b.header },
		"token-env": func() { f.tokenEnv = b.tokenEnv }, "token-as": func() { f.tokenAs = b.tokenAs },
		"client-id": func() { f.clientID = b.clientID }, "client-secret-env": func() { f.clientSecretEnv = b.clientSecretEnv },
	})
	if !d.typed.connected {
		inherit(fl.Changed, map[string]func(){
			"env": func() { f.env = b.env }, "cwd": func() { f.dir = b.dir }, "like": func() { f.like = b.like },
			"plain": func() { f.plain = b.plain }, "no-toolhints": func() { f.noToolHints = b.noToolHints },
			"output": func() { f.output = b.output },
		})
	}
	if f.env, err = d.typed.fill(f.env, "=", append(slices.Clone(b.env), d.typed.env...), "--env"); err != nil {
		return nil, nil, false, false, err
	}
	if f.header, err = d.typed.fill(f.header, ":", append(slices.Clone(b.header), d.typed.header...), "--header"); err != nil {
		return nil, nil, false, false, err
	}
	return f, slices.Clone(words), dashed, fl.Changed("header") || fl.Changed("token-env") || fl.Changed("client-id"), nil
}

func inherit(changed func(string) bool, fields map[string]func()) {
	for name, take := range fields {
		if !changed(name) {
			take()
		}
	}
}

// fill puts the values in that are hidden in a line.
func (typedFlags) fill(list []string, sep string, given []string, flag string) ([]string, error) {
	list = slices.Clone(list)
	for i, field := range list {
		name, value, _ := strings.Cut(field, sep)
		if strings.TrimSpace(value) != hidden {
			continue
		}
		at := slices.IndexFunc(given, func(g string) bool {
			n, v, ok := strings.Cut(g, sep)
			return ok && strings.EqualFold(strings.TrimSpace(n), strings.TrimSpace(name)) && strings.TrimSpace(v) != hidden
		})
		if at < 0 {
			return nil, fmt.Errorf("%s %s: its value was kept nowhere; write it in place of %s", flag, name, hidden)
		}
		list[i] = given[at]
	}
	return list, nil
}

// command is a line that starts a server. Without -- before it, its program
// must be one.
func (a *aim) command(words []string, sure bool) error {
	a.meaning = start.Meaning{Text: "a command, stdio", Sure: true}
	if err := masks(words...); err != nil {
		return err
	}
	if !sure && !a.runs(words[0]) {
		return fmt.Errorf("there is no program %s; write -- before the command to start it all the same", words[0])
	}
	return a.choose(words, 0)
}

// runs reports whether a word is a program.
func (a *aim) runs(word string) bool {
	if a.flags.dir != "" && !filepath.IsAbs(word) && strings.ContainsRune(word, filepath.Separator) {
		word = filepath.Join(a.flags.dir, word)
	}
	_, err := exec.LookPath(word)
	return err == nil || errors.Is(err, exec.ErrDot)
}

func (a *aim) choose(words []string, dash int) (err error) {
	a.to, err = choose(a.flags, words, dash)
	return err
}

// word is a line of one word: a recording, an address, a name, a program.
func (a *aim) word(word string) error {
	path := find(word)
	file := word != session.KindDemo && isFile(path)
	if file && (!runnable(path) || strings.Contains(filepath.Base(path), record.Ext)) {
		if err := a.flags.onlyLive(word); err != nil {
			return err
		}
		a.path, a.meaning = path, start.Meaning{Text: "a recording", Sure: true}
		return nil
	}
	if err := masks(word); err != nil {
		return err
	}
	err := a.choose([]string{word}, -1)
	switch {
	case err == nil:
		a.meaning = start.Meaning{Text: kindWords[a.to.target.Kind], Sure: true}
		if a.to.name != "" {
			a.meaning.Text = "a server of " + known.Here().Short(a.to.server.File)
		}
		return nil
	case !errors.Is(err, session.ErrTarget):
		return err
	case file || a.runs(word) && !strings.Contains(word, "://"):
		a.meaning = start.Meaning{Text: "a command, stdio", Sure: file, Maybe: !file}
		return a.choose([]string{word}, 0)
	case looksLikeFile(word):
		return fmt.Errorf("there is no file %s", word)
	case strings.Contains(word, "://"):
		return err
	}
	return fmt.Errorf("nothing is known as %q, and there is no such program", word)
}

var kindWords = map[string]string{
	session.KindDemo: "the demo, built in", session.KindHTTP: "an address, Streamable HTTP",
	session.KindSSE: "an address, HTTP with SSE", session.KindWS: "an address, WebSocket",
}

func runnable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o111 != 0
}

// masks refuses what a recording or a list wrote in the place of a secret.
func masks(words ...string) error {
	for _, w := range words {
		if strings.Contains(w, record.Mask) {
			return fmt.Errorf("what stood in the place of %s was kept nowhere: write it there", record.Mask)
		}
	}
	return nil
}

// Target implements ui.Targeter.
func (d *desk) Target(_ context.Context, text string) error {
	a, err := d.aimAt(text)
	if err != nil {
		return err
	}
	if a.path != "" {
		p, err := openPlayed(a.path, d.crashed)
		if err != nil {
			return err
		}
		d.put(p)
		return nil
	}
	if !a.own { // bound to the address that they were given with
		a.flags.origin = d.flags.bind(a.to.target)
	}
	return d.connect(a.to, a.flags)
}

// bind returns whom the credentials of the flags are for: the target, if it is
// the first.
func (f *connectFlags) bind(t session.Target) string {
	f.isFor(t)
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.origin
}

// connect starts a session with what was chosen and lays it on the desk.
func (d *desk) connect(to chosen, flags *connectFlags) error {
	cfg, err := flags.connecting(to)
	if err != nil {
		return err
	}
	cfg.Panicked, cfg.Retry = d.crashed, retries(cfg.Target.Kind)
	file := flags.output
	rec, err := to.record(cfg.Dir, file, d.keep)
	if err != nil {
		return err
	}
	flags.output, d.flags.output = "", "" // a second session must not go into the first one's file
	d.mu.Lock()
	d.typed.connected = true
	d.typed.env = append(slices.Clone(flags.env), d.typed.env...)
	d.typed.header = append(slices.Clone(flags.header), d.typed.header...)
	d.mu.Unlock()
	d.remember(to, flags, rec.Header())
	on := &liveOnDesk{live: connectOver(d.ctx, cfg, rec, judgedLog(rec), demoServer()), to: to, doArgs: flags.doArgs(to.target)}
	if w := d.watch; w != nil {
		d.watch = nil // a second session has other files
		on.watched = true
		on.watch(w, d.crashed)
	}
	d.put(on)
	return nil
}

// remember keeps a target for the list of recent ones; not the demo, and not
// what stands in a file of its own. With --no-record no trace is left.
func (d *desk) remember(to chosen, flags *connectFlags, h record.Header) {
	if !d.keep || to.name != "" || to.target.Kind == session.KindDemo {
		return
	}
	list, err := recents()
	if err == nil {
		shown := masked(to.target, h)
		err = list.Add(known.Recent{
			Line: strings.TrimSpace(flags.argsIn(to.target, "") + " " + shown.Args()),
			Name: nameOf(to.target, flags.dir), What: shown.String(), Dir: h.Target.Cwd, At: time.Now().Truncate(time.Second),
		})
	}
	d.places.failed(err)
}

// recents is the list of recent targets of this user.
func recents() (known.Recents, error) {
	dir, err := record.Dir()
	return known.Recents{Path: filepath.Join(dir, "recent.json")}, err
}

package known

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/session"
)

// Resolved is a server ready to be connected to.
type Resolved struct {
	Target session.Target
	// Shown is the target as it may be recorded: what came out of the
	// environment stands there by its name.
	Shown   session.Target
	Dir     string   // working directory, "": the one of this process
	Env     []string // K=V
	Headers []string // K: V
}

// Resolve puts together what the server is connected with. given reports
// whether the caller sets a variable or header of that name itself, which
// then need not be known here. The error is one line that says what is
// missing.
func (s Server) Resolve(w World, given func(name string) bool) (Resolved, error) {
	e := expander{s: s, w: w}
	var out Resolved
	var err error
	if out.Target, out.Shown, err = e.target(); err != nil {
		return Resolved{}, s.cannot(err)
	}
	if out.Dir, err = e.full(s.dir()); err != nil {
		return Resolved{}, s.cannot(err)
	}
	if s.envFile != "" {
		if out.Env, err = e.readEnvFile(); err != nil {
			return Resolved{}, s.cannot(err)
		}
	}
	env, err := e.pairs(s.env, "=", given)
	if err != nil {
		return Resolved{}, s.cannot(err)
	}
	out.Env = append(out.Env, env...)
	if out.Headers, err = e.pairs(s.headers, ": ", given); err != nil {
		return Resolved{}, s.cannot(err)
	}
	return out, nil
}

func (s Server) cannot(err error) error {
	return fmt.Errorf("%s cannot be connected to as %s sets it up: %w", s.Name, s.File, err)
}

// dir is the folder in which the server is started, as it is written.
func (s Server) dir() string {
	if s.Cwd == "" || s.root == "" || filepath.IsAbs(s.Cwd) || strings.HasPrefix(s.Cwd, "${") {
		if s.Cwd == "" {
			return s.root
		}
		return s.Cwd
	}
	return filepath.Join(s.root, s.Cwd)
}

// Folder is the folder in which the server is started, "" for the one of this
// process.
func (s Server) Folder(w World) string {
	e := expander{s: s, w: w}
	dir, err := e.full(s.dir())
	if err != nil {
		return s.dir()
	}
	return dir
}

// expander replaces what stands for something else in values.
type expander struct {
	s Server
	w World
}

func (e *expander) target() (real, shown session.Target, err error) {
	real, shown = session.Target{Kind: e.s.Kind}, session.Target{Kind: e.s.Kind}
	for _, word := range e.s.Command {
		full, err := e.full(word)
		if err != nil {
			return real, shown, err
		}
		real.Command = append(real.Command, full)
		shown.Command = append(shown.Command, e.plain(word))
	}
	if e.s.URL == "" {
		return real, shown, nil
	}
	address, err := e.full(e.s.URL)
	if err != nil {
		return real, shown, err
	}
	if real, err = session.ParseTarget([]string{address}, -1); err != nil || real.URL == "" {
		// As it is written: filled in it may hold a secret.
		return real, shown, fmt.Errorf("its url %s is no address that can be connected to", record.RedactURL(e.s.URL))
	}
	if real.URL, err = e.withToken(real.URL); err != nil {
		return real, shown, err
	}
	shown.Kind, shown.URL = real.Kind, e.plain(e.s.URL)
	return real, shown, nil
}

// withToken adds the token of an MCPL bridge's server, which travels in the
// address.
func (e *expander) withToken(address string) (string, error) {
	token := e.s.token
	if token == "" && e.s.tokenOf != "" {
		var ok bool
		if token, ok = e.w.Lookup(e.s.tokenOf); !ok {
			return "", fmt.Errorf("its token is in the variable %s, which is not set: set it and try again", e.s.tokenOf)
		}
	}
	if token == "" {
		return address, nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("its url %s is no address", record.RedactURL(e.s.URL))
	}
	q := u.Query()
	q.Set("token", token)
	u.RawQuery = q.Encode()
	return u.String(), nil
}

func (e *expander) pairs(list []pair, between string, given func(string) bool) ([]string, error) {
	var out []string
	for _, p := range list {
		if given != nil && given(p.name) {
			continue
		}
		v, err := e.full(p.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		out = append(out, p.name+between+v)
	}
	return out, nil
}

// full replaces everything.
func (e *expander) full(text string) (string, error) {
	return e.each(text, func(name string) (string, bool, error) {
		if v, ok := e.folder(name); ok {
			return v, true, nil
		}
		return e.value(name)
	})
}

// plain replaces what is no secret: names of folders.
func (e *expander) plain(text string) string {
	out, _ := e.each(text, func(name string) (string, bool, error) {
		v, ok := e.folder(name)
		return v, ok, nil
	})
	return out
}

// each goes through the ${names} of a text. What do does not know stays.
func (e *expander) each(text string, do func(name string) (string, bool, error)) (string, error) {
	if e.s.way.dollar {
		text = braced(text)
	}
	var b strings.Builder
	for {
		head, rest, ok := strings.Cut(text, "${")
		b.WriteString(head)
		if !ok {
			return b.String(), nil
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok {
			b.WriteString("${" + rest)
			return b.String(), nil
		}
		v, known, err := do(name)
		if err != nil {
			return "", err
		}
		if !known {
			v = "${" + name + "}"
		}
		b.WriteString(v)
		text = after
	}
}

// braced writes $NAME as ${NAME}.
func braced(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '$' {
			b.WriteByte(text[i])
			continue
		}
		n := i + 1
		for n < len(text) && isNameByte(text[n], n > i+1) {
			n++
		}
		if n == i+1 {
			b.WriteByte('$')
			continue
		}
		b.WriteString("${" + text[i+1:n] + "}")
		i = n - 1
	}
	return b.String()
}

func isNameByte(c byte, digits bool) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || digits && c >= '0' && c <= '9'
}

func isName(s string) bool {
	for i := range len(s) {
		if !isNameByte(s[i], i > 0) {
			return false
		}
	}
	return s != ""
}

// folder knows the names that an editor gives to folders.
func (e *expander) folder(name string) (string, bool) {
	if !e.s.way.vars {
		return "", false
	}
	root := e.s.root
	if root == "" {
		root = e.w.Dir
	}
	switch name {
	case "workspaceFolder", "workspaceRoot":
		return root, true
	case "workspaceFolderBasename":
		return filepath.Base(root), true
	case "userHome":
		return e.w.Home, true
	case "cwd":
		return e.w.Dir, true
	case "pathSeparator", "/":
		return string(filepath.Separator), true
	}
	return "", false
}

// largestFile is how much of a ${file:…} is taken.
const largestFile = 64 << 10

// value knows the names of what may be secret.
func (e *expander) value(name string) (string, bool, error) {
	way := e.s.way
	if id, ok := strings.CutPrefix(name, "input:"); ok && way.inputs {
		return "", false, fmt.Errorf("%s asks its user for %s, and here nobody is asked: give the value with --env or --header", e.s.Product, e.input(id))
	}
	if v, ok := strings.CutPrefix(name, "env:"); ok && way.vars {
		value, _ := e.w.Lookup(v) // editors take an unset one for empty
		return value, true, nil
	}
	if path, ok := strings.CutPrefix(name, "file:"); ok && way.files {
		data, err := readSmall(e.w.Long(path))
		if err != nil || len(data) > largestFile {
			return "", false, fmt.Errorf("${%s} cannot be read", name)
		}
		return strings.TrimRight(string(data), "\r\n"), true, nil
	}
	if !way.shell {
		return "", false, nil
	}
	v, fallback, has := strings.Cut(name, ":-")
	if !isName(v) {
		return "", false, nil
	}
	if value, ok := e.w.Lookup(v); ok && (value != "" || !has) {
		return value, true, nil
	}
	if !has {
		return "", false, fmt.Errorf("the variable %s is not set: set it and try again", v)
	}
	return fallback, true, nil
}

func (e *expander) input(id string) string {
	if text := e.s.inputs[id]; text != "" {
		return fmt.Sprintf("%q (%s)", id, text)
	}
	return fmt.Sprintf("%q", id)
}

// readEnvFile reads NAME=VALUE lines.
func (e *expander) readEnvFile() ([]string, error) {
	path, err := e.full(e.s.envFile)
	if err != nil {
		return nil, err
	}
	if path = e.w.Long(path); !filepath.IsAbs(path) {
		path = filepath.Join(e.s.root, path)
	}
	data, err := readSmall(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("its envFile %s is not there", path)
	}
	if err != nil {
		return nil, fmt.Errorf("its envFile %s: %w", path, err)
	}
	var out []string
	for _, line := range strings.Split(string(data), "\n") {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		name, value, ok := strings.Cut(line, "=")
		if name = strings.TrimSpace(name); !ok || !isName(name) {
			continue
		}
		out = append(out, name+"="+unquoted(strings.TrimSpace(value)))
	}
	return out, nil
}

func unquoted(v string) string {
	if len(v) >= 2 && (v[0] == '"' || v[0] == '\'') && v[len(v)-1] == v[0] {
		return v[1 : len(v)-1]
	}
	return v
}

// With is the server with another command, or another address: variables and
// folder stay, and so do headers and token where the address is of the same
// origin.
func (s Server) With(t session.Target) Server {
	was := session.Target{URL: s.URL}
	s.Kind, s.Command, s.URL = t.Kind, t.Command, t.URL
	if origin := t.Origin(); origin == "" || origin != was.Origin() {
		s.headers, s.Headers, s.token, s.tokenOf = nil, nil, "", ""
	}
	return s
}

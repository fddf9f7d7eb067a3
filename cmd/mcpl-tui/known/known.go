// Package known finds the MCP and MCPL servers that other programs on this
// machine are set up to use, and remembers what was connected to lately.
//
// What may be relied on:
//   - Nothing is started, and no file of another program is written.
//   - Find reads small regular files alone, each to its end at once. One that
//     cannot be read, or a part of it, gives a Problem that names the place;
//     everything else is listed all the same.
//   - Values of environment variables and headers are in no exported field:
//     they are put together by Resolve, at the moment of connecting.
//   - Text of a file is not safe for a terminal: who draws it cleans it.
package known

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/session"
)

// World is what the search depends on. Here is the one of this process.
type World struct {
	Home   string // the user's home folder, "" where there is none
	Dir    string // the working directory
	GOOS   string
	Lookup func(name string) (value string, set bool) // the environment
}

// Here is the world of this process.
func Here() World {
	w := World{GOOS: runtime.GOOS, Lookup: os.LookupEnv}
	w.Home, _ = os.UserHomeDir() // without one, only the folders above are looked into
	w.Dir, _ = os.Getwd()
	return w
}

// Server is one server of a configuration file.
type Server struct {
	Name    string
	File    string // the file it stands in
	Line    int    // the line at which it begins, from 1
	Product string // whose file that is: "VS Code"
	Off     bool   // it is switched off there

	Kind    string   // of its target: stdio, http, sse, ws
	Command []string // as it stands there, variables and all
	URL     string
	Cwd     string   // working directory, "": the one of this process
	Env     []string // names of the variables that it sets
	Headers []string // names of the headers that it sends

	way     dialect
	root    string // the folder that the file belongs to, "" for one of the user
	env     []pair
	headers []pair
	envFile string
	token   string // a token of its own
	inputs  map[string]string
	tokenOf string // the variable that holds it
}

type pair struct{ name, value string }

// Problem is why a file, or a part of it, could not be read.
type Problem struct {
	File   string
	Line   int // from 1, 0 where it is the whole file
	Column int
	Why    string
	Server string // the name of the server that it keeps out of the list, "" for others
}

// Error is the problem in one line: "mcp.json:3:5: …".
func (p Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Why
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Why)
}

// List is what was found.
type List struct {
	Servers  []Server // the nearest file first, in a file in its own order
	Problems []Problem
}

// Refused is why a server of that name, which some file sets up, is not in the
// list.
func (l List) Refused(name string) (Problem, bool) {
	for _, p := range l.Problems {
		if p.Server == name && name != "" {
			return p, true
		}
	}
	return Problem{}, false
}

// Files is how many files the servers stand in.
func (l List) Files() int {
	seen := map[string]bool{}
	for _, s := range l.Servers {
		seen[s.File] = true
	}
	return len(seen)
}

// Find looks into every known configuration file.
func Find(w World) List {
	var l List
	seen := map[string]bool{}
	for _, c := range candidates(w) {
		if seen[c.path] {
			continue
		}
		seen[c.path] = true
		data, err := readSmall(c.path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			l.Problems = append(l.Problems, Problem{File: c.path, Why: err.Error()})
		default:
			servers, problems := parse(c, data)
			l.Servers = append(l.Servers, servers...)
			l.Problems = append(l.Problems, problems...)
		}
	}
	return l
}

// In reads the servers of one file, known or not: whatever shape it has that
// some program uses.
func In(w World, path string) (List, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.Dir, path)
	}
	path = filepath.Clean(path)
	c := candidate{path: path, dialect: anyDialect, root: filepath.Dir(path), w: w}
	for _, k := range candidates(w) {
		if k.path == path {
			c = k
			break
		}
	}
	data, err := readSmall(path)
	if err != nil {
		return List{}, Problem{File: path, Why: err.Error()}
	}
	servers, problems := parse(c, data)
	if len(servers) == 0 && len(problems) > 0 {
		return List{}, problems[0]
	}
	return List{Servers: servers, Problems: problems}, nil
}

// largest is how large a configuration file may be: those of programs that
// keep their history in them grow to some megabytes.
const largest = 32 << 20

// readSmall reads a regular file. What is no file, and a folder above it that
// is none, do not exist.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || isNotDir(err) {
			return nil, fs.ErrNotExist
		}
		return nil, reason(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, largest+1))
	switch {
	case err != nil:
		return nil, reason(err)
	case len(data) > largest:
		return nil, fmt.Errorf("it is larger than %d MB", largest>>20)
	}
	return data, nil
}

// reason takes the path out of an error: it is told beside it.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("cannot be read: %w", p.Err)
	}
	return err
}

// Same reports whether two servers are one and the same, told in two files.
func (s Server) Same(o Server) bool {
	return s.Kind == o.Kind && slices.Equal(s.Command, o.Command) && s.URL == o.URL && s.dir() == o.dir() &&
		slices.Equal(s.env, o.env) && slices.Equal(s.headers, o.headers) && s.envFile == o.envFile &&
		s.token == o.token && s.tokenOf == o.tokenOf
}

// Target is what a person would say that the server is: its command, or its
// address, without anything that looks secret.
func (s Server) Target() string {
	t := session.Target{Kind: s.Kind, Command: record.RedactCommand(s.Command), URL: record.RedactURL(s.URL)}
	return t.String()
}

// Named are the servers of a name, the nearest first; what is the same in
// several files once.
func (l List) Named(name string) []Server {
	var out []Server
	for _, s := range l.Servers {
		if s.Name == name && !slices.ContainsFunc(out, s.Same) {
			out = append(out, s)
		}
	}
	return out
}

// Names are all names, sorted, each once.
func (l List) Names() []string {
	var out []string
	for _, s := range l.Servers {
		out = append(out, s.Name)
	}
	slices.SortFunc(out, cmp.Compare[string])
	return slices.Compact(out)
}

// Short writes a path as a person would: ~ for the home folder.
func (w World) Short(path string) string {
	if rest, ok := strings.CutPrefix(path, w.Home); ok && w.Home != "" && rest != "" && os.IsPathSeparator(rest[0]) {
		return "~" + rest
	}
	if path == w.Home && path != "" {
		return "~"
	}
	return path
}

// Long undoes Short.
func (w World) Long(path string) string {
	if path == "~" && w.Home != "" {
		return w.Home
	}
	if w.Home != "" && len(path) > 1 && path[0] == '~' && os.IsPathSeparator(path[1]) {
		return filepath.Join(w.Home, path[2:])
	}
	return path
}

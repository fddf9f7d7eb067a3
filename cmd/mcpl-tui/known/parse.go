package known

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/mcpl-tui/mcpl-tui/session"
)

// mostServers bounds what is taken out of one file.
const mostServers = 1000

// file is one configuration file while it is read.
type file struct {
	candidate
	data     []byte // valid JSON
	servers  []Server
	problems []Problem
	full     bool // as many servers as one file may have
}

// parse reads the servers of a file. What of it is wrong is told, the rest is
// taken.
func parse(c candidate, data []byte) ([]Server, []Problem) {
	f := &file{candidate: c, data: bytes.TrimPrefix(data, []byte("\ufeff"))}
	if c.comments {
		f.data = blank(f.data)
	}
	if len(bytes.TrimSpace(f.data)) == 0 {
		return nil, nil // made, and not filled in yet
	}
	if err := syntax(f.data); err != nil {
		f.wrong(err.at, "%s", err.why)
		return nil, f.problems
	}
	root := gjson.ParseBytes(f.data)
	if !root.IsObject() {
		f.wrong(0, "the file holds %s, not an object", kindOf(root))
		return nil, f.problems
	}
	inputs := map[string]string{}
	f.keys(root, func(key string, v gjson.Result) {
		if key == "inputs" && f.inputs {
			readInputs(v, inputs)
		}
	})
	f.keys(root, func(key string, v gjson.Result) {
		switch {
		case key == f.key, f.key == "" && (key == "mcpServers" || key == "servers"):
			f.list(key, v, f.root, inputs)
		case key == "projects" && f.projects:
			f.eachProject(v, inputs)
		}
	})
	return f.servers, f.problems
}

// eachProject reads what Claude Code keeps for the folder that one works in,
// and for those above it.
func (f *file) eachProject(v gjson.Result, inputs map[string]string) {
	f.keys(v, func(dir string, v gjson.Result) {
		if !within(f.w.Dir, dir) {
			return
		}
		f.keys(v, func(key string, v gjson.Result) {
			if key == "mcpServers" {
				f.list(key, v, dir, inputs)
			}
		})
	})
}

// within reports whether dir is root, or lies below it.
func within(dir, root string) bool {
	if !filepath.IsAbs(root) || !filepath.IsAbs(dir) {
		return false
	}
	rel, err := filepath.Rel(root, dir)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// keys goes through the members of an object.
func (f *file) keys(v gjson.Result, do func(key string, v gjson.Result)) {
	if v.IsObject() {
		v.ForEach(func(k, v gjson.Result) bool {
			do(k.Str, v)
			return true
		})
	}
}

// list reads an object of servers.
func (f *file) list(key string, v gjson.Result, root string, inputs map[string]string) {
	if !v.IsObject() {
		if v.Type != gjson.Null {
			f.wrong(v.Index, "%s is %s, not an object of servers", key, kindOf(v))
		}
		return
	}
	f.keys(v, func(name string, v gjson.Result) {
		if len(f.servers) >= mostServers {
			if !f.full {
				f.full = true
				f.wrong(v.Index, "the servers from here on are left out: %d of one file are listed", mostServers)
			}
			return
		}
		s := Server{
			Name: name, File: f.path, Product: f.product, way: f.dialect, root: root, inputs: inputs,
			Line: 1 + bytes.Count(f.data[:min(v.Index, len(f.data))], []byte("\n")),
		}
		if err := f.server(&s, v); err != nil {
			f.wrong(max(err.at, v.Index), "server %s: %s", name, err.why)
			f.problems[len(f.problems)-1].Server = name
			return
		}
		if s.Kind != "" {
			f.servers = append(f.servers, s)
		}
	})
}

// mistake is what is wrong at a position.
type mistake struct {
	at  int
	why string
}

func wrongAt(v gjson.Result, format string, args ...any) *mistake {
	return &mistake{v.Index, fmt.Sprintf(format, args...)}
}

// server reads one server. Members that mean nothing here are left alone.
func (f *file) server(s *Server, v gjson.Result) *mistake {
	if !v.IsObject() {
		return wrongAt(v, "it is %s, not an object", kindOf(v))
	}
	r := reader{s: s}
	f.keys(v, func(key string, v gjson.Result) {
		if key == "transport" && f.nested && v.IsObject() {
			f.keys(v, r.member)
			return
		}
		r.member(key, v)
	})
	if r.err != nil {
		return r.err
	}
	for i, arg := range r.args {
		if f.relative && (strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "../")) {
			r.args[i] = filepath.Join(filepath.Dir(f.path), arg)
		}
	}
	return r.kind(v)
}

// reader collects the members of a server.
type reader struct {
	s       *Server
	command string
	args    []string
	link    string // what it says that it speaks
	err     *mistake
}

func (r *reader) fail(err *mistake) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) member(key string, v gjson.Result) {
	s := r.s
	switch key {
	case "command":
		if v.IsArray() { // the whole command at once
			words := r.words(key, v)
			if len(words) > 0 {
				r.command, r.args = words[0], append(words[1:], r.args...)
			}
			return
		}
		r.command = r.text(key, v)
	case "args":
		r.args = append(r.args, r.words(key, v)...)
	case "url", "serverUrl":
		s.URL = r.text(key, v)
	case "httpUrl":
		s.URL, r.link = r.text(key, v), "http"
	case "type", "transport":
		if v.Type == gjson.String {
			r.link = v.Str
		}
	case "cwd":
		s.Cwd = r.text(key, v)
	case "envFile":
		s.envFile = r.text(key, v)
	case "env":
		s.env, s.Env = r.pairs(key, v)
	case "headers":
		s.headers, s.Headers = r.pairs(key, v)
	case "token":
		s.token = r.text(key, v)
	case "tokenEnv":
		s.tokenOf = r.text(key, v)
	case "disabled":
		s.Off = v.Type == gjson.True
	case "enabled":
		s.Off = v.Type == gjson.False
	}
}

func (r *reader) text(key string, v gjson.Result) string {
	if v.Type == gjson.Null {
		return ""
	}
	if v.Type != gjson.String {
		r.fail(wrongAt(v, "%s is %s, not text", key, kindOf(v)))
	}
	return v.Str
}

func (r *reader) words(key string, v gjson.Result) []string {
	if v.Type == gjson.Null {
		return nil
	}
	if !v.IsArray() {
		r.fail(wrongAt(v, "%s is %s, not a list of words", key, kindOf(v)))
		return nil
	}
	var out []string
	v.ForEach(func(_, v gjson.Result) bool {
		switch v.Type {
		case gjson.String:
			out = append(out, v.Str)
		case gjson.Number:
			out = append(out, v.Raw)
		default:
			r.fail(wrongAt(v, "%s holds %s, not only words", key, kindOf(v)))
		}
		return true
	})
	return out
}

// pairs reads an object of values, and its names.
func (r *reader) pairs(key string, v gjson.Result) (out []pair, names []string) {
	if v.Type == gjson.Null {
		return nil, nil
	}
	if !v.IsObject() {
		r.fail(wrongAt(v, "%s is %s, not an object", key, kindOf(v)))
		return nil, nil
	}
	v.ForEach(func(k, v gjson.Result) bool {
		switch v.Type {
		case gjson.String, gjson.Number, gjson.True, gjson.False:
			out, names = append(out, pair{k.Str, v.String()}), append(names, k.Str)
		case gjson.Null:
		default:
			r.fail(wrongAt(v, "the value of %s in %s is %s, not text", k.Str, key, kindOf(v)))
		}
		return true
	})
	return out, names
}

// kind says what kind of target the members add up to. A server that is
// switched off may have none.
func (r *reader) kind(v gjson.Result) *mistake {
	s := r.s
	switch {
	case r.command != "":
		s.Kind, s.Command, s.URL = session.KindStdio, append([]string{r.command}, r.args...), ""
	case s.URL == "" && s.Off:
	case s.URL == "":
		return wrongAt(v, "it has neither a command nor a url")
	default:
		s.Kind = linkOf(r.link, s.URL)
		if s.Kind == session.KindSSE && strings.HasPrefix(s.URL, "http") {
			s.URL = "sse+" + s.URL
		}
	}
	return nil
}

// linkOf says what is spoken at an address, by what its file calls it.
func linkOf(name, url string) string {
	scheme, _, _ := strings.Cut(strings.ToLower(url), "://")
	switch {
	case scheme == "ws" || scheme == "wss" || scheme == "mcpl":
		return session.KindWS
	case strings.EqualFold(name, "sse") || strings.HasPrefix(scheme, "sse+"):
		return session.KindSSE
	}
	return session.KindHTTP
}

// readInputs reads what VS Code asks its user for: id and what it says.
func readInputs(v gjson.Result, into map[string]string) {
	if !v.IsArray() {
		return
	}
	v.ForEach(func(_, v gjson.Result) bool {
		var id, text string
		if v.IsObject() {
			v.ForEach(func(k, v gjson.Result) bool {
				switch {
				case v.Type != gjson.String:
				case k.Str == "id":
					id = v.Str
				case k.Str == "description":
					text = v.Str
				}
				return true
			})
		}
		if id != "" {
			into[id] = text
		}
		return true
	})
}

// wrong tells of something at a byte of the file.
func (f *file) wrong(at int, format string, args ...any) {
	line, column := place(f.data, at)
	f.problems = append(f.problems, Problem{File: f.path, Line: line, Column: column, Why: fmt.Sprintf(format, args...)})
}

// place is a byte as people count: lines and characters, from 1.
func place(data []byte, at int) (line, column int) {
	before := data[:min(max(at, 0), len(data))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return 1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[start:])
}

// syntax says where the data stops being JSON, nil where it never does.
func syntax(data []byte) *mistake {
	var v json.RawMessage
	err := json.Unmarshal(data, &v)
	var s *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &s):
		// Offset counts the byte that is wrong, too.
		at := max(int(s.Offset)-1, 0)
		why := s.Error()
		if at < len(data) && data[at] == '/' {
			why = "comments are not allowed in this file"
		}
		return &mistake{at, "it is no JSON: " + why}
	}
	return &mistake{0, "it is no JSON: " + err.Error()}
}

func kindOf(v gjson.Result) string {
	switch {
	case v.IsObject():
		return "an object"
	case v.IsArray():
		return "a list"
	case v.Type == gjson.String:
		return "text"
	case v.Type == gjson.Number:
		return "a number"
	case v.Type == gjson.Null:
		return "null"
	}
	return "true or false"
}

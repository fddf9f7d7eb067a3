package session

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
)

// Root is a directory that the server is told of (MCP, roots).
type Root struct {
	URI  string `json:"uri"` // file://…
	Name string `json:"name,omitempty"`
}

// DirRoot makes the root of a directory that exists; a relative path is taken
// from the working directory, ~ from the home directory.
func DirRoot(dir string) (Root, error) {
	if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		home, err := os.UserHomeDir()
		if err != nil {
			return Root{}, fmt.Errorf("the root %s: %w", dir, err)
		}
		dir = home + rest
	}
	path, err := filepath.Abs(dir)
	if err != nil {
		return Root{}, fmt.Errorf("the root %s: %w", dir, err)
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return Root{}, fmt.Errorf("the root %s is no directory: give one that exists", dir)
	}
	slashed := filepath.ToSlash(path)
	if runtime.GOOS == "windows" && !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // file:///C:/…
	}
	return Root{URI: (&url.URL{Scheme: "file", Path: slashed}).String(), Name: filepath.Base(path)}, nil
}

// rootsResult answers roots/list.
func (s *Session) rootsResult() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return rootsJSON(s.roots)
}

func rootsJSON(roots []Root) []byte {
	if roots == nil {
		roots = []Root{}
	}
	return encode(map[string][]Root{"roots": roots})
}

// planRoots is `roots [DIR…|none]`: alone it tells the roots, else it changes
// them and tells the server that they changed.
func planRoots(a *args) (plan, error) {
	if !a.l.more() {
		return plan{act: func(context.Context) Outcome {
			return Outcome{OK: true, Result: a.s.rootsResult()}
		}}, nil
	}
	var roots []Root
	if !a.l.keyword("none") {
		for a.l.more() {
			dir, err := a.want("a directory")
			if err != nil {
				return plan{}, err
			}
			root, err := DirRoot(dir)
			if err != nil {
				return plan{}, err
			}
			roots = append(roots, root)
		}
	}
	if err := a.end(); err != nil {
		return plan{}, err
	}
	msg := notificationBytes(mcpl.MethodRootsChanged, nil)
	return plan{preview: msg, act: func(context.Context) Outcome {
		a.s.mu.Lock()
		a.s.roots = roots
		a.s.mu.Unlock()
		var seq int64
		for _, c := range a.s.conns() {
			sent, err := c.send(msg)
			if err != nil && c == a.c {
				return failed("", err)
			}
			if c == a.c {
				seq = sent
			}
		}
		return Outcome{OK: true, Result: rootsJSON(roots), Request: seq}
	}}, nil
}

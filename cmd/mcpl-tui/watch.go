package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/mcpl-tui/mcpl-tui/session"
)

// A change is told once nothing more changed for watchQuiet, and no later than
// watchLongest after its first file: a build writes many files in a row.
const (
	watchQuiet   = 200 * time.Millisecond
	watchLongest = 3 * time.Second
)

// skipped are directories that hold no source of a server, or more than can be
// watched.
var skipped = []string{".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__", ".venv", ".idea", ".vscode"}

// watcher watches files, and directories with all that is in them. A file is
// watched through its directory, so that one which an editor replaces by
// another of its name is watched on.
type watcher struct {
	fs    *fsnotify.Watcher
	dirs  []string // of which everything counts, by their real paths
	files []string
	named map[string]string // as the user gave each of them
}

// newWatcher begins to watch the paths, or says in one line which one it
// cannot watch.
func newWatcher(paths []string) (*watcher, error) {
	n, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("--watch: files cannot be watched here: %w", err)
	}
	w := &watcher{fs: n, named: map[string]string{}}
	for _, p := range paths {
		if err := w.add(p); err != nil {
			_ = n.Close()
			return nil, err
		}
	}
	return w, nil
}

func (w *watcher) add(path string) error {
	abs, err := filepath.Abs(path)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--watch %s: there is no such file or directory", path)
	}
	if err != nil {
		return fmt.Errorf("--watch %s: %w", path, err)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return fmt.Errorf("--watch %s: %w", path, err)
	}
	w.named[abs] = path
	dir := abs
	if info.IsDir() {
		w.dirs = append(w.dirs, abs)
		_, err = w.tree(abs)
	} else {
		w.files = append(w.files, abs)
		dir = filepath.Dir(abs)
		err = w.fs.Add(dir)
	}
	if err != nil {
		return fmt.Errorf("--watch %s: %w; name fewer or smaller directories", path, err)
	}
	// A build may take the whole directory away and make it anew.
	_ = w.fs.Add(filepath.Dir(dir)) // where that is not ours to read, it is not seen
	return nil
}

// tree watches a directory and those in it, and returns the files there.
func (w *watcher) tree(dir string) (files []string, err error) {
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && p == dir:
			return err
		case err != nil:
			return nil // gone already, or not ours to read
		case !d.IsDir():
			files = append(files, p)
			return nil
		case p != dir && slices.Contains(skipped, d.Name()):
			return filepath.SkipDir
		}
		return w.fs.Add(p)
	})
	return files, err
}

// counts reports whether a change of the file is one of the server's.
func (w *watcher) counts(path string) bool {
	if slices.Contains(w.files, path) || slices.Contains(w.dirs, path) {
		return true
	}
	for _, dir := range w.dirs {
		rest, ok := strings.CutPrefix(path, dir+string(filepath.Separator))
		if !ok {
			continue
		}
		parts := strings.Split(rest, string(filepath.Separator))
		if slices.ContainsFunc(parts[:len(parts)-1], func(p string) bool { return slices.Contains(skipped, p) }) {
			return false
		}
		return !leftover(parts[len(parts)-1])
	}
	return false
}

// leftover reports whether a name is one that editors give to files of their
// own: swap files, backups, locks.
func leftover(name string) bool {
	switch ext := filepath.Ext(name); {
	case ext == ".swp", ext == ".swo", ext == ".swx", ext == ".tmp", strings.HasSuffix(name, "~"):
		return true
	case strings.HasPrefix(name, ".#"), strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#"):
		return true
	}
	return name == "4913" || slices.Contains(skipped, name)
}

// name is a file as the user would name it.
func (w *watcher) name(path string) string {
	if given, ok := w.named[path]; ok {
		return given
	}
	for _, dir := range w.dirs {
		if rest, ok := strings.CutPrefix(path, dir+string(filepath.Separator)); ok {
			return filepath.Join(w.named[dir], rest)
		}
	}
	return path
}

// run tells of changes until ctx ends: each call of restart names the files
// that changed since the one before began. While restart runs, one further
// change is kept, with all its files.
func (w *watcher) run(ctx context.Context, restart func(files []string)) {
	defer w.fs.Close()
	changed := make(chan []string)
	go w.gather(ctx, changed)
	for {
		select {
		case files := <-changed:
			restart(files)
		case <-ctx.Done():
			return
		}
	}
}

// gather puts events together to changes, and offers each until it is taken:
// what comes meanwhile joins it.
func (w *watcher) gather(ctx context.Context, out chan<- []string) {
	var files []string
	var quiet <-chan time.Time
	var first time.Time
	for {
		var ready chan<- []string
		if len(files) > 0 && quiet == nil {
			ready = out
		}
		select {
		case ready <- files:
			files = nil
		case e, ok := <-w.fs.Events:
			if !ok {
				return
			}
			if more := w.event(e); len(more) > 0 {
				if quiet == nil {
					first = time.Now()
				}
				files = union(files, more)
				quiet = time.After(min(watchQuiet, time.Until(first.Add(watchLongest))))
			}
		case err, ok := <-w.fs.Errors:
			if !ok {
				return
			}
			if errors.Is(err, fsnotify.ErrEventOverflow) { // more changed than can be told
				files = union(files, w.roots())
				first, quiet = time.Now(), time.After(watchQuiet)
			}
		case <-quiet:
			quiet = nil
		case <-ctx.Done():
			return
		}
	}
}

func (w *watcher) roots() []string {
	var out []string
	for _, p := range slices.Concat(w.dirs, w.files) {
		out = append(out, w.name(p))
	}
	return out
}

// event returns the files that an event tells of. A new directory is watched
// from then on, and what is in it already counts as changed.
func (w *watcher) event(e fsnotify.Event) (files []string) {
	if e.Op == fsnotify.Chmod {
		return nil
	}
	info, err := os.Stat(e.Name)
	switch {
	case err == nil && info.IsDir() && e.Has(fsnotify.Create):
		return w.appeared(e.Name)
	case err == nil && info.IsDir(), err != nil && slices.Contains(w.dirs, e.Name), !w.counts(e.Name):
		return nil
	}
	return []string{w.name(e.Name)}
}

// appeared takes in a directory that is new.
func (w *watcher) appeared(dir string) (files []string) {
	for _, f := range w.files { // of which one file is watched
		if filepath.Dir(f) != dir {
			continue
		}
		_ = w.fs.Add(dir) // it may be gone again
		if _, err := os.Stat(f); err == nil {
			files = append(files, w.name(f))
		}
	}
	if !w.counts(dir) {
		return files
	}
	found, _ := w.tree(dir) // what cannot be watched is not
	for _, f := range found {
		if w.counts(f) {
			files = append(files, w.name(f))
		}
	}
	return files
}

// union adds what is not in it yet, in order.
func union(files, more []string) []string {
	for _, f := range more {
		if !slices.Contains(files, f) && len(files) < mostChanged {
			files = append(files, f)
		}
	}
	return files
}

// mostChanged is how many files of one change are told apart.
const mostChanged = 1000

// watch starts the server anew whenever its files change, until the session
// is closed.
func (l *live) watch(w *watcher, crashed panicked) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-l.sess.Done(); cancel() }()
	go func() {
		defer guard(crashed)
		w.run(ctx, func(files []string) { l.sess.Restart(ctx, files) })
	}()
}

// watching makes the watcher that --watch asks for, nil for none.
func watching(paths []string, t session.Target) (*watcher, error) {
	switch {
	case len(paths) == 0:
		return nil, nil
	case t.Kind != session.KindStdio:
		return nil, fmt.Errorf("--watch is for a server that is started (-- COMMAND), and the target is %s: leave it out", targetWords[t.Kind])
	}
	return newWatcher(paths)
}

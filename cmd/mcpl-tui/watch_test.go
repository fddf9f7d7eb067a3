package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session"
)

// soon is how long something may take that must happen. It ends a test that
// fails; nothing is measured with it.
const soon = 30 * time.Second

// watched runs a watcher over the paths and returns what it tells.
func watched(t *testing.T, paths ...string) <-chan []string {
	t.Helper()
	w, err := newWatcher(paths)
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan []string)
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer close(done)
		w.run(ctx, func(files []string) {
			select {
			case told <- files:
			case <-ctx.Done():
			}
		})
	}()
	t.Cleanup(func() { cancel(); <-done })
	return told
}

func tells(t *testing.T, told <-chan []string, want ...string) {
	t.Helper()
	select {
	case got := <-told:
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("changed: %q, want %q", got, want)
		}
	case <-time.After(soon):
		t.Fatalf("no change of %q was told", want)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestAChangeInADirectoryIsToldOnceWithItsFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	write(t, file("lib", "deep", "a.js"), "1")
	write(t, file("node_modules", "x", "b.js"), "1")
	write(t, file(".git", "index"), "1")
	told := watched(t, dir)
	write(t, file("node_modules", "x", "b.js"), "2")
	write(t, file(".git", "index"), "2")
	write(t, file("lib", ".a.js.swp"), "2")
	write(t, file("lib", "a.js~"), "2")
	write(t, file("lib", "deep", "a.js"), "2")
	write(t, file("main.js"), "2")
	tells(t, told, file("lib", "deep", "a.js"), file("main.js"))
	write(t, file("new", "c.js"), "1") // in a directory that was not there
	tells(t, told, file("new", "c.js"))
	write(t, file("new", "c.js"), "2")
	tells(t, told, file("new", "c.js"))
	if err := os.Remove(file("main.js")); err != nil {
		t.Fatal(err)
	}
	tells(t, told, file("main.js"))
}

func TestAFileThatIsReplacedByAnotherIsWatchedOn(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "server.js")
	write(t, file, "1")
	told := watched(t, file)
	for _, text := range []string{"2", "3"} { // as editors save
		write(t, filepath.Join(dir, "server.js.new"), text)
		if err := os.Rename(filepath.Join(dir, "server.js.new"), file); err != nil {
			t.Fatal(err)
		}
		tells(t, told, file)
	}
	write(t, filepath.Join(dir, "other.js"), "1") // beside it, and not watched
	write(t, file, "4")
	tells(t, told, file)
}

func TestADirectoryThatABuildMakesAnewIsWatchedOn(t *testing.T) {
	root := t.TempDir()
	dist, one := filepath.Join(root, "dist"), filepath.Join(root, "out", "server.js")
	write(t, filepath.Join(dist, "server.js"), "1")
	write(t, one, "1")
	told := watched(t, dist, one)
	for range 2 {
		if err := os.RemoveAll(dist); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dist, "server.js"), "2")
		tells(t, told, filepath.Join(dist, "server.js"))
	}
	if err := os.RemoveAll(filepath.Dir(one)); err != nil {
		t.Fatal(err)
	}
	tells(t, told, one)
	write(t, one, "2")
	tells(t, told, one)
}

func TestWhatChangesDuringARestartIsKept(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	w, err := newWatcher([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	told, running := make(chan []string), make(chan struct{}, 1)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.run(ctx, func(files []string) {
			select {
			case running <- struct{}{}:
			default:
				t.Error("a restart began while one was under way")
			}
			select {
			case told <- files:
			case <-ctx.Done():
			}
			<-running
		})
	}()
	defer func() { cancel(); <-done }()
	write(t, file("a"), "1")
	for len(running) == 0 { // the restart for a is under way
		time.Sleep(time.Millisecond)
	}
	write(t, file("b"), "1")
	write(t, file("c"), "1")
	tells(t, told, file("a"))
	tells(t, told, file("b"), file("c"))
}

func TestWhatCannotBeWatchedIsToldInOneLine(t *testing.T) {
	for _, tc := range []struct {
		paths []string
		kind  string
		want  string
	}{
		{[]string{"no/such/file"}, session.KindStdio, "--watch no/such/file: there is no such file or directory"},
		{[]string{"."}, session.KindDemo, "-- COMMAND"},
		{[]string{"."}, session.KindHTTP, "the target is an https:// or http:// address: leave it out"},
	} {
		if _, err := watching(tc.paths, session.Target{Kind: tc.kind}); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v, %s: %v, want %q", tc.paths, tc.kind, err, tc.want)
		}
	}
	if w, err := watching(nil, session.Target{Kind: session.KindHTTP}); w != nil || err != nil {
		t.Errorf("without --watch: %v, %v", w, err)
	}
}

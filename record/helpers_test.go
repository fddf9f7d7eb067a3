package record

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

var begun = time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC)

func header() Header {
	return Header{
		ID: "test-1", Started: begun, Tool: "test 1",
		Target: Target{Kind: "stdio", Command: []string{"node", "server.js"}},
	}
}

const headerLine = `{"mcpl_recording":1,"id":"test-1","started":"2026-11-29T10:00:00.000000Z","tool":"test 1",` +
	`"target":{"kind":"stdio","command":["node","server.js"]},"redacted":false}`

// message is a frame as the tap makes it.
func message(seq int64, body string) wire.Frame {
	return wire.Frame{
		Seq: seq, T: time.Duration(seq) * time.Millisecond, Conn: 1, Dir: wire.In, Via: "stdio",
		Form: wire.FormOf([]byte(body)), Body: []byte(body),
	}
}

// fileOf writes content to a file of its own and returns its path.
func fileOf(t testing.TB, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.mcpl.jsonl")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a recording, waits for its index and closes it after the test.
func open(t testing.TB, path string) *Recording {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	if err := r.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	return r
}

func all(t testing.TB, r *Recording) []wire.Frame {
	t.Helper()
	var fs []wire.Frame
	for i := range r.Len() {
		f, err := r.Frame(i)
		if err != nil {
			t.Fatal(err)
		}
		fs = append(fs, f)
	}
	return fs
}

// differ says in which member two frames differ, or "".
func differ(a, b wire.Frame) string {
	switch {
	case a.Seq != b.Seq:
		return fmt.Sprintf("seq %d and %d", a.Seq, b.Seq)
	case a.T != b.T:
		return fmt.Sprintf("t %v and %v", a.T, b.T)
	case a.Conn != b.Conn:
		return fmt.Sprintf("conn %d and %d", a.Conn, b.Conn)
	case a.Dir != b.Dir || a.Via != b.Via || a.Form != b.Form:
		return fmt.Sprintf("%v %q form %d and %v %q form %d", a.Dir, a.Via, a.Form, b.Dir, b.Via, b.Form)
	case !bytes.Equal(a.Body, b.Body):
		return fmt.Sprintf("body %.200q and %.200q", a.Body, b.Body)
	case a.Name != b.Name || !bytes.Equal(a.Data, b.Data):
		return fmt.Sprintf("note %q %q and %q %q", a.Name, a.Data, b.Name, b.Data)
	case !bytes.Equal(a.HTTP, b.HTTP):
		return fmt.Sprintf("http %q and %q", a.HTTP, b.HTTP)
	}
	return ""
}

func same(t testing.TB, want, got []wire.Frame) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%d frames, want %d", len(got), len(want))
	}
	for i := range want {
		if d := differ(want[i], got[i]); d != "" {
			t.Fatalf("frame %d differs: %s", i, d)
		}
	}
}

// until waits for a condition that the recording signals.
func until(t testing.TB, r *Recording, what string, ok func(Status) bool) {
	t.Helper()
	limit := time.NewTimer(30 * time.Second)
	defer limit.Stop()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for !ok(r.Status()) {
		select {
		case <-r.Changed():
		case <-look.C:
		case <-limit.C:
			t.Fatalf("not in 30 s: %s; status %+v", what, r.Status())
		}
	}
}

// noGoroutines fails if any goroutine of this package's code is left.
func noGoroutines(t testing.TB) {
	t.Helper()
	limit := time.Now().Add(10 * time.Second)
	for {
		buf := make([]byte, 1<<20)
		buf = buf[:runtime.Stack(buf, true)]
		left := ""
		for _, g := range strings.Split(string(buf), "\n\n") {
			if strings.Contains(g, "record.(*writer)") || strings.Contains(g, "record.(*indexer)") || strings.Contains(g, "klauspost") {
				left = g
			}
		}
		if left == "" {
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("a goroutine is left:\n%s", left)
		}
		runtime.Gosched()
	}
}

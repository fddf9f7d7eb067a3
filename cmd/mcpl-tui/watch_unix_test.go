//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// A server whose file changes is started anew; one that dies at once is told
// with its stderr, and the next change tries again.
func TestAServerIsStartedAnewWhenItsFilesChange(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "server.sh")
	const good = `read -r line; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"NAME","version":"1"}}}'
read -r line; read -r line; echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}'
cat >/dev/null
`
	write(t, file, strings.Replace(good, "NAME", "first", 1))
	target := session.Target{Kind: session.KindStdio, Command: []string{"sh", file}}
	rec, err := newRecording(target, "", filepath.Join(t.TempDir(), "watch.mcpl.jsonl"), true)
	if err != nil {
		t.Fatal(err)
	}
	w, err := watching([]string{dir}, target)
	if err != nil {
		t.Fatal(err)
	}
	l := connect(t.Context(), session.Config{Target: target, ToolHints: true, Timeout: soon}, rec)
	defer l.close()
	l.watch(w, func(v any, stack []byte) { t.Errorf("%v\n%s", v, stack) })
	until := func(what string, ok func(b *timeline.Board) bool) {
		t.Helper()
		deadline := time.Now().Add(soon)
		for !ok(l.log.Latest()) {
			if time.Now().After(deadline) {
				t.Fatalf("%s did not come: %+v", what, l.log.Latest().Link)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	live := func(name string, conn int) func(b *timeline.Board) bool {
		return func(b *timeline.Board) bool {
			return b.Conn == conn && b.Server.Name == name && b.Link.Phase == timeline.Live
		}
	}
	until("the first server", live("first", 1))
	write(t, file, strings.Replace(good, "NAME", "second", 1))
	until("the second server", live("second", 2))
	if b, err := l.log.BoardOf(1, l.log.Len()); err != nil || len(b.Link.Changed) != 1 || filepath.Base(b.Link.Changed[0]) != "server.sh" {
		t.Errorf("what changed: %v, %v", b.Link.Changed, err)
	}
	write(t, file, "echo broken >&2; exit 3\n")
	until("the end of the third", func(b *timeline.Board) bool {
		return b.Conn == 3 && b.Link.Phase == timeline.Closed && b.Link.Stderr == 1 && *b.Link.Closed.Code == 3
	})
	write(t, file, strings.Replace(good, "NAME", "fourth", 1))
	until("the fourth server", live("fourth", 4))
}

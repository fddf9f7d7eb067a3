package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestWhoInterruptsBeforeTheServerIsReadyIsToldSo(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	started := filepath.Join(t.TempDir(), "started")
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(started); err == nil {
				interrupt()
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	var out, stderr bytes.Buffer
	args := []string{"do", "-c", "tools", "--", "sh", "-c", `: >"$0"; read x; exec cat >/dev/null`, started}
	if status := run(ctx, args, stdio{&bytes.Buffer{}, &out, &stderr}); status != exitUsage {
		t.Errorf("status %d", status)
	}
	if want := "mcpl-tui: interrupted before the server was ready; the connection was closed\n"; stderr.String() != want || out.Len() > 0 {
		t.Errorf("it said %q, and printed %q", stderr.String(), out.String())
	}
}

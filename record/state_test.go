package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRecordingsLiveInTheStateDirectory(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_STATE_HOME", home)
	if got, err := Dir(); err != nil || got != filepath.Join(home, "mcpl-tui") {
		t.Errorf("%s, %v", got, err)
	}
	t.Setenv("XDG_STATE_HOME", "relative")
	if got, err := Dir(); err == nil && (!filepath.IsAbs(got) || filepath.Base(got) != "mcpl-tui") {
		t.Errorf("%s, %v", got, err)
	}
}

func TestNamesAreCleanAndNeverTaken(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 11, 29, 10, 0, 7, 0, time.Local)
	for name, want := range map[string]string{
		"goban":                  "goban-1129-1000",
		"/usr/bin/node":          "node-1129-1000",
		`C:\tools\server.exe`:    "server.exe-1129-1000",
		"@scope/pkg@1.2":         "pkg-1.2-1129-1000",
		"ünïcode näme\x1b[31m":   "n-code-n-me--31m-1129-1000",
		"":                       "session-1129-1000",
		"../..":                  "session-1129-1000",
		"...":                    "session-1129-1000",
		"-rf":                    "rf-1129-1000",
		strings.Repeat("a", 300): strings.Repeat("a", 48) + "-1129-1000",
	} {
		if got := NewPath(dir, name, now); got != filepath.Join(dir, want+Ext) {
			t.Errorf("%q: %s, want %s", name, filepath.Base(got), want)
		}
	}
	for _, want := range []string{"goban-1129-1000", "goban-1129-1000-2", "goban-1129-1000-3"} {
		r, err := CreateIn(dir, "goban", now, header())
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		path := r.Status().Path
		if filepath.Base(path) != want+Ext {
			t.Errorf("%s, want %s", path, want)
		}
		if err := os.Rename(path, path+".gz"); err != nil { // packed later: taken all the same
			t.Fatal(err)
		}
	}
}

func TestListTellsTheNewestFirst(t *testing.T) {
	dir := t.TempDir()
	if l, err := List(filepath.Join(dir, "none")); err != nil || len(l) != 0 {
		t.Errorf("a folder that is not there: %v, %v", l, err)
	}
	at := func(day int) string {
		return strings.Replace(headerLine, "2026-11-29", time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), 1) + "\n"
	}
	for name, content := range map[string]string{
		"old.mcpl.jsonl":        at(1) + three,
		"newest.mcpl.jsonl.zst": zst(t, at(9)+three),
		"middle.mcpl.jsonl.gz":  gz(t, at(5)+three),
		"broken.mcpl.jsonl":     "\x00\x01",
		"empty.mcpl.jsonl":      "",
		"other.jsonl":           at(2),
		"notes.txt":             "x",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, n := range []string{"broken", "empty"} {
		if err := os.Chtimes(filepath.Join(dir, n+Ext), past, past); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.mcpl.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	list, err := List(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, in := range list {
		names = append(names, in.Name)
		bad := in.Name == "broken" || in.Name == "empty"
		if (in.Err != nil) != bad {
			t.Errorf("%s: %v", in.Name, in.Err)
		}
		if !bad && (in.Header.ID != "test-1" || in.Size == 0 || !in.Started.Equal(in.Header.Started)) {
			t.Errorf("%+v", in)
		}
	}
	if got := strings.Join(names, " "); got != "newest middle old empty broken" {
		t.Errorf("order: %s", got)
	}
	noGoroutines(t)
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAMessageIsWrittenIntoANewFileOfTheUser(t *testing.T) {
	d := newDesk(t.Context(), &connectFlags{}, false)
	file := filepath.Join(t.TempDir(), "m.json")
	body := "{\"a\": \"\xff\"}\r"
	if _, err := d.WriteNew(t.Context(), file, strings.NewReader(body)); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != body {
		t.Fatalf("wrote %q, %v", got, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	_, err = d.WriteNew(t.Context(), file, strings.NewReader("another"))
	if err == nil || err.Error() != file+" is there already; name another file" {
		t.Errorf("over a file: %v", err)
	}
	if got, _ := os.ReadFile(file); string(got) != body {
		t.Errorf("the file was changed: %q", got)
	}
	_, err = d.WriteNew(t.Context(), filepath.Join(filepath.Dir(file), "none", "m.json"), strings.NewReader(""))
	if err == nil || !strings.HasPrefix(err.Error(), "cannot write ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("into no folder: %v", err)
	}
}

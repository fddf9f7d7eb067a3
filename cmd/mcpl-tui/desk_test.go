package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/record"
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

// The index of a file is complete before its frames are reduced: until they
// are, a frame far behind is not there to be gone to, and playing is not over.
func TestARecordingIsReadOnceItsFramesAreThereToBeLookedAt(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"mcpl_recording":1,"id":"r","started":"2026-11-29T10:00:00.000000Z","tool":"t 1","target":{"kind":"demo"},"redacted":false}` + "\n")
	const frames = 3000
	for i := range frames {
		fmt.Fprintf(&b, `{"seq":%d,"t":%d,"conn":1,"dir":"in","via":"stdio","msg":{"jsonrpc":"2.0","method":"m"}}`+"\n", i+1, i)
	}
	path := filepath.Join(t.TempDir(), "r.mcpl.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	rec, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	p := &played{rec: rec, log: judgedLog(rec), path: path, dirty: make(chan struct{}, 1), fed: make(chan struct{}), stop: func() {}}
	for rec.Status().Loading < 1 {
		<-rec.Changed()
	}
	if s := p.status(); s.Loaded() {
		t.Errorf("it is read while %d of its frames are", p.log.Len())
	}
	if _, err := p.log.Advance(frames / 2); err != nil {
		t.Fatal(err)
	}
	if s := p.status(); s.Loading < 0.4 || s.Loaded() {
		t.Errorf("with %d of its frames it is read to %v", p.log.Len(), s.Loading)
	}
	p.feed(t.Context(), nil)
	if s := p.status(); !s.Loaded() || p.log.Len() != frames {
		t.Errorf("with all its frames, %d, it is read to %v", p.log.Len(), s.Loading)
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
}

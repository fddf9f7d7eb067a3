package record_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/record"
)

func TestLinesAreThoseOfTheFileWhateverStandsBetween(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines.mcpl.jsonl")
	text := `{"mcpl_recording":1,"id":"x","started":"2026-11-29T10:00:00Z","tool":"t","target":{"kind":"demo"}}` + "\n" +
		`{"seq":1,"t":0,"conn":1,"dir":"note","note":"connect"}` + "\n\n" +
		"no line of a recording\n" +
		`{"seq":2,"t":1,"conn":1,"dir":"note","note":"connected"}` + "\r\n" +
		`{"seq":3,"t":2,"conn":1,"dir":"note","note":"closed"}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	rec, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	if err := rec.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := rec.Lines([]int{2, 0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if want := map[int]int{0: 2, 1: 5, 2: 6}; !maps.Equal(got, want) {
		t.Errorf("lines are %v, want %v", got, want)
	}
	if _, err := rec.Lines([]int{3}); err == nil {
		t.Error("a frame that is not there has a line")
	}
}

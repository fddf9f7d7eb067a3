//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestQuantilesAreValuesThatWereMeasured(t *testing.T) {
	values := []time.Duration{5, 1, 4, 2, 3}
	if m, p := median(values), quantile(values, 0.99); m != 3 || p != 5 {
		t.Errorf("median %v, 99th percentile %v", m, p)
	}
}

func TestTheTableIsWrittenBetweenItsMarksAndNowhereElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(path, []byte("before\n"+tableBegins+"old\n"+tableEnds+"\nafter\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := table([]column{{messages: 1_000_000, floor: 2 * time.Second, check: ran{took: 3 * time.Second, peak: 96}, copied: 100, taken: 75}})
	for range 2 {
		if err := writeInto(path, text); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := string(got)
	if !strings.HasPrefix(s, "before\n"+tableBegins) || !strings.HasSuffix(s, tableEnds+"\nafter\n") || strings.Contains(s, "old") || strings.Count(s, "1,000,000") != 1 {
		t.Errorf("%s", s)
	}
	for _, want := range []string{"| `check`, of the floor | 1.50 | 1.5 |", "| 75 % |", "96 MB"} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is not in\n%s", want, s)
		}
	}
	if err := os.WriteFile(path, []byte("no marks"), 0o600); err != nil {
		t.Fatal(err)
	}
	if writeInto(path, text) == nil {
		t.Error("a file without a place for the table was written")
	}
}

func TestTheTrafficIsWhatItSaysItIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mcpl.jsonl")
	if err := record(path, 1000); err != nil {
		t.Fatal(err)
	}
	if err := floor(path); err != nil {
		t.Error(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(raw), "\n"); lines < 1001 || lines > 1003 {
		t.Errorf("%d lines for 1,000 messages and a header", lines)
	}
}

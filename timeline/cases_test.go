package timeline_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

// tape is a session in memory.
type tape = timelinetest.Tape

// readTape reads the frames of a well-formed recording.
func readTape(t testing.TB, raw []byte) tape {
	t.Helper()
	var out tape
	for i, line := range bytes.Split(bytes.TrimSpace(raw), []byte("\n")) {
		if i == 0 {
			continue // the header
		}
		f, err := timelinetest.ReadFrame(line)
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		out = append(out, f)
	}
	return out
}

func TestCasesGiveTheStateAndTheRowsThatStandBesideThem(t *testing.T) {
	files, _ := filepath.Glob("testdata/cases/*.mcpl.jsonl")
	if len(files) == 0 {
		t.Fatal("no cases found")
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".mcpl.jsonl")
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			l := timelinetest.Log(t, readTape(t, raw))
			board, err := l.Board(l.Len() - 1)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, "state", strings.Replace(file, ".mcpl.jsonl", ".state.json", 1), board.Export())
			rows, err := l.Rows(0, l.RowCount())
			if err != nil {
				t.Fatal(err)
			}
			var out []timeline.RowJSON
			for i := range rows {
				out = append(out, rows[i].Export())
			}
			compare(t, "revs", strings.Replace(file, ".mcpl.jsonl", ".revs.json", 1), out)
		})
	}
}

func compare(t *testing.T, what, file string, got any) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want, have any
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &have); err != nil {
		t.Fatal(err)
	}
	for _, d := range differences(what, want, have) {
		t.Error(d)
	}
}

// differences compares only the members that stand in want; changes are
// compared as a set.
func differences(path string, want, have any) []string {
	switch w := want.(type) {
	case map[string]any:
		h, ok := have.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s: want an object, have %v", path, have)}
		}
		var out []string
		for k, v := range w {
			out = append(out, differences(path+"."+k, v, h[k])...)
		}
		return out
	case []any:
		h, ok := have.([]any)
		if !ok && have != nil || len(h) != len(w) {
			return []string{fmt.Sprintf("%s: want %s\n have %s", path, short(want), short(have))}
		}
		if strings.HasSuffix(path, ".changes") {
			sortByText(w)
			sortByText(h)
		}
		var out []string
		for i := range w {
			out = append(out, differences(fmt.Sprintf("%s[%d]", path, i), w[i], h[i])...)
		}
		return out
	default:
		if want != have {
			return []string{fmt.Sprintf("%s: want %v, have %v", path, want, have)}
		}
		return nil
	}
}

func short(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func sortByText(list []any) {
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(short(a), short(b)) })
}

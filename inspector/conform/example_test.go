package conform_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// The example of a rule is what it finds in the first failing recording of its
// cases.
func TestTheExampleOfARuleIsWhatItFindsInItsCase(t *testing.T) {
	all := map[string]conform.Example{}
	for _, r := range conform.Rules() {
		a, err := txtar.ParseFile(filepath.Join("testdata", "rules", r.ID+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if strings.HasSuffix(f.Name, recording) && !strings.HasPrefix(f.Name, "sound") {
				all[r.ID] = exampleIn(t, r.ID, f.Data)
				break
			}
		}
	}
	want := marshalled(t, all)
	if uitest.Updating() {
		if err := os.WriteFile("examples.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have := map[string]conform.Example{}
	for _, r := range conform.Rules() {
		if e, ok := conform.ExampleOf(r.ID); ok {
			have[r.ID] = e
		}
	}
	if got := marshalled(t, have); !bytes.Equal(got, want) {
		t.Errorf("the examples are\n%s\nand the cases give\n%s", got, want)
	}
}

func exampleIn(t *testing.T, rule string, raw []byte) conform.Example {
	t.Helper()
	frames, opt := readTape(t, raw)
	for _, f := range judged(frames, opt).Findings() {
		if f.Rule == rule {
			return conform.Example{Message: f.Message, Seen: f.Seen, Expected: f.Expected}
		}
	}
	t.Fatalf("%s: nothing is found in its case", rule)
	return conform.Example{}
}

func marshalled(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

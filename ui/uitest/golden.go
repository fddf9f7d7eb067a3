package uitest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/charmbracelet/x/exp/golden" // it has the flag -update, as there can be only one
)

// Updating reports whether a test was run with -update: what stands in
// testdata is then written anew from what is made now.
func Updating() bool {
	return flag.Lookup("update").Value.String() == "true"
}

// Golden compares a screen with testdata/name.txt, and says which line
// differs first.
func Golden(tb testing.TB, name, got string) {
	tb.Helper()
	path := filepath.Join("testdata", name+".txt")
	if Updating() {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			tb.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	wants, gots := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range max(len(wants), len(gots)) {
		if w, g := lineAt(wants, i), lineAt(gots, i); w != g {
			tb.Errorf("%s, line %d (-update writes what is drawn now):\ngot  %q\nwant %q", name, i+1, g, w)
			return
		}
	}
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(none)"
}

package lanes

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

var update = flag.Bool("update", false, "write the goldens")

func screen(v *View, c *view.Context, w, h int) string {
	canvas := kit.NewCanvas(w, h)
	v.Draw(canvas.All(), c)
	return canvas.Plain()
}

// press presses keys, one after the other.
func press(v *View, c *view.Context, keys ...string) (do view.Intent) {
	for _, k := range keys {
		do, _ = v.Key(k, c)
	}
	return do
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	wants := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(wants) || line != wants[i] {
			t.Errorf("%s, line %d (-update writes what is drawn now):\n%q\nwant\n%q", name, i+1, line, append(wants, "")[min(i, len(wants))])
			return
		}
	}
}

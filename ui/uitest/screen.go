package uitest

import (
	"strings"
	"unicode"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// A Drawer is a view that can be drawn.
type Drawer interface {
	Draw(r kit.Region, c *view.Context)
}

// A Keyed is a view that takes keys.
type Keyed interface {
	Key(key string, c *view.Context) (do view.Intent, handled bool)
}

// Screen draws a view on w × h cells and returns its lines, without colours.
func Screen(v Drawer, c *view.Context, w, h int) string {
	canvas := kit.NewCanvas(w, h)
	v.Draw(canvas.All(), c)
	return canvas.Plain()
}

// Press presses keys, one after the other, and returns what the last one asks
// for.
func Press(v Keyed, c *view.Context, keys ...string) (do view.Intent) {
	for _, k := range keys {
		do, _ = v.Key(k, c)
	}
	return do
}

// AnySize is a size of the body by chance: often one that the screens are
// drawn at, else any at all.
func AnySize(t *rapid.T) (w, h int) {
	if rapid.Bool().Draw(t, "drawn size") {
		s := rapid.SampledFrom([][2]int{{160, 43}, {100, 25}, {80, 19}, {40, 7}, {40, 6}, {1, 1}, {0, 0}}).Draw(t, "size")
		return s[0], s[1]
	}
	return rapid.IntRange(0, 200).Draw(t, "w"), rapid.IntRange(0, 60).Draw(t, "h")
}

// InPlace draws a view into the middle of a canvas. The test fails where the
// view draws outside of its w × h cells, or lets through what a terminal would
// act on. It returns the whole canvas as text.
func InPlace(t rapid.TB, v Drawer, c *view.Context, w, h int) string {
	t.Helper()
	const margin = 3
	canvas := kit.NewCanvas(w+2*margin, h+2*margin)
	all := canvas.All()
	for y := range h + 2*margin {
		all.Fill(0, y, w+2*margin, kit.Style{}, "#")
	}
	body := all.Sub(margin, margin, w, h)
	body.Clear()
	v.Draw(body, c)
	text := canvas.Plain()
	for _, r := range text {
		if r != '\n' && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r)) {
			t.Fatalf("%d×%d: %U on the screen:\n%s", w, h, r, text)
		}
	}
	for y, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		want := strings.Repeat("#", margin)
		if y < margin || y >= h+margin {
			want = strings.Repeat("#", w+2*margin)
		}
		if !strings.HasPrefix(line, want) || !strings.HasSuffix(line, want) {
			t.Fatalf("%d×%d: drawn outside in line %d:\n%s", w, h, y, text)
		}
	}
	return text
}

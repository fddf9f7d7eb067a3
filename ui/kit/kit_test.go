package kit_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

func TestNothingThatControlsATerminalPassesTheGate(t *testing.T) {
	for in, want := range map[string]string{
		"plain text, ünïcödé, 日本": "plain text, ünïcödé, 日本",
		"a\x1b[31mred":            "a␛[31mred",
		"\x07\x00\x7f":            "␇␀␡",
		"c1 \u009b31m":            `c1 \x9b31m`,
		"rtl \u202eevil":          `rtl \u202eevil`,
		"zero\u200bwidth":         `zero\u200bwidth`,
		"broken \xff\xfe":         `broken \xff\xfe`,
		"tag \U000e0041":          `tag \U000e0041`,
		"line\nbreak":             "line␊break",
	} {
		if got := kit.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestWhateverIsPutOnACanvasComesOutHarmlessAndInItsPlace(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(0, 30).Draw(rt, "w"), rapid.IntRange(0, 5).Draw(rt, "h")
		c := kit.NewCanvas(w, h)
		for range rapid.IntRange(0, 6).Draw(rt, "n") {
			text := string(rapid.SliceOf(rapid.Byte()).Draw(rt, "bytes")) + rapid.String().Draw(rt, "text")
			x, y := rapid.IntRange(-3, 32).Draw(rt, "x"), rapid.IntRange(-1, 6).Draw(rt, "y")
			region := c.All().Sub(rapid.IntRange(0, 9).Draw(rt, "rx"), 0, rapid.IntRange(0, 30).Draw(rt, "rw"), h)
			switch rapid.IntRange(0, 2).Draw(rt, "how") {
			case 0:
				region.Put(x, y, kit.As(kit.Normal), text)
			case 1:
				region.PutCut(x, y, 7, kit.As(kit.Dim), text)
			case 2:
				region.PutRight(x, y, kit.As(kit.Bad), text)
			}
		}
		out := kit.NewTheme(termenv.Ascii, true).Render(c)
		if h > 0 && strings.Count(out, "\n") != h-1 {
			rt.Fatalf("%d lines, want %d: %q", strings.Count(out, "\n")+1, h, out)
		}
		for _, line := range strings.Split(c.Plain(), "\n") {
			if kit.Width(line) > w {
				rt.Fatalf("a line of %d cells on a canvas of %d: %q", kit.Width(line), w, line)
			}
			if kit.Clean(line) != line || !utf8.ValidString(line) {
				rt.Fatalf("not clean: %q", line)
			}
		}
	})
}

func TestCutTextFitsAndSaysThatItWasCut(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := kit.Clean(rapid.String().Draw(rt, "s"))
		w := rapid.IntRange(0, 20).Draw(rt, "w")
		for name, f := range map[string]func(string, int) string{"Cut": kit.Cut, "CutMiddle": kit.CutMiddle} {
			got := f(s, w)
			if kit.Width(got) > w {
				rt.Fatalf("%s(%q, %d) = %q, %d cells", name, s, w, got, kit.Width(got))
			}
			if got != s && w > 0 && !strings.Contains(got, "…") {
				rt.Fatalf("%s(%q, %d) = %q does not say that it was cut", name, s, w, got)
			}
		}
		if got := kit.Pad(s, w); kit.Width(got) != w {
			rt.Fatalf("Pad(%q, %d) = %q, %d cells", s, w, got, kit.Width(got))
		}
		for _, line := range kit.Wrap(s, max(w, 1)) {
			if kit.Width(line) > max(w, 1) {
				rt.Fatalf("Wrap(%q, %d) has the line %q", s, w, line)
			}
		}
	})
}

func TestEveryGlyphOfTheScreensHasAnASCIIForm(t *testing.T) {
	c := kit.NewCanvas(60, 1)
	c.All().Put(0, 0, kit.As(kit.Normal), "●○≠◆◇✗▄·░↑↓→←┆▌▏━─▾▸◂►‖◌┴█≈═▼▲⋯…┌│└┭┮├┤┬┼╌┄“”‹›✓")
	theme := kit.NewTheme(termenv.Ascii, true)
	theme.ASCII = true
	for _, r := range theme.Render(c) {
		if r > 0x7e {
			t.Errorf("%q is drawn as it is", r)
		}
	}
}

package search

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

func typed(l *Line, keys ...string) (used, look bool) {
	for _, k := range keys {
		used, look = l.Key(k)
	}
	return used, look
}

func TestAWordIsTypedKeptAndLookedForAgain(t *testing.T) {
	var l Line
	l.Open()
	typed(&l, "a", "space", "囲", "x", "backspace", "up", "ctrl+h", "b")
	if used, look := typed(&l, "enter"); !used || !look || l.Word != "a b" || l.Typing {
		t.Fatalf("used %v, look %v, %+v", used, look, l)
	}
	if !l.Close() || l.Shown() || l.Close() {
		t.Fatalf("closed once: %+v", l)
	}
	l.Open()
	if _, look := typed(&l, "enter"); !look || l.Word != "a b" {
		t.Errorf("an empty word is not the one before: %+v", l)
	}
}

func TestKeysThatEditAWord(t *testing.T) {
	for _, tc := range []struct {
		keys, want string
		shown      bool
	}{
		{"a b space c d ctrl+w", "ab ", true},
		{"a b ctrl+u", "", true},
		{"a backspace backspace", "", false},
		{"a esc", "", false},
	} {
		var l Line
		l.Open()
		typed(&l, strings.Fields(tc.keys)...)
		if l.Word != tc.want || l.Shown() != tc.shown {
			t.Errorf("%s: %+v", tc.keys, l)
		}
	}
	var l Line
	if used, _ := l.Key("f1"); used {
		t.Error("f1 is no text")
	}
}

func TestAPastedWordIsBoundAndPrintable(t *testing.T) {
	var l Line
	l.Add("a\x1b[2J\nb" + strings.Repeat("x", 3*Most))
	if !strings.HasPrefix(l.Word, "a[2Jbx") || len(l.Word) != Most {
		t.Errorf("%d bytes: %q", len(l.Word), l.Word)
	}
}

func TestOfALongWordTheEndIsSeenWhereItIsTyped(t *testing.T) {
	l := Line{Typing: true, Word: "beginning and end"}
	canvas := kit.NewCanvas(8, 1)
	l.Draw(canvas.All(), 0, true)
	if got := canvas.Plain(); !strings.HasPrefix(got, " /d end") && !strings.HasPrefix(got, " / end") {
		t.Errorf("%q", got)
	}
}

func TestMatchesAreMarkedWithoutRegardToTheCaseOfASCII(t *testing.T) {
	l := Line{Word: "Ab"}
	canvas := kit.NewCanvas(20, 1)
	r := canvas.All()
	r.Put(0, 0, kit.As(kit.Normal), "囲ab AB x")
	l.Mark(r, 0, 0, "囲ab AB x")
	if got := kit.NewMono().Render(canvas); !strings.Contains(got, "4mab\x1b[0m") || !strings.Contains(got, "4mAB\x1b[0m") {
		t.Errorf("%q", got)
	}
}

package filter_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/ui/filter"
)

func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

// A needle finds what strings.Contains finds, and says that there is nothing
// only where no string that JSON holds has the word.
func TestANeedleFindsAWordWhereverItStands(t *testing.T) {
	letters := rapid.SampledFrom([]rune("aAbBkKiI1:\"\\ é\u212a\u0130ß\n"))
	text := rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(letters, 0, 12).Draw(t, "runes")) })
	rapid.Check(t, func(t *rapid.T) {
		s := text.Draw(t, "text")
		word := strings.ToLower(string(rapid.SliceOfN(letters, 0, 3).Draw(t, "word")))
		n := filter.NewNeedle(word)
		if got, want := n.In([]byte(s)), strings.Contains(ascii(s), word); got != want {
			t.Fatalf("%q in %q: %v, want %v", word, s, got, want)
		}
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if n.Lacks(raw) && filter.Has(s, word) {
			t.Fatalf("%s has %q", raw, word)
		}
		if n.Lacks([]byte(s)) && filter.Has(s, word) {
			t.Fatalf("%q has %q", s, word)
		}
	})
}

func BenchmarkNeedle(b *testing.B) {
	line := []byte(`{"jsonrpc":"2.0","id":"s16","method":"push/event","params":{"featureSet":"game.moves","eventId":"mv-10","payload":{"content":[{"type":"text","text":"White plays C3."}]}}}`)
	n := filter.NewNeedle("tool39")
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		n.In(line)
	}
}

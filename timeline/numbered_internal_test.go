package timeline

import (
	"testing"

	"pgregory.net/rapid"
)

func TestWhatIsKeptByNumberIsWhatAMapWouldKeep(t *testing.T) {
	ids := rapid.OneOf(
		rapid.StringMatching(`"?(s|mv-|a0|)[0-9]{0,4}"?`),
		rapid.StringMatching(`[0-9]{1,12}`),
		rapid.StringMatching(`"[0-9a-f]{2}-[0-9a-f]{2}"`),
		rapid.Map(rapid.IntRange(0, 300), func(n int) string { return `"s` + string(rune('0'+n%10)) + `"` }),
		rapid.Just(""),
	)
	rapid.Check(t, func(t *rapid.T) {
		var x numbered[int]
		want := map[string]int{}
		for i := range rapid.IntRange(0, 300).Draw(t, "steps") {
			id := ids.Draw(t, "id")
			if x.get(id) != want[id] {
				t.Fatalf("%q: %d, want %d", id, x.get(id), want[id])
			}
			x.put(id, i+1)
			want[id] = i + 1
		}
		for id, v := range want {
			if x.get(id) != v {
				t.Fatalf("%q: %d, want %d", id, x.get(id), v)
			}
		}
	})
}

func TestAnIDIsCutBeforeItsNumber(t *testing.T) {
	for id, want := range map[string]struct {
		begin string
		n     int
	}{
		`12`: {"", 12}, `"12"`: {`"`, 12}, `"req-7"`: {`"req-`, 7}, `0`: {"", 0}, `007`: {"00", 7}, `"a00"`: {`"a0`, 0}, `"a"`: {"", -1},
		`12345678901`: {"12", 345678901}, `-3`: {"-", 3}, `1.5`: {"1.", 5}, ``: {"", -1}, `"`: {"", -1}, `"100"`: {`"`, 100},
	} {
		if begin, n := split(id); begin != want.begin || n != want.n {
			t.Errorf("%s: %q and %d", id, begin, n)
		}
	}
}

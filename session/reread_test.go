package session

import (
	"testing"
	"time"
)

func TestAReadingThatBringsAboutTheNextOneSlowsDown(t *testing.T) {
	now := time.Now()
	k := coalescer{gap: listGap, most: mostListGap}
	read := func() (waited time.Duration) {
		waited = max(k.wait(now), 0)
		now = now.Add(waited)
		k.begin(now)
		return waited
	}
	for i, want := range []time.Duration{0, listGap, listGap, listGap, listGap, 2 * listGap, 4 * listGap, 8 * listGap, mostListGap, mostListGap} {
		if got := read(); got != want {
			t.Errorf("reading %d waits for %s, want %s", i+1, got, want)
		}
	}
	now = now.Add(time.Minute)
	for i, want := range []time.Duration{0, listGap, listGap} {
		if got := read(); got != want {
			t.Errorf("after a rest reading %d waits for %s, want %s", i+1, got, want)
		}
	}
	k = coalescer{gap: manifestGap}
	for range 20 {
		if got := read(); got > manifestGap {
			t.Errorf("the manifest is read after %s", got)
		}
	}
}

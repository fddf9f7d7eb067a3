package record

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestATailHoldsWhatCameInAndHasNotLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q tail
		in, out := 0, 0
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			for range rapid.IntRange(0, 3*tailBlock).Draw(t, "in") {
				in++
				q.push(wire.Frame{Seq: int64(in)})
			}
			n := rapid.IntRange(0, q.len()).Draw(t, "out")
			q.drop(n)
			out += n
			if q.len() != in-out {
				t.Fatalf("%d frames are in it, not %d", q.len(), in-out)
			}
			for i := range q.len() {
				if got := q.at(i).Seq; got != int64(out+i+1) {
					t.Fatalf("frame %d stands at %d, where %d belongs", got, i, out+i+1)
				}
			}
			if most := q.len()/tailBlock + 2; len(q.blocks) > most {
				t.Fatalf("%d blocks for %d frames", len(q.blocks), q.len())
			}
		}
	})
}

func TestAFloodThatPassesThroughATailCostsNoMemory(t *testing.T) {
	var q tail
	pass := func() {
		for range keepFrames {
			q.push(wire.Frame{Seq: 1})
		}
		q.drop(keepFrames)
	}
	for range 8 {
		pass()
	}
	for range keepFrames {
		q.push(wire.Frame{}) // that many are always there
	}
	if got := testing.AllocsPerRun(100, func() {
		for range tailBlock {
			q.push(wire.Frame{Seq: 1})
			q.drop(1)
		}
	}); got > 0 {
		t.Errorf("%v allocations for each %d frames", got, tailBlock)
	}
}

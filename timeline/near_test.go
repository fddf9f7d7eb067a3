package timeline_test

import (
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

// counted counts what is read of a session.
type counted struct {
	tape
	read atomic.Int64
}

func (c *counted) Frame(i int) (wire.Frame, error) {
	c.read.Add(1)
	return c.tape.Frame(i)
}

// A screen asks for the rows in sight one by one, in any order, again and
// again: each must not cost what lies between two keyframes.
func TestStatesCloseTogetherAreNotMadeFromAKeyframeEach(t *testing.T) {
	src := &counted{tape: flood(20_000)}
	log := timelinetest.Log(t, src)
	const asked = 40
	for _, end := range []int{log.Len() - 1, 9_999, 15_000, 15_100, 2_000} {
		src.read.Store(0)
		for k := range asked {
			if _, err := log.Board(end - (k*17)%asked); err != nil {
				t.Fatal(err)
			}
		}
		if n := src.read.Load(); n > 2048+asked*200 {
			t.Errorf("%d states before frame %d cost %d frames", asked, end, n)
		}
	}
}

func TestAtTheEndOfASessionThatGoesOnAStateCostsFewFrames(t *testing.T) {
	src := &counted{tape: flood(20_000)}
	log := timeline.NewLog(src)
	for log.Len() < len(src.tape) {
		if _, err := log.Advance(1000); err != nil {
			t.Fatal(err)
		}
		src.read.Store(0)
		if _, err := log.Board(log.Len() - 40); err != nil {
			t.Fatal(err)
		}
		if n := src.read.Load(); log.Len() > 1000 && n > 600 {
			t.Errorf("a state before frame %d cost %d frames", log.Len(), n)
		}
	}
}

func TestAStateIsTheSameWhereverItIsMadeFrom(t *testing.T) {
	tape := flood(5_000)
	asked := timelinetest.Log(t, tape)
	for k := range 400 {
		i := (k * 1237) % len(tape)
		got, err := asked.Board(i)
		if err != nil {
			t.Fatal(err)
		}
		if k%20 > 0 {
			continue
		}
		if want := timelinetest.Log(t, tape[:i+1]).Latest(); !reflect.DeepEqual(got, want) {
			t.Fatalf("the board at %d is\n%+v\nand from the beginning\n%+v", i, got, want)
		}
	}
}

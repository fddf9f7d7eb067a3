package timeline_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

// reducing is a log of n frames, which reduce lets it take beside the test.
func reducing(t *testing.T, n int) (log *timeline.Log, reduce func()) {
	t.Helper()
	tape := make(timelinetest.Tape, n)
	for i := range tape {
		tape[i] = timeline.Frame{Seq: int64(i + 1), Conn: 1, Dir: timeline.Err, Body: []byte("a line")}
	}
	log = timeline.NewLog(tape)
	return log, func() {
		if _, err := log.Advance(n); err != nil {
			t.Error(err)
		}
	}
}

func TestALogStandsStillWhileSomebodyLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, reduce := reducing(t, 10)
		first, second := log.Look(), log.Look()
		go reduce()
		synctest.Wait()
		if n := log.Len(); n != 0 {
			t.Errorf("%d frames were reduced while two looked", n)
		}
		first()
		first()
		synctest.Wait()
		if n := log.Len(); n != 0 {
			t.Errorf("%d frames were reduced while one looked", n)
		}
		second()
		synctest.Wait()
		if n := log.Len(); n != 10 {
			t.Errorf("%d frames were reduced once nobody looked, want 10", n)
		}
	})
}

func TestALogGoesOnWithoutWhoLooksForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, reduce := reducing(t, 10)
		done := log.Look()
		go reduce()
		time.Sleep(time.Second)
		if n := log.Len(); n != 10 {
			t.Errorf("%d frames were reduced, want 10", n)
		}
		done()
	})
}

package session

import (
	"sync"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// unsorted keeps frames without a lock of its own: the tap's must do.
type unsorted struct{ frames []wire.Frame }

func (u *unsorted) Append(f wire.Frame) { u.frames = append(u.frames, f) }

func TestTheTapNumbersUnderOneLockAndTimeNeverFalls(t *testing.T) {
	var mu sync.Mutex
	clock := time.Unix(1000, 0)
	steps := []time.Duration{1500, -time.Hour, 3 * time.Second, 1, -1}
	n := 0
	now := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		clock = clock.Add(steps[n%len(steps)])
		n++
		return clock
	}
	out := &unsorted{}
	tap := newTap(out, now, time.Unix(1000, 0))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 500 {
				tap.put(wire.Frame{Dir: wire.In})
			}
		})
	}
	group.Wait()
	if len(out.frames) != 4000 || tap.newest() != 4000 {
		t.Errorf("%d frames, newest %d", len(out.frames), tap.newest())
	}
	checkFrames(t, out.frames)
}

func TestTimeIsCutToMicroseconds(t *testing.T) {
	out := &unsorted{}
	start := time.Unix(1000, 0)
	newTap(out, func() time.Time { return start.Add(1234567) }, start).put(wire.Frame{})
	if out.frames[0].T != 1234*time.Microsecond {
		t.Errorf("%v", out.frames[0].T)
	}
}

func TestOnlyWhatConcernsTheSessionIsQueued(t *testing.T) {
	bodies := map[string]int{
		`{"jsonrpc":"2.0","id":1,"result":{}}`:                         1,
		`{"jsonrpc":"2.0","\u0069d":1,"method":"ping"}`:                1,
		" {\n\"id\":1,\"result\":{}}":                                  1,
		`[{"id":1,"result":{}},{"method":"x"},{"id":2,"method":"y"}]`:  2,
		`{"method":"tools/hints","params":{"rev":1,"tools":[]}}`:       0,
		`{"method":"notifications/message","params":{"data":"hello"}}`: 0,
		"{\"id\":1,\"result\":\"\xff\"}":                               0,
		`{"id":1,`:                                                     0,
		"":                                                             0,
	}
	for method := range notified {
		bodies[`{"jsonrpc":"2.0","method":"`+method+`"}`] = 1
	}
	for body, want := range bodies {
		out := &unsorted{}
		c := newConn(New(Config{Sink: out}), 1, nil, nil)
		close(c.opened)
		c.Receive(Received{Via: viaStdio, Body: []byte(body)})
		if got := len(c.queue.items); got != want || len(out.frames) != 1 || out.frames[0].Form != wire.FormOf([]byte(body)) {
			t.Errorf("%s: %d queued, want %d; %d frames", body, got, want, len(out.frames))
		}
	}
}

package model

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// longLog is a session of n revs, made when they are read, that counts what is
// read of it.
type longLog struct {
	n    int
	read atomic.Int64
}

func (l *longLog) Len() int { return 4 + l.n }

func (l *longLog) Frame(i int) (timeline.Frame, error) {
	l.read.Add(1)
	f := timeline.Frame{Seq: int64(i + 1), Conn: 1, Via: "stdio", Form: 1, Dir: timeline.In}
	switch i {
	case 0:
		f.Dir, f.Body = timeline.Out, []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"experimental":{"mcpl":{"toolHints":true}}}}}`)
	case 1:
		f.Body = []byte(`{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"experimental":{"mcpl":{"toolHints":true}}}}}`)
	case 2:
		f.Dir, f.Body = timeline.Out, []byte(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	case 3:
		f.Body = []byte(`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"move","_meta":{"mcpl/presence":"dynamic","mcpl/visible":false}},{"name":"pin"}]}}`)
	default:
		what := fmt.Sprintf(`{"name":"move","visible":%t}`, i%2 == 0)
		if i%100 == 99 {
			what = fmt.Sprintf(`{"name":"pin","presence":%q}`, []string{"dynamic", "static"}[i/100%2])
		}
		f.Body = []byte(fmt.Sprintf(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[%s]}}`, i-3, what))
	}
	return f, nil
}

// A key costs the way from a keyframe to the rows in sight, at any length of
// the session; the figures cost nothing.
func TestAKeyReadsOnlyWhatIsInSight(t *testing.T) {
	src := &longLog{n: 60_000}
	log := timelinetest.Log(t, src)
	d := drive(t, uitest.MomentOf(t, log, log.Len()-1, 0))
	const most = 8 * 2048 // of 60,000: some ways from a keyframe
	for _, key := range []string{"pgup", "k", "g", "pgdown", "j", "G", "tab", "j", "pgdown", "end", "tab", "tab", "k"} {
		uitest.MovePlayhead(t, d.c, 4+(d.c.At*7919+31_337)%src.n) // somewhere else
		src.read.Store(0)
		uitest.Screen(d.v, d.c, 160, 43)
		d.press(key)
		if n := src.read.Load(); n > most {
			t.Errorf("%s at frame %d reads %d frames", key, d.c.At, n)
		}
	}
	d.press("shift+tab", "home", "end")
	for range 20 { // changes of the head are read a few at a time
		src.read.Store(0)
		uitest.Screen(d.v, d.c, 160, 43)
		if n := src.read.Load(); n > most {
			t.Errorf("a drawing reads %d frames", n)
		}
	}
	if d.v.Busy(d.c) {
		t.Error("it is still at work")
	}
}

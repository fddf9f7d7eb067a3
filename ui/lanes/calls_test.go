package lanes

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// calling is a flood in which every tenth frame calls tool0 in a.
type calling int

func (n calling) Len() int { return flood(n).Len() }

func (n calling) Frame(i int) (timeline.Frame, error) {
	if i < 5 || i%10 != 9 {
		return flood(n).Frame(i)
	}
	return timeline.Frame{
		Seq: int64(i + 1), T: time.Duration(i) * time.Millisecond, Conn: 1, Dir: timeline.Out, Via: "stdio", Form: 1,
		Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"tool0","_meta":{"mcpl/instance":"a"}}}`, i),
	}, nil
}

func callsOf(t *testing.T, n int) (*View, *view.Context) {
	t.Helper()
	log := timelinetest.Log(t, calling(n))
	v := New()
	v.Select("game", "a", "tool0")
	c := uitest.MomentOf(t, log, log.Len()-1, log.Entry(log.Len()-1).T)
	uitest.Screen(v, c, 160, 43)
	return v, c
}

func TestCallsOfALongSessionAreCountedBesideTheScreen(t *testing.T) {
	v, c := callsOf(t, 5000)
	if s := uitest.Screen(v, c, 160, 43); !strings.Contains(s, "none to it, in the first 0 frames, the rest is being read") {
		t.Fatal(s)
	}
	pieces := 0
	for piece := v.Work(c); piece != nil; piece = v.Work(c) {
		if v.Work(c) != nil {
			t.Fatal("two pieces at once")
		}
		piece()(c)
		pieces++
	}
	if s := uitest.Screen(v, c, 160, 43); pieces == 0 || !strings.Contains(s, "500 calls to it, the last in frame 5000") {
		t.Errorf("%d pieces:\n%s", pieces, s)
	}
}

func TestCallsOfAShortSessionAreCountedWithItsDrawing(t *testing.T) {
	v, c := callsOf(t, 100)
	if s := uitest.Screen(v, c, 160, 43); v.Work(c) != nil || !strings.Contains(s, "10 calls to it, the last in frame 100") {
		t.Error(s)
	}
}

func TestCallsOfASessionThatIsLeftAreNotCounted(t *testing.T) {
	v, long := callsOf(t, 5000)
	piece := v.Work(long)
	log := timelinetest.Log(t, calling(100))
	c := uitest.MomentOf(t, log, log.Len()-1, log.Entry(log.Len()-1).T)
	uitest.Screen(v, c, 160, 43)
	piece()(c)
	if v.calls.seen != log.Len() || len(v.calls.at) != 1 || len(v.calls.at[callKey{1, "tool0", "a"}]) != 10 {
		t.Errorf("%d frames, %v", v.calls.seen, v.calls.at)
	}
}

package board

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
	"github.com/mcpl-tui/mcpl-tui/ui/revs"
)

// longLog is a session of n revs, made when they are read, that counts what is
// read of it.
type longLog struct {
	n    int
	read atomic.Int64
}

func (l *longLog) Len() int { return 4 + 2*l.n }

func (l *longLog) Frame(i int) (timeline.Frame, error) {
	l.read.Add(1)
	f := timeline.Frame{Seq: int64(i + 1), Conn: 1, T: time.Duration(i) * time.Millisecond, Via: "stdio", Form: 1, Dir: timeline.In}
	switch {
	case i == 0:
		f.Dir = timeline.Out
		f.Body = []byte(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"capabilities":{"experimental":{"mcpl":{"toolHints":true}}}}}`)
	case i == 1:
		f.Body = []byte(`{"jsonrpc":"2.0","id":"i","result":{"serverInfo":{"name":"s"},"capabilities":{"experimental":{"mcpl":{"version":"0.5","toolHints":true}}}}}`)
	case i == 2:
		f.Dir = timeline.Out
		f.Body = []byte(`{"jsonrpc":"2.0","id":"l","method":"tools/list"}`)
	case i == 3:
		f.Body = []byte(`{"jsonrpc":"2.0","id":"l","result":{"tools":[{"name":"t","_meta":{"mcpl/presence":"dynamic"}}]}}`)
	case i%2 == 0:
		f.Dir = timeline.Out
		f.Body = fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t%d"}}`, i, i/2%1000)
	default:
		f.Body = fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":{"content":[],"_meta":{"mcpl/hints":{"rev":%d,"tools":[{"name":"t","visible":%v}]}}}}`, i-1, (i-3)/2, i%4 == 1)
	}
	return f, nil
}

func longDriven(t testing.TB, n int) (*driven, *longLog) {
	t.Helper()
	src := &longLog{n: n}
	d := drive(t, timelinetest.Log(t, src))
	d.press("shift+tab")
	return d, src
}

func TestManyRevsAreFilteredInBoundedPieces(t *testing.T) {
	d, src := longDriven(t, 40_000)
	most := int64(0)
	step := func(f func()) {
		before := src.read.Load()
		f()
		most = max(most, src.read.Load()-before)
	}
	d.press("/")
	for _, r := range "tool:t777" {
		step(func() { d.b.Key(string(r), d.c) })
		step(func() { d.draw() })
	}
	if text := d.draw(); !strings.Contains(text, " %") || !strings.Contains(text, "/40000, ") {
		t.Errorf("no count while it searches:\n%s", text)
	}
	d.finish()
	for ok := true; ok; ok = d.b.Busy(d.c) {
		step(func() { d.draw() })
	}
	// A few rows on either side, from a keyframe on, and a few matches that lie apart.
	if most > 7*2048+4*revs.FirstRows {
		t.Errorf("%d frames were read for one drawing", most)
	}
	if got := d.b.found.Count(); got != 40 {
		t.Errorf("%d matches, want 40", got)
	}
	before := src.read.Load()
	d.draw()
	if n := src.read.Load() - before; n != 0 {
		t.Errorf("%d frames were read to draw the same again", n)
	}
	d.press("enter", "k")
	if d.c.Row.N != int(d.b.found.At(39)) {
		t.Errorf("k goes to row %d, not the last match", d.c.Row.N)
	}
	d.press("esc", "/")
	d.typed("rev:100-200")
	step(func() { d.draw() })
	d.finish()
	step(func() { d.draw() })
	if got := d.b.found.Count(); got != 101 {
		t.Errorf("%d matches, want 101", got)
	}
}

func BenchmarkFilterRevs1000000(b *testing.B) {
	d, _ := longDriven(b, 1_000_000)
	d.press("/")
	d.typed("tool:t777")
	b.ResetTimer()
	for b.Loop() {
		d.draw()
	}
}

func TestAFilterOfRevsThatIsClearedReadsNoFurther(t *testing.T) {
	d, src := longDriven(t, 40_000)
	d.press("/")
	d.typed("tool:none")
	piece := d.b.Work(d.c)
	if piece == nil {
		t.Fatal("there is nothing to look at")
	}
	d.press("esc")
	before := src.read.Load()
	piece()(d.c)
	if n := src.read.Load() - before; n > 0 {
		t.Errorf("%d frames were read for nobody", n)
	}
	if d.b.Work(d.c) != nil {
		t.Error("it goes on")
	}
}

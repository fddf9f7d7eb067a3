package server

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// noisy is the handshake of the goban session, and then lines on stderr, made
// as they are read. It counts what is read.
type noisy struct {
	*uitest.Tape
	lines int
	reads atomic.Int64
	word  map[int]string // what a line says beside its number
}

const noiseFrom = 12 // frames of the handshake

func (n *noisy) Len() int { return noiseFrom + n.lines }

func (n *noisy) Frame(i int) (timeline.Frame, error) {
	n.reads.Add(1)
	if i < noiseFrom {
		return n.Tape.Frame(i)
	}
	k := i - noiseFrom + 1
	return timeline.Frame{
		Seq: int64(i + 1), T: time.Second + time.Duration(k)*time.Millisecond, Conn: 1, Dir: timeline.Err, Via: "stdio", Form: 2,
		Body: fmt.Appendf(nil, "line %d %s", k, n.word[k]),
	}, nil
}

func newNoisy(lines int) *noisy {
	return &noisy{Tape: uitest.Frames(uitest.Goban()).Cut(noiseFrom), lines: lines, word: map[int]string{}}
}

// present is the moment at the end of a log, live.
func present(log *timeline.Log) *view.Context {
	b := log.Latest()
	return &view.Context{
		Log: log, Len: log.Len(), At: log.Len() - 1, Follow: true, Board: b, Newest: b, Now: b.T, Limit: 30 * time.Second, Focus: true,
	}
}

// more lets some more lines arrive.
func (n *noisy) more(t testing.TB, log *timeline.Log, lines int) *view.Context {
	t.Helper()
	n.lines += lines
	if _, err := log.Advance(lines + 1); err != nil {
		t.Fatal(err)
	}
	return present(log)
}

func TestStderrIsFollowedAtItsEndAndStandsStillScrolledBack(t *testing.T) {
	n := newNoisy(100)
	log := timelinetest.Log(t, n)
	v, c := New(), present(log)
	sees(t, screen(v, c, 100, 30), "101 lines, following", "line 100")
	c = n.more(t, log, 5)
	got := screen(v, c, 100, 30)
	sees(t, got, "106 lines, following", "▏┆ 117", "line 105")
	uitest.Press(v, c, "tab", "k", "k")
	sees(t, screen(v, c, 100, 30), "line 104 of 106, G follows", "▌┆ 115", "line 103")
	before := screen(v, c, 100, 30)
	c = n.more(t, log, 50)
	after := screen(v, c, 100, 30)
	if a, b := between(before), between(after); a != b {
		t.Errorf("what was scrolled back moved:\n%s\n%s", a, b)
	}
	sees(t, after, "line 104 of 156, G follows")
	uitest.Press(v, c, "G")
	sees(t, screen(v, c, 100, 30), "156 lines, following", "▌┆ 167")
	uitest.Press(v, c, "g")
	sees(t, screen(v, c, 100, 30), "line 1 of 156", "lobby connected")
	uitest.Press(v, c, "ctrl+d", "ctrl+d")
	sees(t, screen(v, c, 100, 30), "line 9 of 156")
	if do := uitest.Press(v, c, "enter"); do.Kind != view.ShowAt || do.Index != log.StderrIndex(8) {
		t.Errorf("enter asks %+v", do)
	}
	// j onto the last line follows again.
	uitest.Press(v, c, "G", "k", "j")
	c = n.more(t, log, 1)
	sees(t, screen(v, c, 100, 30), "157 lines, following", "▌┆ 168")
}

// between is what a screen shows of stderr.
func between(screen string) string {
	_, s, _ := strings.Cut(screen, "STDERR")
	_, s, _ = strings.Cut(s, "\n")
	return s
}

func TestTheWheelHoldsStderrUntilItIsBackAtTheEnd(t *testing.T) {
	n := newNoisy(100)
	log := timelinetest.Log(t, n)
	v, c := New(), present(log)
	screen(v, c, 100, 30)
	v.Click(5, 20, -1, c)
	held := between(screen(v, c, 100, 30))
	sees(t, screen(v, c, 100, 30), "101 lines, scrolled back, G follows")
	c = n.more(t, log, 10)
	if got := between(screen(v, c, 100, 30)); strings.ReplaceAll(got, "▏", " ") != strings.ReplaceAll(held, "▏", " ") {
		t.Errorf("what was scrolled back moved:\n%s\n%s", held, got)
	}
	for range 10 {
		v.Click(5, 20, 1, c)
	}
	c = n.more(t, log, 10)
	sees(t, screen(v, c, 100, 30), "121 lines, following", "line 120")
}

func TestStderrIsSearchedForwardsAndBackwards(t *testing.T) {
	n := newNoisy(300)
	n.word[40], n.word[200] = "a NEEDLE", "needle again"
	log := timelinetest.Log(t, n)
	v, c := New(), present(log)
	screen(v, c, 100, 30)
	uitest.Press(v, c, "tab", "/", "n", "e", "e", "d", "l", "e", "enter") // from the last line around to the first match
	sees(t, screen(v, c, 100, 30), "▌┆  52", "line 40 a NEEDLE", "line 41 of 301")
	uitest.Press(v, c, "n")
	sees(t, screen(v, c, 100, 30), "▌┆ 212", "needle again")
	uitest.Press(v, c, "N")
	sees(t, screen(v, c, 100, 30), "▌┆  52")
	uitest.Press(v, c, "/", "z", "z", "enter")
	sees(t, screen(v, c, 100, 30), "not found. esc clears")
	if v.Busy(c) {
		t.Error("a search that is over keeps the screen busy")
	}
}

// A search through very many lines goes on with each drawing, and can be
// stopped.
func TestALongSearchGoesOnPieceByPiece(t *testing.T) {
	n := newNoisy(100_000)
	n.word[50_000] = "needle"
	log := timelinetest.Log(t, n)
	v, c := New(), present(log)
	screen(v, c, 100, 30)
	before := n.reads.Load()
	uitest.Press(v, c, "tab", "/", "n", "e", "e", "d", "l", "e", "enter")
	if read := n.reads.Load() - before; read > 2*huntLines {
		t.Errorf("one key reads %d frames", read)
	}
	sees(t, screen(v, c, 100, 30), "still looking", "esc stops")
	for i := 0; v.Busy(c); i++ {
		if i > 100 {
			t.Fatal("the search does not end")
		}
		screen(v, c, 100, 30)
	}
	sees(t, screen(v, c, 100, 30), "line 50000 needle", "▌")
	uitest.Press(v, c, "/", "n", "o", "n", "e", "enter")
	if !v.Busy(c) {
		t.Error("nothing is searched for")
	}
	uitest.Press(v, c, "esc")
	if v.Busy(c) {
		t.Error("esc does not stop the search")
	}
}

// However many lines there are, what is read for a drawing is what is in
// sight, and nothing where nothing changed.
func TestOnlyLinesInSightAreRead(t *testing.T) {
	for _, lines := range []int{200, 100_000} {
		n := newNoisy(lines)
		log := timelinetest.Log(t, n)
		v, c := New(), present(log)
		n.reads.Store(0)
		screen(v, c, 160, 48)
		if read := n.reads.Load(); read > 120 {
			t.Errorf("%d lines: the first drawing reads %d frames", lines, read)
		}
		n.reads.Store(0)
		screen(v, c, 160, 48)
		if read := n.reads.Load(); read > 0 {
			t.Errorf("%d lines: a drawing of the same reads %d frames", lines, read)
		}
		uitest.Press(v, c, "shift+tab", "g", "pgdown")
		screen(v, c, 160, 48)
		if read := n.reads.Load(); read > 60 {
			t.Errorf("%d lines: scrolling reads %d frames", lines, read)
		}
		n.reads.Store(0)
		c = n.more(t, log, 1)
		uitest.Press(v, c, "G")
		n.reads.Store(0)
		c = n.more(t, log, 1)
		read := n.reads.Load()
		screen(v, c, 160, 48)
		if read = n.reads.Load() - read; read > 2 {
			t.Errorf("%d lines: one more line reads %d frames", lines, read)
		}
	}
}

func TestCopyingStderrIsBounded(t *testing.T) {
	n := newNoisy(100_000)
	v, c := New(), present(timelinetest.Log(t, n))
	screen(v, c, 100, 30)
	n.reads.Store(0)
	do := uitest.Press(v, c, "tab", "y")
	if lines := strings.Count(do.Text, "\n"); lines != mostCopied || do.What != "1000 lines of stderr, the last up to line 100001" {
		t.Errorf("%d lines copied as %q", lines, do.What)
	}
	if read := n.reads.Load(); read > mostCopied+50 {
		t.Errorf("%d frames are read", read)
	}
}

func TestLinesOfAnEarlierConnectionAreKeptAndTheBytesOfALongOneAreNot(t *testing.T) {
	tape := tapeOf{conn: 1}
	tape.note("connect", `{}`)
	tape.request(1, "initialize", `{}`)
	tape.result(1, `{"capabilities":{}}`)
	tape.err("panic: of the first")
	tape.note("closed", `{"by":"server","code":2}`)
	tape.conn = 2
	tape.note("connect", `{}`)
	tape.request(1, "initialize", `{}`)
	tape.result(1, `{"capabilities":{}}`)
	tape.request(2, "tools/list", `{}`)
	tape.result(2, `{"tools":[]}`)
	tape.err("of the second\twith a tab " + strings.Repeat("x", 5000))
	v, c := New(), of(t, uitest.Frames(tape.bytes()))
	got := screen(v, c, 100, 30)
	sees(t, got, "┆  4   0:00.300  panic: of the first", "┆ 11   0:01.000  of the second   with a tab xxx", "2 lines", "CONNECTIONS     2, this is 2")
	if line := v.stderr.line(1).text; len(line) > maxLine+10 {
		t.Errorf("%d bytes of a line are kept", len(line))
	}
}

func BenchmarkDrawHundredThousandLinesOfStderr(b *testing.B) {
	n := newNoisy(100_000)
	benchmarkDraw(b, n)
}

func BenchmarkDraw(b *testing.B) {
	for _, revs := range []int{1000, 1_000_000} {
		b.Run(fmt.Sprintf("%d-revs", revs), func(b *testing.B) { benchmarkDraw(b, &hinting{Tape: uitest.Frames(uitest.Goban()), n: revs}) })
	}
}

// hinting is the goban session up to its first rev, and then hints.
type hinting struct {
	*uitest.Tape
	n int
}

func (h *hinting) Len() int { return noiseFrom + h.n }

func (h *hinting) Frame(i int) (timeline.Frame, error) {
	if i < noiseFrom {
		return h.Tape.Frame(i)
	}
	return timeline.Frame{
		Seq: int64(i + 1), T: time.Second + time.Duration(i)*time.Millisecond, Conn: 1, Dir: timeline.In, Via: "stdio", Form: 1,
		Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"rematch","visible":%t}]}}`, i-noiseFrom+2, i%2 == 0),
	}, nil
}

// benchmarkDraw draws the whole view; every second drawing is of a moment
// that was not drawn before.
func benchmarkDraw(b *testing.B, frames timeline.Frames) {
	log := timelinetest.Log(b, frames)
	v := New()
	v.Set(gobanFacts(true))
	boards := []*view.Context{goTo(b, present(log), log.Len()-2), present(log)}
	canvas := kit.NewCanvas(160, 43)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		v.sheet = sheet{} // as if the connection had been spoken of just now
		v.Draw(canvas.All(), boards[i%2])
	}
}

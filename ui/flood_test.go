package ui

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// flood is the goban session, and after it one hint message after the other
// as fast as it is read.
type flood struct {
	*uitest.Tape
	base timeline.Frame
	n    atomic.Int64
}

func newFlood(t testing.TB) *flood {
	f := &flood{Tape: uitest.Frames(uitest.Goban()).Cut(uitest.BoardFrames)}
	var err error
	if f.base, err = f.Tape.Frame(uitest.BoardFrames - 1); err != nil {
		t.Fatal(err)
	}
	f.n.Store(int64(uitest.BoardFrames))
	return f
}

func (f *flood) Len() int { return int(f.n.Load()) }

func (f *flood) Frame(i int) (timeline.Frame, error) {
	if i < uitest.BoardFrames {
		return f.Tape.Frame(i)
	}
	n := i - uitest.BoardFrames
	frame := f.base
	frame.Seq, frame.T, frame.Dir = int64(i+1), f.base.T+time.Duration(n)*time.Millisecond, timeline.In
	frame.Body = fmt.Appendf(nil,
		`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"rematch","visible":%t}]}}`, 42+n, n%2 == 0)
	return frame, nil
}

// flooded is a source over a flood.
type flooded struct {
	frames  *flood
	log     *timeline.Log
	changed chan struct{}
}

func (s *flooded) Log() *timeline.Log       { return s.log }
func (s *flooded) Changed() <-chan struct{} { return s.changed }
func (s *flooded) Status() Status {
	st := gobanStatus(true)
	st.Now += time.Hour
	return st
}

// run lets n messages arrive at full speed.
func (s *flooded) run(t testing.TB, n int) {
	for i := 0; i < n; i++ {
		s.frames.n.Add(1)
		if _, err := s.log.Advance(10); err != nil {
			t.Error(err)
			return
		}
		select {
		case s.changed <- struct{}{}:
		default:
		}
	}
}

// tap is what a program wrote, read while it writes.
type tap struct {
	mu    sync.Mutex
	buf   bytes.Buffer
	wrote chan struct{}
}

func newTap() *tap { return &tap{wrote: make(chan struct{}, 1)} }

func (w *tap) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case w.wrote <- struct{}{}:
	default:
	}
	return w.buf.Write(p)
}

// waits returns when a text was written, and fails the test if that takes
// longer than a broken program is waited for.
func (w *tap) waits(t *testing.T, text string) {
	t.Helper()
	late := time.After(30 * time.Second)
	for !w.has(text) {
		select {
		case <-w.wrote:
		case <-late:
			t.Fatalf("%q was never written", text)
		}
	}
}

func (w *tap) has(text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return bytes.Contains(w.buf.Bytes(), []byte(text))
}

// runs runs a model as a program without a terminal.
func runs(t *testing.T, m *Model) (prog *tea.Program, in io.Writer, out *tap, wait func()) {
	t.Helper()
	r, w := io.Pipe()
	out = newTap()
	prog = tea.NewProgram(m, tea.WithInput(r), tea.WithOutput(out), tea.WithoutSignals(), tea.WithFPS(60))
	done := make(chan error, 1)
	go func() { _, err := prog.Run(); done <- err }()
	return prog, w, out, func() {
		t.Helper()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestAFloodOfHintsCostsThirtyDrawsASecond(t *testing.T) {
	frames := newFlood(t)
	src := &flooded{frames: frames, log: uitest.Log(t, frames), changed: make(chan struct{}, 1)}
	m := New(src, &actions{}, Options{Theme: ThemeNone, Unicode: true})
	prog, in, out, wait := runs(t, m)
	start := time.Now()
	prog.Send(tea.WindowSizeMsg{Width: 100, Height: 30})
	out.waits(t, "frame 96")
	const n = 20_000
	flowing := make(chan struct{})
	go func() { defer close(flowing); src.run(t, n) }()
	_, _ = io.WriteString(in, "?") // a key is answered meanwhile
	out.waits(t, "find a key")
	<-flowing
	_, _ = io.WriteString(in, "q")
	out.waits(t, "the connection is open")
	last := fmt.Sprintf("frame %d", uitest.BoardFrames+n)
	out.waits(t, last)
	_, _ = io.WriteString(in, "y")
	wait()
	took := time.Since(start)
	m.Close()
	most := int(took/frameTime) + 5
	if m.Draws() > most {
		t.Errorf("drawn %d times in %v, more than 30 times a second (%d)", m.Draws(), took, most)
	}
	t.Logf("%d draws in %v", m.Draws(), took)
}

// A paused recording draws nothing by itself.
func TestAPausedRecordingIsIdle(t *testing.T) {
	d := replay(t, 100, 30)
	d.m.View()
	if d.m.pace() != 0 {
		t.Fatalf("a clock runs every %v", d.m.pace())
	}
	before := d.m.Draws()
	for range 100 {
		d.now = d.now.Add(time.Second)
		d.m.View()
	}
	if d.m.Draws() != before {
		t.Fatalf("drawn %d times although nothing changed", d.m.Draws()-before)
	}
}

// Whatever happens within one frame's time is one drawing.
func TestABurstOfMessagesIsOneDraw(t *testing.T) {
	d := live(t, 100, 30)
	d.now = d.now.Add(time.Second)
	d.m.View()
	before := d.m.Draws()
	for range 50 {
		d.press("[", "]")
		d.m.View()
	}
	if got := d.m.Draws() - before; got > 1 {
		t.Fatalf("%d draws within one frame's time", got)
	}
	if !strings.Contains(d.screen(), "LIVE") {
		t.Fatal("the burst went wrong")
	}
}

// What a model waits for ends with it.
func TestCloseEndsEveryWait(t *testing.T) {
	d := live(t, 100, 30)
	d.act.block = make(chan struct{})
	var wg sync.WaitGroup
	d.m.still = false
	for _, cmd := range []tea.Cmd{d.m.waitForChange(), d.m.after(time.Hour, nil), d.m.run("open game", origin{})} {
		wg.Add(1)
		go func() { defer wg.Done(); cmd() }()
	}
	d.m.Close()
	wg.Wait()
	if ctx := d.m.ctx; ctx.Err() != context.Canceled {
		t.Fatal("the model's context lives on")
	}
}

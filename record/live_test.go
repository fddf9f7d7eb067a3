package record

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestCreateMakesAPrivateFileAndNeverTouchesAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "folder", "a.mcpl.jsonl")
	r, err := Create(path, header())
	if err != nil {
		t.Fatal(err)
	}
	r.Append(message(1, `{}`))
	if _, err := Create(path, header()); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), path) {
		t.Errorf("second Create: %v", err)
	}
	if err := r.Save(path); !errors.Is(err, ErrExists) {
		t.Errorf("Save over it: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if got, _ := os.ReadFile(path); string(got) != headerLine+"\n"+string(appendFrame(nil, message(1, `{}`))) {
		t.Errorf("content %s", got)
	}
	if _, err := Create(path+".gz", header()); err == nil || !strings.Contains(err.Error(), "without .gz") {
		t.Errorf("a packed name: %v", err)
	}
	if _, err := Create(filepath.Join(path, "b"), header()); err == nil {
		t.Error("a file is no folder")
	}
}

func TestALiveRecordingAnswersForEachOfItsFrames(t *testing.T) {
	r, err := CreateSpool(header())
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Status(); !s.Live || s.Path != "" || s.Loading != 1 {
		t.Errorf("status %+v", s)
	}
	if err := r.Wait(t.Context()); err != nil {
		t.Error("a live recording has nothing to wait for")
	}
	const n = 3 * keepFrames
	for i := range n {
		r.Append(message(int64(i)+1, `{"n":1}`))
		if r.Len() != i+1 {
			t.Fatalf("length %d after %d", r.Len(), i+1)
		}
	}
	until(t, r, "all written", func(s Status) bool { return s.Queued == 0 })
	r.mu.Lock()
	kept := r.tail.len()
	r.mu.Unlock()
	if kept > keepFrames {
		t.Errorf("%d frames kept in memory", kept)
	}
	for i := range n {
		f, err := r.Frame(i)
		if err != nil || differ(f, message(int64(i)+1, `{"n":1}`)) != "" {
			t.Fatalf("frame %d: %+v, %v", i, f, err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Errorf("a second Close: %v", err)
	}
	if _, err := r.Frame(0); !errors.Is(err, ErrClosed) {
		t.Errorf("Frame after Close: %v", err)
	}
	r.Append(message(n+1, `{}`))
	if s := r.Status(); s.Lost != 1 || s.Live {
		t.Errorf("after Close: %+v", s)
	}
	noGoroutines(t)
}

func TestASpoolHasNoName(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // an open file keeps its name there, until Close
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	r, err := CreateSpool(header())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	r.Append(message(1, `{}`))
	saved := filepath.Join(dir, "kept.mcpl.jsonl.zst")
	if err := r.Save(saved); err != nil {
		t.Fatal(err)
	}
	same(t, all(t, r), all(t, open(t, saved)))
}

func TestFramesCanBeReadWhileTheyAreAppended(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mcpl.jsonl")
	r, err := Create(path, header())
	if err != nil {
		t.Fatal(err)
	}
	const n = 20_000
	body := `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":1,"pad":"` + strings.Repeat("x", 300) + `"}}`
	var wg sync.WaitGroup
	var finished atomic.Bool
	for g := range 4 {
		wg.Go(func() {
			for i := 0; i < n; {
				if i >= r.Len() {
					runtime.Gosched()
					continue
				}
				at := i
				if g%2 == 1 {
					at = (i * 7919) % min(r.Len(), n)
				}
				f, err := r.Frame(at)
				if err != nil || f.Seq != int64(at)+1 || string(f.Body) != body {
					t.Errorf("frame %d: %d, %v", at, f.Seq, err)
					return
				}
				i++
			}
		})
	}
	wg.Go(func() {
		for !finished.Load() {
			s := r.Status()
			if s.Err != nil || s.Queued < 0 {
				t.Errorf("status %+v", s)
				return
			}
			<-r.Changed()
		}
	})
	for i := range n {
		r.Append(message(int64(i)+1, body))
	}
	finished.Store(true)
	r.Append(message(n+1, `{}`)) // signals once more
	wg.Wait()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if back := open(t, path); back.Len() != n+1 {
		t.Errorf("%d frames", back.Len())
	}
	noGoroutines(t)
}

func TestCloseWritesWhatIsQueued(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mcpl.jsonl")
	r, err := Create(path, header())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50_000 {
		r.Append(message(int64(i)+1, `{"n":"`+strings.Repeat("y", i%500)+`"}`))
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if s := r.Status(); s.Lost != 0 || s.Queued != 0 {
		t.Errorf("status %+v", s)
	}
	if back := open(t, path); back.Len() != 50_000 || back.Status().Cut {
		t.Errorf("%d frames, %+v", back.Len(), back.Status())
	}
}

// What a reader was given never changes, whatever is read or written later.
func TestBodiesAreNeverChangedLater(t *testing.T) {
	r := open(t, filepath.Join("testdata", "http.mcpl.jsonl"))
	first := all(t, r)
	var copies []string
	for _, f := range first {
		copies = append(copies, string(f.Body))
		if cap(f.Body) != len(f.Body) {
			t.Fatal("a body has room behind it that is not its own")
		}
	}
	all(t, r)
	for i, f := range first {
		if string(f.Body) != copies[i] {
			t.Fatalf("frame %d changed", i)
		}
	}
}

// stubborn is a file whose writes are held until it is let go.
type stubborn struct {
	*os.File
	hold chan struct{}
}

func (s *stubborn) Write(b []byte) (int, error) {
	<-s.hold
	return s.File.Write(b)
}

func stubbornFile(t *testing.T) *stubborn {
	t.Helper()
	f, _, err := spool()
	if err != nil {
		t.Fatal(err)
	}
	return &stubborn{File: f, hold: make(chan struct{})}
}

func TestAppendIsHeldBackOnlyWhenTheQueueIsFull(t *testing.T) {
	f := stubbornFile(t)
	r := newLive("stalled", header(), f, timing{})
	r.mu.Lock()
	r.limit = 10_000
	r.mu.Unlock()
	r.Append(message(1, strings.Repeat("z", 20_000))) // more than the limit, alone
	second := make(chan struct{})
	go func() {
		r.Append(message(2, "{}"))
		close(second)
	}()
	until(t, r, "held back", func(s Status) bool { return s.Blocked })
	select {
	case <-second:
		t.Fatal("it was not held back")
	default:
	}
	if s := r.Status(); s.Queued < 20_000 || r.Len() != 1 {
		t.Errorf("status %+v", s)
	}
	close(f.hold)
	<-second
	until(t, r, "written", func(s Status) bool { return s.Queued == 0 && !s.Blocked })
	if len(all(t, r)) != 2 {
		t.Error("a frame is missing")
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	noGoroutines(t)
}

func TestCloseDoesNotHangOnADiskThatHoldsAWrite(t *testing.T) {
	f := stubbornFile(t)
	r := newLive("stalled", header(), f, timing{retry: time.Millisecond, giveUp: 10 * time.Millisecond, grace: 10 * time.Millisecond})
	r.mu.Lock()
	r.limit = 500
	r.mu.Unlock()
	r.Append(message(1, "{}"))
	r.Append(message(2, "{}"))
	third := make(chan struct{})
	go func() {
		r.Append(message(3, strings.Repeat("z", 600)))
		close(third)
	}()
	until(t, r, "held back", func(s Status) bool { return s.Blocked })
	err := r.Close()
	<-third // Close lets go of what was held back
	if err == nil || !strings.Contains(err.Error(), "2 of 2 frames could not be written to stalled: the disk does not answer") {
		t.Errorf("error %v", err)
	}
	until(t, r, "lost", func(s Status) bool { return s.Lost == 3 })
	close(f.hold)
	noGoroutines(t)
}

func TestOpenedRecordingsTakeNoFrames(t *testing.T) {
	r := open(t, fileOf(t, headerLine+"\n"+three))
	r.Append(wire.Frame{Seq: 4})
	if r.Len() != 3 {
		t.Error("it grew")
	}
}

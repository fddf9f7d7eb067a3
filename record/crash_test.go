//go:build linux

package record

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary runs itself as a child where a test needs a process of its
// own: to be killed, or to have a limit on its files.
const (
	childVar = "MCPL_TUI_RECORD_TEST_CHILD"
	pathVar  = "MCPL_TUI_RECORD_TEST_PATH"
)

func TestMain(m *testing.M) {
	switch os.Getenv(childVar) {
	case "killed":
		childThatIsKilled()
	case "limited":
		childWithALimit()
	default:
		os.Exit(m.Run())
	}
}

func child(t *testing.T, role, path string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childVar+"="+role, pathVar+"="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// childThatIsKilled appends a frame each millisecond and says, by its own
// clock, which ones it has appended by when.
func childThatIsKilled() {
	r, err := Create(os.Getenv(pathVar), header())
	fail(err)
	start := time.Now()
	tick := time.NewTicker(time.Millisecond)
	for seq := int64(1); ; seq++ {
		f := message(seq, `{"jsonrpc":"2.0","method":"x","params":"`+strings.Repeat("p", int(seq%700))+`"}`)
		f.T = time.Since(start)
		r.Append(f)
		fmt.Println(seq, time.Since(start).Microseconds())
		<-tick.C
	}
}

func TestAKilledProcessLosesNothingOlderThan100ms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mcpl.jsonl")
	cmd := child(t, "killed", path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var seq, now int64
	var at []int64 // when each frame was appended, by the child's clock
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, err := fmt.Sscan(lines.Text(), &seq, &now); err != nil {
			t.Fatal(err)
		}
		if at = append(at, now); len(at) >= 300 && now > 400_000 {
			if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	for lines.Scan() { // what it said before it died
		if _, err := fmt.Sscan(lines.Text(), &seq, &now); err == nil {
			at = append(at, now)
		}
	}
	_ = cmd.Wait()
	safe := 0
	for _, us := range at {
		if us < now-100_000 {
			safe++
		}
	}
	r := open(t, path)
	if safe < 100 || r.Len() < safe {
		t.Fatalf("%d frames in the file; of %d appended, %d were older than 100 ms", r.Len(), len(at), safe)
	}
	for i, f := range all(t, r) {
		if f.Seq != int64(i)+1 {
			t.Fatalf("frame %d at position %d", f.Seq, i)
		}
	}
	if s := r.Status(); s.SkippedCount > 0 {
		t.Errorf("status %+v", s)
	}
}

// childWithALimit lets the file system refuse for real: its files may not grow
// beyond a limit. It fills its recording beyond that, raises the limit, and
// goes on; then it meets the next limit, and closes under it.
func childWithALimit() {
	signal.Ignore(syscall.SIGXFSZ)
	var old syscall.Rlimit
	fail(syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old))
	limit := func(n uint64) {
		fail(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: min(n, old.Max), Max: old.Max}))
	}
	limit(10_007) // in the middle of a line
	path := os.Getenv(pathVar)
	f, err := createNew(path)
	fail(err)
	r := newLive(path, header(), f, timing{retry: 5 * time.Millisecond, giveUp: 50 * time.Millisecond, grace: 10 * time.Second})
	seq := int64(0)
	more := func(n int) {
		for range n {
			seq++
			r.Append(message(seq, `{"n":"`+strings.Repeat("q", 80)+`"}`))
		}
	}
	wait := func(what string, ok func(Status) bool) {
		for limit := time.Now().Add(20 * time.Second); !ok(r.Status()); <-r.Changed() {
			if time.Now().After(limit) {
				fail(fmt.Errorf("not in 20 s: %s; %+v", what, r.Status()))
			}
		}
	}
	more(300)
	wait("refused", func(s Status) bool { return s.Err != nil })
	s := r.Status()
	if !strings.Contains(s.Err.Error(), "largest size") || !errors.Is(s.Err, syscall.EFBIG) || s.Bytes != 10_007 || s.Queued == 0 {
		fail(fmt.Errorf("refused: %+v", s))
	}
	for i := range int(seq) { // all of them can still be read
		if f, err := r.Frame(i); err != nil || f.Seq != int64(i)+1 {
			fail(fmt.Errorf("frame %d while refused: %+v, %w", i, f, err))
		}
	}
	more(10)
	limit(old.Max)
	wait("recovered", func(s Status) bool { return s.Err == nil })
	wait("written", func(s Status) bool { return s.Queued == 0 })
	limit(uint64(r.Status().Bytes) + 1000)
	more(100)
	wait("refused again", func(s Status) bool { return s.Err != nil })
	err = r.Close()
	s = r.Status()
	if err == nil || s.Lost == 0 || s.Lost >= 100 || !strings.Contains(err.Error(), fmt.Sprintf("%d of 410 frames could not be written", s.Lost)) {
		fail(fmt.Errorf("close: %w, %+v", err, s))
	}
	fmt.Println(s.Lost)
	os.Exit(0)
}

func TestAFullFileSystemEndsNothingAndTearsNoLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mcpl.jsonl")
	cmd := child(t, "limited", path)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("child: %v", err)
	}
	var lost int
	if _, err := fmt.Sscan(string(out), &lost); err != nil {
		t.Fatal(err)
	}
	r := open(t, path)
	s := r.Status()
	if s.SkippedCount != 0 || !s.Cut || r.Len() != 410-lost {
		t.Fatalf("%d frames, lost %d, %+v", r.Len(), lost, s)
	}
	for i, f := range all(t, r) {
		if f.Seq != int64(i)+1 {
			t.Fatalf("frame %d at position %d", f.Seq, i)
		}
	}
}

// fullDisk writes to /dev/full, where there is never any space, until it is
// given some.
type fullDisk struct {
	*os.File
	full  *os.File
	space chan struct{}
}

func (f *fullDisk) Write(b []byte) (int, error) {
	select {
	case <-f.space:
		return f.File.Write(b)
	default:
		return f.full.Write(b)
	}
}

func TestADiskThatIsFullFromTheStartIsToldAndRecovers(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	path := filepath.Join(t.TempDir(), "a.mcpl.jsonl")
	file, err := createNew(path)
	if err != nil {
		t.Fatal(err)
	}
	disk := &fullDisk{File: file, full: full, space: make(chan struct{})}
	r := newLive(path, header(), disk, timing{retry: time.Millisecond, giveUp: time.Second, grace: 10 * time.Second})
	want := []string{`{"a":1}`, `{"a":2}`, strings.Repeat("[1]", 60_000)}
	for i, b := range want {
		r.Append(message(int64(i)+1, b))
	}
	until(t, r, "refused", func(s Status) bool { return s.Err != nil })
	if s := r.Status(); s.Err.Error() != "disk full" || !errors.Is(s.Err, ErrDiskFull) || s.Queued == 0 || s.Bytes != 0 {
		t.Errorf("status %+v", s)
	}
	live := all(t, r)
	close(disk.space)
	until(t, r, "recovered", func(s Status) bool { return s.Err == nil && s.Queued == 0 })
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	same(t, live, all(t, open(t, path)))
	noGoroutines(t)
}

func TestCloseGivesUpOnADiskThatStaysFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := newLive("here", header(), full, timing{retry: time.Millisecond, giveUp: 20 * time.Millisecond, grace: 10 * time.Second})
	for i := range 7 {
		r.Append(message(int64(i)+1, `{}`))
	}
	err = r.Close()
	if err == nil || err.Error() != "7 of 7 frames could not be written to here: disk full" || !errors.Is(err, ErrDiskFull) {
		t.Errorf("error %v", err)
	}
	if s := r.Status(); s.Lost != 7 || s.Queued != 0 || s.Live {
		t.Errorf("status %+v", s)
	}
	noGoroutines(t)
}

//go:build unix

package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// childEnv makes the test binary run the screen on its terminal instead of
// the tests: its value says what goes wrong in it.
const childEnv = "MCPL_TUI_TEST_CHILD"

func TestMain(m *testing.M) {
	if what := os.Getenv(childEnv); what != "" {
		os.Exit(child(what))
	}
	os.Exit(m.Run())
}

// brokenFrames is a session whose frames cannot be read without a panic once
// it is broken.
type brokenFrames struct {
	*uitest.Tape
	mu     sync.Mutex
	broken bool
}

func (f *brokenFrames) Frame(i int) (timeline.Frame, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken {
		panic("the frames are gone")
	}
	return f.Tape.Frame(i)
}

// childSource is the session of a child.
type childSource struct {
	frames *brokenFrames
	log    *timeline.Log
}

func (s *childSource) Log() *timeline.Log       { return s.log }
func (s *childSource) Changed() <-chan struct{} { return nil }
func (s *childSource) Status() Status           { return gobanStatus(true) }

// childActions go wrong where the child is told to: in Update when a prompt
// asks for completions, in View right after, in a command that runs.
type childActions struct {
	*actions
	what string
	src  *childSource
}

func (a *childActions) Complete(line string) []Completion {
	switch a.what {
	case "update":
		panic("Update is broken")
	case "view":
		a.src.frames.mu.Lock()
		a.src.frames.broken = true
		a.src.frames.mu.Unlock()
	}
	return nil
}

func (a *childActions) Run(ctx context.Context, line string) Outcome {
	if a.what == "command" {
		panic("a command is broken")
	}
	return a.actions.Run(ctx, line)
}

func child(what string) int {
	src := &childSource{frames: &brokenFrames{Tape: uitest.Frames(uitest.Goban()).Cut(uitest.BoardFrames)}}
	src.log = timeline.NewLog(src.frames)
	conform.Attend(src.log, conform.Options{})
	if _, err := src.log.Advance(1000); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if what == "context" {
		time.AfterFunc(500*time.Millisecond, cancel)
	}
	err := Run(ctx, src, &childActions{&actions{}, what, src}, Options{CrashDir: os.Getenv("CRASH_DIR")})
	if errors.Is(err, context.Canceled) {
		return 3
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// onTerminal is a child on a terminal of its own.
type onTerminal struct {
	t      *testing.T
	cmd    *exec.Cmd
	term   *os.File // our end
	slave  *os.File
	before *term.State
	out    *tap
	errs   *bytes.Buffer
	done   chan struct{} // everything that it wrote was read
}

func startChild(t *testing.T, what string, env ...string) *onTerminal {
	t.Helper()
	ours, theirs, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(ours, &pty.Winsize{Cols: 100, Rows: 30}); err != nil {
		t.Fatal(err)
	}
	before, err := term.GetState(theirs.Fd())
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &onTerminal{t: t, term: ours, slave: theirs, before: before, out: newTap(), errs: &bytes.Buffer{}, done: make(chan struct{})}
	c.cmd = exec.Command(self)
	c.cmd.Env = append(os.Environ(), append([]string{childEnv + "=" + what, "TERM=xterm-256color", "COLORFGBG=", "LC_ALL=C.UTF-8"}, env...)...)
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = theirs, theirs, c.errs
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { defer close(c.done); _, _ = io.Copy(c.out, ours) }()
	t.Cleanup(func() { _ = c.cmd.Process.Kill(); _ = ours.Close() })
	return c
}

func (c *onTerminal) press(keys string) {
	c.t.Helper()
	if _, err := io.WriteString(c.term, keys); err != nil {
		c.t.Fatal(err)
	}
}

func (c *onTerminal) sees(text string) {
	c.t.Helper()
	c.out.waits(c.t, text)
}

// ends waits for the child, checks that the terminal is as it was, and returns
// the exit code.
func (c *onTerminal) ends() int {
	c.t.Helper()
	err := c.cmd.Wait()
	after, stateErr := term.GetState(c.slave.Fd())
	if stateErr != nil {
		c.t.Fatal(stateErr)
	}
	if !reflect.DeepEqual(c.before, after) {
		c.t.Errorf("the terminal's settings were not restored:\n%+v\n%+v", c.before, after)
	}
	_ = c.slave.Close()
	<-c.done
	out := c.out.buf.String()
	for _, pair := range [][2]string{
		{"\x1b[?1049h", "\x1b[?1049l"}, {"\x1b[?25l", "\x1b[?25h"}, {"\x1b[?1002h", "\x1b[?1002l"}, {"\x1b[?2004h", "\x1b[?2004l"},
	} {
		if on, off := strings.LastIndex(out, pair[0]), strings.LastIndex(out, pair[1]); on < 0 || off < on {
			c.t.Errorf("%q at %d is not taken back by %q at %d", pair[0], on, pair[1], off)
		}
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		c.t.Fatal(err)
	}
	return c.cmd.ProcessState.ExitCode()
}

func TestTheTerminalIsRestoredAfterEveryEnd(t *testing.T) {
	for _, c := range []struct {
		what, keys, says string
		code             int
	}{
		{"quit", "qy", "", 0},
		{"interrupt", "\x03\x03", "", 0},
		{"context", "", "", 3},
		{"update", ":", "Update is broken", 1},
		{"view", ":\x1b3", "the frames are gone", 1},
		{"command", "R", "a command is broken", 1},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			child := startChild(t, c.what, "CRASH_DIR="+dir)
			child.sees("frame 96")
			for _, key := range c.keys {
				child.press(string(key))
				if c.what == "quit" && key == 'q' {
					child.sees("the connection is open")
				}
				if c.what == "interrupt" {
					child.sees("ctrl-c once more quits")
				}
			}
			if code := child.ends(); code != c.code {
				t.Errorf("exit code %d, want %d; stderr: %s", code, c.code, child.errs)
			}
			said := strings.TrimSuffix(child.errs.String(), "\n")
			if c.says == "" {
				if said != "" {
					t.Errorf("said %q", said)
				}
				return
			}
			if strings.Contains(said, "\n") || !strings.Contains(said, c.says) {
				t.Errorf("stderr is %q, want one line with %q", said, c.says)
			}
			checkCrashFile(t, dir, c.says)
		})
	}
}

func checkCrashFile(t *testing.T, dir, says string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "mcpl-tui-crash-*.txt"))
	if err != nil || len(files) != 1 {
		t.Fatalf("crash files: %v, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(says)) || !bytes.Contains(text, []byte("goroutine")) {
		t.Errorf("the crash file holds no stack:\n%s", text)
	}
}

// The terminal is asked once for its background, nobody waits for the answer,
// and the answer is no key: it holds ']' and ':', which would move the screen
// and open the prompt.
func TestTheTerminalsAnswerIsNoKey(t *testing.T) {
	child := startChild(t, "quit")
	child.sees("frame 96")
	child.sees(askBackground)
	child.press("\x1b]11;rgb:ffff/ffff/ffff\x1b\\")
	child.press("q")
	child.sees("the connection is open")
	child.press("y")
	if code := child.ends(); code != 0 {
		t.Errorf("exit code %d, %s", code, child.errs)
	}
	out := child.out.buf.String()
	if n := strings.Count(out, "\x1b]11;?"); n != 1 {
		t.Errorf("the background was asked for %d times", n)
	}
	if strings.Contains(out, "\x1b[6n") {
		t.Error("the terminal was asked for the place of its cursor, which the program waits for")
	}
}

func TestAResizeAtAnyMomentIsDrawn(t *testing.T) {
	child := startChild(t, "quit")
	child.sees("frame 96")
	if err := pty.Setsize(child.term, &pty.Winsize{Cols: 160, Rows: 48}); err != nil {
		t.Fatal(err)
	}
	child.sees("1 WAITS FOR YOU")
	if err := pty.Setsize(child.term, &pty.Winsize{Cols: 20, Rows: 5}); err != nil {
		t.Fatal(err)
	}
	child.sees("mcpl-tui needs")
	child.press("qy")
	if code := child.ends(); code != 0 {
		t.Errorf("exit code %d, %s", code, child.errs)
	}
}

//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// asProgram makes the test binary the program itself.
const asProgram = "MCPL_TUI_TEST_PROGRAM"

func init() {
	if os.Getenv(asProgram) != "" {
		os.Exit(runUntilSignal())
	}
}

// onPty is the program on a terminal of its own.
type onPty struct {
	t    *testing.T
	cmd  *exec.Cmd
	pty  *os.File
	mu   sync.Mutex
	out  strings.Builder
	more chan struct{}
	done chan struct{} // everything that it wrote was read
}

func startOnPty(t *testing.T, home string, args ...string) *onPty {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &onPty{t: t, more: make(chan struct{}, 1), done: make(chan struct{})}
	c.cmd = exec.Command(self, args...)
	c.cmd.Dir = home
	c.cmd.Env = append(os.Environ(), asProgram+"=1", "HOME="+home, "XDG_STATE_HOME="+filepath.Join(home, "state"),
		"TERM=xterm-256color", "COLORFGBG=15;0", "LC_ALL=C.UTF-8")
	if c.pty, err = pty.StartWithSize(c.cmd, &pty.Winsize{Cols: 100, Rows: 30}); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.done)
		buf := make([]byte, 1<<16)
		for {
			n, err := c.pty.Read(buf)
			c.mu.Lock()
			c.out.Write(buf[:n])
			c.mu.Unlock()
			nudge(c.more)
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		c.cmd.Process.Signal(syscall.SIGKILL)
		c.cmd.Wait()
		c.pty.Close()
	})
	return c
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[a-zA-Z]|\x1b\\][^\x07\x1b]*(\x07|\x1b\\\\)")

// text is what it wrote since position from, without escape sequences.
func (c *onPty) text(from int) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return escapes.ReplaceAllString(c.out.String()[from:], "")
}

func (c *onPty) written() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.Len()
}

// sees waits until all of the texts were written since position from.
func (c *onPty) sees(from int, texts ...string) {
	c.t.Helper()
	deadline := time.After(30 * time.Second)
	for {
		missing, got := "", c.text(from)
		for _, text := range texts {
			if !strings.Contains(got, text) {
				missing = text
			}
		}
		if missing == "" {
			return
		}
		select {
		case <-c.more:
		case <-deadline:
			c.t.Fatalf("%q was not written:\n%s", missing, got)
		}
	}
}

func (c *onPty) press(keys string) int {
	c.t.Helper()
	from := c.written()
	if _, err := c.pty.WriteString(keys); err != nil {
		c.t.Fatal(err)
	}
	return from
}

func TestTheProgramAloneAndOneKeyLeadToAMovingBoard(t *testing.T) {
	home := t.TempDir()
	c := startOnPty(t, home)
	c.sees(0, "WHAT DO YOU WANT TO LOOK AT?", "NOTHING CONNECTED", "demo", "none found")
	from := c.press("\r")
	c.sees(from, "LIVE", "REVS", "TOOLS", "none open", "STATIC")
	from = c.press("t")
	c.sees(from, "WHAT DO YOU WANT TO LOOK AT?", "demo-")
	from = c.press("false --really\r")
	c.sees(from, "NOT CONNECTED", "exit code 1", "the session before is kept in demo-")
	c.press("q")
	<-c.done
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	if out := c.text(0); strings.Count(out, "recorded: mcpl-tui replay ") != 2 {
		t.Errorf("not both sessions are named at the end:\n%s", out[max(len(out)-400, 0):])
	}
}

func TestCtrlCTwiceLeavesTheStartScreen(t *testing.T) {
	c := startOnPty(t, t.TempDir(), "--no-record")
	c.sees(0, "WHAT DO YOU WANT TO LOOK AT?", "nothing is recorded")
	from := c.press("q")
	c.sees(from, "nothing is known as")
	from = c.press("\x03")
	c.sees(from, "ctrl-c once more quits")
	c.press("\x03")
	<-c.done
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

func TestACheckSaysWhatItDoesWhileItTakesAWhile(t *testing.T) {
	c := startOnPty(t, t.TempDir(), "check", "--probe", "--for", "100ms", "demo")
	c.sees(0, "probe, step 1 of 13: open", "probe, step 13 of 13: manifest-digest", "PASSED")
	<-c.done
	all := c.out.String()
	if i := strings.LastIndex(all, "\r\x1b[K"); i < 0 || strings.Contains(all[i:], "probe, step") || !strings.Contains(all[i:], "PASSED") {
		t.Errorf("what it did still stands there beside the report:\n%q", all)
	}
}

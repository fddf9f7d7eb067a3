//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// A signal that comes twice, as timeout and make send it, ends politely all the
// same: the second one does not cut off what the first one began.
func TestASignalThatComesTwiceEndsPolitely(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	// The server says when it runs and when its input ends, and stays until it
	// may go.
	const server = `: >started; cat >/dev/null; : >ending; while [ ! -e go ]; do sleep 0.01; done`
	c := exec.Command(self, "do", "-c", "tools", "--", "sh", "-c", server)
	c.Dir = dir
	c.Env = append(os.Environ(), asProgram+"=1", "HOME="+dir, "XDG_STATE_HOME="+dir)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	signal := func(after string) {
		for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
			if _, err := os.Stat(filepath.Join(dir, after)); err == nil {
				break
			} else if time.Now().After(deadline) {
				t.Fatalf("there is no %q", after)
			}
		}
		if err := c.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	signal("started")
	signal("ending")
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c.Wait()
	if status := c.ProcessState.ExitCode(); status != exitUsage {
		t.Errorf("it ended with %v", c.ProcessState)
	}
	if want := "mcpl-tui: interrupted before the server was ready; the connection was closed\n"; stderr.String() != want {
		t.Errorf("it said %q", stderr.String())
	}
}

// A signal on the screen gives the terminal back, and says in one line what
// ended it.
func TestASignalEndsTheScreenWithALine(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "goban.mcpl.jsonl"), uitest.Goban(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		shows  string
		sig    syscall.Signal
		says   string
		status int
	}{
		{[]string{"demo"}, "LIVE", syscall.SIGTERM, "mcpl-tui: ended by SIGTERM; the connection was closed\r\n", 143},
		{[]string{"replay", "goban.mcpl.jsonl"}, "REPLAY", syscall.SIGTERM, "mcpl-tui: ended by SIGTERM\r\n", 143},
		{[]string{"demo", "--no-record"}, "LIVE", syscall.SIGINT, "mcpl-tui: ended by SIGINT; the connection was closed\r\n", 130},
		{[]string{"demo", "--no-record"}, "LIVE", syscall.SIGHUP, "mcpl-tui: ended by SIGHUP; the connection was closed\r\n", 129},
	} {
		p := startOnPty(t, home, c.args...)
		p.sees(0, c.shows)
		if err := p.cmd.Process.Signal(c.sig); err != nil {
			t.Fatal(err)
		}
		<-p.done
		p.cmd.Wait()
		if status := p.cmd.ProcessState.ExitCode(); status != c.status {
			t.Errorf("%v: %v, want %d", c.args, p.cmd.ProcessState, c.status)
		}
		_, after, given := strings.Cut(p.out.String(), "\x1b[?1049l")
		if !given || !strings.HasSuffix(after, c.says) || strings.Count(after, "mcpl-tui: ") != 1 {
			t.Errorf("%v: after the screen it wrote %q", c.args, after)
		}
		if strings.Contains(after, "recorded: ") != (c.args[0] == "demo" && len(c.args) == 1) {
			t.Errorf("%v: what was kept is not said, or said wrongly: %q", c.args, after)
		}
	}
}

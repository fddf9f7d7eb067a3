//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
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

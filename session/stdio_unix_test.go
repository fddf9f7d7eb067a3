//go:build unix

package session

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// alive reports whether a process runs. One that is dead and not yet buried
// does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(stat), ") ")
	return err != nil || !strings.HasPrefix(rest, "Z")
}

// hostProcess is a host as cmd makes one: its context ends with the signal,
// and it waits for Done.
func hostProcess(mode string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	cfg := Config{Sink: printer{}, ToolHints: true}
	child(mode)(&cfg)
	cfg.Grace = 200 * time.Millisecond
	s := New(cfg)
	s.Start(ctx)
	<-s.Done()
	return 0
}

// printer tells the pid of the server, and its end.
type printer struct{}

func (printer) Append(f wire.Frame) {
	if f.Name == "connected" || f.Name == "closed" {
		fmt.Printf("%s %s\n", f.Name, f.Data)
	}
}

func TestNoChildIsLeftWhenTheHostGetsASignal(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), serverEnv+"=host:stubborn", "GORACE=atexit_sleep_ms=0")
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			lines.Scan()
			var pid int
			if _, err := fmt.Sscanf(lines.Text(), `connected {"pid":%d}`, &pid); err != nil || !alive(pid) {
				t.Fatalf("%q: %v", lines.Text(), err)
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			lines.Scan()
			if !strings.HasPrefix(lines.Text(), `closed {"by":"host"`) {
				t.Errorf("the end: %q", lines.Text())
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("the host: %v", err)
			}
			if alive(pid) {
				t.Errorf("the server %d lives on", pid)
			}
		})
	}
}

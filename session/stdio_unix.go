//go:build unix

package session

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	terminate = unix.SIGTERM
	kill      = unix.SIGKILL
)

// ownGroup lets the process lead a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// signalGroup signals every process of the group that pid led.
func signalGroup(pid int, sig syscall.Signal) {
	_ = unix.Kill(-pid, sig) // ESRCH: nobody is left
}

// endGroup ends what a process left behind, and returns when it is gone.
func endGroup(pid int, grace time.Duration) {
	if errors.Is(unix.Kill(-pid, terminate), unix.ESRCH) {
		return
	}
	const step = 10 * time.Millisecond
	for waited := time.Duration(0); waited < grace; waited += step {
		time.Sleep(step) // nobody tells when a stranger's child ends
		if errors.Is(unix.Kill(-pid, 0), unix.ESRCH) {
			return
		}
	}
	signalGroup(pid, kill)
}

// exitSignal names the signal that ended a process, or returns "".
func exitSignal(state *os.ProcessState) string {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return ""
	}
	if name := unix.SignalName(status.Signal()); name != "" {
		return name
	}
	return status.Signal().String()
}

func notAProgram(err error) bool { return errors.Is(err, unix.ENOEXEC) }

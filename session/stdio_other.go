//go:build !unix

package session

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

const (
	terminate = syscall.SIGTERM
	kill      = syscall.SIGKILL
)

// There are no process groups to speak of here: the process itself is ended,
// what it started is left to it.
func ownGroup(*exec.Cmd) {}

func signalGroup(pid int, _ syscall.Signal) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill() // it may be gone already
		_ = p.Release()
	}
}

func endGroup(int, time.Duration) {}

func exitSignal(*os.ProcessState) string { return "" }

func notAProgram(error) bool { return false }

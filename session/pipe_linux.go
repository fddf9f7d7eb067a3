package session

import (
	"os"

	"golang.org/x/sys/unix"
)

// pipeBytes is what a server may have said while nobody came to read it.
const pipeBytes = 1 << 20

// widen lets a pipe hold more than usual, so that a flood is not held back
// each time that its reader has to wait for a processor. Where that is not
// granted the pipe stays as it is.
func widen(f *os.File) {
	raw, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeBytes) })
}

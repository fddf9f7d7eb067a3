//go:build windows

package record

import (
	"errors"
	"syscall"
)

// Windows' own words for a full disk.
const (
	errorHandleDiskFull = syscall.Errno(39)
	errorDiskFull       = syscall.Errno(112)
	errorFileTooLarge   = syscall.Errno(223)
)

func isDiskFull(err error) bool {
	return errors.Is(err, errorDiskFull) || errors.Is(err, errorHandleDiskFull)
}

func isTooBig(err error) bool { return errors.Is(err, errorFileTooLarge) }

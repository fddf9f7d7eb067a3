//go:build unix

package record

import (
	"errors"
	"syscall"
)

func isDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

func isTooBig(err error) bool { return errors.Is(err, syscall.EFBIG) }

package record

import (
	"errors"
	"io/fs"
)

// diskError is an error of the disk in words for the screen.
type diskError struct {
	words string
	err   error
}

func (e *diskError) Error() string { return e.words }
func (e *diskError) Unwrap() error { return e.err }

// Is makes a full disk of any system ErrDiskFull.
func (e *diskError) Is(target error) bool {
	return target == ErrDiskFull && isDiskFull(e.err)
}

// inWords says in a few words why the disk refused.
func inWords(doing string, err error) error {
	switch {
	case isDiskFull(err):
		return &diskError{words: ErrDiskFull.Error(), err: err}
	case isTooBig(err):
		return &diskError{words: "the file has reached the largest size that is allowed", err: err}
	}
	cause := err
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		cause = pe.Err
	}
	return &diskError{words: doing + ": " + cause.Error(), err: err}
}

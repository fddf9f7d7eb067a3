package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
)

// errCrashed is what a defect of this program ends with: a line for the user,
// and a file with the stack, after the terminal was given back.
var errCrashed = errors.New("mcpl-tui broke down, which is a defect of it")

// panicked is told of a panic in some goroutine.
type panicked = func(value any, stack []byte)

// crashable returns a context that ends with errCrashed when it is told of a
// panic.
func crashable(ctx context.Context) (context.Context, panicked) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, func(value any, stack []byte) {
		where := "no file could be written for the stack"
		if f, err := os.CreateTemp("", "mcpl-tui-crash-*.txt"); err == nil {
			fmt.Fprintf(f, "panic: %v\n\n%s", value, stack)
			f.Close()
			where = "the stack is in " + f.Name()
		}
		cancel(fmt.Errorf("%w: %v; %s", errCrashed, value, where))
	}
}

// guard tells of a panic of the goroutine that defers it.
func guard(told panicked) {
	if told == nil {
		return
	}
	if v := recover(); v != nil {
		told(v, debug.Stack())
	}
}

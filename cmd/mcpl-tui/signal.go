package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// sameSignal is how long a second signal counts as the first: timeout, make and
// npm pass one on to a program that has it already from the terminal.
const sameSignal = time.Second

// endSignals are the signals that end a command, by their names.
var endSignals = map[os.Signal]string{os.Interrupt: "SIGINT", syscall.SIGTERM: "SIGTERM", syscall.SIGHUP: "SIGHUP"}

// signalled is the cause of a context that a signal ended.
type signalled struct{ sig os.Signal }

func (s *signalled) Error() string { return "ended by " + endSignals[s.sig] }

// status is the exit status of a screen that it ended, as a shell says it:
// 128 and the number of the signal.
func (s *signalled) status() int {
	if n, ok := s.sig.(syscall.Signal); ok {
		return exitSignal + int(n)
	}
	return exitFailed
}

// signalOf returns the signal that ended ctx, nil for none.
func signalOf(ctx context.Context) *signalled {
	var s *signalled
	if errors.As(context.Cause(ctx), &s) {
		return s
	}
	return nil
}

// runUntilSignal runs the command line of the process and returns the exit
// status. The first signal ends it politely, so that a probe closes what it
// opened; a second one, later, at once.
func runUntilSignal() int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	came := make(chan os.Signal, 1)
	for sig := range endSignals {
		signal.Notify(came, sig)
	}
	stop := func() { signal.Stop(came) }
	defer stop()
	go func() {
		select {
		case sig := <-came:
			cancel(&signalled{sig})
			time.AfterFunc(sameSignal, stop)
		case <-ctx.Done():
		}
	}()
	return run(ctx, os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr})
}

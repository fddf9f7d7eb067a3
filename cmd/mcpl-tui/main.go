// Command mcpl-tui is an interactive terminal debugger for live MCPL
// connections. It connects as a host, shows what a server says of its tools,
// rev by rev, lets a person act by hand, and records sessions for replay.
//
// This package joins the ends: session → record → timeline → ui, and the
// headless commands on the same parts.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// The exit statuses of every command (outputs.md).
const (
	exitOK     = 0
	exitFailed = 1   // a command failed, or something was found
	exitUsage  = 2   // it could not run: a bad flag, an unreadable file, no connection
	exitSignal = 128 // and the number of the signal that ended a screen
)

// exitError ends the program with a status; its text, if any, has been, or is,
// the one line that the user reads.
type exitError struct {
	status int
	err    error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

func main() {
	giveRoom()
	os.Exit(runUntilSignal())
}

// stdio is what a command reads and writes.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// run runs the command line and returns the exit status. Whatever went wrong
// is one line on stderr.
func run(ctx context.Context, args []string, std stdio) int {
	var out *checkedWriter
	if !onTerminal(std) {
		out = &checkedWriter{w: std.out}
		std.out = out
	}
	root := newRoot(std)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil && out != nil && out.err != nil {
		err = fmt.Errorf("not all could be printed: %w", out.err)
	}
	if err == nil {
		return exitOK
	}
	if text := err.Error(); text != "" {
		fmt.Fprintf(std.err, "mcpl-tui: %s\n", oneLine(text))
	}
	var e *exitError
	if errors.As(err, &e) {
		return e.status
	}
	return exitUsage
}

// checkedWriter keeps the first error of a writer: whoever prints line by line
// need not look, and what was printed into a full disk is no success.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	if err != nil && c.err == nil {
		c.err = err
	}
	return n, err
}

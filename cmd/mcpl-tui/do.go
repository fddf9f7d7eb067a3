package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// doTimeout is how long a command of do, and a wait, may take (outputs.md).
const doTimeout = 10 * time.Second

const defaultTimeout = session.DefaultTimeout

// newDo runs commands on a server without a screen.
func newDo(std stdio) *cobra.Command {
	var flags connectFlags
	var commands []string
	var script string
	var keepGoing bool
	c := &cobra.Command{
		Use:   "do [-c COMMAND]... [--script FILE] (TARGET | -- COMMAND [ARG...])",
		Short: "Run commands on a server without a screen",
		Long: "Connect, read the lists, run the commands one after the other, close, and print a line of\n" +
			"JSON for each. The commands are those of the : prompt:\n\n" + languageHelp() +
			"\nA trailing & sends without waiting. The exit status is 1 where a command failed, 2 where\nit could not connect or read its commands. A tool error (isError) is an answer, not a failure:\nok is true, and the result says what the tool said.",
		Example: "  mcpl-tui do -c 'open game as vs-eve {\"opponent\":\"eve\"}' -c 'call board@vs-eve' demo\n" +
			"  mcpl-tui do --script steps.txt -o bug.mcpl.jsonl -- node server.js\n" +
			"  mcpl-tui do --token-env TOKEN -c tools https://example.com/mcp",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeTargets,
	}
	flags.add(c, doTimeout)
	c.Flags().StringArrayVarP(&commands, "command", "c", nil, "a `COMMAND` to run (repeatable)")
	c.Flags().Var((*named)(&script), "script", "a `FILE` of commands, one a line, # for comments; - reads stdin")
	c.Flags().BoolVar(&keepGoing, "keep-going", false, "go on after a command that failed")
	c.RunE = func(c *cobra.Command, args []string) error {
		to, err := choose(&flags, args, c.ArgsLenAtDash())
		if err != nil {
			return err
		}
		lines, err := readCommands(commands, script, std.in)
		if err != nil {
			return err
		}
		return do(c.Context(), std, to, &flags, lines, keepGoing)
	}
	return c
}

func languageHelp() string {
	var b bytes.Buffer
	for _, cmd := range session.Commands() {
		fmt.Fprintf(&b, "  %-42s %s\n", cmd.Usage, cmd.Help)
	}
	fmt.Fprintf(&b, "  %-42s %s\n", saveUsage, "write what the last result holds into a new file, base64 decoded")
	return b.String()
}

// readCommands returns the commands of -c, then those of the script, without
// empty lines and comments.
func readCommands(commands []string, script string, stdin io.Reader) ([]string, error) {
	lines := commands
	if script == "" {
		return lines, nil
	}
	in := stdin
	if script != "-" {
		f, err := os.Open(script)
		if err != nil {
			return nil, fmt.Errorf("read the script: %w", err)
		}
		defer f.Close()
		in = f
	}
	r := wire.NewLines(in, 0)
	for {
		line, err := r.Next()
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the script %s: %w", script, err)
		}
		if text := bytes.TrimSpace(line); len(text) > 0 && text[0] != '#' {
			lines = append(lines, string(text))
		}
	}
}

// do runs the lines on the target. Each outcome is printed as it comes.
func do(ctx context.Context, std stdio, to chosen, flags *connectFlags, lines []string, keepGoing bool) error {
	cfg, err := flags.connecting(to)
	if err != nil {
		return err
	}
	cfg.WaitTimeout, cfg.InputLimit = flags.timeout, flags.timeout
	tellLogins(&cfg, std.err)
	rec, err := to.record(cfg.Dir, flags.output, flags.output != "")
	if err != nil {
		return err
	}
	ctx, cfg.Panicked = crashable(ctx)
	l := connect(ctx, cfg, rec)
	failed, err := runLines(ctx, l, std.out, lines, keepGoing)
	l.left.Store(true) // the outcomes are told
	if closeErr := l.close(); closeErr != nil && err == nil {
		err = &exitError{exitFailed, fmt.Errorf("not all was recorded: %w", closeErr)}
	}
	crash := context.Cause(ctx)
	switch {
	case errors.Is(crash, errCrashed):
		return &exitError{exitFailed, crash}
	case err != nil:
		return err
	case failed:
		return &exitError{status: exitFailed}
	}
	return nil
}

func runLines(ctx context.Context, l *live, out io.Writer, lines []string, keepGoing bool) (failed bool, err error) {
	if err := l.sess.WaitReady(ctx); err != nil {
		if ctx.Err() != nil {
			return false, errors.New("interrupted before the server was ready; the connection was closed")
		}
		return false, fmt.Errorf("%w%s", err, lastStderr(ctx, l))
	}
	w := bufio.NewWriter(out)
	defer w.Flush()
	var last json.RawMessage
	for _, line := range lines {
		o, ours := saveLine(line, last)
		if !ours {
			o = l.sess.Run(ctx, line)
			if o.Result != nil {
				last = o.Result
			}
		}
		w.Write(o.JSON())
		w.WriteByte('\n')
		if err := w.Flush(); err != nil {
			return failed, fmt.Errorf("print the outcome: %w", err)
		}
		if ctx.Err() != nil {
			return true, nil
		}
		if !o.OK {
			failed = true
			if !keepGoing {
				return true, nil
			}
		}
	}
	return failed, nil
}

// stderrPatience is how long the log is given to take in what a server wrote to
// stderr.
const stderrPatience = 500 * time.Millisecond

// lastStderr quotes the line on stderr that most likely says why a server did
// not start: the last one that speaks of an error, else the last one.
func lastStderr(ctx context.Context, l *live) string {
	ctx, cancel := context.WithTimeout(ctx, stderrPatience)
	defer cancel()
	_ = l.view.Sync(ctx, int64(l.rec.Len())) // in a flood: then what is known has to do
	b := l.log.Latest()
	if b.Link.Stderr == 0 {
		return ""
	}
	const lookBack, most = 200, 200
	text := ""
	for i := b.Link.LastErr; i >= max(b.Link.LastErr-lookBack, 0); i-- {
		f, err := l.log.Frame(i)
		if err != nil || f.Dir != wire.Err {
			continue
		}
		line := strings.TrimSpace(string(f.Body))
		if text == "" {
			text = line
		}
		if errorWord.MatchString(line) {
			text = line
			break
		}
	}
	if len(text) > most {
		text = text[:most] + "…"
	}
	return "; on stderr: " + text
}

var errorWord = regexp.MustCompile(`(?i)\b\w*(error|exception|panic|fatal|cannot|not found|failed)\b`)

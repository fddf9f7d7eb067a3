package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/report"
	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/session"
)

// checkFlags are the flags of check.
type checkFlags struct {
	connectFlags
	form, failOn string
	only, ignore []string
	listen       time.Duration
	probe        bool
	calls        []string

	now      *doing // what goes on, for who waits
	cleaning func() // says that an interrupted probe closes what it opened
	lost     error  // why -o has not all that was judged
}

// listenFor is how long check listens to a server (outputs.md).
const listenFor = 3 * time.Second

func newCheck(std stdio) *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check [flags] (FILE | TARGET | -- COMMAND [ARG...])",
		Short: "Judge a recording, or a live server, by the rules of the protocol",
		Long: "Judge what a recording holds, or connect to a server, read its lists, listen a while, close,\n" +
			"and judge that. With --probe it opens, calls and closes on the server, which changes things\n" +
			"there while it runs; it closes what it opened. mcpl-tui rules lists the rules.\n\n" +
			"The exit status is 0 where nothing is at or above --fail-on, 1 where something is, 2 where it\n" +
			"could not run.",
		Example: "  mcpl-tui check session.mcpl.jsonl\n  mcpl-tui check --fail-on warning --probe -- node server.js\n" +
			"  mcpl-tui check --format junit demo > report.xml",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeTargets,
	}
	f.add(c, doTimeout)
	fl := c.Flags()
	format(c, &f.form, report.Forms...)
	fl.StringVar(&f.failOn, "fail-on", "error", "the level from which on a finding fails the check: "+strings.Join(report.FailOnWords, ", "))
	fl.StringSliceVar(&f.only, "only", nil, "report these `RULE`s alone (repeatable, or with commas)")
	fl.StringSliceVar(&f.ignore, "ignore", nil, "leave these `RULE`s out (repeatable, or with commas)")
	fl.DurationVar(&f.listen, "for", listenFor, "how long to listen to a server")
	fl.BoolVar(&f.probe, "probe", false, "open, call and close on the server, and see how it answers")
	fl.StringArrayVar(&f.calls, "call", nil, "let the probe call this `TOOL` too, although it does not say that it is read-only (repeatable)")
	for flag, complete := range map[string]cobra.CompletionFunc{
		"fail-on": cobra.FixedCompletions(report.FailOnWords, cobra.ShellCompDirectiveNoFileComp),
		"only":    completeRules, "ignore": completeRules,
	} {
		_ = c.RegisterFlagCompletionFunc(flag, complete) // fails for a flag that is not there
	}
	c.RunE = func(c *cobra.Command, args []string) error { return check(c, std, args, &f) }
	return c
}

func check(c *cobra.Command, std stdio, args []string, f *checkFlags) error {
	failOn, err := report.ParseFailOn(f.failOn)
	if err != nil {
		return fmt.Errorf("--fail-on: %w", err)
	}
	keep, err := f.filter()
	if err != nil {
		return err
	}
	var r *report.Report
	if to, targetErr := chooseLive(&f.connectFlags, args, c.ArgsLenAtDash()); targetErr == nil {
		r, err = f.checkLive(c.Context(), to, std.err)
	} else {
		r, err = f.checkFile(c, std, args, targetErr)
		if errors.Is(err, record.ErrNotRecording) {
			if to, nameErr := choose(&f.connectFlags, args, c.ArgsLenAtDash()); nameErr == nil {
				r, err = f.checkLive(c.Context(), to, std.err) // a server of the same name as some file
			}
		}
	}
	if err != nil {
		return err
	}
	r.FailOn = failOn
	r.Keep(keep)
	r.Count()
	if f.form == "sarif" && r.File != "" {
		if r.Lines, err = linesOf(r.File, r.Findings); err != nil {
			return err
		}
	}
	if err := r.Write(std.out, f.form); err != nil {
		return err
	}
	if r.Failed() {
		return &exitError{exitFailed, f.lost}
	}
	return f.lost
}

// filter returns which rules are asked for.
func (f *checkFlags) filter() (func(rule string) bool, error) {
	for flag, ids := range map[string][]string{"only": f.only, "ignore": f.ignore} {
		for _, id := range ids {
			if _, err := ruleByID(id); err != nil {
				return nil, fmt.Errorf("--%s: %w", flag, err)
			}
		}
	}
	return func(rule string) bool {
		return (len(f.only) == 0 || slices.Contains(f.only, rule)) && !slices.Contains(f.ignore, rule)
	}, nil
}

// checkFile judges a recording.
func (f *checkFlags) checkFile(c *cobra.Command, std stdio, args []string, targetErr error) (*report.Report, error) {
	if len(args) == 0 && c.ArgsLenAtDash() < 0 {
		return nil, errors.New("say what to judge: a recording, by its file or name, or a target, as in mcpl-tui --help")
	}
	if c.ArgsLenAtDash() < 0 && len(args) > 1 && !slices.ContainsFunc(args, func(a string) bool { return !looksLikeFile(a) }) {
		return nil, fmt.Errorf("check judges one recording at a time, and %s are %d", strings.Join(args, " "), len(args))
	}
	if len(args) != 1 || c.ArgsLenAtDash() >= 0 {
		return nil, targetErr
	}
	path := find(args[0])
	pass, err := record.Begin(path)
	switch {
	case errors.Is(err, os.ErrNotExist) && errors.Is(targetErr, session.ErrTarget) && !looksLikeFile(args[0]):
		return nil, fmt.Errorf("%w, and no recording has that name", targetErr)
	case errors.Is(err, os.ErrNotExist) && !errors.Is(targetErr, session.ErrTarget):
		return nil, targetErr
	case err != nil:
		return nil, err
	}
	defer pass.Close()
	if err := f.onlyLive(args[0], "probe", "call", "for"); err != nil {
		return nil, err
	}
	v, err := judgeFile(c.Context(), pass, conform.Options{})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", args[0], err)
	}
	sayWhatIsMissing(args[0], v.status, std.err)
	r := v.report(args[0], pass.Header)
	if path != "-" {
		r.File = path
	}
	return r, nil
}

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpl-tui/mcpl-tui/session"
)

// hostOf is the session's settings that the flags of a command make.
func hostOf(t *testing.T, screen bool, words ...string) (session.Config, error) {
	t.Helper()
	var flags connectFlags
	c := &cobra.Command{}
	flags.add(c, defaultTimeout)
	if screen {
		askPerson(c)
	}
	if err := c.ParseFlags(words); err != nil {
		t.Fatal(err)
	}
	return flags.config(session.Target{Kind: session.KindDemo})
}

func TestAQuestionIsAskedOnTheScreenAndDeclinedWithoutOne(t *testing.T) {
	on, err := hostOf(t, true)
	if err != nil || on.Elicit != session.Ask || on.Sampling != session.Ask || on.Push != session.Accept || on.Channels != session.Accept {
		t.Errorf("on the screen: %+v, %v", on, err)
	}
	off, err := hostOf(t, false)
	if err != nil || off.Elicit != session.Decline || off.Sampling != session.Decline || off.Push != session.Accept || off.Channels != session.Accept {
		t.Errorf("without one: %+v, %v", off, err)
	}
}

func TestTheFlagsOfTheHostReachTheSession(t *testing.T) {
	dir := t.TempDir()
	cfg, err := hostOf(t, false, "--push", "refuse", "--channels", "ask", "--answer-after", "500ms", "--ignore-hints", "--root", dir, "--root", dir)
	if err != nil || cfg.Push != session.Refuse || cfg.Channels != session.Ask || cfg.Answers.Late != 500*time.Millisecond ||
		!cfg.IgnoreHints || !cfg.ToolHints || len(cfg.Roots) != 2 || !strings.HasPrefix(cfg.Roots[0].URI, "file://") {
		t.Errorf("%+v, %v", cfg, err)
	}
	if cfg, err := hostOf(t, false, "--silent", "--no-toolhints"); err != nil || !cfg.Answers.Never || !cfg.NoToolHints || cfg.ToolHints {
		t.Errorf("%+v, %v", cfg, err)
	}
}

func TestFlagsOfTheHostThatContradictAreToldInOneLine(t *testing.T) {
	for words, want := range map[string]string{
		"--sampling accept":             "--sampling accept: give ask, decline",
		"--channels maybe":              "--channels maybe: give accept, ask, decline",
		"--silent --answer-after 1s":    "--silent never answers: leave out --answer-after",
		"--answer-after -1s":            "--answer-after -1s: give a time up to 1h0m0s, as in 500ms",
		"--ignore-hints --plain":        "--ignore-hints asks for hints: leave out --no-toolhints and --plain",
		"--root /no/such/directory":     "--root: the root /no/such/directory is no directory: give one that exists",
		"--ignore-hints --no-toolhints": "--ignore-hints asks for hints: leave out --no-toolhints and --plain",
	} {
		if _, err := hostOf(t, false, strings.Fields(words)...); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", words, err, want)
		}
	}
}

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/session"
)

// newConnect is the root command: connect to a target and show it.
func newConnect(std stdio) *cobra.Command {
	var flags connectFlags
	var screen screenFlags
	var noRecord bool
	c := &cobra.Command{
		Use:   "mcpl-tui [flags] [TARGET | -- COMMAND [ARG...]]",
		Short: "A terminal debugger for live MCPL connections",
		Long: "mcpl-tui connects to an MCPL or MCP server as its host, shows what the server says of its\n" +
			"tools, rev by rev, lets you open, call and close by hand, and records the session for replay.\n\n" +
			"Alone it shows what there is to look at: servers that are set up already, recordings, the demo.\n" +
			"TARGET is demo (a server built in, nothing to install), an address, the name of a server that\n" +
			"mcpl-tui servers lists, or a recording to replay;\n" +
			"-- COMMAND starts a server that speaks over stdio. Addresses: https:// or http:// (Streamable\n" +
			"HTTP), sse+https:// (the older SSE transport), wss://, ws:// or mcpl:// (WebSocket).",
		Example: "  mcpl-tui\n  mcpl-tui demo\n  mcpl-tui https://example.com/mcp\n  mcpl-tui --token-env TOKEN https://example.com/mcp\n  mcpl-tui -- node server.js\n  mcpl-tui --cwd ~/goban --env LOBBY=main -- node dist/server.js\n  mcpl-tui --stage talk.mcpl.jsonl",
		Args:    cobra.ArbitraryArgs,

		ValidArgsFunction: completeTargets,
	}
	flags.add(c, session.DefaultTimeout)
	askPerson(c)
	screen.add(c)
	addNoRecord(c, &noRecord)
	c.Flags().StringArrayVar(&screen.watch, "watch", nil, "start the server anew when this `PATH` changes, a directory with all in it (repeatable; with -- COMMAND)")
	c.RunE = func(c *cobra.Command, args []string) error {
		dash := c.ArgsLenAtDash()
		if len(args) == 0 && dash < 0 {
			if !onTerminal(std) {
				return c.Help()
			}
			return choosePlace(c, std, &flags, screen, noRecord)
		}
		if replayed, err := replayNamed(c, std, &flags, screen, args, dash); replayed {
			return err
		}
		to, err := choose(&flags, args, dash)
		if err != nil {
			return explain(c, args, dash, err)
		}
		return connectAndShow(c, std, to, &flags, screen, noRecord)
	}
	return c
}

func addNoRecord(c *cobra.Command, into *bool) {
	c.Flags().BoolVar(into, "no-record", false, "keep no recording of this session")
	c.MarkFlagsMutuallyExclusive("no-record", "output")
}

func connectAndShow(c *cobra.Command, std stdio, to chosen, flags *connectFlags, screen screenFlags, noRecord bool) error {
	watch, err := watching(screen.watch, to.target)
	if err != nil {
		return err
	}
	opt, err := screen.options(std)
	if err != nil {
		return err
	}
	d := newDesk(c.Context(), flags, !noRecord)
	d.watch = watch
	if err := d.connect(to, flags); err != nil {
		return err
	}
	return show(c.Context(), d, opt, std)
}

// choosePlace shows what there is to look at.
func choosePlace(c *cobra.Command, std stdio, flags *connectFlags, screen screenFlags, noRecord bool) error {
	if len(screen.watch) > 0 {
		return errors.New("--watch is for a server that is started: name one, or give -- COMMAND")
	}
	opt, err := screen.options(std)
	if err != nil {
		return err
	}
	d := newDesk(c.Context(), flags, !noRecord)
	d.put(newNothing())
	return show(c.Context(), d, opt, std)
}

// replayNamed replays the recording that one word names, by its file or as
// `mcpl-tui recordings` lists it. It reports whether there was one.
func replayNamed(c *cobra.Command, std stdio, flags *connectFlags, screen screenFlags, args []string, dash int) (bool, error) {
	if len(args) != 1 || dash >= 0 || args[0] == session.KindDemo {
		return false, nil
	}
	path := find(args[0])
	if !isFile(path) {
		return false, nil
	}
	if err := flags.onlyLive(args[0], "no-record", "watch"); err != nil {
		if pass, notRecording := record.Begin(path); notRecording == nil {
			pass.Close()
			return true, err
		}
	}
	err := playFrom(c, std, screen, path, "", false, 1)
	return !errors.Is(err, record.ErrNotRecording), err
}

// explain says of a word that is no target what was most likely meant.
func explain(c *cobra.Command, args []string, dash int, targetErr error) error {
	if len(args) != 1 || dash >= 0 || !errors.Is(targetErr, session.ErrTarget) {
		return targetErr
	}
	if _, err := os.Stat(args[0]); err != nil && looksLikeFile(args[0]) && !session.LacksScheme(args[0]) {
		return fmt.Errorf("there is no file %s; mcpl-tui recordings lists what is kept", args[0])
	}
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		return fmt.Errorf("no command or target %q. Did you mean %s?", args[0], near[0])
	}
	return targetErr
}

// looksLikeFile reports whether somebody who wrote this meant a recording.
func looksLikeFile(word string) bool {
	if strings.Contains(word, "://") {
		return false
	}
	ext := filepath.Ext(word)
	return ext == ".jsonl" || ext == ".gz" || ext == ".zst" || strings.ContainsRune(word, filepath.Separator)
}

// newReplay shows a recording.
func newReplay(std stdio) *cobra.Command {
	var screen screenFlags
	var at string
	var speed float64
	var playing bool
	c := &cobra.Command{
		Use:   "replay FILE",
		Short: "Step through a recording, forward and back",
		Long: "Show a recording (*.mcpl.jsonl, also packed as .gz or .zst, or - for standard input) on the\n" +
			"same screens as a live session. [ and ] go a rev back and on, space plays it at its own pace.",
		Example: "  mcpl-tui replay session.mcpl.jsonl\n  mcpl-tui replay --at rev:31 session.mcpl.jsonl\n" +
			"  mcpl-tui replay --play --speed 4 session.mcpl.jsonl\n  mcpl-tui replay --stage talk.mcpl.jsonl",
		Args: aFile,

		ValidArgsFunction: completeRecordings,
	}
	screen.add(c)
	c.Flags().StringVar(&at, "at", "", "begin at a frame's number, or at rev:[CONN.]N")
	c.Flags().Float64Var(&speed, "speed", 1, "pace of playing, times the recorded one")
	c.Flags().BoolVar(&playing, "play", false, "begin to play at once")
	c.RunE = func(c *cobra.Command, args []string) error {
		if speed <= 0 {
			return fmt.Errorf("--speed %g: give a number above 0", speed)
		}
		if playing && screen.stage {
			return errors.New("--play: a stage opens standing still at the first mark; leave one of the two out, space plays")
		}
		if at != "" {
			// Judged before the screen opens, so that a mistake is one line.
			m, err := parseMoment(at)
			if err != nil {
				return err
			}
			if _, err = boardAt(c.Context(), args[0], m, std.err); err != nil {
				return err
			}
		}
		return playFrom(c, std, screen, args[0], at, playing, speed)
	}
	return c
}

// waitForFrames gives a recording a moment, so that the first screen is not
// empty.
func waitForFrames(p *played) {
	select {
	case <-p.fed:
	case <-time.After(30 * time.Millisecond):
	}
}

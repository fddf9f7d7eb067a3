package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// format is a --format flag that knows its words.
func format(c *cobra.Command, into *string, words ...string) {
	c.Flags().StringVar(into, "format", words[0], strings.Join(words, " or "))
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	c.PreRunE = func(*cobra.Command, []string) error {
		for _, w := range words {
			if *into == w {
				return nil
			}
		}
		return fmt.Errorf("--format %s: give %s", *into, strings.Join(words, " or "))
	}
}

// aFile is the argument rule of commands that read one recording.
func aFile(c *cobra.Command, args []string) error {
	switch len(args) {
	case 1:
		return nil
	case 0:
		return fmt.Errorf("%s needs a recording: %s FILE", c.Name(), c.CommandPath())
	default:
		return fmt.Errorf("%s reads one recording, and got %d arguments", c.Name(), len(args))
	}
}

func newState(std stdio) *cobra.Command {
	var at, form string
	c := &cobra.Command{
		Use:   "state FILE",
		Short: "Print the board of a recording at a frame or a rev",
		Long: "Print what the frames of a recording add up to, right after a frame (--at 41), right\n" +
			"after a rev was applied (--at rev:12, --at rev:2.7 for connection 2), or at the end.",
		Example: "  mcpl-tui state session.mcpl.jsonl\n" +
			"  mcpl-tui state session.mcpl.jsonl --at rev:12 --format json",
		Args: aFile,
	}
	c.Flags().StringVar(&at, "at", "", "a frame's number, or rev:[CONN.]N (default: the end)")
	format(c, &form, "text", "json")
	c.RunE = func(c *cobra.Command, args []string) error {
		m, err := parseMoment(at)
		if err != nil {
			return err
		}
		b, err := boardAt(c.Context(), args[0], m, std.err)
		if err != nil {
			return err
		}
		if form == "json" {
			return writeJSON(std.out, b.Export())
		}
		return writeBoard(std.out, b)
	}
	return c
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func newRevs(std stdio) *cobra.Command {
	var form string
	c := &cobra.Command{
		Use:   "revs FILE",
		Short: "List the revs of a recording with what each changed",
		Long:  "List each message of a recording that carried hints, in order of arrival: its rev, what\nbecame of it, what caused it and what it changed.",
		Example: "  mcpl-tui revs session.mcpl.jsonl\n" +
			"  mcpl-tui revs session.mcpl.jsonl --format json",
		Args: aFile,
	}
	format(c, &form, "text", "json")
	c.RunE = func(c *cobra.Command, args []string) error {
		l, err := load(c.Context(), args[0], std.err)
		if err != nil {
			return err
		}
		defer l.rec.Close()
		w := bufio.NewWriter(std.out)
		write := writeRowsText
		if form == "json" {
			write = writeRowsJSON
		}
		if err := write(w, l.log); err != nil {
			return err
		}
		return w.Flush()
	}
	return c
}

// eachRow gives the rows in order, a few at a time, so that a long recording
// is never held as a whole.
func eachRow(l *timeline.Log, do func(i int, r *timeline.Row) error) error {
	for from := 0; from < l.RowCount(); from += 512 {
		rows, err := l.Rows(from, from+512)
		if err != nil {
			return err
		}
		for i := range rows {
			if err := do(from+i, &rows[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeRowsJSON(w *bufio.Writer, l *timeline.Log) error {
	w.WriteString("[")
	err := eachRow(l, func(i int, r *timeline.Row) error {
		if i > 0 {
			w.WriteString(",")
		}
		w.WriteString("\n")
		return json.NewEncoder(w).Encode(r.Export())
	})
	w.WriteString("]\n")
	return err
}

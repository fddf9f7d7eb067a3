package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// mostCompleted is how many recordings the shell is told of, the newest ones.
const mostCompleted = 50

// keptNames are the recordings that can be named, newest first, for the shell.
func keptNames() []string {
	dir, err := record.Dir()
	if err != nil {
		return nil
	}
	infos, err := record.List(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, info := range infos[:min(len(infos), mostCompleted)] {
		out = append(out, oneLine(info.Name)+"\ta recording")
	}
	return out
}

// completeRecordings completes what can be replayed: names of recordings, and
// files.
func completeRecordings(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return keptNames(), cobra.ShellCompDirectiveDefault
}

// recordingJSON is one recording as `mcpl-tui recordings --format json`
// prints it.
type recordingJSON struct {
	Name     string    `json:"name"`
	Path     string    `json:"path"`
	Size     int64     `json:"size"`
	Started  time.Time `json:"started"`
	Server   string    `json:"server"`
	Version  string    `json:"version"`
	Duration float64   `json:"duration"`
	Frames   int       `json:"frames"`
	Revs     int       `json:"revs"`
	Error    *string   `json:"error"`
}

func newRecordings(std stdio) *cobra.Command {
	var form, dir string
	c := &cobra.Command{
		Use:   "recordings",
		Short: "List the recordings that are kept, newest first",
		Long: "List the recordings in the user's state directory with size, server, duration and revs.\n" +
			"They are kept until you remove the files.",
		Example: "  mcpl-tui recordings\n  mcpl-tui recordings --format json",
		Args:    cobra.NoArgs,
	}
	c.Flags().Var((*named)(&dir), "dir", "look into `DIR` instead")
	format(c, &form, "text", "json")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if dir != "" {
			if _, err := os.Stat(dir); err != nil {
				return fmt.Errorf("--dir %s: there is no such folder", dir)
			}
		} else {
			var err error
			if dir, err = record.Dir(); err != nil {
				return err
			}
		}
		infos, err := record.List(dir)
		if err != nil {
			return err
		}
		if form == "json" {
			list := []recordingJSON{}
			for _, info := range infos {
				list = append(list, summary(c.Context(), info))
			}
			return writeJSON(std.out, list)
		}
		if len(infos) == 0 {
			fmt.Fprintf(std.out, "no recordings in %s yet; each session that you look at is kept there\n", dir)
			return nil
		}
		fmt.Fprintf(std.out, "in %s:\n", dir)
		wide := 0 // of the longest name, so that a line is no wider than it must be
		for _, info := range infos {
			wide = max(wide, kit.Width(info.Name))
		}
		for _, info := range infos {
			fmt.Fprintln(std.out, kit.Clean(recordingLine(summary(c.Context(), info), min(wide, 36))))
		}
		return nil
	}
	return c
}

// summary reads a recording to its end for what its list line says.
func summary(ctx context.Context, info record.Info) recordingJSON {
	out := recordingJSON{Name: info.Name, Path: info.Path, Size: info.Size, Started: info.Started}
	fail := func(err error) recordingJSON {
		text := oneLine(err.Error())
		out.Error = &text
		return out
	}
	if info.Err != nil {
		return fail(info.Err)
	}
	rec, err := record.Open(info.Path)
	if err != nil {
		return fail(err)
	}
	l := newLoaded(rec)
	defer rec.Close()
	if err := l.reduce(ctx); err != nil {
		return fail(err)
	}
	if out.Server, out.Version, err = serverOf(l.log); err != nil {
		return fail(err)
	}
	out.Frames, out.Revs = l.log.Len(), l.log.RowCount()
	if n := l.log.Len(); n > 0 {
		out.Duration = l.log.Entry(n - 1).T.Seconds()
	}
	return out
}

// serverOf names the server of the last connection that got so far as to say
// its name: the one to see in a recording whose last tries found nobody.
func serverOf(l *timeline.Log) (name, version string, err error) {
	last := l.Len() - 1
	conns, _ := l.Conns(last, l.LastConn())
	for _, conn := range slices.Backward(conns) {
		b, err := l.BoardOf(conn, last)
		if err != nil {
			return "", "", err
		}
		if b.Server.Name != "" {
			return b.Server.Name, b.Server.Version, nil
		}
	}
	return "", "", nil
}

func recordingLine(r recordingJSON, wide int) string {
	line := fmt.Sprintf("  %-*s  %s %8s", wide, r.Name, r.Started.Local().Format("2006-01-02 15:04"), inspector.Size(r.Size))
	if r.Error != nil {
		return line + "  " + *r.Error
	}
	server := r.Server + " " + r.Version
	if r.Server == "" {
		server = "did not start"
	}
	return fmt.Sprintf("%s  %-18s %8s %11s  %s", line, kit.Cut(server, 18),
		inspector.Count(r.Revs, "rev"), inspector.Count(r.Frames, "frame"), clock(r.Duration))
}

// clock writes seconds as the screen does: 3:24, 1:02:03.
func clock(seconds float64) string {
	s := int(seconds)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

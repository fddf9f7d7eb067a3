package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// writeBoard prints a board for people, with the signs of the screen:
// ● usable, ○ not now, ≠ not as declared.
func writeBoard(out io.Writer, b *timeline.Board) error {
	w := bufio.NewWriter(out)
	say := func(format string, args ...any) {
		fmt.Fprintln(w, strings.TrimRight(kit.Clean(fmt.Sprintf(format, args...)), " "))
	}
	say("%s   frame %d   connection %d   rev %d", serverName(b), b.Seq, b.Conn, b.LastRev)
	switch {
	case b.Mode.IgnoresHints:
		say("this host ignores hints: every tool is static")
	case !b.ToolHints:
		say("toolHints is not agreed: every tool is static")
	}
	if len(b.Held) > 0 {
		say("held, waiting for earlier revs: %v", b.Held)
	}
	say("STATIC")
	for _, t := range b.Static {
		say("  %s %s", sign(t.Cells[0]), t.Name)
	}
	if b.ToolHints {
		say("DYNAMIC")
	}
	for _, t := range b.Loose {
		say("  %s %s", sign(t.Cells[0]), t.Name)
	}
	for _, s := range b.Toolsets {
		writeToolset(say, &s)
	}
	for _, s := range b.Suggestions {
		status := "pending"
		if s.Taken {
			status = "taken"
		}
		say("SUGGESTED  %s %s %s   rev %d   %s   %s", s.Action, s.Toolset, s.Instance, s.By.Rev, status, s.Reason)
	}
	for _, e := range b.Ended {
		say("ENDED      %s %s   %s   %s", e.Toolset, e.Instance, e.ID, e.Reason)
	}
	return w.Flush()
}

func serverName(b *timeline.Board) string {
	if b.Server.Name == "" {
		return "(no server named itself)"
	}
	return b.Server.Name + " " + b.Server.Version
}

func sign(c timeline.Cell) string {
	switch {
	case c.Visible && c.Redefined:
		return "●≠"
	case c.Visible:
		return "● "
	case c.Redefined:
		return "○≠"
	default:
		return "○ "
	}
}

func writeToolset(say func(string, ...any), s *timeline.Toolset) {
	state := "closed"
	if s.Open {
		state = "open"
	}
	if !s.Declared {
		state += ", undeclared"
	}
	say("  %s   %s   %s", s.Name, s.Title, state)
	if !s.HasInstances {
		for _, t := range s.Tools {
			say("    %s %s", sign(t.Cells[0]), t.Name)
		}
		return
	}
	for i, in := range s.Instances {
		say("    %s   %s   since rev %d", in.Name, in.Title, in.OpenedBy.Rev)
		for _, t := range s.Tools {
			say("      %s %s", sign(t.Cells[i]), t.Name)
		}
	}
}

// writeRowsText prints a line a row, with the words and signs of the screen.
// Where there were several connections a rev says of which it is: 2.7.
func writeRowsText(w *bufio.Writer, l *timeline.Log) error {
	several := l.LastConn() > 1
	return eachRow(l, func(_ int, r *timeline.Row) error {
		rev := string(r.RawRev)
		switch {
		case rev == "":
			rev = "none"
		case several:
			rev = fmt.Sprintf("%d.%s", r.Conn, rev)
		}
		var changes []string
		for _, ch := range r.Changes {
			changes = append(changes, changeText(ch))
		}
		line := fmt.Sprintf("rev %-7s frame %-6d %9s  %-9s %-28s %s", rev, r.Seq, inspector.Clock(r.T),
			r.Status, inspector.CarrierArrow(r.Carrier)+" "+inspector.Cause(r), strings.Join(changes, "  "))
		_, err := fmt.Fprintln(w, strings.TrimRight(kit.Clean(line), " "))
		return err
	})
}

func changeText(ch timeline.Change) string {
	signs := map[timeline.ChangeKind]string{
		timeline.Shown: "+", timeline.Hidden: "-", timeline.Redefined: "~", timeline.Moved: "moved",
		timeline.Opened: "◆", timeline.ClosedIt: "◇", timeline.Retitled: "retitled", timeline.Suggested: "?",
	}
	what := ch.Tool
	if what == "" {
		what = ch.Toolset
	}
	if ch.Instance != "" {
		what += "@" + ch.Instance
	}
	return signs[ch.Kind] + " " + what
}

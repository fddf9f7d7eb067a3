//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// row is a line of the table: what is measured, its limit, and its value with
// each number of messages.
type row struct {
	what, limit string
	value       func(c *column) string
}

var rows = []row{
	{"floor: `json.Valid` on each line", "", func(c *column) string { return millis(c.floor) }},
	{"`check`, of the floor", "1.5", func(c *column) string { return ratio(c.check.took, c.floor) }},
	{"`check`, of `state`", "1.3", func(c *column) string { return ratio(c.check.took, c.state.took) }},
	{"`check`, peak memory", "55 / 260 MB", func(c *column) string { return fmt.Sprintf("%.0f MB", c.check.peak) }},
	{"`state`, of the floor", "1.5", func(c *column) string { return ratio(c.state.took, c.floor) }},
	{"`state`, peak memory", "55 / 260 MB", func(c *column) string { return fmt.Sprintf("%.0f MB", c.state.peak) }},
	{"`replay`, first screen", "250 ms", func(c *column) string { return millis(c.first) }},
	{"`replay`, from key to any frame", "50 ms", func(c *column) string { return millis(c.gone) }},
	{"`replay`, filter the wire by a tool: first answer", "200 ms", func(c *column) string { return millis(c.byTool.first) }},
	{"`replay`, filter the wire by a tool: all, of the floor", "", func(c *column) string { return ratio(c.byTool.whole, c.floor) }},
	{"`replay`, search the wire for a text: first answer", "200 ms", func(c *column) string { return millis(c.byText.first) }},
	{"`replay`, search the wire for a text: all, of the floor", "", func(c *column) string { return ratio(c.byText.whole, c.floor) }},
	{"`replay`, from key to screen while it searches", "50 ms", func(c *column) string { return millis(c.meanwhile) }},
	{"`replay`, memory a message", "200 B", func(c *column) string { return memory(c) }},
	{"flood: bare copy, messages a second", "", func(c *column) string { return thousands(c.copied) }},
	{"flood: recorded, of the copy", "60 %", func(c *column) string { return fmt.Sprintf("%.0f %%", 100*c.taken/c.copied) }},
	{"flood: from key to screen, 99 of 100", "50 ms", func(c *column) string { return millis(c.key) }},
}

// memory is what a message costs. With few of them it is what the program
// itself needs to run.
func memory(c *column) string {
	if c.messages < 500_000 {
		return "–"
	}
	return fmt.Sprintf("%.0f B", c.perMessage)
}

func millis(d time.Duration) string {
	if d < 10*time.Millisecond {
		return fmt.Sprintf("%.1f ms", d.Seconds()*1000)
	}
	return fmt.Sprintf("%.0f ms", d.Seconds()*1000)
}

func ratio(a, b time.Duration) string { return fmt.Sprintf("%.2f", float64(a)/float64(b)) }

// thousands writes a number with commas.
func thousands(x float64) string {
	s := fmt.Sprintf("%.0f", x)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// table writes what was measured, with the machine and the date.
func table(cols []column) string {
	var b strings.Builder
	b.WriteString("| messages |")
	for i := range cols {
		fmt.Fprintf(&b, " %s |", thousands(float64(cols[i].messages)))
	}
	b.WriteString(" at most (flood: at least) |\n|---|" + strings.Repeat("---:|", len(cols)) + "---:|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s |", r.what)
		for i := range cols {
			fmt.Fprintf(&b, " %s |", r.value(&cols[i]))
		}
		fmt.Fprintf(&b, " %s |\n", r.limit)
	}
	fmt.Fprintf(&b, "\nMedians of %d turns, %s, %s.\n", turns, time.Now().Format("January 2006"), machine())
	return b.String()
}

// machine tells what it was measured on.
func machine() string {
	name := "a processor"
	if raw, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(raw)) {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				name = strings.TrimSpace(value)
				break
			}
		}
	} else if out, err := exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output(); err == nil {
		name = strings.TrimSpace(string(out))
	}
	return fmt.Sprintf("%s with %d cores, %s/%s, %s", name, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}

const (
	tableBegins = "<!-- bench: written by go run ./cmd/mcpl-tui/bench -write README.md -->\n"
	tableEnds   = "<!-- /bench -->"
)

// writeInto puts the table between the marks in a file.
func writeInto(path, text string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(raw, []byte(tableBegins))
	_, after, ended := bytes.Cut(rest, []byte(tableEnds))
	if !ok || !ended {
		return fmt.Errorf("%s has no place for the table: put %s and %s into it", path, strings.TrimSpace(tableBegins), tableEnds)
	}
	out := append(append([]byte{}, before...), tableBegins+"\n"+text+"\n"+tableEnds...)
	return os.WriteFile(path, append(out, after...), 0o644)
}

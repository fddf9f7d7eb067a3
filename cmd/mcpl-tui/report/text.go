package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// Text writes the report for people: each step and each finding with what it
// is about, and the summary last. It needs no colour.
func (r *Report) Text(out io.Writer) error {
	w := bufio.NewWriter(out)
	say := func(format string, args ...any) {
		fmt.Fprintln(w, strings.TrimRight(kit.Clean(fmt.Sprintf(format, args...)), " "))
	}
	for _, s := range r.Steps {
		say("%-5s %-28s %s", s.Status, s.Step, s.Message)
	}
	if len(r.Steps) > 0 {
		say("")
	}
	advised := map[string]bool{} // what to do by a rule is said once
	for i := range r.Findings {
		f := &r.Findings[i]
		r.finding(say, f, !advised[f.Rule])
		advised[f.Rule] = true
		say("")
	}
	say("%s", r.summary())
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

func (r *Report) finding(say func(string, ...any), f *conform.Finding, advise bool) {
	rule, _ := conform.RuleByID(f.Rule)
	say("%-8s %s   %s", f.Level, f.Rule, r.where(f))
	say("         %s", f.Message)
	if f.Seen != "" {
		say("         seen      %s", oneLine(f.Seen))
	}
	if f.Expected != "" {
		say("         expected  %s", oneLine(f.Expected))
	}
	if f.Mend != "" && (f.Mend != rule.Mend || advise) {
		say("         to mend   %s", oneLine(f.Mend))
	}
	say("         source    %s", rule.Source)
}

func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}

// where says which frame shows a finding, and what it is about.
func (r *Report) where(f *conform.Finding) string {
	parts := []string{fmt.Sprintf("frame %d", f.Seq)}
	if r.Summary.Connections > 1 {
		parts = append(parts, fmt.Sprintf("connection %d", f.Conn))
	}
	if f.Rev != nil {
		parts = append(parts, fmt.Sprintf("rev %d", *f.Rev))
	}
	for _, p := range []struct {
		noun string
		name *string
	}{{"toolset", f.Toolset}, {"instance", f.Instance}, {"tool", f.Tool}} {
		if p.name != nil {
			parts = append(parts, p.noun+" "+*p.name)
		}
	}
	where := strings.Join(parts, ", ")
	if f.Count > 1 {
		where += fmt.Sprintf("   ×%d", f.Count)
	}
	return where
}

// stepsFailed counts, where some did, the steps of a probe that failed: they
// fail a check as an error does.
func (r *Report) stepsFailed() string {
	n := 0
	for _, s := range r.Steps {
		if s.Status == Fail {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return " and " + inspector.Count(n, "failed step")
}

// summary is the last line.
func (r *Report) summary() string {
	s := r.Summary
	if s.Frames == 0 && len(r.Findings) == 0 && len(r.Steps) == 0 {
		return "NOTHING JUDGED  there are 0 frames, so no rule was asked"
	}
	verdict := "PASSED"
	switch {
	case r.Failed():
		verdict = "FAILED"
	case r.FailOn == Never:
		verdict = "JUDGED"
	}
	text := fmt.Sprintf("%s  %s, %s, %s in %s, %s, %s", verdict,
		inspector.Count(s.Errors, "error"), inspector.Count(s.Warnings, "warning"), inspector.Count(s.Infos, "info")+r.stepsFailed(),
		inspector.Count(s.Frames, "frame"), inspector.Count(s.Revs, "rev"), inspector.Count(s.Connections, "connection"))
	if name := strings.TrimSpace(r.Server.Name + " " + r.Server.Version); name != "" {
		text += " of " + name
	}
	if !r.ToolHints {
		text += ", toolHints not agreed"
	}
	if s.LeftOut > 0 {
		text += fmt.Sprintf("; %d more, of rules left out", s.LeftOut)
	}
	if s.SkippedLines > 0 || s.Cut {
		text += "; the recording is not whole, so rules about order and absence are silent"
	}
	if s.InPart > 0 {
		text += "; of " + inspector.Count(s.InPart, "frame") + " with very many values some were not looked at"
	}
	return text
}

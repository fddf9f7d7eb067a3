// Package report writes what was found in a session: as text for people, and
// as JSON, JUnit and SARIF for programs. The JSON is a stable interface
// (outputs.md, `mcpl-tui check`).
//
// What a peer said passes kit.Clean on its way into text, JUnit and SARIF; in
// JSON it stands as it is.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
)

// Version is the version of the JSON.
const Version = 1

// Report is what a check found.
type Report struct {
	Version   int                 `json:"version"`
	Target    string              `json:"target"`
	Server    mcpl.Implementation `json:"server"`
	ToolHints bool                `json:"toolhints"` // agreed on, on any connection
	Summary   Summary             `json:"summary"`
	Head      conform.Head        `json:"head"`
	Findings  []conform.Finding   `json:"findings"`
	Steps     []Step              `json:"steps"` // of a probe; else none

	// What the other forms say beside.
	Tool    string      `json:"-"` // the version of this program
	File    string      `json:"-"` // the recording, "" where there is none
	Lines   map[int]int `json:"-"` // in it: the line of a frame, by its position; may lack some
	Started time.Time   `json:"-"`
	FailOn  FailOn      `json:"-"`
}

// Summary counts.
type Summary struct {
	Frames      int `json:"frames"`
	Revs        int `json:"revs"` // messages that carried hints
	Connections int `json:"connections"`
	Errors      int `json:"errors"`
	Warnings    int `json:"warnings"`
	Infos       int `json:"infos"`
	// LeftOut is how many findings are not listed, since only some rules were
	// asked for.
	LeftOut int `json:"left_out"`
	// SkippedLines is how many lines of the recording could not be read; Cut
	// tells that it ends in the middle of one.
	SkippedLines int  `json:"skipped_lines"`
	Cut          bool `json:"cut"`
	// InPart is how many frames were judged in part, since they have more values
	// than are looked at.
	InPart int `json:"in_part"`
}

// Verdict is what became of a step of a probe.
type Verdict string

// The verdicts.
const (
	Pass Verdict = "pass"
	Fail Verdict = "fail"
	Skip Verdict = "skip"
)

// Step is one step of a probe.
type Step struct {
	Step    string  `json:"step"`
	Status  Verdict `json:"status"`
	Message string  `json:"message"`
}

// FailOn is the level from which on a finding fails a check; the zero value
// is Error, Never is none.
type FailOn uint8

// Never fails a check for no finding.
const Never FailOn = 255

// FailOnWords are the words that ParseFailOn knows.
var FailOnWords = []string{"error", "warning", "info", "never"}

// ParseFailOn reads the word of a level, or "never".
func ParseFailOn(word string) (FailOn, error) {
	if word == "never" {
		return Never, nil
	}
	var l conform.Level
	if err := l.UnmarshalText([]byte(word)); err != nil {
		return 0, fmt.Errorf("%q is no level: give error, warning, info or never", word)
	}
	return FailOn(l), nil
}

// Fails reports whether a finding of that level fails the check.
func (f FailOn) Fails(l conform.Level) bool {
	switch f {
	case Never:
		return false
	case 0:
		return l >= conform.Error
	}
	return l >= conform.Level(f)
}

// Keep leaves out the findings of which keep does not want the rule.
func (r *Report) Keep(keep func(rule string) bool) {
	n := len(r.Findings)
	r.Findings = slices.DeleteFunc(r.Findings, func(f conform.Finding) bool { return !keep(f.Rule) })
	r.Summary.LeftOut = n - len(r.Findings)
}

// Count counts the findings by their levels.
func (r *Report) Count() {
	s := &r.Summary
	s.Errors, s.Warnings, s.Infos = 0, 0, 0
	for _, f := range r.Findings {
		switch f.Level {
		case conform.Error:
			s.Errors++
		case conform.Warning:
			s.Warnings++
		default:
			s.Infos++
		}
	}
}

// Failed reports whether anything is at or above the level that fails a
// check. A step of a probe that failed counts as an error.
func (r *Report) Failed() bool {
	return slices.ContainsFunc(r.Findings, func(f conform.Finding) bool { return r.FailOn.Fails(f.Level) }) ||
		r.FailOn.Fails(conform.Error) && slices.ContainsFunc(r.Steps, func(s Step) bool { return s.Status == Fail })
}

// JSON writes the report in the form of outputs.md.
func (r *Report) JSON(w io.Writer) error {
	out := *r
	out.Version = Version
	if out.Findings == nil {
		out.Findings = []conform.Finding{}
	}
	if out.Steps == nil {
		out.Steps = []Step{}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(out); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// Forms are the words of --format and what writes each.
var Forms = []string{"text", "json", "junit", "sarif"}

// Write writes the report in one of the Forms.
func (r *Report) Write(w io.Writer, form string) error {
	switch form {
	case "json":
		return r.JSON(w)
	case "junit":
		return r.JUnit(w)
	case "sarif":
		return r.SARIF(w)
	}
	return r.Text(w)
}

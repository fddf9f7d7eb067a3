package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// The elements of a JUnit report, in the order and with the attributes that
// the stricter of its schemas asks for.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Package    string      `xml:"package,attr"`
		ID         int         `xml:"id,attr"`
		Name       string      `xml:"name,attr"`
		Timestamp  string      `xml:"timestamp,attr"`
		Hostname   string      `xml:"hostname,attr"`
		Tests      int         `xml:"tests,attr"`
		Failures   int         `xml:"failures,attr"`
		Errors     int         `xml:"errors,attr"`
		Time       string      `xml:"time,attr"`
		Properties struct{}    `xml:"properties"`
		Cases      []junitCase `xml:"testcase"`
		Out        string      `xml:"system-out"`
		Err        string      `xml:"system-err"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Time    string        `xml:"time,attr"`
		Skipped *junitSkipped `xml:"skipped"`
		Failure *junitFailure `xml:"failure"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes the report as JUnit XML: a suite for each chapter of the rules
// with a case for each rule, and one for the steps of a probe. A finding that
// fails the check is a failure; the others stand in the output of the suite.
func (r *Report) JUnit(w io.Writer) error {
	var out junitSuites
	for _, chapter := range conform.Chapters() {
		s := r.suite(len(out.Suites), string(chapter))
		var noted []string
		for _, rule := range conform.Rules() {
			if rule.Chapter != chapter {
				continue
			}
			c, below := r.ruleCase(&s, rule)
			s.add(c)
			noted = append(noted, below...)
		}
		s.Out = strings.Join(noted, "\n")
		out.Suites = append(out.Suites, s)
	}
	if len(r.Steps) > 0 {
		s := r.suite(len(out.Suites), "PROBE")
		for _, step := range r.Steps {
			s.add(r.stepCase(&s, step))
		}
		out.Suites = append(out.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(out); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (r *Report) suite(id int, name string) junitSuite {
	return junitSuite{
		Package: "mcpl-tui", ID: id, Name: name, Hostname: "localhost", Time: "0",
		Timestamp: r.Started.UTC().Format("2006-01-02T15:04:05"),
	}
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	s.Cases = append(s.Cases, c)
}

// ruleCase is the case of a rule, and the lines of what does not fail it.
func (r *Report) ruleCase(s *junitSuite, rule conform.Rule) (c junitCase, below []string) {
	c = junitCase{Name: rule.ID, Class: "mcpl-tui." + s.Name, Time: "0"}
	var fails []string
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Rule != rule.ID {
			continue
		}
		line := kit.Clean(fmt.Sprintf("%s %s, %s: %s", f.Level, f.Rule, r.where(f), f.Message))
		if !r.FailOn.Fails(f.Level) {
			below = append(below, line)
			continue
		}
		fails = append(fails, line)
		if c.Failure == nil {
			c.Failure = &junitFailure{Message: kit.Clean(f.Message), Type: f.Level.String()}
		}
	}
	if c.Failure != nil {
		c.Failure.Text = strings.Join(append(fails, "source: "+rule.Source, "mend: "+rule.Mend), "\n")
	}
	return c, below
}

func (r *Report) stepCase(s *junitSuite, step Step) junitCase {
	c := junitCase{Name: step.Step, Class: "mcpl-tui." + s.Name, Time: "0"}
	text := kit.Clean(step.Message)
	switch {
	case step.Status == Skip:
		c.Skipped = &junitSkipped{Message: text}
	case step.Status == Fail && r.FailOn.Fails(conform.Error):
		c.Failure = &junitFailure{Message: text, Type: "error", Text: text}
	case step.Status == Fail:
		s.Out += fmt.Sprintf("%s failed: %s\n", step.Step, text)
	}
	return c
}

// began is when the session began, of one that does not say so nothing.
func (r *Report) began() string {
	if r.Started.IsZero() {
		return ""
	}
	return r.Started.UTC().Format(time.RFC3339)
}

package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/report"
	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
)

func ptr[T any](v T) *T { return &v }

// hostile is a report in which a server has put what it could into names and
// texts.
func hostile() *report.Report {
	r := &report.Report{
		Target: "node server.js", Server: mcpl.Implementation{Name: "goban\x1b[31m", Version: "1"}, ToolHints: true,
		Tool: "0.1.0", File: "a dir/s#1.mcpl.jsonl", Lines: map[int]int{4: 6}, Started: time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC),
		Summary: report.Summary{Frames: 120, Revs: 12, Connections: 2},
		Findings: []conform.Finding{
			{Rule: "rev-gap", Level: conform.Error, Count: 2, Seq: 5, Index: 4, Conn: 1, Rev: ptr(int64(9)), Message: "Revs have no holes: </failure>]]> \x00\u202e.", Seen: "\"rev\":9\n\"x\"", Expected: "\"rev\":8"},
			{Rule: "call-invisible", Level: conform.Warning, Count: 1, Seq: 9, Index: 8, Conn: 2, Toolset: ptr("game"), Instance: ptr("vs-ada"), Tool: ptr("un\x1bdo"), Message: "it was called."},
			{Rule: "stderr-noise", Level: conform.Info, Count: 1, Seq: 10, Index: 9, Conn: 2, Message: "The server wrote to stderr."},
		},
		Steps: []report.Step{
			{Step: "open", Status: report.Pass, Message: "game @ probe-1"},
			{Step: "open-adopts", Status: report.Fail, Message: "not <adopted>"},
			{Step: "call-closed", Status: report.Skip, Message: "no tool says that it is read-only"},
		},
	}
	r.Count()
	return r
}

func written(t *testing.T, r *report.Report, form string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b, form); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTextTellsEachFindingAndTheSummaryLast(t *testing.T) {
	got := string(written(t, hostile(), "text"))
	for _, want := range []string{
		"pass  open                         game @ probe-1\n",
		"error    rev-gap   frame 5, connection 1, rev 9   ×2\n",
		"seen      \"rev\":9 \"x\"\n",
		"warning  call-invisible   frame 9, connection 2, toolset game, instance vs-ada, tool un␛do\n",
		"source    toolhints.md §7",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
	}
	last := got[strings.LastIndexByte(strings.TrimSuffix(got, "\n"), '\n')+1:]
	if last != "FAILED  1 error, 1 warning, 1 info and 1 failed step in 120 frames, 12 revs, 2 connections of goban␛[31m 1\n" {
		t.Errorf("the last line is %q", last)
	}
	if strings.ContainsAny(got, "\x1b\x00\u202e") {
		t.Errorf("it would speak to the terminal: %q", got)
	}
}

func TestAReportWithoutFindingsIsOneLine(t *testing.T) {
	r := &report.Report{Summary: report.Summary{Frames: 1, Connections: 1}}
	if got := string(written(t, r, "text")); got != "PASSED  0 errors, 0 warnings, 0 infos in 1 frame, 0 revs, 1 connection, toolHints not agreed\n" {
		t.Errorf("it says %q", got)
	}
	var v struct {
		Version         int
		Findings, Steps []any
	}
	if err := json.Unmarshal(written(t, r, "json"), &v); err != nil || v.Version != 1 || v.Findings == nil || v.Steps == nil {
		t.Errorf("%v: its JSON is %s", err, written(t, r, "json"))
	}
}

func TestWhatWasJudgedInPartIsSaid(t *testing.T) {
	r := &report.Report{ToolHints: true, FailOn: report.Never, Summary: report.Summary{Frames: 9, Revs: 2, Connections: 1, InPart: 1}}
	if got := string(written(t, r, "text")); got != "JUDGED  0 errors, 0 warnings, 0 infos in 9 frames, 2 revs, 1 connection; of 1 frame with very many values some were not looked at\n" {
		t.Errorf("it says %q", got)
	}
}

func TestWhatFailsACheckIsWhatWasAskedFor(t *testing.T) {
	for word, want := range map[string][4]bool{ // of nothing, an info, a warning, an error
		"error": {false, false, false, true}, "warning": {false, false, true, true}, "info": {false, true, true, true}, "never": {},
	} {
		on, err := report.ParseFailOn(word)
		if err != nil {
			t.Fatal(err)
		}
		for i, level := range []conform.Level{0, conform.Info, conform.Warning, conform.Error} {
			r := &report.Report{FailOn: on}
			if level > 0 {
				r.Findings = []conform.Finding{{Level: level}}
			}
			if r.Failed() != want[i] {
				t.Errorf("--fail-on %s fails on %v: %v", word, level, r.Failed())
			}
		}
		step := &report.Report{FailOn: on, Steps: []report.Step{{Status: report.Fail}}}
		if step.Failed() != (word != "never") {
			t.Errorf("--fail-on %s: a step that failed fails it: %v", word, step.Failed())
		}
	}
	if _, err := report.ParseFailOn("always"); err == nil {
		t.Error("always is a level")
	}
}

// junit is the shape that the stricter schema of JUnit reports asks for.
type junit struct {
	XMLName xml.Name `xml:"testsuites"`
	Suites  []struct {
		Name      string  `xml:"name,attr"`
		Package   *string `xml:"package,attr"`
		ID        *int    `xml:"id,attr"`
		Timestamp string  `xml:"timestamp,attr"`
		Hostname  string  `xml:"hostname,attr"`
		Tests     int     `xml:"tests,attr"`
		Failures  int     `xml:"failures,attr"`
		Errors    *int    `xml:"errors,attr"`
		Time      string  `xml:"time,attr"`
		Parts     []struct {
			XMLName   xml.Name
			Name      string      `xml:"name,attr"`
			Classname string      `xml:"classname,attr"`
			Time      string      `xml:"time,attr"`
			Results   []junitPart `xml:",any"`
			Text      string      `xml:",chardata"`
		} `xml:",any"`
	} `xml:"testsuite"`
}

type junitPart struct {
	XMLName xml.Name
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func TestJUnitHasASuiteForEachChapterAndACaseForEachRule(t *testing.T) {
	r := hostile()
	var got junit
	if err := xml.Unmarshal(written(t, r, "junit"), &got); err != nil {
		t.Fatal(err)
	}
	cases, failed := map[string]int{}, []string{}
	for i, s := range got.Suites {
		if s.Package == nil || s.ID == nil || *s.ID != i || s.Errors == nil || s.Hostname == "" || s.Time == "" || s.Timestamp != "2026-11-29T10:00:00" {
			t.Errorf("suite %s lacks something: %+v", s.Name, s)
		}
		order, tests, failures := "", 0, 0
		for _, p := range s.Parts {
			order += p.XMLName.Local[:1]
			if p.XMLName.Local != "testcase" {
				continue
			}
			tests++
			cases[p.Name]++
			if p.Name == "" || p.Classname == "" || p.Time == "" || len(p.Results) > 1 {
				t.Errorf("case %+v", p)
			}
			for _, x := range p.Results {
				switch {
				case x.XMLName.Local == "failure" && x.Type != "" && x.Message != "" && x.Text != "":
					failures++
					failed = append(failed, p.Name)
				case x.XMLName.Local != "skipped":
					t.Errorf("%s: %+v", p.Name, x)
				}
			}
		}
		if want := "p" + strings.Repeat("t", tests) + "ss"; order != want {
			t.Errorf("%s: the parts are in the order %s", s.Name, order)
		}
		if tests != s.Tests || failures != s.Failures {
			t.Errorf("%s counts %d tests and %d failures, and has %d and %d", s.Name, s.Tests, s.Failures, tests, failures)
		}
	}
	for _, rule := range conform.Rules() {
		if cases[rule.ID] != 1 {
			t.Errorf("%d cases for %s", cases[rule.ID], rule.ID)
		}
	}
	if want := []string{"rev-gap", "open-adopts"}; !slices.Equal(failed, want) {
		t.Errorf("failures are %v, want %v", failed, want)
	}
	if out := string(written(t, r, "junit")); !strings.Contains(out, "warning call-invisible, frame 9") || strings.ContainsAny(out, "\x00\x1b\u202e") {
		t.Errorf("what does not fail it is not told, or not cleaned: %s", out)
	}
}

func TestSARIFIsValidAndPointsAtTheLine(t *testing.T) {
	raw, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sarif.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	live := hostile()
	live.File, live.Lines, live.Started, live.Steps = "", nil, time.Time{}, nil
	for name, r := range map[string]*report.Report{"recording": hostile(), "live": live, "nothing": {}} {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(written(t, r, "sarif")))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	var log sarif
	if err := json.Unmarshal(written(t, hostile(), "sarif"), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if len(run.Results) != 3 {
		t.Fatalf("%d results", len(run.Results))
	}
	levels := []string{}
	for _, x := range run.Results {
		levels = append(levels, x.Level)
		if rules := run.Tool.Driver.Rules; x.RuleIndex >= len(rules) || rules[x.RuleIndex].ID != x.RuleID {
			t.Errorf("%s stands at %d", x.RuleID, x.RuleIndex)
		}
	}
	if !slices.Equal(levels, []string{"error", "warning", "note"}) {
		t.Errorf("the levels are %v", levels)
	}
	at := run.Results[0].Locations[0].PhysicalLocation
	if at.ArtifactLocation.URI != "a%20dir/s%231.mcpl.jsonl" || at.Region.StartLine != 6 {
		t.Errorf("the gap is at %+v", at)
	}
	if l := run.Results[1].Locations[0]; l.PhysicalLocation.Region != nil || len(l.LogicalLocations) != 3 || l.LogicalLocations[2].FullyQualifiedName != "game/vs-ada/un␛do" {
		t.Errorf("the call is at %+v", l)
	}
}

type sarif struct {
	Runs []struct {
		Tool struct {
			Driver struct{ Rules []struct{ ID string } }
		}
		Results []struct {
			RuleID    string
			RuleIndex int
			Level     string
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
					Region           *struct{ StartLine int }
				}
				LogicalLocations []struct{ FullyQualifiedName string }
			}
		}
	}
}

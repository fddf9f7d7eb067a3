package report

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// The parts of a SARIF 2.1.0 log that are written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
		Properties  map[string]any    `json:"properties,omitempty"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifInvocation struct {
		Successful bool   `json:"executionSuccessful"`
		Started    string `json:"startTimeUtc,omitempty"`
	}
	sarifRule struct {
		ID         string         `json:"id"`
		Short      sarifText      `json:"shortDescription"`
		Full       sarifText      `json:"fullDescription"`
		Help       sarifText      `json:"help"`
		Default    sarifDefault   `json:"defaultConfiguration"`
		Properties map[string]any `json:"properties"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifResult struct {
		Rule       string          `json:"ruleId"`
		Index      int             `json:"ruleIndex"`
		Level      string          `json:"level"`
		Message    sarifText       `json:"message"`
		Locations  []sarifLocation `json:"locations,omitempty"`
		Count      int             `json:"occurrenceCount"`
		Properties map[string]any  `json:"properties"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		Line int `json:"startLine"`
	}
	sarifLogical struct {
		Name string `json:"name"`
		Full string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
)

// SARIF writes the report as a SARIF 2.1.0 log: a result for each finding, at
// the line of the recording that shows it, where that is known.
func (r *Report) SARIF(w io.Writer) error {
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "mcpl-tui", Version: r.Tool}},
		Invocations: []sarifInvocation{{Successful: true, Started: r.began()}},
		Results:     []sarifResult{},
	}
	if len(r.Steps) > 0 {
		run.Properties = map[string]any{"steps": r.Steps}
	}
	places := map[string]int{}
	for i, rule := range conform.Rules() {
		places[rule.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(rule))
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		run.Results = append(run.Results, sarifResult{
			Rule: f.Rule, Index: places[f.Rule], Level: sarifLevel(f.Level), Message: sarifText{kit.Clean(f.Message)},
			Locations: r.locations(f), Count: f.Count,
			Properties: map[string]any{"seq": f.Seq, "conn": f.Conn, "rev": f.Rev, "toolset": f.Toolset, "instance": f.Instance, "tool": f.Tool},
		})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}}); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

func sarifRuleOf(rule conform.Rule) sarifRule {
	full := rule.Meaning
	if rule.Also != "" {
		full += " Its level is " + rule.Level.String() + "; " + rule.Also + "."
	}
	return sarifRule{
		ID: rule.ID, Short: sarifText{rule.Meaning}, Full: sarifText{full}, Help: sarifText{rule.Mend + " Source: " + rule.Source},
		Default:    sarifDefault{sarifLevel(rule.Level)},
		Properties: map[string]any{"chapter": rule.Chapter, "source": rule.Source},
	}
}

func sarifLevel(l conform.Level) string {
	if l == conform.Info {
		return "note"
	}
	return l.String()
}

// locations are the line of the recording, and the tool, instance or toolset
// that a finding is about.
func (r *Report) locations(f *conform.Finding) []sarifLocation {
	var at sarifLocation
	if r.File != "" {
		at.Physical = &sarifPhysical{Artifact: sarifArtifact{fileURI(r.File)}}
		if line := r.Lines[f.Index]; line > 0 {
			at.Physical.Region = &sarifRegion{line}
		}
	}
	var path []string
	for _, p := range []struct {
		kind string
		name *string
	}{{"module", f.Toolset}, {"object", f.Instance}, {"function", f.Tool}} {
		if p.name == nil {
			continue
		}
		name := kit.Clean(*p.name)
		path = append(path, name)
		at.Logical = append(at.Logical, sarifLogical{Name: name, Full: strings.Join(path, "/"), Kind: p.kind})
	}
	if at.Physical == nil && at.Logical == nil {
		return nil
	}
	return []sarifLocation{at}
}

// fileURI is a path as a reference: relative to where the check ran, or of an
// absolute path, as a file URI.
func fileURI(path string) string {
	slashed := filepath.ToSlash(path)
	if !filepath.IsAbs(path) {
		return (&url.URL{Path: slashed}).String()
	}
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}

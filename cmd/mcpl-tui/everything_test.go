//go:build e2e

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/report"
	"github.com/mcpl-tui/mcpl-tui/session"
)

// everythingAt starts server-everything on a transport, and returns how a
// command line names it.
func everythingAt(t *testing.T, transport string) []string {
	t.Helper()
	server := os.Getenv("MCPL_TUI_EVERYTHING")
	if transport == "stdio" {
		return []string{"--", "node", server, "stdio"}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	_, port, _ := net.SplitHostPort(address)
	cmd := exec.Command("node", server, transport)
	cmd.Env = append(os.Environ(), "PORT="+port)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			_ = c.Close()
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("server-everything does not listen at %s", address)
		}
	}
	if transport == "sse" {
		return []string{"sse+http://" + address + "/sse"}
	}
	return []string{"http://" + address + "/mcp"}
}

// offeredTool is a tool as it is listed.
type offeredTool struct {
	Name        string
	InputSchema json.RawMessage
	Execution   struct{ TaskSupport string }
}

// offered is what the lists of a server hold.
type offered struct {
	Tools   []offeredTool
	Prompts []struct {
		Name      string
		Arguments []struct{ Name string }
	}
	Resources         []struct{ URI string }
	ResourceTemplates []struct{ URITemplate string }
}

// doAll runs commands and returns what each came to.
func doAll(t *testing.T, target, flags, lines []string) []json.RawMessage {
	t.Helper()
	args := append([]string{"do", "--timeout", "30s"}, flags...)
	for _, line := range lines {
		args = append(args, "-c", line)
	}
	var results []json.RawMessage
	for _, line := range bytes.Split(bytes.TrimSpace(output(t, append(args, target...)...)), []byte("\n")) {
		var o struct{ Result json.RawMessage }
		if err := json.Unmarshal(line, &o); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		results = append(results, o.Result)
	}
	if len(results) != len(lines) {
		t.Fatalf("%d of %d commands were run", len(results), len(lines))
	}
	return results
}

func listsOf(t *testing.T, target, flags []string) (o offered) {
	t.Helper()
	for _, r := range doAll(t, target, flags, []string{"tools", "prompts", "resources", "templates"}) {
		if err := json.Unmarshal(r, &o); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// argumentsOf makes arguments from a schema: what it requires, no visit to
// the network, and as little time as can be.
func argumentsOf(schema json.RawMessage) string {
	var s struct {
		Properties map[string]struct{ Format string }
	}
	var args map[string]any
	_ = json.Unmarshal(schema, &s) // what cannot be read has no properties
	_ = json.Unmarshal(session.Required(schema), &args)
	for name, p := range s.Properties {
		switch {
		case p.Format == "uri":
			args[name] = "data:text/plain,hello"
		case name == "duration":
			args[name] = 1
		}
	}
	raw, _ := json.Marshal(args) // of strings and numbers
	return string(raw)
}

// linesFor is a command for each thing that a server offers.
func linesFor(o offered) (lines []string) {
	for _, tool := range o.Tools {
		if tool.Execution.TaskSupport == "required" { // its answer is a task, asked for by a member of its own
			lines = append(lines, fmt.Sprintf(`raw tools/call {"name":%q,"arguments":%s,"task":{"ttl":60000}}`, tool.Name, argumentsOf(tool.InputSchema)))
			continue
		}
		lines = append(lines, "call "+tool.Name+" "+argumentsOf(tool.InputSchema))
	}
	for _, p := range o.Prompts {
		args := map[string]string{}
		for _, a := range p.Arguments {
			args[a.Name] = map[string]string{"resourceType": "Text", "resourceId": "1", "department": "Engineering", "name": "Alice"}[a.Name]
			if args[a.Name] == "" {
				args[a.Name] = "Paris"
			}
		}
		raw, _ := json.Marshal(args) // of strings
		lines = append(lines, "prompt "+p.Name+" "+string(raw))
	}
	for _, r := range o.Resources {
		lines = append(lines, "read "+r.URI)
	}
	for _, r := range o.ResourceTemplates {
		lines = append(lines, "read "+strings.NewReplacer("{resourceId}", "1").Replace(r.URITemplate))
	}
	return lines
}

// TestEndToEndEverythingIsUsed walks all that server-everything lists, over
// each transport: nothing of it fails, and nothing is found in the recording.
func TestEndToEndEverythingIsUsed(t *testing.T) {
	if os.Getenv("MCPL_TUI_EVERYTHING") == "" {
		t.Fatal("MCPL_TUI_EVERYTHING names no server; .ci/run sets it")
	}
	for _, transport := range []string{"stdio", "streamableHttp", "sse"} {
		t.Run(transport, func(t *testing.T) {
			target := everythingAt(t, transport)
			plain := listsOf(t, target, nil)
			lines := linesFor(plain)
			if len(plain.Tools) < 10 || len(plain.Prompts) < 4 || len(plain.Resources) < 5 || len(plain.ResourceTemplates) < 2 {
				t.Fatalf("it lists %d tools, %d prompts, %d resources, %d templates", len(plain.Tools), len(plain.Prompts), len(plain.Resources), len(plain.ResourceTemplates))
			}
			file := filepath.Join(t.TempDir(), "all.mcpl.jsonl")
			for i, r := range doAll(t, target, []string{"--elicit", "accept", "-o", file}, lines) {
				if strings.Contains(string(r), `"isError":true`) {
					t.Errorf("%s: %.300s", lines[i], r)
				}
			}
			judgeClean(t, file)
			samples(t, target, plain)
		})
	}
}

// samples calls what is listed only for a host whose person answers as the
// model.
func samples(t *testing.T, target []string, plain offered) {
	t.Helper()
	flags := []string{"--sampling", "ask"}
	var lines []string
	for _, tool := range listsOf(t, target, flags).Tools {
		known := slices.ContainsFunc(plain.Tools, func(p offeredTool) bool { return p.Name == tool.Name })
		if !known && !strings.HasSuffix(tool.Name, "-async") {
			lines = append(lines, "call "+tool.Name+" "+argumentsOf(tool.InputSchema)+" &", "wait request",
				`answer last {"role":"assistant","model":"human","content":{"type":"text","text":"as the model"}}`, "wait calls")
		}
	}
	if len(lines) == 0 {
		t.Fatal("no tool asks for a sample")
	}
	file := filepath.Join(t.TempDir(), "samples.mcpl.jsonl")
	results := doAll(t, target, append(flags, "-o", file), lines)
	if last := string(results[len(results)-1]); !strings.Contains(last, "as the model") {
		t.Errorf("the call ended with %.400s", last)
	}
	judgeClean(t, file)
}

func judgeClean(t *testing.T, file string) {
	t.Helper()
	var r report.Report
	if err := json.Unmarshal(output(t, "check", "--format", "json", file), &r); err != nil {
		t.Fatal(err)
	}
	if r.Summary.Errors+r.Summary.Warnings > 0 {
		t.Errorf("%s: %+v", filepath.Base(file), r.Findings)
	}
}

// TestEndToEndFieldServer looks for one of 166 tools in a real terminal, and
// sees what its server says of it.
func TestEndToEndFieldServer(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := filepath.Join(t.TempDir(), "field-server")
	if err := os.Symlink(self, server); err != nil {
		t.Fatal(err)
	}
	term := newTerminal(t, 160, 48)
	term.run(fmt.Sprintf("%s -- %s catalogue", binary(t), server))
	term.wait("● LIVE", "fn_000_reads")
	term.keys(":")
	term.tmux("send-keys", "-l", "call fn_007_deletes {}")
	term.keys("Enter")
	term.keys("3")
	term.wait("tools/call fn_007_deletes", "EFFECT_DENIED", "com.example/refusal")
	term.leave()
}

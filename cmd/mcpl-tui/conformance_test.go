//go:build e2e

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// The client scenarios of the npm package @modelcontextprotocol/conformance,
// with `mcpl-tui do` as the client under test. The package starts a server for
// each scenario and appends its URL to the client's command. Where the server
// wants somebody to log in, this test is the person: it opens the address that
// do prints.

// scenario is what the client is to do in one of them.
type scenario struct {
	do   []string // before the URL
	fail bool     // the client is to end with an error
}

var (
	toolsAndCall = []string{"-c", "tools", "-c", "call test-tool {}"}
	scenarios    = map[string]scenario{
		"initialize": {do: []string{"-c", "tools"}},
		"tools_call": {do: []string{"-c", `call add_numbers {"a":2,"b":3}`}},
		"elicitation-sep1034-client-defaults": {do: []string{
			"-c", "elicit accept", "-c", "call test_client_elicitation_defaults",
		}},
		"sse-retry": {do: []string{"-c", "call test_reconnection"}},

		"auth/metadata-default":                     {do: toolsAndCall},
		"auth/metadata-var1":                        {do: toolsAndCall},
		"auth/metadata-var2":                        {do: toolsAndCall},
		"auth/metadata-var3":                        {do: toolsAndCall},
		"auth/scope-from-www-authenticate":          {do: toolsAndCall},
		"auth/scope-from-scopes-supported":          {do: toolsAndCall},
		"auth/scope-omitted-when-undefined":         {do: toolsAndCall},
		"auth/scope-step-up":                        {do: toolsAndCall},
		"auth/scope-retry-limit":                    {do: toolsAndCall, fail: true},
		"auth/token-endpoint-auth-basic":            {do: toolsAndCall},
		"auth/token-endpoint-auth-post":             {do: toolsAndCall},
		"auth/token-endpoint-auth-none":             {do: toolsAndCall},
		"auth/pre-registration":                     {do: append([]string{"--client-id", "pre-registered-client", "--client-secret-env", "CONFORMANCE_SECRET"}, toolsAndCall...)},
		"auth/2025-03-26-oauth-metadata-backcompat": {do: toolsAndCall},
		"auth/2025-03-26-oauth-endpoint-fallback":   {do: toolsAndCall},
		"auth/resource-mismatch":                    {do: toolsAndCall, fail: true},
		"auth/offline-access-scope":                 {do: toolsAndCall},
		"auth/offline-access-not-supported":         {do: toolsAndCall},
	}
	// notForAPerson are the scenarios that do not fit a client with a person
	// in front, with the reason.
	notForAPerson = map[string]string{
		"auth/basic-cimd":                     "the client's identity is a document at an https address of its own, which a program on somebody's machine does not have; it registers itself, which the scenario allows with a warning",
		"auth/client-credentials-jwt":         "a machine's login with a private key, without a person; --token-env takes a token that such a flow gave",
		"auth/client-credentials-basic":       "a machine's login with a secret, without a person; --token-env takes a token that such a flow gave",
		"auth/cross-app-access-complete-flow": "a token of another identity provider is exchanged, which its administrator sets up; --token-env takes the result",
	}
)

func TestEndToEndConformance(t *testing.T) {
	list := conformance(t, "list")
	var names []string
	_, clients, found := strings.Cut(list, "Client scenarios")
	if !found {
		t.Fatalf("no client scenarios are listed:\n%s", list)
	}
	for _, line := range strings.Split(clients, "\n") {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			name, _, _ = strings.Cut(name, " ")
			names = append(names, name)
		}
	}
	if len(names) < 4 {
		t.Fatalf("only %q are listed", names)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			if why := notForAPerson[name]; why != "" {
				t.Logf("not run: %s", why)
				return
			}
			s, ok := scenarios[name]
			if !ok {
				t.Fatalf("%s is new: say what the client is to do in it, or why it does not fit", name)
			}
			playScenario(t, name, s)
		})
	}
}

// conformance runs the npm package on the node that it needs.
func conformance(t *testing.T, args ...string) string {
	t.Helper()
	main, node := os.Getenv("MCPL_TUI_CONFORMANCE"), os.Getenv("MCPL_TUI_NODE")
	if main == "" || node == "" {
		t.Fatal("MCPL_TUI_CONFORMANCE and MCPL_TUI_NODE name no program; .ci/run sets them")
	}
	out, err := exec.Command(node, append([]string{main}, args...)...).CombinedOutput()
	if err != nil && len(args) == 1 {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// playScenario runs one scenario and reads its checks: none may fail or warn.
func playScenario(t *testing.T, name string, s scenario) {
	t.Helper()
	dir := t.TempDir()
	line, err := json.Marshal(append([]string{binary(t), "do"}, s.do...))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("CONFORMANCE_SECRET", "pre-registered-secret")
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	t.Setenv(personEnv, string(line))
	out := conformance(t, "client", "--command", os.Args[0], "--scenario", name, "--timeout", "60000", "-o", filepath.Join(dir, "results"))
	files, _ := filepath.Glob(filepath.Join(dir, "results", "**", "checks.json"))
	deeper, _ := filepath.Glob(filepath.Join(dir, "results", "*", "*", "checks.json"))
	files = append(files, deeper...)
	if len(files) != 1 {
		t.Fatalf("%d results were written:\n%s", len(files), out)
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var checks []struct {
		ID, Status, Description, ErrorMessage string
	}
	if err := json.Unmarshal(raw, &checks); err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, c := range checks {
		switch c.Status {
		case "SUCCESS":
			passed++
		case "FAILURE", "WARNING":
			t.Errorf("%s: %s: %s %s", c.Status, c.ID, c.Description, c.ErrorMessage)
		}
	}
	if failed := strings.Contains(out, "Client exited with code"); passed == 0 || failed != s.fail || t.Failed() {
		t.Errorf("%d checks passed:\n%s", passed, out)
	}
}

// personEnv holds the command, as JSON, for a process of this test that is
// the client under test with its person.
const personEnv = "MCPL_TUI_TEST_PERSON"

func init() {
	if line := os.Getenv(personEnv); line != "" {
		os.Exit(person(line, os.Args[1:]))
	}
}

// person runs the client, and opens each address that it prints on a line of
// stderr, as a person does in a browser.
func person(line string, more []string) int {
	_ = os.Unsetenv(personEnv)
	var words []string
	if err := json.Unmarshal([]byte(line), &words); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	cmd := exec.Command(words[0], append(words[1:], more...)...)
	cmd.Stdout = os.Stdout
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	var browser sync.WaitGroup
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		text := lines.Text()
		fmt.Fprintln(os.Stderr, text)
		if strings.HasPrefix(text, "http") {
			browser.Go(func() {
				if resp, err := http.Get(text); err == nil {
					_, _ = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
				}
			})
		}
	}
	browser.Wait()
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode()
}

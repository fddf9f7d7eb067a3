//go:build e2e

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What server-everything offers beside tools is listed, read, subscribed and
// completed, without a screen and on one.
func TestEndToEndResourcesAndPrompts(t *testing.T) {
	server := os.Getenv("MCPL_TUI_EVERYTHING")
	if server == "" {
		t.Fatal("MCPL_TUI_EVERYTHING names no server; .ci/run sets it")
	}
	t.Run("do", func(t *testing.T) {
		args := []string{"do"}
		for _, c := range everyOffer(t, server) {
			args = append(args, "-c", c)
		}
		file := filepath.Join(t.TempDir(), "offers.mcpl.jsonl")
		out := output(t, append(args, "-o", file, "--", "node", server, "stdio")...)
		if failed := bytes.Count(out, []byte(`"ok":false`)); failed > 0 || bytes.Count(out, []byte(`"ok":true`)) != len(args)/2 {
			t.Errorf("%d commands failed:\n%s", failed, out)
		}
		for _, part := range []string{`"contents":[{"uri":"demo://resource/`, `"messages":[`, `"completion":{"values":[`} {
			if !bytes.Contains(out, []byte(part)) {
				t.Errorf("%s did not come:\n%s", part, out)
			}
		}
	})
	t.Run("screen", func(t *testing.T) {
		term := newTerminal(t, 160, 48)
		term.run(binary(t) + " --no-record -- node " + server + " stdio")
		term.wait("● LIVE", "echo")
		term.keys("6")
		term.wait("HANDSHAKE")
		term.keys("6")
		term.wait("RESOURCES AND PROMPTS", "architecture.md", "args-prompt", "Dynamic Text Resource")
		term.keys("j", "Enter")
		term.wait(":read demo://resource/")
		term.keys("Enter")
		term.wait("▌▾ READ", "text/markdown")
		term.keys(":")
		term.tmux("send-keys", "-l", `prompt args-prompt {"city":"Ulm"}`)
		term.keys("Enter")
		term.wait(`prompt args-prompt {"city":"Ulm"}`, "user  text")
		term.leave()
	})
}

// everyOffer are the commands that read all that a server offers, made of its
// own lists.
func everyOffer(t *testing.T, server string) []string {
	t.Helper()
	out := output(t, "do", "-c", "resources", "-c", "templates", "-c", "prompts", "--", "node", server, "stdio")
	commands := []string{"resources", "templates", "prompts"}
	for line := range bytes.Lines(out) {
		var done struct {
			Result struct {
				Resources         []struct{ URI string }
				ResourceTemplates []struct{ URITemplate string }
				Prompts           []struct {
					Name      string
					Arguments []struct {
						Name     string
						Required bool
					}
				}
			}
		}
		if err := json.Unmarshal(line, &done); err != nil {
			t.Fatal(err)
		}
		for i, r := range done.Result.Resources {
			commands = append(commands, "read "+r.URI)
			if i == 0 {
				commands = append(commands, "subscribe "+r.URI, "unsubscribe "+r.URI)
			}
		}
		for _, r := range done.Result.ResourceTemplates {
			before, rest, _ := strings.Cut(r.URITemplate, "{")
			name, after, _ := strings.Cut(rest, "}")
			commands = append(commands, "read "+before+"1"+after, `complete resource "`+r.URITemplate+`" `+name+" 1")
		}
		for _, p := range done.Result.Prompts {
			filled := map[string]string{}
			for _, a := range p.Arguments {
				filled[a.Name] = map[string]string{"resourceType": "Text", "department": "Engineering", "name": "Alice"}[a.Name]
				if filled[a.Name] == "" {
					filled[a.Name] = "1"
				}
				commands = append(commands, "complete prompt "+p.Name+" "+a.Name)
			}
			arguments, err := json.Marshal(filled)
			if err != nil {
				t.Fatal(err)
			}
			commands = append(commands, "prompt "+p.Name+" "+string(arguments))
		}
	}
	if len(commands) < 20 {
		t.Fatalf("it offers only %q", commands)
	}
	return commands
}

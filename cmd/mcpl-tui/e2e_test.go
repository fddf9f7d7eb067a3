//go:build e2e

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/report"
)

// terminal is a real terminal: the built binary runs in it, in tmux.
type terminal struct {
	t      *testing.T
	socket string
	home   string
}

// patience is how long a screen may take to show what is waited for. It ends
// a test that fails; nothing is measured with it.
const patience = 30 * time.Second

func newTerminal(t *testing.T, columns, rows int) *terminal {
	t.Helper()
	home := t.TempDir()
	term := &terminal{t: t, socket: filepath.Join(home, "tmux"), home: home}
	term.tmux("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(columns), "-y", fmt.Sprint(rows),
		"env", "HOME="+home, "XDG_STATE_HOME="+home+"/state", "LC_ALL=C.UTF-8", "PS1=shell> ", "sh")
	t.Cleanup(func() { exec.Command("tmux", "-S", term.socket, "kill-server").Run() })
	term.wait("shell>")
	return term
}

func (term *terminal) tmux(args ...string) string {
	term.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", term.socket}, args...)...).CombinedOutput()
	if err != nil {
		term.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// run types a command at the shell.
func (term *terminal) run(command string) {
	term.t.Helper()
	term.tmux("send-keys", "-l", command)
	term.keys("Enter")
}

func (term *terminal) keys(keys ...string) {
	term.t.Helper()
	term.tmux(append([]string{"send-keys"}, keys...)...)
}

func (term *terminal) screen() string {
	term.t.Helper()
	return term.tmux("capture-pane", "-p")
}

// wait waits until the screen shows all of the texts.
func (term *terminal) wait(texts ...string) string {
	term.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		screen, missing := term.screen(), ""
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				missing = text
			}
		}
		if missing == "" {
			return screen
		}
		if time.Now().After(deadline) {
			term.t.Fatalf("the screen does not show %q:\n%s", missing, screen)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// leave quits from the screen and waits for the shell.
func (term *terminal) leave() {
	term.t.Helper()
	term.keys("q")
	term.wait("quit?")
	term.keys("y")
	term.wait("shell>")
}

// recordings are the files that were kept.
func (term *terminal) recordings() []string {
	files, _ := filepath.Glob(filepath.Join(term.home, "state", "mcpl-tui", "*.mcpl.jsonl"))
	return files
}

func binary(t *testing.T) string {
	t.Helper()
	bin := os.Getenv("MCPL_TUI_BIN")
	if bin == "" {
		t.Fatal("MCPL_TUI_BIN names no binary; .ci/run sets it")
	}
	return bin
}

// output runs the binary without a terminal.
func output(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(binary(t), args...)
	out, err := cmd.Output()
	if err != nil {
		var stderr []byte
		if e, ok := err.(*exec.ExitError); ok {
			stderr = e.Stderr
		}
		t.Fatalf("mcpl-tui %v: %v\n%s\n%s", args, err, stderr, out)
	}
	return out
}

// script writes a small server.
func script(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "server.js")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestEndToEndDemo(t *testing.T) {
	term := newTerminal(t, 100, 30)
	term.run(binary(t) + " demo")
	term.wait("● LIVE", "none open", "enter open…")
	term.keys("Enter")
	term.wait("OPEN game", "WILL SEND")
	term.keys("Enter")
	term.wait("2 → open", "[ ~● ]", "suggests: open chat") // opened, redefined by a push, suggested
	term.keys("3")
	term.wait("WIRE", "toolsets/open game")
	term.keys("1", "[", "[")
	term.wait("◂ PAST, rev 1")
	term.keys("Escape", "G")
	term.wait("● LIVE")
	term.leave()
	files := term.recordings()
	if len(files) != 1 {
		t.Fatalf("kept %v", files)
	}
	var state struct {
		Toolsets []struct {
			Toolset string
			Open    bool
		}
	}
	if err := json.Unmarshal(output(t, "state", files[0], "--format", "json"), &state); err != nil {
		t.Fatal(err)
	}
	if len(state.Toolsets) == 0 || state.Toolsets[0].Toolset != "game" || !state.Toolsets[0].Open {
		t.Errorf("the recording ends with %+v", state)
	}
	term.run(binary(t) + " replay " + files[0])
	term.wait("REPLAY")
	term.keys("G")
	term.wait("game-1", "‖ REPLAY")
	term.keys("q")
	term.wait("shell>")
}

func TestEndToEndEveryScreenSize(t *testing.T) {
	for _, size := range [][2]int{{160, 48}, {100, 30}, {80, 24}, {40, 12}, {40, 10}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			term := newTerminal(t, size[0], size[1])
			term.run(binary(t) + " demo --no-record")
			term.wait("● LIVE")
			for _, key := range []string{"1", "2", "3", "4", "5", "6", "?", "Escape", "1"} {
				term.keys(key)
			}
			term.wait("TOOLS")
			term.tmux("resize-window", "-x", "20", "-y", "4")
			term.tmux("resize-window", "-x", "120", "-y", "40")
			term.wait("● LIVE", "SUGGESTED")
			term.leave()
		})
	}
}

func TestEndToEndEverything(t *testing.T) {
	server := os.Getenv("MCPL_TUI_EVERYTHING")
	if server == "" {
		t.Fatal("MCPL_TUI_EVERYTHING names no server; .ci/run sets it")
	}
	t.Run("screen", func(t *testing.T) {
		term := newTerminal(t, 160, 48)
		term.run(binary(t) + " -- node " + server + " stdio")
		term.wait("● LIVE", "echo", "plain MCP")
		term.keys("c")
		term.wait("WILL SEND", "tools/call")
		term.keys("Escape", ":")
		term.tmux("send-keys", "-l", `call echo {"message":"hello there"}`)
		term.keys("Enter")
		term.keys("3")
		term.wait("tools/call echo", "hello there")
		term.leave()
	})
	t.Run("check", func(t *testing.T) {
		for _, how := range [][]string{{"check", "--format", "json"}, {"check", "--format", "json", "--probe"}} {
			var r report.Report
			if err := json.Unmarshal(output(t, append(how, "--", "node", server, "stdio")...), &r); err != nil {
				t.Fatal(err)
			}
			if s := r.Summary; s.Errors+s.Warnings > 0 || r.ToolHints || r.Head.Tools < 5 || s.Frames < 9 {
				t.Errorf("%v: %+v, %+v", how, s, r.Findings)
			}
		}
	})
	t.Run("do, recording and state", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "everything.mcpl.jsonl")
		out := output(t, "do", "-o", file, "-c", `call echo {"message":"hi"}`, "-c", `call get-sum {"a":2,"b":3}`, "--", "node", server, "stdio")
		if n := strings.Count(string(out), `"ok":true`); n != 2 || !strings.Contains(string(out), "hi") {
			t.Errorf("do printed %s", out)
		}
		var state struct {
			Toolhints bool
			Static    []struct {
				Name    string
				Visible bool
			}
		}
		if err := json.Unmarshal(output(t, "state", file, "--format", "json"), &state); err != nil {
			t.Fatal(err)
		}
		if state.Toolhints || len(state.Static) < 5 || !state.Static[0].Visible {
			t.Errorf("the state is %+v", state)
		}
	})
}

func TestEndToEndServersThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		command string
		texts   []string
	}{
		"no such command":      {"./no-such-server", []string{"NOT CONNECTED", "no-such-server"}},
		"exits at once":        {`sh -c "echo cannot find module >&2; exit 3"`, []string{"NOT CONNECTED", "exit code 3", "cannot find module", "try again"}},
		"prints no JSON":       {`sh -c "echo Welcome to my server; sleep 60"`, []string{"initialize sent", "Welcome to my server"}},
		"never answers":        {"sleep 60", []string{"initialize sent", "of 30 s", "--timeout"}},
		"dies after its lists": {"node " + script(t, dyingServer), []string{"ENDED", "exit code 7", "poke"}},
	} {
		t.Run(name, func(t *testing.T) {
			term := newTerminal(t, 100, 30)
			term.run(binary(t) + " -- " + c.command)
			if name == "dies after its lists" {
				term.wait("● LIVE")
				term.keys(":")
				term.tmux("send-keys", "-l", "call poke {}")
				term.keys("Enter")
			}
			term.wait(c.texts...)
			term.keys("C-c", "C-c")
			term.wait("shell>")
		})
	}
}

const dyingServer = `
const rl = require("readline").createInterface({ input: process.stdin });
rl.on("line", line => {
  const m = JSON.parse(line);
  const answer = result => console.log(JSON.stringify({ jsonrpc: "2.0", id: m.id, result }));
  if (m.method === "initialize") answer({ protocolVersion: "2025-06-18", serverInfo: { name: "mortal", version: "1" }, capabilities: { tools: {} } });
  if (m.method === "tools/list") answer({ tools: [{ name: "poke", inputSchema: { type: "object" } }] });
  if (m.method === "tools/call") process.exit(7);
});`

const floodServer = `
const rl = require("readline").createInterface({ input: process.stdin });
rl.on("line", line => {
  const m = JSON.parse(line);
  const answer = result => console.log(JSON.stringify({ jsonrpc: "2.0", id: m.id, result }));
  if (m.method === "initialize") answer({ protocolVersion: "2025-06-18", serverInfo: { name: "flood", version: "1" },
    capabilities: { tools: {}, experimental: { mcpl: { version: "0.5", toolHints: true } } } });
  if (m.method === "featureSets/update") answer({ accepted: true });
  if (m.method === "tools/list") answer({ tools: [{ name: "blink", inputSchema: { type: "object" }, _meta: { "mcpl/presence": "dynamic" } }] });
  if (m.method === "toolsets/list") {
    answer({ open: [], ended: [], _meta: { "mcpl/hints": { rev: 1 } } });
    setTimeout(() => {
      let out = "";
      for (let i = 0; i < 20000; i++)
        out += JSON.stringify({ jsonrpc: "2.0", method: "tools/hints", params: { rev: i + 2, tools: [{ name: "blink", visible: i % 2 === 0 }] } }) + "\n";
      process.stdout.write(out);
    }, 500);
  }
});`

// TestEndToEndFlood has a server send 20,000 changes at full speed: all are
// recorded, in order, and keys are answered meanwhile.
func TestEndToEndFlood(t *testing.T) {
	term := newTerminal(t, 100, 30)
	term.run(binary(t) + " -- node " + script(t, floodServer))
	term.wait("● LIVE")
	term.keys("3")
	term.wait("[3 Wire")
	term.keys("1")
	term.wait("rev 20001")
	term.leave()
	files := term.recordings()
	if len(files) != 1 {
		t.Fatalf("kept %v", files)
	}
	var rows []struct {
		Rev    int
		Status string
	}
	if err := json.Unmarshal(output(t, "revs", files[0], "--format", "json"), &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 20001 {
		t.Fatalf("%d revs were recorded, want 20001", len(rows))
	}
	for i, r := range rows {
		if r.Rev != i+1 || r.Status != "applied" {
			t.Fatalf("row %d is rev %d, %s", i+1, r.Rev, r.Status)
		}
	}
}

// TestEndToEndKilled kills the debugger with SIGKILL: what was recorded is
// there, and the child does not stay.
func TestEndToEndKilled(t *testing.T) {
	term := newTerminal(t, 80, 24)
	server := script(t, strings.Replace(dyingServer, "process.exit(7)", `answer({content:[{type:"text",text:"poked"}]})`, 1))
	term.run(binary(t) + " -- node " + server)
	term.wait("● LIVE", "poke")
	term.keys(":")
	term.tmux("send-keys", "-l", "call poke {}")
	term.keys("Enter")
	term.wait("frame 9")
	time.Sleep(200 * time.Millisecond) // the last 100 ms may be lost, by design
	if out, err := exec.Command("pkill", "-9", "-f", "^"+binary(t)+" -- node "+server).CombinedOutput(); err != nil {
		t.Fatalf("pkill: %v %s", err, out)
	}
	term.wait("Killed")
	out := output(t, "state", term.recordings()[0], "--format", "json")
	if !strings.Contains(string(out), `"name": "poke"`) {
		t.Errorf("the recording says %s", out)
	}
	deadline := time.Now().Add(patience)
	for exec.Command("pgrep", "-f", server).Run() == nil {
		if time.Now().After(deadline) {
			t.Fatal("the server still runs")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestEndToEndTerminated ends the debugger with SIGTERM: the terminal is as
// it was, the server is gone, the recording is whole.
func TestEndToEndTerminated(t *testing.T) {
	term := newTerminal(t, 80, 24)
	server := script(t, dyingServer)
	term.run(binary(t) + " -- node " + server)
	term.wait("● LIVE", "poke")
	if out, err := exec.Command("pkill", "-TERM", "-f", "^"+binary(t)+" -- node "+server).CombinedOutput(); err != nil {
		t.Fatalf("pkill: %v %s", err, out)
	}
	term.wait("shell>", "recorded: mcpl-tui replay")
	term.run("echo it echoes")
	term.wait("\nit echoes")
	if exec.Command("pgrep", "-f", server).Run() == nil {
		t.Error("the server still runs")
	}
	if out := output(t, "state", term.recordings()[0]); !strings.Contains(string(out), "mortal") {
		t.Errorf("the recording says %s", out)
	}
}

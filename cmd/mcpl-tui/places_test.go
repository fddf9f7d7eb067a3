//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/start"
)

// atHome is a home folder of its own, with files in it, in which one stands.
func atHome(t *testing.T, files map[string]string) string {
	t.Helper()
	home := t.TempDir()
	for name, text := range files {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", home)
	t.Setenv("XDG_STATE_HOME", filepath.Join(home, "state"))
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	t.Setenv("MCPL_BRIDGE_CONFIG", "")
	t.Chdir(home)
	return home
}

func testFlags() *connectFlags {
	return &connectFlags{timeout: defaultTimeout, hostFlags: quietHost()}
}

func testDesk(t *testing.T, flags *connectFlags, keep bool) *desk {
	t.Helper()
	d := newDesk(t.Context(), flags, keep)
	d.put(newNothing())
	return d
}

func TestALineIsUnderstoodAsWhatItIs(t *testing.T) {
	atHome(t, map[string]string{
		".mcp.json":                   `{"mcpServers":{"goban":{"command":"node","args":["s.js"]},"my server":{"url":"https://a.example/mcp"},"needy":{"command":"x","env":{"K":"${NOT_SET_HERE}"}}}}`,
		"session.mcpl.jsonl":          "",
		"state/mcpl-tui/a.mcpl.jsonl": "",
	})
	d := testDesk(t, testFlags(), true)
	for line, want := range map[string]start.Meaning{
		"demo":                         {Text: "the demo, built in", Sure: true},
		"sh -c 'exit 3'":               {Text: "a command, stdio", Sure: true},
		"mcpl-tui -- nosuch program":   {Text: "a command, stdio", Sure: true},
		"-- sh":                        {Text: "a command, stdio", Sure: true},
		"sh":                           {Text: "a command, stdio", Maybe: true},
		"https://a.example/mcp":        {Text: "an address, Streamable HTTP", Sure: true},
		"sse+http://a.example/sse":     {Text: "an address, HTTP with SSE", Sure: true},
		"mcpl://a.example":             {Text: "an address, WebSocket", Sure: true},
		"--plain wss://a.example/x":    {Text: "an address, WebSocket", Sure: true},
		"session.mcpl.jsonl":           {Text: "a recording", Sure: true},
		"mcpl-tui replay a":            {Text: "a recording", Sure: true},
		"~/session.mcpl.jsonl":         {Text: "a recording", Sure: true},
		"goban":                        {Text: "a server of ~/.mcp.json", Sure: true},
		"'my server'":                  {Text: "a server of ~/.mcp.json", Sure: true},
		"goban@~/.mcp.json":            {Text: "a server of ~/.mcp.json", Sure: true},
		"--like goban -- sh x":         {Text: "a command, stdio", Sure: true},
		"none.mcpl.jsonl":              {Text: "there is no file none.mcpl.jsonl"},
		"nosuch program":               {Text: "there is no program nosuch; write -- before the command to start it all the same"},
		"--plian demo":                 {Text: "no flag --plian. Did you mean --plain?"},
		"--plain":                      {Text: "after the flags comes what to connect to"},
		"'open":                        {Text: "a quotation mark in the line has no end"},
		"--env KEY=… -- sh x":          {Text: "--env KEY: its value was kept nowhere; write it in place of …"},
		"https://a.example/?token=***": {Text: "what stood in the place of *** was kept nowhere: write it there"},
		"xyzzy-is-nothing":             {Text: `nothing is known as "xyzzy-is-nothing", and there is no such program`},
	} {
		if got := d.Understand(t.Context(), line); got != want {
			t.Errorf("%s\nis  %+v\nnot %+v", line, got, want)
		}
	}
	if got := d.Understand(t.Context(), "needy"); got.Sure || !strings.Contains(got.Text, "the variable NOT_SET_HERE is not set") {
		t.Errorf("needy is %+v", got)
	}
}

func TestFlagsOfALineAreItsOwnAndThoseOfTheCommandLineAreForTheFirst(t *testing.T) {
	atHome(t, nil)
	base := testFlags()
	base.env, base.plain, base.timeout = []string{"TOKEN=hunter2"}, true, 7e9
	d := testDesk(t, base, false)
	f, _, _, _, err := d.lineFlags([]string{"--env", "A=1", "--", "x"})
	if err != nil || strings.Join(f.env, " ") != "A=1" || !f.plain || f.timeout != 7e9 {
		t.Errorf("before the first: %q plain %v %s, %v", f.env, f.plain, f.timeout, err)
	}
	if err := d.Target(t.Context(), "demo"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.close() })
	if f, _, _, _, err = d.lineFlags([]string{"x"}); err != nil || len(f.env) > 0 || f.plain || f.timeout != 7e9 {
		t.Errorf("after it: %q plain %v %s, %v", f.env, f.plain, f.timeout, err)
	}
	if f, _, _, _, err = d.lineFlags([]string{"--env", "TOKEN=…", "x"}); err != nil || strings.Join(f.env, " ") != "TOKEN=hunter2" {
		t.Errorf("a hidden value is %q, %v", f.env, err)
	}
}

func TestEverySessionThatWasKeptIsNamedAtTheEnd(t *testing.T) {
	atHome(t, nil)
	d := testDesk(t, testFlags(), true)
	for range 3 {
		if err := d.Target(t.Context(), "demo"); err != nil {
			t.Fatal(err)
		}
		l := d.current().(*liveOnDesk)
		if err := l.sess.WaitReady(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if st := d.Status(); !strings.HasPrefix(st.Before, "demo-") || st.Generation != 4 {
		t.Errorf("the session before is %q, generation %d", st.Before, st.Generation)
	}
	kept := d.kept()
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	if len(kept) != 3 {
		t.Fatalf("kept %q", kept)
	}
	for _, line := range kept {
		path := strings.TrimPrefix(line, "recorded: mcpl-tui replay ")
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestATargetThatIsWrongLeavesTheSessionAsItIs(t *testing.T) {
	atHome(t, map[string]string{"junk.mcpl.jsonl": "no recording\n"})
	d := testDesk(t, testFlags(), false)
	for _, line := range []string{"nothing-like-that", "junk.mcpl.jsonl", "--timeout 0s demo", ""} {
		err := d.Target(t.Context(), line)
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", line, err)
		}
		if !d.Status().Empty {
			t.Fatalf("%q took the place of what was there", line)
		}
	}
}

func TestRecentTargetsHoldNoSecretAndLeadBack(t *testing.T) {
	home := atHome(t, map[string]string{"w/x": "", ".mcp.json": `{"mcpServers":{"goban":{"command":"sh","args":["-c","exit 0"]}}}`})
	flags := testFlags()
	flags.env = []string{"TOKEN=hunter2"}
	d := testDesk(t, flags, true)
	for _, line := range []string{
		"--cwd w --env TOKEN=hunter3 -- sh -c 'exit 0' --password hunter4",
		"--header 'X-Key: hunter5' http://user:hunter6@127.0.0.1:1/mcp?token=hunter7",
		"demo", "goban",
	} {
		if err := d.Target(t.Context(), line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(home, "state", "mcpl-tui", "recent.json")
	data, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(data), "hunter") {
		t.Fatalf("%s, %v", data, err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	var got []string
	var entries []start.Entry
	for _, e := range d.Places(t.Context()).Entries {
		if e.Section == start.Recent {
			got, entries = append(got, e.Line+" | "+e.Where), append(entries, e)
		}
	}
	want := []string{
		"--header 'X-Key: …' 'http://***@127.0.0.1:1/mcp?token=***' | ",
		"--cwd " + filepath.Join(home, "w") + " --env TOKEN=… -- sh -c 'exit 0' --password '***' | ~/w",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("recent:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if err := d.Forget(t.Context(), entries[0]); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range d.Places(t.Context()).Entries {
		if e.Section == start.Recent {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d are left", n)
	}
}

func TestWithoutRecordingNoTargetIsRemembered(t *testing.T) {
	home := atHome(t, nil)
	d := testDesk(t, testFlags(), false)
	if err := d.Target(t.Context(), "-- sh -c 'exit 0'"); err != nil {
		t.Fatal(err)
	}
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(filepath.Join(home, "state", "mcpl-tui", "*")); len(files) > 0 {
		t.Errorf("left %q", files)
	}
	if d.Places(t.Context()).Kept {
		t.Error("the list says that sessions are kept")
	}
}

func TestARecordingIsDescribedByWhatIsInIt(t *testing.T) {
	home := atHome(t, nil)
	d := testDesk(t, testFlags(), true)
	if err := d.Target(t.Context(), "demo"); err != nil {
		t.Fatal(err)
	}
	if err := d.current().(*liveOnDesk).sess.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	junk := filepath.Join(home, "state", "mcpl-tui", "junk.mcpl.jsonl")
	if err := os.WriteFile(junk, []byte("junk\x1b[2J\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var rows []start.Entry
	for _, e := range d.Places(t.Context()).Entries {
		if e.Section == start.Recordings {
			rows = append(rows, d.Describe(t.Context(), e))
		}
	}
	if len(rows) != 2 {
		t.Fatalf("rows %+v", rows)
	}
	for _, e := range rows {
		switch {
		case e.Name == "junk" && e.Read && e.Broken != "" && !strings.ContainsAny(e.Broken, "\x1b\n"):
		case strings.HasPrefix(e.Name, "demo-") && e.Read && e.Server == "arcade 1.0.0" && e.Revs == 1 && e.Findings == 0:
		default:
			t.Errorf("row %+v", e)
		}
	}
}

func TestALineIsCompletedWithNamesAndFiles(t *testing.T) {
	atHome(t, map[string]string{".mcp.json": `{"mcpServers":{"goban":{"command":"x"},"go lang":{"command":"x"}}}`, "gone/a b.js": "", "gone/c.js": "", "gone/.hidden": ""})
	d := testDesk(t, testFlags(), true)
	ways := func(line string) string {
		var out []string
		for _, c := range d.Ways(t.Context(), line) {
			out = append(out, c.Text)
		}
		return strings.Join(out, " | ")
	}
	for line, want := range map[string]string{
		"go":            "goban | gone" + string(filepath.Separator),
		"de":            "demo",
		"node gone/":    "node gone/'a b.js' | node gone/c.js",
		"node ~/gone/c": "node ~/gone/c.js",
		"'a":            "",
		"http://x":      "",
	} {
		if got := ways(line); got != want {
			t.Errorf("%q goes on with %q, want %q", line, got, want)
		}
	}
}

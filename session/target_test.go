package session

import (
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestTargets(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		dash int
		want Target
	}{
		"a command":           {[]string{"node", "server.js", "--x"}, 0, Target{Kind: KindStdio, Command: []string{"node", "server.js", "--x"}}},
		"a command like demo": {[]string{"demo"}, 0, Target{Kind: KindStdio, Command: []string{"demo"}}},
		"the demo":            {[]string{"demo"}, -1, Target{Kind: KindDemo}},
		"http":                {[]string{"HTTPS://x/mcp"}, -1, Target{Kind: KindHTTP, URL: "HTTPS://x/mcp"}},
		"sse":                 {[]string{"sse+http://x:1/sse"}, -1, Target{Kind: KindSSE, URL: "sse+http://x:1/sse"}},
		"websocket":           {[]string{"wss://x"}, -1, Target{Kind: KindWS, URL: "wss://x"}},
		"mcpl":                {[]string{"mcpl://h:1/p"}, -1, Target{Kind: KindWS, URL: "mcpl://h:1/p"}},
	} {
		got, err := ParseTarget(c.args, c.dash)
		if err != nil || got.Kind != c.want.Kind || got.URL != c.want.URL || !slices.Equal(got.Command, c.want.Command) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestWhatIsNoTargetIsToldInOneLine(t *testing.T) {
	const list = "a target is `-- command args…`, an address (https://"
	for name, c := range map[string]struct {
		args []string
		dash int
		want string
	}{
		"nothing":            {nil, -1, list},
		"nothing after --":   {nil, 0, "after -- comes the command"},
		"words before --":    {[]string{"demo", "node"}, 1, `"demo" stands before --`},
		"demo before --":     {[]string{"demo"}, 1, "after -- comes the command"},
		"a command, no --":   {[]string{"node", "my server.js"}, -1, "write -- before it: -- node 'my server.js'"},
		"a quoted command":   {[]string{"node server.js"}, -1, "without quotes: -- node server.js"},
		"an unknown name":    {[]string{"goban"}, -1, `"goban" is no target; ` + list},
		"a host and a port":  {[]string{"127.0.0.1:3000/mcp"}, -1, "127.0.0.1:3000/mcp does not say what it speaks: write http://127.0.0.1:3000/mcp, or"},
		"a name and a port":  {[]string{"localhost:3000"}, -1, "write http://localhost:3000, or"},
		"no port at all":     {[]string{"goban:latest"}, -1, `"goban:latest" is no target; ` + list},
		"a strange scheme":   {[]string{"ftp://x"}, -1, "no link speaks ftp://"},
		"an empty address":   {[]string{"http://"}, -1, "lacks a host"},
		"a broken address":   {[]string{"http://a b:c"}, -1, "is no address; it is http://HOST"},
		"an address w/o one": {[]string{"http:///path"}, -1, "is no address; it is http://HOST"},
	} {
		_, err := ParseTarget(c.args, c.dash)
		if err == nil || !errors.Is(err, ErrTarget) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestTheCommandThatRepeatsALineSurvivesAShell(t *testing.T) {
	got := DoCommand(Target{Kind: KindDemo}, `open game as vs-eve {"opponent":"eve"}`)
	if want := `mcpl-tui do -c 'open game as vs-eve {"opponent":"eve"}' demo`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	hard := []string{"it's", `"$HOME" \ *`, "", "é&|;", "plain-1.2/x@y=z", "line\nbreak"}
	do := DoCommand(Target{Kind: KindStdio, Command: hard}, hard...)
	out, err := exec.Command("sh", "-c", `printf '%s\0' `+strings.TrimPrefix(do, "mcpl-tui ")).Output()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"do"}
	for _, h := range hard {
		want = append(want, "-c", h)
	}
	want = append(append(want, "--"), hard...)
	if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, want) {
		t.Errorf("a shell reads %q, want %q", got, want)
	}
}

func TestAnAddressThatIsWrongIsNotRepeated(t *testing.T) {
	_, err := ParseTarget([]string{"https://user:hunter2@ho st/"}, -1)
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v", err)
	}
}
